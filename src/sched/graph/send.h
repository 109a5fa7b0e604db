/* Sends of bodies, as the run sees them. */
#ifndef SVS_SCHED_GRAPH_SEND_H
#define SVS_SCHED_GRAPH_SEND_H

#include "sched/graph/graph.h"

/* [sched.I10] Called after a body has sent `count` items: wakes workers for them. `alone`: no other
 * items wait. */
void svs__run_sent(svs_task *to, uint32_t count, bool alone);

#endif
