/* The programs on async-finish, by both calls under both policies; and their serial elision. */
#include "spawn.h"

#include <stdlib.h>

typedef struct team {
    svs_runtime *runtime;
    const spawn_kernels *kernels;
    int call;
} team;

typedef struct job {
    spawn_kernel *kernel;
    int n;
    uint64_t value;
} job;

static void *make(const spawn_engine *engine, uint32_t threads) {
    team *t = bench_allocate(1, sizeof *t);
    t->call = engine->call[0] == 'g' ? SPAWN_GENERIC : SPAWN_TYPED;
    t->runtime = bench_runtime_new(
        engine->policy[0] == 'w' ? SVS_POLICY_WORK_FIRST : SVS_POLICY_HELP_FIRST, threads);
    return t;
}

static void root(svs_async_context *async, void *argument) {
    job *j = argument;
    j->value = j->kernel(async, j->n);
}

static uint64_t run(void *state, int program, int n) {
    team *t = state;
    job j = {spawn_kernels_parallel.of[program][t->call], n, 0};
    BENCH_OK(svs_async_run(t->runtime, root, &j));
    return j.value;
}

static void release(void *state) {
    team *t = state;
    BENCH_OK(svs_runtime_free(t->runtime));
    free(t);
}

const spawn_engine spawn_svs[] = {
    {"svs", "help-first", "typed", false, SVS_THREADS_MAX, make, run, release},
    {"svs", "help-first", "generic", false, SVS_THREADS_MAX, make, run, release},
    {"svs", "work-first", "typed", false, SVS_THREADS_MAX, make, run, release},
    {"svs", "work-first", "generic", false, SVS_THREADS_MAX, make, run, release}};
const size_t spawn_svs_count = sizeof spawn_svs / sizeof *spawn_svs;

static void *make_serial(const spawn_engine *engine, uint32_t threads) {
    (void)threads;
    return (void *)(uintptr_t)engine;
}

/* The typed functions without their tasks are what a serial program looks like. */
static uint64_t run_serial(void *state, int program, int n) {
    (void)state;
    return spawn_kernels_serial.of[program][SPAWN_TYPED](NULL, n);
}

static void release_serial(void *state) { (void)state; }

const spawn_engine spawn_serial = {"serial", "none",      "none",     false,
                                   1,        make_serial, run_serial, release_serial};
