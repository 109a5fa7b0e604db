#include "structures/outbox.h"
#include <string.h>

static size_t size_of(uint32_t bytes) { return sizeof(svs__outbox_record) + bytes; }

static void free_first(svs__outbox *outbox) {
    svs__outbox_record *first = outbox->first;
    outbox->first = first->next;
    svs__release(&outbox->allocator, first, size_of(first->bytes), 8);
}

void svs__outbox_clear(svs__outbox *outbox) {
    while (outbox->first != NULL) free_first(outbox);
    outbox->weight = 0;
}

/* Posts a record and begins its mutation. @return SVS_OK; SVS_WAIT: it is not accepted now; or a
 * failure. */
static svs_status post_now(const svs__outbox *outbox, uint32_t to, const svs_handler *handler,
                           const void *record, uint32_t bytes) {
    svs_status status = SVS_OK;
    if (outbox->snapshot != NULL)
        status = svs_mutation_begin(outbox->snapshot, 1, NULL); /* structures.K7 */
    if (status != SVS_OK) return status;
    status = svs_post(outbox->ranks, to, handler, record, bytes);
    if (status != SVS_OK && outbox->snapshot != NULL)
        svs_mutation_end(outbox->snapshot, 1, SVS_NO_EPOCH); /* the mutation was not carried out */
    return status;
}

/* Enables a fiber when a record for rank `to` may be accepted. */
static svs_status wait_to_post(const svs__outbox *outbox, uint32_t to, svs_fiber fiber) {
    if (svs__outbox_is_frozen(outbox)) return svs_mutation_ready(outbox->snapshot, fiber);
    return svs_post_ready(outbox->ranks, to, fiber);
}

/* Function of the fiber that posts all records that wait. */
static svs_status drain(svs_ranks *ranks, void *state) {
    svs__outbox *outbox = *(svs__outbox **)state;
    while (outbox->first != NULL) {
        const svs__outbox_record *first = outbox->first;
        svs_status status = post_now(outbox, first->to, first->handler, first->data, first->bytes);
        svs_fiber rest;
        if (status == SVS_WAIT) {
            status = svs_fiber_continue(ranks, drain, &rest);
            return status != SVS_OK ? status : wait_to_post(outbox, first->to, rest);
        }
        if (status != SVS_OK) return status;
        SVS__ASSERT(outbox->weight >= first->weight); /* structures.K7 */
        outbox->weight -= first->weight;
        free_first(outbox);
    }
    outbox->draining = false;
    outbox->emptied(outbox->self);
    return SVS_OK;
}

static void append(svs__outbox *outbox, svs__outbox_record *record) {
    SVS__ASSERT(record->next == NULL); /* structures.K6 */
    if (outbox->first == NULL) outbox->first = record;
    else outbox->last->next = record;
    outbox->last = record;
    outbox->weight += record->weight;
    outbox->delayed++;
}

static svs_status delay(svs__outbox *outbox, svs__outbox_record *record) {
    svs_fiber fiber;
    svs_status status = SVS_OK;
    if (!outbox->draining) { /* structures.K6 */
        status = svs_fiber_new(outbox->ranks, drain, &outbox, sizeof(svs__outbox *), NULL, &fiber);
        if (status == SVS_OK) status = wait_to_post(outbox, record->to, fiber);
    }
    outbox->draining = outbox->draining || status == SVS_OK;
    if (status == SVS_OK) append(outbox, record);
    else svs__release(&outbox->allocator, record, size_of(record->bytes), 8);
    return status;
}

svs_status svs__outbox_post(svs__outbox *outbox, uint32_t to, const svs_handler *handler,
                            const void *record, uint32_t bytes, uint32_t weight) {
    svs__outbox_record *made;
    svs_status status = SVS_WAIT;
    if (outbox->first == NULL) status = post_now(outbox, to, handler, record, bytes);
    if (status != SVS_WAIT) return status;
    made = svs__allocate(&outbox->allocator, size_of(bytes), 8);
    if (made == NULL) return SVS_E_NO_MEMORY;
    *made = (svs__outbox_record){.handler = handler, .to = to, .bytes = bytes, .weight = weight};
    memcpy(made->data, record, bytes);
    return delay(outbox, made);
}
