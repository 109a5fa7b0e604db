/* Over MPI: rank 1 is killed while the others wait for its events, for places on its edges, or in a
 * recovery. The launcher ends the job, and ranks/ranks.sh names the rank.
 *
 *     ranks/ranks.sh openmpi 3 build/dev/tests/bin/ranks_graph_faults_openmpi recovery
 *
 * Node n is on rank n. Node 0 sends to node 1, and node 1 to the others. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <svs/ranks.h>

enum { NODES = 3 };
static const svs_event_edge edges[] = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}};
static const char *phase = "none";

typedef struct own {
    svs_event_graph *graph;
    uint32_t node;
} own;

static bool is_in(const char *name) { return strcmp(phase, name) == 0; }

/* For a recovery: under a freeze, when all ranks have been idle. */
static int64_t next(svs_event_graph *graph, uint32_t node, void *argument) {
    (void)graph, (void)argument;
    if (node == 1 && is_in("recovery")) (void)raise(SIGKILL);
    return SVS_EVENT_TIME_MAX;
}

/* Node 0 has sent one event before it waits for what node 1 sends, or for a place. */
static svs_status send_first(const own *me) {
    svs_status status = SVS_OK;
    for (int64_t time = 0; status == SVS_OK && time < (is_in("space") ? 2 : 1); time++)
        status = svs_event_send(me->graph, 0, &time);
    return status == SVS_WAIT ? svs_event_await(me->graph, 0, SVS_EVENT_SPACE) : status;
}

static svs_status live(svs_ranks *ranks, void *state) {
    const own *me = *(own **)state;
    svs_status status = SVS_OK;
    (void)ranks;
    if (me->node == 0 && !is_in("recovery")) status = send_first(me);
    if (status == SVS_OK) status = svs_event_await(me->graph, me->node, SVS_EVENT_EMPTY_EDGE);
    if (me->node == 1 && status == SVS_OK) (void)raise(SIGKILL);
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, live, &state, sizeof state, NULL);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_event_graph_options of;
    svs_ranks *ranks;
    svs_status status;
    own me;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks)) return 1;
    me.node = svs_ranks_index(ranks);
    svs_event_graph_options_init(&of);
    of.name = "faults";
    of.nodes = NODES;
    of.edges = edges;
    of.edge_count = sizeof edges / sizeof *edges;
    of.event_bytes = sizeof(int64_t);
    of.timed = true;
    of.next = next;
    of.cures = SVS_EVENT_RECOVERY;
    status = svs_event_graph_new(ranks, &of, &me.graph);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, &me);
    printf("rank %u: %s\n", me.node, svs_status_name(status));
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) {
    if (argc == 2) phase = argv[1];
    return svs_ranks_main(svs_transport_mpi(), program, 1, argv);
}
