#include "memobj/adapt.h"

#include "memobj/reach/reach.h"

#define ENOUGH 16u /* number of explained deferrals that a decision needs */
/* a decision is due if at least 1 / SHARE of the explained deferrals have the cause */
#define SHARE 4u
#define CELL_BITS_STEP 2u
#define CELL_BITS_MAX 20u

/* Whether there are ENOUGH new explained deferrals and at least 1 / SHARE of them have this
 * cause. */
static bool is_due(svs__adaptation *a, _Atomic(uint32_t) *by_cause, svs__decided *last) {
    /* relaxed is enough for both counts: a deferral that is missed here counts for the next
     * decision. */
    svs__decided now = {svs__load_relaxed(&a->explained), svs__load_relaxed(by_cause)};
    uint32_t explained = now.explained - last->explained, caused = now.caused - last->caused;
    if (explained < ENOUGH) return false;
    *last = now;
    return caused >= explained / SHARE;
}

void svs__adapt_hand(svs_world *world, const svs_object *object) {
    _Atomic(uintptr_t) *reach = svs__object_reach(object);
    uintptr_t was;
    svs__master *m;
    /* relaxed is enough: `elects` changes at quiescence only. */
    if (SVS__LIKELY(!svs__load_relaxed(&world->adaptation.elects))) return;
    was = svs__load_acquire(reach);
    m = svs__reach_master(was);
    if (!m || was & (SVS__REACH_MASTER | SVS__REACH_HANDED)) return;
    /* relaxed is enough: the tag publishes nothing. If another thread has changed `reach`, a later
     * instance adds the tag. */
    if (!svs__cas_strong_relaxed(reach, &was, was | SVS__REACH_HANDED)) return;
    svs__master_flag(world, m, SVS__MASTER_DIRTY);
    /* memobj.D2. relaxed is enough: this thread has set the flag. */
    SVS__ASSERT(svs__load_relaxed(&m->flags) & SVS__MASTER_DIRTY);
    svs__world_count_stale(world);
}

/* [memobj.D1] */
static void halve(svs_world *world) {
    /* relaxed is enough for all: the world is quiescent */
    uint32_t k = svs__load_relaxed(&world->neighbourhood) / 2;
    for (svs__master *m = svs__load_acquire(&world->masters); m; m = svs__load_acquire(&m->next))
        if (svs__load_relaxed(&m->size) > k) svs__master_flag(world, m, SVS__MASTER_DIRTY);
    svs__store_relaxed(&world->neighbourhood, k);
    world->adaptation.wants_refresh = true;
}

void svs__adapt_masters(svs_world *world) {
    svs__adaptation *a = &world->adaptation;
    uint32_t elects;
    SVS__ASSERT(svs__lock_is_held(&world->entry)); /* memobj.W2 */
    if (!world->options.adapt || !is_due(a, &a->by_master, &a->masters)) return;
    /* relaxed is enough for all: the world is quiescent. */
    elects = svs__load_relaxed(&a->elects);
    /* After the first decision, instances tag the objects that they are handed. A refresh elects
     * these objects before the third decision. */
    if (elects < 2) svs__store_relaxed(&a->elects, elects + 1);
    else if (svs__load_relaxed(&world->neighbourhood)) halve(world);
}

void svs__adapt_cells(svs_world *world) {
    svs__adaptation *a = &world->adaptation;
    uint32_t bits = world->cell_bits + CELL_BITS_STEP;
    SVS__ASSERT(svs__lock_is_held(&world->entry)); /* memobj.W2 */
    if (!world->options.adapt || a->cells_stay || !world->admission) return;
    if (!is_due(a, &a->by_cells, &a->cells) || world->cell_bits == CELL_BITS_MAX) return;
    world->admission_resize(world->admission, bits < CELL_BITS_MAX ? bits : CELL_BITS_MAX);
}
