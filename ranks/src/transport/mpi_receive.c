/* Messages that arrive. Some receives are posted ahead, in a ring, so that MPI passes a message on
 * while its receiver does something else. MPI matches messages with receives in the order of their
 * posting, and the ring is read in that order (transport.T1). */
#include "transport/mpi_rank.h"

svs__buffer *svs__mpi_buffer(svs__mpi *rank, uint32_t bytes) {
    svs__buffer *buffer =
        bytes <= SVS__MPI_RECEIVE_BYTES ? svs__buffers_take(&rank->received) : NULL;
    if (buffer == NULL)
        buffer = svs__buffer_new(&svs__allocator_libc,
                                 bytes < SVS__MPI_RECEIVE_BYTES ? SVS__MPI_RECEIVE_BYTES : bytes);
    if (buffer == NULL)
        svs__mpi_give_up(rank, "there is no memory for a message that arrives", MPI_SUCCESS);
    return buffer;
}

void svs__mpi_release(void *self, svs__buffer *buffer) {
    svs__mpi *rank = self;
    if (buffer->capacity == SVS__MPI_RECEIVE_BYTES) svs__buffers_put_back(&rank->received, buffer);
    else svs__buffer_free(&svs__allocator_libc, buffer);
}

/* ---- the ring ---- */

static void post(svs__mpi *rank, svs__mpi_arrival *one) {
    SVS__ASSERT(one->buffer == NULL); /* transport.M2 */
    one->buffer = svs__mpi_buffer(rank, SVS__MPI_RECEIVE_BYTES);
    one->complete = false;
    svs__mpi_check(rank,
                   MPI_Irecv(one->buffer->data, SVS__MPI_RECEIVE_BYTES, MPI_BYTE, MPI_ANY_SOURCE,
                             SVS__MPI_TAG, rank->world, &one->request),
                   "MPI_Irecv:");
}

bool svs__mpi_is_complete(const svs__mpi *rank, svs__mpi_arrival *one) {
    int complete = one->complete;
    SVS__ASSERT(one->buffer != NULL); /* transport.M2 */
    if (complete == 0)
        svs__mpi_check(rank, MPI_Test(&one->request, &complete, &one->status), "MPI_Test:");
    one->complete = complete != 0;
    return one->complete;
}

bool svs__mpi_has_arrived(svs__mpi *rank) {
    SVS__ASSERT(!rank->handed_out); /* transport.M2 */
    return svs__mpi_is_complete(rank, &rank->ring[rank->next]) ||
           (rank->large != NULL && svs__mpi_large_is_ready(rank));
}

svs__buffer *svs__mpi_take_buffer(const svs__mpi *rank, svs__mpi_arrival *one) {
    svs__buffer *buffer = one->buffer;
    int bytes = 0;
    svs__mpi_check(rank, MPI_Get_count(&one->status, MPI_BYTE, &bytes), "MPI_Get_count:");
    buffer->from = (uint32_t)one->status.MPI_SOURCE;
    buffer->bytes = (uint32_t)bytes;
    one->buffer = NULL;
    return buffer;
}

/* Posts again the receive of the last message that was handed out. Its place is now the last one of
 * the ring. */
static void post_again(svs__mpi *rank) {
    if (!rank->handed_out) return;
    rank->handed_out = false;
    post(rank, &rank->ring[(rank->next + SVS__MPI_RECEIVES - 1) % SVS__MPI_RECEIVES]);
}

/* @return the next message of the ring, or NULL. */
static svs__buffer *take_next(svs__mpi *rank) {
    svs__mpi_arrival *one = &rank->ring[rank->next];
    if (!svs__mpi_is_complete(rank, one)) return NULL;
    rank->next = (rank->next + 1) % SVS__MPI_RECEIVES;
    rank->handed_out = true;
    return svs__mpi_take_buffer(rank, one);
}

/* ---- the ring and large buffers ---- */

/* @return the next message that may be handed out, or NULL. */
static svs__buffer *next_message(svs__mpi *rank) {
    svs__buffer *arrived = rank->large == NULL ? NULL : svs__mpi_large_take(rank);
    while (arrived == NULL && (arrived = take_next(rank)) != NULL &&
           svs__mpi_large_holds(rank, arrived)) {
        post_again(rank);
        arrived = svs__mpi_large_take(rank);
    }
    return arrived;
}

svs__receive_result svs__mpi_receive(void *self, svs__buffer **buffer, uint32_t *from) {
    svs__mpi *rank = self;
    svs__buffer *arrived;
    post_again(rank);
    arrived = next_message(rank);
    if (arrived == NULL) return SVS__NOTHING;
    *from = arrived->from;
    *buffer = arrived;
    if (arrived->bytes != 0) return SVS__ARRIVED;
    svs__mpi_release(rank, arrived);
    return SVS__LEFT;
}

void svs__mpi_drop_arrivals(svs__mpi *rank) {
    svs__receive_result result;
    svs__buffer *buffer;
    uint32_t from;
    while ((result = svs__mpi_receive(rank, &buffer, &from)) != SVS__NOTHING)
        if (result == SVS__ARRIVED) svs__mpi_release(rank, buffer);
} /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): svs__mpi_receives_end() waits */

void svs__mpi_receives_begin(svs__mpi *rank) {
    for (uint32_t i = 0; i < SVS__MPI_RECEIVES; i++) post(rank, &rank->ring[i]);
}

void svs__mpi_wait(svs__mpi *rank, svs__mpi_arrival *one) {
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it was begun elsewhere */
    (void)MPI_Wait(&one->request, MPI_STATUS_IGNORE);
    svs__mpi_release(rank, one->buffer);
}

void svs__mpi_receives_end(svs__mpi *rank) {
    svs__buffer *buffer;
    post_again(rank);
    for (uint32_t i = 0; i < SVS__MPI_RECEIVES; i++) {
        svs__mpi_arrival *one = &rank->ring[i];
        if (one->request != MPI_REQUEST_NULL) (void)MPI_Cancel(&one->request);
        svs__mpi_wait(rank, one);
    }
    svs__mpi_large_end(rank);
    while ((buffer = svs__buffers_take(&rank->received)) != NULL)
        svs__buffer_free(&svs__allocator_libc, buffer);
}
