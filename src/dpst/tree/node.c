#include "dpst/tree/node.h"
#include "base/pages.h"
#include <assert.h>
#include <string.h>

static_assert(sizeof(svs__dpst_node) == 64, "a node is a cache line");

#define BYTES_EACH (sizeof(svs__dpst_node) + sizeof(svs__phase_root) + 2)

/* The size of a table; the tables are numbered in the order of their fields. */
static size_t bytes_of(const svs__dpst_tree *tree, int table) {
    const size_t sizes[] = {sizeof *tree->nodes, sizeof *tree->phases, sizeof *tree->states};
    return table < 3 ? tree->max * sizes[table] : tree->max / SVS__NODE_BLOCK * sizeof *tree->parts;
}
static void *table_of(const svs__dpst_tree *tree, int table) {
    void *const tables[] = {tree->nodes, tree->phases, tree->states, tree->parts};
    return tables[table];
}
#define TABLES 4

bool svs__tree_init(svs__dpst_tree *tree, size_t bytes) {
    size_t max = bytes / BYTES_EACH;
    memset(tree, 0, sizeof *tree);
    tree->max = max < UINT32_MAX / 2 ? (uint32_t)max : UINT32_MAX / 2;
    tree->max -= tree->max % SVS__NODE_BLOCK;
    if (tree->max < 2 * SVS__NODE_BLOCK) tree->max = 2 * SVS__NODE_BLOCK;
    tree->nodes = svs__pages_map(bytes_of(tree, 0));
    tree->phases = svs__pages_map(bytes_of(tree, 1));
    tree->states = svs__pages_map(bytes_of(tree, 2));
    tree->parts = svs__pages_map(bytes_of(tree, 3));
    for (int i = 0; i < TABLES; i++)
        if (table_of(tree, i) == NULL) {
            svs__tree_clean_up(tree);
            return false;
        }
    svs__tree_cut(tree);
    return true;
}

void svs__tree_clean_up(svs__dpst_tree *tree) {
    for (int i = 0; i < TABLES; i++) svs__pages_unmap(table_of(tree, i), bytes_of(tree, i));
    tree->nodes = NULL;
    tree->phases = NULL;
    tree->states = NULL;
    tree->parts = NULL;
}

void svs__tree_cut(svs__dpst_tree *tree) {
    for (int i = 0; i < TABLES; i++) svs__pages_forget(table_of(tree, i), bytes_of(tree, i));
    tree->nodes[1].labels[0] = 1u << 1;
    tree->phases[0].root = 1;
    tree->age++;
    /* relaxed is enough, here and below: the next thread that appends synchronizes with this
     * one. */
    svs__store_relaxed(&tree->states[1], SVS__NODE_OPEN);
    svs__store_relaxed(&tree->used, SVS__NODE_BLOCK);
    svs__store_relaxed(&tree->phased, 1);
    svs__store_relaxed(&tree->spare, 0);
    tree->spare_phase = 0;
    svs__store_relaxed(&tree->made, 0);
    svs__store_relaxed(&tree->reused, 0);
}

size_t svs__tree_bytes(const svs__dpst_tree *tree) {
    size_t bytes = 0;
    for (int i = 0; i < TABLES; i++)
        bytes += svs__pages_touched(table_of(tree, i), bytes_of(tree, i));
    return bytes;
}

/* Takes a spare part. @return whether there was one. */
static bool take_spare(svs__dpst_tree *tree, svs__node_block *block) {
    uint32_t part;
    /* relaxed is enough: read again under the lock */
    if (svs__load_relaxed(&tree->spare) == 0) return false;
    svs__lock_acquire(&tree->lock);
    /* relaxed is enough, here and below: the lock is held */
    part = svs__load_relaxed(&tree->spare);
    if (part != 0) svs__store_relaxed(&tree->spare, tree->parts[part].next);
    svs__lock_release(&tree->lock);
    block->first = part * SVS__NODE_BLOCK;
    block->free = part == 0 ? 0 : tree->parts[part].free;
    return part != 0;
}

static bool take_new(svs__dpst_tree *tree, svs__node_block *block) {
    uint32_t first;
    /* relaxed is enough, here and below: the numbers only have to be unique. */
    if (svs__load_relaxed(&tree->used) > tree->max - SVS__NODE_BLOCK) return false;
    first = svs__fetch_add_relaxed(&tree->used, SVS__NODE_BLOCK);
    if (first > tree->max - SVS__NODE_BLOCK) return false;
    block->first = first;
    block->free = UINT64_MAX;
    return true;
}

static bool refill(svs__dpst_tree *tree, svs__node_block *block) {
    /* release: publishes the nodes that were appended; pairs with gc.c. */
    if (block->age == tree->age && block->first != 0)
        svs__store_release(&tree->parts[block->first / SVS__NODE_BLOCK].whole, true);
    *block = (svs__node_block){0, 0, tree->age, true};
    if (!take_spare(tree, block) && !take_new(tree, block)) return false;
    /* relaxed is enough: only a count. */
    (void)svs__fetch_add_relaxed(&tree->made, (uint64_t)__builtin_popcountll(block->free));
    return true;
}

