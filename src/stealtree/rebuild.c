#include "stealtree/rebuild.h"
#include "base/memory.h"
#include "stealtree/message.h"
#include "stealtree/verify.h"
#include <stdalign.h>

/* A plan and the allocator that it came from. */
typedef struct kept_plan {
    svs__plan plan; /* first: the plan's address is this one's */
    svs_allocator allocator;
} kept_plan;

void svs__plan_free(svs__plan *plan) {
    kept_plan *kept = (kept_plan *)plan;
    svs_allocator allocator;
    if (plan == NULL) return;
    allocator = kept->allocator;
    for (uint32_t w = 0; plan->worker != NULL && w < plan->workers; w++) {
        svs__plan_worker *of = &plan->worker[w];
        svs__array_release(&allocator, of->phases, of->phase_count, sizeof *of->phases);
        svs__array_release(&allocator, of->steals, of->steal_count, sizeof *of->steals);
    }
    svs__release(&allocator, plan->worker, plan->workers * sizeof *plan->worker,
                 alignof(svs__plan_worker));
    svs__release(&allocator, kept, sizeof *kept, alignof(kept_plan));
}

/* Room for exactly that many; none is no failure. */
static bool allocate_exactly(const svs_allocator *allocator, void **array, uint32_t *count,
                             uint32_t wanted, size_t element) {
    if (wanted == 0) return true;
    if (wanted > SIZE_MAX / element) return false;
    *array = svs__allocate(allocator, wanted * element, SVS__ARRAY_ALIGNMENT);
    if (*array == NULL) return false;
    *count = wanted;
    return true;
}

static bool fill_worker(const svs__tree_worker *from, svs__plan_worker *to,
                        const svs_allocator *allocator) {
    if (!allocate_exactly(allocator, (void **)&to->phases, &to->phase_count, from->phase_count,
                          sizeof *to->phases) ||
        !allocate_exactly(allocator, (void **)&to->steals, &to->steal_count, from->steal_count,
                          sizeof *to->steals))
        return false;
    for (uint32_t p = 0; p < from->phase_count; p++) {
        const svs__tree_phase *phase = &from->phases[p];
        to->phases[p] = (svs__plan_phase){
            .start = phase->start,
            .end = phase->end,
            .enclosing = phase->enclosing,
            .suspended = phase->suspended,
            .begin_ns = phase->begin_ns,
            .steal_first = phase->steal_first,
            .steal_count = phase->steal_count,
        };
    }
    for (uint32_t s = 0; s < from->steal_count; s++)
        to->steals[s] = (svs__plan_steal){from->steals[s].ordinal, from->steals[s].thief,
                                          from->steals[s].phase};
    return true;
}

svs__plan *svs__plan_of_tree(const svs__tree *tree) {
    kept_plan *kept = svs__allocate_zeroed(&tree->allocator, sizeof *kept, alignof(kept_plan));
    if (kept == NULL) return NULL;
    kept->allocator = tree->allocator;
    kept->plan.workers = tree->workers;
    kept->plan.policy = tree->policy;
    kept->plan.worker = svs__allocate_zeroed(
        &tree->allocator, tree->workers * sizeof *kept->plan.worker, alignof(svs__plan_worker));
    for (uint32_t w = 0; w < tree->workers; w++) {
        if (kept->plan.worker != NULL &&
            fill_worker(&tree->worker[w], &kept->plan.worker[w], &tree->allocator))
            continue;
        svs__plan_free(&kept->plan);
        return NULL;
    }
    return &kept->plan;
}

svs_status svs__plan_new(const svs_trace *trace, svs__plan **plan, char *text, size_t size) {
    svs__message message = {text, size};
    svs__tree *tree;
    svs_status status;
    if (trace == NULL || plan == NULL) return svs__message_status(&message, SVS_E_NULL);
    *plan = NULL;
    status = svs__tree_new(trace, &tree, text, size);
    if (status) return status;
    status = svs__tree_verify(tree, text, size);
    if (status == SVS_OK && (*plan = svs__plan_of_tree(tree)) == NULL)
        status = svs__message_status(&message, SVS_E_NO_MEMORY);
    svs__tree_free(tree);
    return status;
}

bool svs__plan_equal_phase(const svs__plan_worker *of, const svs__plan_worker *other, uint32_t at) {
    const svs__plan_phase *a = &of->phases[at], *b = &other->phases[at];
    if (a->start.kind != b->start.kind || a->start.victim != b->start.victim ||
        a->start.at != b->start.at || a->start.ordinal != b->start.ordinal || a->end != b->end ||
        a->enclosing != b->enclosing || a->suspended != b->suspended ||
        a->steal_count != b->steal_count)
        return false;
    for (uint32_t s = 0; s < a->steal_count; s++) {
        const svs__plan_steal *mine = &of->steals[a->steal_first + s];
        const svs__plan_steal *its = &other->steals[b->steal_first + s];
        if (mine->ordinal != its->ordinal || mine->thief != its->thief || mine->phase != its->phase)
            return false;
    }
    return true;
}

bool svs__plan_equal(const svs__plan *a, const svs__plan *b) {
    if (a->workers != b->workers || a->policy != b->policy) return false;
    for (uint32_t w = 0; w < a->workers; w++) {
        const svs__plan_worker *of = &a->worker[w], *other = &b->worker[w];
        if (of->phase_count != other->phase_count) return false;
        for (uint32_t p = 0; p < of->phase_count; p++)
            if (!svs__plan_equal_phase(of, other, p)) return false;
    }
    return true;
}
