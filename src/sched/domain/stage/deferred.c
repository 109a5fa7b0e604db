/* Deferred records as candidates of a stage.
 *
 * Each search visits the buckets twice. The first visit is for known records (pending.h): they are
 * compared by their elements alone, and many are admitted under one lock. The second visit is for
 * records with sets that have to be made again, one by one. In a dense stage nearly all waiting
 * records conflict with each other. Such a stage must not compare all of them:
 *
 *   sched.M3  a search leaves a bucket when its first record stays blocked by the key of the
 *       bucket, or when more of its records have moved to other buckets than were admitted. A
 *       search ends after too many refusals in a row, the sooner the narrower the stage is. So the
 *       cost of a stage is proportional to the instances that it admits, however many wait (not
 *       asserted: a bound on cost; unit_sched_dense counts the comparisons).
 *
 * No record waits for ever (sched.S4). A search begins where the last one ended, so that the first
 * record of each bucket has its turn: it is admitted, moves, or is refused once more. After many
 * refusals it reserves its set, and is tried before all others. sched.M1 and sched.M2 as in
 * stage/build.c.
 *
 * Elements do not show that an object was freed since the lookup. So a known record that may name
 * such an object is forgotten here: its set is made again, which finds the freed object (sched.Q5).
 */
#include "sched/domain/stage/stage.h"

#include "sched/admission/elements.h"

#define TOGETHER 64u /* the maximum number of known records that are admitted under one lock */

/* ---- one bucket after the other, each once ---- */

typedef struct search {
    svs__domain *domain;
    svs__pending *pending;
    svs__admission *admission;
    svs_context *context;
    /* the first and the last bucket; `end` is UINT32_MAX until the search has wrapped around */
    uint32_t begin, end;
    uint32_t next; /* the bucket at which this search, or the next one, continues */
    /* the number of records of a bucket that may move; two more may for each admitted one */
    uint32_t moves;
    uint32_t refused; /* number of refusals in a row */
    bool one_cell;    /* each bucket stands for one cell */
} search;

static bool search_begin(search *s, svs__domain *domain, svs_context *context, uint32_t cursor) {
    uint32_t begin = svs__pending_next(&domain->pending, cursor);
    if (begin == UINT32_MAX) begin = svs__pending_next(&domain->pending, 0);
    *s = (search){.domain = domain,
                  .pending = &domain->pending,
                  .admission = domain->env->admission,
                  .context = context,
                  .begin = begin,
                  .end = UINT32_MAX,
                  .next = begin,
                  .moves = 1 + domain->env->options->stage_conflicts / 64,
                  .one_cell = svs__pending_is_cell(&domain->pending, domain->env->world)};
    return begin != UINT32_MAX;
}

/* Continues the search at the first bucket that has records, after the last one. */
SVS__COLD static uint32_t first_bucket(search *s) {
    uint32_t bucket = svs__pending_next(s->pending, 0);
    if (s->end != UINT32_MAX || bucket >= s->begin) {
        s->next = s->begin + 1;
        return UINT32_MAX;
    }
    s->end = s->begin;
    s->next = bucket + 1;
    return bucket;
}

static inline uint32_t next_bucket(search *s) {
    uint32_t bucket = svs__pending_next(s->pending, s->next);
    if (SVS__UNLIKELY(bucket >= s->end)) return first_bucket(s);
    s->next = bucket + 1;
    return bucket;
}

/* Whether enough records were refused in a row. The wider the stage, the more refusals are allowed:
 * with 12 or more instances, stage_conflicts. The search for an empty stage continues, because its
 * conflicts are with other domains and may last long. */
static bool is_enough(const search *s) {
    uint32_t count = s->domain->stage.count;
    uint64_t limit = s->domain->env->options->stage_conflicts;
    uint64_t some = (limit + 3) / 4 * (1 + count / 4);
    return count && s->refused > (some < limit ? some : limit);
}

/* Whether the search leaves a bucket, after it has admitted `taken` of its records and moved
 * `moved` of them. */
static bool leaves_bucket(const search *s, uint32_t taken, uint32_t moved) {
    return (s->domain->stage.count && moved >= s->moves + 2 * taken) || is_enough(s);
}

/* ---- known records ---- */

/* Forgets a known record that may name a freed object, so that its set is made again. @return
 * whether it was forgotten. */
