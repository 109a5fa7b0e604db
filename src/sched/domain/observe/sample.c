#include "sched/domain/observe/sample.h"

#include "base/memory.h"
#include "memobj/core/header.h"
#include "sched/domain/instance/instance.h"

#define EXACT_BUDGET 4096u
/* mean number of elements of an instance at which the sample of a task is complete */
#define ELEMENTS_EACH 64u

svs__sample *svs__sample_new(svs_world *world, uint32_t most) {
    svs__sample *sample =
        svs__allocate_zeroed(world->allocator, sizeof *sample, _Alignof(svs__sample));
    if (!sample) return NULL;
    sample->world = world;
    sample->most = most;
    for (int i = 0; i < 2; i++) {
        if (svs__set_init(&sample->sets[i], world)) {
            svs__sample_free(sample);
            return NULL;
        }
        sample->sets[i].budget = EXACT_BUDGET;
    }
    return sample;
}

void svs__sample_free(svs__sample *sample) {
    const svs_allocator *allocator;
    if (!sample) return;
    allocator = sample->world->allocator;
    for (uint32_t i = 0; i < sample->task_count; i++) {
        svs__task_sample *t = &sample->tasks[i];
        svs__array_release(allocator, t->declarations, t->declaration_capacity,
                           sizeof *t->declarations);
        svs__array_release(allocator, t->elements, t->capacity, sizeof *t->elements);
        svs__array_release(allocator, t->ends, t->end_capacity, sizeof *t->ends);
    }
    svs__array_release(allocator, sample->tasks, sample->task_capacity, sizeof *sample->tasks);
    for (int i = 0; i < 2; i++) svs__set_clean_up(&sample->sets[i]);
    svs__release(allocator, sample, sizeof *sample, _Alignof(svs__sample));
}

static void fail(svs__sample *sample) { sample->status = SVS_E_NO_MEMORY; }

#define GROW(sample, array, capacity, needed)                                                      \
    (svs__grow((sample)->world->allocator, (void **)&(array), &(capacity), (needed),               \
               sizeof *(array)) ||                                                                 \
     (fail(sample), false))

/* The part of the sample for a task; NULL: there is no memory. */
static svs__task_sample *part_of(svs__sample *sample, const svs_task *task) {
    svs__task_sample *t = sample->tasks;
    for (uint32_t i = 0; i < sample->task_count; i++, t++)
        if (t->task == task) return t;
    if (!GROW(sample, sample->tasks, sample->task_capacity, sample->task_count + 1)) return NULL;
    t = &sample->tasks[sample->task_count++];
    *t = (svs__task_sample){.task = task};
    return t;
}

static svs__declaration declaration_of(const svs_access *access) {
    svs__declaration d = {NULL, access->kind, access->mode, false};
    if (access->kind == SVS_KIND_INDEX) d.what = access->what;
    if (access->kind == SVS_KIND_OBJECT) {
        d.what = svs__object_type(access->what)->type;
        d.found = access->extent != SVS_EXTENT_OWN;
    }
    return d;
}

static bool is_same(const svs__declaration *a, const svs__declaration *b) {
    return a->what == b->what && a->kind == b->kind && a->mode == b->mode && a->found == b->found;
}

/* Finds or adds the declaration of an access. @return its number; UINT32_MAX: no memory. */
static uint32_t declare(svs__sample *sample, svs__task_sample *t, const svs_access *access) {
    svs__declaration d = declaration_of(access);
    uint32_t i = 0;
    while (i < t->declaration_count && !is_same(&t->declarations[i], &d)) i++;
    if (i < t->declaration_count) return i;
    if (!GROW(sample, t->declarations, t->declaration_capacity, i + 1)) return UINT32_MAX;
    t->declarations[t->declaration_count++] = d;
    return i;
}

static void add_element(svs__sample *sample, svs__task_sample *t, svs__sampled element) {
    if (GROW(sample, t->elements, t->capacity, t->count + 1)) t->elements[t->count++] = element;
}

/* Expands one access by itself, so that its elements can be attributed to its declaration. */
static void add_access(svs__sample *sample, svs__task_sample *t, const svs_access *access) {
    svs__set *set = &sample->sets[1];
    uint32_t declaration;
    svs__set_begin(set);
    svs_footprint_add_access(&set->footprint, access);
    if (svs__set_expand(set)) return; /* the instance itself will fail for the same reason */
    if (!set->count && !set->dense && !set->everything) return;
    if ((declaration = declare(sample, t, access)) == UINT32_MAX) return;
    if (set->dense || set->everything)
        add_element(sample, t, (svs__sampled){{NULL, 0}, declaration, access->mode});
    else
        for (uint32_t i = 0; i < set->count; i++)
            add_element(sample, t,
                        (svs__sampled){set->identities[i], declaration, set->elements[i].mode});
}

void svs__sample_add(svs__sample *sample, const svs_task *task, const void *item) {
    svs__set *set = &sample->sets[0];
    svs__task_sample *t;
    svs__lock_acquire(&sample->lock);
    t = sample->status ? NULL : part_of(sample, task);
    if (t && t->end_count < sample->most && t->count < ELEMENTS_EACH * sample->most &&
        GROW(sample, t->ends, t->end_capacity, t->end_count + 1)) {
        svs__set_begin(set);
        svs__task_touch(task, set, item);
        for (uint32_t i = 0; i < set->footprint.count; i++)
            add_access(sample, t, &set->footprint.accesses[i]);
        t->ends[t->end_count++] = t->count;
    }
    svs__lock_release(&sample->lock);
}
