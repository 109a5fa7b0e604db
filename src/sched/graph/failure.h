/* The failure of a run: its report, and what ends it before its time.
 *
 *   sched.T6  the report changes under run.lock only, and no longer when the run is done
 *             (not asserted: a duty of the functions that use it) */
#ifndef SVS_SCHED_GRAPH_FAILURE_H
#define SVS_SCHED_GRAPH_FAILURE_H

#include "sched/graph/graph.h"

static inline bool svs__run_is_done(const svs__run *run) {
    /* acquire: a caller that sees the run done sees all of its writes. */
    return svs__load_acquire(&((svs__run *)(uintptr_t)run)->done) != 0;
}

/* Called by any worker when the instance of the item has failed: no further instance begins. */
void svs__run_fail(const void *item, svs_status status, const char *text);

/* Called after the attach: completes a cancel that came before the attach. */
void svs__run_recall(svs__run *run);

/* A copy of the report. Any thread. */
svs_report svs__run_report(svs__run *run);

/* Stops the run: no further instance begins, and the run ends with this status, unless it has
 * failed before. Any thread. @return false: the run is done already. */
bool svs__run_cancel(svs__run *run, svs_status status);

#endif
