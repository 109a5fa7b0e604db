/* Misuse of object layers: each program runs on two ranks over sim. */
#include "misuse.h"
#include <svs/ranks.h>

static svs_object_layer_options options_of(const char *name) {
    svs_object_layer_options options;
    svs_object_layer_options_init(&options);
    options.name = name;
    return options;
}

static svs_status make(svs_ranks *ranks, svs_object_layer_options options) {
    svs_object_layer *layer = NULL;
    svs_status status = svs_object_layer_new(ranks, &options, &layer);
    svs_ranks_set_data(ranks, layer);
    return status;
}

static svs_status make_one(svs_ranks *ranks) { return make(ranks, options_of("one")); }

#define PREPARE(name_, ...)                                                                        \
    static svs_status name_##_prepare(svs_ranks *ranks) { __VA_ARGS__ }                            \
    static svs_status name_(setting *s) { return stage_ranks(s, name_##_prepare, NULL); }

static const svs_object_layer_name of_0 = {0, 7}, of_1 = {1, 7}, of_none = {2, 7};

/* The thread of rank 0, with a layer. */
#define RUN(name_, ...)                                                                            \
    static svs_status name_##_thread(svs_ranks *ranks, void *state) {                              \
        svs_object_layer *one = (svs_object_layer *)svs_ranks_data(ranks);                         \
        svs_object_layer_view view = {NULL, 0, 0, SVS_OK, NULL};                                   \
        svs_counter done;                                                                          \
        (void)state, (void)one, (void)view;                                                        \
        svs_counter_init(&done, 0);                                                                \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static svs_status name_##_start(svs_ranks *ranks, void *state) {                               \
        if (svs_ranks_index(ranks) != 0) return SVS_OK;                                            \
        return svs_thread_spawn(ranks, name_##_thread, state, 0, NULL);                            \
    }                                                                                              \
    static svs_status name_(setting *s) { return stage_ranks(s, make_one, name_##_start); }

/* clang-format off */
PREPARE(of_no_version,
        svs_object_layer_options options = options_of("one");
        options.size = 1;
        return make(ranks, options);)
PREPARE(without_name, return make(ranks, options_of(""));)
PREPARE(twice, svs_status status = make_one(ranks); return status ? status : make_one(ranks);)
PREPARE(without_cache,
        svs_object_layer_options options = options_of("one");
        options.cache_bytes = 0;
        return make(ranks, options);)
PREPARE(without_pieces,
        svs_object_layer_options options = options_of("one");
        options.piece_bytes = 0;
        return make(ranks, options);)
PREPARE(that_differ,
        svs_object_layer_options options = options_of("one");
        options.piece_bytes += svs_ranks_index(ranks);
        return make(ranks, options);)
PREPARE(read_outside,
        svs_counter done;
        svs_object_layer_view view;
        svs_status status = make_one(ranks);
        svs_counter_init(&done, 0);
        return status ? status : svs_object_layer_read((svs_object_layer *)svs_ranks_data(ranks),
                                                       of_1, &view, &done);)
/* clang-format on */
RUN(in_run, return make(ranks, options_of("two"));)
RUN(publish_elsewhere, return svs_object_layer_publish(one, of_1, "a", 1, &done);)
RUN(publish_nothing, return svs_object_layer_publish(one, of_0, NULL, 1, &done);)
RUN(read_of_no_rank, return svs_object_layer_read(one, of_none, &view, &done);)
RUN(read_own_missing, return svs_object_layer_read(one, of_0, &view, &done);)
RUN(read_missing, svs_status status = svs_object_layer_read(one, of_1, &view, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 1);
    return status ? status : view.status;)
RUN(read_to_nothing, return svs_object_layer_read(one, of_1, NULL, &done);)
RUN(release_twice, svs_status status = svs_object_layer_publish(one, of_0, "a", 1, &done);
    if (status == SVS_OK) status = svs_object_layer_read(one, of_0, &view, &done);
    if (status == SVS_OK) status = svs_object_layer_release(one, &view);
    return status ? status : svs_object_layer_release(one, &view);)
RUN(free_while_reading, svs_status status = svs_object_layer_read(one, of_1, &view, &done);
    return status != SVS_WAIT ? status : svs_object_layer_free(one, &done);)
RUN(free_with_view, svs_status status = svs_object_layer_publish(one, of_0, "a", 1, &done);
    if (status == SVS_OK) status = svs_object_layer_read(one, of_0, &view, &done);
    return status ? status : svs_object_layer_free(one, &done);)
RUN(sync_on_one_rank, svs_status status = svs_object_layer_sync(one, &done);
    return status == SVS_WAIT ? svs_await(ranks, &done, 1) : status;)

const misuse misuses_of_object_layers[] = {
    {"svs_object_layer_new: options of another version", SVS_E_VERSION,
     "svs_object_layer_new: options are NULL or of another version: fill them by "
     "svs_object_layer_options_init()",
     of_no_version, false},
    {"svs_object_layer_new: without a name", SVS_E_INVALID,
     "svs_object_layer_new: its name is missing, or longer than 23 bytes: choose another one",
     without_name, false},
    {"svs_object_layer_new: a name twice", SVS_E_INVALID,
     "svs_object_layer_new: its name is taken by another layer: choose another one", twice, false},
    {"svs_object_layer_new: a cache of 0 bytes", SVS_E_INVALID,
     "cache_bytes is 0: set it to the bytes of copies that this rank keeps, or to 1 to keep none",
     without_cache, false},
    {"svs_object_layer_new: pieces of 0 bytes", SVS_E_INVALID,
     "piece_bytes is not 1 to 2^20: set it to the most bytes of an object in one record",
     without_pieces, false},
    {"svs_object_layer_new: different pieces on two ranks", SVS_E_DIFFERS, "one.want.819",
     that_differ, false},
    {"svs_object_layer_new: from a fiber", SVS_E_STATE,
     "svs_object_layer_new: called in a run: make layers before it", in_run, false},
    {"svs_object_layer_publish: by a rank that is not the owner", SVS_E_INVALID,
     "svs_object_layer_publish: another rank is the owner of the object: publish it there",
     publish_elsewhere, false},
    {"svs_object_layer_publish: bytes of nothing", SVS_E_NULL,
     "svs_object_layer_publish: data is NULL: pass the bytes of the version", publish_nothing,
     false},
    {"svs_object_layer_read: outside of a run", SVS_E_OUTSIDE,
     "svs_object_layer_read: there is no run: call it in a fiber", read_outside, false},
    {"svs_object_layer_read: of a rank that is not there", SVS_E_INVALID,
     "svs_object_layer_read: there is no rank of this number: name the owner of the object",
     read_of_no_rank, false},
    {"svs_object_layer_read: an own object that is not there", SVS_E_INVALID,
     "svs_object_layer_read: this rank has published no such object: publish it first",
     read_own_missing, false},
    {"svs_object_layer_read: another rank's object that is not there", SVS_E_INVALID,
     "svs_object_layer_read: rank 1 has published no object 7: publish it before it is read",
     read_missing, false},
    {"svs_object_layer_read: without a view", SVS_E_NULL,
     "svs_object_layer_read: view is NULL: pass one, or refresh", read_to_nothing, false},
    {"svs_object_layer_release: twice", SVS_E_STATE,
     "svs_object_layer_release: the view holds nothing: release it once, after its counter",
     release_twice, false},
    {"svs_object_layer_free: while a read is in flight", SVS_E_BUSY,
     "svs_object_layer_free: an operation is in progress: wait for the counters, and sync",
     free_while_reading, false},
    {"svs_object_layer_free: while a view is held", SVS_E_BUSY,
     "svs_object_layer_free: a view is not released: release all views first", free_with_view,
     false},
    {"svs_object_layer_sync: on some ranks only", SVS_E_DEADLOCK, "which is 0, to be 1",
     sync_on_one_rank, false},
    {NULL, 0, NULL, NULL, false}};
