#include "stealtree/replay.h"
#include "worksteal/finish.h"
#include "worksteal/workfirst.h"

/* A waiting worker tests whether the others wait, too, once in LOOKS attempts. */
#define LOOKS 32u
/* A worker that has found all workers waiting for REST_AFTER_NS sleeps for REST_NS between its
 * tests: the program has probably diverged, and others may need the processors. */
#define REST_AFTER_NS 2000000u
#define REST_NS 1000000u

static svs__replay *of(svs__guide *guide) { return (svs__replay *)(void *)guide; }

static bool is_free(svs__replay *replay) {
    /* acquire: sees what was handed over before; pairs with set_free(). */
    return svs__load_acquire(&replay->free) != 0;
}

static void set_free(svs__replay *replay) {
    svs__store_release(&replay->free, 1); /* release: pairs with is_free() */
    svs__runtime_notify(replay->runtime, UINT32_MAX);
}

/* Records that the worker has ended its wait. */
static void move(svs__replay *replay, svs__seat *seat) {
    /* relaxed is enough, here and below: the test for a stall needs the values only in the long
     * run. */
    svs__store_relaxed(&seat->idle, 0);
    (void)svs__fetch_add_relaxed(&replay->moves, 1);
}

static const svs__tree_worker *worker_of(const svs__replay *replay, const svs__worker *worker) {
    return &replay->tree->worker[worker->index];
}

/* The current phase of the worker, or NULL. */
static const svs__tree_phase *current(const svs__replay *replay, const svs__worker *worker) {
    const svs__tree_worker *mine = worker_of(replay, worker);
    uint64_t at = worker->phase - replay->seats[worker->index].phase;
    return worker->phase == SVS__NO_PHASE || at >= mine->phase_count ? NULL : &mine->phases[at];
}

/* The next phase of the worker, or NULL (stealtree.W1). */
static const svs__tree_phase *next_of(const svs__replay *replay, const svs__worker *worker) {
    const svs__tree_worker *mine = worker_of(replay, worker);
    uint64_t at = worker->phases - replay->seats[worker->index].phase;
    return at >= mine->phase_count ? NULL : &mine->phases[at];
}

static uint64_t ordinal_of(const svs__replay *replay, const svs__worker *worker) {
    return worker->deque.async.ordinal - replay->seats[worker->index].ordinal;
}

static void hand(svs__replay *replay, uint32_t worker, uint32_t phase, void *what) {
    /* stealtree.W2. relaxed is enough: only this worker hands the phase over. */
    SVS__ASSERT(svs__load_relaxed(&replay->seats[worker].handed[phase]) == NULL);
    /* relaxed: a worker that reads too small a number reads it again after the wake-up. */
    (void)svs__fetch_add_relaxed(&replay->seats[worker].handed_count, 1);
    /* [stealtree.W2] release: publishes the slot or the stack; pairs with ready_for() and
     * run_any(). */
    svs__store_release(&replay->seats[worker].handed[phase], what);
    svs__runtime_notify(replay->runtime, UINT32_MAX);
}

static bool wants(svs__guide *guide, svs__worker *worker, uint64_t number) {
    svs__replay *replay = of(guide);
    svs__seat *seat = &replay->seats[worker->index];
    const svs__tree_worker *mine = worker_of(replay, worker);
    const svs__tree_phase *phase = current(replay, worker);
    uint32_t *done;
    if (phase == NULL || is_free(replay)) return false;
    done = &seat->handed_over[phase - mine->phases];
    return *done < phase->steal_count &&
           mine->steals[phase->steal_first + *done].ordinal == number - seat->ordinal;
}

static bool take(svs__guide *guide, svs__worker *worker, uint64_t number, svs__slot *slot,
                 svs__stack *stack) {
    svs__replay *replay = of(guide);
    svs__seat *seat = &replay->seats[worker->index];
    const svs__tree_worker *mine = worker_of(replay, worker);
    const svs__tree_phase *phase = current(replay, worker);
    const svs__tree_steal *steal =
        &mine->steals[phase->steal_first + seat->handed_over[phase - mine->phases]++];
    (void)number;
    hand(replay, steal->thief, steal->phase, slot != NULL ? (void *)slot : (void *)stack);
    return true;
}

