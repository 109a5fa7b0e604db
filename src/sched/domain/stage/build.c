/* Makes a stage: chooses instances that conflict neither with a running instance nor with each
 * other.
 *
 * The deferred records come first (stage/deferred.c), then the arrivals (stage/build.c).
 *
 *   sched.M1  room in the stage and in its hold is made before admission, so that each admitted
 *       instance enters the stage;
 *   sched.M2  no code of the user runs under admission's lock (not asserted: a lock does not name
 *       its holder). */
#include "base/check.h"
#include "sched/admission/elements.h"
#include "sched/domain/observe/seen.h"
#include "sched/domain/stage/stage.h"

/* ---- arrivals as candidates of a stage ----
 *
 * Candidates are handled together. First all their touch functions are called, while the objects
 * that they name are fetched. Then each candidate with a footprint of one element is admitted into
 * the stage, all under one lock, or deferred with that element. The others follow. Exact sets,
 * which need no master's signature, are made in sequence and admitted under one lock. Each
 * remaining candidate is made and admitted by itself. sched.M1 and sched.M2 as in stage/build.c. */

#define CANDIDATES 64u

/* A candidate with more than one element, or that was refused as a single one. */
typedef struct other {
    uint32_t number; /* number of the candidate */
    uint32_t first;  /* index of its first element in the context's set */
    uint32_t count;
    bool exact;  /* true: the elements are the whole set, until a link is assigned */
    bool walked; /* a traversal found some of the elements */
    bool tried, admitted;
    svs__conflict met;
} other;

/* Candidates of a stage. The struct is on the maker's stack, since one maker at a time makes a
 * domain's stage (sched.P1). */
typedef struct candidates {
    svs__record *records[CANDIDATES];
    /* index of each record's first access in the footprint, and the end of the accesses */
    uint32_t access[CANDIDATES + 1];
    uint32_t count;
    uint64_t assigned; /* svs__world_assigned() before the first traversal (sched.A6) */
    uintptr_t freed;   /* the most recently freed object before the sets were made */
    uint32_t last;     /* number of the last candidate that was not deferred, from 1; 0: none */
    other others[CANDIDATES];
    uint32_t other_count;
} candidates;

/* ---- the candidates together ---- */

/* Prefetches the objects of the first and the last access; most footprints have one or two
 * accesses. */
static inline void fetch_objects(const svs_footprint *f, uint32_t from) {
    if (f->count == from) return;
    __builtin_prefetch(f->accesses[from].what);
    __builtin_prefetch(f->accesses[f->count - 1].what);
}

/* Takes up to CANDIDATES arrivals, and fills one footprint with all their accesses. */
static bool take_candidates(svs__domain *domain, svs_context *context, candidates *c) {
    svs_footprint *f = &context->set.footprint;
    uint32_t room = svs__stage_room(domain);
    svs__record *record;
    c->count = svs__domain_take(domain, room < CANDIDATES ? room : CANDIDATES, &record);
    c->last = c->other_count = 0;
    c->freed = svs__freed_last(context->set.world);
    svs__set_begin(&context->set);
    if (!c->count) return false;
    svs_task *task = svs__record_task(record);
    for (uint32_t i = 0; i < c->count; i++, record++) {
        c->records[i] = record;
        c->access[i] = f->count;
        svs__task_touch(task, &context->set, svs__record_item(record));
        fetch_objects(f, c->access[i]);
    }
    c->access[c->count] = f->count;
    return true;
}

static void leave(candidates *c, uint32_t number) { c->others[c->other_count++].number = number; }

/* ---- single candidates ---- */

/* Defers a single candidate, with its element. @return false: the deferral must be explained, which
 * calls the program's code, so the caller does it after it has released the lock (sched.M2). */
static bool put_back(svs__domain *domain, svs_context *context, svs__record *record,
                     svs__element e) {
    svs_graph_statistics *statistics = &context->statistics;
    if (domain->stage.count < SVS__WIDE_ENOUGH ||
        (!domain->algorithm->repeats && statistics->deferrals + 1 >= context->explain_at &&
         !domain->stage.offered))
        return false;
    statistics->deferrals++;
    record->tries = 1;
    svs__pending_put_single(&domain->pending, record, e);
    return true;
}

/* Admits single candidates. The caller holds admission's lock, and has made room for all of
 * them. */
static void admit_singles(svs__domain *domain, svs_context *context, candidates *c) {
    svs__stage *stage = &domain->stage;
    const svs_access *accesses = context->set.footprint.accesses;
    for (uint32_t i = 0; i < c->count; i++) {
        svs__record *record = c->records[i];
        svs__element e;
        bool single = c->access[i + 1] - c->access[i] == 1 &&
                      svs__set_single(&context->set, &accesses[c->access[i]], &e);
        if (single &&
            svs__admission_try_element(domain->env->admission, &stage->hold, e, &stage->hold)) {
            svs__stage_put(stage, record);
            c->last = i + 1;
        } else if (!single || !put_back(domain, context, record, e)) {
            leave(c, i);
        }
    }
}

/* ---- the other candidates ---- */

static void expand_others(svs_context *context, candidates *c) {
    svs__set *set = &context->set;
    svs__set_clear(set);
    c->assigned = svs__world_assigned(set->world);
    for (uint32_t i = 0; i < c->other_count; i++) {
        other *o = &c->others[i];
        o->first = set->count;
        o->tried = o->admitted = set->walked = false;
        o->exact = svs__set_expand_more(set, c->access[o->number], c->access[o->number + 1]);
        o->count = set->count - o->first;
        o->walked = set->walked;
    }
}

