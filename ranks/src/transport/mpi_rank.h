/* Transport `mpi`: what its sources share. Each is compiled once for each MPI that is installed.
 *
 * A rank is a process of MPI's world. Two-sided and non-blocking: a buffer is one message.
 *
 *   mpi.c          start, exit, and an idle rank
 *   mpi_send.c     messages in flight to other ranks
 *   mpi_receive.c  messages that arrive
 *   mpi_large.c    buffers that are larger than a receive, and what their senders send after them
 *   mpi_move.c     memory to memory
 *   mpi_leave.c    the end of a process
 *
 *   transport.M1  A process that exits between the open and the close of its transport aborts
 *                 all ranks, with a status that is not 0. (not asserted: it does not return)
 *   transport.M2  All receives of the ring are posted whenever the rank looks for a message. The
 *                 receive of a message is posted again by the look after it, so that what the
 *                 message causes comes first.
 *   transport.M3  While a large buffer of a rank is received, what that rank has sent after it is
 *                 held, in its order (transport.T1). Messages of other ranks are not held. (not
 *                 asserted: ranks/tests/transport/mpi_large.c compares)
 *
 * Threads: one at a time (MPI_THREAD_SERIALIZED). If MPI grants less, only the thread that started
 * MPI calls it. */
#ifndef SVS_TRANSPORT_MPI_RANK_H
#define SVS_TRANSPORT_MPI_RANK_H

#include "base/platform.h"
#include "transport/transport.h"
#include <mpi.h>

#define SVS__MPI_TAG 1
#define SVS__MPI_TAG_LARGE 2
#define SVS__MPI_TAG_MOVE 3 /* this tag and the next one, 4: one for each svs__move_kind */
#define SVS__MPI_RECEIVES 8u
#define SVS__MPI_RECEIVE_BYTES (1 << 16)
/* The message that announces a large one. No buffer of a rank has one byte. */
#define SVS__MPI_ANNOUNCEMENT 1u

/* A message in flight to another rank. */
typedef struct svs__mpi_message {
    struct svs__mpi_message *next;
    MPI_Request request;
    svs__buffer *buffer;
} svs__mpi_message;

/* A receive, and the message that it gets. */
typedef struct svs__mpi_arrival {
    MPI_Request request;
    MPI_Status status;
    svs__buffer *buffer;
    bool complete;
} svs__mpi_arrival;

/* A rank that has announced a large buffer. It stays in the list until all held messages of it were
 * handed out. */
typedef struct svs__mpi_large {
    struct svs__mpi_large *next;
    uint32_t from;
    bool handed_out; /* the large buffer was handed out; the held messages come next */
    /* receive of the large buffer; `arrival.buffer` is NULL until MPI has found the message */
    svs__mpi_arrival arrival;
    /* messages that the rank has sent after the large buffer, announcements included */
    svs__buffers held;
} svs__mpi_large;

/* This rank's half of a move from memory to memory: a give or a take. */
typedef struct svs__mpi_move {
    struct svs__mpi_move *next;
    MPI_Request request;
    void *ticket;
    bool gives, complete;
} svs__mpi_move;

typedef struct svs__mpi {
    svs_transport transport;
    MPI_Comm world;
    /* list of the messages in flight, in the order of sending */
    svs__mpi_message *first, *last;
    svs__mpi_message *spare; /* free list of messages */
    /* posted receives; beginning with `next`, they are in the order of their posting */
    svs__mpi_arrival ring[SVS__MPI_RECEIVES];
    uint32_t next; /* position of the oldest receive in `ring` */
    /* the message before `next` was handed out, and its receive is not posted again yet */
    bool handed_out;
    /* ranks whose large buffers are being received, in the order of their announcements */
    svs__mpi_large *large;
    svs__mpi_move *moves;  /* list of the halves in flight, the newest one first */
    svs__buffers received; /* free buffers of SVS__MPI_RECEIVE_BYTES each */
    uint32_t *numbers;     /* for each rank, how many buffers were sent to it */
    /* support for threads that MPI grants, such as MPI_THREAD_SERIALIZED */
    int level;
    bool opened, closed;     /* a rank uses the transport, or has used it */
    _Atomic(uint32_t) woken; /* 1: another thread has called the transport's `wake` */
} svs__mpi;

_Noreturn void svs__mpi_give_up(const svs__mpi *rank, const char *why, int error);

static inline void svs__mpi_check(const svs__mpi *rank, int error, const char *call) {
    if (error != MPI_SUCCESS) svs__mpi_give_up(rank, call, error);
}

/* ---- mpi_send.c ---- */

svs__send_result svs__mpi_send(void *self, uint32_t to, svs__buffer *buffer);
svs__buffer *svs__mpi_completed(void *self);
/* Whether the oldest message in flight is complete. */
bool svs__mpi_is_sent(svs__mpi *rank);

/* ---- mpi_receive.c ---- */

svs__receive_result svs__mpi_receive(void *self, svs__buffer **buffer, uint32_t *from);
void svs__mpi_release(void *self, svs__buffer *buffer);
void svs__mpi_receives_begin(svs__mpi *rank);
void svs__mpi_receives_end(svs__mpi *rank);
bool svs__mpi_has_arrived(svs__mpi *rank);
/* @return a buffer of at least `bytes` for a message that arrives. */
svs__buffer *svs__mpi_buffer(svs__mpi *rank, uint32_t bytes);
/* Whether a receive is complete. */
bool svs__mpi_is_complete(const svs__mpi *rank, svs__mpi_arrival *one);
/* Waits for the end of a receive, and releases its buffer. */
void svs__mpi_wait(svs__mpi *rank, svs__mpi_arrival *one);
/* Takes the buffer of a complete receive, with its sender and size. */
svs__buffer *svs__mpi_take_buffer(const svs__mpi *rank, svs__mpi_arrival *one);
/* A message that arrives after the close is dropped, so that its senders can end. */
void svs__mpi_drop_arrivals(svs__mpi *rank);

/* ---- mpi_large.c ---- */

/* Keeps a message of the ring that must not be handed out now: an announcement, or a message that
 * its sender has sent after a large buffer. @return false: the message may be handed out, and still
 * belongs to the caller. */
bool svs__mpi_large_holds(svs__mpi *rank, svs__buffer *buffer);
/* @return the next message of a rank whose large buffer has arrived, or NULL. */
svs__buffer *svs__mpi_large_take(svs__mpi *rank);
/* Whether svs__mpi_large_take() would return a message. */
bool svs__mpi_large_is_ready(svs__mpi *rank);
/* Drops all large buffers and held messages; called when the rank receives nothing any more. */
void svs__mpi_large_end(svs__mpi *rank);

/* ---- mpi_move.c ---- */

void svs__mpi_give(void *self, uint32_t to, const void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void svs__mpi_take(void *self, uint32_t from, void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void *svs__mpi_moved(void *self);
/* Whether svs__mpi_moved() would return a ticket. */
bool svs__mpi_has_moved(svs__mpi *rank);
/* Ends all halves in flight, after a run that has failed. */
void svs__mpi_moves_end(svs__mpi *rank);

/* ---- mpi_leave.c ---- */

/* Ends the transport of this rank together with those of all ranks, and frees their
 * communicator. */
void svs__mpi_part(svs__mpi *rank);
/* Called at the exit of the process. */
void svs__mpi_leave(svs__mpi *rank);

#endif
