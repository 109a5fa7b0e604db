/* Groebner bases (section 2.3.2 of Wen's thesis): Buchberger's algorithm over ranks, and serially.
 *
 *     bench_multipol_groebner --system cyclic --n 6 --transport local:2
 *     bench_multipol_groebner --input FILE --engine serial --output BASIS
 *
 * A row has what one run took. The result over ranks is compared term by term with the serial one;
 * and that is checked, once, by code that shares nothing with either. */
#include "groebner.h"
#include "common.h"
#include "groebner_ranks.h"
#include "multipol/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *input, *output, *transport, *name;
    uint64_t n, modulus, rounds, seed, bytes, cache, workers;
    uint32_t which, engine;
} settings;

static const char *const known_systems[] = {"cyclic", "katsura", NULL};
static const char *const engines[] = {"ranks", "serial", NULL};

static settings said = {.name = "local",
                        .n = 5,
                        .modulus = 32003,
                        .rounds = 1,
                        .bytes = 16384,
                        .cache = 16 << 20,
                        .workers = 2};

static const option_row rows[] = {
    {"input", 'i', "FILE", "A system: `variables x y`, `modulus P`, a polynomial a line (.xz too)",
     0, OPTION_TEXT(settings, input)},
    {"system", 's', "NAME", "cyclic or katsura, without an input", 0,
     OPTION_CHOICE(settings, which, known_systems)},
    {"n", 'n', "N", "... of this size (5)", 0, OPTION_NUMBER(settings, n, 1, GROEBNER_VARIABLES)},
    {"modulus", 'm', "P", "... over this prime field (32003)", 0,
     OPTION_NUMBER(settings, modulus, 2, INT32_MAX)},
    {"output", 'o', "FILE", "Where to write the reduced basis", 0, OPTION_TEXT(settings, output)},
    {"cache", 'c', "BYTES", "Of copies on a rank (16 MiB); 1: none are kept", 1,
     OPTION_NUMBER(settings, cache, 1, UINT64_MAX)},
    {"workers", 'w', "N", "Threads of a rank (2)", 1, OPTION_NUMBER(settings, workers, 1, 64)},
    {"bytes", 'b', "N", "Of a buffer of records (16384)", 1,
     OPTION_NUMBER(settings, bytes, 0, 1 << 24)},
    {"seed", 0, "N", "Of random choices", 1, OPTION_NUMBER(settings, seed, 0, UINT64_MAX)},
    {"engine", 'e', "NAME", "ranks or serial", 1, OPTION_CHOICE(settings, engine, engines)},
    {"rounds", 0, "N", "Runs, a row each (1)", 2, OPTION_NUMBER(settings, rounds, 1, 1000)},
    PROGRAM_OPTIONS(settings),
    OPTION_END};

static system_of_polynomials given, expected;

/* ---- results ---- */

static void head(const char *engine) {
    const char *slash = said.input == NULL ? NULL : strrchr(said.input, '/');
    printf("bench=multipol figure=groebner program=groebner ");
    if (said.input == NULL) printf("input=%s-%u ", known_systems[said.which], (unsigned)said.n);
    else printf("input=%s ", slash == NULL ? said.input : slash + 1);
    printf("modulus=%u engine=%s ", (unsigned)given.modulus, engine);
}

static uint64_t count_terms(const system_of_polynomials *s) {
    uint64_t terms = 0;
    for (uint32_t i = 0; i < s->count; i++) terms += s->of[i].count;
    return terms;
}

static void tail(const system_of_polynomials *basis, bool good) {
    printf("elements=%u terms=%llu verified=%s\n", (unsigned)basis->count,
           (unsigned long long)count_terms(basis), good ? "yes" : "no");
    (void)fflush(stdout);
}

static void write_basis(void) {
    size_t bytes = system_print(&expected, NULL, 0);
    char *text = bench_allocate(bytes + 1, 1);
    FILE *to = fopen(said.output, "w");
    (void)system_print(&expected, text, bytes + 1);
    if (to == NULL || fwrite(text, 1, bytes, to) != bytes || fclose(to) != 0)
        bench_fail("%s: cannot be written", said.output);
    free(text);
}

/* ---- one thread ---- */