/* Admits the other candidates. After an assignment, walked sets are made again (sched.A6). After an
 * object was freed, all sets are made again, because an item may name the object. */
static void admit_others(svs__domain *domain, svs_context *context, candidates *c) {
    svs__admission *admission = domain->env->admission;
    svs__hold *hold = &domain->stage.hold;
    bool unchanged, outdated;
    svs__admission_begin(admission, hold);
    outdated = svs__freed_last(context->set.world) != c->freed;
    unchanged = svs__world_assigned(context->set.world) == c->assigned;
    for (uint32_t i = 0; i < c->other_count; i++) {
        other *o = &c->others[i];
        if (!o->exact || outdated || (o->walked && !unchanged)) continue;
        o->tried = true;
        o->admitted = svs__admission_try_elements(admission, hold, context->set.elements + o->first,
                                                  o->count, hold, &o->met);
        o->met.single = o->count == 1 && !o->walked;
    }
    svs__admission_end(admission, hold);
}

/* Keeps notes of the other candidates. Called before the first deferral, because a deferral may
 * overwrite the context's set. */
static void keep_notes(svs__domain *domain, svs_context *context, candidates *c) {
    for (uint32_t i = 0; i < c->other_count; i++) {
        const other *o = &c->others[i];
        if (o->tried && !o->admitted && !o->walked && !o->met.single)
            c->records[o->number]->note =
                svs__note_keep(&domain->pending.notes, context->set.world,
                               context->set.elements + o->first, o->count);
    }
}

static void settle_others(svs__domain *domain, svs_context *context, candidates *c) {
    for (uint32_t i = 0; i < c->other_count; i++) {
        other *o = &c->others[i];
        svs__record *record = c->records[o->number];
        if (o->admitted) {
            svs__stage_enter(domain, record);
        } else if (o->tried || !svs__stage_consider(domain, context, record, &o->met)) {
            svs__domain_defer(domain, context, record, &o->met, false, !o->tried);
            continue;
        }
        if (o->number >= c->last) c->last = o->number + 1;
    }
}

static void consider_others(svs__domain *domain, svs_context *context, candidates *c) {
    expand_others(context, c);
    if (!svs__env_cancelled(domain->env) &&
        svs__stage_make_room(domain, c->other_count, context->set.count))
        admit_others(domain, context, c);
    keep_notes(domain, context, c);
    settle_others(domain, context, c);
}

/* ---- the whole ---- */

static void consider_candidates(svs__domain *domain, svs_context *context, candidates *c) {
    if (context->set.footprint.status || svs__env_cancelled(domain->env) ||
        !svs__stage_make_room(domain, c->count, c->count)) {
        for (uint32_t i = 0; i < c->count; i++) leave(c, i);
    } else {
        svs__admission_begin(domain->env->admission, &domain->stage.hold);
        admit_singles(domain, context, c);
        svs__admission_end(domain->env->admission, &domain->stage.hold);
    }
    if (c->other_count) consider_others(domain, context, c);
}

/* Considers arrivals until too many in a row conflict: more would hardly fit (doRelease in the
 * thesis). */
void svs__stage_consider_arrivals(svs__domain *domain, svs_context *context) {
    candidates c;
    uint32_t in_a_row = 0, limit = domain->env->options->stage_conflicts;
    while (svs__stage_room(domain) && in_a_row <= limit && take_candidates(domain, context, &c)) {
        consider_candidates(domain, context, &c);
        svs__stage_offer_early(domain, context);
        in_a_row = c.last ? c.count - c.last : in_a_row + c.count;
    }
}

static void complete_stage(svs__domain *domain, svs_context *context) {
    const svs__stage *stage = &domain->stage;
    context->statistics.stages++;
    context->statistics.staged_instances += stage->count;
    if (stage->count > context->statistics.width_max) context->statistics.width_max = stage->count;
    if (SVS__UNLIKELY(context->env->seen.any))
        svs__seen_tell_stage(context, SVS__SEEN_STAGE, stage->items[0], stage->count);
    svs__stage_offer(domain);
}

bool svs__stage_make(svs__domain *domain, svs_context *context, bool arrivals) {
    uint64_t epoch = svs__admission_epoch(domain->env->admission);
    SVS__ASSERT(svs__lock_is_held(&domain->lock)); /* sched.P1 */
    svs__pending_fit(&domain->pending, domain->env->world);
    SVS__ASSERT_SLOW(svs__pending_is_valid(&domain->pending)); /* sched.Q1 to sched.Q5 */
    domain->stage.count = domain->stage.offered = 0;
    svs__domain_set_blocked(domain, false, 0);
    svs__stage_consider_deferred(domain, context);
    if (arrivals) svs__stage_consider_arrivals(domain, context);
    if (domain->stage.count) {
        complete_stage(domain, context);
        return true;
    }
    /* The stage is empty, but the set of a withdrawn instance may still be in its hold. */
    if (domain->stage.hold.count || domain->stage.hold.dense) {
        (void)svs__admission_release(domain->env->admission, &domain->stage.hold);
        return false;
    }
    if (svs__load_relaxed(&domain->pending.count)) svs__domain_set_blocked(domain, true, epoch);
    return false;
}
