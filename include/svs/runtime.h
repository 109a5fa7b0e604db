/* A runtime: a team of workers that run task instances and asyncs.
 *
 *     svs_runtime *runtime;
 *     svs_runtime_options options;
 *     svs_runtime_options_init(&options);
 *     options.threads = 8;
 *     if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) ...
 *     ... worlds, graphs, runs ...
 *     svs_runtime_free(runtime);
 *
 * A runtime of `threads` workers starts `threads - 1` threads, or none with `external_threads`. The
 * thread that calls svs_graph_run() acts as the remaining worker until the run ends. If several
 * threads run graphs concurrently, one of them works and the others sleep until their graphs have
 * ended. A process may have several runtimes. Idle workers sleep, so that an idle runtime uses no
 * CPU.
 *
 * Watchdog: with watchdog_ns, the watchdog warns of a body that takes longer, while the body runs:
 * an instance, or a sequence of asyncs in which the worker neither spawned nor waited. The body
 * continues. To find its position, attach a debugger or open the trace (watchdog_trace).
 *
 * Fork: the child of a fork() has no workers. Each call in the child on an inherited runtime, world
 * or graph, free included, returns SVS_E_FORKED at once and changes nothing. The child may create
 * its own runtime. If a body forks, its child must end with exec or _exit(); a child that returns
 * from the body writes an error to the log and exits with status 70. The parent is not affected.
 *
 * Exit: a body may call exit(). The process does not wait for running bodies; in functions
 * registered with atexit(), stopping or freeing the runtime returns SVS_E_BUSY.
 *
 * Threads: one thread at a time may call new, start, stop and free. Any thread may call the other
 * functions.
 * Ownership: free a runtime's graphs and worlds before the runtime. */
#ifndef SVS_RUNTIME_H
#define SVS_RUNTIME_H

#include <svs/allocator.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_runtime svs_runtime;

#define SVS_THREADS_MAX 1024u

enum { SVS_LOG_INFO, SVS_LOG_WARNING, SVS_LOG_ERROR };

/* `text` is one line without its newline, valid during the call. */
typedef void svs_log_function(int level, const char *text, void *argument);

/* The runtime has work for `count` more threads: let each call svs_help() once. Any thread may make
 * this call, also from a body, and several at once. It must return soon and must not call the
 * library: let it post to a semaphore, or queue work for a thread pool. */
typedef void svs_help_wanted_function(uint32_t count, void *argument);

/* A thread of the runtime begins, or is about to end, as worker `worker`. */
typedef void svs_worker_function(uint32_t worker, void *argument);

/* How asyncs are scheduled (<svs/async.h>). */
enum { SVS_POLICY_HELP_FIRST, SVS_POLICY_WORK_FIRST };

typedef struct svs_runtime_options {
    size_t size; /* size of this struct, filled by svs_runtime_options_init() */
    /* workers, the calling thread included; 0: one for each CPU that the process may use */
    uint32_t threads;
    /* how long an idle worker searches for work before it sleeps (default 20,000); 0: not at all.
     * If its last sleep was short and other workers work, it searches up to ten times as long */
    uint64_t spin_ns;
    size_t stack_bytes; /* stack size of each worker thread; 0: the system's default */
    /* policy of asyncs: SVS_POLICY_HELP_FIRST (default) or SVS_POLICY_WORK_FIRST */
    uint32_t policy;
    /* work-first: the maximum number of task stacks (default 4096) and the bytes of each (default
     * 262144; 65536 to 2^36). Untouched pages use no memory */
    uint32_t task_stacks;
    size_t task_stack_bytes;
    svs_allocator allocator;
    /* 0 (default): no watchdog. Otherwise a separate thread checks the workers four times in this
     * period and warns through the log of each worker that spent the whole period in one body:
     * which worker, in which task, for how long. At least a millisecond */
    uint64_t watchdog_ns;
    /* NULL (default), or a file name: while the runtime is traced, the watchdog writes a snapshot
     * of the trace to the file when it warns. The string must live as long as the runtime */
    const char *watchdog_trace;
    svs_log_function *log; /* default: warnings and errors to stderr; NULL: silence */
    void *log_argument;
    /* The runtime creates no threads, and no watchdog. Threads of the program are its workers
     * while they call svs_help() or wait for a run, at most `threads` at a time */
    bool external_threads;
    /* a function that is called when workers are wanted, with external_threads; NULL (default):
     * none */
    svs_help_wanted_function *help_wanted;
    void *help_argument;
    /* called at the begin and end of each thread of the runtime, for example to set its affinity or
     * floating-point mode; NULL (default): none. The library has named the threads svs-1, svs-2,
     * ... */
    svs_worker_function *worker_begins, *worker_ends;
    void *worker_argument;
} svs_runtime_options;

