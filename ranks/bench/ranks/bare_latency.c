/* Round trips on plain MPI: a message of the size of SvS' packet and its reply, a non-blocking
 * reduction, and a large message with its acknowledgement. */
#include "works.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 48, TAG = 9 };

static void wait_for(MPI_Request *request) {
    int complete = 0;
    while (!complete) MPI_Test(request, &complete, MPI_STATUS_IGNORE);
}

static void exchange(int other, bool first) {
    static char sent[BYTES], received[BYTES];
    MPI_Request requests[2];
    MPI_Irecv(received, BYTES, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &requests[0]);
    if (!first) wait_for(&requests[0]);
    MPI_Isend(sent, BYTES, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &requests[1]);
    wait_for(&requests[1]);
    if (first) wait_for(&requests[0]);
}

double bare_pingpong(const settings *chosen, uint64_t count) {
    int rank;
    uint64_t begin;
    (void)chosen;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = bench_wall_ns();
    if (rank < 2)
        for (uint64_t i = 0; i < count; i++) exchange(1 - rank, rank == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    return (double)(bench_wall_ns() - begin);
}

double bare_reduction(const settings *chosen, uint64_t count) {
    uint64_t begin;
    (void)chosen;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = bench_wall_ns();
    for (uint64_t i = 0; i < count; i++) {
        int64_t mine = 1, sum;
        MPI_Request request;
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
    return (double)(bench_wall_ns() - begin);
}

/* Sends to the other one of two ranks, or receives from it. */
static void pass(char *memory, int bytes, bool sends) {
    MPI_Request request;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (sends) MPI_Isend(memory, bytes, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &request);
    else MPI_Irecv(memory, bytes, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &request);
    wait_for(&request);
}

/* A message of rank 0 to rank 1, and its acknowledgement; or a request, and a message back. */
double bare_transfer(const settings *chosen, uint64_t count) {
    static char *memory;
    static size_t size;
    int rank, bytes = (int)chosen->bytes;
    uint64_t begin;
    if (size < chosen->bytes) {
        free(memory);
        memory = bench_allocate(size = chosen->bytes, 1);
        memset(memory, 1, size); /* pages of its own, as those of SvS */
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = bench_wall_ns();
    for (uint64_t i = 0; i < count && rank < 2; i++) {
        if (chosen->reads) {
            pass(memory, 1, rank == 0);
            pass(memory, bytes, rank == 1);
        } else {
            pass(memory, bytes, rank == 0);
            pass(memory, 1, rank == 1);
        }
    }
    return (double)(bench_wall_ns() - begin);
}
