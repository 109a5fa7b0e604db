/* The windowed algorithm: windows of coloured stages (window.h) as long as instances are plain, and
 * stages of the staged kind for all others, between the windows.
 *
 * Workers claim instances of the stage that is open. One of them makes the next window meanwhile:
 * as soon as a whole one waits, or when it finds nothing to claim. No worker waits, except
 * for a moment for the stage after a dealt one (window/run.c).
 *
 * Light instances (window/serial.h) stay with the worker that opens their window:
 * to share them costs more than to run them. That worker runs them within one step, so that it is
 * never awaited by others (sched.W8); and it makes the next window, too, unless it is away for
 * long. */
#include "base/platform.h"
#include "sched/admission/lease.h"
#include "sched/domain/stage/stage.h"
#include "sched/domain/window/attention.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/parts.h"
#include "sched/domain/window/serial.h"

#define AWAY_NS 20000u   /* the maker of light windows is away, and another makes the next */
#define STEP_MAX 32768u  /* instances that a worker runs alone in one step, */
#define STEP_NS 1000000u /* and for so long */
#define MEASURED_OF 8u   /* of so many steps one is measured */

/* ---- light instances ---- */

static bool has_others(const svs__domain *domain) { return domain->env->threads > 1; }

/* Runs some instances of the stage, and measures them. */
static bool run_measured(svs__domain *domain, svs_context *context) {
    uint64_t begin;
    uint32_t ran;
    if (!svs__stage_claim_some(domain, context)) return false;
    begin = svs__time_ns();
    ran = svs__stage_run_only(context);
    svs__window_measure(domain, context, svs__time_ns() - begin, ran);
    svs__stage_leave_claimed(context, ran);
    return true;
}

/* The first steps are measured: what is light is to be known soon. */
static bool run_some(svs__domain *domain, svs_context *context) {
    return context->steps < MEASURED_OF || context->steps % MEASURED_OF == 0
               ? run_measured(domain, context)
               : svs__stage_run_some(domain, context);
}

/* Runs instances of the stage, or helps with what is made while no stage is there. */
static bool run_claimed(svs__domain *domain, svs_context *context) {
    return run_some(domain, context) || svs__chunks_help(domain, context);
}

/* Whether another worker runs what is light. */
static bool stays_away(svs__domain *domain, const svs__worker *worker) {
    /* relaxed: a hint; the one that clears it notifies. */
    uint32_t alone = svs__load_relaxed(&svs__windows_of(domain)->alone);
    return alone && alone != svs__name_of(worker);
}

/* Whether the worker has made the last window, if there was one. Its caches have the table and the
 * batches: another maker would fetch each line of them from there. */
static bool made_last(svs__domain *domain, const svs__worker *worker) {
    uint32_t maker = svs__load_relaxed(&svs__windows_of(domain)->maker); /* relaxed: a hint */
    return !maker || maker == svs__name_of(worker);
}

/* Whether another worker, which has made the last light window, makes the next one. */
static bool leaves_making(svs__domain *domain, const svs__worker *worker) {
    return has_others(domain) && !made_last(domain, worker) && svs__window_is_light(domain) &&
           svs__time_ns() - svs__load_relaxed(&svs__windows_of(domain)->made_ns) < AWAY_NS;
}

static void note_maker(svs__domain *domain, const svs__worker *worker) {
    if (!has_others(domain)) return;
    /* relaxed, both: hints. */
    svs__store_relaxed(&svs__windows_of(domain)->maker, svs__name_of(worker));
    svs__store_relaxed(&svs__windows_of(domain)->made_ns, svs__time_ns());
}

/* [sched.W8] */
static void begin_alone(svs__domain *domain, const svs__worker *worker) {
    if (has_others(domain) && svs__window_is_light(domain))
        svs__store_relaxed(&svs__windows_of(domain)->alone, svs__name_of(worker));
}

/* Runs light instances, one piece after the other; of others some, so that a step that opens a
 * window runs an instance before the worker's turn may be over (worksteal.Q4). */
