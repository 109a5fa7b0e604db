/* The task graph: tasks, their dependencies, and its runs (thesis 3.1, 5.2, 6).
 *
 *     svs_graph *graph;
 *     svs_task *make, *push;
 *     svs_graph_new(world, NULL, &graph);
 *     svs_graph_add_transform(graph, &maker_task, &item, argument, &make);
 *     svs_graph_add_itemizer(graph, &contact_task, argument, &push);
 *     svs_graph_add_flow(graph, make, push);
 *     svs_graph_run(graph, 100, NULL);
 *
 * A transform runs one instance per iteration. An itemizer runs one instance for each item that it
 * receives in the iteration; its first instances start while its senders still run. A task has
 * ended when its instances have ended and nothing can send to it any more. Itemizers may send to
 * themselves, and to each other in a cycle: such tasks end together, when none of them has an item
 * left. Threads of the program send through sources.
 *
 *   sends        dataflow dependency: the producer sends the items of the consumer's instances
 *   explicit     svs_graph_add_order(a, b): b opens after a has ended
 *   implicit     each other pair of tasks a, b that the above do not order: b opens after a has
 *                ended, unless refinement proves that both may be open at once (thesis, Algorithm
 *                2). a and b are in topological order of the above, else in the order of adding
 *   independent  svs_graph_set_independent(a, b): no implicit dependency between the two
 *
 * Dependencies determine when a task opens. Admission alone decides, at the start of each instance,
 * which instances run in parallel.
 *
 * Threads: one thread at a time builds a graph, not while the graph runs. Several threads may run
 * different graphs concurrently, also in one world.
 * Ownership: a graph owns its tasks; free it before its world. */
#ifndef SVS_GRAPH_H
#define SVS_GRAPH_H

#include <svs/task.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_graph svs_graph;

/* How a scheduling domain selects instances to run in parallel (thesis 6.1).
 *
 * All algorithms are fair: a bounded number of conflicting instances can overtake an instance.
 * Under windowed and in order, it runs after the earlier instances of its task and one window,
 * which has up to 2,048 instances. Under the others, and alongside other tasks, it is refused at
 * most 64 times. Then its footprint is reserved, and it is the next of all that conflict with
 * it. */
typedef enum svs_algorithm {
    SVS_ALGORITHM_DEFAULT, /* for a task: the graph's; for a graph: windowed */
    /* Algorithm 5, for the thesis' experiments: runs sets of conflict-free instances (stages) one
     * after another */
    SVS_ALGORITHM_STAGED,
    /* Algorithm 4, for the thesis' experiments: starts an instance once it conflicts with no
     * running one */
    SVS_ALGORITHM_PROGRESSIVE,
    /* The default. Colours up to 2,048 instances at once, and runs those of one colour together.
     * Instances whose footprints name more than objects, addresses and indices run in stages of
     * their own. Repeatable: if all items of a run were sent before it, in one order, and it is the
     * only activity in its world, then bodies that conflict run in the same order in each run, with
     * any number of workers. Footprints must name no addresses, and reaches stay within
     * examine_budget */
    SVS_ALGORITHM_WINDOWED,
    /* Like windowed, but bodies that conflict run in the order in which their items came: with any
     * number of workers the result is that of a loop over the items, also with addresses and
     * reaches. Items of one task that one thread sends, or that were sent before the run, keep the
     * order of their sends. Items of an urgent task come first. Stages are narrower than those of
     * windowed, an instance with a reach runs alone, and stage_width does not apply */
    SVS_ALGORITHM_IN_ORDER
} svs_algorithm;

typedef struct svs_graph_options {
    size_t size; /* size of this struct, filled by svs_graph_options_init() */
    const char *name;
    svs_algorithm algorithm;
    /* maximum instances per stage; 0: unlimited (default). A limit disables windows. This option
     * and the next one are for the thesis' experiments */
    uint32_t stage_width;
    /* staged: a stage ends after this number of conflicting instances in a row (default 64), or
     * after a quarter of it while the stage has few instances and is made of deferred ones */
    uint32_t stage_conflicts;
    /* with the value n, the library finds the cause of the first 16 deferrals, then of each n-th
     * one; 0: never (default 1024) */
    uint32_t explain_every;
} svs_graph_options;

