#include "memobj/core/world_state.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/process.h"

_Atomic(svs_world *) svs__worlds[SVS__WORLDS_MAX];

static svs__lock worlds_lock;
static uint32_t worlds_last; /* the index that was assigned last; guarded by worlds_lock */

svs_world *svs__world_at(uint32_t index) {
    /* 65,535 worlds. */
    return index < SVS__WORLDS_MAX /* LCOV_EXCL_BR_LINE */ ? svs__load_acquire(&svs__worlds[index])
                                                           : NULL;
}

void *svs__world_allocate(svs_world *world, size_t size) {
    void *memory = svs__allocate_zeroed(world->allocator, size, SVS__CACHE_LINE);
    /* relaxed is enough: metadata_bytes is a statistic. */
    if (memory) (void)svs__fetch_add_relaxed(&world->metadata_bytes, size);
    return memory;
}

void svs__world_release(svs_world *world, void *memory, size_t size) {
    (void)svs__fetch_sub_relaxed(&world->metadata_bytes, size);
    svs__release(world->allocator, memory, size, SVS__CACHE_LINE);
}

/* Gives the world the first free index after the last assigned one, in a ring that omits 0
 * (memobj.W3). */
svs_status svs__world_register(svs_world *world) {
    svs_status status = SVS_E_LIMIT;
    svs__process_guard(&worlds_lock);
    svs__lock_acquire(&worlds_lock);
    for (uint32_t tries = 1; tries < SVS__WORLDS_MAX && status;
         tries++) { /* LCOV_EXCL_BR_LINE: 65,535 */
        worlds_last = worlds_last % (SVS__WORLDS_MAX - 1) + 1;
        if (svs__load_relaxed(&svs__worlds[worlds_last])) continue;
        world->index = (uint16_t)worlds_last;
        /* release: publishes the world; pairs with the acquire in svs__world_of(). */
        svs__store_release(&svs__worlds[worlds_last], world);
        status = SVS_OK;
    }
    svs__lock_release(&worlds_lock);
    SVS__ASSERT(status || world->index); /* memobj.W3: index 0 is no world */
    return status;
}

void svs__world_unregister(const svs_world *world) {
    SVS__ASSERT(svs__world_at(world->index) == world); /* memobj.W3 */
    /* release: later uses of an object of this world find none; pairs with the acquire in
     * svs__world_of(). */
    svs__store_release(&svs__worlds[world->index], NULL);
}

static uint64_t sum(const svs_world *world, size_t offset) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < world->count_lines; i++)
        /* acquire: pairs with the release in svs__world_count(). */
        all += svs__load_acquire((_Atomic(uint64_t) *)(void *)((char *)&world->counts[i] + offset));
    return all;
}

void svs__world_count_outside(svs_world *world, size_t offset) {
    svs__link_counts *others = &world->counts[SVS__LINE_OF_OTHERS];
    if (world->made_by == svs__thread_id())
        svs__link_counts_add(&world->counts[SVS__LINE_OF_MAKER], offset);
    else /* release: as in svs__link_counts_add() */
        (void)svs__fetch_add_release((_Atomic(uint64_t) *)(void *)((char *)others + offset), 1);
}

uint64_t svs__world_assigned(const svs_world *world) {
    return sum(world, offsetof(svs__link_counts, assigned));
}

uint64_t svs__world_quarantined(const svs_world *world) {
    /* acquire: `released` is read before the sum, so that it is never greater than the sum. */
    uint64_t released = svs__load_acquire(&((svs_world *)(uintptr_t)world)->released);
    return sum(world, offsetof(svs__link_counts, freed)) - released;
}

uint64_t svs__world_stale(const svs_world *world) {
    return sum(world, offsetof(svs__link_counts, stale));
}

void svs__world_enter(svs_world *world) {
    svs__lock_acquire(&world->entry);
    (void)svs__fetch_add_seq(&world->runs, 1);
    svs__lock_release(&world->entry);
}

void svs__world_leave(svs_world *world) {
    uint32_t inside = svs__fetch_sub_seq(&world->runs, 1);
    SVS__ASSERT(inside > 0); /* memobj.W1 */
    (void)inside;
}
