/* Objects that bodies make, link and free: 4,000 instances that each make 16 objects, one after the
 * other, with one link to an object of the instance's own. */
#include "links_life.h"

#include "shim.h"

enum { ITEMS = 4000, EACH = 16 };

typedef struct spark spark;
struct spark {
    svs_object svs;
    spark *from;
    uint64_t value;
};
SVS_TYPE(spark, svs, from)

typedef struct flare {
    spark *source;
} flare;

static void flare_touch(svs_footprint *f, const flare *item) { svs_writes(f, &item->source->svs); }

static svs_status live_once(svs_world *world, spark *source) {
    spark *made;
    svs_status status = SVS_NEW(world, spark, &made);
    if (status) return status;
    made->value = ++source->value;
    status = svs_link(made, from, source);
    return status ? status : svs_object_free(&made->svs);
}

static svs_status flare_run(svs_context *x, flare *item) {
    svs_world *world = svs_context_argument(x);
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < EACH && !status; i++) status = live_once(world, item->source);
    return status;
}
SVS_TASK(flare, flare_run, flare_touch)

static void measure(bench_state *state, const void *argument) {
    const uint32_t *threads = argument;
    static flare items[ITEMS];
    uint64_t runs = 0;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
    BENCH_OK(svs_world_new(bench_runtime_of(*threads), NULL, &world));
    for (uint32_t i = 0; i < ITEMS; i++) BENCH_OK(SVS_NEW(world, spark, &items[i].source));
    BENCH_OK(svs_graph_new(world, NULL, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, &flare_task, world, &task));
    for (; bench_loop(state); runs++) {
        BENCH_OK(svs_graph_send(graph, task, items, ITEMS, sizeof *items));
        BENCH_OK(svs_graph_run(graph, 1, NULL));
    }
    for (uint32_t i = 0; i < ITEMS; i++)
        if (items[i].source->value != runs * EACH) bench_fail("an object was not made");
    BENCH_OK(svs_graph_free(graph));
    BENCH_OK(svs_world_free(world));
}

static struct {
    uint32_t threads[BENCH_LIST_MAX];
    bench_case *measured[BENCH_LIST_MAX];
    size_t count;
} lives;

void links_life_add(uint32_t threads) {
    size_t i = lives.count++;
    lives.threads[i] = threads;
    lives.measured[i] = bench_case_new(measure, &lives.threads[i], (double)ITEMS * EACH,
                                       "links/life threads=%u objects=%u", threads, EACH);
    lives.measured[i]->counted = threads == 1;
}

void links_life_report(void) {
    for (size_t i = 0; i < lives.count; i++) {
        bench_figure wall = bench_figure_of(lives.measured[i], BENCH_WALL);
        bench_case_row(lives.measured[i], "life_ns=%.1f life_spread_pct=%.1f life_cpu_ns=%.1f",
                       wall.median, wall.spread_pct,
                       bench_figure_of(lives.measured[i], BENCH_CPU).median);
    }
}
