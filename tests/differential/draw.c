/* A case from a seed. */
#include <stdio.h>
#include <string.h>

#include "differential.h"

uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static const struct {
    const char *name, *text;
    uint32_t percent; /* of cases */
} features[FEATURE_COUNT] = {
#define FEATURE_NAME(upper, lower, text) [F_##upper##_INDEX] = {#lower, text, 15},
    FEATURES(FEATURE_NAME)};

/* Features that take long are drawn seldom. */
static uint32_t percent_of(uint32_t index) {
    switch (index) {
    case F_RELINK_INDEX: return 40;
    case F_LEAVES_INDEX: return 3;
    case F_STARVE_INDEX: return 2;
    case F_MANY_INDEX: return 5;
    case F_OOM_INDEX: return 0;
    case F_CONFLICTS_INDEX:
    case F_GROWING_INDEX:
    case F_TRANSFORMS_INDEX:
    case F_WINDOWS_INDEX: return 2;
    default: return features[index].percent;
    }
}

int feature_index(const char *name) {
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (strcmp(features[i].name, name) == 0) return i;
    return -1;
}

const char *feature_text(uint32_t index, const char **name) {
    *name = features[index].name;
    return features[index].text;
}

/* ---- shapes ---- */

/* As many items as fill windows, of a graph to which the others are foreign. Items of cells alone
 * get their colours in the loop of their type (svs/detail/loops.h). */
static void draw_windows(uint64_t *random, shape *s) {
    static const uint32_t plains[] = {100, 99, 95, 80};
    s->nodes = (range){16, 48};
    s->others = (range){0, 2};
    s->tasks = (range){2, 8};
    s->batch = (range){2000, 6000};
    s->kinds = 77;
    s->objects = chance(random, 50) ? 75 : 0;
    s->cells = s->objects ? CELLS : CELLS / 2;
    s->hot = s->objects ? 25 + below(random, 3) * 15 : 0;
    s->plain = plains[below(random, 4)];
}

/* Half of the nodes are hubs. Iterations are long, so that other instances still run alongside one
 * that was preempted while it built its footprint; but signatures only grow until a refresh, so
 * iterations that rely on them are many and short. */
static void draw_growing(uint64_t *random, shape *s) {
    s->exact = chance(random, 80);
    s->nodes = (range){s->exact ? 4 : 32, 1};
    s->others = (range){0, 1};
    s->tasks = (range){3, 1};
    s->transforms = 0;
    s->batch = (range){s->exact ? 10000 : 200, 1};
    s->iterations = (range){s->exact ? 1 : 20, 1};
    s->kinds = 65;
}

static shape draw_shape(uint64_t *random, uint32_t drawn) {
    shape s = {.nodes = {3, drawn & F_MANY ? 4 : 30},
               .others = {0, 4},
               .tasks = {1, TASKS_MAX},
               .batch = {0, 16},
               .iterations = {1, 4},
               .cells = 8,
               .kinds = 100,
               .transforms = 35,
               .flow = 50,
               .order = 12,
               .independent = 18,
               .objects = 75,
               .wide = drawn & F_MANY ? 4 : 10};
    if (drawn & F_WINDOWS) draw_windows(random, &s);
    if (drawn & F_CONFLICTS) {
        s.nodes = (range){16, 1};
        s.tasks = (range){2, 8};
        if (chance(random, 25)) s.batch = (range){500, 3000};
        s.kinds = 92;
        s.hot = 80;
    }
    if (drawn & F_TRANSFORMS) {
        s.nodes = (range){16, 1};
        s.tasks = (range){3, 7};
        s.transforms = 100;
        s.iterations = (range){ITERATIONS_MAX, 1};
        s.hot = s.hot > 60 ? s.hot : 60;
    }
    if (drawn & F_GROWING) draw_growing(random, &s);
    if (drawn & F_SHAPING) {
        s.wide = 0;
        s.order = 0;
        s.independent = (drawn & F_TRANSFORMS ? 90 : 100) - s.flow;
    }
    return s;
}

/* Shapes that --only has not asked for are a quarter as large. */
static void shrink(shape *s) {
    if (s->batch.least > CHILDREN_MAX)
        s->batch = (range){s->batch.least / 4, s->batch.more / 4 + 1};
    if (s->iterations.least > 4) s->iterations.least /= 4;
}

/* Under --only, too, links and objects change in half of the cases. */
static uint32_t draw_shaping(uint64_t *random, uint32_t only, bool quiet) {
    uint32_t drawn = 0;
    for (uint32_t i = F_CONFLICTS_INDEX; i < FEATURE_COUNT; i++)
        if (chance(random, percent_of(i)) && !quiet) drawn |= UINT32_C(1) << i;
    if (only) drawn = only & F_SHAPING;
    if (drawn & ~F_GROWING && chance(random, 50)) drawn |= F_RELINK;
    if (drawn & F_RELINK && chance(random, 50)) drawn |= F_FREE | F_FRESH;
    return drawn;
}

