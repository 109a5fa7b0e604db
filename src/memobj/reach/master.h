/* The state of masters, their lists, and the lock of a signature. For the files of this room; other
 * rooms include reach.h only.
 *
 *     uint64_t version = svs__master_hold(m);
 *     ... read or add to m's signature and its notify slots ...
 *     svs__master_let_go(m, version, grown);
 *
 * The version is also the lock of the signature: it is odd while a thread holds the master. So an
 * assignment costs one read-modify-write for each master to which it adds, however many words are
 * new. A thread that holds a master waits for nothing.
 *
 *   memobj.N1  the version is even while no thread holds the master, and increases by 2 with each
 *       growth of the signature. A hold without growth leaves it as it was;
 *   memobj.N2  the signature changes under hold, or at quiescence. Any thread may read it at any
 *       time, word by word;
 *   memobj.N3  a notify edge is in one place: in a slot, which are filled in order, or in a table
 *       of `more` when each slot has an edge. An edge is added to a slot under hold, to a table
 *       under `lock`, and removed at quiescence only. So an iteration finds each edge that was
 *       there when it began;
 *   memobj.N4  `members` and `size` change under `lock`, or by the one thread that elects in a
 *       refresh. A slot is appended only when none is free, and a member counts in `size` for as
 *       long as it has a slot. So a list never uses more than K slots, and a member joins or leaves
 *       in at most K steps;
 *   memobj.N5  after a refresh has removed edges from the tables of `more`, one table holds the
 *       others. It has the smallest size, or is three eighths full: removed edges use no room.
 *
 * | operation                   | caller                    | progress    | order               |
 * |-----------------------------|---------------------------|-------------|---------------------|
 * | hold                        | any; holds no other       | a spin lock | acquire             |
 * | let go                      | the holder                | wait-free   | release             |
 * | svs__list_add, take_out     | under `lock` (memobj.N4)  | wait-free   | release             |
 * | svs__list_next, notify_next | any                       | wait-free   | acquire             |
 * | svs__notify_add             | any; holds nothing        | spin locks  | -                   |
 */
#ifndef SVS_MEMOBJ_REACH_MASTER_H
#define SVS_MEMOBJ_REACH_MASTER_H

#include <stddef.h>

#include "base/check.h"
#include "memobj/core/header.h"
#include "memobj/reach/signature.h"

/* A list of pointers, read without a lock. An added entry takes the slot of a removed one first. */
typedef struct svs__list_chunk {
    _Atomic(struct svs__list_chunk *) next;
    _Atomic(uint32_t) count; /* slots in use, now or before: the first ones */
    uint16_t capacity;
    uint16_t free; /* the first free slot of the chunk, counted from 1; 0: none (memobj.N4) */
    _Atomic(void *) slots[];
} svs__list_chunk;

typedef struct svs__list {
    _Atomic(svs__list_chunk *) first;
} svs__list;

/* Entries of a list in the order of their slots. */
typedef struct svs__list_cursor {
    svs__list_chunk *chunk;
    uint32_t index;
} svs__list_cursor;

svs__list_cursor svs__list_begin(const svs__list *list);
bool svs__list_next(svs__list_cursor *cursor, void **entry);
svs_status svs__list_add(svs_world *world, svs__list *list, uint32_t capacity, void *entry);
void svs__list_clear(svs_world *world, svs__list *list);
void svs__list_take_out(svs__list *list, const void *entry);
/* The number of slots in use, now or before. */
uint32_t svs__list_slots(const svs__list *list);

/* Further listeners of a master: a hash table of their addresses. A removed entry becomes the
 * master itself, until a refresh packs the tables (memobj.N5). When a table is three quarters full,
 * a table of twice the size is put in front of it. */
typedef struct svs__listener_table {
    struct svs__listener_table *older;
    uint32_t capacity; /* a power of two */
    uint32_t used;     /* slots that are not NULL; under `lock` */
    _Atomic(svs__master *) slots[];
} svs__listener_table;

#define SVS__MASTER_LISTED 1u /* on the world's dirty list, for one or both of the next two */
#define SVS__MASTER_DIRTY                                                                          \
    2u /* its signature may cover unreachable objects, or it shares an internal node */
#define SVS__MASTER_NOTIFY 4u /* its notify list may have dirty masters that no longer reach it */

#define SVS__NOTIFY_SLOTS 6u

struct svs__master {
    /* Seldom touched by an assignment. */
    _Alignas(SVS__CACHE_LINE) _Atomic(svs_object *)
        object;             /* NULL: freed; a refresh releases the master */
    svs__list members;      /* of svs_object: the internal nodes with this primary master */
    _Atomic(uint32_t) size; /* the number of internal nodes */
    _Atomic(uint32_t) flags;
    uint64_t mark;  /* refresh: the number of the last refresh that had it in D */
    uint32_t order; /* refresh: its state in the depth-first search; 0: not visited */
    svs__lock lock; /* guards `members` (memobj.N4) and changes of `more` */
    svs__master *next_dirty;
    _Atomic(svs__master *) next; /* all masters of the world */
    svs__master *previous;       /* set at quiescence */

