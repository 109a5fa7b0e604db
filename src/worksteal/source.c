#include "worksteal/source.h"

/* Steps in one source before a worker tries to steal, and tests its reason to leave. */
#define STREAK 256

void svs__sources_attach(svs__sources *sources, uint32_t slot, svs__source *source) {
    /* [worksteal.Q1] includes a release: a thread that enters sees the initialized source; pairs
     * with enter(). */
    svs__store_seq(&sources->slots[slot].source, source);
    svs__store_relaxed(&sources->newest, slot);          /* relaxed: a hint (worksteal.Q4) */
    (void)svs__fetch_add_relaxed(&sources->attaches, 1); /* relaxed: publishes nothing */
    (void)svs__fetch_or_release(&sources->attached, (uint64_t)1 << slot);
}

/* @return the source, or NULL. With a source, its slot now counts the caller. */
static svs__source *enter(svs__source_slot *slot) {
    svs__source *source;
    /* [worksteal.Q1] forbids: the load reads the pointer, and svs__sources_detach() misses the
     * increment. */
    (void)svs__fetch_add_seq(&slot->users, 1);
    source = svs__load_seq(&slot->source);
    /* relaxed: the caller has not accessed a source. */
    if (source == NULL) (void)svs__fetch_sub_relaxed(&slot->users, 1);
    return source;
}

bool svs__worker_is_within(const svs_runtime *runtime) {
    const svs__worker *self = svs__worker_self();
    const svs__source_slot *slot = self == NULL ? NULL : self->inside;
    if (self != NULL && self->runtime == runtime) return true;
    while (slot != NULL && slot->runtime != runtime) slot = slot->outer;
    return slot != NULL;
}

static void leave(svs__source_slot *slot) {
    /* [worksteal.Q1] release: the caller's accesses to the source come before its detach returns;
     * pairs with the load there. */
    uint32_t users = svs__fetch_sub_release(&slot->users, 1);
    SVS__ASSERT(users != 0); /* worksteal.Q1 */
    (void)users;
}

bool svs__sources_mark(svs__sources *sources, const svs__source *source) {
    uint32_t slot = svs__sources_find(sources, source);
    bool found;
    if (slot == SVS__SOURCES_MAX) return false;
    found = enter(&sources->slots[slot]) == source; /* worksteal.C1 */
    /* [worksteal.C2] relaxed: the requests that follow publish it. */
    if (found) svs__store_relaxed(&sources->slots[slot].cancelled, 1);
    SVS__ASSERT(!found || svs__load_relaxed(&sources->slots[slot].users) != 0); /* worksteal.C1 */
    if (found) leave(&sources->slots[slot]);
    return found;
}

svs_status svs__sources_cancel(svs__sources *sources, uint64_t id, svs_status status) {
    svs__source_slot *slot = &sources->slots[id % SVS__SOURCES_MAX];
    svs__source *source = enter(slot);
    svs_status result = SVS_E_STATE;
    if (source == NULL) return SVS_E_STATE;
    if (slot->id == id && source->cancel != NULL) result = source->cancel(source, status);
    leave(slot);
    return result;
}

void svs__sources_enter_all(svs__sources *sources, svs__source **inside) {
    /* [worksteal.Q2] relaxed: a source that is missed is found by the next call. */
    uint64_t mask = svs__load_relaxed(&sources->attached);
    for (uint32_t i = 0; i < SVS__SOURCES_MAX; i++)
        inside[i] = mask >> i & 1 ? enter(&sources->slots[i]) : NULL;
}

void svs__sources_leave_all(svs__sources *sources, svs__source *const *inside) {
    for (uint32_t i = 0; i < SVS__SOURCES_MAX; i++)
        if (inside[i] != NULL) leave(&sources->slots[i]);
}

uint32_t svs__sources_find(svs__sources *sources, const svs__source *source) {
    uint32_t slot = 0;
    /* relaxed: the attach happened before this call, or its absence is the answer. */
    while (slot < SVS__SOURCES_MAX && svs__load_relaxed(&sources->slots[slot].source) != source)
        slot++;
    return slot;
}

void svs__sources_prioritize(svs__sources *sources, uint32_t slot, int32_t priority) {
    uint64_t bit = (uint64_t)1 << slot;
    /* relaxed, these: hints (worksteal.Q6). */
    svs__store_relaxed(&sources->slots[slot].priority, priority);
    if (priority != 0) (void)svs__fetch_or_relaxed(&sources->unequal, bit);
    else (void)svs__fetch_and_relaxed(&sources->unequal, ~bit);
}

uint32_t svs__sources_detach(svs__sources *sources, svs__source *source) {
    uint32_t slot = svs__sources_find(sources, source);
    if (slot == SVS__SOURCES_MAX) return slot;
    (void)svs__fetch_and_relaxed(&sources->attached, ~((uint64_t)1 << slot));
    /* [worksteal.Q1] forbids: the load below misses a thread that has read the pointer in
     * enter(). */
    (void)svs__exchange_seq(&sources->slots[slot].source, NULL);
    for (uint32_t tries = 0; svs__load_seq(&sources->slots[slot].users) != 0; tries++) {
        if (tries < 100) svs__relax();
        else svs__yield();
    }
    return slot;
}

