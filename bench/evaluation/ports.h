/* The three programs (figures 7.5 to 7.7): all their engines, at their best lock and chunk, at
 * several numbers of threads, in turns. */
#ifndef EVALUATION_PORTS_H
#define EVALUATION_PORTS_H

#include "contest.h"

enum { ENGINES_MAX = 7, CASES_MAX = 4, CHUNKS_MAX = 4, ENTRANTS_MAX = 160 };

/* One input, or one world. */
typedef struct port_case {
    const char *name;      /* for people */
    const char *arguments; /* words; NULL: the input file */
} port_case;

typedef struct port {
    rank rank;
    const char *name, *figure, *title, *folder;
    const char *engines[ENGINES_MAX + 1];      /* svs first, serial second */
    const char *words[3];                      /* by scale */
    const char *lock_engines[ENGINES_MAX];     /* that have --lock */
    const char *chunks[CHUNKS_MAX + 1], *same; /* "--chunk 64" */
    const char *chunk_of_svs; /* NULL: svs takes the same options; else what it has instead */
    port_case cases[CASES_MAX + 1];
    const char *input;                 /* the name of an input file; NULL: none */
    const char *packed, *packed_tiny;  /* where it is among the data */
    const char *intro, *thesis;        /* HTML */
    const char *thesis_8[ENGINES_MAX]; /* by engine, what the thesis reports at 8 threads */
    const char *profile;               /* words of a small run */
    const char *serial_function;       /* what a frame does outside of a graph; NULL: nothing */
    bool frames;                       /* that have a 99th percentile */
} port;

/* What is known of an engine before it competes. */
typedef struct tuned {
    char lock[NAME_MAX_LENGTH];
    const char *chunk;    /* words; "": the engine's own choice */
    char why[WHY_MAX];    /* it is left out */
    char result[WHY_MAX]; /* how its result compares with the serial engine's */
    bool wrong;
} tuned;

typedef struct port_state {
    report *report;
    const port *port;
    FILE *to;    /* what stands first: the pictures of all cases */
    FILE *after; /* what follows: tables */
    char *program, *input;
    tuned engines[ENGINES_MAX];
    entrant *entrants; /* of the case at hand */
    size_t count;
} port_state;

extern const port port_fluidanimate, port_canneal, port_quakesquad;

/* What the page's head says of a case, at the contested number of threads. */
typedef struct headline {
    const port *port;
    const char *case_name, *other;
    double svs_seconds, ratio, ratio_low, ratio_high, ratio_cpu, ratio_serial, ratio_stm,
        ratio_mutex;
} headline;

/* Measures a program and writes its section. @return how many headlines were written, one for each
 * case at most. */
size_t port_run(report *r, const port *p, headline headlines[CASES_MAX]);

/* ---- parts ---- */

typedef enum contest_kind {
    CONTEST_LOCKS,
    CONTEST_CHUNKS,
    CONTEST_CASE,
    CONTEST_SAME_CHUNK
} contest_kind;
contest_limits port_limits(const port_state *s, contest_kind kind);

/* ports_tune.c: which engines run at all, their results, locks and chunks. */
void port_try(port_state *s);
void port_tune(port_state *s);
/* An engine at its best, or with the words of `chunk`. */
void port_command(const port_state *s, arguments *a, size_t engine, uint32_t threads,
                  const char *chunk, const port_case *c);

/* ports_report.c */
void port_report_case(port_state *s, const port_case *c, headline *h);
void port_report_engines(port_state *s);
void port_report_same_chunk(port_state *s, const entrant *entrants, size_t count);
/* Without the dashes, for rows: "chunk:64". */
void port_words_short(char *text, size_t size, const char *words);

#endif
