/* What a replay follows: for each worker, the phases that it shall run in their order, each with
 * those of its asyncs that others take, and who does (Steal Tree section 7.2).
 *
 * By O1 (observer.h) this is all that a worker has to know. It counts its asyncs; one that stands
 * in the steals of its running phase it does not run (help-first), or does not go on behind
 * (work-first), but hands to `thief`, whose phase number `phase` begins with it.
 *
 * Ordinals and phases are counted from 0, for each worker, from the beginning of the trace. The
 * room above makes a plan from a trace (stealtree/rebuild.h); a plan is consistent:
 * stealtree/verify.h says what that means.
 *
 * Threads: a plan does not change while it is followed.
 *
 * L1. Phases of a worker stand in the order in which they begin, so that start.ordinal never falls,
 *     and an inner phase stands behind its enclosing one.
 * L2. The steals of phase p are steals[p->steal_first .. + p->steal_count), with rising ordinals,
 *     all within [p->start.ordinal, p->end), and none within an inner phase. */
#ifndef SVS_WORKSTEAL_PLAN_H
#define SVS_WORKSTEAL_PLAN_H

#include "worksteal/observer.h"

#define SVS__PLAN_NONE UINT32_MAX

typedef struct svs__plan_steal {
    uint64_t ordinal; /* of the victim's async */
    uint32_t thief;   /* a worker */
    uint32_t phase;   /* of the thief */
} svs__plan_steal;

typedef struct svs__plan_phase {
    svs__phase_start start;
    uint64_t end;       /* the worker's next ordinal when the phase ended */
    uint32_t enclosing; /* the phase of the same worker that waited meanwhile, or SVS__PLAN_NONE */
    bool suspended;     /* O3 */
    uint64_t begin_ns;  /* since the beginning of the trace */
    uint32_t steal_first, steal_count;
} svs__plan_phase;

typedef struct svs__plan_worker {
    svs__plan_phase *phases;
    uint32_t phase_count;
    svs__plan_steal *steals;
    uint32_t steal_count;
} svs__plan_worker;

typedef struct svs__plan {
    uint32_t workers;
    uint32_t policy; /* of the traced runtime: SVS_HELP_FIRST or SVS_WORK_FIRST */
    svs__plan_worker *worker;
} svs__plan;

#endif
