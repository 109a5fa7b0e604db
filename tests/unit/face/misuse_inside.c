/* Misuse inside of bodies: the call answers with its own status, and the run fails with it even
 * when the body ignores that. */
#include "support.h"

/* One body for all: it does what the case says, keeps what the call answered, and returns SVS_OK.
 * */
typedef struct job {
    uint32_t number;
} job;

static support s;
static svs_status (*act)(svs_context *context);
static svs_status answer;
static svs_graph *graph;
static svs_task *task, *declared, *undeclared;
static node *mine, *other;
static svs_world *other_world;

static void touch(svs_footprint *f, const job *i) {
    (void)i;
    svs_writes_object(f, &mine->svs);
}
static svs_status run(svs_context *context, job *i) {
    (void)i;
    answer = act(context);
    return SVS_OK;
}
SVS_TASK(job, run, touch)

static svs_status no_run(svs_context *context, job *i) {
    (void)context;
    (void)i;
    return SVS_OK;
}
static void no_touch(svs_footprint *f, const job *i) {
    (void)f;
    (void)i;
}
SVS_TASK_NAMED(sink, job, no_run, no_touch)

static void set_up(void) {
    support_open(&s, 2);
    support_ok(svs_world_new(s.runtime, NULL, &other_world));
    mine = support_node(s.world);
    other = support_node(other_world);
    graph = support_graph(&s);
    task = support_transform(graph, &job_task, NULL, NULL);
    declared = support_itemizer(graph, &sink_task, NULL);
    undeclared = support_itemizer(graph, &sink_task, NULL);
    support_ok(svs_graph_sends(graph, task, declared));
}

static void tear_down(void) {
    support_ok(svs_graph_free(graph));
    support_ok(svs_world_free(other_world));
    support_close(&s);
}

static svs_status nothing(svs_context *context) {
    (void)context;
    return SVS_OK;
}

/* The body's call answers `expected`, which is logged; the run fails with it; and the graph runs
 * again. */
static void fails_with(svs_status (*what)(svs_context *), svs_status expected) {
    svs_report report;
    set_up();
    act = what;
    assert_int_equal(svs_graph_run(graph, 1, &report), expected);
    assert_int_equal(answer, expected);
    assert_string_equal(report.task, "job");
    assert_true(support_logged(&s));
    act = nothing;
    support_run(graph, 1);
    tear_down();
}

static svs_status send_undeclared(svs_context *context) {
    job i = {0};
    return svs_send(context, undeclared, &i, 1, sizeof i);
}
static void a_send_that_was_not_declared(void **state) {
    (void)state;
    fails_with(send_undeclared, SVS_E_UNDECLARED);
}

static svs_status send_wrong_size(svs_context *context) {
    job i[2] = {{0}, {0}};
    return svs_send(context, declared, i, 1, sizeof i);
}
static void an_item_of_another_size(void **state) {
    (void)state;
    fails_with(send_wrong_size, SVS_E_INVALID);
}

static svs_status send_to_nobody(svs_context *context) {
    job i = {0};
    return svs_send(context, NULL, &i, 1, sizeof i);
}
static void a_send_to_nobody(void **state) {
    (void)state;
    fails_with(send_to_nobody, SVS_E_NULL);
}

static svs_status link_to_another_world(svs_context *context) {
    (void)context;
    return svs_set(mine, a, other);
}
static void a_link_to_another_world(void **state) {
    (void)state;
    fails_with(link_to_another_world, SVS_E_WORLD);
}

static svs_status link_in_another_world(svs_context *context) {
    (void)context;
    return svs_set(other, a, other);
}
static void a_link_inside_of_another_world(void **state) {
    (void)state;
    fails_with(link_in_another_world, SVS_E_WORLD);
}

static svs_status link_no_link(svs_context *context) {
    (void)context;
    return svs_link_assign(&mine->svs, &mine->data, mine);
}
static void a_field_that_is_no_link(void **state) {
    (void)state;
    fails_with(link_no_link, SVS_E_TYPE);
}

