/* Answers of owners: versions that arrive, in one piece or several, and the completion of reads. */
#include "structures/object_layer/layer.h"
#include <stdio.h>
#include <string.h>

/* ---- completion of reads ---- */

static void fill_view(svs_object_layer *layer, svs_object_layer_view *view,
                      svs__layer_version *version) {
    *view = (svs_object_layer_view){.status = SVS_E_INVALID};
    if (version == NULL) return;
    SVS__ASSERT(version->entry == NULL ||
                version->version >= version->entry->least); /* structures.L1 */
    svs__layer_pin(layer, version);
    layer->views++;
    *view =
        (svs_object_layer_view){version->data, version->bytes, version->version, SVS_OK, version};
}

void svs__layer_answer_with(svs_object_layer *layer, const svs__layer_waiter *waiter,
                            svs__layer_version *version) {
    SVS__ASSERT(version == NULL || version->number > waiter->after); /* structures.L2 */
    if (waiter->view != NULL) fill_view(layer, waiter->view, version);
    svs_counter_add(layer->ranks, waiter->done, 1);
}

static void answer_all(svs_object_layer *layer, svs__layer_waiter *first,
                       svs__layer_version *version) {
    while (first != NULL) {
        svs__layer_waiter waiter = *first;
        svs__layer_waiter_free(layer, first);
        first = waiter.next;
        svs__layer_answer_with(layer, &waiter, version);
    }
}

static void say_missing(const svs_object_layer *layer, svs_object_layer_name name) {
    char text[120];
    (void)snprintf(text, sizeof text,
                   "rank %u has published no object %u: publish it before it is read",
                   (unsigned)name.rank, (unsigned)name.number);
    (void)svs__layer_refuse(layer, SVS_E_INVALID, "svs_object_layer_read", text);
}

/* ---- the end of a request ---- */

/* Repeats a request whose answer was too old, for all reads and refreshes that wait for it. */
static void repeat(svs_object_layer *layer, svs__layer_entry *entry, svs__layer_waiter *first,
                   svs__layer_waiter *last) {
    svs__layer_request *next;
    if (first == NULL) {
        svs__layer_look_if_needed(layer, entry);
        return;
    }
    if (svs__layer_ask(layer, entry, &next) != SVS_OK) {
        svs__layer_waiters_free(layer, first);
        svs__layer_fail(layer, SVS_E_NO_MEMORY, "there is no memory to repeat a request");
        return;
    }
    next->first = first;
    next->last = last;
}

/* Decides which version an answer yields. @param version the version of the answer; NULL: there is
 * no such object yet. It becomes the copy of this rank, unless this rank has a newer one or knows
 * of one. @return the version that reads get; NULL: none may be read. */
static svs__layer_version *settle(svs_object_layer *layer, svs__layer_entry *entry,
                                  svs__layer_version *version, uint64_t number) {
    svs__layer_version *current = entry->current;
    if (version != NULL && number > version->number) version->number = number;
    if (version == current) return version;
    if (version == NULL || version->version < entry->least) {
        layer->statistics.overtaken++;
        return current;
    }
    if (current != NULL && current->version == version->version) { /* it has arrived twice */
        if (number > current->number) current->number = number;
        return current;
    }
    /* A copy that was invalidated on this rank after the request answers only the reads that waited
     * then. */
    if (!version->is_old) svs__layer_install(layer, entry, version);
    return version;
}

/* Ends a request with its answer. @param version pinned by the request; NULL: there is no such
 * object. */
static void finish(svs_object_layer *layer, uint32_t ticket, svs__layer_version *version) {
    svs__layer_request request = *svs__layer_request_of(layer, ticket);
    svs__layer_entry *entry = request.entry;
    svs__layer_version *given = settle(layer, entry, version, request.number);
    svs__layer_request_end(layer, ticket);
    if (given != NULL) svs__layer_pin(layer, given);
    if (request.known != NULL) svs__layer_unpin(layer, request.known);
    if (request.arriving != NULL) svs__layer_unpin(layer, request.arriving);
    if (given == NULL && entry->least != 0) {
        repeat(layer, entry, request.first, request.last);
        return;
    }
    if (given == NULL) say_missing(layer, entry->name);
    svs__layer_look_if_needed(layer, entry);
    answer_all(layer, request.first, given);
    if (given != NULL) svs__layer_unpin(layer, given);
}

/* ---- records ---- */

static svs_status begin_version(svs_object_layer *layer, svs__layer_request *request,
                                const svs__layer_piece *piece) {
    request->arriving = svs__layer_version_new(layer, piece->total);
    if (request->arriving == NULL) return SVS_E_NO_MEMORY;
    request->arriving->version = piece->version;
    svs__layer_pin(layer, request->arriving);
    return SVS_OK;
}

static bool is_well_formed(const svs_object_layer *layer, const svs__layer_request *request,
                           const svs__layer_piece *piece, uint32_t bytes) {
    const svs__layer_version *arriving = request->arriving;
    uint64_t left = piece->total - piece->offset, most = layer->piece_bytes;
    uint64_t data = left < most ? left : most;
    if (piece->answer == SVS__LAYER_UNCHANGED)
        return request->known != NULL && piece->version == request->known->version;
    if (piece->answer == SVS__LAYER_MISSING) return request->known == NULL && arriving == NULL;
    return piece->answer == SVS__LAYER_BYTES && piece->version != 0 &&
           piece->total <= SVS_OBJECT_LAYER_BYTES && piece->offset <= piece->total &&
           piece->offset == request->arrived && bytes == sizeof *piece + ((data + 7) & ~7u) &&
           (arriving == NULL
                ? piece->offset == 0
                : arriving->version == piece->version && arriving->bytes == piece->total);
}

static void take_bytes(svs_object_layer *layer, svs__layer_request *request,
                       const svs__layer_piece *piece) {
    uint64_t left = piece->total - piece->offset;
    uint64_t some = left < layer->piece_bytes ? left : layer->piece_bytes;
    if (request->arriving == NULL && begin_version(layer, request, piece) != SVS_OK) {
        svs__layer_fail(layer, SVS_E_NO_MEMORY, "there is no memory for a copy that arrives");
        return;
    }
    if (some != 0) memcpy(request->arriving->data + piece->offset, piece->data, some);
    request->arrived += some;
    if (request->arrived != piece->total) return;
    layer->statistics.fetches++;
    layer->statistics.fetched_bytes += piece->total;
    finish(layer, piece->ticket, request->arriving);
}

void svs__layer_take_pieces(svs_ranks *ranks, void *part, const void *record, uint32_t bytes) {
    svs_object_layer *layer = part;
    const svs__layer_piece *piece = record;
    svs__layer_request *request =
        bytes < sizeof *piece ? NULL : svs__layer_request_of(layer, piece->ticket);
    (void)ranks;
    if (request == NULL || request->entry == NULL ||
        !is_well_formed(layer, request, piece, bytes)) {
        svs__layer_fail(layer, SVS_E_RECORD, "an answer of an owner is malformed");
        return;
    }
    if (piece->answer == SVS__LAYER_BYTES) {
        take_bytes(layer, request, piece);
        return;
    }
    layer->statistics.unchanged += piece->answer == SVS__LAYER_UNCHANGED;
    finish(layer, piece->ticket, piece->answer == SVS__LAYER_UNCHANGED ? request->known : NULL);
}
