/* Transport `mpi`: a rank is a process of MPI's world. The only source that includes <mpi.h>; it is
 * compiled once for each MPI that is installed.
 *
 * Two-sided and non-blocking: a buffer is one message. Eight receives are posted ahead, in a ring,
 * so that MPI passes a message on while its receiver does something else. MPI matches messages with
 * receives in the order of their posting, and the ring is read in that order (transport.T1). A
 * buffer that is larger than a receive is announced by a message of one byte in its place, and
 * found by its own tag. No message wakes a sleeping rank, so an idle one spins, yields, and then
 * sleeps for up to a millisecond at a time.
 *
 * MPI tells no survivor of a death: the launcher ends all ranks. An exit before the end of a run is
 * an abort with a message here, since not every launcher takes it for a failure (transport.M1). A
 * rank that exits without ever having used the transport tells the others by empty messages, as
 * they may wait for it (transport.T3).
 *
 *   transport.M1  A process that exits between its first call of the transport and its close aborts
 *                 all ranks, with a status that is not 0. (not asserted: it does not return)
 *
 * Threads: all calls are made by the thread that has called svs_transport_mpi()
 * (MPI_THREAD_FUNNELED). */
#include "base/platform.h"
#include "transport/transport.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 1, TAG_LARGE = 2 };
enum { RECEIVES = 8, RECEIVE_BYTES = 1 << 16, NO_RANK = -1 };
#define SENDS_TESTED 2u /* of those under way, for each question */
#define LOOKS_A_TIME 4u /* how often a spinning rank looks for a message between two times */
#define SENDS_ASKED 8u  /* an idle rank tests a send after so many looks for a message */
/* How long an idle rank yields, before it sleeps. A large message is passed in parts, for each of
 * which its sender may be needed. */
#define YIELD_NS 100000
#define YIELD_NS_SENDING 2000000
#define SLEEP_NS_MAX 1000000
/* In which a launcher reads what a rank says before it aborts. */
#define LAST_WORDS_NS 100000000

/* A message under way to another rank. */
typedef struct message {
    struct message *next;
    MPI_Request request;
    svs__buffer *buffer;
} message;

typedef struct messages {
    message *first, *last;
} messages;

/* A message that is received. */
typedef struct arrival {
    MPI_Request request;
    MPI_Status status;
    svs__buffer *buffer;
    bool complete;
} arrival;

/* The process is one rank. */
static struct {
    svs_transport transport;
    MPI_Comm world;
    messages sent;
    message *spare;
    arrival ring[RECEIVES];
    uint32_t next;         /* of the ring: the first that was posted */
    int announced;         /* the sender of a large buffer that comes next, or NO_RANK */
    arrival large;         /* ... and the buffer, as soon as it is found */
    svs__buffers received; /* free, of RECEIVE_BYTES each */
    uint32_t *numbers;     /* of buffers that were sent to each rank */
    bool opened, closed;
    _Atomic(uint32_t) woken; /* by another thread */
} rank;

static _Noreturn void give_up(const char *why, int error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    struct timespec pause = {0, LAST_WORDS_NS};
    int length = 0;
    if (error != MPI_SUCCESS) (void)MPI_Error_string(error, text, &length);
    fprintf(stderr, "svs: error: rank %u: %s %s\n", rank.transport.rank, why, text);
    (void)nanosleep(&pause, NULL);
    (void)MPI_Abort(MPI_COMM_WORLD, 70);
    abort();
}

static void check(int error, const char *call) {
    if (error != MPI_SUCCESS) give_up(call, error);
}

static message *new_message(svs__buffer *buffer) {
    message *made = rank.spare;
    if (made != NULL) rank.spare = made->next;
    else made = malloc(sizeof *made);
    if (made == NULL) give_up("there is no memory for a message", MPI_SUCCESS);
    made->buffer = buffer;
    made->next = NULL;
    return made;
}

static void append(messages *list, message *one) {
    if (list->first == NULL) list->first = one;
    else list->last->next = one;
    list->last = one;
}

