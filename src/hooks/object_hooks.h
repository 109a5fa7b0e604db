/* Callbacks on instances and memory objects, one by one, for a race check. Without a watcher they
 * cost one load of a pointer for each object that is made, linked or freed, and one where a run
 * begins instances.
 *
 * hooks.K1. A watcher learns exactly what a graph guarantees about the order of its instances:
 *     which task opens after the end of which, which instance sent which record, and when. It does
 *     not learn of dependencies that refinement removed, or of instances that admission kept apart.
 *     (not asserted: about what the scheduler does not report; property_racecheck_graph)
 * hooks.K2. An instance's set is known exactly, and was looked up while the instance held it. (not
 *     asserted: about the caller; unit_dpst_undeclared)
 * hooks.K3. A touch function may read before admission, while other instances run. So a watched
 *     instance calls its touch function once more, with a footprint on its stack; accesses between
 *     touches(begins) and touches(ends) belong to the touch function. (not asserted: about what a
 *     program's function reads; unit_dpst_touched)
 *
 * Threads: each is called in the thread that does what it reports, several at once. */
#ifndef SVS_HOOKS_OBJECT_HOOKS_H
#define SVS_HOOKS_OBJECT_HOOKS_H

#include "base/atomic.h"
#include <stddef.h>
#include <svs/object.h>

typedef struct svs__set svs__set;
typedef struct svs__worker svs__worker;

/* A graph as its run begins. */
typedef struct svs__watched_graph {
    svs_world *world;
    const char *name;
    uint32_t count;           /* number of its tasks */
    uint32_t row;             /* number of words in a row of `after` */
    const char *const *names; /* [count]: names of the tasks */
    /* [count][row]: for each task, bits of the tasks that open after its end */
    const uint64_t *after;
    const uint32_t *cycles; /* [count]: equal for tasks that send to each other in a cycle */
} svs__watched_graph;

/* An instance as its body begins. */
typedef struct svs__watched_instance {
    void *run;
    uint32_t task, iteration;
    uint64_t order;
    svs__set *set; /* stays as it is while the body runs; NULL: it could not be made */
} svs__watched_instance;

typedef struct svs__object_watcher {
    /* @return the watcher's record of the run; NULL: the run is not watched. */
    void *(*run_begins)(const svs__watched_graph *graph);
    /* Called for a run that is not watched, because there is no memory for its record. */
    void (*run_lost)(const svs_world *world);
    /* Called when an iteration has ended and the run is idle: all that ran happens before all that
     * will run. */
    void (*iteration_ends)(void *run);
    void (*run_ends)(void *run);
    /* Called when an instance begins on a stack that is free below `top`. @return the watcher's
     * record of the instance; NULL: it is not watched. */
    void *(*begins)(const svs__watched_instance *instance, svs__worker *worker, void *top);
    void (*ends)(void *instance, svs__worker *worker);
    /* Called when the instance's touch function is called with this item (`begins`), or has
     * returned (hooks.K3). */
    void (*touches)(void *instance, const void *item, size_t bytes, bool begins);
    /* Called when the calling body is about to send `count` records, numbered from `from`;
     * order(of, number) returns the order of the record with that number. */
    void (*sends)(void *instance, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                  uint64_t from, size_t count);
    /* Called when an object was made, with its members, by the body that the calling thread runs,
     * if any. */
    void (*made)(const svs_object *object);
    void (*published)(const svs_object *object);
    void (*gone)(const svs_object *object);
    /* Called when svs_link() is about to write a link. */
    void (*links)(const void *field, const void *pc);
    void (*world_gone)(const svs_world *world);
} svs__object_watcher;

/* NULL: no watcher. Changes while nothing runs. */
extern _Atomic(const svs__object_watcher *) svs__object_watch;

static inline const svs__object_watcher *svs__watching(void) {
    /* acquire: sees the watcher as it was at its start; pairs with the release of the start. */
    return svs__load_acquire(&svs__object_watch);
}

#endif
