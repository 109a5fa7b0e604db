/* The cost of reachability: the link experiments of the thesis (7.2.2, figures 7.2 to 7.4 and table
 * 7.1) on its BSP trees.
 *
 *     bench_links [--quick] [--repeat 9] [--threads 1,2] [--work 1000]
 *
 * Every repetition builds new trees. assign: a loop of svs_link() outside of any graph. Then the
 * consumer of (leaf, entity) pairs runs in a graph three times over: enabled (the sets are
 * protected), zerosig (assignments are made, footprints are empty), disabled (plain stores, empty
 * footprints). From those, as in the thesis, with C threads and N instances: overhead = (T enabled
 * - T disabled) * C / N, false positives = (T enabled - T zerosig) * C / N, here with the
 * comparison of sets, which an empty footprint saves. The thesis ran 8 threads.
 *
 * set=leaf writes all that the leaf reaches, from which the thesis' sets were built (7.2.2: its
 * widths cannot be had otherwise); set=both adds all that the entity reaches. examine=0 compares
 * signatures alone, as the thesis does, and has upkeep from the start; examine=64 is the exact
 * examiner, with 2^16 cells, and no task needs a signature: then the assignments have no upkeep.
 * store: plain stores in place of the assignments. */
#include "bsp.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPEAT_MAX = 1000, SHAPES = 2 };

typedef enum mode { ENABLED, ZEROSIG, DISABLED, MODES } mode;
typedef enum protected_set { LEAF, BOTH, SETS } protected_set;
static const char *const set_names[SETS] = {"leaf", "both"};

typedef struct settings {
    bench_list threads;
    uint64_t repeat, work_ns;
} settings;

/* Table 7.1 and figure 7.3, microseconds; width 0 where the thesis gives no number. */
typedef struct thesis_row {
    uint32_t neighbourhood;
    double assign, scheduling, false_positives, total, width;
} thesis_row;

static const bsp_shape shapes[SHAPES] = {{"20k", 10, 1000}, {"40k", 11, 2000}};
static const thesis_row thesis[SHAPES][3] = {{{2, 7.22, 2.81, 1.26, 11.29, 140},
                                              {4, 5.62, 3.19, 22.01, 30.82, 0},
                                              {8, 4.63, 4.02, 52.11, 60.76, 0}},
                                             {{2, 7.61, 3.52, 19.72, 30.84, 18},
                                              {4, 6.05, 3.46, 19.44, 28.95, 0},
                                              {8, 4.96, 4.05, 52.40, 61.40, 0}}};

typedef struct configuration {
    const bsp_shape *shape;
    const thesis_row *thesis;
    protected_set set;
    uint32_t threads, examine, cells, rounds;
} configuration;

static void leaf_reach(svs_footprint *f, const bsp_pair *pair) {
    svs_writes_reach(f, &pair->leaf->svs);
}
static void both_reach(svs_footprint *f, const bsp_pair *pair) {
    svs_writes_reach(f, &pair->leaf->svs);
    svs_writes_reach(f, &pair->entity->svs);
}
static void pair_nothing(svs_footprint *f, const bsp_pair *pair) { (void)f, (void)pair; }
static svs_status pair_assign(svs_context *x, bsp_pair *pair) {
    bench_spin(*(const uint32_t *)svs_context_argument(x));
    return bsp_assign(pair);
}
static svs_status pair_store(svs_context *x, bsp_pair *pair) {
    bench_spin(*(const uint32_t *)svs_context_argument(x));
    /* No upkeep: only in this experiment, and nothing looks at the reach afterwards. */
    pair->leaf->entity = pair->entity;
    return SVS_OK;
}
SVS_TASK_NAMED(enabled_leaf, bsp_pair, pair_assign, leaf_reach)
SVS_TASK_NAMED(enabled_both, bsp_pair, pair_assign, both_reach)
SVS_TASK_NAMED(zerosig, bsp_pair, pair_assign, pair_nothing)
SVS_TASK_NAMED(disabled, bsp_pair, pair_store, pair_nothing)
static const svs_task_type *const mode_types[SETS][MODES] = {
    {&enabled_leaf_task, &zerosig_task, &disabled_task},
    {&enabled_both_task, &zerosig_task, &disabled_task}};

