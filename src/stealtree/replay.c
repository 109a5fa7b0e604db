#include "stealtree/replay.h"
#include "worksteal/finish.h"
#include "worksteal/workfirst.h"

/* How long nothing may move before a replay is taken to have parted from its trace (W3). */
#define STILL_NS 10000000000u

static svs__replay *of(svs__guide *guide) { return (svs__replay *)(void *)guide; }

static bool is_free(svs__replay *replay) {
    /* acquire: with the freedom comes what was handed over before; pairs with set_free(). */
    return svs__load_acquire(&replay->free) != 0;
}

static void set_free(svs__replay *replay) {
    svs__store_release(&replay->free, 1);
    svs__runtime_notify(replay->runtime, UINT32_MAX);
}

static const svs__plan_worker *plan_of(const svs__replay *replay, const svs__worker *worker) {
    return &replay->plan->worker[worker->index];
}

/* The phase that the worker is in, or NULL. */
static const svs__plan_phase *current(const svs__replay *replay, const svs__worker *worker) {
    const svs__plan_worker *plan = plan_of(replay, worker);
    uint64_t at = worker->phase - replay->seats[worker->index].phase;
    return worker->phase == SVS__NO_PHASE || at >= plan->phase_count ? NULL : &plan->phases[at];
}

/* The phase that it begins next, or NULL (W1). */
static const svs__plan_phase *next_of(const svs__replay *replay, const svs__worker *worker) {
    const svs__plan_worker *plan = plan_of(replay, worker);
    uint64_t at = worker->phases - replay->seats[worker->index].phase;
    return at >= plan->phase_count ? NULL : &plan->phases[at];
}

static uint64_t ordinal_of(const svs__replay *replay, const svs__worker *worker) {
    return worker->deque.strand.ordinal - replay->seats[worker->index].ordinal;
}

static void hand(svs__replay *replay, uint32_t worker, uint32_t phase, void *what) {
    /* [W2] release: what it is, as it stands now. */
    svs__store_release(&replay->seats[worker].handed[phase], what);
    svs__runtime_notify(replay->runtime, UINT32_MAX);
}

static bool wants(svs__guide *guide, svs__worker *worker, uint64_t number) {
    svs__replay *replay = of(guide);
    svs__seat *seat = &replay->seats[worker->index];
    const svs__plan_worker *plan = plan_of(replay, worker);
    const svs__plan_phase *phase = current(replay, worker);
    uint32_t *done;
    if (phase == NULL || is_free(replay)) return false;
    done = &seat->handed_over[phase - plan->phases];
    return *done < phase->steal_count &&
           plan->steals[phase->steal_first + *done].ordinal == number - seat->ordinal;
}

static void take(svs__guide *guide, svs__worker *worker, uint64_t number, svs__slot *slot,
                 svs__stack *stack) {
    svs__replay *replay = of(guide);
    svs__seat *seat = &replay->seats[worker->index];
    const svs__plan_worker *plan = plan_of(replay, worker);
    const svs__plan_phase *phase = current(replay, worker);
    const svs__plan_steal *steal =
        &plan->steals[phase->steal_first + seat->handed_over[phase - plan->phases]++];
    (void)number;
    hand(replay, steal->thief, steal->phase, slot != NULL ? (void *)slot : (void *)stack);
}

/* Begins a phase with what was handed over for it. */
static void begin(svs__replay *replay, svs__worker *worker, const svs__plan_phase *phase,
                  void *what) {
    svs__worker *victim = &replay->runtime->workers[phase->start.victim];
    (void)svs__fetch_add_relaxed(&replay->moves, 1); /* relaxed: that it moves is enough */
    if (replay->plan->policy == SVS_HELP_FIRST) svs__finish_run_stolen(worker, victim, what);
    else if (phase->start.kind == SVS__PHASE_STOLEN) svs__workfirst_resume(worker, victim, what);
    else svs__workfirst_go_on(worker, what);
}

/* W3: any of what the worker was handed. */
static bool run_any(svs__replay *replay, svs__worker *worker) {
    const svs__plan_worker *plan = plan_of(replay, worker);
    _Atomic(void *) *handed = replay->seats[worker->index].handed;
    for (uint32_t p = 0; p < plan->phase_count; p++) {
        void *what = svs__exchange_acquire(&handed[p], NULL); /* W2 */
        if (what == NULL) continue;
        begin(replay, worker, &plan->phases[p], what);
        return true;
    }
    return false;
}

