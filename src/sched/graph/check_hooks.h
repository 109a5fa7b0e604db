/* A run that is watched (hooks/object_hooks.h), or observed (hooks/trace_hooks.h). */
#ifndef SVS_SCHED_GRAPH_CHECK_HOOKS_H
#define SVS_SCHED_GRAPH_CHECK_HOOKS_H

#include "sched/graph/graph.h"

void svs__watched_run_begin(svs__run *run); /* sets run->env.watched if a watcher is registered */
/* Called after svs__watched_run_begin(). */
void svs__seen_run_begin(svs__run *run); /* sets run->env.seen */
void svs__watched_run_end(svs__run *run);
void svs__watched_iteration_end(svs__run *run);

#endif
