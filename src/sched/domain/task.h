/* A task, as a domain knows it: the type and the inbox of its instances. The part of the graph
 * follows it (graph/node.h). */
#ifndef SVS_SCHED_DOMAIN_TASK_H
#define SVS_SCHED_DOMAIN_TASK_H

#include <svs/graph.h>

#include "memobj/set.h"
#include "sched/domain/record.h"

struct svs_task {
    svs_graph *graph;
    svs_world *world;
    const svs_task_type *type;
    void *argument;
    uint32_t index; /* in the graph */
    bool itemizer;  /* dynamic, in the thesis' words */

    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) outstanding; /* the run's (node.h, sched.T2) */
    _Atomic(svs_task *) next_in_domain;
    _Atomic(uint32_t) attached; /* to its domain: its items can be taken */
    svs__inbox inbox;
    svs__batch own;      /* a transform's: the batch of its one record */
    svs__record *record; /* a transform's, with its item */
};

static inline svs_task *svs__record_task(const svs__record *record) { return record->batch->task; }

/* The distance between records of one batch. */
static inline size_t svs__record_bytes(const svs_task *task) {
    return SVS__RECORD_BYTES + (task->type->item_size + 15) / 16 * 16;
}

/* Adds the accesses of an item to the footprint of a set. */
static inline void svs__task_touch(const svs_task *task, svs__set *set, const void *item) {
    const svs_task_type *type = task->type;
    if (type->touch) type->touch(&set->footprint, item);
    else svs__set_touch_links(set, item, type->links, type->link_count);
}

#endif
