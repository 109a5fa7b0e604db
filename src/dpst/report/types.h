/* The place of a byte in a variable, as the program writes it, by the debug information:
 *
 *     accounts, byte 192 ---> "[12]"            accounts, byte 200 ---> "[12].balance"
 *
 * Threads: one at a time, under the lock of found.c. */
#ifndef SVS_DPST_REPORT_TYPES_H
#define SVS_DPST_REPORT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the path in the variable that begins at `begin`. @return false: its type is not known, or
 * has no parts. */
bool svs__types_path(uintptr_t begin, size_t offset, char *to, size_t room);

/* svs__types_path() for a variable at the address `begin` in a file. */
bool svs__types_path_in(const char *file, uint64_t begin, size_t offset, char *to, size_t room);

#endif
