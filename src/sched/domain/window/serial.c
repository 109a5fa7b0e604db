/* A serial run takes the items that are left over first, beginning with the last one, and then
 * arrivals. It ends after as many instances as a window has; or when only a few items from outside
 * wait, so that more can gather (window/attention.h); or when the return of the lease is wanted, an
 * instance keeps its set (sched.A9), an item may not run in a serial run, the instances are no
 * longer light, or the worker's turn is over. Its instances are retired after the lease was
 * returned, because the last of them may end the iteration. */
#include "sched/domain/window/serial.h"

#include "base/check.h"
#include "base/platform.h"
#include "sched/admission/lease.h"
#include "sched/admission/memory.h"
#include "sched/domain/observe/seen.h"
#include "sched/domain/window/attention.h"
#include "sched/domain/window/keys.h"
#include "sched/domain/window/left.h"
#include "sched/domain/window/parts.h"

void svs__window_note_walks(svs__domain *domain, bool walks) {
    svs__windows *ws = svs__windows_of(domain);
    walks = walks && !ws->in_order && svs__domain_is_fed(domain);
    /* relaxed is enough for both: a hint, which workers read far more often than it changes */
    if (svs__load_relaxed(&ws->serial_runs_walk) != walks)
        svs__store_relaxed(&ws->serial_runs_walk, walks);
}

#define PARTS 64u /* the maximum number of batches of a serial run */
#define RESTS 8u  /* number of windows to make after an item that may not run in a serial run */
#define MEASURED_OF 8u
#if defined(SVS_EXPLORE)
#define PIECE 2u
#define FEW 2u
#else
#define PIECE SVS__KEYED /* number of items that are checked together */
#define FEW 64u          /* fewer items from outside than this are left, so that more gather */
#endif
/* the maximum number of items checked together if one is walked, so that no other hold waits long
 * for the lease */
#define WALKED 32u
/* the maximum time of the bodies that run between two checks, for the same reason */
#define SOME_NS 16000u
/* after this time, a first serial run can estimate the time of its bodies */
#define GUESS_NS 20000u

typedef struct serial_run {
    svs__domain *domain;
    svs_context *context;
    svs__window_part parts[PARTS]; /* the instances that have run, by batch */
    uint32_t part_count, ran;
    uint64_t begun_ns;
    bool over;
    bool collects; /* the items of the row were few, and more are being sent */
    bool walks;    /* an item of the last piece was walked */
    bool in_row;   /* the items are adjacent in memory */
    void *items[PIECE];
    uint32_t count;
    /* the row: items after those of the piece, taken together with them from one batch */
    char *row;
    uint32_t row_count;
    uint32_t item_bytes; /* distance between two items of the row */
} serial_run;

/* ---- taking items; the domain's lock is held ---- */

/* Takes the next piece of the row. */
static uint32_t take_of_row(serial_run *l) {
    uint32_t count = l->row_count < PIECE ? l->row_count : PIECE;
    for (uint32_t i = 0; i < count; i++, l->row += l->item_bytes) l->items[i] = l->row;
    l->row_count -= count;
    return count;
}

/* Takes a row of arrivals. If a serial run took each few items as soon as they arrive, it would
 * keep senders waiting for the inbox. */
static uint32_t take_arrivals(serial_run *l) {
    svs__batch *batch;
    void *first;
    if (l->ran && svs__domain_has_few_from_outside(l->domain, FEW)) return 0;
    l->row_count = svs__domain_take_items(l->domain, SVS__WINDOW_MAX - l->ran, &first, NULL);
    if (!l->row_count) return 0;
    l->row = first;
    batch = svs__batch_of(first);
    l->item_bytes = batch->item_bytes;
    l->collects = svs__attention_may_collect(batch->task, l->row_count);
    return take_of_row(l);
}

/* Takes more items. If another worker has the lock, it takes none. */
static void take_more(serial_run *l) {
    if (!svs__lock_try(&l->domain->lock)) return;
    if (svs__windows_make_memory(l->domain)) { /* for items that are given back */
        l->count = svs__left_take(svs__windows_of(l->domain), l->items, PIECE);
        l->in_row = !l->count;
        if (l->in_row) l->count = take_arrivals(l);
    }
    svs__lock_release(&l->domain->lock);
}

