/* Before engines compete: which of them there are, whether their results are right, and the lock
 * and the chunk with which each is fastest. */
#include "common.h"
#include "plan.h"
#include "ports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS_MAX = 32 };

static const char *const locks[] = {"spin", "pthread", "striped", "rw", "native", NULL};

static bool has_locks(const port *p, const char *engine) {
    for (size_t i = 0; i < ENGINES_MAX && p->lock_engines[i]; i++)
        if (!strcmp(p->lock_engines[i], engine)) return true;
    return false;
}

static void add_common(const port_state *s, arguments *a, size_t engine, uint32_t threads,
                       const port_case *c) {
    const settings *set = s->report->settings;
    arguments_add(a, "%s", s->program);
    arguments_add(a, "--engine");
    arguments_add(a, "%s", s->port->engines[engine]);
    arguments_add(a, "--threads");
    arguments_add(a, "%u", threads);
    arguments_add_words(a, s->port->words[set->scale]);
    if (c->arguments) arguments_add_words(a, c->arguments);
}

static void add_lock(arguments *a, const char *lock) {
    if (!*lock) return;
    arguments_add(a, "--lock");
    arguments_add(a, "%s", lock);
}

void port_command(const port_state *s, arguments *a, size_t engine, uint32_t threads,
                  const char *chunk, const port_case *c) {
    add_common(s, a, engine, threads, c);
    add_lock(a, s->engines[engine].lock);
    if (strcmp(s->port->engines[engine], "serial")) arguments_add_words(a, chunk);
    if (s->input) arguments_add(a, "%s", s->input);
}

/* ---- results ---- */

/* Sums of floats in another order are rounded otherwise, by a part in ten million, and a fluid
 * makes more of it with each frame, whoever moves it: after twenty, engines that lock are as far
 * from the serial one as svs. The last of two options counts. */
#define COMPARED "--frames 5"

/* The serial engine's particles, or an engine's, in a file. */
static void out_path(const port_state *s, char *path, size_t size, size_t engine) {
    snprintf(path, size, "%s/%s.out.fluid", s->report->settings->out, s->port->engines[engine]);
}

static void compare_particles(port_state *s, size_t engine) {
    arguments a = {0};
    child c;
    char path[512];
    tuned *t = &s->engines[engine];
    arguments_add(&a, "%s", s->program);
    arguments_add_words(&a, "--compare --tolerance 1e-5");
    out_path(s, path, sizeof path, 1);
    arguments_add(&a, "%s", path);
    out_path(s, path, sizeof path, engine);
    arguments_add(&a, "%s", path);
    child_run(&c, &a, 60);
    t->wrong = c.failed;
    snprintf(t->result, sizeof t->result, "%s",
             c.failed ? "other particles than the serial engine's after a few frames"
                      : "particles within 1e-5 after a few frames");
    child_clean_up(&c);
    arguments_clean_up(&a);
}

static void compare_rows(port_state *s, size_t engine, const row *mine, const row *serial) {
    tuned *t = &s->engines[engine];
    double cost = row_number(mine, "cost"), right = row_number(serial, "cost");
    const char *sum = row_text(mine, "checksum"), *right_sum = row_text(serial, "checksum");
    if (isfinite(cost)) {
        double apart = 100 * (cost / right - 1);
        t->wrong = !(fabs(apart) <= 0.5) && s->report->settings->scale != SCALE_TINY;
        snprintf(t->result, sizeof t->result, "cost %.0f, %+.3f%%", cost, apart);
    } else if (sum && right_sum) {
        t->wrong = strcmp(sum, right_sum) || strcmp(row_text(mine, "invariants"), "ok");
        snprintf(t->result, sizeof t->result, "%s",
                 t->wrong ? "another world than the serial engine's" : "the same world");
    }
}

/* Each engine once: it runs, and its result is the serial engine's. */
void port_try(port_state *s) {
    const port *p = s->port;
    bool particles = p == &port_fluidanimate, tiny = s->report->settings->scale == SCALE_TINY;
    static const size_t order[] = {1, 0, 2, 3, 4, 5, 6};
    rows serial = {0};
    report_progress(s->report, "%s: each engine once, results compared", p->name);
    for (size_t i = 0; i < ENGINES_MAX; i++) {
        size_t e = order[i];
        arguments a = {0};
        child c;
        rows mine = {0};
        char path[512];
        if (!p->engines[e]) continue;
        s->engines[e].chunk = "";
        port_command(s, &a, e, e == 1 ? 1 : s->report->settings->contested, "", p->cases);
        out_path(s, path, sizeof path, e);
        if (particles) arguments_add(&a, "--out=%s", path);
        if (particles && !tiny) arguments_add_words(&a, COMPARED);
        child_run(&c, &a, 120);
        rows_parse(&mine, c.output);
        if (c.failed) child_complaint(&c, s->engines[e].why, WHY_MAX);
        else if (particles) compare_particles(s, e);
        else if (mine.count)
            compare_rows(s, e, &mine.of[mine.count - 1],
                         e == 1         ? &mine.of[mine.count - 1]
                         : serial.count ? &serial.of[serial.count - 1]
                                        : NULL);
        if (s->engines[e].wrong)
            report_problem(s->report, s->to, "%s, engine %s: %s", p->name, p->engines[e],
                           s->engines[e].result);
        if (e == 1) serial = mine;
        else rows_clean_up(&mine);
        child_clean_up(&c);
        arguments_clean_up(&a);
    }
    rows_clean_up(&serial);
}

