/* Priorities of tasks, also over what is queued, and the progress of a run. */
#include "support.h"

#define MANY 4000u
#define WINDOW 2048u
#define WIDE 1000u

static svs_task *plain, *urgent;
static uint32_t ran, ran_before_urgent, sends_at, raises_at;

typedef struct job {
    uint32_t number;
} job;
static uint32_t cells[WIDE + 1];
/* So that no stage of plain ones is wider than WIDE. */
static void job_touch(svs_footprint *f, const job *j) {
    svs_writes(f, &cells[j->number == MANY ? WIDE : j->number % WIDE]);
}
static svs_status plain_run(svs_context *context, job *j) {
    if (++ran == raises_at) support_ok(svs_task_set_priority(urgent, 3));
    if (ran != sends_at) return SVS_OK;
    *j = (job){MANY};
    return svs_send(context, urgent, j, 1, sizeof *j);
}
SVS_TASK(plain, job, plain_run, job_touch)
static svs_status urgent_run(svs_context *context, job *j) {
    ran_before_urgent = ran;
    return SVS_OK;
}
SVS_TASK(urgent, job, urgent_run, job_touch)

static svs_graph *open_graph(support *s, svs_algorithm algorithm, bool sends) {
    svs_graph *graph = support_graph_of(s, algorithm);
    plain = support_itemizer(graph, &plain_task, NULL);
    urgent = support_itemizer(graph, &urgent_task, NULL);
    if (sends) support_ok(svs_graph_add_flow(graph, plain, urgent));
    else support_ok(svs_graph_set_independent(graph, plain, urgent));
    ran = ran_before_urgent = sends_at = raises_at = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        job j = {i};
        support_ok(svs_graph_send(graph, plain, &j, 1, sizeof j));
    }
    return graph;
}
static void send_urgent(svs_graph *graph) {
    job j = {MANY};
    support_ok(svs_graph_send(graph, urgent, &j, 1, sizeof j));
}

SUPPORT_CASE(an_urgent_item_that_was_sent_last_runs_first, 1) {
    SUPPORT_EACH_ALGORITHM(a) {
        svs_graph *graph = open_graph(s, a, false);
        support_ok(svs_task_set_priority(urgent, 1));
        send_urgent(graph);
        support_run(graph, 1);
        assert_int_equal(ran, MANY);
        assert_int_equal(ran_before_urgent, 0);
        support_ok(svs_graph_free(graph));
    }
}

SUPPORT_CASE(a_task_of_low_priority_runs_last, 1) {
    SUPPORT_EACH_ALGORITHM(a) {
        svs_graph *graph = open_graph(s, a, false);
        support_ok(svs_task_set_priority(urgent, -1));
        send_urgent(graph);
        support_run(graph, 1);
        assert_int_equal(ran_before_urgent, MANY);
        support_ok(svs_graph_free(graph));
    }
}

SUPPORT_CASE(an_urgent_item_that_is_sent_during_the_run_waits_for_a_window, 1) {
    SUPPORT_EACH_ALGORITHM(a) {
        svs_graph *graph = open_graph(s, a, true);
        support_ok(svs_task_set_priority(urgent, 1));
        sends_at = 10;
        support_run(graph, 1);
        assert_in_range(ran_before_urgent, 10, 10 + WINDOW);
        support_ok(svs_graph_free(graph));
    }
}

SUPPORT_CASE(a_priority_holds_for_what_is_queued, 1) {
    SUPPORT_EACH_ALGORITHM(a) {
        svs_graph *graph = open_graph(s, a, false);
        support_ok(svs_task_set_priority(urgent, -5));
        send_urgent(graph);
        raises_at = 10;
        support_run(graph, 1);
        assert_in_range(ran_before_urgent, 10, 10 + WINDOW);
        support_ok(svs_graph_free(graph));
    }
}

/* ---- progress ---- */

static svs_graph *watched;
static svs_progress seen;
static void look_touch(svs_footprint *f, const job *j) { svs_writes(f, &seen); }
static svs_status look_run(svs_context *context, job *j) {
    return j->number ? SVS_OK : svs_graph_progress(watched, &seen);
}
SVS_TASK(look, job, look_run, look_touch)

SUPPORT_CASE(progress_is_told_at_any_time, 1) {
    svs_progress progress;
    svs_task *task;
    job jobs[3] = {{1}, {1}, {0}};
    watched = support_graph(s);
    support_ok(svs_graph_progress(watched, &progress));
    assert_int_equal(progress.ended + progress.pending + progress.tasks + progress.iteration, 0);
    task = support_itemizer(watched, &look_task, NULL);
    support_ok(svs_graph_send(watched, task, jobs, 3, sizeof *jobs));
    support_run(watched, 2);
    assert_in_range(seen.pending, 1, 3);
    assert_int_equal(seen.tasks, 1);
    assert_int_equal(seen.iteration, 0);
    support_ok(svs_graph_progress(watched, &progress));
    assert_int_equal(progress.ended, 3);
    assert_int_equal(progress.pending, 0);
    assert_int_equal(progress.tasks, 0);
    assert_int_equal(progress.iteration, 1);
    support_ok(svs_graph_free(watched));
}

int main(void) { return run_cases(NULL, NULL); }
