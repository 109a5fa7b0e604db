/* What a hook tells the checker's core, and when it does not.
 *
 * The hooks run in whatever thread the instrumented code runs in, also before main() and in threads
 * that no runtime knows: svs__check_access() returns at once there. While the checker itself works
 * (a report is made, symbols are read) its thread is *quiet*: what it allocates and copies is none
 * of the program's. */
#ifndef SVS_RACECHECK_REPORT_SELF_H
#define SVS_RACECHECK_REPORT_SELF_H

#include "racecheck/lives.h"
#include "racecheck/shadow/access.h"
#include <pthread.h>

/* Of the C library's functions that are replaced, and of reports; a count, as they nest. */
extern _Thread_local uint32_t svs__check_quiet;

/* Gives the calling thread a block of its own, if it has none (racecheck/shadow/access.h,
 * racecheck.C6). */
void svs__check_attach(void);

/* The checker's own locks: calls of the usual name are taken for the program's (wraps_lock.c). */
int svs__real_pthread_mutex_lock(pthread_mutex_t *lock) __asm__("__real_pthread_mutex_lock");

/* Where the code that called a hook goes on. */
#define SVS__CALLER() __builtin_return_address(0)

#endif
