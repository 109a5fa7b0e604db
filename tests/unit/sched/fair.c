/* A wide instance runs although narrow ones that it conflicts with never end (sched.S4, sched.A5,
 * sched.L2): within a number of instances that does not depend on how many are still to come. */
#include "unit/face/support.h"

#define CELLS 32u
#define NARROW 3000u     /* that send themselves again */
#define AHEAD 1500u      /* of them come before the wide one */
#define ENDLESS 1000000u /* with one thread; with more, the narrow ones end after the wide one */
#define REPEATS 4u       /* attempts while the last ones that conflict end */
#define WINDOW 2048u
#define REFUSALS 64u

typedef enum width_of_step { ONE_CELL, ALL_CELLS, EVERYTHING } width_of_step;

typedef struct step {
    uint32_t cell;
    width_of_step width;
} step;

static struct {
    support s;
    svs_space *space;
    svs_task *narrow; /* of all narrow ones */
    uint32_t cells[CELLS];
    atomic_uint ran, ran_before; /* narrow ones; before the wide one */
    atomic_uint asked;           /* touches of the wide one */
    uint32_t threads;
    atomic_bool wide_ran;
} t;

static void step_touch(svs_footprint *f, const step *i) {
    if (i->width != ONE_CELL) (void)atomic_fetch_add(&t.asked, 1);
    if (i->width == EVERYTHING) svs_writes_everything(f);
    else if (i->width == ALL_CELLS) svs_writes_span(f, t.space, 0, CELLS);
    else svs_writes_at(f, t.space, i->cell);
}

static svs_status step_run(svs_context *context, step *i) {
    if (i->width != ONE_CELL) {
        atomic_store(&t.ran_before, atomic_load(&t.ran));
        atomic_store(&t.wide_ran, true);
        return SVS_OK;
    }
    t.cells[i->cell]++;
    if (atomic_load(&t.wide_ran)) return SVS_OK;
    if (atomic_fetch_add(&t.ran, 1) > ENDLESS && t.threads == 1) return SVS_OK;
    return svs_send(context, t.narrow, i, 1, sizeof *i);
}
SVS_TASK(step, step_run, step_touch)

static void send_steps(svs_graph *graph, svs_task *to, width_of_step width, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        step one = {i % CELLS, width};
        support_ok(svs_graph_send(graph, to, &one, 1, sizeof one));
    }
}

/* @return how many narrow ones have run before the wide one. */
static uint32_t run_wide(svs_algorithm algorithm, width_of_step width, bool foreign,
                         uint32_t threads) {
    svs_graph_options options;
    svs_graph *graph;
    svs_task *wide;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    options.explain_every = 0; /* an explanation calls touch functions, too */
    t.threads = threads;
    support_open(&t.s, threads);
    support_ok(svs_space_new(t.s.world, "cells", CELLS, &t.space));
    support_ok(svs_graph_new(t.s.world, &options, &graph));
    t.narrow = wide = support_itemizer(graph, &step_task, NULL);
    support_ok(svs_graph_add_flow(graph, t.narrow, t.narrow));
    atomic_store(&t.ran, 0);
    atomic_store(&t.asked, 0);
    atomic_store(&t.ran_before, 0);
    atomic_store(&t.wide_ran, false);
    if (foreign) {
        wide = support_itemizer(graph, &step_task, NULL);
        support_ok(svs_graph_set_independent(graph, t.narrow, wide));
    }
    send_steps(graph, t.narrow, ONE_CELL, AHEAD);
    send_steps(graph, wide, width, 1);
    send_steps(graph, t.narrow, ONE_CELL, NARROW - AHEAD);
    support_run(graph, 1);
    t.s.log_seen = t.s.log.count; /* may say what the instances contend for */
    support_ok(svs_graph_free(graph));
    support_ok(svs_space_free(t.space));
    support_close(&t.s);
    return atomic_load(&t.ran_before);
}

/* The bounds of <svs/graph.h>: those that came before it, and what a window has, or 64 refusals. An
 * attempt of the wide one begins with its touch function. How many narrow ones fit between two
 * attempts is bounded only where the operating system cannot suspend one worker and let another
 * one run: with one thread, or within a window. */
static void is_fair(svs_algorithm algorithm, width_of_step width, bool foreign) {
    bool windows = algorithm >= SVS_ALGORITHM_WINDOWED && !foreign;
    uint32_t bound = windows ? AHEAD + WINDOW : AHEAD + REFUSALS * NARROW;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        uint32_t before = run_wide(algorithm, width, foreign, threads), asked = t.asked;
        if (asked > REFUSALS + REPEATS || ((windows || threads == 1) && before > bound))
            fail_msg("algorithm %d, width %d, %u threads: %u narrow ones came first, %u attempts",
                     (int)algorithm, (int)width, threads, before, asked);
    }
}

TEST_CASE(a_wide_instance_runs_among_endless_narrow_ones_of_its_task) {
    SUPPORT_EACH_ALGORITHM(a) {
        is_fair(a, ALL_CELLS, false);
        is_fair(a, EVERYTHING, false);
    }
}

TEST_CASE(a_wide_instance_runs_among_endless_narrow_ones_of_another_domain) {
    SUPPORT_EACH_ALGORITHM(a) {
        is_fair(a, ALL_CELLS, true);
        is_fair(a, EVERYTHING, true);
    }
}

int main(void) { return run_cases(NULL, NULL); }
