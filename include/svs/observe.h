/* Callbacks for the instances and stages of graphs, for a profiler of the program (Tracy, perf,
 * ITT).
 *
 *     static void begins(const svs_observed *instance, void *argument) {
 *         my_profiler_begin(instance->task);
 *     }
 *     static void ends(const svs_observed *instance, void *argument) { my_profiler_end(); }
 *
 *     svs_observer observer;
 *     svs_observer_init(&observer);
 *     observer.instance_begins = begins;
 *     observer.instance_ends = ends;
 *     svs_observer_set(runtime, &observer);
 *
 * Without an observer, a run executes no extra instruction. With one, instances run one by one
 * instead of in the loop that SVS_TASK generates.
 *
 * Threads: workers make the callbacks, several at once. Both callbacks of an instance are made in
 * the thread that runs it. They must not call the library, and must return soon. A trace (trace.h)
 * may be recorded at the same time. Ownership: the library copies the struct; the caller owns what
 * `argument` points to. Names live as long as the graph. */
#ifndef SVS_OBSERVE_H
#define SVS_OBSERVE_H

#include <svs/runtime.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_observed {
    const char *graph, *task;
    uint64_t instance; /* svs_instance_id() */
    uint32_t iteration;
    uint32_t worker; /* 0 .. threads-1 */
} svs_observed;

typedef struct svs_observed_stage {
    const char *graph;
    const char *task;   /* task of the first instance */
    bool window;        /* true: a window was made; false: a stage was opened */
    uint32_t instances; /* instances in the window or stage */
    uint32_t stages;    /* stages of the window; 1 for a stage */
    uint32_t worker;
} svs_observed_stage;

typedef struct svs_observer {
    size_t size; /* size of this struct, filled by svs_observer_init() */
    /* Each may be NULL. */
    void (*instance_begins)(const svs_observed *instance, void *argument);
    void (*instance_ends)(const svs_observed *instance, void *argument);
    void (*stage)(const svs_observed_stage *stage, void *argument);
    void *argument;
} svs_observer;

/* Fills in the defaults: no callback. */
SVS_API void svs_observer_init_sized(svs_observer *observer, size_t size);
static inline void svs_observer_init(svs_observer *svs_observer_) {
    svs_observer_init_sized(svs_observer_, sizeof *svs_observer_);
}

/* Sets the callbacks of the runtime's later runs. @param observer NULL: removes the callbacks.
 * @return SVS_OK, SVS_E_NULL (no runtime), SVS_E_VERSION (another version of the struct),
 * SVS_E_BUSY (a run is active), SVS_E_FORKED. */
SVS_NODISCARD SVS_API svs_status svs_observer_set(svs_runtime *runtime,
                                                  const svs_observer *observer);

SVS_END_DECLARATIONS
#endif
