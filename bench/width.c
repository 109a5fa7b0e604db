/* Figure 7.1 of the thesis: the parallel width that signatures of 64 to 4096 bits leave to
 * instances that share nothing.
 *
 *     bench_width [--objects 128000] [--threads 1,2] [--conflicts N]
 *
 * Each instance writes one object of its own. Instances with objects on the same bit cannot be in
 * one stage, so the best possible number of stages is the number of instances on the fullest bit.
 * All items are sent before the run. */
#include "common.h"

#include <stdlib.h>

typedef struct settings {
    bench_list threads;
    uint64_t objects, conflicts; /* conflicts UINT64_MAX: the library's default */
} settings;

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

static svs_graph_statistics run(const settings *s, svs_world *world, const move *items) {
    svs_graph_statistics statistics;
    svs_graph_options options;
    svs_graph *graph;
    svs_task *consumer;
    svs_graph_options_init(&options);
    options.algorithm = SVS_ALGORITHM_STAGED;
    options.explain_every = 0;
    if (s->conflicts != UINT64_MAX) options.stage_conflicts = (uint32_t)s->conflicts;
    BENCH_OK(svs_graph_new(world, &options, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, &move_task, NULL, &consumer));
    BENCH_OK(svs_graph_send(graph, consumer, items, s->objects, sizeof *items));
    BENCH_OK(svs_graph_run(graph, 1, NULL));
    BENCH_OK(svs_graph_statistics_get(graph, &statistics));
    BENCH_OK(svs_graph_free(graph));
    return statistics;
}

static void measure(const settings *s, svs_runtime *runtime, uint32_t bits_log2) {
    particle *particles = bench_allocate(s->objects, sizeof *particles);
    move *items = bench_allocate(s->objects, sizeof *items);
    svs_graph_statistics statistics;
    svs_world_options options;
    svs_world *world;
    uint32_t bits = 1u << bits_log2, threads = svs_runtime_threads(runtime);
    uint64_t best, begin;
    double ns, width;
    svs_world_options_init(&options);
    options.signature_bits = bits;
    options.cell_bits = bits_log2;
    BENCH_OK(svs_world_new(runtime, &options, &world));
    for (uint64_t i = 0; i < s->objects; i++) {
        BENCH_OK(svs_object_init(&particles[i].svs, world, &particle_type));
        items[i].p = &particles[i];
    }
    begin = bench_wall_ns();
    statistics = run(s, world, items);
    ns = (double)(bench_wall_ns() - begin) / (double)s->objects;
    for (uint64_t i = 0; i < s->objects; i++)
        if (particles[i].moved != 1)
            bench_fail("object %llu was written %u times", (unsigned long long)i,
                       particles[i].moved);
    best = best_stages(particles, s->objects, bits_log2);
    width = (double)statistics.staged_instances / (double)statistics.stages;
    bench_table_line("%5u %7u %8llu %8llu %7.3f %9.1f %9.1f %7.1f", bits, threads,
                     (unsigned long long)statistics.stages, (unsigned long long)best,
                     (double)statistics.stages / (double)best, width,
                     (double)s->objects / (double)best, ns);
    bench_row("bench=width bits=%u threads=%u objects=%llu stages=%llu best=%llu ratio=%.4f "
              "width=%.1f best_width=%.1f "
              "wall_ns=%.1f",
              bits, threads, (unsigned long long)s->objects, (unsigned long long)statistics.stages,
              (unsigned long long)best, (double)statistics.stages / (double)best, width,
              (double)s->objects / (double)best, ns);
    BENCH_OK(svs_world_free(world));
    free(items);
    free(particles);
}

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    s->objects = 16000;
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "16,000 objects", 0, OPTION_OWN(take_quick)},
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
    settings s = {bench_threads_default(), 128000, UINT64_MAX};
    options_read(&program, argc, argv, &s);
    bench_table_line("%5s %7s %8s %8s %7s %9s %9s %7s", "bits", "threads", "stages", "best",
                     "ratio", "width", "best", "ns each");
    for (size_t t = 0; t < s.threads.count; t++) {
        svs_runtime *runtime =
            bench_runtime_new(SVS_POLICY_HELP_FIRST, (uint32_t)s.threads.values[t]);
        for (uint32_t bits_log2 = 6; bits_log2 <= 12; bits_log2++) measure(&s, runtime, bits_log2);
        BENCH_OK(svs_runtime_free(runtime));
    }
    bench_rows_print();
    return EXIT_SUCCESS;
}
