/* What a program would take on more threads than this machine has CPUs, from its run on one.
 *
 *   T(P) = A + E + max(M + H, B, (W - E + H) / P) + (S + K) (1 - 1/P)
 *
 * The steal tree's prediction (svs trace predict: W/P and a span), extended to domains:
 *
 *   A  outside of the graph                W  all work of the graph on one thread
 *   E  of it, bodies that run alone: nothing runs beside them, whatever P is
 *   M  of it, what one worker at a time does: making stages, or under a progressive domain's lock
 *   B  of it, bodies that send what others run meanwhile, one such body at a time
 *   S  the span: a stage takes an instance and a handover at least, however wide it is; without
 *      stages, a run of the graph does
 *   K  barriers: whoever sleeps while a body runs alone is woken behind it
 *   H  a progressive domain's lock changes hands once an instance, (1 - 1/P) of the time
 *
 * What it knows nothing of: memory that all CPUs share, and more than one socket. */
#ifndef EVALUATION_PREDICT_H
#define EVALUATION_PREDICT_H

#include "ports.h"

/* Runs of a graph, seconds. */
typedef struct graph_run {
    double serial;              /* A */
    double work, alone, sender; /* W, E, B */
    double maker;               /* M */
    double stages, instances;   /* that ran; a run without stages counts as one */
    double handover, wakeup;    /* of this machine, each */
    double lock_handovers, barriers;
} graph_run;

double predict_seconds(const graph_run *g, double threads);
double predict_span(const graph_run *g); /* S */

/* Where instructions of a small run went, in shares of the graph's run. */
typedef struct profile {
    bool known;
    bool staged;   /* else progressive */
    double serial; /* beside it, in units of the graph's run */
    double maker, alone, sender, bodies, sends;
    char why[WHY_MAX]; /* it is not known */
} profile;

/* Counts with callgrind. */
profile profile_of(port_state *s);
/* From what callgrind_annotate --inclusive=yes printed. */
profile profile_read(const char *text, const port_profile *of);

/* Predicts for the entrants at hand, compares with what was measured, draws and prints. */
void predict_port(port_state *s, const port_case *c);

#endif
