/* Masters as reachability sees them from inside: their state, the lists, and how a signature is
 * changed. For reach.c, refresh.c and valid.c; the others need reach.h only.
 *
 *     uint64_t version = svs__master_hold(m);
 *     ... read or add to m's signature and its notify slots ...
 *     svs__master_let_go(m, version, grown);
 *
 * The version is also the lock of the signature: odd while somebody holds it. So what an assignment
 * adds to a master costs one read-modify-write, however many words are new. Nobody who holds one
 * waits for anything.
 *
 *   N1  the version is even when nobody holds it, grows by 2 for each growth of the signature, and
 *       is otherwise what it was before;
 *   N2  the signature changes under hold, or at quiescence; it may be read at any time, word by
 *       word;
 *   N3  a notify edge is in a slot, in order, or when these are used up in a table of `more`, once.
 *       It is added to a slot under hold, to a table under `lock`, and taken out at quiescence
 *       only: who looks through them finds all that were there when it began;
 *   N4  `members` and `size` change under `lock`, or by the one thread that elects in a refresh. A
 *       slot is appended only when none is free, and a member counts in `size` for as long as it
 *       has a slot: so a list never uses more than K slots, and a member joins or leaves in at most
 *       K steps;
 *   N5  when a refresh has taken edges out of the tables of `more`, the others are in one table,
 *       which is of the smallest size or three eighths full: what was taken out uses no room.
 *
 * | operation                   | caller                    | progress    | order               |
 * |-----------------------------|---------------------------|-------------|---------------------|
 * | hold                        | any; holds no other       | a spin lock | acquire             |
 * | let go                      | who holds                 | wait-free   | release             |
 * | svs__list_add, take_out     | under `lock` (N4)         | wait-free   | release             |
 * | svs__list_next, notify_next | any                       | wait-free   | acquire             |
 * | svs__notify_add             | any; holds nothing        | spin locks  | -                   |
 */
#ifndef SVS_MEMOBJ_MASTER_H
#define SVS_MEMOBJ_MASTER_H

#include <stddef.h>

#include "memobj/object.h"

/* A list of pointers, read without a lock. The slot of an entry that was taken out is used again.
 */
typedef struct svs__chunk {
    _Atomic(struct svs__chunk *) next;
    _Atomic(uint32_t) count; /* slots that were ever used: the first ones */
    uint16_t capacity;
    uint16_t free; /* the number, from 1, of the first of them that is free; 0: none (N4) */
    _Atomic(void *) slots[];
} svs__chunk;

typedef struct svs__list {
    _Atomic(svs__chunk *) first;
} svs__list;

/* Entries of a list in the order of their slots. */
typedef struct svs__cursor {
    svs__chunk *chunk;
    uint32_t index;
} svs__cursor;

svs__cursor svs__list_begin(const svs__list *list);
bool svs__list_next(svs__cursor *cursor, void **entry);
svs_status svs__list_add(svs_world *world, svs__list *list, uint32_t capacity, void *entry);
void svs__list_clear(svs_world *world, svs__list *list);
void svs__list_take_out(svs__list *list, const void *entry);
/* Slots that were ever used. */
uint32_t svs__list_slots(const svs__list *list);

/* The rest of those whom a master notifies: a table hashed by address, in which an entry is taken
 * out by becoming `of` itself until a refresh packs the tables (N5). When it is three quarters
 * full, one of twice the size comes in front of it. */
typedef struct svs__table {
    struct svs__table *older;
    uint32_t capacity; /* a power of two */
    uint32_t used;     /* slots that are not NULL; under `lock` */
    _Atomic(svs__master *) slots[];
} svs__table;

#define SVS__MASTER_LISTED 1u /* on the world's dirty list, for one of the two below or both */
#define SVS__MASTER_DIRTY                                                                          \
    2u /* its signature may cover more than it reaches, or a node of its neighbourhood is shared */
#define SVS__MASTER_NOTIFY 4u /* its notify list may name dirty masters that no longer reach it */

#define SVS__NOTIFY_SLOTS 6u

