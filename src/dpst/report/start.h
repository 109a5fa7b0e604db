/* A checked process: how it begins and how it ends.
 *
 * SVS_CHECK_OPTIONS is read before main(). Each runtime that starts later is checked. The races
 * found are reported once, when the process ends, in whichever way: by exit(), by a return from
 * main(), by _exit(), abort() or an assertion of the program's own code. */
#ifndef SVS_DPST_REPORT_START_H
#define SVS_DPST_REPORT_START_H

#include <svs/check.h>

/* Starts the check of the process. A constructor of each instrumented object file calls it; calls
 * after the first do nothing. */
void svs__check_begin(void);

/* Reports what was found, at the first call. @return the status that the process should end with, 0
 * when there was nothing to report. */
int svs__check_report(void);

/* Resets the state in the child of a fork(), where a thread that was about to end the process does
 * not exist. */
void svs__check_exit_reset(void);

/* Called when the check of a runtime has stopped; `summary` has its counters. */
void svs__check_stopped(svs_runtime *runtime, const svs_check_summary *summary);

/* Called when a task of the program uses other means of order than the library's: atomics or locks.
 * The check's answer then holds for the order that they gave in this run. */
enum { SVS__ATOMICS, SVS__LOCKS };
void svs__check_saw(int means);

/* Called before and after a report at the end of the process. In a handler of a signal
 * (wraps_signal.c), the interrupted code may hold for ever what the report needs: then the process
 * ends without a report, and says so. */
void svs__signals_report_begins(void);
void svs__signals_report_ends(void);

#endif
