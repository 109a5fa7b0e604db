/* The list of domains that workers look at (active.h): it has those with open tasks, in each
 * iteration, however the tasks share domains. */
#include "sched/graph/active.h"
#include "base/random.h"
#include "sched/domain/instance/contexts.h"
#include "sched/graph/graph.h"
#include "unit/face/support.h"

#include <sched.h>

enum { LENGTH = 600 };

static svs_graph *graph;
static _Atomic(uint32_t) most, ran;

typedef struct step {
    uint32_t at;
} step;
static uint64_t cells[LENGTH];

static void step_touch(svs_footprint *f, const step *s) { svs_writes(f, &cells[s->at]); }
static svs_status step_run(svs_context *context, step *s) {
    uint32_t count = svs__load_relaxed(&graph->run.active_count), before = svs__load_relaxed(&most);
    (void)context, (void)s;
    while (count > before && !svs__cas_weak_relaxed(&most, &before, count)) {}
    (void)svs__fetch_add_relaxed(&ran, 1);
    return SVS_OK;
}
SVS_TASK(step, step_run, step_touch)

static void run(uint32_t iterations) {
    svs__store_relaxed(&most, 0);
    svs__store_relaxed(&ran, 0);
    support_run(graph, iterations);
    assert_true(svs__active_is_valid(&graph->run));
    assert_int_equal(svs__load_relaxed(&graph->run.active_count), 1); /* the gate */
}

SUPPORT_CASE(workers_look_at_no_domain_whose_tasks_have_ended, 2) {
    SUPPORT_EACH_ALGORITHM(a) {
        svs_task *tasks[LENGTH];
        graph = support_graph_of(s, a);
        for (uint32_t i = 0; i < LENGTH; i++) {
            const step item = {i};
            tasks[i] = support_itemizer(graph, &step_task, NULL);
            if (i) support_ok(svs_graph_add_order(graph, tasks[i - 1], tasks[i]));
            support_ok(svs_graph_send(graph, tasks[i], &item, 1, sizeof item));
        }
        run(3);
        assert_int_equal(ran, LENGTH);
        assert_int_equal(most, 2); /* the gate, and that of the task that is open */
        support_ok(svs_graph_free(graph));
    }
}

/* How many sets of arrays the windows of the world have had at once, so far. No run has one now. */
static uint32_t sets(const support *s) {
    uint32_t count = 0;
    for (const svs__block *b = svs__common_of(s->world)->windows; b; b = b->next) count++;
    return count;
}

/* A chain of tasks with one item each. */
static void chain(const support *s, const svs_task_type *type, svs_task **tasks) {
    graph = support_graph_of(s, SVS_ALGORITHM_WINDOWED);
    for (uint32_t i = 0; i < LENGTH; i++) {
        tasks[i] = support_itemizer(graph, type, NULL);
        if (i) support_ok(svs_graph_add_order(graph, tasks[i - 1], tasks[i]));
    }
}

static void send_each(svs_task *const *tasks) {
    for (uint32_t i = 0; i < LENGTH; i++) {
        const step item = {i};
        support_ok(svs_graph_send(graph, tasks[i], &item, 1, sizeof item));
    }
}

/* One for each worker, and a few, as a worker that looks at a domain keeps the memory there. */
static void have_shared_sets(const support *s) { assert_in_range(sets(s), 1, LENGTH / 20); }

SUPPORT_CASE(tasks_that_run_one_after_the_other_share_the_memory_of_windows, 3) {
    svs_task *tasks[LENGTH];
    chain(s, &step_task, tasks);
    for (uint32_t round = 0; round < 3; round++) {
        send_each(tasks);
        run(1);
    }
    have_shared_sets(s);
    support_ok(svs_graph_free(graph));
}

static _Atomic(svs_later *) unfinished;

static svs_status await_run(svs_context *context, step *s) {
    svs_later *later;
    svs_status status = svs_complete_later(context, s, &later);
    if (!status) svs__store_release(&unfinished, later);
    return status;
}
SVS_TASK(await, step, await_run, step_touch)

SUPPORT_CASE(so_do_tasks_that_another_thread_ends, 2) {
    svs_task *tasks[LENGTH];
    chain(s, &await_task, tasks);
    send_each(tasks);
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    for (uint32_t i = 0; i < LENGTH; i++) {
        svs_later *later;
        while (!(later = svs__exchange_acquire(&unfinished, NULL))) sched_yield();
        support_ok(svs_completed(later, SVS_OK));
    }
    support_ok(svs_graph_wait(graph, UINT64_MAX, NULL));
    have_shared_sets(s);
    support_ok(svs_graph_free(graph));
}

/* A domain that a parent has given to a child may have no open task for a while. */
static void draw(svs__random *random, const support *s) {
    enum { TASKS = 24 };
    svs_task *tasks[TASKS];
    uint32_t items = 0, iterations = 1 + svs__random_below(random, 3);
    svs_algorithm algorithms[] = {SVS_ALGORITHM_STAGED, SVS_ALGORITHM_PROGRESSIVE,
                                  SVS_ALGORITHM_WINDOWED};
    graph = support_graph_of(s, algorithms[svs__random_below(random, 3)]);
    for (uint32_t i = 0; i < TASKS; i++) {
        step item = {svs__random_below(random, LENGTH)};
        bool transform = svs__random_below(random, 3) == 0;
        tasks[i] = transform ? support_transform(graph, &step_task, &item, NULL)
                             : support_itemizer(graph, &step_task, NULL);
        items += transform ? iterations : 0;
        for (uint32_t k = svs__random_below(random, 4); k && !transform; k--, items++)
            support_ok(svs_graph_send(graph, tasks[i], &item, 1, sizeof item));
        for (uint32_t k = 0; k < i; k++)
            if (svs__random_below(random, 8) == 0)
                support_ok(svs_graph_add_order(graph, tasks[k], tasks[i]));
        if (svs__random_below(random, 10) == 0) support_ok(svs_task_pin(tasks[i], SVS_THE_RUNNER));
    }
    run(iterations);
    assert_int_equal(ran, items);
    assert_int_equal(support_statistics(graph).instances, items);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(random_graphs_keep_the_list_in_order, 3) {
    svs__random random;
    svs__random_seed(&random, 26);
    for (uint64_t i = support_scaled(400); i; i--) draw(&random, s);
}

int main(void) { return run_cases(NULL, NULL); }
