#include "schedule.h"

#include <math.h>

#define GROUP 8         /* number of workers that leave together */
#define MAKERS_PART 0.1 /* share of a walk that one worker does alone: it gives the colours */

typedef struct simulation {
    const tool_costs *costs;
    const tool_design *design;
    uint32_t workers;
    double now;
    double making; /* work left of the windows that are being made */
} simulation;

double tool_schedule_end(const tool_design *design, double line, uint32_t workers) {
    if (workers == 1) return 0;
    if (!design->dealt_ends) return 2.0 * workers * line;
    return line * (fmin(workers, GROUP) + ceil((double)workers / GROUP));
}

/* Number of workers that make windows while others run bodies: at least one runs. */
static double makers_of(const simulation *s) {
    return s->making > 0 ? fmin(s->design->makers, s->workers - 1) : 0;
}

/* Runs a stage of `width` instances, while windows are made. */
static void run_stage(simulation *s, uint32_t width) {
    double one = s->costs->run + s->costs->body, left = width * one, begin = s->now;
    while (left > 1e-6) {
        double makers = makers_of(s), runners = fmin(s->workers - makers, width);
        double step = left / runners;
        if (makers > 0) step = fmin(step, s->making / makers);
        left -= runners * step;
        s->making = fmax(0, s->making - makers * step);
        if (s->making < 1e-6) s->making = 0;
        s->now += step;
    }
    if (width) s->now = fmax(s->now, begin + one);
    s->now += tool_schedule_end(s->design, s->costs->line, s->workers);
}

/* Makes the rest of the windows, while no stage runs. */
static void make_rest(simulation *s) {
    s->now += s->making / fmin(s->design->makers, s->workers);
    s->making = 0;
}

static void walk(simulation *s, double instances) {
    double all = instances * s->costs->walk, alone = MAKERS_PART * all;
    s->now += s->design->walks_by_all ? fmax(alone, all / s->workers) : all;
}

static double instances_of(const tool_schedule *schedule, size_t first, uint32_t stages) {
    double count = 0;
    for (uint32_t i = 0; i < stages && first + i < schedule->width_count; i++)
        count += schedule->widths[first + i];
    return count;
}

double tool_schedule_time(const tool_schedule *schedule, const tool_design *design,
                          uint32_t workers) {
    simulation s = {&schedule->costs, design, workers, 0, 0};
    bool walked = schedule->costs.walk > 0;
    size_t first = 0;
    if (schedule->window_count)
        s.making = schedule->costs.make * instances_of(schedule, 0, schedule->stages[0]);
    for (size_t w = 0; w < schedule->window_count; w++) {
        uint32_t stages = schedule->stages[w];
        size_t next = first + stages;
        make_rest(&s);
        walk(&s, instances_of(schedule, first, stages));
        if (w + 1 < schedule->window_count)
            s.making = schedule->costs.make * instances_of(schedule, next, schedule->stages[w + 1]);
        if (walked) make_rest(&s); /* sched.W14: while no body runs */
        for (; first < next && first < schedule->width_count; first++)
            run_stage(&s, schedule->widths[first]);
    }
    return s.now;
}
