/* Callbacks that cost nothing at a spawn or at an instance: for working phases (Steal Tree section
 * 4) and for the runs of graphs.
 *
 * A working phase begins when a worker takes a root, steals a task or a continuation, or resumes a
 * finish. It contains all work from that beginning, and ends when the worker has none of that work
 * left. Each worker numbers its phases from 0 in the order of their beginnings, and its asyncs from
 * 0 in the order in which it reaches them (their ordinals). Both numbers start with the runtime.
 *
 * hooks.O1. A phase is determined by its beginning and the ordinals of those of its asyncs that
 *     were stolen (help-first: the child, work-first: the continuation after it): between these,
 *     the program alone determines what a worker does next. These are theorems 5.8 and 6.3, with
 *     one number in the place of level and step. One number is enough because a finish runs in
 *     place: the theft of its continuation cannot tell which finish a stolen task was in. (A wait
 *     for stolen children also takes an ordinal, so that the phases during the wait have a place in
 *     the order.) (not asserted: a theorem about the program; checked by each replay)
 * hooks.O2. Under help-first, a worker that waits at the end of a finish may run other phases,
 *     which begin and end inside of the waiting one: on each worker, phases nest. The asyncs of an
 *     inner phase do not belong to the outer phase, although their ordinals are between its first
 *     and its last. (not asserted: about nesting in time; stealtree/verify.c checks it in traces)
 * hooks.O3. Under work-first, a phase is over (suspended) when it reaches the end of a finish whose
 *     children have not all ended; the worker that ends the last child begins a resumed phase, or
 *     steps into it. (not asserted: about nesting in time; stealtree/verify.c checks it in traces)
 *
 * Threads: each function is called in the thread of the worker that it reports on; several workers
 * call at once. Only steals and ends of phases make calls. */
#ifndef SVS_HOOKS_TRACE_HOOKS_H
#define SVS_HOOKS_TRACE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum svs__phase_kind {
    SVS__PHASE_ROOT,   /* the phase begins with a run, or with a task instance of a graph */
    SVS__PHASE_STOLEN, /* it begins with the theft of `victim`'s async `at` */
    SVS__PHASE_RESUMED /* it begins at the finish where `victim`'s phase `at` was suspended */
} svs__phase_kind;

typedef struct svs__phase_start {
    svs__phase_kind kind;
    uint32_t victim;  /* index of a worker; 0 for a root */
    uint64_t at;      /* the victim's ordinal, or number of the victim's phase; 0 for a root */
    uint64_t ordinal; /* ordinal of the next async of the worker itself */
} svs__phase_start;

typedef struct svs__observer svs__observer;
struct svs__observer {
    void (*phase_begins)(svs__observer *observer, uint32_t worker, const svs__phase_start *start);
    /* @param ordinal ordinal of the worker's next async. @param suspended whether the phase is
     * suspended (hooks.O3). */
    void (*phase_ends)(svs__observer *observer, uint32_t worker, uint64_t ordinal, bool suspended);
    /* Help-first: called when the worker begins, or ends, its wait for stolen children. May be
     * NULL. */
    void (*waits)(svs__observer *observer, uint32_t worker, bool begins);
    const struct svs__graph_observer *graphs; /* NULL: runs of graphs are not observed */
};

/* ---- runs of graphs ----
 *
 * hooks.O4. The instances of a group ran in sequence on one worker, between the group's two times.
 *     Groups of one worker do not overlap in time. (not asserted: about time;
 *     unit_stealtree_graphs)
 * hooks.O5. Under the windowed algorithm, observation changes neither the order of instances nor
 *     which of them run together. Under the others, a record may wait in another queue so that its
 *     deferral can be explained. (not asserted: about two runs; unit_sched_seen)
 * hooks.O6. A group is reported before any of its instances is retired, so a trace that is stopped
 *     after a run has all instances of the run. */

