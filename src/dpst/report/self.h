/* The calls from hooks into the core of the race check, and when they are skipped.
 *
 * Hooks run in every thread that runs instrumented code, also before main() and in threads that no
 * runtime knows; svs__check_access() returns at once in these. While the checker itself works (it
 * makes a report or reads symbols), its thread is *quiet*: its allocations and copies are not
 * attributed to the program. */
#ifndef SVS_DPST_REPORT_SELF_H
#define SVS_DPST_REPORT_SELF_H

#include "dpst/calls.h"
#include "dpst/shadow/access.h"
#include <pthread.h>

/* Number of nested replaced functions of the C library, and of reports, that the thread is in. */
extern _Thread_local uint32_t svs__check_quiet;

/* Gives the calling thread a block of its own, if it has none (dpst/shadow/access.h,
 * dpst.C6). */
void svs__check_attach(void);

/* Acquires a lock of the checker itself. A call by the usual name would be taken for one of the
 * program (wraps_order.c). */
int svs__real_pthread_mutex_lock(pthread_mutex_t *lock) __asm__("__real_pthread_mutex_lock");

/* The return address of a hook, at which the code that called the hook continues. */
#define SVS__CALLER() __builtin_return_address(0)

/* The code that allocates; NULL: the caller of malloc. operator new is code of the C++ library that
 * calls malloc, so its own caller is recorded instead. */
extern _Thread_local const void *svs__check_site;

/* Defines a function that instrumented code calls. The compiler's name for it is visible to the
 * linker only. */
#define HOOK(result, name, parameters)                                                             \
    result svs__tsan_##name parameters __asm__("__tsan_" #name);                                   \
    result svs__tsan_##name parameters

/* ---- functions of the C library, as the program's own code calls them ----
 *
 * They are compiled without instrumentation, so each wrapper reports its reads and writes, then
 * calls the function.
 *
 *     WRAP(void, bzero, (void *to, size_t bytes)) {
 *         WRITES(to, bytes);
 *         svs__real_bzero(to, bytes);
 *     }
 *
 * The linker's --wrap sends calls of `name` to __wrap_name, and __real_name to `name`; wraps.cmake
 * lists the names that are wrapped. Any thread may call them, including threads that no runtime
 * knows. */

/* Calls of `name` come to this function; svs__real_name is the C library's. */
#define WRAP(result, name, parameters)                                                             \
    result svs__real_##name parameters __asm__("__real_" #name);                                   \
    result svs__wrap_##name parameters __asm__("__wrap_" #name);                                   \
    result svs__wrap_##name parameters

/* Reports an access, unless the checker itself works. Most copies of a few bytes are of sixteen:
 * vectors and pairs. */
static inline void svs__wrap_tell(const void *memory, size_t bytes, bool write, const void *pc) {
    if (svs__check_quiet != 0) return;
    if (bytes == 16) svs__check_access(memory, 16, write, pc);
    else if (bytes != 0) svs__check_access(memory, bytes, write, pc);
}

/* Report a read or a write in the body of a WRAP, at the place of the call. */
#define READS(memory, bytes) svs__wrap_tell((memory), (bytes), false, SVS__CALLER())
#define WRITES(memory, bytes) svs__wrap_tell((memory), (bytes), true, SVS__CALLER())

#endif
