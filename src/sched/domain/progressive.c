/* The progressive algorithm (thesis 6.1.1, Algorithm 4), as non-blocking steps: each instance runs
 * as soon as it conflicts with nothing that runs.
 *
 * In the thesis the signature of a domain cannot shrink, and is reset from time to time. Here the
 * end of an instance removes its set, because running sets are disjoint. The gate of a run, which
 * admits the transforms, is a domain of this kind.
 */
#include "sched/domain/progressive.h"

#include "base/check.h"

#define MAY_RUN 32u /* instances that one step runs at most */

#define MOVES 2u /* of records of one bucket in one visit */
#define LOOKS 4u /* comparisons of records of one bucket */

/* The reserver is tried once for each epoch, whatever its last conflict: its set may have grown,
 * and a claim that has become the first has not reserved yet (sched.A8). */
static bool is_reservers_turn(svs__domain *domain, const svs__record *record, uint64_t epoch) {
    if (svs__domain_reserver(domain) != record || domain->reserver_epoch == epoch) return false;
    domain->reserver_epoch = epoch;
    return true;
}

/* After another refusal of the first record of a bucket. @return whether it is tried nevertheless,
 * so that it reserves. */
static bool tires(svs__domain *domain, svs__record *record) {
    svs__record_tire(record);
    return record->tries > SVS__TRIES_BEFORE_RESERVING && !svs__domain_reserver(domain);
}

typedef enum look { MAY, STAYS, MOVES_ON } look;

/* The comparison of a record without a new set; `met` becomes the conflict. */
static look look_at(svs__domain *domain, svs__record *record, svs__conflict *met) {
    svs__admission *admission = domain->env->admission;
    const svs__note *note;
    *met = svs__record_conflict(record);
    if (svs__env_cancelled(domain->env)) return MAY;
    if (!svs__admission_is_free(admission, met, record)) return STAYS;
    if (!record->note) return MAY;
    note = svs__note_of(&domain->pending.notes, record->note);
    if (svs__admission_may(admission, note->elements, note->count, record, met)) return MAY;
    return svs__pending_bucket(&domain->pending, met->key) ==
                   svs__pending_bucket(&domain->pending, record->blocked_key)
               ? STAYS
               : MOVES_ON;
}

/* When the first record of a bucket stays: a later one that waits for another cell, or NULL. */
static svs__record *one_behind(svs__domain *domain, const svs__record *first) {
    uint32_t shift = domain->env->world->cell_shift;
    svs__record *record = first->next;
    svs__conflict met;
    for (uint32_t i = 1; i < LOOKS && record; i++, record = record->next)
        if ((record->blocked_key ^ first->blocked_key) >> shift &&
            look_at(domain, record, &met) == MAY)
            return record;
    return NULL;
}

/* A record of a bucket that may run now, as far as is known, or NULL. A first record with another
 * conflict moves to the bucket of that conflict. */
static svs__record *one_that_may(svs__domain *domain, uint32_t bucket, uint64_t epoch,
                                 uint32_t *moved) {
    svs__pending *pending = &domain->pending;
    svs__record *first;
    for (uint32_t i = 0; i < MOVES && (first = svs__pending_first(pending, bucket)) != NULL; i++) {
        svs__conflict met;
        look seen = look_at(domain, first, &met);
        if (seen == MAY || is_reservers_turn(domain, first, epoch) || tires(domain, first))
            return first;
        if (seen == STAYS) return one_behind(domain, first);
        svs__pending_move(pending, bucket, &met);
        ++*moved;
    }
    return NULL;
}

/* A deferred record that has lost its conflict, from the first such bucket behind the cursor. Under
 * the lock. If records moved, later ones of their buckets were not compared: then not all records
 * are known to be blocked, and the next step searches again. */
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

static svs__record *take(svs__domain *domain) {
    svs__record *record;
    svs__lock_acquire(&domain->lock);
    record = take_deferred(domain);
    if (!record && !svs__domain_take(domain, 1, &record)) record = NULL;
    svs__lock_release(&domain->lock);
    return record;
}

static void put_back(svs__domain *domain, svs_context *context, svs__record *record,
                     const svs__conflict *met) {
    svs__lock_acquire(&domain->lock);
    svs__domain_defer(domain, context, record, met, false, true);
    svs__pending_fit(&domain->pending, domain->env->world);
    /* Earlier comparisons of all records did not include this one. */
    svs__domain_set_blocked(domain, false, 0);
    svs__lock_release(&domain->lock);
}

static void settle(svs__domain *domain, svs__record *record) {
    if (svs__domain_reserver(domain) != record) return;
    svs__lock_acquire(&domain->lock);
    svs__domain_settle(domain, record);
    svs__lock_release(&domain->lock);
}

static void end(svs__domain *domain, svs_context *context) {
    svs__env_wake(domain->env, svs__admission_release(domain->env->admission, &context->hold));
}

/* For explanations of refusals, the context's set is that of an instance of the domain from here
 * until the worker leaves the domain. The instance may have ended just now. */
static svs__attempt admit(svs__domain *domain, svs_context *context, svs__record *record,
                          svs__conflict *met) {
    svs__attempt attempt;
    svs__lock_acquire(&context->set_lock);
    attempt = svs__instance_admit(context, record, &context->hold, true, met);
    context->set_of = attempt == SVS__ADMITTED ? domain : NULL;
    svs__lock_release(&context->set_lock);
    return attempt;
}

static void leave(svs_context *context) {
    svs__lock_acquire(&context->set_lock);
    context->set_of = NULL;
    svs__lock_release(&context->set_lock);
}

/* Records of one batch that have ended in a row on one worker. The worker retires them before it
 * runs a record of another batch, so that the end of a task does not wait for another task's
 * body. */
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

/* @return whether its instance has run or was dropped; otherwise it was deferred. */
static bool run_one(svs__domain *domain, svs_context *context, svs__record *record) {
    svs__conflict met;
    svs__attempt attempt =
        svs__env_cancelled(domain->env) ? SVS__FAILED : admit(domain, context, record, &met);
    if (attempt == SVS__BLOCKED) {
        put_back(domain, context, record, &met);
        return false;
    }
    settle(domain, record); /* from here on its hold excludes conflicting instances */
    if (attempt == SVS__ADMITTED) {
        SVS__ASSERT_SLOW(context->hold.count >= context->set.count); /* sched.G2, sched.S1 */
        svs__instances_run(context, &record, 1);
    }
    end(domain, context);
    return true;
}

static bool step(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->env, worker);
    uint32_t tries = 0, ran = 0;
    bool over = false;
    ended e = {NULL, 0};
    context->worker = worker;
    for (; tries < MAY_RUN && !over; tries++) {
        svs__record *record = NULL;
        if (ready(domain)) record = take(domain);
        if (!record) break;
        if (record->batch != e.batch) retire(context, &e);
        e.batch = record->batch;
        if (!run_one(domain, context, record)) continue;
        e.count++;
        ran++;
        over = svs__sources_turn_is_over(&worker->runtime->sources, worker);
    }
    if (tries) leave(context);
    retire(context, &e);
    return tries < MAY_RUN ? tries > 0 : ran > 0;
}

const svs__algorithm svs__progressive = {"progressive", step, ready, false};