static svs_status link_to_freed(svs_context *context) {
    void *storage;
    node *gone;
    svs_status status = svs_object_new(s.world, &node_type, &storage);
    (void)context;
    if (status) return status;
    gone = storage;
    status = svs_object_free(&gone->svs);
    if (status) return status;
    return svs_set(mine, a, gone);
}
static void a_link_to_a_freed_object(void **state) {
    (void)state;
    fails_with(link_to_freed, SVS_E_FREED);
}

static svs_status free_twice(svs_context *context) {
    void *storage;
    svs_status status = svs_object_new(s.world, &node_type, &storage);
    (void)context;
    if (!status) status = svs_object_free(&((node *)storage)->svs);
    return status ? status : svs_object_free(&((node *)storage)->svs);
}
static void an_object_freed_twice(void **state) {
    (void)state;
    fails_with(free_twice, SVS_E_FREED);
}

/* ---- what is refused, and fails nothing ---- */

static void answers(svs_status (*what)(svs_context *), svs_status expected) {
    set_up();
    act = what;
    support_run(graph, 1);
    assert_int_equal(answer, expected);
    tear_down();
}

static svs_status run_nested(svs_context *context) {
    (void)context;
    return svs_graph_run(graph, 1, NULL);
}
static svs_status run_other_nested(svs_context *context) {
    svs_graph *nested;
    svs_status status = svs_graph_new(s.world, NULL, &nested);
    (void)context;
    if (status) return status;
    status = svs_graph_run(nested, 1, NULL);
    (void)svs_graph_free(nested);
    return status;
}
static void a_graph_run_from_a_body(void **state) {
    (void)state;
    answers(run_nested, SVS_E_NESTED);
    answers(run_other_nested, SVS_E_NESTED);
}

static svs_status free_running_graph(svs_context *context) {
    (void)context;
    return svs_graph_free(graph);
}
static svs_status free_running_world(svs_context *context) {
    (void)context;
    return svs_world_free(s.world);
}
static svs_status free_running_runtime(svs_context *context) {
    (void)context;
    return svs_runtime_free(s.runtime);
}
static svs_status stop_running_runtime(svs_context *context) {
    (void)context;
    return svs_runtime_stop(s.runtime);
}
static svs_status refresh_running_world(svs_context *context) {
    (void)context;
    return svs_world_refresh(s.world);
}
static svs_status add_to_running_graph(svs_context *context) {
    svs_task *late;
    (void)context;
    return svs_graph_add_itemizer(graph, &sink_task, NULL, &late);
}
static svs_status send_to_running_graph(svs_context *context) {
    job i = {0};
    (void)context;
    return svs_graph_send(graph, declared, &i, 1, sizeof i);
}
static svs_status order_in_running_graph(svs_context *context) {
    (void)context;
    return svs_graph_order(graph, task, undeclared);
}
static svs_status set_item_in_running_graph(svs_context *context) {
    job i = {0};
    (void)context;
    return svs_task_set_item(task, &i);
}
static svs_status clean_up_in_running_world(svs_context *context) {
    (void)context;
    return svs_object_clean_up(&mine->svs);
}
static void what_must_wait_for_the_end_of_the_run(void **state) {
    (void)state;
    answers(free_running_graph, SVS_E_BUSY);
    answers(free_running_world, SVS_E_BUSY);
    answers(free_running_runtime, SVS_E_BUSY);
    answers(stop_running_runtime, SVS_E_BUSY);
    answers(refresh_running_world, SVS_E_BUSY);
    answers(add_to_running_graph, SVS_E_BUSY);
    answers(send_to_running_graph, SVS_E_BUSY);
    answers(order_in_running_graph, SVS_E_BUSY);
    answers(set_item_in_running_graph, SVS_E_BUSY);
    answers(clean_up_in_running_world, SVS_E_BUSY);
}

