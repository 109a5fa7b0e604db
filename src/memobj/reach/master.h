/* The state of masters, their lists, and the lock of a signature. Only files of this folder include
 * this header; others include reach.h.
 *
 *     uint64_t version = svs__master_hold(m);
 *     ... read or add to m's signature and its notify slots ...
 *     svs__master_let_go(m, version, grown);
 *
 * The version is also the lock of the signature: it is odd while a thread holds the master. So an
 * assignment costs one read-modify-write for each master to whose signature it adds bits, however
 * many words change. A thread that holds a master never waits.
 *
 *   memobj.N1  the version is even while no thread holds the master, and increases by 2 with each
 *       growth of the signature. A hold that adds nothing restores the old version;
 *   memobj.N2  the signature changes under hold, or at quiescence. Any thread may read it at any
 *       time, word by word;
 *   memobj.N3  a notify edge is stored in one place: in a slot of `notify`, or in a table of `more`
 *       once all slots are in use. Slots are filled in order. An edge is added to a slot under
 *       hold, to a table under `lock`, and removed at quiescence only. So an iteration finds each
 *       edge that existed when it began;
 *   memobj.N4  `members` and `size` are changed under `lock`, or by the one thread that elects in a
 *       refresh. A slot is appended only when none is free, and a member counts in `size` for as
 *       long as it has a slot. So a list never uses more than K slots, and a member joins or leaves
 *       in at most K steps;
 *   memobj.N5  after a refresh has removed edges from the tables of `more`, one table contains the
 *       remaining edges. The table has the smallest size or is at least three eighths full, so that
 *       removed edges use no room.
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
    _Atomic(uint32_t) count; /* number of slots, from the start, that are or were in use */
    uint16_t capacity;
    /* number of the first free slot of the chunk, counted from 1; 0: none (memobj.N4) */
    uint16_t free;
    _Atomic(void *) slots[];
} svs__list_chunk;

typedef struct svs__list {
    _Atomic(svs__list_chunk *) first;
} svs__list;

/* An iteration over a list, in the order of the slots. */
typedef struct svs__list_cursor {
    svs__list_chunk *chunk;
    uint32_t index;
} svs__list_cursor;

svs__list_cursor svs__list_begin(const svs__list *list);
bool svs__list_next(svs__list_cursor *cursor, void **entry);
svs_status svs__list_add(svs_world *world, svs__list *list, uint32_t capacity, void *entry);
void svs__list_clear(svs_world *world, svs__list *list);
void svs__list_take_out(svs__list *list, const void *entry);
/* The number of slots that are or were in use. */
uint32_t svs__list_slots(const svs__list *list);

/* Listeners of a master that have no slot: a hash table of their addresses. A removed entry is
 * replaced by the address of the master itself, until a refresh packs the tables (memobj.N5). When
 * a table is three quarters full, a table of twice the size is added at the head of the list. */
typedef struct svs__listener_table {
    struct svs__listener_table *older;
    uint32_t capacity; /* a power of two */
    uint32_t used;     /* number of slots that are not NULL; changed under `lock` */
    _Atomic(svs__master *) slots[];
} svs__listener_table;

/* the master is on the world's dirty list, for one or both of the next two flags */
#define SVS__MASTER_LISTED 1u
#define SVS__MASTER_DIRTY                                                                          \
    2u /* the signature may cover unreachable objects, or the master shares an internal node */
/* the notify list may have dirty masters that no longer reach this master */
#define SVS__MASTER_NOTIFY 4u

#define SVS__NOTIFY_SLOTS 6u

struct svs__master {
    /* Fields that an assignment seldom accesses: */
    _Alignas(SVS__CACHE_LINE) _Atomic(svs_object *)
        object; /* NULL: freed; a refresh releases the master */
    /* list of svs_object: the internal nodes whose primary this master is */
    svs__list members;
    _Atomic(uint32_t) size; /* the number of internal nodes */
    _Atomic(uint32_t) flags;
    /* refresh: the number of the last refresh that had this master in D (memobj.F4) */
    uint64_t mark;
    uint32_t order; /* refresh: its state in the depth-first search; 0: not visited */
    svs__lock lock; /* guards `members` (memobj.N4) and changes of `more` */
    svs__master *next_dirty;
    _Atomic(svs__master *) next; /* next in the list of all masters of the world */
    svs__master *previous;       /* previous in that list; valid at quiescence only */

    /* An assignment that reaches the master reads this cache line and the next one, which has a
     * signature of 512 bits. It writes them if a bit is new. */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) version;
    _Atomic(svs__master *) notify[SVS__NOTIFY_SLOTS]; /* slots of listeners; NULL: free */
    _Atomic(svs__listener_table *) more;              /* listeners that have no slot */
    _Atomic(uint64_t) signature[];
};

_Static_assert(offsetof(svs__master, signature) == (size_t)2 * SVS__CACHE_LINE,
               "an assignment touches one line of a master and its signature");

/* The number of words of a master's signature, and of the bits that propagation adds: a multiple of
 * four, so that loops can handle four words at a time. `words` of the world is smaller if a
 * signature has less than 256 bits. */
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
    /* relaxed is enough: the compare-exchange checks the value. */
    uint64_t version = svs__load_relaxed(&master->version) & ~SVS__MASTER_HELD;
    return svs__master_try(master, &version) ? version : svs__master_hold_slow(master);
}

static inline void svs__master_let_go(svs__master *master, uint64_t version, bool grown) {
    SVS__ASSERT(!(version & SVS__MASTER_HELD)); /* memobj.N1 */
    /* release: publishes the additions to the next holder and to each reader of versions; pairs
     * with the acquires in svs__master_try() and svs__reach_version(). */
    svs__store_release(&master->version, grown ? version + 2 : version);
}

/* Copies the signature. If the caller holds the master, the copy is complete; otherwise it may miss
 * bits that another thread adds at the same time (memobj.N2). */
static inline void svs__master_snapshot(svs__master *master, uint64_t *bits, uint32_t words) {
    /* relaxed is enough: the caller holds the master, or has loaded its version with acquire
     * before. */
    for (uint32_t i = 0; i < words; i++) bits[i] = svs__load_relaxed(&master->signature[i]);
}

/* Adds the notify edge from `of` to `listener`, once. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__notify_add(svs_world *world, svs__master *of, svs__master *listener);

/* Adds the same edge, and copies the signature of `of` into `bits`, unless `bits` is NULL. Bits
 * that are added after the copy are propagated to `listener`. */
svs_status svs__notify_join(svs_world *world, svs__master *of, svs__master *listener,
                            uint64_t *bits);

/* Removes all edges from `of`. Called at quiescence. */
void svs__notify_clear(svs_world *world, svs__master *of);
/* Removes the edges from `of` to masters with this mark. Called at quiescence. */
void svs__notify_filter(svs_world *world, svs__master *of, uint64_t mark);

/* An iteration over the listeners of a master. */
typedef struct svs__notify_cursor {
    svs__master *of;
    svs__listener_table *table;
    uint32_t slot; /* index of the next slot, in `notify` first and then in `table` */
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

/* Adds `bits`, an array of svs__master_words() words, to the signatures of the master and,
 * transitively, of its listeners. */
void svs__propagate(svs_world *world, svs__master *master, const uint64_t *bits);

#endif