/* The first slot from `first` on, cyclically, with its bit set in `mask`. `mask` is not 0. */
static uint32_t next_slot(uint64_t mask, uint32_t first) {
    uint64_t after = mask & ~(uint64_t)0 << first;
    return (uint32_t)__builtin_ctzll(after != 0 ? after : mask);
}

bool svs__worker_turn_is_long(const svs__worker *worker) {
    return svs__time_ns() - worker->turn >= SVS__TURN_NS;
}

static bool step_one(svs__sources *sources, uint32_t slot_number, svs__worker *worker,
                     const svs__until *until) {
    svs__source_slot *slot = &sources->slots[slot_number];
    svs__source *source = enter(slot);
    uint32_t steps = 0;
    if (source == NULL) return false;
    worker->inside = slot; /* worksteal.Q5 */
    worker->turn = svs__sources_crowded(sources) ? svs__time_ns() : 0;
    while (steps < STREAK && source->step(source, worker)) {
        steps++;
        if (until->done != NULL && until->done(until->argument)) break;
        if (svs__sources_turn_is_over(sources, worker)) break;
    }
    leave(slot);
    return steps != 0;
}

/* The slot of a source that the worker has not served yet, to be served out of turn;
 * SVS__SOURCES_MAX: there is none, or the last turn was out of turn. */
static uint32_t jump(svs__sources *sources, svs__worker *worker) {
    /* relaxed: a worker that reads the slot of another attach begins with that source. */
    uint32_t attaches = svs__load_relaxed(&sources->attaches);
    bool jumped = worker->jumped;
    worker->jumped = false;
    if (jumped || attaches == worker->attaches) return SVS__SOURCES_MAX;
    worker->attaches = attaches;
    return svs__load_relaxed(&sources->newest);
}

/* Steps the sources of `mask` in a round from slot *next on. */
static bool step_round(svs__sources *sources, svs__worker *worker, const svs__until *until,
                       uint64_t mask, uint32_t *next) {
    while (mask != 0) {
        uint32_t slot = next_slot(mask, *next);
        mask &= ~((uint64_t)1 << slot);
        if (!step_one(sources, slot, worker, until)) continue;
        *next = (slot + 1) % SVS__SOURCES_MAX;
        return true;
    }
    return false;
}

/* The slots of `mask` with the highest priority. */
static uint64_t most_urgent(svs__sources *sources, uint64_t mask) {
    int64_t highest = INT64_MIN;
    uint64_t level = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(mask);
        int64_t priority = svs__load_relaxed(&sources->slots[slot].priority); /* relaxed: a hint */
        if (priority < highest) continue;
        if (priority > highest) level = 0;
        highest = priority;
        level |= (uint64_t)1 << slot;
    }
    return level;
}

/* worksteal.Q6 */
SVS__COLD static bool step_by_priority(svs__sources *sources, svs__worker *worker,
                                       const svs__until *until, uint64_t mask) {
    if (worker->turns++ % SVS__FAIR_TURN == SVS__FAIR_TURN - 1)
        return step_round(sources, worker, until, mask, &worker->next_fair);
    while (mask != 0) {
        uint64_t level = most_urgent(sources, mask);
        if (step_round(sources, worker, until, level, &worker->next_source)) return true;
        mask &= ~level;
    }
    return false;
}

bool svs__sources_step(svs__sources *sources, svs__worker *worker, const svs__until *until) {
    /* [worksteal.Q2] relaxed: a hint; enter() reads the slot. */
    uint64_t mask = svs__load_relaxed(&sources->attached);
    uint32_t first;
    /* relaxed: a priority that was just set holds from the next turn on. */
    if (SVS__UNLIKELY(svs__load_relaxed(&sources->unequal) != 0))
        return step_by_priority(sources, worker, until, mask);
    first = mask != 0 ? jump(sources, worker) : SVS__SOURCES_MAX;
    if (first != SVS__SOURCES_MAX && step_one(sources, first, worker, until)) {
        worker->jumped = (mask & (mask - 1)) != 0;
        if (worker->next_source == first) worker->next_source = (first + 1) % SVS__SOURCES_MAX;
        return true;
    }
    return step_round(sources, worker, until, mask, &worker->next_source);
}

bool svs__sources_ready(svs__sources *sources, uint32_t first) {
    /* [worksteal.Q2] relaxed: a hint, or after the caller's fence. */
    uint64_t mask = svs__load_relaxed(&sources->attached);
    bool ready = false;
    while (mask != 0 && !ready) {
        uint32_t slot = next_slot(mask, first);
        svs__source *source = enter(&sources->slots[slot]);
        mask &= ~((uint64_t)1 << slot);
        if (source == NULL) continue;
        ready = source->ready(source);
        leave(&sources->slots[slot]);
    }
    return ready;
}

void svs__sources_left(svs__sources *sources, svs__worker *seat) {
    /* [worksteal.Q2] relaxed: a source that this thread has stepped was attached before. */
    uint64_t mask = svs__load_relaxed(&sources->attached);
    for (; mask != 0; mask &= mask - 1) {
        svs__source_slot *slot = &sources->slots[__builtin_ctzll(mask)];
        svs__source *source = enter(slot);
        if (source == NULL) continue;
        if (source->left != NULL) source->left(source, seat);
        leave(slot);
    }
}
