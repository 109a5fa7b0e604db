/* The watchdog of a runtime: a thread that looks now and then what each worker is in, and tells the
 * log of one that has been in the same for too long (svs_runtime_options: watchdog_ms).
 *
 * It costs workers nothing that they do not do anyway. What an instance's worker is in, its context
 * says (sched/domain/instance.c). Asyncs leave no mark where they are spawned, so the watchdog asks
 * for children as a thief would (D6): a worker that spawns gives some at once, or shows that it
 * came by when it has nothing more to give, and either changes the word of its deque. While a guide
 * says what is run, or asyncs are measured, it does not look at asyncs.
 *
 * B1. The watchdog touches a source, a task's name and the observer only inside of all sources, so
 *     that no run ends meanwhile (Q1), and writes to the log outside of them.
 * B2. A worker that waits for its thieves is in nothing (phase.h): who keeps it waiting is
 *     named. */
#ifndef SVS_WORKSTEAL_WATCHDOG_H
#define SVS_WORKSTEAL_WATCHDOG_H

#include "worksteal/runtime.h"

typedef struct svs__watchdog svs__watchdog;

/* Starts it if the options ask for one. @return SVS_OK, SVS_E_NO_MEMORY, SVS_E_THREAD. */
svs_status svs__watchdog_start(svs_runtime *runtime);

/* For a source's tells(): a stretch of asyncs that belongs to `what`. */
void svs__watchdog_asyncs(svs__worker *worker, const void *what, const char *kind, const char *name,
                          svs__activity *activity);

/* Ends it, if there is one. */
void svs__watchdog_stop(svs_runtime *runtime);

#endif
