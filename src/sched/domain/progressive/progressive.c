/* The progressive algorithm (thesis 6.1.1, Algorithm 4), as non-blocking steps: each instance runs
 * once it conflicts with no running instance.
 *
 * So that workers share few cache lines that they write, a worker takes cells by compare-exchange
 * (sched/admission/entrant.h), and takes a share of the waiting items at a time. The domain's lock
 * guards the waiting records, and is held to take items.
 *
 * In the thesis the signature of a domain cannot shrink, and is reset from time to time. Here the
 * end of an instance removes its set, because running sets are disjoint. The gate of a run, which
 * admits the transforms, is a domain of this kind.
 */
#include "sched/domain/progressive/progressive.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/platform.h"
#include "sched/domain/queue/inbox.h"

#define MAY_RUN 32u /* the maximum number of instances that one step runs */

#define MOVES 2u /* the maximum number of records of one bucket that one visit moves */
#define LOOKS 4u /* the maximum number of records of one bucket that one visit compares */
/* the maximum number of records of one bucket that one visit skips without a comparison */
#define SKIPS 64u

/* Whether the record is the reserver, and was not tried yet in this epoch. It is tried once for
 * each epoch, whatever its last conflict: its set may have grown, and a reservation that has become
 * the first in the queue has reserved nothing yet (sched.A8). */
static bool is_reservers_turn(svs__domain *domain, const svs__record *record, uint64_t epoch) {
    svs__progress *state = domain->state;
    if (svs__domain_reserver(domain) != record || state->reserver_epoch == epoch) return false;
    state->reserver_epoch = epoch;
    return true;
}

/* Called after another refusal of the first record of a bucket. @return whether the record is tried
 * nevertheless, so that it gets a reservation. */
static bool tires(svs__domain *domain, svs__record *record) {
    svs__record_tire(record);
    return record->tries > SVS__TRIES_BEFORE_RESERVING && !svs__domain_reserver(domain);
}

/* The result of a comparison. MAY: it may run. STAYS: refused once more. WAITS: unchanged since the
 * last search. MOVES_ON: it has another conflict. */
typedef enum look { MAY, STAYS, WAITS, MOVES_ON } look;

/* Compares a record without making its set again. *met becomes the conflict. */
static look look_at(svs__domain *domain, svs__record *record, svs__conflict *met) {
    svs__admission *admission = domain->env->admission;
    const svs__note *note;
    svs__look seen;
    *met = svs__record_conflict(record);
    if (svs__env_cancelled(domain->env)) return MAY;
    seen = svs__admission_look(admission, met, record);
    if (seen != SVS__GONE) return seen == SVS__STILL_HELD ? WAITS : STAYS;
    if (!record->note) return MAY;
    note = svs__note_of(&domain->pending.notes, record->note);
    if (svs__admission_may(admission, note->elements, note->count, record, met)) return MAY;
    return svs__pending_bucket(&domain->pending, met->key) ==
                   svs__pending_bucket(&domain->pending, record->blocked_key)
               ? STAYS
               : MOVES_ON;
}

/* Called when the first record of a bucket stays. @return a later record of the bucket that waits
 * for another cell and may run, or NULL. */
static svs__record *one_behind(svs__domain *domain, const svs__record *first) {
    uint32_t shift = domain->env->world->cell_shift;
    svs__record *record = first->next;
    svs__conflict met;
    for (uint32_t skips = 0, looks = 1; skips < SKIPS && looks < LOOKS && record;
         record = record->next) {
        bool other_cell = (record->blocked_key ^ first->blocked_key) >> shift;
        if (other_cell && look_at(domain, record, &met) == MAY) return record;
        skips += !other_cell;
        looks += other_cell;
    }
    return NULL;
}

/* A record of a bucket that can probably run now, or NULL. A first record with another conflict
 * moves to the bucket of that conflict. */
static svs__record *one_that_may(svs__domain *domain, uint32_t bucket, uint64_t epoch,
                                 uint32_t *moved) {
    svs__pending *pending = &domain->pending;
    svs__record *first;
    for (uint32_t i = 0; i < MOVES && (first = svs__pending_first(pending, bucket)) != NULL; i++) {
        svs__conflict met;
        look seen = look_at(domain, first, &met);
        if (seen == MAY || is_reservers_turn(domain, first, epoch) ||
            ((seen != WAITS || svs__record_waits_on(first)) && tires(domain, first)))
            return first;
        if (seen != MOVES_ON) return one_behind(domain, first);
        svs__pending_move(pending, bucket, &met);
        ++*moved;
    }
    return NULL;
}

