/* Verdicts on graphs' instances: races, order, dataflow, iterations, asyncs of bodies. */
#include "graph_scene.h"

static uint64_t cells[4];

/* ---- race, order ---- */

static uint64_t plain;

static void reads_plain(svs_context *context, script *of) { svs_check_read(&plain, sizeof plain); }
static void writes_plain(svs_context *context, script *of) {
    svs_check_write(&plain, sizeof plain);
}

/* A, B and C read, D writes; only A and B are before D. Two readers would not do. */
TEST_CASE(the_third_reader_against_the_writer_is_found) {
    for (uint32_t missing = 0; missing < 3; missing++) {
        scene *s = scene_new(2);
        script r = {.deed = reads_plain}, w = {.deed = writes_plain};
        const char *names[] = {"ann", "bob", "cid"};
        svs_task *before[3] = {add_part(s, &ann_task, &r), add_part(s, &bob_task, &r),
                               add_part(s, &cid_task, &r)};
        svs_task *d = add_part(s, &dan_task, &w);
        for (uint32_t i = 0; i < 3; i++)
            if (i != missing) assert_int_equal(svs_graph_add_order(s->graph, before[i], d), SVS_OK);
        scene_run(s);
        assert_int_equal(s->count, 1);
        assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_RACE);
        assert_true(!strcmp(s->found[0].before.task, names[missing]) ||
                    !strcmp(s->found[0].now.task, names[missing]));
        assert_true(!strcmp(s->found[0].before.task, "dan") ||
                    !strcmp(s->found[0].now.task, "dan"));
        assert_ptr_equal(s->found[0].address, &plain);
        scene_free(s);
    }
}

SCENE_CASE(declared_conflicts_that_nothing_orders_are_order, 2) {
    thing *t = thing_new(s);
    script a = {.deed = writes_value, .with = t}, b = {.deed = reads_value, .with = t};
    svs_task *ann, *bob;
    writes_thing(&a, t);
    reads_thing(&b, t);
    ann = add_part(s, &ann_task, &a);
    bob = add_part(s, &bob_task, &b);
    scene_run(s); /* an implicit dependency orders nothing */
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_ORDER);
    assert_int_equal(s->summary.orders, 1);
    assert_string_equal(s->summary.order_type, "thing");
    assert_non_null(strstr(s->cures[0], "svs_check_commutative()"));
    assert_int_equal(svs_graph_add_order(s->graph, ann, bob), SVS_OK);
    scene_run(s);
    assert_int_equal(s->count, 1);
}

SCENE_CASE(what_commutes_is_silent, 2) {
    thing *t = thing_new(s);
    script a = {.deed = writes_value, .with = t};
    writes_thing(&a, t);
    add_part(s, &ann_task, &a);
    add_part(s, &bob_task, &a);
    assert_int_equal(svs_check_commutative(&plain), SVS_E_INVALID);
    assert_int_equal(svs_check_commutative(t), SVS_OK);
    scene_run(s);
    assert_int_equal(s->count + s->summary.orders, 0);
}

SCENE_CASE(independent_that_is_not_is_found, 2) {
    thing *t = thing_new(s);
    script a = {.deed = writes_value, .with = t}, b = {.deed = writes_value, .with = t};
    writes_thing(&a, t);
    writes_thing(&b, t);
    assert_int_equal(
        svs_graph_set_independent(s->graph, add_part(s, &ann_task, &a), add_part(s, &bob_task, &b)),
        SVS_OK);
    scene_run(s);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_ORDER);
}

SCENE_CASE(an_undeclared_write_races_with_a_declared_read, 2) {
    thing *t = thing_new(s);
    script a = {.deed = writes_value, .with = t}, b = {.deed = reads_value, .with = t};
    reads_thing(&b, t);
    scene_run_two(s, &a, &b);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED), 1);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 1);
}

/* ---- dataflow, iterations, asyncs ---- */

/* Writes, sends, and writes again. */
static void writes_and_sends(svs_context *context, script *of) {
    part p = {of->with};
    svs_check_write(&plain, sizeof plain);
    assert_int_equal(bob_send(context, of->to, &p, 1), SVS_OK);
    svs_check_write(&cells[0], sizeof cells[0]);
}

static void reads_cells_and_plain(svs_context *context, script *of) {
    svs_check_read(&plain, sizeof plain);
    svs_check_read(&cells[0], sizeof cells[0]);
}

SCENE_CASE(what_is_before_a_send_is_before_what_was_sent, 2) {
    script b = {.deed = reads_cells_and_plain}, a = {.deed = writes_and_sends, .with = &b};
    svs_task *ann = add_part(s, &ann_task, &a);
    a.to = add_parts(s, &bob_task);
    assert_int_equal(svs_graph_add_flow(s->graph, ann, a.to), SVS_OK);
    scene_run(s);
    assert_int_equal(s->count, 1); /* what is behind the send is beside it */
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_RACE);
    assert_ptr_equal(s->found[0].address, &cells[0]);
}