/* Takes the message out of the list. @param before NULL: it is the first. */
static svs__buffer *take_out(messages *list, message *before, message *one) {
    svs__buffer *buffer = one->buffer;
    if (before == NULL) list->first = one->next;
    else before->next = one->next;
    if (list->last == one) list->last = before;
    one->next = rank.spare;
    rank.spare = one;
    return buffer;
}

static bool is_complete(message *one) {
    int complete = 0;
    check(MPI_Test(&one->request, &complete, MPI_STATUS_IGNORE), "MPI_Test:");
    return complete != 0;
}

/* No buffer of a rank has one byte. */
static const char large_follows = 1;

static void announce(uint32_t to) {
    MPI_Request request;
    check(MPI_Isend(&large_follows, sizeof large_follows, MPI_BYTE, (int)to, TAG, rank.world,
                    &request),
          "MPI_Isend:");
    /* MPI waits for a request that is freed. */
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker) */
    check(MPI_Request_free(&request), "MPI_Request_free:");
}

static svs__send_result mpi_send(void *self, uint32_t to, svs__buffer *buffer) {
    message *one = new_message(buffer);
    (void)self;
    rank.opened = true;
    buffer->from = rank.transport.rank;
    buffer->number = rank.numbers[to]++;
    if (buffer->bytes > RECEIVE_BYTES) announce(to);
    check(MPI_Isend(buffer->data, (int)buffer->bytes, MPI_BYTE, (int)to,
                    buffer->bytes > RECEIVE_BYTES ? TAG_LARGE : TAG, rank.world, &one->request),
          "MPI_Isend:");
    append(&rank.sent, one);
    return SVS__SENT;
}

/* One of the oldest sends that is complete, and the one before it in the list; or NULL. */
static message *find_sent(message **before) {
    message *one = rank.sent.first;
    *before = NULL;
    for (uint32_t i = 0; i < SENDS_TESTED && one != NULL; i++, *before = one, one = one->next)
        if (is_complete(one)) return one;
    return NULL;
}

static svs__buffer *mpi_completed(void *self) {
    message *before, *one = find_sent(&before);
    (void)self;
    return one == NULL ? NULL : take_out(&rank.sent, before, one);
}

/* ---- arrivals ---- */

static svs__buffer *new_buffer(uint32_t bytes) {
    svs__buffer *buffer = bytes <= RECEIVE_BYTES ? svs__buffers_take(&rank.received) : NULL;
    if (buffer == NULL)
        buffer =
            svs__buffer_new(&svs__allocator_libc, bytes < RECEIVE_BYTES ? RECEIVE_BYTES : bytes);
    if (buffer == NULL) give_up("there is no memory for a message that arrives", MPI_SUCCESS);
    return buffer;
}

static void mpi_release(void *self, svs__buffer *buffer) {
    (void)self;
    if (buffer->capacity == RECEIVE_BYTES) svs__buffers_put_back(&rank.received, buffer);
    else svs__buffer_free(&svs__allocator_libc, buffer);
}

static void post_receive(arrival *one) {
    one->buffer = new_buffer(RECEIVE_BYTES);
    one->complete = false;
    check(MPI_Irecv(one->buffer->data, RECEIVE_BYTES, MPI_BYTE, MPI_ANY_SOURCE, TAG, rank.world,
                    &one->request),
          "MPI_Irecv:");
}

static bool has_arrived(arrival *one) {
    int complete = one->complete;
    if (complete == 0) check(MPI_Test(&one->request, &complete, &one->status), "MPI_Test:");
    one->complete = complete != 0;
    return one->complete;
}

/* @return the buffer of an arrival, with its sender and size. */
static svs__buffer *take_buffer(arrival *one) {
    svs__buffer *buffer = one->buffer;
    int bytes = 0;
    check(MPI_Get_count(&one->status, MPI_BYTE, &bytes), "MPI_Get_count:");
    buffer->from = (uint32_t)one->status.MPI_SOURCE;
    buffer->bytes = (uint32_t)bytes;
    one->buffer = NULL;
    return buffer;
}

/* @return the next message of the ring, or NULL. */
static svs__buffer *take_next(void) {
    arrival *one = &rank.ring[rank.next];
    svs__buffer *buffer;
    if (!has_arrived(one)) return NULL;
    buffer = take_buffer(one);
    post_receive(one);
    rank.next = (rank.next + 1) % RECEIVES;
    return buffer;
}

