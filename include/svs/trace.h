/* Traces: of steals, from which the schedule can be reconstructed and replayed (Steal Tree sections
 * 4 to 7), and of the runs of graphs.
 *
 *     svs_trace *trace;
 *     char message[SVS_TRACE_MESSAGE];
 *     svs_trace_start(runtime, NULL);
 *     svs_async_run(runtime, visit, &root);    // and svs_graph_run()
 *     svs_trace_stop(runtime, &trace);
 *     if (svs_trace_write(trace, "run.svstrace", message, sizeof message)) puts(message);
 *     svs_trace_free(trace);
 *
 * The run of a worker consists of working phases. A trace describes a phase by its start and by the
 * asyncs that were stolen from it; asyncs that were not stolen need no record. A trace therefore
 * grows with the number of steals, not of asyncs, and a spawn costs the same with tracing as
 * without. Each phase has a start time and an end time.
 *
 * For graphs, a trace contains each instance with its task, number (svs_instance_id), worker and
 * times; the windows and stages; and conflicts: pairs of instances that could not run together,
 * with an access that both declare. Instances shorter than four microseconds are timed in groups
 * and get equal shares of the time. The search for conflicts takes at most a fiftieth of a worker's
 * time, so that for short bodies a trace has a sample. Tracing costs less than a tenth of a run:
 * about 0.3 ns for an empty instance, 6 to 15 ns for one of 200 ns. Without a trace it costs no
 * instruction.
 *
 * A trace is bounded in memory. Events that do not fit are counted as lost. A trace that has lost
 * steals is marked incomplete; it can be viewed, but not replayed. Events of graphs that are lost
 * are the last ones of their worker.
 *
 * Threads: one thread at a time may call start and stop, while nothing runs on the runtime. A trace
 * that was stopped or read is immutable except for svs_trace_measure_set(); any number of threads
 * may use it until it is freed.
 * Ownership: the caller owns a stopped trace. It may outlive the runtime, but not the runtime's
 * allocator. A runtime cannot be freed while it is traced. File format: docs/trace-format.md. */
#ifndef SVS_TRACE_H
#define SVS_TRACE_H

#include <svs/measure.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_trace svs_trace;

/* Large enough for each message of the functions below, with its terminator. */
#define SVS_TRACE_MESSAGE 256

typedef struct svs_trace_options {
    size_t size;      /* size of this struct, filled by svs_trace_options_init() */
    size_t max_bytes; /* memory of all workers in total (default 64 MiB); names take 1 MiB more */
} svs_trace_options;

typedef struct svs_trace_statistics {
    /* policy of the traced runtime: SVS_POLICY_HELP_FIRST or SVS_POLICY_WORK_FIRST */
    uint32_t policy;
    uint32_t workers;
    uint64_t duration_ns; /* time from start to stop */
    /* working phases; this and the following fields are sums over all workers */
    uint64_t phases;
    uint64_t roots;     /* phases started by svs_async_run() */
    uint64_t steals;    /* phases started by a steal */
    uint64_t resumed;   /* phases started by resuming a finish */
    uint64_t nested;    /* phases that ran inside of a waiting phase */
    uint64_t waited_ns; /* help-first: time that phases spent waiting for stolen children */
    uint64_t asyncs;    /* asyncs that were spawned; each wait for stolen children counts as one */
    uint64_t lost;      /* events that did not fit; 0: the trace is complete */
    uint64_t bytes;     /* bytes of recorded data, without unused buffer space */
    uint64_t memory_bytes; /* allocated */
    /* for the experiments of Steal Tree: b_h or b_w of section 7.3, with v = m = k = 4 */
    uint64_t bytes_paper;
    uint32_t cpus; /* CPUs available to the process at the recording; 0: unknown */
    /* the measure that svs_trace_measure_set() has stored; all 0: not measured */
    svs_measure measure;
    uint64_t instances;   /* instances of graphs */
    uint64_t stages;      /* stages that were opened, also those of windows */
    uint64_t windows;     /* windows that were made */
    uint64_t deferrals;   /* deferrals of recorded stages, as in svs_graph_statistics */
    uint64_t explained;   /* recorded conflicts that name the other instance */
    uint64_t lost_graphs; /* events of graphs that did not fit */
} svs_trace_statistics;

