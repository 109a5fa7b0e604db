#include "worksteal/runtime.h"
#include "base/program.h"
#include <unistd.h>

void svs__runtime_hold(svs_runtime *runtime) {
    /* relaxed: the caller's own handle keeps the runtime alive during the call. */
    (void)svs__fetch_add_relaxed(&runtime->users, 1);
}

void svs__runtime_unhold(svs_runtime *runtime) {
    /* release: the holder's accesses come before the runtime is freed; pairs with
     * svs_runtime_free(). */
    (void)svs__fetch_sub_release(&runtime->users, 1);
}

svs_status svs__runtime_attach(svs_runtime *runtime, svs__job *job) {
    svs_status status = SVS_OK;
    if (svs__runtime_is_forked(runtime)) return SVS_E_FORKED;
    svs__program_publish();
    svs__lock_acquire(&runtime->lock);
    if (runtime->state == SVS__NEW) status = SVS_E_NOT_STARTED;
    else if (runtime->state == SVS__STOPPED) status = SVS_E_STOPPED;
    else if (runtime->taken == UINT64_MAX) status = SVS_E_LIMIT;
    else {
        uint32_t slot = (uint32_t)__builtin_ctzll(~runtime->taken);
        runtime->taken |= (uint64_t)1 << slot;
        const svs__worker *self = svs__worker_self();
        /* worksteal.Q3, worksteal.Q5. relaxed is enough: the lock orders this attach after the
         * detach of the slot's last job. */
        SVS__ASSERT(svs__load_relaxed(&runtime->jobs.slots[slot].job) == NULL);
        runtime->jobs.slots[slot].runtime = runtime;
        runtime->jobs.slots[slot].outer = self == NULL ? NULL : self->inside;
        runtime->jobs.slots[slot].id = ++runtime->jobs.number * SVS__JOBS_MAX + slot;
        svs__store_relaxed(&runtime->jobs.slots[slot].cancelled, 0); /* relaxed: as above */
        svs__jobs_attach(&runtime->jobs, slot, job);
    }
    svs__lock_release(&runtime->lock);
    return status;
}

void svs__runtime_detach(svs_runtime *runtime, svs__job *job) {
    uint32_t slot = svs__jobs_detach(&runtime->jobs, job);
    if (slot == SVS__JOBS_MAX) return;
    svs__lock_acquire(&runtime->lock);       /* [worksteal.Q3] then the slot may be reused */
    SVS__ASSERT(runtime->taken >> slot & 1); /* worksteal.R1 */
    svs__jobs_prioritize(&runtime->jobs, slot, 0);
    runtime->taken &= ~((uint64_t)1 << slot);
    svs__lock_release(&runtime->lock);
}

void svs__runtime_prioritize(svs_runtime *runtime, const svs__job *job,
                             _Atomic(int32_t) *priority) {
    uint32_t slot;
    svs__lock_acquire(&runtime->lock);
    slot = svs__jobs_find(&runtime->jobs, job);
    /* relaxed is enough: the caller calls again after each change, and the lock orders the
     * calls. */
    if (slot != SVS__JOBS_MAX)
        svs__jobs_prioritize(&runtime->jobs, slot, svs__load_relaxed(priority));
    svs__lock_release(&runtime->lock);
}

void svs__runtime_particular_begin(svs_runtime *runtime) {
    /* relaxed: the attach that follows publishes it */
    (void)svs__fetch_add_relaxed(&runtime->particular, 1);
}

void svs__runtime_particular_end(svs_runtime *runtime) {
    /* relaxed: the job is detached already */
    (void)svs__fetch_sub_relaxed(&runtime->particular, 1);
}

void svs__runtime_notify_particular(svs_runtime *runtime, uint32_t count) {
    bool asks = runtime->options.help_wanted != NULL;
    if (svs__load_relaxed(&runtime->particular) > asks) { /* worksteal.R4 */
        svs__parking_wake(&runtime->parking, UINT32_MAX);
        svs__parking_wake(&runtime->waiting, UINT32_MAX);
    }
    if (asks) svs__runtime_want_help(runtime, count);
}

void svs__runtime_complete(svs_runtime *runtime) {
    svs__parking_wake(&runtime->parking, UINT32_MAX);
    svs__parking_wake(&runtime->waiting, UINT32_MAX);
}

/* The attach of the next run publishes the change to the workers. */
svs_status svs__runtime_observe(svs_runtime *runtime, svs__observer *observer) {
    svs_status status = SVS_OK;
    if (runtime == NULL) return SVS_E_NULL;
    if (svs__runtime_is_forked(runtime)) return SVS_E_FORKED;
    svs__lock_acquire(&runtime->lock);
    if (runtime->taken != 0) status = SVS_E_BUSY;
    else runtime->observer = observer;
    svs__lock_release(&runtime->lock);
    return status;
}

void svs__runtime_set_deques(svs_runtime *runtime) {
    bool guided = svs__runtime_guided(runtime) != NULL;
    for (uint32_t i = 0; i < runtime->options.threads; i++)
        svs__deque_always_slow(&runtime->workers[i].deque, guided || runtime->watcher != NULL,
                               !guided);
}

svs_status svs__runtime_guide(svs_runtime *runtime, svs__guide *guide) {
    svs_status status = SVS_OK;
    if (runtime == NULL) return SVS_E_NULL;
    if (svs__runtime_is_forked(runtime)) return SVS_E_FORKED;
    svs__lock_acquire(&runtime->lock);
    if (runtime->taken != 0) status = SVS_E_BUSY;
    else if (guide != NULL && runtime->options.external_threads) status = SVS_E_INVALID;
    else {
        svs__store_seq(&runtime->guide, guide);
        for (uint32_t i = 0; i < runtime->options.threads; i++) /* [hooks.G3] */
            while (svs__load_seq(&runtime->workers[i].guided) != 0) svs__yield();
        if (runtime->state == SVS__STARTED) svs__runtime_set_deques(runtime);
    }
    svs__lock_release(&runtime->lock);
    return status;
}

/* [worksteal.C2] Called after the worker has answered a request: raises it again if the run is
 * cancelled. */
static void stay_asked(svs__worker *worker) {
    if (SVS__LIKELY(!svs__worker_is_cancelled(worker))) return;
    (void)svs__deque_ask(&worker->deque);
    SVS__ASSERT(svs__load_relaxed(&worker->deque.hungry) != 0); /* worksteal.C2 */
}

void svs__worker_share(svs__worker *worker) {
    svs__runtime_notify(worker->runtime, svs__deque_share(&worker->deque));
    stay_asked(worker);
}

void svs__worker_show(svs__worker *worker) {
    if (svs__deque_wanted(&worker->deque)) svs__worker_share(worker);
    else {
        svs__deque_calm(&worker->deque);
        stay_asked(worker);
    }
}

void svs__runtime_end_child(svs_runtime *runtime) {
    (void)svs__refuse(
        &runtime->log, SVS_E_FORKED,
        "a body that called fork() has returned in the child, which has no "
        "workers: end the child with exec or _exit() inside of the body; it exits now");
    _exit(SVS__FORKED_EXIT);
}
