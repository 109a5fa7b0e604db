#include "worksteal/events.h"
#include "worksteal/finish.h"
#include "worksteal/runtime.h"
#include "worksteal/workfirst.h"

/* Releases the arrays with the watcher's numbers of the children. Either each worker has its array,
 * or none has. */
static void release(svs_runtime *runtime) {
    for (uint32_t i = 0; i < runtime->options.threads; i++) {
        svs__worker *worker = &runtime->workers[i];
        svs__release(svs__runtime_allocator(runtime), worker->watched,
                     SVS__DEQUE_CAPACITY * sizeof *worker->watched, _Alignof(uint32_t));
        worker->watched = NULL;
    }
}

static bool allocate(svs_runtime *runtime) {
    for (uint32_t i = 0; i < runtime->options.threads; i++) {
        svs__worker *worker = &runtime->workers[i];
        worker->watched =
            svs__allocate_zeroed(svs__runtime_allocator(runtime),
                                 SVS__DEQUE_CAPACITY * sizeof *worker->watched, _Alignof(uint32_t));
        if (worker->watched != NULL) continue;
        release(runtime);
        return false;
    }
    return true;
}

static svs_status change(svs_runtime *runtime, svs__watcher *watcher) {
    if (runtime->taken != 0 || (watcher != NULL && runtime->watcher != NULL)) return SVS_E_BUSY;
    if (watcher == NULL) release(runtime);
    else if (!allocate(runtime)) return SVS_E_NO_MEMORY;
    runtime->watcher = watcher;
    if (runtime->state == SVS__STARTED) svs__runtime_set_deques(runtime);
    return SVS_OK;
}

svs_status svs__runtime_watch(svs_runtime *runtime, svs__watcher *watcher) {
    svs_status status;
    if (runtime == NULL) return SVS_E_NULL;
    svs__lock_acquire(&runtime->lock);
    status = change(runtime, watcher);
    svs__lock_release(&runtime->lock);
    return status;
}

/* Makes the finish at `base` one that will be drained (hooks.V1). @return whether its end will be
 * reported. */
static bool remember(svs__worker *worker, svs_async_context *async, svs__slot *base) {
    const svs__stack *stack = (const svs__stack *)async;
    if (base == NULL || async->head != base) return true;
    if (async == &worker->deque.async) return false;
    if (base >= stack->slots + SVS__RECORDS_CALLED) return false;
    svs__workfirst_open(base);
    async->head = base + 1;
    return true;
}

/* Calls a child in place. Under work-first the child is a finish of its own, as in async.c. */
static void call(svs_async_context *async, svs__slot *slot, bool help_first) {
    svs__slot *outer = async->base, *head = async->head;
    if (help_first) {
        slot->run(async, slot, head);
        return;
    }
    async->base = head;
    slot->run(async, slot, head);
    if (async->head != head) svs__drain(async, head);
    async->base = outer;
}

svs__slot *svs__watched_call(svs__worker *worker, svs_async_context *async, svs__slot *slot,
                             svs__slot *base) {
    svs__watcher *watcher = worker->runtime->watcher;
    bool help_first = async == &worker->deque.async;
    uint32_t child;
    void *outer;
    if (!remember(worker, async, base)) { /* hooks.V3 */
        watcher->merged(watcher, worker);
        call(async, slot, help_first);
        return async->head;
    }
    child = watcher->spawns(watcher, worker, base, slot);
    outer = watcher->begins(watcher, worker, async, child, false, __builtin_frame_address(0));
    call(async, slot, help_first);
    watcher->ends(watcher, async->worker, async, outer);
    return async->head;
}