/* Takes a deferred record whose conflict is gone, from the first bucket after the cursor that has
 * one. The caller holds the lock. If records have moved, later records of their buckets were not
 * compared; so not all records are known to be blocked, and the next step searches again. */
static svs__record *take_deferred(svs__domain *domain) {
    svs__pending *pending = &domain->pending;
    uint64_t epoch = svs__admission_epoch(domain->env->admission);
    uint32_t from = domain->cursor, bucket, moved = 0;
    if (!svs__domain_may_unblock(domain)) return NULL;
    for (int turn = 0; turn < 2; turn++, from = 0) {
        for (bucket = svs__pending_next(pending, from);
             bucket != UINT32_MAX && (turn == 0 || bucket < domain->cursor);
             bucket = svs__pending_next(pending, bucket + 1)) {
            svs__record *record = one_that_may(domain, bucket, epoch, &moved);
            if (!record) continue;
            domain->cursor = bucket + 1;
            svs__pending_take_out(pending, record);
            return record;
        }
    }
    if (!moved) svs__domain_set_blocked(domain, true, epoch);
    return NULL;
}

/* ---- taking ---- */

/* Adjacent items that a worker has taken and not run yet. The worker takes a share of the waiting
 * items, so that the cache lines of the domain and of the inbox do not move between workers for
 * each instance. It gives them back when no other items are left for an idle worker, and when it
 * leaves the domain. */
typedef struct piece {
    char *next;
    uint32_t count, item_bytes;
} piece;

#define PIECE_MAX 16u
#if defined(SVS_EXPLORE)
#define SHARES 1u
#else
/* number of shares per worker into which the waiting items are divided; a piece is one share */
#define SHARES 4u
#endif

static uint32_t piece_of(svs__domain *domain) {
    uint32_t share = svs__domain_arrivals(domain) / (SHARES * domain->env->threads);
    /* relaxed is enough: the value may be stale. With priorities a piece is one item, so that the
     * most urgent one is chosen each time. */
    if (svs__load_relaxed(&domain->env->prioritized) || !share) return 1;
    return share < PIECE_MAX ? share : PIECE_MAX;
}

/* Takes a share of the waiting items. The caller holds the lock. */
static void take_piece(svs__domain *domain, piece *p) {
    void *first;
    p->count = svs__domain_take_items(domain, piece_of(domain), &first, NULL);
    if (!p->count) return;
    p->next = first;
    p->item_bytes = svs__batch_of(first)->item_bytes;
}

static void give_back(svs__domain *domain, piece *p) {
    uint32_t count = p->count;
    while (p->count)
        svs__domain_offer(domain, svs__record_of(p->next + (size_t)--p->count * p->item_bytes));
    svs__runtime_notify(domain->env->world->runtime, count);
}

/* Takes the next instance: a deferred one that may run, with its record, or a new item. @return the
 * item; NULL: none. */
static void *take(svs__domain *domain, piece *p, svs__record **record) {
    char *item;
    *record = NULL;
    if (!p->count || svs__domain_may_unblock(domain)) {
        svs__lock_acquire(&domain->lock);
        *record = take_deferred(domain);
        if (!*record && !p->count) take_piece(domain, p);
        svs__lock_release(&domain->lock);
    }
    if (*record) return svs__record_item(*record);
    if (!p->count) return NULL;
    item = p->next;
    p->next += p->item_bytes;
    p->count--;
    return item;
}

static void put_back(svs__domain *domain, svs_context *context, svs__record *record,
                     const svs__conflict *met) {
    svs__lock_acquire(&domain->lock);
    svs__domain_defer(domain, context, record, met, false, true);
    svs__pending_fit(&domain->pending, domain->env->world);
    /* The comparisons that found all records blocked did not include this record. */
    svs__domain_set_blocked(domain, false, 0);
    svs__lock_release(&domain->lock);
}

/* ---- running ---- */

/* Ends the reservation of a record, if it has one. `record`: the record of an instance that was
 * deferred, or NULL. */
static void settle(svs__domain *domain, const svs__record *record) {
    if (!record || svs__domain_reserver(domain) != record) return;
    svs__lock_acquire(&domain->lock);
    svs__domain_settle(domain, record);
    svs__lock_release(&domain->lock);
}

