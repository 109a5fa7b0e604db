/* A lock of four bytes: a free one is zero, so that zeroed memory holds free locks.
 *
 *     svs__lock lock = SVS__LOCK_INIT;
 *     svs__lock_acquire(&lock);
 *     ...
 *     svs__lock_release(&lock);
 *
 * Threads: any. Not recursive; released by the thread that acquired it.
 *
 *   base.L1  The word is 0 (free), 1 (held, no sleeper) or 2 (held, with possible sleepers).
 *   base.L2  A thread sets the word to 2 before it sleeps. A holder that replaces 2 at its release
 *            wakes one sleeper, and that sleeper sets the word to 2 again when it acquires the
 *            lock, for the sleepers that are left. (not asserted: a statement about the order of
 *            two threads' accesses; tests/explore/scenarios/lock.c explores it)
 *
 * operation  caller  progress                                       order
 * acquire    any     blocks: spins for a while, then sleeps         acquire
 * try        any     wait-free                                      acquire on success
 * release    holder  wait-free; a system call when a thread sleeps  release */
#ifndef SVS_BASE_LOCK_H
#define SVS_BASE_LOCK_H

#include "base/atomic.h"
#include "base/check.h"
#include <svs/status.h>

typedef struct svs__lock {
    _Atomic(uint32_t) word;
} svs__lock;

#define SVS__LOCK_INIT                                                                             \
    { 0 }

void svs__lock_acquire_slow(svs__lock *lock);
void svs__lock_wake(svs__lock *lock);

/* @return whether the caller has acquired the lock. */
static inline bool svs__lock_try(svs__lock *lock) {
    uint32_t free = 0;
    /* acquire: sees the writes of earlier holders; pairs with the release in
     * svs__lock_release(). */
    return svs__cas_strong_acquire(&lock->word, &free, 1);
}

/* @return whether any thread holds the lock: a hint, unless the caller is the holder. */
static inline bool svs__lock_is_held(svs__lock *lock) {
    /* relaxed is enough: the caller reads nothing that depends on it. */
    return svs__load_relaxed(&lock->word) != 0;
}

static inline void svs__lock_acquire(svs__lock *lock) {
    if (!svs__lock_try(lock)) svs__lock_acquire_slow(lock);
}

static inline void svs__lock_release(svs__lock *lock) {
    /* release: publishes this holder's writes to the next one; pairs with the acquires above and in
     * svs__lock_acquire_slow(). */
    uint32_t held = svs__exchange_release(&lock->word, 0);
    SVS__ASSERT(held == 1 || held == 2); /* base.L1 */
    if (held == 2) svs__lock_wake(lock);
}

#endif
