/* Instances that admission keeps apart, as both declare one thing: whatever they touch meanwhile is
 * an order and no race. */
#include "graph_scene.h"

static uint64_t data[64], guard, cells[8];

static void writes_data(svs_context *context, script *of) {
    svs_check_write(&data[50], sizeof data[50]);
}
static void reads_data(svs_context *context, script *of) {
    svs_check_read(&data[50], sizeof data[50]);
}

/* Two transforms, which the graph does not order. */
static void run_two(scene *s, script *a, script *b) {
    s->count = 0;
    assert_int_equal(svs_graph_free(s->graph), SVS_OK);
    assert_int_equal(svs_graph_new(s->world, NULL, &s->graph), SVS_OK);
    scene_run_two(s, a, b);
}

static void declare_index(script *of, const svs_space *space, uint64_t index, int mode) {
    script_declare(of, space, SVS_KIND_INDEX, (svs_access_mode)mode, SVS_EXTENT_OWN);
    of->declared[of->count - 1].index = index;
}

enum { ADDRESS, NAMED_ADDRESS, INDEX, NAMED_INDEX, OBJECT, FORMS };

typedef struct guarded {
    scene *s;
    svs_space *space;
    thing *object;
    int form;
} guarded;

static guarded guarded_by(int form) {
    guarded g = {scene_new(2), NULL, NULL, form};
    g.object = thing_new(g.s);
    assert_int_equal(svs_space_new(g.s->world, "space", 8, &g.space), SVS_OK);
    if (form == NAMED_ADDRESS)
        assert_int_equal(svs_check_object_range(&guard, sizeof guard, "guard"), SVS_OK);
    if (form == NAMED_INDEX)
        assert_int_equal(svs_check_index_range(g.space, 0, cells, sizeof *cells, 8, "cells"),
                         SVS_OK);
    return g;
}

static void free_guarded(guarded *g) {
    svs_check_forget_range(&guard);
    svs_check_forget_range(cells);
    assert_int_equal(svs_space_free(g->space), SVS_OK);
    scene_free(g->s);
}

static void declare_guard(const guarded *g, script *of, int mode) {
    if (g->form == OBJECT)
        script_declare(of, &g->object->svs, SVS_KIND_OBJECT, (svs_access_mode)mode, SVS_EXTENT_OWN);
    else if (g->form <= NAMED_ADDRESS)
        script_declare(of, &guard, SVS_KIND_ADDRESS, (svs_access_mode)mode, SVS_EXTENT_OWN);
    else declare_index(of, g->space, 3, mode);
}

TEST_CASE(what_is_touched_under_one_guard_is_an_order) {
    for (int form = 0; form < FORMS; form++) {
        guarded g = guarded_by(form);
        script a = {.deed = writes_data}, b = {.deed = reads_data};
        declare_guard(&g, &a, SVS_MODE_WRITE);
        declare_guard(&g, &b, SVS_MODE_READ);
        run_two(g.s, &a, &b);
        assert_int_equal(scene_count(g.s, SVS_CHECK_VERDICT_RACE), 0);
        assert_int_equal(scene_count(g.s, SVS_CHECK_VERDICT_ORDER), 1);
        assert_int_equal(g.s->summary.orders, 1);
        free_guarded(&g);
    }
}

TEST_CASE(a_guard_that_both_only_read_keeps_nothing_apart) {
    for (int form = 0; form < FORMS; form++) {
        guarded g = guarded_by(form);
        script a = {.deed = writes_data}, b = {.deed = writes_data};
        declare_guard(&g, &a, SVS_MODE_READ);
        declare_guard(&g, &b, SVS_MODE_READ);
        run_two(g.s, &a, &b);
        assert_int_equal(scene_count(g.s, SVS_CHECK_VERDICT_RACE), 1);
        free_guarded(&g);
    }
}

TEST_CASE(two_guards_keep_nothing_apart) {
    guarded g = guarded_by(NAMED_INDEX);
    script a = {.deed = writes_data}, b = {.deed = writes_data};
    declare_index(&a, g.space, 3, SVS_MODE_WRITE);
    declare_index(&b, g.space, 4, SVS_MODE_WRITE);
    run_two(g.s, &a, &b);
    assert_int_equal(scene_count(g.s, SVS_CHECK_VERDICT_RACE), 1);
    free_guarded(&g);
}

/* They are at one place, and admission knows them by different keys. */
TEST_CASE(what_is_undeclared_under_a_guard_is_found) {
    guarded g = guarded_by(ADDRESS);
    script a = {.deed = writes_value, .with = g.object}, b = a;
    declare_guard(&g, &a, SVS_MODE_WRITE);
    declare_guard(&g, &b, SVS_MODE_WRITE);
    run_two(g.s, &a, &b);
    assert_int_equal(scene_count(g.s, SVS_CHECK_VERDICT_UNDECLARED), 2);
    assert_int_equal(scene_count(g.s, SVS_CHECK_VERDICT_RACE), 0);
    free_guarded(&g);
}

TEST_CASE(the_order_of_a_commutative_guard_does_not_matter) {
    guarded g = guarded_by(OBJECT);
    script a = {.deed = writes_data}, b = {.deed = writes_data};
    assert_int_equal(svs_check_commutative(g.object), SVS_OK);
    declare_guard(&g, &a, SVS_MODE_WRITE);
    declare_guard(&g, &b, SVS_MODE_WRITE);
    run_two(g.s, &a, &b);
    assert_int_equal(g.s->count + g.s->summary.orders, 0);
    free_guarded(&g);
}