plan draw_plan(uint64_t seed, uint32_t only, bool oom) {
    uint64_t random = seed * UINT64_C(0x2545f4914f6cdd1d);
    plan p = {.seed = seed};
    bool quiet = chance(&random, 15);
    for (uint32_t i = 0; i < F_LATER_INDEX; i++)
        if (chance(&random, percent_of(i)) && !quiet) p.features |= 1u << i;
    if (only) p.features = only;
    if (p.features & (F_GENERATED | F_SOURCES) && chance(&random, 50)) p.features |= F_MANY;
    if (p.features & F_MANY && chance(&random, 50)) p.features |= F_RELINK;
    p.threads = chance(&random, 70) ? 1 + below(&random, 5) : 1 + below(&random, 16);
    if (p.features & (F_FOREIGN | F_ASYNC) && p.threads < 3) p.threads = 3;
    if (p.features & F_STARVE && p.threads < 4) p.threads = 4;
    p.policy = chance(&random, 50) ? SVS_POLICY_HELP_FIRST : SVS_POLICY_WORK_FIRST;
    p.spin_us = chance(&random, 10) ? 40 : below(&random, 4);
    p.lands = chance(&random, 70) ? 1 : 1 + below(&random, LANDS_MAX);
    p.graphs = 1 + below(&random, GRAPHS_MAX);
    p.rounds = 1 + below(&random, 2);
    if (p.features & F_REFRESH) p.rounds += 2;
    p.oom = 20 + below(&random, 1000);
    if (oom) p.features |= F_OOM;
    /* drawn last, so that the seeds of other features keep their cases */
    if (chance(&random, percent_of(F_LATER_INDEX)) && !quiet && !only) p.features |= F_LATER;
    p.features |= draw_shaping(&random, only, quiet);
    if (p.features & F_SHAPING) {
        p.threads = p.threads < 2 ? 2 : p.threads;
        p.graphs = 1 + chance(&random, 60);
        p.rounds = p.features & F_REFRESH ? 2 : 1;
    }
    p.shape = draw_shape(&random, p.features);
    for (uint32_t i = F_GENERATED_INDEX; i <= F_SOURCES_INDEX; i++)
        if (chance(&random, percent_of(i)) && (only ? only & F_WINDOWS : !quiet))
            p.features |= UINT32_C(1) << i;
    if (!only) shrink(&p.shape);
    return p;
}

/* A footprint has all that it reaches, or signatures of it. */
static void grow(const plan *p, svs_world_options *options) {
    options->examine_budget = p->shape.exact ? 64 : 0;
    options->signature_bits = 4096;
    options->cell_bits = 16;
    options->neighbourhood = 0;
    options->refresh = SVS_REFRESH_ALWAYS;
}

svs_world_options draw_world(const plan *p, uint64_t *random) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.signature_bits = 64u << below(random, 7);
    /* 0, or between the signature's bits and 20 */
    options.cell_bits = 6 + below(random, 15);
    while (options.cell_bits && 1u << options.cell_bits < options.signature_bits)
        options.cell_bits++;
    if (options.cell_bits > 12 && chance(random, 92))
        options.cell_bits = 12; /* more cells take long to allocate */
    if (1u << options.cell_bits < options.signature_bits || chance(random, 20))
        options.cell_bits = 0;
    options.neighbourhood = chance(random, 20)   ? 0
                            : chance(random, 70) ? below(random, 12)
                                                 : below(random, 4097);
    options.examine_budget = chance(random, 30)   ? 0
                             : chance(random, 70) ? below(random, 64)
                                                  : below(random, 65537);
    options.refresh = (svs_refresh_mode)below(random, 3);
    options.refresh_percent = below(random, 30);
    options.adapt = chance(random, 75);
    if (p->features & F_GROWING) grow(p, &options);
    return options;
}

void describe_plan(const plan *p, char *text, size_t size) {
    int at = snprintf(text, size,
                      "%u workers, %s, spin %u us, %u worlds, %u graphs, %u rounds:", p->threads,
                      p->policy == SVS_POLICY_HELP_FIRST ? "help-first" : "work-first", p->spin_us,
                      p->lands, p->graphs, p->rounds);
    for (uint32_t i = 0; i < FEATURE_COUNT && at > 0 && (size_t)at < size; i++)
        if (p->features >> i & 1)
            at += snprintf(text + at, size - (size_t)at, " %s", features[i].name);
}
