#include "dpst/node.h"
#include "base/pages.h"
#include <assert.h>
#include <string.h>

static_assert(sizeof(svs__node) == 64, "a node is a cache line");

#define BYTES_EACH (sizeof(svs__node) + sizeof(svs__phase_root))

bool svs__tree_init(svs__tree *tree, size_t bytes) {
    size_t max = bytes / BYTES_EACH;
    memset(tree, 0, sizeof *tree);
    tree->max = max < UINT32_MAX / 2 ? (uint32_t)max : UINT32_MAX / 2;
    if (tree->max < 2 * SVS__NODE_BLOCK) tree->max = 2 * SVS__NODE_BLOCK;
    tree->nodes = svs__pages_map(tree->max * sizeof *tree->nodes);
    tree->phases = svs__pages_map(tree->max * sizeof *tree->phases);
    if (tree->nodes == NULL || tree->phases == NULL) {
        svs__tree_clean_up(tree);
        return false;
    }
    svs__tree_cut(tree);
    return true;
}

void svs__tree_clean_up(svs__tree *tree) {
    svs__pages_unmap(tree->nodes, tree->max * sizeof *tree->nodes);
    svs__pages_unmap(tree->phases, tree->max * sizeof *tree->phases);
    tree->nodes = NULL;
    tree->phases = NULL;
}

void svs__tree_cut(svs__tree *tree) {
    svs__pages_forget(tree->nodes, tree->max * sizeof *tree->nodes);
    svs__pages_forget(tree->phases, tree->max * sizeof *tree->phases);
    tree->nodes[1].labels[0] = 1u << 1;
    tree->phases[0].root = 1;
    tree->age++;
    /* relaxed, both: whoever appends next has been told of it. */
    svs__store_relaxed(&tree->used, SVS__NODE_BLOCK);
    svs__store_relaxed(&tree->phased, 1);
}

size_t svs__tree_bytes(const svs__tree *tree) {
    return svs__pages_touched(tree->nodes, tree->max * sizeof *tree->nodes) +
           svs__pages_touched(tree->phases, tree->max * sizeof *tree->phases);
}

static bool refill(svs__tree *tree, svs__node_block *block) {
    uint32_t first;
    /* relaxed, both: numbers, for themselves. */
    if (svs__load_relaxed(&tree->used) > tree->max - SVS__NODE_BLOCK) return false;
    first = svs__fetch_add_relaxed(&tree->used, SVS__NODE_BLOCK);
    if (first > tree->max - SVS__NODE_BLOCK) return false;
    *block = (svs__node_block){first, first + SVS__NODE_BLOCK, tree->age};
    return true;
}

/* Of a node at the last level of eight: as far up as its place in the skew-binary numbers says
 * (Myers, An applicative random-access stack). */
static uint32_t jump_of(const svs__tree *tree, uint32_t anchor) {
    const svs__node *a = &tree->nodes[anchor], *b, *c;
    if (anchor == 0 || a->jump == 0) return anchor;
    b = &tree->nodes[a->jump];
    if (b->jump == 0) return anchor;
    c = &tree->nodes[b->jump];
    return a->depth - b->depth == b->depth - c->depth ? b->jump : anchor;
}

uint32_t svs__tree_append(svs__tree *tree, svs__node_block *block, svs__scope *scope,
                          svs__node_kind kind, const void *site) {
    const svs__node *parent = &tree->nodes[scope->node];
    uint32_t depth = parent->depth + 1, level = depth % SVS__LABELS, number;
    svs__node *node;
    if ((block->age != tree->age || block->next == block->end) && !refill(tree, block)) return 0;
    number = block->next++;
    node = &tree->nodes[number];
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
    return number;
}

/* The same of a phase in `from`. */
static uint32_t phase_jump_of(const svs__tree *tree, uint32_t from) {
    const svs__phase_root *a = &tree->phases[from], *b = &tree->phases[a->jump];
    const svs__phase_root *c = &tree->phases[b->jump];
    return a->level != b->level && a->level - b->level == b->level - c->level ? b->jump : from;
}

uint32_t svs__tree_phase(svs__tree *tree, uint32_t root, uint32_t from) {
    uint32_t phase;
    /* relaxed, both: numbers, for themselves. */
    if (svs__load_relaxed(&tree->phased) >= tree->max) return from;
    phase = svs__fetch_add_relaxed(&tree->phased, 1);
    if (phase >= tree->max) return from;
    tree->phases[phase] =
        (svs__phase_root){root, tree->phases[from].level + 1, from, phase_jump_of(tree, from)};
    return phase;
}
