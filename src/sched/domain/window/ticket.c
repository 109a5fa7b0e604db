#include "sched/domain/window/ticket.h"

#include "base/check.h"
#include "base/platform.h"
#include "sched/domain/queue/inbox.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/left.h"
#include "sched/domain/window/parts.h"
#include "sched/domain/window/serial.h"

/* ---- when a ticket may be taken ---- */

/* The most windows that are made and not opened: no more than there are workers, since each takes
 * 0.3 MB, and one if there are priorities, so that an urgent item waits for few others. The number
 * has no influence on the windows (sched.W16). */
static uint32_t most_ahead(const svs__domain *domain) {
    /* relaxed is enough: a new priority may take effect one step later */
    if (SVS__UNLIKELY(svs__load_relaxed(&domain->env->prioritized))) return 1;
    return domain->env->threads < SVS__WINDOWS ? domain->env->threads : SVS__WINDOWS;
}

/* Whether the next window is the second half of one that was divided. The answer may be stale, but
 * not with the domain's lock. */
static bool is_second_half(svs__windows *ws) {
    /* relaxed is enough for both: the lock is held, or they may be stale */
    return svs__load_relaxed(&ws->second) == svs__load_relaxed(&ws->tickets);
}

/* Whether the arrivals and `left` other items are enough for a window that gathers nothing.
 * `conflicts`: conflicts are likely, so that it may be halved; not if more items may arrive. */
static bool are_enough(svs__domain *domain, uint32_t left, bool conflicts) {
    uint32_t arrivals = svs__domain_arrivals(domain);
    uint64_t waiting = arrivals + (uint64_t)left;
    return waiting > SVS__WINDOW_MOST ||
           (waiting > SVS__WINDOW_HALVED && conflicts && !svs__domain_is_fed(domain)) ||
           (arrivals && is_second_half(svs__windows_of(domain)));
}

bool svs__ticket_is_due(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    return svs__tickets_ahead(ws) < most_ahead(domain) &&
           (!svs__window_is_making(domain) ||
            (!ws->in_order && !domain->env->watched && !svs__load_relaxed(&ws->walks) &&
             are_enough(domain, 0, true)));
}

bool svs__ticket_may_come_early(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    return !ws->in_order && !svs__load_relaxed(&ws->walks) && svs__ticket_is_due(domain);
}

/* If a list has this many items, windows gather until these have run. So few items are left over,
 * each of which keeps the memory of a batch. */
#define LEFT_EACH (SVS__LEFT_MAX / SVS__WINDOWS)

static bool is_made(svs__windows *ws, uint32_t number) {
    /* acquire, both: the caller sees what the window has left over. */
    return (int32_t)(svs__load_acquire(&ws->opened) - number) > 0 ||
           svs__load_acquire(&ws->made[number % SVS__WINDOWS]);
}

/* Whether one of the windows directly before window `number` has gathered. */
static bool gathered_lately(const svs__windows *ws, uint32_t number) {
    return number - ws->gathered < SVS__WINDOWS;
}

/* [sched.W17] Whether window `number` is independent of those directly before it. If one of these
 * has gathered, it must be made. Window 0 is not, so that those after it know what it has met. */
static bool is_independent(svs__domain *domain, uint32_t number) {
    const svs__windows *ws = svs__windows_of(domain);
    uint32_t at = number % SVS__WINDOWS, left = ws->memory->left[at].count;
    if (gathered_lately(ws, number)) left += ws->memory->left[ws->gathered % SVS__WINDOWS].count;
    return number && !ws->in_order && !ws->told[at].walks && !ws->told[at].rests &&
           left < LEFT_EACH &&
           are_enough(domain, ws->memory->left[at].count, ws->told[at].conflicts);
}

/* [sched.W14] Decides what the window does with walked candidates. `meets`: they are expected. */
static void plan_walks(svs__windows *ws, svs__window *w, bool meets) {
    uint32_t unleased = svs__load_relaxed(&ws->unleased); /* relaxed is enough: it may be stale */
    w->may_walk = !unleased && !ws->in_order;
    w->takes_walks = w->may_walk && meets;
    w->quiet = ws->in_order || w->takes_walks;
}

