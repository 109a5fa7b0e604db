/* A simulator of the schedule of windows (docs/scaling.md): how long a run takes on P workers.
 *
 * The windows run one after the other, and the stages of each. While a window runs, some workers
 * make the next one, and the others run bodies:
 *
 *     a window of two stages, 3 workers, one maker          time of the second stage, if 12
 *     W0  make the next window ...    | run | run           instances of 100 ns are left, and
 *     W1  run | run | run | run | end | run | run | end     making takes 200 ns more:
 *     W2  run | run | run | run | end | run | run           200 + (1200 - 2 * 200) / 3 = 467 ns
 *
 * A window whose elements are walked is made before it, while nothing runs. A stage lasts for at
 * least one body, and its end costs transfers of a cache line. Memory, and conflicts that the trace
 * does not show, are not part of the model.
 *
 * Times are nanoseconds. */
#ifndef TOOL_SCHEDULE_H
#define TOOL_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the library makes windows. */
typedef struct tool_design {
    const char *name;
    bool walks_by_all; /* true: all workers walk; false: the maker alone */
    /* true: stages are dealt, and workers leave in groups of 8; false: one by one */
    bool dealt_ends;
    uint32_t makers; /* number of windows that are made at once */
} tool_design;

/* The times of an instance. */
typedef struct tool_costs {
    double make; /* to make its share of the window, without walks */
    double walk; /* to walk its links; a tenth of it is work of the maker alone */
    double run;  /* to claim it, and to begin its body */
    double body;
    double line; /* to transfer a cache line to another worker */
} tool_costs;

typedef struct tool_schedule {
    tool_costs costs;
    uint32_t *widths; /* widths of all stages, in their order */
    uint32_t *stages; /* number of stages of each window */
    size_t width_count, window_count;
} tool_schedule;

/* The time of the whole run. */
double tool_schedule_time(const tool_schedule *schedule, const tool_design *design,
                          uint32_t workers);

/* The time of a stage's end, at which each worker claims and leaves. */
double tool_schedule_end(const tool_design *design, double line, uint32_t workers);

#endif
