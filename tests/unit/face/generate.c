/* svs_graph_generate(): items that are made when they are taken. Each number is made and run once,
 * in the place that a send would have given it (sched.I11), and a long loop takes the memory of a
 * short one. */
#include "support.h"

#define ALL 5000u /* items: several batches, and windows */
#define FAILED 7  /* a status of the bodies */

/* Writes one of a few cells, so that instances conflict. */
typedef struct job {
    uint32_t number;
    uint64_t *cell;
    char bytes[64];
} job;

static atomic_uint made[3 * ALL], ran[3 * ALL];
static uint64_t cells[97], instance[3 * ALL];
static uint32_t in_order[3 * ALL], ended, fails_at;
static atomic_int failing, waited;

static void clear(void) {
    memset(made, 0, sizeof made);
    memset(ran, 0, sizeof ran);
    ended = 0;
    fails_at = UINT32_MAX;
    failing = waited = 0;
}

/* Called by late items: the first of them waits a while for the end of the failing item, whose
 * worker may have lost its CPU. */
static void wait_for_failure(void) {
    if (fails_at == UINT32_MAX || atomic_exchange(&waited, 1)) return;
    (void)support_appears(&failing, 1);
    (void)support_appears(&failing, 2);
}

static void job_touch(svs_footprint *f, const job *j) { svs_writes(f, j->cell); }
static svs_status job_run(svs_context *context, job *j) {
    if (j->number > 2 * ALL) wait_for_failure();
    if (j->number == fails_at) atomic_store(&failing, 1);
    atomic_fetch_add(&ran[j->number], 1);
    instance[j->number] = svs_instance_id(context);
    *j->cell = *j->cell * 31 + j->number;
    return j->number == fails_at ? (svs_status)FAILED : SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

/* All write one place: the order of the run can be seen. */
static void next_touch(svs_footprint *f, const job *j) { svs_writes(f, &ended); }
static svs_status next_run(svs_context *context, job *j) {
    in_order[ended++] = j->number;
    return SVS_OK;
}
SVS_TASK(next, job, next_run, next_touch)

static job job_of(uint32_t number) { return (job){number, &cells[number % 97], ""}; }

/* @param argument the number that number 0 stands for */
static void make_jobs(void *items, uint32_t first, uint32_t count, void *argument) {
    const uint32_t *from = argument;
    job *jobs = items;
    for (uint32_t i = 0; i < count; i++) {
        jobs[i] = job_of(*from + first + i);
        atomic_fetch_add(&made[*from + first + i], 1);
    }
}

static void send_jobs(svs_graph *graph, svs_task *to, uint32_t from, uint32_t count) {
    for (uint32_t i = from; i < from + count; i++) {
        job one = job_of(i);
        support_ok(svs_graph_send(graph, to, &one, 1, sizeof one));
    }
}

static void expect_each_once(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) assert_int_equal(ran[i], 1);
}

/* ---- what runs, and in which order ---- */

TEST_CASE(each_item_is_made_and_run_once_between_those_that_were_sent) {
    SUPPORT_EACH_ALGORITHM(algorithm)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            static uint32_t from[] = {10, ALL + 10};
            support s;
            svs_graph *graph;
            svs_task *task;
            support_open(&s, threads);
            graph = support_graph_of(&s, algorithm);
            task = support_itemizer(graph, &job_task, NULL);
            for (int run = 0; run < 2; run++) {
                clear();
                send_jobs(graph, task, 0, 10);
                support_ok(svs_graph_generate(graph, task, make_jobs, &from[0], ALL, sizeof(job)));
                support_ok(svs_graph_generate(graph, task, make_jobs, &from[1], 1, sizeof(job)));
                support_ok(svs_graph_generate(graph, task, make_jobs, &from[1], 0, sizeof(job)));
                send_jobs(graph, task, ALL + 11, 20);
                support_ok(svs_graph_run(graph, 1, NULL));
                expect_each_once(ALL + 31);
                for (uint32_t i = 10; i < ALL + 11; i++) assert_int_equal(made[i], 1);
            }
            support_ok(svs_graph_free(graph));
            support_close(&s);
        }
}

