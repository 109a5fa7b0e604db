/* The parts of an evaluation that are no ports. Each writes its section. */
#ifndef EVALUATION_FIGURES_H
#define EVALUATION_FIGURES_H

#include "ports.h"

/* Runs a benchmark and keeps its rows, for JSON too. @return false, with a problem noted, when it
 * cannot be run. */
bool figure_bench(report *r, FILE *to, const char *name, const char *words, rows *all);

void figure_width(report *r);   /* figure 7.1 */
void figure_links(report *r);   /* figures 7.2 to 7.4, table 7.1 */
void figure_tracing(report *r); /* Steal Tree, figure 4 */
void figure_storage(report *r); /* figure 5 */
void figure_lca(report *r);     /* figure 9 */
void figure_retain(report *r);  /* figure 10 */
void figure_loses(report *r);   /* body x objects x contention */
void figure_cost(report *r);    /* what a port costs a programmer */
/* Another machine's evaluation: reads it, and ends the program when it is none; and shows it. */
typedef struct another {
    rows rows;
    char processor[160], cpus[16], scale[16];
} another;
void figure_beside_read(const settings *s, another *other);
void figure_beside(report *r, const another *other);
void figure_headline(report *r, const headline *of, size_t count);

#endif