#define SVS_REPORT_TEXT 256

/* Why a run failed. */
typedef struct svs_report {
    svs_status status;
    /* task of the failed instance, or NULL; valid as long as the graph */
    const char *task;
    uint64_t instance;          /* number of the failed instance (svs_instance_id) */
    unsigned char item[64];     /* the first bytes of the instance's item */
    char text[SVS_REPORT_TEXT]; /* a sentence for the user */
} svs_report;

typedef struct svs_graph_statistics {
    uint64_t instances; /* completed */
    uint64_t stages;    /* released */
    /* instances completed in stages; mean parallel width = staged_instances / stages. Short
     * instances that one worker ran one after another are not counted */
    uint64_t staged_instances;
    uint64_t width_max;      /* width of the widest stage */
    uint64_t deferrals;      /* how often admission refused an instance, or a window was full */
    uint64_t deferrals_true; /* explained deferrals whose exact sets conflict */
    /* explained deferrals in which only signature bits or cells collide */
    uint64_t deferrals_hash;
    /* explained deferrals in which only the reaches of a shared master conflict */
    uint64_t deferrals_master;
    uint64_t deferrals_stale; /* explained deferrals in which only stale signature bits collide */
    /* instances that were admitted, then released because the footprint had changed */
    uint64_t revalidations;
    uint64_t domains;     /* scheduling domains created */
    uint64_t refined;     /* implicit dependencies removed by refinement */
    uint64_t running_max; /* the most instances observed running at once */
    /* nanoseconds in which no instance of a domain could run because the domain walked links for
     * its windows; summed over all domains */
    uint64_t quiet_ns;
} svs_graph_statistics;

