#include "worksteal/finish.h"
#include "base/program.h"
#include "worksteal/arguments.h"
#include "worksteal/phase.h"

/* The state of a stolen child's slot (worksteal.F3). */
#define ENDED ((void *)2)
#define SLEEPER ((uintptr_t)1)

/* Number of attempts of a waiter to steal from its thieves: SPINS before it yields the CPU, then
 * YIELDS before it sleeps. */
#define SPINS 200
#define YIELDS 20

static svs__worker *thief_of(const void *state) {
    return (svs__worker *)((uintptr_t)state & ~SLEEPER);
}

/* Runs a child with the numbering of its path (hooks.G2). */
static void run_numbered(svs_async_context *async, svs__slot *slot, svs__slot *head) {
    uint64_t number = async->ordinal;
    async->ordinal = svs__path_below(slot->ordinal);
    slot->run(async, slot, head);
    if (async->head != head) svs__drain(async, head);
    async->ordinal = number;
}

static bool has_paths(const svs__worker *worker) {
    const svs__guide *guide = svs__runtime_guided(worker->runtime);
    return SVS__UNLIKELY(guide != NULL) && guide->paths;
}

/* Runs a child, or drops it if its run was cancelled. */
static void run_or_drop(svs__worker *worker, svs__slot *slot, svs__slot *head) {
    svs_async_context *async = &worker->deque.async;
    if (SVS__UNLIKELY(svs__worker_is_cancelled(worker))) svs__arguments_drop(async, slot);
    else if (has_paths(worker)) run_numbered(async, slot, head);
    else slot->run(async, slot, head);
}

/* Runs the child in `slot`, which is in `owner`'s deque, while asyncs are watched. */
SVS__COLD static void run_watched(svs__worker *worker, svs__worker *owner, svs__slot *slot,
                                  svs__slot *head) {
    svs__watcher *watcher = worker->runtime->watcher;
    uint32_t child = owner->watched[svs__deque_index(&owner->deque, slot)];
    void *outer = watcher->begins(watcher, worker, &worker->deque.async, child, owner != worker,
                                  __builtin_frame_address(0));
    run_or_drop(worker, slot, head);
    watcher->ends(watcher, worker, &worker->deque.async, outer);
}

void svs__finish_run_stolen(svs__worker *worker, svs__worker *victim, svs__slot *slot) {
    svs_async_context *async = &worker->deque.async;
    svs__slot *base = async->head;
    uint64_t outer = svs__phase_begin(worker, SVS__PHASE_STOLEN, victim->index, slot->ordinal);
    struct svs__holder *outer_context = worker->deque.context;
    /* relaxed is enough: the spawner wrote the state before the share, and the steal has acquired
     * the share. */
    void *state = svs__load_relaxed(SVS__SLOT_STATE(slot));
    SVS__ASSERT(svs__state_waits(state));              /* worksteal.F3, worksteal.F5 */
    worker->deque.context = svs__state_context(state); /* worksteal.F5 */
    /* [worksteal.Q5] Written only if it differs: a waiting worker has the value already, and other
     * threads may read it meanwhile. */
    if (worker->inside != victim->inside) worker->inside = victim->inside;
    SVS__ASSERT(worker->deque.context == svs__state_context(state)); /* worksteal.F5 */
    /* [worksteal.D7] release: a waiter that sees the thief in the slot sees its deque as of the
     * child's begin or later; pairs with leapfrog(). */
    svs__store_release(SVS__SLOT_STATE(slot), worker);
    svs__program_enter();
    if (SVS__UNLIKELY(worker->runtime->watcher != NULL)) run_watched(worker, victim, slot, base);
    else run_or_drop(worker, slot, base);
    if (async->head != base) svs__finish_drain(worker, base);
    svs__program_leave();
    SVS__ASSERT(svs__deque_is_stolen(&victim->deque, slot)); /* worksteal.D3 */
    worker->deque.context = outer_context;
    svs__deque_turn(&worker->deque);
    svs__phase_end(worker, outer, false);
    /* [worksteal.F3] release: publishes the child's writes; pairs with the acquires in
     * wait_for_thieves(). */
    state = svs__exchange_release(SVS__SLOT_STATE(slot), ENDED);
    SVS__ASSERT(thief_of(state) == worker); /* worksteal.F3 */
    if (((uintptr_t)state & SLEEPER) == 0) return;
    /* release: a spawner that sees the change does not sleep, and sees the state ENDED. */
    (void)svs__fetch_add_release(&victim->wake, 1);
    svs__futex_wake(&victim->wake, 1);
}

/* Steals a child of a thief that runs one of the waiter's children: a descendant of the waiter
 * (worksteal.D7). */
static bool leapfrog(svs__worker *worker, svs__slot *base, svs__slot *last) {
    for (svs__slot *slot = last; slot-- != base;) {
        _Atomic(void *) *state = SVS__SLOT_STATE(slot);
        /* acquire: sees that the thief has begun the child; pairs with svs__finish_run_stolen(). */
        void *running = svs__load_acquire(state);
        svs__worker *thief =
            running == ENDED || svs__state_waits(running) ? NULL : thief_of(running);
        uint64_t seen = thief == NULL ? 0 : svs__deque_look(&thief->deque);
        /* [worksteal.D7] relaxed is enough: the acquire in svs__deque_look() orders this load after
         * it. */
        if (seen == 0 || svs__load_relaxed(state) != running) continue;
        if (!svs__deque_take(&thief->deque, seen)) continue;
        svs__worker_count(&worker->steals, 1);
        svs__finish_run_stolen(worker, thief, svs__deque_seen(&thief->deque, seen));
        return true;
    }
    return false;
}

