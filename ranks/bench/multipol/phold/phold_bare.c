/* PHOLD on plain MPI. Each rank has a heap of the events of its nodes, and channels to all others.
 *
 *     rank 0 --{clock 700, events of times 731, 702}--> rank 1
 *
 * A message says that no event before its clock will follow; one without events is a null message.
 * A rank handles its events up to the least clock of all channels to it, and sends a buffer when it
 * is full, and all buffers when it must wait. */
#include "common.h"
#include "phold.h"

#ifdef BENCH_MPI
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { CREDITS = 8, TAG = 1, POLL = 256 };

typedef struct message {
    int64_t clock;
    phold_event of[];
} message;

typedef struct channel {       /* to one rank, and from it */
    message *buffers[CREDITS]; /* in a ring */
    MPI_Request sent[CREDITS];
    uint32_t at, fill;   /* the buffer that is filled, and its events */
    int64_t told, clock; /* clocks: what this rank has said, and what it has heard */
} channel;

typedef struct bare {
    const phold_options *of;
    int rank, ranks;
    uint32_t most; /* events of a buffer */
    channel *channels;
    message *arrival;
    phold_heap heap;
    phold_node *nodes;
    uint64_t nulls;
} bare;

/* Exits the program: a benchmark has no other use for this. */
static void check(bool whole) {
    if (!whole) MPI_Abort(MPI_COMM_WORLD, 1);
}

static size_t bytes_of(uint32_t events) { return sizeof(message) + events * sizeof(phold_event); }

static void receive(bare *me) {
    MPI_Status from;
    int bytes;
    MPI_Recv(me->arrival, (int)bytes_of(me->most), MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD,
             &from);
    MPI_Get_count(&from, MPI_BYTE, &bytes);
    me->channels[from.MPI_SOURCE].clock = me->arrival->clock;
    for (uint32_t i = 0; bytes_of(i) < (size_t)bytes; i++)
        check(phold_heap_put(&me->heap, &me->arrival->of[i]));
}

static void receive_all(bare *me) {
    int there = 1;
    while (there) {
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (there) receive(me);
    }
}

/* Events before this time are all here. */
static int64_t least_clock(const bare *me) {
    int64_t least = INT64_MAX;
    for (int i = 0; i < me->ranks; i++)
        if (i != me->rank && me->channels[i].clock < least) least = me->channels[i].clock;
    return least;
}

/* No event before this time will be sent. */
static int64_t promise(const bare *me) {
    int64_t next = least_clock(me);
    if (me->heap.count != 0 && me->heap.of[0].time < next) next = me->heap.of[0].time;
    if (next > phold_end(me->of) - phold_lookahead(me->of)) return INT64_MAX;
    return next + phold_lookahead(me->of);
}

static void send(bare *me, int to, int64_t clock) {
    channel *one = &me->channels[to];
    int complete = 0;
    one->buffers[one->at]->clock = one->told = clock;
    me->nulls += one->fill == 0;
    MPI_Isend(one->buffers[one->at], (int)bytes_of(one->fill), MPI_BYTE, to, TAG, MPI_COMM_WORLD,
              &one->sent[one->at]);
    one->at = (one->at + 1) % CREDITS;
    one->fill = 0;
    for (;;) { /* the other rank may send to this one, too */
        MPI_Test(&one->sent[one->at], &complete, MPI_STATUS_IGNORE);
        if (complete) return;
        receive_all(me);
    }
}

static void flush(bare *me) {
    for (int i = 0; i < me->ranks; i++) {
        int64_t clock = promise(me);
        if (i != me->rank && (me->channels[i].fill != 0 || clock > me->channels[i].told))
            send(me, i, clock);
    }
}

