#include "ports.h"

#include "common.h"
#include "predict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const port port_fluidanimate = {
    .rank = RANK_FLUIDANIMATE,
    .name = "fluidanimate",
    .figure = "7.5",
    .title = "Figure 7.5: Fluidanimate",
    .folder = "examples/fluidanimate",
    .engines = {"svs", "serial", "mutex", "tbb", "openmp", "stm"},
    .words = {"--frames 1", "--frames 5", "--frames 20"},
    .lock_engines = {"mutex", "tbb", "openmp"},
    .chunks = {"--blocks-z 4", "--blocks-z 8", "--blocks-z 16", "--blocks-z 32"},
    .same = "--blocks-x 1 --blocks-z 16",
    .cases = {{"in_100K", NULL}},
    .input = "in_100K.fluid",
    .packed = "fluidanimate/in_100K.fluid.xz",
    .packed_tiny = "fluidanimate/in_5K.fluid.xz",
    .intro = "A fluid in a box, cut into cells: a pass over a block of cells writes cells of the "
             "blocks beside it, too. The lock engines lock those; SvS has more blocks than threads "
             "and runs none beside one that it meets. Times are of the frames.",
    .thesis = "The thesis (simlarge, 8 cores) reports no seconds in its text: at 8 threads SvS was "
              "81 ms faster than TBB and 51 ms faster than pthreads, all three close together.",
    .thesis_8 = {"fastest", "", "svs + 51 ms", "svs + 81 ms", "", ""},
    .profile = "--frames 1",
    .frames = true};

const port port_canneal = {
    .rank = RANK_CANNEAL,
    .name = "canneal",
    .figure = "7.6",
    .title = "Figure 7.6: Canneal",
    .folder = "examples/canneal",
    .engines = {"svs", "serial", "mutex", "tbb", "openmp", "stm", "atomic"},
    .words = {"--swaps 200 --temperature 2000 --steps 2",
              "--swaps 15000 --temperature 2000 --steps 64",
              "--swaps 15000 --temperature 2000 --steps 64"},
    .lock_engines = {"mutex", "tbb", "openmp"},
    .chunks = {"--chunk 16", "--chunk 64", "--chunk 256", "--chunk 1024"},
    .same = "--chunk 64",
    .cases = {{"100000.nets", NULL}},
    .input = "100000.nets",
    .packed = "canneal/100000.nets.xz",
    .packed_tiny = "",
    .intro = "A netlist is placed by simulated annealing: a swap judges and moves two elements, "
             "some 100 ns of work. The lock engines lock the two, <i>atomic</i> is PARSEC's "
             "compare-and-swap, SvS runs no two swaps of one element together. Times are of the "
             "temperature steps, which is what the thesis calls the parallel section.",
    .thesis = "The thesis (simlarge, 8 cores) reports no seconds in its text: at 8 threads SvS was "
              "230 ms faster than PARSEC's pthreads version, which swaps by CAS.",
    .thesis_8 = {"fastest", "", "", "", "", "", "svs + 230 ms"},
    .profile = "--swaps 15000 --temperature 2000 --steps 4"};

const port port_quakesquad = {
    .rank = RANK_QUAKESQUAD,
    .name = "quakesquad",
    .figure = "7.7",
    .title = "Figure 7.7: QuakeSquad, frame times",
    .folder = "examples/quakesquad",
    .engines = {"svs", "serial", "mutex", "tbb", "openmp", "stm"},
    .words = {"--frames 5 --settle 10", "--frames 40 --settle 100", "--frames 200 --settle 400"},
    .lock_engines = {"mutex", "tbb", "openmp"},
    .chunks = {"--chunk-bombs 2 --chunk-steps 16", "--chunk-bombs 4 --chunk-steps 32",
               "--chunk-bombs 8 --chunk-steps 64"},
    .same = "--chunk-bombs 4 --chunk-steps 32",
    .cases = {{"none", "--quest none"},
              {"centre", "--quest centre"},
              {"quadrants", "--quest quadrants"},
              {"moving", "--quest moving"}},
    .intro = "A game's world: 2000 citizens, 200 techs and 100 bombs in cells that keep linked "
             "lists. A quest draws the crowd together, so that more of what runs side by side "
             "meets. Times are of the frames; refreshing signatures is inside them.",
    .thesis =
        "The thesis (its own world, 8 cores): SvS went from 1,226 us at 1 thread to 436 us at "
        "8; TBB with fine-grained locks was about 137 us slower at 8 threads; STM scaled to 4 "
        "threads only.",
    .thesis_8 = {"436 us", "", "", "about 573 us", "", "grows beyond 4 threads"},
    .profile = "--frames 5 --settle 0 --quest none",
    .serial_function = "world_tick",
    .frames = true};

/* ---- inputs ---- */

static bool run_into(const char *path, const arguments *a) {
    child c;
    FILE *to;
    bool good;
    child_run(&c, a, 60);
    good = !c.failed && (to = fopen(path, "w")) != NULL;
    if (good) {
        good = fputs(c.output, to) >= 0;
        good = !fclose(to) && good;
    }
    child_clean_up(&c);
    return good;
}

/* A netlist of the same shape, when PARSEC's is not there, or a small one for a tiny
 * evaluation. */
static bool generate(const port_state *s, bool tiny) {
    arguments a = {0};
    bool good;
    arguments_add(&a, "%s/netgen", s->report->settings->programs);
    arguments_add_words(&a, tiny ? "--elements 500" : "--elements 100000");
    good = run_into(s->input, &a);
    arguments_clean_up(&a);
    if (good) html_note(s->to, "PARSEC's input is not used here: the netlist was generated.");
    return good;
}

