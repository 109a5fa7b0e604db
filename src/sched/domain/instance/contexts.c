#include "sched/domain/instance/contexts.h"

#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "sched/admission/memory.h"
#include "sched/domain/deferred/buckets.h"
#include "sched/domain/instance/context.h"

/* ---- a context ---- */

/* Computes the seed of an item's order. It begins the search near the last send, because a worker
 * runs items roughly in the order of their sends. */
static uint64_t seed_of(svs__holder *holder) {
    svs_context *context = (svs_context *)(void *)holder;
    return svs__item_seed_near(holder->item, &context->sent_at);
}

static svs_status context_new(svs_world *world, svs_context **context) {
    svs_context *made = svs__allocate_zeroed(world->allocator, sizeof *made, _Alignof(svs_context));
    svs_status status;
    if (!made) return SVS_E_NO_MEMORY;
    status = svs__set_init(&made->set, world);
    if (!status && (status = svs__table_init(&made->table, world)) != SVS_OK)
        svs__set_clean_up(&made->set);
    if (status) {
        svs__release(world->allocator, made, sizeof *made, _Alignof(svs_context));
        return status;
    }
    made->holder.world = world;
    made->holder.fresh = svs__context_add_fresh;
    made->holder.seed_of = seed_of;
    *context = made;
    return SVS_OK;
}

static void context_free(svs_context *context) {
    svs_world *world;
    if (!context) return;
    world = context->holder.world;
    svs__set_clean_up(&context->set);
    svs__set_clean_up(&context->explain[0]);
    svs__set_clean_up(&context->explain[1]);
    svs__set_clean_up(&context->watched_set);
    svs__hold_clean_up(&context->hold, world);
    svs__fresh_clean_up(&context->fresh, world->allocator);
    svs__table_clean_up(&context->table, world);
    svs__release(world->allocator, context, sizeof *context, _Alignof(svs_context));
}

/* ---- a kit ---- */

#define BLAME_BYTES (sizeof(svs__blame) << SVS__BUCKET_BITS_MAX)

static uint32_t count_of(const svs_world *world) { return svs_runtime_threads(world->runtime) + 2; }

void svs__kit_free(svs__kit *kit, const svs_world *world) {
    uint32_t count = count_of(world);
    for (uint32_t i = 0; i < count && kit->contexts; i++) context_free(kit->contexts[i]);
    svs__release(world->allocator, kit->contexts, count * sizeof(svs_context *), SVS__CACHE_LINE);
    svs__release(world->allocator, kit->blame, BLAME_BYTES, SVS__CACHE_LINE);
    svs__release(world->allocator, kit, sizeof *kit, _Alignof(svs__kit));
}

static svs__kit *kit_new(const svs__domain_env *env) {
    svs_world *world = env->world;
    uint32_t count = count_of(world);
    svs__kit *kit = svs__allocate_zeroed(world->allocator, sizeof *kit, _Alignof(svs__kit));
    svs_status status = SVS_OK;
    if (!kit) return NULL;
    kit->blame = svs__allocate_zeroed(world->allocator, BLAME_BYTES, SVS__CACHE_LINE);
    kit->contexts =
        svs__allocate_zeroed(world->allocator, count * sizeof(svs_context *), SVS__CACHE_LINE);
    if (!kit->contexts || !kit->blame) status = SVS_E_NO_MEMORY;
    for (uint32_t i = 0; i < count && !status; i++) status = context_new(world, &kit->contexts[i]);
    for (uint32_t i = 0; i < count - 2 && !status; i++)
        kit->contexts[i]->hold.entrant = &env->admission->entrants[i];
    if (!status) return kit;
    svs__kit_free(kit, world);
    return NULL;
}

/* ---- a run ---- */

svs_status svs__contexts_new(svs__domain_env *env) {
    env->threads = svs_runtime_threads(env->world->runtime);
    env->few_cpus = env->threads > svs__cpu_count();
    env->context_count = count_of(env->world);
    env->common = svs__common_of(env->world);
    env->counts =
        svs__allocate_zeroed(env->world->allocator, env->context_count * sizeof *env->counts, 8);
    if (!env->common || !env->counts) return SVS_E_NO_MEMORY;
    svs__counts_clear(env);
    return SVS_OK;
}

void svs__counts_clear(const svs__domain_env *env) {
    for (uint32_t i = 0; i < env->context_count && env->counts; i++)
        env->counts[i] = (svs__counts){.explain_at = env->options->explain_every ? 0 : UINT64_MAX};
}

void svs__contexts_free(svs__domain_env *env) {
    if (!env->counts) return;
    svs__release(env->world->allocator, env->counts, env->context_count * sizeof *env->counts, 8);
    env->counts = NULL;
}

/* Clears what a context has measured for another graph. */
static void forget_other(svs_context *context) {
    context->set.budget = context->holder.world->options.examine_budget;
    context->steps = context->between = context->piece_ran = 0;
    context->piece_ns = 0;
}