/* Fills in the defaults. */
SVS_API void svs_trace_options_init_sized(svs_trace_options *options, size_t size);
static inline void svs_trace_options_init(svs_trace_options *svs_options_) {
    svs_trace_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Starts tracing `runtime`; NULL options mean the defaults. @return SVS_OK, SVS_E_NULL,
 * SVS_E_VERSION (the options), SVS_E_BUSY (a run is active, or the runtime is already traced,
 * replayed or retains steals), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_start(svs_runtime *runtime,
                                                 const svs_trace_options *options);

/* Stops tracing and returns the trace; allowed also after svs_runtime_stop(). @param trace NULL:
 * discards the trace. @return SVS_OK, SVS_E_NULL, SVS_E_STATE (the runtime is not traced),
 * SVS_E_BUSY (a run is active; tracing continues). */
SVS_NODISCARD SVS_API svs_status svs_trace_stop(svs_runtime *runtime, svs_trace **trace);

/* Frees a trace. NULL is allowed. */
SVS_API void svs_trace_free(svs_trace *trace);

/* Copies the events recorded so far, for example for a watchdog of a run that hangs. Any thread may
 * call it while the runtime runs. Phases that have not ended are open in the copy, which is
 * incomplete and cannot be replayed. Must not run concurrently with svs_trace_stop() of this
 * runtime.
 * @return SVS_OK, SVS_E_NULL, SVS_E_STATE (it is not being traced), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_snapshot(svs_runtime *runtime, svs_trace **trace);

/* Stores the measured work and span of the program in the trace, where `svs trace predict` reads
 * them. They are more precise than the phases. No other thread may use the trace during the call.
 * @param measure NULL, or a work of 0, removes them.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (the span is 0 or exceeds the work). */
SVS_NODISCARD SVS_API svs_status svs_trace_measure_set(svs_trace *trace,
                                                       const svs_measure *measure);

/* Writes a trace to a file. svs_trace_read() refuses a partially written file. @param message
 * NULL, or receives a sentence on failure, at most `size` bytes.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FILE, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_write(const svs_trace *trace, const char *path,
                                                 char *message, size_t size);

/* Reads a trace from a file. Refuses a file that was truncated or changed in any byte.
 * @param message NULL, or as of svs_trace_write(): the expectation and the position in the file.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FILE (cannot be read), SVS_E_TRACE (not a trace, truncated or
 * changed), SVS_E_VERSION, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_read(const char *path, svs_trace **trace, char *message,
                                                size_t size);

/* Checks that the trace is complete and describes a possible run: each stolen async is in a phase
 * of its victim and was stolen once, phases nest, each suspended phase was resumed once, and each
 * phase descends from a root. @param message NULL, or as of svs_trace_write(): the first error,
 * with its worker and phase.
 * @return SVS_OK, SVS_E_NULL, SVS_E_TRACE, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_verify(const svs_trace *trace, char *message,
                                                  size_t size);

typedef struct svs_replay_options {
    size_t size; /* size of this struct, filled by svs_replay_options_init() */
    bool timed;  /* no phase starts earlier than in the trace; false (default): each phase starts as
                    soon as possible */
} svs_replay_options;

/* Fills in the defaults. */
SVS_API void svs_replay_options_init_sized(svs_replay_options *options, size_t size);
static inline void svs_replay_options_init(svs_replay_options *svs_options_) {
    svs_replay_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Starts a replay: in later runs each worker steals the same asyncs as in the trace, in the same
 * order, and no others. The runtime must have the trace's policy and number of workers. The program
 * must spawn the same tree from the same roots; its bodies may compute other values. A replay is
 * traced as well. @param options NULL: the defaults. @param message NULL, or as of
 * svs_trace_write(). @return SVS_OK, SVS_E_NULL, SVS_E_VERSION (the options), SVS_E_TRACE
 * (incomplete or inconsistent), SVS_E_INVALID (another policy or number of workers), SVS_E_BUSY (a
 * run is active, or the runtime is already traced or replayed), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_replay_start(svs_runtime *runtime, const svs_trace *trace,
                                                  const svs_replay_options *options, char *message,
                                                  size_t size);

/* Ends the replay and compares its steal tree with the trace. @param again NULL, or receives the
 * trace of the replay, as from svs_trace_stop(). @param message NULL, or as of svs_trace_write().
 * @return SVS_OK; SVS_E_PARTED (the trees differ; the message contains the phase; the program ran
 * to its end), SVS_E_NULL, SVS_E_STATE (no replay), SVS_E_BUSY (a run is active),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_replay_stop(svs_runtime *runtime, svs_trace **again,
                                                 char *message, size_t size);

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_trace_statistics_get_sized(const svs_trace *trace,
                                                                svs_trace_statistics *statistics,
                                                                size_t size);
SVS_NODISCARD static inline svs_status svs_trace_statistics_get(
    const svs_trace *svs_trace_, svs_trace_statistics *svs_statistics_) {
    return svs_trace_statistics_get_sized(svs_trace_, svs_statistics_, sizeof *svs_statistics_);
}

/* Field `bytes` of the statistics; 0 for NULL. */
SVS_API uint64_t svs_trace_bytes(const svs_trace *trace);

SVS_END_DECLARATIONS
#endif
