#include "sched/domain/observe/seen.h"

#include "base/platform.h"
#include "base/program.h"
#include "memobj/core/header.h"
#include "sched/domain/instance/context.h"

/* ---- instances ---- */

#define GROUP_NS 8000u /* a group of instances that are timed together takes about this time */
/* the maximum number of instances of a group whose items are not adjacent in memory */
#define TOGETHER_MAX 128u
_Static_assert(TOGETHER_MAX < SVS__SEEN_ROWS_MAX && TOGETHER_MAX <= SVS__SEEN_STEPS_MAX,
               "the rows of a group have room");

/* The maximum number of instances that are timed together: 1 while the time of the task's instances
 * is not known. */
static uint32_t group_max(const svs_task *task) {
    /* relaxed is enough: it is an estimate. */
    uint32_t each = svs__load_relaxed(&((svs_task *)(uintptr_t)task)->seen_each_ns);
    if (each == 0 || each > GROUP_NS) return 1;
    return GROUP_NS / each < SVS__SEEN_GROUP_MAX ? GROUP_NS / each : SVS__SEEN_GROUP_MAX;
}

uint32_t svs__seen_group_of(const svs_context *context, const svs_task *task, uint32_t count) {
    const svs__domain_env *env = context->env;
    uint32_t most;
    if (env->watched || env->seen.program) return 1;
    most = context->seen_open.count ? context->seen_open.room : group_max(task);
    if (most > TOGETHER_MAX) most = TOGETHER_MAX;
    return count < most ? count : most;
}

static svs_observed observed(const svs_context *context, const svs_task *task, const void *item) {
    const svs__domain_env *env = context->env;
    return (svs_observed){env->seen.name, task->type->name, svs__order_of(svs__item_seed(item)),
                          env->iteration, context->worker->index};
}

/* Whether this piece continues a serial run: its pieces follow each other without a gap that would
 * justify reading the clock. */
static bool goes_on(const svs_context *context) {
    return context->in_serial_run && context->serial_goes_on;
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
    if (context->seen_open.count && context->seen_open.task != task) svs__seen_close(context);
    if (!follows && !goes_on(context)) context->seen_ns = svs__time_ns();
    if (!context->set_of) return;                  /* no explanation will read it (explain.c) */
    svs__store_relaxed(&context->seen_task, task); /* relaxed is enough: the seed publishes it */
    /* release: publishes the task; pairs with the acquire in name_running(). */
    svs__store_release(&context->seen_seed, svs__item_seed(item));
}

/* The number of items, beginning with the first and up to the address `end`, that are adjacent in
 * memory. */
static inline uint32_t row_at(void *const *items, uint32_t count, const char *end,
                              uint32_t item_bytes, bool in_row) {
    const char *next = (const char *)items[0] + item_bytes;
    uint32_t n = 1;
    if ((size_t)(end - next) < (size_t)(count - 1) * item_bytes)
        count = 1 + (uint32_t)((size_t)(end - next) / item_bytes);
    if (in_row) return count;
    /* Compares four at a time, because most groups are one row. */
    for (; n + 4 <= count; n += 4, next += (size_t)4 * item_bytes) {
        uintptr_t at = (uintptr_t)next, b = item_bytes;
        if (((uintptr_t)items[n] ^ at) | ((uintptr_t)items[n + 1] ^ (at + b)) |
            ((uintptr_t)items[n + 2] ^ (at + 2 * b)) | ((uintptr_t)items[n + 3] ^ (at + 3 * b)))
            break;
    }
    for (; n < count && items[n] == next; n++) next += item_bytes;
    return n;
}

/* Counts the items at the front that belong to one send, in the order of the send, and stores the
 * step to each item. */
static uint32_t steps_at(void *const *items, uint32_t count, const svs__seeds *s,
                         unsigned char *steps) {
    const char *last = items[0];
    /* Multiplying by 2^32 / item_bytes, rounded up, replaces the division of multiples of
     * item_bytes. */
    uint64_t inverse = UINT32_MAX / s->item_bytes + (uint64_t)1;
    size_t most = (size_t)127 * s->item_bytes;
    uint32_t n = 1;
    for (; n < count; n++) {
        size_t ahead = (size_t)((const char *)items[n] - last);
        if (ahead - 1 >= most || (const char *)items[n] >= s->end) break;
        *steps++ = (unsigned char)(ahead * inverse >> 32);
        last = items[n];
    }
    return n;
}

#define ROW_LEAST 8u /* shorter rows are reported as steps */

/* The rows that were found in a group. */
typedef struct found {
    uint32_t count, steps;
    svs__seeds seeds; /* the seeds of the send of the last item */
    svs__seen_row rows[TOGETHER_MAX + 1];
    unsigned char step[TOGETHER_MAX];
} found;

static void add_row(found *f, uint64_t seed, uint32_t count, const unsigned char *steps) {
    svs__seen_row *last = f->rows + f->count - 1;
    if (f->count && !last->steps && !steps && last->seed + last->count == seed)
        last->count += count;
    else f->rows[f->count++] = (svs__seen_row){seed, count, steps};
}

