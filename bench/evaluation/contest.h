/* Programs that compete: each run in turn, round after round, so that what the machine does to one
 * it does to all. */
#ifndef EVALUATION_CONTEST_H
#define EVALUATION_CONTEST_H

#include "child.h"
#include "report.h"

enum { SAMPLES_MAX = 64, NAME_MAX_LENGTH = 24, WHY_MAX = 200 };

/* A median and quartiles. */
typedef struct summary {
    double median, low, high;
    size_t count;
} summary;
summary summary_of(const double *values, size_t count);

typedef enum measure {
    SECONDS,  /* that the program gives for its frames or steps */
    PREPARED, /* with what the engine does before and after */
    CPU,
    PEAK_MB,
    FRAME_P99_MS,
    MEASURES
} measure;

typedef struct entrant {
    const char *engine;
    char lock[NAME_MAX_LENGTH]; /* empty: the engine has none, or its own choice */
    uint32_t threads;
    arguments command;
    double samples[MEASURES][SAMPLES_MAX];
    double outside[SAMPLES_MAX];  /* of the process, beyond SECONDS */
    uint64_t rounds[SAMPLES_MAX]; /* in which the samples were taken */
    size_t count;
    double wall_seconds; /* of its last run's process */
    rows last;           /* the line of its last run */
    char why[WHY_MAX];   /* it was left out; empty: it was not */
} entrant;

/* How long a contest may go on. */
typedef struct contest_limits {
    uint64_t rounds;       /* at most */
    double budget_seconds; /* beyond `rounds_min`, no round begins that would end later */
    double run_seconds;    /* a run that takes longer is ended, and its entrant with it */
    uint64_t rounds_min;   /* that there are whatever they take; 0: one */
} contest_limits;

/* Runs each entrant in each round, but not one that failed or was skipped; one that takes much
 * longer than the fastest runs in every third round only, and only when there is time. */
void contest_run(report *r, const char *what, entrant *entrants, size_t count,
                 contest_limits limits);

summary entrant_summary(const entrant *e, measure m);
/* Quotients of what ran in one round: what slows the machine slows both. Either may be NULL. */
summary entrant_ratio(const entrant *a, const entrant *b, measure m);
/* The line that its last run ended with; NULL: none. */
const row *entrant_last(const entrant *e);
/* The entrant of an engine at a number of threads, if it ran; NULL: none. */
const entrant *contest_find(const entrant *entrants, size_t count, const char *engine,
                            uint32_t threads);
void entrant_clean_up(entrant *e);

#endif
