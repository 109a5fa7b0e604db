/* What a program would take on more threads than this machine has CPUs, from its run on one. */
#ifndef EVALUATION_PREDICT_H
#define EVALUATION_PREDICT_H

#include "ports.h"

/* A run of a graph, seconds. */
typedef struct graph_run {
    double serial;            /* outside of the graph */
    double work;              /* inside, by all workers */
    double maker;             /* of the work, by one worker at a time: choosing stages */
    double sender;            /* of the work, by one worker at a time: bodies that send */
    double stages, instances; /* that ran */
    double handover;          /* that ends a stage */
} graph_run;

/* T(P) = serial + max(maker, sender, work/P) + c S (1 - 1/P) with c = 1: the steal tree's
 * prediction (svs trace predict), where a graph's span S is an instance and a handover a stage, and
 * where no number of workers makes a stage faster than one worker chooses it. */
double predict_seconds(const graph_run *g, double threads);

/* Where instructions of a small run went, in shares of the graph's run. */
typedef struct profile {
    bool known;
    bool staged;   /* else progressive: `maker` is what is done under the domain's lock */
    double serial; /* beside it, in units of the graph's run */
    double maker, sender, bodies, sends;
    char why[WHY_MAX]; /* it is not known */
} profile;

/* Counts with callgrind. */
profile profile_of(port_state *s);
/* From what callgrind_annotate --inclusive=yes printed. */
profile profile_read(const char *text, const char *serial_function);

/* Predicts for the entrants at hand, compares with what was measured, draws and prints. */
void predict_port(port_state *s);

#endif