SUPPORT_CASE(the_order_is_that_of_a_send, 2) {
    static uint64_t sent[ALL];
    uint32_t from = 100;
    for (int generates = 0; generates < 2; generates++) {
        svs_graph *graph = support_graph(s);
        svs_task *task = support_itemizer(graph, &job_task, NULL);
        clear();
        send_jobs(graph, task, 0, from);
        if (generates)
            support_ok(svs_graph_generate(graph, task, make_jobs, &from, ALL - 200, sizeof(job)));
        else send_jobs(graph, task, from, ALL - 200);
        send_jobs(graph, task, ALL - 100, 100);
        support_ok(svs_graph_run(graph, 1, NULL));
        support_ok(svs_graph_free(graph));
        if (generates) assert_memory_equal(sent, instance, sizeof sent);
        memcpy(sent, instance, sizeof sent);
    }
}

SUPPORT_CASE(in_order_they_run_in_the_order_of_their_numbers, 2) {
    uint32_t from = 3;
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_IN_ORDER);
    svs_task *task = support_itemizer(graph, &next_task, NULL);
    clear();
    send_jobs(graph, task, 0, 3);
    support_ok(svs_graph_generate(graph, task, make_jobs, &from, 1000, sizeof(job)));
    send_jobs(graph, task, 1003, 3);
    support_ok(svs_graph_run(graph, 1, NULL));
    for (uint32_t i = 0; i < 1006; i++) assert_int_equal(in_order[i], i);
    support_ok(svs_graph_free(graph));
}

/* ---- sizes and memory ---- */

/* 12 bytes that lie 16 bytes apart. */
typedef struct odd {
    uint32_t number, a, b;
} odd;
static void odd_touch(svs_footprint *f, const void *item) { svs_writes(f, &cells[0]); }
static svs_status odd_run(svs_context *context, void *item) {
    odd o;
    memcpy(&o, item, sizeof o);
    atomic_fetch_add(&ran[o.number], o.a == 7 * o.number && o.b == o.a + 1);
    return SVS_OK;
}
static void make_odds(void *items, uint32_t first, uint32_t count, void *argument) {
    for (uint32_t i = 0; i < count; i++) {
        odd o = {first + i, 7 * (first + i), 7 * (first + i) + 1};
        memcpy((char *)items + i * sizeof o, &o, sizeof o);
    }
}

SUPPORT_GRAPH_CASE(items_may_lie_further_apart_than_their_size, 2) {
    static const svs_task_type odd_task = {"odd", sizeof(odd), 16, odd_run, odd_touch,
                                           NULL,  0,           0,  NULL,    NULL};
    svs_task *task = support_itemizer(graph, &odd_task, NULL);
    clear();
    support_ok(svs_graph_generate(graph, task, make_odds, NULL, ALL, sizeof(odd)));
    support_ok(svs_graph_run(graph, 1, NULL));
    expect_each_once(ALL);
}

/* A few fill a batch, so that a window has more rows of them than its maker makes
 * (SVS__TO_MAKE). */
typedef struct wide {
    uint32_t number;
    char bytes[2000];
} wide;
static void wide_touch(svs_footprint *f, const wide *w) { svs_writes(f, &cells[w->number % 97]); }
static svs_status wide_run(svs_context *context, wide *w) {
    atomic_fetch_add(&ran[w->number], w->bytes[0] == 1 && w->bytes[1999] == 1);
    cells[w->number % 97]++;
    return SVS_OK;
}
SVS_TASK(wide, wide_run, wide_touch)
static void make_wides(void *items, uint32_t first, uint32_t count, void *argument) {
    wide *w = items;
    for (uint32_t i = 0; i < count; i++) {
        w[i].number = first + i;
        memset(w[i].bytes, 1, sizeof w[i].bytes);
    }
}

TEST_CASE(large_items_are_made_whoever_makes_them) {
    SUPPORT_EACH_ALGORITHM(algorithm) {
        support s;
        svs_graph *graph;
        svs_task *task;
        support_open(&s, 3);
        graph = support_graph_of(&s, algorithm);
        task = support_itemizer(graph, &wide_task, NULL);
        clear();
        support_ok(svs_graph_generate(graph, task, make_wides, NULL, ALL, sizeof(wide)));
        support_ok(svs_graph_run(graph, 1, NULL));
        expect_each_once(ALL);
        support_ok(svs_graph_free(graph));
        support_close(&s);
    }
}

/* Their footprints follow links, which bodies assign: all workers make them, and windows end before
 * all of their items were looked at. */
enum { NODES = 40 };
static node *nodes[NODES];

