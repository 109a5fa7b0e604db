/* The body of the stress: enters its footprint, relinks, makes and frees, sends, and leaves. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>

#include "s1.h"

#define CHUNK 32u

/* ---- a body's changes of objects ---- */

SVS_TYPE(s1_node, svs, a, b, own)

typedef struct body {
    svs_context *context;
    const s1_item *item;
    struct s1_task *task;
    s1_worker *worker;
    uint32_t index;
    uint64_t random;
    bool relinked;
    svs_status status;
} body;

static void check(body *b, svs_status status) {
    if (status && !b->status) b->status = status;
}

static bool writable(const body *b, const s1_node *node) {
    bool is;
    svs_check_ignore_begin();
    is = node->sentinel.entered[b->index] == (b->worker->epoch << 1 | 1);
    svs_check_ignore_end();
    return is;
}

static s1_entry *random_entry(body *b) {
    return &b->worker->set.entries[s1_below(&b->random, b->worker->set.count)];
}

/* A lasting node of the own set, seldom of another family than `like`; or NULL. */
static s1_node *node_in_set(body *b, const s1_node *like) {
    for (int tries = 0; tries < 4; tries++) {
        s1_node *node = random_entry(b)->node;
        if (!node || !node->lasting) continue;
        if (node->sentinel.name / s1.shape.family == like->sentinel.name / s1.shape.family ||
            s1_below(&b->random, 1000) < s1.shape.cross)
            return node;
    }
    return NULL;
}

static s1_node *node_near(body *b, const s1_node *parent) {
    uint32_t family = s1.shape.family, from = parent->sentinel.name / family * family;
    if (!parent->lasting || s1_below(&b->random, 1000) < s1.shape.cross)
        return s1_any_node(&b->random);
    from += s1_below(&b->random, family);
    return s1.nodes[from < s1.shape.nodes ? from : s1.shape.nodes - 1];
}

static s1_node *new_node(body *b) {
    void *storage;
    s1_node *node;
    check(b, svs_object_new(s1.world, &s1_node_type, &storage));
    if (b->status) return NULL;
    node = storage;
    node->sentinel.name = UINT32_MAX;
    node->sentinel.entered[b->index] = b->worker->epoch << 1 | 1;
    s1_set_add(&b->worker->set, &node->sentinel, node, true);
    s1_enter(b->worker, b->index, &b->worker->set.entries[b->worker->set.count - 1]);
    return node;
}

/* Out of the set: freed, or handed off. */
static void forget(body *b, const s1_node *node) {
    for (uint32_t i = 0; i < b->worker->set.count; i++) {
        s1_entry *entry = &b->worker->set.entries[i];
        if (entry->node != node) continue;
        *entry = b->worker->set.entries[--b->worker->set.count];
        return;
    }
}

static void free_node(body *b, s1_node *node) {
    (void)atomic_fetch_add(&s1.lost, node->sentinel.data);
    forget(b, node);
    check(b, svs_object_free(&node->svs));
}

/* Hangs a new private node below `parent` in place of the old one. */
static void replace_own(body *b, s1_node *parent) {
    s1_node *old = parent->own, *fresh, *below;
    if (!parent->lasting || (old && !writable(b, old))) return;
    fresh = new_node(b);
    if (!fresh) return;
    below = node_in_set(b, parent);
    check(b, svs_link(fresh, a, below));
    check(b, svs_link(parent, own, fresh));
    if (old) free_node(b, old);
}

static void relink(body *b) {
    s1_entry *entry = b->worker->set.count ? random_entry(b) : NULL;
    uint32_t field = s1_below(&b->random, 10), how = s1_below(&b->random, 100);
    s1_node *parent, *child;
    if (!entry || !entry->node || !entry->write) return;
    parent = entry->node;
    b->relinked = true;
    if (s1.shape.targeted) {
        uint32_t hubs = s1.shape.nodes / 2;
        child = s1.nodes[hubs + s1_below(&b->random, s1.shape.nodes - hubs)];
        check(b, svs_link(parent, a, child));
    } else if (field >= 8) {
        replace_own(b, parent);
    } else {
        child = how < 40 ? node_in_set(b, parent) : how < 65 ? NULL : node_near(b, parent);
        if (field < 4) check(b, svs_link(parent, a, child));
        else check(b, svs_link(parent, b, child));
    }
}

