#include "worksteal/cancel.h"
#include <svs/async.h>

void svs__runtime_cancel(svs_runtime *runtime, const svs__job *job) {
    svs__worker *self = svs__worker_self();
    if (!svs__jobs_mark(&runtime->jobs, job)) return;
    if (svs__runtime_guided(runtime) == NULL)
        for (uint32_t i = 0; i < runtime->options.threads; i++)
            (void)svs__deque_ask(&runtime->workers[i].deque); /* worksteal.C2 */
    if (self != NULL && self->runtime == runtime) svs__deque_close(&self->deque);
}

/* [worksteal.C2] Raises the request of the worker itself, which may have read the flag before the
 * canceller raised the request. */
SVS__COLD static void notice(svs__worker *worker) {
    /* relaxed is enough: only the owner lowers `hungry`. */
    if (svs__runtime_guided(worker->runtime) == NULL && !svs__load_relaxed(&worker->deque.hungry))
        (void)svs__deque_ask(&worker->deque);
    svs__deque_close(&worker->deque);
}

bool svs_async_cancelled(const svs_async_context *async) {
    if (async == NULL || !svs__worker_is_cancelled(async->worker)) return false;
    notice(async->worker);
    return true;
}

uint64_t svs_async_run_id(const svs_async_context *async) {
    const svs__worker *worker = async == NULL ? NULL : async->worker;
    return worker == NULL || worker->inside == NULL ? 0 : worker->inside->id;
}

static svs_status cancel(svs_runtime *runtime, uint64_t run, svs_status status) {
    if (svs__runtime_is_forked(runtime)) return SVS_E_FORKED;
    return svs__jobs_cancel(&runtime->jobs, run, status ? status : SVS_E_CANCELLED);
}

svs_status svs_async_run_cancel(svs_runtime *runtime, uint64_t run, svs_status status) {
    if (runtime == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_async_run_cancel: no runtime: pass one");
    return cancel(runtime, run, status);
}

svs_status svs_async_cancel(svs_async_context *async, svs_status status) {
    const svs__worker *worker = async == NULL ? NULL : async->worker;
    if (worker == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_async_cancel: no async context: pass one");
    return cancel(worker->runtime, svs_async_run_id(async), status);
}
