/* The windowed algorithm: windows of coloured stages (window.h) as long as instances are plain, and
 * stages of the staged kind for all others, between the windows.
 *
 * Workers claim instances of the open stage. At the same time, some of them make the next windows
 * (window/ticket.h): one as soon as enough candidates for a whole window wait, the others when they
 * find no instance to claim. No worker waits, except for a moment for the stage after a dealt one
 * (window/run.c).
 *
 * Light instances (window/serial.h) stay with the worker that opens their window, because sharing
 * them costs more than running them. That worker runs them within one step, so that no other worker
 * ever waits for it (sched.W8). It also makes the next window, unless it is away for long. */
#include "base/check.h"
#include "base/platform.h"
#include "sched/admission/lease.h"
#include "sched/domain/stage/stage.h"
#include "sched/domain/window/attention.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/left.h"
#include "sched/domain/window/parts.h"
#include "sched/domain/window/serial.h"
#include "sched/domain/window/ticket.h"

/* after this time, the maker of light windows counts as away, and another worker makes the next
 * window */
#define AWAY_NS 20000u
#define STEP_MAX 32768u  /* the maximum number of instances that a worker runs alone in one step */
#define STEP_NS 1000000u /* the maximum time of such a step */
#define MEASURED_OF 8u   /* one step of this many is measured */

/* ---- light instances ---- */

static bool has_others(const svs__domain *domain) { return domain->env->threads > 1; }

/* Runs some instances of the stage, and measures them. */
static bool run_measured(svs__domain *domain, svs_context *context) {
    uint64_t begin;
    uint32_t ran;
    if (!svs__stage_claim_some(domain, context)) return false;
    begin = svs__time_ns();
    ran = svs__stage_run_only(context);
    svs__pace_measure(domain, context, svs__time_ns() - begin, ran);
    svs__stage_leave_claimed(context, ran);
    return true;
}

/* Runs some instances of the stage. The first steps are all measured, so that light instances are
 * recognised soon. */
static bool run_some(svs__domain *domain, svs_context *context) {
    return context->steps < MEASURED_OF || context->steps % MEASURED_OF == 0
               ? run_measured(domain, context)
               : svs__stage_run_some(domain, context);
}

/* Runs instances of the stage, or, while no stage is open, helps with chunks of the window that is
 * being made. */
static bool claim_and_run(svs__domain *domain, svs_context *context) {
    return run_some(domain, context) || svs__chunks_help(domain, context);
}

/* Whether another worker runs the light instances alone. */
static bool stays_away(svs__domain *domain, const svs__worker *worker) {
    /* relaxed is enough: the value may be stale, but the worker that clears it notifies the
     * others. */
    uint32_t alone = svs__load_relaxed(&svs__windows_of(domain)->alone);
    return alone && alone != svs__name_of(worker);
}

/* Whether the worker has made the last window, if there was one. Its caches contain the table and
 * the batches; another maker would have to fetch each of these cache lines from there. */
static bool made_last(svs__domain *domain, const svs__worker *worker) {
    /* relaxed is enough: it may be stale */
    uint32_t maker = svs__load_relaxed(&svs__windows_of(domain)->maker);
    return !maker || maker == svs__name_of(worker);
}

/* Whether the making and the opening are left to another worker, which has made the last light
 * window. */
static bool leaves_making(svs__domain *domain, const svs__worker *worker) {
    return has_others(domain) && !made_last(domain, worker) && svs__window_is_light(domain) &&
           svs__time_ns() - svs__load_relaxed(&svs__windows_of(domain)->made_ns) < AWAY_NS;
}

static void note_maker(svs__domain *domain, const svs__worker *worker) {
    if (!has_others(domain)) return;
    /* relaxed is enough for both: they may be stale. */
    svs__store_relaxed(&svs__windows_of(domain)->maker, svs__name_of(worker));
    svs__store_relaxed(&svs__windows_of(domain)->made_ns, svs__time_ns());
}

/* Runs the light instances of the open window, one piece after another. */
static void run_light(svs__domain *domain, svs_context *context) {
    uint64_t begin = context->statistics.instances;
    while (context->statistics.instances - begin < SVS__WINDOW_MAX &&
           svs__window_is_light(domain) && !context->claimed.count &&
           run_measured(domain, context)) {}
}

/* Opens the next window. If it is shared, runs some of its instances, so that a step that opens a
 * window runs an instance before the worker's turn may be over (worksteal.Q4).
 * @return whether there was one, or an instance to run. */
static bool open_and_run(svs__domain *domain, svs_context *context) {
    bool opened = svs__window_open_next(domain, context);
    if (svs__window_is_alone(domain, context->worker)) return opened;
    return run_some(domain, context) || opened;
}

