/* Shows:  an index space: identifies the cells of a grid by number and adds nothing to them.
 * Run:    build/release/bin/03_objects_by_index
 * Expect: a map of rain in which each drop wets nine cells (expected.txt). */
#include "session.h"

enum { SIDE = 12, DROPS = 2000 };

static int water[SIDE * SIDE];
static svs_space *grid; /* set before the run, so that touch functions may read it */

typedef struct drop {
    int x, y;
} drop;

/* The cell at distance (dx, dy); the map wraps around at its edges. */
static int cell(const drop *d, int dx, int dy) {
    return (d->y + dy + SIDE) % SIDE * SIDE + (d->x + dx + SIDE) % SIDE;
}

/* Declares writes of nine cells. Drops on distant cells run in parallel. */
static void drop_touch(svs_footprint *f, const drop *d) {
    for (int k = 0; k < 9; k++) svs_writes_at(f, grid, (uint64_t)cell(d, k % 3 - 1, k / 3 - 1));
}

static svs_status drop_run(svs_context *x, drop *d) {
    (void)x;
    for (int k = 0; k < 9; k++) water[cell(d, k % 3 - 1, k / 3 - 1)]++;
    return SVS_OK;
}
SVS_TASK(drop, drop_run, drop_touch)

/* Most drops fall near the middle. */
static drop drop_make(uint32_t number) {
    uint32_t r = number * 2654435761u;
    drop d = {(int)(r >> 28) % 8 + (int)(r >> 20 & 3),
              (int)(r >> 24 & 15) % 8 + (int)(r >> 18 & 3)};
    return d;
}

static void print_map(void) {
    int sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        sum += water[i];
        printf("%5d%s", water[i], i % SIDE == SIDE - 1 ? "\n" : "");
    }
    printf("%d drops on 9 cells each: %d\n", DROPS, sum);
}

int main(void) {
    static drop drops[DROPS];
    session s = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < DROPS; i++) drops[i] = drop_make(i);

    svs_status status = svs_start(0, &s.world);
    if (!status) status = svs_space_new(s.world, "grid", SIDE * SIDE, &grid);
    if (!status) status = svs_for_each(s.world, &drop_task, drops, DROPS);

    if (!status) print_map();
    if (!status) status = svs_space_free(grid);
    return session_close(&s, status);
}
