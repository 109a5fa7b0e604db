/* sched.S1 and sched.S2 under stress: no two instances with conflicting footprints run at once, and
 * each sent item runs once.
 *
 *     stress_s1 [mode] [--seed N] [--instances N]
 *
 *   mixed       random worlds, graphs, footprints, relinking, new and freed objects; two million
 *   instances at scale 100
 *   conflicts   a few objects that all instances want
 *   relinking   the reach of waiting instances grows while they wait, known by signatures alone
 *   transforms  graphs of transforms that claim to be independent, and are not
 *   windows     items that seldom walk, so that most run in windows, beside other algorithms
 *
 * It stops at the first violation. With a mutant of the admission (tests/mutants) it must find
 * one. */
#include "s1.h"
#include "scale.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <time.h>

s1_state s1;

static const char *mode;
static uint64_t asked_for; /* instances; 0: what the mode has, scaled */

static void print_repeat(void) {
    printf("repeat with: stress_s1 %s --seed %llu\n", mode, (unsigned long long)s1.seed);
}

void s1_violated(const char *invariant, const char *format, ...) {
    static atomic_flag first = ATOMIC_FLAG_INIT;
    va_list arguments;
    while (atomic_flag_test_and_set(&first))
        sched_yield(); /* only one is printed, then the process ends */
    printf("%s violated in round %u: ", invariant, s1.round);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    print_repeat();
    fflush(stdout);
    _Exit(1);
}

/* ---- shapes ---- */

static void world_shape(uint64_t *random, svs_world_options *world) {
    static const uint32_t budgets[] = {0, 0, 4, 64, 64, 200};
    static const uint32_t hoods[] = {0, 1, 2, 4, 8, 16};
    svs_world_options_init(world);
    world->signature_bits = 64u << s1_below(random, 7);
    world->cell_bits = s1_chance(random, 25) ? 0 : 12 + s1_below(random, 9);
    world->neighbourhood = hoods[s1_below(random, 6)];
    world->examine_budget = budgets[s1_below(random, 6)];
    world->refresh = (svs_refresh_mode)s1_below(random, 3);
}

static void mixed_shape(uint64_t *random, s1_shape *shape) {
    static const uint32_t crosses[] = {0, 0, 2, 10, 100};
    shape->cross = crosses[s1_below(random, 5)];
    shape->nodes = 8u << s1_below(random, shape->cross > 2 ? 4 : 8);
    shape->family = 2u + s1_below(random, 10);
    shape->hot = 25;
    shape->graphs = 1 + s1_chance(random, 60);
    shape->transforms = 1 + s1_below(random, 4);
    shape->itemizers = 1 + s1_below(random, 5);
    shape->batch = 500 + s1_below(random, 3000);
    shape->iterations = 1 + s1_below(random, 4);
    shape->independent = s1_below(random, 101);
    shape->explicit_ = s1_below(random, 10);
}

static void conflicts_shape(uint64_t *random, s1_shape *shape) {
    mixed_shape(random, shape);
    shape->nodes = 16;
    shape->hot = 80;
    shape->independent = 100;
    shape->explicit_ = 0;
}

/* Half of the nodes are hubs. Iterations are long, so that other instances still run beside one
 * that was preempted while it built its footprint; but signatures only grow until a refresh, so
 * iterations that rely on them are many and short. */
static void relinking_shape(uint64_t *random, s1_shape *shape) {
    bool exact = s1_chance(random, 80);
    shape->nodes = exact ? 4 : 32;
    shape->family = 8;
    shape->graphs = 1 + s1_chance(random, 50);
    shape->transforms = 1;
    shape->itemizers = 2;
    shape->batch = exact ? 10000 : 200;
    shape->iterations = exact ? 1 : 20;
    shape->independent = 100;
    shape->algorithm = SVS_ALGORITHM_PROGRESSIVE;
    shape->targeted = true;
    shape->world.examine_budget = exact ? 64 : 0;
    shape->world.signature_bits = 4096;
    shape->world.cell_bits = 16;
    shape->world.neighbourhood = 0;
    shape->world.refresh = SVS_REFRESH_ALWAYS;
}

static void transforms_shape(uint64_t *random, s1_shape *shape) {
    shape->nodes = 16;
    shape->family = 4;
    shape->hot = 60;
    shape->graphs = 1 + s1_chance(random, 60);
    shape->transforms = 3 + s1_below(random, 7);
    shape->iterations = 200;
    shape->independent = 90;
}