/* ---- making ---- */

/* The result of a search for work under the lock: none; a stage of the staged kind, which the
 * worker has made; a window to open; or a ticket, whose window it makes. */
typedef enum work { NOTHING, STAGE, WINDOW, TICKET } work;

/* Whether deferred instances may run in a stage (sched.W2). */
static bool may_make_stage(svs__domain *domain) {
    return svs__domain_may_unblock(domain) && !svs__window_is_making(domain);
}

static bool opens_next(svs__domain *domain) {
    return svs__window_may_open(domain) && !svs__window_deferred_come_first(domain);
}

/* Whether there is something to make or to open. While a window waits for the lease of another
 * domain, no further window is made. */
static bool has_work(svs__domain *domain) {
    uintptr_t made = svs__window_next(svs__windows_of(domain));
    if (may_make_stage(domain)) return true;
    if (svs__window_waits_for_deferred(domain)) return false;
    if (made) return made & SVS__HAS_ODD || opens_next(domain);
    return svs__ticket_is_due(domain) &&
           (svs__domain_has_arrivals(domain) || svs__window_has_left(domain));
}

/* Whether stages of the staged kind are made instead of windows: an option limits the width of
 * stages, or windows were not worthwhile recently, or the run is cancelled. */
static bool rests(svs__domain *domain) {
    if (svs__env_cancelled(domain->env)) return true;
    if (svs__windows_of(domain)->in_order) return false; /* sched.W11 */
    /* relaxed is enough: the lock guards it, or the value may be stale. */
    return svs__load_relaxed(&svs__windows_of(domain)->rest) || domain->env->options->stage_width;
}

/* Makes a stage as the staged algorithm does, of deferred instances and, while windows rest, of
 * arrivals, after the windows that were made have ended. The caller holds the domain's lock and
 * owns the stage. */
static bool make_stage(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    bool resting = rests(domain) && !svs__tickets_ahead(ws);
    uint32_t rest;
    SVS__ASSERT(!svs__window_is_making(domain)); /* sched.W2 */
    svs__store_relaxed(&ws->stage_was_last, 1);
    /* relaxed is enough for both: the lock is held (sched.W2) */
    svs__store_relaxed(&ws->runs_window, 0);
    if (resting) {
        svs__left_give_up(domain, context);
        rest = svs__load_relaxed(&ws->rest);
        if (rest) svs__store_relaxed(&ws->rest, rest - 1);
    }
    return svs__stage_make(domain, context, resting);
}

/* Searches for work while no stage is open. The caller holds the domain's lock. */
static work find_when_free(svs__domain *domain, svs_context *context, svs__window **w) {
    svs__windows *ws = svs__windows_of(domain);
    svs__stage *stage = &domain->stage;
    bool turn = !svs__load_relaxed(&ws->stage_was_last) || (rests(domain) && !svs__window_next(ws));
    uint32_t none = 0;
    if (svs__window_next(ws) & SVS__HAS_ODD) svs__window_defer_odd(domain, context);
    for (int i = 0; i < 2; i++, turn = !turn) {
        bool made = svs__window_next(ws) != 0;
        if (!turn && made && opens_next(domain)) return WINDOW;
        if (!turn && !made && !rests(domain) && (*w = svs__ticket_take(domain, context)) != NULL)
            return TICKET;
        /* sched.W9: after a stage, a window that is made or being made comes first. */
        if (!turn || svs__window_is_making(domain) || (i && svs__tickets_ahead(ws)) ||
            (!svs__domain_may_unblock(domain) && !rests(domain)))
            continue;
        if (!svs__cas_strong_acq_rel(&stage->left, &none, 1)) return NOTHING;
        if (make_stage(domain, context)) return STAGE;
        svs__store_release(&stage->left, 0); /* release: as at the end of a stage */
    }
    return NOTHING;
}

/* Whether the next window has what two halves have left over (sched.W19), and will not have more:
 * all items were sent before the run. */
static bool has_rest_of_halves(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    /* relaxed is enough for all: they may be stale */
    return svs__load_relaxed(&ws->tickets) == svs__load_relaxed(&ws->second) + 1 &&
           svs__load_relaxed(&ws->left_count) && !svs__domain_arrivals(domain) &&
           !svs__domain_is_fed(domain);
}

/* Whether a window may be made while another one is open, and at least `candidates` candidates wait
 * for it (sched.W2). */
static bool may_make_ahead(svs__domain *domain, uint32_t candidates) {
    svs__windows *ws = svs__windows_of(domain);
    return has_others(domain) && svs__ticket_may_come_early(domain) &&
           svs__load_relaxed(&ws->runs_window) && !svs__load_relaxed(&domain->pending.count) &&
           !rests(domain) &&
           svs__load_relaxed(&ws->left_count) + svs__domain_arrivals(domain) >= candidates;
}