/* A graph as its run begins. */
typedef struct svs__seen_graph {
    const char *name;
    uint32_t count; /* number of its tasks */
    const char *const *tasks;
} svs__seen_graph;

/* A row of instances, in ascending order of their seeds, which identify them. */
typedef struct svs__seen_row {
    uint64_t seed; /* seed of the first instance */
    uint32_t count;
    /* For each instance after the first: its seed minus the seed before, 1 to 127. NULL: all are
     * 1. */
    const unsigned char *steps;
} svs__seen_row;

/* Instances of one task that a worker has run. */
typedef struct svs__seen_group {
    uint32_t task; /* number of the graph's first task, plus the task's index in the graph */
    uint32_t run, iteration;
    uint32_t count;
    /* rows of all instances, in their order. NULL: the group is read from a trace */
    const svs__seen_row *rows;
    uint32_t row_count;
    uint64_t begin_ns, end_ns;
} svs__seen_group;
#define SVS__SEEN_GROUP_MAX 1024u
#define SVS__SEEN_ROWS_MAX 129u  /* maximal number of rows of a group */
#define SVS__SEEN_STEPS_MAX 128u /* maximal number of steps of all rows of a group */

typedef enum svs__seen_kind {
    SVS__SEEN_STAGE,       /* the staged algorithm has completed a stage */
    SVS__SEEN_WINDOW,      /* a window was made */
    SVS__SEEN_WINDOW_STAGE /* a stage of a window was opened */
} svs__seen_kind;

typedef struct svs__seen_stage {
    svs__seen_kind kind;
    uint32_t task; /* the task of its first instance */
    uint32_t run, iteration;
    uint32_t width;     /* number of instances */
    uint32_t stages;    /* of a window: number of its stages */
    uint32_t parted;    /* of a window: number of instances that are not in its first stage */
    uint32_t explained; /* number of parted instances whose conflict is reported */
    uint32_t deferrals; /* number of deferrals that the worker has counted since its last report */
} svs__seen_stage;

/* The cause of a conflict; if several apply, the last of them in this list. */
typedef enum svs__seen_cause {
    SVS__SEEN_UNKNOWN, /* the other instance has ended, or is of another graph */
    SVS__SEEN_STALE,   /* the conflict is only in bits of a signature that are out of date */
    SVS__SEEN_MASTER,  /* the conflict is only in what their shared master reaches */
    SVS__SEEN_HASH,    /* their places only share a cell */
    SVS__SEEN_TRUE,    /* both instances declare the place */
    SVS__SEEN_CAUSES
} svs__seen_cause;

/* An instance that did not run together with another one. */
typedef struct svs__seen_deferral {
    uint32_t task, run, iteration;
    uint64_t seed;
    bool has_other;
    uint32_t other_task;
    uint64_t other_seed;
    svs__seen_cause cause;
    /* true: both instances are in one window, in different stages; false: the instance was
     * deferred */
    bool parted;
    bool writes;    /* the instance writes the place */
    uint32_t place; /* number of the place's name, counted from 1; 0: it has none */
    bool has_index; /* true: `at` is an index; false: it is an address */
    uint64_t at;
} svs__seen_deferral;

typedef struct svs__graph_observer {
    /* A run begins, in the thread that begins it. @return the number of the graph's first task;
     * UINT32_MAX: there is no room for the names, and the run is not recorded. */
    uint32_t (*begins)(svs__observer *observer, const svs__seen_graph *graph);
    /* The following functions are called by the worker itself. */
    void (*ran)(svs__observer *observer, uint32_t worker, const svs__seen_group *group);
    void (*stage)(svs__observer *observer, uint32_t worker, const svs__seen_stage *stage);
    /* @return the number of a place's name; 0: there is no room for it. */
    uint32_t (*place)(svs__observer *observer, const char *name);
    void (*deferred)(svs__observer *observer, uint32_t worker, const svs__seen_deferral *deferral);
} svs__graph_observer;

#endif