/* Begins a phase with the slot or stack that was handed over for it. */
static void begin(svs__replay *replay, svs__worker *worker, const svs__tree_phase *phase,
                  void *what) {
    svs__worker *victim = &replay->runtime->workers[phase->start.victim];
    svs__seat *seat = &replay->seats[worker->index];
    /* stealtree.W1, stealtree.W3 */
    SVS__ASSERT(phase == next_of(replay, worker) || is_free(replay));
    move(replay, seat);
    (void)svs__fetch_sub_relaxed(&seat->handed_count, 1); /* relaxed: a hint for ready() */
    if (replay->tree->policy == SVS_POLICY_HELP_FIRST) svs__finish_run_stolen(worker, victim, what);
    else if (phase->start.kind == SVS__PHASE_STOLEN) svs__workfirst_resume(worker, victim, what);
    else svs__workfirst_go_on(worker, what);
}

/* stealtree.W3: runs any work that was handed to the worker. */
static bool run_any(svs__replay *replay, svs__worker *worker) {
    const svs__tree_worker *mine = worker_of(replay, worker);
    _Atomic(void *) *handed = replay->seats[worker->index].handed;
    for (uint32_t p = 0; p < mine->phase_count; p++) {
        void *what = svs__exchange_acquire(&handed[p], NULL); /* stealtree.W2: pairs with hand() */
        if (what == NULL) continue;
        begin(replay, worker, &mine->phases[p], what);
        return true;
    }
    return false;
}

static bool all_idle(const svs__replay *replay) {
    for (uint32_t w = 0; w < replay->tree->workers; w++)
        if (!svs__load_relaxed(&replay->seats[w].idle)) return false;
    return true;
}

/* Does not acquire the runtime's lock: its holder may wait for this worker (hooks.G3). */
static bool is_running(svs_runtime *runtime) {
    return svs__load_relaxed(&runtime->jobs.attached) != 0; /* relaxed: as in move() */
}

static bool is_due_at(const svs__replay *replay, uint64_t begin_ns) {
    return !replay->timed || svs__time_ns() - replay->start_ns >= begin_ns;
}

static bool is_due(const svs__replay *replay, const svs__tree_phase *phase) {
    return is_due_at(replay, phase->begin_ns);
}

/* Is there a root that is not due yet? relaxed: as in move(). */
static bool is_early(const svs__replay *replay) {
    return svs__load_relaxed(&replay->turn) != SVS__TREE_NONE &&
           !is_due_at(replay, svs__load_relaxed(&replay->turn_ns));
}

/* A number that grows with the progress of the replay: the waits that have ended plus the runs that
 * were attached. */
static uint64_t moves_of(const svs__replay *replay) {
    /* relaxed: as in move(). */
    return svs__load_relaxed(&replay->moves) + svs__load_relaxed(&replay->runtime->jobs.attaches);
}

/* Called when the worker waits for others. If all workers have waited for too long, it makes the
 * replay free (stealtree.W3). */
static void wait_on(svs__replay *replay, svs__seat *seat) {
    uint64_t moves, now, still;
    svs__store_relaxed(&seat->idle, 1);
    if (++seat->looks % LOOKS != 0) return;
    moves = moves_of(replay);
    now = svs__time_ns();
    if (seat->still_ns == 0 || moves != seat->moves || !all_idle(replay)) {
        seat->moves = moves;
        seat->still_ns = now;
        return;
    }
    still = now - seat->still_ns;
    if (still > svs__load_relaxed(&replay->still_ns)) { /* relaxed is enough: it guards no data */
        seat->still_ns = 0;
        if (is_running(replay->runtime) && !is_early(replay)) set_free(replay);
    } else if (still > REST_AFTER_NS) {
        seat->looks--; /* the next attempt tests the others again */
        /* Nothing wakes this sleep, which is short. relaxed is enough: what was handed over so far
         * is for later phases. */
        svs__futex_wait_for(&seat->handed_count, svs__load_relaxed(&seat->handed_count), REST_NS);
    }
}

/* The slot or stack of the worker's next phase; NULL when it has not been handed over yet. */
static void *ready_for(svs__replay *replay, const svs__worker *worker,
                       const svs__tree_phase *next) {
    _Atomic(void *) *handed = replay->seats[worker->index].handed;
    if (next == NULL || next->start.kind == SVS__PHASE_ROOT) return NULL;
    return svs__load_acquire(
        &handed[next - worker_of(replay, worker)->phases]); /* stealtree.W2: pairs with hand() */
}

