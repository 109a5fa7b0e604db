/* A world adapts to the causes of the deferrals that were explained
 * (sched/domain/observe/explain.h).
 *
 * An internal node has the signature of its master, which covers all that the master reaches. So
 * two instances with disjoint reaches conflict if they are handed internal nodes of one master. If
 * a quarter of the explained deferrals have this cause, the world elects masters where tasks are
 * handed objects: an instance that takes the signature of an internal node tags the node HANDED,
 * and the next refresh elects it. If the cause stays, because tasks are handed other objects each
 * time, K is halved too. If a quarter of the explained deferrals come from colliding cells, the
 * world takes four times as many cells.
 *
 *   memobj.D1  K is `neighbourhood` of the world. It only falls, at quiescence. A refresh leaves
 *       its dirty masters with at most K internal nodes;
 *   memobj.D2  the master of an internal node that is HANDED is dirty, so that the next refresh
 *       elects the node;
 *   memobj.D3  the number of cells only grows, while no graph runs in the world, so that no
 *       instance holds a cell and no worker looks at one. A set keeps keys, not cells.
 *
 * | operation              | caller                                 | progress    |
 * |------------------------|----------------------------------------|-------------|
 * | svs__adapt_count       | any worker                             | wait-free   |
 * | svs__adapt_hand        | any worker with a set of a signature   | lock-free   |
 * | svs__adapt_masters     | one thread, at quiescence (memobj.W2)  | -           |
 * | svs__adapt_cells       | one thread, while no graph runs        | a lock      | */
#ifndef SVS_MEMOBJ_ADAPT_H
#define SVS_MEMOBJ_ADAPT_H

#include "memobj/core/header.h"

/* Counts an explained deferral: by a shared master, by a collision of cells, or by neither. */
static inline void svs__adapt_count(svs_world *world, bool by_master, bool by_cells) {
    svs__adaptation *a = &world->adaptation;
    /* relaxed is enough for all three: they are independent counts. */
    (void)svs__fetch_add_relaxed(&a->explained, 1);
    if (by_master) (void)svs__fetch_add_relaxed(&a->by_master, 1);
    if (by_cells) (void)svs__fetch_add_relaxed(&a->by_cells, 1);
}

/* Tags an internal node that an instance was handed, if the world elects masters at such
 * objects. */
void svs__adapt_hand(svs_world *world, const svs_object *object);

/* Called at quiescence. If enough deferrals were caused by shared masters, makes later refreshes
 * elect the objects that tasks are handed; if the cause stays, halves K. */
void svs__adapt_masters(svs_world *world);

/* Increases the number of cells if cells collide. The number stays if there is no memory, or if the
 * option cell_bits is 0. */
void svs__adapt_cells(svs_world *world);

#endif
