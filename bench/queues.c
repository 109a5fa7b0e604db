/* What exact paths gain over a reach: people move between queues, as in lesson 02, with the touch
 * function that is written there and with the one that `svs scan` makes from the body.
 *
 *     bench_queues [--queues 64] [--people 20] [--moves 20000] [--threads 2] [--rounds 7]
 *                  [--instructions]
 *     bench_queues --engine scanned          one engine alone, for a profiler
 *
 * All items are sent before the run, and the rounds of the engines alternate. A ratio is that of
 * the medians, reach against scanned. Without `svs scan` the engine scanned runs each move
 * alone. */
#include "queues.h"

#include <stdio.h>
#include <stdlib.h>

SVS_TYPE(person, svs, next)
SVS_TYPE(queue, svs, first)

typedef struct engine {
    const char *name;
    const svs_task_type *(*type)(void);
} engine;
static const engine engines[] = {{"reach", queues_reach_type}, {"scanned", queues_scanned_type}};
#define ROUNDS_MAX 1000u
#define ENGINES (sizeof engines / sizeof *engines)

typedef struct settings {
    uint64_t queues, people, moves, threads, rounds;
    int algorithm, engine;
    bool instructions;
} settings;
static const char *const engine_names[] = {"all", "reach", "scanned", NULL};
static const char *const algorithm_names[] = {"default", "staged", "progressive", NULL};

typedef struct figures {
    double wall_ns[ROUNDS_MAX], cpu_ns[ROUNDS_MAX], width[ROUNDS_MAX];
} figures;
static figures measured[ENGINES];

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

static void verify(const settings *s, queue *const *queues) {
    uint64_t people = 0, moves = 0;
    for (uint64_t i = 0; i < s->queues; i++)
        for (const person *p = queues[i]->first; p; p = p->next) people++, moves += p->moves;
    if (people != s->queues * s->people)
        bench_fail("%llu people are left", (unsigned long long)people);
    if (moves > s->moves) bench_fail("%llu moves", (unsigned long long)moves);
}

/* ---- measuring ---- */

static void run(const settings *s, svs_world *world, const engine *e, const move *items,
                figures *into, uint64_t round) {
    svs_graph_options options;
    svs_graph_statistics statistics;
    svs_graph *graph;
    svs_task *task;
    uint64_t wall, cpu;
    svs_graph_options_init(&options);
    options.explain_every = 0;
    options.algorithm = (uint32_t)s->algorithm;
    BENCH_OK(svs_graph_new(world, &options, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, e->type(), NULL, &task));
    BENCH_OK(svs_graph_send(graph, task, items, s->moves, sizeof *items));
    wall = bench_wall_ns();
    cpu = bench_cpu_ns();
    BENCH_OK(svs_graph_run(graph, 1, NULL));
    into->cpu_ns[round] = (double)(bench_cpu_ns() - cpu) / (double)s->moves;
    into->wall_ns[round] = (double)(bench_wall_ns() - wall) / (double)s->moves;
    BENCH_OK(svs_graph_statistics_get(graph, &statistics));
    into->width[round] =
        statistics.stages ? (double)statistics.staged_instances / (double)statistics.stages : 0;
    BENCH_OK(svs_graph_free(graph));
}

static void measure(const settings *s, svs_runtime *runtime, const engine *e, figures *into,
                    uint64_t round) {
    queue **queues = bench_allocate(s->queues, sizeof *queues);
    move *items = bench_allocate(s->moves, sizeof *items);
    svs_world *world;
    BENCH_OK(svs_world_new(runtime, NULL, &world));
    for (uint64_t i = 0; i < s->queues; i++) queues[i] = queue_make(world, s->people);
    for (uint64_t i = 0; i < s->moves; i++)
        items[i] = (move){queues[i % s->queues], queues[(i + 1) % s->queues]};
    run(s, world, e, items, into, round);
    verify(s, queues);
    BENCH_OK(svs_world_free(world));
    free(items);
    free(queues);
}

