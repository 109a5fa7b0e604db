/* Verdicts on graphs' instances, in words: what was touched, what was declared, and what would cure
 * it. */
#include "dpst/graph.h"
#include <stdio.h>
#include <string.h>

/* ---- counting ---- */

#define ORDERS 8192u /* that are told apart; more count as if they had been seen */

/* An object and two tasks. */
typedef struct order {
    const void *what;
    uint64_t index;
    const char *tasks[2];
} order;

static svs__lock lock;
static order orders[ORDERS];
static uint32_t order_count;
static order sample;
static const char *sample_type;
static _Atomic(uint64_t) undeclared, races;

void svs__graph_counts_reset(void) {
    memset(orders, 0, sizeof orders);
    order_count = 0;
    memset(&sample, 0, sizeof sample);
    sample_type = NULL;
    svs__store_relaxed(&undeclared, 0);
    svs__store_relaxed(&races, 0);
}

void svs__graph_counts_add(svs_check_summary *summary) {
    svs__lock_acquire(&lock);
    summary->orders = order_count;
    summary->order_type = sample_type;
    summary->order_tasks[0] = sample.tasks[0];
    summary->order_tasks[1] = sample.tasks[1];
    svs__lock_release(&lock);
    summary->undeclared = svs__load_relaxed(&undeclared);
    summary->races += svs__load_relaxed(&races);
}

static size_t hash(const order *o) {
    uint64_t h = (uintptr_t)o->what * UINT64_C(0x9E3779B97F4A7C15) + o->index;
    h = (h ^ (uintptr_t)o->tasks[0]) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ (uintptr_t)o->tasks[1]) * UINT64_C(0x94D049BB133111EB);
    return (size_t)(h >> 32);
}

static bool is_same(const order *a, const order *b) {
    return a->what == b->what && a->index == b->index && a->tasks[0] == b->tasks[0] &&
           a->tasks[1] == b->tasks[1];
}

/* @return whether it is the first of its kind. */
static bool count_order(const order *o, const char *type) {
    size_t at = hash(o) % ORDERS;
    bool is_new = false;
    svs__lock_acquire(&lock);
    while (orders[at].tasks[0] != NULL && !is_same(&orders[at], o)) at = (at + 1) % ORDERS;
    if (orders[at].tasks[0] == NULL && order_count < ORDERS / 4 * 3) {
        orders[at] = *o;
        is_new = true;
        if (order_count++ == 0) {
            sample = *o;
            sample_type = type;
        }
    }
    svs__lock_release(&lock);
    return is_new;
}

/* ---- words ---- */

#define TEXT 768

static const char *task_of(const svs__instance *t) { return t->run->names[t->task]; }

static const char *field_of(const svs__owner *owner, uintptr_t address) {
    const svs_type *type = owner->type;
    uintptr_t offset = address - owner->begin;
    if (type == NULL) return NULL;
    for (uint32_t i = 0; i < type->link_count; i++)
        if (offset - type->links[i].offset < sizeof(void *)) return type->links[i].name;
    for (uint32_t i = 0; i < type->member_count; i++)
        if (offset - type->members[i].offset < type->members[i].type->size)
            return type->members[i].name;
    return NULL;
}

static void append(char *text, const char *more) {
    size_t used = strlen(text);
    (void)snprintf(text + used, TEXT - used, "%s", more);
}

#define LISTED 8u

/* All that an instance has declared, as far as there is room. */
static void list_declared(const svs__instance *t, char *text) {
    char item[160];
    (void)snprintf(item, sizeof item, "%s (%016llx) had declared", task_of(t),
                   (unsigned long long)t->order);
    append(text, item);
    if (t->unknown) append(text, " what could not be looked up");
    else if (t->everything) append(text, " everything");
    else if (t->count == 0) append(text, " nothing");
    for (uint32_t i = 0; i < t->count && i < LISTED; i++) {
        const svs__declared *d = &t->declared[i];
        svs__page *page = svs__page_lock((uintptr_t)d->what, false);
        const char *name = NULL;
        for (uint32_t k = 0; page != NULL && k < page->owner_count; k++)
            if (page->owners[k]->what == d->what) name = page->owners[k]->name;
        if (page != NULL) svs__lock_release(&page->lock);
        if (d->is_index) name = ((const svs_space *)d->what)->name;
        (void)snprintf(item, sizeof item, "%s %s of ", i == 0 ? "" : ",",
                       d->mode == 2 ? "writes" : "reads");
        append(text, item);
        if (name != NULL) append(text, name);
        if (d->is_index) (void)snprintf(item, sizeof item, "[%llu]", (unsigned long long)d->index);
        else (void)snprintf(item, sizeof item, "%s%p", name != NULL ? " " : "", d->what);
        append(text, item);
    }
    if (t->count > LISTED) {
        (void)snprintf(item, sizeof item, ", and %u more", t->count - LISTED);
        append(text, item);
    }
}

/* Of the element that was touched. */
static uint64_t index_of(const svs__graph_finding *f) {
    const svs__owner *owner = &f->owner;
    uint64_t elements = owner->stride != 0 ? (f->address - owner->begin) / owner->stride : 0;
    return owner->index + elements;
}

/* Was it left out only because a link has changed since? Under the instance's lock its set may be
 * looked up again. */
static bool is_stale(svs__instance *t, const svs__graph_finding *f) {
    uint64_t index = index_of(f);
    bool stale = false;
    svs__lock_acquire(&t->set_lock);
    if (t->set != NULL && !svs__set_expand(t->set))
        for (uint32_t i = 0; i < t->set->count && !stale; i++)
            stale =
                t->set->identities[i].what == f->owner.what && t->set->identities[i].index == index;
    svs__lock_release(&t->set_lock);
    return stale;
}

