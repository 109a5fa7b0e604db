/* The programs as a graph of one task, which sends to itself. */
#include "sends.h"
#include "shim.h"

#include <stdlib.h>

typedef struct svs_state {
    sends_case *c;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
} svs_state;

typedef struct sending {
    svs_context *context;
    svs_task *task;
} sending;

static void step_touch(svs_footprint *f, const sends_item *item) {
    const svs_state *s = svs_footprint_argument(f);
    const sends_node *n = &s->c->nodes[item->node];
    svs_writes(f, n);
    if (!s->c->program->neighbours) return;
    for (uint32_t e = 0; e < n->degree; e++) svs_writes(f, &s->c->nodes[n->edges[e].to]);
}

static void send(void *to, sends_item item);

static svs_status step_run(svs_context *x, sends_item *item) {
    const svs_state *s = svs_context_argument(x);
    sending to = {x, s->task};
    s->c->program->step(s->c, *item, send, &to);
    return SVS_OK;
}
SVS_TASK(step, sends_item, step_run, step_touch)

static void send(void *to, sends_item item) {
    const sending *by = to;
    svs_status status = step_send(by->context, by->task, &item, 1);
    (void)status; /* a failed send fails the body */
}

static void *make(sends_case *c, uint32_t threads) {
    svs_state *s = bench_allocate(1, sizeof *s);
    s->c = c;
    BENCH_OK(svs_world_new(bench_runtime_of(threads), NULL, &s->world));
    BENCH_OK(svs_graph_new(s->world, NULL, &s->graph));
    BENCH_OK(svs_graph_add_itemizer(s->graph, &step_task, s, &s->task));
    BENCH_OK(svs_graph_add_flow(s->graph, s->task, s->task));
    return s;
}

static void run(void *state) {
    const svs_state *s = state;
    BENCH_OK(
        svs_graph_send(s->graph, s->task, s->c->first, s->c->first_count, sizeof *s->c->first));
    BENCH_OK(svs_graph_run(s->graph, 1, NULL));
}

static void destroy(void *state) {
    svs_state *s = state;
    BENCH_OK(svs_graph_free(s->graph));
    BENCH_OK(svs_world_free(s->world));
    free(s);
}

const sends_engine sends_svs = {"svs", make, run, destroy};
