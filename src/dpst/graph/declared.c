/* The declared set of an instance, sorted by (what, index), and how a byte is found in it. */
#include "dpst/graph/page.h"
#include <stdlib.h>

/* ---- from the set ---- */

static int by_element(const void *one, const void *other) {
    const svs__declared *a = one, *b = other;
    if (a->what != b->what) return (uintptr_t)a->what < (uintptr_t)b->what ? -1 : 1;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return (int)b->mode - (int)a->mode; /* the stronger mode first */
}

static void sort(svs__instance *instance) {
    svs__declared *d = instance->declared;
    uint32_t kept = 0;
    qsort(d, instance->count, sizeof *d, by_element);
    for (uint32_t i = 0; i < instance->count; i++)
        if (kept == 0 || d[kept - 1].what != d[i].what || d[kept - 1].index != d[i].index)
            d[kept++] = d[i];
    instance->count = kept;
}

/* Marks the elements that are indices of a space. */
static void mark_indices(svs__instance *instance, const svs_footprint *footprint) {
    const void *space = NULL; /* the last space that was looked up */
    for (uint32_t i = 0; i < footprint->count; i++) {
        const svs_access *access = &footprint->accesses[i];
        if (access->kind != SVS_KIND_INDEX || access->what == space) continue;
        space = access->what;
        for (uint32_t k = 0; k < instance->count; k++)
            if (instance->declared[k].what == space) instance->declared[k].is_index = true;
    }
}

/* Records the bytes that addresses stand for. */
static void mark_bytes(const svs__instance *instance, const svs_footprint *footprint) {
    for (uint32_t i = 0; i < footprint->count; i++) {
        const svs_access *access = &footprint->accesses[i];
        if (access->kind == SVS_KIND_ADDRESS && access->limit != 0 &&
            !svs__page_add_bytes(access->what, access->limit))
            svs__worker_count(&instance->run->check->workers[0].lost, 1);
    }
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* The kind of an instance (dpst.G8). */
static uint64_t kind_of(const svs__instance *t) {
    uint64_t hash = mix((uint64_t)t->run->number << 32 | t->task, t->count);
    hash = mix(hash, (uint64_t)t->everything << 1 | t->unknown);
    for (uint32_t i = 0; i < t->count; i++) {
        const svs__declared *d = &t->declared[i];
        hash = mix(mix(hash, (uintptr_t)d->what), d->index);
        hash = mix(hash, (uint64_t)d->key << 8 | d->mode);
    }
    return hash;
}

static void declare(svs__instance *instance, const svs__set *set) {
    size_t room = set == NULL ? 0 : (set->count + 1) * sizeof *instance->declared;
    bool known = set != NULL && set->root_count == 0;
    if (known) instance->declared = svs__graph_allocate(room);
    if (!known || instance->declared == NULL) {
        instance->unknown = true;
        svs__worker_count(&instance->run->check->workers[0].lost, 1);
        return;
    }
    instance->everything = set->everything;
    instance->count = set->count;
    for (uint32_t i = 0; i < set->count; i++)
        instance->declared[i] =
            (svs__declared){set->identities[i].what, set->identities[i].index, set->elements[i].key,
                            set->elements[i].mode == SVS_MODE_WRITE ? 2 : 1, false};
    sort(instance);
    mark_indices(instance, &set->footprint);
    mark_bytes(instance, &set->footprint);
}

void svs__graph_declare(svs__instance *instance, const svs__set *set) {
    declare(instance, set);
    instance->kind = kind_of(instance);
}

/* ---- of a byte ---- */

static int compare(const svs__declared *d, const void *what, uint64_t index) {
    if (d->what != what) return (uintptr_t)d->what < (uintptr_t)what ? -1 : 1;
    return d->index == index ? 0 : d->index < index ? -1 : 1;
}

/* The last element that is not greater than (what, index); NULL: all are greater. */
static const svs__declared *at_or_below(const svs__instance *t, const void *what, uint64_t index) {
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare(&t->declared[middle], what, index) <= 0) low = middle + 1;
        else high = middle;
    }
    return low == 0 ? NULL : &t->declared[low - 1];
}

uint8_t svs__graph_mode(const svs__check_thread *self, const svs__instance *t,
                        const svs__owner *owner, uintptr_t address) {
    uint64_t index = owner->index;
    const svs__declared *d;
    if (owner->kind == SVS__OWNER_WORKER)
        return (address - owner->begin) / owner->stride ==
                       (uintptr_t)(self->worker - t->run->check->workers)
                   ? 2
                   : 0;
    /* relaxed is enough: an instance only has to see its own id here. */
    if (t->everything || t->unknown || svs__load_relaxed(&owner->maker) == t->id) return 2;
    if (owner->kind == SVS__OWNER_IMMUTABLE) return 1;
    if (owner->stride != 0) index += (address - owner->begin) / owner->stride;
    d = at_or_below(t, owner->what, index);
    return d != NULL && d->what == owner->what && d->index == index ? d->mode : 0;
}

uint8_t svs__graph_mode_of(const svs__instance *t, const void *address) {
    const svs__declared *d = at_or_below(t, address, 0);
    if (t->everything || t->unknown) return 2;
    return d != NULL && d->what == address && d->index == 0 && !d->is_index ? d->mode : 0;
}

/* ---- of two instances ---- */

const svs__declared *svs__graph_conflict(const svs__instance *a, const svs__instance *b,
                                         uint32_t *from) {
    uint32_t k = 0;
    while (*from < a->count && k < b->count) {
        const svs__declared *one = &a->declared[*from], *other = &b->declared[k];
        int order = compare(one, other->what, other->index);
        *from += order <= 0;
        k += order >= 0;
        /* An object and an address may be at the same place, and are still two things. */
        if (order == 0 && one->key == other->key && (one->mode == 2 || other->mode == 2))
            return one;
    }
    return NULL;
}

static bool are_apart(const svs__instance *a, const svs__instance *b) {
    uint32_t from = 0;
    return svs__graph_conflict(a, b, &from) != NULL;
}

struct svs__two *svs__graph_two(const svs__check_thread *self, const svs__instance *one,
                                const svs__instance *other) {
    struct svs__two *two = &self->worker->memo.graph[other->id % SVS__MEMO_GRAPH];
    if (two->one != one->id || two->other != other->id)
        *two = (struct svs__two){.one = one->id, .other = other->id};
    return two;
}

bool svs__graph_are_apart(const svs__check_thread *self, const svs__instance *a,
                          const svs__instance *b) {
    struct svs__two *two = svs__graph_two(self, a, b);
    if (!two->knows_apart) two->apart = are_apart(a, b);
    two->knows_apart = true;
    SVS__ASSERT_SLOW(two->apart == are_apart(b, a)); /* dpst.G4 */
    return two->apart;
}
