/* How long an evaluation takes: what its parts are about to take, said before they begin, and what
 * is left of the time that it may take in all. */
#ifndef EVALUATION_PLAN_H
#define EVALUATION_PLAN_H

#include "report.h"

#include <stddef.h>

/* What --only chooses from; the three programs come first. */
enum { PLAN_PARTS = 11 };
extern const char *const plan_parts[PLAN_PARTS + 1]; /* names, NULL ends them */

bool plan_wants(const settings *s, int part);

/* Seconds of a part on a machine with nothing else to do, as measured on 2 CPUs. */
double plan_part_seconds(const settings *s, int part);
/* Says what there is to be done, and how long it takes about. */
void plan_print(const report *r);

/* The share of their time that the parts from `part` on may take, so that the whole ends in time:
 * 1 on a quiet machine, less when what came before took longer. */
double plan_share(const report *r, int part);

#endif