static void report(const settings *s, size_t which, double reach_wall, double reach_cpu) {
    figures *f = &measured[which];
    double spread = bench_spread(f->wall_ns, s->rounds);
    double wall = bench_median(f->wall_ns, s->rounds), cpu = bench_median(f->cpu_ns, s->rounds);
    double width = bench_median(f->width, s->rounds);
    double wall_ratio = reach_wall / wall, cpu_ratio = reach_cpu / cpu;
    bench_table_line("%-8s %7llu | %9.0f %4.0f%% %9.0f %7.1f | %6.2f %6.2f", engines[which].name,
                     (unsigned long long)s->threads, wall, spread, cpu, width, wall_ratio,
                     cpu_ratio);
    bench_row("bench=queues engine=%s threads=%llu queues=%llu people=%llu moves=%llu "
              "wall_ns=%.1f wall_spread_pct=%.1f cpu_ns=%.1f width=%.1f wall_ratio=%.3f "
              "cpu_ratio=%.3f",
              engines[which].name, (unsigned long long)s->threads, (unsigned long long)s->queues,
              (unsigned long long)s->people, (unsigned long long)s->moves, wall, spread, cpu, width,
              wall_ratio, cpu_ratio);
}

/* Instructions of a move, counted by callgrind: the difference of twice as many moves. */
static void count_instructions(const settings *s, const engine *e) {
    char arguments[2][128];
    uint64_t few, more;
    for (uint64_t i = 0; i < 2; i++)
        snprintf(arguments[i], sizeof arguments[i], "-t 1 -r 1 -q %llu -p %llu -m %llu -a %s -e %s",
                 (unsigned long long)s->queues, (unsigned long long)s->people,
                 (unsigned long long)(s->moves << i), algorithm_names[s->algorithm], e->name);
    few = bench_instructions(arguments[0]);
    more = bench_instructions(arguments[1]);
    if (!few || !more) {
        bench_table_line("valgrind was not found, or failed: nothing was counted");
        return;
    }
    bench_table_line("%-8s %.1f instructions a move, one worker", e->name,
                     (double)(more - few) / (double)s->moves);
    bench_row("bench=queues engine=%s threads=1 queues=%llu people=%llu moves=%llu "
              "instructions=%.1f",
              e->name, (unsigned long long)s->queues, (unsigned long long)s->people,
              (unsigned long long)s->moves, (double)(more - few) / (double)s->moves);
}

static bool wanted(const settings *s, size_t which) {
    return !s->engine || (size_t)s->engine == which + 1;
}

static const option_row rows[] = {
    {"queues", 'q', "N", "Queues (64)", 0, OPTION_NUMBER(settings, queues, 2, 1000000)},
    {"people", 'p', "N", "People in a queue at the begin (20)", 0,
     OPTION_NUMBER(settings, people, 0, 1000000)},
    {"moves", 'm', "N", "Moves (20000)", 0, OPTION_NUMBER(settings, moves, 1, 100000000)},
    {"threads", 't', "N", "Threads (2)", 0, OPTION_NUMBER(settings, threads, 1, SVS_THREADS_MAX)},
    {"rounds", 'r', "N", "Repetitions (7)", 0, OPTION_NUMBER(settings, rounds, 1, ROUNDS_MAX)},
    {"engine", 'e', "NAME", "all, reach or scanned (all)", 0,
     OPTION_CHOICE(settings, engine, engine_names)},
    {"algorithm", 'a', "NAME", "default, staged or progressive (default)", 0,
     OPTION_CHOICE(settings, algorithm, algorithm_names)},
    {"instructions", 'i', NULL, "Count instructions as well", 0,
     OPTION_FLAG(settings, instructions)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Moves between queues: paths and reaches."};
    settings s = {64, 20, 20000, 2, 7, 0, 0, false};
    svs_runtime *runtime;
    options_read(&program, argc, argv, &s);
    runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, (uint32_t)s.threads);
    for (uint64_t round = 0; round < s.rounds; round++)
        for (size_t e = 0; e < ENGINES; e++)
            if (wanted(&s, e)) measure(&s, runtime, &engines[e], &measured[e], round);
    BENCH_OK(svs_runtime_free(runtime));
    bench_table_line("%-8s %7s | %9s %5s %9s %7s | %6s %6s", "engine", "threads", "wall ns", "+-",
                     "CPU ns", "width", "reach/", "CPU");
    double wall = bench_median(measured[0].wall_ns, s.rounds);
    double cpu = bench_median(measured[0].cpu_ns, s.rounds);
    for (size_t e = 0; e < ENGINES; e++)
        if (wanted(&s, e)) report(&s, e, wall, cpu);
    for (size_t e = 0; s.instructions && e < ENGINES; e++)
        if (wanted(&s, e)) count_instructions(&s, &engines[e]);
    bench_rows_print();
    return EXIT_SUCCESS;
}
