/* Reads and refreshes, and the requests that they send to the owner of an object. */
#include "structures/object_layer/layer.h"
#include <string.h>

/* ---- the table of tickets ---- */

static bool reserve_ticket(svs_object_layer *layer) {
    if (layer->ticket_free != SVS__LAYER_NONE) return true;
    if (!svs__grow(&layer->allocator, (void **)&layer->tickets, &layer->ticket_capacity,
                   layer->ticket_count + 1, sizeof *layer->tickets))
        return false;
    layer->tickets[layer->ticket_count] = (svs__layer_ticket){NULL, SVS__LAYER_NONE};
    layer->ticket_free = layer->ticket_count++;
    return true;
}

svs__layer_request *svs__layer_request_new(svs_object_layer *layer, uint32_t *ticket) {
    svs__layer_request *made;
    if (!reserve_ticket(layer)) return NULL;
    made = svs__allocate_zeroed(&layer->allocator, sizeof *made, _Alignof(svs__layer_request));
    if (made == NULL) return NULL;
    *ticket = layer->ticket_free;
    layer->ticket_free = layer->tickets[*ticket].next;
    layer->tickets[*ticket].request = made;
    layer->in_flight++;
    return made;
}

svs__layer_request *svs__layer_request_of(const svs_object_layer *layer, uint32_t ticket) {
    return ticket < layer->ticket_count ? layer->tickets[ticket].request : NULL;
}

static void free_request(svs_object_layer *layer, svs__layer_request *request) {
    svs__release(&layer->allocator, request, sizeof *request, _Alignof(svs__layer_request));
}

void svs__layer_request_end(svs_object_layer *layer, uint32_t ticket) {
    svs__layer_request *request = layer->tickets[ticket].request;
    svs__layer_entry *entry = request->entry;
    if (entry != NULL) {
        entry->requests--;
        if (entry->newest == request) entry->newest = NULL;
    }
    layer->tickets[ticket] = (svs__layer_ticket){NULL, layer->ticket_free};
    layer->ticket_free = ticket;
    layer->in_flight--;
    free_request(layer, request);
}

/* ---- waiters ---- */

void svs__layer_waiter_free(svs_object_layer *layer, svs__layer_waiter *waiter) {
    svs__release(&layer->allocator, waiter, sizeof *waiter, _Alignof(svs__layer_waiter));
}

void svs__layer_waiters_free(svs_object_layer *layer, svs__layer_waiter *first) {
    for (svs__layer_waiter *next; first != NULL; first = next) {
        next = first->next;
        svs__layer_waiter_free(layer, first);
    }
}

svs_status svs__layer_request_wait(svs_object_layer *layer, svs__layer_request *request,
                                   const svs__layer_waiter *waiter) {
    svs__layer_waiter *made =
        svs__allocate(&layer->allocator, sizeof *made, _Alignof(svs__layer_waiter));
    if (made == NULL) return SVS_E_NO_MEMORY;
    *made = *waiter;
    made->next = NULL;
    if (request->first == NULL) request->first = made;
    else request->last->next = made;
    request->last = made;
    return SVS_WAIT;
}

void svs__layer_requests_clean_up(svs_object_layer *layer) {
    for (uint32_t i = 0; i < layer->ticket_count; i++) {
        svs__layer_request *request = layer->tickets[i].request;
        if (request == NULL) continue;
        svs__layer_waiters_free(layer, request->first);
        if (request->arriving != NULL) {
            request->arriving->pins = 0;
            svs__layer_version_free(layer, request->arriving);
        }
        free_request(layer, request);
    }
    svs__array_release(&layer->allocator, layer->tickets, layer->ticket_capacity,
                       sizeof *layer->tickets);
}

/* ---- requests ---- */

svs_status svs__layer_ask(svs_object_layer *layer, svs__layer_entry *entry,
                          svs__layer_request **made) {
    svs__layer_want want = {.from = layer->index, .number = entry->name.number};
    svs__layer_request *request = svs__layer_request_new(layer, &want.ticket);
    svs_status status;
    if (request == NULL) return SVS_E_NO_MEMORY;
    request->entry = entry;
    request->number = ++layer->number;
    entry->requests++;
    if (entry->current != NULL) want.known = entry->current->version;
    status = svs__outbox_post(&layer->outbox, entry->name.rank, layer->handlers[SVS__LAYER_WANT],
                              &want, sizeof want, 0);
    if (status != SVS_OK) {
        svs__layer_request_end(layer, want.ticket);
        return status;
    }
    if (entry->current != NULL) {
        request->known = entry->current;
        /* else an answer "unchanged" would have no version to refer to */
        svs__layer_pin(layer, request->known);
    }
    entry->newest = request;
    layer->statistics.requests++;
    *made = request;
    return SVS_OK;
}

