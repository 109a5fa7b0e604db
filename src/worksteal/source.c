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

uint32_t svs__sources_detach(svs__sources *sources, svs__source *source) {
    uint32_t slot = 0;
    /* relaxed: the attach happened before this call. */
    while (slot < SVS__SOURCES_MAX && svs__load_relaxed(&sources->slots[slot].source) != source)
        slot++;
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

bool svs__sources_step(svs__sources *sources, svs__worker *worker, const svs__until *until) {
    /* [worksteal.Q2] relaxed: a hint; enter() reads the slot. */
    uint64_t mask = svs__load_relaxed(&sources->attached);
    uint32_t first = mask != 0 ? jump(sources, worker) : SVS__SOURCES_MAX;
    if (first != SVS__SOURCES_MAX && step_one(sources, first, worker, until)) {
        worker->jumped = (mask & (mask - 1)) != 0;
        if (worker->next_source == first) worker->next_source = (first + 1) % SVS__SOURCES_MAX;
        return true;
    }
    while (mask != 0) {
        uint32_t slot = next_slot(mask, worker->next_source);
        mask &= ~((uint64_t)1 << slot);
        if (!step_one(sources, slot, worker, until)) continue;
        worker->next_source = (slot + 1) % SVS__SOURCES_MAX;
        return true;
    }
    return false;
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
