/* The end of a process. MPI does not tell survivors of a death; instead the launcher ends all
 * ranks. Not every launcher regards an exit before the end of a run as a failure, so here such an
 * exit aborts all ranks with a message (transport.M1). A rank that exits and has never used the
 * transport sends an empty message to each other rank, because they may wait for it
 * (transport.T3). */
#include "transport/mpi_rank.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Nanoseconds between the last message of a rank and its abort, in which the launcher reads the
 * message. */
#define LAST_WORDS_NS 100000000

_Noreturn void svs__mpi_give_up(const svs__mpi *rank, const char *why, int error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    struct timespec pause = {0, LAST_WORDS_NS};
    int length = 0;
    if (error != MPI_SUCCESS) (void)MPI_Error_string(error, text, &length);
    fprintf(stderr, "svs: error: rank %u: %s %s\n", rank->transport.rank, why, text);
    (void)nanosleep(&pause, NULL);
    (void)MPI_Abort(MPI_COMM_WORLD, 70);
    abort();
}

/* Waits until all ranks have come to this point, and drops messages that arrive meanwhile. */
static void end_together(svs__mpi *rank) {
    MPI_Request request;
    int complete = 0;
    svs__mpi_check(rank, MPI_Ibarrier(rank->world, &request), "MPI_Ibarrier:");
    while (complete == 0) {
        svs__mpi_drop_arrivals(rank);
        svs__mpi_check(rank, MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test:");
        svs__yield();
    }
}

/* Tells the other ranks that this process leaves without having used the transport, because they
 * may wait for it. */
static void leave_unused(svs__mpi *rank) {
    uint32_t count = rank->transport.count;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): a request is a handle, in one MPI a pointer */
    MPI_Request *told = calloc(count, sizeof *told);
    if (told == NULL) svs__mpi_give_up(rank, "there is no memory to tell of its exit", MPI_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        told[i] = MPI_REQUEST_NULL;
        if (i == rank->transport.rank) continue;
        svs__mpi_check(rank,
                       MPI_Isend(NULL, 0, MPI_BYTE, (int)i, SVS__MPI_TAG, rank->world, &told[i]),
                       "MPI_Isend:");
    }
    end_together(rank);
    for (uint32_t i = 0; i < count; i++)
        svs__mpi_check(rank, MPI_Wait(&told[i], MPI_STATUS_IGNORE), "MPI_Wait:");
    free(told);
}

static void release_all(svs__mpi *rank) {
    svs__mpi_receives_end(rank);
    while (rank->spare != NULL) {
        svs__mpi_message *next = rank->spare->next;
        free(rank->spare);
        rank->spare = next;
    }
    free(rank->numbers);
}

void svs__mpi_part(svs__mpi *rank) {
    if (rank->opened) end_together(rank);
    else leave_unused(rank);
    release_all(rank);
    (void)MPI_Comm_free(&rank->world);
}

void svs__mpi_leave(svs__mpi *rank) {
    int over = 0;
    (void)MPI_Finalized(&over);
    if (over != 0) return;
    if (rank->opened && !rank->closed) /* transport.M1 */
        svs__mpi_give_up(rank,
                         "it exits before the end of a run: let svs_ranks_run() and "
                         "svs_ranks_free() return first",
                         MPI_SUCCESS);
    svs__mpi_part(rank);
    (void)MPI_Finalize();
}
