/* The owner of the stage opens the stages of windows, and ends them (sched.W3). */
#include "base/check.h"
#include "base/platform.h"
#include "sched/admission/elements.h"
#include "sched/admission/lease.h"
#include "sched/admission/memory.h"
#include "sched/domain/instance/instance.h"
#include "sched/domain/observe/seen.h"
#include "sched/domain/stage/deal.h"
#include "sched/domain/stage/stage.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/parts.h"
#include "sched/domain/window/serial.h"

/* ---- stages that are cut short (sched.W12) ---- */

static void mark(svs__windows *ws, uint32_t begin, uint32_t count) {
    SVS__ASSERT(begin + count <= SVS__WINDOW_MOST); /* sched.W12 */
    /* relaxed is enough for both: the caller leaves the stage afterwards, which publishes the marks
     * to the owner. */
    for (uint32_t i = begin; i < begin + count; i++)
        (void)svs__fetch_or_relaxed(&ws->cut[i / 64], UINT64_C(1) << i % 64);
    svs__store_relaxed(&ws->is_cut, 1);
}

uint32_t svs__window_cut(svs_context *context) {
    svs__claimed *c = &context->claimed;
    svs__domain *domain = c->domain;
    uint32_t given = 0;
    if (!domain->stage.hold.lease || !svs__admission_lease_is_overdue(domain->env->admission))
        return 0;
    /* A piece of another group is given back by the worker that claims it (sched.P8). */
    while (c->count || (!c->group && svs__stage_claim(domain, context->worker, c))) {
        mark(svs__windows_of(domain), c->begin, c->count);
        given += c->count;
        c->count = 0;
    }
    return given;
}

/* Clears the mark of the instance at the place. @return whether it was marked, which means given
 * back. */
static bool take_mark(svs__windows *ws, uint32_t place) {
    _Atomic(uint64_t) *word = &ws->cut[place / 64];
    uint64_t marks = svs__load_relaxed(word), bit = UINT64_C(1) << place % 64;
    /* relaxed is enough for both: only the owner of the stage accesses the marks now (sched.W3). */
    svs__store_relaxed(word, marks & ~bit);
    return marks & bit;
}

uint32_t svs__window_keep_cut(svs__windows *ws) {
    svs__window *w = ws->open;
    uint32_t kept = 0;
    void **items = w->items[w->stage];
    if (SVS__LIKELY(!svs__load_relaxed(&ws->is_cut))) return 0; /* relaxed is enough: as above */
    svs__store_relaxed(&ws->is_cut, 0);
    for (uint32_t i = 0; i < w->count[w->stage]; i++)
        if (take_mark(ws, i)) items[kept++] = items[i];
    SVS__ASSERT(kept); /* sched.W12 */
    w->count[w->stage] = kept;
    return kept;
}

/* ---- dealing: how the instances of a stage come to the workers ---- */

/* A short stage is dealt: each worker claims one piece of it. If all workers are running, the owner
 * claims the first piece when it begins the stage (sched.P5), and the others wait a moment for this
 * begin, because the stage before was short as well. So a stage costs a worker one claim and one
 * leave, and two cache lines move between workers. With many workers, the stage is dealt by worker
 * index (stage/deal.h). */

#if defined(SVS_EXPLORE)
#define WIDE 1u
#define LOOKS 1u
#else
/* number of instances per worker from which a stage is claimed from both ends (sched.P6) */
#define WIDE 64u
/* number of looks for the next stage, which take less time than a search for work */
#define LOOKS 32u
#endif
/* number of instances after which a worker that runs alone checks for other work */
#define WHOLE 256u
/* time of a worker's share in a short stage: dividing it would cost more than it would gain */
#define SHORT_NS 16000u

/* Whether a stage is so short that its instances are dealt out to the workers in fixed pieces. The
 * explorer measures nothing; there the schedule decides. */
