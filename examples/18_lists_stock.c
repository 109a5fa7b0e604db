/* A part of 18_lists.c: the tasks that several files use, and footprints with spans of a space. */
#include "18_lists.h"

long stock[SLOTS];
svs_space *slots;

static void delivery_touch(svs_footprint *f, const delivery *d) {
    svs_writes_span(f, slots, (uint64_t)d->first, (uint64_t)d->count);
}
static svs_status delivery_run(svs_context *x, delivery *d) {
    (void)x;
    for (int i = d->first; i < d->first + d->count; i++) stock[i] += d->pieces;
    return SVS_OK;
}
SVS_TASK_DEFINE(delivery, delivery_run, delivery_touch)

static void inventory_touch(svs_footprint *f, const inventory *n) {
    svs_reads_span(f, slots, (uint64_t)n->first, (uint64_t)n->count);
    svs_writes(f, n->pieces);
}
static svs_status inventory_run(svs_context *x, inventory *n) {
    (void)x;
    for (int i = n->first; i < n->first + n->count; i++) *n->pieces += stock[i];
    return SVS_OK;
}
SVS_TASK_DEFINE(inventory, inventory_run, inventory_touch)
