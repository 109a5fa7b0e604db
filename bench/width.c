/* Figure 7.1 of the thesis: the parallel width that signatures of 64 to 4096 bits leave to
 * instances that share nothing.
 *
 *     bench_width [--objects 128000] [--threads 1,2] [--conflicts N]
 *
 * Each instance writes one object of its own. Instances with objects on the same bit cannot be in
 * one stage, so the best possible number of stages is the number of instances on the fullest bit.
 * All items are sent before the run. */
#include "shim.h"

#include <stdlib.h>

typedef struct settings {
    bench_list threads;
    uint64_t objects, conflicts; /* conflicts UINT64_MAX: the library's default */
} settings;
static settings s = {.objects = 128000, .conflicts = UINT64_MAX};

typedef struct particle {
    svs_object svs;
    uint32_t moved;
} particle;
SVS_TYPE(particle, svs)

typedef struct move {
    particle *p;
} move;
static void move_touch(svs_footprint *f, const move *m) { svs_writes_object(f, &m->p->svs); }
static svs_status move_run(svs_context *x, move *m) {
    (void)x;
    m->p->moved++;
    return SVS_OK;
}
SVS_TASK(move, move_run, move_touch)

/* The number of objects on the fullest bit: the bit is the top of the key (object.h). */
static uint64_t best_stages(const particle *particles, uint64_t count, uint32_t bits_log2) {
    uint64_t *on_bit = bench_allocate((size_t)1 << bits_log2, sizeof *on_bit), most = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t n = ++on_bit[particles[i].svs.key >> (32 - bits_log2)];
        if (n > most) most = n;
    }
    free(on_bit);
    return most;
}

static svs_graph_statistics run(svs_world *world, const move *items) {
    svs_graph_statistics statistics;
    svs_graph_options options;
    svs_graph *graph;
    svs_task *consumer;
    svs_graph_options_init(&options);
    options.algorithm = SVS_ALGORITHM_STAGED;
    options.explain_every = 0;
    if (s.conflicts != UINT64_MAX) options.stage_conflicts = (uint32_t)s.conflicts;
    BENCH_OK(svs_graph_new(world, &options, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, &move_task, NULL, &consumer));
    BENCH_OK(svs_graph_send(graph, consumer, items, s.objects, sizeof *items));
    BENCH_OK(svs_graph_run(graph, 1, NULL));
    BENCH_OK(svs_graph_statistics_get(graph, &statistics));
    BENCH_OK(svs_graph_free(graph));
    return statistics;
}

/* Signatures of one size, and one number of threads. */
typedef struct setting {
    uint32_t bits_log2, threads;
    bench_case *measured;
} setting;

static svs_world *world_of(svs_runtime *runtime, uint32_t bits_log2) {
    svs_world_options options;
    svs_world *world;
    svs_world_options_init(&options);
    options.signature_bits = 1u << bits_log2;
    options.cell_bits = bits_log2;
    BENCH_OK(svs_world_new(runtime, &options, &world));
    return world;
}

static void measure(bench_state *state, const void *argument) {
    const setting *of = argument;
    svs_runtime *runtime = bench_runtime_of(of->threads);
    particle *particles = bench_allocate(s.objects, sizeof *particles);
    move *items = bench_allocate(s.objects, sizeof *items);
    svs_graph_statistics statistics = {0};
    svs_world *world = world_of(runtime, of->bits_log2);
    uint32_t runs = 0;
    for (uint64_t i = 0; i < s.objects; i++) {
        BENCH_OK(svs_object_init(&particles[i].svs, world, &particle_type));
        items[i].p = &particles[i];
    }
    for (; bench_loop(state); runs++) statistics = run(world, items);
    for (uint64_t i = 0; i < s.objects; i++)
        if (particles[i].moved != runs)
            bench_fail("object %llu was written %u times in %u runs", (unsigned long long)i,
                       particles[i].moved, runs);
    bench_counter(state, "stages", (double)statistics.stages);
    bench_counter(state, "width", (double)statistics.staged_instances / (double)statistics.stages);
    bench_counter(state, "best", (double)best_stages(particles, s.objects, of->bits_log2));
    BENCH_OK(svs_world_free(world));
    free(items);
    free(particles);
}

enum { BITS_FIRST = 6, BITS_END = 13 };
static setting all[BENCH_LIST_MAX * (BITS_END - BITS_FIRST)];
static size_t count;

static void report(void) {
    for (size_t i = 0; i < count; i++) {
        const bench_case *m = all[i].measured;
        double stages = bench_figure_of(m, "stages").median,
               best = bench_figure_of(m, "best").median;
        bench_case_row(m,
                       "stages=%.0f best=%.0f ratio=%.4f width=%.1f best_width=%.1f wall_ns=%.1f",
                       stages, best, stages / best, bench_figure_of(m, "width").median,
                       (double)s.objects / best, bench_figure_of(m, BENCH_WALL).median);
    }
}

static const option_row rows[] = {
    {"objects", 'o', "N", "Objects, one an instance (128000)", 0,
     OPTION_NUMBER(settings, objects, 1, 100000000)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    {"conflicts", 'c', "N", "stage_conflicts (the library's default)", 0,
     OPTION_NUMBER(settings, conflicts, 0, UINT32_MAX)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "Figure 7.1: parallel width under varying signature sizes."};
    s.threads = bench_threads_default();
    bench_default("--benchmark_repetitions=3");
    bench_options(&program, argc, argv, &s);
    for (size_t t = 0; t < s.threads.count; t++)
        for (uint32_t bits_log2 = BITS_FIRST; bits_log2 < BITS_END; bits_log2++) {
            setting *of = &all[count++];
            of->bits_log2 = bits_log2;
            of->threads = (uint32_t)s.threads.values[t];
            of->measured = bench_case_new(measure, of, (double)s.objects,
                                          "width bits=%u threads=%u objects=%llu", 1u << bits_log2,
                                          of->threads, (unsigned long long)s.objects);
        }
    return bench_run(report);
}
