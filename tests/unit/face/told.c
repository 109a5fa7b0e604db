/* What the log is told without a call that fails: narrow runs, cancelled runs, and workers that
 * share few CPUs. */
#include "support.h"

#include <unistd.h>

enum { ITEMS = 400 };

static svs_space *cells;
static long word;
enum { INDEX, ADDRESS, EVERYTHING, ALONE };

typedef struct hit {
    int kind;
} hit;
static void hit_touch(svs_footprint *f, const hit *h) {
    if (h->kind == INDEX) svs_writes_at(f, cells, 3);
    if (h->kind == ADDRESS) svs_writes(f, &word);
    if (h->kind == EVERYTHING) svs_writes_everything(f);
}
static svs_status hit_run(svs_context *context, hit *h) {
    (void)context, (void)h;
    return SVS_OK;
}
SVS_TASK(hit, hit_run, hit_touch)

/* ---- narrow runs ---- */

static void run_narrow(support *s, svs_algorithm algorithm, int kind, char *line, size_t size) {
    static hit items[ITEMS];
    svs_graph *graph = support_graph_of(s, algorithm);
    svs_task *task = support_itemizer(graph, &hit_task, NULL);
    for (int i = 0; i < ITEMS; i++) items[i].kind = kind;
    support_ok(svs_graph_send(graph, task, items, ITEMS, sizeof *items));
    support_run(graph, 1);
    assert_true(support_logged(s));
    (void)snprintf(line, size, "%s", s->log.last);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(a_narrow_run_is_told_with_the_names_of_svs_explain, 1) {
    static const svs_algorithm algorithms[] = {SVS_ALGORITHM_STAGED, SVS_ALGORITHM_WINDOWED};
    char line[512], address[64];
    support_ok(svs_space_new(s->world, "cells", 8, &cells));
    (void)snprintf(address, sizeof address, "; address %p kept instances apart", (void *)&word);
    for (int i = 0; i < 2; i++) {
        run_narrow(s, algorithms[i], INDEX, line, sizeof line);
        assert_non_null(strstr(line, "; cells[3] kept instances apart"));
        assert_non_null(strstr(line, "svs_explain()"));
        run_narrow(s, algorithms[i], ADDRESS, line, sizeof line);
        assert_non_null(strstr(line, address));
        run_narrow(s, algorithms[i], EVERYTHING, line, sizeof line);
        assert_non_null(strstr(line, "; everything kept instances apart"));
    }
    support_ok(svs_space_free(cells));
}

/* An order makes the run narrow, and few of the instances meet. */
SUPPORT_GRAPH_CASE(what_keeps_few_instances_apart_is_not_named_as_the_cause, 1) {
    svs_task *before = NULL, *task;
    for (int i = 0; i < ITEMS; i++, before = task) {
        const hit items[2] = {{ADDRESS}, {i < 10 ? ADDRESS : ALONE}};
        task = support_itemizer(graph, &hit_task, NULL);
        if (before) support_ok(svs_graph_add_order(graph, before, task));
        support_ok(svs_graph_send(graph, task, items, i < 10 ? 2 : 1, sizeof *items));
    }
    support_run(graph, 1);
    assert_true(support_logged(s));
    assert_non_null(strstr(s->log.last, "mean parallel width 1.00"));
    assert_null(strstr(s->log.last, "apart"));
}

/* ---- a cancelled run ---- */

SUPPORT_GRAPH_CASE(a_run_that_the_program_cancels_is_no_error_in_the_log, 2) {
    svs_task *task = support_itemizer(graph, &hit_task, NULL);
    svs_source *source;
    support_ok(svs_source_new(task, 0, &source));
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    support_ok(svs_graph_cancel(graph, SVS_OK));
    assert_int_equal(svs_graph_wait(graph, UINT64_MAX, NULL), SVS_E_CANCELLED);
    support_ok(svs_source_free(source));
    assert_false(support_logged(s));
    /* A call that is refused afterwards is told as ever. */
    assert_int_equal(svs_graph_wait(graph, 0, NULL), SVS_E_STATE);
    assert_true(support_logged(s));
}

/* ---- the affinity of workers ---- */

static void *open_bound(void *unused) {
    cpu_set_t before, one;
    support s;
    int first = 0;
    (void)unused;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(first, &before)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (uint32_t threads = 1; threads < 4; threads++) {
        support_open(&s, threads);
        assert_int_equal(support_logged(&s), threads > 1 && sysconf(_SC_NPROCESSORS_ONLN) > 1);
        if (threads > 1 && s.log.count) assert_non_null(strstr(s.log.last, "worker_begins"));
        support_close(&s);
    }
    return NULL;
}

TEST_CASE(workers_that_share_the_cpu_of_a_bound_thread_are_told) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, open_bound, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

int main(void) { return run_cases(NULL, NULL); }
