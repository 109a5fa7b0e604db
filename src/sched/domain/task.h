/* A task, as a domain sees it: its type, and the inbox of its instances. In memory, the graph's
 * part of the task follows it (graph/node.h). */
#ifndef SVS_SCHED_DOMAIN_TASK_H
#define SVS_SCHED_DOMAIN_TASK_H

#include <svs/graph.h>

#include "base/program.h"
#include "memobj/set.h"
#include "sched/domain/queue/record.h"
#include "sched/domain/window/light.h"

/* The items that wait for a task (queue/inbox.h, sched.I6 to sched.I14). */
typedef struct svs__inbox {
    svs__lock lock;
    _Atomic(uint32_t) waiting; /* number of items that were not taken yet; changes under the lock */
    svs__batch *first, *last;
    svs__batch *lent; /* the last batch while a strip is open on it, or NULL (strip.h) */
    _Atomic(uint32_t) is_lent_to_body; /* 1: the strip is of one body; changes under the lock */
    _Atomic(uint32_t) uncounted;       /* sched.I7; changes under the lock */
    uint32_t attended;                 /* sched.I8 */
    _Atomic(uint32_t) wake_at;         /* sched.I9; changes under the lock */
    /* number of items sent from outside so far, which gives their order */
    uint64_t external;
    uint32_t later;    /* sched.I6 */
    uint32_t shut;     /* number of times that the task's sources were shut (sched.R2) */
    svs__batch *spare; /* list of empty batches, kept for later items */
    uint32_t spare_count;
    /* number of batches that are not spare; its maximum since the last run */
    uint32_t used, used_max;
    uint32_t used_max_before; /* `used_max` of the run before */
    /* number of new batches that were needed, in this run and in the run before */
    uint32_t made, made_before;
    _Atomic(uint32_t) is_fed_inside;  /* 1: bodies have sent items in this iteration */
    _Atomic(uint32_t) is_fed_outside; /* 1: sources have sent items in this iteration */
} svs__inbox;

struct svs_task {
    svs_graph *graph;
    svs_world *world;
    const svs_task_type *type;
    void *argument;
    svs_dropped_function *dropped; /* called with each item that never runs; NULL: none */
    /* the lead, whose `outstanding` also counts for this task (sched.T7) */
    struct svs_task *lead;
    _Atomic(int32_t) priority;
    uint32_t index;                 /* index in the graph */
    uint32_t pin;                   /* a worker, SVS_THE_RUNNER, or SVS_NO_WORKER: any (pinned.h) */
    _Atomic(uint32_t) seen_each_ns; /* traced: estimate of an instance's time; 0: not known */
    bool itemizer;                  /* dynamic, in the thesis' words */
    bool shares_lead;               /* other tasks use the same `outstanding` */

    /* used only in a lead; the run's count of its instances and references (node.h, sched.T2) */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) outstanding;
    _Atomic(svs_task *) next_in_domain;
    _Atomic(uint32_t) attached; /* 1: attached to its domain, so that its items can be taken */
    svs__inbox inbox;
    void *item; /* the item of a transform */

    _Alignas(SVS__CACHE_LINE) svs__pace pace;
};

/* Makes items that were put in available. The caller holds the inbox's lock. @return whether the
 * inbox was empty. */
static inline bool svs__inbox_let_take(svs__inbox *inbox, uint32_t count) {
    uint32_t before = svs__load_relaxed(&inbox->waiting); /* relaxed is enough: the lock is held */
    /* release: a worker that sees the count will find the items under the lock. */
    svs__store_release(&inbox->waiting, before + count);
    return !before;
}

/* The distance between two items. */
static inline size_t svs__task_stride(const svs_task_type *type) {
    size_t alignment = type->item_alignment ? type->item_alignment : 1;
    size_t bytes = (type->item_size + alignment - 1) / alignment * alignment;
    return bytes ? bytes : 1;
}

static inline svs_task *svs__item_task(const void *item) { return svs__batch_of(item)->task; }

static inline svs_task *svs__record_task(const svs__record *record) {
    return svs__item_task(record->item);
}

/* ---- `outstanding`: instances in the low half, references in the high half ---- */

#define SVS__REFERENCE (UINT64_C(1) << 32)

static inline uint32_t svs__outstanding_instances(uint64_t outstanding) {
    return (uint32_t)outstanding;
}

/* Adds instances to `outstanding`, unless the task has ended: a count of 0 stays 0 until the next
 * iteration (sched.T2). Sets *full if there would be more than `limit`. @return whether they were
 * added. */
static inline bool svs__outstanding_join(svs_task *task, uint32_t count, uint32_t limit,
                                         bool *full) {
    _Atomic(uint64_t) *outstanding = &task->lead->outstanding;
    /* seq_cst: pairs with the subtraction in svs__task_drop(), after which a worker looks for
     * senders that wait for room (sched.R3). */
    uint64_t was = svs__load_seq(outstanding);
    do {
        *full = was && (count > limit || svs__outstanding_instances(was) > limit - count);
        if (!was || *full) return false;
        /* relaxed is enough: the reference that keeps the count above 0 orders the end of the
         * task. */
    } while (!svs__cas_weak_relaxed(outstanding, &was, was + count));
    return true;
}

/* Passes an item that will not run to the program's callback, if there is one. */
static inline void svs__item_drop(void *item) {
    const svs_task *task = svs__item_task(item);
    if (SVS__UNLIKELY(task->dropped != NULL) && task->itemizer)
        SVS__PROGRAM_CALL((void), task->dropped(item, task->argument));
}

/* The loops of the task's type, or NULL. Loops of another version, or loops made from other
 * functions than the type now has, are not used. A program with ThreadSanitizer uses no loops,
 * because the sanitizer must see each call (base/program.h). */
static inline const svs__task_loops *svs__task_loops_of(const svs_task *task) {
    const svs_task_type *type = task->type;
    const svs__task_loops *loops = type->loops;
    return loops && !SVS__PROGRAM_IS_SANITIZED() && loops->version == SVS__LOOPS_VERSION &&
                   loops->run == type->run && loops->touch == type->touch
               ? loops
               : NULL;
}

/* Adds the accesses of an item to the footprint of a set. If the footprint must be enlarged, the
 * touch function is called again. */
static inline void svs__task_touch(const svs_task *task, svs__set *set, const void *item) {
    const svs_task_type *type = task->type;
    uint32_t before = set->footprint.count;
    set->footprint.argument = task->argument;
    do {
        if (type->touch) SVS__PROGRAM_CALL((void), type->touch(&set->footprint, item));
        else svs__set_touch_links(set, item, type->links, type->link_count);
    } while (SVS__UNLIKELY(set->footprint.status) && svs__set_make_room(set, before));
}

#endif
