/* What has arrived in a staged domain, while a stage is made.
 *
 * Arrivals are looked at together, as candidates: all their touch functions first, while the
 * objects that they name are fetched. Then those whose footprint is one element are admitted into
 * the stage under one lock, or put back to wait for that element. The rest is left for a second
 * look: plain sets (a few elements, nothing walked) are made, then admitted under one lock; all
 * others one by one. M1 and M2 as in making.c. */
#include "base/memory.h"
#include "sched/graph.h"

#define CANDIDATES 64u
#define PLAIN_MAX 4u /* elements of a plain candidate */
#define NOT_PLAIN UINT32_MAX

/* A candidate that was left. */
typedef struct other {
    uint32_t number; /* among the candidates */
    uint32_t count;  /* of elements; NOT_PLAIN */
    bool admitted;
    svs__conflict met;
    svs__element elements[PLAIN_MAX];
} other;

struct svs__candidates {
    svs__record *records[CANDIDATES];
    uint32_t access[CANDIDATES + 1]; /* the first of each in the footprint */
    uint32_t count;
    uint32_t last; /* the last one that was not put back, from 1; 0: none */
    other others[CANDIDATES];
    uint32_t other_count;
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

/* ---- all of them ---- */

/* The first and the last access: most have one, or two. */
static inline void fetch_objects(const svs_footprint *f, uint32_t from) {
    if (f->count == from) return;
    __builtin_prefetch(f->accesses[from].what);
    __builtin_prefetch(f->accesses[f->count - 1].what);
}

/* Takes up to CANDIDATES, and fills one footprint with all their accesses. */
static bool take_candidates(svs__domain *domain, svs_context *context) {
    svs__candidates *c = context->candidates;
    svs_footprint *f = &context->set.footprint;
    uint32_t room = svs__stage_room(domain);
    svs__record *record;
    c->count = svs__domain_take(domain, room < CANDIDATES ? room : CANDIDATES, &record);
    c->last = c->other_count = 0;
    svs__set_begin(&context->set);
    if (!c->count) return false;
    svs_task *task = svs__record_task(record);
    size_t bytes = svs__record_bytes(task);
    for (uint32_t i = 0; i < c->count; i++) {
        c->records[i] = record;
        c->access[i] = f->count;
        svs__instance_touch(context, task, svs__record_item(record));
        fetch_objects(f, c->access[i]);
        record = (svs__record *)(void *)((char *)record + bytes);
    }
    c->access[c->count] = f->count;
    return true;
}

static void leave(svs__candidates *c, uint32_t number) {
    c->others[c->other_count++].number = number;
}

/* ---- single ones ---- */

/* Puts a candidate back to wait for its element. @return false when it is time to say why: that
 * takes the user's code, after the lock (M2). */
static bool put_back(svs__domain *domain, svs_context *context, svs__record *record,
                     svs__element e) {
    svs_graph_statistics *statistics = &context->statistics;
    if (domain->stage.count < SVS__WIDE_ENOUGH || statistics->deferrals + 1 >= context->explain_at)
        return false;
    statistics->deferrals++;
    record->tries = 1;
    svs__pending_put_single(&domain->pending, record, e);
    return true;
}

/* Under admission's lock; there is room for all. */
static void admit_singles(svs__domain *domain, svs_context *context) {
    svs__candidates *c = context->candidates;
    svs__stage *stage = &domain->stage;
    const svs_access *accesses = context->set.footprint.accesses;
    for (uint32_t i = 0; i < c->count; i++) {
        svs__record *record = c->records[i];
        svs__element e;
        if (c->access[i + 1] - c->access[i] != 1 ||
            !svs__set_single(&context->set, &accesses[c->access[i]], &e)) {
            leave(c, i);
        } else if (svs__admission_try_element(domain->run->admission, &stage->hold, e,
                                              &stage->hold)) {
            stage->records[stage->count++] = record;
            c->last = i + 1;
        } else if (!put_back(domain, context, record, e)) {
            leave(c, i);
        }
    }
}

/* ---- the others ---- */

/* The set of a candidate, if it is plain. @return how many elements, or NOT_PLAIN. */
static uint32_t expand_plain(svs_context *context, uint32_t number, svs__element *elements) {
    svs__candidates *c = context->candidates;
    svs__set *set = &context->set;
    uint32_t first = c->access[number], end = c->access[number + 1], count = 0;
    if (set->footprint.status) return NOT_PLAIN;
    while (first + count < end && count < PLAIN_MAX &&
           svs__set_single(set, &set->footprint.accesses[first + count], &elements[count]))
        count++;
    if (first + count == end) return count;
    if (svs__set_expand_range(set, first, end) || !svs__set_is_plain(set) || set->count > PLAIN_MAX)
        return NOT_PLAIN;
    for (uint32_t k = 0; k < set->count; k++) elements[k] = set->elements[k];
    return set->count;
}

static uint32_t expand_others(svs_context *context) {
    svs__candidates *c = context->candidates;
    uint32_t elements = 0;
    for (uint32_t i = 0; i < c->other_count; i++) {
        other *r = &c->others[i];
        r->count = expand_plain(context, r->number, r->elements);
        r->admitted = false;
        if (r->count != NOT_PLAIN) elements += r->count;
    }
    return elements;
}

static void admit_others(svs__domain *domain, svs__candidates *c) {
    svs__admission *admission = domain->run->admission;
    svs__hold *hold = &domain->stage.hold;
    svs__admission_begin(admission, hold);
    for (uint32_t i = 0; i < c->other_count; i++) {
        other *r = &c->others[i];
        if (r->count == NOT_PLAIN) continue;
        r->admitted =
            svs__admission_try_elements(admission, hold, r->elements, r->count, hold, &r->met);
        r->met.single = r->count == 1;
    }
    svs__admission_end(admission, hold);
}

static void settle_others(svs__domain *domain, svs_context *context, bool tried) {
    svs__candidates *c = context->candidates;
    for (uint32_t i = 0; i < c->other_count; i++) {
        other *r = &c->others[i];
        svs__record *record = c->records[r->number];
        bool alone = !tried || r->count == NOT_PLAIN;
        if (r->admitted) svs__stage_enter(domain, record);
        else if (!alone || !svs__stage_consider(domain, context, record, &r->met)) {
            svs__domain_defer(domain, context, record, &r->met, false, alone);
            continue;
        }
        if (r->number >= c->last) c->last = r->number + 1;
    }
}

static void consider_others(svs__domain *domain, svs_context *context) {
    svs__candidates *c = context->candidates;
    uint32_t elements = expand_others(context);
    bool room =
        !svs__run_cancelled(domain->run) && svs__stage_make_room(domain, c->other_count, elements);
    if (room) admit_others(domain, c);
    settle_others(domain, context, room);
}

/* ---- the whole ---- */

static void consider_candidates(svs__domain *domain, svs_context *context) {
    svs__candidates *c = context->candidates;
    if (context->set.footprint.status || svs__run_cancelled(domain->run) ||
        !svs__stage_make_room(domain, c->count, c->count)) {
        for (uint32_t i = 0; i < c->count; i++) leave(c, i);
    } else {
        svs__admission_begin(domain->run->admission, &domain->stage.hold);
        admit_singles(domain, context);
        svs__admission_end(domain->run->admission, &domain->stage.hold);
    }
    if (c->other_count) consider_others(domain, context);
}

/* Looks at what has arrived, until too many in a row conflict: then the stage is about as full as
 * it gets (doRelease). */
void svs__stage_consider_arrivals(svs__domain *domain, svs_context *context) {
    const svs__candidates *c = context->candidates;
    uint32_t in_a_row = 0, limit = domain->run->graph->options.stage_conflicts;
    while (svs__stage_room(domain) && in_a_row <= limit && take_candidates(domain, context)) {
        consider_candidates(domain, context);
        in_a_row = c->last ? c->count - c->last : in_a_row + c->count;
    }
}
