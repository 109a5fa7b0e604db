/* The cases of a program: their names and rows, its command line, instructions. */
#include "shim.h"

#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { OPTIONS_MAX = 64, CASES_MAX = 4096, FEW = 1, MORE = 3 };

static bench_case *cases[CASES_MAX];
static size_t case_count;

/* "walk/cold nodes=8" makes the name "walk/cold/nodes:8" and the keys "bench=walk nodes=8". */
bench_case *bench_case_new(bench_function *run, const void *argument, double items,
                           const char *format, ...) {
    bench_case *c = bench_allocate(1, sizeof *c);
    size_t word, head;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->name, sizeof c->name, format, arguments);
    va_end(arguments);
    word = strcspn(c->name, " ");
    head = strcspn(c->name, "/ ");
    if (snprintf(c->keys, sizeof c->keys, "bench=%.*s%s", (int)head, c->name, c->name + word) >=
        (int)sizeof c->keys)
        bench_fail("the name of a case is too long: %s", c->name);
    for (char *at = c->name; *at; at++) *at = (char)(*at == ' ' ? '/' : *at == '=' ? ':' : *at);
    if (case_count == CASES_MAX)
        bench_fail("more than %d cases: choose fewer by the options", CASES_MAX);
    c->run = run;
    c->argument = argument;
    c->items = items;
    c->instructions = NAN;
    return cases[case_count++] = c;
}

svs_runtime *bench_runtime_of(uint32_t threads) {
    static svs_runtime *runtimes[2 * BENCH_LIST_MAX];
    size_t i = 0;
    while (i < 2 * BENCH_LIST_MAX && runtimes[i] && svs_runtime_threads(runtimes[i]) != threads)
        i++;
    if (i == 2 * BENCH_LIST_MAX) bench_fail("cases with more than %zu numbers of threads", i);
    if (!runtimes[i]) runtimes[i] = bench_runtime_new(SVS_POLICY_HELP_FIRST, threads);
    return runtimes[i];
}

void bench_run_graph(bench_state *state, svs_world *world, uint32_t algorithm,
                     const svs_task_type *type, void *argument, const void *items, size_t count,
                     size_t item_bytes) {
    svs_graph_options options;
    svs_graph *graph;
    svs_task *task;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    options.explain_every = 0;
    BENCH_OK(svs_graph_new(world, &options, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, type, argument, &task));
    BENCH_OK(svs_graph_send(graph, task, items, count, item_bytes));
    bench_resume(state);
    BENCH_OK(svs_graph_run(graph, 1, NULL));
    bench_pause(state);
    bench_counter(state, "width", bench_width(graph));
    BENCH_OK(svs_graph_free(graph));
}

/* ---- the command line ---- */

static struct {
    const char *defaults[OPTIONS_MAX]; /* of Google Benchmark; a later one wins */
    const char *given[OPTIONS_MAX];
    size_t default_count, given_count;
    int argc;
    char **argv; /* all */
    bool instructions;
    uint64_t count; /* iterations for callgrind; 0: none */
} line = {.defaults = {"--benchmark_repetitions=7", "--benchmark_min_time=0",
                       "--benchmark_enable_random_interleaving=true",
                       "--benchmark_display_aggregates_only=true"},
          .default_count = 4};

static void add_option(const char **options, size_t *count, const char *option) {
    if (*count == OPTIONS_MAX) bench_fail("more than %d options of Google Benchmark", OPTIONS_MAX);
    options[(*count)++] = option;
}

void bench_default(const char *option) { add_option(line.defaults, &line.default_count, option); }

void bench_take_instructions(const struct argp_state *state, const option_row *row,
                             const char *text, void *member) {
    (void)state, (void)row, (void)text, (void)member;
    line.instructions = true;
}

void bench_take_count(const struct argp_state *state, const option_row *row, const char *text,
                      void *member) {
    (void)member;
    line.count = option_unsigned(state, row->name, text, 1, UINT32_MAX);
}

/* Ends the program after an option that Google Benchmark does not know. */
static void read_google_options(char *program) {
    char *all[2 * OPTIONS_MAX + 2] = {program};
    size_t defaults = line.default_count * sizeof *all, given = line.given_count * sizeof *all;
    const char *unknown;
    memcpy(all + 1, line.defaults, defaults);
    memcpy(all + 1 + line.default_count, line.given, given);
    unknown = bench_google_options((int)(1 + line.default_count + line.given_count), all);
    if (!unknown) return;
    fprintf(stderr,
            "error: Google Benchmark does not know the option '%s', or not its value: --help "
            "lists the usual ones\n",
            unknown);
    exit(EX_USAGE);
}

