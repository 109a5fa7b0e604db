/* The order of runs that overlap with others (checker.h, dpst.X11), computed from their places in
 * the tree and from the notes of the later run.
 *
 * Below the top, a path goes through one finish for each level. It then goes to the level's thread,
 * which is the first child of the finish, and on to the root of one of the thread's runs. Or it
 * goes directly to a run without a level. */
#include "dpst/tree/checker.h"

#define LEVEL_DEPTH 1u /* depth of the finish of level 0 */
/* label of the level's thread: an async that is the first child */
#define OF_THREAD (1u << 1 | true)

static bool is_async(uint32_t label) { return label & 1; }
static uint32_t number_of(uint32_t label) { return label >> 1; }

/* The depth of the root of the run that contains the node; 0: the node represents several runs. */
static uint32_t root_depth(const svs__dpst_tree *tree, uint32_t node) {
    uint32_t end = svs__tree_node(tree, node)->depth, depth = LEVEL_DEPTH + 1;
    while (depth < end && !is_async(svs__tree_label(tree, node, depth))) depth++;
    return depth < end ? depth + 1 : 0;
}

/* Is the node, in the finish of level number `level`, in a run that had ended when the last run of
 * the level `mine` began? */
static bool had_ended(const svs__dpst_tree *tree, const svs__check_level *mine, uint32_t node,
                      uint32_t level) {
    uint32_t end = svs__tree_node(tree, node)->depth;
    for (; level + LEVEL_DEPTH < end; level++) {
        uint32_t depth = level + LEVEL_DEPTH + 1, label = svs__tree_label(tree, node, depth);
        SVS__ASSERT(level < mine->level_count); /* dpst.X11: the level is among those noted */
        if (is_async(label))                    /* a run without a level is parallel to all */
            return label == OF_THREAD && depth < end &&
                   number_of(svs__tree_label(tree, node, depth + 1)) <= mine->ended[level].runs;
        if (level + 1 == mine->level_count || number_of(label) != mine->ended[level].levels)
            return number_of(label) < mine->ended[level].levels;
    }
    return false; /* the node represents all of a level that went on */
}

bool svs__run_had_ended(uint32_t step, uint32_t other, uint32_t depth) {
    const svs__dpst_tree *tree = &svs__the_checker.tree;
    uint32_t root = root_depth(tree, step);
    const svs__check_level *mine;
    if (depth >= root || svs__tree_label(tree, step, root - 1) != OF_THREAD) return false;
    mine = &svs__the_checker.levels[root - LEVEL_DEPTH - 2];
    /* dpst.X11: the notes are those of the step's run. */
    SVS__ASSERT(number_of(svs__tree_label(tree, step, root)) == mine->runs.next - 1);
    return had_ended(tree, mine, other, depth - LEVEL_DEPTH);
}

bool svs__are_of_three_runs(svs__check_worker *worker, uint32_t step, uint32_t one, uint32_t two) {
    const svs__dpst_tree *tree = &svs__the_checker.tree;
    uint32_t mine = root_depth(tree, step), first = root_depth(tree, one);
    return svs__relation(worker, step, one).depth < mine &&
           svs__relation(worker, step, two).depth < mine &&
           (first == 0 || svs__pair_depth(worker, one, two) < first);
}
