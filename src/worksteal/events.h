/* Setting what watches a runtime's asyncs (hooks/task_hooks.h), and calling a child while something
 * does. */
#ifndef SVS_WORKSTEAL_EVENTS_H
#define SVS_WORKSTEAL_EVENTS_H

#include "hooks/task_hooks.h"
#include "worksteal/worker.h"

/* The watcher, or none. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (something runs, or
 * another watches). */
svs_status svs__runtime_watch(svs_runtime *runtime, svs__watcher *watcher);

/* Help-first, and on the caller's own stack under work-first: calls the child in `slot`, while
 * asyncs are watched (hooks.V1). @return the async context's head after it. */
svs__slot *svs__watched_call(svs__worker *worker, svs_async_context *async, svs__slot *slot,
                             svs__slot *base);

#endif
