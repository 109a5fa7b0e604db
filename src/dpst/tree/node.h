/* The dynamic program structure tree (DPST) of Raman et al., as Steal Tree section 8.1 uses it: all
 * that a run has spawned and waited for.
 *
 *     finish                 a scope: children are appended in program order, left to right
 *     |- step
 *     |- async               a child that may run in parallel with its right siblings
 *     |  |- step
 *     |- step                a leaf: the code that accesses memory
 *
 * Two steps may run in parallel exactly if, of the two children of their lowest common ancestor
 * that lead to them, the left one is an async.
 *
 *     svs__scope scope = svs__tree_top();
 *     uint32_t child = svs__tree_append(tree, &block, &scope, SVS__NODE_ASYNC, site);
 *
 * operation  caller                     progress
 * append     the scope's runner         wait-free, but for a lock for each SVS__NODE_BLOCK nodes
 * divide     the scope's runner         wait-free, but for a lock
 * close      the node's last runner     wait-free
 * (read)     any, with a node's number  wait-free: nodes do not change
 *
 * dpst.B1. A node is written before its number is handed on, through a cell of the shadow (by
 *     a release) or with the task. A number is reused only when it is free: no thread and no cell
 *     has it any more (gc.h).
 * dpst.B2. Only the thread that runs in a scope appends to it, so the sequence numbers of its
 *     children, counted from 1, are in program order.
 * dpst.B3. A phase is a subtree without the subtrees that were stolen from it. Its root is the
 *     stolen async (help-first), or a scope for the code after the stolen continuation
 *     (work-first): the last child of the divided scope. Such a scope is a finish, and never the
 *     left one of two siblings that are compared, so it changes no answer.
 * dpst.B4. The labels of a node are the sequence numbers and kinds of the node and of its
 *     ancestors, back to the last level that is a multiple of SVS__LABELS. The anchor is the
 *     ancestor above these. Labels depend on the program alone if no scope was divided.
 * dpst.B5. A node is open from its append until its step, the async's own code or the finish
 *     has ended. A scope is an open node.
 *
 * Threads: as in the table. Each worker has a block of numbers of its own. */
#ifndef SVS_DPST_TREE_NODE_H
#define SVS_DPST_TREE_NODE_H

#include "base/lock.h"

#define SVS__LABELS 8u
#define SVS__NODE_BLOCK 64u

typedef enum svs__node_kind {
    SVS__NODE_FINISH,
    SVS__NODE_ASYNC,
    SVS__NODE_STEP,
    /* an instance of a graph's task; the graph knows what is parallel to it (graph.h) */
    SVS__NODE_INSTANCE
} svs__node_kind;

typedef struct svs__dpst_node {
    /* labels of the levels from depth / 8 * 8 to depth: sequence number << 1 | is it an async */
    uint32_t labels[SVS__LABELS];
    uint32_t anchor; /* number of the anchor; 0: there is none */
    /* for a node at the last level of eight: a node at such a level further up (skew-binary) */
    uint32_t jump;
    uint32_t parent;
    uint32_t depth;
    uint32_t phase;
    uint32_t kind;
    const void *site; /* what an async runs */
} svs__dpst_node;

typedef struct svs__phase_root {
    uint32_t root;
    uint32_t level; /* number of thefts that led here */
    uint32_t up;    /* the phase from which the root was stolen */
    uint32_t jump;  /* a phase further up (skew-binary) */
} svs__phase_root;

/* Where children are appended. */
typedef struct svs__scope {
    uint32_t node;
    uint32_t next; /* sequence number of the next child */
    uint32_t phase;
} svs__scope;

/* Numbers of nodes that no other thread has: those of a part of the tree that are free. */
typedef struct svs__node_block {
    uint64_t free; /* bits of the free numbers, beginning with number `first` */
    uint32_t first, age;
    bool fresh; /* set when the block has got new numbers */
} svs__node_block;

/* SVS__NODE_BLOCK nodes with adjacent numbers. */
typedef struct svs__tree_part {
    uint64_t free;          /* set of the free numbers, while the part is spare */
    uint64_t marked;        /* used by gc.c alone, as is `old` */
    uint32_t next;          /* next spare part; 0: none */
    _Atomic(uint8_t) whole; /* no thread holds numbers of the part, and the part is not spare */
    bool old;
} svs__tree_part;

/* The states of a node (dpst.B5). At SVS__NODE_CLOSED and above, the node is closed, in an epoch
 * (gc.h). At SVS__NODE_OVER and above, all nodes below it are closed, too, and nothing will be
 * appended there. */
