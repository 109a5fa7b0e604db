/* The memory that the runs of a world share: what a run needs only while it lasts, and leaves to
 * the next run, of the same graph or of another one. So a graph that does not run keeps little
 * memory.
 *
 *   sched.C1  a kit or a block belongs to one run, or is in the common memory. A run that has ended
 *       has given all back, unless it has no memory any more. The block of a domain's windows is
 *       given back by the owner of the domain's stage, under its lock, or after the run, when no
 *       item is in it.
 *
 * Threads: any; the common memory has a lock of its own. */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_CONTEXTS_H
#define SVS_SCHED_DOMAIN_INSTANCE_CONTEXTS_H

#include "sched/domain/instance/context.h"
#include "sched/domain/queue/record.h"

/* Slabs: the places of the items of transforms (sched.I4). */

/* A block with a sequence of batches of one item each. */
typedef struct svs__slab {
    svs__batch head; /* a batch that names no task */
    struct svs__slab *next;
    size_t bytes, used;
} svs__slab;

/* Returns a place for the item of a transform, directly after a batch of its own; NULL: no
 * memory. */
void *svs__slabs_item(svs__slab **slabs, const svs_allocator *allocator, svs_task *task,
                      size_t item_bytes);
void svs__slabs_free(svs__slab *slabs, const svs_allocator *allocator);

/* The contexts of a run, one for each worker and two for refinement, and the counts of its
 * deferrals. */
typedef struct svs__kit {
    struct svs__kit *next;
    const svs__domain_env *of; /* the environment that had the kit last */
    svs_context **contexts;
    svs__blame *blame; /* array by bucket: what to blame for its deferrals */
    uint32_t runs;     /* number of the last run that used the kit */
} svs__kit;

/* The header at the start of each block of memory in a list of the world. */
typedef struct svs__block {
    struct svs__block *next;
    /* returns the block's memory to the allocator; not used for blocks in slabs */
    void (*release)(const svs_allocator *allocator, struct svs__block *block);
} svs__block;

typedef struct svs__common {
    svs_world *world;
    svs__lock lock;
    svs__kit *kits;
    svs__block *windows; /* memory of windows (window/memory.c) */
    svs__block *small;   /* batches of one item (queue/batches.c); they are in `slabs` */
    svs__slab *slabs;
} svs__common;

/* The shared memory of the world, which is made at the first call. @return NULL: no memory. */
svs__common *svs__common_of(svs_world *world);
/* Keeps a slab as long as the world. */
void svs__common_give_slab(svs__common *common, svs__slab *slab);

/* Takes a block out of a list; or NULL, if there is none. */
svs__block *svs__common_take(svs__common *common, svs__block **list);
void svs__common_give(svs__common *common, svs__block **list, svs__block *block);

/* ---- contexts ---- */

/* The contexts of an environment: one for each worker and two for refinement. A run takes them in a
 * kit, and gives them back when it has ended. Between two runs the environment has only the counts
 * of the contexts. */

/* Makes the counts. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__contexts_new(svs__domain_env *env);
void svs__contexts_free(svs__domain_env *env);
void svs__counts_clear(const svs__domain_env *env);

/* Takes a kit, or makes one. @return NULL: no memory. */
svs__kit *svs__contexts_take(const svs__domain_env *env);
void svs__contexts_give(const svs__domain_env *env, svs__kit *kit);
void svs__kit_free(svs__kit *kit, const svs_world *world);

/* svs__contexts_bind() attaches a kit to the environment; svs__contexts_unbind() detaches and
 * returns it. */
void svs__contexts_bind(svs__domain_env *env, svs__kit *kit);
svs__kit *svs__contexts_unbind(svs__domain_env *env);

/* Instances of the run that have ended; 0 between two runs. */
uint64_t svs__contexts_ended(const svs__domain_env *env);

#endif
