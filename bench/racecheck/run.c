#include "evaluation/child.h"
#include "evaluation/rows.h"
#include "racecheck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LIMIT_SECONDS = 300 };

const char *const racecheck_policies[] = {"help-first", "work-first", NULL};
const char *const racecheck_compilers[] = {"gcc", "clang", NULL};
const char *const racecheck_ways[] = {"plain", "ours", "tsan", NULL};

static void path_of(const racecheck_settings *s, int compiler, int way, char *path, size_t room) {
    snprintf(path, room, "%s/racecheck_%s_%s", s->folder, racecheck_compilers[compiler],
             racecheck_ways[way]);
}

bool racecheck_is_there(const racecheck_settings *s, int compiler, int way) {
    char path[sizeof s->folder + 64];
    path_of(s, compiler, way, path, sizeof path);
    return access(path, X_OK) == 0;
}

static void read_line(const char *output, double peak_mb, racecheck_run *run) {
    static const char *const ways[] = {"label_edges", "stealtree_edges", "walk_edges"};
    rows all = {0};
    const row *line;
    rows_parse(&all, output);
    line = rows_find(&all, "subject=racecheck");
    *run = (racecheck_run){.seconds = row_number(line, "seconds"),
                           .peak_mb = peak_mb,
                           .accesses = row_number(line, "accesses"),
                           .queries = row_number(line, "queries"),
                           .phases = row_number(line, "phases"),
                           .lost = row_number(line, "lost"),
                           .merged = row_number(line, "merged")};
    for (int i = 0; i < 3; i++) run->edges[i] = row_number(line, ways[i]);
    rows_clean_up(&all);
}

bool racecheck_run_once(const racecheck_settings *s, const racecheck_order *order,
                        racecheck_run *run) {
    char path[sizeof s->folder + 64], complaint[300];
    arguments words = {0};
    bool good;
    child c;
    path_of(s, order->compiler, order->way, path, sizeof path);
    arguments_add(&words, "%s", path);
    arguments_add(&words, "%s", order->program->subject);
    arguments_add(&words, "%s", racecheck_policies[order->policy]);
    arguments_add(&words, "%llu", (unsigned long long)order->threads);
    for (int i = 0; i < RACECHECK_NUMBERS && order->size[i] != 0; i++)
        arguments_add(&words, "%llu", (unsigned long long)order->size[i]);
    /* The compilers' own sleep for a second when a process ends. */
    if (setenv("TSAN_OPTIONS", "atexit_sleep_ms=0", 1) != 0 ||
        setenv("SVS_CHECK_OPTIONS", order->options ? order->options : "", 1) != 0)
        bench_fail("setenv");
    child_run(&c, &words, LIMIT_SECONDS);
    read_line(c.output, c.peak_mb, run);
    good = !c.failed && isfinite(run->seconds);
    if (!good) {
        child_complaint(&c, complaint, sizeof complaint);
        fprintf(stderr, "%s %s: %s\n", path, order->program->name, complaint);
    }
    child_clean_up(&c);
    arguments_clean_up(&words);
    return good;
}