/* Fills in the defaults. */
SVS_API void svs_graph_options_init_sized(svs_graph_options *options, size_t size);
static inline void svs_graph_options_init(svs_graph_options *svs_options_) {
    svs_graph_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a graph in a world. @param options NULL: the defaults. @return SVS_OK, SVS_E_NULL,
 * SVS_E_VERSION (the options), SVS_E_INVALID, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_graph_new(svs_world *world, const svs_graph_options *options,
                                               svs_graph **graph);

/* NULL is allowed. @return SVS_OK, SVS_E_BUSY (it runs, or has sources). */
SVS_NODISCARD SVS_API svs_status svs_graph_free(svs_graph *graph);

/* Adds a transform. Each of its instances gets a copy of `item`, which has the type's item size;
 * `item` NULL: zeros. svs_context_argument() returns `argument`.
 * @return SVS_OK, SVS_E_NULL, SVS_E_TYPE (no body, no name, no footprint, an item larger than
 * SVS_ITEM_MAX, or unknown flags; the log says which), SVS_E_BUSY (the graph runs),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_graph_add_transform(svs_graph *graph,
                                                         const svs_task_type *type,
                                                         const void *item, void *argument,
                                                         svs_task **task);

/* Adds an itemizer. Errors as above. */
SVS_NODISCARD SVS_API svs_status svs_graph_add_itemizer(svs_graph *graph, const svs_task_type *type,
                                                        void *argument, svs_task **task);

/* Sets the algorithm of the task's scheduling domain. In a shared domain, the algorithm of the
 * producer applies. */
SVS_NODISCARD SVS_API svs_status svs_task_set_algorithm(svs_task *task, svs_algorithm algorithm);

/* For svs_task_pin(): the thread that runs the graph. */
#define SVS_THE_RUNNER (UINT32_MAX - 1)

/* Pins a task: its instances run one at a time, on worker `worker` or on SVS_THE_RUNNER. The runner
 * is the thread that called svs_graph_run() or svs_graph_begin(), or the one that last called
 * svs_graph_wait(). SVS_NO_WORKER (initially): on any worker. Pinning changes neither conflicts nor
 * dependencies. Only bodies are pinned: asyncs of a body run on any worker, touch functions on any
 * thread. The instances begin in the order of their sends, unless one conflicts with a running
 * instance. A graph with a pinned task is not repeatable. Refinement keeps each implicit dependency
 * of a pinned itemizer: declare tasks independent that need no order (svs_graph_set_independent).
 *
 * The runner works during svs_graph_run(), svs_graph_wait() and svs_help(). At other times its
 * instances wait, and so do the tasks that depend on them and the end of the run. All other
 * instances run, of this graph and of others. If the runner never comes, svs_graph_cancel() ends
 * the run. Worker 0 (without external_threads) is the place of threads that wait or help, one at a
 * time: instances pinned to it run while a thread is in that place. While a graph with a pinned
 * task runs, each wake-up of a worker wakes all sleeping workers.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (no such worker; or a worker's number on a runtime with
 * external_threads, where any thread may become that worker), SVS_E_BUSY (the graph runs). */
SVS_NODISCARD SVS_API svs_status svs_task_pin(svs_task *task, uint32_t worker);

/* Replaces a transform's item between runs. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (an
 * itemizer), SVS_E_BUSY. */
SVS_NODISCARD SVS_API svs_status svs_task_set_item(svs_task *task, const void *item);

/* Declares a dataflow dependency (an itemizer may be its own producer), an explicit dependency, or
 * that a pair of tasks needs no implicit one. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (one task
 * twice, not an itemizer), SVS_E_WORLD (tasks of two graphs), SVS_E_BUSY, SVS_E_NO_MEMORY. A cycle
 * with an explicit dependency is reported when the graph runs. */
SVS_NODISCARD SVS_API svs_status svs_graph_add_flow(svs_graph *graph, svs_task *producer,
                                                    svs_task *consumer);
SVS_NODISCARD SVS_API svs_status svs_graph_add_order(svs_graph *graph, svs_task *before,
                                                     svs_task *after);
SVS_NODISCARD SVS_API svs_status svs_graph_set_independent(svs_graph *graph, svs_task *a,
                                                           svs_task *b);

/* Sends items from outside of a run, for the first iteration of the next run. @return as
 * svs_send(), and SVS_E_BUSY while the graph runs (send through a source), SVS_E_WORLD (a task of
 * another graph). */
SVS_NODISCARD SVS_API svs_status svs_graph_send(svs_graph *graph, svs_task *to, const void *items,
                                                size_t count, size_t item_size);

/* Makes the `count` items that begin with number `first` (svs_graph_generate). */
typedef void svs_generate_function(void *items, uint32_t first, uint32_t count, void *argument);

/* Generates items on demand. A loop over millions of items then takes the memory of a few thousand.
 *
 *     static void make_contacts(void *items, uint32_t first, uint32_t count, void *argument) {
 *         contact *c = items;
 *         for (uint32_t i = 0; i < count; i++) c[i] = contact_of(argument, first + i);
 *     }
 *     svs_graph_generate(graph, contacts, make_contacts, scene, 1000000, sizeof(contact));
 *     svs_graph_run(graph, 1, NULL);
 *
 * The function fills the uninitialised array `items` with the `count` items that begin with number
 * `first`. Workers call it during the next run, once for each number, concurrently for different
 * numbers and with bodies. For number i it may read what no body of the run writes, and what only
 * the body of number i writes, which runs later. It must not call the library. If the run fails,
 * items that were not generated are not passed to the function of svs_task_set_dropped(). The
 * instances have the order that svs_graph_send() would give them.
 * @return as svs_graph_send(). */
SVS_NODISCARD SVS_API svs_status svs_graph_generate(svs_graph *graph, svs_task *to,
                                                    svs_generate_function *generate, void *argument,
                                                    size_t count, size_t item_size);

/* Sources: threads of the program send items before and while a graph runs.
 *
 *     svs_source_new(task, 65536, &source);          // before the run, or while the task is open
 *     svs_graph_begin(graph, 1, NULL, NULL);
 *     ...
 *     svs_source_send(source, &item, 1, sizeof item, UINT64_MAX);   // any thread
 *     ...
 *     svs_source_free(source);                       // the task may end now
 *
 * A task does not end before its last source is freed; so an iteration ends after all sources of
 * its tasks are. If the run fails or is cancelled, its sources are shut: a send returns
 * SVS_E_CANCELLED, and the source is still to be freed.
 *
 * Two tasks with sources are open at the same time: the implicit dependency between them is removed
 * when the first one opens. A third task opens only after the others have ended. Declare such tasks
 * pairwise independent (svs_graph_set_independent): admission still separates conflicting
 * instances.
 *
 * The limit bounds how many items wait, and therefore how long each waits. With senders at full
 * speed, a limit of 1,024 had 3 to 4 times the throughput of 16, and 30 times its delay. Start with
 * 64; choose more if only throughput matters.
 *
 * Threads: any, at any time, also bodies. Several threads may send through one source.
 * Ownership: free the sources of a graph before the graph. */
typedef struct svs_source svs_source;

/* @param limit the maximum number of items of the task, sent and not ended, after a send through
 * this source; 0: 2^31. The items of tasks in a cycle are counted together.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (a transform), SVS_E_STATE (the graph runs, and the
 * task has ended in this iteration), SVS_E_CANCELLED (the run was cancelled, and has not ended
 * yet), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_source_new(svs_task *task, uint32_t limit,
                                                svs_source **source);

/* Sends copies of all items, or none. Items sent between runs wait for the next run.
 * @param ns_max how long to wait for room at the limit, in nanoseconds; 0: do not wait; UINT64_MAX:
 * no limit. In a body or an async the call never waits.
 * @return SVS_OK, SVS_E_FULL (the limit), SVS_E_CANCELLED (the source is shut: free it),
 * SVS_E_LIMIT (more items than the limit), SVS_E_NULL, SVS_E_INVALID (a wrong item size),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_source_send(svs_source *source, const void *items,
                                                 size_t count, size_t item_size, uint64_t ns_max);

/* NULL is allowed. No thread may be sending through it. @return SVS_OK, SVS_E_FORKED. */
SVS_API svs_status svs_source_free(svs_source *source);

/* Sets the priority of an itemizer's items: higher ones are scheduled first; the default is 0. Any
 * thread may change it at any time, also for items that wait; it takes effect with the next stage
 * or window of each domain. Dependencies stay: an implicit dependency still orders two tasks
 * (svs_graph_set_independent).
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (a transform). */
SVS_NODISCARD SVS_API svs_status svs_task_set_priority(svs_task *task, int32_t priority);

/* Sets a function that gets each item of an itemizer that never runs: because the run has failed or
 * was cancelled, or the graph was freed before. It may free what the item owns, and must not call
 * the library; any thread may call it, several at once for different items. @param dropped NULL:
 * removes the function.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (a transform), SVS_E_BUSY (the graph runs). */
SVS_NODISCARD SVS_API svs_status svs_task_set_dropped(svs_task *task,
                                                      svs_dropped_function *dropped);

/* Runs `iterations` iterations in sequence, and returns when the last has ended. The calling thread
 * works as a worker.
 * @param report may be NULL; filled in unless the status is SVS_OK.
 * @return SVS_OK; SVS_E_NULL; SVS_E_NOT_STARTED; SVS_E_STOPPED; SVS_E_BUSY (it runs already);
 * SVS_E_NESTED (called from a body or an async); SVS_E_CYCLE; SVS_E_NO_MEMORY; SVS_E_LIMIT (64
 * graphs at once on a runtime); or the status that the first failing body returned. After a failure
 * no instance runs, unprocessed items are discarded, and the graph may run again. */
SVS_NODISCARD SVS_API svs_status svs_graph_run_sized(svs_graph *graph, uint32_t iterations,
                                                     svs_report *report, size_t size);
SVS_NODISCARD static inline svs_status svs_graph_run(svs_graph *svs_graph_,
                                                     uint32_t svs_iterations_,
                                                     svs_report *svs_report_) {
    return svs_graph_run_sized(svs_graph_, svs_iterations_, svs_report_, sizeof *svs_report_);
}

/* Receives the status of a run that has ended (svs_graph_begin). */
typedef void svs_graph_ended_function(svs_graph *graph, svs_status status, void *argument);

/* Begins a run and returns at once; the runtime's other workers run it. With one worker, or with
 * external threads, it proceeds only while a thread waits or helps (svs_help). Each run that was
 * begun ends with a svs_graph_wait() that returns its status; until then the graph runs.
 * @param ended NULL, or a function that is called once with the status of the run, when all
 * instances have ended: by any thread, possibly before this call returns. It must return soon and
 * must not call the library; let it wake the thread that waits.
 * @return as svs_graph_run(), before anything has run. */
SVS_NODISCARD SVS_API svs_status svs_graph_begin(svs_graph *graph, uint32_t iterations,
                                                 svs_graph_ended_function *ended, void *argument);

/* Waits for the end of a run that was begun, for at most about `ns_max` nanoseconds (UINT64_MAX: no
 * limit; 0: only tests). The calling thread works as a worker, and one body may exceed the limit.
 * One thread at a time waits for a graph.
 * @param report may be NULL; filled in as by svs_graph_run().
 * @return SVS_E_BUSY (it has not ended yet: wait again); SVS_E_NULL; SVS_E_STATE (none was begun);
 * SVS_E_NESTED (from a body or an async); otherwise the run has ended, and this is its status, as
 * of svs_graph_run(). */
SVS_NODISCARD SVS_API svs_status svs_graph_wait_sized(svs_graph *graph, uint64_t ns_max,
                                                      svs_report *report, size_t size);
SVS_NODISCARD static inline svs_status svs_graph_wait(svs_graph *svs_graph_, uint64_t svs_ns_max_,
                                                      svs_report *svs_report_) {
    return svs_graph_wait_sized(svs_graph_, svs_ns_max_, svs_report_, sizeof *svs_report_);
}

/* Ends a run before its time: no further instance begins, items that were not processed are
 * discarded, and the run returns `status` (SVS_OK: SVS_E_CANCELLED), unless it has failed before.
 * Running bodies end as usual; they may poll svs_context_cancelled(). Their asyncs that have not
 * begun are dropped (<svs/async.h>), as they are when a body of the run fails. Any thread may call
 * it, a body as well, while the graph is not freed. @return SVS_OK, SVS_E_NULL, SVS_E_STATE (it
 * does not run, or has just ended), SVS_E_FORKED. */
SVS_NODISCARD SVS_API svs_status svs_graph_cancel(svs_graph *graph, svs_status status);

/* Sets the priority of a graph among those that run on the runtime. A worker serves the highest
 * priority first, and equal ones in turn. The default is 0, as for svs_async_run() and
 * svs_for_each(). One turn in 16 goes to all graphs in turn, so that none starves. A turn is a few
 * microseconds, or one body. Within one world, an instance still waits for a running stage that
 * conflicts with it. Any thread may change the priority at any time until the graph is freed.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FORKED. */
SVS_NODISCARD SVS_API svs_status svs_graph_set_priority(svs_graph *graph, int32_t priority);

/* Runs one instance of the task type for each item, in parallel, and returns when all have ended.
 * The caller needs no graph; the guarantees of a graph's run hold. The items are copied. In the
 * bodies, svs_context_argument() returns NULL (svs_for_each_with() has an argument). Any thread may
 * call it, but not a body. The world keeps what a call with at most 1 MB of items has allocated,
 * for the next call with the same task type.
 * @param type the variable that SVS_TASK defines, for example &transfer_task.
 * @return SVS_OK; SVS_E_NULL; SVS_E_TYPE; SVS_E_NESTED (from a body or an async); SVS_E_NO_MEMORY;
 * SVS_E_LIMIT (more than 2^31 items, 64 graphs at once on a runtime); or the status that the first
 * failing body returned; the log contains the instance with its item. */
SVS_NODISCARD SVS_API svs_status svs_for_each(svs_world *world, const svs_task_type *type,
                                              const void *items, size_t count);

typedef struct svs_for_each_options {
    size_t size;             /* size of this struct, filled by svs_for_each_options_init() */
    const char *name;        /* name of the run, in messages and traces; default: "svs_for_each" */
    svs_algorithm algorithm; /* SVS_ALGORITHM_IN_ORDER: the result is that of a loop */
} svs_for_each_options;

/* Fills in the defaults. */
SVS_API void svs_for_each_options_init_sized(svs_for_each_options *options, size_t size);
static inline void svs_for_each_options_init(svs_for_each_options *svs_options_) {
    svs_for_each_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* As svs_for_each(), with options and an argument for the bodies and the touch function
 * (svs_context_argument(), svs_footprint_argument()). The world keeps what was allocated for the
 * next call with the same task type, name and algorithm.
 *
 *     svs_for_each_options options;
 *     svs_for_each_options_init(&options);
 *     options.algorithm = SVS_ALGORITHM_IN_ORDER;
 *     svs_for_each_with(world, &rate_task, ratings, count, &options, &model);
 *
 * @param options NULL: the defaults.
 * @return as svs_for_each(), and SVS_E_VERSION (the options' size), SVS_E_INVALID (an unknown
 * algorithm). */
SVS_NODISCARD SVS_API svs_status svs_for_each_with(svs_world *world, const svs_task_type *type,
                                                   const void *items, size_t count,
                                                   const svs_for_each_options *options,
                                                   void *argument);

/* The progress of a run; between runs, of the last one. */
typedef struct svs_progress {
    uint64_t ended;     /* instances that have ended */
    uint64_t pending;   /* instances that were sent and have not ended */
    uint32_t tasks;     /* tasks that have not ended in the present iteration */
    uint32_t iteration; /* number of the present iteration, from 0 */
} svs_progress;

/* Any thread may call it at any time, except while the graph is changed. The numbers are read one
 * by one while workers run, and may not fit together. @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_graph_progress_sized(svs_graph *graph, svs_progress *progress,
                                                          size_t size);
SVS_NODISCARD static inline svs_status svs_graph_progress(svs_graph *svs_graph_,
                                                          svs_progress *svs_progress_) {
    return svs_graph_progress_sized(svs_graph_, svs_progress_, sizeof *svs_progress_);
}

/* Sums since the creation of the graph or the last reset. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY
 * (the graph runs). */
SVS_NODISCARD SVS_API svs_status svs_graph_statistics_get_sized(const svs_graph *graph,
                                                                svs_graph_statistics *statistics,
                                                                size_t size);
SVS_NODISCARD static inline svs_status svs_graph_statistics_get(
    const svs_graph *svs_graph_, svs_graph_statistics *svs_statistics_) {
    return svs_graph_statistics_get_sized(svs_graph_, svs_statistics_, sizeof *svs_statistics_);
}
SVS_NODISCARD SVS_API svs_status svs_graph_statistics_reset(svs_graph *graph);

/* Writes the graph to a file in DOT, for Graphviz (`dot -Tsvg`): its tasks, its flows and explicit
 * dependencies, and the implicit dependencies. After a run, the implicit dependencies that
 * refinement removed in the last iteration are marked. A comment at the start of the file explains
 * the kinds of lines. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (the graph runs), SVS_E_CYCLE,
 * SVS_E_FILE, SVS_E_FORKED, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_graph_dot(svs_graph *graph, const char *path);

SVS_END_DECLARATIONS
#endif