static void find_rows(const svs_context *context, void *const *items, uint32_t count, found *f) {
    bool in_row = context->in_serial_run && context->in_row;
    svs__seeds s = {NULL, NULL, 0, 0};
    for (uint32_t i = 0, n; i < count; i += n) {
        const char *item = items[i];
        unsigned char *steps = f->step + f->steps;
        if (item < s.begin || item >= s.end) s = svs__item_seeds(item);
        n = row_at(items + i, count - i, s.end, s.item_bytes, in_row);
        if (n < ROW_LEAST && i + n < count) n = steps_at(items + i, count - i, &s, steps);
        else steps = NULL;
        add_row(f, s.seed + (uint32_t)(item - s.begin) / s.item_bytes, n, n > 1 ? steps : NULL);
        if (steps) f->steps += n - 1;
    }
    f->seeds = s;
}

/* Updates the estimate of an instance's time, only if it changes enough, because all workers read
 * it. */
static void estimate(const svs_task *task, uint64_t each_ns) {
    _Atomic(uint32_t) *known = &((svs_task *)(uintptr_t)task)->seen_each_ns;
    uint32_t each = each_ns > GROUP_NS ? GROUP_NS + 1 : each_ns ? (uint32_t)each_ns : 1;
    uint32_t before = svs__load_relaxed(known); /* relaxed is enough for both: it is an estimate */
    if (each > before + before / 8 || each + before / 8 < before) svs__store_relaxed(known, each);
}

/* Reports a group of instances that have just run. */
static void tell_group(svs_context *context, const svs_task *task, const svs__seen_row *rows,
                       uint32_t row_count, uint32_t count) {
    const svs__domain_env *env = context->env;
    uint64_t begin_ns = context->seen_ns, end_ns = svs__time_ns();
    svs__seen_group group = {.task = env->seen.first_task + task->index,
                             .run = env->number,
                             .iteration = env->iteration,
                             .count = count,
                             .rows = rows,
                             .row_count = row_count,
                             .begin_ns = begin_ns,
                             .end_ns = end_ns};
    SVS__ASSERT(count > 0); /* hooks.O6: its instances have run */
    context->seen_ns = end_ns;
    estimate(task, (end_ns - begin_ns) / count);
    env->seen.graphs->ran(env->seen.observer, context->worker->index, &group);
}

void svs__seen_close(svs_context *context) {
    svs__seen_open *open = &context->seen_open;
    svs__seen_row row = {open->seed, open->count, NULL};
    if (!open->count) return;
    open->count = 0;
    tell_group(context, open->task, &row, 1, row.count);
}

/* ---- serial runs ---- */

/* Instances of a serial run are reported together with those of its next pieces, if these are next
 * in memory. @return whether these instances continue the open group. */
static bool goes_on_open(svs_context *context, void *const *items, uint32_t ran) {
    svs__seen_open *open = &context->seen_open;
    size_t bytes = svs__batch_of(items[0])->item_bytes * (size_t)ran;
    if (!open->count || items[0] != open->next || !context->in_row || ran >= open->room ||
        (size_t)(open->end - open->next) < bytes)
        return false;
    open->count += ran;
    open->room -= ran;
    open->next += bytes;
    return true;
}

/* @return false: the instances must be reported now. */
static bool stays_open(svs_context *context, const svs_task *task, const found *f,
                       void *const *items, uint32_t ran, uint32_t count) {
    const svs__domain_env *env = context->env;
    const char *last = items[ran - 1];
    uint32_t most = group_max(task);
    if (!context->in_serial_run || !context->in_row || f->count > 1 || f->steps || count >= most ||
        env->watched || env->seen.program)
        return false;
    context->seen_open = (svs__seen_open){
        task, f->rows[0].seed, count, most - count, last + f->seeds.item_bytes, f->seeds.end};
    return true;
}

static void end_group(svs_context *context, const svs_task *task, void *const *items,
                      uint32_t ran) {
    const svs__seen_open *open = &context->seen_open;
    uint32_t count = open->count + ran;
    found f;
    if (goes_on_open(context, items, ran)) return;
    f.count = f.steps = 0;
    if (open->count) add_row(&f, open->seed, open->count, NULL);
    find_rows(context, items, ran, &f);
    if (stays_open(context, task, &f, items, ran, count)) return;
    context->seen_open.count = 0;
    tell_group(context, task, f.rows, f.count, count);
}

void svs__seen_end(svs_context *context, const svs_task *task, void *const *items, uint32_t ran) {
    const svs__seen_run *seen = &context->env->seen;
    if (seen->program && seen->program->instance_ends) {
        svs_observed instance = observed(context, task, items[0]);
        SVS__PROGRAM_CALL((void), seen->program->instance_ends(&instance, seen->program->argument));
    }
    if (!seen->graphs) return;
    /* relaxed is enough: the lock of the set publishes the next set that an explanation reads. */
    if (context->set_of) svs__store_relaxed(&context->seen_seed, 0);
    end_group(context, task, items, ran);
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

/* Plans the next explanation: after so many deferrals that they take SVS__SEEN_SHARE times as long
 * as the explanation. */
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
