/* Priorities of graphs that run at once, on one worker (worksteal.Q6). Each body takes a turn by
 * the test's own clock, so that turns are counted, and nothing is timed. */
#include "unit/face/support.h"
#include "worksteal/runtime.h"

#define GRAPHS 3u
#define EACH 64u
#define TURNS (GRAPHS * EACH)

static _Atomic(uint64_t) now;
uint64_t __wrap_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void) { return svs__load_relaxed(&now); }

static uint32_t order[TURNS], ran;
static svs_graph *raised; /* by the body of turn `raises_at` */
static uint32_t raises_at;

typedef struct job {
    uint32_t graph;
} job;
static void job_touch(svs_footprint *f, const job *j) { (void)f, (void)j; }
static svs_status job_run(svs_context *context, job *j) {
    (void)svs__fetch_add_relaxed(&now, SVS__TURN_NS);
    if (ran == raises_at) support_ok(svs_graph_set_priority(raised, 1));
    order[ran++] = j->graph;
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

typedef struct bench {
    support s;
    svs_world *worlds[GRAPHS]; /* of each: in one world a graph also waits for what others hold */
    svs_graph *graphs[GRAPHS];
} bench;

static void bench_open(bench *b, svs_algorithm algorithm) {
    svs_graph_options options;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    support_open(&b->s, 1);
    ran = 0;
    raises_at = UINT32_MAX;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        svs_task *task;
        support_ok(svs_world_new(b->s.runtime, NULL, &b->worlds[i]));
        support_ok(svs_graph_new(b->worlds[i], &options, &b->graphs[i]));
        task = support_itemizer(b->graphs[i], &job_task, NULL);
        for (uint32_t k = 0; k < EACH; k++) {
            job j = {i};
            support_ok(svs_graph_send(b->graphs[i], task, &j, 1, sizeof j));
        }
    }
}

static void bench_run(bench *b) {
    for (uint32_t i = 0; i < GRAPHS; i++) support_ok(svs_graph_begin(b->graphs[i], 1, NULL, NULL));
    for (uint32_t i = 0; i < GRAPHS; i++)
        support_ok(svs_graph_wait(b->graphs[i], UINT64_MAX, NULL));
    assert_int_equal(ran, TURNS);
}

static void bench_close(bench *b) {
    for (uint32_t i = 0; i < GRAPHS; i++) {
        support_ok(svs_graph_free(b->graphs[i]));
        support_ok(svs_world_free(b->worlds[i]));
    }
    support_close(&b->s);
}

/* Turns of a graph from number `from` on, before `to`. */
static uint32_t turns_of(uint32_t graph, uint32_t from, uint32_t to) {
    uint32_t turns = 0;
    for (uint32_t i = from; i < to; i++) turns += order[i] == graph;
    return turns;
}

#define EACH_ALGORITHM(a)                                                                          \
    for (svs_algorithm a = SVS_ALGORITHM_STAGED; a <= SVS_ALGORITHM_WINDOWED; a++)

TEST_CASE(graphs_of_equal_priority_are_served_in_turn) {
    EACH_ALGORITHM(a) {
        bench b;
        bench_open(&b, a);
        for (uint32_t i = 0; i < GRAPHS; i++) support_ok(svs_graph_set_priority(b.graphs[i], 7));
        bench_run(&b);
        for (uint32_t i = 0; i < GRAPHS; i++)
            assert_in_range(turns_of(i, 0, 48), 48 / GRAPHS - 3, 48 / GRAPHS + 3);
        bench_close(&b);
    }
}

TEST_CASE(a_graph_of_higher_priority_has_all_turns_but_one_in_sixteen) {
    EACH_ALGORITHM(a) {
        bench b;
        bench_open(&b, a);
        support_ok(svs_graph_set_priority(b.graphs[1], 1));
        bench_run(&b);
        assert_in_range(turns_of(1, 0, 48), 48 - 48 / SVS__FAIR_TURN - 1, 48 - 1);
        bench_close(&b);
    }
}

TEST_CASE(no_graph_of_low_priority_starves) {
    bench b;
    bench_open(&b, SVS_ALGORITHM_WINDOWED);
    support_ok(svs_graph_set_priority(b.graphs[0], 2));
    support_ok(svs_graph_set_priority(b.graphs[1], 2));
    support_ok(svs_graph_set_priority(b.graphs[2], -5));
    bench_run(&b);
    assert_true(turns_of(2, 0, GRAPHS * SVS__FAIR_TURN + GRAPHS) > 0);
    assert_in_range(turns_of(2, 0, 96), 1, 96 / SVS__FAIR_TURN);
    bench_close(&b);
}

TEST_CASE(a_priority_that_is_set_during_the_run_holds_from_the_next_turn_on) {
    bench b;
    bench_open(&b, SVS_ALGORITHM_PROGRESSIVE);
    raised = b.graphs[2];
    raises_at = 9;
    bench_run(&b);
    assert_in_range(turns_of(2, 0, 10), 2, 4);
    assert_in_range(turns_of(2, 10, 42), 32 - 32 / SVS__FAIR_TURN - 1, 32);
    bench_close(&b);
}

TEST_CASE(the_priority_of_a_graph_holds_for_all_of_its_runs_and_for_no_other) {
    bench b;
    bench_open(&b, SVS_ALGORITHM_WINDOWED);
    support_ok(svs_graph_set_priority(b.graphs[0], 3));
    bench_run(&b);
    assert_int_equal(svs__load_relaxed(&b.s.runtime->jobs.unequal), 0);
    support_ok(svs_graph_begin(b.graphs[1], 1, NULL, NULL));
    assert_int_equal(svs__load_relaxed(&b.s.runtime->jobs.unequal), 0);
    support_ok(svs_graph_begin(b.graphs[0], 1, NULL, NULL));
    assert_int_not_equal(svs__load_relaxed(&b.s.runtime->jobs.unequal), 0);
    support_ok(svs_graph_wait(b.graphs[1], UINT64_MAX, NULL));
    support_ok(svs_graph_wait(b.graphs[0], UINT64_MAX, NULL));
    bench_close(&b);
}

int main(void) { return run_cases(NULL, NULL); }
