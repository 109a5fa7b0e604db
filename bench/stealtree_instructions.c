/* Instructions of a spawn, counted by callgrind: of fib with one worker, in two sizes. The
 * difference, divided by the difference of asyncs, is the count for one async, with its share of
 * calls and additions. */
#include "spawn.h"
#include "stealtree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 12, LARGE = 20, NAME = 16 };

static const char *const calls[SPAWN_CALLS] = {"typed", "generic"};

static uint64_t asyncs_of_fib(int n) {
    uint64_t value = 0, next = 1;
    for (int i = 0; i <= n; i++) {
        uint64_t sum = value + next;
        value = next;
        next = sum;
    }
    return value - 1; /* calls are 2 fib(n + 1) - 1, and all but one come in twos */
}

typedef struct job {
    spawn_kernel *kernel;
    int n;
    uint64_t value;
} job;

static void root(svs_async_context *async, void *argument) {
    job *j = argument;
    j->value = j->kernel(async, j->n);
}

bool stealtree_instructions_run(const char *what) {
    unsigned policy, call, traced;
    int n;
    job j = {NULL, 0, 0};
    svs_runtime *runtime;
    if (sscanf(what, "%u,%u,%u,%d", &policy, &call, &traced, &n) != 4 ||
        policy > SVS_POLICY_WORK_FIRST || call >= SPAWN_CALLS || traced > 1 || n < 1 || n > LARGE)
        return false;
    j.kernel = spawn_kernels_parallel.of[SPAWN_FIB][call];
    j.n = n;
    runtime = bench_runtime_new((uint32_t)policy, 1);
    if (traced) BENCH_OK(svs_trace_start(runtime, NULL));
    BENCH_OK(svs_async_run(runtime, root, &j));
    if (traced) BENCH_OK(svs_trace_stop(runtime, NULL));
    BENCH_OK(svs_runtime_free(runtime));
    return true;
}

/* @return instructions of that run, or 0. */
static uint64_t count(int policy, int call, int traced, int n) {
    char arguments[64];
    snprintf(arguments, sizeof arguments, "--count %d,%d,%d,%d", policy, call, traced, n);
    return bench_instructions(arguments);
}

/* @return instructions for each async, or a negative number. */
static double each(int policy, int call, int traced) {
    uint64_t large = count(policy, call, traced, LARGE), small = count(policy, call, traced, SMALL);
    if (!large || !small) return -1;
    return (double)(large - small) / (double)(asyncs_of_fib(LARGE) - asyncs_of_fib(SMALL));
}

void stealtree_instructions(void) {
    bench_table_line("\nInstructions of fib for each async, by callgrind, one worker\n%-10s %-10s "
                     "%9s %9s %9s",
                     "policy", "call", "without", "traced", "more");
    for (int policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++)
        for (int call = 0; call < SPAWN_CALLS; call++) {
            double without = each(policy, call, 0), traced = each(policy, call, 1);
            if (without < 0 || traced < 0) {
                bench_table_line("valgrind was not found, or failed: nothing was counted");
                return;
            }
            bench_table_line("%-10s %-10s %9.2f %9.2f %9.2f", stealtree_policies[policy],
                             calls[call], without, traced, traced - without);
            bench_row("bench=stealtree program=fib policy=%s call=%s instructions_async=%.3f "
                      "instructions_async_traced=%.3f instructions_added=%.3f",
                      stealtree_policies[policy], calls[call], without, traced, traced - without);
        }
}
