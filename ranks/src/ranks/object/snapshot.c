#include "ranks/object/snapshot.h"
#include "ranks/fiber/counter.h"
#include "ranks/fiber/fiber.h"
#include "ranks/object/tree.h"
#include "ranks/observe.h"
#include <string.h>

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

static svs_snapshot *allocate(svs_ranks *ranks) {
    svs_snapshot *made =
        svs__allocate_zeroed(&ranks->options.allocator, sizeof *made, _Alignof(svs_snapshot));
    if (made != NULL) made->ranks = ranks;
    return made;
}

static void release(svs_snapshot *snapshot) {
    svs__release(&snapshot->ranks->options.allocator, snapshot, sizeof *snapshot,
                 _Alignof(svs_snapshot));
}

static void put_first(svs_ranks *ranks, svs_snapshot *snapshot) {
    snapshot->next = ranks->snapshots;
    ranks->snapshots = snapshot;
}

svs_status svs_snapshot_new(svs_ranks *ranks, const char *name, uint64_t reserved,
                            svs_snapshot **snapshot, svs_counter *done) {
    svs_snapshot *made;
    svs_status status;
    if (ranks == NULL || snapshot == NULL)
        return REFUSE(SVS_E_NULL, "svs_snapshot_new: ranks or snapshot is NULL: pass both");
    made = allocate(ranks);
    if (made == NULL) return SVS_E_NO_MEMORY;
    status = svs_distributed_new(ranks, name, reserved, made, &made->object, done);
    if (status != SVS_OK && status != SVS_WAIT && made->object == NULL) {
        release(made);
        return status;
    }
    put_first(ranks, made);
    *snapshot = made;
    return status;
}

svs_snapshot *svs__snapshot_make(svs_ranks *ranks, const char *name) {
    svs_snapshot *made = allocate(ranks);
    if (made == NULL) return NULL;
    made->object = svs__object_make(ranks, name, made);
    if (made->object == NULL) {
        release(made);
        return NULL;
    }
    put_first(ranks, made);
    return made;
}

void svs__snapshot_free(svs_snapshot *snapshot) {
    svs_snapshot **at = &snapshot->ranks->snapshots;
    SVS__ASSERT(!svs__snapshot_is_used(snapshot));
    while (*at != snapshot) at = &(*at)->next;
    *at = snapshot->next;
    svs__object_free(snapshot->object);
    release(snapshot);
}

void svs__snapshots_clean_up(svs_ranks *ranks) {
    while (ranks->snapshots != NULL) {
        svs_snapshot *snapshot = ranks->snapshots;
        ranks->snapshots = snapshot->next;
        release(snapshot);
    }
}

/* ---- mutations ---- */

