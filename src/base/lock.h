/* A lock of four bytes: a free one is zero, so that zeroed memory holds free locks.
 *
 *     svs__lock lock = SVS__LOCK_INIT;
 *     svs__lock_acquire(&lock);
 *     ...
 *     svs__lock_release(&lock);
 *
 * Threads: any. Not recursive; released by the thread that acquired it.
 * L1. The word is 0 (free), 1 (held) or 2 (held, and somebody may sleep).
 * L2. Who sleeps has made the word 2 before; who finds 2 at its release wakes one sleeper, which
 *     makes it 2 again.
 *
 * operation  progress                                        order
 * acquire    blocks: spins for a while, then sleeps          acquire
 * try        wait-free                                       acquire on success
 * release    wait-free; a system call when somebody sleeps   release */
#ifndef SVS_BASE_LOCK_H
#define SVS_BASE_LOCK_H

#include "base/atomic.h"

typedef struct svs__lock {
    _Atomic(uint32_t) word;
} svs__lock;

#define SVS__LOCK_INIT                                                                             \
    { 0 }

void svs__lock_acquire_slow(svs__lock *lock);
void svs__lock_wake(svs__lock *lock);

/* @return whether the caller holds it now. */
static inline bool svs__lock_try(svs__lock *lock) {
    uint32_t free = 0;
    /* acquire: sees what the holders before wrote; pairs with the release in
     * svs__lock_release(). */
    return svs__cas_strong_acquire(&lock->word, &free, 1);
}

/* Whether somebody holds it: a hint, unless the caller does. */
static inline bool svs__lock_is_held(svs__lock *lock) {
    /* relaxed: nothing is read on the strength of it. */
    return svs__load_relaxed(&lock->word) != 0;
}

static inline void svs__lock_acquire(svs__lock *lock) {
    if (!svs__lock_try(lock)) svs__lock_acquire_slow(lock);
}

static inline void svs__lock_release(svs__lock *lock) {
    /* release: shows the next holder what this one wrote; pairs with the acquires above and in
     * svs__lock_acquire_slow(). */
    if (svs__exchange_release(&lock->word, 0) == 2) svs__lock_wake(lock);
}

#endif
