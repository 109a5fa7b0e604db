#include "worksteal/search.h"
#include "worksteal/finish.h"
#include "worksteal/seat.h"
#include "worksteal/workfirst.h"

static bool leaving(svs__worker *worker, const svs__until *until) {
    /* acquire: sees the writes before the stop; pairs with the release in join_workers(). */
    return svs__load_acquire(&worker->runtime->stopping) != 0 ||
           (until->done != NULL && until->done(until->argument));
}

/* A random other worker. Precondition: there is more than one. */
static uint32_t another(svs__worker *worker) {
    uint32_t victim = svs__random_below(&worker->random, worker->runtime->options.threads - 1);
    return victim + (victim >= worker->index);
}

static bool steal_from(svs__worker *worker, svs__worker *victim) {
    uint64_t seen = svs__deque_look(&victim->deque);
    svs__slot *slot = svs__deque_seen(&victim->deque, seen);
    svs__slot_function *run;
    void *state;
    if (seen == 0) return false;
    /* [worksteal.D4] relaxed: used only if the steal commits. */
    run = svs__load_relaxed(SVS__SLOT_RUN(slot));
    state = svs__load_relaxed(SVS__SLOT_STATE(slot));
    if (!svs__deque_take(&victim->deque, seen)) return false;
    svs__worker_count(&worker->steals, 1);
    if (run == svs__continuation) svs__workfirst_resume(worker, victim, state);
    else svs__finish_run_stolen(worker, victim, slot);
    return true;
}

/* Steals from the worker's present victim; if that fails, chooses another victim for the next
 * attempt. */
static bool steal(svs__worker *worker) {
    svs_runtime *runtime = worker->runtime;
    if (runtime->options.threads == 1) return false;
    if (steal_from(worker, &runtime->workers[worker->victim])) return true;
    worker->victim = another(worker);
    return false;
}

/* Runs stolen work: of a random victim, or as the guide decides. */
static bool run_of_others(svs__worker *worker) {
    svs__guide *guide = svs__guide_enter(worker);
    bool ran;
    if (SVS__LIKELY(guide == NULL)) return steal(worker);
    ran = guide->run(guide, worker) || (guide->steals(guide, worker) && steal(worker));
    svs__guide_leave(worker);
    return ran;
}

/* Does any of `count` other workers have a slot to steal? */
static bool look_at_others(svs__worker *worker, uint32_t count) {
    svs_runtime *runtime = worker->runtime;
    uint32_t victim = worker->victim;
    for (uint32_t i = 0; i < count; i++) {
        if (victim != worker->index && svs__deque_look(&runtime->workers[victim].deque) != 0) {
            worker->victim = victim;
            return true;
        }
        victim = victim + 1 == runtime->options.threads ? 0 : victim + 1;
    }
    return false;
}

/* Is there work, at one of `count` other workers or in a job? */
static bool look(svs__worker *worker, uint32_t count) {
    svs__guide *guide = svs__guide_enter(worker);
    bool found = false, steals = true;
    if (SVS__UNLIKELY(guide != NULL)) {
        found = guide->ready(guide, worker);
        steals = guide->steals(guide, worker);
        svs__guide_leave(worker);
    }
    /* [worksteal.K2] relaxed is enough: the caller has executed a fence, or takes the answer as a
     * hint. */
    return found || (steals && look_at_others(worker, count)) ||
           svs__load_relaxed(&worker->runtime->kept) != 0 ||
           svs__jobs_ready(&worker->runtime->jobs, worker->next_job);
}

static uint64_t spin_ns(const svs_runtime *runtime) { return runtime->options.spin_ns; }

/* Whether a worker is neither spinning nor asleep. */
static bool some_work(const svs_runtime *runtime) {
    /* relaxed is enough, here and below: the answer is an estimate. */
    uint32_t present =
        runtime->options.threads - runtime->seats + svs__load_relaxed(&runtime->seated);
    return svs__load_relaxed(&runtime->spinning) + svs__load_relaxed(&runtime->parking.sleepers) <
           present;
}

/* Does a worker go on spinning after `ns` nanoseconds? [worksteal.W3] */
static bool spins_on(const svs__worker *worker, uint64_t ns) {
    const svs_runtime *runtime = worker->runtime;
    return ns < spin_ns(runtime) || (svs__load_relaxed(&worker->pauses_briefly) &&
                                     ns / SVS__BRIEF < spin_ns(runtime) && some_work(runtime));
}