typedef struct hop {
    node *at;
    uint32_t number;
} hop;
static void hop_touch(svs_footprint *f, const hop *h) { svs_writes_hops(f, &h->at->svs, 1); }
static svs_status hop_run(svs_context *context, hop *h) {
    atomic_fetch_add(&ran[h->number], 1);
    h->at->data = h->at->data * 31 + h->number;
    if (h->at->a) h->at->a->data = h->at->a->data * 31 + h->number;
    return svs_link(h->at, a, nodes[h->number * 7 % NODES]);
}
SVS_TASK(hop, hop_run, hop_touch)

static hop hop_of(uint32_t number) { return (hop){nodes[number * number % NODES], number}; }

static void make_hops(void *items, uint32_t first, uint32_t count, void *argument) {
    hop *hops = items;
    for (uint32_t i = 0; i < count; i++) {
        hops[i] = hop_of(first + i);
        atomic_fetch_add(&made[first + i], 1);
    }
}

/* Sets values[i] to what node i has after a run of ALL hops. */
static void run_hops(svs_algorithm algorithm, uint32_t threads, bool generates, uint64_t *values) {
    static hop hops[ALL];
    support s;
    svs_graph *graph;
    svs_task *task;
    support_open(&s, threads);
    graph = support_graph_of(&s, algorithm);
    task = support_itemizer(graph, &hop_task, NULL);
    for (uint32_t i = 0; i < NODES; i++) nodes[i] = support_node(s.world), nodes[i]->data = 0;
    for (uint32_t i = 0; i < ALL; i++) hops[i] = hop_of(i);
    clear();
    if (generates) support_ok(svs_graph_generate(graph, task, make_hops, NULL, ALL, sizeof(hop)));
    else support_ok(svs_graph_send(graph, task, hops, ALL, sizeof *hops));
    support_run(graph, 1);
    expect_each_once(ALL);
    for (uint32_t i = 0; i < ALL; i++) assert_int_equal(made[i], generates);
    for (uint32_t i = 0; i < NODES; i++) values[i] = nodes[i]->data;
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(items_that_follow_links_are_made_by_all_workers_for_the_result_of_a_send) {
    SUPPORT_EACH_ALGORITHM(algorithm) {
        uint64_t sent[NODES], generated[NODES];
        run_hops(algorithm, 1, false, sent);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            run_hops(algorithm, threads, true, generated);
            if (algorithm == SVS_ALGORITHM_WINDOWED || algorithm == SVS_ALGORITHM_IN_ORDER)
                assert_memory_equal(sent, generated, sizeof sent);
        }
    }
}

typedef struct tiny {
    uint64_t number;
} tiny;
static void tiny_touch(svs_footprint *f, const tiny *t) { svs_writes(f, &cells[t->number % 97]); }
static svs_status tiny_run(svs_context *context, tiny *t) {
    cells[t->number % 97]++;
    return SVS_OK;
}
SVS_TASK(tiny, tiny_run, tiny_touch)
static void make_tinies(void *items, uint32_t first, uint32_t count, void *argument) {
    tiny *t = items;
    for (uint32_t i = 0; i < count; i++) t[i].number = first + i;
}

/* @return the peak of the run, in bytes. */
static uint64_t peak_of(support *s, svs_graph *graph, svs_task *task, uint32_t count) {
    atomic_store(&s->memory.peak, 0);
    support_ok(svs_graph_generate(graph, task, make_tinies, NULL, count, sizeof(tiny)));
    support_ok(svs_graph_run(graph, 1, NULL));
    return atomic_load(&s->memory.peak);
}

SUPPORT_GRAPH_CASE(a_loop_that_is_100_times_as_long_takes_no_more_memory, 2) {
    svs_task *task = support_itemizer(graph, &tiny_task, NULL);
    uint32_t few = 20000, many = (uint32_t)support_scaled(2000000);
    uint64_t of_few = peak_of(s, graph, task, few), of_many = peak_of(s, graph, task, many);
    assert_true(of_many < of_few + (1 << 20)); /* the items alone are 16 MB */
}

/* ---- what does not run ---- */

static atomic_uint dropped;
static void drop(void *item, void *argument) {
    const job *j = item;
    atomic_fetch_add(&dropped, made[j->number] == 1 && ran[j->number] == 0);
}

