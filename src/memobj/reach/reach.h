/* Reachability: masters, neighbourhoods, and Algorithm 1 (thesis 5.1.2), which several workers may
 * run in parallel.
 *
 * A master stands for a neighbourhood: its object and up to K internal nodes, which it reaches and
 * which share its signature. Each object in a neighbourhood has one primary master. The thesis
 * keeps a list of owning masters for each internal node. Here a further owner is an edge in the
 * notify list of the primary: Algorithm 1 adds that edge as well, so that the notify lists lead
 * from the primary to each owner, and a node needs no list of its own. notify(P) is the set of P's
 * listeners: the masters to which each bit that P gains is propagated.
 *
 *   memobj.R1  soundness: M's signature covers the bit of each object that M reaches, as soon as no
 *       assignment is in flight for which M's signature covers the parent's bit. So does the
 *       signature of an internal node's primary, for the node and each object that it reaches;
 *   memobj.R2  if a link leads from x to y and P = primary(y) differs from M = primary(x), then M
 *       is in notify(P);
 *   memobj.R3  bits of a signature are only added, except at quiescence. So propagation, which
 *       stops where no bit is new, terminates, in cycles too. The thread that first sets a bit
 *       propagates it; a thread that finds it set may return earlier. Admission makes an instance
 *       that uses the signature wait for the first thread, because the signature already covers the
 *       bit of that thread's parent;
 *   memobj.R4  a master's version grows after its signature, and the signature covers the child
 *       before the link is stored.
 *
 *   memobj.R5  upkeep begins when a set needs a signature for the first time: its reach exceeds 16
 *       budgets; or it exceeds the budget, and walks beyond the budget have visited 4 objects for
 *       each link that was assigned so far, which is about the cost of the upkeep. Before that, an
 *       assignment to an object from svs_object_new() does nothing here, as its storage is found
 *       later (STORED). An assignment to another one puts the parent and the child into
 *       neighbourhoods. So memobj.R1, memobj.R2 and memobj.R4 do not hold before upkeep. Upkeep
 *       begins at quiescence, or for an instance that holds everything: then no other instance has
 *       a parent in its set, and each link that was stored before is visible. Signatures are read
 *       only when `upkeep` is SVS__UPKEEP_ON, after each link of each neighbourhood and of each
 *       stored object was linked anew. Upkeep never ends (not asserted: about what other threads
 *       do; svs__reach_is_valid() checks the signatures after it);
 *   memobj.R6  a body may link objects that it is still making (FRESH) while upkeep begins. Upkeep
 *       leaves these objects out, because no other instance reaches them. When a body that has left
 *       out such a link hands objects off, it removes their tags FRESH, then reads whether upkeep
 *       has begun; if so, it links the targets itself. The thread that begins upkeep first stores
 *       that upkeep begins, then reads the tags. Both sequences are sequentially consistent, so
 *       that one of the two threads links each target. A body without memory for this sets
 *       SVS__UPKEEP_GAPS: no signature is read until upkeep has begun again (not asserted:
 *       svs__reach_is_valid() finds objects without a neighbourhood).
 *
 * The handshake of two workers: one adds the edge (M to notify(P)) before or while it holds P
 * (master.h), and reads P's signature under that hold. The other adds bits to P's signature while
 * it holds P, and reads notify(P) afterwards. The later holder sees the addition of the earlier
 * one: no bit is lost.
 *
 * | operation                 | caller                                 | progress           |
 * |---------------------------|----------------------------------------|--------------------|
 * | svs__reach_link           | any thread that holds the parent       | spin locks         |
 * | svs__reach_assign         | the same, before it stores the link    | spin locks         |
 * | svs__reach_begin_upkeep   | one thread (memobj.R5)                 | spin locks         |
 * | svs__reach_publish        | the body that made the objects         | spin locks         |
 * | svs__reach_unlink         | any thread that holds the parent       | lock-free          |
 * | svs__reach_retire         | any thread that holds the object       | a lock             |
 * | svs__reach_signature      | any thread                             | wait-free          |
 * | svs__reach_refresh        | one thread, at quiescence (memobj.W2)  | -                  | */
