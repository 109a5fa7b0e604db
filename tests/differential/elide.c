/* The serial elision: what a graph's run comes to, one instance after the other. Bodies add to what
 * they write, so they commute, and without changes of links the order is of no account. */
#include "differential.h"

static uint32_t elided;

static void elide_item(task *t, const item *i, uint32_t iteration) {
    static set s;
    item children[CHILDREN_MAX];
    task *to[CHILDREN_MAX];
    brood all = brood_of(t, i, iteration);
    set_gather(&s, t->graph->land, i);
    for (uint32_t k = 0; k < s.count; k++)
        if (s.entries[k].write) s.entries[k].is->expected += value_of(i, iteration);
    elided++;
    for (uint32_t count; (count = draw_children(&all, children, to)) != 0;)
        for (uint32_t k = 0; k < count; k++) elide_item(to[k], &children[k], iteration);
}

void elide(graph *g) {
    static item items[OUTSIDE_MAX];
    static task *to[OUTSIDE_MAX];
    uint32_t count = draw_outside(g, items, to);
    elided = 0;
    for (uint32_t k = 0; k < count; k++) elide_item(to[k], &items[k], 0);
    for (uint32_t iteration = 0; iteration < g->iterations; iteration++)
        for (uint32_t i = 0; i < g->task_count; i++)
            if (g->tasks[i].transform) elide_item(&g->tasks[i], &g->tasks[i].item, iteration);
    if (elided != g->instances)
        violated("elision", "%u instances, one after the other %u", (unsigned)g->instances, elided);
}

static void check(const sentinel *s) {
    if (s->data != s->expected)
        violated("elision", "%u is not what one instance after the other comes to", s->name);
}

void elide_check(land *l) {
    for (uint32_t i = 0; i < CELLS; i++) {
        check(&l->indexed[i]);
        check(&l->far[i]);
        check(&l->addressed[i]);
    }
    check(&l->all);
    for (uint32_t i = 0; i < l->count; i++) check(&l->things[i]->is);
}
