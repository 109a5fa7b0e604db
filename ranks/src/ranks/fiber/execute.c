#include "ranks/fiber/execute.h"
#include "ranks/category.h"
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

static void preempt(svs_ranks *ranks, svs__fiber *slot) {
    svs__fibers *fibers = &ranks->fibers;
    svs_status status;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_ENABLED, SVS__FIBER_EXECUTES);
    fibers->running = slot;
    fibers->continued = false;
    status = call_in_place(ranks, slot);
    if (status != SVS_OK) fail(ranks, slot, status);
}

static inline __attribute__((always_inline)) void run(svs_ranks *ranks, svs__fiber *slot) {
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
}

static inline svs__fiber_group *begin(svs_ranks *ranks, svs__fiber *slot) {
    svs__fiber_group *group = slot->group;
    slot->group = NULL;
    ranks->fibers.group = group;
    ranks->statistics.thread_disp++;
    return group;
}

static inline void end(svs_ranks *ranks, svs__fiber *slot, svs__fiber_group *group) {
    if (group == NULL) return;
    if (svs__is_of_buffer(group) && slot->status != SVS__FIBER_FREE)
        svs__fiber_suspends(ranks, slot); /* ranks.B4 */
    svs__fiber_group_end(ranks, group);
}

/* Runs an in-place fiber, or one of a scheduler of the program. */
static void run_other(svs_ranks *ranks, svs__fiber *slot) {
    bool in_place = slot->scheduler->kind == SVS__SCHEDULER_IN_PLACE;
    svs__fiber *outer = ranks->fibers.running;
    bool outer_continued = ranks->fibers.continued;
    uint16_t category = svs__is_observed(ranks) ? svs__observe_begins(ranks, slot) : 0;
    if (in_place) preempt(ranks, slot);
    else run(ranks, slot);
    if (svs__is_observed(ranks)) svs__observe_ends(ranks, slot, category);
    if (!ranks->fibers.continued) svs__fiber_end(ranks, slot);
    if (!in_place) return;
    ranks->fibers.running = outer;
    ranks->fibers.continued = outer_continued;
}

/* Executes a FIFO or urgent fiber. */
static inline __attribute__((always_inline)) void execute_plain(svs_ranks *ranks,
                                                                svs__fiber *slot) {
    svs__fiber_group *group = begin(ranks, slot);
    run(ranks, slot);
    if (!ranks->fibers.continued) svs__fiber_end(ranks, slot);
    end(ranks, slot, group);
}

/* The same on an observed rank (ranks.V1): the loop has category 0. */
static inline __attribute__((always_inline)) void execute_observed(svs_ranks *ranks,
                                                                   svs__fiber *slot) {
    svs__fiber_group *group = begin(ranks, slot);
    SVS__ASSERT(ranks->category == 0); /* ranks.V2 */
    if (SVS__UNLIKELY(slot->category != 0)) svs__category_change(ranks, slot->category);
    ranks->told.fiber_begins(slot, ranks->told.argument);
    run(ranks, slot);
    svs__observe_ends(ranks, slot, 0);
    if (!ranks->fibers.continued) svs__fiber_end(ranks, slot);
    end(ranks, slot, group);
}

static __attribute__((noinline)) void execute_other(svs_ranks *ranks, svs__fiber *slot) {
    svs__fiber_group *group;
    if (slot->scheduler->kind == SVS__SCHEDULER_BACKLOG) {
        svs_ignore(slot->function(ranks, slot)); /* the backlog executes a fiber itself */
        return;
    }
    group = begin(ranks, slot);
    run_other(ranks, slot);
    end(ranks, slot, group);
}

void svs__execute(svs_ranks *ranks, svs__fiber *slot) {
    if (SVS__LIKELY(slot->scheduler->plain)) execute_plain(ranks, slot);
    else if (slot->scheduler->watched) execute_observed(ranks, slot);
    else execute_other(ranks, slot);
}
