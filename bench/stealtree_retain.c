/* Figure 10: retentive stealing, iteration by iteration: the steals that remain, the storage for
 * kept steals, and the time, compared with plain stealing; on heat, and on a skewed kernel.
 *
 * The storage for kept steals is printed next to the storage of explicit enumeration (section 9.4):
 * an entry for each task, of 8 bytes here, the least that can name one. */
#include "spawn_clock.h"
#include "stealtree.h"

#include <stdlib.h>
#include <string.h>
#include <svs/retain.h>

enum { ITERATIONS_MAX = 1000, SEQUENCES_MAX = 64, ENTRY_BYTES = 8 };

/* An iterative program: what is kept, what is not, and the serial one are problems of their own. */
typedef struct iterative {
    const char *name;
    svs_async_function *root;
    void *(*make)(const stealtree_settings *s);
    /* Ends the program unless `problem` is the result of this number of iterations of a serial
     * run. */
    void (*check)(const stealtree_settings *s, void *problem);
    void (*release)(void *problem);
} iterative;

/* ---- heat: a step is an iteration ---- */

extern const cilk_program stealtree_heat;

static cilk_size heat_size(const stealtree_settings *s, uint64_t steps) {
    static const uint64_t sides[] = {512, 2048, 4096};
    return (cilk_size){{sides[s->scale], sides[s->scale], steps}, 0};
}

static void *heat_make(const stealtree_settings *s) {
    cilk_size size = heat_size(s, 1);
    void *problem = stealtree_heat.make(&size);
    stealtree_heat.reset(problem);
    return problem;
}

static void heat_root(svs_async_context *async, void *argument) {
    stealtree_heat.run(async, argument);
}

static void heat_check(const stealtree_settings *s, void *problem) {
    cilk_size size = heat_size(s, s->iterations);
    stealtree_problem whole = {&stealtree_heat, stealtree_heat.make(&size)};
    svs_runtime *runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, 1);
    cilk_span mine = stealtree_heat.result(problem), right;
    (void)stealtree_run_once(&whole, runtime, false);
    stealtree_problem_check(&whole);
    right = stealtree_heat.result(whole.data);
    if (mine.bytes != right.bytes || memcmp(mine.data, right.data, mine.bytes))
        bench_fail("heat: iterations made another plate than a serial run");
    BENCH_OK(svs_runtime_free(runtime));
    stealtree_problem_free(&whole);
}

static void heat_release(void *problem) { stealtree_heat.release(problem); }

/* ---- the skewed kernel ---- */

static void *skew_make(const stealtree_settings *s) {
    static const uint64_t usual[] = {4096, 16384, 65536};
    uint64_t leaves = s->leaves ? s->leaves : usual[s->scale];
    return skew_new((uint32_t)leaves, bench_rounds((uint32_t)s->leaf_ns));
}

static void skew_check(const stealtree_settings *s, void *problem) {
    const skew *mine = problem;
    skew *right = skew_make(s);
    for (uint64_t i = 0; i < s->iterations; i++) skew_iterate_serially(NULL, right);
    if (mine->sum != right->sum ||
        memcmp(mine->values, right->values, right->leaves * sizeof *right->values))
        bench_fail("skew: iterations made other values than a serial run");
    skew_free(right);
}

static void skew_release(void *problem) { skew_free(problem); }

static const iterative programs[] = {{"heat", heat_root, heat_make, heat_check, heat_release},
                                     {"skew", skew_iterate, skew_make, skew_check, skew_release}};

/* ---- runs ---- */

/* The figures of an iteration, one of each sequence. */
enum { STEALS, KEPT, FRAGMENTS, KB, CPU, WALL, PLAIN_STEALS, PLAIN_CPU, PLAIN_WALL, FIGURES };

typedef struct table {
    double of[ITERATIONS_MAX][FIGURES][SEQUENCES_MAX];
} table;

typedef struct stopwatch {
    uint64_t cpu, wall;
} stopwatch;

static stopwatch start(void) {
    stopwatch w = {spawn_cpu_rested_ns(), 0};
    w.wall = bench_wall_ns();
    return w;
}

static void stop(stopwatch w, double *cpu_ms, double *wall_ms) {
    *wall_ms = (double)(bench_wall_ns() - w.wall) / 1e6;
    *cpu_ms = (double)(spawn_cpu_rested_ns() - w.cpu) / 1e6;
}

static void run_plain(svs_runtime *runtime, const iterative *program, void *problem,
                      double (*figures)[SEQUENCES_MAX], size_t sequence) {
    uint64_t steals = bench_steals(runtime);
    stopwatch watch = start();
    BENCH_OK(svs_async_run(runtime, program->root, problem));
    stop(watch, &figures[PLAIN_CPU][sequence], &figures[PLAIN_WALL][sequence]);
    figures[PLAIN_STEALS][sequence] = (double)(bench_steals(runtime) - steals);
}

