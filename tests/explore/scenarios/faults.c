/* Refusals of the system while workers run: of a thread, and of each allocation of a run. The call
 * fails with a status, nothing runs twice, all allocated memory is freed, and the runtime can be
 * used again. Runtimes are started, stopped and asked to stop while they are used. */
#include "base/memory.h"
#include "base/platform.h"
#include "explore/scenarios/support.h"
#include "memobj/core/pool.h"
#include "memobj/reach/reach.h"
#include <string.h>
#include <svs/members.h>

/* ---- threads ---- */

static void write_one(svs_async_context *async, void *argument) {
    uint32_t *result = *(uint32_t **)argument;
    explore_wrote(result);
    EXPLORE_CHECK(*result == 0);
    *result = 1;
}

static uint32_t results[2];

static void two(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t *result = &results[i];
        svs_async(async, write_one, &result, sizeof result);
    }
}

static void run_two(svs_runtime *runtime) {
    memset(results, 0, sizeof results);
    EXPLORE_CHECK(svs_async_run(runtime, two, NULL) == SVS_OK);
    EXPLORE_CHECK(results[0] == 1 && results[1] == 1);
}

static void threads_refused(void) {
    svs_runtime_options options = support_runtime_options(support_any_policy(), 3);
    svs_runtime *runtime;
    uint32_t refused = explore_below(3);
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    explore_refuse_thread(refused);
    EXPLORE_CHECK(svs_runtime_start(runtime) == (refused != 0 ? SVS_E_THREAD : SVS_OK));
    if (refused != 0) EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    run_two(runtime);
    support_runtime_end(runtime);
}

/* ---- stop while it is used ---- */

static void *stop_early(void *argument) {
    svs_runtime *runtime = argument;
    svs_status status = svs_runtime_stop(runtime);
    EXPLORE_CHECK(status == SVS_OK || status == SVS_E_BUSY);
    return NULL;
}

static void stopped(void) {
    svs_runtime *runtime = support_runtime(support_any_policy(), 2);
    svs__thread other;
    svs_status status;
    memset(results, 0, sizeof results);
    EXPLORE_CHECK(svs__thread_create(&other, stop_early, runtime, 0) == SVS_OK);
    status = svs_async_run(runtime, two, NULL);
    EXPLORE_CHECK(status == SVS_OK || status == SVS_E_STOPPED);
    EXPLORE_CHECK(results[0] == (status == SVS_OK) && results[1] == results[0]);
    svs__thread_join(&other);
    support_runtime_end(runtime);
}

/* ---- memory ---- */

static struct {
    svs_world *world;
    svs_task *second;
    _Atomic(uint32_t) live, left; /* left: so many allocations until one fails, from 1; 0: none */
    uint32_t ran[3];
} shared;

static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    uint32_t left = svs__load_relaxed(&shared.left);
    void *memory;
    if (left != 0 && svs__fetch_sub_relaxed(&shared.left, 1) == 1) return NULL;
    memory = svs__allocate(&svs__allocator_libc, size, alignment);
    if (memory != NULL) (void)svs__fetch_add_relaxed(&shared.live, 1);
    return memory;
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)svs__fetch_sub_relaxed(&shared.live, 1);
    svs__release(&svs__allocator_libc, memory, size, alignment);
}

typedef struct thing {
    struct thing *next;
    svs_object svs;
} thing;
SVS_TYPE(thing, svs, next)

typedef struct job {
    uint32_t number;
    thing *at;
} job;
static thing *things[3];

static void job_touch(svs_footprint *f, const job *j) {
    if (j->at != NULL) svs_writes_reach(f, &j->at->svs);
}

/* Hangs in something new, and sends on. */
static svs_status job_run(svs_context *x, job *j) {
    job next = {j->number, NULL};
    thing *fresh;
    void *storage = NULL;
    svs_status status = svs_object_new(shared.world, &thing_type, &storage);
    explore_wrote(&shared.ran[j->number]);
    EXPLORE_CHECK(shared.ran[j->number]++ == 0);
    if (status) return status;
    fresh = storage;
    status = svs_link(fresh, next, j->at->next);
    if (!status) status = svs_link(j->at, next, fresh);
    return status ? status : svs_send(x, shared.second, &next, 1, sizeof next);
}
SVS_TASK(job, job_run, job_touch)

static svs_status end_run(svs_context *x, job *j) { return SVS_OK; }
SVS_TASK(end, job, end_run, job_touch)

static bool is_fault(svs_status status) { return status == SVS_OK || status == SVS_E_NO_MEMORY; }

static svs_graph *build(svs_task **first) {
    svs_graph *graph = support_graph(shared.world, support_any_algorithm());
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &job_task, NULL, first) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &end_task, NULL, &shared.second) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, *first, shared.second) == SVS_OK);
    return graph;
}

static void make_things(void) {
    for (uint32_t i = 0; i < 3; i++)
        EXPLORE_CHECK(SVS_NEW(shared.world, thing, &things[i]) == SVS_OK);
    EXPLORE_CHECK(svs_link(things[0], next, things[1]) == SVS_OK);
}

