/* Buffers that are larger than a receive of the ring. The sender announces each by a message of one
 * byte, and sends it with a tag of its own, by which it is found. A large buffer may take long,
 * because MPI needs the help of its sender. So messages of other ranks pass it, and only messages
 * that the same rank has sent after it are held (transport.M3).
 *
 *     ring: a1 A a2 a3 b1     a, b: ranks; A: announces a large buffer of a
 *     handed out: a1 b1 ... as soon as the large buffer is there: LARGE a2 a3 */
#include "transport/mpi_rank.h"
#include <stdlib.h>

static svs__mpi_large *find(const svs__mpi *rank, uint32_t from) {
    svs__mpi_large *one = rank->large;
    while (one != NULL && one->from != from) one = one->next;
    return one;
}

static void append(svs__mpi *rank, uint32_t from) {
    svs__mpi_large **end = &rank->large, *made = calloc(1, sizeof *made);
    if (made == NULL)
        svs__mpi_give_up(rank, "there is no memory for a message that arrives", MPI_SUCCESS);
    made->from = from;
    while (*end != NULL) end = &(*end)->next;
    *end = made;
}

bool svs__mpi_large_holds(svs__mpi *rank, svs__buffer *buffer) {
    svs__mpi_large *one = rank->large == NULL ? NULL : find(rank, buffer->from);
    if (one != NULL) {
        svs__buffers_put(&one->held, buffer);
        return true;
    }
    if (buffer->bytes != SVS__MPI_ANNOUNCEMENT) return false;
    append(rank, buffer->from);
    svs__mpi_release(rank, buffer);
    return true;
}

/* Begins to receive the large buffer. @return whether MPI has found it. */
static bool begin(svs__mpi *rank, svs__mpi_large *one) {
    svs__mpi_arrival *arrival = &one->arrival;
    MPI_Message matched;
    int there = 0, bytes = 0;
    svs__mpi_check(rank,
                   MPI_Improbe((int)one->from, SVS__MPI_TAG_LARGE, rank->world, &there, &matched,
                               &arrival->status),
                   "MPI_Improbe:");
    if (there == 0) return false;
    svs__mpi_check(rank, MPI_Get_count(&arrival->status, MPI_BYTE, &bytes), "MPI_Get_count:");
    arrival->buffer = svs__mpi_buffer(rank, (uint32_t)bytes);
    arrival->complete = false;
    svs__mpi_check(rank,
                   MPI_Imrecv(arrival->buffer->data, bytes, MPI_BYTE, &matched, &arrival->request),
                   "MPI_Imrecv:");
    return true;
}

static bool is_there(svs__mpi *rank, svs__mpi_large *one) {
    if (one->handed_out) return true; /* the next message is a held one */
    return (one->arrival.buffer != NULL || begin(rank, one)) &&
           svs__mpi_is_complete(rank, &one->arrival);
}

bool svs__mpi_large_is_ready(svs__mpi *rank) {
    for (svs__mpi_large *one = rank->large; one != NULL; one = one->next)
        if (is_there(rank, one)) return true;
    return false;
}

/* @return the next message of a rank whose large buffer has arrived. NULL: the next message was an
 * announcement, so that another large buffer is received first. */
static svs__buffer *take_from(svs__mpi *rank, svs__mpi_large *one) {
    svs__buffer *next;
    if (!one->handed_out) {
        one->handed_out = true;
        return svs__mpi_take_buffer(rank, &one->arrival);
    }
    next = svs__buffers_take(&one->held);
    if (next->bytes != SVS__MPI_ANNOUNCEMENT) return next;
    svs__mpi_release(rank, next);
    one->handed_out = false;
    return NULL;
}

svs__buffer *svs__mpi_large_take(svs__mpi *rank) {
    for (svs__mpi_large **at = &rank->large, *one; (one = *at) != NULL; at = &one->next) {
        svs__buffer *taken = NULL;
        while (taken == NULL && is_there(rank, one)) taken = take_from(rank, one);
        if (taken == NULL) continue;
        if (one->handed_out && one->held.first == NULL) { /* its next message is in the ring */
            *at = one->next;
            free(one);
        }
        return taken;
    }
    return NULL;
}

void svs__mpi_large_end(svs__mpi *rank) {
    svs__mpi_large *one;
    svs__buffer *held;
    while ((one = rank->large) != NULL) {
        rank->large = one->next;
        /* MPI has matched a message that it has found, and cannot cancel its receive. */
        if (one->arrival.buffer != NULL) svs__mpi_wait(rank, &one->arrival);
        while ((held = svs__buffers_take(&one->held)) != NULL) svs__mpi_release(rank, held);
        free(one);
    }
}
