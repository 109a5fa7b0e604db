/* SvS through its public headers: a transform sends all items, an itemizer writes what each names.
 * One run is one iteration of the graph, so sends, footprints, scheduling and the wait for the end
 * are all measured. */
#include "dispatch.h"
#include "lent.h"

#include <stdlib.h>
#include <string.h>

typedef struct cell {
    svs_object svs;
    uint64_t count;
} cell;
SVS_TYPE(cell, svs)

/* By an index of a space, of counters in an array. */
typedef struct spaced {
    svs_space *space;
    uint64_t *counts;
    uint32_t rounds;
} spaced;

typedef struct dispatch_state {
    const dispatch_case *c;
    cell **objects, **targets;
    uint64_t *run_before; /* instances of each worker at the last look */
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *produce, *consume;
    int traced;
    spaced by_index;
    lent_threads *lent; /* NULL: the runtime has its own */
} dispatch_state;

typedef struct one {
    cell *a;
} one;
static void one_touch(svs_footprint *f, const one *item) { svs_writes_object(f, &item->a->svs); }
static svs_status one_run(svs_context *x, one *item) {
    dispatch_write_one(&item->a->count, *(const uint32_t *)svs_context_argument(x));
    return SVS_OK;
}
SVS_TASK(one, one_run, one_touch)

typedef struct two {
    cell *a, *b;
} two;
static void two_touch(svs_footprint *f, const two *item) {
    svs_writes_object(f, &item->a->svs);
    svs_writes_object(f, &item->b->svs);
}
static svs_status two_run(svs_context *x, two *item) {
    dispatch_write_two(&item->a->count, &item->b->count,
                       *(const uint32_t *)svs_context_argument(x));
    return SVS_OK;
}
SVS_TASK(two, two_run, two_touch)

