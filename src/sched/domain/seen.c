#include "sched/domain/seen.h"

#include "base/platform.h"
#include "base/program.h"
#include "memobj/core/header.h"
#include "sched/domain/instance_hooks.h"

/* ---- instances ---- */

#define GROUP_NS 2000u /* instances of less are timed together */

uint32_t svs__seen_group_of(const svs_context *context, uint32_t count) {
    const svs__domain_env *env = context->env;
    uint32_t each = context->seen_each_ns, most;
    if (env->watched || env->seen.program) return 1;
    most = each >= GROUP_NS ? 1 : GROUP_NS / (each + 1);
    if (most > SVS__SEEN_GROUP_MAX) most = SVS__SEEN_GROUP_MAX;
    if (most < 1) most = 1;
    return count < most ? count : most;
}

static svs_observed observed(const svs_context *context, const svs_task *task, const void *item) {
    const svs__domain_env *env = context->env;
    return (svs_observed){env->seen.name, task->type->name, svs__order_of(svs__item_seed(item)),
                          env->iteration, context->worker->index};
}

/* The pieces of a lane follow each other without a gap that is worth a look at the clock. */
static bool goes_on(const svs_context *context) {
    return context->in_lane && context->lane_goes_on;
}

void svs__seen_begin(svs_context *context, const svs_task *task, const void *item, bool follows) {
    const svs__seen_run *seen = &context->env->seen;
    if (context->env->watched)
        context->watched = svs__watched_begin(context, item, __builtin_frame_address(0));
    if (seen->program && seen->program->instance_begins) {
        svs_observed instance = observed(context, task, item);
        SVS__PROGRAM_CALL((void),
                          seen->program->instance_begins(&instance, seen->program->argument));
    }
    if (!seen->graphs) return;
    if (!follows && !goes_on(context)) context->seen_ns = svs__time_ns();
    svs__store_relaxed(&context->seen_task, task); /* relaxed: read after the seed */
    /* release: publishes the task; pairs with the acquire of an explanation. */
    svs__store_release(&context->seen_seed, svs__item_seed(item));
}

/* Of items from the first on that lie one behind the other, below `end`, how many there are. */
static inline uint32_t row_at(void *const *items, uint32_t count, const char *end,
                              uint32_t item_bytes, bool in_row) {
    const char *next = (const char *)items[0] + item_bytes;
    uint32_t n = 1;
    if ((size_t)(end - next) < (size_t)(count - 1) * item_bytes)
        count = 1 + (uint32_t)((size_t)(end - next) / item_bytes);
    if (in_row) return count;
    /* Four at a time: most groups are one row. */
    for (; n + 4 <= count; n += 4, next += (size_t)4 * item_bytes) {
        uintptr_t at = (uintptr_t)next, b = item_bytes;
        if (((uintptr_t)items[n] ^ at) | ((uintptr_t)items[n + 1] ^ (at + b)) |
            ((uintptr_t)items[n + 2] ^ (at + 2 * b)) | ((uintptr_t)items[n + 3] ^ (at + 3 * b)))
            break;
    }
    for (; n < count && items[n] == next; n++) next += item_bytes;
    return n;
}

/* @return how many rows there are. */
static uint32_t find_rows(const svs_context *context, void *const *items, uint32_t count,
                          svs__seen_row *rows) {
    bool in_row = context->in_lane && context->in_row;
    svs__seeds s = {NULL, NULL, 0, 0};
    uint32_t found = 0;
    for (uint32_t i = 0, n; i < count; i += n) {
        const char *item = items[i];
        if (item < s.begin || item >= s.end) s = svs__item_seeds(item);
        n = row_at(items + i, count - i, s.end, s.item_bytes, in_row);
        rows[found++] = (svs__seen_row){s.seed + (size_t)(item - s.begin) / s.item_bytes, n};
    }
    return found;
}

static void tell_group(svs_context *context, const svs_task *task, void *const *items,
                       uint32_t ran) {
    const svs__domain_env *env = context->env;
    uint64_t begin_ns = context->seen_ns, end_ns = svs__time_ns();
    uint64_t each_ns = (end_ns - begin_ns) / ran;
    svs__seen_row rows[SVS__SEEN_GROUP_MAX];
    svs__seen_group group = {.task = env->seen.first_task + task->index,
                             .run = env->number,
                             .iteration = env->iteration,
                             .count = ran,
                             .rows = rows,
                             .row_count = find_rows(context, items, ran, rows),
                             .begin_ns = begin_ns,
                             .end_ns = end_ns};
    context->seen_ns = end_ns;
    context->seen_each_ns = each_ns > GROUP_NS ? GROUP_NS : (uint32_t)each_ns;
    env->seen.graphs->ran(env->seen.observer, context->worker->index, &group);
}

