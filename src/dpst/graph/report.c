/* Reports verdicts on instances of graphs to the program's callback. */
#include "dpst/graph/report.h"
#include <string.h>

/* ---- counts ---- */

/* number of orders that are distinguished; further ones count as seen before */
#define ORDERS 8192u

/* The key of an order: an object and two tasks. */
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
static _Atomic(uint64_t) undeclared, races, lost;

void svs__graph_counts_reset(void) {
    memset(orders, 0, sizeof orders);
    order_count = 0;
    memset(&sample, 0, sizeof sample);
    sample_type = NULL;
    svs__store_relaxed(&undeclared, 0);
    svs__store_relaxed(&races, 0);
    svs__store_relaxed(&lost, 0);
}

void svs__graph_counts_abandon(void) {
    lock = (svs__lock)SVS__LOCK_INIT;
    svs__graph_counts_reset();
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
    summary->lost += svs__load_relaxed(&lost);
}

/* relaxed is enough: a statistic. */
void svs__graph_lose(void) { (void)svs__fetch_add_relaxed(&lost, 1); }

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

/* The place of the order, or the free place for it. The caller holds the lock. */
static order *place_of(const order *o) {
    size_t at = hash(o) % ORDERS;
    while (orders[at].tasks[0] != NULL && !is_same(&orders[at], o)) at = (at + 1) % ORDERS;
    return &orders[at];
}

/* Counts an order. @return whether it is the first of its kind. */
static bool count_order(const order *o, const char *type) {
    order *at;
    bool is_new = false;
    svs__lock_acquire(&lock);
    at = place_of(o);
    if (at->tasks[0] == NULL && order_count < ORDERS / 4 * 3) {
        *at = *o;
        is_new = true;
        if (order_count++ == 0) {
            sample = *o;
            sample_type = type;
        }
    }
    svs__lock_release(&lock);
    return is_new;
}

static order order_by(const svs__declared *guard, const svs__instance *t, const svs__instance *u) {
    const char *one = svs__instance_task(t), *other = svs__instance_task(u);
    order o = {NULL, 0, {one < other ? one : other, one < other ? other : one}};
    if (guard != NULL) o.what = guard->what;
    if (guard != NULL) o.index = guard->index;
    return o;
}

bool svs__graph_count(const svs__graph_finding *f, const svs__instance *t,
                      const svs__declared *guard) {
    const svs__instance *u = f->other.instance;
    const char *name;
    order o;
    if (f->verdict == SVS_CHECK_VERDICT_UNDECLARED) (void)svs__fetch_add_relaxed(&undeclared, 1);
    else if (f->verdict == SVS_CHECK_VERDICT_RACE) (void)svs__fetch_add_relaxed(&races, 1);
    if (f->verdict != SVS_CHECK_VERDICT_ORDER) return true;
    o = order_by(guard, t, u);
    if (f->owned) o.what = f->owner.what;
    if (f->owned) o.index = svs__finding_index(f);
    name = f->owned ? f->owner.name : guard != NULL ? svs__graph_name_of(guard) : NULL;
    return count_order(&o, name) && svs__the_checker.options.order_is_error;
}

static bool is_counted(const svs__declared *guard, const svs__instance *t, const svs__instance *u) {
    order o = order_by(guard, t, u);
    bool counted;
    svs__lock_acquire(&lock);
    counted = place_of(&o)->tasks[0] != NULL;
    svs__lock_release(&lock);
    return counted;
}

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

static void name_side(svs_check_access *access, const svs__instance *t, int declared) {
    access->task = svs__instance_task(t);
    access->instance = t->order;
    access->declared = declared;
    access->run = t->run->number;
}

