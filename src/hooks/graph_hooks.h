/* What the race check's core asks of its part for graphs (dpst/graph), which installs the
 * functions. The core knows no graph: it calls them for steps of instances only, or after a graph's
 * run has begun.
 *
 * Threads: as each function says; several at once. */
#ifndef SVS_HOOKS_GRAPH_HOOKS_H
#define SVS_HOOKS_GRAPH_HOOKS_H

#include "base/atomic.h"
#include <stddef.h>
#include <svs/check.h>

struct svs__check_thread;
typedef struct svs__instance svs__instance; /* of a graph's task */

/* By the step that a thread runs. */
typedef struct svs__touch {
    uintptr_t address;
    size_t bytes;
    const void *pc;
    bool write;
    bool atomic;
    bool linked; /* by svs_link() */
} svs__touch;

typedef struct svs__graph_hooks {
    /* The thread runs a step of an instance. @return whether all of it is the running worker's own,
     * where none of the instance's other steps is parallel to this one. */
    bool (*access)(struct svs__check_thread *self, const svs__touch *touch);
    /* These bytes begin a new life. */
    void (*clear)(uintptr_t address, size_t bytes);
    /* The node of the tree, which the caller has made, belongs to the instance. */
    void (*note)(uint32_t node, svs__instance *instance);
    /* @return the instance that the node belongs to, or NULL. */
    svs__instance *(*noted)(uint32_t node);
    /* Does the graph say whether a step of the instance and the other step are ordered? */
    bool (*judges)(const svs__instance *instance, uint32_t other);
    /* Both accesses are the instance's: adds its names to the report. */
    void (*name)(const svs__instance *instance, svs_check_race *race);
    /* The tree was cut down, under the checker's lock. */
    void (*forgotten)(void);
} svs__graph_hooks;

/* Set with the first check, before anything runs, and never taken away. */
extern const svs__graph_hooks *svs__the_graph_hooks;

/* Is there a graph's run, or was there one? */
extern _Atomic(bool) svs__graph_used;
static inline bool svs__graph_is_used(void) {
    /* relaxed: it is set before a run's first instance begins, and never in one. */
    return svs__load_relaxed(&svs__graph_used);
}

#endif
