/* Items that bodies store in place (sched.I13): bodies of a serial run, and bodies that send to
 * another domain (sched.I15). One of the bodies may fail, which cancels the run while another
 * worker takes arrivals (sched.I14). */
#include "explore/scenarios/support.h"
#include <string.h>

#define CHAINS 2u
#define DEPTH 3u
#define FEEDERS 2u
#define FEEDS 5u

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

static svs_graph *build(bool fails) {
    svs_graph *graph;
    memset(&shared, 0, sizeof shared);
    shared.fails = fails;
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    EXPLORE_CHECK(svs_space_new(shared.world, "chains", 1, &shared.space) == SVS_OK);
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &chain_task, NULL, &shared.chains) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(shared.chains, SVS_ALGORITHM_WINDOWED) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_dropped(shared.chains, drop) == SVS_OK);
    return graph;
}

/* Runs the graph. @return whether all items have run. */
static bool run(svs_graph *graph) {
    svs_status status = svs_graph_run(graph, 1, NULL);
    EXPLORE_CHECK(status == (shared.fails ? 7 : SVS_OK));
    EXPLORE_CHECK(shared.ran + shared.dropped == shared.sent);
    support_end(shared.runtime, shared.world, shared.space, graph);
    return !shared.dropped;
}

static void run_chains(bool fails) {
    chain first[CHAINS];
    svs_graph *graph = build(fails);
    EXPLORE_CHECK(svs_graph_add_flow(graph, shared.chains, shared.chains) == SVS_OK);
    for (uint32_t i = 0; i < CHAINS; i++) first[i] = (chain){i, DEPTH};
    shared.sent = CHAINS;
    EXPLORE_CHECK(svs_graph_send(graph, shared.chains, first, CHAINS, sizeof *first) == SVS_OK);
    EXPLORE_CHECK(run(graph) || fails);
    EXPLORE_CHECK(fails || shared.sent == CHAINS * (1 + 2 * DEPTH));
}
static void strips(void) { run_chains(false); }
static void strips_failed(void) { run_chains(true); }

/* ---- senders of another domain ---- */

typedef struct feeder {
    uint32_t number;
} feeder;

static void feeder_touch(svs_footprint *f, const feeder *from) { (void)f, (void)from; }

/* Sends items one at a time, two at once, and again one at a time. */
static svs_status feeder_run(svs_context *x, feeder *from) {
    chain next[2] = {{from->number, 0}, {from->number, 0}};
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < FEEDS && !status; i++) {
        uint32_t count = i == 2 ? 2 : 1;
        status = chain_send(x, shared.chains, next, count);
        (void)__atomic_fetch_add(&shared.sent, count, __ATOMIC_RELAXED);
    }
    return shared.fails && !from->number ? 7 : status;
}
SVS_TASK(feeder, feeder_run, feeder_touch)

static void feed(bool fails) {
    svs_graph *graph = build(fails);
    for (uint32_t i = 0; i < FEEDERS; i++) {
        feeder item = {i};
        svs_task *sender;
        EXPLORE_CHECK(svs_graph_add_transform(graph, &feeder_task, &item, NULL, &sender) == SVS_OK);
        EXPLORE_CHECK(svs_graph_add_flow(graph, sender, shared.chains) == SVS_OK);
    }
    EXPLORE_CHECK(run(graph) || fails);
    EXPLORE_CHECK(fails || shared.sent == FEEDERS * (FEEDS + 1));
}
static void strips_of_bodies(void) { feed(false); }
static void strips_of_bodies_failed(void) { feed(true); }

const explore_scenario explore_strips = {"strips", strips, 1, 2000,
                                         "an item of a strip that is lost or runs twice"};
const explore_scenario explore_strips_failed = {
    "strips_failed", strips_failed, 1, 4000,
    "an item of a strip that is neither run nor dropped when a body fails"};
const explore_scenario explore_strips_of_bodies = {
    "strips_of_bodies", strips_of_bodies, 1, 4000,
    "an item of a body's strip that is lost, runs twice, or wakes no worker"};
const explore_scenario explore_strips_of_bodies_failed = {
    "strips_of_bodies_failed", strips_of_bodies_failed, 1, 4000,
    "an item of a body's strip that is neither run nor dropped when a body fails"};
