/* The owner of objects: publishes, and answers to the requests of other ranks. */
#include "structures/object_layer/layer.h"
#include <string.h>

/* ---- publishes ---- */

static void take_effect(svs_object_layer *layer, svs__layer_entry *entry,
                        svs__layer_version *version) {
    version->version = entry->current == NULL ? 1 : entry->current->version + 1;
    version->number = UINT64_MAX; /* on its owner a version is always the newest */
    svs__layer_install(layer, entry, version);
    layer->statistics.published++;
}

static bool is_frozen(const svs_object_layer *layer) {
    return svs_mutation_begin(layer->snapshot, 0, NULL) != SVS_OK;
}

static void free_first(svs_object_layer *layer) {
    svs__layer_delayed *first = layer->first;
    layer->first = first->next;
    svs__release(&layer->allocator, first, sizeof *first, _Alignof(svs__layer_delayed));
}

void svs__layer_delayed_clean_up(svs_object_layer *layer) {
    while (layer->first != NULL) {
        svs__layer_version_free(layer, layer->first->version);
        free_first(layer);
    }
}

/* Function of the fiber that carries out the publishes that wait. */
static svs_status publish_delayed(svs_ranks *ranks, void *state) {
    svs_object_layer *layer = *(svs_object_layer **)state;
    while (layer->first != NULL && !is_frozen(layer)) {
        svs__layer_delayed one = *layer->first;
        svs__layer_entry *entry = svs__layer_find_or_make(layer, one.name);
        if (entry == NULL) return SVS_E_NO_MEMORY;
        free_first(layer);
        take_effect(layer, entry, one.version);
        svs_counter_add(ranks, one.done, 1);
    }
    if (layer->first != NULL) { /* the snapshot is frozen again */
        svs_fiber rest;
        svs_status status = svs_fiber_continue(ranks, publish_delayed, &rest);
        return status == SVS_OK ? svs_mutation_ready(layer->snapshot, rest) : status;
    }
    return SVS_OK;
}

static svs_status start_publisher(svs_object_layer *layer) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(layer->ranks, publish_delayed, &layer,
                                      sizeof(svs_object_layer *), NULL, &fiber);
    return status == SVS_OK ? svs_mutation_ready(layer->snapshot, fiber) : status;
}

static svs_status delay(svs_object_layer *layer, const svs__layer_delayed *publish) {
    svs__layer_delayed *made =
        svs__allocate(&layer->allocator, sizeof *made, _Alignof(svs__layer_delayed));
    svs_status status = made == NULL ? SVS_E_NO_MEMORY : SVS_OK;
    if (status == SVS_OK && layer->first == NULL) status = start_publisher(layer);
    if (status != SVS_OK) {
        svs__release(&layer->allocator, made, sizeof *made, _Alignof(svs__layer_delayed));
        return status;
    }
    *made = *publish;
    if (layer->first == NULL) layer->first = made;
    else layer->last->next = made;
    layer->last = made;
    layer->statistics.delayed++;
    return SVS_WAIT;
}

static svs_status publish(svs_object_layer *layer, const svs__layer_delayed *one) {
    svs__layer_entry *entry;
    if (layer->first != NULL || is_frozen(layer)) return delay(layer, one);
    entry = svs__layer_find_or_make(layer, one->name);
    if (entry == NULL) return SVS_E_NO_MEMORY;
    take_effect(layer, entry, one->version);
    svs_counter_add(layer->ranks, one->done, 1);
    return SVS_OK;
}

svs_status svs_object_layer_publish(svs_object_layer *layer, svs_object_layer_name name,
                                    const void *data, size_t bytes, svs_counter *done) {
    svs_status status = svs__layer_check(layer, name, done, "svs_object_layer_publish");
    svs__layer_delayed one = {.name = name, .done = done};
    if (status != SVS_OK) return status;
    if (data == NULL && bytes != 0)
        return svs__layer_refuse(layer, SVS_E_NULL, "svs_object_layer_publish",
                                 "data is NULL: pass the bytes of the version");
    if (!svs__layer_is_own(layer, name))
        return svs__layer_refuse(layer, SVS_E_INVALID, "svs_object_layer_publish",
                                 "another rank is the owner of the object: publish it there");
    if (bytes > SVS_OBJECT_LAYER_BYTES)
        return svs__layer_refuse(layer, SVS_E_INVALID, "svs_object_layer_publish",
                                 "the object has more than SVS_OBJECT_LAYER_BYTES: divide it");
    one.version = svs__layer_version_new(layer, bytes);
    if (one.version == NULL) return SVS_E_NO_MEMORY;
    if (bytes != 0) memcpy(one.version->data, data, bytes);
    status = publish(layer, &one);
    if (status != SVS_OK && status != SVS_WAIT) svs__layer_version_free(layer, one.version);
    return status;
}

