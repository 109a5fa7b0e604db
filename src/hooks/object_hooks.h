/* Callbacks on instances and memory objects, one by one, for a race check. Without a watcher they
 * cost a load of one pointer where an object is made, linked or freed, and of one in a run where
 * instances begin.
 *
 * hooks.K1. What a graph promises of the order of its instances, and nothing else, is told: which
 *     task opens after the end of which, which instance sent which record, and when. What
 *     refinement removes is never told, nor what admission kept apart. (not asserted: about what
 *     the scheduler does not report; property_racecheck_graph)
 * hooks.K2. An instance's set is known exactly, and was looked up while the instance held it. (not
 *     asserted: about the caller; unit_dpst_undeclared)
 * hooks.K3. What a touch function reads, it may read before admission and while others run: a
 *     watched instance calls it once more, with a footprint on its stack, and what is accessed
 *     between touches(begins) and touches(ends) is the touch function's. (not asserted: about what
 *     a program's function reads; unit_dpst_touched)
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
    uint32_t count;           /* of its tasks */
    uint32_t row;             /* words */
    const char *const *names; /* [count] */
    const uint64_t *after;    /* [count][row]: the tasks that open after the end of this one */
    const uint32_t *cycles;   /* [count]: equal for tasks that send to each other in a cycle */
} svs__watched_graph;

/* An instance as its body begins. */
typedef struct svs__watched_instance {
    void *run;
    uint32_t task, iteration;
    uint64_t order;
    svs__set *set; /* stays as it is while the body runs; NULL: it could not be made */
} svs__watched_instance;

typedef struct svs__object_watcher {
    /* @return the run; NULL: it is not watched. */
    void *(*run_begins)(const svs__watched_graph *graph);
    /* There is no memory to tell of a run, which is not watched therefore. */
    void (*run_lost)(const svs_world *world);
    /* The run is idle: everything that ran precedes everything that will run. */
    void (*iteration_ends)(void *run);
    void (*run_ends)(void *run);
    /* `top`: its stack is below. @return the instance, NULL: it is not watched. */
    void *(*begins)(const svs__watched_instance *instance, svs__worker *worker, void *top);
    void (*ends)(void *instance, svs__worker *worker);
    /* Its touch function is called, with this item, or has returned (hooks.K3). */
    void (*touches)(void *instance, const void *item, size_t bytes, bool begins);
    /* The calling body has sent nothing of this yet: the records of these orders. */
    void (*sends)(void *instance, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                  uint64_t from, size_t count);
    /* An object with its members; by the calling body, if one runs here. */
    void (*made)(const svs_object *object);
    void (*handed_off)(const svs_object *object);
    void (*gone)(const svs_object *object);
    /* svs_link() is about to write a link. */
    void (*links)(const void *field, const void *pc);
    void (*world_gone)(const svs_world *world);
} svs__object_watcher;

/* NULL: no watcher. Changes while nothing runs. */
extern _Atomic(const svs__object_watcher *) svs__object_watch;

static inline const svs__object_watcher *svs__watching(void) {
    /* acquire: the watcher as it was when it began; pairs with the release of its start. */
    return svs__load_acquire(&svs__object_watch);
}

#endif