static bool run_next(svs__replay *replay, svs__worker *worker, const svs__tree_phase *next) {
    svs__seat *seat = &replay->seats[worker->index];
    void *what = ready_for(replay, worker, next);
    if (what == NULL) {
        wait_on(replay, seat);
        return false;
    }
    if (!is_due(replay, next)) {
        svs__store_relaxed(&seat->idle, 0); /* it waits for the clock, not for another worker */
        return false;
    }
    /* relaxed: no other worker reads it any more. */
    svs__store_relaxed(&seat->handed[next - worker_of(replay, worker)->phases], NULL);
    begin(replay, worker, next, what);
    return true;
}

static bool run(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    const svs__tree_phase *next = next_of(replay, worker);
    if (is_free(replay)) return run_any(replay, worker);
    /* In the trace, a phase with an enclosing one began while its worker waited. This worker does
     * not wait: the program has diverged. */
    if (next != NULL && next->enclosing != SVS__TREE_NONE) next = NULL;
    return run_next(replay, worker, next);
}

static bool run_waiting(svs__guide *guide, svs__worker *worker, svs__slot *base, svs__slot *last) {
    svs__replay *replay = of(guide);
    const svs__tree_phase *next = next_of(replay, worker), *inside = current(replay, worker);
    (void)base, (void)last;
    if (is_free(replay)) return run_any(replay, worker);
    if (next != NULL && inside != NULL &&
        (next->enclosing != inside - worker_of(replay, worker)->phases ||
         next->start.ordinal != ordinal_of(replay, worker)))
        next = NULL;
    return run_next(replay, worker, next);
}

static bool ready(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    const svs__tree_phase *next = next_of(replay, worker);
    /* relaxed: run_any() and ready_for() acquire. */
    if (svs__load_relaxed(&replay->seats[worker->index].handed_count) != 0) return true;
    /* A worker with phases left does not sleep: it polls the clock (stealtree.W3, timed). */
    return !is_free(replay) && next != NULL && next->start.kind != SVS__PHASE_ROOT;
}

static bool steals(svs__guide *guide, svs__worker *worker) {
    (void)worker;
    return is_free(of(guide));
}

static bool roots(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    const svs__tree_phase *next = next_of(replay, worker);
    if (is_free(replay)) return true;
    /* acquire: sees the seats' `root` as the last owner of the turn left them (stealtree.W4); pairs
     * with svs__replay_next_turn(). */
    return next != NULL && next->start.kind == SVS__PHASE_ROOT &&
           svs__load_acquire(&replay->turn) == worker->index && is_due(replay, next);
}

static void begins_root(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    svs__seat *seat = &replay->seats[worker->index];
    move(replay, seat);
    /* The replay is free, or the body of an instance begins, for which roots() was not called. */
    if (svs__load_acquire(&replay->turn) != worker->index) return;
    SVS__ASSERT(seat->root < worker_of(replay, worker)->phase_count); /* stealtree.W4 */
    seat->root++;
    svs__replay_next_turn(replay);
}

static bool suspends(svs__guide *guide, svs__worker *worker) {
    svs__replay *replay = of(guide);
    const svs__tree_phase *phase = current(replay, worker);
    if (phase == NULL || is_free(replay)) return true;
    if (phase->suspended && phase->end == ordinal_of(replay, worker)) return true;
    wait_on(replay, &replay->seats[worker->index]);
    return false;
}

static void goes_on(svs__guide *guide, svs__worker *worker) {
    move(of(guide), &of(guide)->seats[worker->index]);
}

static bool resumes(svs__guide *guide, svs__worker *worker, svs__stack *stack) {
    svs__replay *replay = of(guide);
    svs__seat *seat = &replay->seats[stack->suspended_worker];
    uint64_t at = stack->suspended_phase - seat->phase;
    const svs__tree_phase *after;
    (void)worker;
    if (is_free(replay) || at >= replay->tree->worker[stack->suspended_worker].phase_count)
        return false;
    after = seat->resumes[at];
    if (after == NULL) return false;
    hand(replay, seat->resumed_by[at],
         (uint32_t)(after - replay->tree->worker[seat->resumed_by[at]].phases), stack);
    return true;
}

svs__replay *svs__replay_of(svs__guide *guide) {
    return guide != NULL && guide->wants == wants ? of(guide) : NULL;
}

svs__guide svs__replay_guide(void) {
    return (svs__guide){.wants = wants,
                        .take = take,
                        .run = run,
                        .ready = ready,
                        .steals = steals,
                        .run_waiting = run_waiting,
                        .roots = roots,
                        .begins_root = begins_root,
                        .suspends = suspends,
                        .goes_on = goes_on,
                        .resumes = resumes};
}