/* ---- from another thread, while a body runs ---- */

static struct {
    svs_context *context;
    svs_status send, hand_off, set, run;
} foreign;

static void *misuse_from_outside(void *unused) {
    job i = {0};
    foreign.send = svs_send(foreign.context, declared, &i, 1, sizeof i);
    foreign.hand_off = svs_hand_off(foreign.context, &mine->svs);
    foreign.set = svs_set(mine, a, mine);
    foreign.run = svs_graph_run(graph, 1, NULL);
    return unused;
}
static svs_status lend_context(svs_context *context) {
    pthread_t thread;
    foreign.context = context;
    if (pthread_create(&thread, NULL, misuse_from_outside, NULL)) return 1;
    pthread_join(thread, NULL);
    return SVS_OK;
}
static void a_context_in_a_thread_that_is_not_its_own(void **state) {
    (void)state;
    answers(lend_context, SVS_OK);
    assert_int_equal(foreign.send, SVS_E_OUTSIDE);
    assert_int_equal(foreign.hand_off, SVS_E_OUTSIDE);
    assert_int_equal(foreign.set, SVS_E_BUSY);
    assert_int_equal(foreign.run, SVS_E_BUSY);
}

/* ---- footprints ---- */

static void foreign_touch(svs_footprint *f, const job *i) {
    (void)i;
    svs_writes_object(f, &other->svs);
}
SVS_TASK_NAMED(foreigner, job, no_run, foreign_touch)

static void a_footprint_with_an_object_of_another_world(void **state) {
    svs_graph *bad;
    svs_report report;
    (void)state;
    set_up();
    bad = support_graph(&s);
    (void)support_transform(bad, &foreigner_task, NULL, NULL);
    (void)support_logged(&s);
    assert_int_equal(svs_graph_run(bad, 1, &report), SVS_E_WORLD);
    assert_string_equal(report.task, "foreigner");
    assert_true(support_logged(&s));
    support_ok(svs_graph_free(bad));
    act = nothing;
    support_run(graph, 1);
    tear_down();
}

static void unknown_touch(svs_footprint *f, const job *i) {
    svs_access access = {&mine->svs, 0, 0, (uint8_t)i->number, SVS_READ, SVS_OWN, 0};
    if (i->number == 100) {
        access.kind = SVS_OBJECT;
        access.extent = 77;
    }
    svs_footprint_add_access(f, &access);
}
SVS_TASK_NAMED(unknown, job, no_run, unknown_touch)

static void a_footprint_with_an_unknown_kind_or_extent(void **state) {
    (void)state;
    set_up();
    for (uint32_t number = 99; number <= 100; number++) {
        svs_graph *bad = support_graph(&s);
        job i = {number};
        (void)support_transform(bad, &unknown_task, &i, NULL);
        assert_int_equal(svs_graph_run(bad, 1, NULL), SVS_E_INVALID);
        support_ok(svs_graph_free(bad));
    }
    act = nothing;
    support_run(graph, 1);
    tear_down();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_send_that_was_not_declared),
        cmocka_unit_test(an_item_of_another_size),
        cmocka_unit_test(a_send_to_nobody),
        cmocka_unit_test(a_link_to_another_world),
        cmocka_unit_test(a_link_inside_of_another_world),
        cmocka_unit_test(a_field_that_is_no_link),
        cmocka_unit_test(a_link_to_a_freed_object),
        cmocka_unit_test(an_object_freed_twice),
        cmocka_unit_test(a_graph_run_from_a_body),
        cmocka_unit_test(what_must_wait_for_the_end_of_the_run),
        cmocka_unit_test(a_context_in_a_thread_that_is_not_its_own),
        cmocka_unit_test(a_footprint_with_an_object_of_another_world),
        cmocka_unit_test(a_footprint_with_an_unknown_kind_or_extent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