typedef struct svs_worker_statistics {
    uint64_t instances; /* task instances run by this worker */
    uint64_t steals;    /* asyncs stolen from other workers */
    uint64_t sleeps;    /* how often it slept because it found no work */
} svs_worker_statistics;

/* Fills in the defaults. */
SVS_API void svs_runtime_options_init_sized(svs_runtime_options *options, size_t size);
static inline void svs_runtime_options_init(svs_runtime_options *svs_options_) {
    svs_runtime_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Creates a runtime; NULL options mean the defaults. It starts no thread yet.
 * @return SVS_OK, SVS_E_NULL (no `runtime`), SVS_E_VERSION (the options' size), SVS_E_INVALID (more
 * than SVS_THREADS_MAX threads, an allocator with one callback only, stacks that are too small or
 * too large), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_runtime_new(const svs_runtime_options *options,
                                                 svs_runtime **runtime);

/* Starts the workers. Their threads inherit the CPU affinity of the calling thread. If it is bound
 * to one CPU, as the main thread of an OpenMP program with OMP_PROC_BIND is, all workers share that
 * CPU. The log warns if workers outnumber the CPUs that the caller may use while the machine has
 * more. `worker_begins` may set another affinity. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (already
 * started), SVS_E_STOPPED, SVS_E_THREAD (a thread could not be created; no worker runs, and a later
 * start may succeed), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_runtime_start(svs_runtime *runtime);

/* Stops and joins the workers; a second stop has no effect. @return SVS_OK, SVS_E_NULL,
 * SVS_E_NOT_STARTED, SVS_E_BUSY (a graph runs). */
SVS_NODISCARD SVS_API svs_status svs_runtime_stop(svs_runtime *runtime);

/* Stops the runtime if needed, then frees it. NULL is allowed. @return SVS_OK, or SVS_E_BUSY if a
 * graph runs or a world or graph of this runtime was not freed (the call frees nothing then). */
SVS_NODISCARD SVS_API svs_status svs_runtime_free(svs_runtime *runtime);

/* Makes the calling thread a worker until it finds no work, or until the first body, step or async
 * that ends after `ns_max` nanoseconds. It needs a free seat: with `external_threads` a runtime has
 * `threads` seats; otherwise it has one, which threads that wait for a run use as well. Without a
 * free seat the call returns at once. Any number of threads may call it concurrently; all calls
 * must have returned before svs_runtime_stop().
 * @param worked may be NULL; 1 if the call has run anything, otherwise 0.
 * @return SVS_OK, SVS_E_NULL (no runtime), SVS_E_NOT_STARTED, SVS_E_STOPPED, SVS_E_NESTED (from a
 * body that runs on it), SVS_E_FORKED. */
SVS_NODISCARD SVS_API svs_status svs_help(svs_runtime *runtime, uint64_t ns_max, bool *worked);

/* The number of workers. */
SVS_API uint32_t svs_runtime_threads(const svs_runtime *runtime);

/* The index of the worker that runs the calling body or async, 0 to threads - 1; SVS_NO_WORKER in a
 * thread that is no worker now. Under work-first it may change at each async and each finish. */
SVS_API uint32_t svs_worker_index(void);

/* Counts of worker `worker` since the start. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (no such
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
