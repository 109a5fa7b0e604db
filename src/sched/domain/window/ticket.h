/* Tickets: which candidates the next window has.
 *
 * An example. Windows have four candidates, SVS__WINDOWS is 2, and ten items wait, of which the
 * even ones conflict. Worker X takes ticket 0, and Y takes ticket 1 while X makes window 0:
 *
 *     ticket   left over by    candidates     colour 0    left over
 *       0      -               0 1 2 3        0 1 3       2
 *       1      -               4 5 6 7        4 5 7       6
 *       2      window 0: 2     2 6 8 9        2 9         6 8
 *
 * Window 2 is led by what window 0 has left over, so that its ticket could be taken while Y still
 * makes window 1. But the arrivals do not fill it. So it gathers what all windows have left over,
 * item 6 of window 1 as well, and its ticket waits until Y is done.
 *
 *   sched.W2  a window is made by the worker that has taken its ticket. It writes that window, the
 *       list `left` of the window's chain, and its own table, and nothing else of the domain.
 *       Several workers make windows at once, each without a lock. No ticket is taken while a stage
 *       of the staged kind runs, and no such stage is made while a window is being made;
 *   sched.W16 the candidates of window n are taken at once, by its ticket, under the domain's lock.
 *       They are a function of the sequence of items: first what window n - SVS__WINDOWS has left
 *       over, which was opened, then arrivals. What a window decides in the making (candidates that
 *       are not plain or walked, an early end) has no influence on the windows up to
 *       n + SVS__WINDOWS - 1. Candidates that are not plain stay with the window, and are deferred
 *       when it is about to open (not asserted: about several runs; tests/unit/sched/repeatable.c);
 *   sched.W17 if what is left over and the arrivals do not fill a window, or if window
 *       n - SVS__WINDOWS has left over many candidates or met walked ones, or one that gathered
 *       since then has left over many, window n *gathers*: its ticket is taken when all windows
 *       before it were made, and its candidates are first what they have all left over, in the
 *       order of their numbers. It takes arrivals if these are fewer than SVS__LEFT_MAX. In order,
 *       each window gathers (sched.W11).
 *
 * | operation | caller                        | progress             | order                   |
 * |-----------|-------------------------------|----------------------|-------------------------|
 * | take      | a worker with the domain lock | as svs__inbox_take() | acquire on `opened` and |
 * |           |                               |                      | `makers`                | */
#ifndef SVS_SCHED_DOMAIN_WINDOW_TICKET_H
#define SVS_SCHED_DOMAIN_WINDOW_TICKET_H

#include "sched/domain/window/window.h"

/* The number of stages to make before the next window, if windows are not worthwhile at present:
 * many candidates were not plain, or there was no memory. */
#define SVS__WINDOW_REST 64u

/* Takes the ticket of the next window, if there are candidates, and if it may be taken now. The
 * caller holds the domain's lock, and makes the window by svs__window_make() after it has released
 * the lock. @return NULL: there is none. */
svs__window *svs__ticket_take(svs__domain *domain, svs_context *context);

/* Whether a ticket may be taken, as far as other windows in the making matter, if enough candidates
 * wait; and whether it may be taken while a window is open. The answers may be stale. */
bool svs__ticket_is_due(svs__domain *domain);
bool svs__ticket_may_come_early(svs__domain *domain);

#endif
