/* Refinement (thesis 5.2, Algorithm 2) and strict propagation (6.1). Under run.lock.
 *
 * The five properties:
 *   1  a parent shares its domain with its children;
 *   2  a child that was given a domain does not give it on;
 *   3  a child with several parents shares with one of them: the last to become runnable;
 *   4  a task has one domain in an iteration;
 *   5  several tasks may be in one domain.
 *
 * Taking a dependency away only lets the child open: admission decides what runs (design:
 * Scheduling). */
#include "sched/graph.h"

svs__domain *svs__task_domain(svs__run *run, svs_task *task) {
    if (!task->domain) {
        uint32_t count = svs__load_relaxed(&run->active_count);
        task->domain = &run->domains[task->index];
        svs__store_relaxed(&run->active[count], task->domain);
        /* release: publishes the domain; pairs with the acquire of who steps. */
        svs__store_release(&run->active_count, count + 1);
        run->statistics.domains++;
    }
    return task->domain;
}

/* Whether the sets of two elements lists conflict by cells. */
static bool elements_conflict(const svs__set *a, const svs__set *b) {
    uint32_t shift = a->world->cell_shift;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (a->elements[i].key >> shift == b->elements[k].key >> shift &&
                (a->elements[i].mode == SVS_WRITE || b->elements[k].mode == SVS_WRITE))
                return true;
    return false;
}

/* Folds a set's elements and signatures into two signatures, by mode. */
static void fold(const svs__set *set, uint64_t (*into)[SVS__SIGNATURE_WORDS_MAX]) {
    for (int mode = 0; mode < 2; mode++)
        for (uint32_t w = 0; w < set->world->words; w++)
            into[mode][w] = set->dense ? set->signature[mode][w] : 0;
    for (uint32_t i = 0; i < set->count; i++)
        svs__signature_set(into[set->elements[i].mode],
                           svs__world_bit(set->world, set->elements[i].key));
}

static bool sets_conflict(const svs__set *a, const svs__set *b) {
    uint64_t x[2][SVS__SIGNATURE_WORDS_MAX], y[2][SVS__SIGNATURE_WORDS_MAX];
    uint32_t words = a->world->words;
    if (a->everything || b->everything) return true;
    if (!a->dense && !b->dense) return elements_conflict(a, b);
    fold(a, x);
    fold(b, y);
    return svs__signature_overlap(x[SVS_WRITE], y[SVS_WRITE], words) ||
           svs__signature_overlap(x[SVS_WRITE], y[SVS_READ], words) ||
           svs__signature_overlap(x[SVS_READ], y[SVS_WRITE], words);
}

/* Two transforms: their sets now. Out of memory leaves the dependency. */
static bool transforms_conflict(svs__run *run, svs_task *a, svs_task *b) {
    svs_context *x = run->contexts[run->context_count - 2],
                *y = run->contexts[run->context_count - 1];
    if (svs__instance_expand(x, a, svs__record_item(a->record)) ||
        svs__instance_expand(y, b, svs__record_item(b->record)))
        return true;
    return sets_conflict(&x->set, &y->set);
}

/* Lines 10 to 12: shares the domain if the parent may give it and is the last of the child's
 * parents to become runnable. */
static bool propagate(svs__run *run, svs_task *parent, svs_task *child) {
    if (parent->propagated || --child->parents_not_ready != 0) return false;
    if (child->domain) return false;
    child->domain = svs__task_domain(run, parent);
    child->propagated = true;
    return true;
}

void svs__refine(svs__run *run, svs_task *parent, svs__tasks *opened) {
    for (uint32_t i = 0; i < parent->implicit_count; i++) {
        svs__implicit *dependency = &parent->implicit[i];
        svs_task *child = dependency->child;
        bool remove;
        if (dependency->removed || child->open) continue;
        if (!parent->itemizer && !child->itemizer)
            remove = !transforms_conflict(run, parent, child);
        else remove = propagate(run, parent, child);
        if (!remove) continue;
        dependency->removed = true;
        run->statistics.refined++;
        /* Each task is put once an iteration (T1), and there is room for all of them. */
        if (--child->parents == 0) opened->items[opened->count++] = child;
    }
}