/* Task types of N accesses, N > 2 or with reads: by object, address, index and span. */
#define WAYS(N)                                                                                    \
    typedef struct many_##N {                                                                      \
        cell *to[N];                                                                               \
    } many_##N;                                                                                    \
    static void write_##N(uint64_t *const *to, const svs_context *x, bool reads) {                 \
        dispatch_write_many(to, N, reads, *(const uint32_t *)svs_context_argument(x));             \
    }                                                                                              \
    static void object_##N##_touch(svs_footprint *f, const many_##N *item) {                       \
        for (int i = 0; i < (N); i++) svs_writes_object(f, &item->to[i]->svs);                     \
    }                                                                                              \
    static void object_##N##_reads_touch(svs_footprint *f, const many_##N *item) {                 \
        svs_writes_object(f, &item->to[0]->svs);                                                   \
        for (int i = 1; i < (N); i++) svs_reads_object(f, &item->to[i]->svs);                      \
    }                                                                                              \
    static void address_##N##_touch(svs_footprint *f, const many_##N *item) {                      \
        for (int i = 0; i < (N); i++) svs_writes_address(f, &item->to[i]->count);                  \
    }                                                                                              \
    static svs_status many_##N##_run(svs_context *x, many_##N *item) {                             \
        uint64_t *to[N];                                                                           \
        for (int i = 0; i < (N); i++) to[i] = &item->to[i]->count;                                 \
        write_##N(to, x, false);                                                                   \
        return SVS_OK;                                                                             \
    }                                                                                              \
    static svs_status many_##N##_reads_run(svs_context *x, many_##N *item) {                       \
        uint64_t *to[N];                                                                           \
        for (int i = 0; i < (N); i++) to[i] = &item->to[i]->count;                                 \
        write_##N(to, x, true);                                                                    \
        return SVS_OK;                                                                             \
    }                                                                                              \
    SVS_TASK(object_##N, many_##N, many_##N##_run, object_##N##_touch)                             \
    SVS_TASK(object_##N##_reads, many_##N, many_##N##_reads_run, object_##N##_reads_touch)         \
    SVS_TASK(address_##N, many_##N, many_##N##_run, address_##N##_touch)                           \
    typedef struct index_##N {                                                                     \
        uint32_t at[N];                                                                            \
    } index_##N;                                                                                   \
    static void index_##N##_touch(svs_footprint *f, const index_##N *item) {                       \
        const spaced *s = svs_footprint_argument(f);                                               \
        for (int i = 0; i < (N); i++) svs_writes_at(f, s->space, item->at[i]);                     \
    }                                                                                              \
    static void span_##N##_touch(svs_footprint *f, const index_##N *item) {                        \
        svs_writes_span(f, ((const spaced *)svs_footprint_argument(f))->space, item->at[0], N);    \
    }                                                                                              \
    static svs_status index_##N##_run(svs_context *x, index_##N *item) {                           \
        const spaced *s = svs_context_argument(x);                                                 \
        uint64_t *to[N];                                                                           \
        for (int i = 0; i < (N); i++) to[i] = &s->counts[item->at[i]];                             \
        dispatch_write_many(to, N, false, s->rounds);                                              \
        return SVS_OK;                                                                             \
    }                                                                                              \
    SVS_TASK(index_##N, index_##N, index_##N##_run, index_##N##_touch)                             \
    SVS_TASK(span_##N, index_##N, index_##N##_run, span_##N##_touch)

WAYS(1)
WAYS(2)
WAYS(5)
WAYS(9)
WAYS(13)

#define TYPES_OF(N)                                                                                \
    {                                                                                              \
        N, {&object_##N##_task, &address_##N##_task, &index_##N##_task, &span_##N##_task},         \
            &object_##N##_reads_task                                                               \
    }
static const struct types {
    uint32_t objects;
    const svs_task_type *by[4], *reads;
} types[] = {TYPES_OF(1), TYPES_OF(2), TYPES_OF(5), TYPES_OF(9), TYPES_OF(13)};

static const svs_task_type *type_of(const dispatch_case *c) {
    if (c->by == BY_OBJECT && !c->reads && c->objects <= 2)
        return c->objects == 1 ? &one_task : &two_task;
    if (c->by != BY_OBJECT && c->reads) bench_fail("reads are of objects");
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].objects == c->objects) return c->reads ? types[i].reads : types[i].by[c->by];
    bench_fail("%u objects: there are tasks of 1, 2, 5, 9 and 13", c->objects);
}

static bool is_spaced(const dispatch_case *c) { return c->by == BY_INDEX || c->by == BY_SPAN; }

/* The targets are laid out as the items are: pointers, or numbers. */
typedef struct produce {
    dispatch_state *state;
} produce;
static void produce_touch(svs_footprint *f, const produce *item) { (void)f, (void)item; }
static svs_status produce_run(svs_context *x, produce *item) {
    const dispatch_state *s = item->state;
    const svs_task_type *type = type_of(s->c);
    uint32_t objects = s->c->objects;
    for (size_t i = 0; i < s->c->count; i += s->c->sends) {
        size_t left = s->c->count - i, some = left < s->c->sends ? left : s->c->sends;
        const void *items = is_spaced(s->c) ? (const void *)(s->c->chosen + i * objects)
                                            : (const void *)(s->targets + i * objects);
        svs_status status = svs_send(x, s->consume, items, some, type->item_size);
        if (status) return status;
    }
    return SVS_OK;
}
SVS_TASK(produce, produce_run, produce_touch)

/* A runtime with workers that are threads of the program. */
static void lend_threads(dispatch_state *s, const dispatch_engine *engine) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = engine->threads;
    s->lent = lent_new(&options);
    BENCH_OK(svs_runtime_new(&options, &s->runtime));
    BENCH_OK(svs_runtime_start(s->runtime));
    lent_begin(s->lent, s->runtime);
}

static void make_runtime_and_world(dispatch_state *s, const dispatch_engine *engine) {
    svs_world_options world_options;
    if (!strcmp(engine->algorithm, "lent")) lend_threads(s, engine);
    else s->runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, engine->threads);
    svs_world_options_init(&world_options);
    world_options.signature_bits = 512;
    world_options.cell_bits = engine->cells;
    BENCH_OK(svs_world_new(s->runtime, &world_options, &s->world));
}

static void make_graph(dispatch_state *s, const dispatch_engine *engine) {
    svs_graph_options options;
    produce item = {s};
    svs_graph_options_init(&options);
    options.name = "dispatch";
    if (!strcmp(engine->algorithm, "staged")) options.algorithm = SVS_ALGORITHM_STAGED;
    if (!strcmp(engine->algorithm, "progressive")) options.algorithm = SVS_ALGORITHM_PROGRESSIVE;
    BENCH_OK(svs_graph_new(s->world, &options, &s->graph));
    BENCH_OK(svs_graph_add_transform(s->graph, &produce_task, &item, NULL, &s->produce));
    if (is_spaced(s->c)) {
        BENCH_OK(svs_space_new(s->world, "counts", s->c->keys, &s->by_index.space));
        s->by_index.counts = bench_allocate(s->c->keys, sizeof *s->by_index.counts);
        s->by_index.rounds = s->c->rounds;
    }
    BENCH_OK(svs_graph_add_itemizer(
        s->graph, type_of(s->c),
        is_spaced(s->c) ? (void *)&s->by_index : (void *)(uintptr_t)&s->c->rounds, &s->consume));
    BENCH_OK(svs_graph_add_flow(s->graph, s->produce, s->consume));
}