static bool is_short(const svs__domain *domain, uint32_t count) {
#if defined(SVS_EXPLORE)
    (void)domain, (void)count;
    return svs__time_ns() / 1000 % 2 != 0; /* in the explorer, time counts steps */
#else
    return count * svs__pace_body_ns(domain) <= (uint64_t)domain->env->threads * SHORT_NS;
#endif
}

/* The number of pieces for each worker, if the stage is dealt; else 0. */
static uint32_t parts_of(svs__domain *domain, uint32_t count) {
    if (domain->env->watched || svs__jobs_crowded(&domain->env->world->runtime->jobs) ||
        !is_short(domain, count))
        return 0;
    /* relaxed is enough: it may be stale */
    return svs__load_relaxed(&svs__windows_of(domain)->makers) ? SVS__DEAL_PARTS : 1;
}

_Static_assert(SVS__WINDOW_MOST <= SVS__DEAL_MOST, "each stage of a window can be dealt");

/* Whether a dealt stage is dealt by worker index. In the explorer, the schedule decides. */
static bool by_index(svs__domain *domain) {
#if defined(SVS_EXPLORE)
    if (svs__time_ns() / 2000 % 2 != 0) return false;
#endif
    return svs__load_acquire(&domain->stage.deal) != NULL;
}

/* Whether all workers are awake, each on a CPU. Otherwise a worker that is woken may take the
 * owner's CPU, and the piece that the owner has claimed would wait. */
static bool all_run(const svs__domain *domain) {
    /* relaxed is enough: the answer may be stale. */
    return !domain->env->few_cpus &&
           !svs__load_relaxed(&domain->env->world->runtime->parking.sleepers);
}

void svs__window_begin_stage(svs__domain *domain, svs_context *context, uint32_t count,
                             void (*end)(svs__domain *domain, svs_context *context)) {
    svs__windows *ws = svs__windows_of(domain);
    const svs__window *w = ws->open;
    svs__stage *stage = &domain->stage;
    /* relaxed is enough for these: stale values do no harm. */
    bool alone = domain->env->threads == 1 || svs__load_relaxed(&ws->alone);
    bool both_ends = !alone && count >= WIDE * domain->env->threads;
    uint32_t parts = alone ? 0 : parts_of(domain, count), pieces = parts * domain->env->threads;
    uint32_t piece = parts ? (count + pieces - 1) / pieces : alone ? WHOLE : 0;
    bool keeps = parts && all_run(domain);
    svs__store_relaxed(&stage->piece, piece);
    svs__store_relaxed(&stage->soon, parts && !domain->env->few_cpus);
    stage->run = w->items[w->stage];
    stage->only = w->only;
    stage->end = end;
    if (parts && by_index(domain)) svs__stage_begin_dealt(domain, context, parts, keeps, count);
    else svs__stage_begin(domain, context, both_ends, keeps ? piece : 0, count);
    if (!alone && count > 1) svs__runtime_notify(domain->env->world->runtime, count - 1);
}

bool svs__window_comes_soon(svs__domain *domain, const svs__worker *worker) {
    svs__stage *stage = &domain->stage;
    /* relaxed is enough for both: stale values do no harm. */
    if (!svs__load_relaxed(&stage->soon) || !svs__load_relaxed(&stage->left)) return false;
    for (uint32_t i = 1;
         !svs__stage_has_unclaimed(domain, worker) && !svs__chunks_are_offered(domain);
         i++, svs__relax())
        if (i == LOOKS) return false;
    return true;
}

/* ---- opening and ending ---- */

static svs__admission *admission_of(const svs__domain *domain) { return domain->env->admission; }

static void give_hold_back(svs__domain *domain) {
    if (!svs__hold_is_empty(&domain->stage.hold))
        svs__env_wake(domain->env,
                      svs__admission_release(admission_of(domain), &domain->stage.hold));
}

/* ---- refused instances ---- */

static const svs__conflict has_changed = {0, SVS_MODE_WRITE, SVS__MET_CHANGE, false};

