#include "dpst/calls.h"
#include "dpst/shadow/spd3.h"
#include "dpst/task/task.h"

/* dpst.X10. relaxed is enough for both loads: a run that begins now has not accessed the block
 * yet. */
static void begin_life_outside(const void *block, size_t bytes) {
    svs__checker *checker = &svs__the_checker;
    if (svs__load_relaxed(&checker->runs) == 0) return;
    svs__lock_acquire(&checker->lives);
    if (svs__load_relaxed(&checker->runs) != 0)
        svs__task_clear(svs__check_self->worker, (uintptr_t)block, bytes);
    svs__lock_release(&checker->lives);
}

void svs__check_allocated(const void *block, size_t bytes) {
    svs__check_thread *self = svs__check_self;
    if (svs__check_marks.aside) return;
    if (self->task == NULL) {
        begin_life_outside(block, bytes);
        return;
    }
    svs__streams_end(self);
    svs__task_clear(self->worker, (uintptr_t)block, bytes);
}

void svs__check_taken(const void *block, size_t bytes, const void *pc) {
    svs__check_allocated(block, bytes);
    if (!svs__check_marks.library) svs__check_access(block, bytes, true, pc);
}

void svs__check_freed(const void *block, size_t bytes, const void *pc) {
    svs__check_thread *self = svs__check_self;
    if (svs__check_marks.aside || self->task == NULL) return;
    svs__check_access(block, bytes, true, pc);
    svs__streams_end(self);
}

void svs__check_settle(void) {
    svs__check_thread *self = svs__check_self;
    if (self->task == NULL) return;
    svs__streams_end(self);
    svs__worker_count(&self->worker->accesses, self->accesses);
    self->accesses = 0;
}

/* ---- the path of a step ---- */

/* Number of levels above the runs: the root of the tree, the period and the thread that waits
 * (checker.h). */
#define LEVELS_ABOVE_RUNS 3u

/* Is `parent` a scope that stands for the code after a stolen continuation? If so, the phase of its
 * children begins with that scope. */
static bool divides(const svs__dpst_tree *tree, uint32_t parent, const svs__dpst_node *child) {
    return parent > 1 && svs__tree_node(tree, parent)->kind == SVS__NODE_FINISH &&
           tree->phases[child->phase].root == parent;
}

/* Collects the step's own node and those above it, the lowest first, and then reverses them. */
size_t svs__check_path(uint32_t step, svs__path_item *items, size_t most) {
    const svs__dpst_tree *tree = &svs__the_checker.tree;
    size_t count = 0;
    for (uint32_t at = step; at > 1 && count < most;) {
        const svs__dpst_node *node = svs__tree_node(tree, at);
        if (node->depth < LEVELS_ABOVE_RUNS) break;
        items[count] = (svs__path_item){node->kind, svs__node_label(node) >> 1, node->site};
        for (at = node->parent; divides(tree, at, node); at = node->parent) {
            node = svs__tree_node(tree, at);
            items[count].number += (svs__node_label(node) >> 1) - 1;
        }
        count++;
    }
    for (size_t i = 0; i < count / 2; i++) {
        svs__path_item item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
    return count;
}