static bool unpack(const char *packed, const char *to) {
    arguments a = {0};
    child c;
    bool good;
    arguments_add(&a, "/bin/sh");
    arguments_add(&a, "-c");
    arguments_add(&a, "exec xz -dc -- \"$0\" > \"$1\"");
    arguments_add(&a, "%s", packed);
    arguments_add(&a, "%s", to);
    child_run(&c, &a, 60);
    good = !c.failed;
    child_clean_up(&c);
    arguments_clean_up(&a);
    return good;
}

/* Unpacked once, so that no run spends its time on that. @return false when there is none. */
static bool find_input(port_state *s) {
    const settings *set = s->report->settings;
    const port *p = s->port;
    bool tiny = set->scale == SCALE_TINY, generated = p == &port_canneal, good;
    char *packed;
    if (!p->input) return true;
    if (asprintf(&s->input, "%s/%s", set->out, p->input) < 0 ||
        asprintf(&packed, "%s/%s", set->data, tiny ? p->packed_tiny : p->packed) < 0)
        bench_fail("no memory");
    if (generated && (tiny || access(packed, R_OK))) good = generate(s, tiny);
    else good = unpack(packed, s->input);
    free(packed);
    return good;
}

/* The program with all the peers' engines, or else the example with fewer. */
static bool find_program(port_state *s) {
    const char *folder = s->report->settings->programs;
    if (asprintf(&s->program, "%s/bench_%s", folder, s->port->name) < 0) bench_fail("no memory");
    if (!access(s->program, X_OK)) return true;
    free(s->program);
    if (asprintf(&s->program, "%s/%s", folder, s->port->name) < 0) bench_fail("no memory");
    return !access(s->program, X_OK);
}

/* ---- runs ---- */

static void enter(port_state *s, size_t engine, uint32_t threads, const char *chunk,
                  const port_case *c) {
    entrant *e = &s->entrants[s->count];
    if (s->count == ENTRANTS_MAX) bench_fail("more than %d entrants", ENTRANTS_MAX);
    memset(e, 0, sizeof *e);
    e->engine = s->port->engines[engine];
    e->threads = threads;
    snprintf(e->why, sizeof e->why, "%s", s->engines[engine].why);
    port_command(s, &e->command, engine, threads, chunk, c);
    s->count++;
}

static void leave(port_state *s) {
    for (size_t i = 0; i < s->count; i++) entrant_clean_up(&s->entrants[i]);
    s->count = 0;
}

static bool is_serial(const port *p, size_t engine) {
    return !strcmp(p->engines[engine], "serial");
}

static void run_case(port_state *s, const port_case *c, headline *h) {
    const settings *set = s->report->settings;
    contest_limits limits = port_limits(s, CONTEST_CASE);
    char what[80];
    for (size_t e = 0; s->port->engines[e]; e++)
        for (size_t t = 0; t < (is_serial(s->port, e) ? 1 : set->thread_count); t++)
            enter(s, e, is_serial(s->port, e) ? 1 : set->threads[t], s->engines[e].chunk, c);
    snprintf(what, sizeof what, "%s, %s", s->port->name, c->name);
    contest_run(s->report, what, s->entrants, s->count, limits);
    port_report_case(s, c, h);
    if (c == s->port->cases) predict_port(s);
    leave(s);
}

/* All with one chunk, at the contested number of threads. */
static void run_same_chunk(port_state *s) {
    const settings *set = s->report->settings;
    for (size_t e = 0; s->port->engines[e]; e++)
        if (!is_serial(s->port, e))
            enter(s, e, set->contested,
                  e == 0 && s->port->chunk_of_svs ? s->port->chunk_of_svs : s->port->same,
                  s->port->cases);
    contest_run(s->report, "all engines at one chunk", s->entrants, s->count,
                port_limits(s, CONTEST_SAME_CHUNK));
    port_report_same_chunk(s, s->entrants, s->count);
    leave(s);
}

static size_t run_cases(port_state *s, headline headlines[CASES_MAX]) {
    size_t written = 0;
    fputs("<div class=\"plots\">\n", s->to);
    for (const port_case *c = s->port->cases; c->name; c++) {
        headlines[written] = (headline){.port = s->port, .case_name = c->name};
        run_case(s, c, &headlines[written]);
        if (headlines[written].other) written++;
    }
    fputs("</div>\n", s->to);
    return written;
}

size_t port_run(report *r, const port *p, headline headlines[CASES_MAX]) {
    port_state s = {.report = r, .port = p};
    size_t written = 0, size;
    char *after;
    s.to = report_section(r, p->rank, p->name, p->title);
    fprintf(s.to, "<p>%s</p>\n<p class=\"note\">%s</p>\n", p->intro, p->thesis);
    s.entrants = bench_allocate(ENTRANTS_MAX, sizeof *s.entrants);
    s.after = open_memstream(&after, &size);
    if (!s.after) bench_fail("no memory");
    if (!find_program(&s)) {
        report_problem(r, s.to, "%s is not among the programs in %s", p->name,
                       r->settings->programs);
    } else if (!find_input(&s)) {
        report_problem(r, s.to, "the input %s of %s is not in %s", p->packed, p->name,
                       r->settings->data);
    } else {
        fprintf(s.to, "<p class=\"note\">Input: %s; %s.</p>\n",
                p->input ? p->input : "made by seed", p->words[r->settings->scale]);
        port_try(&s);
        port_tune(&s);
        written = run_cases(&s, headlines);
        run_same_chunk(&s);
        port_report_engines(&s);
    }
    fclose(s.after);
    fputs(after, s.to);
    free(after);
    free(s.entrants);
    free(s.program);
    free(s.input);
    return written;
}
