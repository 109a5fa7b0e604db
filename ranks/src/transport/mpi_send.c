/* Messages in flight to other ranks, in a list in the order of sending. */
#include "transport/mpi_rank.h"
#include <stdlib.h>

/* number of the oldest messages in flight that svs__mpi_completed() tests in each call */
#define TESTED 2u

static svs__mpi_message *new_message(svs__mpi *rank, svs__buffer *buffer) {
    svs__mpi_message *made = rank->spare;
    if (made != NULL) rank->spare = made->next;
    else made = malloc(sizeof *made);
    if (made == NULL) svs__mpi_give_up(rank, "there is no memory for a message", MPI_SUCCESS);
    made->buffer = buffer;
    made->next = NULL;
    return made;
}

static void append(svs__mpi *rank, svs__mpi_message *one) {
    if (rank->first == NULL) rank->first = one;
    else rank->last->next = one;
    rank->last = one;
}

/* Takes the message out of the list. @param before the message before it; NULL: it is the first. */
static svs__buffer *take_out(svs__mpi *rank, svs__mpi_message *before, svs__mpi_message *one) {
    svs__buffer *buffer = one->buffer;
    if (before == NULL) rank->first = one->next;
    else before->next = one->next;
    if (rank->last == one) rank->last = before;
    one->next = rank->spare;
    rank->spare = one;
    return buffer;
}

static bool is_complete(const svs__mpi *rank, svs__mpi_message *one) {
    int complete = 0;
    svs__mpi_check(rank, MPI_Test(&one->request, &complete, MPI_STATUS_IGNORE), "MPI_Test:");
    return complete != 0;
}

static void announce(const svs__mpi *rank, uint32_t to) {
    static const char announcement[SVS__MPI_ANNOUNCEMENT] = {0};
    MPI_Request request;
    svs__mpi_check(rank,
                   MPI_Isend(announcement, sizeof announcement, MPI_BYTE, (int)to, SVS__MPI_TAG,
                             rank->world, &request),
                   "MPI_Isend:");
    /* MPI completes the send although its request is freed. */
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker) */
    svs__mpi_check(rank, MPI_Request_free(&request), "MPI_Request_free:");
}

svs__send_result svs__mpi_send(void *self, uint32_t to, svs__buffer *buffer) {
    svs__mpi *rank = self;
    svs__mpi_message *one = new_message(rank, buffer);
    bool is_large = buffer->bytes > SVS__MPI_RECEIVE_BYTES;
    buffer->from = rank->transport.rank;
    buffer->number = rank->numbers[to]++;
    if (is_large) announce(rank, to);
    svs__mpi_check(rank,
                   MPI_Isend(buffer->data, (int)buffer->bytes, MPI_BYTE, (int)to,
                             is_large ? SVS__MPI_TAG_LARGE : SVS__MPI_TAG, rank->world,
                             &one->request),
                   "MPI_Isend:");
    append(rank, one);
    return SVS__SENT; /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): is_complete() waits */
}

/* @return the buffer of one of the oldest messages, if it is complete; or NULL. */
svs__buffer *svs__mpi_completed(void *self) {
    svs__mpi *rank = self;
    svs__mpi_message *one = rank->first, *before = NULL;
    for (uint32_t i = 0; i < TESTED && one != NULL; i++, before = one, one = one->next)
        if (is_complete(rank, one)) return take_out(rank, before, one);
    return NULL;
}

bool svs__mpi_is_sent(svs__mpi *rank) {
    return rank->first != NULL && is_complete(rank, rank->first);
}