/* [sched.W7] */
static void return_to(svs__domain *domain, void *item, const svs__conflict *met) {
    svs__windows *ws = svs__windows_of(domain);
    svs__record *record = svs__record_of(item);
    svs__record *first = svs__load_relaxed(&ws->returned);
    svs__window_uncount(ws->open, item);
    record->blocked_key = met->key;
    record->blocked = svs__record_blocked(met->met, met->mode);
    do {
        record->next = first;
        /* release: publishes the record; pairs with the acquire in returned_of(). */
    } while (!svs__cas_weak_release(&ws->returned, &first, record));
}

/* ---- holding a stage ---- */

/* Called when the return of the lease is wanted: the stages of this window and of the next one are
 * admitted by their elements. */
static void return_lease(svs__domain *domain) {
    give_hold_back(domain);
    svs__windows_of(domain)->lease_rests = true;
}

/* number of windows without walked candidates after a window without the lease */
#define UNLEASED 8u

static void ask_for_lease(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    if (ws->lease_rests || !svs__admission_lease(admission_of(domain), &domain->stage.hold))
        /* relaxed is enough: a stale value does no harm */
        svs__store_relaxed(&ws->unleased, UNLEASED);
    ws->lease_rests = false;
}

/* Whether the stage, without the lease, is admitted with these elements as well. */
static bool is_admitted(svs__domain *domain, const svs__element *elements, uint32_t count,
                        svs__conflict *met) {
    svs__hold *hold = &domain->stage.hold;
    return hold->lease ||
           svs__admission_try_elements(admission_of(domain), hold, elements, count, hold, met);
}

/* Admits some instances of a stage by their elements, which were computed after `freed` was the
 * most recently freed object. Those that stay are stored at `into`. @return how many. */
static uint32_t admit(svs__domain *domain, const svs__keyed *k, uintptr_t freed, void *const *items,
                      void **into) {
    svs__admission *a = admission_of(domain);
    svs__hold *hold = &domain->stage.hold;
    bool leased = hold->lease, outdated;
    uint32_t first = 0, kept = 0;
    bool room = leased || !svs__hold_make_room(hold, domain->env->world, SVS__KEYED_ELEMENTS);
    if (!leased && room) svs__admission_begin(a, hold);
    outdated = !room || svs__freed_last(domain->env->world) != freed;
    for (uint32_t i = 0; i < k->count; i++) {
        bool known = k->ends[i] < SVS__WALKED;
        uint32_t end = known ? k->ends[i] : first;
        svs__conflict met = has_changed;
        if (!outdated && known && is_admitted(domain, k->elements + first, end - first, &met))
            into[kept++] = items[i];
        else return_to(domain, items[i], &met);
        first = end;
    }
    if (!leased && room) svs__admission_end(a, hold);
    return kept;
}

/* [sched.W14] Does the same under the lease, in a window with walked candidates: an instance stays
 * if it conflicts with no earlier one of the stage. */
static uint32_t join(svs__domain *domain, const svs__keyed *k, svs__table *table, uintptr_t freed,
                     void *const *items, void **into) {
    void *out[SVS__KEYED], *const *others = items;
    uint32_t kept = 0;
    if (svs__freed_last(domain->env->world) == freed) {
        kept = svs__window_join(table, k, items, into, out);
        others = out;
    }
    for (uint32_t i = kept; i < k->count; i++) return_to(domain, *others++, &has_changed);
    return kept;
}

/* Computes the elements of items of one task, and checks the instances. @return how many stay. */
static uint32_t check_run(svs__domain *domain, svs_context *context, svs__table *table,
                          void *const *items, uint32_t count, void **into) {
    svs__keyed keyed;
    uint32_t kept = 0;
    for (uint32_t done = 0; done < count; done += keyed.count) {
        uintptr_t freed = svs__freed_last(domain->env->world);
        (void)svs__window_keys(&keyed, context, items + done, count - done, table != NULL);
        kept += table ? join(domain, &keyed, table, freed, items + done, into + kept)
                      : admit(domain, &keyed, freed, items + done, into + kept);
    }
    return kept;
}

