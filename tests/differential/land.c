/* A land: a world, objects of four types that are linked at random, and cells. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <svs/members.h>

#include "differential.h"

/* ---- the types: headers at several offsets, members, an alignment of 64 ---- */

typedef struct head head;
struct leaf {
    thing is;
    svs_object svs;
};
struct wide {
    thing is;
    svs_object svs;
    node *first;
    wide *next;
    _Alignas(64) node left;
    node right;
    leaf tip;
};
struct head { /* in storage of the tester's own */
    thing is;
    char name[100];
    node *first;
    svs_object svs;
    wide *up;
    head *next;
    char tail[20];
};
SVS_TYPE(leaf, svs)
SVS_TYPE(node, svs, a, b, up, own, low)
SVS_MEMBERS(wide, {"left", offsetof(wide, left), &node_type},
            {"right", offsetof(wide, right), &node_type}, {"tip", offsetof(wide, tip), &leaf_type})
SVS_TYPE_MEMBERS(wide, svs, first, next)
SVS_TYPE(head, svs, first, up, next)

static struct {
    svs_type *type;
    uint8_t targets[5];
} kinds[KINDS] = {[NODE] = {&node_type, {NODE, NODE, WIDE, NODE, LEAF}},
                  [LEAF] = {&leaf_type, {0}},
                  [WIDE] = {&wide_type, {NODE, WIDE}},
                  [HEAD] = {&head_type, {NODE, WIDE, HEAD}}};

svs_type *type_of_kind(uint32_t kind) { return kinds[kind].type; }
uint8_t target_kind(uint32_t kind, uint32_t link) { return kinds[kind].targets[link]; }

svs_object *header_of(const thing *t) {
    return (svs_object *)(void *)((char *)(uintptr_t)t + type_of(t)->header);
}

thing *link_of(const thing *t, uint32_t link) {
    thing *to;
    memcpy(&to, (const char *)t + type_of(t)->links[link].offset, sizeof to);
    return to;
}

svs_status set_link(thing *parent, uint32_t link, const thing *child) {
    node *n = (node *)(void *)parent;
    if (parent->kind == NODE && link == NODE_OWN) return svs_link(n, own, (node *)(uintptr_t)child);
    return svs_link_assign(header_of(parent), (char *)parent + type_of(parent)->links[link].offset,
                           child);
}

/* ---- objects ---- */

static uint32_t next_name;

static void name_thing(thing *t, uint32_t kind) {
    t->is.name = __atomic_add_fetch(&next_name, 1, __ATOMIC_RELAXED);
    t->kind = (uint8_t)kind;
    if (kind != WIDE) return;
    name_thing(&((wide *)(void *)t)->left.is, NODE);
    name_thing(&((wide *)(void *)t)->right.is, NODE);
    name_thing(&((wide *)(void *)t)->tip.is, LEAF);
}

thing *make_thing(land *l, uint32_t kind, svs_status *status) {
    void *made = NULL;
    *status = svs_object_new(l->world, kinds[kind].type, &made);
    if (*status) return NULL;
    name_thing(made, kind);
    return made;
}

static void add_lasting(land *l, thing *t) {
    t->lasting = true;
    l->things[l->count++] = t;
    if (t->kind != WIDE) return;
    add_lasting(l, &((wide *)(void *)t)->left.is);
    add_lasting(l, &((wide *)(void *)t)->right.is);
    add_lasting(l, &((wide *)(void *)t)->tip.is);
}

static thing *make_head(land *l) {
    head *h = calloc(1, sizeof *h);
    if (!h) abort();
    must(svs_object_init(&h->svs, l->world, &head_type), "svs_object_init");
    name_thing(&h->is, HEAD);
    l->own[l->own_count++] = h;
    return &h->is;
}

thing *any_thing(const land *l, uint64_t *random, uint32_t kind) {
    uint32_t at = below(random, l->count);
    thing *found = NULL;
    svs_check_ignore_begin(); /* kinds do not change */
    for (uint32_t i = 0; i < l->count && !found; i++, at = (at + 1) % l->count)
        if (kind == KINDS || l->things[at]->kind == kind) found = l->things[at];
    svs_check_ignore_end();
    return found;
}

/* Sets one of the links that any number of links may lead to the same with. */
static void link_one(land *l, uint64_t *random, thing *t) {
    uint32_t links = t->kind == NODE ? NODE_OWN : type_of(t)->link_count, link;
    if (!links) return;
    link = below(random, links);
    must(set_link(t, link,
                  chance(random, 30) ? NULL : any_thing(l, random, target_kind(t->kind, link))),
         "svs_link from outside");
}

static void make_things(land *l, uint64_t *random) {
    const shape *s = &the.plan.shape;
    uint32_t wides, heads;
    svs_status status = SVS_OK;
    l->nodes = within(random, s->nodes);
    wides = within(random, s->others);
    heads = within(random, s->others);
    for (uint32_t i = 0; i < l->nodes && !status; i++) add_lasting(l, make_thing(l, NODE, &status));
    for (uint32_t i = 0; i < wides && !status; i++) add_lasting(l, make_thing(l, WIDE, &status));
    must(status, "svs_object_new");
    for (uint32_t i = 0; i < heads; i++) add_lasting(l, make_head(l));
    for (uint32_t i = below(random, 2 * l->count); i; i--)
        link_one(l, random, any_thing(l, random, KINDS));
}

/* For a race check: which bytes the cells' indices and addresses stand for. */
static void place_cells(land *l) {
    must(svs_check_index_range(l->space, 0, l->indexed, sizeof(sentinel), CELLS, "indexed"),
         "svs_check_index_range");
    for (uint32_t i = 0; i < CELLS; i++) {
        must(svs_check_index_range(l->vast, l->vast_at[i], &l->far[i], sizeof(sentinel), 1, "far"),
             "svs_check_index_range");
        must(svs_check_object_range(&l->addressed[i], sizeof(sentinel), "addressed"),
             "svs_check_object_range");
    }
}

