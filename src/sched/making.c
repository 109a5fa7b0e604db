/* Making a stage: choosing instances that conflict with nothing that runs, nor with each other.
 *
 * First come the deferred, bucket by bucket, then what has arrived. Arrivals are looked at
 * together: all their touch functions, then all their sets, then admission once for all of those
 * that are plain (a few elements, nothing walked); the rest one by one. A deferred instance whose
 * set is the one element that blocked it needs neither its touch function nor its set again.
 *
 *   M1  room in the stage and in its hold comes before admission, so that what is
 *       admitted is in the stage;
 *   M2  no code of the user runs under admission's lock. */
#include "base/check.h"
#include "base/memory.h"
#include "sched/graph.h"

#define CANDIDATES 64u
#define PLAIN_MAX 4u /* elements of a plain candidate */
#define NOT_PLAIN UINT32_MAX

typedef enum verdict { ADMITTED, DEFERRED, UNDECIDED } verdict;

struct svs__candidates {
    svs__record *records[CANDIDATES];
    svs__conflict met[CANDIDATES];
    verdict verdicts[CANDIDATES];
    uint32_t access[CANDIDATES + 1]; /* the first of each in the footprint */
    uint32_t counts[CANDIDATES];     /* of elements; NOT_PLAIN */
    svs__element elements[CANDIDATES][PLAIN_MAX];
    uint32_t count;
};

svs_status svs__candidates_new(svs_context *context) {
    context->candidates = svs__allocate(context->holder.world->allocator, sizeof(svs__candidates),
                                        _Alignof(svs__candidates));
    return context->candidates ? SVS_OK : SVS_E_NO_MEMORY;
}

void svs__candidates_free(svs_context *context) {
    svs__release(context->holder.world->allocator, context->candidates, sizeof(svs__candidates),
                 _Alignof(svs__candidates));
}

/* ---- the stage ---- */

static bool stage_is_full(const svs__domain *domain) {
    uint32_t width = domain->run->graph->options.stage_width;
    return width && domain->stage.count >= width;
}

/* M1. */
static bool make_room(svs__domain *domain, uint32_t records, uint32_t elements) {
    const svs_world *world = domain->run->graph->world;
    svs__stage *stage = &domain->stage;
    void *grown = stage->records;
    if (!svs__grow(world->allocator, &grown, &stage->capacity, stage->count + records,
                   sizeof(svs__record *)))
        return false;
    stage->records = grown;
    return !svs__hold_make_room(&stage->hold, world, elements);
}

/* The number of the stage that is being made. */
static uint32_t next_number(svs__stage *stage) {
    return (uint32_t)(svs__load_relaxed(&stage->claim) >> 32) + 1;
}

static void enter(svs__domain *domain, svs__record *record, const svs__element *elements,
                  uint32_t count) {
    uint32_t number = next_number(&domain->stage);
    uint32_t shift = domain->run->graph->world->cell_shift;
    for (uint32_t i = 0; i < count; i++)
        if (elements[i].mode == SVS_WRITE)
            domain->stage.written[svs__pending_bucket(&domain->pending, elements[i].key)] =
                (svs__written){number, elements[i].key >> shift};
    svs__domain_settle(domain, record);
    domain->stage.records[domain->stage.count++] = record;
}

/* Whether the stage is known to write the key's cell. */
static bool is_written(svs__domain *domain, uint32_t key) {
    const svs__written *w = &domain->stage.written[svs__pending_bucket(&domain->pending, key)];
    return w->stage == next_number(&domain->stage) &&
           w->cell == key >> domain->run->graph->world->cell_shift;
}

/* Takes a record out of the world unseen: the run is cancelled, or has just failed. */
static bool drop(svs__domain *domain, svs_context *context, svs__record *record) {
    svs__domain_settle(domain, record);
    svs__record_retire(record, context->worker);
    return true;
}

/* ---- one by one ---- */

/* Admits the record into the stage. @return whether it is out of the way; else `met` says why. */
static bool consider(svs__domain *domain, svs_context *context, svs__record *record,
                     svs__conflict *met) {
    if (svs__run_cancelled(domain->run)) return drop(domain, context, record);
    if (!make_room(domain, 1, 0)) {
        svs__run_fail(domain->run, SVS_E_NO_MEMORY, record, "no memory for its stage");
        return drop(domain, context, record);
    }
    switch (svs__instance_admit(context, record, &domain->stage.hold, false, met)) {
    case SVS__BLOCKED: return false;
    case SVS__FAILED: return drop(domain, context, record);
    default: break;
    }
    enter(domain, record, context->set.elements, context->set.count);
    return true;
}

/* ---- the deferred ---- */

/* Looks at a bucket until it is empty, an instance stays in it, or too many had to move to other
 * buckets. */
