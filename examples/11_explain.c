/* Shows:  svs_explain(): which declaration keeps instances from running in parallel. Each vote also
 *         adds to one total, so no two votes run together. The total is a sum that a reduction at
 *         the end can make, and without it a hundred votes run at once.
 * Run:    build/release/bin/11_explain
 * Expect: what svs_explain() says of both ways of counting (expected.txt). */
#include "session.h"

enum { VOTES = 200, PARTIES = 100 };
static long parties[PARTIES], total;
static svs_space *each_party, *the_total; /* names for what the tasks access */

typedef struct vote {
    int party;
} vote;

static void counted_touch(svs_footprint *f, const vote *v) {
    svs_writes_at(f, each_party, (uint64_t)v->party);
    svs_writes_at(f, the_total, 0);
}
static svs_status counted_run(svs_context *x, vote *v) {
    (void)x;
    parties[v->party]++;
    total++;
    return SVS_OK;
}
SVS_TASK(counted, vote, counted_run, counted_touch)

static void voted_touch(svs_footprint *f, const vote *v) {
    svs_writes_at(f, each_party, (uint64_t)v->party);
}
static svs_status voted_run(svs_context *x, vote *v) {
    (void)x;
    parties[v->party]++;
    return SVS_OK;
}
SVS_TASK(voted, vote, voted_run, voted_touch)

/* Runs all votes in a graph of its own, and prints what svs_explain() says about them. */
static svs_status explain(svs_world *world, const svs_task_type *type) {
    char text[1000];
    vote votes[VOTES];
    svs_graph *graph;
    svs_task *task;
    svs_status closed, status = svs_graph_new(world, NULL, &graph);
    if (status) return status;
    for (int i = 0; i < VOTES; i++) votes[i].party = i % PARTIES;
    status = svs_graph_add_itemizer(graph, type, NULL, &task);
    if (!status) status = svs_graph_send(graph, task, votes, VOTES, sizeof *votes);
    if (!status) status = svs_explain_begin(graph, 0);
    if (!status) status = svs_graph_run(graph, 1, NULL);
    if (!status) status = svs_explain(graph, text, sizeof text);
    if (!status) printf("%s", text);
    closed = svs_graph_free(graph);
    return status ? status : closed;
}

int main(void) {
    session s = {NULL, NULL, NULL};
    svs_status status = session_open(&s);
    if (!status) status = svs_space_new(s.world, "parties", PARTIES, &each_party);
    if (!status) status = svs_space_new(s.world, "total", 1, &the_total);
    if (!status) status = explain(s.world, &counted_task);
    if (!status) status = explain(s.world, &voted_task);
    if (!status) status = svs_space_free(each_party);
    if (!status) status = svs_space_free(the_total);
    return session_close(&s, status);
}
