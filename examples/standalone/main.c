/* A project of its own that uses an installed SvS: copy this folder and begin.
 *
 * Run:    cmake -B build && cmake --build build && build/standalone    (or: make && ./standalone)
 * Expect: svs 0.1.0: 1000 of 1000 */
#include <stdio.h>
#include <stdlib.h>
#include <svs/svs.h>

/* Ten counters, no lock: an instance says which one it writes, and the library keeps two writers of one apart. */
static int counters[10];

typedef struct count {
    int *counter;
} count;
static void count_touch(svs_footprint *f, const count *c) { svs_writes(f, c->counter); }
static svs_status count_run(svs_context *x, count *c) {
    (void)x;
    ++*c->counter;
    return SVS_OK;
}
SVS_TASK(count, count_run, count_touch)

static void check(svs_status status) {
    if (!status) return;
    fprintf(stderr, "%s: %s\n", svs_status_name(status), svs_status_text(status));
    exit(EXIT_FAILURE);
}

int main(void) {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *counts;
    int i, sum = 0;
    check(svs_runtime_new(NULL, &runtime));
    check(svs_runtime_start(runtime));
    check(svs_world_new(runtime, NULL, &world));
    check(svs_graph_new(world, NULL, &graph));
    check(svs_graph_add_itemizer(graph, &count_task, NULL, &counts));
    for (i = 0; i < 1000; i++) {
        count item;
        item.counter = &counters[i % 10];
        check(svs_graph_send(graph, counts, &item, 1, sizeof item));
    }
    check(svs_graph_run(graph, 1, NULL));
    for (i = 0; i < 10; i++) sum += counters[i];
    printf("svs %s: %d of 1000\n", svs_version(), sum);
    check(svs_graph_free(graph));
    check(svs_world_free(world));
    check(svs_runtime_free(runtime));
    return sum == 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
