/* Shows:  a runtime that allocates with jemalloc, from one arena per worker.
 * Run:    build/release/bin/jemalloc_check
 * Expect: the number of items, and that the arenas of two workers differ. */
#include "jemalloc_adapter.h"
#include "session.h"
#include <jemalloc/jemalloc.h>

enum { COUNTERS = 64, ITEMS = 20000, WORKERS = 4 };
static long counters[COUNTERS];

typedef struct tick {
    long *counter;
} tick;
static void tick_touch(svs_footprint *f, const tick *c) { svs_writes(f, c->counter); }
static svs_status tick_run(svs_context *x, tick *c) {
    (void)x;
    ++*c->counter;
    return SVS_OK;
}
SVS_TASK(tick, tick_run, tick_touch)

typedef struct order {
    svs_task *ticks;
} order;
static void order_touch(svs_footprint *f, const order *o) { (void)f, (void)o; }
static svs_status order_run(svs_context *x, order *o) {
    svs_status status = SVS_OK;
    for (int i = 0; i < ITEMS && !status; i++) {
        tick c = {&counters[i % COUNTERS]};
        status = tick_send(x, o->ticks, &c, 1);
    }
    return status;
}
SVS_TASK(order, order_run, order_touch)

/* Whether the adapter allocates from two arenas for two workers. */
static int arenas_differ(void) {
    const svs_allocator *a = svs_jemalloc_allocator();
    unsigned arena[2] = {0, 0};
    for (uint32_t worker = 0; worker < 2; worker++) {
        size_t size = sizeof arena[0];
        void *memory = a->allocate(100, 64, worker, a->argument);
        if (!memory || (uintptr_t)memory % 64) return 0;
        if (mallctl("arenas.lookup", &arena[worker], &size, &memory, sizeof memory)) return 0;
        a->release(memory, 100, 64, 1 - worker, a->argument);
    }
    return arena[0] != arena[1];
}

int main(void) {
    session s = {NULL, NULL, NULL};
    svs_runtime_options options;
    order o = {NULL};
    svs_task *sender = NULL;
    long sum = 0;
    svs_runtime_options_init(&options);
    options.threads = WORKERS;
    options.allocator = *svs_jemalloc_allocator();

    svs_status status = svs_runtime_new(&options, &s.runtime);
    if (!status) status = svs_runtime_start(s.runtime);
    if (!status) status = svs_world_new(s.runtime, NULL, &s.world);
    if (!status) status = svs_graph_new(s.world, NULL, &s.graph);
    if (!status) status = svs_graph_add_itemizer(s.graph, &tick_task, NULL, &o.ticks);
    if (!status) status = svs_graph_add_transform(s.graph, &order_task, &o, NULL, &sender);
    if (!status) status = svs_graph_add_flow(s.graph, sender, o.ticks);
    if (!status) status = svs_graph_run(s.graph, 3, NULL);

    for (int i = 0; i < COUNTERS; i++) sum += counters[i];
    if (!status && sum != 3L * ITEMS) status = SVS_E_INVALID;
    printf("%ld items, arenas %s\n", sum, arenas_differ() ? "apart" : "shared");
    return session_close(&s, status);
}
