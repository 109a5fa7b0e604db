/* Phylogeny (section 2.2.3.4 of Wen's thesis): the maximal sets of characters that have a perfect
 * phylogeny, over ranks, and serially with and without stores.
 *
 *     bench_multipol_phylogeny --input primates.phy --transport local:2 --svg tree.svg
 *     bench_multipol_phylogeny --characters 30 --check      // each way gives the serial result
 *
 * A row has what one run took. */
#include "phylogeny.h"
#include "multipol/program.h"
#include "phylogeny_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *input, *newick, *svg, *sets, *transport, *name;
    uint64_t rounds, seed, bytes, seeds;
    uint32_t species, characters, states, percent;
    uint32_t strategy, combine, every, network, engine;
    bool uncured, check;
} settings;

static const char *const strategies[] = {"stealing", "pushing", NULL};
static const char *const combines[] = {"never", "empty", "tasks", NULL};
static const char *const networks[] = {"random", "ring", "hypercube", "crossbar", NULL};
static const char *const engines[] = {"ranks", "serial", "plain", NULL};

static settings said = {.name = "local",
                        .species = 14,
                        .characters = 40,
                        .states = 4,
                        .percent = 90,
                        .combine = COMBINE_EMPTY,
                        .every = 1000,
                        .rounds = 1,
                        .bytes = 16384,
                        .seeds = 4};

static const option_row rows[] = {
    {"input", 'i', "FILE", "Species, as an interleaved file of PHYLIP (.xz too)", 0,
     OPTION_TEXT(settings, input)},
    {"species", 0, "N", "Random ones, without an input (14)", 0,
     OPTION_NUMBER(settings, species, 2, SPECIES_MAX)},
    {"characters", 0, "N", "Of random species (40)", 0,
     OPTION_NUMBER(settings, characters, 1, CHARACTERS_MAX)},
    {"states", 0, "N", "Of each random character (4)", 0,
     OPTION_NUMBER(settings, states, 2, STATES_MAX)},
    {"percent", 0, "N", "Of random states that follow one tree (90)", 0,
     OPTION_NUMBER(settings, percent, 0, 100)},
    {"uncured", 0, NULL, "Each character is searched, also those that fit any tree", 0,
     OPTION_FLAG(settings, uncured)},
    {"newick", 0, "FILE", "Where to write the tree of a largest set", 0,
     OPTION_TEXT(settings, newick)},
    {"svg", 0, "FILE", "Where to draw it", 0, OPTION_TEXT(settings, svg)},
    {"sets", 'o', "FILE", "Where to write the characters of each maximal set", 0,
     OPTION_TEXT(settings, sets)},
    {"strategy", 's', "NAME", "stealing or pushing", 1,
     OPTION_CHOICE(settings, strategy, strategies)},
    {"combine", 'c', "WHEN", "Failures: never, when a pool is empty, or each N tasks", 1,
     OPTION_CHOICE(settings, combine, combines)},
    {"every", 0, "N", "Tasks of a rank from round to round (1000)", 1,
     OPTION_NUMBER(settings, every, 1, UINT32_MAX)},
    {"network", 0, "NAME", "random, ring, hypercube or crossbar", 1,
     OPTION_CHOICE(settings, network, networks)},
    {"bytes", 'b', "N", "Of a buffer of records (16384); 0: each is sent alone", 1,
     OPTION_NUMBER(settings, bytes, 0, 1 << 24)},
    {"seed", 0, "N", "Of random choices", 1, OPTION_NUMBER(settings, seed, 0, UINT64_MAX)},
    {"engine", 'e', "NAME", "ranks, serial, or plain: serial without stores", 1,
     OPTION_CHOICE(settings, engine, engines)},
    {"rounds", 0, "N", "Runs, a row each (1)", 2, OPTION_NUMBER(settings, rounds, 1, 1000)},
    {"check", 0, NULL, "Compares all ways, with several seeds, with the result without stores", 2,
     OPTION_FLAG(settings, check)},
    {"seeds", 0, "N", "Of the check (4)", 2, OPTION_NUMBER(settings, seeds, 1, 1000)},
    PROGRAM_OPTIONS(settings),
    OPTION_END};

static taxa given;
static patterns searched;
static results expected; /* of --check: without stores */

/* ---- results ---- */

static FILE *open_output(const char *path) {
    FILE *to = fopen(path, "w");
    if (to == NULL) bench_fail("%s: cannot be written", path);
    return to;
}

static void write_text(const char *path, char *text) {
    FILE *to = open_output(path);
    fputs(text, to);
    if (fclose(to) != 0) bench_fail("%s: cannot be written", path);
    free(text);
}

