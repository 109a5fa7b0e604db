/* Collapses a completed subtree into its root, in shadow cells and in the notes on places (gc.h,
 * dpst.X7). */
#include "dpst/shadow/shadow.h"
#include "dpst/task/gc.h"
#include <string.h>

#define KNOWN 1024u

/* A collapse in progress. */
typedef struct join {
    const svs__dpst_tree *tree;
    uint8_t over_now; /* state of a node that was completed in this epoch: it does not count yet */
    struct {
        uint32_t node, top;
    } known[KNOWN];
} join;

static bool is_over(const join *j, uint32_t node) {
    /* acquire: sees that all code below the node has ended. */
    uint8_t state = svs__load_acquire(&j->tree->states[node]);
    return state >= SVS__NODE_OVER && state != j->over_now;
}

/* The highest ancestor that is completed, or the node itself. */
static uint32_t top_of(join *j, uint32_t node) {
    uint32_t at = node % KNOWN, top = node;
    bool any_open = false; /* is any node between `node` and `up` open? */
    if (node == 0 || j->known[at].node == node) return node == 0 ? 0 : j->known[at].top;
    for (uint32_t up = node; up != 0; up = svs__tree_node(j->tree, up)->parent) {
        SVS__ASSERT(!is_over(j, up) || !any_open); /* dpst.X7 */
        if (is_over(j, up)) top = up;
        any_open |=
            /* relaxed: only for the assertion */
            svs__load_relaxed(&j->tree->states[up]) == SVS__NODE_OPEN;
    }
    j->known[at].node = node;
    j->known[at].top = top;
    return top;
}

/* Replaces the names in a cell. If the compare-exchange fails, another thread has changed the cell,
 * which keeps its names for now. */
static void join_cell(svs__cell *cell, const svs__wide *seen, void *argument) {
    uint32_t writer = svs__cell_writer(seen), reader = svs__cell_reader(seen);
    uint32_t one = top_of(argument, reader), two = svs__cell_other_reader(seen);
    uint64_t first = (uint64_t)top_of(argument, writer) << 32 | one;
    uint32_t other = top_of(argument, two);
    if (other == one) other = 0; /* two readers with the same name are one */
    if (first != seen->first || other != two) {
        uint64_t second = svs__cell_next(seen->second, other, svs__cell_extent(seen->second));
        svs__wide then = {first, second | svs__cell_crowd(seen)};
        (void)svs__wide_change(cell, seen, &then);
    }
}

/* Maps a step in a note to its replacement. A note may exist longer than the step that it is
 * about. */
static uint32_t name_of(uint32_t step, void *argument) {
    join *j = argument;
    /* acquire: sees the node, if it exists. */
    bool is_there =
        step < j->tree->max && svs__load_acquire(&j->tree->states[step]) != SVS__NODE_FREE;
    return is_there ? top_of(j, step) : step;
}

void svs__sweep_join(const svs__dpst_tree *tree, uint32_t epoch) {
    static join j; /* there is one collapse at a time */
    memset(&j, 0, sizeof j);
    j.tree = tree;
    j.over_now = svs__node_over(epoch);
    svs__sites_rename(name_of,
                      /* comes first: a search that finds no note of a step continues with the nodes
                       * above it */
                      &j);
    svs__shadow_visit(join_cell, &j);
}