/* ---- sends ---- */

static bool take_ids(s1_graph *graph, uint32_t count, uint32_t *first) {
    *first = atomic_load_explicit(&graph->next_id, memory_order_relaxed);
    do {
        if (*first + count > graph->capacity) return false;
    } while (!atomic_compare_exchange_weak(&graph->next_id, first, *first + count));
    return true;
}

static void send(body *b, s1_item *items, uint32_t count) {
    struct s1_task *task = b->task;
    uint32_t first, to;
    if (!task->consumer_count || !take_ids(task->graph, count, &first)) return;
    for (uint32_t i = 0; i < count; i++) items[i].id = first + i;
    to = task->consumers[s1_below(&b->random, task->consumer_count)];
    check(b, svs_send(b->context, task->graph->tasks[to], items, count, sizeof(s1_item)));
}

static void send_batch(body *b, uint32_t batch) {
    s1_item items[CHUNK];
    while (batch && !b->status) {
        uint32_t count = 1 + s1_below(&b->random, CHUNK);
        if (count > batch) count = batch;
        for (uint32_t i = 0; i < count; i++) s1_item_make(&b->random, &items[i]);
        send(b, items, count);
        batch -= count;
    }
}

static void send_on(body *b) {
    for (uint32_t i = s1_below(&b->random, 4); i && !b->status; i--) {
        s1_item item;
        s1_item_make(&b->random, &item);
        item.depth = (uint8_t)(b->item->depth - 1);
        send(b, &item, 1);
    }
}

/* Sends a new list, and goes on writing it, or hands it off. */
static void send_fresh(body *b) {
    s1_node *first, *second, *below = s1_any_node(&b->random);
    uint32_t id;
    bool before = s1_chance(&b->random, 50);
    s1_item item;
    svs_task *to;
    if (!b->task->consumer_count || !take_ids(b->task->graph, 1, &id)) return;
    first = new_node(b);
    second = first ? new_node(b) : NULL;
    if (!second) return;
    check(b, svs_link(first, own, second));
    if (s1_chance(&b->random, 30)) check(b, svs_link(second, b, below));
    memset(&item, 0, sizeof item);
    item.access[0] = (s1_access){first, 0, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_REACH, 0};
    item.count = item.consume = 1;
    item.id = id;
    item.seed = (uint32_t)s1_random(&b->random);
    to = b->task->graph->tasks[b->task->consumers[s1_below(&b->random, b->task->consumer_count)]];
    if (s1_chance(&b->random, 50)) {
        s1_entry entries[] = {{&first->sentinel, first, true}, {&second->sentinel, second, true}};
        forget(b, first);
        forget(b, second);
        s1_leave(&entries[0]);
        s1_leave(&entries[1]);
        if (before) check(b, svs_publish(b->context, &first->svs));
        check(b, svs_send(b->context, to, &item, 1, sizeof item));
        if (!before) check(b, svs_publish(b->context, &first->svs));
    } else {
        check(b, svs_send(b->context, to, &item, 1, sizeof item));
        first->sentinel.data++;
        second->sentinel.data++;
        b->worker->writes += 2;
    }
}

/* ---- the body ---- */

static bool sets_meet(const s1_set *a, const s1_set *b) {
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            if (a->entries[i].sentinel == b->entries[j].sentinel &&
                (a->entries[i].write || b->entries[j].write))
                return true;
    return false;
}

/* Of every 64 instances, one is compared with the few before it on its worker. */
static void sample_conflict(s1_worker *worker) {
    uint32_t turn = worker->instances % 64;
    if (turn < S1_RECENT) {
        worker->recent[turn].count = 0;
        for (uint32_t i = 0; i < worker->set.count; i++) {
            const s1_entry *entry = &worker->set.entries[i];
            s1_set_add(&worker->recent[turn], entry->sentinel, entry->node, entry->write);
        }
    } else if (turn == S1_RECENT) {
        bool met = false;
        for (uint32_t i = 0; i < S1_RECENT && !met; i++)
            met = sets_meet(&worker->set, &worker->recent[i]);
        worker->sampled++;
        worker->conflicting += met;
    }
}