static int run_serial(bool good) {
    for (uint64_t round = 0; round < said.rounds; round++) {
        uint64_t begun = bench_wall_ns(), cpu = bench_cpu_ns(), ns;
        system_of_polynomials basis;
        basis_counts counts;
        basis_serial(&given, &basis, &counts);
        ns = bench_wall_ns() - begun;
        cpu = bench_cpu_ns() - cpu;
        head("serial");
        printf("s=%.6f cpu_s=%.6f tasks=%llu covered=%llu zeros=%llu steps=%llu ", (double)ns / 1e9,
               (double)cpu / 1e9, (unsigned long long)counts.pairs,
               (unsigned long long)counts.covered, (unsigned long long)counts.zeros,
               (unsigned long long)counts.steps);
        tail(&basis, good);
        system_free(&basis);
    }
    return !good;
}

/* ---- over ranks ---- */

static void print_row(const groebner_counts *of, uint32_t ranks, const system_of_polynomials *basis,
                      bool good) {
    uint64_t read = of->hit_bytes + of->fetched_bytes;
    head("ranks");
    printf("ranks=%u transport=%s bytes=%llu cache=%llu workers=%u s=%.6f cpu_s=%.6f idle_s=%.6f ",
           ranks, said.name, (unsigned long long)said.bytes, (unsigned long long)said.cache,
           (unsigned)said.workers, (double)of->ns / 1e9, (double)of->cpu_ns / 1e9,
           (double)of->idle_ns / 1e9);
    printf("tasks=%llu migrated=%llu covered=%llu zeros=%llu again=%llu steps=%llu ",
           (unsigned long long)of->tasks, (unsigned long long)of->migrated,
           (unsigned long long)of->covered, (unsigned long long)of->zeros,
           (unsigned long long)of->again, (unsigned long long)of->steps);
    printf("hits=%llu requests=%llu fetches=%llu fetched_bytes=%llu saved=%.4f replacements=%llu "
           "messages=%llu message_bytes=%llu ",
           (unsigned long long)of->hits, (unsigned long long)of->requests,
           (unsigned long long)of->fetches, (unsigned long long)of->fetched_bytes,
           read == 0 ? 1.0 : (double)of->hit_bytes / (double)read,
           (unsigned long long)of->replacements, (unsigned long long)of->messages,
           (unsigned long long)of->bytes);
    tail(basis, good);
}

static svs_status run_rounds(svs_ranks *ranks, void *argument) {
    bool *good = argument;
    svs_status status = SVS_OK;
    for (uint64_t round = 0; round < said.rounds && status == SVS_OK; round++) {
        groebner_way by = {said.cache, (uint32_t)said.workers, said.seed + round};
        system_of_polynomials basis;
        groebner_counts counts;
        status = groebner_run(ranks, &given, &by, &basis, &counts);
        if (status == SVS_OK && svs_ranks_index(ranks) == 0) {
            *good = *good && system_is_equal(&basis, &expected);
            print_row(&counts, svs_ranks_count(ranks), &basis, *good);
        }
        system_free(&basis);
    }
    return status;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    bool good = true;
    int failed = program_rank(transport, "groebner", said.bytes, run_rounds, &good);
    (void)argc, (void)argv;
    return failed || !good;
}

static void make_input(void) {
    char fault[GROEBNER_FAULT];
    uint32_t modulus = (uint32_t)said.modulus;
    if (said.input != NULL) {
        if (!system_read(&given, said.input, fault)) bench_fail("%s", fault);
        return;
    }
    if (!field_is_prime(modulus)) bench_fail("the modulus %u is no prime", (unsigned)modulus);
    if (!system_make(&given, known_systems[said.which], (uint32_t)said.n, modulus))
        bench_fail("there is no %s-%u: n is 2 to 15 for cyclic, and 1 to 14 for katsura",
                   known_systems[said.which], (unsigned)said.n);
}

int main(int argc, char **argv) {
    static const option_program command = {.rows = rows, .text = "Groebner bases over ranks."};
    char fault[GROEBNER_FAULT];
    basis_counts counts;
    bool good;
    int result;
    options_read(&command, argc, argv, &said);
    make_input();
    basis_serial(&given, &expected, &counts);
    good = basis_check(&given, &expected, fault);
    if (!good) fprintf(stderr, "groebner: the serial result is wrong: %s\n", fault);
    if (said.output != NULL) write_basis();
    if (said.engine == 1) result = run_serial(good);
    else result = program_start("groebner", said.transport, program) || !good;
    system_free(&expected);
    system_free(&given);
    return result;
}