static const set *find_largest(const results *of) {
    for (uint64_t i = 0; i < of->count; i++)
        if (patterns_weight(&searched, &of->maximal[i]) == of->largest) return &of->maximal[i];
    return NULL;
}

static void write_trees(const results *of) {
    const set *largest = find_largest(of);
    char title[80];
    tree made;
    if (largest == NULL || !compatible(&searched, largest, &made)) return;
    (void)snprintf(title, sizeof title, "%u of %u characters", of->largest, given.characters);
    if (said.newick != NULL) write_text(said.newick, tree_newick(&made, &given));
    if (said.svg != NULL) write_text(said.svg, tree_svg(&made, &given, title));
}

static void write_sets(const results *of) {
    FILE *to = open_output(said.sets);
    for (uint64_t i = 0; i < of->count; i++) {
        fprintf(to, "%u:", patterns_weight(&searched, &of->maximal[i]));
        for (uint32_t c = 0; c < given.characters; c++)
            if (searched.pattern_of[c] == PATTERNS_MAX ||
                set_has(&of->maximal[i], searched.pattern_of[c]))
                fprintf(to, " %u", c + 1);
        (void)fputc('\n', to);
    }
    if (fclose(to) != 0) bench_fail("%s: cannot be written", said.sets);
}

static bool verify(const results *of) {
    const char *wrong = results_check(of, &searched);
    if (wrong != NULL) fprintf(stderr, "phylogeny: %s\n", wrong);
    else write_trees(of);
    if (said.sets != NULL) write_sets(of);
    return wrong == NULL;
}

static void head(const char *strategy) {
    const char *slash = said.input == NULL ? NULL : strrchr(said.input, '/');
    const char *name = said.input == NULL ? "random" : slash == NULL ? said.input : slash + 1;
    printf("bench=multipol figure=5.7 program=phylogeny input=%.*s cure=%s species=%u "
           "characters=%u patterns=%u aside=%u strategy=%s ",
           (int)strcspn(name, "."), name, said.uncured ? "no" : "yes", given.count,
           given.characters, searched.count, searched.aside, strategy);
}

static void print_results(const results *of, bool good) {
    printf("maximal=%llu largest=%u hash=%016llx verified=%s\n", (unsigned long long)of->count,
           of->largest, (unsigned long long)results_hash(of), good ? "yes" : "no");
    (void)fflush(stdout);
}

/* ---- one thread ---- */

static int run_alone(void) {
    bool good = true;
    for (uint64_t round = 0; round < said.rounds; round++) {
        search_counts counts;
        results made = {0};
        uint64_t begun = bench_wall_ns(), cpu = bench_cpu_ns();
        (said.engine == 1 ? serial_stores : serial_plain)(&searched, &made, &counts);
        begun = bench_wall_ns() - begun;
        cpu = bench_cpu_ns() - cpu;
        if (round == 0) good = verify(&made);
        head(engines[said.engine]);
        printf("s=%.6f cpu_s=%.6f tasks=%llu tests=%llu successes=%llu ", (double)begun / 1e9,
               (double)cpu / 1e9, (unsigned long long)counts.tasks,
               (unsigned long long)counts.tests, (unsigned long long)counts.successes);
        print_results(&made, good);
        results_free(&made);
    }
    return !good;
}

/* ---- over ranks ---- */

/* Tasks that would not be run if each rank knew all failures: their sets contain a smaller one. */
static uint64_t redundant(const run_counts *of) { return of->tasks - of->successes - of->minimal; }

static void print_row(const run_counts *of, const way *by, uint32_t ranks, const results *made,
                      bool good) {
    head(strategies[by->pushes]);
    printf("network=%s combine=%s ranks=%u transport=%s bytes=%llu s=%.6f cpu_s=%.6f idle_s=%.6f "
           "collect_s=%.6f "
           "tasks=%llu redundant=%llu tests=%llu pruned=%llu known=%llu successes=%llu "
           "minimal=%llu ",
           by->pushes ? "none" : networks[by->network], combines[by->when], ranks, said.name,
           (unsigned long long)said.bytes, (double)of->ns / 1e9, (double)of->cpu_ns / 1e9,
           (double)of->idle_ns / 1e9, (double)of->collect_ns / 1e9, (unsigned long long)of->tasks,
           (unsigned long long)redundant(of), (unsigned long long)of->tests,
           (unsigned long long)of->pruned, (unsigned long long)of->known,
           (unsigned long long)of->successes, (unsigned long long)of->minimal);
    printf("local=%llu share_local=%.4f migrated=%llu requests=%llu combinings=%llu combined=%llu "
           "messages=%llu message_bytes=%llu ",
           (unsigned long long)of->local, (double)of->local / (double)of->tasks,
           (unsigned long long)of->migrated, (unsigned long long)of->requests,
           (unsigned long long)of->rounds, (unsigned long long)of->combined,
           (unsigned long long)of->messages, (unsigned long long)of->bytes);
    print_results(made, good);
}

