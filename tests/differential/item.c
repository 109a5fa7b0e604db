/* Items: what they declare, and how they are sent. */
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>

#include "differential.h"

/* ---- the types of tasks: items of several sizes ---- */

typedef struct large {
    item item;
    char more[1000];
} large;
typedef struct giant {
    item item;
    char more[SVS_ITEM_MAX - sizeof(item)];
} giant;
typedef struct reaching {
    item item;
    node *first, *second;
} reaching;

/* What walks nothing is added inline, so that a task type's loop takes it (svs/detail/loops.h). */
static void touch(svs_footprint *f, const item *i) {
    for (uint32_t k = 0; k < i->count; k++) {
        const svs_access *a = &i->access[k];
        if (a->extent == SVS_EXTENT_OWN)
            svs_footprint_add(f, a->what, a->index, a->limit, (svs_access_kind)a->kind,
                              (svs_access_mode)a->mode, SVS_EXTENT_OWN);
        else if (a->extent == SVS_EXTENT_REACH && a->mode == SVS_MODE_WRITE)
            svs_writes_reach(f, a->what);
        else svs_footprint_add_access(f, a);
    }
    for (uint32_t k = 0; k < i->wide; k++) svs_reads_at(f, the.graphs[i->graph]->land->wide, k);
}

static char filler(const item *i) { return (char)(i->id * 7 + 1); }

/* An item is copied whole. */
static void check_copied(const item *i, const char *more, size_t size) {
    if (more[0] != filler(i) || more[size - 1] != filler(i))
        violated("S2", "the end of item %u is not what was sent", i->id);
}
static void touch_large(svs_footprint *f, const large *i) { touch(f, &i->item); }
static void touch_giant(svs_footprint *f, const giant *i) { touch(f, &i->item); }
static svs_status run_large(svs_context *x, large *i) {
    check_copied(&i->item, i->more, sizeof i->more);
    return run_body(x, &i->item);
}
static svs_status run_giant(svs_context *x, giant *i) {
    check_copied(&i->item, i->more, sizeof i->more);
    return run_body(x, &i->item);
}
static svs_status run_reaching(svs_context *x, reaching *i) { return run_body(x, &i->item); }

SVS_TASK(item, run_body, touch)
SVS_TASK(large, run_large, touch_large)
SVS_TASK(giant, run_giant, touch_giant)
SVS_TASK_REACH(reaching, reaching, run_reaching, svs, first, second)
SVS_TASK_ALONE(alone, item, run_body)
const svs_task_type *const task_types[TASK_KINDS] = {&item_task, &large_task, &reaching_task,
                                                     &giant_task, &alone_task};

/* ---- drawing ---- */

static void draw_object(uint64_t *random, const land *l, bool plain, svs_access *a, void **root) {
    thing *t = any_thing(l, random, KINDS);
    uint32_t length;
    *root = t;
    a->what = header_of(t);
    a->kind = SVS_KIND_OBJECT;
    if (plain) return;
    a->extent = (uint8_t)(chance(random, 40) ? SVS_EXTENT_OWN : 1 + below(random, 4));
    if (a->extent == SVS_EXTENT_HOPS) a->limit = below(random, 4);
    if (a->extent == SVS_EXTENT_ALONG) a->limit = below(random, 32);
    if (a->extent != SVS_EXTENT_PATH) return;
    length = below(random, chance(random, 90) ? 5 : 17);
    for (uint32_t kind = t->kind; a->limit < length && kind != LEAF; a->limit++) {
        uint32_t link = below(random, type_of_kind(kind)->link_count);
        a->index = svs_path(a->index, a->limit, link);
        kind = target_kind(kind, link);
    }
}

static void draw_cell(uint64_t *random, land *l, svs_access *a, void **root) {
    uint32_t at = below(random, the.plan.shape.cells), what = below(random, 3);
    a->kind = what == 2 ? SVS_KIND_ADDRESS : SVS_KIND_INDEX;
    a->what = what == 0 ? (void *)l->space : what == 1 ? (void *)l->vast : &l->addressed[at];
    a->index = what == 0 ? at : what == 1 ? l->vast_at[at] : 0;
    *root = what == 0 ? &l->indexed[at] : what == 1 ? &l->far[at] : &l->addressed[at];
}

/* One of the first nodes is written. */
static void draw_hot(uint64_t *random, const land *l, item *i) {
    thing *t = l->things[below(random, l->nodes < 4 ? l->nodes : 4)];
    i->access[0] = (svs_access){.what = header_of(t), .mode = SVS_MODE_WRITE};
    i->root[0] = t;
    if (!i->count) i->count = 1;
}

static void draw_accesses(uint64_t *random, land *l, item *i) {
    const shape *s = &the.plan.shape;
    bool plain = chance(random, s->plain);
    i->count = (uint8_t)below(random, ACCESSES_MAX + 1);
    for (uint32_t k = 0; k < i->count; k++) {
        if (chance(random, s->objects)) draw_object(random, l, plain, &i->access[k], &i->root[k]);
        else draw_cell(random, l, &i->access[k], &i->root[k]);
        i->access[k].mode = (uint8_t)(chance(random, 55) ? SVS_MODE_WRITE : SVS_MODE_READ);
    }
    if (chance(random, s->hot)) draw_hot(random, l, i);
    if (i->count && below(random, 4000) == 0)
        i->access[0] = (svs_access){.kind = SVS_KIND_EVERYTHING};
}

