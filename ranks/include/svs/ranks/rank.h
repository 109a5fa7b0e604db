/* Ranks: one program on several processes or threads, each with memory of its own.
 *
 *     static svs_status start(svs_ranks *ranks, void *state) {
 *         (void)state;
 *         printf("rank %u of %u\n", svs_ranks_index(ranks), svs_ranks_count(ranks));
 *         return SVS_OK;
 *     }
 *     static int program(const svs_transport *transport, int argc, char **argv) {
 *         svs_ranks *ranks;
 *         svs_ranks_options options;
 *         svs_status status;
 *         svs_ranks_options_init(&options);
 *         options.transport = transport;
 *         if (svs_ranks_new(&options, &ranks)) return 1;
 *         status = svs_ranks_run(ranks, start, NULL);
 *         return svs_ranks_free(ranks) || status;
 *     }
 *     int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
 *
 * A rank runs fibers (fiber.h), threads (thread.h), and records that other ranks have posted to it
 * (post.h). A fiber has exclusive access to the memory of its rank from its start to its end,
 * except in svs_poll().
 *
 * A run ends on all ranks together: when no fiber is enabled and no record is in flight on any
 * rank, or when a fiber fails. All ranks then return the same status.
 *
 * The program and all options but the log, the allocator and `deadlock_file` must be the same on
 * all ranks.
 *
 * Threads: a rank is used by one thread at a time. Between two steps of its run (svs_ranks_step()),
 * and between two other calls, it may pass to another thread.
 * Failures: each refused call writes its reason to the log. */
#ifndef SVS_RANKS_RANK_H
#define SVS_RANKS_RANK_H

#include <svs/runtime.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_ranks svs_ranks;         /* this rank, and its view of the others */
typedef struct svs_transport svs_transport; /* one rank's access to the others */

#define SVS_RANKS_MAX 65535u

typedef struct svs_ranks_options {
    size_t size; /* size of this struct, filled by svs_ranks_options_init() */
    const svs_transport *transport;
    /* Bytes of a buffer in which records for one rank are gathered (default 16384, at most 2^24);
     * 0: each record is sent alone. A record that is longer than a buffer gets a buffer of its
     * own. */
    size_t aggregate_bytes;
    uint32_t credits; /* for each other rank: most buffers in flight to it (default 8) */
    /* Gathered records are sent when a buffer is full, when the rank is idle, on svs_flush(), after
     * `flush_fibers` fibers (default 256), and after `flush_ns` nanoseconds (default 100,000).
     * UINT32_MAX or UINT64_MAX switches the rule off. */
    uint32_t flush_fibers;
    uint64_t flush_ns;
    uint64_t
        spin_ns; /* nanoseconds for which an idle rank spins before it sleeps (default 20,000) */
    uint32_t threads; /* most threads with stacks at the same time (default 4096) */
    /* bytes of each stack (default 262144); untouched pages use no memory */
    size_t thread_stack_bytes;
    /* Most bytes of overflow (default 2^26): records posted by handlers that cannot be sent yet,
     * and fibers of handlers that have continued. When the overflow reaches half of this number,
     * posts of fibers to this rank return SVS_WAIT. Exceeding it fails the run with SVS_E_LIMIT. */
    size_t overflow_bytes_max;
    /* With more than `direct_ranks` ranks (default 64), records take two hops over a grid. */
    uint32_t direct_ranks;
    uint32_t reserved;         /* 0 */
    const char *deadlock_file; /* DOT file of a deadlock's waits (default "svs-deadlock.dot") or
                                  NULL; the string must live as long as the rank */
    svs_allocator allocator;
    /* receives messages; by default warnings and errors go to stderr; NULL: no messages */
    svs_log_function *log;
    void *log_argument;
    /* a started runtime for svs_offload(), used by this rank alone; NULL: none */
    svs_runtime *workers;
} svs_ranks_options;

/* The function of a fiber. If it returns another status than SVS_OK, the run ends on all ranks. */
typedef svs_status svs_fiber_function(svs_ranks *ranks, void *state);

