#include "base/lock.h"
#include "base/platform.h"

/* Number of attempts before a sleep. They last about a microsecond: longer than these locks are
 * held, shorter than a sleep and a wake-up. */
#if defined(SVS_EXPLORE)
#define SPINS 1
#else
#define SPINS 100
#endif

void svs__lock_acquire_slow(svs__lock *lock) {
    uint32_t free;
    for (int i = 0; i < SPINS; i++) {
        svs__relax();
        free = 0;
        /* relaxed is enough: a hint that the compare-exchange, which acquires, may succeed. */
        if (svs__load_relaxed(&lock->word) == 0 && svs__cas_weak_acquire(&lock->word, &free, 1))
            return;
    }
    /* [base.L2] acquire, as in svs__lock_try(). The word stays 2 under this holder even if no other
     * thread sleeps, which costs one needless wake-up. */
    while (svs__exchange_acquire(&lock->word, 2) != 0) svs__futex_wait(&lock->word, 2);
}

void svs__lock_wake(svs__lock *lock) { svs__futex_wake(&lock->word, 1); }
