/* Runs that are refused: one more than a runtime takes at once, and a circle that is longer than
 * the report that names its tasks. */
#include "unit/face/support.h"
#include "worksteal/runtime.h"

typedef struct item {
    uint32_t number;
} item;
static void nothing_touch(svs_footprint *f, const item *i) { (void)f, (void)i; }
static svs_status nothing_run(svs_context *x, item *i) {
    (void)x;
    return i->number == 0 ? SVS_OK : 1;
}
SVS_TASK_NAMED(nothing, item, nothing_run, nothing_touch)

static bool step_nothing(svs__source *source, svs__worker *worker) {
    (void)source, (void)worker;
    return false;
}
static bool never_ready(svs__source *source) {
    (void)source;
    return false;
}

static void a_run_more_than_there_may_be_is_refused(void **state) {
    support s;
    svs__source others[SVS__SOURCES_MAX];
    svs_graph *graph;
    svs_report report;
    (void)state;
    support_open(&s, 2);
    graph = support_graph(&s);
    (void)support_transform(graph, &nothing_task, NULL, NULL);
    for (uint32_t i = 0; i < SVS__SOURCES_MAX; i++) {
        others[i] = (svs__source){step_nothing, never_ready, NULL};
        support_ok(svs__runtime_attach(s.runtime, &others[i]));
    }
    assert_int_equal(svs_graph_run(graph, 1, &report), SVS_E_LIMIT);
    assert_int_equal(report.status, SVS_E_LIMIT);
    assert_non_null(strstr(report.text, "64 runs are going on"));
    assert_int_equal(support_statistics(graph).instances, 0);
    svs__runtime_detach(s.runtime, &others[7]);
    support_run(graph, 1); /* there is room for one */
    assert_int_equal(support_statistics(graph).instances, 1);
    for (uint32_t i = 0; i < SVS__SOURCES_MAX; i++)
        if (i != 7) svs__runtime_detach(s.runtime, &others[i]);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

static void a_long_circle_is_told_as_far_as_there_is_room(void **state) {
    enum { TASKS = SVS_REPORT_TEXT };
    support s;
    svs_graph *graph;
    svs_task *tasks[TASKS];
    svs_report report;
    (void)state;
    support_open(&s, 1);
    graph = support_graph(&s);
    for (int i = 0; i < TASKS; i++) tasks[i] = support_transform(graph, &nothing_task, NULL, NULL);
    for (int i = 0; i < TASKS; i++)
        support_ok(svs_graph_order(graph, tasks[i], tasks[(i + 1) % TASKS]));
    assert_int_equal(svs_graph_run(graph, 1, &report), SVS_E_CYCLE);
    assert_string_equal(report.task, "nothing");
    assert_int_equal(strlen(report.text), sizeof report.text - 1);
    assert_non_null(strstr(report.text, ": nothing <- nothing <- nothing"));
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_more_than_there_may_be_is_refused),
        cmocka_unit_test(a_long_circle_is_told_as_far_as_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