/* [sched.W6, sched.W7] Computes the elements of a stage again, and checks the instances. An
 * instance that names a freed object is no longer plain; it returns, and the staged algorithm
 * detects the freed object. */
static uint32_t check_elements(svs__domain *domain, svs_context *context, void **items,
                               uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t done = 0, end; done < count; done = end) {
        const svs_task *task = svs__item_task(items[done]);
        for (end = done + 1; end < count && svs__item_task(items[end]) == task;) end++;
        kept += check_run(domain, context, NULL, items + done, end - done, items + kept);
    }
    return kept;
}

/* Puts items, beginning with the first, into a round of chunks. @return how many. */
static uint32_t gather(svs__windows *ws, void *const *items, uint32_t count) {
    uint32_t done = 0, end;
    svs__chunks_begin(ws);
    for (; done < count; done = end) {
        const svs__batch *batch = svs__batch_of(items[done]);
        for (end = done + 1;
             end < count && end - done < SVS__CHUNK && svs__batch_of(items[end]) == batch;)
            end++;
        if (!svs__chunks_add(ws, items + done, end - done)) break;
    }
    return done;
}

static uint32_t check_chunk(svs__domain *domain, svs_context *context, const svs__chunk *chunk,
                            void **into) {
    svs__table *table = &context->table;
    uint32_t done = chunk->keyed.count;
    uint32_t kept = join(domain, &chunk->keyed, table, chunk->freed, chunk->items, into);
    return kept +
           check_run(domain, context, table, chunk->items + done, chunk->count - done, into + kept);
}

/* [sched.W14] Checks the instances of a stage under the lease, in a window with walked candidates:
 * all workers traverse the links once more. */
static uint32_t check_walks(svs__domain *domain, svs_context *context, void **items,
                            uint32_t count) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t bits = ws->open->table_bits, kept = 0;
    uint32_t number = svs__table_begin(&context->table, domain->env->world, bits);
    uint64_t begin = svs__time_ns();
    for (uint32_t done = 0; done < count;) {
        const svs__chunk *chunk;
        done += gather(ws, items + done, count - done);
        svs__chunks_offer(domain);
        while ((chunk = svs__chunks_get(domain, context)) != NULL)
            kept += check_chunk(domain, context, chunk, items + kept);
        svs__chunks_withdraw(domain);
    }
    SVS__ASSERT(context->table.number == number); /* sched.W14: this worker makes no window */
    SVS__ASSERT(!svs__load_relaxed(&ws->makers)); /* sched.W14 */
    context->statistics.quiet_ns += svs__time_ns() - begin;
    return kept;
}

/* [sched.W6] Checks the instances of a stage under the lease, after objects were freed and no link
 * was assigned: the elements are unchanged, but an item may name a freed object. */
static uint32_t check_freed(svs__domain *domain, svs_context *context, void **items,
                            uint32_t count) {
    uint32_t kept = 0;
    if (svs__windows_of(domain)->open->only && svs__window_are_plain(context, items, count))
        return count;
    for (uint32_t i = 0; i < count; i++)
        if (svs__window_look(context, items[i]) != SVS__SIGHT_ODD) items[kept++] = items[i];
        else return_to(domain, items[i], &has_changed);
    return kept;
}

/* Checks the instances of a stage that is about to open. @return how many stay in it. */
static uint32_t check(svs__domain *domain, svs_context *context, void **items, uint32_t count) {
    const svs_world *world = domain->env->world;
    const svs__window *w = svs__windows_of(domain)->open;
    if (!domain->stage.hold.lease) return check_elements(domain, context, items, count);
    if (w->walks && svs__world_assigned(world) != w->assigned)
        return check_walks(domain, context, items, count);
    return svs__freed_last(world) == w->freed ? count : check_freed(domain, context, items, count);
}

/* [sched.W11] Returns the instances of all later stages of the window, because they must come after
 * the refused ones. */
