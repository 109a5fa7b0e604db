/* Tasks of some length by a master and workers on plain MPI. The master works, too, and answers
 * between two tasks. */
#include "stealer.h"

#if defined(BENCH_MPI)
#include <mpi.h>

enum { ASK = 11, GIVE = 12, CHUNK = 16 };

static void work_on(uint64_t tasks, uint32_t steps) {
    for (uint64_t i = 0; i < tasks; i++) bench_spin(steps);
}

/* Answers the requests that have come. @return how many workers were sent home. */
static int answer(uint64_t *left) {
    int home = 0;
    for (;;) {
        MPI_Status from;
        uint64_t given = *left < CHUNK ? *left : CHUNK;
        int there, nothing;
        MPI_Iprobe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &there, &from);
        if (!there) return home;
        MPI_Recv(&nothing, 1, MPI_INT, from.MPI_SOURCE, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&given, 1, MPI_UINT64_T, from.MPI_SOURCE, GIVE, MPI_COMM_WORLD);
        *left -= given;
        home += given == 0;
    }
}

static void lead(uint64_t left, uint32_t steps, int workers) {
    while (left != 0) {
        left--;
        bench_spin(steps);
        workers -= answer(&left);
    }
    while (workers != 0) workers -= answer(&left);
}

/* Asks for the next tasks before it runs the present ones. */
static void follow(uint32_t steps) {
    uint64_t given = 0, next = 0;
    int nothing = 0;
    MPI_Send(&nothing, 1, MPI_INT, 0, ASK, MPI_COMM_WORLD);
    do {
        MPI_Request answer;
        MPI_Irecv(&next, 1, MPI_UINT64_T, 0, GIVE, MPI_COMM_WORLD, &answer);
        work_on(given, steps);
        MPI_Wait(&answer, MPI_STATUS_IGNORE);
        given = next;
        if (given != 0) MPI_Send(&nothing, 1, MPI_INT, 0, ASK, MPI_COMM_WORLD);
    } while (given != 0);
}

uint64_t bare_spin(const stealer_settings *said) {
    uint32_t steps = bench_rounds((uint32_t)said->ns);
    uint64_t begun;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    begun = bench_wall_ns();
    if (rank == 0) lead(said->tasks, steps, ranks - 1);
    else follow(steps);
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_wall_ns() - begun;
}
#else
uint64_t bare_spin(const stealer_settings *said) {
    (void)said;
    return 0;
}
#endif