static const char *call_of(const svs__owner *owner, bool write) {
    switch (owner->kind) {
    case SVS__OWNER_OBJECT: return write ? "svs_writes_object" : "svs_reads_object";
    case SVS__OWNER_INDEX: return write ? "svs_writes_at" : "svs_reads_at";
    default: return write ? "svs_writes" : "svs_reads";
    }
}

static const char *name_of(const svs__owner *owner) {
    return owner->name != NULL ? owner->name : "it";
}

static void cure_alone(svs__instance *t, const svs__graph_finding *f, bool write, char *text) {
    const char *task = task_of(t), *name = name_of(&f->owner);
    switch (f->why) {
    case SVS__WHY_RAW_LINK:
        (void)snprintf(text, TEXT, "write links of %s with svs_set() only", name);
        break;
    case SVS__WHY_IMMUTABLE:
        (void)snprintf(text, TEXT, "%s was told to be immutable: nobody may write it", name);
        break;
    case SVS__WHY_WORKER:
        (void)snprintf(text, TEXT, "%s is another worker's: use that of svs_context_worker()",
                       name);
        break;
    case SVS__WHY_READ_ONLY:
        (void)snprintf(text, TEXT, "the touch function of %s reads %s: say %s()", task, name,
                       call_of(&f->owner, true));
        break;
    default:
        if (is_stale(t, f))
            (void)snprintf(text, TEXT,
                           "stale footprint: a link has changed since the footprint of %s was "
                           "looked up, or it would have %s in it",
                           task, name);
        else
            (void)snprintf(text, TEXT, "add %s() for %s to the touch function of %s",
                           call_of(&f->owner, write), name, task);
    }
}

static void cure_pair(const svs__instance *t, const svs__instance *u, const svs__graph_finding *f,
                      char *text) {
    const char *a = task_of(u), *b = task_of(t);
    if (f->verdict == SVS_CHECK_ORDER)
        (void)snprintf(text, TEXT,
                       "the schedule chooses which is first: svs_graph_order() of %s and %s, or "
                       "svs_check_commutative() if it does not matter",
                       a, b);
    else if (f->owned)
        (void)snprintf(text, TEXT, "declare %s in both %s and %s, or svs_graph_order() them",
                       name_of(&f->owner), a, b);
    else
        (void)snprintf(text, TEXT,
                       "no memory object that both %s and %s declare has these bytes: declare one, "
                       "or svs_graph_order() them",
                       a, b);
}

/* ---- reports ---- */

static void name(svs_check_access *access, const svs__instance *t, int declared) {
    access->task = task_of(t);
    access->instance = t->order;
    access->declared = declared;
}

void svs__graph_name(const svs__instance *instance, svs_check_race *race) {
    name(&race->before, instance, 0);
    name(&race->now, instance, 0);
}

static void describe_object(const svs__graph_finding *f, svs_check_race *race) {
    const svs__owner *owner = &f->owner;
    uintptr_t at = owner->begin;
    if (!f->owned) return;
    if (owner->stride != 0) at += (f->address - at) / owner->stride * owner->stride;
    race->object = (const void *)at;
    race->object_bytes = owner->stride != 0 ? owner->stride : owner->end - owner->begin;
    race->type = owner->name;
    race->field = field_of(owner, f->address);
}

/* @return whether somebody wants to know. */
static bool count(const svs__graph_finding *f, const svs__instance *t) {
    const svs__instance *u = f->other.instance;
    order o;
    if (f->verdict == SVS_CHECK_UNDECLARED) (void)svs__fetch_add_relaxed(&undeclared, 1);
    else if (f->verdict == SVS_CHECK_RACE) (void)svs__fetch_add_relaxed(&races, 1);
    if (f->verdict != SVS_CHECK_ORDER) return true;
    o.what = f->owned ? f->owner.what : f->other.guess;
    o.index = index_of(f);
    o.tasks[0] = task_of(t);
    o.tasks[1] = task_of(u);
    if (o.tasks[0] > o.tasks[1]) {
        o.tasks[0] = task_of(u);
        o.tasks[1] = task_of(t);
    }
    return count_order(&o, f->owned ? f->owner.name : NULL) &&
           svs__the_checker.options.order_is_error;
}

static void fill(svs__check_thread *self, const svs__graph_finding *f, svs_check_race *race,
                 char *cure, char *declared) {
    svs__instance *t = self->instance;
    const svs__instance *u = f->other.instance;
    race->address = (const void *)f->address;
    race->bytes = f->bytes;
    race->verdict = f->verdict;
    describe_object(f, race);
    name(&race->now, t, f->mode);
    list_declared(t, declared);
    if (u != NULL) {
        race->before = (svs_check_access){
            f->other.step, f->other.write, f->other.pc, f->other.frame, NULL, 0, 0};
        name(&race->before, u, f->other_mode);
        append(declared, "; ");
        list_declared(u, declared);
        cure_pair(t, u, f, cure);
    } else cure_alone(t, f, race->now.write, cure);
    race->cure = cure;
    race->declared = declared;
}

SVS__COLD void svs__graph_report(svs__check_thread *self, const svs__graph_finding *f, bool write,
                                 const void *pc) {
    char cure[TEXT] = "", declared[TEXT] = "";
    uint32_t step = self->step;
    svs_check_race race;
    if (svs__check_is_of_strand(self, f->address) || svs__check_is_own(f->address)) return;
    if (!count(f, self->instance)) return;
    memset(&race, 0, sizeof race);
    race.now = (svs_check_access){step, write, pc, self->frame, NULL, 0, 0};
    self->step = 0; /* what the report touches is not looked at */
    fill(self, f, &race, cure, declared);
    svs__the_checker.options.found(&race, svs__the_checker.options.found_argument);
    self->step = step;
}
