#include "racecheck.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_SECONDS = 300, WORDS_MAX = 8, LINE_MAX_LENGTH = 1024 };

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

/* The number behind " key=" in a line; NaN: there is none. */
static double number_of(const char *line, const char *key) {
    char pair[64], *end;
    const char *at;
    double number;
    snprintf(pair, sizeof pair, " %s=", key);
    if (!(at = strstr(line, pair))) return NAN;
    at += strlen(pair);
    number = strtod(at, &end);
    return end == at || (*end && !strchr(" \n", *end)) ? NAN : number;
}

/* The numbers in the line that a subject prints at its end. */
static void read_run(const char *line, double peak_mb, racecheck_run *run) {
    static const char *const ways[] = {"label_edges", "stealtree_edges", "walk_edges"};
    *run = (racecheck_run){.seconds = number_of(line, "seconds"),
                           .peak_mb = peak_mb,
                           .accesses = number_of(line, "accesses"),
                           .queries = number_of(line, "queries"),
                           .phases = number_of(line, "phases"),
                           .lost = number_of(line, "lost"),
                           .merged = number_of(line, "merged")};
    for (int i = 0; i < 3; i++) run->edges[i] = number_of(line, ways[i]);
}

/* The last line of a file that begins with `begin`; empty: there is none. */
static void last_line(FILE *from, const char *begin, char found[LINE_MAX_LENGTH]) {
    char line[LINE_MAX_LENGTH];
    *found = 0;
    rewind(from);
    while (fgets(line, sizeof line, from))
        if (!strncmp(line, begin, strlen(begin))) memcpy(found, line, sizeof line);
}

/* Both streams go to files. An alarm outlives exec and ends a subject that takes too long.
 * @return whether the subject ended well */
static bool run_child(char *const words[], FILE *output, FILE *error, double *peak_mb) {
    struct rusage usage;
    int status = 0;
    pid_t pid;
    fflush(NULL);
    pid = fork();
    if (pid < 0) bench_fail("fork: %s", strerror(errno));
    if (pid == 0) {
        if (dup2(fileno(output), STDOUT_FILENO) < 0 || dup2(fileno(error), STDERR_FILENO) < 0)
            _exit(127);
        alarm(LIMIT_SECONDS);
        execv(words[0], words);
        _exit(127);
    }
    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR) bench_fail("wait4: %s", strerror(errno));
    *peak_mb = (double)usage.ru_maxrss / 1024;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs a subject and reads its line; says on stderr why that failed. */
static bool run_subject(char *const words[], racecheck_run *run) {
    FILE *output = tmpfile(), *error = tmpfile();
    char line[LINE_MAX_LENGTH];
    double peak_mb;
    bool good;
    if (!output || !error) bench_fail("tmpfile: %s", strerror(errno));
    good = run_child(words, output, error, &peak_mb);
    last_line(output, "subject=racecheck ", line);
    read_run(line, peak_mb, run);
    if (!good || !isfinite(run->seconds)) {
        last_line(error, "", line);
        line[strcspn(line, "\n")] = 0;
        fprintf(stderr, "%s %s: %s\n", words[0], words[1],
                *line ? line : "it failed, was ended after its time, or printed no seconds");
        good = false;
    }
    fclose(output);
    fclose(error);
    return good;
}

bool racecheck_run_once(const racecheck_settings *s, const racecheck_order *order,
                        racecheck_run *run) {
    char path[sizeof s->folder + 64], numbers[1 + RACECHECK_NUMBERS][24];
    char *words[WORDS_MAX] = {path, (char *)(uintptr_t)order->program->subject,
                              (char *)(uintptr_t)racecheck_policies[order->policy], numbers[0]};
    path_of(s, order->compiler, order->way, path, sizeof path);
    snprintf(numbers[0], sizeof numbers[0], "%llu", (unsigned long long)order->threads);
    for (int i = 0; i < RACECHECK_NUMBERS && order->size[i] != 0; i++) {
        snprintf(numbers[i + 1], sizeof numbers[i + 1], "%llu", (unsigned long long)order->size[i]);
        words[4 + i] = numbers[i + 1];
    }
    /* The compilers' own sleep for a second when a process ends. */
    if (setenv("TSAN_OPTIONS", "atexit_sleep_ms=0", 1) != 0 ||
        setenv("SVS_CHECK_OPTIONS", order->options ? order->options : "", 1) != 0)
        bench_fail("setenv");
    return run_subject(words, run);
}
