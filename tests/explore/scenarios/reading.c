/* A scheduler that reads what is reached while bodies assign links: an instance that writes all
 * that a node reaches has it for itself, whatever is linked in or taken out meanwhile (sched.S1,
 * memobj.R1, sched.A6). */
#include "explore/scenarios/support.h"
#include "memobj/core/world_state.h"
#include <string.h>

#define NODES 5u
#define LINKERS 4u

typedef struct spot {
    struct spot *next;
    uint32_t visits;
    svs_object svs;
} spot;
SVS_TYPE(spot, svs, next)

static struct {
    svs_world *world;
    spot *at[NODES];
    svs_task *visits, *links;
    uint32_t visited;
    _Atomic(uint32_t) inside[NODES];
} shared;

typedef struct visit {
    spot *from;
} visit;
static void visit_touch(svs_footprint *f, const visit *v) { svs_writes_reach(f, &v->from->svs); }

static uint32_t index_of(const spot *s) {
    uint32_t i = 0;
    while (shared.at[i] != s) i++;
    return i;
}

static svs_status visit_run(svs_context *x, visit *v) {
    for (spot *s = v->from; s != NULL; s = s->next) {
        EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.inside[index_of(s)], 1) == 0);
        explore_wrote(&s->visits);
        s->visits++;
    }
    for (spot *s = v->from; s != NULL; s = s->next) {
        explore_wrote(&s->visits);
        EXPLORE_CHECK(svs__fetch_sub_relaxed(&shared.inside[index_of(s)], 1) == 1);
    }
    return SVS_OK;
}
SVS_TASK(visit, visit_run, visit_touch)

/* Writes its parent alone: the child may be anywhere. */
typedef struct link {
    spot *parent, *child;
} link;
static void link_touch(svs_footprint *f, const link *l) { svs_writes_object(f, &l->parent->svs); }
static svs_status link_run(svs_context *x, link *l) {
    explore_wrote(&l->parent->visits);
    l->parent->visits++;
    return svs_link(l->parent, next, l->child);
}
SVS_TASK(link, link_run, link_touch)

static const struct {
    uint8_t parent, child;
} links[LINKERS] = {{0, 1}, {2, 3}, {1, 2}, {0, NODES}};

static void make_touch(svs_footprint *f, const visit *v) { (void)f, (void)v; }
static svs_status make_run(svs_context *x, visit *v) {
    for (uint32_t i = 0; i < LINKERS; i++) {
        link l = {shared.at[links[i].parent],
                  links[i].child == NODES ? NULL : shared.at[links[i].child]};
        visit next = {shared.at[i]};
        svs_status status = link_send(x, shared.links, &l, 1);
        if (!status) status = visit_send(x, shared.visits, &next, 1);
        if (status) return status;
    }
    return SVS_OK;
}
SVS_TASK(make, visit, make_run, make_touch)

static void make_world(svs_runtime *runtime) {
    static const uint32_t budgets[] = {64, 0, 1};
    static const uint32_t neighbourhoods[] = {8, 0, 1};
    svs_world_options options = support_world_options(64, 8);
    options.examine_budget = budgets[explore_below(3)];
    options.neighbourhood = neighbourhoods[explore_below(3)];
    shared.world = support_world_with(runtime, &options);
    /* relaxed: nothing runs yet. */
    svs__store_relaxed(&shared.world->adaptation.elects, explore_below(2)); /* memobj.D2 */
    for (uint32_t i = 0; i < NODES; i++) {
        shared.at[i] = support_object(shared.world, &spot_type);
        shared.at[i]->visits = 0;
    }
}

/* Links that are there before. */
static void link_some(void) {
    EXPLORE_CHECK(svs_link(shared.at[3], next, shared.at[4]) == SVS_OK);
    if (explore_below(2) != 0) EXPLORE_CHECK(svs_link(shared.at[0], next, shared.at[2]) == SVS_OK);
}

static svs_graph *build(svs_algorithm algorithm) {
    svs_task *maker;
    svs_graph *graph = support_graph(shared.world, algorithm);
    EXPLORE_CHECK(svs_graph_add_transform(graph, &make_task, NULL, NULL, &maker) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &visit_task, NULL, &shared.visits) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &link_task, NULL, &shared.links) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, maker, shared.visits) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, maker, shared.links) == SVS_OK);
    if (explore_below(2) != 0)
        EXPLORE_CHECK(svs_graph_set_independent(graph, shared.visits, shared.links) == SVS_OK);
    return graph;
}

static void run_with(svs_algorithm algorithm) {
    svs_runtime *runtime;
    svs_graph *graph;
    memset(&shared, 0, sizeof shared);
    runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    make_world(runtime);
    link_some();
    graph = build(algorithm);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    support_end(runtime, shared.world, NULL, graph);
}

static void reading_staged(void) { run_with(SVS_ALGORITHM_STAGED); }
static void reading_progressive(void) { run_with(SVS_ALGORITHM_PROGRESSIVE); }

const explore_scenario explore_reading_staged = {
    "reading_staged", reading_staged, 0, 5000,
    "an instance that does not have all that it reaches for itself"};
const explore_scenario explore_reading_progressive = {"reading_progressive", reading_progressive, 0,
                                                      5000, "the same under Algorithm 4"};
