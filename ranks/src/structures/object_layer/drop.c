/* Invalidations: a rank drops its own copy, or the owner has all copies dropped. */
#include "structures/object_layer/layer.h"

static void drop_copy(svs_object_layer *layer, svs__layer_entry *entry) {
    if (entry->current == NULL) return;
    layer->statistics.invalidations++;
    svs__layer_uninstall(layer, entry);
}

/* ---- at the owner ---- */

static uint32_t count_holders(const svs_object_layer *layer, const svs__layer_entry *entry) {
    uint32_t count = 0;
    for (uint32_t i = 0; entry->holders != NULL && i < (layer->count + 63) / 64; i++)
        count += (uint32_t)__builtin_popcountll(entry->holders[i]);
    return count;
}

static svs_status send_drops(svs_object_layer *layer, const svs__layer_entry *entry,
                             uint32_t ticket) {
    svs__layer_drop drop = {.owner = layer->index,
                            .number = entry->name.number,
                            .ticket = ticket,
                            .version = entry->current->version};
    for (uint32_t rank = 0; rank < layer->count; rank++) {
        svs_status status;
        if ((entry->holders[rank / 64] >> rank % 64 & 1) == 0) continue;
        status = svs__outbox_post(&layer->outbox, rank, layer->handlers[SVS__LAYER_DROP], &drop,
                                  sizeof drop, 0);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

/* Invalidates an object of this rank: tells all ranks that may have a copy, and waits for their
 * answers. */
static svs_status invalidate_own(svs_object_layer *layer, const svs__layer_entry *entry,
                                 svs_counter *done) {
    svs__layer_waiter waiter = {.done = done};
    uint32_t holders = entry == NULL || entry->current == NULL ? 0 : count_holders(layer, entry);
    uint32_t ticket;
    svs__layer_request *request;
    svs_status status;
    if (holders == 0) {
        svs_counter_add(layer->ranks, done, 1);
        return SVS_OK;
    }
    request = svs__layer_request_new(layer, &ticket);
    if (request == NULL) return SVS_E_NO_MEMORY;
    status = svs__layer_request_wait(layer, request, &waiter);
    if (status != SVS_WAIT) {
        svs__layer_request_end(layer, ticket);
        return status;
    }
    request->left = holders;
    status = send_drops(layer, entry, ticket);
    if (status == SVS_OK) return SVS_WAIT;
    svs__layer_fail(layer, status, "an invalidation cannot be sent");
    return status;
}

svs_status svs_object_layer_invalidate(svs_object_layer *layer, svs_object_layer_name name,
                                       svs_counter *done) {
    svs_status status = svs__layer_check(layer, name, done, "svs_object_layer_invalidate");
    svs__layer_entry *entry;
    if (status != SVS_OK) return status;
    entry = svs__layer_find(layer, name);
    if (svs__layer_is_own(layer, name)) return invalidate_own(layer, entry, done);
    if (entry != NULL) {
        entry->since = layer->number; /* structures.L2 */
        drop_copy(layer, entry);
        svs__layer_look_if_needed(layer, entry);
    }
    svs_counter_add(layer->ranks, done, 1);
    return SVS_OK;
}

/* ---- at a holder ---- */

/* Drops the copy of this rank if it is too old. @return whether this rank still has a copy, or a
 * request in flight. */
static bool take_drop(svs_object_layer *layer, const svs__layer_drop *drop) {
    svs_object_layer_name name = {drop->owner, drop->number};
    svs__layer_entry *entry = svs__layer_find(layer, name);
    bool holds;
    if (entry == NULL) return false; /* the copy was replaced already */
    if (drop->version > entry->least) {
        drop_copy(layer, entry);
        entry->least = drop->version;
    }
    holds = entry->current != NULL || entry->requests != 0;
    svs__layer_look_if_needed(layer, entry);
    return holds;
}

void svs__layer_take_drops(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_object_layer *layer = part;
    const svs__layer_drop *drops = records;
    for (uint32_t i = 0; i < count; i++) {
        svs__layer_dropped answer = {
            .ticket = drops[i].ticket, .from = layer->index, .number = drops[i].number};
        svs_status status = SVS_E_RECORD;
        if (drops[i].owner < layer->count && drops[i].owner != layer->index) {
            answer.holds = take_drop(layer, &drops[i]);
            status = svs_reply(ranks, layer->handlers[SVS__LAYER_DROPPED], &answer, sizeof answer);
        }
        if (status != SVS_OK) {
            svs__layer_fail(layer, status, "an invalidation is malformed, or cannot be answered");
            return;
        }
    }
}

/* ---- at the owner: answers of holders ---- */

/* Removes a rank without a copy from the holders. Its next request comes after this answer
 * (structures.L3). */
static void forget_holder(svs_object_layer *layer, const svs__layer_dropped *answer) {
    svs_object_layer_name name = {layer->index, answer->number};
    const svs__layer_entry *entry = svs__layer_find(layer, name);
    if (!answer->holds && entry != NULL && entry->holders != NULL)
        entry->holders[answer->from / 64] &= ~(UINT64_C(1) << answer->from % 64);
}

static void count_answer(svs_object_layer *layer, uint32_t ticket) {
    svs__layer_request *request = svs__layer_request_of(layer, ticket);
    svs_counter *done;
    if (--request->left != 0) return;
    done = request->first->done;
    svs__layer_waiter_free(layer, request->first);
    svs__layer_request_end(layer, ticket);
    svs_counter_add(layer->ranks, done, 1);
}

void svs__layer_take_dropped(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_object_layer *layer = part;
    const svs__layer_dropped *answers = records;
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) {
        const svs__layer_request *request = svs__layer_request_of(layer, answers[i].ticket);
        if (request == NULL || request->entry != NULL || request->left == 0 ||
            answers[i].from >= layer->count) {
            svs__layer_fail(layer, SVS_E_RECORD, "the answer to an invalidation is malformed");
            return;
        }
        forget_holder(layer, &answers[i]);
        count_answer(layer, answers[i].ticket);
    }
}