static void consider_bucket(svs__domain *domain, svs_context *context, uint32_t bucket) {
    uint32_t moves = domain->run->graph->options.stage_conflicts;
    while (!stage_is_full(domain)) {
        svs__conflict met;
        svs__record *record = domain->pending.buckets[bucket].first;
        bool stays;
        if (!record || is_written(domain, record->blocked_key)) return;
        (void)svs__pending_take(&domain->pending, bucket);
        if (consider(domain, context, record, &met)) continue;
        stays = svs__pending_bucket(&domain->pending, met.key) == bucket;
        svs__domain_defer(domain, context, record, &met, stays, true);
        if (stays || moves-- == 0) return;
    }
}

/* Whether the record's set is the element that blocked it, and it has not waited so long that it
 * may reserve, which is not done here. */
static bool waits_as_single(const svs__record *record) {
    return svs__record_is_single(record) && record->tries <= SVS__TRIES_BEFORE_RESERVING;
}

/* Takes the first of a bucket if its set is one element, and that is free now. Under admission's
 * lock. */
static void take_single(svs__domain *domain, uint32_t bucket) {
    svs__record *record = domain->pending.buckets[bucket].first;
    svs__element e = {record->blocked_key, record->blocked_mode};
    svs__conflict met;
    if (!waits_as_single(record) || is_written(domain, e.key)) return;
    if (!svs__admission_try_elements(domain->run->admission, &domain->stage.hold, &e, 1, record,
                                     &met)) {
        record->tries++;
        return;
    }
    (void)svs__pending_take(&domain->pending, bucket);
    enter(domain, record, &e, 1);
}

/* The single ones, many buckets under one lock. @return whether all buckets were looked at, so that
 * what is single and still first in one has to wait. A record that has the reservation is left to
 * consider_bucket(), as settling it takes the lock. */
static bool take_singles(svs__domain *domain) {
    uint32_t bucket = svs__pending_next(&domain->pending, 0);
    if (domain->reserver || svs__run_cancelled(domain->run)) return false;
    while (bucket != UINT32_MAX) {
        if (!make_room(domain, CANDIDATES, CANDIDATES)) return false;
        svs__admission_begin(domain->run->admission);
        for (uint32_t i = 0; i < CANDIDATES && bucket != UINT32_MAX && !stage_is_full(domain);
             i++) {
            take_single(domain, bucket);
            bucket = svs__pending_next(&domain->pending, bucket + 1);
        }
        svs__admission_end(domain->run->admission);
        if (stage_is_full(domain)) break;
    }
    return true;
}

static void consider_deferred(svs__domain *domain, svs_context *context) {
    uint32_t bucket;
    bool looked;
    /* Who waited longest has the first word; it is in the bucket of what it met last. */
    if (domain->reserver)
        consider_bucket(domain, context,
                        svs__pending_bucket(&domain->pending, domain->reserver->blocked_key));
    looked = take_singles(domain);
    for (bucket = svs__pending_next(&domain->pending, 0);
         bucket != UINT32_MAX && !stage_is_full(domain);
         bucket = svs__pending_next(&domain->pending, bucket + 1))
        if (!looked || !waits_as_single(domain->pending.buckets[bucket].first))
            consider_bucket(domain, context, bucket);
}

/* ---- what has arrived ---- */

/* Takes up to CANDIDATES, and fills one footprint with all their accesses. */
static bool take_candidates(svs__domain *domain, svs_context *context) {
    svs__candidates *c = context->candidates;
    uint32_t width = domain->run->graph->options.stage_width, limit = CANDIDATES;
    svs__record *record;
    if (width && width - domain->stage.count < limit) limit = width - domain->stage.count;
    c->count = svs__domain_take(domain, limit, &record);
    svs__set_begin(&context->set);
    for (uint32_t i = 0; i < c->count; i++) {
        c->records[i] = record;
        c->access[i] = context->set.footprint.count;
        svs__instance_touch(context, svs__record_task(record), svs__record_item(record));
        if (i + 1 < c->count) record = svs__record_after(record);
    }
    c->access[c->count] = context->set.footprint.count;
    return c->count != 0;
}

static void fetch_objects(const svs_context *context) {
    const svs_footprint *f = &context->set.footprint;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->accesses[i].kind == SVS_OBJECT && f->accesses[i].what)
            __builtin_prefetch(f->accesses[i].what);
}

/* The set of a candidate, if it is plain. @return how many elements, or NOT_PLAIN. */
static uint32_t expand_candidate(svs_context *context, uint32_t i) {
    svs__candidates *c = context->candidates;
    svs__set *set = &context->set;
    uint32_t first = c->access[i], end = c->access[i + 1], count = 0;
    while (first + count < end && count < PLAIN_MAX &&
           svs__set_single(set->world, &set->footprint.accesses[first + count],
                           &c->elements[i][count]))
        count++;
    if (first + count == end && !set->footprint.status) return count;
    if (svs__set_expand_range(set, first, end) || !svs__set_is_plain(set) || set->count > PLAIN_MAX)
        return NOT_PLAIN;
    for (uint32_t k = 0; k < set->count; k++) c->elements[i][k] = set->elements[k];
    return set->count;
}