static void return_rest(svs__domain *domain) {
    svs__window *w = svs__windows_of(domain)->open;
    for (uint32_t c = w->stage + 1; c < w->stages; c++)
        for (uint32_t i = 0; i < w->count[c]; i++) return_to(domain, w->items[c][i], &has_changed);
    w->stages = w->stage + 1;
}

/* ---- opening ---- */

static void end_of_stage(svs__domain *domain, svs_context *context);

/* Lets workers claim the first `count` instances of the window's stage. */
static void offer(svs__domain *domain, svs_context *context, uint32_t count) {
    const svs__window *w = svs__windows_of(domain)->open;
    svs_graph_statistics *statistics = &context->statistics;
    statistics->stages++;
    statistics->staged_instances += count;
    if (count > statistics->width_max) statistics->width_max = count;
    if (SVS__UNLIKELY(context->env->seen.any))
        svs__seen_tell_stage(context, SVS__SEEN_WINDOW_STAGE, w->items[w->stage][0], count);
    svs__window_begin_stage(domain, context, count, end_of_stage);
}

/* Opens the next stage of the window that has an instance. @return whether there was one. */
static bool open_stage(svs__domain *domain, svs_context *context) {
    svs__window *w = svs__windows_of(domain)->open;
    for (; w->stage < w->stages; w->stage++) {
        uint32_t count;
        if (domain->stage.hold.lease && svs__admission_lease_is_wanted(admission_of(domain)))
            return_lease(domain);
        count = check(domain, context, w->items[w->stage], w->count[w->stage]);
        if (count < w->count[w->stage] && svs__windows_of(domain)->in_order) return_rest(domain);
        if (count) {
            offer(domain, context, count);
            return true;
        }
    }
    return false;
}

static void retire(svs_context *context, svs__window_part part) {
    if (part.count) svs__records_retire_of(context, part.batch, part.count);
}

/* Ends the open window, whose instances have ended. The last of them may end the iteration, and so
 * begin the next one: the window is free before that. */
static void close_window(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    svs__window *w = ws->open;
    svs__window_part last = {NULL, 0};
    uint32_t ran = 0;
    give_hold_back(domain);
    for (uint32_t i = 0; i < w->part_count; i++) ran += w->parts[i].count;
    if (w->begun_ns && ran) svs__pace_note_ended(domain, w->light, w->way, w->begun_ns, ran);
    for (uint32_t i = 0; i < w->part_count; i++) {
        retire(context, last);
        last = w->parts[i];
    }
    ws->open = NULL;
    /* release, both: the next tickets come after what the window has returned (sched.W14), and
     * after its last use (sched.W5). */
    if (w->takes_walks) svs__store_release(&ws->walked, 0);
    svs__store_release(&w->used, 0);
    retire(context, last);
}

/* Whether another domain has the lease. If so, `next` waits for a release. */
static bool waits(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    uint64_t epoch = svs__admission_epoch(admission_of(domain));
    bool leased = !domain->stage.hold.lease &&
                  svs__admission_is_leased(admission_of(domain), &domain->stage.hold);
    if (leased != ws->waits) svs__admission_await(admission_of(domain), leased);
    ws->waits = leased;
    svs__store_relaxed(&ws->wait_epoch, leased ? epoch : UINT64_MAX);
    return leased;
}

/* Takes the window that is opened next. */
static svs__window *take_next(svs__windows *ws) {
    /* relaxed is enough for all but the last: only the owner writes `opened`, and an entry that a
     * maker has filled in. The owner has found it filled in by svs__window_may_open(). */
    uint32_t number = svs__load_relaxed(&ws->opened);
    _Atomic(uintptr_t) *made = &ws->made[number % SVS__WINDOWS];
    svs__window *w = (svs__window *)svs__load_acquire(made);
    SVS__ASSERT(w && w->number == number); /* sched.W3, sched.W4 */
    svs__store_relaxed(made, 0);
    /* release: pairs with the load of a ticket, whose maker fills in the entry again (sched.W5). */
    svs__store_release(&ws->opened, number + 1);
    return w;
}

/* Light instances stay with the worker that opens their window (sched.W8), but not before a body
 * was measured. */
