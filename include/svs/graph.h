/* The task graph: tasks, their dependencies, and its runs (thesis 3.1, 5.2, 6).
 *
 *     svs_graph *graph;
 *     svs_task *make, *push;
 *     svs_graph_new(world, NULL, &graph);
 *     svs_graph_add_transform(graph, &maker_task, &item, argument, &make);
 *     svs_graph_add_itemizer(graph, &contact_task, argument, &push);
 *     svs_graph_sends(graph, make, push);
 *     svs_graph_run(graph, 100, NULL);
 *
 * A transform runs once an iteration; an itemizer runs an instance for each item that it receives
 * in the iteration, and starts on the first while its senders still run. A task has ended when its
 * instances have, and nothing can send to it any more.
 *
 *   sends        a dataflow dependency: the consumer's instances come from what the producer sends
 *   explicit     svs_graph_order(a, b): b starts when a has ended, always
 *   implicit     each other pair of tasks that none of the above orders: b starts when a has ended,
 *                unless refinement finds that the two may be open together (thesis, Algorithm 2);
 *                a, b as in a topological order of the above, then as added
 *   independent  svs_graph_independent(a, b): no implicit dependency between the two
 *
 * What may run together is decided by admission alone, at the start of each instance: the
 * dependencies only say when a task is open.
 *
 * Threads: a graph is built by one thread at a time, and not while it runs. Different graphs run
 * from different threads at once, also in one world.
 * Ownership: a graph owns its tasks; free it before its world. */
#ifndef SVS_GRAPH_H
#define SVS_GRAPH_H

#include <svs/task.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_graph svs_graph;

/* How a scheduling domain chooses instances that run together (thesis 6.1). */
typedef enum svs_algorithm {
    SVS_ALGORITHM_DEFAULT, /* for a task: the graph's; for a graph: staged */
    SVS_STAGED, /* Algorithm 5: sets of instances that do not conflict, one set after the other */
    SVS_PROGRESSIVE /* Algorithm 4: each instance as soon as it conflicts with nothing that runs */
} svs_algorithm;

typedef struct svs_graph_options {
    size_t size; /* of this struct, filled by svs_graph_options_init() */
    const char *name;
    svs_algorithm algorithm;
    /* staged: release a stage at this many instances; 0: no limit (default) */
    uint32_t stage_width;
    /* staged: stop looking for more instances after so many in a row that conflict (default 64);
     * among those that were put back before, after a quarter of them while a stage is narrow */
    uint32_t stage_conflicts;
    /* look for the cause of one in so many deferrals, and of the first 16; 0: of none (default
     * 1024) */
    uint32_t explain_every;
} svs_graph_options;

#define SVS_REPORT_TEXT 256

/* What a run did not do, and why. */
typedef struct svs_report {
    svs_status status;
    /* the task whose instance failed, NULL when none did; lives as long as the graph */
    const char *task;
    uint64_t order;             /* of the failed instance (svs_context_order) */
    unsigned char item[64];     /* the first bytes of its item */
    char text[SVS_REPORT_TEXT]; /* a sentence for people */
} svs_report;

