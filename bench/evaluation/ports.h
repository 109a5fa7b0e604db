/* The three programs (figures 7.5 to 7.7): all their engines, at their best lock and chunk, at
 * several numbers of threads, in turns. */
#ifndef EVALUATION_PORTS_H
#define EVALUATION_PORTS_H

#include "contest.h"

enum { ENGINES_MAX = 7, CASES_MAX = 4, CHUNKS_MAX = 4, ENTRANTS_MAX = 160, THESIS_MAX = 5 };

/* One input, or one world. */
typedef struct port_case {
    const char *name;      /* for people */
    const char *arguments; /* words; NULL: the input file */
} port_case;

/* What the thesis tells of an engine at a number of threads. */
typedef struct thesis_time {
    const char *engine;
    uint32_t threads;
    const char *text;
} thesis_time;

/* Where a run's time goes, for predictions; names of functions are words. */
typedef struct port_profile {
    const char *words;   /* of a small run */
    const char *serial;  /* what a frame does outside of a graph */
    const char *alone;   /* bodies that nothing runs beside .. */
    const char *asyncs;  /* .. but these functions, which are asyncs of theirs */
    const char *senders; /* bodies that send while others run what they have sent */
    const char *runs;    /* the key of the end line with the number of the graph's runs */
    double barriers;     /* of a run: where workers sleep while a body runs alone */
} port_profile;

typedef struct port {
    rank rank;
    const char *name, *figure, *title, *folder;
    const char *engines[ENGINES_MAX + 1];      /* svs first, serial second */
    const char *words[3];                      /* by scale */
    const char *lock_engines[ENGINES_MAX];     /* that have --lock */
    const char *chunks[CHUNKS_MAX + 1], *same; /* "--chunk 64" */
    port_case cases[CASES_MAX + 1];
    const char *input;                /* the name of an input file; NULL: none */
    const char *packed, *packed_tiny; /* where it is among the data */
    const char *intro, *thesis;       /* HTML */
    const char *ours[3];              /* the input, for people, by scale */
    const char *generated;            /* what it is when PARSEC's is not there */
    const char *thesis_input;
    thesis_time thesis_times[THESIS_MAX];
    port_profile profile;
    bool frames;    /* that have a 99th percentile */
    bool per_frame; /* times are shown as microseconds of a frame, as the thesis has them */
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
    const char *ours; /* the input, for people */
    tuned engines[ENGINES_MAX];
    entrant *entrants; /* of the case at hand */
    size_t count;
    struct profile *profile; /* of svs, from the first case on (predict.h) */
} port_state;

extern const port port_fluidanimate, port_canneal, port_quakesquad;

/* What the page's head says of a case, at the contested number of threads. */
typedef struct headline {
    const port *port;
    const char *case_name, *other;
    double svs_seconds, scale; /* scale: to the port's unit */
    summary ratio, ratio_p99;
    double ratio_prepared, ratio_cpu, ratio_serial, ratio_stm, ratio_mutex;
    summary relative[ENGINES_MAX]; /* by the port's engines: time over that of svs */
} headline;

/* Measures a program and writes its section. @return how many headlines were written, one for each
 * case at most. */
size_t port_run(report *r, const port *p, headline headlines[CASES_MAX]);

/* ---- parts ---- */

typedef enum contest_kind {
    CONTEST_LOCKS,
    CONTEST_CHUNKS,
    CONTEST_CASE,
    CONTEST_QUEST, /* a case, where there are several */
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
/* The fastest engine but SvS and the serial one; NULL: none ran. */
const entrant *port_best_peer(const port_state *s, uint32_t threads);
/* Seconds with what the engine does before its first and after its last frame. */
double port_prepared_seconds(const port_state *s, const entrant *e);
/* Times are shown in this unit; seconds times the scale. */
const char *port_unit(const port *p);
double port_scale(const port_state *s);
/* Without the dashes, for rows: "chunk:64". */
void port_words_short(char *text, size_t size, const char *words);

/* ports_draw.c */
void port_draw(port_state *s, const port_case *c);

/* ports_spent.c: what svs spends beyond its best peer, in words. */
const char *port_verdict(char *text, size_t size, const headline *h);
void port_report_spent(port_state *s, const port_case *c, const headline *h);

#endif
