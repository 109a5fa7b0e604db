/* Sparse square matrices as trees of quarters: upper left, upper right, lower left, lower right;
 * NULL where there is no number. `side` rows are a node of four quarters with half of them, or, at
 * QUAD_BLOCK rows, a dense block. Compiled once, so that a program and its serial elision compute
 * the same numbers.
 *
 * Threads: a caller that may write the pointer to a tree may change the tree; no other thread reads
 * it meanwhile. Without memory the program ends. */
#ifndef BENCH_CILK_QUADTREE_H
#define BENCH_CILK_QUADTREE_H

#include <stddef.h>
#include <stdint.h>

#define QUAD_BLOCK 16

typedef struct quad_node {
    void *quarter[4];
} quad_node;

/* Column after column: the loops run down the columns, side by side in a vector. */
typedef struct quad_block {
    double at[QUAD_BLOCK][QUAD_BLOCK];
} quad_block;

typedef struct quad_entry {
    uint32_t row, column;
    double value;
} quad_entry;

quad_node *quad_node_new(void);   /* four times NULL */
quad_block *quad_block_new(void); /* zeros */
int quad_node_is_empty(const quad_node *node);
void quad_free(void *tree, size_t side);

/* Adds a number to the one at the entry's place. */
void quad_add(void **tree, size_t side, quad_entry entry);

/* The nonzero numbers in the lower triangle of the first n rows, in the order of the tree. Never
 * NULL. */
quad_entry *quad_entries_new(const void *tree, size_t side, size_t n, size_t *count);

/* ---- blocks ---- */
void quad_block_subtract(quad_block *c, const quad_block *a, const quad_block *b); /* c -= a b^T */
void quad_block_solve(const quad_block *l, quad_block *x); /* X of X L^T = B in the place of B */
void quad_block_factor(quad_block *a);                     /* the lower triangle alone counts */

#endif