static void forget_cells(land *l) {
    svs_check_forget_range(l->indexed);
    for (uint32_t i = 0; i < CELLS; i++) {
        svs_check_forget_range(&l->far[i]);
        svs_check_forget_range(&l->addressed[i]);
    }
}

void land_make(land *l, svs_runtime *runtime, uint64_t *random) {
    svs_world_options options = draw_world(&the.plan, random);
    const uint64_t vast = UINT64_C(1) << 60;
    memset(l, 0, sizeof *l);
    must(svs_world_new(runtime, &options, &l->world), "svs_world_new");
    must(svs_space_new(l->world, "cells", CELLS, &l->space), "svs_space_new");
    must(svs_space_new(l->world, "vast", vast, &l->vast), "svs_space_new");
    must(svs_space_new(l->world, "wide", WIDE_MAX, &l->wide), "svs_space_new");
    for (uint32_t i = 0; i < CELLS; i++) {
        l->indexed[i].name = 10000 + i;
        l->addressed[i].name = 20000 + i;
        l->far[i].name = 30000 + i;
        l->vast_at[i] = i == 0 ? vast - 1 : (next_random(random) % (vast / CELLS)) * CELLS + i;
    }
    l->all.name = 40000;
    place_cells(l);
    make_things(l, random);
}

/* ---- between runs ---- */

static void refresh(land *l) { must(svs_world_refresh(l->world), "svs_world_refresh"); }

/* An object that comes and goes: it leads to lasting ones, and one of these to it. */
static void come_and_go(land *l, uint64_t *random) {
    svs_status status;
    thing *t = make_thing(l, chance(random, 80) ? NODE : WIDE, &status);
    thing *parent = any_thing(l, random, NODE);
    uint32_t link = t && t->kind == NODE ? 0 : 2;
    must(status, "svs_object_new");
    link_one(l, random, t);
    must(set_link(parent, link, t), "svs_link");
    if (chance(random, 50)) refresh(l);
    must(set_link(parent, link, NULL), "svs_link");
    if (chance(random, 50)) refresh(l);
    must(svs_object_free(header_of(t)), "svs_object_free");
}

/* A parent of a new object comes and goes: what the object is told to notify has to go with it. */
static void lose_parent(land *l, uint64_t *random) {
    svs_status status, other;
    thing *parent = make_thing(l, NODE, &status), *t = make_thing(l, NODE, &other);
    must(status ? status : other, "svs_object_new");
    must(set_link(parent, 0, t), "svs_link");
    if (chance(random, 50)) must(set_link(parent, 0, NULL), "svs_link");
    must(svs_object_free(header_of(parent)), "svs_object_free");
    if (chance(random, 70)) refresh(l);
    for (uint32_t i = below(random, 4); i; i--) link_one(l, random, t);
    if (chance(random, 30)) refresh(l);
    must(svs_object_free(header_of(t)), "svs_object_free");
}

void land_between(land *l, uint64_t *random) {
    uint32_t turns = has(F_REFRESH) ? 4 + below(random, 30) : below(random, 2);
    for (uint32_t i = 0; i < turns; i++) {
        if (chance(random, 50)) come_and_go(l, random);
        if (chance(random, 50)) lose_parent(l, random);
        for (uint32_t k = below(random, 4); k; k--)
            link_one(l, random, any_thing(l, random, KINDS));
        if (chance(random, 70)) refresh(l);
    }
}

static uint64_t sum_cells(const sentinel *cells, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (cells[i].inside)
            violated("S1", "%u is entered after all runs have ended", cells[i].name);
        sum += cells[i].data;
    }
    return sum;
}

uint64_t land_data(land *l) {
    uint64_t sum = sum_cells(l->indexed, CELLS) + sum_cells(l->far, CELLS) +
                   sum_cells(l->addressed, CELLS) + sum_cells(&l->all, 1);
    for (uint32_t i = 0; i < l->count; i++) sum += sum_cells(&l->things[i]->is, 1);
    return sum;
}

/* Metadata is bounded by what lives, whatever has lived. */
void land_check(land *l) {
    svs_world_statistics s;
    uint64_t live = l->count + atomic_load(&l->live), bound;
    refresh(l);
    must(svs_world_statistics_get(l->world, &s), "svs_world_statistics_get");
    /* a master with a signature of 4,096 bits twice, and its lists, for each object */
    bound = 4096 + live * (2 * 512 + 1024);
    if (s.quarantined)
        violated("memory", "%llu objects are in quarantine after a refresh",
                 (unsigned long long)s.quarantined);
    if (s.metadata_bytes > bound)
        violated("memory", "%llu bytes of metadata for %llu objects",
                 (unsigned long long)s.metadata_bytes, (unsigned long long)live);
}

void land_free(land *l) {
    for (uint32_t i = 0; i < l->count; i++) /* nothing leads to a head any more */
        if (l->things[i]->kind == HEAD) must(set_link(l->things[i], 2, NULL), "svs_link");
    for (uint32_t i = 0; i < l->own_count; i++) {
        if (i % 2 == 0) /* of the others, the world forgets the headers */
            must(svs_object_clean_up(&((head *)l->own[i])->svs), "svs_object_clean_up");
    }
    forget_cells(l);
    must(svs_space_free(l->space), "svs_space_free");
    must(svs_space_free(l->vast), "svs_space_free");
    must(svs_space_free(l->wide), "svs_space_free");
    must(svs_world_free(l->world), "svs_world_free");
    for (uint32_t i = 0; i < l->own_count; i++) free(l->own[i]);
}