/* ---- answers ---- */

/* Packs the piece of a version at `offset`. @return the bytes of the record. */
static uint32_t pack(svs_object_layer *layer, const svs__layer_version *version, uint32_t ticket,
                     uint64_t offset) {
    uint64_t left = version->bytes - offset;
    uint32_t some = left < layer->piece_bytes ? (uint32_t)left : layer->piece_bytes;
    svs__layer_piece *piece = layer->scratch;
    *piece = (svs__layer_piece){ticket, SVS__LAYER_BYTES, version->version, version->bytes, offset};
    if (some != 0) memcpy(piece->data, version->data + offset, some);
    memset(piece->data + some, 0, ((some + 7) & ~7u) - some);
    return (uint32_t)sizeof *piece + ((some + 7) & ~7u);
}

/* A fiber that sends a version in pieces. The version is pinned until the last one is sent. */
typedef struct sending {
    svs_object_layer *layer;
    svs__layer_version *version;
    uint64_t offset;
    uint32_t to, ticket;
} sending;

static svs_status send_pieces(svs_ranks *ranks, void *state) {
    sending *me = state;
    svs_object_layer *layer = me->layer;
    while (me->offset < me->version->bytes) {
        uint32_t bytes = pack(layer, me->version, me->ticket, me->offset);
        svs_status status =
            svs_post(ranks, me->to, layer->handlers[SVS__LAYER_PIECE], layer->scratch, bytes);
        svs_fiber rest;
        if (status == SVS_WAIT) {
            status = svs_fiber_continue(ranks, send_pieces, &rest);
            return status == SVS_OK ? svs_post_ready(ranks, me->to, rest) : status;
        }
        if (status != SVS_OK) return status;
        layer->statistics.pieces++;
        me->offset += layer->piece_bytes;
    }
    layer->sendings--;
    svs__layer_unpin(layer, me->version);
    return SVS_OK;
}

static svs_status start_sending(svs_object_layer *layer, svs__layer_version *version,
                                const svs__layer_want *want) {
    sending first = {layer, version, 0, want->from, want->ticket};
    svs_fiber fiber;
    svs_status status =
        svs_fiber_new(layer->ranks, send_pieces, &first, sizeof first, NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(layer->ranks, fiber);
    if (status != SVS_OK) return status;
    svs__layer_pin(layer, version);
    layer->sendings++;
    return SVS_OK;
}

/* Notes that a rank may have a copy (structures.L3). */
static svs_status note_holder(svs_object_layer *layer, svs__layer_entry *entry, uint32_t rank) {
    if (entry->holders == NULL)
        entry->holders = svs__allocate_zeroed(
            &layer->allocator, (layer->count + 63) / 64 * sizeof *entry->holders, 16);
    if (entry->holders == NULL) return SVS_E_NO_MEMORY;
    entry->holders[rank / 64] |= UINT64_C(1) << rank % 64;
    return SVS_OK;
}

static svs_status answer(svs_object_layer *layer, svs__layer_entry *entry,
                         const svs__layer_want *want) {
    svs__layer_version *current = entry->current;
    svs__layer_piece none = {
        .ticket = want->ticket, .answer = SVS__LAYER_MISSING, .version = want->known};
    svs_status status = note_holder(layer, entry, want->from);
    if (status != SVS_OK) return status;
    if (current == NULL || current->version == want->known) {
        if (current != NULL) none.answer = SVS__LAYER_UNCHANGED;
        return svs_reply(layer->ranks, layer->handlers[SVS__LAYER_PIECE], &none, sizeof none);
    }
    if (current->bytes > layer->piece_bytes) return start_sending(layer, current, want);
    layer->statistics.pieces++;
    return svs_reply(layer->ranks, layer->handlers[SVS__LAYER_PIECE], layer->scratch,
                     pack(layer, current, want->ticket, 0));
}

void svs__layer_take_wants(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_object_layer *layer = part;
    const svs__layer_want *wants = records;
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) {
        svs_object_layer_name name = {layer->index, wants[i].number};
        svs_status status = SVS_E_NO_MEMORY;
        svs__layer_entry *entry;
        if (wants[i].from >= layer->count || wants[i].from == layer->index) {
            svs__layer_fail(layer, SVS_E_RECORD, "a request for an object is malformed");
            return;
        }
        /* also for an object that does not exist yet */
        entry = svs__layer_find_or_make(layer, name);
        if (entry != NULL) status = answer(layer, entry, &wants[i]);
        if (status != SVS_OK) {
            svs__layer_fail(layer, status, "a request for an object cannot be answered");
            return;
        }
    }
}
