/* Why two instances did not run together (design: every deferral has a cause).
 *
 * Explained are the first deferrals of each worker, and later each `explain_every`-th one. The
 * exact sets of both sides are made by forward traversal and compared. Either these sets conflict,
 * or only their cells or bits do (hash), or only the sets that begin at the objects of their
 * masters (shared master), or none of these (stale bits). An explanation may be wrong, because
 * links may change during the comparison. It is counted in the statistics, and the world adapts to
 * it (memobj/adapt.h). No conflict is decided by it. */
#include "sched/domain/observe/explain.h"

#include "base/memory.h"
#include "base/platform.h"
#include "memobj/adapt.h"
#include "memobj/reach/master.h"
#include "sched/admission/conflict.h"
#include "sched/domain/observe/seen.h"
#include "sched/domain/window/keys.h"

#define FIRST 16u        /* number of first deferrals that are all explained */
#define HOLDERS_MAX 256u /* the maximum number of a stage's last instances that are compared */
#define EXACT_BUDGET 4096u

/* The kind of the access that has named an element. An element that a traversal has found is an
 * object. */
static svs_access_kind kind_of(const svs__set *set, const void *what) {
    for (uint32_t i = 0; i < set->footprint.count; i++)
        if (set->footprint.accesses[i].what == what)
            return (svs_access_kind)set->footprint.accesses[i].kind;
    return SVS_KIND_OBJECT;
}

static void note(svs__explained *found, svs__seen_cause cause, const svs__set *set, uint32_t i) {
    if (cause <= found->cause) return;
    found->cause = cause;
    found->place = set->identities[i];
    found->kind = kind_of(set, found->place.what);
    found->writes = set->elements[i].mode == SVS_MODE_WRITE;
}

static void compare_elements(const svs__set *a, const svs__set *b, svs__explained *found) {
    uint32_t shift = a->dense || b->dense ? a->world->bit_shift : a->world->cell_shift;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            if (!svs__modes_conflict(a->elements[i].mode, b->elements[k].mode)) continue;
            if (a->identities[i].what == b->identities[k].what &&
                a->identities[i].index == b->identities[k].index) {
                note(found, SVS__SEEN_TRUE, a, i);
                return;
            }
            if (svs__elements_conflict(a->elements[i], b->elements[k], shift))
                note(found, SVS__SEEN_HASH, a, i);
        }
}

/* Expands an item's accesses exactly into `set`. With `masters`, each reach begins at the object of
 * the primary master. */