/* Spins for work. @return whether there is work, or a reason to leave. */
static bool spin(svs__worker *worker, const svs__until *until, uint64_t begin) {
    svs_runtime *runtime = worker->runtime;
    bool found = false;
    if (spin_ns(runtime) == 0) return false;
    /* relaxed: the number of spinning workers is a heuristic. */
    if (svs__fetch_add_relaxed(&runtime->spinning, 1) < runtime->spinners_max) {
        do {
            for (int i = 0; i < 8; i++) svs__relax();
            if (runtime->options.threads > 1) worker->victim = another(worker);
            found = look(worker, 1) || leaving(worker, until);
        } while (!found && spins_on(worker, svs__time_ns() - begin));
    }
    (void)svs__fetch_sub_relaxed(&runtime->spinning, 1);
    return found;
}

static void park(svs__worker *worker, const svs__until *until) {
    svs__parking *parking = &worker->runtime->parking;
    uint32_t epoch;
    svs__stack_return_all(&worker->runtime->stacks, &worker->stacks); /* worksteal.T3 */
    epoch = svs__parking_prepare(parking);
    if (look(worker, worker->runtime->options.threads) || leaving(worker, until)) {
        svs__parking_cancel(parking);
        return;
    }
    SVS__ASSERT(worker->stacks.count == 0); /* worksteal.T3 */
    svs__worker_count(&worker->sleeps, 1);
    svs__sleep_until(parking, epoch, until->deadline_ns);
}

/* Waits for work: spins, and then sleeps. @return false: the worker is to leave, because it has
 * found nothing. */
static bool search(svs__worker *worker, const svs__until *until) {
    uint64_t begin;
    if (SVS__UNLIKELY(svs__stacks_are_wanted(&worker->runtime->stacks)))
        svs__stack_return_all(&worker->runtime->stacks, &worker->stacks); /* worksteal.T3 */
    begin = svs__time_ns();
    if (spin(worker, until, begin)) return true;
    if (until->idle) return look(worker, worker->runtime->options.threads);
    park(worker, until);
    /* relaxed is enough: only the worker itself uses it. */
    svs__store_relaxed(&worker->pauses_briefly,
                       svs__time_ns() - begin < SVS__BRIEF * spin_ns(worker->runtime));
    return true;
}

static bool keeps_nothing(void *seat) { return ((const svs__worker *)seat)->keeps == 0; }

/* Continues the instances that a thread has left in a seat (worksteal.K2). */
static bool run_kept(svs_runtime *runtime) {
    svs__worker *seat = svs__seat_take_kept(runtime);
    if (SVS__LIKELY(seat == NULL)) return false;
    (void)svs__worker_run_in(seat,
                             &(svs__until){keeps_nothing, seat, true, SVS__NO_DEADLINE, NULL});
    svs__seat_put_back(seat);
    return true;
}

/* Runs stolen work or steps a job. Steals come first, so that one run completes before another
 * begins; with several jobs, steals and jobs come first in turns (worksteal.Q4). @return whether
 * any work was run. */
static bool work_on(svs__worker *worker, const svs__until *until) {
    svs__jobs *jobs = &worker->runtime->jobs;
    worker->sources_first = !worker->sources_first && svs__jobs_crowded(jobs);
    if (worker->sources_first) return svs__jobs_step(jobs, worker, until) || run_of_others(worker);
    return run_of_others(worker) || svs__jobs_step(jobs, worker, until) ||
           run_kept(worker->runtime);
}

bool svs__worker_run(svs__worker *worker, const svs__until *until) {
    bool worked = false;
    worker->failures = 0;
    while (!leaving(worker, until)) {
        /* a forked process ends before it reaches a lock that a worker of its parent may have
         * held */
        if (svs__runtime_is_forked(worker->runtime)) svs__runtime_end_child(worker->runtime);
        if (work_on(worker, until)) {
            worker->failures = 0;
            worked = true;
            continue;
        }
        /* Other workers were faster many times: their work needs the CPU more. */
        if (++worker->failures % 16 == 0) svs__yield();
        if (!search(worker, until)) break;
        SVS__ASSERT(worker->deque.async.head == worker->deque.slots); /* worksteal.W1 */
    }
    return worked;
}

bool svs__worker_run_in(svs__worker *seat, const svs__until *until) {
    svs__worker *before = svs__worker_self();
    bool worked;
    svs__worker_become(seat);
    svs__place_of_thread(&seat->home);
    worked = svs__worker_run(seat, until);
    /* relaxed: the jobs to notify were attached before this thread stepped them. */
    if (SVS__UNLIKELY(svs__load_relaxed(&seat->runtime->particular) != 0))
        svs__jobs_left(&seat->runtime->jobs, seat);
    svs__stack_return_all(&seat->runtime->stacks, &seat->stacks); /* worksteal.T3 */
    svs__worker_become(before);
    return worked;
}
