/* The moves of lesson 02 under two engines, whose bodies are the same (queues_tasks.h): `reach`
 * declares by hand all that both queues reach, `scanned` has the touch function that `svs scan`
 * makes from the body. */
#ifndef BENCH_QUEUES_H
#define BENCH_QUEUES_H

#include "common.h"

typedef struct person {
    uint32_t moves;
    struct person *next;
    svs_object svs;
} person;

typedef struct queue {
    svs_object svs;
    person *first;
} queue;

typedef struct move {
    queue *from, *to;
} move;

const svs_task_type *queues_reach_type(void);
const svs_task_type *queues_scanned_type(void);

#endif
