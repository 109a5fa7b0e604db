/* The serial program that the ranks are compared with: as fast as one thread can be. */
#ifndef TRIPUZZLE_SERIAL_H
#define TRIPUZZLE_SERIAL_H

#include "board.h"

#define TRI_LEVELS_MAX 37u

/* What a search has found. */
typedef struct tri_result {
    uint64_t solutions;              /* sequences of jumps that leave one peg */
    uint64_t inserts;                /* jumps */
    uint64_t boards[TRI_LEVELS_MAX]; /* distinct ones, by the pegs that are left */
} tri_result;

/* @return 0, or 1: no memory. */
int tri_search_serially(const tri_game *game, tri_board start, tri_result *result);

/* How many boards the next level will have: the growth of the levels falls from one to the next. */
static inline uint64_t tri_expected(uint64_t before, uint64_t now) {
    return before == 0 ? 16 : (uint64_t)((double)now * (double)now / (double)before) + 16;
}

#endif