typedef struct svs_graph_statistics {
    uint64_t instances; /* that ran */
    uint64_t stages;    /* that were released */
    /* that ran in stages: mean parallel width = staged_instances / stages */
    uint64_t staged_instances;
    uint64_t width_max;        /* of a stage */
    uint64_t deferrals;        /* times that an instance was put back */
    uint64_t deferrals_true;   /* of those looked into: exact sets conflict */
    uint64_t deferrals_hash;   /* only bits or cells meet */
    uint64_t deferrals_master; /* only what the shared master reaches meets */
    uint64_t deferrals_stale;  /* only bits that nothing reaches any more meet */
    uint64_t revalidations;    /* admitted, and released again since the footprint had changed */
    uint64_t domains;          /* scheduling domains that were made */
    uint64_t refined;          /* implicit dependencies that refinement removed */
    uint64_t running_max;      /* most instances seen running at once */
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

/* Adds a transform. `item` (the type's size, copied; NULL when the size does not matter to the
 * body: zeros) is what each of its instances is handed; svs_context_argument() gives `argument`.
 * @return SVS_OK, SVS_E_NULL, SVS_E_TYPE (a type without a body, a name or a footprint, an item
 * larger than SVS_ITEM_MAX, unknown flags: the log says which), SVS_E_BUSY (the graph runs),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_graph_add_transform(svs_graph *graph,
                                                         const svs_task_type *type,
                                                         const void *item, void *argument,
                                                         svs_task **task);

/* Adds an itemizer. Errors as above. */
SVS_NODISCARD SVS_API svs_status svs_graph_add_itemizer(svs_graph *graph, const svs_task_type *type,
                                                        void *argument, svs_task **task);

/* Chooses the algorithm for one task's domain. A task that shares its parent's domain runs under
 * its parent's. */
SVS_NODISCARD SVS_API svs_status svs_task_set_algorithm(svs_task *task, svs_algorithm algorithm);

/* Replaces a transform's item between runs. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (an
 * itemizer), SVS_E_BUSY. */
SVS_NODISCARD SVS_API svs_status svs_task_set_item(svs_task *task, const void *item);

/* Declares a dataflow dependency, an explicit one, or that a pair needs none. @return SVS_OK,
 * SVS_E_NULL, SVS_E_INVALID (one task twice, not an itemizer), SVS_E_WORLD (tasks of two graphs),
 * SVS_E_BUSY, SVS_E_NO_MEMORY. A cycle is found when the graph runs. */
SVS_NODISCARD SVS_API svs_status svs_graph_sends(svs_graph *graph, svs_task *producer,
                                                 svs_task *consumer);
SVS_NODISCARD SVS_API svs_status svs_graph_order(svs_graph *graph, svs_task *before,
                                                 svs_task *after);
SVS_NODISCARD SVS_API svs_status svs_graph_independent(svs_graph *graph, svs_task *a, svs_task *b);

/* Sends items from outside, before a run: the next iteration's. @return as svs_send(), and
 * SVS_E_BUSY while the graph runs, SVS_E_WORLD (a task of another graph). */
SVS_NODISCARD SVS_API svs_status svs_graph_send(svs_graph *graph, svs_task *to, const void *items,
                                                size_t count, size_t item_size);

/* Runs `iterations` iterations, each after the end of the one before, and waits for their end; the
 * calling thread works meanwhile.
 * @param report NULL, or filled in when the status is not SVS_OK.
 * @return SVS_OK; SVS_E_NULL; SVS_E_NOT_STARTED; SVS_E_STOPPED; SVS_E_BUSY (it runs already);
 * SVS_E_NESTED (called from a body or an async); SVS_E_CYCLE; SVS_E_NO_MEMORY; SVS_E_LIMIT (64
 * graphs at once on a runtime); or what the first failing body returned. After a failure no
 * instance runs, the items that were not run are gone, and the graph may be run again. */
SVS_NODISCARD SVS_API svs_status svs_graph_run_sized(svs_graph *graph, uint32_t iterations,
                                                     svs_report *report, size_t size);
SVS_NODISCARD static inline svs_status svs_graph_run(svs_graph *svs_graph_,
                                                     uint32_t svs_iterations_,
                                                     svs_report *svs_report_) {
    return svs_graph_run_sized(svs_graph_, svs_iterations_, svs_report_, sizeof *svs_report_);
}

/* Runs an instance of the task for each item, in parallel, and waits for their end, without a graph
 * of the caller's: the items are copied, and all that a graph guarantees holds. A body finds no
 * argument (svs_context_argument). From any thread, not from a body.
 * @param type what SVS_TASK has made: &transfer_task.
 * @return SVS_OK; SVS_E_NULL; SVS_E_TYPE; SVS_E_NESTED (from a body or an async); SVS_E_NO_MEMORY;
 * SVS_E_LIMIT (more than 2^31 items, 64 graphs at once on a runtime); or what the first failing body
 * returned, which the log names with its item. */
SVS_NODISCARD SVS_API svs_status svs_for_each(svs_world *world, const svs_task_type *type,
                                              const void *items, size_t count);

/* Sums since the graph was made, or since the last reset. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY
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
