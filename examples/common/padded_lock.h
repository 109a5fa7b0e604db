/* A lock padded to a cache line, which avoids false sharing in arrays. Its kind is selected at
 * creation, so that a comparison can use the fastest.
 *
 *     padded_lock *locks = padded_locks_new(count, LOCK_SPIN, NULL);
 *     padded_lock_acquire(&locks[i]);
 *     ...
 *     padded_lock_release(&locks[i]);
 *     padded_locks_free(locks, count);
 *
 * kind     what it is                                                           readers share
 * pthread  a pthread mutex                                                      no
 * spin     reads until it looks free, then tries; yields when that takes long   no
 * rw       spins; readers are counted above the bit of the writer               yes
 * native   the lock of another library, through its four functions              no
 *
 * None is recursive, and none is fair. */
#ifndef EXAMPLES_COMMON_PADDED_LOCK_H
#define EXAMPLES_COMMON_PADDED_LOCK_H

#include "common/pause.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/native_lock.h"

typedef enum lock_kind { LOCK_PTHREAD, LOCK_SPIN, LOCK_SHARED, LOCK_NATIVE } lock_kind;

typedef struct padded_lock {
    _Alignas(64) lock_kind kind;
    union {
        pthread_mutex_t mutex;
        atomic_bool held;
        atomic_uint holders; /* rw: 1 for the writer, LOCK_READER for each reader */
        struct {
            const native_lock *functions;
            _Alignas(8) unsigned char room[NATIVE_LOCK_ROOM];
        } native;
    } as;
} padded_lock;

static_assert(sizeof(padded_lock) == 64, "one lock, one cache line");

#define LOCK_SPINS_BEFORE_YIELD 128
#define LOCK_READER 2u

/* `native`: the functions of LOCK_NATIVE; of no use to the other kinds. */
void padded_lock_init(padded_lock *lock, lock_kind kind, const native_lock *native);
void padded_lock_clean_up(padded_lock *lock);

/* `count` locks, or NULL when there is no memory. */
padded_lock *padded_locks_new(size_t count, lock_kind kind, const native_lock *native);

/* NULL is allowed. */
void padded_locks_free(padded_lock *locks, size_t count);

/* One more look in vain. */
static inline void padded_lock_wait(unsigned *spins) {
    if (++*spins % LOCK_SPINS_BEFORE_YIELD) cpu_pause();
    else sched_yield();
}

static inline bool padded_lock_spin_try(padded_lock *lock) {
    /* relaxed: a read before the exchange, which alone decides; acquire: pairs with the release of
     * the previous holder. */
    return !atomic_load_explicit(&lock->as.held, memory_order_relaxed) &&
           !atomic_exchange_explicit(&lock->as.held, true, memory_order_acquire);
}

/* Adds `more` to the holders when there are none but readers (`among`: LOCK_READER), or none at
 * all. */
static inline bool padded_lock_rw_try(padded_lock *lock, unsigned more, bool among_readers) {
    /* relaxed: the exchange decides; acquire: pairs with the releases of the holders before. */
    unsigned now = atomic_load_explicit(&lock->as.holders, memory_order_relaxed);
    if (among_readers ? now % LOCK_READER : now) return false;
    return atomic_compare_exchange_weak_explicit(&lock->as.holders, &now, now + more,
                                                 memory_order_acquire, memory_order_relaxed);
}

static inline void padded_lock_acquire(padded_lock *lock) {
    unsigned spins = 0;
    switch (lock->kind) {
    case LOCK_PTHREAD: pthread_mutex_lock(&lock->as.mutex); return;
    case LOCK_NATIVE: lock->as.native.functions->acquire(lock->as.native.room); return;
    case LOCK_SHARED:
        while (!padded_lock_rw_try(lock, 1, false)) padded_lock_wait(&spins);
        return;
    case LOCK_SPIN:
        while (!padded_lock_spin_try(lock)) padded_lock_wait(&spins);
        return;
    }
}

static inline void padded_lock_release(padded_lock *lock) {
    switch (lock->kind) {
    case LOCK_PTHREAD: pthread_mutex_unlock(&lock->as.mutex); return;
    case LOCK_NATIVE: lock->as.native.functions->release(lock->as.native.room); return;
    case LOCK_SHARED: atomic_store_explicit(&lock->as.holders, 0, memory_order_release); return;
    case LOCK_SPIN: atomic_store_explicit(&lock->as.held, false, memory_order_release); return;
    }
}

/* Acquires the lock together with other readers, if the kind shares; else exclusively. */
static inline void padded_lock_acquire_shared(padded_lock *lock) {
    unsigned spins = 0;
    if (lock->kind != LOCK_SHARED) {
        padded_lock_acquire(lock);
        return;
    }
    while (!padded_lock_rw_try(lock, LOCK_READER, true)) padded_lock_wait(&spins);
}

static inline void padded_lock_release_shared(padded_lock *lock) {
    if (lock->kind != LOCK_SHARED) padded_lock_release(lock);
    else atomic_fetch_sub_explicit(&lock->as.holders, LOCK_READER, memory_order_release);
}

#endif