static bool expand(svs__set *set, const void *item, bool masters) {
    svs__set_begin(set);
    svs__task_touch(svs__item_task(item), set, item);
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

/* Compares `context->explain[0]` with the set of another item. */
static void compare_with(svs_context *context, const void *other, bool masters,
                         svs__explained *found) {
    svs__set *b = &context->explain[1];
    svs__seen_cause before = found->cause;
    if (expand(b, other, masters)) compare_elements(&context->explain[0], b, found);
    if (found->cause == before) return;
    found->other_task = svs__item_task(other);
    found->other_seed = svs__item_seed(other);
}

/* Compares the record with the last instances of a stage, which have not started. With `masters`,
 * see expand(). */
static svs__explained compare_waiting(svs_context *context, const svs__stage *stage,
                                      svs__record *record, bool masters) {
    svs__explained found = {0};
    svs__set *a = &context->explain[0];
    uint32_t from = stage->count > HOLDERS_MAX ? stage->count - HOLDERS_MAX : 0;
    if (!expand(a, svs__record_item(record), masters)) return found;
    a->dense = context->set.dense; /* so that the comparison is the same as in admission */
    for (uint32_t i = from; i < stage->count && found.cause != SVS__SEEN_TRUE; i++)
        compare_with(context, stage->items[i], masters, &found);
    return found;
}

/* Names the instance to which a worker's set belongs. The caller holds the lock of the set, so that
 * the worker admits no other instance. The seed is available only while the body runs. */
static void name_running(svs_context *other, svs__explained *found) {
    /* acquire: also sees the task; pairs with the release in svs__seen_begin(). */
    found->other_seed = svs__load_acquire(&other->seen_seed);
    found->other_task = found->other_seed ? svs__load_relaxed(&other->seen_task) : NULL;
}

/* Compares the record with the last instance that a worker has begun for the domain, which in most
 * cases still runs. Its body may change its item, so the comparison uses the set from its
 * admission. */
static void compare_running(svs_context *context, const svs__domain *domain, svs__record *record,
                            svs_context *other, svs__explained *found) {
    svs__set *a = &context->explain[0];
    svs__seen_cause before = found->cause;
    if (other == context || !svs__lock_try(&other->set_lock)) return;
    if (other->set_of == domain && expand(a, svs__record_item(record), false)) {
        a->dense = context->set.dense;
        compare_elements(a, &other->set, found);
        if (!found->cause && (a->dense || other->set.dense)) found->cause = SVS__SEEN_STALE;
    }
    if (found->cause != before) name_running(other, found);
    svs__lock_release(&other->set_lock);
}

static svs__explained look(svs_context *context, svs__domain *domain, svs__record *record) {
    svs__explained found = compare_waiting(context, &domain->stage, record, false);
    if (!found.cause && context->set.dense && domain->stage.count) {
        found = compare_waiting(context, &domain->stage, record, true);
        found.cause = found.cause ? SVS__SEEN_MASTER : SVS__SEEN_STALE;
    }
    if (domain->algorithm->in_stages) return found;
    /* STALE, as the result for one pair, counts only if no other pair explains the conflict. */
    for (uint32_t i = 0; i < domain->env->threads && found.cause != SVS__SEEN_TRUE; i++)
        compare_running(context, domain, record, domain->env->contexts[i], &found);
    return found;
}

/* Sets the number of the next deferral to explain. Deferrals are counted from 0. */
static void plan_next(svs_context *context) {
    uint64_t deferrals = context->statistics.deferrals;
    uint32_t every = context->env->options->explain_every;
    /* only the trace has asked for explanations, so there are no others */
    if (!every) context->explain_at = UINT64_MAX;
    else if (deferrals >= FIRST) context->explain_at = deferrals + every - deferrals % every;
}

static void count_cause(svs_graph_statistics *statistics, svs__seen_cause found) {
    switch (found) {
    case SVS__SEEN_TRUE: statistics->deferrals_true++; break;
    case SVS__SEEN_HASH: statistics->deferrals_hash++; break;
    case SVS__SEEN_MASTER: statistics->deferrals_master++; break;
    case SVS__SEEN_STALE: statistics->deferrals_stale++; break;
    default: break; /* a holder in another domain, or one that has ended by now */
    }
}

static uint64_t now_if_seen(const svs_context *context) {
    return context->env->seen.graphs ? svs__time_ns() : 0;
}

static void tell(svs_context *context, const void *item, const svs__explained *found,
                 uint64_t begin_ns) {
    count_cause(&context->statistics, found->cause);
    if (context->env->seen.graphs) svs__seen_tell_deferral(context, item, found, begin_ns);
}

/* Counts the cause, so that the world can adapt its masters and cells. Deferrals in domains with
 * windows leave the cells unchanged: windows do not compare in cells, and their colours must be the
 * same in each run. */
static void teach(const svs_context *context, const svs__domain *domain,
                  const svs__explained *found) {
    bool by_cells =
        found->cause == SVS__SEEN_HASH && !context->explain[0].dense && !domain->algorithm->repeats;
    if (found->cause == SVS__SEEN_UNKNOWN) return;
    svs__adapt_count(context->holder.world, found->cause == SVS__SEEN_MASTER, by_cells);
}

void svs__explain(svs_context *context, svs__domain *domain, svs__record *record) {
    svs__explained found;
    uint64_t begin_ns;
    if (!svs__explain_is_due(context, domain) || !ready(context)) return;
    begin_ns = now_if_seen(context);
    plan_next(context);
    found = look(context, domain, record);
    teach(context, domain, &found);
    tell(context, svs__record_item(record), &found, begin_ns);
}

/* Compares the set `context->explain[0]` with the sets of items. */
static void compare_placed(svs_context *context, void *const *from, void *const *end,
                           svs__explained *found) {
    while (end-- > from && found->cause != SVS__SEEN_TRUE)
        compare_with(context, *end, false, found);
}

void svs__explain_placed(svs_context *context, const void *item, void **const *stages,
                         void **const *ends, uint32_t count) {
    svs__explained found = {0};
    uint64_t begin_ns;
    if (SVS__LIKELY(context->statistics.deferrals < context->explain_at) || !ready(context)) return;
    begin_ns = now_if_seen(context);
    plan_next(context);
    if (!expand(&context->explain[0], item, false)) return;
    context->explain[0].dense = false;
    while (count-- && found.cause != SVS__SEEN_TRUE)
        compare_placed(context, stages[count], ends[count], &found);
    tell(context, item, &found, begin_ns);
}

bool svs__explain_pair(svs_context *context, const void *item, const void *other,
                       svs__explained *found) {
    *found = (svs__explained){0};
    if (!ready(context) || !expand(&context->explain[0], item, false)) return false;
    compare_with(context, other, false, found);
    return found->cause != SVS__SEEN_UNKNOWN;
}

/* ---- the conflicts inside of a window, for an observer ---- */

#define PLACE_BITS 14u
#define TOLD_MAX 64u /* the maximum number of conflicts reported for a window */

/* For each hash of a key: the last instance of the window that reads an element with it, and the
 * last that writes one. Instances are numbered from 1. */
typedef struct touched {
    uint16_t by[2][1u << PLACE_BITS];
} touched;

typedef struct search {
    svs_context *context;
    touched *touched;
    const svs__window *window;
    /* `before`: number of instances in earlier stages; `told`: number of reported conflicts */
    uint32_t before, told;
    svs__keyed keyed;
} search;

static void touch(touched *t, const svs__element *e, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; i++)
        t->by[e[i].mode][e[i].key >> (32 - PLACE_BITS)] = (uint16_t)number;
}

