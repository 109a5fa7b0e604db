/* Items that bodies of a serial run store in place (sched.I13). One of the bodies may fail, which
 * cancels the run while another worker takes arrivals (sched.I14). */
#include "explore/scenarios/support.h"
#include <string.h>

#define CHAINS 2u
#define DEPTH 3u

typedef struct chain {
    uint32_t number, left;
} chain;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *space;
    svs_task *chains;
    uint32_t inside, ran, dropped, sent;
    bool fails; /* the first body that sends */
} shared;

static void chain_touch(svs_footprint *f, const chain *c) {
    (void)c;
    svs_writes_at(f, shared.space, 0);
}
static svs_status chain_run(svs_context *x, chain *c);
SVS_TASK(chain, chain_run, chain_touch)

static svs_status chain_run(svs_context *x, chain *c) {
    chain next = {c->number, c->left - 1};
    svs_status status = SVS_OK;
    explore_wrote(&shared.inside);
    EXPLORE_CHECK(shared.inside++ == 0);
    shared.ran++;
    for (uint32_t i = 0; c->left && i < 2 && !status; i++, next.left = 0) {
        status = chain_send(x, shared.chains, &next, 1);
        shared.sent++;
    }
    shared.inside--;
    return shared.fails && c->left == DEPTH ? 7 : status;
}

static void drop(void *item, void *argument) {
    (void)item, (void)argument;
    (void)__atomic_fetch_add(&shared.dropped, 1, __ATOMIC_RELAXED);
}

static void run_chains(bool fails) {
    chain first[CHAINS];
    svs_graph *graph;
    svs_status status;
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    EXPLORE_CHECK(svs_space_new(shared.world, "chains", 1, &shared.space) == SVS_OK);
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &chain_task, NULL, &shared.chains) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(shared.chains, SVS_ALGORITHM_WINDOWED) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_dropped(shared.chains, drop) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, shared.chains, shared.chains) == SVS_OK);
    for (uint32_t i = 0; i < CHAINS; i++) first[i] = (chain){i, DEPTH};
    shared.sent = CHAINS;
    shared.fails = fails;
    EXPLORE_CHECK(svs_graph_send(graph, shared.chains, first, CHAINS, sizeof *first) == SVS_OK);
    status = svs_graph_run(graph, 1, NULL);
    EXPLORE_CHECK(status == (fails ? 7 : SVS_OK));
    EXPLORE_CHECK(shared.ran + shared.dropped == shared.sent);
    EXPLORE_CHECK(fails || shared.sent == CHAINS * (1 + 2 * DEPTH));
    support_end(shared.runtime, shared.world, shared.space, graph);
}
static void strips(void) { run_chains(false); }
static void strips_failed(void) { run_chains(true); }

const explore_scenario explore_strips = {"strips", strips, 1, 2000,
                                         "an item of a strip that is lost or runs twice"};
const explore_scenario explore_strips_failed = {
    "strips_failed", strips_failed, 1, 4000,
    "an item of a strip that is neither run nor dropped when a body fails"};