svs__kit *svs__contexts_take(const svs__domain_env *env) {
    svs__common *common = env->common;
    svs__kit *kit;
    svs__lock_acquire(&common->lock);
    kit = common->kits;
    if (kit) common->kits = kit->next;
    svs__lock_release(&common->lock);
    return kit ? kit : kit_new(env);
}

void svs__contexts_bind(svs__domain_env *env, svs__kit *kit) {
    for (uint32_t i = 0; i < env->context_count; i++) {
        svs_context *context = kit->contexts[i];
        context->env = env;
        context->statistics = env->counts[i].statistics;
        context->explain_at = env->counts[i].explain_at;
        svs__store_relaxed(&context->ended, 0); /* relaxed is enough: no instance runs yet */
        if (kit->of != env) forget_other(context);
    }
    kit->of = env;
    env->kit = kit;
    env->contexts = kit->contexts;
    env->blame = kit->blame;
    env->blame_run = ++kit->runs;
}

uint64_t svs__contexts_ended(const svs__domain_env *env) {
    uint64_t ended = 0;
    for (uint32_t i = 0; i < env->context_count && env->contexts; i++)
        /* relaxed is enough: the number may change at any time */
        ended += svs__load_relaxed(&env->contexts[i]->ended);
    return ended;
}

svs__kit *svs__contexts_unbind(svs__domain_env *env) {
    svs__kit *kit = env->kit;
    for (uint32_t i = 0; i < env->context_count; i++)
        env->counts[i] = (svs__counts){kit->contexts[i]->statistics, kit->contexts[i]->explain_at};
    env->kit = NULL;
    env->contexts = NULL;
    env->blame = NULL;
    return kit;
}

void svs__contexts_give(const svs__domain_env *env, svs__kit *kit) {
    svs__common *common = env->common;
    svs__lock_acquire(&common->lock);
    kit->next = common->kits;
    common->kits = kit;
    svs__lock_release(&common->lock);
}

/* ---- what the runs of a world share ---- */

static void common_free(struct svs__common *common) {
    const svs_allocator *allocator = common->world->allocator;
    svs__kit *kit;
    svs__block *block;
    while ((kit = common->kits) != NULL) {
        common->kits = kit->next;
        svs__kit_free(kit, common->world);
    }
    while ((block = common->windows) != NULL) {
        common->windows = block->next;
        block->release(allocator, block);
    }
    svs__slabs_free(common->slabs, allocator);
    svs__release(allocator, common, sizeof *common, _Alignof(svs__common));
}

/* Makes the common memory of the world. Called under the world's `entry`. */
static svs__common *common_new(svs_world *world) {
    svs__common *common =
        svs__allocate_zeroed(world->allocator, sizeof *common, _Alignof(svs__common));
    if (!common) return NULL;
    common->world = world;
    world->common_release = common_free;
    svs__store_release(&world->common,
                       common); /* release: publishes it to threads without the lock */
    return common;
}

svs__common *svs__common_of(svs_world *world) {
    svs__common *common = svs__load_acquire(&world->common); /* acquire: as above */
    if (common) return common;
    svs__lock_acquire(&world->entry);
    common = svs__load_relaxed(&world->common); /* relaxed is enough: the lock is held */
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

/* ---- slabs ---- */

#define SLAB_BYTES 4096u /* bytes of a slab for small items */
#define SLAB_FRONT ((sizeof(svs__slab) + 15) / 16 * 16)

static svs__slab *slab_new(const svs_allocator *allocator, size_t room) {
    size_t bytes = SLAB_FRONT + room > SLAB_BYTES ? SLAB_FRONT + room : SLAB_BYTES;
    svs__slab *slab = svs__allocate(allocator, bytes, SVS__BATCH_BYTES);
    if (!slab) return NULL;
    memset(slab, 0, sizeof *slab);
    slab->bytes = bytes;
    slab->used = SLAB_FRONT;
    return slab;
}

void *svs__slabs_item(svs__slab **slabs, const svs_allocator *allocator, svs_task *task,
                      size_t item_bytes) {
    size_t stride = item_bytes ? item_bytes : 1;
    size_t bytes = (svs__batch_bytes(stride, 1) + 15) / 16 * 16;
    svs__slab *slab = *slabs;
    svs__batch *batch;
    if (!slab || slab->bytes - slab->used < bytes) {
        slab = slab_new(allocator, bytes);
        if (!slab) return NULL;
        slab->next = *slabs;
        *slabs = slab;
    }
    batch = (svs__batch *)(void *)((char *)slab + slab->used);
    slab->used += bytes;
    svs__batch_init(batch, task, stride, 1);
    return svs__batch_item(batch, 0);
}

void svs__slabs_free(svs__slab *slabs, const svs_allocator *allocator) {
    while (slabs) {
        svs__slab *next = slabs->next;
        svs__release(allocator, slabs, slabs->bytes, SVS__BATCH_BYTES);
        slabs = next;
    }
}
