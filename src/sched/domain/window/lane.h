/* Lanes: light instances of a windowed domain that one worker runs in turn. To compare them with
 * each other would cost more than their bodies.
 *
 *   sched.W10 a *lane* is a row of items that one worker runs in turn: so none of them runs beside
 *       another. The worker owns the stage (sched.W3), and has the lease (sched.L1), so that no
 *       other instance of the domain or the world runs that holds anything. An item that was taken
 *       runs if nothing but the lease is held then: so it names no object that a body elsewhere has
 *       made and not handed off (sched.A3). All that an instance comes to when it runs is free,
 *       walked or not, and no elements are made. Each item has been looked at before: no
 *       access of it is refused (svs__set_look). A look holds until an object is freed. That at a
 *       path holds until a link is assigned, too: so an item with a path is looked at directly
 *       before it runs. An instance that keeps its set (sched.A9) is the last one. A lane has no
 *       items of which sched.W9 says how they run: items were sent to the domain in this
 *       iteration. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_LANE_H
#define SVS_SCHED_DOMAIN_WINDOW_LANE_H

#include "sched/domain/window/window.h"

/* Runs what is left over and arrivals in a lane, if the stage and the lease are free. @return
 * whether it has run any. */
bool svs__window_run_lane(svs__domain *domain, svs_context *context);

#endif
