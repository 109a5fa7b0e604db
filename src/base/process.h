/* Detection of fork(): the child has the library's memory, but only the thread that forked.
 *
 *     runtime->process = svs__process_forks;               // in the process that makes it
 *     ... runtime->process != svs__process_forks           // inherited through a fork
 *
 *     svs__process_guard(&table_lock);                     // no other thread holds it at a fork
 *     svs__process_on_fork(forget);                        // called at once in each child
 *
 * Threads: any. Both calls may be repeated: a lock or function is added once.
 * A thread never acquires a guarded lock while it holds another guarded one. At most eight locks
 * and eight functions. */
#ifndef SVS_BASE_PROCESS_H
#define SVS_BASE_PROCESS_H

#include "base/lock.h"

/* Number of forks between the process that loaded the library and this one. A child writes it
 * before it has a second thread, so that no order is needed. */
extern uint32_t svs__process_forks;

/* The forking thread acquires the guarded locks before a fork; they are released after it, in both
 * processes. */
void svs__process_guard(svs__lock *lock);

/* `in_child` is called in each child, in the thread that forked, in reverse order of addition, so
 * that upper layers come before those that they use. */
void svs__process_on_fork(void (*in_child)(void));

#endif
