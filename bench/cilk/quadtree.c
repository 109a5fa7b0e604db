#include "quadtree.h"
#include "common.h"

#include <math.h>
#include <stdlib.h>

quad_node *quad_node_new(void) { return bench_allocate(1, sizeof(quad_node)); }
quad_block *quad_block_new(void) { return bench_allocate(1, sizeof(quad_block)); }

int quad_node_is_empty(const quad_node *node) {
    return !node->quarter[0] && !node->quarter[1] && !node->quarter[2] && !node->quarter[3];
}

void quad_free(void *tree, size_t side) {
    quad_node *node = tree;
    if (tree && side > QUAD_BLOCK)
        for (int q = 0; q < 4; q++) quad_free(node->quarter[q], side / 2);
    free(tree);
}

void quad_add(void **tree, size_t side, quad_entry entry) {
    uint32_t row = entry.row, column = entry.column;
    quad_block *block;
    for (; side > QUAD_BLOCK; side /= 2) {
        uint32_t half = (uint32_t)(side / 2);
        quad_node *node = *tree = *tree ? *tree : quad_node_new();
        tree = &node->quarter[row / half * 2 + column / half];
        row %= half;
        column %= half;
    }
    block = *tree = *tree ? *tree : quad_block_new();
    block->at[column][row] += entry.value;
}

/* Those of a walk through the tree; entries NULL: they are only counted. */
typedef struct collection {
    size_t n, count;
    quad_entry *entries;
} collection;

static void collect(collection *into, const void *tree, size_t side, uint32_t row,
                    uint32_t column) {
    const quad_node *node = tree;
    const quad_block *block = tree;
    if (!tree) return;
    if (side > QUAD_BLOCK) {
        uint32_t half = (uint32_t)(side / 2);
        for (uint32_t q = 0; q < 4; q++)
            collect(into, node->quarter[q], half, row + q / 2 * half, column + q % 2 * half);
        return;
    }
    for (uint32_t j = column; j < column + QUAD_BLOCK; j++)
        for (uint32_t i = row > j ? row : j; i < row + QUAD_BLOCK && i < into->n; i++) {
            double value = block->at[j - column][i - row];
            if (value == 0) continue;
            if (into->entries) into->entries[into->count] = (quad_entry){i, j, value};
            into->count++;
        }
}

quad_entry *quad_entries_new(const void *tree, size_t side, size_t n, size_t *count) {
    collection entries = {n, 0, NULL};
    collect(&entries, tree, side, 0, 0);
    entries.entries = bench_allocate(entries.count, sizeof *entries.entries);
    entries.count = 0;
    collect(&entries, tree, side, 0, 0);
    *count = entries.count;
    return entries.entries;
}

void quad_block_subtract(quad_block *c, const quad_block *a, const quad_block *b) {
    for (int j = 0; j < QUAD_BLOCK; j++) {
        double column[QUAD_BLOCK];
        for (int i = 0; i < QUAD_BLOCK; i++) column[i] = c->at[j][i];
        for (int k = 0; k < QUAD_BLOCK; k++)
            for (int i = 0; i < QUAD_BLOCK; i++) column[i] -= a->at[k][i] * b->at[k][j];
        for (int i = 0; i < QUAD_BLOCK; i++) c->at[j][i] = column[i];
    }
}

void quad_block_solve(const quad_block *l, quad_block *x) {
    for (int k = 0; k < QUAD_BLOCK; k++) {
        for (int p = 0; p < k; p++)
            for (int i = 0; i < QUAD_BLOCK; i++) x->at[k][i] -= x->at[p][i] * l->at[p][k];
        for (int i = 0; i < QUAD_BLOCK; i++) x->at[k][i] /= l->at[k][k];
    }
}

void quad_block_factor(quad_block *a) {
    for (int k = 0; k < QUAD_BLOCK; k++) {
        double root = sqrt(a->at[k][k]);
        a->at[k][k] = root;
        for (int i = k + 1; i < QUAD_BLOCK; i++) a->at[k][i] /= root;
        for (int j = k + 1; j < QUAD_BLOCK; j++)
            for (int i = j; i < QUAD_BLOCK; i++) a->at[j][i] -= a->at[k][i] * a->at[k][j];
    }
}
