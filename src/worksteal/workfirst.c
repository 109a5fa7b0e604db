#include "worksteal/workfirst.h"
#include "base/program.h"
#include "worksteal/phase.h"
#include <assert.h>

static_assert(sizeof(svs__join) <= SVS_ASYNC_INLINE_BYTES, "a join fits in a slot");
static_assert(offsetof(svs__stack, async) == 0, "an async context is its stack's");

static svs__stack *stack_of(svs_async_context *async) { return (svs__stack *)async; }
static svs__join *join_at(svs__slot *base) { return (svs__join *)(void *)base->arguments; }

/* The counter that numbers the asyncs of an async context: the worker's, or the async context's own
 * while a guide numbers asyncs by paths (hooks.G2). */
static uint64_t *counter(svs__worker *worker, svs_async_context *async) {
    const svs__guide *guide = svs__runtime_guided(worker->runtime);
    if (SVS__UNLIKELY(guide != NULL) && guide->paths) return &async->ordinal;
    return &worker->deque.async.ordinal;
}

/* Called when there is no room for a child: sets the status of its run. @return the slot that its
 * arguments are written to nevertheless. */
SVS__COLD static svs__slot *no_room(svs__worker *worker, const svs__stack *stack,
                                    svs_status status) {
    const svs__stacks *stacks = &worker->runtime->stacks;
    const svs__log *log = &worker->runtime->log;
    while (stack->parent != NULL)
        stack = stack->parent; /* each waits for its children (worksteal.J3) */
    /* relaxed is enough: `failed` is read after the end of the run, which orders the two. */
    if (svs__exchange_relaxed(stack->failed, (uint32_t)status) != 0) return &worker->nowhere;
    if (status == SVS_E_NO_MEMORY)
        svs__log_write(log, SVS_LOG_ERROR,
                       "svs_async: no memory for another stack of %zu bytes, and the recursion "
                       "needs one: ask for smaller stacks (svs_runtime_options: task_stack_bytes)",
                       stacks->bytes);
    else
        svs__log_write(
            log, SVS_LOG_ERROR,
            "svs_async: the recursion is too deep for the stacks of tasks, %u of them with "
            "%zu bytes each: ask for more or larger ones (svs_runtime_options: "
            "task_stacks, task_stack_bytes)",
            stacks->max, stacks->bytes);
    return &worker->nowhere;
}

/* Can the continuation of the spawn be pushed? @return SVS_OK; SVS_E_LIMIT (no slot or no stack is
 * left), SVS_E_NO_MEMORY. */
static svs_status stealable(svs__worker *worker, svs_async_context *async) {
    svs__deque *deque = &worker->deque;
    svs__stack_cache *cache = &worker->stacks;
    if (deque->async.head == deque->slots + deque->capacity ||
        async->head == stack_of(async)->slots + SVS__RECORDS)
        return SVS_E_LIMIT;
    if (SVS__LIKELY(cache->count != 0)) return SVS_OK;
    return svs__stack_refill(&worker->runtime->stacks, cache, svs__stack_is_full(stack_of(async)));
}

/* Does the guide take the continuation of the next async? */
static bool is_handed(svs__worker *worker, svs__guide *guide, uint64_t number) {
    return guide->wants(guide, worker, number) && svs__deque_is_gone(&worker->deque); /* hooks.G1 */
}

/* Answers a steal request; cancelling raises one, too. @return whether the child is called. */
SVS__COLD static bool answer(svs__worker *worker) {
    if (svs__worker_is_cancelled(worker)) return false;
    svs__worker_show(worker);
    return true;
}

/* Does the worker have enough stealable continuations without that of the next async? Not in a run
 * that is cancelled. */
static bool is_enough(svs__worker *worker, svs_async_context *async) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    bool asked = svs__load_relaxed(&worker->deque.hungry) != 0; /* relaxed: may be stale */
    if (SVS__LIKELY(guide == NULL))
        return svs__deque_left(&worker->deque) >= SVS__CONTINUATIONS &&
               (SVS__LIKELY(!asked) || answer(worker));
    return !asked && !svs__worker_is_cancelled(worker) &&
           !is_handed(worker, guide, *counter(worker, async));
}