static svs_status run_rounds(phylogeny_part *part, uint32_t rank, uint32_t ranks, bool *good) {
    svs_status status = SVS_OK;
    results first = {0};
    for (uint64_t round = 0; round < said.rounds && status == SVS_OK; round++) {
        way by = {said.strategy == 1, (svs_stealer_network)said.network, (combining)said.combine,
                  said.every, said.seed + round};
        run_counts counts;
        results made = {0};
        status = phylogeny_run(part, &by, &made, &counts);
        if (status == SVS_OK && rank == 0) {
            *good = *good && (round == 0 ? verify(&made) : results_equal(&made, &first));
            print_row(&counts, &by, ranks, &made, *good);
        }
        results_free(round == 0 ? &first : &made);
        if (round == 0) first = made;
    }
    results_free(&first);
    return status;
}

/* What a run counts has to agree, however its tasks were distributed. */
static bool is_right(const results *made, const run_counts *of, const way *by, uint32_t ranks) {
    bool combined = ranks > 1 && by->when != COMBINE_NEVER;
    return results_equal(made, &expected) && of->tasks >= of->successes + of->minimal &&
           of->failures >= of->minimal && of->tests + of->pruned + of->known == of->tasks &&
           of->tests == of->failures + of->successes - of->known && of->rounds >= 1 &&
           (ranks > 1 || redundant(of) == 0) && (combined || of->rounds == 1);
}

/* All ways and seeds. */
static svs_status run_check(phylogeny_part *part, uint32_t rank, uint32_t ranks, bool *good) {
    svs_status status = SVS_OK;
    uint64_t runs = 0, tasks = 0, wasted = 0;
    for (uint64_t seed = 0; seed < said.seeds; seed++)
        for (uint32_t i = 0; i < 6 && status == SVS_OK; i++) {
            way by = {i % 2 == 1, (svs_stealer_network)(seed % 4), (combining)(i / 2), 50,
                      said.seed + seed};
            run_counts counts;
            results made = {0};
            status = phylogeny_run(part, &by, &made, &counts);
            if (rank == 0) *good = *good && is_right(&made, &counts, &by, ranks);
            results_free(&made);
            tasks += counts.tasks;
            wasted += redundant(&counts);
            runs++;
        }
    if (rank == 0)
        printf("phylogeny: %u ranks over %s: %llu runs, %llu tasks, %llu of them redundant: %llu "
               "maximal sets, the largest of %u characters: %s\n",
               ranks, said.transport == NULL ? said.name : said.transport, (unsigned long long)runs,
               (unsigned long long)tasks, (unsigned long long)wasted,
               (unsigned long long)expected.count, expected.largest, *good ? "equal" : "different");
    return status;
}

typedef struct outcome {
    phylogeny_part *part; /* lives as long as the rank */
    bool good;
} outcome;

static svs_status run_all(svs_ranks *ranks, void *argument) {
    outcome *of = argument;
    svs_status status = phylogeny_part_new(ranks, &searched, &of->part);
    if (status != SVS_OK) return status;
    return (said.check ? run_check : run_rounds)(of->part, svs_ranks_index(ranks),
                                                 svs_ranks_count(ranks), &of->good);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    outcome of = {NULL, true};
    int failed = program_rank(transport, "phylogeny", said.bytes, run_all, &of);
    (void)argc, (void)argv;
    phylogeny_part_free(of.part);
    return failed || !of.good;
}

static void read_input(void) {
    const char *failed = NULL;
    if (said.input != NULL) failed = taxa_read(&given, said.input);
    else
        taxa_generate(&given, said.species, said.characters, said.states, said.percent,
                      1 + said.seed);
    if (failed == NULL) failed = patterns_new(&searched, &given, !said.uncured);
    if (failed != NULL) bench_fail("%s", failed);
}

int main(int argc, char **argv) {
    static const option_program command = {
        .rows = rows, .text = "Maximal sets of characters with a perfect phylogeny, over ranks."};
    search_counts counts;
    int result;
    options_read(&command, argc, argv, &said);
    read_input();
    if (said.engine != 0) return run_alone();
    if (said.check) {
        serial_plain(&searched, &expected, &counts);
        if (!verify(&expected)) return 1;
    }
    result = program_start("phylogeny", said.transport, program);
    results_free(&expected);
    patterns_free(&searched);
    taxa_free(&given);
    return result;
}