static void run_opened(svs__domain *domain, svs_context *context) {
    const svs__worker *worker = context->worker;
    uint64_t begin = context->statistics.instances;
    if (!svs__window_is_alone(domain, worker)) {
        (void)run_some(domain, context);
        return;
    }
    while (context->statistics.instances - begin < SVS__WINDOW_MAX &&
           svs__window_is_light(domain) && !context->claimed.count &&
           run_measured(domain, context)) {}
}

/* ---- making ---- */

typedef enum made { NOTHING, STAGE, WINDOW } made;

/* While a window waits for another's lease, no further one is made. */
static bool has_work(svs__domain *domain) {
    if (svs__domain_may_unblock(domain)) return true;
    if (svs__window_waits_for_deferred(domain)) return false;
    if (svs__load_acquire(&svs__windows_of(domain)->next)) return svs__window_may_open(domain);
    return svs__domain_has_arrivals(domain) || svs__window_has_left(domain);
}

/* Whether stages are made in place of windows: options of stages say how, or windows have not
 * been worth it lately, or nothing runs any more. */
static bool rests(svs__domain *domain) {
    if (svs__env_cancelled(domain->env)) return true;
    if (svs__windows_of(domain)->in_order) return false; /* sched.W11 */
    /* relaxed: guarded, or a hint. */
    return svs__load_relaxed(&svs__windows_of(domain)->rest) || domain->env->options->stage_width;
}

/* A stage as the staged algorithm makes it, of the deferred, and, while windows rest, of arrivals.
 * Under the domain's lock, as the owner of the stage. */
static bool make_stage(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    bool resting = rests(domain);
    uint32_t rest;
    svs__store_relaxed(&ws->stage_was_last, 1);
    svs__store_relaxed(&ws->runs_window, 0); /* relaxed, both: guarded by the lock (sched.W2) */
    if (resting) {
        svs__window_give_up(domain, context);
        rest = svs__load_relaxed(&ws->rest);
        if (rest) svs__store_relaxed(&ws->rest, rest - 1);
    }
    return svs__stage_make(domain, context, resting);
}

/* Under the domain's lock. Another worker may open a window meanwhile. In order it must not: that
 * window may return instances, which come before those of the one that is made (sched.W11). Nor may
 * it while windows take walked candidates, because such a window uses the table, too, as its stages
 * open (sched.W14). */
static bool make_window(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t none = 0;
    bool any;
    /* relaxed: guarded by the lock. */
    if (!ws->in_order && !svs__load_relaxed(&ws->walks)) return svs__window_make(domain, context);
    if (!svs__cas_strong_acq_rel(&domain->stage.left, &none, 1)) return false;
    any = !svs__load_acquire(&ws->next) && svs__window_make(domain, context);
    svs__store_release(&domain->stage.left, 0); /* release: as where a stage ends */
    return any;
}

/* Under the domain's lock, while no stage is there. */
static made make_when_free(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    svs__stage *stage = &domain->stage;
    bool turn =
        !svs__load_relaxed(&ws->stage_was_last) || (rests(domain) && !svs__load_relaxed(&ws->next));
    uint32_t none = 0;
    for (int i = 0; i < 2; i++, turn = !turn) {
        bool next = svs__load_acquire(&ws->next) != NULL;
        if (!turn && next && svs__window_may_open(domain)) return WINDOW;
        if (!turn && !next && !rests(domain) && make_window(domain, context)) return WINDOW;
        if (!turn || (!svs__domain_may_unblock(domain) && !rests(domain))) continue;
        if (!svs__cas_strong_acq_rel(&stage->left, &none, 1)) return NOTHING;
        if (make_stage(domain, context)) return STAGE;
        svs__store_release(&stage->left, 0); /* release: as where a stage ends */
    }
    return NOTHING;
}

/* Whether so many candidates wait for a window beside the one that is open (sched.W2). */
static bool may_make_ahead(svs__domain *domain, uint32_t candidates) {
    svs__windows *ws = svs__windows_of(domain);
    /* acquire: a window that was opened is in place of one that has ended (sched.W5). */
    return has_others(domain) && !ws->in_order && !svs__load_acquire(&ws->next) &&
           svs__load_relaxed(&ws->runs_window) && !svs__load_relaxed(&domain->pending.count) &&
           !rests(domain) && !svs__load_relaxed(&ws->walks) && /* sched.W14 */
           svs__load_relaxed(&ws->left_count) + svs__domain_arrivals(domain) >= candidates;
}