/* Gives back the items of the piece that begin with number `i`, and those of the row: they lead a
 * window. */
static void give_back(serial_run *l, uint32_t i, uint32_t rests) {
    svs__windows *ws = svs__windows_of(l->domain);
    svs__lock_acquire(&l->domain->lock);
    for (; i < l->count; i++) svs__left_put_back(ws, l->items[i]);
    for (; l->row_count; l->row_count--, l->row += l->item_bytes) svs__left_put_back(ws, l->row);
    /* relaxed is enough: as for left_count */
    if (rests) svs__store_relaxed(&ws->serial_rests, rests);
    svs__lock_release(&l->domain->lock);
    l->over = true;
}

/* Takes the next piece. @return whether there is one that may run. */
static bool take(serial_run *l) {
    l->count = take_of_row(l);
    if (l->count) return true;
    if (l->collects) svs__attention_collect(l->domain);
    l->collects = false;
    take_more(l);
    if (!l->count) return false;
    if (svs__admission_lease_is_alone(l->domain->env->admission)) return true; /* sched.W10 */
    give_back(l, 0, 0);
    return false;
}

/* ---- running ---- */

/* Checks the items of the piece that begin with number `i`. @return how many of them may run
 * (sched.W10). */
static uint32_t look(serial_run *l, uint32_t i) {
    svs_context *context = l->context;
    uint32_t n = 0;
    context->freed = svs__freed_last(context->set.world); /* read before the check */
    if (!l->walks && svs__window_are_plain(context, l->items + i, l->count - i))
        return l->count - i;
    l->walks = false;
    for (; i + n < l->count && n < WALKED; n++) {
        svs__sight sight = svs__window_look(context, l->items[i + n]);
        if (sight == SVS__SIGHT_ODD) break;
        l->walks |= sight != SVS__SIGHT_PLAIN;
        if (sight == SVS__SIGHT_OF_LINKS) return n ? n : 1;
    }
    return n;
}

/* Runs `count` items that begin with number `i`. One of MEASURED_OF pieces is measured. */
static uint32_t run_some(serial_run *l, uint32_t i, uint32_t count, const svs_task *task) {
    svs_context *context = l->context;
    bool measured = l->part_count % MEASURED_OF == 0;
    uint64_t begin = measured ? svs__time_ns() : 0;
    uint32_t ran;
    SVS__ASSERT(svs__load_relaxed(&l->domain->stage.left) == 1 && /* sched.W10 */
                l->domain->stage.hold.lease);
    /* relaxed is enough: it is an estimate */
    context->between = svs__load_relaxed(&l->domain->stage.between);
    context->in_serial_run = true;
    context->serial_goes_on = l->ran + i != 0;
    context->in_row = l->in_row;
    context->serial_ends = false;
    ran = svs__instances_run(context, l->items + i, count, task);
    context->in_serial_run = false;
    if (measured) svs__pace_measure(l->domain, context, svs__time_ns() - begin, ran);
    return ran;
}

/* Estimates the time of bodies in the first serial run at its pace, which begins before any body
 * was measured. @return whether the serial run must end, because the bodies are long. */
static bool guesses_long(const serial_run *l, uint32_t ran) {
    uint64_t ns;
    if (SVS__LIKELY(svs__pace_body_ns(l->domain) != UINT32_MAX) || !l->begun_ns) return false;
    ns = svs__time_ns() - l->begun_ns;
    if (ns < GUESS_NS) return false;
    svs__pace_guess(svs__pace_of(l->domain), ns / ran);
    return true;
}

/* Whether the serial run must end after its first `ran` items, even in the middle of a piece. */
static bool is_over(const serial_run *l, uint32_t ran) {
    const svs__worker *worker = l->context->worker;
    return l->context->serial_ends || guesses_long(l, ran) ||
           svs__admission_lease_is_wanted(l->domain->env->admission) ||
           svs__jobs_turn_is_over(&worker->runtime->jobs, worker);
}

/* The number of items that run between two checks of is_over(): few if bodies are long, because
 * other holds wait for the lease. */
static uint32_t most_of(const serial_run *l) {
#if defined(SVS_EXPLORE)
    (void)l;
    return PIECE;
#else
    uint64_t body_ns = svs__pace_body_ns(l->domain);
    return body_ns <= SOME_NS / PIECE ? PIECE
           : body_ns <= SOME_NS       ? (uint32_t)(SOME_NS / body_ns)
                                      : 1;
#endif
}

