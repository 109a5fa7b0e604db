/* Figure 9: by how much the steal tree shortens the walks to the lowest common ancestor of two
 * steps. Each query of a run is answered in all three ways, so the edges are those of the same
 * queries. A worker that gives its CPU away at each spawn lets others steal: so two CPUs have the
 * working phases of a large machine. */
#include "racecheck.h"

#include <stdio.h>
#include <string.h>

static double reduction(double less, double edges) {
    return edges > 0 ? 100 * (1 - less / edges) : 0;
}

static void report(const racecheck_program *program, int policy, uint64_t workers,
                   const racecheck_run *run) {
    double labels = run->edges[0], steal_tree = run->edges[1], walk = run->edges[2];
    bench_table_line("%-10s %-10s %7llu %9.0f %10.0f %11.0f %11.0f %11.0f %8.1f%% %8.1f%%",
                     program->subject, racecheck_policies[policy], (unsigned long long)workers,
                     run->phases, run->queries, walk, steal_tree, labels,
                     reduction(steal_tree, walk), reduction(labels, walk));
    bench_row("bench=racecheck figure=9 program=%s policy=%s workers=%llu walk_edges=%.0f "
              "stealtree_edges=%.0f label_edges=%.0f reduction_pct=%.2f label_reduction_pct=%.2f "
              "queries=%.0f phases=%.0f accesses=%.0f lost=%.0f merged=%.0f mb=%.1f",
              program->subject, racecheck_policies[policy], (unsigned long long)workers, walk,
              steal_tree, labels, reduction(steal_tree, walk), reduction(labels, walk),
              run->queries, run->phases, run->accesses, run->lost, run->merged, run->peak_mb);
}

static bool measure(const racecheck_settings *s, const racecheck_program *program, int compiler,
                    int policy) {
    char options[80];
    bool good = true;
    racecheck_order order = {
        .compiler = compiler,
        .way = RACECHECK_OURS,
        .policy = policy,
        .program = program,
        .size = program->sizes[s->scale == RACECHECK_QUICK ? RACECHECK_QUICK : RACECHECK_FIGURE_9],
        .options = options};
    snprintf(options, sizeof options, "compare=1:yield_one_in=%llu:seed=%u",
             (unsigned long long)s->yield_one_in, BENCH_SEED);
    for (size_t i = 0; i < s->workers.count; i++) {
        racecheck_run run;
        order.threads = s->workers.values[i];
        if (racecheck_run_once(s, &order, &run)) report(program, policy, order.threads, &run);
        else good = false;
    }
    return good;
}

/* By either name. */
static bool is_wanted(const racecheck_settings *s, int p) {
    return s->program < 0 || s->program == p ||
           strcmp(racecheck_programs[s->program].name, racecheck_programs[p].subject) == 0;
}

bool racecheck_figure_9(const racecheck_settings *s) {
    bool good = true;
    int compiler =
        racecheck_is_there(s, RACECHECK_GCC, RACECHECK_OURS) ? RACECHECK_GCC : RACECHECK_CLANG;
    if (!racecheck_is_there(s, compiler, RACECHECK_OURS)) {
        bench_table_line("\nFigure 9 is left out: no subject was built for svs::check");
        return true;
    }
    bench_table_line("\nFigure 9: edges walked for the same queries, by each way; workers give "
                     "their CPU away at one spawn in %llu (0: never)\n"
                     "%-10s %-10s %7s %9s %10s %11s %11s %11s %9s %9s",
                     (unsigned long long)s->yield_one_in, "program", "policy", "workers", "phases",
                     "queries", "walk", "steal tree", "labels", "saved", "by labels");
    for (int p = 0; p < RACECHECK_PROGRAMS; p++) {
        if (!racecheck_programs[p].figure_9 || !is_wanted(s, p)) continue;
        for (int policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++)
            if (s->policy < 0 || s->policy == policy)
                good = measure(s, &racecheck_programs[p], compiler, policy) && good;
    }
    bench_table_line("(the paper, 1 to 32 cores of POWER 7: over 70%% for heat, 50 to 60%% for "
                     "matmul, over 30%% for nbody, 40 to 50%% for lu, 20 to 30%% for allqueens)");
    return good;
}
