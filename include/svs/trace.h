/* Traces of what was stolen: enough to tell, and to repeat, which worker ran what (Steal Tree
 * sections 4 to 7; design: steal tree).
 *
 *     svs_trace *trace;
 *     char message[SVS_TRACE_MESSAGE];
 *     svs_trace_start(runtime, NULL);
 *     svs_async_run(runtime, visit, &root);
 *     svs_trace_stop(runtime, &trace);
 *     if (svs_trace_write(trace, "run.svstrace", message, sizeof message)) puts(message);
 *     svs_trace_free(trace);
 *
 * A worker's run falls into working phases; a phase is described by where it began and by which of
 * its asyncs were stolen, whatever the number of those that were not. So a trace grows with steals,
 * not with tasks, and a spawn costs the same with it as without. Times are taken at the beginnings
 * and the ends of phases.
 *
 * A trace is bounded in memory. What does not fit is counted as lost; such a trace can be looked
 * at, but says of itself that it is not whole, and cannot be replayed.
 *
 * Threads: start and stop are for one thread at a time, while nothing runs on the runtime; a trace
 * that was stopped or read does not change but by svs_trace_measure_set(), and may be used by any
 * number of threads until it is freed.
 * Ownership: a stopped trace is the caller's, and may outlive its runtime, though not the runtime's
 * allocator. A runtime that is being traced cannot be freed.
 * The file's form: docs/trace-format.md. */
#ifndef SVS_TRACE_H
#define SVS_TRACE_H

#include <svs/measure.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_trace svs_trace;

/* Room for any message of the functions below, its end included. */
#define SVS_TRACE_MESSAGE 256

typedef struct svs_trace_options {
    size_t size;      /* of this struct, filled by svs_trace_options_init() */
    size_t max_bytes; /* of memory for all workers together (default 64 MiB) */
} svs_trace_options;

typedef struct svs_trace_statistics {
    uint32_t policy; /* of the traced runtime: SVS_HELP_FIRST or SVS_WORK_FIRST */
    uint32_t workers;
    uint64_t duration_ns;  /* from start to stop */
    uint64_t phases;       /* all of these are counted over all workers */
    uint64_t roots;        /* phases that no other phase led to */
    uint64_t steals;       /* phases that began with a theft */
    uint64_t resumed;      /* phases that began at the end of a finish */
    uint64_t nested;       /* phases that ran inside of another that waited */
    uint64_t waited_ns;    /* of workers inside of phases, for stolen children: help-first */
    uint64_t asyncs;       /* a wait for stolen children counts as one, too */
    uint64_t lost;         /* phases' beginnings and ends that did not fit; 0: the trace is whole */
    uint64_t bytes;        /* what was recorded, without the room that is left in buffers */
    uint64_t memory_bytes; /* taken from the allocator */
    uint64_t bytes_paper;  /* b_h or b_w of Steal Tree section 7.3, with v = m = k = 4 */
    uint32_t cpus;         /* that the process might use when it was recorded; 0: not known */
    svs_measure measure;   /* of svs_trace_measure_set(); all 0: nobody has measured */
} svs_trace_statistics;