static void count_run(const body *b) {
    struct s1_task *task = b->task;
    uint32_t id = b->item->id;
    if (task->transform) {
        (void)atomic_fetch_add_explicit(&task->ran, 1, memory_order_relaxed);
        return;
    }
    if (id >= task->graph->capacity) s1_violated("S2", "an item with the number %u ran", id);
    if (atomic_fetch_add_explicit(&task->graph->ran[id], 1, memory_order_relaxed))
        s1_violated("S2", "item %u ran twice", id);
}

/* A body yields the CPU now and then, so that bodies also meet on a single CPU. It does not in
 * shapes that are meant to preempt an instance while it builds its footprint: there the system
 * would preempt only bodies. */
static void linger(body *b) {
    for (volatile uint32_t i = 0; i < b->item->spin; i++) continue;
    if (!s1.shape.targeted && s1_below(&b->random, 32) == 0) (void)sched_yield();
}

/* A footprint that its instance did not change is the same at its end. */
static void check_again(const body *b) {
    s1_worker *worker = b->worker;
    s1_gather(worker, b->index, b->item, &worker->again);
    for (uint32_t i = 0; i < worker->again.count; i++)
        if (worker->again.count != worker->set.count ||
            worker->again.entries[i].sentinel != worker->set.entries[i].sentinel)
            s1_violated("S1", "what an instance reaches changed while it ran (worker %u)",
                        b->index);
}

static void work(body *b) {
    s1_worker *worker = b->worker;
    bool fresh = !b->task->transform && !b->item->consume && s1_below(&b->random, 64) == 0;
    linger(b);
    if (b->item->consume) {
        s1_node *first = b->item->access[0].what, *second = first->own;
        b->relinked = true;
        free_node(b, first);
        free_node(b, second);
    } else if (s1_chance(&b->random, b->item->relink)) {
        relink(b);
        if (!s1.shape.targeted && s1_chance(&b->random, 30)) relink(b);
    }
    if (b->task->batch) send_batch(b, b->task->batch);
    if (b->item->depth) send_on(b);
    if (fresh && !s1.shape.targeted) {
        b->relinked = true; /* the set has grown */
        send_fresh(b);
    }
    if (!b->relinked && worker->instances % 16 == 0) check_again(b);
}

static void running_begins(void) {
    uint32_t now = 1 + atomic_fetch_add_explicit(&s1.running, 1, memory_order_relaxed);
    uint32_t most = atomic_load_explicit(&s1.running_max, memory_order_relaxed);
    while (most < now && !atomic_compare_exchange_weak(&s1.running_max, &most, now)) continue;
}

static svs_status run(svs_context *context, s1_item *item) {
    body b = {.context = context, .item = item, .task = svs_context_argument(context)};
    b.index = svs_worker_index();
    if (b.index >= S1_WORKERS_MAX) s1_violated("S1", "a worker with the index %u", b.index);
    b.worker = &s1.workers[b.index];
    b.random = b.item->seed + ((uint64_t)svs_context_iteration(context) << 32) + s1.seed;
    b.worker->instances++;
    running_begins();
    s1_gather(b.worker, b.index, b.item, &b.worker->set);
    for (uint32_t i = 0; i < b.worker->set.count; i++)
        s1_enter(b.worker, b.index, &b.worker->set.entries[i]);
    count_run(&b);
    sample_conflict(b.worker);
    work(&b);
    for (uint32_t i = 0; i < b.worker->set.count; i++) s1_leave(&b.worker->set.entries[i]);
    (void)atomic_fetch_sub_explicit(&s1.running, 1, memory_order_relaxed);
    return b.status;
}

SVS_TASK_DEFINE(s1, s1_item, run, s1_touch)
svs_type *const s1_type = &s1_node_type;