#ifndef SVS_MEMOBJ_REACH_REACH_H
#define SVS_MEMOBJ_REACH_REACH_H

#include "memobj/reach/master.h"

typedef enum svs__upkeep {
    SVS__UPKEEP_OFF,
    SVS__UPKEEP_BEGINS,
    SVS__UPKEEP_ON,
    SVS__UPKEEP_GAPS
} svs__upkeep;

/* Whether signatures may be read (memobj.R5). */
static inline bool svs__reach_is_kept(const svs_world *world) {
    /* acquire: signatures are complete; pairs with the release in svs__reach_begin_upkeep(). */
    return svs__load_acquire(&((svs_world *)(uintptr_t)world)->upkeep) == SVS__UPKEEP_ON;
}

/* Whether upkeep has not begun, so that an assignment does only what svs__reach_assign() does.
 * relaxed is enough: upkeep begins while no other thread holds the parent, unless the parent is
 * fresh, and admission orders the begin before each later holder. The body that makes a fresh
 * parent reads `upkeep` again before it hands the parent off (memobj.R6). */
static inline bool svs__reach_is_off(svs_world *world) {
    return svs__load_relaxed(&world->upkeep) == SVS__UPKEEP_OFF;
}

/* Begins the upkeep, unless it has begun. @return SVS_OK, or SVS_E_NO_MEMORY: upkeep has not
 * begun. */
SVS__COLD svs_status svs__reach_begin_upkeep(svs_world *world);

/* Once upkeep has begun, does what svs__reach_link() does; before that, does only what the begin of
 * upkeep relies on. Sets *left_out if the body that makes the parent must publish it by
 * svs__reach_publish(). */
svs_status svs__reach_assign(svs_world *world, svs_object *parent, svs_object *child,
                             bool *left_out);

/* [memobj.R6] Links the targets of the objects, if upkeep has begun. Called after the tags FRESH of
 * the objects were removed, and before another instance may reach one of them. */
void svs__reach_publish(svs_world *world, svs_object *const *objects, uint32_t count);

/* Before the link parent -> child is stored: adds the bits that the child reaches to the signature
 * of the parent's primary and of each master that reaches it.
 * @return SVS_OK or SVS_E_NO_MEMORY: then the link must not be stored, and signatures may cover
 * more than is reached. */
svs_status svs__reach_link(svs_world *world, svs_object *parent, svs_object *child);

/* After the link parent -> child was removed: marks the masters with signatures that may be
 * stale. */
void svs__reach_unlink(svs_world *world, svs_object *parent, svs_object *child);

/* Removes the object from its neighbourhood for ever. */
void svs__reach_retire(svs_world *world, svs_object *object);

/* Copies the signature of the object's primary into `words`, and adds the object's own bit. */
void svs__reach_signature(const svs_object *object, uint64_t *words);

/* The version of an object's signature: its reach word and its primary's version. If the version is
 * equal before the snapshot and after the admission of the instance, the snapshot is sound for the
 * instance. */
typedef struct svs__version {
    uintptr_t reach;
    uint64_t version;
} svs__version;

svs__version svs__reach_version(const svs_object *object);

/* Makes each signature exact: it then has only the bits of the objects that its master reaches.
 * Called at quiescence.
 * @return SVS_OK or SVS_E_NO_MEMORY: memobj.R1 still holds. */
svs_status svs__reach_refresh(svs_world *world, svs__worker *worker);

/* Checks each master of the world: the signature covers the neighbourhood and its links (memobj.R1,
 * one step), each link that leaves it has a notify edge (memobj.R2), and the lists are in order
 * (memobj.N3, memobj.N4). At quiescence. */
bool svs__reach_is_valid(svs_world *world);

/* Whether a refresh is due. */
bool svs__reach_refresh_due(const svs_world *world);

#endif
