/* SvS as a user has it: default algorithm, default world. Sends are inside of what is measured. */
#include "breakeven.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct cell {
    svs_object svs;
    uint64_t count;
} cell;
SVS_TYPE(cell, svs)

typedef struct state {
    const breakeven_case *c;
    cell *cells;
    struct write *items;
    bench_graph g;
} state;

typedef struct write {
    state *of;
    const uint32_t *chosen;
} write_item;

static void write_touch(svs_footprint *f, const write_item *w) {
    for (uint32_t o = 0; o < w->of->c->objects; o++)
        svs_writes_object(f, &w->of->cells[w->chosen[o]].svs);
}

static svs_status write_run(svs_context *x, write_item *w) {
    uint64_t was[8];
    uint32_t objects = w->of->c->objects;
    (void)x;
    for (uint32_t o = 0; o < objects; o++) was[o] = w->of->cells[w->chosen[o]].count;
    if (w->of->c->rounds) bench_spin(w->of->c->rounds);
    for (uint32_t o = 0; o < objects; o++) w->of->cells[w->chosen[o]].count = was[o] + 1;
    return SVS_OK;
}
SVS_TASK(breakeven_write, write_item, write_run, write_touch)

static void *make(const breakeven_case *c) {
    state *s = bench_allocate(1, sizeof *s);
    s->c = c;
    s->g = bench_graph_new(c->threads, &breakeven_write_task);
    s->cells = bench_allocate(c->keys, sizeof *s->cells);
    s->items = bench_allocate(c->count, sizeof *s->items);
    for (uint32_t k = 0; k < c->keys; k++)
        BENCH_OK(svs_object_init(&s->cells[k].svs, s->g.world, &cell_type));
    for (uint32_t i = 0; i < c->count; i++)
        s->items[i] = (write_item){s, c->chosen + (size_t)i * c->objects};
    return s;
}

static void run(void *argument) {
    state *s = argument;
    BENCH_OK(svs_graph_send(s->g.graph, s->g.task, s->items, s->c->count, sizeof *s->items));
    BENCH_OK(svs_graph_run(s->g.graph, 1, NULL));
}

static void describe(const void *argument, char *text, size_t size) {
    const state *s = argument;
    svs_graph_statistics found;
    BENCH_OK(svs_graph_statistics_get(s->g.graph, &found));
    snprintf(text, size, " deferrals_instance=%.3f width=%.1f",
             (double)found.deferrals / (double)found.instances,
             found.stages ? (double)found.staged_instances / (double)found.stages : 1.0);
}

static uint64_t writes(const void *argument, uint32_t key) {
    return ((const state *)argument)->cells[key].count;
}

static void destroy(void *argument) {
    state *s = argument;
    bench_graph_free(&s->g);
    free(s->cells);
    free(s->items);
    free(s);
}

const breakeven_engine breakeven_svs = {"svs", make, run, describe, writes, destroy};