static void choose_way(svs__domain *domain, const svs__worker *worker, svs__window *w) {
    const svs__pace *pace = svs__pace_of(domain);
    uint32_t threads = domain->env->threads;
    bool light = threads > 1 && svs__pace_is_light(domain, pace, SVS__WINDOW_MAX);
    w->light = svs__pace_light(domain);
    w->way = light ? SVS__ALONE : SVS__SHARED;
    if (light) svs__window_begin_alone(domain, worker);
    else if (svs__window_end_alone(domain, worker))
        svs__runtime_notify(domain->env->world->runtime, threads - 1);
}

/* Opens the next window. @return true: a stage runs now; false: there is none, or it waits for a
 * release, for the deferred instances, or for its own ones to be deferred (sched.W16). Only an
 * owner defers those, so that none are added between the two tests (sched.W9). */
static bool open_window(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    while (svs__window_may_open(domain) && !svs__window_deferred_come_first(domain)) {
        svs__window *w;
        svs__store_relaxed(&ws->stage_was_last, 0);
        SVS__ASSERT(!ws->open && svs__load_relaxed(&domain->stage.left) == 1); /* sched.W3 */
        ask_for_lease(domain);
        if (waits(domain)) return false;
        w = ws->open = take_next(ws);
        svs__pace_set(domain, w->only);
        choose_way(domain, context->worker, w);
        /* relaxed is enough: only makers read it, and it may be stale (sched.W2) */
        svs__store_relaxed(&ws->runs_window, 1);
        if (open_stage(domain, context)) return true;
        close_window(domain, context);
    }
    return false;
}

/* Gives up the ownership of the stage. */
static void leave_free(svs__domain *domain) {
    /* release: the next owner sees the writes of this one. */
    svs__store_release(&domain->stage.left, 0);
}

void svs__window_defer_odd(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t none = 0;
    SVS__ASSERT(svs__lock_is_held(&domain->lock)); /* sched.P1: it guards the deferred instances */
    if (!svs__cas_strong_acq_rel(&domain->stage.left, &none, 1)) return;
    if (svs__window_next(ws) & SVS__HAS_ODD) {
        svs__window *w = (svs__window *)(svs__window_next(ws) - SVS__HAS_ODD);
        for (uint32_t i = 0; i < w->odd_count; i++)
            svs__window_put_among_deferred(domain, w->odd[i]);
        svs__domain_set_blocked(domain, false, 0);
        /* release: an owner that finds the window finds the deferred instances (sched.W9). */
        svs__store_release(&ws->made[w->number % SVS__WINDOWS], (uintptr_t)w);
        if (!w->stages) { /* its tasks may end before it would be opened */
            ws->open = take_next(ws);
            close_window(domain, context);
        }
    }
    leave_free(domain);
}

bool svs__window_open_next(svs__domain *domain, svs_context *context) {
    svs__stage *stage = &domain->stage;
    while (svs__window_may_open(domain) && !svs__window_deferred_come_first(domain)) {
        uint32_t none = 0;
        if (!svs__cas_strong_acq_rel(&stage->left, &none, 1)) return false;
        if (open_window(domain, context)) return true;
        leave_free(domain);
    }
    return false;
}

/* ---- ending ---- */

/* Called by the last worker that leaves a stage: `left` is 1, and stays 1. */
static void end_of_stage(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    svs__window *w = ws->open;
    uint32_t cut;
    SVS__ASSERT(svs__load_relaxed(&domain->stage.left) == 1); /* sched.W3 */
    cut = svs__window_keep_cut(ws);
    context->statistics.staged_instances -= cut; /* the next stage will count them */
    if (!cut) w->stage++;
    if (w->stage == w->stages || !domain->stage.hold.lease) give_hold_back(domain);
    if (open_stage(domain, context)) return;
    close_window(domain, context);
    if (open_window(domain, context)) return;
    leave_free(domain);
    if (!svs__window_open_next(domain, context)) svs__window_tell_free(domain, context->worker);
}
