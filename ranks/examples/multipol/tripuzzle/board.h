/* Boards of the tripuzzle: pegs on a triangle of up to eight rows.
 *
 *     tri_game game;
 *     tri_game_init(&game, 5, true);
 *     tri_board start = tri_start(&game, 4);              // all pegs but the one in hole 4
 *     uint32_t count = tri_children(&game, &(tri_item){start, 1}, children);
 *
 * A board is one bit a hole: hole `column` of row `row` is bit 8 * row + column. A jump in one of
 * the three directions then crosses the same distance of bits everywhere, so that all legal jumps
 * in one direction are found by a few operations on the whole board. Holes are numbered from the
 * top, row by row, from 1.
 *
 * With symmetry, the least of a board's six images under the symmetries of the triangle represents
 * them all. Images have the same number of solutions, so that paths may be merged, even if the
 * start is not symmetric itself. The images of a child are the images of its parent with three bits
 * changed in each, so a parent's images are made once for all of its children. */
#ifndef TRIPUZZLE_BOARD_H
#define TRIPUZZLE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define TRI_ROWS_MAX 8u
#define TRI_IMAGES 6u
#define TRI_DIRECTIONS 6u
#define TRI_CHILDREN_MAX 126u /* jumps on a board of eight rows */

typedef uint64_t tri_board; /* 0: none */

/* A board, and the number of ways to it. */
typedef struct tri_item {
    tri_board board;
    uint64_t paths;
} tri_item;

typedef struct tri_game {
    uint32_t rows, holes, images; /* 1: without symmetry */
    tri_board cells;
    tri_board begins[TRI_DIRECTIONS]; /* holes in which a jump may begin */
    /* images of the pegs of each row */
    tri_board images_of_row[TRI_ROWS_MAX][1u << TRI_ROWS_MAX][TRI_IMAGES];
    /* The bits that a jump changes, under each symmetry. */
    tri_board jumps[TRI_DIRECTIONS][64][TRI_IMAGES];
} tri_game;

/* @param rows 3 to 8. */
void tri_game_init(tri_game *game, uint32_t rows, bool symmetry);

/* All pegs but one. @param hole from 1. @return 0: there is no such hole. */
tri_board tri_start(const tri_game *game, uint32_t hole);

/* The board that represents this one. */
tri_board tri_canonical(const tri_game *game, tri_board board);

/* The boards that one jump leads to, each with the paths to its parent.
 * @param children TRI_CHILDREN_MAX. @return their number. */
uint32_t tri_children(const tri_game *game, const tri_item *parent, tri_item *children);

static inline bool tri_is_solution(tri_board board) { return (board & (board - 1)) == 0; }

#endif
