/* The locks of many data, each known by its number, in the form that an option names.
 *
 * form     locks
 * pthread  a pthread mutex a datum
 * spin     a spin lock a datum
 * striped  at most 4096 spin locks, which data share: they stay in the cache
 * rw       a reader-writer lock a datum
 * native   a lock a datum, by the library that runs the loops
 *
 *     lock_table locks;
 *     if (!lock_table_init(&locks, count, LOCKS_STRIPED, NULL)) ...
 *     lock_pair both = lock_table_acquire_pair(&locks, a, b, false);
 *     ...
 *     lock_pair_release(&both);
 *     lock_table_clean_up(&locks);
 *
 * Several data are locked in the order of their locks' addresses, each lock once. */
#ifndef EXAMPLES_COMMON_LOCK_TABLE_H
#define EXAMPLES_COMMON_LOCK_TABLE_H

#include "common/padded_lock.h"

typedef enum lock_form {
    LOCKS_PTHREAD,
    LOCKS_SPIN,
    LOCKS_STRIPED,
    LOCKS_RW,
    LOCKS_NATIVE,
    LOCKS_BEST /* what the engine is fastest with */
} lock_form;

/* pthread, spin, striped, rw, native; NULL ends them: for option_choice(). */
extern const char *const lock_form_names[];

typedef struct lock_table {
    padded_lock *locks;
    size_t count; /* number of locks */
    size_t mask;  /* mask of a datum's number */
} lock_table;

/* @return false: no memory. A count of 0 is allowed. */
bool lock_table_init(lock_table *table, size_t count, lock_form form, const native_lock *native);

/* A table of zeros is allowed. */
void lock_table_clean_up(lock_table *table);

static inline padded_lock *lock_table_at(const lock_table *table, size_t datum) {
    return &table->locks[datum & table->mask];
}

/* Two locks that are held; the same one for both data when they share it. */
typedef struct lock_pair {
    padded_lock *first, *second; /* second: NULL when it is the first */
    bool shared;
} lock_pair;

static inline lock_pair lock_table_acquire_pair(const lock_table *table, size_t a, size_t b,
                                                bool shared) {
    padded_lock *one = lock_table_at(table, a), *other = lock_table_at(table, b);
    lock_pair pair = {one < other ? one : other, one < other ? other : one, shared};
    if (pair.first == pair.second) pair.second = NULL;
    if (shared) {
        padded_lock_acquire_shared(pair.first);
        if (pair.second) padded_lock_acquire_shared(pair.second);
    } else {
        padded_lock_acquire(pair.first);
        if (pair.second) padded_lock_acquire(pair.second);
    }
    return pair;
}

static inline void lock_pair_release(const lock_pair *pair) {
    if (pair->shared) {
        if (pair->second) padded_lock_release_shared(pair->second);
        padded_lock_release_shared(pair->first);
    } else {
        if (pair->second) padded_lock_release(pair->second);
        padded_lock_release(pair->first);
    }
}

#endif
