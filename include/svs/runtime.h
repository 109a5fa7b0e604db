/* A runtime: a team of workers that run task instances (design: work stealing, floor 2).
 *
 *     svs_runtime *runtime;
 *     svs_runtime_options options;
 *     svs_runtime_options_init(&options);
 *     options.threads = 8;
 *     if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) ...
 *     ... worlds, graphs, runs ...
 *     svs_runtime_free(runtime);
 *
 * A runtime of `threads` workers starts `threads - 1` threads: the thread that runs a graph is the
 * missing worker while it waits. When several threads run graphs at once, one of them works and the
 * others sleep until their graph has ended. A process may have several runtimes. Idle workers
 * sleep; an idle runtime uses no CPU.
 *
 * Watchdog: with watchdog_ms, a body that takes longer is told of, while it runs: a task's
 * instance, or a stretch of asyncs in which the worker has neither spawned nor waited. It goes on;
 * to see where it is, attach a debugger, or look at the trace (watchdog_trace).
 *
 * Fork: the child of a fork() has none of the workers. Each call there on a runtime that came over,
 * or on a world or graph of it, answers SVS_E_FORKED at once and changes nothing, free included;
 * the child may make a runtime of its own. A body that forks ends its child with exec or _exit():
 * a child that comes back from the body says so in the log and exits with status 70. The parent
 * goes on.
 *
 * Exit: a body may call exit(). What runs then is not waited for; functions of atexit() that stop
 * or free the runtime are answered SVS_E_BUSY.
 *
 * Threads: new, start, stop and free are for one thread at a time; the rest may be called from
 * anywhere.
 * Ownership: free a runtime's graphs and worlds before the runtime. */
#ifndef SVS_RUNTIME_H
#define SVS_RUNTIME_H

#include <svs/allocator.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_runtime svs_runtime;

#define SVS_THREADS_MAX 1024u

enum { SVS_LOG_INFO, SVS_LOG_WARNING, SVS_LOG_ERROR };

/* `text` is one line without its end, valid during the call. */
typedef void svs_log_function(int level, const char *text, void *argument);

/* How asyncs are scheduled (<svs/async.h>). */
enum { SVS_HELP_FIRST, SVS_WORK_FIRST };

typedef struct svs_runtime_options {
    size_t size; /* of this struct, filled by svs_runtime_options_init() */
    /* workers, the running caller included; 0: one for each CPU that this process may use */
    uint32_t threads;
    /* how long an idle worker looks for work before it sleeps, microseconds (default 20) */
    uint32_t spin_us;
    size_t stack_bytes; /* of each worker thread; 0: the system's default */
    uint32_t policy;    /* of asyncs: SVS_HELP_FIRST (default) or SVS_WORK_FIRST */
    /* work-first: how many stacks of tasks there may be at once (default 4096), and the bytes of
     * each (default 262144; 65536 to 2^36). Memory is used as far as it is touched */
    uint32_t task_stacks;
    size_t task_stack_bytes;
    svs_allocator allocator;
    /* 0 (default): none; else a thread of its own looks each quarter of so many milliseconds, and
     * warns through the log of a worker that has been in one body all that time: which worker, in
     * which task, how long */
    uint32_t watchdog_ms;
    /* NULL (default), or a file: while the runtime is traced, the watchdog writes what has been
     * recorded so far to it when it warns. The text must live as long as the runtime */
    const char *watchdog_trace;
    svs_log_function *log; /* default: warnings and errors to stderr; NULL: silence */
    void *log_argument;
} svs_runtime_options;

typedef struct svs_worker_statistics {
    uint64_t instances; /* task instances that this worker ran */
    uint64_t steals;    /* child tasks that it took from other workers */
    uint64_t sleeps;    /* times that it went to sleep for want of work */
} svs_worker_statistics;

/* Fills in the defaults. */
SVS_API void svs_runtime_options_init_sized(svs_runtime_options *options, size_t size);
static inline void svs_runtime_options_init(svs_runtime_options *svs_options_) {
    svs_runtime_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a runtime; NULL options mean the defaults. No thread is started yet.
 * @return SVS_OK, SVS_E_NULL (no `runtime`), SVS_E_VERSION (the options' size), SVS_E_INVALID (more
 * than SVS_THREADS_MAX threads, half an allocator, stacks that are too small or too large),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_runtime_new(const svs_runtime_options *options,
                                                 svs_runtime **runtime);

/* Starts the workers. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (started already),
 * SVS_E_STOPPED, SVS_E_THREAD (none of them is left running; the runtime may be started again
 * later), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_runtime_start(svs_runtime *runtime);

/* Ends and joins the workers; a second stop does nothing. @return SVS_OK, SVS_E_NULL,
 * SVS_E_NOT_STARTED, SVS_E_BUSY (a graph runs). */
SVS_NODISCARD SVS_API svs_status svs_runtime_stop(svs_runtime *runtime);

/* Stops when needed, then gives back everything. NULL is allowed. @return SVS_OK, or SVS_E_BUSY
 * when a graph runs, or worlds or graphs of this runtime are left (nothing is freed then). */
SVS_NODISCARD SVS_API svs_status svs_runtime_free(svs_runtime *runtime);

/* The number of workers. */
SVS_API uint32_t svs_runtime_threads(const svs_runtime *runtime);

/* The index of the worker that the calling thread is now, or SVS_NO_WORKER. */
SVS_API uint32_t svs_worker_index(void);

/* What worker `worker` has done since the start. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (no such
 * worker). */
SVS_NODISCARD SVS_API svs_status svs_runtime_statistics_get_sized(const svs_runtime *runtime,
                                                                  uint32_t worker,
                                                                  svs_worker_statistics *statistics,
                                                                  size_t size);
SVS_NODISCARD static inline svs_status svs_runtime_statistics_get(
    const svs_runtime *svs_runtime_, uint32_t svs_worker_, svs_worker_statistics *svs_statistics_) {
    return svs_runtime_statistics_get_sized(svs_runtime_, svs_worker_, svs_statistics_,
                                            sizeof *svs_statistics_);
}

SVS_END_DECLARATIONS
#endif
