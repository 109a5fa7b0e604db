#include "base/sized.h"
#include "worksteal/runtime.h"
#include <svs/observe.h>

static const svs_observer defaults = {.size = sizeof defaults};

void svs_observer_init_sized(svs_observer *observer, size_t size) {
    if (observer != NULL) svs__options_init(observer, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_observer_init: no observer: pass the address of a struct");
}

/* The attach of the next run publishes the change to the workers. */
svs_status svs_observer_set(svs_runtime *runtime, const svs_observer *observer) {
    svs_observer chosen = defaults;
    svs_status status = SVS_OK;
    if (runtime == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_observer_set: no runtime: pass one");
    if (svs__runtime_is_forked(runtime)) return SVS_E_FORKED;
    if (observer != NULL && svs__options_take(&chosen, sizeof chosen, observer))
        return svs__refuse(svs__runtime_log(runtime), SVS_E_VERSION,
                           "svs_observer_set: an observer of another version: fill it with "
                           "svs_observer_init()");
    svs__lock_acquire(&runtime->lock);
    if (runtime->taken != 0) status = SVS_E_BUSY;
    else runtime->program = chosen;
    svs__lock_release(&runtime->lock);
    if (status)
        return svs__refuse(svs__runtime_log(runtime), status,
                           "svs_observer_set: something runs: set it between runs");
    return SVS_OK;
}
