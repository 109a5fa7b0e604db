/* Over MPI: rank 1 exits, is killed, or is stopped for a while, in a phase of the program.
 *
 *     ranks/ranks.sh openmpi 3 build/dev/tests/bin/ranks_faults_openmpi kill 9 inserts
 *
 * exit N | kill N | stop N PHASE; phases: new, inserts, freeze, bulk, run, free. */
#include "ranks/post_again.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/ranks.h>
#include <unistd.h>

enum { POSTS = 20000, CELLS = 1 << 19, SECONDS = 4 };

static struct {
    const char *how, *phase;
    int number;
} fault = {"none", "none", 0};

typedef struct own {
    uint32_t sent, received;
    svs_counter made, posted, frozen, opened, written;
    svs_distributed *object;
    svs_snapshot *snapshot;
    svs_segment *segment;
    double *cells;
} own;

typedef struct word {
    uint64_t number;
} word;

static void take(svs_ranks *ranks, void *part, const word *words, uint32_t count) {
    ((own *)part)->received += count;
}
SVS_HANDLER_IN_PLACE(insert, word, take)

/* Rank 1 has come to a phase. */
static void phase(uint32_t rank, const char *name) {
    if (rank != 1 || strcmp(name, fault.phase) != 0) return;
    if (strcmp(fault.how, "exit") == 0) exit(fault.number); /* NOLINT(concurrency-mt-unsafe) */
    (void)raise(strcmp(fault.how, "stop") == 0 ? SIGSTOP : fault.number);
}

static svs_status accept(svs_status status) { return status == SVS_WAIT ? SVS_OK : status; }

static svs_status insert_all(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t count = svs_ranks_count(ranks);
    for (; mine->sent < POSTS * count; mine->sent++) {
        const word record = {mine->sent};
        svs_status status = insert_post(ranks, mine->sent % count, &record);
        if (mine->sent == POSTS * count / 2) phase(svs_ranks_index(ranks), "inserts");
        if (status) return post_again(ranks, status, mine->sent % count, insert_all);
    }
    svs_counter_add(ranks, &mine->posted, 1);
    return SVS_OK;
}

static svs_status make_objects(svs_ranks *ranks, own *mine) {
    svs_status status =
        accept(svs_distributed_new(ranks, "all", 0, mine, &mine->object, &mine->made));
    if (!status) status = accept(svs_snapshot_new(ranks, "still", 0, &mine->snapshot, &mine->made));
    if (!status)
        status = accept(svs_segment_new(ranks, "cells", 0, mine->cells, CELLS * sizeof(double),
                                        &mine->segment, &mine->made));
    return status ? status : svs_await(ranks, &mine->made, 3);
}

static svs_status freeze(svs_ranks *ranks, own *mine) {
    svs_status status = accept(svs_snapshot_freeze(mine->snapshot, &mine->frozen));
    phase(svs_ranks_index(ranks), "freeze");
    if (!status) status = svs_await(ranks, &mine->frozen, 1);
    if (!status) status = accept(svs_snapshot_unfreeze(mine->snapshot, &mine->opened));
    return status ? status : svs_await(ranks, &mine->opened, 1);
}

/* Half of the own cells to the other half of the next rank's. */
static svs_status transfer(svs_ranks *ranks, own *mine) {
    uint32_t next = (svs_ranks_index(ranks) + 1) % svs_ranks_count(ranks);
    size_t half = CELLS / 2 * sizeof(double);
    svs_status status =
        accept(svs_bulk_write(mine->segment, next, half, mine->cells, half, &mine->written));
    phase(svs_ranks_index(ranks), "bulk");
    return status ? status : svs_await(ranks, &mine->written, 1);
}

static svs_status script(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_fiber inserts;
    svs_status status = make_objects(ranks, mine);
    if (!status) status = svs_fiber_new(ranks, insert_all, NULL, 0, NULL, &inserts);
    if (!status) status = svs_fiber_enable(ranks, inserts);
    if (!status) status = svs_await(ranks, &mine->posted, 1);
    if (!status) status = freeze(ranks, mine);
    if (!status) status = transfer(ranks, mine);
    phase(svs_ranks_index(ranks), "run");
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, script, NULL, 0, NULL);
}

static int is_right(const own *mine, uint32_t ranks) {
    int right = mine->received == POSTS * ranks;
    for (size_t i = 0; i < CELLS; i++) right = right && mine->cells[i] == (double)(i % (CELLS / 2));
    return right;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    static const svs_handler *const handlers[] = {&insert};
    svs_ranks_options options;
    svs_ranks *ranks;
    own mine = {.cells = calloc(CELLS, sizeof(double))};
    svs_status status;
    int right;
    if (mine.cells == NULL) return 1;
    for (size_t i = 0; i < CELLS / 2; i++) mine.cells[i] = (double)i;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.aggregate_bytes = 1000;
    phase((uint32_t)atoi(argv[1]), "new"); /* NOLINT(cert-err34-c) */
    if (svs_ranks_new(&options, &ranks)) return 1;
    svs_ranks_set_data(ranks, &mine);
    status = svs_handlers_add(ranks, handlers, 1);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, NULL);
    phase(svs_ranks_index(ranks), "free");
    right = is_right(&mine, svs_ranks_count(ranks));
    printf("rank %u of %u: %s, %s\n", svs_ranks_index(ranks), svs_ranks_count(ranks),
           svs_status_name(status), right ? "right" : "wrong");
    free(mine.cells);
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK || !right;
}

/* A process that continues this one after some seconds; before MPI begins. */
static void continue_later(void) {
    char command[120];
    (void)snprintf(command, sizeof command,
                   "(sleep %d; kill -CONT %d) >/dev/null 2>&1 </dev/null &", SECONDS,
                   (int)getpid());
    if (system(command) != 0) exit(2); /* NOLINT(cert-env33-c,concurrency-mt-unsafe): a test */
}

int main(int argc, char **argv) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"); /* NOLINT(concurrency-mt-unsafe) */
    char own_rank[12] = "0", *values[] = {argv[0], own_rank, NULL};
    if (rank == NULL) rank = getenv("PMI_RANK"); /* NOLINT(concurrency-mt-unsafe) */
    if (rank != NULL) (void)snprintf(own_rank, sizeof own_rank, "%.10s", rank);
    if (argc == 4) {
        fault.how = argv[1];
        fault.number = atoi(argv[2]); /* NOLINT(cert-err34-c) */
        fault.phase = argv[3];
    }
    if (strcmp(fault.how, "stop") == 0 && strcmp(own_rank, "1") == 0) continue_later();
    return svs_ranks_main(svs_transport_mpi(), program, 2, values);
}