/* One trace of all repetitions. */
static void start_trace(svs_runtime *runtime) {
    svs_trace_options options;
    svs_trace_options_init(&options);
    options.max_bytes = (size_t)1 << 30;
    BENCH_OK(svs_trace_start(runtime, &options));
}

static void *make(const dispatch_engine *engine, const dispatch_case *c) {
    dispatch_state *s = bench_allocate(1, sizeof *s);
    s->c = c;
    make_runtime_and_world(s, engine);
    s->objects = (cell **)dispatch_objects_new(c->keys, sizeof(cell), _Alignof(cell));
    for (size_t i = 0; i < c->keys; i++) {
        memset(s->objects[i], 0, sizeof(cell));
        BENCH_OK(svs_object_init(&s->objects[i]->svs, s->world, &cell_type));
    }
    s->targets = (cell **)dispatch_targets_new(c, (void **)s->objects);
    s->run_before = bench_allocate(engine->threads, sizeof *s->run_before);
    make_graph(s, engine);
    s->traced = !strcmp(engine->algorithm, "traced");
    if (s->traced) start_trace(s->runtime);
    return s;
}

static void run(void *state) {
    dispatch_state *s = state;
    svs_report report;
    svs_status status = svs_graph_run(s->graph, 1, &report);
    if (status) bench_fail("svs_graph_run: %s: %s", svs_status_name(status), report.text);
}

static uint64_t writes(const void *state, size_t key) {
    const dispatch_state *s = state;
    return is_spaced(s->c) ? s->by_index.counts[key] : s->objects[key]->count;
}

static void details(void *state, dispatch_details *d) {
    dispatch_state *s = state;
    svs_graph_statistics statistics;
    uint64_t all = 0, least = UINT64_MAX;
    for (uint32_t w = 0; w < svs_runtime_threads(s->runtime); w++) {
        svs_worker_statistics worker;
        uint64_t ran;
        BENCH_OK(svs_runtime_statistics_get(s->runtime, w, &worker));
        ran = worker.instances - s->run_before[w];
        s->run_before[w] = worker.instances;
        all += ran;
        if (ran < least) least = ran;
    }
    BENCH_OK(svs_graph_statistics_get(s->graph, &statistics));
    d->width = bench_width(s->graph);
    BENCH_OK(svs_graph_statistics_reset(s->graph));
    d->share_min = all ? (double)least / (double)all : 0;
    d->stages = statistics.stages;
    d->deferrals = statistics.deferrals;
}

static void destroy(void *state) {
    dispatch_state *s = state;
    if (s->traced) BENCH_OK(svs_trace_stop(s->runtime, NULL));
    lent_end(s->lent);
    BENCH_OK(svs_graph_free(s->graph));
    BENCH_OK(svs_space_free(s->by_index.space));
    BENCH_OK(svs_world_free(s->world));
    BENCH_OK(svs_runtime_free(s->runtime));
    dispatch_objects_free((void **)s->objects, s->c->keys);
    free(s->by_index.counts);
    free(s->targets);
    free(s->run_before);
    free(s);
}

const dispatch_engine dispatch_svs_default = {"svs", "default", 9,       1,      make,
                                              run,   writes,    details, destroy};
const dispatch_engine dispatch_svs_staged = {"svs", "staged", 9,       1,      make,
                                             run,   writes,   details, destroy};
const dispatch_engine dispatch_svs_progressive = {"svs", "progressive", 9,       1,      make,
                                                  run,   writes,        details, destroy};
const dispatch_engine dispatch_svs_traced = {"svs", "traced", 9,       1,      make,
                                             run,   writes,   details, destroy};
const dispatch_engine dispatch_svs_lent = {"svs", "lent", 9,       1,      make,
                                           run,   writes, details, destroy};
