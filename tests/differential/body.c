/* A body: it enters what its item declares, adds to it, sends, acts, and leaves. */
#include <sched.h>
#include <stdlib.h>
#include <svs/check.h>

#include "differential.h"

bool went_well(body *b, svs_status status, const char *call) {
    if (!status) return true;
    if (status != SVS_E_NO_MEMORY || !has(F_OOM))
        violated("a call", "%s in a body answered %s", call, svs_status_name(status));
    b->status = status;
    (void)atomic_fetch_or(&b->task->graph->failed, 1);
    return false;
}

/* Now and then the processor is given up amid a body, so that bodies meet on a single one, too. */
void linger(uint64_t *random) {
    for (volatile uint32_t i = below(random, 60); i; i--) continue;
    if (below(random, 16) == 0) (void)sched_yield();
}

/* Not where an instance is to be preempted while it builds its footprint: the system would preempt
 * bodies alone. */
static void linger_in(body *b) {
    for (volatile uint32_t i = b->item->spin; i; i--) continue;
    if (!has(F_GROWING)) linger(&b->random);
}

uint64_t value_of(const item *i, uint32_t iteration) {
    uint64_t state = i->seed + iteration;
    return next_random(&state) >> 20;
}

/* Plain accesses: another one that is not ordered with them is a lost sum, and a race. */
void touch_entries(const entry *entries, uint32_t count, uint64_t value) {
    volatile uint64_t read;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < count; k++) {
        const entry *e = &entries[k];
        if (!e->is) continue;
        if (!e->write) {
            read = e->is->data;
            (void)read;
            continue;
        }
        e->is->data += value;
        if (!e->what || e->what->lasting) sum += value;
    }
    (void)atomic_fetch_add_explicit(&the.written, sum, memory_order_relaxed);
}

static void send_items(body *b, task *to, item *items, uint32_t count) {
    void *bytes;
    take_ids(to, b->iteration, items, count);
    bytes = pack_items(to, items, count);
    if (!went_well(b, svs_send(b->context, to->task, bytes, count, task_types[to->kind]->item_size),
                   "svs_send"))
        untake_ids(to, b->iteration, count);
    free(bytes);
}

void send_one(body *b, task *to, item *i) { send_items(b, to, i, 1); }

/* Those for one consumer that follow each other are sent at once. */
static void send_children(body *b) {
    item children[CHILDREN_MAX];
    task *to[CHILDREN_MAX];
    brood all = brood_of(b->task, b->item, b->iteration);
    for (uint32_t count = 1, first; count && !b->status;) {
        count = draw_children(&all, children, to);
        first = 0;
        for (uint32_t k = 1; k <= count && !b->status; k++) {
            if (k < count && to[k] == to[first]) continue;
            send_items(b, to[first], children + first, k - first);
            first = k;
        }
    }
}

/* A footprint whose links its instance has not changed is the same at its end. */
static void check_again(body *b) {
    set *again = &own_scratch()->again;
    if (b->relinked || !chance(&b->random, 25)) return;
    set_gather(again, b->land, b->item);
    for (uint32_t k = 0; k < again->count; k++)
        if (again->count != b->set.count || !set_find(&b->set, again->entries[k].is))
            violated("S1", "the set of item %u has changed while it ran", b->item->id);
}

static svs_status failure(const body *b) {
    graph *g = b->task->graph;
    uint32_t code = 1 + (uint32_t)(b->item->seed % 20);
    if (b->status || !b->item->fails || !g->failing) return b->status;
    (void)atomic_fetch_or(&g->failed, UINT32_C(1) << code);
    return (svs_status)code;
}

static void run_in_set(body *b) {
    set_gather(&b->set, b->land, b->item);
    for (uint32_t k = 0; k < b->set.count; k++) enter(&b->set.entries[k]);
    sample_begins(&b->set);
    if (has(F_LATER)) {
        svs_check_ignore_begin(); /* a lock hands over what completes later: here, and at its end */
        later_ask(b);
        svs_check_ignore_end();
    }
    if (!b->later) touch_entries(b->set.entries, b->set.count, value_of(b->item, b->iteration));
    linger_in(b);
    send_children(b);
    act(b);
    linger_in(b);
    check_again(b);
    sample_ends();
    if (!has(F_LATER)) return;
    svs_check_ignore_begin();
    later_finish_another(&b->random);
    svs_check_ignore_end();
}

static void leave_all(body *b) {
    for (uint32_t k = 0; k < b->set.count; k++)
        if (b->set.entries[k].is) leave(&b->set.entries[k]);
    instance_ends(b->task, b->iteration);
}

svs_status run_body(svs_context *context, item *i) {
    graph *g = the.graphs[i->graph];
    task *t = &g->tasks[i->task];
    body b;
    svs_status status;
    if (g->draining) return SVS_OK;
    b.context = context;
    b.task = t;
    b.land = g->land;
    b.item = i;
    b.iteration = svs_context_iteration(context);
    b.random = i->seed ^ svs_instance_id(context);
    b.relinked = false;
    b.status = SVS_OK;
    b.later = NULL;
    if (svs_context_argument(context) != (g->graph ? t : NULL))
        violated("S2", "a body is handed another task's argument");
    instance_begins(t, i, b.iteration);
    run_in_set(&b);
    status = failure(&b);
    if (b.later) {
        svs_check_ignore_begin();
        status = later_body_ends(&b, status);
        svs_check_ignore_end();
        return status;
    }
    leave_all(&b);
    return status;
}
