/* Runs of graphs that end in other ways than by themselves, that begin with what was sent before,
 * and that drain while something is still sent: sched.S2 holds for each, and nothing is held
 * afterwards (sched.A2). */
#include "explore/scenarios/support.h"
#include <string.h>

#define ITEMS 5u
#define HOPS 3u

typedef struct item {
    uint32_t number;
} item;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *space;
    svs_task *relay[HOPS];
    uint32_t ran[ITEMS][HOPS];
    uint32_t failing, iterations, seen;
} shared;

static void open_runtime(void) {
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    EXPLORE_CHECK(svs_space_new(shared.world, "cells", ITEMS, &shared.space) == SVS_OK);
}

static void run_once(uint32_t number, uint32_t hop) {
    explore_wrote(&shared.ran[number][hop]);
    EXPLORE_CHECK(shared.ran[number][hop]++ == 0);
}

static void nothing_touch(svs_footprint *f, const item *i) { (void)f, (void)i; }

/* ---- cancel: one of the items fails, whatever is deferred or on its way ---- */

static void job_touch(svs_footprint *f, const item *i) {
    svs_writes_at(f, shared.space, i->number % 2);
}
static svs_status job_run(svs_context *x, item *i) {
    run_once(i->number, 0);
    return i->number == shared.failing ? 7 : SVS_OK;
}
SVS_TASK(job, item, job_run, job_touch)

static svs_status feed_run(svs_context *x, item *i) {
    explore_wrote(&shared.iterations);
    shared.iterations++;
    for (uint32_t n = 0; n < ITEMS; n++) {
        item next = {n};
        svs_status status = svs_send(x, shared.relay[0], &next, 1, sizeof next);
        if (status) return status;
    }
    return SVS_OK;
}
SVS_TASK(feed, item, feed_run, nothing_touch)

static uint32_t ran_at(uint32_t hop) {
    uint32_t ran = 0;
    for (uint32_t n = 0; n < ITEMS; n++) ran += shared.ran[n][hop];
    return ran;
}

static void cancel(void) {
    svs_graph *graph;
    svs_task *feeder;
    svs_report report;
    open_runtime();
    graph = support_graph(shared.world, support_any_algorithm());
    EXPLORE_CHECK(svs_graph_add_transform(graph, &feed_task, NULL, NULL, &feeder) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &job_task, NULL, &shared.relay[0]) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, feeder, shared.relay[0]) == SVS_OK);
    shared.failing = explore_below(ITEMS);
    EXPLORE_CHECK(svs_graph_run(graph, 2, &report) == 7);
    EXPLORE_CHECK(report.status == 7 && report.item[0] == shared.failing);
    EXPLORE_CHECK(shared.ran[shared.failing][0] == 1 && shared.iterations == 1);
    /* The failed run has dropped the items that it did not run: the next run lacks them. */
    memset(shared.ran, 0, sizeof shared.ran);
    shared.failing = ITEMS;
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(ran_at(0) == ITEMS);
    support_end(shared.runtime, shared.world, shared.space, graph);
}

/* ---- draining: what is sent on by the last instance of a task that ends ---- */

static uint32_t hop_of(const svs_context *x) {
    return (uint32_t)(uintptr_t)svs_context_argument(x);
}
static svs_status relay_run(svs_context *x, item *i) {
    uint32_t hop = hop_of(x);
    run_once(i->number, hop);
    if (hop + 1 == HOPS) return SVS_OK;
    return svs_send(x, shared.relay[hop + 1], i, 1, sizeof *i);
}
SVS_TASK(relay, item, relay_run, nothing_touch)

static svs_status count_run(svs_context *x, item *i) {
    shared.seen = 0;
    for (uint32_t hop = 0; hop < HOPS; hop++)
        for (uint32_t n = 0; n < ITEMS; n++) {
            explore_read(&shared.ran[n][hop]);
            shared.seen += shared.ran[n][hop];
        }
    return SVS_OK;
}
SVS_TASK(count, item, count_run, nothing_touch)

static svs_graph *chain(svs_algorithm algorithm) {
    svs_graph *graph = support_graph(shared.world, algorithm);
    svs_task *last;
    for (uintptr_t hop = 0; hop < HOPS; hop++)
        EXPLORE_CHECK(svs_graph_add_itemizer(graph, &relay_task, (void *)hop, &shared.relay[hop]) ==
                      SVS_OK);
    EXPLORE_CHECK(svs_graph_add_transform(graph, &count_task, NULL, NULL, &last) == SVS_OK);
    for (uint32_t hop = 0; hop + 1 < HOPS; hop++)
        EXPLORE_CHECK(svs_graph_add_flow(graph, shared.relay[hop], shared.relay[hop + 1]) ==
                      SVS_OK);
    EXPLORE_CHECK(svs_graph_add_order(graph, shared.relay[HOPS - 1], last) == SVS_OK);
    return graph;
}

/* Workers that are awake look at a run as soon as it is there, and what was sent for it belongs to
 * it, also when a run has ended a moment ago. */
static void draining(void) {
    svs_graph *graph;
    open_runtime();
    graph = chain(support_any_algorithm());
    for (uint32_t run = 0; run < 2; run++) {
        uint32_t sent = 1 + explore_below(2);
        memset(shared.ran, 0, sizeof shared.ran);
        for (uint32_t n = 0; n < sent; n++) {
            item i = {n};
            EXPLORE_CHECK(svs_graph_send(graph, shared.relay[0], &i, 1, sizeof i) == SVS_OK);
        }
        EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
        for (uint32_t hop = 0; hop < HOPS; hop++) EXPLORE_CHECK(ran_at(hop) == sent);
        EXPLORE_CHECK(shared.seen == sent * HOPS);
    }
    support_end(shared.runtime, shared.world, shared.space, graph);
}

const explore_scenario explore_cancel = {
    "cancel", cancel, 1, 5000, "an instance after a failure, or one that is held for ever"};
const explore_scenario explore_draining = {"draining", draining, 1, 5000,
                                           "an item that is sent to a task that has just ended"};
