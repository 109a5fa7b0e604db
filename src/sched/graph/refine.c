/* Refinement (thesis 5.2, Algorithm 2) and strict propagation (6.1). The caller holds run.lock.
 *
 * Strict propagation has five properties:
 *   1  a parent shares its domain with its children;
 *   2  a child that got its domain from a parent does not pass it on;
 *   3  a child with several parents shares with one of them: the last to become runnable;
 *   4  a task has one domain in an iteration;
 *   5  several tasks may be in one domain.
 *
 * The removal of a dependency only opens the child: admission decides which instances run
 * (sched/admission/admission.h). */
#include "sched/graph/refine.h"

#include <string.h>

#include "base/check.h"
#include "sched/admission/conflict.h"
#include "sched/domain/progressive/pinned.h"

svs__domain *svs__task_domain(svs__run *run, svs_task *task) {
    svs__node *node = svs__node_of(task);
    if (!node->domain) {
        node->domain = &run->domains[task->index];
        run->statistics.domains++;
    }
    return node->domain;
}

/* Whether two lists of elements conflict by cells. */
static bool elements_conflict(const svs_world *world, const svs__element *a, uint32_t a_count,
                              const svs__element *b, uint32_t b_count) {
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t k = 0; k < b_count; k++)
            if (svs__elements_conflict(a[i], b[k], world->cell_shift)) return true;
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
    if (!a->dense && !b->dense)
        return elements_conflict(a->world, a->elements, a->count, b->elements, b->count);
    fold(a, x);
    fold(b, y);
    return svs__signature_overlap(x[SVS_MODE_WRITE], y[SVS_MODE_WRITE], words) ||
           svs__signature_overlap(x[SVS_MODE_WRITE], y[SVS_MODE_READ], words) ||
           svs__signature_overlap(x[SVS_MODE_READ], y[SVS_MODE_WRITE], words);
}

/* Makes the set of a transform once for all comparisons of the iteration, of which there may be as
 * many as tasks. */
static svs__child_set look_up(svs__run *run, const svs_task *task, svs__child *c) {
    svs_context *context = run->env.contexts[run->env.context_count - 2];
    const svs__set *set = &context->set;
    if (svs__instance_expand(context, task, task->item)) return SVS__SET_FAILED;
    if (!svs__set_is_lasting(set) || set->count > SVS__CHILD_ELEMENTS) return SVS__SET_TO_MAKE;
    c->count = (uint8_t)set->count;
    if (c->count) memcpy(c->elements, set->elements, c->count * sizeof *c->elements);
    return SVS__SET_LASTS;
}

static const svs__child *looked_up(svs__run *run, const svs_task *task) {
    svs__child *c = &run->children[svs__node_of(task)->position];
    if (SVS__UNLIKELY(c->set == SVS__SET_UNKNOWN)) c->set = (uint8_t)look_up(run, task, c);
    return c;
}

static bool sets_made_conflict(svs__run *run, svs_task *a, svs_task *b) {
    svs_context *x = run->env.contexts[run->env.context_count - 2],
                *y = run->env.contexts[run->env.context_count - 1];
    if (svs__instance_expand(x, a, a->item) || svs__instance_expand(y, b, b->item)) return true;
    return sets_conflict(&x->set, &y->set);
}

/* Whether two transforms conflict, by their present sets. Without memory for a set the dependency
 * stays. */
static bool transforms_conflict(svs__run *run, svs_task *parent, svs_task *child,
                                const svs__child *of_child) {
    const svs__child *of_parent = looked_up(run, parent);
    if (of_child->set == SVS__SET_UNKNOWN) of_child = looked_up(run, child);
    if (of_parent->set == SVS__SET_FAILED || of_child->set == SVS__SET_FAILED) return true;
    if (of_parent->set == SVS__SET_LASTS && of_child->set == SVS__SET_LASTS)
        return elements_conflict(run->graph->world, of_parent->elements, of_parent->count,
                                 of_child->elements, of_child->count);
    return sets_made_conflict(run, parent, child);
}

/* Lines 10 to 12 of Algorithm 2: the child shares the parent's domain, if the parent may pass it on
 * and is the last of the child's parents to become runnable. A pinned task does not share its
 * domain (pinned.h). */
static bool propagate(svs__run *run, svs_task *parent, svs_task *child) {
    if (SVS__UNLIKELY(svs__task_is_pinned(parent) || svs__task_is_pinned(child))) return false;
    if (svs__node_of(parent)->propagated || --svs__node_of(child)->parents_not_ready != 0)
        return false;
    if (svs__node_of(child)->domain) return false;
    svs__node_of(child)->domain = svs__task_domain(run, parent);
    svs__node_of(child)->propagated = true;
    return true;
}

/* Whether refinement removes the dependency of the child on a parent that has opened. */
static bool is_removed(svs__run *run, svs_task *parent, svs_task *child, svs__child *of_child) {
    bool transform = of_child->set != SVS__SET_UNKNOWN || !child->itemizer;
    if (!parent->itemizer && transform) return !transforms_conflict(run, parent, child, of_child);
    return propagate(run, parent, child);
}

/* sched.T8 */
static bool is_kept(const svs__implicit *implicit, uint32_t position) {
    if (SVS__LIKELY(!implicit->kept)) return false;
    return implicit->kept[position / 64 - implicit->first] >> position % 64 & 1;
}

void svs__refine(svs__run *run, svs_task *parent, svs__tasks *opened) {
    svs__implicit *implicit = &svs__node_of(parent)->implicit;
    svs_task *child;
    SVS__ASSERT(svs__lock_is_held(&run->lock)); /* sched.T3 */
    for (uint32_t at = svs__node_of(parent)->position;
         (child = svs__implicit_next(parent, &at)) != NULL;) {
        /* computed from `at`, so that the child's cache line is not loaded */
        uint32_t position = at - 1;
        svs__child *c = &run->children[position];
        if (c->open || is_kept(implicit, position)) continue;
        if (!is_removed(run, parent, child, c)) continue;
        implicit->left[position / 64 - implicit->first] &= ~(UINT64_C(1) << position % 64);
        run->statistics.refined++;
        SVS__ASSERT(c->parents); /* sched.T4 */
        /* Each task is added once an iteration (sched.T1), and there is room for all of them. */
        if (--c->parents == 0) opened->items[opened->count++] = child;
    }
}