static bool has_any(const svs__replay *replay, const svs__worker *worker) {
    const svs__plan_worker *plan = plan_of(replay, worker);
    for (uint32_t p = 0; p < plan->phase_count; p++) /* relaxed: run_any() acquires */
        if (svs__load_relaxed(&replay->seats[worker->index].handed[p]) != NULL) return true;
    return false;
}

/* Has nothing moved for too long, as this worker sees it? */
static bool is_still(svs__replay *replay, svs__seat *seat) {
    uint64_t moves = svs__load_relaxed(&replay->moves), now = svs__time_ns(); /* relaxed: a hint */
    if (seat->moved_ns == 0 || moves != seat->moves_seen) {
        seat->moves_seen = moves;
        seat->moved_ns = now;
    }
    return now - seat->moved_ns > STILL_NS;
}

static bool is_due(const svs__replay *replay, const svs__plan_phase *phase) {
    return !replay->timed || svs__time_ns() - replay->start_ns >= phase->begin_ns;
}

/* What the worker's next phase begins with, if that is there and it is time; NULL otherwise. */
static void *ready_for(svs__replay *replay, const svs__worker *worker,
                       const svs__plan_phase *next) {
    _Atomic(void *) *handed = replay->seats[worker->index].handed;
    if (next == NULL || next->start.kind == SVS__PHASE_ROOT) return NULL;
    if (!is_due(replay, next)) return NULL;
    return svs__load_acquire(&handed[next - plan_of(replay, worker)->phases]); /* W2 */
}

static bool run_next(svs__replay *replay, svs__worker *worker, const svs__plan_phase *next) {
    svs__seat *seat = &replay->seats[worker->index];
    void *what = ready_for(replay, worker, next);
    if (what == NULL) {
        if (next != NULL && is_due(replay, next) && is_still(replay, seat)) set_free(replay);
        return false;
    }
    /* relaxed: nobody else looks at it any more. */
    svs__store_relaxed(&seat->handed[next - plan_of(replay, worker)->phases], NULL);
    begin(replay, worker, next, what);
    seat->moved_ns = 0;
    return true;
}

static bool run(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    const svs__plan_phase *next = next_of(replay, worker);
    if (is_free(replay)) return run_any(replay, worker);
    if (next != NULL && next->enclosing != SVS__PLAN_NONE) return false;
    return run_next(replay, worker, next);
}

static bool run_waiting(svs__guide *guide, svs__worker *worker, svs__slot *base, svs__slot *last) {
    svs__replay *replay = of(guide);
    const svs__plan_phase *next = next_of(replay, worker), *inside = current(replay, worker);
    (void)base, (void)last;
    if (is_free(replay)) return run_any(replay, worker);
    if (next != NULL && inside != NULL &&
        (next->enclosing != inside - plan_of(replay, worker)->phases ||
         next->start.ordinal != ordinal_of(replay, worker)))
        next = NULL;
    if (next == NULL && is_still(replay, &replay->seats[worker->index])) set_free(replay);
    return run_next(replay, worker, next);
}

static bool ready(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    const svs__plan_phase *next = next_of(replay, worker);
    if (is_free(replay)) return has_any(replay, worker);
    /* A worker that has more to come does not sleep: it looks after the time (W3, timed). */
    return next != NULL && next->start.kind != SVS__PHASE_ROOT;
}

static bool steals(svs__guide *guide, svs__worker *worker) {
    (void)worker;
    return is_free(of(guide));
}

static bool roots(svs__guide *guide, svs__worker *worker) {
    const svs__plan_phase *next = next_of(of(guide), worker);
    return is_free(of(guide)) || (next != NULL && next->start.kind == SVS__PHASE_ROOT);
}

static bool suspends(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    const svs__plan_phase *phase = current(replay, worker);
    if (phase == NULL || is_free(replay)) return true;
    if (is_still(replay, &replay->seats[worker->index])) set_free(replay);
    return phase->suspended && phase->end == ordinal_of(replay, worker);
}

static bool resumes(svs__guide *guide, svs__worker *worker, svs__stack *stack) {
    svs__replay *replay = of(guide);
    svs__seat *seat = &replay->seats[stack->suspended_worker];
    uint64_t at = stack->suspended_phase - seat->phase;
    const svs__plan_phase *after;
    (void)worker;
    if (is_free(replay) || at >= replay->plan->worker[stack->suspended_worker].phase_count)
        return false;
    after = seat->resumes[at];
    if (after == NULL) return false;
    hand(replay, seat->resumed_by[at],
         (uint32_t)(after - replay->plan->worker[seat->resumed_by[at]].phases), stack);
    return true;
}