svs_status svs_mutation_begin(svs_snapshot *snapshot, uint64_t count, uint32_t *epoch) {
    if (snapshot == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_mutation_begin: snapshot is NULL: pass one");
    if (SVS__UNLIKELY(snapshot->state != SVS__SNAPSHOT_OPEN)) return SVS_WAIT;
    snapshot->begun += (int64_t)count;
    if (epoch != NULL) *epoch = snapshot->epoch;
    return SVS_OK;
}

svs_status svs_mutation_ready(svs_snapshot *snapshot, svs_fiber fiber) {
    if (snapshot == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_mutation_ready: snapshot is NULL: pass one");
    if (snapshot->state == SVS__SNAPSHOT_OPEN) return svs_fiber_enable(snapshot->ranks, fiber);
    snapshot->ranks->statistics.waits_frozen++;
    return svs__counter_wait_for(snapshot->ranks, &snapshot->opened, (int64_t)snapshot->epoch + 1,
                                 fiber, SVS_WAIT_UNFREEZE);
}

/* ranks.Z1, ranks.Z3: whether a mutation of an epoch may begin or end here: one of this epoch
 * before the snapshot is frozen, or one of the next epoch after this rank has called unfreeze, or
 * when it may not have learned yet that a sync is over. */
static bool is_admissible(const svs_snapshot *snapshot, uint32_t epoch) {
    if (epoch == SVS_NO_EPOCH) return snapshot->state != SVS__SNAPSHOT_FROZEN;
    if (epoch == snapshot->epoch)
        return snapshot->state == SVS__SNAPSHOT_OPEN || snapshot->state == SVS__SNAPSHOT_FREEZING;
    return epoch == snapshot->epoch + 1 &&
           (snapshot->state == SVS__SNAPSHOT_CLOSING ||
            (snapshot->state == SVS__SNAPSHOT_FREEZING && snapshot->may_be_over));
}

static SVS__COLD void refuse_mutation(svs_snapshot *snapshot, uint32_t epoch, const char *call) {
    (void)svs__fail(snapshot->ranks, SVS_E_STATE,
                    "%s: epoch %u, while epoch %u is %s: pass the epoch of a mutation in progress",
                    call, epoch, snapshot->epoch,
                    snapshot->state == SVS__SNAPSHOT_FROZEN ? "frozen" : "not");
}

/* Counts mutations that begin. An epoch that is not in progress is a fault of the program. */
void svs_mutation_nested(svs_snapshot *snapshot, uint64_t count, uint32_t epoch) {
    if (snapshot == NULL) return;
    if (is_admissible(snapshot, epoch)) snapshot->begun += (int64_t)count;
    else refuse_mutation(snapshot, epoch, "svs_mutation_nested");
}

void svs_mutation_end(svs_snapshot *snapshot, uint64_t count, uint32_t epoch) {
    if (snapshot == NULL) return;
    if (SVS__LIKELY(is_admissible(snapshot, epoch))) snapshot->ended += (int64_t)count;
    else refuse_mutation(snapshot, epoch, "svs_mutation_end");
}

/* ---- one freeze, from its call to the end of its unfreeze: a thread without a stack ---- */

typedef struct svs__cycle {
    svs_thread thread;
    svs_snapshot *snapshot;
    svs_counter *frozen; /* counter of the freeze; of a sync: reached at its end */
    svs_counter done;    /* counts the reductions and the barrier that are complete */
    int64_t ticket, steps, mine[2], sums[2], last[2];
    bool sync;
} svs__cycle;

static svs_status run_cycle(svs_ranks *ranks, void *state);

/* Value of `thread.line` after a yield; it is no line of this file. */
#define SVS__CYCLE_YIELDED UINT32_MAX

static void add(void *into, const void *from, size_t elements) {
    for (size_t i = 0; i < elements; i++) ((int64_t *)into)[i] += ((const int64_t *)from)[i];
}

/* Begins the reduction of the sums of all ranks. Gathered records are sent first. */
static svs_status begin_reduction(svs_ranks *ranks, svs__cycle *me) {
    svs_status status;
    memcpy(me->last, me->sums, sizeof me->last);
    me->mine[0] = me->snapshot->begun;
    me->mine[1] = me->snapshot->ended;
    me->steps++;
    me->snapshot->may_be_over = me->sync && me->steps >= 2;
    svs_flush(ranks, SVS_ALL_RANKS);
    status =
        svs_reduce(me->snapshot->object, add, me->mine, me->sums, sizeof *me->sums, 2, &me->done);
    return status == SVS_WAIT ? SVS_OK : status;
}

static bool is_proven(const svs__cycle *me) {
    return me->steps >= 2 && me->sums[0] == me->sums[1] &&
           memcmp(me->sums, me->last, sizeof me->sums) == 0;
}

static void observe(const svs_snapshot *snapshot, svs_snapshot_step step) {
    if (svs__is_observed(snapshot->ranks))
        svs__observe_snapshot(snapshot->ranks, step, snapshot->object->name);
}

static void freeze(svs_ranks *ranks, svs__cycle *me) {
    SVS__ASSERT(me->snapshot->state == SVS__SNAPSHOT_FREEZING); /* ranks.Z1 */
    me->snapshot->state = SVS__SNAPSHOT_FROZEN;
    observe(me->snapshot, SVS_SNAPSHOT_FROZEN);
    svs_counter_add(ranks, me->frozen, 1);
}

static void open_again(svs_ranks *ranks, svs__cycle *me) {
    svs_snapshot *snapshot = me->snapshot;
    snapshot->state = SVS__SNAPSHOT_OPEN;
    snapshot->may_be_over = false;
    snapshot->epoch++;
    observe(snapshot, SVS_SNAPSHOT_OPENS);
    if (me->sync) svs_counter_add(ranks, &snapshot->released, 1);
    svs_counter_add(ranks, me->sync ? me->frozen : snapshot->closed, 1);
    svs_counter_add(ranks, &snapshot->opened, 1);
    svs_counter_add(ranks, &snapshot->served, 1);
}

/* Lets other fibers run and records arrive, so that mutations can end before the next reduction. */
static svs_status yield(svs_ranks *ranks) {
    svs_fiber rest;
    svs_status status = svs_fiber_continue(ranks, run_cycle, &rest);
    return status == SVS_OK ? svs_fiber_enable(ranks, rest) : status;
}

static svs_status run_cycle(svs_ranks *ranks, void *state) {
    svs__cycle *me = state;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    SVS_AWAIT(ranks, me, &me->snapshot->served, me->ticket);
    me->snapshot->state = SVS__SNAPSHOT_FREEZING;
    observe(me->snapshot, SVS_SNAPSHOT_FREEZES);
    for (;;) {
        status = begin_reduction(ranks, me);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->steps);
        if (is_proven(me)) break;
        me->thread.line = SVS__CYCLE_YIELDED;
        return yield(ranks);
    case SVS__CYCLE_YIELDED:;
    }
    if (!me->sync) {
        freeze(ranks, me);
        SVS_AWAIT(ranks, me, &me->snapshot->released, me->ticket + 1);
        me->snapshot->state = SVS__SNAPSHOT_CLOSING;
        status = svs_barrier(me->snapshot->object, &me->done);
        if (status != SVS_OK && status != SVS_WAIT) return status;
        SVS_AWAIT(ranks, me, &me->done, me->steps + 1);
    }
    open_again(ranks, me);
    SVS_THREAD_END;
}

static svs_status begin_cycle(svs_snapshot *snapshot, svs_counter *frozen, bool sync) {
    svs_ranks *ranks = snapshot == NULL ? NULL : snapshot->ranks;
    svs__cycle cycle = {.snapshot = snapshot, .frozen = frozen, .sync = sync};
    svs_fiber fiber;
    svs_status status;
    if (snapshot == NULL || frozen == NULL)
        return REFUSE(SVS_E_NULL, "svs_snapshot_freeze: snapshot or counter is NULL: pass both");
    if (!ranks->in_run)
        return REFUSE(SVS_E_OUTSIDE, "svs_snapshot_freeze: there is no run: freeze in a fiber");
    cycle.ticket = snapshot->tickets;
    status = svs_fiber_new(ranks, run_cycle, &cycle, sizeof cycle, NULL, &fiber);
    if (status != SVS_OK) return status;
    snapshot->tickets++;
    status = svs_fiber_enable(ranks, fiber);
    return status == SVS_OK ? SVS_WAIT : status;
}

svs_status svs_snapshot_freeze(svs_snapshot *snapshot, svs_counter *frozen) {
    return begin_cycle(snapshot, frozen, false);
}

svs_status svs_snapshot_sync(svs_snapshot *snapshot, svs_counter *done) {
    return begin_cycle(snapshot, done, true);
}

svs_status svs_snapshot_unfreeze(svs_snapshot *snapshot, svs_counter *done) {
    svs_ranks *ranks = snapshot == NULL ? NULL : snapshot->ranks;
    if (snapshot == NULL || done == NULL)
        return REFUSE(SVS_E_NULL, "svs_snapshot_unfreeze: snapshot or done is NULL: pass both");
    if (snapshot->state != SVS__SNAPSHOT_FROZEN ||
        snapshot->released.value != snapshot->served.value)
        return REFUSE(SVS_E_STATE, "svs_snapshot_unfreeze: the snapshot is not frozen: freeze it, "
                                   "and wait for the counter");
    snapshot->closed = done;
    snapshot->state = SVS__SNAPSHOT_CLOSING;
    svs_counter_add(ranks, &snapshot->released, 1);
    return SVS_WAIT;
}
