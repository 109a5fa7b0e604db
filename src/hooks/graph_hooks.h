/* The functions by which the core of the race check asks its part for graphs (dpst/graph), which
 * installs them. The core itself knows no graphs: it calls the functions only for steps of
 * instances, or after a graph's run has begun.
 *
 * Threads: as each function says; several at once. */
#ifndef SVS_HOOKS_GRAPH_HOOKS_H
#define SVS_HOOKS_GRAPH_HOOKS_H

#include "base/atomic.h"
#include <stddef.h>
#include <svs/check.h>

struct svs__check_thread;
typedef struct svs__instance svs__instance; /* an instance of a graph's task */

/* An access by the step that a thread runs. */
typedef struct svs__touch {
    uintptr_t address;
    size_t bytes;
    const void *pc;
    bool write;
    bool atomic;
    bool linked; /* the access is by svs_link() */
} svs__touch;

typedef struct svs__graph_hooks {
    /* Checks an access by a step of an instance, which the thread runs. @return whether all
     * accessed bytes are private to the running worker and the step is parallel to no other step of
     * its instance. */
    bool (*access)(struct svs__check_thread *self, const svs__touch *touch);
    /* Called when these bytes begin a new life: accesses to them so far do not count any more. */
    void (*clear)(uintptr_t address, size_t bytes);
    /* Records that a node of the tree, made by the caller, belongs to the instance. */
    void (*note)(uint32_t node, svs__instance *instance);
    /* @return the instance that the node belongs to, or NULL. */
    svs__instance *(*noted)(uint32_t node);
    /* Does the graph say whether a step of the instance and the other step are ordered? */
    bool (*judges)(const svs__instance *instance, uint32_t other);
    /* Adds the names of the instance to the report of a race between two accesses of that
     * instance. */
    void (*name)(const svs__instance *instance, svs_check_race *race);
    /* Called after the checker has forgotten all earlier accesses, with the checker's lock held. */
    void (*forgotten)(void);
} svs__graph_hooks;

/* Set when the first check begins, before anything runs; never cleared. */
extern const svs__graph_hooks *svs__the_graph_hooks;

/* Has any run of a graph begun? */
extern _Atomic(bool) svs__graph_used;
static inline bool svs__graph_is_used(void) {
    /* relaxed is enough: it is set before the first instance of a run begins, and never inside of
     * an instance. */
    return svs__load_relaxed(&svs__graph_used);
}

#endif
