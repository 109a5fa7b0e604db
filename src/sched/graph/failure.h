/* The failure of a run: its report, and what ends it before its time.
 *
 *   sched.T6  the report changes under run.lock only, and no more when the run is done. (not
 *   asserted:
 *             a duty of the functions that use it) */
#ifndef SVS_SCHED_GRAPH_FAILURE_H
#define SVS_SCHED_GRAPH_FAILURE_H

#include "sched/graph/graph.h"

static inline bool svs__run_is_done(const svs__run *run) {
    /* acquire: sees all that the run did. */
    return svs__load_acquire(&((svs__run *)(uintptr_t)run)->done) != 0;
}

/* The record's instance has failed: no further instance begins. Any worker. */
void svs__run_fail(const void *item, svs_status status, const char *text);

/* Called after the attach: does the part of a cancel that came before the attach. */
void svs__run_recall(svs__run *run);

/* A copy of the report. Any thread. */
svs_report svs__run_report(svs__run *run);

/* No further instance begins, and the run ends with this status, unless it has failed before. Any
 * thread. @return false: it is done. */
bool svs__run_cancel(svs__run *run, svs_status status);

#endif
