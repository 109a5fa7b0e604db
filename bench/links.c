/* The cost of reachability: the link experiments of the thesis (7.2.2, figures 7.2 to 7.4 and table
 * 7.1) on its BSP trees.
 *
 *     bench_links [--threads 1,2] [--work 1000] [--instructions]
 *
 * Every iteration builds new trees. assign: a loop of svs_link() outside of any graph; store: plain
 * stores in their place. The consumer of (leaf, entity) pairs runs in a graph in three ways:
 * enabled (the sets are protected), zerosig (assignments are made, footprints are empty), disabled
 * (plain stores, empty footprints). From those, as in the thesis, with C threads and N instances:
 * overhead = (T enabled - T disabled) * C / N, false positives = (T enabled - T zerosig) * C / N,
 * here with the comparison of sets, which an empty footprint saves. The thesis ran 8 threads.
 *
 * set=leaf writes everything that the leaf reaches, as the thesis built its sets (7.2.2: other sets
 * do not give its widths); set=both adds everything that the entity reaches. examine=0 compares
 * signatures alone, as the thesis does, and has upkeep from the start; examine=64 is the exact
 * examiner, with 2^16 cells, and no task needs a signature: then the assignments have no upkeep.
 *
 * life: objects that bodies make, link and free; of one object, from its making to its end. */
#include "bsp.h"
#include "links_life.h"
#include "shim.h"

enum { SHAPES = 2, CONFIGURATIONS_MAX = 4 * 3 * SHAPES * BENCH_LIST_MAX };

/* What a case measures; one of the consumer's modes is the index of its task type. */
typedef enum mode { ENABLED_LEAF, ENABLED_BOTH, ZEROSIG, DISABLED, ASSIGN, STORE, MODES } mode;
static const char *const mode_names[MODES] = {"enabled_leaf", "enabled_both", "zerosig",
                                              "disabled",     "assign",       "store"};

typedef struct settings {
    bench_list threads;
    uint64_t work_ns;
} settings;
static settings s = {.work_ns = 1000};

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

typedef struct configuration configuration;

typedef struct measurement {
    const configuration *of;
    mode mode;
    bench_case *measured;
} measurement;

struct configuration {
    const bsp_shape *shape;
    const thesis_row *thesis;
    uint32_t threads, examine, cells;
    measurement by[MODES];
};
static configuration configurations[CONFIGURATIONS_MAX];
static size_t configuration_count;

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
SVS_TASK(enabled_leaf, bsp_pair, pair_assign, leaf_reach)
SVS_TASK(enabled_both, bsp_pair, pair_assign, both_reach)
SVS_TASK(zerosig, bsp_pair, pair_assign, pair_nothing)
SVS_TASK(disabled, bsp_pair, pair_store, pair_nothing)
static const svs_task_type *const mode_types[] = {&enabled_leaf_task, &enabled_both_task,
                                                  &zerosig_task, &disabled_task};

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

static void measure_loop(bench_state *state, const configuration *c, const bsp *tree, mode m) {
    svs_status status = SVS_OK;
    uint64_t begin = bench_wall_ns();
    for (uint32_t i = 0; i < c->shape->entities && !status; i++)
        status = m == ASSIGN ? bsp_assign(&tree->pairs[i]) : store(&tree->pairs[i]);
    bench_time(state, bench_wall_ns() - begin);
    bench_check(status, "svs_link");
}

static void measure(bench_state *state, const void *argument) {
    const measurement *m = argument;
    svs_runtime *runtime = bench_runtime_of(m->of->threads);
    uint32_t rounds = bench_rounds((uint32_t)s.work_ns);
    while (bench_loop(state)) {
        svs_world *world;
        bsp tree;
        bench_pause(state);
        world_init(&world, runtime, m->of);
        bsp_init(&tree, world, m->of->shape);
        if (m->mode >= ASSIGN) measure_loop(state, m->of, &tree, m->mode);
        else
            bench_run_graph(state, world, SVS_ALGORITHM_STAGED, mode_types[m->mode], &rounds,
                            tree.pairs, m->of->shape->entities, sizeof *tree.pairs);
        verify(&tree, m->of->shape);
        bsp_clean_up(&tree);
        BENCH_OK(svs_world_free(world));
        bench_resume(state);
    }
}

