/* The items of the stress: random footprints, and the touch function that says them. */
#include <string.h>

#include "s1.h"

uint64_t s1_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

s1_node *s1_any_node(uint64_t *random) { return s1.nodes[s1_below(random, s1.shape.nodes)]; }

static void make_access(uint64_t *random, s1_access *access, bool plain) {
    uint32_t kind = s1_below(random, 100), extent = plain ? 0 : s1_below(random, 100);
    memset(access, 0, sizeof *access);
    access->mode = s1_chance(random, 50) ? SVS_MODE_WRITE : SVS_MODE_READ;
    if (kind < 12) {
        access->kind = SVS_KIND_ADDRESS;
        access->what = &s1.addressed[s1_below(random, S1_CELLS)];
    } else if (kind < 24) {
        access->kind = SVS_KIND_INDEX;
        access->index = s1_below(random, S1_CELLS);
        access->what = &s1.indexed[access->index];
    } else {
        access->kind = SVS_KIND_OBJECT;
        access->what = s1_any_node(random);
        if (extent < 35) {
            access->extent = SVS_EXTENT_OWN;
        } else if (extent < 65) {
            access->extent = SVS_EXTENT_REACH;
        } else if (extent < 80) {
            access->extent = SVS_EXTENT_HOPS;
            access->limit = (uint8_t)s1_below(random, 4);
        } else if (extent < 90) {
            access->extent = SVS_EXTENT_ALONG;
            access->limit = (uint8_t)s1_below(random, 8);
        } else {
            access->extent = SVS_EXTENT_PATH;
            access->limit = (uint8_t)s1_below(random, 5);
            for (uint32_t i = 0; i < access->limit; i++)
                access->index |= s1_below(random, 3) << 4 * i;
        }
    }
}

/* Three kinds: one relinks a hub, one stays on a leaf, one reads what a hub reaches. A few of the
 * last look at their footprint for so long that a hub can be relinked, and one come to stay on the
 * leaf, meanwhile. */
static void make_targeted(uint64_t *random, s1_item *item) {
    uint32_t hubs = s1.shape.nodes / 2;
    s1_access *access = &item->access[0];
    memset(access, 0, sizeof *access);
    access->kind = SVS_KIND_OBJECT;
    access->what = s1.nodes[s1_below(random, hubs)];
    access->mode = SVS_MODE_WRITE;
    item->count = 1;
    item->relink = 0;
    switch (s1_below(random, 4)) {
    case 0: item->relink = 100; break;
    case 1:
        access->what = s1.nodes[hubs + s1_below(random, s1.shape.nodes - hubs)];
        item->spin = 3000;
        break;
    default:
        access->mode = SVS_MODE_READ;
        access->extent = SVS_EXTENT_REACH;
        item->wide = s1_chance(random, 4) ? S1_WIDE : 0;
        break;
    }
}

void s1_item_make(uint64_t *random, s1_item *item) {
    bool plain = s1_chance(random, s1.shape.plain);
    memset(item, 0, sizeof *item);
    item->seed = (uint32_t)s1_random(random);
    if (s1.shape.targeted) {
        make_targeted(random, item);
        return;
    }
    item->count = (uint8_t)(1 + s1_below(random, S1_ACCESSES_MAX));
    for (uint32_t i = 0; i < item->count; i++) make_access(random, &item->access[i], plain);
    if (s1_chance(random, s1.shape.hot)) {
        s1_access hot = {
            s1.nodes[s1_below(random, 4)], 0, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0};
        item->access[0] = hot;
    }
    if (s1_below(random, 4000) == 0) {
        s1_access all = {NULL, 0, SVS_KIND_EVERYTHING, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0};
        item->access[0] = all;
    }
    item->relink = 30;
    item->depth = s1_chance(random, 10) ? (uint8_t)(1 + s1_below(random, 2)) : 0;
    item->spin = s1_below(random, 32) ? 0 : (uint16_t)s1_below(random, 1000);
}

void s1_touch(svs_footprint *f, const s1_item *item) {
    for (uint32_t i = 0; i < item->count; i++) {
        const s1_access *access = &item->access[i];
        const void *what = access->what;
        if (access->kind == SVS_KIND_OBJECT) what = &((const s1_node *)what)->svs;
        if (access->kind == SVS_KIND_INDEX) what = s1.space;
        svs_footprint_add(f, what, access->index, access->limit, (svs_access_kind)access->kind,
                          (svs_access_mode)access->mode, (svs_access_extent)access->extent);
    }
    for (uint32_t i = 0; i < item->wide; i++) svs_reads_at(f, s1.wide, i);
}
