#include "plan.h"

#include "common.h"

#include <math.h>

const char *const plan_parts[PLAN_PARTS + 1] = {"fluidanimate", "canneal", "quakesquad", "loses",
                                                "cost",         "width",   "links",      "tracing",
                                                "storage",      "lca",     "retain",     NULL};

/* What the three programs take besides their rounds, a round, and how many there are; the others
 * take what they take. */
typedef struct part_seconds {
    double fixed, round, rounds;
} part_seconds;

static const part_seconds seconds[3][PLAN_PARTS] = {[SCALE_TINY] = {{1, 0.2, 1},
                                                                    {1, 0.2, 1},
                                                                    {3, 1, 1},
                                                                    {1, 0, 0},
                                                                    {0, 0, 0},
                                                                    {0, 0, 0},
                                                                    {2, 0, 0},
                                                                    {1, 0, 0},
                                                                    {1, 0, 0},
                                                                    {1, 0, 0},
                                                                    {1, 0, 0}},
                                                    [SCALE_QUICK] = {{12, 2.3, 9},
                                                                     {18, 4, 6},
                                                                     {15, 17, 4},
                                                                     {6, 0, 0},
                                                                     {0, 0, 0},
                                                                     {1, 0, 0},
                                                                     {4, 0, 0},
                                                                     {12, 0, 0},
                                                                     {3, 0, 0},
                                                                     {10, 0, 0},
                                                                     {2, 0, 0}},
                                                    [SCALE_WHOLE] = {{70, 7, 14},
                                                                     {65, 4, 25},
                                                                     {75, 40, 5},
                                                                     {25, 0, 0},
                                                                     {0, 0, 0},
                                                                     {1, 0, 0},
                                                                     {8, 0, 0},
                                                                     {36, 0, 0},
                                                                     {20, 0, 0},
                                                                     {70, 0, 0},
                                                                     {4, 0, 0}}};

/* A quick evaluation takes four minutes at most, a whole one fifteen, and some of it is left for
 * the unforeseen. */
static const double total_seconds[] = {
    [SCALE_TINY] = 600, [SCALE_QUICK] = 225, [SCALE_WHOLE] = 860};

bool plan_wants(const settings *s, int part) { return s->part < 0 || s->part == part; }

double plan_part_seconds(const settings *s, int part) {
    const part_seconds *p = &seconds[s->scale][part];
    if (!plan_wants(s, part)) return 0;
    return p->fixed + p->round * (s->rounds ? (double)s->rounds : p->rounds);
}

/* From `part` on. */
static double seconds_from(const settings *s, int part) {
    double sum = 0;
    for (; part < PLAN_PARTS; part++) sum += plan_part_seconds(s, part);
    return sum;
}

void plan_print(const report *r) {
    const settings *s = r->settings;
    double all = seconds_from(s, 0);
    bench_table_line("%s: about %.0f:%02.0f on a quiet machine%s", r->settings->out,
                     floor(all / 60), floor(fmod(all, 60)),
                     s->rounds ? "" : "; on a busy one, fewer rounds");
    for (int part = 0; part < PLAN_PARTS; part++)
        if (plan_wants(s, part))
            bench_table_line("  %-12s %4.0f s", plan_parts[part], plan_part_seconds(s, part));
    if (r->load > 0.5 * s->cpus)
        bench_table_line("  The machine is busy: %.1f processes want its %u CPUs. Times of several "
                         "threads will say little.",
                         r->load, s->cpus);
}

double plan_share(const report *r, int part) {
    const settings *s = r->settings;
    double gone = 1e-9 * (double)(bench_wall_ns() - r->begin_ns);
    double wanted = seconds_from(s, part);
    return wanted > 0 ? fmax(0, fmin(1, (total_seconds[s->scale] - gone) / wanted)) : 1;
}