/* Readers that differ in their guards alone: a writer may be kept apart from each but one. */
TEST_CASE(a_reader_under_another_guard_is_remembered) {
    for (uint32_t apart = 0; apart < 4; apart++)
        for (uint32_t times = 1; times <= 3; times++) { /* of each reader: more than one is alike */
            guarded g = guarded_by(NAMED_INDEX);
            script readers[4], writer = {.deed = writes_data};
            svs_task *reads = add_parts(g.s, &ann_task), *write = add_part(g.s, &bob_task, &writer);
            for (uint32_t i = 0; i < 4; i++) {
                part p = {&readers[i]};
                readers[i] = (script){.deed = reads_data};
                declare_index(&readers[i], g.space, i, SVS_MODE_READ);
                if (i != apart) declare_index(&writer, g.space, i, SVS_MODE_WRITE);
                for (uint32_t k = 0; k < times; k++)
                    assert_int_equal(svs_graph_send(g.s->graph, reads, &p, 1, sizeof p), SVS_OK);
            }
            (void)write;
            scene_run(g.s);
            assert_true(scene_count(g.s, SVS_CHECK_VERDICT_RACE) != 0);
            free_guarded(&g);
        }
}

/* ---- two worlds ---- */

static void meets_and_writes(svs_context *context, script *of) {
    _Atomic(uint32_t) *there = of->with;
    (void)svs__fetch_add_relaxed(there, 1);
    while (svs__load_relaxed(there) < 2) svs__yield();
    writes_data(context, of);
}

static _Atomic(uint32_t) turn;
static svs_graph *graphs[2];

static void *run_graph(void *unused) {
    assert_int_equal(svs_graph_run(graphs[svs__fetch_add_relaxed(&turn, 1)], 1, NULL), SVS_OK);
    return NULL;
}

SCENE_CASE(a_guard_of_two_worlds_keeps_nothing_apart, 3) {
    _Atomic(uint32_t) there = 0;
    script a = {.deed = meets_and_writes, .with = &there};
    part p = {&a};
    svs_world *world;
    svs_task *task;
    script_declare(&a, &guard, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    add_part(s, &ann_task, &a);
    assert_int_equal(svs_world_new(s->runtime, NULL, &world), SVS_OK);
    graphs[0] = s->graph;
    assert_int_equal(svs_graph_new(world, NULL, &graphs[1]), SVS_OK);
    assert_int_equal(svs_graph_add_transform(graphs[1], &ann_task, &p, NULL, &task), SVS_OK);
    svs__store_relaxed(&turn, 0);
    team_run(2, run_graph, NULL);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 1);
    /* Both are the first instance of their graph. */
    assert_int_equal(s->found[0].before.instance, s->found[0].now.instance);
    assert_int_not_equal(s->found[0].before.run, s->found[0].now.run);
    for (int i = 0; i < 2; i++) {
        char run[32];
        (void)snprintf(run, sizeof run, ", run %u) had",
                       i ? s->found[0].now.run : s->found[0].before.run);
        assert_non_null(strstr(s->declared[0], run));
    }
    assert_int_equal(svs_graph_free(graphs[1]), SVS_OK);
    assert_int_equal(svs_world_free(world), SVS_OK);
}

/* dpst.G2: the one under the writer's guard is the first of all. */
SCENE_CASE(an_order_is_found_behind_instances_with_other_sets, 1) {
    enum { READERS = 30 };
    static uint64_t guards[READERS];
    script scripts[READERS + 1];
    svs_task *task = add_parts(s, &ann_task);
    for (uint32_t i = 0; i <= READERS; i++) {
        part p = {&scripts[i]};
        scripts[i] = (script){.deed = i < READERS ? reads_data : writes_data};
        script_declare(&scripts[i], &guards[i % READERS], SVS_KIND_ADDRESS, SVS_MODE_WRITE,
                       SVS_EXTENT_OWN);
        assert_int_equal(svs_graph_send(s->graph, task, &p, 1, sizeof p), SVS_OK);
    }
    scene_run(s);
    assert_int_equal(s->summary.orders, 1);
}

static void reads_half_of_data(svs_context *context, script *of) {
    svs_check_read(&data[50], sizeof data[50] / 2);
}

/* dpst.G2: of each byte the latest 32 readers are kept, though every other one reads half of it. */
SCENE_CASE(more_sets_than_are_kept_leave_the_latest, 1) {
    enum { READERS = 100 };
    static uint64_t guards[READERS];
    script scripts[READERS + 1];
    svs_task *task = add_parts(s, &ann_task);
    for (uint32_t i = 0; i <= READERS; i++) {
        part p = {&scripts[i]};
        uint32_t guarded_by = i < READERS ? i : READERS - 1;
        scripts[i] = (script){.deed = i == READERS ? writes_data
                                      : i % 2      ? reads_data
                                                   : reads_half_of_data};
        script_declare(&scripts[i], &guards[guarded_by], SVS_KIND_ADDRESS, SVS_MODE_WRITE,
                       SVS_EXTENT_OWN);
        assert_int_equal(svs_graph_send(s->graph, task, &p, 1, sizeof p), SVS_OK);
    }
    scene_run(s);
    assert_int_equal(s->summary.orders, 1);
}

int main(void) { return run_cases(NULL, NULL); }