static void end(svs__domain *domain, svs_context *context) {
    svs__env_wake(domain->env, svs__admission_release(domain->env->admission, &context->hold));
}

/* Tries to admit an instance. From here until the worker leaves the domain, explanations may read
 * the context's set, which is that of the last instance; the instance may have ended already. */
static svs__attempt admit(svs__domain *domain, svs_context *context, void *item,
                          const svs__record *record, svs__conflict *met) {
    svs__attempt attempt;
    svs__lock_acquire(&context->set_lock);
    attempt = svs__instance_admit(context, item, record, &context->hold, met);
    context->set_of = attempt == SVS__ADMITTED ? domain : NULL;
    svs__lock_release(&context->set_lock);
    return attempt;
}

static void leave(svs_context *context) {
    svs__lock_acquire(&context->set_lock);
    context->set_of = NULL;
    svs__lock_release(&context->set_lock);
}

/* Instances of one batch that one worker has ended in sequence. The worker retires them before it
 * runs an instance of another batch, so that the end of a task does not wait for a body of another
 * task. */
typedef struct ended {
    svs__batch *batch;
    uint32_t count;
} ended;

static void retire(const svs_context *context, ended *e) {
    if (e->count) svs__records_retire_of(context, e->batch, e->count);
    e->count = 0;
}

static bool ready(svs__domain *domain) {
    return svs__domain_has_arrivals(domain) || svs__domain_may_unblock(domain);
}

/* @return whether the instance has run or was dropped; otherwise it was deferred. */
static bool run_one(svs__domain *domain, svs_context *context, void *item, svs__record *record) {
    svs__conflict met;
    svs__attempt attempt =
        svs__env_cancelled(domain->env) ? SVS__FAILED : admit(domain, context, item, record, &met);
    if (attempt == SVS__BLOCKED) {
        put_back(domain, context, record ? record : svs__record_of(item), &met);
        return false;
    }
    /* the reservation may end, because the hold now excludes conflicting instances */
    settle(domain, record);
    if (attempt == SVS__ADMITTED) {
        SVS__ASSERT_SLOW(context->hold.count >= context->set.count); /* sched.G2, sched.S1 */
        svs__instances_run(context, &item, 1, svs__item_task(item));
    } else {
        svs__item_drop(item);
    }
    end(domain, context);
    return true;
}

/* Wakes another worker for items from outside: several items may have woken only this worker, which
 * has taken some of them (sched.I8). Gives the piece back when idle workers would find no other
 * items. */
static void share(svs__domain *domain, piece *p, bool first) {
    if (first && svs__domain_has_from_outside(domain)) svs__env_wake(domain->env, true);
    if (p->count && !svs__domain_has_arrivals(domain)) give_back(domain, p);
}

static bool step(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->env, worker);
    uint32_t tries = 0, ran = 0;
    bool over = false;
    ended e = {NULL, 0};
    piece p = {0};
    context->worker = worker;
    for (; (tries < MAY_RUN || p.count) && !over; tries++) {
        svs__record *record = NULL;
        svs__batch *batch;
        void *item = p.count || ready(domain) ? take(domain, &p, &record) : NULL;
        if (!item) break;
        share(domain, &p, tries == 0);
        batch = svs__batch_of(item);
        if (batch != e.batch) retire(context, &e);
        e.batch = batch;
        if (!run_one(domain, context, item, record)) continue;
        e.count++;
        ran++;
        over = svs__jobs_turn_is_over(&worker->runtime->jobs, worker);
    }
    if (p.count) give_back(domain, &p);
    if (tries) leave(context);
    retire(context, &e);
    return tries < MAY_RUN ? tries > 0 : ran > 0;
}

static svs_status make(svs__domain *domain, const svs_task *task) {
    (void)task;
    domain->state = svs__allocate_zeroed(domain->env->world->allocator, sizeof(svs__progress),
                                         _Alignof(svs__progress));
    return domain->state ? SVS_OK : SVS_E_NO_MEMORY;
}

static void release(svs__domain *domain) {
    svs__release(domain->env->world->allocator, domain->state, sizeof(svs__progress),
                 _Alignof(svs__progress));
}

const svs__algorithm svs__progressive = {
    .name = "progressive", .step = step, .ready = ready, .new = make, .free = release};
