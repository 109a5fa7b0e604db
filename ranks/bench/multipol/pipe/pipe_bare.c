/* PIPE on plain MPI: a message of N items at a time, and one back for each that was removed. So at
 * most F items are in flight between two ranks. */
#include "common.h"
#include "pipe.h"

#ifdef BENCH_MPI
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_ITEMS, TAG_PLACES };

typedef struct bare {
    const pipe_options *options;
    int rank, ranks, bytes;
    uint64_t left; /* batches that may be sent */
    unsigned char **buffer;
    MPI_Request *sent;
    uint32_t credits, next;
    uint64_t digest;
} bare;

static void take_place(bare *me) {
    char none;
    MPI_Recv(&none, 0, MPI_CHAR, me->rank + 1, TAG_PLACES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    me->left++;
}

static void produce(bare *me, const unsigned char *batch) {
    uint32_t slot = me->next++ % me->credits;
    if (me->rank + 1 == me->ranks) return;
    if (me->left == 0) take_place(me);
    me->left--;
    MPI_Wait(&me->sent[slot], MPI_STATUS_IGNORE);
    memcpy(me->buffer[slot], batch, (size_t)me->bytes);
    MPI_Isend(me->buffer[slot], me->bytes, MPI_BYTE, me->rank + 1, TAG_ITEMS, MPI_COMM_WORLD,
              &me->sent[slot]);
}

static void consume(bare *me, unsigned char *batch, uint64_t first) {
    for (uint32_t i = 0; me->rank == 0 && i < me->options->at_once; i++) {
        pipe_item item = {first + i, first + i + 1};
        memcpy(batch + (size_t)i * me->options->item_bytes, &item, sizeof item);
    }
    if (me->rank == 0) return;
    MPI_Recv(batch, me->bytes, MPI_BYTE, me->rank - 1, TAG_ITEMS, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(batch, 0, MPI_CHAR, me->rank - 1, TAG_PLACES, MPI_COMM_WORLD);
}

static void compute(bare *me, unsigned char *batch) {
    for (uint32_t i = 0; i < me->options->at_once; i++) {
        pipe_item *item = (pipe_item *)(void *)(batch + (size_t)i * me->options->item_bytes);
        item->value = pipe_compute(item->value, me->options->units);
        if (me->rank + 1 == me->ranks) me->digest = pipe_digest(me->digest, item);
    }
}

static void run(bare *me, pipe_result *result) {
    uint64_t batches = me->options->items / me->options->at_once, credits = me->left, cpu;
    unsigned char *batch = calloc((size_t)me->bytes, 1);
    double begin;
    if (batch == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    cpu = bench_thread_cpu_ns();
    for (uint64_t i = 0; i < batches; i++) {
        consume(me, batch, i * me->options->at_once);
        compute(me, batch);
        produce(me, batch);
    }
    while (me->rank + 1 < me->ranks && me->left < credits) take_place(me);
    result->seconds = MPI_Wtime() - begin;
    cpu = bench_thread_cpu_ns() - cpu;
    MPI_Reduce(&cpu, &result->sums.cpu_ns, 1, MPI_UINT64_T, MPI_SUM, me->ranks - 1, MPI_COMM_WORLD);
    result->digest = me->digest;
    result->ranks = (uint32_t)me->ranks;
    result->last = me->rank + 1 == me->ranks;
    for (uint32_t i = 0; i < me->credits; i++) MPI_Wait(&me->sent[i], MPI_STATUS_IGNORE);
    free(batch);
}

int pipe_bare(const pipe_options *options, pipe_result *result) {
    bare me = {.options = options};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &me.ranks);
    me.bytes = (int)(options->at_once * options->item_bytes);
    me.credits = options->capacity / options->at_once;
    if (me.credits == 0) me.credits = 1;
    me.left = me.credits;
    me.buffer = calloc(me.credits, sizeof *me.buffer);
    me.sent = calloc(me.credits, sizeof *me.sent);
    if (me.buffer == NULL || me.sent == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (uint32_t i = 0; i < me.credits; i++) {
        me.sent[i] = MPI_REQUEST_NULL;
        me.buffer[i] = malloc((size_t)me.bytes);
        if (me.buffer[i] == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    run(&me, result);
    for (uint32_t i = 0; i < me.credits; i++) free(me.buffer[i]);
    free(me.buffer);
    free(me.sent);
    MPI_Finalize();
    return 0;
}
#else
int pipe_bare(const pipe_options *options, pipe_result *result) {
    (void)options, (void)result;
    return 2;
}
#endif
