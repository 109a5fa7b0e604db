/* Sorts by tiles, squares of some cells: by counting. */
#include "engine_svs.h"

#include <stdlib.h>
#include <string.h>

#define TILE_SIDE 4u /* cells */

static uint32_t tile_of(const tiles *it, const world *w, uint32_t cell) {
    return cell / w->side / TILE_SIDE * it->side + cell % w->side / TILE_SIDE;
}

void tiles_sort(tiles *it, const world *w, uint32_t count) {
    uint32_t before = 0;
    memset(it->next, 0, it->count * sizeof *it->next);
    for (uint32_t i = 0; i < count; i++) it->next[tile_of(it, w, it->cells[i])]++;
    for (uint32_t tile = 0; tile < it->count; tile++) {
        uint32_t here = it->next[tile];
        it->next[tile] = before;
        before += here;
    }
    for (uint32_t i = 0; i < count; i++) it->place[i] = it->next[tile_of(it, w, it->cells[i])]++;
}

bool tiles_init(tiles *it, const world *w, uint32_t most) {
    it->side = (w->side - 1) / TILE_SIDE + 1;
    it->count = it->side * it->side;
    it->next = calloc(it->count, sizeof *it->next);
    it->cells = calloc(most + 1u, sizeof *it->cells);
    it->place = calloc(most + 1u, sizeof *it->place);
    return it->next && it->cells && it->place;
}

void tiles_clean_up(tiles *it) {
    free(it->place);
    free(it->cells);
    free(it->next);
}