svs__replay *svs__replay_of(svs__guide *guide) {
    return guide != NULL && guide->wants == wants ? of(guide) : NULL;
}

/* ---- making ---- */

static void free_seat(const svs_allocator *allocator, svs__seat *seat, uint32_t phases) {
    size_t count = (size_t)phases + 1;
    svs__release(allocator, seat->handed_over, count * sizeof *seat->handed_over, alignof(void *));
    svs__release(allocator, seat->handed, count * sizeof *seat->handed, alignof(void *));
    svs__release(allocator, seat->resumes, count * sizeof *seat->resumes, alignof(void *));
    svs__release(allocator, seat->resumed_by, count * sizeof *seat->resumed_by, alignof(void *));
}

static bool make_seat(const svs_allocator *allocator, svs__seat *seat, uint32_t phases) {
    size_t count = (size_t)phases + 1;
    seat->handed_over =
        svs__allocate_zeroed(allocator, count * sizeof *seat->handed_over, alignof(void *));
    seat->handed = svs__allocate_zeroed(allocator, count * sizeof *seat->handed, alignof(void *));
    seat->resumes = svs__allocate_zeroed(allocator, count * sizeof *seat->resumes, alignof(void *));
    seat->resumed_by =
        svs__allocate_zeroed(allocator, count * sizeof *seat->resumed_by, alignof(void *));
    return seat->handed_over != NULL && seat->handed != NULL && seat->resumes != NULL &&
           seat->resumed_by != NULL;
}

/* Who goes on with what was suspended. */
static void link_resumed(svs__replay *replay) {
    for (uint32_t w = 0; w < replay->plan->workers; w++) {
        const svs__plan_worker *plan = &replay->plan->worker[w];
        for (uint32_t p = 0; p < plan->phase_count; p++) {
            const svs__phase_start *start = &plan->phases[p].start;
            if (start->kind != SVS__PHASE_RESUMED) continue;
            replay->seats[start->victim].resumes[start->at] = &plan->phases[p];
            replay->seats[start->victim].resumed_by[start->at] = w;
        }
    }
}

svs__replay *svs__replay_new(svs_runtime *runtime, svs__plan *plan, bool timed) {
    const svs_allocator *allocator = svs__runtime_allocator(runtime);
    svs__replay *replay = svs__allocate_zeroed(allocator, sizeof *replay, alignof(svs__replay));
    bool made = true;
    if (replay == NULL) return NULL;
    replay->seats =
        svs__allocate_zeroed(allocator, plan->workers * sizeof(svs__seat), alignof(svs__seat));
    if (replay->seats == NULL) {
        svs__release(allocator, replay, sizeof *replay, alignof(svs__replay));
        return NULL;
    }
    replay->guide =
        (svs__guide){false, wants, take, run, ready, steals, run_waiting, roots, suspends, resumes};
    replay->runtime = runtime;
    replay->plan = plan;
    replay->timed = timed;
    replay->start_ns = svs__time_ns();
    for (uint32_t w = 0; w < plan->workers; w++) {
        replay->seats[w].ordinal = runtime->workers[w].deque.strand.ordinal;
        replay->seats[w].phase = runtime->workers[w].phases;
        made = make_seat(allocator, &replay->seats[w], plan->worker[w].phase_count) && made;
    }
    if (made) {
        link_resumed(replay);
        return replay;
    }
    replay->plan = NULL;
    for (uint32_t w = 0; w < plan->workers; w++)
        free_seat(allocator, &replay->seats[w], plan->worker[w].phase_count);
    svs__release(allocator, replay->seats, plan->workers * sizeof(svs__seat), alignof(svs__seat));
    svs__release(allocator, replay, sizeof *replay, alignof(svs__replay));
    return NULL;
}

void svs__replay_free(svs__replay *replay) {
    const svs_allocator *allocator;
    uint32_t workers;
    if (replay == NULL) return;
    allocator = svs__runtime_allocator(replay->runtime);
    workers = replay->plan->workers;
    for (uint32_t w = 0; w < workers; w++)
        free_seat(allocator, &replay->seats[w], replay->plan->worker[w].phase_count);
    svs__plan_free(replay->plan);
    svs__release(allocator, replay->seats, workers * sizeof(svs__seat), alignof(svs__seat));
    svs__release(allocator, replay, sizeof *replay, alignof(svs__replay));
}
