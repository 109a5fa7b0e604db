/* The public calls of object layers: making and freeing, sync, and statistics. */
#include "structures/object_layer/layer.h"
#include "base/sized.h"
#include "structures/refuse.h"
#include <stdio.h>
#include <string.h>

#define REFUSE(status, why) svs_ranks_refuse(ranks, (status), (why))

#define PIECE_BYTES_MAX (1u << 20)

svs_status svs__layer_refuse(const svs_object_layer *layer, svs_status status, const char *call,
                             const char *why) {
    return svs__refuse_call(layer == NULL ? NULL : layer->ranks, status, call, why);
}

void svs__layer_fail(svs_object_layer *layer, svs_status status, const char *why) {
    svs_ignore(svs_structure_fail(layer->structure, status, why));
}

svs_status svs__layer_check(const svs_object_layer *layer, svs_object_layer_name name,
                            const void *given, const char *call) {
    if (SVS__UNLIKELY(layer == NULL || given == NULL))
        return svs__layer_refuse(layer, SVS_E_NULL, call, "layer or done is NULL: pass both");
    if (SVS__UNLIKELY(!svs_ranks_in_run(layer->ranks)))
        return svs__layer_refuse(layer, SVS_E_OUTSIDE, call, "there is no run: call it in a fiber");
    if (SVS__UNLIKELY(name.rank >= layer->count))
        return svs__layer_refuse(layer, SVS_E_INVALID, call,
                                 "there is no rank of this number: name the owner of the object");
    return SVS_OK;
}

/* ---- options ---- */

static const svs_object_layer_options defaults = {
    .size = sizeof defaults, .cache_bytes = 16u << 20, .piece_bytes = 8192};

