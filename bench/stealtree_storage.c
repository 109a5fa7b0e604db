/* Figure 5: KB of trace for each worker, as the number of workers grows beyond that of processors.
 * Once in a file of ours, times included, and once by the formulas of section 7.3. */
#include "stealtree.h"

#include <math.h>

typedef struct storage {
    double file, formula, steals; /* means; of a worker: KB, KB, number */
    double file_deviation;
} storage;

static storage measure(const stealtree_settings *s, const stealtree_problem *problem, int policy,
                       uint32_t workers) {
    svs_runtime *runtime = bench_runtime_new((uint32_t)policy, workers);
    storage sum = {0, 0, 0, 0};
    double squares = 0, n = (double)s->storage_runs;
    for (size_t i = 0; i < s->storage_runs; i++) {
        stealtree_run run = stealtree_run_once(problem, runtime, true);
        double file = run.file_bytes / 1024 / workers;
        sum.file += file / n;
        squares += file * file / n;
        sum.formula += (double)run.trace.bytes_paper / 1024 / workers / n;
        sum.steals += (double)run.trace.steals / workers / n;
    }
    sum.file_deviation = sqrt(fmax(0, squares - sum.file * sum.file));
    stealtree_problem_check(problem);
    BENCH_OK(svs_runtime_free(runtime));
    return sum;
}

static void report(size_t program, int policy, uint32_t workers, const storage *m, uint64_t runs) {
    bench_table_line("%-10s %-10s %7u %9.3f %7.3f %9.3f %9.1f", stealtree_program_names[program],
                     stealtree_policies[policy], workers, m->file, m->file_deviation, m->formula,
                     m->steals);
    bench_row("bench=stealtree figure=5 program=%s policy=%s workers=%u kb_worker=%.4f "
              "kb_worker_deviation=%.4f kb_worker_formula=%.4f steals_worker=%.2f runs=%llu",
              stealtree_program_names[program], stealtree_policies[policy], workers, m->file,
              m->file_deviation, m->formula, m->steals, (unsigned long long)runs);
}

void stealtree_figure_5(const stealtree_settings *s) {
    bench_table_line("\nFigure 5: KB of trace for each worker, on %u processors; means of %llu "
                     "runs\n%-10s %-10s %7s %9s %7s %9s %9s",
                     bench_cpus(), (unsigned long long)s->storage_runs, "program", "policy",
                     "workers", "KB file", "+-", "formula", "steals");
    for (size_t program = 0; program < STEALTREE_PROGRAMS; program++) {
        stealtree_problem problem;
        if (s->program >= 0 && (size_t)s->program != program) continue;
        problem = stealtree_problem_make(program, s->scale);
        for (int policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
            if (s->policy >= 0 && s->policy != policy) continue;
            for (size_t i = 0; i < s->workers.count; i++) {
                uint32_t workers = (uint32_t)s->workers.values[i];
                storage m = measure(s, &problem, policy, workers);
                report(program, policy, workers, &m, s->storage_runs);
            }
        }
        stealtree_problem_free(&problem);
    }
}
