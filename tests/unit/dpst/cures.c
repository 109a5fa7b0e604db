/* The cures that reports offer are calls that the library accepts, and with which the next run
 * finds nothing (dpst/graph/words.c). */
#include "graph_scene.h"

static uint64_t plain, guard;

static void writes_plain(svs_context *context, script *of) {
    svs_check_write(&plain, sizeof plain);
}
static void reads_plain(svs_context *context, script *of) { svs_check_read(&plain, sizeof plain); }
static void sends_on(svs_context *context, script *of) {
    part next = {of->with};
    assert_int_equal(svs_send(context, of->to, &next, 1, sizeof next), SVS_OK);
}

static void address(script *of, const void *what, svs_access_mode mode) {
    script_declare(of, what, SVS_KIND_ADDRESS, mode, SVS_EXTENT_OWN);
}

/* Two items of one task. */
static svs_task *send_two(scene *s, script *of) {
    svs_task *ann = add_parts(s, &ann_task);
    part parts[] = {{of}, {of}};
    assert_int_equal(svs_graph_send(s->graph, ann, parts, 2, sizeof *parts), SVS_OK);
    return ann;
}

static void expect(const scene *s, const char *text) {
    if (strstr(s->cures[0], text) == NULL) fail_msg("\"%s\" is not in: %s", text, s->cures[0]);
}

static void expect_not(const scene *s, const char *text) {
    if (strstr(s->cures[0], text) != NULL) fail_msg("\"%s\" is in: %s", text, s->cures[0]);
}

/* Only the order is left, which nothing but a declaration can be asked about. */
static uint32_t races_of(scene *s) {
    return scene_count(s, SVS_CHECK_VERDICT_RACE) + scene_count(s, SVS_CHECK_VERDICT_UNDECLARED);
}

SCENE_CASE(items_of_one_task_declare_what_they_share, 1) {
    script a = {.deed = writes_plain};
    char text[80];
    svs_task *ann = send_two(s, &a);
    scene_run(s);
    assert_int_equal(races_of(s), 1);
    (void)snprintf(text, sizeof text, "add svs_writes() for %p to the touch function of ann",
                   (void *)&plain);
    expect(s, text);
    expect(s, "svs_check_worker_range()");
    expect_not(s, "svs_graph_add_order()");
    assert_int_equal(svs_graph_add_order(s->graph, ann, ann), SVS_E_INVALID);
    address(&a, &plain, SVS_MODE_WRITE);
    s->count = 0;
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_equal(races_of(s), 0);
}

SCENE_CASE(an_element_for_each_worker_is_registered, 1) {
    script a = {.deed = writes_plain};
    assert_int_equal(svs_check_worker_range(&plain, sizeof plain, 1, "plain"), SVS_OK);
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_equal(s->count, 0);
    svs_check_forget_range(&plain);
}

SCENE_CASE(two_tasks_declare_or_are_ordered, 1) {
    script a = {.deed = writes_plain}, b = {.deed = reads_plain};
    svs_task *ann = add_part(s, &ann_task, &a), *bob = add_part(s, &bob_task, &b);
    scene_run(s);
    assert_int_equal(races_of(s), 1);
    expect(s, "svs_writes() for 0x");
    expect(s, "svs_reads() for 0x");
    expect(s, "the touch function of ann");
    expect(s, "the touch function of bob");
    expect(s, "svs_graph_add_order() them");
    address(&a, &plain, SVS_MODE_WRITE);
    address(&b, &plain, SVS_MODE_READ);
    s->count = 0;
    scene_run(s);
    assert_int_equal(races_of(s), 0);
    assert_int_equal(svs_graph_add_order(s->graph, ann, bob), SVS_OK);
    s->count = 0;
    scene_run(s);
    assert_int_equal(s->count, 0);
}

SCENE_CASE(tasks_that_send_to_each_other_cannot_be_ordered, 1) {
    script b = {.deed = reads_plain}, a = {.deed = writes_plain};
    script first = {.deed = sends_on, .with = &b}, second = {.deed = sends_on, .with = &a};
    svs_task *ann = add_parts(s, &ann_task), *bob = add_parts(s, &bob_task);
    part parts[] = {{&first}, {&second}};
    first.to = bob;
    second.to = ann;
    assert_int_equal(svs_graph_add_flow(s->graph, ann, bob), SVS_OK);
    assert_int_equal(svs_graph_add_flow(s->graph, bob, ann), SVS_OK);
    assert_int_equal(svs_graph_send(s->graph, ann, &parts[0], 1, sizeof *parts), SVS_OK);
    assert_int_equal(svs_graph_send(s->graph, bob, &parts[1], 1, sizeof *parts), SVS_OK);
    scene_run(s);
    assert_int_equal(races_of(s), 1);
    expect(s, "the touch function of ann");
    expect_not(s, "svs_graph_add_order()");
}

SCENE_CASE(one_of_two_that_declares_need_not_do_so_again, 1) {
    script a = {.deed = writes_plain}, b = {.deed = reads_plain};
    assert_int_equal(svs_check_object_range(&plain, sizeof plain, "plain"), SVS_OK);
    address(&a, &plain, SVS_MODE_WRITE);
    scene_run_two(s, &a, &b);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->found[i].verdict == SVS_CHECK_VERDICT_RACE)
            memcpy(s->cures[0], s->cures[i], sizeof s->cures[0]);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 1);
    expect(s, "add svs_reads() for plain to the touch function of bob");
    expect_not(s, "touch function of ann");
    svs_check_forget_range(&plain);
}

SCENE_CASE(an_order_that_does_not_matter_is_registered_first, 1) {
    script a = {.deed = writes_plain};
    address(&a, &guard, SVS_MODE_WRITE);
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_ORDER), 1);
    expect(s, "svs_check_object_range()");
    expect(s, "svs_check_commutative()");
    expect_not(s, "svs_graph_add_order()");
    assert_int_equal(svs_check_commutative(&guard), SVS_E_INVALID);
    assert_int_equal(svs_check_object_range(&guard, sizeof guard, "guard"), SVS_OK);
    assert_int_equal(svs_check_commutative(&guard), SVS_OK);
    s->count = 0;
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_equal(s->count, 0);
    svs_check_forget_range(&guard);
}

SCENE_CASE(an_index_is_registered_by_its_bytes, 1) {
    script a = {.deed = writes_plain};
    svs_space *space;
    assert_int_equal(svs_space_new(s->world, "cells", 1, &space), SVS_OK);
    script_declare(&a, space, SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_ORDER), 1);
    expect(s, "svs_check_index_range()");
    assert_int_equal(svs_check_index_range(space, 0, &plain, sizeof plain, 1, "cells"), SVS_OK);
    assert_int_equal(svs_check_commutative(&plain), SVS_OK);
    s->count = 0;
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_equal(s->count, 0);
    svs_check_forget_range(&plain);
    assert_int_equal(svs_space_free(space), SVS_OK);
}

SCENE_CASE(what_a_touch_function_of_the_same_task_reads_goes_into_the_item, 1) {
    script a = {.deed = writes_plain, .touched = &plain};
    address(&a, &plain, SVS_MODE_WRITE);
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_not_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 0);
    expect(s, "put what it reads into the item");
    expect_not(s, "svs_graph_add_order()");
    a.touched = NULL;
    s->count = 0;
    (void)send_two(s, &a);
    scene_run(s);
    assert_int_equal(races_of(s), 0);
}

int main(void) { return run_cases(NULL, NULL); }
