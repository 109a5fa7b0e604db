/* Orders of steps other than those of asyncs and finishes (self.h): initialisers that run once, in
 * whichever task comes first (statics of functions in C++, call_once(), pthread_once()); and locks.
 *
 * The language orders such an initialiser before all code after the guard, in every task. The tree
 * has only the order of asyncs and finishes, and the schedule chooses the task that comes first.
 * So:
 *
 * dpst.Y2. No access of an initialiser is compared, in whichever task it runs: no verdict
 *     depends on that task, and none contradicts the guard's order. Memory that the initialiser
 *     allocates and maps begins its life as usual. Accesses after the guard are compared.
 *
 * A race between an initialiser and a task that does not pass the guard is therefore not found.
 *
 * Compiled with -fexceptions: an initialiser may throw. */
#include "dpst/report/self.h"
#include "dpst/report/start.h"
#include <pthread.h>
#include <semaphore.h>
#include <svs/check.h>

/* ---- once ---- */

static void end_ignored(const int *nothing) {
    (void)nothing;
    svs_check_ignore_end();
}

/* Accesses are ignored up to the end of the block, however it is left. */
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

/* @return not 0: the caller initialises, and then releases or aborts in the same task. */
GUARD(int, __cxa_guard_acquire) {
    int first = svs__real__cxa_guard_acquire(guard);
    if (first != 0) svs_check_ignore_begin();
    return first;
}

GUARD(void, __cxa_guard_release) {
    svs_check_ignore_end();
    svs__real__cxa_guard_release(guard);
}

/* Called when the initialiser has thrown. */
GUARD(void, __cxa_guard_abort) {
    svs_check_ignore_end();
    svs__real__cxa_guard_abort(guard);
}

/* ---- locks: the check does not know the order that they give, and the report says so ---- */

#define LOCKS(name, parameters)                                                                    \
    WRAP(int, name, parameters) {                                                                  \
        if (svs__check_self->step != 0) svs__check_saw(SVS__LOCKS);                                \
        return svs__real_##name(lock);                                                             \
    }
LOCKS(pthread_mutex_lock, (pthread_mutex_t * lock))
LOCKS(pthread_mutex_trylock, (pthread_mutex_t * lock))
LOCKS(pthread_rwlock_rdlock, (pthread_rwlock_t * lock))
LOCKS(pthread_rwlock_wrlock, (pthread_rwlock_t * lock))
LOCKS(pthread_spin_lock, (pthread_spinlock_t * lock))
LOCKS(sem_wait, (sem_t * lock))