/* Whether the ticket may be taken at this moment; if the window is a quiet one, the caller owns the
 * stage now. In order, the open window may return instances, which come before those of the next
 * one (sched.W11). A walked window is made while no body runs, and is the only one that is made
 * until it has ended, because its stages may be made again (sched.W14). */
static bool may_begin(svs__domain *domain, const svs__window *w) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t none = 0;
    /* acquire: pairs with the release in close_window() */
    if (!w->quiet) return !svs__load_acquire(&ws->walked);
    if (svs__tickets_ahead(ws) || !svs__cas_strong_acq_rel(&domain->stage.left, &none, 1))
        return false;
    if (!svs__tickets_ahead(ws)) return true;
    svs__store_release(&domain->stage.left, 0); /* release: as at the end of a stage */
    return false;
}

/* ---- taking it ---- */

/* The most candidates of the window: all that wait, if these are at most SVS__WINDOW_MOST, or one
 * half of them (sched.W19). Window 0 is short, because it may end at its first candidate, if that
 * one is walked (sched.W14). */
static uint32_t most_of(svs__domain *domain, const svs__window *w, uint32_t left, bool gathers) {
    svs__windows *ws = svs__windows_of(domain);
    uint64_t waiting = (uint64_t)left + svs__domain_arrivals(domain);
    if (svs__window_is_trial(domain)) return SVS__TRIAL_WINDOW;
    if (!w->number && waiting > SVS__WINDOW_MOST) return SVS__WINDOW_FIRST;
    if (waiting > SVS__WINDOW_MOST) return SVS__WINDOW_MAX;
    if (gathers || is_second_half(ws) || waiting <= SVS__WINDOW_HALVED) return SVS__WINDOW_MOST;
    svs__store_relaxed(&ws->second, w->number + 1); /* relaxed is enough: the lock is held */
    return (uint32_t)(waiting + 1) / 2;
}

/* Takes adjacent arrivals. If they are generated, they are made when the window is, without the
 * lock. */
static void take_row(svs__domain *domain, svs__window *w, svs__row *a, uint32_t most) {
    svs__generated *make = &w->to_make[w->to_make_count];
    bool room = w->to_make_count < SVS__TO_MAKE;
    a->count = svs__domain_take_items(domain, most, &a->first, room ? make : NULL);
    a->to_make = room && make->function ? ++w->to_make_count : 0;
}

static void take_arrivals(svs__domain *domain, svs__window *w, uint32_t most) {
    svs__row *a = w->arrivals;
    w->to_make_count = 0;
    while (w->candidates < most) {
        take_row(domain, w, a, most - w->candidates);
        if (!a->count) break;
        w->candidates += a++->count;
    }
    w->arrival_count = (uint32_t)(a - w->arrivals);
}

static void take_candidates(svs__domain *domain, svs__window *w, bool gathers) {
    svs__windows *ws = svs__windows_of(domain);
    svs__left *left = &ws->memory->left[w->number % SVS__WINDOWS];
    if (gathers) svs__left_gather(ws, w->number);
    svs__left_lead(ws, w->number);
    w->candidates = left->count;
    svs__left_count(ws, -(int64_t)left->count);
    take_arrivals(domain, w, most_of(domain, w, left->count, gathers));
    /* `more` depends on other windows only if this one gathers. */
    w->more = !gathers || svs__load_relaxed(&ws->left_count) || svs__domain_has_arrivals(domain);
}

/* Called if there is no window, or no memory for one: windows rest, unless one is about to open. */
static svs__window *rest(svs__windows *ws) {
    if (!svs__tickets_ahead(ws)) svs__store_relaxed(&ws->rest, SVS__WINDOW_REST);
    return NULL;
}

/* Windows rest because too many candidates were not plain. For the stages to repeat (sched.W9), the
 * rest begins when all windows before it, and what is not plain in them, had their turn. */
