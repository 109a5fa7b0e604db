#include "ports.h"

#include "common.h"
#include "predict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static bool generate(port_state *s, bool tiny) {
    arguments a = {0};
    bool good;
    arguments_add(&a, "%s/netgen", s->report->settings->programs);
    arguments_add_words(&a, tiny ? "--elements 500" : "--elements 100000");
    good = run_into(s->input, &a);
    arguments_clean_up(&a);
    if (!tiny) s->ours = s->port->generated;
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
    if (c == s->port->cases) *s->profile = profile_of(s);
    port_report_case(s, c, h);
    predict_port(s, c);
    leave(s);
}

/* All with one chunk, at the contested number of threads. */
static void run_same_chunk(port_state *s) {
    const settings *set = s->report->settings;
    for (size_t e = 0; s->port->engines[e]; e++)
        if (!is_serial(s->port, e)) enter(s, e, set->contested, s->port->same, s->port->cases);
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
    profile of_svs;
    port_state s = {.report = r, .port = p, .profile = &of_svs};
    size_t written = 0, size;
    char *after;
    s.to = report_section(r, p->rank, p->name, p->title);
    s.ours = p->ours[r->settings->scale];
    fprintf(s.to, "<p>%s</p>\n", p->intro);
    s.entrants = bench_allocate(ENTRANTS_MAX, sizeof *s.entrants);
    s.after = open_memstream(&after, &size);
    if (!s.after) bench_fail("no memory");
    if (!find_program(&s)) {
        report_problem(r, s.to, "%s is not among the programs in %s (./dev build makes them)",
                       p->name, r->settings->programs);
    } else if (!find_input(&s)) {
        report_problem(r, s.to,
                       "%s needs PARSEC's %s, which is not in %s (--data names the folder)",
                       p->name, p->packed, r->settings->data);
    } else {
        html_note(s.to, "Input here: %s. %s Its input: %s.", s.ours, p->thesis, p->thesis_input);
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