/* Looks the sets up. What is plain is left undecided here, with its elements, or deferred for a
 * cell that the stage writes. */
static uint32_t expand_candidates(svs__domain *domain, svs_context *context) {
    svs__candidates *c = context->candidates;
    uint32_t elements = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->verdicts[i] = UNDECIDED;
        c->counts[i] = expand_candidate(context, i);
        if (c->counts[i] == NOT_PLAIN) continue;
        elements += c->counts[i];
        for (uint32_t k = 0; k < c->counts[i]; k++) {
            svs__element e = c->elements[i][k];
            if (!is_written(domain, e.key)) continue;
            c->verdicts[i] = DEFERRED;
            c->met[i] = (svs__conflict){e.key, e.mode, SVS__MET_CELL};
            break;
        }
    }
    return elements;
}

static void admit_candidates(svs__domain *domain, svs_context *context) {
    svs__candidates *c = context->candidates;
    svs__admission *admission = domain->run->admission;
    svs__admission_begin(admission);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->verdicts[i] != UNDECIDED || c->counts[i] == NOT_PLAIN) continue;
        c->verdicts[i] = svs__admission_try_elements(admission, &domain->stage.hold, c->elements[i],
                                                     c->counts[i], c->records[i], &c->met[i])
                             ? ADMITTED
                             : DEFERRED;
    }
    svs__admission_end(admission);
}

/* @return how many at the end were deferred in a row, or `in_a_row` and as many more. */
static uint32_t settle_candidates(svs__domain *domain, svs_context *context, uint32_t in_a_row) {
    svs__candidates *c = context->candidates;
    for (uint32_t i = 0; i < c->count; i++) {
        svs__record *record = c->records[i];
        bool expanded = false;
        if (c->verdicts[i] == ADMITTED) enter(domain, record, c->elements[i], c->counts[i]);
        if (c->verdicts[i] == UNDECIDED) {
            c->verdicts[i] = consider(domain, context, record, &c->met[i]) ? ADMITTED : DEFERRED;
            expanded = true;
        }
        if (c->verdicts[i] == ADMITTED) {
            in_a_row = 0;
            continue;
        }
        in_a_row++;
        svs__domain_defer(domain, context, record, &c->met[i], false, expanded);
        if (c->counts[i] == 1) record->blocked_met |= SVS__BLOCKED_SINGLE;
    }
    return in_a_row;
}

/* Looks at what has arrived, until too many in a row conflict: then the stage is about as full as
 * it gets (doRelease). */
static void consider_arrivals(svs__domain *domain, svs_context *context) {
    uint32_t in_a_row = 0, limit = domain->run->graph->options.stage_conflicts;
    while (!stage_is_full(domain) && in_a_row <= limit && take_candidates(domain, context)) {
        uint32_t elements;
        fetch_objects(context);
        elements = expand_candidates(domain, context);
        if (!svs__run_cancelled(domain->run) &&
            make_room(domain, context->candidates->count, elements))
            admit_candidates(domain, context);
        in_a_row = settle_candidates(domain, context, in_a_row);
    }
}

/* ---- the whole ---- */

static void release_stage(svs__domain *domain, svs_context *context) {
    svs__stage *stage = &domain->stage;
    uint64_t number = next_number(stage);
    context->statistics.stages++;
    context->statistics.staged_instances += stage->count;
    if (stage->count > context->statistics.width_max) context->statistics.width_max = stage->count;
    svs__store_relaxed(&stage->left, stage->count + 1);
    svs__store_relaxed(&stage->width, number << 32 | stage->count);
    /* release: publishes the stage to those whose claim sees this number (P2). */
    svs__store_release(&stage->claim, number << 32);
    if (stage->count > 1) svs__runtime_notify(domain->run->graph->world->runtime, stage->count - 1);
}

bool svs__stage_make(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->run, worker);
    uint64_t epoch = svs__admission_epoch(domain->run->admission);
    context->worker = worker;
    SVS_ASSERT_SLOW(svs__pending_is_valid(&domain->pending));
    domain->stage.count = 0;
    svs__domain_set_blocked(domain, false, 0);
    consider_deferred(domain, context);
    consider_arrivals(domain, context);
    if (domain->stage.count) {
        release_stage(domain, context);
        return true;
    }
    /* A withdrawn instance may have left something in the hold. */
    if (domain->stage.hold.count || domain->stage.hold.dense) {
        (void)svs__admission_release(domain->run->admission, &domain->stage.hold);
        return false;
    }
    if (svs__load_relaxed(&domain->pending.count)) svs__domain_set_blocked(domain, true, epoch);
    return false;
}
