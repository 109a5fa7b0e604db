/* Tickets: which candidates the next window has. Windows n, n + SVS__WINDOWS and so on are a
 * *chain*: what one of them leaves over leads the next one.
 *
 * In this example a window has four candidates, and SVS__WINDOWS is 2. Items 0 to 9 wait. Items
 * with even numbers conflict with each other. Worker X takes ticket 6. While X makes window 6,
 * worker Y takes ticket 7:
 *
 *     ticket   left over by    candidates     colour 0    left over
 *       6      -               0 1 2 3        0 1 3       2
 *       7      -               4 5 6 7        4 5 7       6
 *       8      window 6: 2     2 6 8 9        2 9         6 8
 *
 * Window 8 follows window 6 in its chain. If enough items arrived for it, its ticket
 * could be taken while Y still makes window 7. But there are not. So window 8 gathers what all
 * windows have left over, which includes item 6 of window 7, and its ticket is taken after Y has
 * made window 7.
 *
 *   sched.W2  a window is made by the worker that has taken its ticket. The worker writes only that
 *       window, the list of what is left over in the window's chain, what it tells the chain
 *       (window 0: all chains), and its own table.
 *       Several workers make windows at once, each without a lock. No ticket is taken while a stage
 *       of the staged kind runs, and no such stage is made while a window is being made;
 *   sched.W16 the candidates of window n are taken at once, by its ticket, under the domain's lock.
 *       They are a function of the sequence of items: first what window n - SVS__WINDOWS has left
 *       over, then arrivals. What a window meets (candidates that are not plain, walked candidates,
 *       an early end) has no influence on the SVS__WINDOWS - 1 windows after it, unless they
 *       gather or it is window 0. Candidates that are not plain stay with the window, and are
 *       deferred when it is about to open (not asserted: about several runs;
 *       tests/unit/sched/repeatable.c);
 *   sched.W17 window n *gathers* if too few items arrive for it, if window n - SVS__WINDOWS has met
 *       walked candidates, or if too much is left over by that window or by one that has gathered
 *       since. Its ticket is taken after all windows before it were made, and those of the next
 *       SVS__WINDOWS - 1 windows after it was made. Its candidates are first what the windows
 *       before it have left over, in the order of their numbers, then arrivals. In order, each
 *       window gathers (sched.W11). Window 0 gathers, is short, and tells all chains what it has
 *       met;
 *   sched.W19 if all that waits fits into window n, but is more than SVS__WINDOW_HALVED, and
 *       candidates of window n - SVS__WINDOWS have conflicted, window n takes one half, unless it
 *       gathers, and window n + 1 the other. So two workers make them at once. Without conflicts,
 *       the second half would be a stage more. While bodies or sources send items, nothing is
 *       halved, since more arrive. The second half never has too few arrivals. Neither half depends
 *       on what the other leaves over, which leads later windows (not asserted: about several
 *       runs; tests/unit/sched/repeatable.c).
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
