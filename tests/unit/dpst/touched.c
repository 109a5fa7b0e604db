/* What touch functions read is judged as what no admission keeps apart (hooks.K3); and the bytes
 * that an address in a footprint stands for. */
#include "dpst/graph/graph.h"
#include "graph_scene.h"

/* A writer, and a task with a touch function that reads what it writes. Both declare the thing, so
 * that admission keeps their bodies apart. */
static void write_scripts(scene *s, script *writer, script *reader) {
    thing *t = thing_new(s);
    *writer = (script){.deed = writes_value, .with = t};
    *reader = (script){.deed = does_nothing, .touched = &t->value};
    writes_thing(writer, t);
    writes_thing(reader, t);
}

SCENE_CASE(a_touch_function_that_reads_what_an_unordered_body_writes_is_a_race, 2) {
    script writer, reader;
    write_scripts(s, &writer, &reader);
    scene_run_two(s, &writer, &reader);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 1);
    assert_int_equal(s->summary.undeclared, 0);
    assert_non_null(strstr(s->cures[0], "the touch function of bob is called while ann may run"));
    assert_non_null(strstr(s->cures[0], "put what it reads into the item"));
}

SCENE_CASE(a_touch_function_that_reads_what_an_earlier_task_writes_is_silent, 2) {
    script writer, reader;
    write_scripts(s, &writer, &reader);
    scene_run_ordered(s, &writer, &reader);
    assert_int_equal(s->count, 0);
}

SCENE_CASE(a_touch_function_need_not_declare_what_it_reads, 1) {
    thing *t = thing_new(s);
    script a = {.deed = does_nothing, .touched = &t->value};
    scene_run_one(s, &a);
    assert_int_equal(s->count, 0);
}

SCENE_CASE(two_touch_functions_that_read_one_thing_are_silent, 2) {
    thing *t = thing_new(s);
    script a = {.deed = does_nothing, .touched = &t->value}, b = a;
    scene_run_two(s, &a, &b);
    assert_int_equal(s->count, 0);
}

/* The body's own read, which admission keeps apart, does not take the touch function's place. */
SCENE_CASE(a_touch_functions_read_is_remembered_beside_the_bodys, 1) {
    thing *t = thing_new(s);
    script reader = {.deed = reads_value, .with = t, .touched = &t->value};
    script writer = {.deed = writes_value, .with = t};
    writes_thing(&reader, t);
    writes_thing(&writer, t);
    scene_run_two(s, &reader, &writer);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 1);
}

/* ---- the bytes that an address stands for ---- */

static _Alignas(64) uint64_t words[8];

static void reads_third(svs_context *context, script *of) { svs_check_read(&words[2], 8); }
static void writes_third(svs_context *context, script *of) { svs_check_write(&words[2], 8); }

static void declare_words(script *of, const void *address, uint32_t bytes, svs_access_mode mode) {
    script_declare(of, address, SVS_KIND_ADDRESS, mode, SVS_EXTENT_OWN);
    of->declared[of->count - 1].limit = bytes;
}

SCENE_CASE(bytes_of_an_address_are_not_accessed_without_it, 1) {
    script a = {.deed = does_nothing}, b = {.deed = reads_third};
    declare_words(&a, words, 32, SVS_MODE_WRITE);
    scene_run_ordered(s, &a, &b);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->found[0].verdict, SVS_CHECK_VERDICT_UNDECLARED);
    assert_ptr_equal(s->found[0].object, words);
    assert_int_equal(s->found[0].object_bytes, 32);
    assert_string_equal(s->found[0].now.task, "bob");
}

SCENE_CASE(bytes_of_an_address_that_is_read_are_not_written, 1) {
    script a = {.deed = does_nothing}, b = {.deed = writes_third};
    declare_words(&a, words, 32, SVS_MODE_WRITE);
    declare_words(&b, words, 0, SVS_MODE_READ);
    scene_run_ordered(s, &a, &b);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED), 1);
    assert_int_equal(s->found[0].now.declared, 1);
}

SCENE_CASE(bytes_behind_those_of_an_address_are_not_its, 1) {
    script a = {.deed = does_nothing}, b = {.deed = reads_third};
    declare_words(&a, words, 16, SVS_MODE_WRITE);
    scene_run_ordered(s, &a, &b);
    assert_int_equal(s->count, 0);
}

/* A struct inside of another has an address of its own. */
SCENE_CASE(one_of_the_addresses_that_stand_for_the_bytes_is_enough, 1) {
    script a = {.deed = does_nothing}, b = {.deed = writes_third};
    declare_words(&a, words, 64, SVS_MODE_WRITE);
    declare_words(&a, &words[2], 16, SVS_MODE_WRITE);
    declare_words(&b, &words[2], 16, SVS_MODE_WRITE);
    scene_run_ordered(s, &a, &b);
    assert_int_equal(s->count, 0);
}

static void begins_anew(svs_context *context, script *of) {
    svs__graph_clear((uintptr_t)words, sizeof words);
    svs_check_write(&words[2], 8);
}

SCENE_CASE(bytes_that_begin_a_new_life_belong_to_no_address, 1) {
    script a = {.deed = does_nothing}, b = {.deed = begins_anew};
    declare_words(&a, words, 32, SVS_MODE_WRITE);
    scene_run_ordered(s, &a, &b);
    assert_int_equal(s->count, 0);
}

int main(void) { return run_cases(NULL, NULL); }