SUPPORT_CASE(what_a_failed_run_has_not_made_is_not_dropped_and_the_graph_runs_again, 2) {
    SUPPORT_EACH_ALGORITHM(algorithm) {
        uint32_t from = 0, begun = 0, all = 0;
        svs_graph *graph = support_graph_of(s, algorithm);
        svs_task *task = support_itemizer(graph, &job_task, NULL);
        support_ok(svs_task_set_dropped(task, drop));
        clear();
        dropped = 0;
        fails_at = 300;
        support_ok(svs_graph_generate(graph, task, make_jobs, &from, 3 * ALL, sizeof(job)));
        assert_int_equal(svs_graph_run(graph, 1, NULL), FAILED);
        for (uint32_t i = 0; i < 3 * ALL; i++) all += made[i], begun += ran[i];
        assert_int_equal(all, begun + dropped);
        assert_true(all < 3 * ALL);
        clear();
        support_ok(svs_graph_generate(graph, task, make_jobs, &from, ALL, sizeof(job)));
        support_ok(svs_graph_run(graph, 1, NULL));
        expect_each_once(ALL);
        support_ok(svs_graph_free(graph));
    }
}

SUPPORT_GRAPH_CASE(a_graph_is_freed_with_items_that_no_run_has_made, 1) {
    uint32_t from = 0;
    svs_task *task = support_itemizer(graph, &job_task, NULL);
    clear();
    send_jobs(graph, task, 0, 2);
    support_ok(svs_graph_generate(graph, task, make_jobs, &from, ALL, sizeof(job)));
    send_jobs(graph, task, 0, 2);
    assert_int_equal(made[0], 0);
}

/* Batches are the only blocks at multiples of 32 KB. */
static atomic_bool out_of_batches;
static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    if (alignment == 32768 && atomic_load(&out_of_batches)) return NULL;
    return support_allocate(size, alignment, worker, argument);
}

static void run_out_of_batches(svs_algorithm algorithm) {
    support s;
    svs_runtime_options options;
    svs_graph *graph;
    svs_task *task;
    uint32_t from = 0;
    support_options(&s, 2, &options);
    options.allocator.allocate = allocate;
    support_ok(svs_runtime_new(&options, &s.runtime));
    support_ok(svs_runtime_start(s.runtime));
    support_ok(svs_world_new(s.runtime, NULL, &s.world));
    graph = support_graph_of(&s, algorithm);
    task = support_itemizer(graph, &job_task, NULL);
    clear();
    support_ok(svs_graph_generate(graph, task, make_jobs, &from, ALL, sizeof(job)));
    send_jobs(graph, task, ALL, 100);
    atomic_store(&out_of_batches, true);
    assert_int_equal(svs_graph_generate(graph, task, make_jobs, &from, ALL, sizeof(job)),
                     SVS_E_NO_MEMORY);
    support_ok(svs_graph_run(graph, 1, NULL));
    atomic_store(&out_of_batches, false);
    expect_each_once(ALL + 100);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(without_memory_for_more_batches_one_is_used_again_and_again) {
    SUPPORT_EACH_ALGORITHM(algorithm) run_out_of_batches(algorithm);
}

/* ---- wrong calls ---- */

SUPPORT_GRAPH_CASE(wrong_calls_are_refused, 1) {
    uint32_t from = 0;
    svs_graph *other = support_graph(s);
    svs_task *task = support_itemizer(graph, &job_task, NULL);
    job one = job_of(0);
    svs_task *transform = support_transform(other, &job_task, &one, NULL);
#define EXPECT(status, text, ...)                                                                  \
    assert_int_equal(svs_graph_generate(__VA_ARGS__), status);                                     \
    assert_non_null(strstr(s->log.last, text))
    assert_int_equal(svs_graph_generate(NULL, task, make_jobs, &from, 1, sizeof one), SVS_E_NULL);
    EXPECT(SVS_E_NULL, "no task: name the consumer", graph, NULL, make_jobs, &from, 1, sizeof one);
    EXPECT(SVS_E_NULL, "no function: pass the one that makes the items", graph, task, NULL, NULL, 1,
           sizeof one);
    EXPECT(SVS_E_WORLD, "a task of another graph", other, task, make_jobs, &from, 1, sizeof one);
    EXPECT(SVS_E_INVALID, "the consumer is a transform", other, transform, make_jobs, &from, 1,
           sizeof one);
    EXPECT(SVS_E_INVALID, "an item of 5 bytes, but those of job have", graph, task, make_jobs,
           &from, 1, 5);
    EXPECT(SVS_E_LIMIT, "more than 2^31 items", graph, task, make_jobs, &from, (size_t)1 << 32,
           sizeof one);
    support_ok(svs_graph_free(other));
}

int main(void) { return run_cases(NULL, NULL); }
