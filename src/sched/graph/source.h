/* Sources of items: handles by which threads of the program send while the graph runs.
 *
 *   sched.R1  a source that is not shut holds a reference to its task (sched.T2) until it is freed,
 *       beginning when the source is made or when the next iteration begins. So the task does not
 *       end before;
 *   sched.R2  when a run is cancelled, a worker shuts the sources of the iteration: they give their
 *       references back, and the task's inbox counts the shut under its lock. After that, an older
 *       source puts no items in, so that no item of a cancelled run waits for the next run;
 *   sched.R3  a sender that waits for room misses no wake-up. It raises `room_wanted` before it
 *       compares, and a worker reads `room_wanted` after its subtraction. All four accesses are
 *       sequentially consistent, so one of the two threads sees the other (not asserted: the
 *       outcome of two threads' accesses; tests/explore/scenarios/sources.c);
 *   sched.R4  a thread that frees a source, or completes an instance (later.c), counts as a visitor
 *       until its last access to the graph. The graph's memory is freed only when there is no
 *       visitor.
 *
 * | operation | caller                    | progress                                              |
 * |-----------|---------------------------|-------------------------------------------------------|
 * | new, free | any thread                | run.lock; free may begin the next iteration           |
 * | send      | any, one at a time for a  | the inbox's lock; waits for room if it was asked to,  |
 * |           | source or several         | but no worker waits                                   |
 * | shut      | a worker                  | run.lock                                              |
 */
#ifndef SVS_SCHED_GRAPH_SOURCE_H
#define SVS_SCHED_GRAPH_SOURCE_H

#include "sched/graph/graph.h"

/* [sched.R2] Shuts the sources of a run that was cancelled. */
void svs__sources_shut(svs__run *run, svs__worker *worker);

/* Whether the graph has sources. If not, no thread is inside of a call that frees one. */
bool svs__jobs_are_left(svs_graph *graph);

#endif
