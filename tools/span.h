/* Work and span of what a trace recorded, and what they predict.
 *
 * Work W is how long one worker takes for all of it; span S is how long it takes with any number of
 * workers: its longest chain of steps that depend on each other. */
#ifndef TOOL_SPAN_H
#define TOOL_SPAN_H

#include "view.h"

typedef struct tool_span {
    double work_ns;
    double span_ns;
    bool measured; /* else it is of the phases */
} tool_span;

/* From the phases' times alone. Work is the time that they
 * were at work. Span is the longest path through phases
 * when each is one serial piece, what was stolen from a phase begins no earlier than it was seen
 * to, and an end is waited for by whatever still runs and may wait for it. All of that errs to the
 * long side: this span is at least the true one, and about as long as the run itself.
 * @return false when there is no memory. */
bool tool_span_of_phases(const tool_view *view, tool_span *span);

/* The model T(P) = W/P + c S (1 - 1/P), and at least a measured S, nanoseconds. T(1) is W; with c =
 * 1 it is what a greedy scheduler takes at most (Brent). */
double tool_span_predict(const tool_span *span, double c, double workers);

#endif
