/* Misuse that a program can commit: each has its own status, a line in the log, and loses nothing.
 * */
#include "support.h"

typedef struct job {
    uint32_t number;
} job;

static void no_touch(svs_footprint *f, const job *i) {
    (void)f;
    (void)i;
}
static svs_status no_run(svs_context *context, job *i) {
    (void)context;
    (void)i;
    return SVS_OK;
}
SVS_TASK(job, no_run, no_touch)

/* The status, and that it was logged. */
#define refused(s, call, status)                                                                   \
    do {                                                                                           \
        (void)support_logged(s);                                                                   \
        assert_int_equal(call, status);                                                            \
        assert_true(support_logged(s));                                                            \
    } while (0)

/* ---- tasks and graphs ---- */

static void a_task_without_a_body_is_refused(void **state) {
    static const svs_task_type empty = {"empty", sizeof(job), _Alignof(job), NULL, NULL, NULL, 0,
                                        0};
    static const svs_task_type large = {"large", SVS_ITEM_MAX + 1, 1, job_run_, job_touch_, NULL, 0,
                                        0};
    support s;
    svs_graph *graph;
    svs_task *task = (svs_task *)&s;
    (void)state;
    support_open(&s, 1);
    graph = support_graph(&s);
    refused(&s, svs_graph_add_transform(graph, &empty, NULL, NULL, &task), SVS_E_TYPE);
    assert_null(task);
    refused(&s, svs_graph_add_itemizer(graph, &empty, NULL, &task), SVS_E_TYPE);
    refused(&s, svs_graph_add_itemizer(graph, &large, NULL, &task), SVS_E_TYPE);
    refused(&s, svs_graph_add_itemizer(graph, NULL, NULL, &task), SVS_E_NULL);
    support_run(graph, 1); /* nothing was added */
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

static void edges_that_make_no_sense_are_refused(void **state) {
    support s;
    svs_graph *graph, *other;
    svs_task *a, *b, *c, *foreign;
    (void)state;
    support_open(&s, 1);
    graph = support_graph(&s);
    other = support_graph(&s);
    a = support_transform(graph, &job_task, NULL, NULL);
    b = support_transform(graph, &job_task, NULL, NULL);
    c = support_itemizer(graph, &job_task, NULL);
    foreign = support_itemizer(other, &job_task, NULL);
    refused(&s, svs_graph_order(graph, a, a), SVS_E_INVALID);
    refused(&s, svs_graph_sends(graph, a, b), SVS_E_INVALID); /* not an itemizer */
    refused(&s, svs_graph_sends(graph, c, c), SVS_E_INVALID);
    refused(&s, svs_graph_sends(graph, a, foreign), SVS_E_WORLD);
    refused(&s, svs_graph_order(graph, foreign, a), SVS_E_WORLD);
    refused(&s, svs_graph_independent(graph, a, foreign), SVS_E_WORLD);
    assert_int_equal(svs_graph_order(graph, NULL, a), SVS_E_NULL);
    assert_int_equal(svs_graph_order(NULL, a, b), SVS_E_NULL);
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
    support_ok(svs_graph_free(other));
    support_close(&s);
}

static void sends_from_outside_are_checked(void **state) {
    support s;
    svs_graph *graph, *other;
    svs_task *to, *transform;
    job one = {1};
    (void)state;
    support_open(&s, 1);
    graph = support_graph(&s);
    other = support_graph(&s);
    to = support_itemizer(graph, &job_task, NULL);
    transform = support_transform(graph, &job_task, NULL, NULL);
    refused(&s, svs_graph_send(graph, to, &one, 1, sizeof one + 1), SVS_E_INVALID);
    refused(&s, svs_graph_send(graph, transform, &one, 1, sizeof one), SVS_E_INVALID);
    refused(&s, svs_graph_send(other, to, &one, 1, sizeof one), SVS_E_WORLD);
    assert_int_equal(svs_graph_send(graph, to, NULL, 1, sizeof one), SVS_E_NULL);
    assert_int_equal(svs_send(NULL, to, &one, 1, sizeof one), SVS_E_OUTSIDE);
    support_run(graph, 1);
    assert_int_equal(support_statistics(graph).instances, 1); /* the transform alone */
    support_ok(svs_graph_free(graph));
    support_ok(svs_graph_free(other));
    support_close(&s);
}

/* ---- the runtime's life ---- */

static void a_run_needs_a_runtime_that_is_started_and_not_stopped(void **state) {
    support s;
    svs_runtime_options options;
    svs_graph *graph;
    svs_report report;
    (void)state;
    support_options(&s, 2, &options);
    support_ok(svs_runtime_new(&options, &s.runtime));
    support_ok(svs_world_new(s.runtime, NULL, &s.world));
    graph = support_graph(&s);
    (void)support_transform(graph, &job_task, NULL, NULL);
    refused(&s, svs_graph_run(graph, 1, &report), SVS_E_NOT_STARTED);
    assert_int_equal(report.status, SVS_E_NOT_STARTED);
    assert_true(report.text[0] != 0);
    assert_int_equal(svs_runtime_stop(s.runtime), SVS_E_NOT_STARTED);
    support_ok(svs_runtime_start(s.runtime));
    assert_int_equal(svs_runtime_start(s.runtime), SVS_E_BUSY);
    support_run(graph, 1);
    support_ok(svs_runtime_stop(s.runtime));
    support_ok(svs_runtime_stop(s.runtime));
    refused(&s, svs_graph_run(graph, 1, NULL), SVS_E_STOPPED);
    assert_int_equal(svs_runtime_start(s.runtime), SVS_E_STOPPED);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

static void what_is_used_is_not_freed(void **state) {
    support s;
    svs_graph *graph;
    (void)state;
    support_open(&s, 2);
    graph = support_graph(&s);
    assert_int_equal(svs_world_free(s.world), SVS_E_BUSY);
    assert_int_equal(svs_runtime_free(s.runtime), SVS_E_BUSY);
    support_ok(svs_graph_free(graph));
    assert_int_equal(svs_runtime_free(s.runtime), SVS_E_BUSY);
    support_ok(svs_graph_free(NULL));
    support_ok(svs_world_free(NULL));
    support_ok(svs_runtime_free(NULL));
    support_close(&s);
}

/* ---- options ---- */

static void option_structs_must_be_filled_by_their_function(void **state) {
    support s;
    svs_runtime_options runtime_options;
    svs_world_options world_options;
    svs_graph_options graph_options;
    svs_runtime *runtime;
    svs_world *world = (svs_world *)&s;
    svs_graph *graph = (svs_graph *)&s;
    (void)state;
    support_open(&s, 1);
    memset(&runtime_options, 0, sizeof runtime_options);
    assert_int_equal(svs_runtime_new(&runtime_options, &runtime), SVS_E_VERSION);
    svs_runtime_options_init(&runtime_options);
    runtime_options.size--;
    assert_int_equal(svs_runtime_new(&runtime_options, &runtime), SVS_E_VERSION);
    svs_runtime_options_init(&runtime_options);
    runtime_options.threads = SVS_THREADS_MAX + 1;
    assert_int_equal(svs_runtime_new(&runtime_options, &runtime), SVS_E_INVALID);
    svs_runtime_options_init(&runtime_options);
    runtime_options.allocator.release = NULL;
    runtime_options.allocator.allocate = support_allocate;
    assert_int_equal(svs_runtime_new(&runtime_options, &runtime), SVS_E_INVALID);
    memset(&world_options, 0, sizeof world_options);
    refused(&s, svs_world_new(s.runtime, &world_options, &world), SVS_E_VERSION);
    assert_null(world);
    memset(&graph_options, 0, sizeof graph_options);
    refused(&s, svs_graph_new(s.world, &graph_options, &graph), SVS_E_VERSION);
    assert_null(graph);
    support_close(&s);
}

static void a_choice_that_is_none_is_refused(void **state) {
    static const int none[] = {-1, 9};
    support s;
    svs_world *world;
    svs_graph *graph, *other;
    svs_task *task;
    (void)state;
    support_open(&s, 1);
    graph = support_graph(&s);
    task = support_itemizer(graph, &job_task, NULL);
    for (int i = 0; i < 2; i++) {
        svs_world_options world_options;
        svs_graph_options graph_options;
        svs_world_options_init(&world_options);
        world_options.refresh = (svs_refresh_mode)none[i];
        refused(&s, svs_world_new(s.runtime, &world_options, &world), SVS_E_INVALID);
        svs_graph_options_init(&graph_options);
        graph_options.algorithm = (svs_algorithm)none[i];
        refused(&s, svs_graph_new(s.world, &graph_options, &other), SVS_E_INVALID);
        refused(&s, svs_task_set_algorithm(task, (svs_algorithm)none[i]), SVS_E_INVALID);
    }
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

static void world_options_have_ranges(void **state) {
    static const struct {
        uint32_t bits, cells, neighbourhood;
    } bad[] = {{500, 16, 8}, {32, 16, 8},  {8192, 16, 8},  {0, 16, 8},
               {512, 8, 8},  {512, 21, 8}, {512, 16, 4097}};
    support s;
    svs_world *world;
    (void)state;
    support_open(&s, 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        svs_world_options options;
        svs_world_options_init(&options);
        options.signature_bits = bad[i].bits;
        options.cell_bits = bad[i].cells;
        options.neighbourhood = bad[i].neighbourhood;
        refused(&s, svs_world_new(s.runtime, &options, &world), SVS_E_INVALID);
    }
    support_close(&s);
}

static void missing_arguments_are_refused(void **state) {
    support s;
    svs_graph *graph;
    svs_world_statistics world_statistics;
    svs_graph_statistics graph_statistics;
    svs_worker_statistics worker_statistics;
    svs_space *space;
    svs_world *world;
    void *storage;
    node on_stack = {0};
    (void)state;
    support_open(&s, 1);
    graph = support_graph(&s);
    assert_int_equal(svs_runtime_new(NULL, NULL), SVS_E_NULL);
    assert_int_equal(svs_runtime_start(NULL), SVS_E_NULL);
    assert_int_equal(svs_world_new(s.runtime, NULL, NULL), SVS_E_NULL);
    assert_int_equal(svs_world_new(NULL, NULL, &world), SVS_E_NULL);
    assert_int_equal(svs_graph_new(s.world, NULL, NULL), SVS_E_NULL);
    assert_int_equal(svs_graph_add_transform(graph, &job_task, NULL, NULL, NULL), SVS_E_NULL);
    assert_int_equal(svs_graph_run(NULL, 1, NULL), SVS_E_NULL);
    assert_int_equal(svs_object_new(s.world, &node_type, NULL), SVS_E_NULL);
    assert_int_equal(svs_object_new(NULL, &node_type, &storage), SVS_E_NULL);
    assert_int_equal(svs_object_new(s.world, NULL, &storage), SVS_E_NULL);
    assert_int_equal(svs_object_init(NULL, s.world, &node_type), SVS_E_NULL);
    assert_int_equal(svs_object_init(&on_stack.svs, NULL, &node_type), SVS_E_NULL);
    assert_int_equal(svs_object_free(NULL), SVS_E_NULL);
    assert_int_equal(svs_object_clean_up(NULL), SVS_E_NULL);
    assert_int_equal(svs_object_clean_up(&on_stack.svs), SVS_E_INVALID); /* never initialised */
    assert_int_equal(svs_link_assign(NULL, NULL, NULL), SVS_E_NULL);
    assert_int_equal(svs_world_refresh(NULL), SVS_E_NULL);
    assert_int_equal(svs_space_new(s.world, "x", 1, NULL), SVS_E_NULL);
    assert_int_equal(svs_space_new(NULL, "x", 1, &space), SVS_E_NULL);
    assert_int_equal(svs_world_statistics_get(s.world, NULL), SVS_E_NULL);
    assert_int_equal(svs_world_statistics_get(NULL, &world_statistics), SVS_E_NULL);
    assert_int_equal(svs_graph_statistics_get(graph, NULL), SVS_E_NULL);
    assert_int_equal(svs_graph_statistics_get(NULL, &graph_statistics), SVS_E_NULL);
    assert_int_equal(svs_runtime_statistics(s.runtime, 7, &worker_statistics), SVS_E_INVALID);
    assert_int_equal(svs_runtime_statistics(s.runtime, 0, NULL), SVS_E_NULL);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* ---- objects and links, from outside ---- */

static void a_field_that_is_no_link_is_refused(void **state) {
    support s;
    node *n, *m;
    (void)state;
    support_open(&s, 1);
    n = support_node(s.world);
    m = support_node(s.world);
    refused(&s, svs_link_assign(&n->svs, &n->data, m), SVS_E_TYPE);
    assert_int_equal(n->data, 0);
    support_close(&s);
}

static void links_do_not_cross_worlds(void **state) {
    support s;
    svs_world *other;
    node *n, *m;
    (void)state;
    support_open(&s, 1);
    support_ok(svs_world_new(s.runtime, NULL, &other));
    n = support_node(s.world);
    m = support_node(other);
    refused(&s, svs_set(n, a, m), SVS_E_WORLD);
    assert_null(n->a);
    support_ok(svs_world_free(other));
    support_close(&s);
}

static void an_object_that_was_cleaned_up_is_not_linked_or_freed_again(void **state) {
    support s;
    node gone = {0}, *n;
    (void)state;
    support_open(&s, 1);
    n = support_node(s.world);
    support_ok(svs_object_init(&gone.svs, s.world, &node_type));
    support_ok(svs_object_clean_up(&gone.svs));
    refused(&s, svs_set(n, a, &gone), SVS_E_FREED);
    assert_null(n->a);
    refused(&s, svs_set(&gone, a, n), SVS_E_FREED);
    refused(&s, svs_object_clean_up(&gone.svs), SVS_E_FREED);
    support_close(&s);
}

static void a_malformed_type_is_refused(void **state) {
    static svs_type bad = {"bad", 8, 8, 0, NULL, NULL, 0, 0, 0}; /* no room for the header */
    support s;
    void *storage = &s;
    (void)state;
    support_open(&s, 1);
    refused(&s, svs_object_new(s.world, &bad, &storage), SVS_E_TYPE);
    assert_null(storage);
    support_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_without_a_body_is_refused),
        cmocka_unit_test(edges_that_make_no_sense_are_refused),
        cmocka_unit_test(sends_from_outside_are_checked),
        cmocka_unit_test(a_run_needs_a_runtime_that_is_started_and_not_stopped),
        cmocka_unit_test(what_is_used_is_not_freed),
        cmocka_unit_test(option_structs_must_be_filled_by_their_function),
        cmocka_unit_test(a_choice_that_is_none_is_refused),
        cmocka_unit_test(world_options_have_ranges),
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(a_field_that_is_no_link_is_refused),
        cmocka_unit_test(links_do_not_cross_worlds),
        cmocka_unit_test(an_object_that_was_cleaned_up_is_not_linked_or_freed_again),
        cmocka_unit_test(a_malformed_type_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
