#include "scan/points/pairs.h"
#include "scan/points/meets.h"
#include <stdlib.h>

/* The accesses of a task, the first of each class. */
typedef struct accesses {
    SCAN_LIST(const meets_class) classes;
    SCAN_LIST(const memory_access) first;
    /* bits of the roots read and written: they decide most pairs without a look at accesses */
    uint64_t *read, *written;
    bool anything; /* memory from outside is among them */
} accesses;

static void note_roots(const memory *m, accesses *of, const meets_class *one) {
    for (size_t i = 0; i < one->count; i++) {
        points_id root = points_root(m->points, one->sites[i]);
        of->anything |= root == m->outside->site;
        (one->write ? of->written : of->read)[root / 64] |= UINT64_C(1) << root % 64;
    }
}

static accesses accesses_of(meets *all, const memory_accesses *list) {
    const size_t words = all->m->by_site.count / 64 + 1;
    accesses of = {.read = scan_take(scan_memory(), words * 8),
                   .written = scan_take(scan_memory(), words * 8)};
    scan_table seen = {0};
    for (size_t i = 0; i < list->count; i++) {
        char key[32];
        const meets_class *one = meets_class_of(all, list->at[i]);
        if (!one) continue;
        snprintf(key, sizeof key, "%zu", one->number);
        void **slot = scan_table_at(&seen, key);
        if (*slot) continue;
        *slot = all;
        SCAN_ADD(&of.classes, one);
        SCAN_ADD(&of.first, list->at[i]);
        note_roots(all->m, &of, one);
    }
    return of;
}

static bool may_meet(const memory *m, const accesses *a, const accesses *b) {
    uint64_t both = 0;
    if (!a->classes.count || !b->classes.count) return false;
    if (a->anything || b->anything) return true;
    for (size_t i = 0; i < m->by_site.count / 64 + 1; i++)
        both |= (a->written[i] & (b->written[i] | b->read[i])) | (a->read[i] & b->written[i]);
    return both != 0;
}

/* The first meeting with a known root; without one, the first in memory from elsewhere. `own`: the
 * accesses are of a touch function and a body of one task (M5). */
static pairs_meeting *meet(meets *all, const accesses *a, const accesses *b, bool own) {
    size_t of_a = 0, of_b = 0;
    meets_how how = MEETS_NEVER;
    if (!may_meet(all->m, a, b)) return NULL;
    for (size_t i = 0; i < a->classes.count && how != MEETS_SURELY; i++)
        for (size_t k = 0; k < b->classes.count && how != MEETS_SURELY; k++) {
            const meets_class *x = a->classes.at[i], *y = b->classes.at[k];
            if (own && (x->per_item || y->per_item)) continue;
            meets_how now = meets_do(all, x, y);
            if (now > how) how = now, of_a = i, of_b = k;
        }
    if (how == MEETS_NEVER) return NULL;
    meets_place place = meets_find(all, a->classes.at[of_a], b->classes.at[of_b]);
    pairs_meeting *found = SCAN_NEW(pairs_meeting);
    *found = (pairs_meeting){a->first.at[of_a], b->first.at[of_b], place.root, place.field, false};
    return found;
}

static void chain_names(pairs *p) {
    scan_table last = {0};
    p->first = scan_take(scan_memory(), (p->count + 1) * sizeof *p->first);
    p->next = scan_take(scan_memory(), (p->count + 1) * sizeof *p->next);
    for (size_t i = 0; i < p->count; i++) {
        size_t **slot = (size_t **)scan_table_at(&last, p->m->tasks.at[i]->task->name);
        p->next[i] = p->count;
        p->first[i] = *slot ? p->first[*slot - p->next] : i;
        if (*slot) **slot = i;
        *slot = &p->next[i];
    }
}

/* Compares each body with each other one, and each touch function with each body. */
static void compare(pairs *p, meets *all, const accesses *bodies, const accesses *touches) {
    const size_t n = p->count;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            pairs_meeting *touch = meet(all, &touches[i], &bodies[k], i == k);
            if (i < k) p->bodies[i * n + k] = meet(all, &bodies[i], &bodies[k], false);
            if (touch) touch->touch = true;
            p->touches[i * n + k] = touch;
        }
}

pairs *pairs_of(scan_program *program) {
    pairs *p = SCAN_NEW(pairs);
    meets all = {.m = p->m = memory_of(program)};
    const size_t n = p->count = program->tasks.count;
    accesses *bodies = scan_take(scan_memory(), (n + 1) * sizeof *bodies);
    accesses *touches = scan_take(scan_memory(), (n + 1) * sizeof *touches);
    p->bodies = scan_take(scan_memory(), (n * n + 1) * sizeof(void *));
    p->touches = scan_take(scan_memory(), (n * n + 1) * sizeof(void *));
    chain_names(p);
    for (size_t i = 0; i < n; i++) {
        bodies[i] = accesses_of(&all, &p->m->tasks.at[i]->body);
        touches[i] = accesses_of(&all, &p->m->tasks.at[i]->touch);
    }
    compare(p, &all, bodies, touches);
    free(all.sites);
    return p;
}

const pairs_meeting *pairs_at(const pairs *p, size_t i, size_t k) {
    return p->bodies[i < k ? i * p->count + k : k * p->count + i];
}