/* Finds an instance of an earlier stage that conflicts with these elements. @return its number; 0:
 * none. */
static uint32_t find_other(const touched *t, const svs__element *e, uint32_t count, uint32_t end) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = e[i].key >> (32 - PLACE_BITS);
        uint32_t number = t->by[SVS_MODE_WRITE][at];
        if (!number && e[i].mode == SVS_MODE_WRITE) number = t->by[SVS_MODE_READ][at];
        if (number && number <= end) return number;
    }
    return 0;
}

/* The item of the window's instance with this number. Instances are numbered from 1, in the order
 * of stages. */
static const void *item_of(const svs__window *w, uint32_t number) {
    uint32_t stage = 0;
    while (number > w->count[stage]) number -= w->count[stage++];
    return w->items[stage][number - 1];
}

/* Compares an instance with those before it in the window. `number`: its number. */
static void look_at(search *s, const void *item, uint32_t number, const svs__element *elements,
                    uint32_t count) {
    svs__explained found;
    uint32_t other = find_other(s->touched, elements, count, s->before);
    touch(s->touched, elements, count, number);
    if (!other || !svs__explain_pair(s->context, item, item_of(s->window, other), &found)) return;
    svs__seen_tell_conflict(s->context, item, &found, true);
    s->told++;
}

/* Compares instances of one task, by the elements that the task's loop computes. `number`: the
 * number of the first one. @return how many were compared. */
static uint32_t look_at_some(search *s, void *const *items, uint32_t count, uint32_t number) {
    svs__keyed *k = &s->keyed;
    uint32_t some = svs__window_keys(k, s->context, items, count, true), first = 0;
    for (uint32_t i = 0; i < some && s->told < TOLD_MAX; i++) {
        if (k->ends[i] >= SVS__WALKED) continue;
        look_at(s, items[i], number + i, k->elements + first, k->ends[i] - first);
        first = k->ends[i];
    }
    return some;
}

static void look_at_stage(search *s, void *const *items, uint32_t count) {
    for (uint32_t done = 0; done < count && s->told < TOLD_MAX;) {
        const svs_task *task = svs__item_task(items[done]);
        uint32_t end = done + 1;
        while (end < count && end - done < SVS__KEYED && svs__item_task(items[end]) == task) end++;
        done += look_at_some(s, items + done, end - done, s->before + done + 1);
    }
}

static void tell_conflicts(search *s) {
    const svs__window *w = s->window;
    for (uint32_t stage = 0; stage < w->stages; s->before += w->count[stage++])
        look_at_stage(s, w->items[stage], w->count[stage]);
}

void svs__seen_window(svs_context *context, const svs__window *w) {
    const svs_allocator *allocator = context->env->world->allocator;
    svs__seen_stage window = {.kind = SVS__SEEN_WINDOW, .stages = w->stages};
    uint64_t begin_ns = svs__time_ns();
    for (uint32_t stage = 0; stage < w->stages; stage++) window.width += w->count[stage];
    window.parted = window.width - w->count[0];
    if (context->env->seen.graphs && window.parted && begin_ns >= context->seen_next_ns) {
        touched *t = svs__allocate_zeroed(allocator, sizeof *t, _Alignof(touched));
        search s = {.context = context, .touched = t, .window = w};
        if (t) tell_conflicts(&s);
        window.explained = s.told;
        svs__release(allocator, t, sizeof *t, _Alignof(touched));
        context->seen_next_ns = svs__time_ns() + SVS__SEEN_SHARE * (svs__time_ns() - begin_ns);
    }
    svs__seen_tell_window(context, &window, svs__item_task(w->items[0][0]));
}
