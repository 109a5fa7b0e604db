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

plan draw_plan(uint64_t seed, uint32_t only, bool oom) {
    uint64_t random = seed * UINT64_C(0x2545f4914f6cdd1d);
    plan p = {.seed = seed};
    bool quiet = chance(&random, 15);
    for (uint32_t i = 0; i < F_LATER_INDEX; i++)
        if (chance(&random, percent_of(i)) && !quiet) p.features |= 1u << i;
    if (only) p.features = only;
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
    return p;
}

svs_world_options draw_world(uint64_t *random) {
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
