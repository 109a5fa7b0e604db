#include "known.h"
#include <stddef.h>

typedef struct known {
    uint32_t rows, hole;
    uint64_t solutions, boards,
        reduced; /* boards of all levels, without and with symmetry; 0: unknown */
} known;

static const known results[] = {
    {5, 1, 29760, 0, 0},
    {5, 2, 14880, 0, 0},
    {5, 4, 85258, 0, 0},
    {5, 5, 1550, 0, 0},
    {6, 1, 43419942138, 0, 0},
    {6, 2, 82905434589, 0, 0},
    {6, 4, 113077359159, 0, 0},
    {6, 5, 29235690234, 0, 0},
    {6, 13, UINT64_MAX, 340038, 170592},
    {7, 1, 0, 0, 0},
    {7, 2, 422164782932465380, 0, 0},
    {7, 4, 1378772126550859484, 0, 0},
    {7, 5, 0, 0, 0},
    {7, 7, 0, 0, 0},
    {7, 8, 837341738574417686, 0, 0},
    {7, 13, 0, 50077902, 8356216},
};

/* Seven rows, hole 13: boards by the pegs that are left, 27 to 2, without symmetry. */
static const uint32_t levels[] = {1,       6,       42,      258,     1533,    8231,    37682,
                                  143115,  451631,  1182753, 2553888, 4533949, 6639598, 8059416,
                                  8183353, 7031378, 5141616, 3206464, 1709081, 774384,  294591,
                                  94176,   24831,   4998,    810,     117};

static bool levels_are_right(const tri_result *result) {
    for (uint32_t pegs = 27; pegs >= 2; pegs--)
        if (result->boards[pegs] != levels[27 - pegs]) return false;
    return true;
}

static uint64_t total(const tri_result *result) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < TRI_LEVELS_MAX; i++) sum += result->boards[i];
    return sum;
}

static bool is_right(const known *it, bool symmetry, const tri_result *result) {
    uint64_t boards = symmetry ? it->reduced : it->boards;
    if (it->solutions != UINT64_MAX && it->solutions != result->solutions) return false;
    if (boards != 0 && boards != total(result)) return false;
    return it->rows != 7 || it->hole != 13 || symmetry || levels_are_right(result);
}

const char *tri_verify(uint32_t rows, uint32_t hole, bool symmetry, const tri_result *result) {
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i].rows == rows && results[i].hole == hole)
            return is_right(&results[i], symmetry, result) ? "yes" : "no";
    return "unknown";
}

uint32_t tri_known_hole(uint32_t rows, uint32_t n) {
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i].rows == rows && n-- == 0) return results[i].hole;
    return 0;
}