/* Would a child that is called in place be merged into its spawner (hooks.V3)? */
static bool is_short(const svs__worker *worker, svs_async_context *async) {
    return SVS__UNLIKELY(worker->runtime->watcher != NULL) &&
           async->head >= stack_of(async)->slots + SVS__RECORDS_CALLED;
}

svs__slot *svs__workfirst_begin(svs__worker *worker, svs_async_context *async) {
    bool full = svs__stack_is_full(stack_of(async));
    if (full || is_short(worker, async) || !is_enough(worker, async)) {
        svs_status status;
        if (svs__worker_is_cancelled(worker)) return &worker->nowhere; /* worksteal.C3 */
        status = stealable(worker, async);
        if (SVS__LIKELY(status == SVS_OK))
            return worker->stacks.free[worker->stacks.count - 1]->slots;
        if (full) return no_room(worker, stack_of(async), status);
    }
    (*counter(worker, async))++;
    return SVS__UNLIKELY(worker->runtime->watcher != NULL) ? &worker->called : NULL;
}

/* Switches to the worker's own stack, where settle() continues. */
static void leave(svs__worker *worker, svs__stack *stack, svs__join *waits_for) {
    worker->left = stack;
    worker->left_waits = waits_for;
    svs__place_switch(&stack->place, &worker->home, waits_for == NULL);
}

/* Pushes the continuation of a stack. */
static void push(svs__worker *worker, svs__stack *stack) {
    svs__slot *slot = svs__deque_push(&worker->deque, svs__continuation);
    /* relaxed: the share publishes it (worksteal.D4). */
    svs__store_relaxed(SVS__SLOT_STATE(slot), stack);
    if (svs__deque_wanted(&worker->deque)) svs__worker_share(worker);
}

/* The spawner's continuation while the child runs: pushed on the deque, handed to the guide, or
 * kept by this worker. */
typedef enum where { PUSHED, HANDED, KEPT } where;

static where put(svs__worker *worker, svs__stack *stack) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    uint64_t number = stack->ordinal;
    if (SVS__UNLIKELY(guide != NULL)) {
        /* The stack may be released as soon as the guide has taken it. */
        if (is_handed(worker, guide, number) && guide->take(guide, worker, number, NULL, stack))
            return HANDED;
        if (!svs__load_relaxed(&worker->deque.hungry)) return KEPT; /* relaxed: may be stale */
    }
    push(worker, stack);
    return PUSHED;
}

/* Runs a child on its stack, while asyncs are watched. */
SVS__COLD static void run_watched(svs__stack *stack) {
    svs__watcher *watcher = ((svs__worker *)stack->async.worker)->runtime->watcher;
    uint32_t child = (uint32_t)(uintptr_t)stack->slots[0].state;
    void *outer = watcher->begins(watcher, stack->async.worker, &stack->async, child, false,
                                  (char *)stack + sizeof *stack);
    stack->slots[0].run(&stack->async, stack->slots, stack->slots);
    watcher->ends(watcher, stack->async.worker, &stack->async, outer);
}

/* The first function of a child's stack. */
static void run_child(void *argument) {
    svs__stack *stack = argument;
    svs__worker *worker = stack->async.worker;
    where parent = put(worker, stack->parent);
    svs__place_arrive();
    if (SVS__UNLIKELY(worker->runtime->watcher != NULL)) run_watched(stack);
    else stack->slots[0].run(&stack->async, stack->slots, stack->slots);
    if (stack->async.head != stack->slots) svs__workfirst_drain(&stack->async, stack->slots);
    worker = stack->async.worker;
    SVS__ASSERT(svs__worker_is_current(worker));    /* worksteal.J4 */
    SVS__ASSERT(stack->async.head == stack->slots); /* worksteal.J3 */
    if (SVS__UNLIKELY(parent == HANDED) ||
        (SVS__LIKELY(parent == PUSHED) && SVS__UNLIKELY(svs__deque_pop(&worker->deque) == NULL)))
        leave(worker, stack, NULL);
    stack->parent->async.worker = worker; /* a kept continuation moves with the child */
    svs__stack_release(&worker->runtime->stacks, &worker->stacks, stack);
    svs__place_return(&stack->parent->place);
}