/* Fills in the defaults. */
SVS_API void svs_trace_options_init_sized(svs_trace_options *options, size_t size);
static inline void svs_trace_options_init(svs_trace_options *svs_options_) {
    svs_trace_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* From here on `runtime` is traced; NULL options mean the defaults. @return SVS_OK, SVS_E_NULL,
 * SVS_E_VERSION (the options), SVS_E_BUSY (something runs, or watches the runtime already),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_start(svs_runtime *runtime,
                                                 const svs_trace_options *options);

/* Ends tracing and hands over what was recorded; also after svs_runtime_stop(). @param trace NULL:
 * it is thrown away. @return SVS_OK, SVS_E_NULL, SVS_E_STATE (it is not being traced),
 * SVS_E_BUSY (something runs: it is traced on). */
SVS_NODISCARD SVS_API svs_status svs_trace_stop(svs_runtime *runtime, svs_trace **trace);

/* Gives a trace back. NULL is allowed. */
SVS_API void svs_trace_free(svs_trace *trace);

/* Copies what has been recorded so far, from any thread, while the runtime runs on: for a watchdog
 * that wants to see what a run that hangs is at. Phases that have not ended are open in it; it is
 * not whole, and cannot be replayed. Not at the same time as svs_trace_stop() of this runtime.
 * @return SVS_OK, SVS_E_NULL, SVS_E_STATE (it is not being traced), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_snapshot(svs_runtime *runtime, svs_trace **trace);

/* Puts what was measured of the program beside the trace of a run of it, from where `svs trace
 * predict` takes it: work and span say far more than phases do. NULL, or without any work: nothing
 * is known. Not while another thread uses the trace.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (a span that is longer than the work, or 0). */
SVS_NODISCARD SVS_API svs_status svs_trace_measure_set(svs_trace *trace,
                                                       const svs_measure *measure);

/* Writes a trace to a file; one that was written in part only is refused when it is read. @param
 * message on failure, a sentence that says what went wrong; `size` bytes at most, 0 for none.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FILE, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_write(const svs_trace *trace, const char *path,
                                                 char *message, size_t size);

/* Reads a trace from a file. One that was cut, or changed in any byte, is refused.
 * @param message as above: what was expected, and at which byte.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FILE (it cannot be read), SVS_E_TRACE (it is no trace, or was
 * cut or changed), SVS_E_VERSION, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_read(const char *path, svs_trace **trace, char *message,
                                                size_t size);

/* Is it whole, and does it describe a run that is possible? Each stolen async is in its victim's
 * phase and was stolen once, phases nest, whatever was suspended was resumed once, and all leads
 * back to roots. @param message as above: the first that is wrong, with its worker and phase.
 * @return SVS_OK, SVS_E_NULL, SVS_E_TRACE, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_trace_verify(const svs_trace *trace, char *message,
                                                  size_t size);

typedef struct svs_replay_options {
    size_t size; /* of this struct, filled by svs_replay_options_init() */
    int timed;   /* 1: no phase begins earlier after the start than it did; 0 (default): as soon as
                    it can */
} svs_replay_options;

/* Fills in the defaults. */
SVS_API void svs_replay_options_init_sized(svs_replay_options *options, size_t size);
static inline void svs_replay_options_init(svs_replay_options *svs_options_) {
    svs_replay_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* From here on, the runtime runs what it is given as the trace tells: each async that was stolen is
 * run by whoever stole it, in the same order, and nobody steals anything else. Asks for a runtime
 * with the trace's policy and number of workers, and for a program that spawns the same tree, from
 * the same roots; what its bodies compute may be different. A replay is traced, too.
 * @param message as above. @return SVS_OK, SVS_E_NULL, SVS_E_VERSION (the options), SVS_E_TRACE (it
 * is not whole or not consistent), SVS_E_INVALID (of another policy or number of workers),
 * SVS_E_BUSY (something runs, or the runtime is traced or replayed already), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_replay_start(svs_runtime *runtime, const svs_trace *trace,
                                                  const svs_replay_options *options, char *message,
                                                  size_t size);

/* Ends the replay, and tells whether the steal tree was the same. @param again gets the trace of
 * the replay, as from svs_trace_stop(); NULL: it is thrown away. @param message as above.
 * @return SVS_OK; SVS_E_PARTED (the message says in which phase; the program has come to its end
 * all the same), SVS_E_NULL, SVS_E_STATE (it is not being replayed), SVS_E_BUSY (something runs),
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

/* The statistics' `bytes`; 0 for NULL. */
SVS_API uint64_t svs_trace_bytes(const svs_trace *trace);

SVS_END_DECLARATIONS
#endif