/* ---- the best lock and chunk ---- */

typedef struct trials {
    entrant of[TRIALS_MAX];
    size_t engine[TRIALS_MAX];
    const char *choice[TRIALS_MAX];
    size_t count;
} trials;

static entrant *add_trial(port_state *s, trials *t, size_t engine, const char *choice) {
    entrant *e = &t->of[t->count];
    if (t->count == TRIALS_MAX) bench_fail("more than %d trials", TRIALS_MAX);
    memset(e, 0, sizeof *e);
    e->engine = s->port->engines[engine];
    e->threads = s->report->settings->contested;
    snprintf(e->why, sizeof e->why, "%s", s->engines[engine].why);
    t->engine[t->count] = engine;
    t->choice[t->count++] = choice;
    return e;
}

/* The fastest choice of an engine; NULL: none ran. */
static const char *fastest(const trials *t, size_t engine) {
    const char *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < t->count; i++) {
        double seconds = entrant_summary(&t->of[i], SECONDS).median;
        if (t->engine[i] != engine || !(seconds < least)) continue;
        least = seconds;
        best = t->choice[i];
    }
    return best;
}

static void end_trials(port_state *s, trials *t, const char *what) {
    for (size_t i = 0; i < t->count; i++) {
        char choice[80];
        port_words_short(choice, sizeof choice, t->choice[i]);
        if (!t->of[i].why[0])
            report_row(s->report,
                       "bench=evaluation part=tune program=%s engine=%s threads=%u %s=%s "
                       "seconds=%.6f",
                       s->port->name, t->of[i].engine, t->of[i].threads, what,
                       *choice ? choice : "own", entrant_summary(&t->of[i], SECONDS).median);
        entrant_clean_up(&t->of[i]);
    }
    t->count = 0;
}

/* Together with the other parts these are within what a plan allows (plan.h); behind schedule, they
 * are shorter. */
contest_limits port_limits(const port_state *s, contest_kind kind) {
    static const contest_limits limits[][3] = {
        [CONTEST_LOCKS] = {{1, 10, 60, 1}, {2, 6, 3, 1}, {5, 20, 10, 1}},
        [CONTEST_CHUNKS] = {{1, 10, 60, 1}, {2, 8, 1.5, 1}, {5, 30, 10, 1}},
        [CONTEST_CASE] = {{1, 10, 60, 1}, {9, 24, 5, 3}, {25, 100, 30, 5}},
        [CONTEST_QUEST] = {{1, 10, 60, 1}, {9, 16, 5, 3}, {25, 50, 30, 5}},
        [CONTEST_SAME_CHUNK] = {{1, 10, 60, 1}, {5, 5, 5, 1}, {9, 20, 30, 1}}};
    const settings *set = s->report->settings;
    bool several = kind == CONTEST_CASE && s->port->cases[1].name;
    contest_limits l = limits[several ? CONTEST_QUEST : kind][set->scale];
    double share = plan_share(s->report, (int)s->port->rank - RANK_FLUIDANIMATE);
    if (kind == CONTEST_CASE && set->rounds)
        return (contest_limits){set->rounds, INFINITY, l.run_seconds, set->rounds};
    l.budget_seconds *= share;
    if (share < 0.5 && l.rounds_min > 3) l.rounds_min = 3;
    if (share < 0.2 && l.rounds_min > 2) l.rounds_min = 2;
    return l;
}

static void tune_locks(port_state *s, trials *t) {
    const port *p = s->port;
    for (size_t e = 0; p->engines[e]; e++)
        for (size_t l = 0; has_locks(p, p->engines[e]) && locks[l]; l++) {
            entrant *trial = add_trial(s, t, e, locks[l]);
            add_common(s, &trial->command, e, trial->threads, p->cases);
            add_lock(&trial->command, locks[l]);
            if (s->input) arguments_add(&trial->command, "%s", s->input);
        }
    contest_run(s->report, "the best lock", t->of, t->count, port_limits(s, CONTEST_LOCKS));
    for (size_t e = 0; p->engines[e]; e++) {
        const char *best = fastest(t, e);
        if (best) snprintf(s->engines[e].lock, NAME_MAX_LENGTH, "%s", best);
    }
    end_trials(s, t, "lock");
}

static void tune_chunks(port_state *s, trials *t) {
    const port *p = s->port;
    for (size_t e = 0; p->engines[e]; e++) {
        if (!strcmp(p->engines[e], "serial")) continue;
        port_command(s, &add_trial(s, t, e, "")->command, e, s->report->settings->contested, "",
                     p->cases);
        for (size_t c = 0; c < CHUNKS_MAX && p->chunks[c]; c++)
            port_command(s, &add_trial(s, t, e, p->chunks[c])->command, e,
                         s->report->settings->contested, p->chunks[c], p->cases);
    }
    contest_run(s->report, "the best chunk", t->of, t->count, port_limits(s, CONTEST_CHUNKS));
    for (size_t e = 0; p->engines[e]; e++) {
        const char *best = fastest(t, e);
        if (best) s->engines[e].chunk = best;
    }
    end_trials(s, t, "chunk");
}

void port_tune(port_state *s) {
    trials *t = bench_allocate(1, sizeof *t);
    if (s->report->settings->scale != SCALE_TINY) {
        tune_locks(s, t);
        tune_chunks(s, t);
    }
    free(t);
}
