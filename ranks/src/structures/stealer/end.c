/* Detection of termination, which stealer.h describes. */
#include "structures/stealer/stealer.h"
#include <svs/ranks/thread.h>

typedef struct detection {
    svs_thread thread;
    svs_stealer *leader;
    svs_counter done; /* counts the reductions, freezes and unfreezes that are complete */
    int64_t steps;    /* number of those that were begun */
    uint64_t mine[2], sums[2];
} detection;

static uint64_t tasks_of_all(const svs_stealer *leader) {
    uint64_t sum = svs__stealer_tasks(leader);
    for (const svs_stealer *each = leader->next; each != NULL; each = each->next)
        sum += svs__stealer_tasks(each);
    return sum;
}

void svs__stealer_look_idle(svs_stealer *stealer) {
    svs_stealer *leader = stealer->leader;
    if (!leader->waits_for_idle || tasks_of_all(leader) != 0) return;
    leader->waits_for_idle = false;
    svs_counter_add(leader->ranks, &leader->idle, 1);
}

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

/* Begins a reduction that sums numbers over all ranks. */
static svs_status reduce(detection *me, size_t numbers) {
    svs_status status = svs_reduce(svs_structure_object(me->leader->structure), add, me->mine,
                                   me->sums, sizeof *me->sums, numbers, &me->done);
    me->steps++;
    return status == SVS_WAIT ? SVS_OK : status;
}

static svs_status begin_wave(detection *me) {
    const svs_stealer *each = me->leader;
    me->mine[0] = me->mine[1] = 0;
    do {
        me->mine[0] += each->statistics.sent + each->statistics.given;
        me->mine[1] += each->statistics.received + each->statistics.migrated;
        each = each->next;
    } while (each != NULL);
    me->leader->waves++;
    svs_flush(me->leader->ranks, SVS_ALL_RANKS);
    return reduce(me, 2);
}

static svs_status begin_sum(detection *me) {
    me->mine[0] = tasks_of_all(me->leader);
    return reduce(me, 1);
}

static svs_status change(detection *me, bool freeze) {
    svs_snapshot *snapshot = svs_structure_snapshot(me->leader->structure);
    svs_status status = freeze ? svs_snapshot_freeze(snapshot, &me->done)
                               : svs_snapshot_unfreeze(snapshot, &me->done);
    me->leader->freezes += freeze;
    me->steps++;
    return status == SVS_WAIT ? SVS_OK : status;
}

/* Called when no task is left on any rank. Removals that wait get no task afterwards, because
 * another rank may learn of the termination before this one, and add tasks of the next phase. */
static void close(svs_stealer *leader) {
    SVS__ASSERT(tasks_of_all(leader) == 0); /* structures.K3 */
    leader->closing = true;
    for (svs_stealer *each = leader; each != NULL; each = each->next) {
        SVS__ASSERT(svs__stealer_is_conserved(each)); /* structures.K1 */
        svs__steal_forget_requests(&each->steal);
    }
}

static void report(svs_stealer *leader) {
    svs_counter *waiter = leader->waiter;
    SVS__ASSERT(leader->closing && waiter != NULL); /* structures.K2 */
    leader->waiter = NULL;
    leader->closing = false;
    leader->ended = true;
    leader->terminations++;
    for (svs_stealer *each = leader; each != NULL; each = each->next)
        svs__stealer_end_removals(each);
    svs_counter_add(leader->ranks, waiter, 1);
}

/* Gives to waiting thieves, which was not possible while the snapshot was frozen. */
static void share_all(svs_stealer *leader) {
    svs__steal_share(&leader->steal);
    for (svs_stealer *each = leader->next; each != NULL; each = each->next)
        svs__steal_share(&each->steal);
}

static svs_status detect(svs_ranks *ranks, void *state) {
    detection *me = state;
    svs_stealer *leader = me->leader;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    while (!leader->closing) {
        while (tasks_of_all(leader) != 0) {
            leader->waits_for_idle = true;
            SVS_AWAIT(ranks, me, &leader->idle, leader->idle.value + 1);
        }
        status = begin_wave(me);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->steps);
        if (me->sums[0] != me->sums[1]) continue;
        status = change(me, true);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->steps);
        status = begin_sum(me);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->steps);
        if (me->sums[0] == 0) close(leader);
        status = change(me, false);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->steps);
        share_all(leader);
    }
    report(leader);
    SVS_THREAD_END;
}

svs_status svs_stealer_wait(svs_stealer *stealer, svs_counter *terminated) {
    svs_ranks *ranks = stealer == NULL ? NULL : stealer->ranks;
    detection begun = {.leader = stealer == NULL ? NULL : stealer->leader};
    svs_fiber fiber;
    svs_status status;
    if (stealer == NULL || terminated == NULL)
        return svs_ranks_refuse(ranks, SVS_E_NULL,
                                "svs_stealer_wait: stealer or terminated is NULL: pass both");
    if (!svs_ranks_in_run(ranks))
        return svs_ranks_refuse(ranks, SVS_E_OUTSIDE,
                                "svs_stealer_wait: there is no run: wait in a fiber");
    if (begun.leader->waiter != NULL)
        return svs_ranks_refuse(ranks, SVS_E_BUSY,
                                "svs_stealer_wait: this rank waits already: wait once for all "
                                "stealers of a snapshot, and again after the termination");
    status = svs_fiber_new(ranks, detect, &begun, sizeof begun, NULL, &fiber);
    if (status != SVS_OK) return status;
    begun.leader->waiter = terminated;
    begun.leader->ended = false;
    svs_counter_init(&begun.leader->idle, 0);
    begun.leader->waits_for_idle = false;
    status = svs_fiber_enable(ranks, fiber);
    return status == SVS_OK ? SVS_WAIT : status;
}
