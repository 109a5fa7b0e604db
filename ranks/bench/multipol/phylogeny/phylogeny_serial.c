/* The search by one thread: without stores, and with them. */
#include "phylogeny.h"

#include <stdlib.h>

/* ---- without stores ---- */

typedef struct plain {
    const patterns *all;
    results *made;
    search_counts *counts;
} plain;

/* The patterns of `from` in [low, high) that can each be added to the set. */
static void add_possible(const plain *me, const set *to, const set *from, uint32_t low,
                         uint32_t high, set *possible) {
    for (uint32_t i = set_next(from, low); i < high; i = set_next(from, i + 1)) {
        set larger = set_with(*to, i);
        me->counts->tests++;
        if (compatible(me->all, &larger, NULL)) set_add(possible, i);
    }
}

/* @param later, earlier the patterns that can be added: after the last one of the set, which are
 * its children; and before it, where sets with both have been examined. */
static void examine(const plain *me, const set *at, const set *later, const set *earlier) {
    me->counts->tasks++;
    if (set_end(later) == 0 && set_end(earlier) == 0) results_add(me->made, at);
    SET_EACH(i, later) {
        set next = set_with(*at, i), next_later = {{0}}, next_earlier = {{0}};
        add_possible(me, &next, later, i + 1, PATTERNS_MAX, &next_later);
        add_possible(me, &next, later, 0, i, &next_earlier);
        add_possible(me, &next, earlier, 0, PATTERNS_MAX, &next_earlier);
        examine(me, &next, &next_later, &next_earlier);
    }
}

void serial_plain(const patterns *all, results *made, search_counts *counts) {
    plain me = {all, made, counts};
    set none = {{0}}, each = set_of_all(all->count); /* one pattern is always compatible */
    *counts = (search_counts){0};
    examine(&me, &none, &each, &none);
    counts->successes = counts->tasks;
    results_finish(made, all);
}

/* ---- with stores ---- */

typedef struct stack {
    set *sets;
    uint32_t count, capacity;
} stack;

static void push(void *argument, const set *child) {
    stack *of = argument;
    if (of->count == of->capacity) {
        of->capacity = of->capacity == 0 ? 1024 : 2 * of->capacity;
        of->sets = realloc(of->sets, of->capacity * sizeof *of->sets);
        if (of->sets == NULL) bench_fail("no memory for tasks");
    }
    of->sets[of->count++] = *child;
}

void serial_stores(const patterns *all, results *made, search_counts *counts) {
    stack tasks = {0};
    search whole;
    search_init(&whole, all);
    push(&tasks, &(set){{0}});
    while (tasks.count != 0) {
        set task = tasks.sets[--tasks.count];
        (void)search_task(&whole, &task, push, &tasks);
    }
    search_visit_maximal(&whole, results_add, made);
    results_finish(made, all);
    *counts = whole.counts;
    search_clean_up(&whole);
    free(tasks.sets);
}
