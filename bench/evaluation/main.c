/* The evaluation: every figure and table of the thesis' chapter 7 and the Steal Tree paper's
 * figures 4, 5, 9 and 10, on this machine, in one page.
 *
 *     bench_evaluation [--quick] [--out evaluation] [--json FILE] [--beside FILE] [--only canneal]
 *
 * Runs the programs and benchmarks that stand beside it, in turns, and writes evaluation.html,
 * which needs nothing else, and evaluation.json. */
#include "common.h"
#include "common/numbers.h"
#include "figures.h"
#include "plan.h"
#include "plot.h"

#include <argp.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    KEY_OUT = 256,
    KEY_JSON,
    KEY_PROGRAMS,
    KEY_DATA,
    KEY_SOURCE,
    KEY_ROUNDS,
    KEY_ONLY,
    KEY_BESIDE,
    KEY_TINY
};

static error_t parse(int key, char *text, struct argp_state *state) {
    settings *s = state->input;
    switch (key) {
    case 'q': s->scale = SCALE_QUICK; return 0;
    case KEY_TINY: s->scale = SCALE_TINY; return 0;
    case KEY_OUT: s->out = text; return 0;
    case KEY_JSON: s->json = text; return 0;
    case KEY_PROGRAMS: s->programs = text; return 0;
    case KEY_BESIDE: s->beside = text; return 0;
    case KEY_DATA: s->data = text; return 0;
    case KEY_SOURCE: s->source = text; return 0;
    case KEY_ROUNDS: s->rounds = option_unsigned(state, "rounds", text, 1, SAMPLES_MAX); return 0;
    case KEY_ONLY: s->part = option_choice(state, "only", text, plan_parts); return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", text); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"quick", 'q', NULL, 0, "Fewer and smaller runs: some minutes on 2 CPUs", 1},
    {"out", KEY_OUT, "DIR", 0,
     "Where the page goes, and all that it is made of (evaluation, beside the programs' folder)",
     1},
    {"json", KEY_JSON, "FILE", 0, "Where the JSON goes (evaluation.json in DIR)", 1},
    {"beside", KEY_BESIDE, "FILE", 0, "Show another machine's evaluation.json beside this one", 1},
    {"only", KEY_ONLY, "PART", 0,
     "Only fluidanimate, canneal, quakesquad, loses, cost, width, links, tracing, storage, lca or "
     "retain",
     2},
    {"rounds", KEY_ROUNDS, "N", 0, "Rounds of the three programs (15; quick: 5)", 2},
    {"programs", KEY_PROGRAMS, "DIR", 0, "Where the programs are (where this one is)", 3},
    {"data", KEY_DATA, "DIR", 0, "PARSEC's inputs", 3},
    {"source", KEY_SOURCE, "DIR", 0, "The source tree, in which ports are counted", 3},
    {"tiny", KEY_TINY, NULL, OPTION_HIDDEN, NULL, 4},
    {0}};

static const char *own_folder(void) {
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return ".";
    path[length] = 0;
    return dirname(path);
}

static const char *usual_out(const char *programs) {
    char *out;
    if (asprintf(&out, "%s/../evaluation", programs) < 0) bench_fail("no memory");
    return out; /* as long as the program runs */
}

/* With the folders that it is in. */
static void make_folder(const char *path) {
    char *copy = strdup(path);
    struct stat found;
    if (!copy) bench_fail("no memory");
    for (char *at = copy + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        (void)mkdir(copy, 0777);
        *at = '/';
    }
    if (mkdir(copy, 0777) && (errno != EEXIST || stat(copy, &found) || !S_ISDIR(found.st_mode)))
        bench_fail("--out: %s: %s", path, errno == EEXIST ? "it is no folder" : strerror(errno));
    free(copy);
}

/* Better now than when all is measured. */
static void try_to_write(const char *path) {
    FILE *to = fopen(path, "a");
    if (!to) bench_fail("--json: %s: %s", path, strerror(errno));
    fclose(to);
}

static void choose_threads(settings *s) {
    static const uint32_t usual[] = {1, 2, 4, 8};
    s->cpus = bench_cpus();
    s->contested = 2;
    s->thread_count = s->scale == SCALE_TINY ? 2 : 4;
    memcpy(s->threads, usual, sizeof usual);
    /* Where there are more CPUs than the usual numbers, all of them are one more. */
    if (s->scale != SCALE_TINY && s->cpus > 8) s->threads[s->thread_count++] = s->cpus;
}

static void run_all(report *r) {
    static const port *const ports[] = {&port_fluidanimate, &port_canneal, &port_quakesquad};
    static void (*const figures[])(report *) = {figure_loses, figure_cost,    figure_width,
                                                figure_links, figure_tracing, figure_storage,
                                                figure_lca,   figure_retain};
    headline headlines[3 * CASES_MAX];
    size_t count = 0;
    for (int p = 0; p < 3; p++)
        if (plan_wants(r->settings, p)) count += port_run(r, ports[p], headlines + count);
    for (int f = 0; f < 8; f++)
        if (plan_wants(r->settings, 3 + f)) figures[f](r);
    figure_headline(r, headlines, count);
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Measures SvS beside locks, oneTBB, OpenMP and transactional memory, and writes a page.",
        NULL,
        NULL,
        NULL};
    settings s = {.scale = SCALE_WHOLE,
                  .programs = own_folder(),
                  .data = EVALUATION_DATA_DIR,
                  .source = EVALUATION_SOURCE_DIR,
                  .part = -1};
    report r;
    another other = {0};
    bool good;
    argp_parse(&argp, argc, argv, 0, NULL, &s);
    if (!s.out) s.out = usual_out(s.programs);
    choose_threads(&s);
    make_folder(s.out);
    if (s.json) try_to_write(s.json);
    if (s.beside) figure_beside_read(&s, &other);
    report_init(&r, &s);
    r.plots = plot_available();
    plan_print(&r);
    if (!r.plots)
        fprintf(stderr, "gnuplot is not installed (Debian: gnuplot-nox): the page has no plots\n");
    run_all(&r);
    if (s.beside) figure_beside(&r, &other);
    good = report_write(&r) && !r.problems;
    bench_rows_print();
    report_clean_up(&r);
    rows_clean_up(&other.rows);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
