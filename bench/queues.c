/* The gain of exact paths over a reach: people move between queues, as in lesson 02, once with that
 * lesson's touch function and once with the one that `svs scan` makes from the body.
 *
 *     bench_queues [--queues 64] [--people 20] [--moves 20000] [--threads 1,2] [--instructions]
 *     bench_queues --benchmark_filter=scanned          one engine alone, for a profiler
 *
 * All items are sent before the run. A ratio is that of the medians, reach against scanned.
 * Without `svs scan` the engine scanned runs each move alone. */
#include "queues.h"

#include "shim.h"

#include <stdlib.h>

SVS_TYPE(person, svs, next)
SVS_TYPE(queue, svs, first)

typedef struct engine {
    const char *name;
    const svs_task_type *(*type)(void);
} engine;
static const engine engines[] = {{"reach", queues_reach_type}, {"scanned", queues_scanned_type}};
#define ENGINES (sizeof engines / sizeof *engines)

typedef struct settings {
    uint64_t queues, people, moves;
    bench_list threads;
    int algorithm;
} settings;
static settings s = {.queues = 64, .people = 20, .moves = 20000};
static const char *const algorithm_names[] = {"default", "staged", "progressive", NULL};

/* Both engines at one number of threads. */
typedef struct contender {
    const engine *engine;
    uint32_t threads;
    bench_case *measured;
} contender;
static contender contenders[BENCH_LIST_MAX][ENGINES];

/* ---- people in queues ---- */

static queue *queue_make(svs_world *world, uint64_t people) {
    queue *made;
    BENCH_OK(SVS_NEW(world, queue, &made));
    for (uint64_t i = 0; i < people; i++) {
        person *added;
        BENCH_OK(SVS_NEW(world, person, &added));
        BENCH_OK(svs_link(added, next, made->first));
        BENCH_OK(svs_link(made, first, added));
    }
    return made;
}

static void verify(queue *const *queues, uint64_t runs) {
    uint64_t people = 0, moves = 0;
    for (uint64_t i = 0; i < s.queues; i++)
        for (const person *p = queues[i]->first; p; p = p->next) people++, moves += p->moves;
    if (people != s.queues * s.people)
        bench_fail("%llu people are left", (unsigned long long)people);
    if (moves > s.moves * runs) bench_fail("%llu moves", (unsigned long long)moves);
}

/* ---- measuring ---- */

static void measure(bench_state *state, const void *argument) {
    const contender *c = argument;
    queue **queues = bench_allocate(s.queues, sizeof *queues);
    move *items = bench_allocate(s.moves, sizeof *items);
    svs_runtime *runtime = bench_runtime_of(c->threads);
    svs_world *world;
    uint64_t runs = 0;
    BENCH_OK(svs_world_new(runtime, NULL, &world));
    for (uint64_t i = 0; i < s.queues; i++) queues[i] = queue_make(world, s.people);
    for (uint64_t i = 0; i < s.moves; i++)
        items[i] = (move){queues[i % s.queues], queues[(i + 1) % s.queues]};
    for (; bench_loop(state); runs++) {
        bench_pause(state);
        bench_run_graph(state, world, (uint32_t)s.algorithm, c->engine->type(), NULL, items,
                        s.moves, sizeof *items);
        bench_resume(state);
    }
    verify(queues, runs);
    BENCH_OK(svs_world_free(world));
    free(items);
    free(queues);
}

static void report_one(const contender *c, const contender *reach) {
    bench_figure reach_wall = bench_figure_of(reach->measured, BENCH_WALL);
    bench_figure reach_cpu = bench_figure_of(reach->measured, BENCH_CPU);
    bench_figure wall = bench_figure_of(c->measured, BENCH_WALL);
    bench_figure cpu = bench_figure_of(c->measured, BENCH_CPU);
    bench_case_row(c->measured,
                   "wall_ns=%.1f wall_spread_pct=%.1f cpu_ns=%.1f width=%.1f wall_ratio=%.3f "
                   "cpu_ratio=%.3f",
                   wall.median, wall.spread_pct, cpu.median,
                   bench_figure_of(c->measured, "width").median, reach_wall.median / wall.median,
                   reach_cpu.median / cpu.median);
}

static void report(void) {
    for (size_t t = 0; t < s.threads.count; t++)
        for (size_t e = 0; e < ENGINES; e++) report_one(&contenders[t][e], &contenders[t][0]);
}

static void add(contender *c, const engine *e, uint64_t threads) {
    *c = (contender){e, (uint32_t)threads, NULL};
    c->measured = bench_case_new(measure, c, (double)s.moves,
                                 "queues engine=%s threads=%u queues=%llu people=%llu moves=%llu",
                                 e->name, c->threads, (unsigned long long)s.queues,
                                 (unsigned long long)s.people, (unsigned long long)s.moves);
    c->measured->counted = threads == 1;
}

static const option_row rows[] = {
    {"queues", 'q', "N", "Queues (64)", 0, OPTION_NUMBER(settings, queues, 2, 1000000)},
    {"people", 'p', "N", "People in a queue at the begin (20)", 0,
     OPTION_NUMBER(settings, people, 0, 1000000)},
    {"moves", 'm', "N", "Moves (20000)", 0, OPTION_NUMBER(settings, moves, 1, 100000000)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    {"algorithm", 'a', "NAME", "default, staged or progressive (default)", 0,
     OPTION_CHOICE(settings, algorithm, algorithm_names)},
    BENCH_OPTION_INSTRUCTIONS,
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Moves between queues: paths and reaches."};
    s.threads = bench_threads_default();
    bench_options(&program, argc, argv, &s);
    for (size_t t = 0; t < s.threads.count; t++)
        for (size_t e = 0; e < ENGINES; e++)
            add(&contenders[t][e], &engines[e], s.threads.values[t]);
    return bench_run(report);
}
