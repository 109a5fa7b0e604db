/* A lock that fills a cache line of its own, so that neighbours in an array do not disturb each
 * other: a pthread mutex or a spin lock, chosen when it is made, so that a comparison can take the
 * faster of the two.
 *
 *     padded_lock *locks = padded_locks_new(count, LOCK_SPIN);
 *     padded_lock_acquire(&locks[i]);
 *     ...
 *     padded_lock_release(&locks[i]);
 *     padded_locks_free(locks, count);
 *
 * Neither kind is recursive. The spin lock reads until the lock looks free before it tries, and
 * yields the CPU when that takes long. */
#ifndef EXAMPLES_COMMON_PADDED_LOCK_H
#define EXAMPLES_COMMON_PADDED_LOCK_H

#include "common/pause.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum lock_kind { LOCK_PTHREAD, LOCK_SPIN } lock_kind;

typedef struct padded_lock {
    _Alignas(64) lock_kind kind;
    union {
        pthread_mutex_t mutex;
        atomic_bool held;
    } as;
} padded_lock;

static_assert(sizeof(padded_lock) == 64, "one lock, one cache line");

#define LOCK_SPINS_BEFORE_YIELD 128

void padded_lock_init(padded_lock *lock, lock_kind kind);
void padded_lock_clean_up(padded_lock *lock);

/* `count` locks, or NULL when there is no memory. */
padded_lock *padded_locks_new(size_t count, lock_kind kind);

/* NULL is allowed. */
void padded_locks_free(padded_lock *locks, size_t count);

static inline bool padded_lock_spin_try(padded_lock *lock) {
    /* relaxed: a look before the exchange, which alone decides; acquire: pairs with the release of
     * the holder before. */
    return !atomic_load_explicit(&lock->as.held, memory_order_relaxed) &&
           !atomic_exchange_explicit(&lock->as.held, true, memory_order_acquire);
}

static inline void padded_lock_acquire(padded_lock *lock) {
    if (lock->kind == LOCK_PTHREAD) {
        pthread_mutex_lock(&lock->as.mutex);
        return;
    }
    for (unsigned spins = 1; !padded_lock_spin_try(lock); spins++) {
        if (spins % LOCK_SPINS_BEFORE_YIELD) cpu_pause();
        else sched_yield();
    }
}

static inline void padded_lock_release(padded_lock *lock) {
    if (lock->kind == LOCK_PTHREAD) pthread_mutex_unlock(&lock->as.mutex);
    else atomic_store_explicit(&lock->as.held, false, memory_order_release);
}

#endif
