/* The start of transport `mpi`, and idle ranks. A message does not wake a sleeping process. So an
 * idle rank spins, then yields, and then sleeps for at most a millisecond at a time. */
#include "base/log.h"
#include "transport/mpi_rank.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* number of looks for a message between two readings of the clock by a spinning rank */
#define LOOKS_A_TIME 4u
#define SENDS_ASKED 8u /* number of looks for a message after which an idle rank tests a send */
/* How long an idle rank yields before it sleeps: longer with sends in flight, since MPI may pass a
 * large message in parts, each of which needs its sender. */
#define YIELD_NS 100000
#define YIELD_NS_SENDING 2000000
#define SLEEP_NS_MAX 1000000

/* ---- idle ranks ---- */

static void mpi_wake(void *self) {
    svs__mpi *rank = self;
    /* release: pairs with the acquire in is_something_new(), so that the rank sees why it was
     * woken. */
    svs__store_release(&rank->woken, 1);
}

static uint64_t mpi_now(void *self) {
    (void)self;
    return svs__time_ns();
}

/* Whether there is something to do for the idle rank. @param pass the number of earlier calls in
 * this idle(). Sends are tested in some passes only, because their completion is not urgent. */
static bool is_something_new(svs__mpi *rank, uint32_t pass) {
    if (rank->closed) svs__mpi_drop_arrivals(rank);
    /* relaxed is enough for the load, a hint, by which the loop mostly reads. acquire: pairs with
     * the release in mpi_wake(). */
    if (svs__load_relaxed(&rank->woken) != 0 && svs__exchange_acquire(&rank->woken, 0) != 0)
        return true;
    return svs__mpi_has_arrived(rank) || (rank->moves != NULL && svs__mpi_has_moved(rank)) ||
           ((rank->closed || pass % SENDS_ASKED == 0) && svs__mpi_is_sent(rank));
}

static uint64_t mpi_idle(void *self, uint64_t until, uint64_t spin_ns) {
    svs__mpi *rank = self;
    uint64_t now = svs__time_ns();
    uint64_t end = now < until && until - now < spin_ns ? until : now + spin_ns;
    struct timespec pause = {0, 1000};
    uint32_t pass = 0;
    while (now < until && !is_something_new(rank, ++pass)) {
        uint64_t yields = rank->first == NULL && rank->moves == NULL ? YIELD_NS : YIELD_NS_SENDING;
        if (now >= end && now - end >= yields) {
            (void)nanosleep(&pause, NULL);
            if (pause.tv_nsec < SLEEP_NS_MAX) pause.tv_nsec *= 2;
        } else if (now >= end) {
            svs__yield();
        }
        if (pass % LOOKS_A_TIME == 0 || now >= end) now = svs__time_ns();
        if (rank->closed) break; /* the caller looks for completed sends itself */
    }
    return now;
}

static bool mpi_open(void *self) {
    svs__mpi *rank = self;
    bool before = rank->opened;
    rank->opened = true;
    return !before;
}

static void mpi_close(void *self) {
    svs__mpi *rank = self;
    rank->closed = true;
    svs__mpi_drop_arrivals(rank);
    svs__mpi_moves_end(rank);
}

static bool mpi_may_drive(void *self) {
    const svs__mpi *rank = self;
    int is_main = 0;
    if (rank->level >= MPI_THREAD_SERIALIZED) return true;
    (void)MPI_Is_thread_main(&is_main);
    return is_main != 0;
}

/* Below this size, the additional round trip of a move takes longer than the two copies that it
 * saves. */
#define DIRECT_BYTES (1u << 17)

static const svs__transport_type mpi_type = {.name = "mpi",
                                             .open = mpi_open,
                                             .send = svs__mpi_send,
                                             .completed = svs__mpi_completed,
                                             .receive = svs__mpi_receive,
                                             .release = svs__mpi_release,
                                             .idle = mpi_idle,
                                             .now = mpi_now,
                                             .wake = mpi_wake,
                                             .close = mpi_close,
                                             .may_drive = mpi_may_drive,
                                             .direct_bytes = DIRECT_BYTES,
                                             .give = svs__mpi_give,
                                             .take = svs__mpi_take,
                                             .moved = svs__mpi_moved};

/* ---- start ---- */

/* The transport of svs_transport_mpi(), by which the process is one rank. */
static svs__mpi rank;

static void leave(void) { svs__mpi_leave(&rank); }

/* Refuses a start by the launcher of another MPI, with which each process is alone in MPI's
 * world. */
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

