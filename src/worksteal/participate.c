#include "worksteal/runtime.h"

void svs__runtime_hold(svs_runtime *runtime) {
    /* relaxed: the caller's own handle keeps the runtime alive during the call. */
    (void)svs__fetch_add_relaxed(&runtime->users, 1);
}

void svs__runtime_unhold(svs_runtime *runtime) {
    /* release: the holder's accesses come before the runtime is freed; pairs with
     * svs_runtime_free(). */
    (void)svs__fetch_sub_release(&runtime->users, 1);
}

svs_status svs__runtime_attach(svs_runtime *runtime, svs__source *source) {
    svs_status status = SVS_OK;
    if (svs__runtime_is_forked(runtime)) return SVS_E_FORKED;
    svs__lock_acquire(&runtime->lock);
    if (runtime->state == SVS__NEW) status = SVS_E_NOT_STARTED;
    else if (runtime->state == SVS__STOPPED) status = SVS_E_STOPPED;
    else if (runtime->taken == UINT64_MAX) status = SVS_E_LIMIT;
    else {
        uint32_t slot = (uint32_t)__builtin_ctzll(~runtime->taken);
        runtime->taken |= (uint64_t)1 << slot;
        const svs__worker *self = svs__worker_self();
        /* worksteal.Q3, worksteal.Q5. relaxed: the lock orders it after the detach. */
        SVS__ASSERT(svs__load_relaxed(&runtime->sources.slots[slot].source) == NULL);
        runtime->sources.slots[slot].runtime = runtime;
        runtime->sources.slots[slot].outer = self == NULL ? NULL : self->inside;
        svs__sources_attach(&runtime->sources, slot, source);
    }
    svs__lock_release(&runtime->lock);
    return status;
}

void svs__runtime_detach(svs_runtime *runtime, svs__source *source) {
    uint32_t slot = svs__sources_detach(&runtime->sources, source);
    if (slot == SVS__SOURCES_MAX) return;
    svs__lock_acquire(&runtime->lock); /* [worksteal.Q3] from here on the slot may be reused */
    SVS__ASSERT(runtime->taken >> slot & 1); /* worksteal.R1 */
    runtime->taken &= ~((uint64_t)1 << slot);
    svs__lock_release(&runtime->lock);
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
    else {
        svs__store_seq(&runtime->guide, guide);
        for (uint32_t i = 0; i < runtime->options.threads; i++) /* [G3] */
            while (svs__load_seq(&runtime->workers[i].guided) != 0) svs__yield();
        if (runtime->state == SVS__STARTED) svs__runtime_set_deques(runtime);
    }
    svs__lock_release(&runtime->lock);
    return status;
}

static bool take_seat(svs_runtime *runtime) {
    uint32_t empty = 0;
    /* acquire: sees worker 0 as the last participant left it; pairs with the release in
     * leave_seat(). */
    return svs__cas_strong_acquire(&runtime->seat, &empty, 1);
}

static void leave_seat(svs_runtime *runtime) {
    svs__store_release(&runtime->seat, 0);
    svs__parking_wake(&runtime->waiting, UINT32_MAX); /* worksteal.R2 */
    svs__runtime_notify(runtime, 1);                  /* worksteal.R3 */
}

static void work_in_seat(svs_runtime *runtime, const svs__until *until) {
    svs__worker *before = svs__worker_self();
    svs__worker_become(&runtime->workers[0]);
    svs__place_of_thread(&runtime->workers[0].home);
    svs__worker_run(&runtime->workers[0], until);
    svs__stack_return_all(&runtime->stacks, &runtime->workers[0].stacks); /* worksteal.T3 */
    svs__worker_become(before);
}

void svs__runtime_participate(svs_runtime *runtime, bool (*done)(void *argument), void *argument) {
    svs__until until = {done, argument};
    while (!done(argument)) {
        uint32_t epoch;
        if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
        if (take_seat(runtime)) {
            work_in_seat(runtime, &until);
            leave_seat(runtime);
            return;
        }
        epoch = svs__parking_prepare(&runtime->waiting);
        /* [worksteal.P2] relaxed: after the fence in prepare. */
        if (done(argument) || svs__load_relaxed(&runtime->seat) == 0)
            svs__parking_cancel(&runtime->waiting);
        else svs__parking_commit(&runtime->waiting, epoch);
    }
}