void svs__seen_end(svs_context *context, const svs_task *task, void *const *items, uint32_t ran) {
    const svs__seen_run *seen = &context->env->seen;
    if (seen->program && seen->program->instance_ends) {
        svs_observed instance = observed(context, task, items[0]);
        SVS__PROGRAM_CALL((void), seen->program->instance_ends(&instance, seen->program->argument));
    }
    if (!seen->graphs) return;
    /* relaxed: the next set that an explanation sees is published by the set's lock. */
    svs__store_relaxed(&context->seen_seed, 0);
    tell_group(context, task, items, ran);
}

/* ---- stages ---- */

void svs__seen_tell_window(svs_context *context, svs__seen_stage *stage, const svs_task *task) {
    const svs__domain_env *env = context->env;
    const svs__seen_run *seen = &env->seen;
    uint64_t deferrals = context->statistics.deferrals;
    if (seen->program && seen->program->stage) {
        svs_observed_stage told = {seen->name,   task->type->name, stage->kind == SVS__SEEN_WINDOW,
                                   stage->width, stage->stages,    context->worker->index};
        SVS__PROGRAM_CALL((void), seen->program->stage(&told, seen->program->argument));
    }
    if (!seen->graphs) return;
    stage->task = seen->first_task + task->index;
    stage->run = env->number;
    stage->iteration = env->iteration;
    stage->deferrals = (uint32_t)(deferrals - context->seen_deferrals);
    context->seen_deferrals = deferrals;
    seen->graphs->stage(seen->observer, context->worker->index, stage);
}

void svs__seen_tell_stage(svs_context *context, svs__seen_kind kind, const void *first,
                          uint32_t width) {
    svs__seen_stage stage = {.kind = kind, .width = width, .stages = 1};
    svs__seen_tell_window(context, &stage, svs__item_task(first));
}

/* ---- conflicts ---- */

static const char *name_of(const svs__explained *e) {
    switch (e->kind) {
    case SVS_KIND_INDEX: return ((const svs_space *)e->place.what)->name;
    case SVS_KIND_OBJECT: return svs__object_type(e->place.what)->type->name;
    default: return "address";
    }
}

void svs__seen_tell_conflict(const svs_context *context, const void *item, const svs__explained *e,
                             bool parted) {
    const svs__domain_env *env = context->env;
    const svs__seen_run *seen = &env->seen;
    svs__seen_deferral d = {.task = seen->first_task + svs__item_task(item)->index,
                            .run = env->number,
                            .iteration = env->iteration,
                            .seed = svs__item_seed(item),
                            .cause = e->cause,
                            .parted = parted,
                            .writes = e->writes};
    if (e->other_task) {
        d.has_other = true;
        d.other_task = seen->first_task + e->other_task->index;
        d.other_seed = e->other_seed;
    }
    if (e->place.what) {
        d.has_index = e->kind == SVS_KIND_INDEX;
        d.at = d.has_index ? e->place.index : (uintptr_t)e->place.what;
        d.place = seen->graphs->place(seen->observer, name_of(e));
    }
    seen->graphs->deferred(seen->observer, context->worker->index, &d);
}

/* The next one is explained after as many deferrals as take SVS__SEEN_SHARE times as long. */
static void plan(svs_context *context, uint64_t begin_ns) {
    uint64_t now = svs__time_ns(), deferrals = context->statistics.deferrals;
    uint64_t passed_ns = begin_ns - context->seen_explained_ns, passed = 1, after;
    if (deferrals > context->seen_explained_at) passed = deferrals - context->seen_explained_at;
    context->seen_due_ns = now + (now - begin_ns) * SVS__SEEN_SHARE;
    context->seen_explained_ns = now;
    context->seen_explained_at = deferrals;
    after = (now - begin_ns) * SVS__SEEN_SHARE / (passed_ns / passed + 1);
    context->explain_at = deferrals + 1 + after;
}

void svs__seen_tell_deferral(svs_context *context, const void *item,
                             const svs__explained *explained, uint64_t begin_ns) {
    svs__seen_tell_conflict(context, item, explained, false);
    plan(context, begin_ns);
}
