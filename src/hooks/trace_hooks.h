/* What can be watched of a runtime without a cost at a spawn: its working phases (Steal Tree
 * section 4; design: steal tree).
 *
 * A working phase is what a worker runs from one beginning (a root, a task or a continuation that
 * it stole, a finish that it resumes) until it has nothing of that left. Each worker numbers its
 * phases from 0 in the order in which they begin, and its asyncs (ordinals) from 0 in the order in
 * which it comes to them; both are counted from the start of the runtime.
 *
 * hooks.O1. A phase is determined by its beginning and the ordinals of those of its asyncs that
 *     were stolen (help-first: the child, work-first: the continuation after it): between these,
 *     what a worker does next is a function of the program. This is theorems 5.8 and 6.3, with one
 *     number in the place of level and step: as a finish is run in place, no continuation of it is
 *     pushed that would tell by its own theft which finish a stolen task was in. (A wait for stolen
 *     children takes an ordinal, too, so that what a worker does meanwhile has its place.) (not
 *     asserted: a theorem about the program; checked by each replay)
 * hooks.O2. Under help-first, a worker that waits at the end of a finish may run phases, which
 *     begin and end inside of the waiting one: on each worker, phases nest. The asyncs of an inner
 *     phase are none of the outer one's, though their ordinals lie within its first and last. (not
 *     asserted: about nesting in time; stealtree/verify.c checks it in traces)
 * hooks.O3. Under work-first, a phase that comes to a finish with children that have not ended is
 *     over (suspended); the worker that ends the last child begins a resumed phase, or steps into
 *     it. (not asserted: about nesting in time; stealtree/verify.c checks it in traces)
 *
 * Threads: a watcher is called in the worker's own thread, about that worker; several workers call
 * at once. The calls are on the paths of steals and of ends only. */
#ifndef SVS_HOOKS_TRACE_HOOKS_H
#define SVS_HOOKS_TRACE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum svs__phase_kind {
    SVS__PHASE_ROOT,   /* of a run, or of a task instance of a graph */
    SVS__PHASE_STOLEN, /* began with the theft of `victim`'s async `at` */
    SVS__PHASE_RESUMED /* began at the finish where `victim`'s phase `at` was suspended */
} svs__phase_kind;

typedef struct svs__phase_start {
    svs__phase_kind kind;
    uint32_t victim;  /* a worker; 0 for a root */
    uint64_t at;      /* the victim's ordinal, or number of the victim's phase; 0 for a root */
    uint64_t ordinal; /* of the next async of the worker itself */
} svs__phase_start;

typedef struct svs__observer svs__observer;
struct svs__observer {
    void (*phase_begins)(svs__observer *observer, uint32_t worker, const svs__phase_start *start);
    /* `ordinal`: of the next async of the worker; `suspended`: hooks.O3. */
    void (*phase_ends)(svs__observer *observer, uint32_t worker, uint64_t ordinal, bool suspended);
    /* Help-first: the worker begins to wait for stolen children, or ends that. NULL: never mind. */
    void (*waits)(svs__observer *observer, uint32_t worker, bool begins);
};

#endif
