/* What an instance may touch, by brute force, and what must be true where it begins and ends. */
#include <string.h>
#include <svs/check.h>

#include "differential.h"

/* ---- sets ---- */

scratch scratches[WORKERS_MAX + 1];

scratch *own_scratch(void) {
    uint32_t index = svs_worker_index();
    if (index != SVS_NO_WORKER && index >= WORKERS_MAX)
        violated("tester", "a worker with the index %u", index);
    return &scratches[index == SVS_NO_WORKER ? WORKERS_MAX : index];
}

void set_clear(set *s) {
    svs_check_ignore_begin();
    s->count = 0;
    memset(s->slots, 0, sizeof s->slots);
    svs_check_ignore_end();
}

static uint16_t *slot_of(set *s, const sentinel *is) {
    uint64_t hash = (uint64_t)(uintptr_t)is * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t mask = 4 * SET_MAX - 1, at = (uint32_t)(hash >> 40) & mask;
    while (s->slots[at] && s->entries[s->slots[at] - 1].is != is) at = (at + 1) & mask;
    return &s->slots[at];
}

entry *set_find(set *s, const sentinel *is) {
    uint16_t slot = *slot_of(s, is);
    return slot ? &s->entries[slot - 1] : NULL;
}

void set_add(set *s, sentinel *is, thing *what, bool write) {
    uint16_t *slot = slot_of(s, is);
    if (*slot) {
        s->entries[*slot - 1].write |= write;
        return;
    }
    if (s->count == SET_MAX) violated("tester", "a set of more than %u", SET_MAX);
    s->entries[s->count++] = (entry){is, what, write};
    *slot = (uint16_t)s->count;
}

/* ---- reach ---- */

/* The thing and, no link further, its members. */
static void visit(set *walked, thing *t) {
    const svs_type *type = type_of(t);
    if (set_find(walked, &t->is)) return;
    set_add(walked, &t->is, t, false);
    for (uint32_t i = 0; i < type->member_count; i++)
        visit(walked, (thing *)(void *)((char *)t + type->members[i].offset));
}

static void walk(set *s, thing *root, uint32_t hops, uint32_t links, bool write) {
    set *walked = &own_scratch()->walked;
    uint32_t done = 0;
    set_clear(walked);
    visit(walked, root);
    for (uint32_t end = walked->count; hops && done < end; hops--, end = walked->count)
        for (; done < end; done++) {
            const thing *t = walked->entries[done].what;
            for (uint32_t link = 0; link < type_of(t)->link_count; link++)
                if (links >> link & 1 && link_of(t, link)) visit(walked, link_of(t, link));
        }
    for (uint32_t i = 0; i < walked->count; i++)
        set_add(s, walked->entries[i].is, walked->entries[i].what, write);
}

static void walk_path(set *s, thing *t, const svs_access *a) {
    for (uint32_t i = 0; i < a->limit && t; i++) {
        set_add(s, &t->is, t, false);
        t = link_of(t, a->index >> 4 * i & 15);
    }
    if (t) walk(s, t, 0, 0, a->mode == SVS_MODE_WRITE);
}

static void gather_object(set *s, thing *t, const svs_access *a) {
    bool write = a->mode == SVS_MODE_WRITE;
    switch (a->extent) {
    case SVS_EXTENT_OWN: walk(s, t, 0, 0, write); break;
    case SVS_EXTENT_PATH: walk_path(s, t, a); break;
    case SVS_EXTENT_HOPS: walk(s, t, a->limit, UINT32_MAX, write); break;
    case SVS_EXTENT_ALONG: walk(s, t, UINT32_MAX, a->limit, write); break;
    default: walk(s, t, UINT32_MAX, UINT32_MAX, write); break;
    }
}

void set_gather(set *s, land *l, const item *i) {
    bool everything = false;
    set_clear(s);
    for (uint32_t k = 0; k < i->count; k++) {
        const svs_access *a = &i->access[k];
        if (a->kind == SVS_KIND_OBJECT) gather_object(s, i->root[k], a);
        else if (a->kind == SVS_KIND_EVERYTHING) everything = true;
        else set_add(s, i->root[k], NULL, a->mode == SVS_MODE_WRITE);
    }
    /* an empty footprint conflicts with nothing */
    if (s->count || everything) set_add(s, &l->all, NULL, everything);
}

/* ---- sched.S1 ---- */

/* @return the readers and writers that were inside before. */
static uint32_t pass(sentinel *is, uint32_t add) {
    uint32_t met;
    svs_check_ignore_begin();
    /* relaxed: a sentinel must not order what the library has to order. */
    met = atomic_fetch_add_explicit(&is->inside, add, memory_order_relaxed);
    svs_check_ignore_end();
    return met;
}

void enter(const entry *e) {
    uint32_t met = pass(e->is, e->write ? WRITER : 1);
    if (e->write ? met != 0 : met >= WRITER)
        violated("S1", "a %s of %s %u meets %u writers and %u readers",
                 e->write ? "writer" : "reader", e->what ? "object" : "cell", e->is->name,
                 met / WRITER, met % WRITER);
}

void leave(const entry *e) { (void)pass(e->is, e->write ? 0u - WRITER : 0u - 1); }

/* ---- sched.S2, sched.S3 ---- */

static void check_iteration(graph *g, uint32_t iteration) {
    uint32_t seen = atomic_load(&g->iteration);
    if (iteration < seen)
        violated("S3", "an instance of iteration %u begins in iteration %u", iteration, seen);
    while (seen < iteration && !atomic_compare_exchange_weak(&g->iteration, &seen, iteration))
        continue;
    if (iteration && atomic_load(&g->open[iteration - 1]))
        violated("S3", "iteration %u has begun, and %u items of the one before have not ended",
                 iteration, atomic_load(&g->open[iteration - 1]));
}

static void check_order(task *t, uint32_t iteration) {
    for (uint32_t i = 0; i < t->graph->task_count; i++) {
        task *other = &t->graph->tasks[i];
        if (t->before >> i & 1) {
            if (atomic_load(&other->outstanding) ||
                (other->transform && atomic_load(&other->ended) != iteration + 1))
                violated("S3", "task %u begins before task %u has ended", t->index, i);
        }
        if (t->after >> i & 1 && atomic_load(&other->begun) > iteration)
            violated("S3", "task %u begins after task %u has begun", t->index, i);
    }
}

void instance_begins(task *t, const item *i, uint32_t iteration) {
    graph *g = t->graph;
    (void)atomic_fetch_add_explicit(&progress, 1, memory_order_relaxed);
    (void)atomic_fetch_add(&g->instances, 1);
    if (t->transform) (void)atomic_fetch_add(&g->open[iteration], 1);
    else if (i->id >= IDS_MAX || atomic_fetch_add(&g->ran[i->id], 1))
        violated("S2", "item %u runs twice", i->id);
    check_iteration(g, iteration);
    atomic_store(&t->begun, iteration + 1);
    check_order(t, iteration);
}

void instance_ends(task *t, uint32_t iteration) {
    if (t->transform) (void)atomic_fetch_add(&t->ended, 1);
    else (void)atomic_fetch_sub(&t->outstanding, 1);
    (void)atomic_fetch_sub(&t->graph->open[iteration], 1);
}