#define SVS__NODE_EPOCHS 127u
enum {
    SVS__NODE_FREE,
    SVS__NODE_OPEN,
    SVS__NODE_CLOSED,
    SVS__NODE_OVER = SVS__NODE_CLOSED + SVS__NODE_EPOCHS
};

typedef struct svs__dpst_tree {
    svs__dpst_node *nodes; /* [max]; number 0 is no node, number 1 the root */
    /* [max]; phase 0 is that of the root; a spare phase has root 0, and the next spare one in
     * `up` */
    svs__phase_root *phases;
    _Atomic(uint8_t) *states; /* [max] */
    svs__tree_part *parts;    /* [max / SVS__NODE_BLOCK] */
    uint32_t max;
    uint32_t age; /* number of times that the tree was cut down; changes while no thread appends */
    /* The fields below change for each block or theft. They have a cache line apart from those that
     * do not. */
    _Alignas(64) _Atomic(uint32_t) used; /* the first number that was never used */
    _Atomic(uint32_t) spare;             /* the first spare part; 0: none; changes under the lock */
    _Atomic(uint64_t) made;              /* number of node numbers that were taken to append with */
    svs__lock lock;                      /* guards the fields below, and the spare parts */
    uint32_t spare_phase;
    _Atomic(uint32_t) phased; /* the first number that no phase has ever had */
    _Atomic(uint64_t) reused; /* number of times that a used number was taken for a phase */
} svs__dpst_tree;

/* @return false when there is no memory. */
bool svs__tree_init(svs__dpst_tree *tree, size_t bytes);
void svs__tree_clean_up(svs__dpst_tree *tree);

/* Cuts the tree down to its root. Called while no thread has a node's number. */
void svs__tree_cut(svs__dpst_tree *tree);

/* Bytes of the tree's memory that have been touched. */
size_t svs__tree_bytes(const svs__dpst_tree *tree);

/* Appends a child. @return the number of the child, which is open; 0: there is no room. */
uint32_t svs__tree_append(svs__dpst_tree *tree, svs__node_block *block, svs__scope *scope,
                          svs__node_kind kind, const void *site);

/* Begins the phase whose root is `root`, in phase `from`. @return its number; `from` when there is
 * no room. */
uint32_t svs__tree_add_phase(svs__dpst_tree *tree, uint32_t root, uint32_t from);

/* The state of a node that was closed in this epoch (gc.h), or in one that is SVS__NODE_EPOCHS or a
 * multiple of it ago. */
static inline uint8_t svs__node_closed(uint32_t epoch) {
    return (uint8_t)(SVS__NODE_CLOSED + epoch % SVS__NODE_EPOCHS);
}
static inline uint8_t svs__node_over(uint32_t epoch) {
    return (uint8_t)(SVS__NODE_OVER + epoch % SVS__NODE_EPOCHS);
}

/* Closes a node. @param state a value of one of the two functions above. */
static inline void svs__tree_close(svs__dpst_tree *tree, uint32_t node, uint8_t state) {
    /* release: publishes what was appended below it before; pairs with gc.c. */
    svs__store_release(&tree->states[node], state);
}

static inline const svs__dpst_node *svs__tree_node(const svs__dpst_tree *tree, uint32_t node) {
    return &tree->nodes[node];
}

/* The label of the node itself. */
static inline uint32_t svs__node_label(const svs__dpst_node *node) {
    return node->labels[node->depth % SVS__LABELS];
}

/* The label at this depth: of the node, or of its ancestor there (dpst.B4). */
uint32_t svs__tree_label(const svs__dpst_tree *tree, uint32_t node, uint32_t depth);

static inline svs__scope svs__tree_top(void) { return (svs__scope){1, 1, 0}; }

/* ---- lowest common ancestors (lca.c) ---- */

typedef struct svs__lca {
    uint32_t depth; /* depth of the ancestor */
    bool parallel;  /* may the steps run in parallel? */
} svs__lca;

/* @param edges is increased by the number of edges that were followed. */
svs__lca svs__lca_walk(const svs__dpst_tree *tree, uint32_t a, uint32_t b, uint64_t *edges);
svs__lca svs__lca_steal_tree(const svs__dpst_tree *tree, uint32_t a, uint32_t b, uint64_t *edges);
svs__lca svs__lca_labels(const svs__dpst_tree *tree, uint32_t a, uint32_t b, uint64_t *edges);

#endif
