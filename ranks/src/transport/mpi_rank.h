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
 *                 asserted: ranks/tests/ranks/mpi_large.c compares)
 *
 * Threads: one at a time (MPI_THREAD_SERIALIZED). An MPI that grants less is called by the thread
 * alone that started it. */
#ifndef SVS_TRANSPORT_MPI_RANK_H
#define SVS_TRANSPORT_MPI_RANK_H

#include "base/platform.h"
#include "transport/transport.h"
#include <mpi.h>

#define SVS__MPI_TAG 1
#define SVS__MPI_TAG_LARGE 2
#define SVS__MPI_TAG_MOVE 3 /* and 4: of each svs__move_kind */
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

/* A message that is received. */
typedef struct svs__mpi_arrival {
    MPI_Request request;
    MPI_Status status;
    svs__buffer *buffer;
    bool complete;
} svs__mpi_arrival;

/* A rank that has announced a large buffer. It is in the list until all that is held was handed
 * out. */
typedef struct svs__mpi_large {
    struct svs__mpi_large *next;
    uint32_t from;
    bool handed_out;          /* the large buffer; what is held comes next */
    svs__mpi_arrival arrival; /* of the large buffer. Its buffer is NULL until MPI has found it */
    svs__buffers held;        /* what the rank has sent after it, announcements included */
} svs__mpi_large;

/* Half of a move from memory to memory. */
typedef struct svs__mpi_move {
    struct svs__mpi_move *next;
    MPI_Request request;
    void *ticket;
    bool gives, complete;
} svs__mpi_move;

typedef struct svs__mpi {
    svs_transport transport;
    MPI_Comm world;
    svs__mpi_message *first, *last;           /* in flight, in the order of sending */
    svs__mpi_message *spare;                  /* free ones */
    svs__mpi_arrival ring[SVS__MPI_RECEIVES]; /* receives, in the order of their posting from ... */
    uint32_t next;                            /* ... the oldest one on */
    bool handed_out;         /* the message before `next`; its receive is not posted again yet */
    svs__mpi_large *large;   /* ranks whose large buffers are received, the first one first */
    svs__mpi_move *moves;    /* halves in flight, the newest one first */
    svs__buffers received;   /* free buffers of SVS__MPI_RECEIVE_BYTES each */
    uint32_t *numbers;       /* for each rank, how many buffers were sent to it */
    int level;               /* of threads, that MPI grants */
    bool opened, closed;     /* a rank uses the transport, or has used it */
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
bool svs__mpi_has_arrived(svs__mpi *rank);
/* @return a buffer of at least so many bytes for a message that arrives. */
svs__buffer *svs__mpi_buffer(svs__mpi *rank, uint32_t bytes);
/* Is the receive complete? */
bool svs__mpi_is_complete(const svs__mpi *rank, svs__mpi_arrival *one);
/* Waits for the end of a receive, and releases its buffer. */
void svs__mpi_wait(svs__mpi *rank, svs__mpi_arrival *one);
/* Takes the buffer of a complete receive, with its sender and size. */
svs__buffer *svs__mpi_take_buffer(const svs__mpi *rank, svs__mpi_arrival *one);
/* A message that arrives after the close is dropped, so that its senders can end. */
void svs__mpi_drop_arrivals(svs__mpi *rank);

/* ---- mpi_large.c ---- */

/* Takes a message of the ring that must not be handed out now: an announcement, or what its sender
 * has sent after a large buffer. @return false: it is an ordinary one, and still the caller's. */
bool svs__mpi_large_holds(svs__mpi *rank, svs__buffer *buffer);
/* @return the next message of a rank whose large buffer is there, or NULL. */
svs__buffer *svs__mpi_large_take(svs__mpi *rank);
/* Would svs__mpi_large_take() return one? */
bool svs__mpi_large_is_ready(svs__mpi *rank);
/* Drops all of them, when nothing is received any more. */
void svs__mpi_large_end(svs__mpi *rank);

/* ---- mpi_move.c ---- */

void svs__mpi_give(void *self, uint32_t to, const void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void svs__mpi_take(void *self, uint32_t from, void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void *svs__mpi_moved(void *self);
/* Would svs__mpi_moved() return a ticket? */
bool svs__mpi_has_moved(svs__mpi *rank);
/* Ends all of them, after a run that has failed. */
void svs__mpi_moves_end(svs__mpi *rank);

/* ---- mpi_leave.c ---- */

/* All ranks end together, and their communicator with them. */
void svs__mpi_part(svs__mpi *rank);
/* At the exit of the process. */
void svs__mpi_leave(svs__mpi *rank);

#endif
