/* Work and span of a recorded run, and predictions from them.
 *
 * Work W is the time on one worker. Span S is the time on unlimited workers: the longest chain of
 * dependent steps. */
#ifndef TOOL_SPAN_H
#define TOOL_SPAN_H

#include "view.h"

typedef struct tool_span {
    double work_ns;
    double span_ns;
    bool measured; /* false: estimated from the phases */
} tool_span;

/* Estimates both from the times of the phases. Work is their working time. Span is the longest path
 * through phases, under three assumptions: each phase is serial, a stolen phase starts no earlier
 * than recorded, and each running phase that may wait for an ending phase does wait. All three
 * overestimate: this span is at least the true one, and about as long as the run. @return false: no
 * memory. */
bool tool_span_of_phases(const tool_view *view, tool_span *span);

/* The model T(P) = W/P + c S (1 - 1/P), but at least a measured S; nanoseconds. T(1) is W. With c =
 * 1 it is the upper bound for a greedy scheduler (Brent). */
double tool_span_predict(const tool_span *span, double c, double workers);

#endif