static bool is_outdated(const search *s, svs__record *record) {
    if (SVS__LIKELY(!s->pending->freed_seen) || !svs__pending_names_freed(s->pending, record))
        return false;
    svs__pending_forget(s->pending, record);
    return true;
}

typedef enum look { TAKEN, MOVED, STAYS } look;

static bool may_reserve(svs__domain *domain) { return !svs__domain_reserver(domain); }

/* Called after a refusal by elements. The record moves to the bucket of its conflict. If the
 * deferral must be explained, or the record must get a reservation, which needs its set, it stays
 * in the bucket and is forgotten. */
static look refuse(svs__domain *domain, svs_context *context, svs__record *record, uint32_t bucket,
                   const svs__conflict *met) {
    svs__pending *pending = &domain->pending;
    if (svs__pending_bucket(pending, met->key) == bucket) return STAYS;
    if (svs__explain_decides(context, domain) ||
        (record->tries >= SVS__TRIES_BEFORE_RESERVING && may_reserve(domain))) {
        svs__pending_forget(pending, record);
        return STAYS;
    }
    context->statistics.deferrals++;
    svs__record_tire(record);
    svs__pending_move(pending, bucket, met);
    return MOVED;
}

/* Tries the first record of a bucket, which has a note. The caller holds admission's lock. */
static look look_at(search *s, svs__record *record, uint32_t bucket) {
    svs__domain *domain = s->domain;
    svs__admission *admission = domain->env->admission;
    svs__stage *stage = &domain->stage;
    svs__notes *notes = &domain->pending.notes;
    const svs__note *note = svs__note_of(notes, record->note);
    svs__conflict met;
    if (svs__admission_cell_is_taken(admission, svs__record_element(record))) return STAYS;
    if (!svs__admission_try_few(admission, &stage->hold, note->elements, note->count, &met))
        return refuse(domain, s->context, record, bucket, &met);
    svs__note_drop(notes, record->note);
    record->note = 0;
    svs__stage_put(stage, record);
    svs__pending_advance(&domain->pending, bucket, 1, record->next);
    return TAKEN;
}

/* Admits single records from the front of a bucket, beginning with `record`, as long as their
 * elements are free. Sets *over if the next one must wait. */
static inline uint32_t take_singles(const search *s, svs__record *record, uint32_t bucket,
                                    uint32_t room, bool *over) {
    svs__admission *admission = s->admission;
    svs__stage *stage = &s->domain->stage;
    bool one_cell = s->one_cell;
    uint32_t taken = 0;
    do {
        svs__element e = svs__record_element(record);
        *over = !svs__admission_try_element(admission, &stage->hold, e, &stage->hold);
        if (*over) break;
        svs__stage_put(stage, record);
        record = record->next;
        taken++;
        *over = one_cell && e.mode == SVS_MODE_WRITE; /* later records wait for the same cell */
    } while (!*over && record && taken < room && svs__record_is_single(record));
    if (taken) svs__pending_advance(s->pending, bucket, taken, record);
    else svs__pending_tire(s->pending, record, may_reserve(s->domain));
    return taken;
}

/* Does what take_singles() does, for records with notes. Sets *over also after too many moves. */
static uint32_t take_noted(search *s, svs__record *record, uint32_t bucket, uint32_t room,
                           bool *over) {
    uint32_t taken = 0, moved = 0;
    while (!*over && record && record->note && taken < room) {
        look seen = is_outdated(s, record) ? STAYS : look_at(s, record, bucket);
        if (seen == TAKEN) {
            s->refused = 0;
            taken++;
        } else if (seen == MOVED) {
            s->refused++;
            moved++;
            *over = leaves_bucket(s, taken, moved);
        } else {
            *over = true;
            if (!taken && record->note)
                svs__pending_tire(s->pending, record, may_reserve(s->domain));
        }
        record = svs__pending_first(s->pending, bucket);
    }
    return taken;
}

/* Takes at most `room` known records from the front of a bucket. The caller holds admission's lock.
 * @return how many. */
static inline uint32_t take_from_bucket(search *s, uint32_t bucket, uint32_t room) {
    svs__record *record = svs__pending_first(s->pending, bucket);
    uint32_t taken = 0;
    bool over = false;
    while (record && taken < room) {
        if (svs__record_is_single(record) && is_outdated(s, record)) break;
        if (svs__record_is_single(record)) /* later single records name the same bucket */
            taken += take_singles(s, record, bucket, room - taken, &over);
        else if (record->note) taken += take_noted(s, record, bucket, room - taken, &over);
        else break;
        if (over) break;
        record = svs__pending_first(s->pending, bucket);
    }
    if (taken) s->refused = 0;
    return taken;
}