/* The jump of a node at the last level of eight. Its length follows the skew-binary numbers (Myers,
 * An applicative random-access stack). */
static uint32_t jump_of(const svs__dpst_tree *tree, uint32_t anchor) {
    const svs__dpst_node *a = &tree->nodes[anchor], *b, *c;
    if (anchor == 0 || a->jump == 0) return anchor;
    b = &tree->nodes[a->jump];
    if (b->jump == 0) return anchor;
    c = &tree->nodes[b->jump];
    return a->depth - b->depth == b->depth - c->depth ? b->jump : anchor;
}

static bool node_is_valid(const svs__dpst_tree *tree, uint32_t number) {
    const svs__dpst_node *node = &tree->nodes[number], *up = node;
    bool valid = svs__node_label(node) >> 1 != 0; /* dpst.B2: counted from 1 */
    for (uint32_t level = node->depth % SVS__LABELS; level != 0; level--) {
        valid = valid && node->labels[level] == svs__node_label(up); /* dpst.B4 */
        up = &tree->nodes[up->parent];
    }
    return valid && node->labels[0] == svs__node_label(up) && node->anchor == up->parent;
}

/* The state of a node. relaxed is enough: only assertions use it. */
static uint8_t state_of(const svs__dpst_tree *tree, uint32_t node) {
    return svs__load_relaxed(&tree->states[node]);
}

uint32_t svs__tree_append(svs__dpst_tree *tree, svs__node_block *block, svs__scope *scope,
                          svs__node_kind kind, const void *site) {
    const svs__dpst_node *parent = &tree->nodes[scope->node];
    uint32_t depth = parent->depth + 1, level = depth % SVS__LABELS, number;
    svs__dpst_node *node;
    if ((block->age != tree->age || block->free == 0) && !refill(tree, block)) return 0;
    number = block->first + (uint32_t)__builtin_ctzll(block->free);
    block->free &= block->free - 1;
    SVS__ASSERT(state_of(tree, number) == SVS__NODE_FREE);      /* dpst.B1 */
    SVS__ASSERT(state_of(tree, scope->node) == SVS__NODE_OPEN); /* dpst.B5, dpst.X5 */
    node = &tree->nodes[number];
    node->jump = 0;
    if (level == 0) node->anchor = scope->node;
    else {
        memcpy(node->labels, parent->labels, sizeof node->labels);
        node->anchor = parent->anchor;
    }
    node->labels[level] = scope->next++ << 1 | (kind == SVS__NODE_ASYNC);
    if (level == SVS__LABELS - 1) node->jump = jump_of(tree, node->anchor);
    node->parent = scope->node;
    node->depth = depth;
    node->phase = scope->phase;
    node->kind = kind;
    node->site = site;
    SVS__ASSERT_SLOW(node_is_valid(tree, number));
    /* release: publishes the node; pairs with gc.c. */
    svs__store_release(&tree->states[number], SVS__NODE_OPEN);
    return number;
}

/* jump_of() for a phase whose parent is `from`. */
static uint32_t phase_jump_of(const svs__dpst_tree *tree, uint32_t from) {
    const svs__phase_root *a = &tree->phases[from], *b = &tree->phases[a->jump];
    const svs__phase_root *c = &tree->phases[b->jump];
    return a->level != b->level && a->level - b->level == b->level - c->level ? b->jump : from;
}

/* Takes a free number of a phase. The caller holds the lock. @return 0: there is none. */
static uint32_t take_phase(svs__dpst_tree *tree) {
    uint32_t phase = tree->spare_phase;
    /* relaxed is enough, here and below: the lock is held; others only read statistics. */
    if (phase != 0) {
        tree->spare_phase = tree->phases[phase].up;
        svs__store_relaxed(&tree->reused, svs__load_relaxed(&tree->reused) + 1);
        return phase;
    }
    phase = svs__load_relaxed(&tree->phased);
    if (phase == tree->max) return 0;
    svs__store_relaxed(&tree->phased, phase + 1);
    return phase;
}

uint32_t svs__tree_add_phase(svs__dpst_tree *tree, uint32_t root, uint32_t from) {
    svs__phase_root is = {root, tree->phases[from].level + 1, from, phase_jump_of(tree, from)};
    uint32_t phase;
    SVS__ASSERT(tree->nodes[root].phase == from); /* dpst.B3 */
    svs__lock_acquire(&tree->lock);
    phase = take_phase(tree);
    if (phase != 0) tree->phases[phase] = is;
    svs__lock_release(&tree->lock);
    return phase != 0 ? phase : from;
}