SVS__COLD static void call_watched(svs__worker *worker, svs__stack *stack, svs__stack *child,
                                   svs__slot *base) {
    svs__watcher *watcher = worker->runtime->watcher;
    uint32_t number = watcher->spawns(watcher, worker, base, child->slots);
    void *task = watcher->leaves(watcher, worker);
    bool stolen;
    child->slots[0].state = (void *)(uintptr_t)number;
    stolen = svs__place_call(&stack->place, &child->place, svs__stack_top(child), run_child, child);
    if (stolen) join_at(base)->stolen++;
    stack->async.head = base + 1; /* hooks.V1 */
    watcher->arrives(watcher, stack->async.worker, task, stolen);
}

svs__slot *svs__workfirst_commit(svs__worker *worker, svs_async_context *async, svs__slot *slot,
                                 svs__slot *base) {
    svs__stack *stack = stack_of(async);
    svs__stack *child = worker->stacks.free[--worker->stacks.count];
    svs__join *join = join_at(base);
    SVS__ASSERT(child->slots == slot && (async->head == base || async->head == base + 1));
    if (async->head == base) svs__workfirst_open(base);
    child->async.worker = worker;
    child->async.head = child->async.base = child->slots;
    child->parent = stack;
    child->inside = stack->inside;
    child->join = join;
    stack->ordinal = (*counter(worker, async))++;
    child->async.ordinal = svs__path_below(stack->ordinal);
    if (SVS__UNLIKELY(worker->runtime->watcher != NULL)) {
        call_watched(worker, stack, child, base);
        return async->head;
    }
    if (svs__place_call(&stack->place, &child->place, svs__stack_top(child), run_child, child)) {
        join->stolen++;
        async->head = base + 1;
    }
    return async->head;
}

/* Does the phase end at this wait? Not if all children have completed. */
static bool suspends(svs__worker *worker, const svs__join *join) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    /* [worksteal.J1] acquire: sees the children's writes; pairs with arrive(). */
    bool ended = svs__load_acquire(&join->left) == SVS__JOIN_OPEN - join->stolen;
    if (SVS__LIKELY(guide == NULL || guide->suspends == NULL)) return !ended;
    while (!guide->suspends(guide, worker)) { /* other workers complete the children */
        if (ended) {
            if (guide->goes_on != NULL) guide->goes_on(guide, worker);
            return false;
        }
        svs__runtime_yield(worker->runtime);
        ended = svs__load_acquire(&join->left) == SVS__JOIN_OPEN - join->stolen; /* as above */
    }
    return true;
}

void svs__workfirst_drain(svs_async_context *async, svs__slot *base) {
    svs__worker *worker = async->worker;
    svs__join *join = join_at(base);
    SVS__ASSERT(async->head == base + 1);
    if (join->stolen == 0) { /* only the watcher needs this end of a finish (hooks.V1) */
        async->head = base;
        return;
    }
    worker->deque.async.ordinal++; /* worksteal.F4 */
    if (suspends(worker, join)) leave(worker, stack_of(async), join);
    svs__program_receive();
    async->head = base;
}

/* Subtracts `by` from `left`. @return whether this worker resumes the finish (worksteal.J1). */
static bool arrive(svs__join *join, uint64_t by) {
    /* release: publishes the child's writes; acquire: the last worker sees those of all others. */
    uint64_t left = svs__fetch_sub_acq_rel(&join->left, by);
    SVS__ASSERT(left >= by); /* worksteal.J1 */
    return left == by;
}

static void begin_resumed(svs__worker *worker, const svs__stack *stack) {
    (void)svs__phase_begin(worker, SVS__PHASE_RESUMED, stack->suspended_worker,
                           stack->suspended_phase);
}

