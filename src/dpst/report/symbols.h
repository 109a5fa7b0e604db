/* Addresses as people know them: functions, files and lines by libbacktrace, which reads the debug
 * information of whatever is loaded; without it, names that the dynamic linker knows, and what
 * addr2line wants to be told.
 *
 * Threads: any. Texts stay until the process ends. */
#ifndef SVS_DPST_REPORT_SYMBOLS_H
#define SVS_DPST_REPORT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct svs__place_name {
    const char *function; /* NULL: not known */
    const char *file;     /* NULL: not known; then `module` and `offset` are */
    int line;
    const char *module;
    uintptr_t offset;
} svs__place_name;

/* With `use` false, addresses stay what they are. */
void svs__symbols_init(bool use);

/* The places that a call's return address stands for, innermost first: more than one where calls
 * have been inlined. @return how many, at least 1, at most `most`. */
uint32_t svs__symbols_of_code(uintptr_t pc, svs__place_name *places, uint32_t most);

/* Is it the function behind SVS_NEW, on the line of SVS_TYPE? Its caller is what allocates. */
bool svs__symbol_is_maker(const char *function);

/* The variable that `address` is in. @return whether one is known. */
bool svs__symbols_of_data(uintptr_t address, const char **name, uintptr_t *begin, size_t *bytes);

#endif
