/* Bytes that are known by indices, by addresses, as immutable, or as a worker's. */
#include "graph_scene.h"

static uint64_t cells[4];

static void writes_cells(svs_context *context, script *of) {
    svs_check_write(&cells[1], 2 * sizeof cells[1]);
}

SCENE_CASE(indices_are_known_by_their_ranges, 1) {
    script a = {.deed = writes_cells};
    svs_space *space;
    assert_int_equal(svs_space_new(s->world, "cells", 4, &space), SVS_OK);
    assert_int_equal(svs_check_index_range(space, 0, cells, sizeof *cells, 4, "cells"), SVS_OK);
    script_declare(&a, space, SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    a.declared[0].index = 1; /* but not 2 */
    scene_run_one(s, &a);
    assert_int_equal(s->count, 1);
    assert_ptr_equal(s->found[0].address, &cells[2]);
    assert_ptr_equal(s->found[0].object, &cells[2]);
    assert_string_equal(s->found[0].type, "cells");
    assert_non_null(strstr(s->cures[0], "svs_writes_at()"));
    svs_check_forget_range(cells);
    assert_int_equal(svs_space_free(space), SVS_OK);
}

SCENE_CASE(addresses_are_known_by_their_ranges, 1) {
    script a = {.deed = writes_cells};
    assert_int_equal(svs_check_object_range(cells, sizeof cells, "cells"), SVS_OK);
    script_declare(&a, cells, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 0);
    a.declared[0].mode = SVS_MODE_READ;
    scene_run(s);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED), s->count);
    assert_true(s->count != 0);
    svs_check_forget_range(cells);
}

TEST_CASE(without_a_range_the_declaration_decides) {
    for (uint32_t by_index = 0; by_index < 2; by_index++) {
        scene *s = scene_new(2);
        script a = {.deed = writes_cells}, b = {.deed = writes_cells};
        svs_space *space;
        assert_int_equal(svs_space_new(s->world, "cells", 4, &space), SVS_OK);
        script_declare(&a, by_index ? (const void *)space : cells,
                       by_index ? SVS_KIND_INDEX : SVS_KIND_ADDRESS, SVS_MODE_WRITE,
                       SVS_EXTENT_OWN);
        b = a;
        scene_run_two(s, &a, &b);
        assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 0);
        assert_true(scene_count(s, SVS_CHECK_VERDICT_ORDER) != 0);
        b.count = 0;
        scene_run(s);
        assert_true(scene_count(s, SVS_CHECK_VERDICT_RACE) != 0);
        assert_int_equal(svs_space_free(space), SVS_OK);
        scene_free(s);
    }
}

static void reads_cells(svs_context *context, script *of) {
    svs_check_read(&cells[1], sizeof cells[1]);
}

SCENE_CASE(what_is_immutable_is_read_undeclared_and_never_written, 1) {
    script a = {.deed = reads_cells}, b = {.deed = writes_cells};
    assert_int_equal(svs_check_immutable_range(cells, sizeof cells, "cells"), SVS_OK);
    scene_run_one(s, &a);
    assert_int_equal(s->count, 0);
    script_declare(&b, cells, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    add_part(s, &bob_task, &b);
    scene_run(s);
    assert_true(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED) != 0);
    svs_check_forget_range(cells);
}

static void writes_its_workers(svs_context *context, script *of) {
    svs_check_write(&cells[svs_worker_index()], sizeof *cells);
}
static void writes_anothers(svs_context *context, script *of) {
    svs_check_write(&cells[svs_worker_index() + 1], sizeof *cells);
}

static void write_of_its_worker(svs_async_context *async, void *argument) {
    svs_check_write(&cells[svs_worker_index()], sizeof *cells);
}
static void spawns_writes_of_its_workers(svs_context *context, script *of) {
    for (int i = 0; i < 8; i++)
        svs_async(svs_context_async(context), write_of_its_worker, &of, sizeof of);
}

/* The cure of the first undeclared access; others may be reported before it. */
static const char *cure_of_undeclared(const scene *s) {
    uint32_t i = 0;
    while (i < s->count && s->found[i].verdict != SVS_CHECK_VERDICT_UNDECLARED) i++;
    return i < s->count ? s->cures[i] : "";
}

SCENE_CASE(what_is_a_workers_is_its_instances, 2) {
    script a = {.deed = writes_its_workers}, b = {.deed = writes_anothers};
    script c = {.deed = spawns_writes_of_its_workers};
    assert_int_equal(svs_check_worker_range(cells, sizeof *cells, 4, "cells"), SVS_OK);
    add_part(s, &ann_task, &a);
    add_part(s, &bob_task, &a);
    add_part(s, &cid_task, &a);
    scene_run(s);
    assert_int_equal(s->count + s->summary.orders, 0);
    scene_run_one(s, &c); /* asyncs of one instance, too */
    assert_int_equal(s->count + s->summary.orders, 0);
    add_part(s, &dan_task, &b);
    scene_run(s);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED), 1);
    /* An instance of the other worker may write that place, too. */
    assert_non_null(strstr(cure_of_undeclared(s), "another worker's"));
    svs_check_forget_range(cells);
}

int main(void) { return run_cases(NULL, NULL); }
