/* Equality of steal trees, apart from the times. */
#include "stealtree/trace.h"

bool svs__tree_equal_phase(const svs__tree_worker *of, const svs__tree_worker *other, uint32_t at) {
    const svs__tree_phase *a = &of->phases[at], *b = &other->phases[at];
    if (a->start.kind != b->start.kind || a->start.victim != b->start.victim ||
        a->start.at != b->start.at || a->start.ordinal != b->start.ordinal || a->end != b->end ||
        a->enclosing != b->enclosing || a->suspended != b->suspended ||
        a->steal_count != b->steal_count)
        return false;
    for (uint32_t s = 0; s < a->steal_count; s++) {
        const svs__tree_steal *mine = &of->steals[a->steal_first + s];
        const svs__tree_steal *its = &other->steals[b->steal_first + s];
        if (mine->ordinal != its->ordinal || mine->thief != its->thief || mine->phase != its->phase)
            return false;
    }
    return true;
}

bool svs__tree_equal(const svs__steal_tree *a, const svs__steal_tree *b) {
    if (a->workers != b->workers || a->policy != b->policy) return false;
    for (uint32_t w = 0; w < a->workers; w++) {
        const svs__tree_worker *of = &a->worker[w], *other = &b->worker[w];
        if (of->phase_count != other->phase_count) return false;
        for (uint32_t p = 0; p < of->phase_count; p++)
            if (!svs__tree_equal_phase(of, other, p)) return false;
    }
    return true;
}
