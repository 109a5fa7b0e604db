/* The memory that the runs of a world share: what a run needs while it lasts, and leaves for the
 * next one, of the same graph or another. So a graph that does not run keeps little.
 *
 *   sched.C1  a kit, or a block, belongs to one run, or is here. A run that has ended has given all
 *       back, unless it has no memory any more. The block of a domain's windows is given back by
 *       the owner of the domain's stage, under its lock, or after the run, when no item is in it.
 *
 * Threads: any; a lock of its own. */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_COMMON_H
#define SVS_SCHED_DOMAIN_INSTANCE_COMMON_H

#include "sched/domain/instance/context.h"
#include "sched/domain/queue/slabs.h"

/* The contexts of a run, one for each worker and two for refinement, and the counts of its
 * deferrals. */
typedef struct svs__kit {
    struct svs__kit *next;
    const svs__domain_env *of; /* which had it last */
    svs_context **contexts;
    svs__blame *blame; /* by bucket */
    uint32_t runs;     /* so far: the number of the last */
} svs__kit;

/* A block of memory that is here, at its begin. */
typedef struct svs__block {
    struct svs__block *next;
} svs__block;

typedef struct svs__common {
    svs_world *world;
    svs__lock lock;
    svs__kit *kits;
    svs__block *windows; /* memory of windows (window/memory.c) */
    svs__block *small;   /* batches of one item (queue/small.c), in: */
    svs__slab *slabs;
    /* frees what is there, but for the slabs; NULL: nothing is */
    void (*free_all)(struct svs__common *common);
} svs__common;

/* That of the world, which is made on first use. @return NULL: no memory. */
svs__common *svs__common_of(svs_world *world);
/* Keeps a slab as long as the world. */
void svs__common_give_slab(svs__common *common, svs__slab *slab);

/* Takes a block out of a list; or NULL, if there is none. */
svs__block *svs__common_take(svs__common *common, svs__block **list);
void svs__common_give(svs__common *common, svs__block **list, svs__block *block);

#endif