static bool makes_ahead(svs__domain *domain) { return may_make_ahead(domain, SVS__WINDOW_AHEAD); }

/* Whether it is worth making while there is something to claim, which others run meanwhile: the
 * window would get no longer by waiting. The maker of the last one does so when it is back from
 * its bodies. Without anything to claim, any worker makes the next one. Not while a foreigner waits
 * for the stage to end. */
static bool makes_early(svs__domain *domain, const svs__worker *worker) {
    return has_others(domain) && made_last(domain, worker) &&
           !svs__load_relaxed(&svs__windows_of(domain)->next) && svs__stage_has_unclaimed(domain) &&
           may_make_ahead(domain, SVS__WINDOW_MAX) &&
           !svs__admission_lease_is_wanted(domain->env->admission) && !svs__window_is_light(domain);
}

/* As of a staged domain. */
static bool is_ready(svs__domain *domain) {
    if (svs__stage_has_unclaimed(domain) || svs__chunks_are_offered(domain)) return true;
    if (svs__lock_is_held(&domain->lock)) return false;
    if (svs__load_acquire(&domain->stage.left)) return makes_ahead(domain);
    return has_work(domain);
}

/* [sched.W8] */
static void end_alone(svs__domain *domain, const svs__worker *worker) {
    svs__windows *ws = svs__windows_of(domain);
    if (!svs__window_is_alone(domain, worker)) return;
    svs__store_relaxed(&ws->alone, 0);
    /* Forbids: the look below misses work, and another worker, which searches after the wake-up for
     * that work, finds this one alone. */
    svs__fence_seq(&ws->alone);
    if (is_ready(domain))
        svs__runtime_notify(domain->env->world->runtime, domain->env->threads - 1);
}

static made make(svs__domain *domain, svs_context *context) {
    if (!svs__load_acquire(&domain->stage.left)) return make_when_free(domain, context);
    return makes_ahead(domain) && svs__window_make(domain, context) ? WINDOW : NOTHING;
}

/* ---- serial runs ---- */

/* Whether the domain's next items may run in a serial run (sched.W10). The explorer measures
 * nothing, and the schedule chooses. */
static bool goes_serially(svs__domain *domain, const svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
#if defined(SVS_EXPLORE)
    bool light = context->steps % 2 != 0;
#else
    bool light = svs__window_is_light(domain);
    (void)context;
#endif
    return light && !ws->in_order && !svs__load_relaxed(&ws->serial_rests) &&
           !svs__load_relaxed(&domain->pending.count) && !rests(domain) &&
           !svs__load_acquire(&ws->next) && !svs__load_acquire(&domain->stage.left) &&
           svs__domain_is_fed(domain);
}

static bool run_serially(svs__domain *domain, svs_context *context) {
    bool ran;
    if (has_others(domain))
        svs__store_relaxed(&svs__windows_of(domain)->alone, svs__name_of(context->worker));
    ran = svs__window_run_serially(domain, context);
    if (ran) note_maker(domain, context->worker);
    else end_alone(domain, context->worker);
    return ran;
}

/* ---- the algorithm ---- */

/* Makes what runs next, and runs some of it. The worker may be alone afterwards. */
static bool make_and_run(svs__domain *domain, svs_context *context) {
    made m;
    if (svs__load_acquire(&domain->stage.left) ? !makes_ahead(domain) : !has_work(domain))
        return false;
    if (leaves_making(domain, context->worker)) return false;
    if (goes_serially(domain, context) && run_serially(domain, context)) return true;
    if (!svs__lock_try(&domain->lock)) return false;
    m = make(domain, context);
    svs__lock_release(&domain->lock);
    if (m == NOTHING) return false;
    note_maker(domain, context->worker);
    if (m == STAGE) {
        end_alone(domain, context->worker);
        svs__stage_leave(domain, context, 1); /* the maker's share (sched.P2) */
        (void)svs__stage_run_some(domain, context);
        return true;
    }
    begin_alone(domain, context->worker);
    (void)svs__window_open_next(domain, context);
    run_opened(domain, context);
    return true;
}