/* ---- figures ---- */

/* T * C / N: nanoseconds of an instance on each of the threads. */
static bench_figure wall(const configuration *c, mode m) {
    bench_figure f = bench_figure_of(c->by[m].measured, BENCH_WALL);
    if (m < ASSIGN) f.median *= c->threads;
    return f;
}

static void report_one(const configuration *c, mode enabled) {
    const thesis_row *t = c->thesis;
    const bench_case *measured = c->by[enabled].measured;
    bench_figure assign = wall(c, ASSIGN), on = wall(c, enabled), off = wall(c, DISABLED);
    bench_figure overhead = bench_difference(on, off);
    double cpu_on = bench_figure_of(measured, BENCH_CPU).median;
    double cpu_off = bench_figure_of(c->by[DISABLED].measured, BENCH_CPU).median;
    double zerosig = wall(c, ZEROSIG).median;
    if (!bench_ran(measured)) return;
    bench_row("bench=links tree=%s K=%u threads=%u set=%s examine=%u cells=%u assign_ns=%.1f "
              "assign_spread_pct=%.1f store_ns=%.1f width=%.1f overhead_ns=%.1f "
              "overhead_cpu_ns=%.1f zerosig_ns=%.1f false_positives_ns=%.1f "
              "overhead_spread_pct=%.1f work_ns=%llu thesis_assign_ns=%.0f "
              "thesis_scheduling_ns=%.0f thesis_false_positives_ns=%.0f thesis_overhead_ns=%.0f "
              "thesis_width=%.0f",
              c->shape->name, t->neighbourhood, c->threads,
              enabled == ENABLED_LEAF ? "leaf" : "both", c->examine, c->cells, assign.median,
              assign.spread_pct, wall(c, STORE).median, bench_figure_of(measured, "width").median,
              overhead.median, cpu_on - cpu_off, zerosig - off.median, on.median - zerosig,
              overhead.spread_pct, (unsigned long long)s.work_ns, 1000 * t->assign,
              1000 * t->scheduling, 1000 * t->false_positives, 1000 * t->total, t->width);
}

static void report(void) {
    for (mode enabled = ENABLED_LEAF; enabled <= ENABLED_BOTH; enabled++)
        for (size_t i = 0; i < configuration_count; i++) report_one(&configurations[i], enabled);
    links_life_report();
}

static const option_row rows[] = {
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    {"work", 'w', "NS", "Synthetic work beside an assignment, ns (1000)", 0,
     OPTION_NUMBER(settings, work_ns, 0, 1000000)},
    BENCH_OPTION_INSTRUCTIONS,
    OPTION_END,
};

static void add(const bsp_shape *shape, const thesis_row *row, uint64_t threads, uint32_t examine,
                uint32_t cells) {
    configuration *c = &configurations[configuration_count++];
    *c = (configuration){shape,   row,   (uint32_t)threads,
                         examine, cells, {{NULL, ENABLED_LEAF, NULL}}};
    for (mode m = ENABLED_LEAF; m < MODES; m++) {
        bench_case *made = bench_case_new(
            measure, &c->by[m], shape->entities, "links/%s tree=%s K=%u threads=%u examine=%u",
            mode_names[m], shape->name, row->neighbourhood, c->threads, examine);
        made->timed = m >= ASSIGN; /* some microseconds, less than a pause of the CPU's clock */
        c->by[m] = (measurement){c, m, made};
    }
}

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "Cost of link assignments, and what they do to parallel width."};
    static const uint32_t examiners[][2] = {{0, 9}, {64, 16}}; /* budget, cells */
    s.threads = bench_threads_default();
    bench_default("--benchmark_repetitions=9");
    bench_options(&program, argc, argv, &s);
    for (size_t t = 0; t < s.threads.count; t++)
        for (size_t e = 0; e < 2; e++)
            for (size_t k = 0; k < 3 * SHAPES; k++)
                add(&shapes[k / 3], &thesis[k / 3][k % 3], s.threads.values[t], examiners[e][0],
                    examiners[e][1]);
    for (size_t t = 0; t < s.threads.count; t++) links_life_add((uint32_t)s.threads.values[t]);
    return bench_run(report);
}
