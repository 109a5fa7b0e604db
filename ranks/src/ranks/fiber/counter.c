#include "ranks/fiber/counter.h"
#include "ranks/fiber/scheduler.h"
#include "ranks/observe.h"

/* The heap names a fiber by its index plus 1, and 0 is no fiber. A counter stores the name of its
 * root in the lower half of `waiters`, and the number of the rank in the upper half (ranks.R2). */
static uint32_t name_of(const svs__fiber *slot) { return slot->index + 1; }
static uint32_t root_of(const svs_counter *counter) { return (uint32_t)counter->waiters; }
static void set_root(const svs_ranks *ranks, svs_counter *counter, uint32_t name) {
    counter->waiters = name == 0 ? 0 : (uint64_t)ranks->number << 32 | name;
}

static svs__fiber *fiber_of(svs_ranks *ranks, uint32_t name) {
    return svs__fiber_at(ranks, name - 1);
}
static svs__waiter *waiter_of(svs_ranks *ranks, uint32_t name) {
    return svs__waiter_at(ranks, name - 1);
}

/* Melds two heaps, whose roots have no siblings. @return the root. */
static uint32_t meld(svs_ranks *ranks, uint32_t one, uint32_t other) {
    svs__waiter *root = waiter_of(ranks, one), *below = waiter_of(ranks, other);
    if (below->at_least < root->at_least) return meld(ranks, other, one); /* ranks.C3 */
    below->sibling = root->child;
    root->child = other;
    return one;
}

static void insert(svs_ranks *ranks, svs_counter *counter, svs__fiber *slot, int64_t at_least) {
    uint32_t name = name_of(slot), first = root_of(counter);
    svs__waiter *root = first == 0 ? NULL : waiter_of(ranks, first);
    *waiter_of(ranks, name) = (svs__waiter){.at_least = at_least, .last = name};
    slot->next = NULL;
    if (root == NULL) set_root(ranks, counter, name);
    else if (root->at_least != at_least) set_root(ranks, counter, meld(ranks, first, name));
    else {
        fiber_of(ranks, root->last)->next = slot;
        root->last = name;
    }
}

/* Takes the first tree of a list of siblings, and melds it with the second if there is one. */
static uint32_t take_pair(svs_ranks *ranks, uint32_t *list) {
    uint32_t one = *list, other = waiter_of(ranks, one)->sibling;
    waiter_of(ranks, one)->sibling = 0;
    *list = other == 0 ? 0 : waiter_of(ranks, other)->sibling;
    if (other == 0) return one;
    waiter_of(ranks, other)->sibling = 0;
    return meld(ranks, one, other);
}

/* Melds siblings in pairs, and the pairs from the last to the first. @return the root, or 0. */
static uint32_t meld_all(svs_ranks *ranks, uint32_t list) {
    uint32_t pairs = 0, all = 0;
    while (list != 0) {
        uint32_t pair = take_pair(ranks, &list);
        waiter_of(ranks, pair)->sibling = pairs;
        pairs = pair;
    }
    while (pairs != 0) {
        uint32_t pair = pairs;
        pairs = waiter_of(ranks, pair)->sibling;
        waiter_of(ranks, pair)->sibling = 0;
        all = all == 0 ? pair : meld(ranks, pair, all);
    }
    return all;
}

/* Removes the root. The next fiber of its queue becomes the root, or else one of its children. */
static void take_root(svs_ranks *ranks, svs_counter *counter, const svs__fiber *slot) {
    const svs__waiter *root = waiter_of(ranks, name_of(slot));
    if (slot->next == NULL) {
        set_root(ranks, counter, meld_all(ranks, root->child));
        return;
    }
    set_root(ranks, counter, name_of(slot->next));
    *waiter_of(ranks, name_of(slot->next)) = *root;
}

svs_status svs__counter_refuse(const svs_ranks *ranks, const char *call) {
    return svs__refuse(&ranks->log, SVS_E_INVALID,
                       "%s: fibers of another rank wait for the counter: a counter is used by one "
                       "rank alone",
                       call);
}

svs_status svs__counter_wait(svs_ranks *ranks, svs_counter *counter, int64_t at_least,
                             svs__fiber *slot, svs_wait_kind kind) {
    if (counter->value >= at_least) /* ranks.C1 */
        return svs__enable_from(ranks, slot, SVS__FIBER_CREATED);
    SVS__ASSERT(!svs__counter_is_of_another(ranks, counter)); /* ranks.R2 */
    slot->counter = counter;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_CREATED, SVS__FIBER_WAITS);
    ranks->statistics.waits_counter++;
    if (svs__is_observed(ranks)) svs__observe_wait(ranks, slot, kind);
    insert(ranks, counter, slot, at_least);
    return SVS_OK;
}

void svs_counter_init(svs_counter *counter, int64_t value) {
    counter->value = value;
    counter->waiters = 0;
}

static inline void wake(svs_ranks *ranks, svs_counter *counter) {
    while (counter->waiters != 0) {
        uint32_t root = root_of(counter);
        svs__fiber *slot = fiber_of(ranks, root);
        if (waiter_of(ranks, root)->at_least > counter->value) return;
        SVS__ASSERT(slot->status == SVS__FIBER_WAITS && slot->counter == counter); /* ranks.C1 */
        take_root(ranks, counter, slot);
        slot->counter = NULL;
        svs_ignore(svs__enable_from(ranks, slot, SVS__FIBER_WAITS)); /* a failure ends the run */
    }
}

void svs_counter_add(svs_ranks *ranks, svs_counter *counter, int64_t by) {
    counter->value += by;
    if (SVS__LIKELY(!svs__counter_is_of_another(ranks, counter))) wake(ranks, counter);
    else
        (void)svs__fail(ranks, SVS_E_INVALID,
                        "svs_counter_add: fibers of another rank wait for the counter: a counter "
                        "is used by one rank alone");
}

svs_status svs__counter_wait_for(svs_ranks *ranks, svs_counter *counter, int64_t at_least,
                                 svs_fiber fiber, svs_wait_kind kind) {
    svs__fiber *slot;
    if (ranks == NULL || counter == NULL)
        return svs__refuse(ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
                           "svs_counter_wait: ranks or counter is NULL: pass both");
    slot = svs__fiber_of(ranks, fiber);
    if (slot == NULL || slot->status != SVS__FIBER_CREATED)
        return svs__refuse(&ranks->log, SVS_E_FIBER,
                           "svs_counter_wait: fiber %u has ended, or waits or is enabled already: "
                           "pass one that was only created",
                           fiber.slot);
    if (svs__counter_is_of_another(ranks, counter))
        return svs__counter_refuse(ranks, "svs_counter_wait");
    return svs__counter_wait(ranks, counter, at_least, slot, kind);
}

svs_status svs_counter_wait(svs_ranks *ranks, svs_counter *counter, int64_t at_least,
                            svs_fiber fiber) {
    return svs__counter_wait_for(ranks, counter, at_least, fiber, SVS_WAIT_COUNTER);
}
