/* differential [--seed N] [--cases N] [--seconds N] [--instances N] [--times N]
 *              [--only FEATURE]... [--oom] [--hang SECONDS] [--verbose] [--list]
 *
 * Runs the cases of the seeds from 1 (or of seed N alone), until one fails or N instances have run.
 * Builds and short runs scale the number of instances (scale.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <time.h>

#include "differential.h"
#include "scale.h"

#define CASES 3000u

testcase the;

static void log_line(int level, const char *text, void *unused) {
    if (chosen.verbose) (void)fprintf(stderr, "  %s\n", text);
}

static void make_runtime(void) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = the.plan.threads;
    options.policy = the.plan.policy;
    options.spin_ns = (uint64_t)the.plan.spin_us * 1000;
    options.allocator = counted;
    options.log = log_line;
    must(svs_runtime_new(&options, &the.runtime), "svs_runtime_new");
    must(svs_runtime_start(the.runtime), "svs_runtime_start");
    must(svs_check_worker_range(scratches, sizeof scratches[0], WORKERS_MAX, "scratch"),
         "svs_check_worker_range");
}

static void make_all(uint64_t *random) {
    const plan *p = &the.plan;
    uint32_t each = has(F_EACH) ? 1 + below(random, GRAPHS_MAX) : 0;
    make_runtime();
    for (uint32_t i = 0; i < p->lands; i++) land_make(&the.lands[i], the.runtime, random);
    the.graph_count = p->graphs + each;
    for (uint32_t i = 0; i < the.graph_count; i++) {
        land *l = &the.lands[below(random, p->lands)];
        (void)(i < p->graphs ? graph_make(i, l, random) : graph_make_each(i, l, random));
    }
    atomic_store(&the.written, 0);
}

static void run_round(uint64_t *random) {
    beside_begin(random);
    later_begin(random);
    graphs_run();
    beside_end();
    later_end();
    if (!(the.plan.features & F_CHANGING)) {
        for (uint32_t i = 0; i < the.graph_count; i++) elide(the.graphs[i]);
        for (uint32_t i = 0; i < the.plan.lands; i++) elide_check(&the.lands[i]);
    }
    for (uint32_t i = 0; i < the.plan.lands; i++) {
        if (chance(random, 50)) land_check(&the.lands[i]);
        land_between(&the.lands[i], random);
    }
}

static void free_all(void) {
    for (uint32_t i = 0; i < the.graph_count; i++) graph_free(the.graphs[i]);
    for (uint32_t i = 0; i < the.plan.lands; i++) land_free(&the.lands[i]);
    must(svs_runtime_free(the.runtime), "svs_runtime_free");
    memory_check();
}

static void run_case(uint64_t seed) {
    uint64_t random = ~seed;
    char line[512];
    the.plan = draw_plan(seed, chosen.only, chosen.oom);
    sample_case();
    if (chosen.verbose) {
        describe_plan(&the.plan, line, sizeof line);
        (void)printf("seed %llu: %s\n", (unsigned long long)seed, line);
    }
    make_all(&random);
    for (uint32_t i = 0; i < the.plan.rounds; i++) run_round(&random);
    if (has(F_STARVE)) starve(&the.lands[0], &random);
    if (has(F_LEAVES)) leaves(&the.lands[0], &random);
    free_all();
    (void)atomic_fetch_add(&progress, 1);
}

/* ---- options ---- */

static int list(void) {
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
        const char *name, *text = feature_text(i, &name);
        (void)printf("%-12s %s\n", name, text);
    }
    return 0;
}

static int usage(const char *word) {
    (void)fprintf(stderr,
                  "differential: '%s' was not understood\n"
                  "usage: differential [--seed N] [--cases N] [--seconds N] [--instances N]\n"
                  "                    [--times N] [--only FEATURE]... [--oom] [--hang SECONDS]\n"
                  "                    [--verbose]\n"
                  "       differential --list\n",
                  word);
    return 2;
}

/* @return whether the word and its value were understood. */
static bool take_option(const char *word, const char *value) {
    int feature;
    if (strcmp(word, "--only") == 0) {
        feature = feature_index(value);
        if (feature >= 0) chosen.only |= UINT32_C(1) << feature;
        return feature >= 0;
    }
    if (strcmp(word, "--seed") == 0) chosen.seed = strtoull(value, NULL, 10);
    else if (strcmp(word, "--cases") == 0) chosen.cases = strtoull(value, NULL, 10);
    else if (strcmp(word, "--instances") == 0)
        chosen.instances = scaled(strtoull(value, NULL, 10), 1);
    else if (strcmp(word, "--times") == 0) chosen.times = strtoull(value, NULL, 10);
    else if (strcmp(word, "--seconds") == 0) chosen.seconds = strtod(value, NULL);
    else if (strcmp(word, "--hang") == 0) chosen.hang = (uint32_t)strtoul(value, NULL, 10);
    else return false;
    return true;
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t cases_wanted(void) {
    if (chosen.cases) return chosen.cases;
    if (chosen.seconds > 0 || chosen.instances) return UINT64_MAX;
    return chosen.seed ? 1 : scaled(CASES, 1);
}

static bool goes_on(uint64_t done, double seconds) {
    return done < cases_wanted() && (chosen.seconds <= 0 || seconds < chosen.seconds) &&
           (!chosen.instances || atomic_load(&instances_total) < chosen.instances);
}

static void run_cases(void) {
    double began = seconds_of(CLOCK_MONOTONIC);
    uint64_t first = chosen.seed ? chosen.seed : 1, done = 0;
    while (goes_on(done, seconds_of(CLOCK_MONOTONIC) - began)) {
        for (uint64_t i = 0; i < chosen.times; i++) run_case(first + done);
        done++;
    }
    (void)printf("%llu cases, %llu instances, %.1f s of processor time, %.1f s\n",
                 (unsigned long long)done, (unsigned long long)atomic_load(&instances_total),
                 seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds_of(CLOCK_MONOTONIC) - began);
}

int main(int argc, char **argv) {
    chosen = (choices){.times = 1, .hang = 60};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) return list();
        if (strcmp(argv[i], "--oom") == 0) chosen.oom = true;
        else if (strcmp(argv[i], "--verbose") == 0) chosen.verbose = true;
        else if (i + 1 == argc || !take_option(argv[i], argv[i + 1])) return usage(argv[i]);
        else i++;
    }
    watch_begin();
    run_cases();
    return sample_shows() ? 0 : 1;
}
