/* Slabs: the places of the items of transforms (sched.I4). */
#ifndef SVS_SCHED_DOMAIN_QUEUE_SLABS_H
#define SVS_SCHED_DOMAIN_QUEUE_SLABS_H

#include "sched/domain/queue/record.h"

/* Batches of one item each, behind each other. */
typedef struct svs__slab {
    svs__batch head; /* names no task */
    struct svs__slab *next;
    size_t bytes, used;
} svs__slab;

/* A place for the item of a transform, with a batch of its own in front; or NULL: no memory. */
void *svs__slabs_item(svs__slab **slabs, const svs_allocator *allocator, svs_task *task,
                      size_t item_bytes);
void svs__slabs_free(svs__slab *slabs, const svs_allocator *allocator);

#endif
