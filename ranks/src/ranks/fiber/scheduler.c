#include "ranks/fiber/scheduler.h"
#include "ranks/fiber/execute.h"

static bool is_background(const svs_scheduler *scheduler) {
    return scheduler->kind == SVS__SCHEDULER_CUSTOM && scheduler->type->background != 0;
}

static void hold(svs_ranks *ranks, svs_scheduler *scheduler) {
    scheduler->held++;
    ranks->schedulers.enabled += !is_background(scheduler);
}

static void drop(svs_ranks *ranks, svs_scheduler *scheduler) {
    SVS__ASSERT(scheduler->held != 0); /* ranks.S1 */
    scheduler->held--;
    ranks->schedulers.enabled -= !is_background(scheduler);
}

static svs_status deposit(svs_ranks *ranks, svs_scheduler *scheduler, svs__fiber *slot) {
    svs_status status;
    hold(ranks, scheduler);
    status = scheduler->type->deposit(scheduler->self, svs__handle_of(slot), slot->hint);
    if (status == SVS_OK) return SVS_OK;
    drop(ranks, scheduler);
    return svs__fail(ranks, status, "the deposit of scheduler %s returned %s (%d)",
                     scheduler->type->name, svs_status_name(status), (int)status);
}

svs_status svs__enable_other(svs_ranks *ranks, svs__fiber *slot) {
    svs_scheduler *scheduler = slot->scheduler;
    if (svs__is_observed(ranks)) svs__observe_enabled(ranks, slot);
    if (scheduler->kind == SVS__SCHEDULER_CUSTOM) return deposit(ranks, scheduler, slot);
    if (ranks->in_run && !ranks->fibers.in_place) svs__execute(ranks, slot);
    else svs__scheduler_put(ranks, &ranks->schedulers.urgent, slot);
    return SVS_OK;
}

static svs__fiber *select_custom(svs_ranks *ranks, svs_scheduler *scheduler) {
    svs_fiber fiber;
    svs__fiber *slot;
    if (scheduler->held == 0 || !scheduler->type->select(scheduler->self, &fiber)) return NULL;
    slot = svs__fiber_of(ranks, fiber);
    if (slot == NULL || slot->status != SVS__FIBER_ENABLED || slot->scheduler != scheduler) {
        (void)svs__fail(ranks, SVS_E_FIBER,
                        "scheduler %s has selected fiber %u, which it does not hold: select each "
                        "deposited fiber once",
                        scheduler->type->name, fiber.slot);
        return NULL;
    }
    drop(ranks, scheduler);
    return slot;
}

/* Selects a fiber in the ring. Each scheduler is asked once, beginning after the one that had the
 * last fiber. */
static svs__fiber *select_in_turn(svs_ranks *ranks, bool background) {
    svs_scheduler *first = ranks->schedulers.turn, *scheduler = first;
    if (scheduler->next == scheduler)
        return background ? NULL : svs__scheduler_take(ranks, scheduler); /* FIFO */
    do {
        svs__fiber *slot = NULL;
        if (is_background(scheduler) == background)
            slot = scheduler->kind == SVS__SCHEDULER_CUSTOM ? select_custom(ranks, scheduler)
                                                            : svs__scheduler_take(ranks, scheduler);
        scheduler = scheduler->next;
        if (slot != NULL) {
            ranks->schedulers.turn = scheduler;
            return slot;
        }
    } while (scheduler != first);
    return NULL;
}

static svs__fiber *take_urgent(svs_ranks *ranks) {
    svs__fiber *slot = svs__scheduler_take(ranks, &ranks->schedulers.urgent);
    if (slot != NULL) ranks->schedulers.urgent_row++;
    return slot;
}

svs__fiber *svs__select(svs_ranks *ranks, bool background) {
    svs__fiber *slot;
    if (background) return select_in_turn(ranks, true);
    if (ranks->schedulers.urgent_row < SVS__URGENT_ROW) {
        slot = take_urgent(ranks);
        if (slot != NULL) return slot;
    }
    SVS__ASSERT(ranks->schedulers.urgent_row <= SVS__URGENT_ROW); /* ranks.F3 */
    ranks->schedulers.urgent_row = 0;
    slot = select_in_turn(ranks, false);
    return slot != NULL ? slot : take_urgent(ranks);
}

void svs__schedulers_init(svs_ranks *ranks) {
    svs__schedulers *all = &ranks->schedulers;
    all->fifo.kind = SVS__SCHEDULER_FIFO;
    all->urgent.kind = SVS__SCHEDULER_URGENT;
    all->in_place.kind = SVS__SCHEDULER_IN_PLACE;
    all->backlog.kind = SVS__SCHEDULER_BACKLOG;
    all->fifo.plain = all->urgent.plain = true;
    all->fifo.next = all->turn = &all->fifo;
    all->fifo.ranks = all->urgent.ranks = all->in_place.ranks = ranks;
}

void svs__schedulers_forget(svs_ranks *ranks) {
    svs__schedulers *all = &ranks->schedulers;
    svs_scheduler *scheduler = &all->fifo;
    all->enabled = 0;
    all->urgent_row = 0;
    all->urgent.queue.first = all->fifo.queue.first = NULL;
    do {
        scheduler->held = 0;
        scheduler = scheduler->next;
    } while (scheduler != &all->fifo);
}

void svs__schedulers_clean_up(svs_ranks *ranks) {
    svs_scheduler *scheduler = ranks->schedulers.fifo.next;
    while (scheduler != NULL && scheduler != &ranks->schedulers.fifo) {
        svs_scheduler *next = scheduler->next;
        svs__release(&ranks->options.allocator, scheduler, sizeof *scheduler,
                     _Alignof(svs_scheduler));
        scheduler = next;
    }
}

svs_scheduler *svs_scheduler_fifo(svs_ranks *ranks) { return &ranks->schedulers.fifo; }
svs_scheduler *svs_scheduler_urgent(svs_ranks *ranks) { return &ranks->schedulers.urgent; }
svs_scheduler *svs_scheduler_in_place(svs_ranks *ranks) { return &ranks->schedulers.in_place; }

svs_status svs_scheduler_new(svs_ranks *ranks, const svs_scheduler_type *type, void *self,
                             svs_scheduler **scheduler) {
    svs_scheduler *made;
    if (ranks == NULL || type == NULL || scheduler == NULL || type->deposit == NULL ||
        type->select == NULL)
        return svs__refuse(
            ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
            "svs_scheduler_new: ranks, type, its functions or scheduler is NULL: pass "
            "all of them");
    made = svs__allocate_zeroed(&ranks->options.allocator, sizeof *made, _Alignof(svs_scheduler));
    if (made == NULL) return SVS_E_NO_MEMORY;
    made->kind = SVS__SCHEDULER_CUSTOM;
    made->type = type;
    made->self = self;
    made->ranks = ranks;
    made->next = ranks->schedulers.fifo.next;
    ranks->schedulers.fifo.next = made;
    *scheduler = made;
    ranks->statistics.schedulers++;
    return SVS_OK;
}
