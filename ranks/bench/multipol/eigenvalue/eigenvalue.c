/* Eigenvalue (section 2.2.3.3 of Wen's thesis): all eigenvalues of a symmetric tridiagonal matrix,
 * over ranks, serially, and by LAPACK.
 *
 *     bench_multipol_eigenvalue --input T.dat.xz --reference T.dstebz.xz --transport local:2
 *     bench_multipol_eigenvalue --rows 300 --check           // each way is the serial result
 *
 * A row has what one run took; --output writes the eigenvalues with 17 digits. */
#include "eigenvalue.h"
#include "eigenvalue_ranks.h"
#include "multipol/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *input, *reference, *output, *transport, *name;
    uint64_t rows, rounds, seed, bytes, seeds;
    uint32_t strategy, intervals, network, engine;
    bool check;
} settings;

static const char *const strategies[] = {"stealing", "pushing", NULL};
static const char *const intervals[] = {"sent", "fetched", NULL};
static const char *const networks[] = {"random", "ring", "hypercube", "crossbar", NULL};
static const char *const engines[] = {"ranks", "serial", "dstebz", NULL};

static settings said = {.name = "local", .rows = 1000, .rounds = 1, .bytes = 16384, .seeds = 20};

static const option_row rows[] = {
    {"input", 'i', "FILE", "A matrix: n, and n lines `i d_i e_i` (.xz too)", 0,
     OPTION_TEXT(settings, input)},
    {"rows", 'n', "N", "Of a random matrix, without an input (1000)", 0,
     OPTION_NUMBER(settings, rows, 1, 1000000)},
    {"reference", 'r', "FILE", "The eigenvalues, for the check", 0,
     OPTION_TEXT(settings, reference)},
    {"output", 'o', "FILE", "Where to write the eigenvalues", 0, OPTION_TEXT(settings, output)},
    {"strategy", 's', "NAME", "stealing or pushing", 1,
     OPTION_CHOICE(settings, strategy, strategies)},
    {"intervals", 0, "HOW", "sent with the tasks, or fetched", 1,
     OPTION_CHOICE(settings, intervals, intervals)},
    {"network", 0, "NAME", "random, ring, hypercube or crossbar", 1,
     OPTION_CHOICE(settings, network, networks)},
    {"bytes", 'b', "N", "Of a buffer of records (16384); 0: each is sent alone", 1,
     OPTION_NUMBER(settings, bytes, 0, 1 << 24)},
    {"seed", 0, "N", "Of random choices", 1, OPTION_NUMBER(settings, seed, 0, UINT64_MAX)},
    {"engine", 'e', "NAME", "ranks, serial or dstebz", 1, OPTION_CHOICE(settings, engine, engines)},
    {"rounds", 0, "N", "Runs, a row each (1)", 2, OPTION_NUMBER(settings, rounds, 1, 1000)},
    {"check", 'c', NULL, "Compares all ways, with several seeds, with the serial result", 2,
     OPTION_FLAG(settings, check)},
    {"seeds", 0, "N", "Of the check (20)", 2, OPTION_NUMBER(settings, seeds, 1, 1000)},
    PROGRAM_OPTIONS(settings),
    OPTION_END};

static matrix given;
static double *expected, *reference; /* serially; of another program, or NULL */

/* ---- results ---- */

static const char *input_name(void) {
    const char *slash = said.input == NULL ? NULL : strrchr(said.input, '/');
    return said.input == NULL ? "random" : slash == NULL ? said.input : slash + 1;
}

static void write_values(const double *values) {
    FILE *to = fopen(said.output, "w");
    if (to == NULL) bench_fail("%s: cannot be written", said.output);
    for (uint32_t i = 0; i < given.n; i++) fprintf(to, "%.17g\n", values[i]);
    if (fclose(to) != 0) bench_fail("%s: cannot be written", said.output);
}

static bool verify(const double *values) {
    const char *wrong = eigenvalues_check(&given, values, reference);
    if (wrong != NULL) fprintf(stderr, "eigenvalue: %s\n", wrong);
    if (said.output != NULL) write_values(values);
    return wrong == NULL;
}

static void head(const char *strategy) {
    printf("bench=multipol figure=5.5 program=eigenvalue input=%.*s n=%u ",
           (int)strcspn(input_name(), "."), input_name(), given.n);
    printf("strategy=%s ", strategy);
}

/* ---- one thread ---- */

static int run_alone(void) {
    double *values = bench_allocate(given.n, sizeof *values);
    bool good = true;
    for (uint64_t round = 0; round < said.rounds; round++) {
        uint64_t begun = bench_wall_ns(), cpu = bench_cpu_ns(), ns;
        if (said.engine == 1) (void)eigenvalues_serial(&given, values);
        else if (!eigenvalues_dstebz(&given, values))
            bench_fail("dstebz is not there: LAPACK was not found when this was built");
        ns = bench_wall_ns() - begun;
        cpu = bench_cpu_ns() - cpu;
        good = verify(values) && good;
        head(engines[said.engine]);
        printf("s=%.6f cpu_s=%.6f verified=%s\n", (double)ns / 1e9, (double)cpu / 1e9,
               good ? "yes" : "no");
    }
    free(values);
    return !good;
}