SCENE_CASE(iterations_are_in_order, 2) {
    script a = {.deed = writes_plain};
    add_part(s, &ann_task, &a);
    assert_int_equal(svs_graph_run(s->graph, 5, NULL), SVS_OK);
    scene_run(s);
    assert_int_equal(s->count, 0);
}

static void write_in_child(svs_async_context *async, void *argument) {
    uint64_t *at = *(uint64_t **)argument;
    svs_check_write(at, sizeof *at);
}

static void spawns_two(svs_context *context, script *of) {
    thing *t = of->with;
    uint64_t *at = &t->value;
    svs_async_context *async = svs_context_async(context);
    svs_async(async, write_in_child, &at, sizeof(uint64_t *));
    svs_async(async, write_in_child, &at, sizeof(uint64_t *));
}

static void spawns_writer(svs_async_context *async, void *at) {
    svs_async(async, write_in_child, at, sizeof(uint64_t *));
}
static void spawns_writer_and_reads(svs_async_context *async, void *at) {
    spawns_writer(async, at);
    svs_check_read(*(uint64_t **)at, sizeof(uint64_t));
}

static svs_async_function *in_finish;
static void lends_its_stack(svs_context *context, script *of) {
    uint64_t local = 0, *at = &local;
    svs_check_write(at, sizeof local);
    svs_finish(svs_context_async(context), in_finish, &at);
    svs_check_read(at, sizeof local);
    svs_check_write(at, sizeof local);
    svs_finish(svs_context_async(context), in_finish, &at);
}

/* dpst.G9 */
SCENE_CASE(a_body_races_on_its_own_stack_only_with_an_async_that_goes_on, 2) {
    script a = {.deed = lends_its_stack};
    in_finish = spawns_writer;
    add_part(s, &ann_task, &a);
    assert_int_equal(svs_graph_run(s->graph, 1, NULL), SVS_OK);
    assert_int_equal(s->count, 0);
    in_finish = spawns_writer_and_reads;
    scene_run(s);
    assert_true(scene_count(s, SVS_CHECK_VERDICT_RACE) >= 1);
}

SCENE_CASE(asyncs_of_a_body_race_and_are_declared_as_it_is, 2) {
    thing *t = thing_new(s);
    script a = {.deed = spawns_two, .with = t};
    writes_thing(&a, t);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_RACE);
    assert_string_equal(s->found[0].now.task, "ann");
    a.count = 0;
    scene_run(s);
    assert_true(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED) >= 1);
}

static void writes_value_once(svs_context *context, script *of) {
    writes_value(context, of);
    of->deed = does_nothing;
}

static void *runs_a_graph(void *argument) {
    assert_int_equal(svs_graph_run(argument, 3, NULL), SVS_OK);
    return NULL;
}

SCENE_CASE(two_graphs_at_once, 2) {
    thing *t = thing_new(s);
    script a = {.deed = writes_value, .with = t};
    svs_graph *other;
    svs_task *task;
    part p = {&a};
    svs__thread thread;
    writes_thing(&a, t);
    add_part(s, &ann_task, &a);
    assert_int_equal(svs_graph_new(s->world, NULL, &other), SVS_OK);
    assert_int_equal(svs_graph_add_transform(other, &bob_task, &p, NULL, &task), SVS_OK);
    assert_int_equal(svs__thread_create(&thread, runs_a_graph, other, 0), SVS_OK);
    scene_run(s);
    svs__thread_join(&thread);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 0);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED), 0);
    assert_int_equal(svs_graph_free(other), SVS_OK);
}

/* The first body of the second iteration has another graph run meanwhile. */
typedef struct meanwhile {
    svs_graph *graph;
    uint32_t iterations;
} meanwhile;

static void runs_another_the_second_time(svs_context *context, script *of) {
    meanwhile *m = of->with;
    svs__thread thread;
    if (++m->iterations < 2) return;
    assert_int_equal(svs__thread_create(&thread, runs_a_graph, m->graph, 0), SVS_OK);
    svs__thread_join(&thread);
}

SCENE_CASE(what_is_forgotten_races_with_nothing, 3) {
    thing *t = thing_new(s);
    meanwhile m = {NULL, 0};
    script first = {.deed = runs_another_the_second_time, .with = &m};
    script then = {.deed = writes_value_once, .with = t}, other = {.deed = writes_value, .with = t};
    part p = {&other};
    svs_task *task;
    writes_thing(&then, t);
    writes_thing(&other, t);
    assert_int_equal(svs_graph_add_order(s->graph, add_part(s, &ann_task, &first),
                                         add_part(s, &bob_task, &then)),
                     SVS_OK);
    assert_int_equal(svs_graph_new(s->world, NULL, &m.graph), SVS_OK);
    assert_int_equal(svs_graph_add_transform(m.graph, &cid_task, &p, NULL, &task), SVS_OK);
    assert_int_equal(svs_graph_run(s->graph, 2, NULL), SVS_OK);
    assert_int_equal(s->count, 0);
    assert_int_equal(svs_graph_free(m.graph), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
