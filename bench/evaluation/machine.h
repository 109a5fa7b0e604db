/* The machine that an evaluation ran on, and what it was built with. */
#ifndef EVALUATION_MACHINE_H
#define EVALUATION_MACHINE_H

#include <stdio.h>

void machine_sentence(FILE *to); /* one line of HTML */
void machine_table(FILE *to);    /* a table of HTML */
void machine_json(FILE *to);     /* an object */

/* Nanoseconds from one thread's store until another thread, which spins, has seen it: what a
 * stage's end costs at least. NaN when there is one CPU only. */
double machine_handover_ns(void);
/* The same for a thread that sleeps. */
double machine_wakeup_ns(void);

#endif
