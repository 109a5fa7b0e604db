/* Bodies that make linked objects and hand them off, while an instance that needs a signature
 * begins upkeep: in the end each link has its upkeep (memobj.R6). */
#include "explore/scenarios/support.h"
#include "memobj/reach/reach.h"
#include <string.h>

#define MAKERS 2u
#define OLD 3u

typedef struct bead {
    struct bead *next;
    uint32_t visits;
    svs_object svs;
} bead;
SVS_TYPE(bead, svs, next)

static struct {
    svs_world *world;
    bead *old[OLD];
    svs_task *visits;
} shared;

typedef struct thread {
    bead *first;
} thread;
static void visit_touch(svs_footprint *f, const thread *t) { svs_writes_reach(f, &t->first->svs); }
static svs_status visit_run(svs_context *x, thread *t) {
    for (bead *b = t->first; b != NULL; b = b->next) {
        explore_wrote(&b->visits);
        b->visits++;
    }
    return SVS_OK;
}
SVS_TASK(visit, thread, visit_run, visit_touch)

/* Holds nothing but what it makes. */
static void make_touch(svs_footprint *f, const thread *t) { (void)f, (void)t; }
static svs_status make_run(svs_context *x, thread *t) {
    bead *made[2];
    thread item;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < 2 && !status; i++) {
        void *storage;
        status = svs_object_new(shared.world, &bead_type, &storage);
        made[i] = storage;
    }
    if (!status) status = svs_link(made[0], next, made[1]);
    if (!status) status = svs_publish(x, &made[0]->svs);
    item.first = made[0];
    return status ? status : visit_send(x, shared.visits, &item, 1);
}
SVS_TASK(make, thread, make_run, make_touch)

static svs_graph *build(svs_algorithm algorithm) {
    svs_graph *graph;
    svs_graph_options options;
    svs_task *makers, *of_old;
    thread first = {shared.old[0]};
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    EXPLORE_CHECK(svs_graph_new(shared.world, &options, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &make_task, NULL, &makers) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &visit_task, NULL, &shared.visits) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, makers, shared.visits) == SVS_OK);
    /* In a domain to which no body sends: a serial run would need no signature (sched.W10). */
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &visit_task, NULL, &of_old) == SVS_OK);
    EXPLORE_CHECK(svs_graph_set_independent(graph, of_old, shared.visits) == SVS_OK);
    EXPLORE_CHECK(svs_graph_set_independent(graph, of_old, makers) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, of_old, &first, 1, sizeof first) == SVS_OK);
    for (uint32_t i = 0; i < MAKERS; i++)
        EXPLORE_CHECK(svs_graph_send(graph, makers, &first, 1, sizeof first) == SVS_OK);
    return graph;
}

static void publishing(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    svs_world_options options = support_world_options(64, 12);
    svs_graph *graph;
    memset(&shared, 0, sizeof shared);
    options.examine_budget = 2; /* what the makers make is known; the old ones need a signature */
    shared.world = support_world_with(runtime, &options);
    for (uint32_t i = 0; i < OLD; i++) shared.old[i] = support_object(shared.world, &bead_type);
    for (uint32_t i = 1; i < OLD; i++)
        EXPLORE_CHECK(svs_link(shared.old[i - 1], next, shared.old[i]) == SVS_OK);
    graph = build(support_any_algorithm());
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < OLD; i++) EXPLORE_CHECK(shared.old[i]->visits == 1);
    EXPLORE_CHECK(svs__reach_is_kept(shared.world));
    EXPLORE_CHECK(svs__reach_is_valid(shared.world));
    EXPLORE_CHECK(svs_graph_free(graph) == SVS_OK);
    EXPLORE_CHECK(svs_world_free(shared.world) == SVS_OK);
    support_runtime_end(runtime);
}

const explore_scenario explore_publishing = {"publishing", publishing, 0, 5000,
                                             "links of handed-off objects without upkeep"};
