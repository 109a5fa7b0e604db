#include "worksteal/finish.h"
#include "worksteal/phase.h"

/* What is in the state of a stolen child's slot (F3). */
#define ENDED ((void *)2)
#define SLEEPER ((uintptr_t)1)

/* How often the spawner looks for work of its thieves before it gives the CPU away, and then before
 * it sleeps. */
#define SPINS 200
#define YIELDS 20

static svs__worker *thief_of(const void *state) {
    return (svs__worker *)((uintptr_t)state & ~SLEEPER);
}

/* Runs a child in its own numbering (G2). */
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

static void run(svs__worker *worker, svs__slot *slot, svs__slot *head) {
    svs_async_context *async = &worker->deque.async;
    if (has_paths(worker)) run_numbered(async, slot, head);
    else slot->run(async, slot, head);
}

/* `slot` is of `owner`'s deque. */
SVS__COLD static void run_watched(svs__worker *worker, svs__worker *owner, svs__slot *slot,
                                  svs__slot *head) {
    svs__watcher *watcher = worker->runtime->watcher;
    uint32_t child = owner->watched[svs__deque_index(&owner->deque, slot)];
    void *outer = watcher->begins(watcher, worker, &worker->deque.async, child, owner != worker,
                                  __builtin_frame_address(0));
    run(worker, slot, head);
    watcher->ends(watcher, worker, &worker->deque.async, outer);
}

void svs__finish_run_stolen(svs__worker *worker, svs__worker *victim, svs__slot *slot) {
    svs_async_context *async = &worker->deque.async;
    svs__slot *base = async->head;
    uint64_t outer = svs__phase_begin(worker, SVS__PHASE_STOLEN, victim->index, slot->ordinal);
    struct svs__holder *outer_context = worker->deque.context;
    /* relaxed: the child's spawner wrote it before the share that the taking has acquired. */
    void *state = svs__load_relaxed(SVS__SLOT_STATE(slot));
    worker->deque.context = svs__state_context(state); /* F5 */
    /* Q5. A worker that waits has it already, and others may be reading it. */
    if (worker->inside != victim->inside) worker->inside = victim->inside;
    /* [D7] release: who sees the thief sees that the child has begun, after whatever was in its
     * deque before; pairs with leapfrog(). */
    svs__store_release(SVS__SLOT_STATE(slot), worker);
    if (SVS__UNLIKELY(worker->runtime->watcher != NULL)) run_watched(worker, victim, slot, base);
    else run(worker, slot, base);
    if (async->head != base) svs__finish_drain(worker, base);
    worker->deque.context = outer_context;
    svs__deque_turn(&worker->deque);
    svs__phase_end(worker, outer, false);
    /* [F3] release: what the child wrote; pairs with the acquires in wait_for_thieves(). */
    state = svs__exchange_release(SVS__SLOT_STATE(slot), ENDED);
    if (((uintptr_t)state & SLEEPER) == 0) return;
    /* release: the spawner that sees the change does not sleep; it looks at the state again. */
    (void)svs__fetch_add_release(&victim->wake, 1);
    svs__futex_wake(&victim->wake, 1);
}

/* Runs a child of one of the thieves that have our children: a descendant of ours (D7). */
static bool leapfrog(svs__worker *worker, svs__slot *base, svs__slot *last) {
    for (svs__slot *slot = last; slot-- != base;) {
        _Atomic(void *) *state = SVS__SLOT_STATE(slot);
        /* acquire: the thief has begun with our child; pairs with svs__finish_run_stolen(). */
        void *running = svs__load_acquire(state);
        svs__worker *thief =
            running == ENDED || svs__state_waits(running) ? NULL : thief_of(running);
        uint64_t seen = thief == NULL ? 0 : svs__deque_look(&thief->deque);
        /* [D7] relaxed: the look's acquire orders it. */
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
    /* acquire: a state that is older than this epoch's waker is not seen below. */
    uint32_t epoch = svs__load_acquire(&worker->wake);
    void *state = svs__load_relaxed(word); /* relaxed: who ended it is looked at again after */
    if (svs__runtime_is_forked(worker->runtime)) svs__runtime_end_child(worker->runtime);
    if (state == ENDED) return;
    if (svs__state_waits(state)) { /* its thief is about to say so */
        svs__yield();
        return;
    }
    /* relaxed: the bit asks for a wake-up and tells nothing else. */
    if (((uintptr_t)state & SLEEPER) == 0 &&
        !svs__cas_strong_relaxed(word, &state, (void *)((uintptr_t)state | SLEEPER)))
        return;
    svs__futex_wait(&worker->wake, epoch);
}

void svs__finish_guide(svs__worker *worker, svs__slot *slot) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    if (guide->wants(guide, worker, slot->ordinal) && svs__deque_hand(&worker->deque)) {
        /* Without memory it is called in place, as its own worker's theft: it is below split. */
        if (!guide->take(guide, worker, slot->ordinal, slot, NULL))
            svs__finish_run_stolen(worker, worker, slot);
    } else if (guide->steals(guide, worker) && svs__deque_wanted(&worker->deque))
        svs__worker_share(worker);
}

/* All from `base` on are stolen. */
static void wait_for_thieves(svs__worker *worker, svs__slot *base) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    svs__slot *last = worker->deque.async.head;
    uint32_t tries = 0;
    if (!has_paths(worker)) worker->deque.async.ordinal++; /* F4 */
    svs__phase_waits(worker, true);
    while (last != base) {
        /* [F3] acquire: sees what the child wrote; pairs with svs__finish_run_stolen(). */
        if (svs__load_acquire(SVS__SLOT_STATE(last - 1)) == ENDED) last--;
        else if (help(worker, base, last)) tries = 0;
        else if (++tries < SPINS) svs__relax();
        /* A guide may have something any time. */
        else if (tries < SPINS + YIELDS || guide != NULL) svs__yield();
        else sleep_on(worker, last - 1);
    }
    if (guide != NULL && guide->goes_on != NULL) guide->goes_on(guide, worker);
    svs__phase_waits(worker, false);
    svs__deque_drop(&worker->deque, base);
}

void svs__finish_drain(svs__worker *worker, svs__slot *base) {
    svs__deque *deque = &worker->deque;
    while (deque->async.head != base) {
        svs__slot *slot;
        if (svs__deque_wanted(deque) && deque->async.head - deque->split > 1)
            svs__worker_share(worker);
        slot = svs__deque_pop(deque);
        if (slot == NULL) {
            wait_for_thieves(worker, base);
            return;
        }
        /* The slot is free for what it spawns. */
        if (SVS__UNLIKELY(worker->runtime->watcher != NULL))
            run_watched(worker, worker, slot, slot);
        else run(worker, slot, slot);
    }
}
