/* Reachability: masters, neighbourhoods, and Algorithm 1 (thesis 5.1.2) from any worker, in
 * parallel with others.
 *
 * A master stands for a neighbourhood: itself and up to K internal nodes, which it reaches and
 * which share its signature. Each object in a neighbourhood has one primary master. The thesis
 * keeps a list of owning masters for each internal node; here a further owner is an edge in the
 * notify list of the primary: Algorithm 1 pushes that edge as well, so what follows the notify
 * lists from the primary finds every owner, and no node needs a list of its own. notify(P) holds
 * the masters that must hear what P hears.
 *
 *   R1  soundness: once no assignment whose parent M reaches is in flight, M's signature covers the
 *       bit of each object that M reaches; so does the primary's, with the object's own bit, for
 *       each internal node;
 *   R2  if a link leads from x to y and P = primary(y) differs from M = primary(x), M is in
 *       notify(P);
 *   R3  bits of a signature are only added, except at quiescence; so propagation, which stops where
 *       nothing is new, ends, in cycles too;
 *   R4  a master's version grows after its signature has, and before the link is stored.
 *
 * The hand-shake of two workers, one of which adds the edge (M into notify(P), then reads P's
 * signature) while the other adds bits (to P's signature, then reads notify(P)): between its two
 * steps each does a read-modify-write of P's version. The later of the two in that location's order
 * synchronises with the earlier, so it sees the earlier one's first step: no bit is lost.
 *
 * | operation                 | caller                                 | progress           |
 * |---------------------------|----------------------------------------|--------------------|
 * | svs__reach_link           | any thread that holds the parent       | a spin lock a list |
 * | svs__reach_unlink, retire | any thread that holds the parent       | lock-free          |
 * | svs__reach_signature      | any thread                             | wait-free          |
 * | svs__reach_refresh        | one thread, at quiescence (W2)         | -                  | */
#ifndef SVS_MEMOBJ_REACH_H
#define SVS_MEMOBJ_REACH_H

#include "memobj/object.h"

/* An append-only list of pointers, read without a lock. An entry may be taken out by storing NULL.
 */
typedef struct svs__chunk {
    _Atomic(struct svs__chunk *) next;
    _Atomic(uint32_t) count;
    uint32_t capacity;
    _Atomic(void *) slots[];
} svs__chunk;

typedef struct svs__list {
    _Atomic(svs__chunk *) first;
} svs__list;

#define SVS__MASTER_LISTED 1u /* on the world's dirty list, for one of the two below or both */
#define SVS__MASTER_DIRTY                                                                          \
    2u /* its signature may cover more than it reaches, or a node of its neighbourhood is shared */
#define SVS__MASTER_NOTIFY 4u /* its notify list may name dirty masters that no longer reach it */

struct svs__master {
    /* Read by every link assignment that passes; written when a bit is new. */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) version;
    _Atomic(svs_object *) object; /* NULL: freed, its state goes at the next refresh */
    svs__list notify;             /* of svs__master */
    svs__list members;            /* of svs_object: the internal nodes whose primary it is */
    _Atomic(uint32_t) size;       /* of the neighbourhood, internal nodes */
    _Atomic(uint32_t) flags;
    svs__lock lock; /* who appends to a list */
    uint32_t mark;  /* refresh: in the set that it works on */
    uint32_t order; /* refresh: its place in the depth-first search, 0 before */
    svs__master *next_dirty;
    _Atomic(svs__master *) next; /* all masters of the world */
    svs__master *previous;       /* set at quiescence */
    _Atomic(uint64_t) signature[];
};

/* parent -> child is about to be stored. Afterwards parent's neighbourhood, and all that reach it,
 * know what the child reaches.
 * @return SVS_OK or SVS_E_NO_MEMORY: then the link must not be stored; signatures may cover more
 * than they need. */
svs_status svs__reach_link(svs_world *world, svs_object *parent, svs_object *child);

/* parent -> child was taken away: notes what may be stale. */
void svs__reach_unlink(svs_world *world, svs_object *parent, svs_object *child);

/* The object leaves its neighbourhood for good. */
void svs__reach_retire(svs_world *world, svs_object *object);

/* A snapshot of the signature that answers for the object. `version` (or NULL): what
 * svs__reach_version() said before the snapshot. */
void svs__reach_signature(const svs_object *object, uint64_t *words);

/* The version of what answers for the object: its reach word and its primary's version. Two equal
 * ones with a snapshot between them mean that the snapshot is still sound, provided that the
 * instance was admitted with it in between (findings: revalidate on start). */
typedef struct svs__version {
    uintptr_t reach;
    uint64_t version;
} svs__version;

svs__version svs__reach_version(const svs_object *object);

/* Entries of a list in order; NULLs are those taken out. */
typedef struct svs__cursor {
    svs__chunk *chunk;
    uint32_t index;
} svs__cursor;

svs__cursor svs__list_begin(const svs__list *list);
bool svs__list_next(svs__cursor *cursor, void **entry);

/* Internal to reach.c and refresh.c. */
svs_status svs__list_add(svs_world *world, svs__list *list, uint32_t capacity, void *entry);
void svs__list_clear(svs_world *world, svs__list *list);
svs_status svs__master_new(svs_world *world, svs_object *object, svs__master **master);
void svs__master_release(svs_world *world, svs__master *master);
svs_status svs__notify_add(svs_world *world, svs__master *of, svs__master *who);
void svs__propagate(svs_world *world, svs__master *master, const uint64_t *bits);
void svs__master_enlist(svs_world *world, svs__master *master);
void svs__master_flag(svs_world *world, svs__master *master, uint32_t flag);
void svs__list_take_out(svs__list *list, const void *entry);
void svs__list_filter(svs_world *world, svs__list *list,
                      bool (*keep)(const void *entry, const void *argument), const void *argument);

/* Makes every signature equal to what its master reaches, bit for bit. At quiescence. @return
 * SVS_OK or SVS_E_NO_MEMORY: R1 still holds. */
svs_status svs__reach_refresh(svs_world *world, svs__worker *worker);

/* Whether each master covers its own neighbourhood, each internal node's primary lists it, and each
 * link that leaves a neighbourhood is known to its target's primary (R1 for one step, R2). At
 * quiescence; walks everything. */
bool svs__reach_is_valid(svs_world *world);

/* Whether a refresh is due. */
bool svs__reach_refresh_due(const svs_world *world);

#endif