static bool makes_ahead(svs__domain *domain) {
    return may_make_ahead(domain, has_rest_of_halves(domain) ? 1 : SVS__WINDOW_AHEAD);
}

/* While there are instances to claim, at most 1 + workers / EARLY_EACH windows are ahead. */
#define EARLY_EACH 4u

/* Whether making takes longer than the bodies, so that one worker can run windows while the others
 * make some. */
static bool makes_longer_than_it_runs(svs__domain *domain) {
    uint64_t body_ns = svs__pace_body_ns(domain);
    /* relaxed is enough: it is an estimate. */
    return body_ns * (domain->env->threads - 1) <=
           svs__load_relaxed(&svs__pace_of(domain)->make_ns);
}

/* Whether the worker makes a window although there are instances to claim, which other workers run
 * in the meantime. It does so only if few windows are ahead, and enough candidates wait for a full
 * one. If making takes longer than the bodies, any worker does: so each worker runs the window that
 * it has made, whose objects are in its caches. Otherwise only the maker of the last window does.
 * No worker does while another domain waits for the end of the stage. (If there is nothing to
 * claim, any worker makes the next window.) */
static bool makes_early(svs__domain *domain, const svs__worker *worker) {
    return has_others(domain) && (made_last(domain, worker) || makes_longer_than_it_runs(domain)) &&
           svs__tickets_ahead(svs__windows_of(domain)) < 1 + domain->env->threads / EARLY_EACH &&
           svs__stage_has_unclaimed(domain, NULL) && may_make_ahead(domain, SVS__WINDOW_MAX) &&
           !svs__admission_lease_is_wanted(domain->env->admission) && !svs__window_is_light(domain);
}

/* Whether a step might find work, as in a staged domain. */
static bool is_ready(svs__domain *domain) {
    if (svs__stage_has_unclaimed(domain, NULL) || svs__chunks_are_offered(domain)) return true;
    if (svs__lock_is_held(&domain->lock)) return false;
    if (svs__load_acquire(&domain->stage.left)) return makes_ahead(domain);
    return has_work(domain);
}

/* [sched.W8] */
static void end_alone(svs__domain *domain, const svs__worker *worker) {
    if (svs__window_end_alone(domain, worker) && is_ready(domain))
        svs__runtime_notify(domain->env->world->runtime, domain->env->threads - 1);
}

/* Searches for work. The caller holds the domain's lock. */
static work find(svs__domain *domain, svs_context *context, svs__window **w) {
    if (!svs__load_acquire(&domain->stage.left)) return find_when_free(domain, context, w);
    *w = makes_ahead(domain) ? svs__ticket_take(domain, context) : NULL;
    return *w ? TICKET : NOTHING;
}

/* ---- serial runs ---- */

/* Whether the domain's next items may run in a serial run (sched.W10). The explorer measures
 * nothing; there the schedule decides. */
static bool goes_serially(svs__domain *domain, const svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
#if defined(SVS_EXPLORE)
    bool light = context->steps % 2 != 0;
#else
    bool light = svs__window_is_light(domain);
    (void)context;
#endif
    return light && !ws->in_order && !svs__load_relaxed(&ws->serial_rests) &&
           !svs__load_relaxed(&domain->pending.count) && !rests(domain) && !svs__window_next(ws) &&
           !svs__load_acquire(&domain->stage.left) && svs__domain_is_fed(domain);
}

static bool run_serially(svs__domain *domain, svs_context *context) {
    bool ran;
    if (has_others(domain)) svs__window_begin_alone(domain, context->worker);
    ran = svs__window_run_serially(domain, context);
    if (ran) note_maker(domain, context->worker);
    else end_alone(domain, context->worker);
    return ran;
}

/* ---- the algorithm ---- */

/* Makes the next stage or window, and opens it. Of shared instances it runs some. */
static bool make_and_run(svs__domain *domain, svs_context *context) {
    svs__window *w;
    work found;
    if (svs__load_acquire(&domain->stage.left) ? !makes_ahead(domain) : !has_work(domain))
        return false;
    if (leaves_making(domain, context->worker)) return false;
    if (goes_serially(domain, context) && run_serially(domain, context)) return true;
    if (!svs__lock_try(&domain->lock)) return false;
    found = find(domain, context, &w);
    svs__lock_release(&domain->lock);
    if (found == NOTHING) return false;
    note_maker(domain, context->worker);
    if (found == TICKET) svs__window_make(domain, context, w);
    if (found == STAGE) {
        end_alone(domain, context->worker);
        svs__stage_leave(domain, context, 1); /* the maker's share (sched.P2) */
        (void)svs__stage_run_some(domain, context);
        return true;
    }
    (void)open_and_run(domain, context);
    return true;
}