/* Tries known records, many under one lock. @return false: they cannot be tried by their
 * elements. */
static bool take_known(svs__domain *domain, svs_context *context) {
    svs__admission *admission = domain->env->admission;
    search s;
    uint32_t bucket;
    if (svs__env_cancelled(domain->env)) return false;
    if (!search_begin(&s, domain, context, domain->cursor)) return true;
    bucket = next_bucket(&s);
    while (bucket != UINT32_MAX && svs__stage_room(domain)) {
        uint32_t room = svs__stage_room(domain) < TOGETHER ? svs__stage_room(domain) : TOGETHER;
        if (!svs__stage_make_room(domain, room, room * SVS__NOTE_ELEMENTS)) return false;
        svs__pending_see_freed(s.pending, admission->world);
        svs__admission_begin(admission, &domain->stage.hold);
        /* also the last few objects, now under the lock */
        svs__pending_see_freed(s.pending, admission->world);
        while (bucket != UINT32_MAX && room) {
            room -= take_from_bucket(&s, bucket, room);
            if (room) bucket = s.refused && is_enough(&s) ? UINT32_MAX : next_bucket(&s);
        }
        svs__admission_end(admission, &domain->stage.hold);
        svs__stage_offer_early(domain, context);
    }
    domain->cursor = s.next;
    return true;
}

/* ---- records whose sets must be made ---- */

/* Whether to try a deferred record: its conflict is gone, or it was refused so often that it may
 * get a reservation. */
static bool is_worth_a_try(svs__domain *domain, svs__record *record) {
    svs__conflict met = svs__record_conflict(record);
    if (svs__env_cancelled(domain->env) ||
        svs__admission_is_free(domain->env->admission, &met, &domain->stage.hold))
        return true;
    if (svs__record_is_known(record))
        svs__pending_tire(&domain->pending, record, may_reserve(domain));
    else svs__record_tire(record);
    return record->tries > SVS__TRIES_BEFORE_RESERVING && !svs__domain_reserver(domain);
}

/* Tries the records of a bucket until it is empty, one stays, or too many have moved (sched.M3).
 * Without `all`, a known first record is skipped, because it was tried already. */
static void consider_bucket(search *s, uint32_t bucket, bool all) {
    svs__domain *domain = s->domain;
    uint32_t moved = 0, taken = 0;
    while (svs__stage_room(domain)) {
        svs__conflict met;
        svs__record *record = svs__pending_first(&domain->pending, bucket);
        bool stays;
        if (!record || (!all && !moved && !taken && svs__record_is_known(record))) return;
        if (!is_worth_a_try(domain, record)) return;
        (void)svs__pending_take(&domain->pending, bucket);
        if (svs__stage_consider(domain, s->context, record, &met)) {
            taken++;
            s->refused = 0;
            continue;
        }
        s->refused++;
        stays = svs__pending_bucket(&domain->pending, met.key) == bucket;
        svs__domain_defer(domain, s->context, record, &met, stays, true);
        moved++;
        if (stays || leaves_bucket(s, taken, moved)) return;
    }
}

static void consider_sets(svs__domain *domain, svs_context *context, bool all) {
    search s;
    uint32_t bucket;
    if (!search_begin(&s, domain, context, domain->stage.cursor)) return;
    while (svs__stage_room(domain) && !is_enough(&s) && (bucket = next_bucket(&s)) != UINT32_MAX) {
        consider_bucket(&s, bucket, all);
        svs__stage_offer_early(domain, context);
    }
    domain->stage.cursor = s.next;
}

/* ---- the whole ---- */

/* Tries the reserver before all other records. So it waits only for other domains, which its
 * reservation excludes (sched.S4). */
static void consider_reserver(svs__domain *domain, svs_context *context) {
    svs__record *record = svs__domain_reserver(domain);
    svs__conflict met;
    svs__pending_take_out(&domain->pending, record);
    if (!svs__stage_consider(domain, context, record, &met))
        svs__domain_defer(domain, context, record, &met, true, true);
}

void svs__stage_consider_deferred(svs__domain *domain, svs_context *context) {
    bool looked;
    if (svs__domain_reserver(domain)) consider_reserver(domain, context);
    looked = take_known(domain, context);
    if (!looked || domain->pending.sets) consider_sets(domain, context, !looked);
}