/* Called when the worker is back on its own stack. @return the stack that it resumes, or NULL. */
static svs__stack *settle(svs__worker *worker) {
    svs__stack *left = worker->left, *parent;
    svs__join *join = worker->left_waits;
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    /* worksteal.J2: the caller's frame is not on the stack that was left. */
    SVS__ASSERT((char *)__builtin_frame_address(0) < left->low ||
                (char *)__builtin_frame_address(0) > (char *)left);
    svs__program_publish(); /* base.E2: publishes what ran on the stack */
    /* All that was pushed has been popped or stolen, and a thief does not use the slot of a
     * continuation after its steal (worksteal.D4). */
    svs__deque_drop(&worker->deque, worker->deque.slots);
    if (join != NULL) {
        parent = left;
        left->suspended_worker = worker->index;
        left->suspended_phase = worker->phase;
        svs__phase_end(worker, SVS__NO_PHASE, true);
        if (!arrive(join, SVS__JOIN_OPEN - join->stolen)) return NULL;
    } else {
        parent = left->parent;
        join = left->join;
        svs__phase_end(worker, SVS__NO_PHASE, false);
        if (parent == NULL) left->ended(worker, left->ended_argument);
        svs__place_abandon(&left->place, left->low, worker->runtime->stacks.bytes);
        svs__stack_release(&worker->runtime->stacks, &worker->stacks, left);
        if (parent == NULL || !arrive(join, 1)) return NULL;
    }
    if (SVS__UNLIKELY(guide != NULL && guide->resumes != NULL &&
                      guide->resumes(guide, worker, parent)))
        return NULL;
    begin_resumed(worker, parent);
    return parent;
}

/* Runs a stack that the worker owns (worksteal.T2), and then the finishes that it resumes. */
static void work_on(svs__worker *worker, svs__stack *stack) {
    while (stack != NULL) {
        stack->async.worker = worker; /* worksteal.J4 */
        worker->inside = stack->inside;
        svs__program_receive(); /* base.E2: the switch orders both stacks */
        svs__place_switch(&worker->home, &stack->place, false);
        stack = settle(worker);
    }
}

void svs__workfirst_resume(svs__worker *worker, svs__worker *victim, svs__stack *stack) {
    (void)svs__phase_begin(worker, SVS__PHASE_STOLEN, victim->index, stack->ordinal);
    work_on(worker, stack);
}

void svs__workfirst_go_on(svs__worker *worker, svs__stack *stack) {
    begin_resumed(worker, stack);
    work_on(worker, stack);
}

/* The first function of a root's stack. */
static void run_root(void *argument) {
    svs__stack *stack = argument;
    svs__place_arrive();
    stack->slots[0].to.function(&stack->async, stack->slots[0].state);
    if (stack->async.head != stack->slots) svs__workfirst_drain(&stack->async, stack->slots);
    leave(stack->async.worker, stack, NULL);
}

svs_status svs__workfirst_start(svs__worker *worker, svs_async_function *root, void *argument,
                                void (*ended)(svs__worker *worker, void *argument),
                                _Atomic(uint32_t) *failed) {
    svs__stack_cache *cache = &worker->stacks;
    svs__stack *stack;
    if (cache->count == 0) {
        svs_status status = svs__stack_refill(&worker->runtime->stacks, cache, true);
        if (status) return status;
    }
    stack = cache->free[--cache->count];
    stack->async.worker = worker;
    stack->async.head = stack->async.base = stack->slots;
    stack->slots[0].to.function = root;
    stack->slots[0].state = argument;
    stack->parent = NULL;
    stack->inside = worker->inside;
    stack->join = NULL;
    stack->ended = ended;
    stack->ended_argument = argument;
    stack->failed = failed;
    stack->async.ordinal = SVS__ROOT_PATH;
    (void)svs__phase_begin_root(worker);
    svs__program_receive(); /* as in work_on() */
    (void)svs__place_call(&worker->home, &stack->place, svs__stack_top(stack), run_root, stack);
    work_on(worker, settle(worker));
    return SVS_OK;
}
