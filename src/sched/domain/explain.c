/* Why two instances did not run together (design: every deferral has a cause).
 *
 * The first deferrals of each worker, and one in `explain_every` later ones, are explained. The
 * exact sets of both sides are made by forward traversal and compared. They conflict, or only their
 * cells or bits do (hash), or only the sets that begin at their masters' objects (shared master),
 * or none of these (stale bits). Links may change meanwhile, so that an explanation may be wrong.
 * It is counted in the statistics, and decides nothing. */
#include "sched/domain/explain.h"

#include "memobj/reach/master.h"
#include "sched/admission/conflict.h"

#define FIRST 16u       /* deferrals that are all explained */
#define HOLDERS_MAX 32u /* the last instances of a stage */
#define EXACT_BUDGET 4096u

typedef enum cause { NOTHING, STALE, MASTER, HASH, TRUE_CONFLICT } cause;

static cause compare_elements(const svs__set *a, const svs__set *b) {
    uint32_t shift = a->dense || b->dense ? a->world->bit_shift : a->world->cell_shift;
    cause found = NOTHING;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            if (!svs__modes_conflict(a->elements[i].mode, b->elements[k].mode)) continue;
            if (a->identities[i].what == b->identities[k].what &&
                a->identities[i].index == b->identities[k].index)
                return TRUE_CONFLICT;
            if (svs__elements_conflict(a->elements[i], b->elements[k], shift)) found = HASH;
        }
    return found;
}

/* Expands an item's accesses exactly into `set`. With `masters`, each reach begins at the primary
 * master's object. */
static bool expand(svs__set *set, svs__record *record, bool masters) {
    svs__set_begin(set);
    svs__task_touch(svs__record_task(record), set, svs__record_item(record));
    for (uint32_t i = 0; masters && i < set->footprint.count; i++) {
        svs_access *access = &set->footprint.accesses[i];
        svs__master *m;
        if (access->kind != SVS_KIND_OBJECT || access->extent != SVS_EXTENT_REACH || !access->what)
            continue;
        m = svs__reach_master(svs__load_acquire(svs__object_reach(access->what)));
        if (m && svs__load_relaxed(&m->object)) access->what = svs__load_relaxed(&m->object);
    }
    return !svs__set_expand(set);
}

static bool ready(svs_context *context) {
    for (int i = 0; i < 2; i++) {
        svs__set *set = &context->explain[i];
        if (set->world) continue;
        if (svs__set_init(set, context->holder.world)) return false;
        set->budget = EXACT_BUDGET;
    }
    return true;
}

/* The record against the last of a stage, which have not started. With `masters`, see expand(). */
static cause compare_waiting(svs_context *context, const svs__stage *stage, svs__record *record,
                             bool masters) {
    svs__set *a = &context->explain[0], *b = &context->explain[1];
    uint32_t from = stage->count > HOLDERS_MAX ? stage->count - HOLDERS_MAX : 0;
    cause found = NOTHING;
    if (!expand(a, record, masters)) return NOTHING;
    a->dense = context->set.dense; /* compare as admission did */
    for (uint32_t i = from; i < stage->count && found != TRUE_CONFLICT; i++) {
        cause one = expand(b, stage->records[i], masters) ? compare_elements(a, b) : NOTHING;
        if (one > found) found = one;
    }
    return found;
}

/* The record against the last instance that a worker has run for the domain, and most often still
 * runs. Its body may change its item, so only the set of its admission is compared. */
static cause compare_running(svs_context *context, const svs__domain *domain, svs__record *record,
                             svs_context *other) {
    svs__set *a = &context->explain[0];
    cause found = NOTHING;
    if (other == context || !svs__lock_try(&other->set_lock)) return NOTHING;
    if (other->set_of == domain && expand(a, record, false)) {
        a->dense = context->set.dense;
        found = compare_elements(a, &other->set);
        if (!found && (a->dense || other->set.dense)) found = STALE;
    }
    svs__lock_release(&other->set_lock);
    return found;
}

static cause look(svs_context *context, svs__domain *domain, svs__record *record) {
    cause found = compare_waiting(context, &domain->stage, record, false);
    if (!found && context->set.dense && domain->stage.count)
        found = compare_waiting(context, &domain->stage, record, true) ? MASTER : STALE;
    if (domain->algorithm->in_stages) return found;
    /* STALE from the comparison of one pair counts only if no other pair explains the conflict. */
    for (uint32_t i = 0; i < domain->env->threads && found != TRUE_CONFLICT; i++) {
        cause one = compare_running(context, domain, record, domain->env->contexts[i]);
        if (one > found) found = one;
    }
    return found;
}

/* The deferrals are counted from 0. */
void svs__explain_begin(svs_context *context) {
    context->explain_at = context->env->options->explain_every ? 0 : UINT64_MAX;
}

static void plan_next(svs_context *context) {
    uint64_t deferrals = context->statistics.deferrals;
    uint32_t every = context->env->options->explain_every;
    if (deferrals >= FIRST) context->explain_at = deferrals + every - deferrals % every;
}

void svs__explain(svs_context *context, svs__domain *domain, svs__record *record) {
    svs_graph_statistics *statistics = &context->statistics;
    if (!svs__explain_is_due(context, domain) || !ready(context)) return;
    plan_next(context);
    switch (look(context, domain, record)) {
    case TRUE_CONFLICT: statistics->deferrals_true++; break;
    case HASH: statistics->deferrals_hash++; break;
    case MASTER: statistics->deferrals_master++; break;
    case STALE: statistics->deferrals_stale++; break;
    case NOTHING: break; /* a holder of another domain, or one that has ended by now */
    }
}
