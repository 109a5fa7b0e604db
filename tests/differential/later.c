/* Instances that complete later. What such a body has entered stays entered until another thread,
 * or another body at its end, leaves it, and calls svs_completed(). Data is written only then. Some
 * bodies are finished before they return: then the last of both leaves. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "differential.h"

#define FINISHERS 2u

/* Under these, a body may free what it has entered, so that it is not finished by others before its
 * end. */
#define F_FREEING (F_FREE | F_LEAVES | F_FRESH | F_FOREIGN)

struct later {
    later *next;
    svs_later *of;
    task *task;
    uint32_t iteration;
    uint64_t value, random;
    svs_status status; /* that it is finished with */
    bool early;
    _Atomic(uint32_t) parts; /* that have not ended: the body, and the call of svs_completed() */
    uint32_t count;
    entry entries[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static later *first, **last = &first; /* those that are to be finished */
static pthread_t finishers[FINISHERS];

static void push(later *l) {
    pthread_mutex_lock(&lock);
    *last = l;
    last = &l->next;
    pthread_mutex_unlock(&lock);
}

static later *pop(void) {
    later *l;
    pthread_mutex_lock(&lock);
    l = first;
    if (l) first = l->next;
    if (!first) last = &first;
    pthread_mutex_unlock(&lock);
    return l;
}

/* ---- the body ---- */

static later *later_new(body *b, svs_later *of) {
    later *l = calloc(1, sizeof *l + b->set.count * sizeof(entry));
    if (!l) abort();
    l->of = of;
    l->task = b->task;
    l->iteration = b->iteration;
    l->value = value_of(b->item, b->iteration);
    l->random = next_random(&b->random);
    l->early = !has(F_FREEING) && chance(&b->random, 40);
    l->count = b->set.count;
    atomic_store(&l->parts, l->early ? 2 : 1);
    return l;
}

static void keep_entries(later *l, const body *b) {
    memcpy(l->entries, b->set.entries, l->count * sizeof(entry));
}

void later_ask(body *b) {
    svs_later *of;
    if (!chance(&b->random, 30) ||
        !went_well(b, svs_complete_later(b->context, b->item, &of), "svs_complete_later"))
        return;
    if (chance(&b->random, 20)) {
        must(svs_completed(of, SVS_OK), "svs_completed, by the body itself");
        return;
    }
    b->later = later_new(b, of);
    (void)atomic_fetch_add(&b->task->graph->unfinished, 1);
    if (!b->later->early) return;
    keep_entries(b->later, b);
    push(b->later);
}

/* Leaves what was entered before svs_complete_later(). */
static void close_later(later *l) {
    for (uint32_t k = 0; k < l->count; k++)
        if (l->entries[k].is) leave(&l->entries[k]);
    instance_ends(l->task, l->iteration);
    free(l);
}

/* What the body has made is its own no longer, and what it has freed is gone. */
svs_status later_body_ends(body *b, svs_status status) {
    later *l = b->later;
    for (uint32_t k = l->count; k < b->set.count; k++)
        if (b->set.entries[k].is) leave(&b->set.entries[k]);
    if (l->early) {
        if (atomic_fetch_sub(&l->parts, 1) == 1) close_later(l);
        return status;
    }
    keep_entries(l, b);
    if (!b->status && chance(&b->random, 50)) {
        l->status = status;
        status = SVS_OK;
    }
    push(l);
    return status;
}

/* ---- the finish ---- */

/* Its graph runs at least until it is finished, and may have failed before. */
static void cancel(graph *g, uint64_t *random) {
    uint32_t code = 21 + below(random, 10);
    svs_status status = svs_graph_cancel(g->graph, (svs_status)code);
    if (status && (status != SVS_E_STATE || !atomic_load(&g->failed)))
        violated("a call", "svs_graph_cancel answered %s", svs_status_name(status));
    if (!status) (void)atomic_fetch_or(&g->failed, UINT32_C(1) << code);
}

static void finish(later *l) {
    graph *g = l->task->graph;
    svs_later *of = l->of;
    svs_status status = l->status;
    linger(&l->random);
    if (g->failing && has(F_FAIL) && g->graph && chance(&l->random, 3)) cancel(g, &l->random);
    touch_entries(l->entries, l->count, l->value);
    (void)atomic_fetch_sub(&g->unfinished, 1);
    if (atomic_fetch_sub(&l->parts, 1) == 1) close_later(l);
    must(svs_completed(of, status), "svs_completed");
}

void later_finish_another(uint64_t *random) {
    later *l = chance(random, 30) ? pop() : NULL;
    if (l) finish(l);
}

static void *run_finisher(void *argument) {
    uint64_t random = (uintptr_t)argument;
    while (!atomic_load(&the.over)) {
        later *l = pop();
        for (uint32_t i = below(&random, 8); i; i--) (void)sched_yield();
        if (l) finish(l);
    }
    return NULL;
}

void later_begin(uint64_t *random) {
    for (uint32_t i = 0; i < FINISHERS && has(F_LATER); i++)
        if (pthread_create(&finishers[i], NULL, run_finisher,
                           (void *)(uintptr_t)next_random(random)))
            abort();
}

void later_end(void) {
    for (uint32_t i = 0; i < FINISHERS && has(F_LATER); i++) pthread_join(finishers[i], NULL);
}
