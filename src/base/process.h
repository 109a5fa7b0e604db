/* Which process this is: after a fork(), the child has the library's memory, and none of its
 * threads but the one that forked.
 *
 *     runtime->process = svs__process_forks;               // where it was made
 *     ... runtime->process != svs__process_forks           // it came over by a fork
 *
 *     svs__process_guard(&table_lock);                     // nobody else holds it at a fork
 *     svs__process_on_fork(forget);                        // called in each child, at once
 *
 * Threads: any. Both calls may be repeated; what is known already is not added again.
 * A lock that is guarded is never taken while another guarded one is held. */
#ifndef SVS_BASE_PROCESS_H
#define SVS_BASE_PROCESS_H

#include "base/lock.h"

/* How many forks lie between the process that loaded the library and this one. It is written in a
 * child before that has a second thread, so that no order is needed. */
extern uint32_t svs__process_forks;

/* A lock of the whole process is held by the thread that forks, and free again after, in both. */
void svs__process_guard(svs__lock *lock);

/* `in_child` is called in each child, in the thread that forked; what was added last comes first,
 * so that upper floors come before those that they stand on. */
void svs__process_on_fork(void (*in_child)(void));

#endif
