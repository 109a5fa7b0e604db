/* Programs whose items are nearly all sent by bodies: SvS, a serial loop with a queue, spin locks
 * with a queue, and oneTBB's parallel_for_each with spin mutexes.
 *
 *     bench_sends [--wavefront 256] [--flow 40] [--search 20000] [--counts 1000] [--threads 1,2]
 *                 [--instructions] [--benchmark_filter=program:flow/engine:svs]
 *
 * wavefront   a cell of a square sends the cells to its right and below, once both of their
 *             neighbours are computed; 5 accesses
 * flow        push-relabel on a grid: the largest flow from corner to corner; a node sends itself
 *             and its neighbours; 5 accesses
 * search      a breadth-first search of a random graph with 8 edges a node; 1 access
 * self        counters whose items send themselves 99 times; 1 access
 * before      the same number of items, all sent before the run: self minus before, in
 *             instructions, is what a self-send costs
 *
 * An iteration is one run; figures are nanoseconds of an item of the serial loop. The number of
 * items that flow and search take depends on their order, so `items` is printed: the result is the
 * same. ratio_locks compares with the better of locks and oneTBB at the same number of threads. */
#include "sends.h"
#include "shim.h"

#include <math.h>

enum { SERIAL, SVS, LOCKS, TBB, ENGINES, ROWS_MAX = SENDS_PROGRAMS * (BENCH_LIST_MAX * 3 + 1) };

typedef struct settings {
    uint64_t sizes[SENDS_PROGRAMS - 1]; /* `before` has the size of `self` */
    bench_list threads;
} settings;
static settings s = {{256, 40, 20000, 1000}, {{0}, 0}};

typedef struct contender {
    const sends_engine *engine; /* NULL: the serial loop */
    sends_case *input;
    uint32_t threads;
    bench_case *measured;
} contender;

/* By program, number of threads and engine; the serial loop has one thread. */
static contender contenders[SENDS_PROGRAMS][BENCH_LIST_MAX][ENGINES];

static void check(const contender *c) {
    uint64_t result = c->input->program->result(c->input);
    if (result != c->input->result)
        bench_fail("%s: the result is %llu, not %llu", c->measured->name,
                   (unsigned long long)result, (unsigned long long)c->input->result);
}

static void run(bench_state *state, const void *argument) {
    const contender *c = argument;
    void *of_engine = c->engine ? c->engine->make(c->input, c->threads) : NULL;
    while (bench_loop(state)) {
        bench_pause(state);
        c->input->program->reset(c->input);
        bench_resume(state);
        if (c->engine) c->engine->run(of_engine);
        else (void)sends_run_serially(c->input);
        bench_pause(state);
        check(c);
        bench_resume(state);
    }
    if (c->engine) c->engine->free(of_engine);
}

/* ---- rows ---- */

static double wall_of(const contender *c) {
    return c->measured ? bench_figure_of(c->measured, BENCH_WALL).median : NAN;
}

static void report_one(const contender *c, const contender *alike, const contender *serial) {
    bench_figure wall = bench_figure_of(c->measured, BENCH_WALL);
    double best = fmin(wall_of(&alike[LOCKS]), wall_of(&alike[TBB])); /* of two, if one is NAN */
    bench_case_row(c->measured,
                   "wall_ns=%.1f wall_spread_pct=%.1f cpu_ns=%.1f items=%llu ratio_serial=%.3f "
                   "ratio_locks=%.3f",
                   wall.median, wall.spread_pct, bench_figure_of(c->measured, BENCH_CPU).median,
                   (unsigned long long)c->input->items, wall.median / wall_of(serial),
                   wall.median / best);
}

static void report(void) {
    for (size_t p = 0; p < SENDS_PROGRAMS; p++)
        for (size_t t = 0; t < s.threads.count; t++)
            for (size_t e = 0; e < ENGINES; e++)
                if (contenders[p][t][e].measured)
                    report_one(&contenders[p][t][e], contenders[p][t], &contenders[p][0][SERIAL]);
}

static void add(contender *c, const sends_engine *engine, sends_case *input, uint64_t threads) {
    *c = (contender){engine, input, (uint32_t)threads, NULL};
    c->measured = bench_case_new(
        run, c, (double)input->items, "sends program=%s engine=%s size=%u threads=%u",
        input->program->name, engine ? engine->name : "serial", input->size, c->threads);
    c->measured->counted = threads == 1;
}

static void add_all(size_t program) {
    uint64_t size = s.sizes[program < SENDS_PROGRAMS - 1 ? program : program - 1];
    sends_case *input = sends_case_new(&sends_programs[program], (uint32_t)size);
    add(&contenders[program][0][SERIAL], NULL, input, 1);
    for (size_t t = 0; t < s.threads.count; t++) {
        contender *of = contenders[program][t];
        add(&of[SVS], &sends_svs, input, s.threads.values[t]);
        add(&of[LOCKS], &sends_locks, input, s.threads.values[t]);
#if defined(BENCH_TBB)
        add(&of[TBB], &sends_tbb, input, s.threads.values[t]);
#endif
    }
}

static const option_row rows[] = {
    {"wavefront", 'w', "N", "Cells of a side of the square (256)", 0,
     OPTION_NUMBER(settings, sizes[0], 2, 2000)},
    {"flow", 'f', "N", "Nodes of a side of the grid (40)", 0,
     OPTION_NUMBER(settings, sizes[1], 2, 200)},
    {"search", 's', "N", "Nodes of the random graph (20000)", 0,
     OPTION_NUMBER(settings, sizes[2], 2, 100000)},
    {"counts", 'c', "N", "Counters (1000)", 0, OPTION_NUMBER(settings, sizes[3], 1, 10000)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    BENCH_OPTION_INSTRUCTIONS,
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Programs whose items are sent by bodies."};
    s.threads = bench_threads_default();
    bench_options(&program, argc, argv, &s);
    for (size_t p = 0; p < SENDS_PROGRAMS; p++) add_all(p);
    return bench_run(report);
}
