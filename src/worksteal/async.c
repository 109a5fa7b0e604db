/* The slow paths of <svs/detail/async_context.h>, under either policy. */
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

/* Arguments that do not fit into a slot. */
typedef struct block {
    svs_async_function *function;
    size_t size;
    SVS__ALIGNAS(16) unsigned char arguments[];
} block;

static void release_block(svs_async_context *async, const void *argument) {
    const svs__worker *worker = async->worker;
    block *b = *(block *const *)argument;
    svs__release(svs__runtime_allocator(worker->runtime), b, sizeof *b + b->size, 16);
}

static void run_block(svs_async_context *async, void *argument) {
    block *b = *(block **)argument;
    b->function(async, b->arguments);
    release_block(async, argument);
}

static block *block_of(const svs__worker *worker, svs_async_function *function,
                       const void *argument, size_t size) {
    block *b = svs__allocate(svs__runtime_allocator(worker->runtime), sizeof *b + size, 16);
    if (b == NULL) return NULL;
    b->function = function;
    b->size = size;
    memcpy(b->arguments, argument, size);
    return b;
}

/* Without memory for a child's arguments, its spawner waits for the child, so that the arguments
 * stay where they are; the child copies them to its own stack, up to COPY_MAX bytes. */
#define COPY_MAX 16384u

typedef struct lent {
    svs_async_function *function;
    const void *arguments;
    size_t size;
} lent;

static void run_copy(svs_async_context *async, void *argument) {
    const lent *l = argument;
    /* Aligned to 128 bits. */
    void *copy = __builtin_alloca_with_align(l->size, 128);
    memcpy(copy, l->arguments, l->size);
    l->function(async, copy);
}

static void run_lent(svs_async_context *async, void *argument) {
    const lent *l = argument;
    l->function(async, (void *)l->arguments);
}

static void spawn_lent(svs_async_context *async, void *argument) {
    const lent *l = argument;
    svs_async(async, l->size <= COPY_MAX ? run_copy : run_lent, l, sizeof *l);
}

void svs__async_block(svs_async_context *async, svs_async_function *function, const void *argument,
                      size_t size) {
    void *b = block_of(async->worker, function, argument, size);
    lent l = {function, argument, size};
    if (b != NULL) svs_async(async, run_block, &b, sizeof b);
    else svs_finish(async, spawn_lent, &l); /* svs_async() handles a full stack */
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
        if (written->to.function == run_block) release_block(async, written->arguments);
        return;
    }
    if (slot != written) {
        svs__slot_name(slot, written->run);
        slot->to = written->to;
        copy_words(slot->arguments, written->arguments, bytes_of(written));
    }
    (void)svs__async_commit(async, slot, async->base);
}

uint32_t svs_async_worker(const svs_async_context *async) {
    const svs__worker *worker = async->worker;
    return worker->index;
}
