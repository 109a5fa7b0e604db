/* Attaches a watcher to the asyncs of a runtime (hooks/task_hooks.h), and calls children while one
 * is attached. */
#ifndef SVS_WORKSTEAL_EVENTS_H
#define SVS_WORKSTEAL_EVENTS_H

#include "hooks/task_hooks.h"
#include "worksteal/worker.h"

/* Attaches `watcher`; NULL detaches the present one. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY
 * (something runs, or another watcher is attached), SVS_E_NO_MEMORY. */
svs_status svs__runtime_watch(svs_runtime *runtime, svs__watcher *watcher);

/* Calls the child in `slot` on the caller's stack, while asyncs are watched (hooks.V1): under
 * help-first each child, under work-first a child without a stack of its own. @return the async
 * context's head after the child. */
svs__slot *svs__watched_call(svs__worker *worker, svs_async_context *async, svs__slot *slot,
                             svs__slot *base);

#endif
