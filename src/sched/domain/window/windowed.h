/* The windowed algorithm (windowed.c), and what holds of it as a whole.
 *
 *   sched.W9  if all items were sent before the run, and no other hold is in the world, then the
 *       stages are a function of the sequence of items: a window takes its candidates in their
 *       order, the deferred come before the next window, and no choice depends on the number of
 *       workers, on time, or on a count of a worker. So the result repeats, except with keys of
 *       addresses, which the system draws, and with signatures
 *       (not asserted: about several runs; tests/unit/sched/repeatable.c);
 *   sched.W11 under the algorithm *in order* (`in_order`), two instances that conflict run in the
 *       order in which their items came. A candidate gets a colour above those of all before it
 *       that it conflicts with. One without a colour keeps the last colour of its words, so that
 *       later ones that conflict with it get none either. One that is not plain ends the window:
 *       it runs as the only one of a stage, before the next window is made. If one of a stage is
 *       refused, the rest of the window comes after it. There are no lanes, no window is made ahead
 *       of the open one, and what is left over keeps its order: returned ones first, those that
 *       were carried over, those without a colour, those that were not looked at
 *       (not asserted: about the order of bodies; tests/unit/sched/repeatable.c).
 *
 * Inside of the domain sched.S4 holds: the first candidate that is left over gets the lowest colour
 * of the next window, and the first stage is never carried over. After each window, deferred
 * instances that may run are compared before the next window opens. A set of another domain waits
 * for the lease for a bounded time (sched.L2). Without the lease it competes as with stages
 * of the staged kind. After a lease was wanted, the next window does without it, too. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_WINDOWED_H
#define SVS_SCHED_DOMAIN_WINDOW_WINDOWED_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__windowed, svs__in_order;

/* As svs__stage_run_some(), and measures the instances every now and then. */
bool svs__windowed_run_some(svs__domain *domain, svs_context *context);

#endif