/* Its allocations are counted, and refused when `left` says so. */
static svs_runtime *begin(uint32_t threads) {
    svs_runtime_options options = support_runtime_options(SVS_POLICY_HELP_FIRST, threads);
    svs_runtime *runtime;
    memset(&shared, 0, sizeof shared);
    options.allocator = (svs_allocator){allocate, release, NULL};
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    return runtime;
}

static void end(svs_runtime *runtime, svs_graph *graph) {
    support_end(runtime, shared.world, NULL, graph);
    EXPLORE_CHECK(svs__load_relaxed(&shared.live) == 0);
}

static void open_world(svs_runtime *runtime) {
    svs_world_options options = support_world_options(64, 6);
    options.neighbourhood = explore_below(2);
    options.examine_budget = explore_below(2) * 64;
    shared.world = support_world_with(runtime, &options);
    make_things();
}

/* Sends the items before a run, and sends an item again when that has failed. */
static void send_all(svs_graph *graph, svs_task *to) {
    for (uint32_t i = 0; i < 3; i++) {
        job j = {i, things[i]};
        svs_status status = svs_graph_send(graph, to, &j, 1, sizeof j);
        EXPLORE_CHECK(is_fault(status));
        if (status) EXPLORE_CHECK(svs_graph_send(graph, to, &j, 1, sizeof j) == SVS_OK);
    }
}

static void memory_refused(void) {
    svs_runtime *runtime = begin(2);
    svs_graph *graph;
    svs_task *first;
    svs_status status;
    open_world(runtime);
    graph = build(&first);
    svs__store_relaxed(&shared.left, explore_below(160));
    send_all(graph, first);
    status = svs_graph_run(graph, 1, NULL);
    EXPLORE_CHECK(is_fault(status));
    if (status == SVS_OK)
        for (uint32_t i = 0; i < 3; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    svs__store_relaxed(&shared.left, 0);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK); /* with nothing to do */
    end(runtime, graph);
}

/* It has a master at once. */
typedef struct outer {
    svs_object svs;
    thing in;
} outer;
SVS_MEMBERS(outer, {"in", offsetof(outer, in), &thing_type})
SVS_TYPE_MEMBERS(outer, svs)

/* Objects that are made outside of bodies, beside a thread that frees others. */
static void *make_and_free(void *argument) {
    for (uint32_t i = 0; i < 2; i++) {
        void *storage;
        svs_status status = svs_object_new(shared.world, &outer_type, &storage);
        EXPLORE_CHECK(is_fault(status));
        if (!status) EXPLORE_CHECK(svs_object_free(&((outer *)storage)->svs) == SVS_OK);
    }
    return argument;
}

static svs_runtime *begin_makers(void) {
    svs_world_options options = support_world_options(64, 6);
    svs_runtime *runtime = begin(1);
    options.refresh = SVS_REFRESH_ALWAYS;
    shared.world = support_world_with(runtime, &options);
    return runtime;
}

static void end_makers(svs_runtime *runtime) {
    EXPLORE_CHECK(svs__pools_are_valid(shared.world));
    EXPLORE_CHECK(svs__reach_is_valid(shared.world));
    end(runtime, NULL);
}

static void makers_refused(void) {
    svs_runtime *runtime = begin_makers();
    svs__thread thread;
    svs__store_relaxed(&shared.left, 1 + explore_below(8));
    EXPLORE_CHECK(svs__thread_create(&thread, make_and_free, NULL, 0) == SVS_OK);
    (void)make_and_free(NULL);
    svs__thread_join(&thread);
    svs__store_relaxed(&shared.left, 0);
    end_makers(runtime);
}

/* ---- objects that cannot be made, beside a thread that sets links ---- */

static void *make_some(void *argument) {
    for (uint32_t i = 0; i < 2; i++) {
        void *storage;
        EXPLORE_CHECK(is_fault(svs_object_new(shared.world, &outer_type, &storage)));
    }
    return argument;
}

static void linking_refused(void) {
    svs_runtime *runtime = begin_makers();
    svs__thread thread;
    make_things();
    EXPLORE_CHECK(svs_world_refresh(shared.world) == SVS_OK); /* upkeep begins */
    svs__store_relaxed(&shared.left, 1 + explore_below(8));
    EXPLORE_CHECK(svs__thread_create(&thread, make_some, NULL, 0) == SVS_OK);
    for (uint32_t i = 0; i < 2; i++)
        EXPLORE_CHECK(is_fault(svs_link(things[0], next, things[2 - i])));
    svs__thread_join(&thread);
    svs__store_relaxed(&shared.left, 0);
    end_makers(runtime);
}

const explore_scenario explore_threads_refused = {
    "threads_refused", threads_refused, 1, 10000,
    "a start that fails half, and cannot be made again"};
const explore_scenario explore_stopped = {"stopped", stopped, 1, 10000,
                                          "a runtime that is stopped under a run"};
const explore_scenario explore_memory_refused = {
    "memory_refused", memory_refused, 0, 6000,
    "an item that is lost or run twice for want of memory, or memory that is"};
const explore_scenario explore_makers_refused = {
    "makers_refused", makers_refused, 0, 4000,
    "a slot that is lost when an object cannot be made beside a thread that frees"};
const explore_scenario explore_linking_refused = {
    "linking_refused", linking_refused, 0, 4000,
    "a link without upkeep, set while an object cannot be made"};
