/* Shows:  an event graph: queues with two places between nodes, whose sender waits for a place.
 * Run:    build/release/bin/ranks_08_events --transport local:3
 * Expect: the sum that has passed through three nodes (ranks_08_events in expected.txt). */
#include <stdio.h>
#include <svs/ranks.h>

enum { ITEMS = 1000, NODES = 3 };

/* node 0 makes numbers, node 1 doubles them, node 2 adds them up */
static const svs_event_edge edges[] = {{0, 1, 2}, {1, 2, 2}};

typedef struct node { /* a thread with a stack, for each */
    svs_event_graph *graph;
    uint32_t number;
} node;

static svs_status work(svs_ranks *ranks, void *state) {
    const node *me = (const node *)state;
    long value = 0, sum = 0;
    svs_status status = SVS_OK;
    (void)ranks;
    for (long i = 0; i < ITEMS && status == SVS_OK; i++) {
        if (me->number == 0) value = i;
        else status = svs_event_take(me->graph, me->number - 1, &value, 1); /* waits for it */
        if (me->number == 1) value *= 2;
        sum += value;
        if (status == SVS_OK && me->number + 1 < NODES)
            status = svs_event_put(me->graph, me->number, &value, 1); /* waits for a place */
    }
    if (me->number + 1 == NODES && status == SVS_OK) printf("the sum is %ld\n", sum);
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    node one = {(svs_event_graph *)state, 0};
    uint32_t cursor = 0;
    svs_status status = SVS_OK;
    while (status == SVS_OK && svs_event_next_node(one.graph, &cursor, &one.number) != 0)
        status = svs_thread_spawn(ranks, work, &one, sizeof one, NULL);
    return status;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_event_graph_options of_graph;
    svs_event_graph *graph = NULL;
    svs_ranks *ranks;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    svs_event_graph_options_init(&of_graph);
    of_graph.name = "pipe";
    of_graph.nodes = NODES;
    of_graph.edges = edges;
    of_graph.edge_count = 2;
    of_graph.event_bytes = sizeof(long);
    status = svs_event_graph_new(ranks, &of_graph, &graph);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, graph);
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