struct svs__master {
    /* What assignments seldom touch. */
    _Alignas(SVS__CACHE_LINE) _Atomic(svs_object *) object; /* NULL: freed; gone with a refresh */
    svs__list members;      /* of svs_object: the internal nodes whose primary it is */
    _Atomic(uint32_t) size; /* of the neighbourhood, internal nodes */
    _Atomic(uint32_t) flags;
    uint64_t mark;  /* refresh: the last one that worked on it */
    uint32_t order; /* refresh: its place in the depth-first search, 0 before */
    svs__lock lock; /* guards `members` (N4) and changes of `more` */
    svs__master *next_dirty;
    _Atomic(svs__master *) next; /* all masters of the world */
    svs__master *previous;       /* set at quiescence */

    /* Read by every link assignment that passes, and written when a bit is new: one line, and the
     * signature of 512 bits is the next. */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) version;
    _Atomic(svs__master *) notify[SVS__NOTIFY_SLOTS]; /* who must hear what it hears; NULL: free */
    _Atomic(svs__table *) more;                       /* the rest of them */
    _Atomic(uint64_t) signature[];
};

_Static_assert(offsetof(svs__master, signature) == (size_t)2 * SVS__CACHE_LINE,
               "what an assignment touches of a master is one line and the signature");

/* Words of a master's signature, and of bits that are propagated: four at least, so that they can
 * be looked at by fours. The world has fewer when a signature has less than 256 bits. */
static inline uint32_t svs__master_words(const svs_world *world) {
    return world->words < 4 ? 4 : world->words;
}

svs_status svs__master_new(svs_world *world, svs_object *object, svs__master **master);
void svs__master_release(svs_world *world, svs__master *master);
void svs__master_enlist(svs_world *world, svs__master *master);
void svs__master_flag(svs_world *world, svs__master *master, uint32_t flag);

#define SVS__MASTER_HELD UINT64_C(1)

/* Holds the master if its version is `*version`, which is even; else `*version` is what it was. */
static inline bool svs__master_try(svs__master *master, uint64_t *version) {
    /* [N2] acquire: sees what those before have added; pairs with the release in let_go(). */
    return svs__cas_strong_acquire(&master->version, version, *version | SVS__MASTER_HELD);
}

/* @return the version that it had. */
uint64_t svs__master_hold_slow(svs__master *master);
static inline uint64_t svs__master_hold(svs__master *master) {
    /* relaxed: only a guess. */
    uint64_t version = svs__load_relaxed(&master->version) & ~SVS__MASTER_HELD;
    return svs__master_try(master, &version) ? version : svs__master_hold_slow(master);
}

static inline void svs__master_let_go(svs__master *master, uint64_t version, bool grown) {
    /* [N1] release: shows the next holder, and who compares versions, what was added. */
    svs__store_release(&master->version, grown ? version + 2 : version);
}

/* Under hold it is what the master has; else some of what is being added may be missing (N2). */
static inline void svs__master_snapshot(svs__master *master, uint64_t *bits, uint32_t words) {
    /* relaxed: the hold, or the version read before, says what must be there. */
    for (uint32_t i = 0; i < words; i++) bits[i] = svs__load_relaxed(&master->signature[i]);
}

/* Lets `of` notify `who`, once. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__notify_add(svs_world *world, svs__master *of, svs__master *who);

/* The same, and a snapshot of the signature of `of` (or NULL) that misses no bit which `who` will
 * not be told of. */
svs_status svs__notify_join(svs_world *world, svs__master *of, svs__master *who, uint64_t *bits);

/* At quiescence. */
void svs__notify_clear(svs_world *world, svs__master *of);
/* Leaves those that do not have this mark. */
void svs__notify_filter(svs_world *world, svs__master *of, uint64_t mark);

/* Whom a master notifies, one after the other. */
typedef struct svs__notify_cursor {
    svs__master *of;
    svs__table *table;
    uint32_t slot; /* of the slots, then of the table */
} svs__notify_cursor;

static inline svs__notify_cursor svs__notify_begin(svs__master *of) {
    return (svs__notify_cursor){of, NULL, 0};
}

/* @return NULL at the end. */
svs__master *svs__notify_next_more(svs__notify_cursor *cursor);
static inline svs__master *svs__notify_next(svs__notify_cursor *cursor) {
    /* acquire: pairs with the release that put it there. */
    if (!cursor->table && cursor->slot < SVS__NOTIFY_SLOTS)
        return svs__load_acquire(&cursor->of->notify[cursor->slot++]);
    return svs__notify_next_more(cursor);
}

/* Adds bits, svs__master_words() of them, to the master and to all that hear of it. */
void svs__propagate(svs_world *world, svs__master *master, const uint64_t *bits);

#endif
