#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>

#include "s1.h"

void s1_set_add(s1_set *set, s1_sentinel *sentinel, s1_node *node, bool write) {
    if (set->count == S1_SET_MAX) abort();
    set->entries[set->count++] = (s1_entry){sentinel, node, write};
}

typedef struct walk {
    s1_worker *worker;
    uint32_t index; /* the worker's */
    s1_set *set;
    svs_access_mode pass; /* only accesses of this mode are taken: writes come first */
} walk;

/* @return whether it was not there yet. */
static bool mark(uint32_t *at, uint32_t as, uint32_t shift) {
    bool fresh;
    svs_check_ignore_begin();
    fresh = *at >> shift != as >> shift;
    if (fresh) *at = as;
    svs_check_ignore_end();
    return fresh;
}

static void take(const walk *w, s1_sentinel *sentinel, s1_node *node, svs_access_mode mode) {
    uint32_t as = w->worker->epoch << 1 | (mode == SVS_MODE_WRITE);
    if (mode == w->pass && mark(&sentinel->entered[w->index], as, 1))
        s1_set_add(w->set, sentinel, node, mode == SVS_MODE_WRITE);
}

static void push(const walk *w, s1_node *node, uint32_t *count) {
    s1_worker *worker = w->worker;
    if (!node || !mark(&node->walked[w->index], worker->walk, 0)) return;
    if (*count == S1_SET_MAX) abort();
    worker->queue[(*count)++] = node;
}

/* Breadth first, at most `hops` levels, along the links in `mask`. */
static void reach(const walk *w, s1_node *from, uint32_t hops, uint32_t mask,
                  svs_access_mode mode) {
    uint32_t count = 0, done = 0;
    w->worker->walk++;
    push(w, from, &count);
    for (uint32_t level = 0; done < count; level++) {
        uint32_t end = count;
        for (; done < end; done++) {
            s1_node *node = w->worker->queue[done];
            take(w, &node->sentinel, node, mode);
            if (level == hops) continue;
            if (mask & 1) push(w, node->a, &count);
            if (mask & 2) push(w, node->b, &count);
            if (mask & 4) push(w, node->own, &count);
        }
    }
}

/* Those on the way are read; the end has the access' mode. */
static void path(const walk *w, const s1_access *access) {
    s1_node *node = access->what;
    for (uint32_t i = 0; i < access->limit && node; i++) {
        uint32_t link = access->index >> 4 * i & 15;
        take(w, &node->sentinel, node, SVS_MODE_READ);
        node = link == 0 ? node->a : link == 1 ? node->b : node->own;
    }
    if (node) take(w, &node->sentinel, node, access->mode);
}

static void object(const walk *w, const s1_access *access) {
    switch (access->extent) {
    case SVS_EXTENT_OWN: reach(w, access->what, 0, 7, access->mode); break;
    case SVS_EXTENT_PATH: path(w, access); break;
    case SVS_EXTENT_HOPS: reach(w, access->what, access->limit, 7, access->mode); break;
    case SVS_EXTENT_ALONG: reach(w, access->what, UINT32_MAX, access->limit, access->mode); break;
    default: reach(w, access->what, UINT32_MAX, 7, access->mode); break;
    }
}

static void access_one(const walk *w, const s1_access *access) {
    switch (access->kind) {
    case SVS_KIND_OBJECT: object(w, access); break;
    case SVS_KIND_EVERYTHING: take(w, &s1.alone, NULL, SVS_MODE_WRITE); break;
    default: take(w, access->what, NULL, access->mode); break;
    }
}

void s1_gather(s1_worker *worker, uint32_t index, const s1_item *item, s1_set *set) {
    walk w = {worker, index, set, SVS_MODE_WRITE};
    set->count = 0;
    worker->epoch++;
    for (uint32_t i = 0; i < item->count; i++) access_one(&w, &item->access[i]);
    w.pass = SVS_MODE_READ;
    for (uint32_t i = 0; i < item->count; i++) access_one(&w, &item->access[i]);
    if (set->count)
        take(&w, &s1.alone, NULL, SVS_MODE_READ); /* an empty footprint conflicts with none */
}

/* @return the readers and writers that were inside before. */
static uint32_t pass(s1_sentinel *sentinel, uint32_t add) {
    uint32_t met;
    svs_check_ignore_begin();
    /* relaxed: a sentinel must not order what the library has to order. */
    met = atomic_fetch_add_explicit(&sentinel->inside, add, memory_order_relaxed);
    svs_check_ignore_end();
    return met;
}

void s1_enter(s1_worker *worker, uint32_t index, const s1_entry *entry) {
    s1_sentinel *sentinel = entry->sentinel;
    uint32_t met = pass(sentinel, entry->write ? S1_WRITER : 1);
    if (entry->write ? met != 0 : met >= S1_WRITER)
        s1_violated("S1", "a %s of %s %u met %u writers and %u readers (worker %u)",
                    entry->write ? "writer" : "reader", entry->node ? "node" : "cell",
                    sentinel->name, met / S1_WRITER, met % S1_WRITER, index);
    if (entry->write) {
        sentinel->data++;
        worker->writes++;
    } else {
        worker->checksum += sentinel->data;
    }
}

void s1_leave(const s1_entry *entry) {
    (void)pass(entry->sentinel, entry->write ? 0u - S1_WRITER : 0u - 1);
}