/* Whether there is more for a worker that runs alone. It waits for what comes from outside. If it
 * left the domain after each serial run, another worker would look for work there, in vain. */
static bool has_more(svs__domain *domain, const svs_context *context, svs__attention *a) {
    if (a->count) return svs__attention_wait(a, domain, context);
    return !svs__load_relaxed(&domain->env->prioritized) && has_work(domain); /* relaxed: a hint */
}

static void go_on(svs__domain *domain, svs_context *context) {
    uint64_t begin = context->statistics.instances, begin_ns = svs__time_ns();
    svs__attention a;
    svs__attention_begin(&a, domain, context);
    while (context->statistics.instances - begin < STEP_MAX &&
           svs__time_ns() - begin_ns < STEP_NS && !context->claimed.count &&
           svs__window_is_light(domain) && has_more(domain, context, &a) &&
           make_and_run(domain, context) && svs__window_is_alone(domain, context->worker)) {}
    svs__attention_end(&a, domain);
}

static bool run_next(svs__domain *domain, svs_context *context) {
    bool ran = make_and_run(domain, context);
    if (!svs__window_is_alone(domain, context->worker)) return ran;
    if (ran) go_on(domain, context);
    end_alone(domain, context->worker);
    return ran;
}

static bool step_some(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->env, worker);
    context->worker = worker;
    if (stays_away(domain, worker)) return false;
    if (makes_early(domain, worker) && run_next(domain, context)) return true;
    if (run_claimed(domain, context)) return true;
    if (!svs__load_acquire(&domain->stage.left) && svs__window_open_next(domain, context)) {
        (void)svs__stage_run_some(domain, context);
        return true;
    }
    return run_next(domain, context);
}

/* The last instance of the domain ended inside of its window, as a rule. */
static bool step(svs__domain *domain, svs__worker *worker) {
    if (!step_some(domain, worker)) return false;
    if (!svs__load_relaxed(&domain->stage.left)) svs__windows_rest(domain); /* relaxed: a hint */
    return true;
}

/* While a worker runs alone, it looks again before it sleeps. */
static bool ready(svs__domain *domain) {
    return !svs__load_relaxed(&svs__windows_of(domain)->alone) && is_ready(domain);
}

/* What is sent stays with the worker that runs alone. Not before a body was measured. */
static bool stays(svs__domain *domain) {
    /* relaxed: an estimate. */
    return svs__load_relaxed(&svs__windows_of(domain)->body_ns) != UINT32_MAX &&
           svs__window_is_light(domain);
}

/* The items of the last run were sent before it, or by bodies: the two are measured apart. */
static bool costs(const svs__domain *domain, svs__costs *costs) {
    const svs__windows *ws = svs__windows_of(domain);
    const svs__light *l;
    if (!ws) return false;
    l = &ws->light[svs__light_is_known(&ws->light[1])];
    costs->alone = l->preferred == SVS__ALONE;
    costs->body = svs__load_relaxed(&ws->body_ns); /* relaxed: no run is there */
    costs->by_one = l->cost[SVS__ALONE] / 16;
    costs->by_all = l->cost[SVS__SHARED] / 16;
    return svs__light_is_known(l) && costs->body != UINT32_MAX;
}

static svs_status new_windows(svs__domain *domain, const svs_task *task) {
    (void)task;
    return svs__windows_new(domain, false);
}

static svs_status new_in_order(svs__domain *domain, const svs_task *task) {
    (void)task;
    return svs__windows_new(domain, true);
}

#define OF_WINDOWS                                                                                 \
    .step = step, .ready = ready, .free = svs__windows_free, .begin = svs__windows_begin,          \
    .end = svs__windows_end, .rest = svs__windows_rest, .run_claimed = run_claimed,                \
    .comes_soon = svs__window_comes_soon, .stays = stays, .costs = costs, .in_stages = true,       \
    .repeats = true

const svs__algorithm svs__windowed = {.name = "windowed", .new = new_windows, OF_WINDOWS};
const svs__algorithm svs__in_order = {.name = "in order", .new = new_in_order, OF_WINDOWS};