static void world_init(svs_world **world, svs_runtime *runtime, const configuration *c) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.signature_bits = 512;
    options.cell_bits = c->cells;
    options.neighbourhood = c->thesis->neighbourhood;
    options.examine_budget = c->examine;
    options.refresh = SVS_REFRESH_MANUAL;
    BENCH_OK(svs_world_new(runtime, &options, world));
}

static void verify(const bsp *tree, const bsp_shape *shape) {
    for (uint32_t i = 0; i < shape->entities; i++)
        if (tree->pairs[i].leaf->entity != tree->pairs[i].entity)
            bench_fail("a leaf did not get its entity");
}

static svs_status store(const bsp_pair *pair) {
    __atomic_store_n(&pair->leaf->entity, pair->entity, __ATOMIC_RELEASE);
    return SVS_OK;
}

/* @return ns of one assignment, or of one store. */
static double measure_loop(svs_runtime *runtime, const configuration *c, bool assigns) {
    svs_world *world;
    bsp tree;
    uint64_t begin;
    double ns;
    svs_status status = SVS_OK;
    world_init(&world, runtime, c);
    bsp_init(&tree, world, c->shape);
    begin = bench_wall_ns();
    for (uint32_t i = 0; i < c->shape->entities && !status; i++)
        status = assigns ? bsp_assign(&tree.pairs[i]) : store(&tree.pairs[i]);
    ns = (double)(bench_wall_ns() - begin) / c->shape->entities;
    bench_check(status, "svs_link");
    verify(&tree, c->shape);
    bsp_clean_up(&tree);
    BENCH_OK(svs_world_free(world));
    return ns;
}

/* The consumer's cost of an instance: T * C / N of the wall, CPU of all threads / N; and instances
 * per stage. */
typedef struct cost {
    double wall_ns, cpu_ns, width;
} cost;

static cost measure_mode(svs_runtime *runtime, const configuration *c, mode m) {
    cost taken;
    svs_world *world;
    svs_graph *graph;
    svs_graph_options options;
    svs_graph_statistics statistics;
    svs_task *consumer;
    bsp tree;
    uint64_t wall, cpu;
    uint32_t rounds = c->rounds;
    world_init(&world, runtime, c);
    bsp_init(&tree, world, c->shape);
    svs_graph_options_init(&options);
    options.algorithm = SVS_ALGORITHM_STAGED;
    options.explain_every = 0;
    BENCH_OK(svs_graph_new(world, &options, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, mode_types[c->set][m], &rounds, &consumer));
    BENCH_OK(svs_graph_send(graph, consumer, tree.pairs, c->shape->entities, sizeof(bsp_pair)));
    wall = bench_wall_ns();
    cpu = bench_cpu_ns();
    BENCH_OK(svs_graph_run(graph, 1, NULL));
    taken.cpu_ns = (double)(bench_cpu_ns() - cpu) / c->shape->entities;
    taken.wall_ns = (double)(bench_wall_ns() - wall) * c->threads / c->shape->entities;
    BENCH_OK(svs_graph_statistics_get(graph, &statistics));
    verify(&tree, c->shape);
    taken.width =
        statistics.stages ? (double)statistics.staged_instances / (double)statistics.stages : 0;
    bsp_clean_up(&tree);
    BENCH_OK(svs_graph_free(graph));
    BENCH_OK(svs_world_free(world));
    return taken;
}

typedef struct figure {
    double values[REPEAT_MAX];
} figure;

