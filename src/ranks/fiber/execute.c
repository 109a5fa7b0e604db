#include "ranks/fiber/execute.h"
#include "ranks/channel/credit.h"
#include "ranks/fiber/stacked.h"

static svs_status call(svs_ranks *ranks, svs__fiber *slot) {
    bool ended;
    svs_status status;
    if (!slot->threaded) return slot->function(ranks, slot->state);
    status = svs__stacked_run(ranks, slot, &ended);
    if (!ended) ranks->fibers.continued = true;
    return status;
}

static svs_status call_in_place(svs_ranks *ranks, svs__fiber *slot) {
    uint64_t before = svs__fingerprint(slot->state, slot->bytes);
    svs_status status;
    svs__in_place_begin(ranks);
    ranks->fibers.request_left = 0;
    status = slot->function(ranks, slot->state);
    svs__in_place_end(ranks);
    if (svs__fingerprint(slot->state, slot->bytes) != before)
        (void)svs__fail(ranks, SVS_E_STATE,
                        "an in-place fiber has modified its state: use another scheduler");
    return status;
}

static SVS__COLD void fail(svs_ranks *ranks, const svs__fiber *slot, svs_status status) {
    if (!ranks->stopping)
        (void)svs__fail(ranks, status, "fiber %u returned %s (%d)", slot->index,
                        svs_status_name(status), (int)status);
}

/* A function of its own, so that the usual fiber saves none of its registers. */
static void preempt(svs_ranks *ranks, svs__fiber *slot) __attribute__((noinline));

static void preempt(svs_ranks *ranks, svs__fiber *slot) {
    svs__fibers *fibers = &ranks->fibers;
    svs__fiber *outer = fibers->running;
    bool outer_continued = fibers->continued;
    svs_status status;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_ENABLED, SVS__FIBER_EXECUTES);
    fibers->running = slot;
    fibers->continued = false;
    status = call_in_place(ranks, slot);
    if (status != SVS_OK) fail(ranks, slot, status);
    if (!fibers->continued) svs__fiber_free(ranks, slot);
    fibers->running = outer;
    fibers->continued = outer_continued;
}

static void run(svs_ranks *ranks, svs__fiber *slot) {
    svs__fibers *fibers = &ranks->fibers;
    svs_status status;
    SVS__ASSERT(fibers->running == NULL); /* ranks.F1 */
    SVS__ASSERT(ranks->inner_count == 0); /* ranks.B6 */
    svs__fiber_move_from(ranks, slot, SVS__FIBER_ENABLED, SVS__FIBER_EXECUTES);
    fibers->running = slot;
    fibers->continued = false;
    status = call(ranks, slot);
    if (status != SVS_OK) fail(ranks, slot, status);
    fibers->running = NULL;
    if (!fibers->continued) svs__fiber_free(ranks, slot);
}

void svs__execute(svs_ranks *ranks, svs__fiber *slot) {
    svs__fiber_group *group = slot->group;
    slot->group = NULL;
    ranks->fibers.group = group;
    ranks->statistics.thread_disp++;
    if (slot->scheduler->kind == SVS__SCHEDULER_IN_PLACE) preempt(ranks, slot);
    else run(ranks, slot);
    if (group == NULL) return;
    if (svs__is_of_buffer(group) && slot->status != SVS__FIBER_FREE)
        svs__fiber_suspends(ranks, slot); /* ranks.B4 */
    svs__fiber_group_end(ranks, group);
}
