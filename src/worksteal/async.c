/* The slow paths of <svs/detail/async_context.h>, under either policy. */
#include "base/program.h"
#include "worksteal/arguments.h"
#include "worksteal/events.h"
#include "worksteal/finish.h"
#include "worksteal/meter.h"
#include "worksteal/runtime.h"
#include "worksteal/workfirst.h"
#include <svs/async.h>

/* The async context of a worker's deque is help-first; those of stacks are work-first. */
static bool is_help_first(const svs_async_context *async, const svs__worker *worker) {
    return async == &worker->deque.async;
}

static bool is_watched(const svs__worker *worker) {
    return SVS__UNLIKELY(worker->runtime->watcher != NULL) && worker->meter == NULL;
}

svs__slot *svs__async_begin(svs_async_context *async) {
    svs__worker *worker = async->worker;
    svs__deque *deque = &worker->deque;
    if (!is_help_first(async, worker)) return svs__workfirst_begin(worker, async);
    if (SVS__UNLIKELY(svs__worker_is_cancelled(worker))) { /* worksteal.C3 */
        svs__deque_close(deque);
        return &worker->nowhere;
    }
    if (SVS__UNLIKELY(async->head == deque->slots + deque->capacity)) {
        if (worker->meter != NULL) worker->meter->sum.asyncs++;
        else if (svs__runtime_guided(worker->runtime) == NULL) svs__worker_answer(worker);
        async->ordinal++;
        return is_watched(worker) ? &worker->called : NULL;
    }
    if (SVS__UNLIKELY(worker->meter != NULL)) return &worker->meter->slot;
    return async->head;
}

svs__slot *svs__async_commit(svs_async_context *async, svs__slot *slot, svs__slot *base) {
    svs__worker *worker = async->worker;
    svs__program_publish();
    if (SVS__UNLIKELY(slot == &worker->nowhere)) return async->head;
    if (SVS__UNLIKELY(slot == &worker->called)) return svs__watched_call(worker, async, slot, base);
    if (!is_help_first(async, worker)) return svs__workfirst_commit(worker, async, slot, base);
    if (SVS__UNLIKELY(worker->meter != NULL)) return svs__meter_spawn(worker->meter, async, base);
    if (is_watched(worker))
        worker->watched[svs__deque_index(&worker->deque, slot)] =
            worker->runtime->watcher->spawns(worker->runtime->watcher, worker, base, slot);
    slot->ordinal = async->ordinal++;
    async->head = slot + 1;
    if (SVS__UNLIKELY(svs__runtime_guided(worker->runtime) != NULL))
        svs__finish_guide(worker, slot);
    else if (svs__deque_wanted(&worker->deque)) svs__worker_share(worker);
    return async->head;
}

void svs_async_spawn(svs_async_context *async, svs_async_function *function, const void *argument,
                     size_t size) {
    svs_async(async, function, argument, size);
}

void svs_finish_run(svs_async_context *async, svs_async_function *body, void *argument) {
    svs_finish(async, body, argument);
}

static void drain(svs_async_context *async, svs__slot *base) {
    svs__worker *worker = async->worker;
    if (!is_help_first(async, worker)) {
        svs__workfirst_drain(async, base);
        return;
    }
    if (SVS__UNLIKELY(worker->meter != NULL)) {
        svs__meter_drain(worker->meter, async, base);
        return;
    }
    svs__finish_drain(worker, base);
}

void svs__drain(svs_async_context *async, svs__slot *base) {
    svs__worker *worker = async->worker;
    svs__watcher *watcher = worker->runtime->watcher;
    void *task;
    if (SVS__LIKELY(watcher == NULL)) {
        drain(async, base);
        return;
    }
    task = watcher->leaves(watcher, worker);
    drain(async, base);
    worker = async->worker; /* worksteal.J4 */
    SVS__ASSERT(svs__worker_is_current(worker));
    watcher->arrives(watcher, worker, task, false);
    watcher->drained(watcher, worker, base);
}

/* Arguments have just been written field by field: a load that spans several of these stores cannot
 * be forwarded from the store buffer, and stalls. relaxed: atomic loads, which the compiler does
 * not merge into wider ones. */
typedef uint64_t word __attribute__((may_alias));
static inline void copy_words(void *to, const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof(word); i++)
        ((word *)to)[i] = __atomic_load_n((const word *)from + i, __ATOMIC_RELAXED);
}

/* The arguments are copied to the child's own frame, as its children may reuse the slot. */
#define RUN(bytes)                                                                                 \
    void svs__run_##bytes(svs_async_context *async, svs__slot *slot, svs__slot *head) {            \
        SVS__ALIGNAS(16) unsigned char arguments[bytes];                                           \
        copy_words(arguments, slot->arguments, bytes);                                             \
        (void)head;                                                                                \
        slot->to.function(async, arguments);                                                       \
    }
RUN(16)
RUN(32)
RUN(96)

static size_t bytes_of(const svs__slot *slot) {
    return slot->run == svs__run_16 ? 16 : slot->run == svs__run_32 ? 32 : 96;
}

/* Under work-first the child is a finish of its own, as on a stack of its own: its asyncs and waits
 * have the same ordinals in both cases. */
static void call_in_place(svs_async_context *async) {
    svs__slot *slot = async->head, *outer = async->base;
    SVS__ASSERT(slot != NULL);
    if (is_help_first(async, async->worker)) {
        slot->run(async, slot, slot);
        return;
    }
    async->base = slot;
    slot->run(async, slot, slot);
    if (async->head != slot) svs__workfirst_drain(async, slot);
    async->base = outer;
}

void svs__async_slow(svs_async_context *async) {
    svs__slot *written = async->head, *slot = svs__async_begin(async);
    if (slot == NULL) {
        call_in_place(async);
        return;
    }
    if (slot == &((svs__worker *)async->worker)->nowhere) {
        svs__arguments_drop(async, written);
        return;
    }
    if (slot != written) {
        svs__slot_name(slot, written->run);
        slot->to = written->to;
        copy_words(slot->arguments, written->arguments, bytes_of(written));
    }
    (void)svs__async_commit(async, slot, async->base);
}
