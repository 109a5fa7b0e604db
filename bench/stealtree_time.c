/* Figure 4: the cost of tracing, as the ratio of the mean times with and without it.
 *
 * Runs with and without alternate, in pairs, and so does the order within a pair. A run is the
 * least of REPEATS, as other load on the machine makes a run longer, never shorter. The ratio is
 * that of CPU times, as tracing adds work, and wall time depends mostly on other processes; the
 * ratio of wall times is next to it. Its confidence interval is that of a ratio of paired means
 * (Student's t, one degree of freedom less than there are pairs). */
#include "stealtree.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 5 };

typedef struct ratio {
    double value, ci99; /* value +- ci99 */
} ratio;

static double mean(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    return sum / (double)count;
}

static ratio ratio_of(const double *with, const double *without, size_t pairs) {
    ratio r = {mean(with, pairs) / mean(without, pairs), 0};
    double squares = 0, n = (double)pairs;
    for (size_t i = 0; i < pairs; i++) {
        double rest = with[i] - r.value * without[i];
        squares += rest * rest;
    }
    r.ci99 = student_quantile(0.995, n - 1) * sqrt(squares / (n - 1) / n) / mean(without, pairs);
    return r;
}

typedef struct pairs {
    double cpu[2][STEALTREE_RUNS_MAX], wall[2][STEALTREE_RUNS_MAX]; /* [traced][run] */
    double steals;                                                  /* of all traced runs */
} pairs;

static void measure(const stealtree_settings *s, const stealtree_problem *problem, int policy,
                    pairs *p) {
    svs_runtime *runtime = bench_runtime_new((uint32_t)policy, (uint32_t)s->threads);
    (void)stealtree_run_once(problem, runtime, true); /* touches the memory */
    p->steals = 0;
    for (size_t i = 0; i < s->runs; i++)
        for (size_t turn = 0; turn < 2 * REPEATS; turn++) {
            size_t traced = (turn + i) % 2;
            stealtree_run run = stealtree_run_once(problem, runtime, traced);
            p->cpu[traced][i] = turn < 2 ? run.cpu_ns : fmin(p->cpu[traced][i], run.cpu_ns);
            p->wall[traced][i] = turn < 2 ? run.wall_ns : fmin(p->wall[traced][i], run.wall_ns);
            if (traced) p->steals += (double)run.trace.steals / REPEATS;
        }
    stealtree_problem_check(problem);
    BENCH_OK(svs_runtime_free(runtime));
}

static void report(const stealtree_settings *s, size_t program, int policy, const pairs *p) {
    ratio cpu = ratio_of(p->cpu[1], p->cpu[0], s->runs);
    ratio wall = ratio_of(p->wall[1], p->wall[0], s->runs);
    double ms = mean(p->cpu[0], s->runs) / 1e6, steals = p->steals / (double)s->runs;
    bench_table_line("%-10s %-10s %9.1f %8.1f %8.4f +-%.4f %8.4f   %8.4f +-%.4f",
                     stealtree_program_names[program], stealtree_policies[policy], ms, steals,
                     cpu.value, cpu.ci99, cpu.value + cpu.ci99, wall.value, wall.ci99);
    bench_row("bench=stealtree figure=4 program=%s policy=%s threads=%llu runs=%llu ratio=%.5f "
              "ci99=%.5f upper99=%.5f time=cpu wall_ratio=%.5f wall_ci99=%.5f cpu_ms=%.3f "
              "steals=%.1f",
              stealtree_program_names[program], stealtree_policies[policy],
              (unsigned long long)s->threads, (unsigned long long)s->runs, cpu.value, cpu.ci99,
              cpu.value + cpu.ci99, wall.value, wall.ci99, ms, steals);
}

void stealtree_figure_4(const stealtree_settings *s) {
    static pairs p;
    bench_table_line("\nFigure 4: time with tracing over time without; %llu pairs of runs, %llu "
                     "workers\n%-10s %-10s %9s %8s %8s %8s %8s   %8s",
                     (unsigned long long)s->runs, (unsigned long long)s->threads, "program",
                     "policy", "CPU ms", "steals", "ratio", "99%", "upper", "of wall");
    for (size_t program = 0; program < STEALTREE_PROGRAMS; program++) {
        stealtree_problem problem;
        if (s->program >= 0 && (size_t)s->program != program) continue;
        problem = stealtree_problem_make(program, s->scale);
        for (int policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
            if (s->policy >= 0 && s->policy != policy) continue;
            measure(s, &problem, policy, &p);
            report(s, program, policy, &p);
        }
        stealtree_problem_free(&problem);
    }
    bench_table_line("(the paper, on 32 cores of POWER 7: within run-to-run variation)");
}