void svs__graph_name(const svs__instance *instance, svs_check_race *race) {
    name_side(&race->before, instance, 0);
    name_side(&race->now, instance, 0);
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

static void fill(svs__check_thread *self, const svs__graph_finding *f, svs_check_race *race,
                 char *cure, char *declared) {
    svs__instance *t = self->instance;
    const svs__instance *u = f->other.instance;
    race->address = (const void *)f->address;
    race->bytes = f->bytes;
    race->verdict = f->verdict;
    describe_object(f, race);
    name_side(&race->now, t, f->mode);
    svs__graph_tell_declared(t, u, declared);
    svs__graph_tell_cure(t, f, race->now.write, cure);
    if (u != NULL) {
        race->before = (svs_check_access){
            f->other.step, f->other.write, f->other.pc, f->other.frame, NULL, 0, 0, 0};
        name_side(&race->before, u, f->other_mode);
    }
    race->cure = cure;
    race->declared = declared;
}

/* Finds the element that keeps the two instances apart, or NULL. @return false: the program has
 * said that the order of accesses to it does not matter. */
static bool find_guard(const svs__instance *t, const svs__instance *u,
                       const svs__declared **guard) {
    const svs__declared *d;
    uint32_t from = 0;
    *guard = NULL;
    while ((d = svs__graph_conflict(t, u, &from)) != NULL) {
        if (!d->is_index && svs__owner_is_commutative(d->what)) return false;
        if (*guard == NULL) *guard = d;
    }
    return true;
}

/* The place where the worker remembers that an order of two kinds of instances was reported.
 * `*pair` becomes the value that stands for the two kinds, in either order, and that is stored
 * there. */
static uint64_t *told_at(const svs__check_thread *self, uint64_t one, uint64_t other,
                         uint64_t *pair) {
    uint64_t low = one < other ? one : other, high = one < other ? other : one;
    *pair = (low * UINT64_C(0x9E3779B97F4A7C15) ^ (high >> 32 | high << 32)) *
            UINT64_C(0xBF58476D1CE4E5B9);
    return &self->worker->memo.told[*pair >> (64 - SVS__MEMO_TOLD_BITS)];
}

static bool look_whether_told(const svs__check_thread *self, const svs__instance *t,
                              const svs__instance *u) {
    uint32_t from = 0;
    if (t->run->world != u->run->world) return false;
    /* The caller holds the lock of a page. Whether an element is commutative is not looked up here,
     * as this needs the lock of another page. */
    return svs__graph_are_apart(self, t, u) && is_counted(svs__graph_conflict(t, u, &from), t, u);
}

bool svs__graph_is_told(const svs__check_thread *self, const svs__instance *t,
                        const svs__instance *u, uint64_t kind) {
    uint64_t pair, *told = told_at(self, t->kind, kind, &pair);
    if (*told == pair) return true;
    if (!look_whether_told(self, t, u)) return false;
    *told = pair;
    return true;
}

/* Reports a finding that is the first of its kind. */
SVS__COLD static void tell(svs__check_thread *self, const svs__graph_finding *f,
                           const svs__touch *touch) {
    char cure[SVS__GRAPH_TEXT] = "", declared[SVS__GRAPH_TEXT] = "";
    uint32_t step = self->step;
    svs_check_race race;
    memset(&race, 0, sizeof race);
    race.now = (svs_check_access){step, touch->write, touch->pc, self->frame, NULL, 0, 0, 0};
    self->step = 0; /* accesses of the report itself are not checked */
    fill(self, f, &race, cure, declared);
    svs__the_checker.options.found(&race, svs__the_checker.options.found_argument);
    self->step = step;
}

void svs__graph_report(svs__check_thread *self, const svs__graph_finding *f,
                       const svs__touch *touch) {
    const svs__declared *guard = NULL;
    if (svs__check_is_of_async(self, f->address) || svs__check_is_own(f->address)) return;
    if (f->verdict == SVS_CHECK_VERDICT_ORDER && !f->owned) {
        uint64_t pair, *told = told_at(self, self->instance->kind, f->other.kind, &pair);
        *told = pair;
    }
    if (f->verdict == SVS_CHECK_VERDICT_ORDER && !f->shared &&
        !find_guard(self->instance, f->other.instance, &guard))
        return;
    if (svs__graph_count(f, self->instance, guard)) tell(self, f, touch);
}
