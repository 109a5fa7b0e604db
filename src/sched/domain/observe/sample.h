/* A sample of the footprints of instances, for svs_explain(). It is taken when a domain takes the
 * instances, before they start. It contains exact elements only: what is not known exactly counts
 * as everything.
 *
 *   sched.X1  a sample reads the item of an instance only while the instance waits
 *       (not asserted: svs__domain_take() is its only caller);
 *   sched.X2  a sample decides nothing: no choice of a domain depends on it
 *       (not asserted: nothing in this folder reads it). */
#ifndef SVS_SCHED_DOMAIN_OBSERVE_SAMPLE_H
#define SVS_SCHED_DOMAIN_OBSERVE_SAMPLE_H

#include "base/lock.h"
#include "memobj/set.h"
#include "sched/domain/task.h"

/* A declaration: what accesses of one mode name. */
typedef struct svs__declaration {
    const void *what; /* a space or the type of an object; NULL: addresses, or everything */
    uint8_t kind, mode;
    bool found; /* true: what is found from an object along its links; false: the object itself */
} svs__declaration;

typedef struct svs__sampled {
    svs__identity identity;
    uint32_t declaration; /* index of the declaration among those of the task */
    uint32_t mode;
} svs__sampled;

/* The sample of one task. */
typedef struct svs__task_sample {
    const svs_task *task;
    svs__declaration *declarations;
    svs__sampled *elements;
    uint32_t *ends; /* end of the elements of each instance */
    uint32_t declaration_count, declaration_capacity, count, capacity, end_count, end_capacity;
} svs__task_sample;

typedef struct svs__sample {
    svs_world *world;
    svs__lock lock; /* guards the fields below */
    svs__set sets[2];
    svs__task_sample *tasks;
    uint32_t task_count, task_capacity;
    uint32_t most; /* the maximum number of sampled instances of a task */
    svs_status status;
} svs__sample;

/* @return NULL: no memory. */
svs__sample *svs__sample_new(svs_world *world, uint32_t most);
void svs__sample_free(svs__sample *sample);

/* Adds the footprint of an instance that waits (sched.X1). */
void svs__sample_add(svs__sample *sample, const svs_task *task, const void *item);

#endif