/* Whether there is more work for a worker that runs alone. It waits a short time for items from
 * outside: if it left the domain after each serial run, another worker would search there for work,
 * in vain. */
static bool has_more(svs__domain *domain, const svs_context *context, svs__attention *a) {
    if (a->count) return svs__attention_wait(a, domain, context);
    /* relaxed is enough: it may be stale */
    return !svs__load_relaxed(&domain->env->prioritized) && has_work(domain);
}

/* Runs the open window, and those that come after it, alone. */
static void go_on(svs__domain *domain, svs_context *context) {
    uint64_t begin = context->statistics.instances, begin_ns = svs__time_ns();
    svs__attention a;
    svs__attention_begin(&a, domain, context);
    do run_light(domain, context);
    while (context->statistics.instances - begin < STEP_MAX &&
           svs__time_ns() - begin_ns < STEP_NS && !context->claimed.count &&
           svs__window_is_light(domain) && has_more(domain, context, &a) &&
           make_and_run(domain, context) && svs__window_is_alone(domain, context->worker));
    svs__attention_end(&a, domain);
}

/* [sched.W8] Whatever a step does may have opened a window of light instances. */
static bool run_alone(svs__domain *domain, svs_context *context, bool ran) {
    if (!svs__window_is_alone(domain, context->worker)) return ran;
    if (ran) go_on(domain, context);
    end_alone(domain, context->worker);
    return ran;
}

static bool run_claimed(svs__domain *domain, svs_context *context) {
    return run_alone(domain, context, claim_and_run(domain, context));
}

static bool step_some(svs__domain *domain, svs_context *context) {
    if (makes_early(domain, context->worker) && make_and_run(domain, context)) return true;
    if (claim_and_run(domain, context)) return true;
    if (leaves_making(domain, context->worker)) return false;
    if (!svs__load_acquire(&domain->stage.left) && open_and_run(domain, context)) return true;
    return make_and_run(domain, context);
}

/* Steps the domain. If no stage is open afterwards, its tasks may have ended, so that its memory
 * can be given back. */
static bool step(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->env, worker);
    SVS__ASSERT(!svs__window_is_alone(domain, worker)); /* sched.W8 */
    context->worker = worker;
    if (stays_away(domain, worker)) return false;
    if (!run_alone(domain, context, step_some(domain, context))) return false;
    /* relaxed is enough: it may be stale */
    if (!svs__load_relaxed(&domain->stage.left)) svs__windows_rest(domain);
    return true;
}

/* Whether a step might find work. While a worker runs alone, the answer for others is no: that
 * worker checks again before it sleeps. */
static bool ready(svs__domain *domain) {
    return !svs__load_relaxed(&svs__windows_of(domain)->alone) && is_ready(domain);
}

/* Whether sent items stay with the worker that runs alone: not before a body was measured. */
static bool stays(svs__domain *domain) {
    return svs__pace_body_ns(domain) != UINT32_MAX && svs__window_is_light(domain);
}

/* The pace at which the costs of a task's instances were measured: alone, or, if they never ran
 * alone, together with those of other tasks. */
static svs__pace *measured_of(const svs__domain *domain, const svs_task *task) {
    svs__pace *pace = (svs__pace *)(uintptr_t)&task->pace;
    /* relaxed is enough: it is an estimate */
    return svs__load_relaxed(&pace->body_ns) == UINT32_MAX ? &svs__windows_of(domain)->mixed : pace;
}

static uint32_t body_ns(const svs__domain *domain, const svs_task *task) {
    /* relaxed is enough: it is an estimate */
    return svs__load_relaxed(&measured_of(domain, task)->body_ns);
}

/* Gets the costs of instances of a task. Items sent before a run and items sent during a run are
 * measured separately; the latter count if they were measured. */
static bool costs(const svs__domain *domain, const svs_task *task, svs__costs *costs) {
    svs__pace *pace;
    const svs__light *l;
    if (!svs__windows_of(domain)) return false;
    pace = measured_of(domain, task);
    l = &pace->light[svs__light_is_known(&pace->light[1])];
    costs->alone = l->preferred == SVS__ALONE;
    costs->body = svs__load_relaxed(&pace->body_ns); /* relaxed is enough: the graph does not run */
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
    .comes_soon = svs__window_comes_soon, .stays = stays, .body_ns = body_ns, .costs = costs,      \
    .in_stages = true, .repeats = true

const svs__algorithm svs__windowed = {.name = "windowed", .new = new_windows, OF_WINDOWS};
const svs__algorithm svs__in_order = {.name = "in order", .new = new_in_order, OF_WINDOWS};
