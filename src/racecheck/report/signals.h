/* Handlers of signals (wraps_signal.c). */
#ifndef SVS_RACECHECK_REPORT_SIGNALS_H
#define SVS_RACECHECK_REPORT_SIGNALS_H

/* The process ends: a report is made. In a handler what that needs may be held by the code that was
 * interrupted, for ever: then the process ends all the same, and says so. */
void svs__signals_report_begins(void);
void svs__signals_report_ends(void);

#endif