/* As many instances as fill windows; a second graph and transforms are foreign to the first. */
static void windows_shape(uint64_t *random, s1_shape *shape) {
    static const uint32_t plains[] = {100, 99, 95, 80};
    mixed_shape(random, shape);
    shape->nodes = 16u << s1_below(random, 6);
    shape->hot = 25 + s1_below(random, 3) * 15;
    shape->batch = 2000 + s1_below(random, 6000);
    shape->independent = 100;
    shape->explicit_ = 0;
    shape->plain = plains[s1_below(random, 4)];
    shape->windowed = true;
}

typedef struct s1_mode {
    const char *name;
    void (*shape)(uint64_t *random, s1_shape *shape);
    uint64_t instances; /* at scale 100 */
} s1_mode;

static const s1_mode modes[] = {{"mixed", mixed_shape, 1000000},
                                {"conflicts", conflicts_shape, 500000},
                                {"relinking", relinking_shape, 1000000},
                                {"transforms", transforms_shape, 200000},
                                {"windows", windows_shape, 1500000}};

/* ---- the run ---- */

static uint64_t instances(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < S1_WORKERS_MAX; i++) sum += s1.workers[i].instances;
    return sum;
}

static uint64_t wanted_instances(const s1_mode *what) {
    return asked_for ? asked_for : scaled(what->instances, 1);
}

static svs_runtime *new_runtime(uint64_t *random) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_runtime_options_init(&options);
    options.threads = 2 + (s1_chance(random, 50) ? s1_below(random, 5) : 0);
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) {
        printf("failed: no runtime\n");
        exit(2);
    }
    if (svs_check_worker_range(s1.workers, sizeof s1.workers[0], S1_WORKERS_MAX, "worker"))
        return NULL;
    return runtime;
}

/* A round has no more than was asked for, or not many more. */
static void shrink(s1_shape *shape) {
    uint64_t most = asked_for / (shape->transforms * (uint64_t)shape->iterations * shape->graphs);
    if (shape->batch > most) shape->batch = (uint32_t)most;
}

/* Single rounds may have few conflicts. */
#define ROUNDS_LEAST 8u

static void run_rounds(const s1_mode *what, uint64_t *random) {
    uint64_t wanted = wanted_instances(what);
    while (instances() < wanted || (!asked_for && s1.round < ROUNDS_LEAST)) {
        svs_runtime *runtime = new_runtime(random);
        for (int i = 0; i < 8 && (i == 0 || instances() < wanted); i++, s1.round++) {
            memset(&s1.shape, 0, sizeof s1.shape);
            world_shape(random, &s1.shape.world);
            what->shape(random, &s1.shape);
            if (asked_for) shrink(&s1.shape);
            s1_round(runtime, random);
        }
        if (svs_runtime_free(runtime)) {
            printf("failed: the runtime is still held\n");
            exit(2);
        }
    }
}

static int summary(void) {
    uint64_t sampled = 0, conflicting = 0;
    uint32_t most = atomic_load(&s1.running_max);
    cpu_set_t cpus;
    bool parallel = sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) > 1;
    for (uint32_t i = 0; i < S1_WORKERS_MAX; i++) {
        sampled += s1.workers[i].sampled;
        conflicting += s1.workers[i].conflicting;
    }
    printf("rounds=%u instances=%llu sampled=%llu conflicting=%.0f%% running_max=%u\n", s1.round,
           (unsigned long long)instances(), (unsigned long long)sampled,
           sampled ? 100.0 * (double)conflicting / (double)sampled : 0.0, most);
    if (asked_for) return 0; /* a few rounds may be of any kind */
    if (sampled && conflicting * 5 < sampled) {
        printf("failed: fewer than 20%% of the instances conflict, this shows nothing\n");
        return 1;
    }
    if (parallel && most < 2) {
        printf("failed: no two instances ran at once, this shows nothing\n");
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    const s1_mode *what = &modes[0];
    uint64_t random;
    s1.seed = (uint64_t)time(NULL);
    for (int i = 1; i < argc; i++) {
        bool known = false;
        for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++)
            if (!strcmp(argv[i], modes[m].name)) {
                what = &modes[m];
                known = true;
            }
        if (!strcmp(argv[i], "--seed") && i + 1 < argc) {
            s1.seed = strtoull(argv[++i], NULL, 10);
            known = true;
        }
        if (!strcmp(argv[i], "--instances") && i + 1 < argc) {
            asked_for = strtoull(argv[++i], NULL, 10);
            known = true;
        }
        if (!known) {
            printf("usage: stress_s1 [mixed|conflicts|relinking|transforms] [--seed N] "
                   "[--instances N]\n");
            return 2;
        }
    }
    mode = what->name;
    print_repeat();
    fflush(stdout);
    random = s1.seed;
    run_rounds(what, &random);
    return summary();
}