/* Passes the first event on. */
static void handle(bare *me) {
    uint32_t own = me->heap.of[0].to;
    phold_event next = phold_pass(me->of, own, &me->nodes[own], &me->heap.of[0]);
    uint32_t to = phold_place(me->of, next.to, (uint32_t)me->ranks);
    channel *one = &me->channels[to];
    bool here = to == (uint32_t)me->rank;
    if (here && next.time <= phold_end(me->of)) phold_heap_replace(&me->heap, &next);
    else phold_heap_drop(&me->heap);
    if (here || next.time > phold_end(me->of)) return;
    one->buffers[one->at]->of[one->fill++] = next;
    if (one->fill == me->most) send(me, (int)to, promise(me));
}

static bool is_over(const bare *me) {
    return (me->heap.count == 0 || me->heap.of[0].time > phold_end(me->of)) &&
           least_clock(me) > phold_end(me->of);
}

static void run(bare *me) {
    while (!is_over(me)) {
        int64_t safe = least_clock(me);
        uint32_t handled = 0;
        while (me->heap.count != 0 && me->heap.of[0].time < safe &&
               me->heap.of[0].time <= phold_end(me->of) && handled++ < POLL)
            handle(me);
        if (handled == 0) {
            flush(me);
            receive(me);
        }
        receive_all(me);
    }
    flush(me);
}

static void make(bare *me) {
    me->most = me->of->aggregate_bytes > bytes_of(1)
                   ? (uint32_t)((me->of->aggregate_bytes - sizeof(message)) / sizeof(phold_event))
                   : 1;
    me->channels = calloc((size_t)me->ranks, sizeof *me->channels);
    me->nodes = calloc(me->of->nodes, sizeof *me->nodes);
    me->arrival = malloc(bytes_of(me->most));
    check(me->channels != NULL && me->nodes != NULL && me->arrival != NULL);
    for (int i = 0; i < me->ranks * CREDITS; i++) {
        me->channels[i / CREDITS].buffers[i % CREDITS] = malloc(bytes_of(me->most));
        me->channels[i / CREDITS].sent[i % CREDITS] = MPI_REQUEST_NULL;
        check(me->channels[i / CREDITS].buffers[i % CREDITS] != NULL);
    }
    for (uint32_t i = 0; i < me->of->nodes; i++)
        for (uint32_t k = 0; k < me->of->population; k++) {
            phold_event first = phold_first(me->of, i, k);
            if (phold_place(me->of, i, (uint32_t)me->ranks) == (uint32_t)me->rank)
                check(phold_heap_put(&me->heap, &first));
        }
}

static void clean_up(bare *me) {
    for (int i = 0; i < me->ranks * CREDITS; i++) {
        MPI_Wait(&me->channels[i / CREDITS].sent[i % CREDITS], MPI_STATUS_IGNORE);
        free(me->channels[i / CREDITS].buffers[i % CREDITS]);
    }
    free(me->channels);
    free(me->nodes);
    free(me->arrival);
    free(me->heap.of);
}

int phold_bare(const phold_options *options, phold_result *result) {
    bare me = {.of = options};
    uint64_t sums[4] = {0}, cpu;
    double begin;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &me.ranks);
    make(&me);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    cpu = bench_thread_cpu_ns();
    run(&me);
    MPI_Barrier(MPI_COMM_WORLD);
    result->seconds = MPI_Wtime() - begin;
    sums[3] = bench_thread_cpu_ns() - cpu;
    for (uint32_t i = 0; i < options->nodes; i++)
        if (phold_place(options, i, (uint32_t)me.ranks) == (uint32_t)me.rank) {
            sums[0] += me.nodes[i].count;
            sums[1] += phold_share(i, &me.nodes[i]);
        }
    sums[2] = me.nulls;
    MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    result->events = sums[0];
    result->digest = sums[1];
    result->nulls = sums[2];
    result->cpu_ns = sums[3];
    result->ranks = (uint32_t)me.ranks;
    result->first = me.rank == 0;
    clean_up(&me);
    MPI_Finalize();
    return 0;
}
#else
int phold_bare(const phold_options *options, phold_result *result) {
    (void)options, (void)result;
    return 2;
}
#endif