/* Runs `count` checked items that begin with number `i`, or fewer. @return the number of the first
 * item that has not run. */
static uint32_t run_looked(serial_run *l, uint32_t i, uint32_t count, const svs_task *task) {
    uint32_t end = i + count, some, ran;
    while (i < end && !l->over) {
        some = most_of(l);
        if (some > end - i) some = end - i;
        ran = run_some(l, i, some, task);
        i += ran;
        if (i < l->count && is_over(l, l->ran + i)) give_back(l, i, 0);
        else if (ran < some || svs__freed_last(l->context->set.world) != l->context->freed) break;
    }
    return i;
}

/* The run goes on with items of `task`. If they are light and of another task than those before,
 * they are measured together with them. @return whether they are light. */
static bool goes_on_with(const serial_run *l, svs_task *task) {
    svs__domain *domain = l->domain;
    const svs__pace *present = svs__pace_of(domain);
    bool light;
    if (present == &task->pace || present == &svs__windows_of(domain)->mixed) return true;
    light = svs__pace_is_light(domain, &task->pace, l->count + l->row_count);
    if (!l->ran) svs__pace_set(domain, task);
    else if (light) svs__pace_set(domain, NULL);
    return light;
}

static void run_piece(serial_run *l) {
    svs_task *task = svs__item_task(l->items[0]);
    uint32_t i = 0, count;
    if (!goes_on_with(l, task)) give_back(l, 0, 0);
    while (i < l->count && !l->over) {
        count = look(l, i);
        if (count) i = run_looked(l, i, count, task);
        else give_back(l, i, RESTS);
    }
    if (i) l->parts[l->part_count++] = (svs__window_part){svs__batch_of(l->items[0]), i};
    l->ran += i;
}

/* ---- the whole ---- */

static bool begin(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t none = 0;
    if (!svs__cas_strong_acq_rel(&domain->stage.left, &none, 1)) return false;
    SVS__ASSERT(!ws->open); /* sched.W3 */
    if (!ws->lease_rests && !svs__window_next(ws) &&
        svs__admission_lease(domain->env->admission, &domain->stage.hold))
        return true;
    /* release: the next owner sees the writes of this one. */
    svs__store_release(&domain->stage.left, 0);
    return false;
}

static void end(serial_run *l) {
    svs__domain *domain = l->domain;
    if (svs__admission_lease_is_wanted(domain->env->admission))
        svs__windows_of(domain)->lease_rests = true;
    svs__env_wake(domain->env, svs__admission_release(domain->env->admission, &domain->stage.hold));
    if (l->ran) svs__window_note_walks(domain, l->walks);
    if (l->ran && l->begun_ns)
        svs__pace_note_ended(domain, svs__pace_light(domain), SVS__ALONE, l->begun_ns, l->ran);
    /* release: the next owner sees the writes of this one. */
    svs__store_release(&domain->stage.left, 0);
    if (SVS__UNLIKELY(domain->env->seen.any)) svs__seen_close(l->context); /* hooks.O6 */
    for (uint32_t i = 0; i < l->part_count; i++)
        svs__records_retire_of(l->context, l->parts[i].batch, l->parts[i].count);
    svs__window_tell_free(domain, l->context->worker);
}

bool svs__window_run_serially(svs__domain *domain, svs_context *context) {
    svs__admission *a = domain->env->admission;
    serial_run l;
    if (!begin(domain)) return false;
    l.domain = domain;
    l.context = context;
    l.part_count = l.ran = l.count = l.row_count = 0;
    l.begun_ns = domain->env->threads > 1 ? svs__time_ns() : 0;
    l.over = l.collects = false;
    /* relaxed is enough: a stale value does no harm */
    l.walks = svs__load_relaxed(&svs__windows_of(domain)->serial_runs_walk);
    while (!l.over && l.ran < SVS__WINDOW_MAX && l.part_count < PARTS &&
           !svs__admission_lease_is_wanted(a) && !svs__env_cancelled(domain->env) && take(&l))
        run_piece(&l);
    if (l.row_count) give_back(&l, l.count, 0);
    end(&l);
    return l.ran != 0;
}
