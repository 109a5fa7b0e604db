/* Transport `mpi`: what its sources share. Each is compiled once for each MPI that is installed.
 *
 * A rank is a process of MPI's world. Two-sided and non-blocking: a buffer is one message.
 *
 *   mpi.c          start, exit, and an idle rank
 *   mpi_send.c     messages under way to other ranks
 *   mpi_receive.c  messages that arrive
 *   mpi_leave.c    the end of a process
 *
 *   transport.M1  A process that exits between its first call of the transport and its close aborts
 *                 all ranks, with a status that is not 0. (not asserted: it does not return)
 *   transport.M2  All receives of the ring are posted whenever the rank looks for a message. That
 *                 of a message is posted again behind its handling, by the next look: what a
 *                 message causes comes first.
 *
 * Threads: all calls are made by the thread that has called svs_transport_mpi()
 * (MPI_THREAD_FUNNELED). */
#ifndef SVS_TRANSPORT_MPI_RANK_H
#define SVS_TRANSPORT_MPI_RANK_H

#include "base/platform.h"
#include "transport/transport.h"
#include <mpi.h>

#define SVS__MPI_TAG 1
#define SVS__MPI_TAG_LARGE 2
#define SVS__MPI_RECEIVES 8u
#define SVS__MPI_RECEIVE_BYTES (1 << 16)
#define SVS__MPI_NO_RANK (-1)
/* The message that announces a large one. No buffer of a rank has one byte. */
#define SVS__MPI_ANNOUNCEMENT 1u

/* A message under way to another rank. */
typedef struct svs__mpi_message {
    struct svs__mpi_message *next;
    MPI_Request request;
    svs__buffer *buffer;
} svs__mpi_message;

/* A message that is received. */
typedef struct svs__mpi_arrival {
    MPI_Request request;
    MPI_Status status;
    svs__buffer *buffer;
    bool complete;
} svs__mpi_arrival;

typedef struct svs__mpi {
    svs_transport transport;
    MPI_Comm world;
    svs__mpi_message *first, *last; /* sent */
    svs__mpi_message *spare;
    svs__mpi_arrival ring[SVS__MPI_RECEIVES];
    uint32_t next;          /* of the ring: the first that was posted */
    bool handed_out;        /* the message before it, of which the receive is not posted */
    int announced;          /* the sender of a large buffer that comes next, or no rank */
    svs__mpi_arrival large; /* ... and the buffer, as soon as it is found */
    svs__buffers received;  /* free, of SVS__MPI_RECEIVE_BYTES each */
    uint32_t *numbers;      /* of buffers that were sent to each rank */
    int level;              /* of threads, that MPI grants */
    bool opened, closed;
    _Atomic(uint32_t) woken; /* by another thread */
} svs__mpi;

_Noreturn void svs__mpi_give_up(const svs__mpi *rank, const char *why, int error);

static inline void svs__mpi_check(const svs__mpi *rank, int error, const char *call) {
    if (error != MPI_SUCCESS) svs__mpi_give_up(rank, call, error);
}

/* ---- mpi_send.c ---- */

svs__send_result svs__mpi_send(void *self, uint32_t to, svs__buffer *buffer);
svs__buffer *svs__mpi_completed(void *self);
/* Is the oldest message complete? */
bool svs__mpi_is_sent(svs__mpi *rank);

/* ---- mpi_receive.c ---- */

svs__receive_result svs__mpi_receive(void *self, svs__buffer **buffer, uint32_t *from);
void svs__mpi_release(void *self, svs__buffer *buffer);
void svs__mpi_receives_begin(svs__mpi *rank);
void svs__mpi_receives_end(svs__mpi *rank);
/* Has a message arrived, or was a large one announced? */
bool svs__mpi_has_arrived(svs__mpi *rank);
/* A message that arrives after the close is dropped, so that its senders can end. */
void svs__mpi_drop_arrivals(svs__mpi *rank);

/* ---- mpi_leave.c ---- */

/* All ranks end together, and their communicator with them. */
void svs__mpi_part(svs__mpi *rank);
/* At the exit of the process. */
void svs__mpi_leave(svs__mpi *rank);

#endif
