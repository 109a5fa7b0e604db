/* Rows of key=value pairs: what programs print, and what an evaluation keeps of itself.
 *
 *     rows all = {0};
 *     rows_parse(&all, "bench=links K=2 width=166.7\n");
 *     double width = row_number(rows_find(&all, "bench=links K=2"), "width");
 *     rows_print_json(&all, stdout);
 *
 * Values have no spaces. In JSON a value that looks like a number is one; one of several numbers
 * that commas part is an array. */
#ifndef EVALUATION_ROWS_H
#define EVALUATION_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct row {
    char *text; /* "key\0value\0key\0value\0" */
    size_t pairs;
} row;

typedef struct rows {
    row *of;
    size_t count, capacity;
} rows;

/* Adds each line of `text` that begins with a pair. */
void rows_parse(rows *all, const char *text);
void rows_clean_up(rows *all);

/* The value of `key`; NULL, NaN: there is none, or it is no number. `r` may be NULL. */
const char *row_text(const row *r, const char *key);
double row_number(const row *r, const char *key);

/* Whether `r` has all pairs of `pairs`, which spaces part. */
bool row_matches(const row *r, const char *pairs);
/* The first such row from `from` on, NULL: none. */
const row *rows_find(const rows *all, const char *pairs);

/* Adds the rows of a file that rows_print_json() wrote. @return how many; 0: it has none. */
size_t rows_read_json(rows *all, const char *text);

/* An array of objects, one a line. */
void rows_print_json(const rows *all, FILE *to);
/* A string of JSON, with its quotes. */
void json_string(FILE *to, const char *text);

#endif
