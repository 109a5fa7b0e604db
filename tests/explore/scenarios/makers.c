/* Objects that are made outside of any body: beside a run that frees others and refreshes, or by
 * two threads that free them as well (memobj.W4). All large objects are in one list of storages. */
#include "base/platform.h"
#include "explore/scenarios/support.h"
#include "memobj/core/storage.h"
#include "memobj/reach/reach.h"
#include <string.h>
#include <svs/members.h>

#define MADE 2u

/* As large as it is aligned, so that all storages fall into one shard. */
typedef struct inner {
    struct inner *to;
    svs_object svs;
} inner;
SVS_TYPE(inner, svs, to)
typedef struct outer {
    _Alignas(1024) svs_object svs;
    inner in;
    struct outer *to;
} outer;
SVS_MEMBERS(outer, {"in", offsetof(outer, in), &inner_type})
SVS_TYPE_MEMBERS(outer, svs, to)

static struct {
    svs_world *world;
    outer *top;
    svs__thread thread;
} shared;

static svs_status make(outer **made) {
    void *storage = NULL;
    svs_status status = svs_object_new(shared.world, &outer_type, &storage);
    *made = storage;
    return status;
}

static void *make_beside(void *argument) {
    outer *made;
    for (uint32_t i = 0; i < MADE; i++) EXPLORE_CHECK(make(&made) == SVS_OK);
    return argument;
}

/* One that has a slot. */
static void make_and_free_small(void) {
    void *storage;
    EXPLORE_CHECK(svs_object_new(shared.world, &inner_type, &storage) == SVS_OK);
    EXPLORE_CHECK(svs_object_free(&((inner *)storage)->svs) == SVS_OK);
}

static void *make_and_free(void *argument) {
    outer *made;
    for (uint32_t i = 0; i < MADE; i++) {
        make_and_free_small();
        EXPLORE_CHECK(make(&made) == SVS_OK);
        EXPLORE_CHECK(svs_object_free(&made->svs) == SVS_OK);
    }
    return argument;
}

static void count_room(void *room, const svs_type *type, void *count) {
    (void)room, (void)type;
    ++*(uint32_t *)count;
}

/* The storage is that of the live objects. */
static void check(uint32_t objects) {
    svs_world_statistics statistics;
    uint32_t stored = 0, masters = 0;
    EXPLORE_CHECK(svs_world_refresh(shared.world) == SVS_OK);
    EXPLORE_CHECK(svs_world_statistics_get(shared.world, &statistics) == SVS_OK);
    svs__storage_visit(shared.world, count_room, &stored);
    for (svs__master *m = svs__load_relaxed(&shared.world->masters); m != NULL;
         m = svs__load_relaxed(&m->next))
        masters++;
    EXPLORE_CHECK(stored == objects);
    EXPLORE_CHECK(masters == statistics.masters);
    EXPLORE_CHECK(svs__reach_is_valid(shared.world));
    EXPLORE_CHECK(svs__pools_are_valid(shared.world));
}

/* ---- beside a run ---- */

typedef struct turn {
    uint32_t unused;
} turn;
static void turn_touch(svs_footprint *f, const turn *t) { svs_writes_reach(f, &shared.top->svs); }
/* The first makes one, the second frees it: then the other thread begins, so that it makes others
 * while masters and storages are released. */
static svs_status turn_run(svs_context *x, turn *t) {
    outer *old = shared.top->to, *made = NULL;
    svs_status status = old == NULL ? make(&made) : SVS_OK;
    if (!status) status = svs_link(shared.top, to, made);
    if (status || old == NULL) return status;
    EXPLORE_CHECK(svs__thread_create(&shared.thread, make_beside, NULL, 0) == SVS_OK);
    return svs_object_free(&old->svs);
}
SVS_TASK(turn, turn_run, turn_touch)

static void makers(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 1);
    svs_graph *graph;
    svs_task *task;
    memset(&shared, 0, sizeof shared);
    shared.world = support_world(runtime, SVS_REFRESH_ALWAYS);
    EXPLORE_CHECK(make(&shared.top) == SVS_OK);
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_transform(graph, &turn_task, NULL, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 2, NULL) == SVS_OK);
    svs__thread_join(&shared.thread);
    EXPLORE_CHECK(svs_graph_free(graph) == SVS_OK);
    check(1 + MADE);
    EXPLORE_CHECK(svs_world_free(shared.world) == SVS_OK);
    support_runtime_end(runtime);
}

/* ---- without one ---- */

static void makers_freeing(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 1);
    svs__thread thread;
    memset(&shared, 0, sizeof shared);
    shared.world = support_world(runtime, SVS_REFRESH_ALWAYS);
    EXPLORE_CHECK(svs__thread_create(&thread, make_and_free, NULL, 0) == SVS_OK);
    (void)make_and_free(NULL);
    svs__thread_join(&thread);
    check(0);
    EXPLORE_CHECK(svs_world_free(shared.world) == SVS_OK);
    support_runtime_end(runtime);
}

const explore_scenario explore_makers = {
    "makers", makers, 0, 4000, "an object that is made outside and lost, beside a run that frees"};
const explore_scenario explore_makers_freeing = {"makers_freeing", makers_freeing, 0, 4000,
                                                 "the same, beside a thread that frees"};
