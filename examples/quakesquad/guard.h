/* Guards for bodies and lists that two workers may write concurrently: the locks of the world, if
 * the engine has any. An engine with other guards defines the two macros itself and compiles the
 * rules again (bench/engines).
 *
 *     GUARD_BODY(w, kind, id, statement)         one body
 *     GUARD_LISTS(w, kind, a, b, statement)      the lists of two cells, which may be one */
#ifndef QUAKESQUAD_GUARD_H
#define QUAKESQUAD_GUARD_H

#include "world.h"

#ifndef GUARD_BODY
/* Not in tasks. */
#define HAS_LOCKS(table) (!SVS_ALWAYS(!(table)->locks))

#define GUARD_BODY(w, kind, id, statement)                                                         \
    do {                                                                                           \
        const lock_table *locks_ = &(w)->body_locks[kind];                                         \
        padded_lock *lock_ = NULL;                                                                 \
        if (HAS_LOCKS(locks_)) padded_lock_acquire(lock_ = lock_table_at(locks_, id));             \
        statement;                                                                                 \
        if (HAS_LOCKS(locks_)) padded_lock_release(lock_);                                         \
    } while (0)

#define GUARD_LISTS(w, kind, a, b, statement)                                                      \
    do {                                                                                           \
        const lock_table *locks_ = &(w)->list_locks[kind];                                         \
        lock_pair held_ = {NULL, NULL, false};                                                     \
        if (HAS_LOCKS(locks_)) held_ = lock_table_acquire_pair(locks_, a, b, false);               \
        statement;                                                                                 \
        if (HAS_LOCKS(locks_)) lock_pair_release(&held_);                                          \
    } while (0)
#endif

#endif