static void measure(const settings *s, svs_runtime *runtime, const configuration *c) {
    static figure assign, stored, overhead, cpu, zerosig, false_positives, width;
    const thesis_row *t = c->thesis;
    double assign_ns, store_ns, overhead_ns, cpu_ns, zerosig_ns, false_ns, width_mean;
    for (size_t r = 0; r < s->repeat; r++) {
        cost costs[MODES];
        assign.values[r] = measure_loop(runtime, c, true);
        stored.values[r] = measure_loop(runtime, c, false);
        for (mode m = ENABLED; m < MODES; m++) costs[m] = measure_mode(runtime, c, m);
        overhead.values[r] = costs[ENABLED].wall_ns - costs[DISABLED].wall_ns;
        cpu.values[r] = costs[ENABLED].cpu_ns - costs[DISABLED].cpu_ns;
        zerosig.values[r] = costs[ZEROSIG].wall_ns - costs[DISABLED].wall_ns;
        false_positives.values[r] = costs[ENABLED].wall_ns - costs[ZEROSIG].wall_ns;
        width.values[r] = costs[ENABLED].width;
    }
    assign_ns = bench_median(assign.values, s->repeat);
    store_ns = bench_median(stored.values, s->repeat);
    overhead_ns = bench_median(overhead.values, s->repeat);
    cpu_ns = bench_median(cpu.values, s->repeat);
    zerosig_ns = bench_median(zerosig.values, s->repeat);
    false_ns = bench_median(false_positives.values, s->repeat);
    width_mean = bench_median(width.values, s->repeat);
    bench_table_line("%-4s %2u %-4s %7u %7u | %8.1f %3.0f%% %6.1f %7.0f | %8.1f %8.1f %8.1f %8.1f "
                     "%7.0f | %7.1f %6.0f",
                     c->shape->name, t->neighbourhood, set_names[c->set], c->threads, c->examine,
                     assign_ns, bench_spread(assign.values, s->repeat), store_ns, 1000 * t->assign,
                     overhead_ns, cpu_ns, zerosig_ns, false_ns, 1000 * t->total, width_mean,
                     t->width);
    bench_row("bench=links tree=%s K=%u threads=%u set=%s examine=%u cells=%u assign_ns=%.1f "
              "assign_spread_pct=%.1f store_ns=%.1f width=%.1f "
              "overhead_ns=%.1f overhead_cpu_ns=%.1f zerosig_ns=%.1f false_positives_ns=%.1f "
              "overhead_spread_pct=%.1f "
              "work_ns=%llu thesis_assign_ns=%.0f thesis_scheduling_ns=%.0f "
              "thesis_false_positives_ns=%.0f "
              "thesis_overhead_ns=%.0f thesis_width=%.0f",
              c->shape->name, t->neighbourhood, c->threads, set_names[c->set], c->examine, c->cells,
              assign_ns, bench_spread(assign.values, s->repeat), store_ns, width_mean, overhead_ns,
              cpu_ns, zerosig_ns, false_ns, bench_spread(overhead.values, s->repeat),
              (unsigned long long)s->work_ns, 1000 * t->assign, 1000 * t->scheduling,
              1000 * t->false_positives, 1000 * t->total, t->width);
}

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    s->repeat = 3;
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "3 repetitions", 0, OPTION_OWN(take_quick)},
    {"repeat", 'r', "N", "Repetitions (9)", 0, OPTION_NUMBER(settings, repeat, 1, REPEAT_MAX)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    {"work", 'w', "NS", "Synthetic work beside an assignment, ns (1000)", 0,
     OPTION_NUMBER(settings, work_ns, 0, 1000000)},
    OPTION_END,
};

static void measure_threads(const settings *s, uint32_t threads) {
    static const uint32_t examiners[][2] = {{0, 9}, {64, 16}}; /* budget, cells */
    svs_runtime *runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, threads);
    for (protected_set set = LEAF; set < SETS; set++)
        for (size_t e = 0; e < 2; e++)
            for (size_t k = 0; k < 3 * SHAPES; k++) {
                configuration c = {&shapes[k / 3],
                                   &thesis[k / 3][k % 3],
                                   set,
                                   threads,
                                   examiners[e][0],
                                   examiners[e][1],
                                   bench_rounds((uint32_t)s->work_ns)};
                measure(s, runtime, &c);
            }
    BENCH_OK(svs_runtime_free(runtime));
}

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "Cost of link assignments, and what they do to parallel width."};
    settings s = {bench_threads_default(), 9, 1000};
    options_read(&program, argc, argv, &s);
    bench_table_line("%-4s %2s %-4s %7s %7s | %8s %4s %6s %7s | %8s %8s %8s %8s %7s | %7s %6s",
                     "tree", "K", "set", "threads", "examine", "assign", "+-", "store", "thesis",
                     "overhead", "its CPU", "zerosig", "false+", "thesis", "width", "thesis");
    for (size_t t = 0; t < s.threads.count; t++) measure_threads(&s, (uint32_t)s.threads.values[t]);
    bench_rows_print();
    return EXIT_SUCCESS;
}
