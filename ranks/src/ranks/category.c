#include "ranks/category.h"
#include "base/sized.h"
#include "ranks/channel/lane.h"
#include "ranks/fiber/fiber.h"

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

/* ---- categories ---- */

/* Closes all lanes. Only channels with an open buffer (`dirty`) have one. */
void svs__category_change(svs_ranks *ranks, uint16_t category) {
    for (uint32_t i = 0; i < ranks->dirty_count; i++) svs__lane_close(ranks, ranks->dirty[i]);
    ranks->category = category;
}

uint16_t svs_category(const svs_ranks *ranks) { return ranks == NULL ? 0 : ranks->category; }

void svs_category_set(svs_ranks *ranks, uint16_t category) {
    svs__fiber *running;
    uint16_t before;
    if (ranks == NULL || !svs__is_observed(ranks)) return;
    running = ranks->in_handler ? NULL : ranks->fibers.running;
    if (running == NULL && !ranks->in_handler) return;
    before = ranks->category;
    if (before == category) return;
    svs__category_enter(ranks, category);
    if (running != NULL) running->category = category;
    SVS__TELL(ranks, category_changed, (before, category, ranks->told.argument));
}

/* ---- records ---- */

static svs_observed_records records_of(const svs_ranks *ranks, const svs_handler *handler,
                                       uint32_t count, uint32_t bytes) {
    svs_observed_records records = {handler, ranks->fibers.request_from, count, bytes,
                                    ranks->category};
    return records;
}

uint16_t svs__observe_records_begin(svs_ranks *ranks, const svs__run_view *view) {
    uint16_t outer = ranks->category;
    svs_observed_records records =
        records_of(ranks, view->entry->handler, view->count, view->bytes);
    records.from = view->from;
    records.category = view->category;
    svs__category_enter(ranks, view->category);
    SVS__TELL(ranks, handler_begins, (&records, ranks->told.argument));
    return outer;
}

void svs__observe_records_end(svs_ranks *ranks, const svs__run_view *view, uint16_t outer) {
    svs_observed_records records =
        records_of(ranks, view->entry->handler, view->count, view->bytes);
    records.from = view->from;
    SVS__TELL(ranks, handler_ends, (&records, ranks->told.argument));
    svs__category_enter(ranks, outer); /* ranks.V2 */
}

/* Called in place of an in-place handler on an observed rank. @param part the number of the
 * handler, plus 1 (ranks.V1). */
static void observe_call(svs_ranks *ranks, void *part, const void *data, uint32_t count) {
    const svs__handler_entry *entry = &ranks->handlers.entries[(uintptr_t)part - 1];
    const svs_handler *handler = entry->handler;
    bool variable = handler->bytes == 0;
    uint16_t outer = ranks->category;
    svs_observed_records records;
    part = entry->structure != NULL ? entry->structure->part : ranks->data;
    if (ranks->arrived != SVS__HERE) svs__category_enter(ranks, (uint16_t)ranks->arrived);
    ranks->arrived = SVS__HERE;
    ranks->in_handler = true;
    records = records_of(ranks, handler, variable ? 1 : count, variable ? count : handler->bytes);
    SVS__TELL(ranks, handler_begins, (&records, ranks->told.argument));
    handler->run_in_place(ranks, part, data, count);
    SVS__TELL(ranks, handler_ends, (&records, ranks->told.argument));
    ranks->in_handler = false;
    svs__category_enter(ranks, outer); /* ranks.V2 */
}

void svs__observe_entry(svs_ranks *ranks, uint32_t number) {
    svs__handler_entry *entry = &ranks->handlers.entries[number];
    if (entry->handler == NULL) return;
    if (svs__is_observed(ranks)) {
        entry->call = observe_call;
        entry->part = (void *)((uintptr_t)number + 1);
    } else {
        entry->call = entry->handler->run_in_place;
        entry->part = entry->structure == NULL ? NULL : entry->structure->part;
    }
}

uint64_t svs_ranks_now(const svs_ranks *ranks) {
    return ranks == NULL ? 0 : ranks->type->now(ranks->endpoint);
}

/* ---- attach and detach ---- */