void bench_options(const option_program *program, int argc, char **argv, void *into) {
    static const char google[] =
        "\vOptions of Google Benchmark: --benchmark_list_tests names the cases, "
        "--benchmark_filter=REGEX chooses some, --benchmark_repetitions=N repeats them, "
        "--benchmark_min_time=SECONDS runs each for longer, --benchmark_format=json or "
        "--benchmark_out=FILE write all figures.";
    char **own = bench_allocate((size_t)argc + 1, sizeof *own), text[1024];
    int own_count = 0;
    option_program with = *program;
    line.argc = argc;
    line.argv = argv;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], "--benchmark_", strlen("--benchmark_"))) own[own_count++] = argv[i];
        else add_option(line.given, &line.given_count, argv[i]);
    snprintf(text, sizeof text, "%s%s", program->text, google);
    with.text = text;
    options_read(&with, own_count, own, into);
    free(own);
    read_google_options(argv[0]);
}

/* ---- instructions: the program runs a case under callgrind with one iteration and with three;
 * the difference is the count of two iterations, without the code before and after ---- */

/* Whether Google Benchmark's filter chooses the case. */
static bool chosen(const char *name) {
    const char *filter = bench_google_filter();
    bool not = *filter == '-', match;
    regex_t regex;
    if (!*filter || !strcmp(filter, "all")) return true;
    if (regcomp(&regex, filter + not, REG_EXTENDED | REG_NOSUB)) return false;
    match = !regexec(&regex, name, 0, NULL, 0);
    regfree(&regex);
    return match != not ;
}

static uint64_t count_with(const bench_case *c, int iterations) {
    char arguments[4096] = "";
    size_t length = 0;
    for (int i = 1; i < line.argc && length < sizeof arguments; i++)
        length +=
            (size_t)snprintf(arguments + length, sizeof arguments - length, "'%s' ", line.argv[i]);
    if (length < sizeof arguments)
        length += (size_t)snprintf(arguments + length, sizeof arguments - length,
                                   "--count %d '--benchmark_filter=^%s$'", iterations, c->name);
    if (length >= sizeof arguments) bench_fail("the command line is too long");
    return bench_instructions(arguments);
}

static void count_instructions(void) {
    for (size_t i = 0; i < case_count; i++) {
        bench_case *c = cases[i];
        uint64_t few, more;
        if (!c->counted || !chosen(c->name)) continue;
        few = count_with(c, FEW);
        more = count_with(c, MORE);
        if (!few || !more) {
            fprintf(stderr, "valgrind was not found, or failed: nothing was counted\n");
            return;
        }
        c->instructions = (double)(more - few) / (MORE - FEW) / c->items;
        bench_row("%s instructions=%.1f", c->keys, c->instructions);
    }
}

/* ---- running ---- */

int bench_run(void (*report)(void)) {
    bool for_people;
    if (line.count) {
        for (size_t i = 0; i < case_count; i++)
            if (chosen(cases[i]->name)) bench_run_counted(cases[i], line.count);
        return EXIT_SUCCESS;
    }
    if (line.instructions) count_instructions();
    if (!bench_google_run((bench_list_of_cases){cases, case_count}, &for_people)) {
        fprintf(stderr,
                "error: no case is chosen by --benchmark_filter=%s: "
                "--benchmark_list_tests names all\n",
                bench_google_filter());
        return EX_USAGE;
    }
    if (!for_people) return EXIT_SUCCESS;
    report();
    bench_rows_print();
    return EXIT_SUCCESS;
}

/* ---- figures and rows ---- */

bool bench_ran(const bench_case *c) { return !isnan(bench_figure_of(c, BENCH_WALL).median); }

bench_figure bench_ratio(bench_figure a, bench_figure b) {
    return (bench_figure){a.median / b.median, hypot(a.spread_pct, b.spread_pct), NAN, NAN};
}

bench_figure bench_difference(bench_figure a, bench_figure b) {
    double median = a.median - b.median;
    double spread = hypot(a.spread_pct * a.median, b.spread_pct * b.median) / fabs(median);
    return (bench_figure){median, spread, NAN, NAN};
}

void bench_case_row(const bench_case *c, const char *format, ...) {
    char figures[896];
    va_list arguments;
    if (!bench_ran(c)) return;
    va_start(arguments, format);
    vsnprintf(figures, sizeof figures, format, arguments);
    va_end(arguments);
    bench_row("%s %s", c->keys, figures);
}
