#include "ranks/counter.h"
#include "ranks/scheduler.h"

/* A counter has the index of its first waiter, and 1 more: 0: none. */
static svs__fiber *first_waiter(svs_ranks *ranks, const svs_counter *counter) {
    return counter->waiters == 0 ? NULL : svs__fiber_at(ranks, (uint32_t)counter->waiters - 1);
}

/* Behind all waiters with a bound that is not larger. */
static void insert(svs_ranks *ranks, svs_counter *counter, svs__fiber *slot) {
    svs__fiber *at = first_waiter(ranks, counter), *before = NULL;
    while (at != NULL && at->at_least <= slot->at_least) {
        before = at;
        at = before->next;
    }
    slot->next = at;
    if (before == NULL) counter->waiters = slot->index + 1;
    else before->next = slot;
}

svs_status svs__counter_wait(svs_ranks *ranks, svs_counter *counter, int64_t at_least,
                             svs__fiber *slot) {
    if (counter->value >= at_least) /* ranks.C1 */
        return svs__enable_from(ranks, slot, SVS__FIBER_CREATED);
    slot->counter = counter;
    slot->at_least = at_least;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_CREATED, SVS__FIBER_WAITS);
    ranks->statistics.waits_counter++;
    insert(ranks, counter, slot);
    return SVS_OK;
}

void svs_counter_init(svs_counter *counter, int64_t value) {
    counter->value = value;
    counter->waiters = 0;
}

void svs_counter_add(svs_ranks *ranks, svs_counter *counter, int64_t by) {
    counter->value += by;
    while (counter->waiters != 0) {
        svs__fiber *slot = first_waiter(ranks, counter);
        if (slot->at_least > counter->value) return;
        SVS__ASSERT(slot->stage == SVS__FIBER_WAITS && slot->counter == counter); /* ranks.C1 */
        counter->waiters = slot->next == NULL ? 0 : slot->next->index + 1;
        slot->counter = NULL;
        svs_ignore(svs__enable_from(ranks, slot, SVS__FIBER_WAITS)); /* a failure ends the run */
    }
}

svs_status svs_counter_wait(svs_ranks *ranks, svs_counter *counter, int64_t at_least,
                            svs_fiber fiber) {
    svs__fiber *slot;
    if (ranks == NULL || counter == NULL)
        return svs__refuse(ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
                           "svs_counter_wait: ranks or counter is NULL: pass both");
    slot = svs__fiber_of(ranks, fiber);
    if (slot == NULL || slot->stage != SVS__FIBER_CREATED)
        return svs__refuse(
            &ranks->log, SVS_E_FIBER,
            "svs_counter_wait: fiber %u has ended, or waits or is enabled already: pass "
            "one that was created only",
            fiber.slot);
    return svs__counter_wait(ranks, counter, at_least, slot);
}
