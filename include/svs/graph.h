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
 * ended when its instances have ended and no task can send to it any more.
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

/* How a scheduling domain selects instances to run in parallel (thesis 6.1). */
typedef enum svs_algorithm {
    SVS_ALGORITHM_DEFAULT, /* for a task: the graph's; for a graph: staged */
    /* Algorithm 5: runs sets of conflict-free instances (stages) one after another */
    SVS_ALGORITHM_STAGED,
    /* Algorithm 4: starts an instance once it conflicts with no running one */
    SVS_ALGORITHM_PROGRESSIVE
} svs_algorithm;

typedef struct svs_graph_options {
    size_t size; /* of this struct, filled by svs_graph_options_init() */
    const char *name;
    svs_algorithm algorithm;
    /* staged: release a stage at this many instances; 0: no limit (default) */
    uint32_t stage_width;
    /* staged: close the stage after this many conflicting instances in a row (default 64); among
     * instances deferred before, after a quarter of these while the stage is narrow */
    uint32_t stage_conflicts;
    /* determine the cause of one in this many deferrals, and of the first 16; 0: never (default
     * 1024) */
    uint32_t explain_every;
} svs_graph_options;

#define SVS_REPORT_TEXT 256

/* Why a run failed. */
typedef struct svs_report {
    svs_status status;
    /* task of the failed instance, or NULL; valid as long as the graph */
    const char *task;
    uint64_t instance;          /* the failed one (svs_instance_id) */
    unsigned char item[64];     /* the first bytes of its item */
    char text[SVS_REPORT_TEXT]; /* a sentence for the user */
} svs_report;

typedef struct svs_graph_statistics {
    uint64_t instances; /* completed */
    uint64_t stages;    /* released */
    /* completed in stages: mean parallel width = staged_instances / stages */
    uint64_t staged_instances;
    uint64_t width_max;        /* of a stage */
    uint64_t deferrals;        /* how often admission refused an instance */
    uint64_t deferrals_true;   /* of those explained: the exact sets conflict */
    uint64_t deferrals_hash;   /* only signature bits or cells collide */
    uint64_t deferrals_master; /* only the reaches of the shared master conflict */
    uint64_t deferrals_stale;  /* only stale signature bits collide */
    uint64_t revalidations;    /* admitted, then released because the footprint had changed */
    uint64_t domains;          /* scheduling domains created */
    uint64_t refined;          /* implicit dependencies removed by refinement */
    uint64_t running_max;      /* the most instances observed running at once */
} svs_graph_statistics;

/* Fills in the defaults. */
SVS_API void svs_graph_options_init_sized(svs_graph_options *options, size_t size);
static inline void svs_graph_options_init(svs_graph_options *svs_options_) {
    svs_graph_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* @return SVS_OK, SVS_E_NULL, SVS_E_VERSION (the options), SVS_E_INVALID, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_graph_new(svs_world *world, const svs_graph_options *options,
                                               svs_graph **graph);

/* NULL is allowed. @return SVS_OK, SVS_E_BUSY (it runs). */
SVS_NODISCARD SVS_API svs_status svs_graph_free(svs_graph *graph);

/* Adds a transform. Each of its instances gets a copy of `item` (of the type's item size; NULL:
 * zeros). svs_context_argument() returns `argument`.
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

/* Replaces a transform's item between runs. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (an
 * itemizer), SVS_E_BUSY. */
SVS_NODISCARD SVS_API svs_status svs_task_set_item(svs_task *task, const void *item);

/* Declares a dataflow dependency, an explicit dependency, or that a pair of tasks needs no implicit
 * one. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (one task twice, not an itemizer), SVS_E_WORLD
 * (tasks of two graphs), SVS_E_BUSY, SVS_E_NO_MEMORY. A cycle is reported when the graph runs. */
SVS_NODISCARD SVS_API svs_status svs_graph_add_flow(svs_graph *graph, svs_task *producer,
                                                    svs_task *consumer);
SVS_NODISCARD SVS_API svs_status svs_graph_add_order(svs_graph *graph, svs_task *before,
                                                     svs_task *after);
SVS_NODISCARD SVS_API svs_status svs_graph_set_independent(svs_graph *graph, svs_task *a,
                                                           svs_task *b);

/* Sends items from outside of a run, for the first iteration of the next run. @return as
 * svs_send(), and SVS_E_BUSY while the graph runs, SVS_E_WORLD (a task of another graph). */
SVS_NODISCARD SVS_API svs_status svs_graph_send(svs_graph *graph, svs_task *to, const void *items,
                                                size_t count, size_t item_size);

/* Runs `iterations` iterations, one after the other, and returns when the last has ended. The
 * calling thread works as a worker meanwhile.
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

/* Runs one instance of the task type for each item, in parallel, and returns when all have ended.
 * The caller needs no graph; the guarantees of a graph's run hold. The items are copied. In the
 * bodies, svs_context_argument() returns NULL. Any thread may call it, but not a body.
 * @param type the variable that SVS_TASK defines, for example &transfer_task.
 * @return SVS_OK; SVS_E_NULL; SVS_E_TYPE; SVS_E_NESTED (from a body or an async); SVS_E_NO_MEMORY;
 * SVS_E_LIMIT (more than 2^31 items, 64 graphs at once on a runtime); or the status that the first
 * failing body returned; the log contains the instance with its item. */
SVS_NODISCARD SVS_API svs_status svs_for_each(svs_world *world, const svs_task_type *type,
                                              const void *items, size_t count);

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

SVS_END_DECLARATIONS
#endif