/* Called after an observer has been attached or detached. If the rank begins or ceases to be
 * observed, categories are reset. */
static void update(svs_ranks *ranks) {
    bool before = ranks->observed;
    svs__told_update(ranks);
    if (ranks->observed == before) return;
    ranks->schedulers.fifo.plain = ranks->schedulers.urgent.plain = before;
    ranks->schedulers.fifo.watched = ranks->schedulers.urgent.watched = !before;
    ranks->category = 0;
    ranks->in_handler = false;
    ranks->arrived = SVS__HERE;
    for (uint32_t i = 0; i < ranks->handlers.count; i++) svs__observe_entry(ranks, i);
    for (uint32_t i = 0; i < svs__fiber_count(ranks); i++) {
        svs__fiber *slot = svs__fiber_at(ranks, i);
        slot->category = slot->enabler = 0;
    }
}

static svs__rank_observer **find(svs_ranks *ranks, const svs_ranks_observer *observer) {
    svs__rank_observer **at = &ranks->observers;
    while (*at != NULL && (*at)->given != observer) at = &(*at)->next;
    return at;
}

static svs_status refuse_in_run(const svs_ranks *ranks, const char *call) {
    return REFUSE(SVS_E_BUSY, "%s: called in a run: call it before or after the run", call);
}

void svs_ranks_observer_init_sized(svs_ranks_observer *observer, size_t size) {
    static const svs_ranks_observer none = {.size = sizeof none};
    if (observer != NULL) svs__options_init(observer, size, &none, sizeof none);
}

/* Appends a copy of the observer to the list. */
static svs_status append(svs_ranks *ranks, const svs_ranks_observer *observer,
                         svs__rank_observer **last) {
    svs__rank_observer *made =
        svs__allocate_zeroed(&ranks->options.allocator, sizeof *made, _Alignof(svs__rank_observer));
    if (made == NULL) return SVS_E_NO_MEMORY;
    made->given = observer;
    *last = made;
    return svs__options_take(&made->told, sizeof made->told, observer);
}

static void drop(svs_ranks *ranks, svs__rank_observer **at) {
    svs__rank_observer *gone = *at;
    *at = gone->next;
    svs__release(&ranks->options.allocator, gone, sizeof *gone, _Alignof(svs__rank_observer));
}

svs_status svs_ranks_observer_attach(svs_ranks *ranks, const svs_ranks_observer *observer) {
    svs__rank_observer **last;
    svs_status status;
    if (ranks == NULL || observer == NULL)
        return REFUSE(SVS_E_NULL,
                      "svs_ranks_observer_attach: ranks or observer is NULL: pass both");
    if (ranks->in_run) return refuse_in_run(ranks, "svs_ranks_observer_attach");
    last = find(ranks, observer);
    if (*last != NULL)
        return REFUSE(
            SVS_E_INVALID,
            "svs_ranks_observer_attach: the observer is attached already: detach it first");
    status = append(ranks, observer, last);
    if (status == SVS_E_VERSION) {
        drop(ranks, last);
        return REFUSE(SVS_E_VERSION,
                      "svs_ranks_observer_attach: the observer is of another version: "
                      "fill it by svs_ranks_observer_init()");
    }
    if (status == SVS_OK) update(ranks);
    return status;
}

svs_status svs_ranks_observer_detach(svs_ranks *ranks, const svs_ranks_observer *observer) {
    svs__rank_observer **at;
    if (ranks == NULL || observer == NULL)
        return REFUSE(SVS_E_NULL,
                      "svs_ranks_observer_detach: ranks or observer is NULL: pass both");
    if (ranks->in_run) return refuse_in_run(ranks, "svs_ranks_observer_detach");
    at = find(ranks, observer);
    if (*at == NULL)
        return REFUSE(SVS_E_INVALID, "svs_ranks_observer_detach: the observer is not attached: "
                                     "pass the address that was attached");
    drop(ranks, at);
    update(ranks);
    return SVS_OK;
}

void svs__observers_clean_up(svs_ranks *ranks) {
    while (ranks->observers != NULL) drop(ranks, &ranks->observers);
}