static void check_level(const svs__mpi *mine) {
    if (mine->level < MPI_THREAD_SERIALIZED)
        fprintf(stderr, "svs: warning: MPI grants less than MPI_THREAD_SERIALIZED: only the thread "
                        "that started MPI may run a rank\n");
}

/* Duplicates the communicator, and makes all that the transport needs. @return false: no memory. */
static bool start(svs__mpi *mine, MPI_Comm communicator) {
    int size = 0, index = 0;
    svs__mpi_check(mine, MPI_Comm_dup(communicator, &mine->world), "MPI_Comm_dup:");
    svs__mpi_check(mine, MPI_Comm_set_errhandler(mine->world, MPI_ERRORS_RETURN),
                   "MPI_Comm_set_errhandler:");
    svs__mpi_check(mine, MPI_Comm_size(mine->world, &size), "MPI_Comm_size:");
    svs__mpi_check(mine, MPI_Comm_rank(mine->world, &index), "MPI_Comm_rank:");
    mine->transport = (svs_transport){&mpi_type, mine, (uint32_t)index, (uint32_t)size};
    mine->numbers = calloc((size_t)size, sizeof *mine->numbers);
    if (mine->numbers == NULL) return false;
    check_level(mine);
    svs__mpi_receives_begin(mine);
    return true;
}

const svs_transport *svs_transport_mpi(void) {
    int before = 0;
    if (rank.numbers != NULL) return &rank.transport;
    (void)MPI_Initialized(&before);
    if (before == 0)
        svs__mpi_check(&rank, MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &rank.level),
                       "MPI_Init_thread:");
    else svs__mpi_check(&rank, MPI_Query_thread(&rank.level), "MPI_Query_thread:");
    if (!start(&rank, MPI_COMM_WORLD))
        svs__mpi_give_up(&rank, "there is no memory for the transport", MPI_SUCCESS);
    check_size((int)rank.transport.count);
    if (atexit(leave) != 0) svs__mpi_give_up(&rank, "atexit() has failed", MPI_SUCCESS);
    return &rank.transport;
}

/* ---- a communicator of the program ---- */

/* Whether MPI is initialized and not finalized. */
static bool is_there(void) {
    int begun = 0, over = 0;
    (void)MPI_Initialized(&begun);
    (void)MPI_Finalized(&over);
    return begun != 0 && over == 0;
}

svs_status svs_transport_mpi_of(const void *communicator, const svs_transport **transport) {
    svs__mpi *mine;
    if (communicator == NULL || transport == NULL)
        return svs__refuse(NULL, SVS_E_NULL,
                           "svs_transport_mpi_of: communicator or transport is "
                           "NULL: pass the address of an MPI_Comm");
    *transport = NULL;
    if (!is_there())
        return svs__refuse(NULL, SVS_E_STATE,
                           "svs_transport_mpi_of: MPI is not initialized yet, or finalized "
                           "already: call it between MPI_Init_thread() and "
                           "MPI_Finalize()");
    if (*(const MPI_Comm *)communicator == MPI_COMM_NULL)
        return svs__refuse(NULL, SVS_E_INVALID,
                           "svs_transport_mpi_of: the communicator is MPI_COMM_NULL: call it only "
                           "in processes of the communicator");
    mine = calloc(1, sizeof *mine);
    if (mine == NULL) return SVS_E_NO_MEMORY;
    svs__mpi_check(mine, MPI_Query_thread(&mine->level), "MPI_Query_thread:");
    if (!start(mine, *(const MPI_Comm *)communicator))
        svs__mpi_give_up(mine, "there is no memory for the transport", MPI_SUCCESS);
    *transport = &mine->transport;
    return SVS_OK;
}

svs_status svs_transport_mpi_free(const svs_transport *transport) {
    svs__mpi *mine = transport == NULL ? NULL : transport->endpoint;
    if (transport == NULL) return SVS_OK;
    if (transport->type != &mpi_type || mine == &rank)
        return svs__refuse(NULL, SVS_E_INVALID,
                           "svs_transport_mpi_free: the transport was not made by "
                           "svs_transport_mpi_of(): do not free it");
    if (!is_there())
        return svs__refuse(NULL, SVS_E_STATE,
                           "svs_transport_mpi_free: MPI is finalized already: free the transport "
                           "before MPI_Finalize()");
    if (mine->opened && !mine->closed)
        return svs__refuse(NULL, SVS_E_BUSY,
                           "svs_transport_mpi_free: its rank is not freed: call "
                           "svs_ranks_free() first");
    svs__mpi_part(mine);
    free(mine);
    return SVS_OK;
}
