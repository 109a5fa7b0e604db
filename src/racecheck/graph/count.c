/* How many verdicts there were on graphs' instances; orders are told apart. */
#include "racecheck/graph/report.h"
#include <string.h>

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

/* relaxed: a statistic. */
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

bool svs__graph_count(const svs__graph_finding *f, const svs__instance *t,
                      const svs__declared *guard) {
    const svs__instance *u = f->other.instance;
    const char *name;
    order o;
    if (f->verdict == SVS_CHECK_VERDICT_UNDECLARED) (void)svs__fetch_add_relaxed(&undeclared, 1);
    else if (f->verdict == SVS_CHECK_VERDICT_RACE) (void)svs__fetch_add_relaxed(&races, 1);
    if (f->verdict != SVS_CHECK_VERDICT_ORDER) return true;
    o.what = f->owned ? f->owner.what : guard != NULL ? guard->what : NULL;
    o.index = f->owned ? svs__finding_index(f) : guard != NULL ? guard->index : 0;
    o.tasks[0] = svs__instance_task(t);
    o.tasks[1] = svs__instance_task(u);
    if (o.tasks[0] > o.tasks[1]) {
        o.tasks[0] = svs__instance_task(u);
        o.tasks[1] = svs__instance_task(t);
    }
    name = f->owned ? f->owner.name : guard != NULL ? svs__graph_name_of(guard) : NULL;
    return count_order(&o, name) && svs__the_checker.options.order_is_error;
}
