/* Names of addresses. libbacktrace reads functions, files and lines from the debug information of
 * all loaded modules. Without libbacktrace there are the names that the dynamic linker knows, and
 * the module and offset to pass to addr2line.
 *
 * Threads: any. Texts are valid until the process ends. */
#ifndef SVS_DPST_REPORT_SYMBOLS_H
#define SVS_DPST_REPORT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct svs__place_name {
    const char *function; /* NULL: not known */
    const char *file;     /* NULL: not known; then `module` and `offset` are known */
    int line;
    const char *module;
    uintptr_t offset;
} svs__place_name;

/* @param use false: addresses are shown without names. */
void svs__symbols_init(bool use);

/* Finds the places that a call's return address belongs to, innermost first; there are several
 * where calls have been inlined. @return the number of places, at least 1, at most `most`. */
uint32_t svs__symbols_of_code(uintptr_t pc, svs__place_name *places, uint32_t most);

/* Is this the function that SVS_TYPE defines for SVS_NEW? The place of the allocation is then its
 * caller. */
bool svs__symbol_is_maker(const char *function);

/* Finds the variable that contains `address`. @return whether one is known. */
bool svs__symbols_of_data(uintptr_t address, const char **name, uintptr_t *begin, size_t *bytes);

#endif
