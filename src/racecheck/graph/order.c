/* What a graph says of the order of two accesses (graph.h). */
#include "racecheck/graph/page.h"

static bool opens_after(const svs__graph_run *run, uint32_t a, uint32_t b) {
    return run->after[(size_t)a * run->row + b / 64] >> b % 64 & 1;
}

bool svs__graph_are_beside(uint32_t one, uint32_t other) {
    uint64_t edges = 0;
    return one != other && one != 0 && other != 0 &&
           svs__lca_labels(&svs__the_checker.tree, one, other, &edges).parallel;
}

bool svs__graph_before(const svs__entry *e, const svs__instance *u, uint32_t step) {
    const svs__instance *a = e->instance;
    if (a->run != u->run) return !svs__graph_are_beside(e->step, step);
    if (a->iteration != u->iteration) return true; /* in the order of the run */
    for (; u != NULL; u = u->sender) {
        if (opens_after(a->run, a->task, u->task)) return true;
        if (u->sender == a) /* racecheck.G1 */
            return e->sends <= u->sent_at && !svs__graph_are_beside(e->step, u->sent_by);
    }
    return false;
}
