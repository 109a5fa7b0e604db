/* Tasks of one domain that open together: the bodies run in the order that one worker gives them
 * (sched.W9), also if another worker looks while the tasks open. */
#include "explore/scenarios/support.h"
#include <string.h>

#define TASKS 3u
#define ITEMS 2u /* of each task */

typedef struct turn {
    uint32_t number;
} turn;

static struct {
    svs_space *space;
    uint32_t digest, ran;
} shared;

static void turn_touch(svs_footprint *f, const turn *t) {
    (void)t;
    svs_writes_at(f, shared.space, 0);
}
static svs_status turn_run(svs_context *context, turn *t) {
    (void)context;
    explore_wrote(&shared.digest);
    shared.digest = shared.digest * 31 + t->number;
    shared.ran++;
    return SVS_OK;
}
SVS_TASK(turn, turn_run, turn_touch)

static void send_items(svs_graph *graph, svs_task *task, uint32_t number) {
    const turn items[ITEMS] = {{number}, {number + 1}};
    EXPLORE_CHECK(svs_graph_send(graph, task, items, ITEMS, sizeof *items) == SVS_OK);
}

static uint32_t digest_of(uint32_t threads) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, threads);
    svs_world *world = support_world(runtime, SVS_REFRESH_AUTO);
    svs_graph *graph = support_graph(world, SVS_ALGORITHM_WINDOWED);
    memset(&shared, 0, sizeof shared);
    EXPLORE_CHECK(svs_space_new(world, "turns", 1, &shared.space) == SVS_OK);
    for (uint32_t i = 0; i < TASKS; i++) {
        svs_task *task;
        EXPLORE_CHECK(svs_graph_add_itemizer(graph, &turn_task, NULL, &task) == SVS_OK);
        send_items(graph, task, 1 + i * ITEMS);
    }
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(shared.ran == TASKS * ITEMS);
    support_end(runtime, world, shared.space, graph);
    return shared.digest;
}

static void opened_together(void) { EXPLORE_CHECK(digest_of(2) == digest_of(1)); }

const explore_scenario explore_opened_together = {
    "opened_together", opened_together, 1, 2000,
    "an order of instances that depends on when a worker looks at tasks that open"};
