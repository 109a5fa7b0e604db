#include "sched/domain/instance/common.h"

#include "base/memory.h"

static void common_free(struct svs__common *common) {
    const svs_allocator *allocator = common->world->allocator;
    if (common->free_all) common->free_all(common);
    svs__slabs_free(common->slabs, allocator);
    svs__release(allocator, common, sizeof *common, _Alignof(svs__common));
}

/* Under the world's `entry`. */
static svs__common *common_new(svs_world *world) {
    svs__common *common =
        svs__allocate_zeroed(world->allocator, sizeof *common, _Alignof(svs__common));
    if (!common) return NULL;
    common->world = world;
    world->common_release = common_free;
    svs__store_release(&world->common,
                       common); /* release: publishes it to those without the lock */
    return common;
}

svs__common *svs__common_of(svs_world *world) {
    svs__common *common = svs__load_acquire(&world->common); /* acquire: as above */
    if (common) return common;
    svs__lock_acquire(&world->entry);
    common = svs__load_relaxed(&world->common); /* relaxed: under the lock */
    if (!common) common = common_new(world);
    svs__lock_release(&world->entry);
    return common;
}

void svs__common_give_slab(svs__common *common, svs__slab *slab) {
    svs__lock_acquire(&common->lock);
    slab->next = common->slabs;
    common->slabs = slab;
    svs__lock_release(&common->lock);
}

svs__block *svs__common_take(svs__common *common, svs__block **list) {
    svs__block *block;
    svs__lock_acquire(&common->lock);
    block = *list;
    if (block) *list = block->next;
    svs__lock_release(&common->lock);
    return block;
}

void svs__common_give(svs__common *common, svs__block **list, svs__block *block) {
    svs__lock_acquire(&common->lock);
    block->next = *list;
    *list = block;
    svs__lock_release(&common->lock);
}
