/* What an evaluation makes: sections of a page, rows, and words of progress.
 *
 *     report r;
 *     report_init(&r, &settings);
 *     FILE *to = report_section(&r, RANK_WIDTH, "width", "Figure 7.1: parallel width");
 *     fprintf(to, "<p>...</p>");
 *     report_row(&r, "bench=evaluation figure=7.1 bits=%u width=%.1f", bits, width);
 *     report_write(&r);
 *     report_clean_up(&r);
 *
 * Sections stand on the page in the order of their ranks, whenever they were made. */
#ifndef EVALUATION_REPORT_H
#define EVALUATION_REPORT_H

#include "rows.h"

#include <stdint.h>

/* How much there is to do. */
typedef enum scale { SCALE_TINY, SCALE_QUICK, SCALE_WHOLE } scale;

typedef struct settings {
    scale scale;
    const char *out, *json; /* a folder; a file, NULL: evaluation.json in the folder */
    const char *programs;   /* where the executables are */
    const char *data, *source;
    const char *beside; /* the JSON of another machine; NULL: none */
    uint64_t rounds;    /* of the three programs; 0: by scale */
    uint32_t cpus, threads[8];
    size_t thread_count;
    uint32_t contested; /* the number of threads that headlines are about */
    int part;           /* the only one (plan.h); -1: all */
} settings;

typedef enum rank {
    RANK_HEADLINE,
    RANK_BESIDE,
    RANK_FLUIDANIMATE,
    RANK_CANNEAL,
    RANK_QUAKESQUAD,
    RANK_LOSES,
    RANK_COST,
    RANK_WIDTH,
    RANK_LINKS,
    RANK_TRACING,
    RANK_STORAGE,
    RANK_LCA,
    RANK_RETAIN,
    RANK_MACHINE,
    RANKS
} rank;

typedef struct section {
    const char *id, *title;
    FILE *to;
    char *text;
    size_t size;
} section;

typedef struct report {
    const settings *settings;
    section sections[RANKS];
    rows rows;
    uint64_t begin_ns;
    double load; /* of the machine when it began: processes that wanted a CPU */
    bool plots;  /* gnuplot is there */
    unsigned plots_drawn;
    unsigned problems; /* that make the evaluation fail in the end */
} report;

void report_init(report *r, const settings *s);
void report_clean_up(report *r);

/* Where the section's HTML goes; each rank once. */
FILE *report_section(report *r, rank place, const char *id, const char *title);

/* A row for people's terminals and for JSON. */
void report_row(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Rows that another program printed: for JSON alone. */
void report_rows(report *r, const char *text);

/* Says what is being done, and how long all of it has taken. */
void report_progress(const report *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What must not be, but does not end the evaluation; shown on the page, too. */
void report_problem(report *r, FILE *to, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes the page and the JSON. @return false when that failed. */
bool report_write(report *r);

/* ---- HTML ---- */
void html_text(FILE *to, const char *text); /* with its special characters escaped */
void html_note(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "time|ratio|.." becomes a table's first row; a cell that begins with '<' is text. */
void html_table_begin(FILE *to, const char *columns);
/* Cells, which '|' parts; one that begins with '*' stands out. */
void html_table_row(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void html_table_end(FILE *to);

#endif