static bool help(svs__worker *worker, svs__slot *base, svs__slot *last) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    if (guide != NULL && guide->run_waiting(guide, worker, base, last)) return true;
    return (guide == NULL || guide->steals(guide, worker)) && leapfrog(worker, base, last);
}

static void sleep_on(svs__worker *worker, svs__slot *slot) {
    _Atomic(void *) *word = SVS__SLOT_STATE(slot);
    /* acquire: the load below sees no state older than the wake-up of this epoch. */
    uint32_t epoch = svs__load_acquire(&worker->wake);
    void *state = svs__load_relaxed(word); /* relaxed: the caller loads it again, with acquire */
    if (svs__runtime_is_forked(worker->runtime)) svs__runtime_end_child(worker->runtime);
    if (state == ENDED) return;
    if (svs__state_waits(state)) { /* the thief is about to store its address */
        svs__yield();
        return;
    }
    /* relaxed: the bit requests a wake-up and publishes nothing. */
    if (((uintptr_t)state & SLEEPER) == 0 &&
        !svs__cas_strong_relaxed(word, &state, (void *)((uintptr_t)state | SLEEPER)))
        return;
    svs__futex_wait(&worker->wake, epoch);
}

void svs__finish_guide(svs__worker *worker, svs__slot *slot) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    if (guide->wants(guide, worker, slot->ordinal) && svs__deque_hand(&worker->deque)) {
        /* When the guide has no memory for it, the worker runs the child itself, as if it had
         * stolen it from itself: the slot is below split. */
        if (!guide->take(guide, worker, slot->ordinal, slot, NULL)) {
            svs__program_leave();
            svs__finish_run_stolen(worker, worker, slot);
            svs__program_enter();
        }
    } else if (guide->steals(guide, worker) && svs__deque_wanted(&worker->deque))
        svs__worker_share(worker);
}

/* Waits for the children in the slots from `base` to head, all of which are stolen. */
static void wait_for_thieves(svs__worker *worker, svs__slot *base) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    svs__slot *last = worker->deque.async.head;
    uint32_t tries = 0;
    SVS__ASSERT(svs__deque_is_gone(&worker->deque));       /* worksteal.F2 */
    if (!has_paths(worker)) worker->deque.async.ordinal++; /* worksteal.F4 */
    svs__phase_waits(worker, true);
    svs__program_leave();
    while (last != base) {
        /* [worksteal.F3] acquire: sees the child's writes; pairs with svs__finish_run_stolen(). */
        if (svs__load_acquire(SVS__SLOT_STATE(last - 1)) == ENDED) last--;
        else if (help(worker, base, last)) tries = 0;
        else if (++tries < SPINS) svs__relax();
        /* With a guide the worker does not sleep: the guide may have work at any time. */
        else if (tries < SPINS + YIELDS || guide != NULL) svs__runtime_yield(worker->runtime);
        else sleep_on(worker, last - 1);
    }
    svs__program_enter();
    if (guide != NULL && guide->goes_on != NULL) guide->goes_on(guide, worker);
    svs__phase_waits(worker, false);
    svs__deque_drop(&worker->deque, base);
}

/* Runs a child of the worker's own deque. */
static void run(svs__worker *worker, svs__slot *slot, svs__slot *head) {
    if (SVS__UNLIKELY(worker->runtime->watcher != NULL)) run_watched(worker, worker, slot, head);
    else if (SVS__UNLIKELY(svs__runtime_guided(worker->runtime) != NULL))
        run_or_drop(worker, slot, head);
    else slot->run(&worker->deque.async, slot, head);
}

/* Drops the children of a finish in a cancelled run. */
SVS__COLD static void drop_all(svs__worker *worker, svs__slot *base) {
    svs__deque *deque = &worker->deque;
    svs__slot *slot = base;
    while (deque->async.head != base) {
        slot = svs__deque_pop(deque);
        if (slot == NULL) break;
        if (worker->runtime->watcher != NULL) run_watched(worker, worker, slot, slot);
        else run_or_drop(worker, slot, slot);
    }
    if (slot == NULL) wait_for_thieves(worker, base);
    svs__deque_close(deque);
}

/* Answers a steal request; cancelling raises one, too. @return whether the finish has ended. */
SVS__COLD static bool answer(svs__worker *worker, svs__slot *base) {
    if (svs__worker_is_cancelled(worker)) {
        drop_all(worker, base);
        return true;
    }
    if (worker->deque.async.head - worker->deque.split > 1) svs__worker_share(worker);
    return false;
}

void svs__finish_drain(svs__worker *worker, svs__slot *base) {
    svs__deque *deque = &worker->deque;
    SVS__ASSERT(base <= deque->async.head); /* worksteal.F1 */
    while (deque->async.head != base) {
        svs__slot *slot;
        /* relaxed is enough: a stale value only delays the answer (worksteal.D6, worksteal.C2). */
        if (SVS__UNLIKELY(svs__load_relaxed(&deque->hungry)) && answer(worker, base)) return;
        slot = svs__deque_pop(deque);
        if (slot == NULL) {
            wait_for_thieves(worker, base);
            return;
        }
        /* The child's own children may reuse its slot. */
        run(worker, slot, slot);
    }
}