/* Begins to receive the large buffer that was announced. @return whether it was found. */
static bool find_large(void) {
    MPI_Message matched;
    int there = 0, bytes = 0;
    check(MPI_Improbe(rank.announced, TAG_LARGE, rank.world, &there, &matched, &rank.large.status),
          "MPI_Improbe:");
    if (there == 0) return false;
    check(MPI_Get_count(&rank.large.status, MPI_BYTE, &bytes), "MPI_Get_count:");
    rank.large.buffer = new_buffer((uint32_t)bytes);
    rank.large.complete = false;
    check(MPI_Imrecv(rank.large.buffer->data, bytes, MPI_BYTE, &matched, &rank.large.request),
          "MPI_Imrecv:");
    return true;
}

static svs__buffer *take_large(void) {
    if (rank.large.buffer == NULL && !find_large()) return NULL;
    if (!has_arrived(&rank.large)) return NULL;
    rank.announced = NO_RANK;
    return take_buffer(&rank.large);
}

static svs__receive_result mpi_receive(void *self, svs__buffer **buffer, uint32_t *from) {
    svs__buffer *arrived = rank.announced == NO_RANK ? take_next() : NULL;
    rank.opened = true;
    if (arrived != NULL && arrived->bytes == sizeof large_follows) {
        rank.announced = (int)arrived->from;
        mpi_release(self, arrived);
        arrived = NULL;
    }
    if (rank.announced != NO_RANK) arrived = take_large();
    if (arrived == NULL) return SVS__NOTHING;
    *from = arrived->from;
    *buffer = arrived;
    if (arrived->bytes != 0) return SVS__ARRIVED;
    mpi_release(self, arrived);
    return SVS__LEFT;
}

static void mpi_wake(void *self) {
    (void)self;
    /* release: what the rank is woken for; pairs with the exchange in is_something_new(). */
    svs__store_release(&rank.woken, 1);
}

static uint64_t mpi_now(void *self) {
    (void)self;
    return svs__time_ns();
}

/* A message that arrives after the close is dropped, so that its senders can end. */
static void drop_arrivals(void) {
    svs__receive_result result;
    svs__buffer *buffer;
    uint32_t from;
    while ((result = mpi_receive(NULL, &buffer, &from)) != SVS__NOTHING)
        if (result == SVS__ARRIVED) mpi_release(NULL, buffer);
}

/* @param pass how often it was asked. A send that is complete can wait. */
static bool is_something_new(uint32_t pass) {
    if (rank.closed) drop_arrivals();
    /* relaxed: a hint, so that the loop only reads; acquire: pairs with mpi_wake(). */
    if (svs__load_relaxed(&rank.woken) != 0 && svs__exchange_acquire(&rank.woken, 0) != 0)
        return true;
    return rank.announced != NO_RANK || has_arrived(&rank.ring[rank.next]) ||
           ((rank.closed || pass % SENDS_ASKED == 0) && rank.sent.first != NULL &&
            is_complete(rank.sent.first));
}

static void mpi_idle(void *self, uint64_t until, uint32_t spin_us) {
    uint64_t now = svs__time_ns(), end = now + (uint64_t)spin_us * 1000;
    struct timespec pause = {0, 1000};
    uint32_t pass = 0;
    (void)self;
    while (now < until && !is_something_new(++pass)) {
        if (now >= end + (rank.sent.first == NULL ? YIELD_NS : YIELD_NS_SENDING)) {
            (void)nanosleep(&pause, NULL);
            if (pause.tv_nsec < SLEEP_NS_MAX) pause.tv_nsec *= 2;
        } else if (now >= end) {
            svs__yield();
        }
        if (pass % LOOKS_A_TIME == 0 || now >= end) now = svs__time_ns();
        if (rank.closed) return; /* its caller asks for completions */
    }
}

static void mpi_close(void *self) {
    (void)self;
    rank.closed = true;
    drop_arrivals();
}

static const svs__transport_type mpi_type = {"mpi",       mpi_send,    mpi_completed,
                                             mpi_receive, mpi_release, mpi_idle,
                                             mpi_now,     mpi_wake,    mpi_close};