static svs__window *begin_rest(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    if (!svs__tickets_ahead(ws) && !svs__load_acquire(&domain->stage.left) &&
        !svs__window_deferred_come_first(domain))
        svs__store_relaxed(&ws->rest, SVS__WINDOW_REST);
    return NULL;
}

/* Finds a window that is free. `meets`: as for plan_walks(). @return NULL: there is none, or no
 * memory. */
static svs__window *find_window(svs__domain *domain, bool meets) {
    svs__windows *ws = svs__windows_of(domain);
    svs__window *w = svs__windows_free_one(domain);
    if (!w) return rest(ws);
    plan_walks(ws, w, meets);
    return w->takes_walks && !svs__chunks_make(domain) ? rest(ws) : w;
}

static void count_down(_Atomic(uint32_t) *windows) {
    uint32_t left = svs__load_relaxed(windows); /* relaxed is enough for both: they may be stale */
    if (left) svs__store_relaxed(windows, left - 1);
}

/* What the window before window `number` in its chain has met; if it gathers, the last window. */
static svs__told told_to(const svs__windows *ws, uint32_t number, bool gathers) {
    return ws->told[(gathers ? number - 1 : number) % SVS__WINDOWS];
}

/* Gives the window its candidates. In order, there are none if refused ones must wait among the
 * deferred. @return whether there are any. */
static bool fill(svs__domain *domain, svs_context *context, svs__window *w, bool *gathers) {
    svs__left_take_returned(domain, context);
    w->candidates = 0;
    if (!svs__window_waits_for_deferred(domain)) take_candidates(domain, w, *gathers);
    /* Without memory, arrivals are made only after items that are left over have run. */
    if (SVS__UNLIKELY(!w->candidates && !*gathers) && !svs__window_is_making(domain)) {
        *gathers = true;
        take_candidates(domain, w, true);
    }
    if (!w->candidates && w->quiet)
        svs__store_release(&domain->stage.left, 0); /* release: as at the end of a stage */
    return w->candidates;
}

static void count(svs__domain *domain, svs__window *w) {
    svs__windows *ws = svs__windows_of(domain);
    count_down(&ws->serial_rests);
    count_down(&ws->unleased);
    domain->stage.count = domain->stage.offered = 0; /* sched.W2: no such stage is there */
    /* relaxed is enough for all: the lock is held. */
    svs__store_relaxed(&w->used, 1);
    if (w->takes_walks) svs__store_relaxed(&ws->walked, 1);
    (void)svs__fetch_add_relaxed(&ws->makers, 1);
    svs__store_relaxed(&ws->tickets, w->number + 1);
}

svs__window *svs__ticket_take(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t number = svs__load_relaxed(&ws->tickets); /* relaxed is enough: the lock is held */
    svs__told told;
    svs__window *w;
    bool gathers;
    SVS__ASSERT(svs__lock_is_held(&domain->lock)); /* sched.W16 */
    if (svs__window_waits_for_deferred(domain) ||
        (!svs__window_has_left(domain) && !svs__domain_has_arrivals(domain)))
        return NULL;
    /* acquire: what window `number` - SVS__WINDOWS has left over (sched.W16) */
    if (number - svs__load_acquire(&ws->opened) >= most_ahead(domain)) return NULL;
    if (!svs__windows_make_memory(domain)) return rest(ws);
    if (gathered_lately(ws, number) && !is_made(ws, ws->gathered)) return NULL;
    gathers = !is_independent(domain, number);
    /* In a watched run one worker at a time calls touch functions. */
    if ((gathers || domain->env->watched) && svs__window_is_making(domain)) return NULL;
    told = told_to(ws, number, gathers);
    if (told.rests) return begin_rest(domain);
    w = find_window(domain, told.walks);
    if (!w) return NULL;
    w->number = number;
    if (!may_begin(domain, w) || !fill(domain, context, w, &gathers)) return NULL;
    if (gathers) ws->gathered = number;
    count(domain, w);
    return w;
}
