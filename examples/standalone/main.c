/* A complete project that uses an installed SvS: copy this folder to start your own.
 *
 * Run:    cmake -B build && cmake --build build && build/standalone
 *         (or: make && build/standalone)
 * Expect: svs 0.1.0: 1000 of 1000 */
#include <stdio.h>
#include <stdlib.h>
#include <svs/must.h>
#include <svs/svs.h>

/* Ten counters without a lock: an instance declares which one it writes, and no two writers of one
 * counter run at the same time. */
static int counters[10];

typedef struct tick {
    int *counter;
} tick;
static void tick_touch(svs_footprint *f, const tick *c) { svs_writes(f, c->counter); }
static svs_status tick_run(svs_context *x, tick *c) {
    (void)x;
    ++*c->counter;
    return SVS_OK;
}
SVS_TASK(tick, tick_run, tick_touch)

int main(void) {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *ticks;
    int i, sum = 0;
    SVS_MUST(svs_runtime_new(NULL, &runtime));
    SVS_MUST(svs_runtime_start(runtime));
    SVS_MUST(svs_world_new(runtime, NULL, &world));
    SVS_MUST(svs_graph_new(world, NULL, &graph));
    SVS_MUST(svs_graph_add_itemizer(graph, &tick_task, NULL, &ticks));
    for (i = 0; i < 1000; i++) {
        tick item;
        item.counter = &counters[i % 10];
        SVS_MUST(svs_graph_send(graph, ticks, &item, 1, sizeof item));
    }
    SVS_MUST(svs_graph_run(graph, 1, NULL));
    for (i = 0; i < 10; i++) sum += counters[i];
    printf("svs %s: %d of 1000\n", svs_version(), sum);
    SVS_MUST(svs_graph_free(graph));
    SVS_MUST(svs_world_free(world));
    SVS_MUST(svs_runtime_free(runtime));
    return sum == 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
