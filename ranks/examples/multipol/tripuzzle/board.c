#include "board.h"
#include <string.h>

/* The distances in bits: along a row, and along both sides; and the same backwards. */
static const uint32_t distances[TRI_DIRECTIONS / 2] = {1, 8, 9};

static uint32_t bit_of(uint32_t row, uint32_t column) { return 8 * row + column; }

/* Where a symmetry brings a hole. The three numbers of a hole are its distances from the sides of
 * the triangle; a symmetry permutes them. */
static uint32_t image_of(uint32_t rows, uint32_t row, uint32_t column, uint32_t symmetry) {
    static const uint8_t orders[TRI_IMAGES][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                                  {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    uint32_t from[3] = {rows - 1 - row, column, row - column};
    const uint8_t *order = orders[symmetry];
    return bit_of(rows - 1 - from[order[0]], from[order[1]]);
}

static tri_board image_of_board(uint32_t rows, tri_board board, uint32_t symmetry) {
    tri_board image = 0;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column <= row; column++)
            if ((board >> bit_of(row, column) & 1) != 0)
                image |= (tri_board)1 << image_of(rows, row, column, symmetry);
    return image;
}

static void init_direction(tri_game *game, uint32_t direction) {
    uint32_t by = distances[direction / 2];
    tri_board cells = game->cells;
    bool forwards = direction % 2 == 0;
    tri_board begins =
        forwards ? cells & cells >> by & cells >> 2 * by : cells & cells << by & cells << 2 * by;
    game->begins[direction] = begins;
    for (uint32_t at = 0; at < 64; at++) {
        tri_board jump = (tri_board)1 | (tri_board)1 << by | (tri_board)1 << 2 * by;
        if ((begins >> at & 1) == 0) continue;
        jump <<= forwards ? at : at - 2 * by;
        for (uint32_t s = 0; s < game->images; s++)
            game->jumps[direction][at][s] = image_of_board(game->rows, jump, s);
    }
}

void tri_game_init(tri_game *game, uint32_t rows, bool symmetry) {
    memset(game, 0, sizeof *game);
    game->rows = rows;
    game->images = symmetry ? TRI_IMAGES : 1;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column <= row; column++, game->holes++)
            game->cells |= (tri_board)1 << bit_of(row, column);
    for (uint32_t row = 0; row < rows && symmetry; row++)
        for (uint32_t pegs = 0; pegs < 2u << row; pegs++)
            for (uint32_t s = 0; s < TRI_IMAGES; s++)
                game->images_of_row[row][pegs][s] =
                    image_of_board(rows, (tri_board)pegs << 8 * row, s);
    for (uint32_t direction = 0; direction < TRI_DIRECTIONS; direction++)
        init_direction(game, direction);
}

tri_board tri_start(const tri_game *game, uint32_t hole) {
    uint32_t row = 0;
    if (hole == 0 || hole > game->holes) return 0;
    for (hole--; hole > row; row++) hole -= row + 1;
    return game->cells & ~((tri_board)1 << bit_of(row, hole));
}

static void make_images(const tri_game *game, tri_board board, tri_board *images) {
    tri_board found[TRI_IMAGES] = {0};
    for (uint32_t row = 0; row < game->rows; row++) {
        const tri_board *of_row = game->images_of_row[row][board >> 8 * row & 0xff];
        for (uint32_t s = 0; s < TRI_IMAGES; s++) found[s] |= of_row[s];
    }
    memcpy(images, found, sizeof found);
}

static inline tri_board lesser(tri_board one, tri_board two) { return one < two ? one : two; }

static inline tri_board least(const tri_board *images, const tri_board *changes) {
    tri_board first = lesser(images[0] ^ changes[0], images[1] ^ changes[1]);
    tri_board second = lesser(images[2] ^ changes[2], images[3] ^ changes[3]);
    tri_board third = lesser(images[4] ^ changes[4], images[5] ^ changes[5]);
    return lesser(lesser(first, second), third);
}

tri_board tri_canonical(const tri_game *game, tri_board board) {
    static const tri_board nothing[TRI_IMAGES];
    tri_board images[TRI_IMAGES];
    if (game->images == 1) return board;
    make_images(game, board, images);
    return least(images, nothing);
}

/* The holes from which a jump in this direction is legal. */
static inline tri_board legal(const tri_game *game, tri_board board, uint32_t direction) {
    uint32_t by = distances[direction / 2];
    return game->begins[direction] &
           (direction % 2 == 0 ? board & board >> by & ~(board >> 2 * by)
                               : board & board << by & ~(board << 2 * by));
}

static inline __attribute__((always_inline)) uint32_t make_children(const tri_game *game,
                                                                    const tri_item *parent,
                                                                    tri_item *children,
                                                                    bool symmetry) {
    const tri_item from = *parent;
    tri_board images[TRI_IMAGES] = {0};
    tri_item *child = children;
    if (symmetry) make_images(game, from.board, images);
    for (uint32_t direction = 0; direction < TRI_DIRECTIONS; direction++) {
        tri_board begins = legal(game, from.board, direction);
        for (; begins != 0; begins &= begins - 1) {
            const tri_board *changes = game->jumps[direction][__builtin_ctzll(begins)];
            child->board = symmetry ? least(images, changes) : from.board ^ changes[0];
            child->paths = from.paths;
            child++;
        }
    }
    return (uint32_t)(child - children);
}

uint32_t tri_children(const tri_game *game, const tri_item *parent, tri_item *children) {
    return game->images != 1 ? make_children(game, parent, children, true)
                             : make_children(game, parent, children, false);
}
