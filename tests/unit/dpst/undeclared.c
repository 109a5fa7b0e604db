/* Undeclared accesses of instances to objects and links. */
#include "graph_scene.h"

SCENE_CASE(what_is_declared_is_silent, 2) {
    thing *t = thing_new(s);
    script a = {.deed = writes_value, .with = t}, b = {.deed = reads_value, .with = t};
    writes_thing(&a, t);
    reads_thing(&b, t);
    scene_run_ordered(s, &a, &b);
    assert_int_equal(s->count, 0);
    assert_int_equal(s->summary.undeclared + s->summary.races + s->summary.orders, 0);
}

SCENE_CASE(an_undeclared_access_is_found, 1) {
    thing *t = thing_new(s), *other = thing_new(s);
    script a = {.deed = reads_value, .with = t};
    const svs_check_race *race = s->found;
    writes_thing(&a, other);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_int_equal(race->verdict, SVS_CHECK_VERDICT_UNDECLARED);
    assert_ptr_equal(race->address, &t->value);
    assert_int_equal(race->bytes, sizeof t->value);
    assert_ptr_equal(race->object, t);
    assert_int_equal(race->object_bytes, sizeof *t);
    assert_string_equal(race->type, "thing");
    assert_string_equal(race->now.task, "ann");
    assert_int_equal(race->now.declared, 0);
    assert_false(race->now.write);
    assert_non_null(strstr(s->cures[0], "svs_reads_object() for thing to the touch function of "
                                        "ann"));
    assert_non_null(strstr(s->declared[0], "had declared writes of thing"));
    assert_int_equal(s->summary.undeclared, 1);
}

SCENE_CASE(a_write_where_a_read_is_declared_is_found, 1) {
    thing *t = thing_new(s);
    script a = {.deed = writes_value, .with = t};
    reads_thing(&a, t);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_UNDECLARED);
    assert_int_equal(s->found[0].now.declared, 1);
    assert_non_null(strstr(s->cures[0], "say svs_writes_object()"));
}

static void makes_its_own(svs_context *context, script *of) {
    scene *s = of->with;
    void *made;
    assert_int_equal(svs_object_new(s->world, &thing_type, &made), SVS_OK);
    svs_check_write(&((thing *)made)->value, 8);
    svs_check_read(&((thing *)made)->value, 8);
}

SCENE_CASE(what_an_instance_makes_is_its_own, 1) {
    script a = {.deed = makes_its_own, .with = s};
    scene_run_one(s, &a);
    assert_int_equal(s->count, 0);
}

static void hands_off_and_writes(svs_context *context, script *of) {
    scene *s = of->with;
    void *made;
    assert_int_equal(svs_object_new(s->world, &thing_type, &made), SVS_OK);
    assert_int_equal(svs_publish(context, &((thing *)made)->svs), SVS_OK);
    svs_check_write(&((thing *)made)->value, 8);
}

SCENE_CASE(objects_published_have_no_owner, 1) {
    script a = {.deed = hands_off_and_writes, .with = s};
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_UNDECLARED);
}

static void links_then_follows(svs_context *context, script *of) {
    thing **two = of->with;
    assert_int_equal(svs_link(two[0], next, two[1]), SVS_OK);
    svs_check_write(&two[1]->value, 8);
}

SCENE_CASE(a_link_that_changed_since_shows_as_a_stale_footprint, 1) {
    thing *two[2] = {thing_new(s), thing_new(s)};
    script a = {.deed = links_then_follows, .with = two};
    script_declare(&a, &two[0]->svs, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_REACH);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_UNDECLARED);
    assert_non_null(strstr(s->cures[0], "stale footprint"));
    scene_run(s); /* now it is in the footprint */
    assert_int_equal(s->count, 1);
}

static void stores_a_link(svs_context *context, script *of) {
    thing *t = of->with;
    t->next = NULL;
    svs_check_write(&t->next, sizeof t->next);
}

SCENE_CASE(a_raw_link_store_is_found, 1) {
    thing *t = thing_new(s);
    script a = {.deed = stores_a_link, .with = t};
    writes_thing(&a, t);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_UNDECLARED);
    assert_string_equal(s->found[0].field, "next");
    assert_non_null(strstr(s->cures[0], "svs_link() only"));
}

static void frees_it(svs_context *context, script *of) {
    thing *t = of->with;
    assert_int_equal(svs_object_free(&t->svs), SVS_OK);
}

SCENE_CASE(to_free_what_is_declared_is_no_store_of_a_link, 1) {
    thing *t = thing_new(s);
    script a = {.deed = frees_it, .with = t};
    writes_thing(&a, t);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 0);
}

static void links_to_what_was_freed(svs_context *context, script *of) {
    thing **two = of->with;
    assert_int_equal(svs_link(two[0], next, two[1]), SVS_E_FREED);
}

SCENE_CASE(a_link_that_is_refused_is_no_access, 1) {
    thing *two[] = {thing_new(s), thing_new(s)};
    script a = {.deed = links_to_what_was_freed, .with = two};
    assert_int_equal(svs_object_clean_up(&two[1]->svs), SVS_OK); /* dead, and still there */
    add_part(s, &ann_task, &a);
    assert_int_equal(svs_graph_run(s->graph, 1, NULL), SVS_E_FREED);
    assert_int_equal(s->count, 0);
}

SCENE_CASE(an_undeclared_parent_of_a_link_is_found, 1) {
    thing *two[2] = {thing_new(s), thing_new(s)};
    script a = {.deed = links_then_follows, .with = two};
    writes_thing(&a, two[1]);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_ptr_equal(s->found[0].address, &two[0]->next);
}

int main(void) { return run_cases(NULL, NULL); }