/* ---- start and exit ---- */

/* All ranks end together: until then, what arrives is dropped. */
static void end_together(void) {
    MPI_Request request;
    int complete = 0;
    check(MPI_Ibarrier(rank.world, &request), "MPI_Ibarrier:");
    while (complete == 0) {
        drop_arrivals();
        check(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test:");
        svs__yield();
    }
}

/* Of a process that has not used the transport: the others may wait for it. */
static void leave_unused(void) {
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): a request is a handle, in one MPI a pointer */
    MPI_Request *told = calloc(rank.transport.count, sizeof *told);
    if (told == NULL) give_up("there is no memory to tell of its exit", MPI_SUCCESS);
    for (uint32_t i = 0; i < rank.transport.count; i++) {
        told[i] = MPI_REQUEST_NULL;
        if (i == rank.transport.rank) continue;
        check(MPI_Isend(NULL, 0, MPI_BYTE, (int)i, TAG, rank.world, &told[i]), "MPI_Isend:");
    }
    end_together();
    for (uint32_t i = 0; i < rank.transport.count; i++)
        check(MPI_Wait(&told[i], MPI_STATUS_IGNORE), "MPI_Wait:");
    free(told);
}

static void release_all(void) {
    svs__buffer *buffer;
    for (uint32_t i = 0; i < RECEIVES; i++) {
        if (rank.ring[i].request != MPI_REQUEST_NULL) (void)MPI_Cancel(&rank.ring[i].request);
        /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): post_receive() has posted it */
        (void)MPI_Wait(&rank.ring[i].request, MPI_STATUS_IGNORE);
        mpi_release(NULL, rank.ring[i].buffer);
    }
    while ((buffer = svs__buffers_take(&rank.received)) != NULL)
        svs__buffer_free(&svs__allocator_libc, buffer);
    while (rank.spare != NULL) {
        message *next = rank.spare->next;
        free(rank.spare);
        rank.spare = next;
    }
    free(rank.numbers);
}

static void leave(void) {
    int over = 0;
    (void)MPI_Finalized(&over);
    if (over != 0) return;
    if (rank.opened && !rank.closed) /* transport.M1 */
        give_up("it exits before the end of a run: let svs_ranks_run() and svs_ranks_free() return "
                "first",
                MPI_SUCCESS);
    if (rank.opened) end_together();
    else leave_unused();
    release_all();
    (void)MPI_Comm_free(&rank.world);
    (void)MPI_Finalize();
}

/* The launcher of another MPI starts processes that are each a world of their own. */
static void check_size(int size) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SVS_RANKS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *wanted = getenv(names[i]); /* NOLINT(concurrency-mt-unsafe): at start */
        if (wanted == NULL || strtol(wanted, NULL, 10) == size) continue;
        fprintf(stderr,
                "svs: error: %s is %s, and MPI's world has %d processes: start the program by the "
                "launcher "
                "of the MPI that it is linked with (./dev ranks)\n",
                names[i], wanted, size);
        exit(70); /* NOLINT(concurrency-mt-unsafe): at start */
    }
}

const svs_transport *svs_transport_mpi(void) {
    int size = 0, index = 0, level = 0, before = 0;
    if (rank.numbers != NULL) return &rank.transport;
    (void)MPI_Initialized(&before);
    if (before == 0)
        check(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread:");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &rank.world), "MPI_Comm_dup:");
    check(MPI_Comm_set_errhandler(rank.world, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler:");
    check(MPI_Comm_size(rank.world, &size), "MPI_Comm_size:");
    check(MPI_Comm_rank(rank.world, &index), "MPI_Comm_rank:");
    rank.transport = (svs_transport){&mpi_type, &rank, (uint32_t)index, (uint32_t)size};
    rank.numbers = calloc((size_t)size, sizeof *rank.numbers);
    if (rank.numbers == NULL) give_up("there is no memory for the transport", MPI_SUCCESS);
    check_size(size);
    rank.announced = NO_RANK;
    for (uint32_t i = 0; i < RECEIVES; i++) post_receive(&rank.ring[i]);
    if (atexit(leave) != 0) give_up("atexit() has failed", MPI_SUCCESS);
    return &rank.transport;
}
