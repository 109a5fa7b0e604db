#include "sight.h"

/* On which side of the line from a to b the point p is: the sign. */
static int64_t side_of(int32_t ax, int32_t ay, int32_t bx, int32_t by, int32_t px, int32_t py) {
    return (int64_t)(bx - ax) * (py - ay) - (int64_t)(by - ay) * (px - ax);
}

static bool same_side(int64_t a, int64_t b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

static bool crosses(const wall *it, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    if (same_side(side_of(x0, y0, x1, y1, it->x0, it->y0), side_of(x0, y0, x1, y1, it->x1, it->y1)))
        return false;
    return !same_side(side_of(it->x0, it->y0, it->x1, it->y1, x0, y0),
                      side_of(it->x0, it->y0, it->x1, it->y1, x1, y1));
}

bool sight_clear(const world *w, uint32_t worker, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    int32_t left = x0 < x1 ? x0 : x1, right = x0 < x1 ? x1 : x0;
    int32_t top = y0 < y1 ? y0 : y1, bottom = y0 < y1 ? y1 : y0;
    w->tallies[worker].sights++;
    for (const wall *it = w->walls, *end = it + w->options.walls; it < end; it++) {
        if (it->left > right || it->right < left || it->top > bottom || it->bottom < top) continue;
        if (crosses(it, x0, y0, x1, y1)) return false;
    }
    return true;
}