void svs_object_layer_options_init_sized(svs_object_layer_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static const char *fault_of(svs_ranks *ranks, const svs_object_layer_options *options) {
    char name[SVS_OBJECT_LAYER_NAME + 8];
    if (options->name == NULL || options->name[0] == '\0' ||
        strlen(options->name) >= SVS_OBJECT_LAYER_NAME)
        return "its name is missing, or longer than 23 bytes: choose another one";
    (void)snprintf(name, sizeof name, "%s.layer", options->name);
    if (svs_distributed_find(ranks, name, 0) != NULL)
        return "its name is taken by another layer: choose another one";
    if (options->cache_bytes == 0)
        return "cache_bytes is 0: set it to the bytes of copies that this rank keeps, or to 1 to "
               "keep none";
    if (options->piece_bytes == 0 || options->piece_bytes > PIECE_BYTES_MAX)
        return "piece_bytes is not 1 to 2^20: set it to the most bytes of an object in one record";
    return NULL;
}

static svs_status take_options(svs_ranks *ranks, const svs_object_layer_options *given,
                               svs_object_layer_options *options) {
    const char *fault;
    svs_status status;
    *options = defaults;
    status =
        svs__structure_options_take(ranks, "svs_object_layer", options, sizeof *options, given);
    if (status != SVS_OK) return status;
    fault = fault_of(ranks, options);
    return fault == NULL ? SVS_OK
                         : svs__refuse_call(ranks, SVS_E_INVALID, "svs_object_layer_new", fault);
}

/* ---- making ---- */

static size_t scratch_bytes(const svs_object_layer *layer) {
    return sizeof(svs__layer_piece) + ((layer->piece_bytes + 7) & ~7u);
}

static void release(svs_ranks *ranks, void *part) {
    svs_object_layer *layer = part;
    svs_allocator allocator = layer->allocator;
    (void)ranks;
    svs__layer_requests_clean_up(layer);
    svs__layer_delayed_clean_up(layer);
    svs__layer_versions_clean_up(layer);
    svs__outbox_clear(&layer->outbox);
    svs__release(&allocator, layer->scratch, scratch_bytes(layer), 16);
    svs__release(&allocator, layer, sizeof *layer, _Alignof(svs_object_layer));
}

static void fill_handlers(svs_object_layer *layer, const char *name, svs_handler *handlers) {
    static const char *const ends[] = {"want", "piece", "drop", "dropped"};
    static const uint32_t bytes[] = {sizeof(svs__layer_want), 0, sizeof(svs__layer_drop),
                                     sizeof(svs__layer_dropped)};
    for (int i = 0; i < SVS__LAYER_HANDLERS; i++) {
        (void)snprintf(layer->names[i], sizeof layer->names[i], "%s.%s.%u", name, ends[i],
                       (unsigned)layer->piece_bytes);
        handlers[i] = (svs_handler){
            .name = layer->names[i], .dispatch = SVS_DISPATCH_IN_PLACE, .bytes = bytes[i]};
    }
    handlers[SVS__LAYER_WANT].run_in_place = svs__layer_take_wants;
    handlers[SVS__LAYER_PIECE].run_in_place = svs__layer_take_pieces;
    handlers[SVS__LAYER_DROP].run_in_place = svs__layer_take_drops;
    handlers[SVS__LAYER_DROPPED].run_in_place = svs__layer_take_dropped;
}

static void nothing_emptied(void *self) { (void)self; }

/* @return NULL: no memory. */
static svs_object_layer *make(svs_ranks *ranks, const svs_object_layer_options *options) {
    const svs_allocator *allocator = svs_ranks_allocator(ranks);
    svs_object_layer *layer =
        svs__allocate_zeroed(allocator, sizeof *layer, _Alignof(svs_object_layer));
    if (layer == NULL) return NULL;
    layer->ranks = ranks;
    layer->allocator = *allocator;
    layer->index = svs_ranks_index(ranks);
    layer->count = svs_ranks_count(ranks);
    layer->piece_bytes = options->piece_bytes;
    layer->cache_bytes = options->cache_bytes;
    layer->ticket_free = SVS__LAYER_NONE;
    layer->outbox = (svs__outbox){
        .ranks = ranks, .allocator = layer->allocator, .emptied = nothing_emptied, .self = layer};
    layer->scratch = svs__allocate(allocator, scratch_bytes(layer), 16);
    if (layer->scratch != NULL) return layer;
    release(ranks, layer);
    return NULL;
}

static svs_status make_structure(svs_object_layer *layer, const svs_object_layer_options *given) {
    svs_handler handlers[SVS__LAYER_HANDLERS];
    svs_structure_options options;
    char *name = layer->names[SVS__LAYER_HANDLERS];
    svs_status status;
    fill_handlers(layer, given->name, handlers);
    (void)snprintf(name, sizeof layer->names[0], "%s.layer", given->name);
    svs_structure_options_init(&options);
    options.name = name;
    options.part = layer;
    options.release = release;
    options.handlers = handlers;
    options.handler_count = SVS__LAYER_HANDLERS;
    status = svs_structure_new(layer->ranks, &options, &layer->structure, NULL);
    if (status != SVS_OK) return status;
    layer->snapshot = svs_structure_snapshot(layer->structure);
    for (size_t i = 0; i < SVS__LAYER_HANDLERS; i++)
        layer->handlers[i] = svs_structure_handler(layer->structure, i);
    return SVS_OK;
}

svs_status svs_object_layer_new(svs_ranks *ranks, const svs_object_layer_options *given,
                                svs_object_layer **made) {
    svs_object_layer_options options;
    svs_object_layer *layer;
    svs_status status;
    if (ranks == NULL || made == NULL)
        return REFUSE(SVS_E_NULL, "svs_object_layer_new: ranks or layer is NULL: pass both");
    if (svs_ranks_in_run(ranks))
        return REFUSE(SVS_E_STATE, "svs_object_layer_new: called in a run: make layers before it");
    status = take_options(ranks, given, &options);
    layer = status == SVS_OK ? make(ranks, &options) : NULL;
    if (layer == NULL) {
        svs_structure_decline(ranks);
        return status != SVS_OK ? status : SVS_E_NO_MEMORY;
    }
    status = make_structure(layer, &options);
    if (status == SVS_OK) *made = layer;
    else release(ranks, layer);
    return status;
}

svs_status svs_object_layer_free(svs_object_layer *layer, svs_counter *done) {
    if (layer == NULL)
        return svs__layer_refuse(NULL, SVS_E_NULL, "svs_object_layer_free",
                                 "layer is NULL: pass one");
    if (layer->in_flight != 0 || layer->sendings != 0 || layer->first != NULL ||
        layer->outbox.first != NULL || layer->syncs != layer->syncs_ended)
        return svs__layer_refuse(layer, SVS_E_BUSY, "svs_object_layer_free",
                                 "an operation is in progress: wait for the counters, and sync");
    if (layer->views != 0)
        return svs__layer_refuse(layer, SVS_E_BUSY, "svs_object_layer_free",
                                 "a view is not released: release all views first");
    return svs_structure_free(layer->structure, done);
}

/* ---- sync ---- */

typedef struct sync_end {
    svs_object_layer *layer;
    svs_counter *done;
} sync_end;

/* Function of the fiber that ends a sync, after all ranks have called it. */
static svs_status end_sync(svs_ranks *ranks, void *state) {
    const sync_end *me = state;
    me->layer->since = me->layer->number; /* structures.L2 */
    me->layer->syncs_ended++;
    svs_counter_add(ranks, me->done, 1);
    return SVS_OK;
}

svs_status svs_object_layer_sync(svs_object_layer *layer, svs_counter *done) {
    sync_end end = {layer, done};
    svs_fiber fiber;
    svs_status status;
    if (layer == NULL || done == NULL)
        return svs__layer_refuse(layer, SVS_E_NULL, "svs_object_layer_sync",
                                 "layer or done is NULL: pass both");
    if (!svs_ranks_in_run(layer->ranks))
        return svs__layer_refuse(layer, SVS_E_OUTSIDE, "svs_object_layer_sync",
                                 "there is no run: call it in a fiber");
    status = svs_fiber_new(layer->ranks, end_sync, &end, sizeof end, NULL, &fiber);
    if (status != SVS_OK) return status;
    status = svs_snapshot_sync(layer->snapshot, &layer->synced);
    if (status != SVS_WAIT) {
        svs_ignore(svs_fiber_free(layer->ranks, fiber));
        return status;
    }
    layer->syncs++;
    status = svs_counter_wait(layer->ranks, &layer->synced, layer->syncs, fiber);
    return status == SVS_OK
               ? SVS_WAIT
               : svs_structure_fail(layer->structure, status, "a sync cannot be waited for");
}

/* ---- calls that are complete when they return ---- */

uint64_t svs_object_layer_version(const svs_object_layer *layer, svs_object_layer_name name) {
    const svs__layer_entry *entry = layer == NULL ? NULL : svs__layer_find(layer, name);
    return entry == NULL || entry->current == NULL ? 0 : entry->current->version;
}

svs_snapshot *svs_object_layer_snapshot(const svs_object_layer *layer) {
    return layer == NULL ? NULL : layer->snapshot;
}

svs_status svs_object_layer_statistics_get_sized(const svs_object_layer *layer,
                                                 svs_object_layer_statistics *statistics,
                                                 size_t size) {
    if (layer == NULL || statistics == NULL)
        return svs__layer_refuse(layer, SVS_E_NULL, "svs_object_layer_statistics_get",
                                 "layer or statistics is NULL: pass both");
    svs__output_put(statistics, size, &layer->statistics, sizeof layer->statistics);
    return SVS_OK;
}
