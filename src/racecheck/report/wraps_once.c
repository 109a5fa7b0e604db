/* Initialisers that run once, in the task that comes first: of a function's static in C++, of
 * call_once(), of pthread_once() (wraps.h).
 *
 * The language orders such an initialiser before everything behind the guard, in every task. The
 * tree has only the order of asyncs and finishes, and the schedule chooses the task that comes
 * first. So:
 *
 * racecheck.Y2. No access of an initialiser is looked at, in whichever task it runs: no verdict
 *     depends on that task, and none contradicts the guard's order. What the initialiser allocates
 *     and maps begins its life as ever. Accesses behind the guard are looked at. (not asserted: a
 *     policy about the language; tests/check)
 *
 * A race between an initialiser and a task that does not pass the guard is therefore not found.
 *
 * Compiled with -fexceptions: an initialiser may throw. */
#include "racecheck/report/wraps.h"
#include <pthread.h>
#include <svs/check.h>

/* ---- once ---- */

static void end_ignored(const int *nothing) {
    (void)nothing;
    svs_check_ignore_end();
}

/* Up to the end of the block, however it is left. */
#define IGNORES                                                                                    \
    __attribute__((cleanup(end_ignored))) const int ignores = 0;                                   \
    (void)ignores;                                                                                 \
    svs_check_ignore_begin()

WRAP(int, pthread_once, (pthread_once_t * control, void (*initialise)(void))) {
    IGNORES;
    return svs__real_pthread_once(control, initialise);
}

WRAP(void, call_once, (void *flag, void (*initialise)(void))) {
    IGNORES;
    svs__real_call_once(flag, initialise);
}

/* ---- functions' statics in C++; in a C program none of these is there ---- */

#define GUARD(result, name)                                                                        \
    result svs__real##name(void *guard) __asm__("__real_" #name) __attribute__((weak));            \
    result svs__wrap##name(void *guard) __asm__("__wrap_" #name);                                  \
    result svs__wrap##name(void *guard)

/* @return not 0: the caller initialises, then releases or aborts, in the same task. */
GUARD(int, __cxa_guard_acquire) {
    int first = svs__real__cxa_guard_acquire(guard);
    if (first != 0) svs_check_ignore_begin();
    return first;
}

GUARD(void, __cxa_guard_release) {
    svs_check_ignore_end();
    svs__real__cxa_guard_release(guard);
}

/* The initialiser has thrown. */
GUARD(void, __cxa_guard_abort) {
    svs_check_ignore_end();
    svs__real__cxa_guard_abort(guard);
}
