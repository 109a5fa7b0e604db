/* Moves from memory to memory: each is a message of MPI, without a buffer of the library on either
 * side. MPI matches the messages of a pair of ranks and a tag in their order, and each kind has a
 * tag (transport.T4). */
#include "transport/mpi_rank.h"
#include <stdlib.h>

static svs__mpi_move *begin(svs__mpi *rank, void *ticket, bool gives) {
    svs__mpi_move *one = malloc(sizeof *one);
    if (one == NULL) svs__mpi_give_up(rank, "there is no memory for a transfer", MPI_SUCCESS);
    *one = (svs__mpi_move){.next = rank->moves, .ticket = ticket, .gives = gives};
    return rank->moves = one;
}

static int tag_of(svs__move_kind kind) { return SVS__MPI_TAG_MOVE + (int)kind; }

void svs__mpi_give(void *self, uint32_t to, const void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket) {
    svs__mpi *rank = self;
    svs__mpi_move *one = begin(rank, ticket, true);
    svs__mpi_check(
        rank,
        MPI_Isend(memory, (int)bytes, MPI_BYTE, (int)to, tag_of(kind), rank->world, &one->request),
        "MPI_Isend:");
} /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): find_complete() waits */

void svs__mpi_take(void *self, uint32_t from, void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket) {
    svs__mpi *rank = self;
    svs__mpi_move *one = begin(rank, ticket, false);
    svs__mpi_check(rank,
                   MPI_Irecv(memory, (int)bytes, MPI_BYTE, (int)from, tag_of(kind), rank->world,
                             &one->request),
                   "MPI_Irecv:");
} /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): find_complete() waits */

/* @return the link to the first half that is complete, or the end of the list. */
static svs__mpi_move **find_complete(svs__mpi *rank) {
    svs__mpi_move **at = &rank->moves;
    for (; *at != NULL && !(*at)->complete; at = &(*at)->next) {
        int complete = 0;
        svs__mpi_check(rank, MPI_Test(&(*at)->request, &complete, MPI_STATUS_IGNORE), "MPI_Test:");
        (*at)->complete = complete != 0;
        if (complete != 0) break;
    }
    return at;
}

bool svs__mpi_has_moved(svs__mpi *rank) { return *find_complete(rank) != NULL; }

void *svs__mpi_moved(void *self) {
    svs__mpi_move **at = find_complete(self), *one = *at;
    void *ticket;
    if (one == NULL) return NULL;
    ticket = one->ticket;
    *at = one->next;
    free(one);
    return ticket;
}

/* A receive writes to memory of the program, so it is cancelled, or waited for if MPI cannot cancel
 * it any more. A send may never be received, so its request is left to MPI. */
void svs__mpi_moves_end(svs__mpi *rank) {
    svs__mpi_move *one;
    while ((one = rank->moves) != NULL) {
        rank->moves = one->next;
        if (!one->complete && one->gives) {
            (void)MPI_Request_free(&one->request);
        } else if (!one->complete) {
            (void)MPI_Cancel(&one->request);
            /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): svs__mpi_take() has begun it */
            (void)MPI_Wait(&one->request, MPI_STATUS_IGNORE);
        }
        free(one);
    }
}