/* Three kinds: one relinks a hub, one stays on a leaf, one reads what a hub reaches. A few of the
 * last look at their footprint for so long that a hub can be relinked, and one come to stay on the
 * leaf, meanwhile. */
static void draw_growing(uint64_t *random, const land *l, item *i) {
    uint32_t hubs = l->nodes / 2, what = below(random, 4);
    thing *t = l->things[what == 1 ? hubs + below(random, l->nodes - hubs) : below(random, hubs)];
    i->count = 1;
    i->root[0] = t;
    i->access[0] = (svs_access){.what = header_of(t), .mode = SVS_MODE_WRITE};
    i->leads = what == 0;
    if (what == 1) i->spin = 3000;
    if (what < 2) return;
    i->access[0].mode = SVS_MODE_READ;
    i->access[0].extent = SVS_EXTENT_REACH;
    if (chance(random, 4)) i->wide = WIDE_MAX;
}

/* What a task without a touch function declares. */
static void draw_reach(uint64_t *random, const land *l, item *i) {
    i->first = (node *)(void *)any_thing(l, random, NODE);
    if (chance(random, 50)) i->second = (node *)(void *)any_thing(l, random, NODE);
    i->count = i->second ? 2 : 1;
    for (uint32_t k = 0; k < i->count; k++) {
        i->root[k] = k ? i->second : i->first;
        i->access[k].mode = SVS_MODE_WRITE;
        i->access[k].extent = SVS_EXTENT_REACH;
        i->access[k].what = header_of(i->root[k]);
    }
}

static void draw_footprint(uint64_t *random, const task *to, item *i) {
    land *l = to->graph->land;
    if (to->kind == REACHING) draw_reach(random, l, i);
    else if (to->kind == ALONE) i->access[i->count++].kind = SVS_KIND_EVERYTHING;
    else if (has(F_GROWING)) draw_growing(random, l, i);
    else draw_accesses(random, l, i);
    if (i->count && to->kind != ALONE && has(F_RELINK) && chance(random, the.plan.shape.wide))
        i->wide = (uint16_t)(has(F_MANY) ? WIDE_MAX / 2 : below(random, WIDE_MAX / 2));
    for (uint32_t k = 0; k < i->count; k++)
        if (i->access[k].kind == SVS_KIND_EVERYTHING) i->access[k].mode = SVS_MODE_WRITE;
}

void draw_item(uint64_t *random, const task *to, uint32_t depth, item *i) {
    memset(i, 0, sizeof *i);
    i->seed = next_random(random);
    i->depth = (uint8_t)depth;
    i->graph = (uint8_t)to->graph->index;
    i->task = (uint8_t)to->index;
    i->fails = has(F_FAIL) && chance(random, 3);
    svs_check_ignore_begin(); /* kinds do not change */
    draw_footprint(random, to, i);
    svs_check_ignore_end();
}

brood brood_of(task *from, const item *i, uint32_t iteration) {
    brood b = {from, i, i->seed + iteration * UINT64_C(0x632be59bd9b4e019), 0};
    b.left = from->transform ? from->batch : i->depth ? below(&b.random, 3) : 0;
    if (!from->consumer_count) b.left = 0;
    return b;
}

/* Of a large batch, few items send on. */
static uint32_t draw_depth(brood *b) {
    if (!b->from->transform) return b->of->depth - 1u;
    if (b->from->batch <= CHILDREN_MAX) return below(&b->random, 3);
    return chance(&b->random, 10) ? below(&b->random, 3) : 0;
}

/* The items of a large batch that are sent at once have one consumer. */
uint32_t draw_children(brood *b, item *children, task **to) {
    uint32_t count = b->left < CHILDREN_MAX ? b->left : CHILDREN_MAX;
    bool one = b->from->batch > CHILDREN_MAX;
    if (count && one) count = 1 + below(&b->random, count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t consumer = b->from->consumers[below(&b->random, b->from->consumer_count)];
        to[k] = one && k ? to[0] : &b->from->graph->tasks[consumer];
        draw_item(&b->random, to[k], draw_depth(b), &children[k]);
    }
    b->left -= count;
    return count;
}

/* ---- numbers, and sends ---- */

void take_ids(task *to, uint32_t iteration, item *items, uint32_t count) {
    graph *g = to->graph;
    uint32_t first = atomic_fetch_add(&g->next_id, count);
    if (first + count > IDS_MAX) violated("tester", "more than %u items", IDS_MAX);
    for (uint32_t k = 0; k < count; k++) items[k].id = first + k;
    (void)atomic_fetch_add(&to->outstanding, count);
    (void)atomic_fetch_add(&g->open[iteration], count);
}

void untake_ids(task *to, uint32_t iteration, uint32_t count) {
    (void)atomic_fetch_sub(&to->outstanding, count);
    (void)atomic_fetch_sub(&to->graph->open[iteration], count);
}

void pack_into(char *bytes, const task *to, const item *items, uint32_t count) {
    size_t size = task_types[to->kind]->item_size;
    for (uint32_t k = 0; k < count; k++) {
        char *at = bytes + k * size;
        reaching *r = (reaching *)(void *)at;
        memset(at, filler(&items[k]), size);
        memcpy(at, &items[k], sizeof(item));
        if (to->kind != REACHING) continue;
        r->first = items[k].first;
        r->second = items[k].second;
    }
}

void *pack_items(const task *to, const item *items, uint32_t count) {
    char *bytes = malloc(count * task_types[to->kind]->item_size);
    if (!bytes) abort();
    pack_into(bytes, to, items, count);
    return bytes;
}