/* ---- over ranks ---- */

static void print_row(const run_counts *of, const way *by, uint32_t ranks, bool good) {
    head(strategies[by->pushes]);
    printf("intervals=%s network=%s ranks=%u transport=%s bytes=%llu s=%.6f cpu_s=%.6f idle_s=%.6f "
           "tasks=%llu local=%llu migrated=%llu requests=%llu counts=%llu messages=%llu "
           "message_bytes=%llu verified=%s\n",
           intervals[by->fetches], by->pushes ? "none" : networks[by->network], ranks, said.name,
           (unsigned long long)said.bytes, (double)of->ns / 1e9, (double)of->cpu_ns / 1e9,
           (double)of->idle_ns / 1e9, (unsigned long long)of->tasks, (unsigned long long)of->local,
           (unsigned long long)of->migrated, (unsigned long long)of->requests,
           (unsigned long long)of->counts, (unsigned long long)of->messages,
           (unsigned long long)of->bytes, good ? "yes" : "no");
    (void)fflush(stdout);
}

static bool is_expected(const double *values) {
    return memcmp(values, expected, given.n * sizeof *values) == 0;
}

static svs_status run_rounds(eigenvalue_part *part, uint32_t rank, uint32_t ranks, double *values,
                             bool *good) {
    svs_status status = SVS_OK;
    for (uint64_t round = 0; round < said.rounds && status == SVS_OK; round++) {
        way by = {said.strategy == 1, said.intervals == 1, (svs_stealer_network)said.network,
                  said.seed + round};
        run_counts counts;
        status = eigenvalues_run(part, &by, values, &counts);
        if (status != SVS_OK || rank != 0) continue;
        *good = verify(values) && is_expected(values) && *good;
        print_row(&counts, &by, ranks, *good);
    }
    return status;
}

/* All ways and seeds. */
static svs_status run_check(eigenvalue_part *part, uint32_t rank, uint32_t ranks, double *values,
                            bool *good) {
    svs_status status = SVS_OK;
    uint64_t runs = 0, tasks = 0, migrated = 0;
    for (uint64_t seed = 0; seed < said.seeds; seed++)
        for (uint32_t i = 0; i < 4 && status == SVS_OK; i++) {
            way by = {i % 2 == 1, i / 2 == 1, (svs_stealer_network)(seed % 4), said.seed + seed};
            run_counts counts;
            status = eigenvalues_run(part, &by, values, &counts);
            *good = *good && is_expected(values) && counts.tasks % 2 == 1;
            tasks += counts.tasks;
            migrated += counts.migrated;
            runs++;
        }
    if (rank == 0)
        printf("eigenvalue: %u ranks over %s: %llu runs, %llu tasks, %llu of them migrated: %s\n",
               ranks, said.transport == NULL ? said.name : said.transport, (unsigned long long)runs,
               (unsigned long long)tasks, (unsigned long long)migrated,
               *good ? "bitwise equal" : "different");
    return status;
}

typedef struct outcome {
    double *values;
    eigenvalue_part *part; /* lives as long as the rank */
    bool good;
} outcome;

static svs_status run_all(svs_ranks *ranks, void *argument) {
    outcome *of = argument;
    of->part = eigenvalue_part_new(ranks, &given);
    return (said.check ? run_check : run_rounds)(of->part, svs_ranks_index(ranks),
                                                 svs_ranks_count(ranks), of->values, &of->good);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    outcome of = {bench_allocate(given.n, sizeof(double)), NULL, true};
    int failed = program_rank(transport, "eigenvalue", said.bytes, run_all, &of);
    (void)argc, (void)argv;
    eigenvalue_part_free(of.part);
    free(of.values);
    return failed || !of.good;
}

static void read_files(void) {
    const char *failed = NULL;
    if (said.input == NULL) matrix_generate(&given, (uint32_t)said.rows, 1 + said.seed);
    else failed = matrix_read(&given, said.input);
    if (failed == NULL && said.reference != NULL) {
        reference = bench_allocate(given.n, sizeof *reference);
        failed = values_read(reference, given.n, said.reference);
    }
    if (failed != NULL) bench_fail("%s", failed);
}

int main(int argc, char **argv) {
    static const option_program command = {.rows = rows,
                                           .text = "Eigenvalues by bisection over ranks."};
    int result;
    options_read(&command, argc, argv, &said);
    read_files();
    if (said.engine != 0) return run_alone();
    expected = bench_allocate(given.n, sizeof *expected);
    (void)eigenvalues_serial(&given, expected);
    if (said.check && eigenvalues_check(&given, expected, reference) != NULL)
        bench_fail("the serial result is wrong: %s",
                   eigenvalues_check(&given, expected, reference));
    result = program_start("eigenvalue", said.transport, program);
    free(expected);
    free(reference);
    matrix_free(&given);
    return result;
}