/* Fills in the defaults. */
SVS_API void svs_ranks_options_init_sized(svs_ranks_options *options, size_t size);
static inline void svs_ranks_options_init(svs_ranks_options *svs_options_) {
    svs_ranks_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Collective: every rank calls it. @return on all ranks the same of SVS_OK, SVS_E_DIFFERS (options
 * or versions), SVS_E_RANK (one died); or on one rank SVS_E_NULL, SVS_E_VERSION, SVS_E_INVALID,
 * SVS_E_NO_MEMORY, upon which the others return SVS_E_RANK; SVS_E_BUSY (a rank uses the transport,
 * or has used it).
 *
 * A process can have several ranks at once, of different transports. What is made of one of them
 * (fibers, schedulers, structures, counters with waiters) belongs to it; calls that mix them return
 * SVS_E_INVALID, or SVS_E_FIBER for a fiber. */
SVS_NODISCARD SVS_API svs_status svs_ranks_new(const svs_ranks_options *options, svs_ranks **ranks);

/* Collective: runs `start` as the first fiber of this rank, and all that follows from it on any
 * rank, until nothing is left to run. `start` receives `state` itself, not a copy.
 * @return on all ranks the same of SVS_OK, SVS_E_DEADLOCK, SVS_E_RANK, SVS_E_RECORD, SVS_E_LIMIT,
 * SVS_E_NO_MEMORY, or what a fiber returned or passed to svs_ranks_stop(). After a failure only
 * svs_ranks_failure() and svs_ranks_free() are possible. */
SVS_NODISCARD SVS_API svs_status svs_ranks_run(svs_ranks *ranks, svs_fiber_function *start,
                                               void *state);

/* svs_ranks_run() in parts, for a program with a main loop: begin, then step until the run has
 * ended, then end. The thread may change from call to call.
 *
 *     status = svs_ranks_begin(ranks, start, state);
 *     while (status == SVS_OK && (status = svs_ranks_step(ranks, 0)) == SVS_WAIT) {
 *         status = SVS_OK;
 *         ... other work of this thread ...
 *     }
 *     if (status == SVS_OK) status = svs_ranks_end(ranks);
 *
 * A step runs some fibers and handlers, and serves the network; if there is nothing to do, it
 * sleeps for at most `idle_ns_max` nanoseconds (0: not at all). A rank that is not stepped delays
 * the others. @return begin: SVS_OK; step: SVS_OK (the run has ended), SVS_WAIT (it goes on); end:
 * as svs_ranks_run(), SVS_E_BUSY (the run has not ended); all: SVS_E_NULL, SVS_E_NESTED (in a step,
 * or in another thread's), SVS_E_THREAD (the transport does not serve this thread), SVS_E_OUTSIDE
 * (no run), SVS_E_STATE (after a failure). */
SVS_NODISCARD SVS_API svs_status svs_ranks_begin(svs_ranks *ranks, svs_fiber_function *start,
                                                 void *state);
SVS_NODISCARD SVS_API svs_status svs_ranks_step(svs_ranks *ranks, uint64_t idle_ns_max);
SVS_NODISCARD SVS_API svs_status svs_ranks_end(svs_ranks *ranks);

/* From a fiber or handler: ends the run on all ranks with `status`, as if the fiber had returned
 * it.
 * @return SVS_OK, SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_INVALID (`status` is SVS_OK). */
SVS_NODISCARD SVS_API svs_status svs_ranks_stop(svs_ranks *ranks, svs_status status);

/* Collective: waits until the other ranks have received what this one has sent. NULL is allowed.
 * @return SVS_OK, SVS_E_BUSY (in a run). */
SVS_NODISCARD SVS_API svs_status svs_ranks_free(svs_ranks *ranks);

SVS_API uint32_t svs_ranks_index(const svs_ranks *ranks);
SVS_API uint32_t svs_ranks_count(const svs_ranks *ranks);

/* A pointer that the program sets for this rank; NULL at first. The ranks of one process share the
 * variables of the program, so a rank reaches its own data through this pointer. */
SVS_API void svs_ranks_set_data(svs_ranks *ranks, void *data);
SVS_API void *svs_ranks_data(const svs_ranks *ranks);

/* The text of the run's first failure: rank, fiber and reason, and for a deadlock its waits. It is
 * empty if there was no failure, and never NULL. It is valid until the rank is freed. */
SVS_API const char *svs_ranks_failure(const svs_ranks *ranks);

/* The transport of this process' rank in MPI's world. The first call initializes MPI; MPI is
 * finalized at exit. The function is in svs::ranks_openmpi and in svs::ranks_mpich; link a program
 * with one of them. An exit before the end of a run aborts all ranks. */
SVS_API const svs_transport *svs_transport_mpi(void);

/* The transport of a communicator, for a program that uses MPI itself. It has initialized MPI with
 * MPI_THREAD_SERIALIZED (or FUNNELED: then its main thread alone may step). Several at once are
 * possible. The call is collective over the communicator, which it duplicates; the original may be
 * freed. Free the transport after svs_ranks_free() and before MPI_Finalize(), collectively as well.
 * @param communicator the address of an MPI_Comm of the MPI that the library is linked with.
 * @return SVS_OK, SVS_E_NULL, SVS_E_STATE (MPI is not initialized, or finalized), SVS_E_INVALID
 * (MPI_COMM_NULL; a transport of another kind), SVS_E_BUSY (its rank is not freed),
 * SVS_E_NO_MEMORY. A failure of MPI aborts it. */
SVS_NODISCARD SVS_API svs_status svs_transport_mpi_of(const void *communicator,
                                                      const svs_transport **transport);
SVS_NODISCARD SVS_API svs_status svs_transport_mpi_free(const svs_transport *transport);

/* What a transport runs once for each rank of this process. */
typedef int svs_rank_program(const svs_transport *transport, void *argument);

/* A transport by its name, for `--transport NAME` or `--transport NAME:OPTION`. */
typedef struct svs_transport_entry svs_transport_entry;
struct svs_transport_entry {
    const char *name;   /* without a colon */
    const char *option; /* the form of the option, for messages: "N:SEED"; NULL: there is none */
    /* Calls `program` with `argument` once for each rank of this process, and returns when all
     * calls have returned. A wrong option: writes what is wrong to stderr, and returns 2.
     * @param option what follows the colon; NULL: there is no colon.
     * @return 0, or the first result of a rank that is not 0. A negative result is an svs_status,
     * and no rank has run. */
    int (*run)(const svs_transport_entry *entry, const char *option, svs_rank_program *program,
               void *argument);
    svs_transport_entry *next; /* the library's */
};

/* Adds a transport of the program to those that svs_ranks_main() chooses from by exact name: call
 * it before. The entry and its strings must stay as they are until the process ends.
 * Threads: any.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (no name, one with a colon, or one that is taken; no
 * `run`). */
SVS_NODISCARD SVS_API svs_status svs_transport_add(svs_transport_entry *entry);

/* Runs `program` once for each rank of this process. `--transport T` is removed from the arguments;
 * without it, the environment variable SVS_TRANSPORT is read. T is
 *
 *     local:N       N ranks are threads of this process
 *     sim:N:SEED    N ranks take turns in one thread; the seed decides the order, so that a run can
 *                   be repeated
 *     mpi           the ranks of `mpi`, which is not NULL
 *
 * or the name of an entry that the program has added, with its option after a colon; and by default
 * mpi, or local with a rank for each CPU if `mpi` is NULL.
 * @return 0, or the first status of a rank's program that is not 0; 2 for a wrong T. */
SVS_API int svs_ranks_main(const svs_transport *mpi,
                           int (*program)(const svs_transport *transport, int argc, char **argv),
                           int argc, char **argv);

/* Counts of one rank since it was made. The first thirteen are those of the thesis' runtime layer
 * (rts, figure 4.5; its threads are fibers here); svs_ranks_statistics_name() has their names. */
typedef struct svs_ranks_statistics {
    uint64_t partitions;     /* P: always 1 */
    uint64_t schedulers;     /* Sched: schedulers that the program has added */
    uint64_t thread_alloc;   /* ThreadAlloc: fibers that were created, handlers' included */
    uint64_t thread_enable;  /* ThreadEnable: fibers that were enabled, continuations included */
    uint64_t thread_disp;    /* ThreadDisp: fibers that were executed */
    uint64_t thread_context; /* ThreadContext: bytes of the states of created fibers */
    /* IdleCycle: times that no fiber was enabled and nothing had arrived */
    uint64_t idle_cycle;
    uint64_t msg_sent;      /* MsgSent: buffers of records that were sent */
    uint64_t flow_msg_sent; /* FlowMsgSent: messages with nothing but credits */
    uint64_t byte_sent;     /* ByteSent: bytes of all messages */
    uint64_t fast_msg_sent; /* FastMsgSent: other messages without records: waves, ends of runs */
    uint64_t remote_op;     /* RemoteOp: records posted to other ranks */
    uint64_t byte_copy;     /* ByteCopy: bytes of records that the rank posted to itself */
    uint64_t records_run;   /* records that were run, from any rank */
    uint64_t runs_in_place; /* calls of in-place handlers, each for some consecutive records */
    uint64_t relayed;       /* records that this rank has passed on to their second hop */
    /* buffers that were sent, by the rule that sent them (svs_packet_rule in observe.h) */
    uint64_t flushes_full, flushes_idle, flushes_fibers, flushes_age, flushes_asked;
    uint64_t waits_counter; /* fibers that waited for a counter */
    uint64_t waits_credit;  /* posts that returned SVS_WAIT because credit was missing */
    /* posts that returned SVS_WAIT because the overflow of this rank was above its mark */
    uint64_t waits_overflow;
    /* posts that returned SVS_WAIT because the target's overflow was above its mark */
    uint64_t waits_target;
    uint64_t waits_frozen; /* mutations that waited for an unfreeze */
    /* largest overflow at one time: queued records, and states of handlers' fibers */
    uint64_t overflow_bytes_most;
    uint64_t waves;   /* waves that this rank has answered */
    uint64_t idle_ns; /* nanoseconds in which this rank slept or spun */
    /* the part of `idle_ns` before the last fiber or record of each run */
    uint64_t idle_work_ns;
    /* nanoseconds of CPU time of the threads that ran this rank, in runs; under `sim`, of all
     * ranks */
    uint64_t cpu_ns;
} svs_ranks_statistics;

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_ranks_statistics_get_sized(const svs_ranks *ranks,
                                                                svs_ranks_statistics *statistics,
                                                                size_t size);
SVS_NODISCARD static inline svs_status svs_ranks_statistics_get(
    const svs_ranks *svs_ranks_, svs_ranks_statistics *svs_statistics_) {
    return svs_ranks_statistics_get_sized(svs_ranks_, svs_statistics_, sizeof *svs_statistics_);
}

/* The name of the count at position `which` of the struct, such as "ThreadAlloc" or "flushes_idle";
 * NULL after the last one. */
SVS_API const char *svs_ranks_statistics_name(size_t which);

SVS_END_DECLARATIONS
#endif
