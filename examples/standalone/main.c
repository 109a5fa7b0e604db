/* A complete project that uses an installed SvS: copy this folder to start your own.
 *
 * Run:    cmake -B build && cmake --build build && build/standalone    (or: make && build/standalone)
 * Expect: svs 0.1.0: 1000 of 1000 */
#include <stdio.h>
#include <stdlib.h>
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

static void check(svs_status status) {
    if (!status) return;
    fprintf(stderr, "%s: %s\n", svs_status_name(status), svs_status_text(status));
    exit(EXIT_FAILURE);
}

int main(void) {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *ticks;
    int i, sum = 0;
    check(svs_runtime_new(NULL, &runtime));
    check(svs_runtime_start(runtime));
    check(svs_world_new(runtime, NULL, &world));
    check(svs_graph_new(world, NULL, &graph));
    check(svs_graph_add_itemizer(graph, &tick_task, NULL, &ticks));
    for (i = 0; i < 1000; i++) {
        tick item;
        item.counter = &counters[i % 10];
        check(svs_graph_send(graph, ticks, &item, 1, sizeof item));
    }
    check(svs_graph_run(graph, 1, NULL));
    for (i = 0; i < 10; i++) sum += counters[i];
    printf("svs %s: %d of 1000\n", svs_version(), sum);
    check(svs_graph_free(graph));
    check(svs_world_free(world));
    check(svs_runtime_free(runtime));
    return sum == 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
