/* The steal tree of a trace, unpacked, for the tools, the verification and the replay.
 *
 *     svs__steal_tree *tree;
 *     if (svs__tree_new(trace, &tree, message, sizeof message)) ...
 *     for (uint32_t w = 0; w < tree->workers; w++)
 *         for (uint32_t p = 0; p < tree->worker[w].phase_count; p++)
 *             show(&tree->worker[w].phases[p]);
 *     svs__tree_free(tree);
 *
 * A worker's ordinals and phases, and the time, are counted from 0 at the start of the trace.
 *
 * A tree can be made of any readable trace, also of an inconsistent one: a link to a phase that
 * does not exist is SVS__TREE_NONE. svs__tree_verify() (verify.h) finds these; after SVS_OK every
 * link exists.
 *
 * Threads: a tree is immutable.
 *
 *   stealtree.T1  The phases of a worker are in the order of their begins: begin_ns and
 *                 start.ordinal never decrease.
 *   stealtree.T2  Phases nest: an inner phase begins and ends, in ordinals and in time, within its
 *                 enclosing one.
 *   stealtree.T3  The steals of a phase are contiguous, in the order of their ordinals, each from
 *                 the phase's first ordinal to its end, and none within an inner phase. */
#ifndef SVS_STEALTREE_TRACE_H
#define SVS_STEALTREE_TRACE_H

#include "hooks/trace_hooks.h"
#include <svs/trace.h>

#define SVS__TREE_NONE UINT32_MAX

typedef struct svs__tree_steal {
    uint64_t ordinal; /* ordinal of the victim's async */
    uint32_t thief;   /* index of the worker that stole */
    uint32_t phase;   /* number of the thief's phase that began with this steal */
} svs__tree_steal;

typedef struct svs__tree_phase {
    svs__phase_start start; /* kind, victim, at, ordinal */
    uint64_t end;           /* the worker's next ordinal when the phase ended */
    uint64_t begin_ns, end_ns;
    uint32_t enclosing; /* the waiting phase of the same worker around it, or NONE */
    /* The phase of worker start.victim from which this one was stolen, or which it resumes. NONE:
     * this is a root, or there is no such phase. */
    uint32_t parent;
    /* for a suspended phase: the worker and the phase that resumed it */
    uint32_t resumed_by, resumed_phase;
    /* range of the steals from this phase in the worker's `steals` */
    uint32_t steal_first, steal_count;
    /* time, and number of asyncs, of the phases that ran directly inside of this one */
    uint64_t inner_ns, inner_asyncs;
    /* time of waits for stolen children, without those phases */
    uint64_t waited_ns;
    bool suspended; /* whether it was suspended (hooks.O3) */
    bool open; /* without a recorded end: end and end_ns are those of the worker's last event */
} svs__tree_phase;

typedef struct svs__tree_worker {
    svs__tree_phase *phases;
    svs__tree_steal *steals; /* the steals from this worker */
    uint32_t phase_count, steal_count;
    uint64_t asyncs; /* the worker's last ordinal: the number of its asyncs and waits */
    uint64_t lost;   /* number of begins and ends that did not fit into memory */
} svs__tree_worker;

typedef struct svs__steal_tree {
    uint32_t policy; /* SVS_POLICY_HELP_FIRST, SVS_POLICY_WORK_FIRST */
    uint32_t workers;
    uint64_t duration_ns;
    bool graphs; /* the trace has recorded graphs: then it may have no phase */
    svs__tree_worker *worker;
    svs_allocator allocator; /* allocator of the trace */
} svs__steal_tree;

/* Makes the tree of a trace. @param message on failure, the reason; `size` bytes at most. @return
 * SVS_OK, SVS_E_TRACE (a recorded stream has an end without a begin), SVS_E_NO_MEMORY. */
svs_status svs__tree_new(const svs_trace *trace, svs__steal_tree **tree, char *message,
                         size_t size);
void svs__tree_free(svs__steal_tree *tree);

/* Checks stealtree.T1, stealtree.T2 and stealtree.T3. O(phases + steals log phases). */
bool svs__tree_is_valid(const svs__steal_tree *tree);

/* Are the phases `at` of two workers equal, with their steals, apart from the times? (equal.c) */
bool svs__tree_equal_phase(const svs__tree_worker *of, const svs__tree_worker *other, uint32_t at);
/* Compares all phases of two trees. */
bool svs__tree_equal(const svs__steal_tree *a, const svs__steal_tree *b);

/* The index of the phase of `worker` that contains async `ordinal`, or NONE. O(log phases +
 * depth of nesting). */
uint32_t svs__tree_phase_of(const svs__steal_tree *tree, uint32_t worker, uint64_t ordinal);

/* The steal of async `ordinal` in phase `phase` of `worker`, or NULL. O(log steals). */
const svs__tree_steal *svs__tree_steal_of(const svs__steal_tree *tree, uint32_t worker,
                                          uint32_t phase, uint64_t ordinal);

/* The phase that `phase` was stolen from, or that it resumes; NULL for a root. */
const svs__tree_phase *svs__tree_parent(const svs__steal_tree *tree, const svs__tree_phase *phase);

/* The phase that began with a steal. */
const svs__tree_phase *svs__tree_stolen(const svs__steal_tree *tree, const svs__tree_steal *steal);

/* Nanoseconds of a phase without its waits and without its inner phases. */
static inline uint64_t svs__tree_own_ns(const svs__steal_tree *tree, uint32_t worker,
                                        uint32_t phase) {
    const svs__tree_phase *of = &tree->worker[worker].phases[phase];
    return of->end_ns - of->begin_ns - of->inner_ns - of->waited_ns;
}

/* Asyncs of a phase without those of its inner phases. */
static inline uint64_t svs__tree_own_asyncs(const svs__steal_tree *tree, uint32_t worker,
                                            uint32_t phase) {
    const svs__tree_phase *of = &tree->worker[worker].phases[phase];
    return of->end - of->start.ordinal - of->inner_asyncs;
}

#endif
