#include "sched/domain/contexts.h"

#include "base/memory.h"
#include "sched/admission/memory.h"
#include "sched/domain/explain.h"
#include "sched/domain/unpublished.h"

/* ---- one ---- */

/* A worker runs items about in the order in which they were sent. */
static uint64_t seed_of(svs__holder *holder) {
    svs_context *context = (svs_context *)(void *)holder;
    return svs__item_seed_near(holder->item, &context->sent_at);
}

static svs_status context_new(svs__domain_env *env, svs_context **context) {
    svs_world *world = env->world;
    svs_context *made = svs__allocate_zeroed(world->allocator, sizeof *made, _Alignof(svs_context));
    svs_status status;
    if (!made) return SVS_E_NO_MEMORY;
    status = svs__set_init(&made->set, world);
    if (status) {
        svs__release(world->allocator, made, sizeof *made, _Alignof(svs_context));
        return status;
    }
    made->holder.world = world;
    made->holder.fresh = svs__context_add_fresh;
    made->holder.seed_of = seed_of;
    made->env = env;
    svs__explain_begin(made);
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
    svs__release(world->allocator, context, sizeof *context, _Alignof(svs_context));
}

/* ---- all ---- */

svs_status svs__contexts_new(svs__domain_env *env) {
    const svs_allocator *allocator = env->world->allocator;
    svs_status status = SVS_OK;
    env->threads = svs_runtime_threads(env->world->runtime);
    env->context_count = env->threads + 2;
    env->contexts = svs__allocate_zeroed(allocator, env->context_count * sizeof(svs_context *),
                                         SVS__CACHE_LINE);
    if (!env->contexts) return SVS_E_NO_MEMORY;
    for (uint32_t i = 0; i < env->context_count && !status; i++)
        status = context_new(env, &env->contexts[i]);
    for (uint32_t i = 0; i < env->threads && !status; i++)
        env->contexts[i]->hold.entrant = &env->admission->entrants[i];
    return status;
}

void svs__contexts_free(svs__domain_env *env) {
    if (!env->contexts) return;
    for (uint32_t i = 0; i < env->context_count; i++) context_free(env->contexts[i]);
    svs__release(env->world->allocator, env->contexts, env->context_count * sizeof(svs_context *),
                 SVS__CACHE_LINE);
    env->contexts = NULL;
}