static void run_retained(svs_retained *retained, uint32_t workers, const iterative *program,
                         void *problem, double (*figures)[SEQUENCES_MAX], size_t sequence) {
    svs_retained_statistics statistics;
    stopwatch watch = start();
    BENCH_OK(svs_retained_run(retained, program->root, problem));
    stop(watch, &figures[CPU][sequence], &figures[WALL][sequence]);
    BENCH_OK(svs_retained_statistics_get(retained, &statistics));
    figures[STEALS][sequence] = (double)statistics.steals;
    figures[KEPT][sequence] = (double)statistics.kept;
    figures[FRAGMENTS][sequence] = (double)statistics.fragments;
    figures[KB][sequence] = (double)statistics.bytes / 1024 / workers;
}

/* From nothing kept to the last iteration; plain and retained iterations alternate. */
static void run_sequence(const stealtree_settings *s, const iterative *program, int policy,
                         table *t, size_t sequence) {
    uint32_t workers = (uint32_t)s->keepers;
    svs_runtime *runtime = bench_runtime_new((uint32_t)policy, workers);
    svs_runtime *plain_runtime = bench_runtime_new((uint32_t)policy, workers);
    void *problem = program->make(s), *plain = program->make(s);
    svs_retained *retained;
    BENCH_OK(svs_retained_new(runtime, &retained));
    for (uint64_t i = 0; i < s->iterations; i++) {
        run_plain(plain_runtime, program, plain, t->of[i], sequence);
        run_retained(retained, workers, program, problem, t->of[i], sequence);
    }
    program->check(s, problem);
    program->check(s, plain);
    program->release(problem);
    program->release(plain);
    BENCH_OK(svs_retained_free(retained));
    BENCH_OK(svs_runtime_free(runtime));
    BENCH_OK(svs_runtime_free(plain_runtime));
}

/* Of an iteration: each async, and the root. */
static uint64_t tasks_of(const stealtree_settings *s, const iterative *program, int policy) {
    svs_runtime *runtime = bench_runtime_new((uint32_t)policy, 1);
    void *problem = program->make(s);
    svs_trace *trace;
    svs_trace_statistics statistics;
    BENCH_OK(svs_trace_start(runtime, NULL));
    BENCH_OK(svs_async_run(runtime, program->root, problem));
    BENCH_OK(svs_trace_stop(runtime, &trace));
    BENCH_OK(svs_trace_statistics_get(trace, &statistics));
    svs_trace_free(trace);
    program->release(problem);
    BENCH_OK(svs_runtime_free(runtime));
    return statistics.asyncs + 1;
}

static void report(const stealtree_settings *s, const iterative *program, int policy, table *t,
                   uint64_t tasks) {
    double enumerated = (double)(tasks * ENTRY_BYTES) / 1024 / (double)s->keepers;
    bench_table_line("\nFigure 10: %s, %s, %llu workers, medians of %llu sequences; explicit "
                     "enumeration of %llu tasks: %.3f KB a worker\n%9s %8s %8s %9s %9s %9s %9s "
                     "| %8s %9s %9s",
                     program->name, stealtree_policies[policy], (unsigned long long)s->keepers,
                     (unsigned long long)s->storage_runs, (unsigned long long)tasks, enumerated,
                     "iteration", "steals", "kept", "fragments", "KB/worker", "CPU ms", "wall ms",
                     "plain st", "CPU ms", "wall ms");
    for (uint64_t i = 0; i < s->iterations; i++) {
        double m[FIGURES];
        for (int k = 0; k < FIGURES; k++) m[k] = bench_median(t->of[i][k], s->storage_runs);
        bench_table_line("%9llu %8.0f %8.0f %9.0f %9.3f %9.2f %9.2f | %8.0f %9.2f %9.2f",
                         (unsigned long long)i + 1, m[STEALS], m[KEPT], m[FRAGMENTS], m[KB], m[CPU],
                         m[WALL], m[PLAIN_STEALS], m[PLAIN_CPU], m[PLAIN_WALL]);
        bench_row("bench=stealtree figure=10 program=%s policy=%s workers=%llu iteration=%llu "
                  "steals=%.0f kept=%.0f fragments=%.0f kb_worker=%.4f kb_worker_enumerated=%.4f "
                  "cpu_ms=%.3f wall_ms=%.3f plain_steals=%.0f plain_cpu_ms=%.3f plain_wall_ms=%.3f "
                  "tasks=%llu",
                  program->name, stealtree_policies[policy], (unsigned long long)s->keepers,
                  (unsigned long long)i + 1, m[STEALS], m[KEPT], m[FRAGMENTS], m[KB], enumerated,
                  m[CPU], m[WALL], m[PLAIN_STEALS], m[PLAIN_CPU], m[PLAIN_WALL],
                  (unsigned long long)tasks);
    }
}

void stealtree_figure_10(const stealtree_settings *s) {
    table *t = bench_allocate(1, sizeof *t);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (int policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
            if (s->policy >= 0 && s->policy != policy) continue;
            for (size_t sequence = 0; sequence < s->storage_runs; sequence++)
                run_sequence(s, &programs[i], policy, t, sequence);
            report(s, &programs[i], policy, t, tasks_of(s, &programs[i], policy));
        }
    free(t);
}
