/* What an instance has declared: its exact set, by (what, index), and how a byte is found in it. */
#include "dpst/graph_memory.h"
#include "dpst/graph_owner.h"
#include <stdlib.h>

/* ---- from the set ---- */

static int by_element(const void *one, const void *other) {
    const svs__declared *a = one, *b = other;
    if (a->what != b->what) return (uintptr_t)a->what < (uintptr_t)b->what ? -1 : 1;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return (int)b->mode - (int)a->mode; /* the stronger one first */
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

/* Addresses and indices of which nobody has said what bytes they stand for. */
static void mark(svs__instance *instance, const void *what, bool is_index, bool unplaced) {
    for (uint32_t k = 0; k < instance->count; k++)
        if (instance->declared[k].what == what) {
            instance->declared[k].unplaced = unplaced;
            instance->declared[k].is_index = is_index;
        }
}

static void mark_unplaced(svs__instance *instance, const svs_footprint *footprint) {
    const void *space = NULL; /* the last one that was looked at */
    for (uint32_t i = 0; i < footprint->count; i++) {
        const svs_access *access = &footprint->accesses[i];
        if (access->kind == SVS_ADDRESS)
            mark(instance, access->what, false, !svs__owners_know(access->what));
        if (access->kind != SVS_INDEX || access->what == space) continue;
        space = access->what;
        mark(instance, space, true, !svs__owners_know_space(space));
    }
}

void svs__graph_declare(svs__instance *instance, const svs__set *set) {
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
            (svs__declared){set->identities[i].what, set->identities[i].index,
                            set->elements[i].mode == SVS_WRITE ? 2 : 1, false, false};
    sort(instance);
    mark_unplaced(instance, &set->footprint);
}

/* ---- of a byte ---- */

static int compare(const svs__declared *d, const void *what, uint64_t index) {
    if (d->what != what) return (uintptr_t)d->what < (uintptr_t)what ? -1 : 1;
    return d->index == index ? 0 : d->index < index ? -1 : 1;
}

/* The last one that is not behind (what, index); NULL: all are. */
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
    /* relaxed: only its own value of it matters to an instance. */
    if (t->everything || t->unknown || svs__load_relaxed(&owner->maker) == t->id) return 2;
    if (owner->kind == SVS__OWNER_IMMUTABLE) return 1;
    if (owner->stride != 0) index += (address - owner->begin) / owner->stride;
    d = at_or_below(t, owner->what, index);
    return d != NULL && d->what == owner->what && d->index == index ? d->mode : 0;
}

const svs__declared *svs__graph_guess(const svs__instance *t, uintptr_t address) {
    const svs__declared *d = at_or_below(t, (const void *)address, UINT64_MAX);
    while (d != NULL && (!d->unplaced || d->is_index)) d = d == t->declared ? NULL : d - 1;
    return d != NULL && address - (uintptr_t)d->what < SVS__PAGE_BYTES ? d : NULL;
}

bool svs__graph_share_unplaced(const svs__instance *a, const svs__instance *b) {
    uint32_t i = 0, k = 0;
    while (i < a->count && k < b->count) {
        const svs__declared *one = &a->declared[i], *other = &b->declared[k];
        int order = compare(one, other->what, other->index);
        if (order == 0 && one->unplaced && one->is_index && (one->mode == 2 || other->mode == 2))
            return true;
        i += order <= 0;
        k += order >= 0;
    }
    return false;
}
