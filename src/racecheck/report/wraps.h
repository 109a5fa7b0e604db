/* Functions of the C library as the program's own code calls them. They are compiled without
 * instrumentation, so each says here what it reads and writes, then is called.
 *
 *     WRAP(void, bzero, (void *to, size_t bytes)) {
 *         WRITES(to, bytes);
 *         svs__real_bzero(to, bytes);
 *     }
 *
 * The linker's --wrap sends calls of `name` to __wrap_name, and __real_name to `name`; the list of
 * names that are wrapped is in wraps.cmake.
 *
 * Threads: any, also those that no runtime knows. */
#ifndef SVS_RACECHECK_REPORT_WRAPS_H
#define SVS_RACECHECK_REPORT_WRAPS_H

#include "racecheck/report/self.h"

/* What calls of `name` come to; svs__real_name is the C library's. */
#define WRAP(result, name, parameters)                                                             \
    result svs__real_##name parameters __asm__("__real_" #name);                                   \
    result svs__wrap_##name parameters __asm__("__wrap_" #name);                                   \
    result svs__wrap_##name parameters

/* Unless the checker itself works. Most copies of a few bytes are of sixteen: vectors and pairs. */
static inline void svs__wrap_tell(const void *memory, size_t bytes, bool write, const void *pc) {
    if (svs__check_quiet != 0) return;
    if (bytes == 16) svs__check_access(memory, 16, write, pc);
    else if (bytes != 0) svs__check_access(memory, bytes, write, pc);
}

/* In the body of a WRAP: at the place where it was called. */
#define READS(memory, bytes) svs__wrap_tell((memory), (bytes), false, SVS__CALLER())
#define WRITES(memory, bytes) svs__wrap_tell((memory), (bytes), true, SVS__CALLER())

#endif