/* The number of a request. A read is answered by a version with a greater number. */
static uint64_t since_of(const svs_object_layer *layer, const svs__layer_entry *entry) {
    return entry->since > layer->since ? entry->since : layer->since;
}

/* Waits for the last request in flight, if its number is great enough, or for a new request. */
static svs_status wait_for_answer(svs_object_layer *layer, svs__layer_entry *entry,
                                  const svs__layer_waiter *waiter) {
    svs__layer_request *request = entry->newest;
    svs_status status = SVS_OK;
    if (request == NULL || request->number <= waiter->after)
        status = svs__layer_ask(layer, entry, &request);
    if (status == SVS_OK) status = svs__layer_request_wait(layer, request, waiter);
    if (status != SVS_WAIT) svs__layer_look_if_needed(layer, entry);
    return status;
}

static svs_status read_own(svs_object_layer *layer, svs_object_layer_name name,
                           const svs__layer_waiter *waiter, const char *call) {
    const svs__layer_entry *entry = svs__layer_find(layer, name);
    if (entry == NULL || entry->current == NULL)
        return svs__layer_refuse(layer, SVS_E_INVALID, call,
                                 "this rank has published no such object: publish it first");
    layer->statistics.own_reads++;
    svs__layer_answer_with(layer, waiter, entry->current);
    return SVS_OK;
}

static svs_status operate(svs_object_layer *layer, svs_object_layer_name name,
                          svs_object_layer_view *view, svs_counter *done, bool refresh,
                          const char *call) {
    svs__layer_waiter waiter = {.view = view, .done = done};
    svs__layer_entry *entry;
    svs_status status;
    if (svs__layer_is_own(layer, name)) return read_own(layer, name, &waiter, call);
    entry = svs__layer_find_or_make(layer, name);
    if (entry == NULL) return SVS_E_NO_MEMORY;
    waiter.after = refresh ? layer->number : since_of(layer, entry);
    if (!refresh && entry->current != NULL && entry->current->number > waiter.after) {
        layer->statistics.hits++;
        layer->statistics.hit_bytes += entry->current->bytes;
        svs__layer_answer_with(layer, &waiter, entry->current);
        return SVS_OK;
    }
    status = wait_for_answer(layer, entry, &waiter);
    layer->statistics.misses += status == SVS_WAIT && !refresh;
    layer->statistics.refreshes += status == SVS_WAIT && refresh;
    return status;
}

svs_status svs_object_layer_read(svs_object_layer *layer, svs_object_layer_name name,
                                 svs_object_layer_view *view, svs_counter *done) {
    svs_status status = svs__layer_check(layer, name, done, "svs_object_layer_read");
    if (status != SVS_OK) return status;
    if (view == NULL)
        return svs__layer_refuse(layer, SVS_E_NULL, "svs_object_layer_read",
                                 "view is NULL: pass one, or refresh");
    return operate(layer, name, view, done, false, "svs_object_layer_read");
}

svs_status svs_object_layer_refresh(svs_object_layer *layer, svs_object_layer_name name,
                                    svs_object_layer_view *view, svs_counter *done) {
    svs_status status = svs__layer_check(layer, name, done, "svs_object_layer_refresh");
    return status != SVS_OK ? status
                            : operate(layer, name, view, done, true, "svs_object_layer_refresh");
}

svs_status svs_object_layer_release(svs_object_layer *layer, svs_object_layer_view *view) {
    svs__layer_version *held;
    if (layer == NULL || view == NULL)
        return svs__layer_refuse(layer, SVS_E_NULL, "svs_object_layer_release",
                                 "layer or view is NULL: pass both");
    held = view->held;
    if (held == NULL)
        return svs__layer_refuse(layer, SVS_E_STATE, "svs_object_layer_release",
                                 "the view holds nothing: release it once, after its counter");
    view->held = NULL;
    view->data = NULL;
    layer->views--;
    svs__layer_unpin(layer, held);
    return SVS_OK;
}
