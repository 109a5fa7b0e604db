/* A refresh by all workers at the end of an iteration that took links away: afterwards each
 * signature is what its master reaches, bit for bit (memobj.F1 to memobj.F3). There are more
 * masters than one worker takes at a time. */
#include "explore/scenarios/support.h"
#include "memobj/adapt.h"
#include "memobj/reach/reach.h"
#include "memobj/reach/signature.h"
#include <string.h>

#define NODES 108u
#define HEADS 36u /* nodes from here on have no parent */

typedef struct knot {
    struct knot *a, *b;
    svs_object svs;
} knot;
SVS_TYPE(knot, svs, a, b)

static struct {
    svs_world *world;
    knot *at[NODES];
    uint64_t bits[NODES];
} shared;

/* From above: the nodes below the heads have two of them as parents, which different workers look
 * at, and become internal nodes of one. */
static void link_all(void) {
    for (uint32_t i = NODES; i-- > 1;) {
        uint32_t below = i >= HEADS ? i % HEADS : i / 2;
        EXPLORE_CHECK(svs_link(shared.at[i], a, shared.at[below]) == SVS_OK);
        if (i >= HEADS) EXPLORE_CHECK(svs_link(shared.at[i], b, shared.at[below / 2]) == SVS_OK);
    }
}

typedef struct cut {
    uint32_t unused;
} cut;
static void cut_touch(svs_footprint *f, const cut *c) {
    for (uint32_t i = 0; i < NODES; i++) svs_writes_object(f, &shared.at[i]->svs);
}
static svs_status cut_run(svs_context *x, cut *c) {
    for (uint32_t i = HEADS; i < NODES; i++) {
        svs_status status = svs_link(shared.at[i], b, NULL);
        if (status) return status;
    }
    return svs_link(shared.at[HEADS / 2], a, NULL);
}
SVS_TASK(cut, cut_run, cut_touch)

static uint32_t index_of(const knot *k) {
    uint32_t i = 0;
    while (shared.at[i] != k) i++;
    return i;
}

static uint64_t below(const knot *k) { return k == NULL ? 0 : shared.bits[index_of(k)]; }

/* The reach of each node, as bits of the signature. */
static void reach_by_force(void) {
    bool grows = true;
    for (uint32_t i = 0; i < NODES; i++)
        shared.bits[i] = UINT64_C(1) << svs__object_bit(shared.world, &shared.at[i]->svs);
    while (grows) {
        grows = false;
        for (uint32_t i = 0; i < NODES; i++) {
            uint64_t all = shared.bits[i] | below(shared.at[i]->a) | below(shared.at[i]->b);
            grows = grows || all != shared.bits[i];
            shared.bits[i] = all;
        }
    }
}

static void check(void) {
    reach_by_force();
    for (uint32_t i = 0; i < NODES; i++) {
        uint64_t found[SVS__SIGNATURE_WORDS_MAX] = {0};
        svs__reach_signature(&shared.at[i]->svs, found);
        EXPLORE_CHECK((shared.bits[i] & ~found[0]) == 0);
        EXPLORE_CHECK(!svs__object_is_master(&shared.at[i]->svs) || shared.bits[i] == found[0]);
    }
    EXPLORE_CHECK(svs__reach_is_valid(shared.world));
}

static void make_world(svs_runtime *runtime) {
    static const uint32_t neighbourhoods[] = {1, 0, 2};
    svs_world_options options = support_world_options(64, 6);
    options.examine_budget = 0; /* upkeep from the start */
    options.neighbourhood = neighbourhoods[explore_below(3)];
    options.refresh = SVS_REFRESH_ALWAYS;
    shared.world = support_world_with(runtime, &options);
    for (uint32_t i = 0; i < NODES; i++) shared.at[i] = support_object(shared.world, &knot_type);
}

/* Deferrals by shared masters, until masters are elected where tasks are handed objects, and K is
 * halved (memobj.D1). */
static void learn(svs_world *world) {
    for (int decision = 0; decision < 3; decision++) {
        for (int i = 0; i < 16; i++) svs__adapt_count(world, true, false);
        svs__lock_acquire(&world->entry);
        svs__adapt_masters(world);
        svs__lock_release(&world->entry);
    }
}

static void refresh(void) {
    svs_runtime_options options = support_runtime_options(SVS_POLICY_HELP_FIRST, 2);
    svs_world_statistics statistics;
    svs_runtime *runtime;
    svs_graph *graph;
    svs_task *cutter;
    memset(&shared, 0, sizeof shared);
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    make_world(runtime);
    link_all();
    if (explore_below(2) != 0) learn(shared.world);
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_transform(graph, &cut_task, NULL, NULL, &cutter) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(svs_world_statistics_get(shared.world, &statistics) == SVS_OK);
    EXPLORE_CHECK(statistics.refreshes == 1);
    check();
    support_end(runtime, shared.world, NULL, graph);
}

const explore_scenario explore_refresh = {
    "refresh", refresh, 0, 400, "a signature that several refresh, and that is not exact"};
