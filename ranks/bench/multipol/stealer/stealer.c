/* The task stealer: what its tasks and steals cost, and how many requests they take.
 *
 *     bench_multipol_stealer --work empty --transport local:1
 *     bench_multipol_stealer --work requests --network ring --tasks 2000 --transport sim:64:1
 *
 * A row for each round. */
#include "stealer.h"
#include "multipol/program.h"

#include <stdio.h>

static const char *const names[] = {"empty", "steps", "spin", "requests", NULL};
static stealer_work *const works[] = {stealer_empty, stealer_steps, stealer_spin, stealer_spin};
static const char *const networks[] = {"random", "ring", "hypercube", "crossbar", NULL};

static stealer_settings said = {
    .name = "local", .tasks = 100000, .ns = 20000, .rounds = 1, .bytes = 16384};

static const option_row rows[] = {
    {"work", 'w', "NAME",
     "empty: local tasks and FIFO fibers; steps: steals and round trips; spin: tasks of --ns; "
     "requests: tasks of no length",
     0, OPTION_CHOICE(stealer_settings, work, names)},
    {"tasks", 'n', "N", "Of a round (100000)", 0,
     OPTION_NUMBER(stealer_settings, tasks, 1, 1u << 30)},
    {"ns", 0, "N", "Of a task of spin (20000)", 0,
     OPTION_NUMBER(stealer_settings, ns, 1, 1000000000)},
    {"network", 0, "NAME", "random, ring, hypercube or crossbar", 0,
     OPTION_CHOICE(stealer_settings, network, networks)},
    {"bytes", 'b', "N", "Of a buffer of records (16384)", 0,
     OPTION_NUMBER(stealer_settings, bytes, 0, 1 << 24)},
    {"seed", 0, "N", "Of random victims", 0, OPTION_NUMBER(stealer_settings, seed, 0, UINT64_MAX)},
    {"rounds", 'r', "N", "Rows (1)", 0, OPTION_NUMBER(stealer_settings, rounds, 1, 1000)},
    PROGRAM_OPTIONS(stealer_settings),
    OPTION_END};

static double each(uint64_t ns) { return (double)ns / (double)said.tasks; }

/* Was each task run? Of steps rank 1 counts its own, and runs some of the others at the end. */
static bool is_right(const stealer_result *of) {
    return said.work == 1 ? of->of.completed >= said.tasks : of->of.completed == said.tasks;
}

static void print_row(uint32_t ranks, const stealer_result *of, uint64_t bare_ns) {
    printf("bench=multipol program=stealer work=%s ranks=%u transport=%s network=%s bytes=%llu "
           "tasks=%llu ",
           names[said.work], ranks, said.name, networks[said.network],
           (unsigned long long)said.bytes, (unsigned long long)said.tasks);
    if (said.work == 0)
        printf("ns_task=%.1f ns_fiber=%.1f ratio_fiber=%.3f", each(of->ns), each(of->other_ns),
               (double)of->ns / (double)of->other_ns);
    if (said.work == 1)
        printf("us_steal=%.3f us_trip=%.3f ratio_trip=%.3f", each(of->ns) / 1e3,
               each(of->other_ns) / 1e3, (double)of->ns / (double)of->other_ns);
    if (said.work == 2) printf("s=%.6f bare_s=%.6f ", (double)of->ns / 1e9, (double)bare_ns / 1e9);
    if (said.work >= 2)
        printf("migrated=%llu requests=%llu refusals=%llu lifelines=%llu requests_migrated=%.3f",
               (unsigned long long)of->of.migrated, (unsigned long long)of->of.requests,
               (unsigned long long)of->of.refusals, (unsigned long long)of->of.lifelines,
               (double)(of->of.requests + of->of.lifelines) /
                   (double)(of->of.migrated != 0 ? of->of.migrated : 1));
    printf(" cpu_s=%.6f verified=%s\n", (double)of->cpu_ns / 1e9, is_right(of) ? "yes" : "no");
    (void)fflush(stdout);
}

static svs_status run_all(svs_ranks *ranks, void *none) {
    svs_status status = SVS_OK;
    (void)none;
    for (uint64_t round = 0; round < said.rounds && status == SVS_OK; round++) {
        stealer_settings chosen = said;
        stealer_result result = {0};
        uint64_t bare_ns = said.work == 2 ? bare_spin(&said) : 0;
        chosen.seed += round;
        if (said.work == 3) chosen.ns = 0;
        status = works[said.work](ranks, &chosen, &result);
        if (status == SVS_OK && svs_ranks_index(ranks) == (said.work == 1))
            print_row(svs_ranks_count(ranks), &result, bare_ns);
    }
    return status;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    (void)argc, (void)argv;
    return program_rank(transport, "stealer", said.bytes, run_all, NULL);
}

int main(int argc, char **argv) {
    static const option_program command = {.rows = rows, .text = "The costs of the task stealer."};
    options_read(&command, argc, argv, &said);
    return program_start("stealer", said.transport, program);
}
