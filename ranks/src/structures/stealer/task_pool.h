/* The tasks that wait on one rank, in two orders: by priority for their removal, and by how well
 * they move for a steal. Each order is a binary heap of places, and a task knows its place in both.
 * With equal keys an operation needs one comparison, so a pool of tasks without hints is as fast as
 * a list.
 *
 *     task = svs__task_pool_new(&pool);                    // NULL: no memory
 *     ... fill it in ...
 *     svs__task_pool_put(&pool, task);
 *     task = svs__task_pool_take(&pool, SVS__TASK_FIRST); // or SVS__TASK_MOVABLE; NULL: empty
 *     ... copy it ...
 *     svs__task_pool_free(&pool, task);
 *
 *   structures.K4  Both orders have the same tasks. Each task is at the place that it knows, and no
 *                  task is above one with a lesser key.
 *   structures.K5  Both orders have a place for each task that was made, so that putting a task
 *                  cannot fail.
 *
 * Threads: one. */
#ifndef SVS_STRUCTURES_STEALER_TASK_POOL_H
#define SVS_STRUCTURES_STEALER_TASK_POOL_H

#include "base/check.h"
#include "base/memory.h"
#include <svs/ranks/stealer.h>

typedef enum svs__task_order {
    SVS__TASK_FIRST, /* the task with the highest priority first */
    /* first tasks that have moved before; then those with the least penalty for each unit of
     * work */
    SVS__TASK_MOVABLE,
    SVS__TASK_ORDERS
} svs__task_order;

typedef struct svs__task_pooled_task {
    union {
        uint32_t at[SVS__TASK_ORDERS];      /* its place in each order */
        struct svs__task_pooled_task *next; /* the next free task */
    } link;
    svs_stealer_hint hint;
    uint32_t bytes, origin; /* size of the data; the rank that has added the task */
    uint32_t moved, reserved;
    unsigned char data[];
} svs__task_pooled_task;

typedef struct svs__task_pooled_place {
    uint64_t key; /* places with lesser keys come first */
    svs__task_pooled_task *task;
} svs__task_pooled_place;

typedef struct svs__task_pooled_slab svs__task_pooled_slab;

typedef struct svs__task_pool {
    svs_allocator allocator;
    svs__task_pooled_place *orders[SVS__TASK_ORDERS];
    uint32_t capacities[SVS__TASK_ORDERS];
    uint32_t count, made; /* number of tasks in the pool, and of those that were made */
    uint32_t task_bytes;  /* bytes for the data of a task */
    uint64_t work;        /* sum of the work of all tasks in the pool */
    svs__task_pooled_task *free;
    svs__task_pooled_slab *slabs;
} svs__task_pool;

void svs__task_pool_init(svs__task_pool *pool, const svs_allocator *allocator, uint32_t task_bytes);
void svs__task_pool_clean_up(svs__task_pool *pool);

svs__task_pooled_task *svs__task_pool_new(svs__task_pool *pool);
void svs__task_pool_free(svs__task_pool *pool, svs__task_pooled_task *task);
void svs__task_pool_put(svs__task_pool *pool, svs__task_pooled_task *task);
svs__task_pooled_task *svs__task_pool_take(svs__task_pool *pool, svs__task_order order);

/* The task that svs__task_pool_take() would return. */
static inline const svs__task_pooled_task *svs__task_pool_look(const svs__task_pool *pool,
                                                               svs__task_order order) {
    return pool->count == 0 ? NULL : pool->orders[order][0].task;
}

static inline uint32_t svs__task_pool_work(const svs__task_pooled_task *task) {
    return task->hint.work != 0 ? task->hint.work : 1;
}

#endif
