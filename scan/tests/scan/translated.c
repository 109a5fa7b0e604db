/* A scanned task in a build with svs_add_tasks(... COMPARE). With DAMAGED its touch function names
 * other elements than the body accesses, as a wrong translation would: the build must tell. */
#include <stdio.h>
#include <svs/scan.h>
#include <svs/svs.h>

typedef struct step {
    int i;
} step;
static long cells[32];
static svs_status step_run(svs_context *x, step *t) {
    (void)x;
    cells[(int)((float)t->i * 0.7f)] += 1;
    return SVS_OK;
}
SVS_TASK_SCANNED(step, step_run)

int main(void) {
    static step items[64]; /* too few for a warning that the run is narrow */
    svs_world *world;
    for (int i = 0; i < 64; i++) items[i].i = 10 + i % 2; /* both lead to element 7 */
    svs_status status = svs_start(1, &world);
    if (!status) status = svs_for_each(world, &step_task, items, 64);
    printf("%ld\n", cells[7]);
    return svs_stop(world) || status;
}

#if defined(DAMAGED)
#undef svs_writes
#define svs_writes(f, what) svs_writes_address(f, &cells[item->i])
#endif
#include SVS_SCANNED
