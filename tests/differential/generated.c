/* Items that are not sent, but made by the library when it takes them (svs_graph_generate). */
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>

#include "differential.h"

struct piece {
    piece *next;
    task *to;
    uint32_t count;
    bool made[OUTSIDE_MAX];
    item items[];
};

static void make(void *items, uint32_t first, uint32_t count, void *argument) {
    piece *p = argument;
    svs_check_ignore_begin();
    if (first + count > p->count)
        violated("S2", "the items up to number %u are made, of %u", first + count, p->count);
    for (uint32_t i = first; i < first + count; i++) {
        if (p->made[i]) violated("S2", "item %u is made twice", p->items[i].id);
        p->made[i] = true;
    }
    pack_into(items, p->to, p->items + first, count);
    svs_check_ignore_end();
}

void generate_items(graph *g, task *to, const item *items, uint32_t count) {
    piece *p = calloc(1, sizeof *p + count * sizeof *items);
    if (!p) abort();
    p->next = g->pieces;
    g->pieces = p;
    p->to = to;
    p->count = count;
    memcpy(p->items, items, count * sizeof *items);
    must(svs_graph_generate(g->graph, to->task, make, p, count, task_types[to->kind]->item_size),
         "svs_graph_generate");
}

void generated_free(graph *g) {
    for (piece *next; g->pieces; g->pieces = next) {
        next = g->pieces->next;
        free(g->pieces);
    }
}
