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
 *   R1  soundness: once no assignment is in flight whose parent's bit M's signature covers, it
 *       covers the bit of each object that M reaches; so does the primary's, with the object's own
 *       bit, for each internal node;
 *   R2  if a link leads from x to y and P = primary(y) differs from M = primary(x), M is in
 *       notify(P);
 *   R3  bits of a signature are only added, except at quiescence; so propagation, which stops where
 *       nothing is new, ends, in cycles too. Who was first with a bit carries it on: who stops may
 *       be done before. The parent of the first is covered by then, so an instance admitted by the
 *       signature waits for it (R1);
 *   R4  a master's version grows after its signature has, and before the link is stored.
 *
 * The hand-shake of two workers: one adds the edge (M to notify(P)) before or while it holds P
 * (master.h), and reads P's signature while it does; the other adds bits to P's signature while it
 * holds P, and reads notify(P) after. The later holder sees what the earlier one has added: no bit
 * is lost.
 *
 * | operation                 | caller                                 | progress           |
 * |---------------------------|----------------------------------------|--------------------|
 * | svs__reach_link           | any thread that holds the parent       | spin locks         |
 * | svs__reach_unlink         | any thread that holds the parent       | lock-free          |
 * | svs__reach_retire         | any thread that holds the object       | a lock             |
 * | svs__reach_signature      | any thread                             | wait-free          |
 * | svs__reach_refresh        | one thread, at quiescence (W2)         | -                  | */
#ifndef SVS_MEMOBJ_REACH_H
#define SVS_MEMOBJ_REACH_H

#include "memobj/master.h"

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

/* Makes every signature equal to what its master reaches, bit for bit. At quiescence. @return
 * SVS_OK or SVS_E_NO_MEMORY: R1 still holds. */
svs_status svs__reach_refresh(svs_world *world, svs__worker *worker);

/* Whether each master covers its own neighbourhood, each internal node's primary lists it, and each
 * link that leaves a neighbourhood is known to its target's primary (R1 for one step, R2), and no
 * list of members is longer than it may be (N4). At quiescence; walks everything. */
bool svs__reach_is_valid(svs_world *world);

/* Whether a refresh is due. */
bool svs__reach_refresh_due(const svs_world *world);

#endif