    /* Each assignment that reaches the master reads this line and the next, a signature of 512
     * bits, and writes them when a bit is new. */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) version;
    _Atomic(svs__master *) notify[SVS__NOTIFY_SLOTS]; /* listeners; NULL: free */
    _Atomic(svs__listener_table *) more;              /* further listeners */
    _Atomic(uint64_t) signature[];
};

_Static_assert(offsetof(svs__master, signature) == (size_t)2 * SVS__CACHE_LINE,
               "an assignment touches one line of a master and its signature");

/* Words of a master's signature, and of the bits that propagation adds: a multiple of four, for
 * loops by fours. The world has fewer when a signature has less than 256 bits. */
static inline uint32_t svs__master_words(const svs_world *world) {
    return world->words < 4 ? 4 : world->words;
}

svs_status svs__master_new(svs_world *world, svs_object *object, svs__master **master);
void svs__master_release(svs_world *world, svs__master *master);
void svs__master_enlist(svs_world *world, svs__master *master);
void svs__master_flag(svs_world *world, svs__master *master, uint32_t flag);

#define SVS__MASTER_HELD UINT64_C(1)

/* Holds the master if its version is `*version`, which is even; otherwise reads its version into
 * `*version`. */
static inline bool svs__master_try(svs__master *master, uint64_t *version) {
    /* [memobj.N2] acquire: sees the additions of earlier holders; pairs with the release in
     * let_go(). */
    return svs__cas_strong_acquire(&master->version, version, *version | SVS__MASTER_HELD);
}

/* @return the version before the hold. */
uint64_t svs__master_hold_slow(svs__master *master);
static inline uint64_t svs__master_hold(svs__master *master) {
    /* relaxed: a guess, which the compare-exchange checks. */
    uint64_t version = svs__load_relaxed(&master->version) & ~SVS__MASTER_HELD;
    return svs__master_try(master, &version) ? version : svs__master_hold_slow(master);
}

static inline void svs__master_let_go(svs__master *master, uint64_t version, bool grown) {
    SVS__ASSERT(!(version & SVS__MASTER_HELD)); /* memobj.N1 */
    /* release: publishes the additions to the next holder and to each reader of versions; pairs
     * with the acquires in svs__master_try() and svs__reach_version(). */
    svs__store_release(&master->version, grown ? version + 2 : version);
}

/* Under hold, a snapshot of the whole signature; otherwise bits that another thread adds meanwhile
 * may be missing (memobj.N2). */
static inline void svs__master_snapshot(svs__master *master, uint64_t *bits, uint32_t words) {
    /* relaxed: the hold, or an earlier acquire of the version, orders the words. */
    for (uint32_t i = 0; i < words; i++) bits[i] = svs__load_relaxed(&master->signature[i]);
}

/* Adds the notify edge from `of` to `listener`, once. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__notify_add(svs_world *world, svs__master *of, svs__master *listener);

/* The same, and takes a snapshot of the signature of `of` into `bits` (or NULL). Bits that are
 * added after the snapshot are propagated to `listener`. */
svs_status svs__notify_join(svs_world *world, svs__master *of, svs__master *listener,
                            uint64_t *bits);

/* Removes each edge from `of`. At quiescence. */
void svs__notify_clear(svs_world *world, svs__master *of);
/* Removes the edges from `of` to masters with this mark. At quiescence. */
void svs__notify_filter(svs_world *world, svs__master *of, uint64_t mark);

/* An iteration over the listeners of a master. */
typedef struct svs__notify_cursor {
    svs__master *of;
    svs__listener_table *table;
    uint32_t slot; /* in the slots, then in the table */
} svs__notify_cursor;

static inline svs__notify_cursor svs__notify_begin(svs__master *of) {
    return (svs__notify_cursor){of, NULL, 0};
}

/* @return NULL at the end. */
svs__master *svs__notify_next_more(svs__notify_cursor *cursor);
static inline svs__master *svs__notify_next(svs__notify_cursor *cursor) {
    /* acquire: pairs with the release in svs__notify_join(). */
    if (!cursor->table && cursor->slot < SVS__NOTIFY_SLOTS)
        return svs__load_acquire(&cursor->of->notify[cursor->slot++]);
    return svs__notify_next_more(cursor);
}

/* Adds bits, svs__master_words() words, to the master and, transitively, to its listeners. */
void svs__propagate(svs_world *world, svs__master *master, const uint64_t *bits);

#endif
