/* Over MPI: rank 1 is killed while the others validate ghosts, steal its tasks, merge inserts into
 * its part of a table, or refresh copies of its object. The launcher ends the job, and
 * ranks/ranks.sh names the rank.
 *
 *     ranks/ranks.sh openmpi 3 build/dev/tests/bin/ranks_structure_faults_openmpi steal */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <svs/ranks.h>

/* A rank that reads a large message from the memory of another one which has died aborts in MPICH,
 * and may be the first that is named. Small messages are copied. */
enum { TASKS = 1000, INSERTS = 500, MESSAGE_BYTES = 2048 };
static const char *phase = "none";

typedef struct own {
    svs_bipartite *graph;
    svs_stealer *stealer;
    svs_object_layer *layer;
    svs_hash *table;
    svs_counter done;
    int64_t waits; /* how often it has waited for `done` */
    uint32_t rank, count;
} own;

static bool is_in(const char *name) { return strcmp(phase, name) == 0; }

static svs_status await(svs_ranks *ranks, own *me, svs_status status) {
    return status == SVS_WAIT || status == SVS_OK ? svs_await(ranks, &me->done, ++me->waits)
                                                  : status;
}

/* Rank 1 dies while it handles a record of a rank that has begun a refresh. */
static void die(svs_ranks *ranks, void *part, const uint32_t *ranks_of, uint32_t count) {
    (void)ranks, (void)part;
    if (count != 0 && ranks_of[0] != 1) (void)raise(SIGKILL);
}
SVS_HANDLER_IN_PLACE(asked, uint32_t, die)
static const svs_handler *const handlers[] = {&asked};

static svs_status refresh(svs_ranks *ranks, own *me) {
    svs_object_layer_name name = {1, 7};
    svs_status status = SVS_OK;
    if (me->rank == 1)
        status = await(ranks, me, svs_object_layer_publish(me->layer, name, "first", 6, &me->done));
    if (status == SVS_OK) status = await(ranks, me, svs_object_layer_sync(me->layer, &me->done));
    for (int i = 0; i < 3 && me->rank != 1 && status == SVS_OK; i++) {
        status = svs_object_layer_refresh(me->layer, name, NULL, &me->done);
        if (status == SVS_WAIT && i == 2) status = asked_post(ranks, 1, &me->rank);
        if (status == SVS_OK || status == SVS_WAIT) status = await(ranks, me, status);
    }
    return status;
}

static svs_status validate(svs_ranks *ranks, own *me) {
    svs_status status = await(ranks, me, svs_bipartite_connect(me->graph, &me->done));
    for (int i = 0; i < 4 && status == SVS_OK; i++) {
        status = svs_bipartite_validate(me->graph, SVS_BIPARTITE_RED, &me->done);
        if (me->rank == 1 && i == 3) (void)raise(SIGKILL);
        status = await(ranks, me, status);
    }
    return status;
}

/* All tasks are of rank 1, which dies after some of them. */
static svs_status steal(svs_ranks *ranks, own *me) {
    uint64_t task = 0;
    size_t bytes = 0;
    svs_status status = SVS_OK;
    for (; me->rank == 1 && task < TASKS && status == SVS_OK; task++)
        status = svs_stealer_add(me->stealer, SVS_STEALER_ANY, &task, sizeof task, NULL);
    for (int ran = 0; status == SVS_OK && bytes != SVS_STEALER_END; ran++) {
        status = await(ranks, me, svs_stealer_remove(me->stealer, &task, &bytes, &me->done));
        if (me->rank == 1 && ran == TASKS / 20) (void)raise(SIGKILL);
        if (status == SVS_OK && bytes != SVS_STEALER_END)
            status = svs_stealer_complete(me->stealer);
        svs_poll(ranks);
    }
    return status;
}

/* All ranks insert few keys, so that inserts are merged. Rank 1 dies before its last sync. */
static svs_status combine(svs_ranks *ranks, own *me) {
    svs_status status = SVS_OK;
    for (uint64_t i = 0; i < 4u * INSERTS && status == SVS_OK; i++) {
        uint64_t item[2] = {i % 8, 1};
        status = svs_hash_insert(me->table, item, NULL);
        if (status == SVS_WAIT)
            status = await(ranks, me, svs_hash_insert(me->table, item, &me->done));
        if (me->rank == 1 && i == 3u * INSERTS) (void)raise(SIGKILL);
        if (i % INSERTS == INSERTS - 1)
            status = await(ranks, me, svs_hash_sync(me->table, &me->done));
    }
    return status;
}

static svs_status live(svs_ranks *ranks, void *state) {
    own *me = *(own **)state;
    if (is_in("validate")) return validate(ranks, me);
    if (is_in("combine")) return combine(ranks, me);
    return is_in("steal") ? steal(ranks, me) : refresh(ranks, me);
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, live, &state, sizeof state, NULL);
}

/* One node of each colour on each rank, and an edge from the node of the rank before. */
static svs_status fill(own *me) {
    svs_bipartite_node from = {(me->rank + 1) % me->count, 0, SVS_BIPARTITE_RED}, node;
    double value = 1;
    svs_status status = svs_bipartite_add_node(me->graph, SVS_BIPARTITE_RED, &value, &node);
    if (status == SVS_OK)
        status = svs_bipartite_add_node(me->graph, SVS_BIPARTITE_BLACK, &value, &node);
    return status == SVS_OK ? svs_bipartite_add_edge(me->graph, from, node, 1) : status;
}

static svs_status make(svs_ranks *ranks, own *me) {
    svs_bipartite_options graph;
    svs_stealer_options stealer;
    svs_object_layer_options layer;
    svs_hash_options table;
    svs_status status = svs_handlers_add(ranks, handlers, 1);
    svs_bipartite_options_init(&graph);
    graph.name = "field";
    graph.node_bytes = sizeof(double);
    svs_stealer_options_init(&stealer);
    stealer.name = "tasks";
    stealer.task_bytes = sizeof(uint64_t);
    stealer.buffer_bytes = MESSAGE_BYTES;
    svs_object_layer_options_init(&layer);
    layer.name = "layer";
    svs_hash_options_init(&table);
    table.name = "table";
    table.item_bytes = 2 * sizeof(uint64_t);
    table.key_bytes = sizeof(uint64_t);
    table.duplicate = svs_hash_add;
    table.combine_entries = 64;
    if (status == SVS_OK) status = svs_bipartite_new(ranks, &graph, &me->graph);
    if (status == SVS_OK) status = svs_stealer_new(ranks, &stealer, &me->stealer);
    if (status == SVS_OK) status = svs_object_layer_new(ranks, &layer, &me->layer);
    if (status == SVS_OK) status = svs_hash_new(ranks, &table, &me->table);
    return status == SVS_OK ? fill(me) : status;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    own me = {.waits = 0};
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.aggregate_bytes = MESSAGE_BYTES;
    if (svs_ranks_new(&options, &ranks)) return 1;
    me.rank = svs_ranks_index(ranks);
    me.count = svs_ranks_count(ranks);
    svs_counter_init(&me.done, 0);
    status = make(ranks, &me);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, &me);
    printf("rank %u: %s\n", me.rank, svs_status_name(status));
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) {
    if (argc == 2) phase = argv[1];
    return svs_ranks_main(svs_transport_mpi(), program, 1, argv);
}
