/* An object is freed by an instance of one task while items of another task name it: such an item
 * runs before, or the run fails with SVS_E_FREED, whatever was known of the item by then
 * (pending.h, sched.Q5). */
#include "base/platform.h"
#include "explore/scenarios/support.h"
#include <string.h>

#define USERS 3u

typedef struct thing {
    struct thing *next;
    svs_object svs;
} thing;
SVS_TYPE(thing, svs, next)

static struct {
    svs_world *world;
    thing *both[2]; /* the second is freed */
    _Atomic(uint32_t) freed;
} shared;

typedef struct use {
    uint32_t count; /* the last so many of both */
} use;

static void use_touch(svs_footprint *f, const use *u) {
    for (uint32_t i = 2 - u->count; i < 2; i++) svs_writes_object(f, &shared.both[i]->svs);
}
static svs_status use_run(svs_context *x, use *u) {
    EXPLORE_CHECK(svs__load_relaxed(&shared.freed) == 0);
    return SVS_OK;
}
SVS_TASK(use, use_run, use_touch)

static svs_status end_run(svs_context *x, use *u) {
    svs__store_relaxed(&shared.freed, 1);
    return svs_object_free(&shared.both[1]->svs);
}
SVS_TASK(end, use, end_run, use_touch)

/* Two tasks, each with a domain of its own, so that neither knows what the other one waits for. */
static svs_graph *build(void) {
    svs_graph *graph;
    svs_graph_options options;
    svs_task *user, *ender;
    use uses[USERS], last = {1};
    svs_graph_options_init(&options);
    options.algorithm = support_any_algorithm();
    options.stage_width = explore_below(2);
    for (uint32_t i = 0; i < USERS; i++) uses[i].count = 1 + explore_below(2);
    EXPLORE_CHECK(svs_graph_new(shared.world, &options, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &use_task, NULL, &user) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &end_task, NULL, &ender) == SVS_OK);
    EXPLORE_CHECK(svs_graph_set_independent(graph, user, ender) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, user, uses, USERS, sizeof *uses) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, ender, &last, 1, sizeof last) == SVS_OK);
    return graph;
}

static void freed(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    svs_graph *graph;
    svs_status status;
    memset(&shared, 0, sizeof shared);
    shared.world = support_world(runtime, SVS_REFRESH_MANUAL);
    for (uint32_t i = 0; i < 2; i++) {
        shared.both[i] = support_object(shared.world, &thing_type);
    }
    graph = build();
    status = svs_graph_run(graph, 1, NULL);
    EXPLORE_CHECK(status == SVS_OK || status == SVS_E_FREED);
    support_end(runtime, shared.world, NULL, graph);
}

const explore_scenario explore_freed = {"freed", freed, 0, 4000,
                                        "a body that runs with an object that was freed"};
