/* Work, span, utilisation and depth, of trees that are made by hand. */
#include "span.h"
#include <string.h>

#include "case.h"

enum { WORKERS = 3, ROOM = 8 };

#define NONE SVS__TREE_NONE

typedef struct scene {
    svs__tree_phase phases[WORKERS][ROOM];
    svs__tree_worker workers[WORKERS];
    svs__steal_tree tree;
    tool_view view;
} scene;

static void scene_init(scene *s, uint32_t policy) {
    memset(s, 0, sizeof *s);
    for (uint32_t w = 0; w < WORKERS; w++) s->workers[w].phases = s->phases[w];
    s->tree.workers = WORKERS;
    s->tree.worker = s->workers;
    s->tree.policy = policy;
    s->view.statistics.policy = policy;
    s->view.tree = &s->tree;
}

static svs__tree_phase *add(scene *s, uint32_t worker, uint64_t begin_ns, uint64_t end_ns) {
    svs__tree_phase *phase = &s->phases[worker][s->workers[worker].phase_count++];
    phase->begin_ns = begin_ns;
    phase->end_ns = end_ns;
    phase->start.kind = SVS__PHASE_ROOT;
    phase->parent = phase->enclosing = NONE;
    return phase;
}

static svs__tree_phase *add_from(scene *s, uint32_t worker, svs__phase_kind kind, uint32_t victim,
                                 uint32_t parent, uint64_t begin_ns, uint64_t end_ns) {
    svs__tree_phase *phase = add(s, worker, begin_ns, end_ns);
    phase->start.kind = kind;
    phase->start.victim = victim;
    phase->parent = parent;
    return phase;
}

/* Puts `inner` inside of phase `enclosing` of `worker`. */
static void put_inside(scene *s, uint32_t worker, uint32_t enclosing, svs__tree_phase *inner) {
    inner->enclosing = enclosing;
    s->phases[worker][enclosing].inner_ns += inner->end_ns - inner->begin_ns;
}

static void assert_span(scene *s, uint64_t work_ns, uint64_t span_ns) {
    tool_span span;
    assert_true(tool_view_lay_out(&s->view));
    assert_true(tool_span_of_phases(&s->view, &span));
    assert_false(span.measured);
    assert_int_equal(span.work_ns, work_ns);
    assert_int_equal(span.span_ns, span_ns);
}

static void scene_free(scene *s) {
    free(s->view.nodes);
    free(s->view.order);
    free(s->view.first);
}

TEST_CASE(a_lone_phase_is_all_work_and_span) {
    scene s;
    scene_init(&s, 0);
    add(&s, 1, 50, 150);
    assert_span(&s, 100, 100);
    assert_int_equal(s.view.begin_ns, 50);
    assert_int_equal(s.view.end_ns, 150);
    assert_int_equal(s.view.active_ns, 100);
    scene_free(&s);
}

TEST_CASE(roots_follow_each_other) {
    scene s;
    scene_init(&s, 0);
    add(&s, 0, 0, 10);
    add(&s, 1, 20, 50);
    assert_span(&s, 40, 40);
    assert_int_equal(s.view.active_ns, 40);
    scene_free(&s);
}

TEST_CASE(a_thief_is_waited_for_by_its_victim) {
    scene s;
    scene_init(&s, 0);
    add(&s, 0, 0, 100);
    add_from(&s, 1, SVS__PHASE_STOLEN, 0, 0, 40, 90);
    assert_span(&s, 150, 100);
    assert_int_equal(s.view.depth, 1);
    scene_free(&s);
}

TEST_CASE(a_waiting_phase_has_no_work_of_its_own) {
    scene s;
    scene_init(&s, 0);
    add(&s, 0, 0, 100);
    put_inside(&s, 0, 0, add_from(&s, 0, SVS__PHASE_STOLEN, 1, 0, 30, 80));
    add_from(&s, 1, SVS__PHASE_STOLEN, 0, 0, 20, 95);
    assert_span(&s, 50 + 50 + 75, 100);
    assert_int_equal(tool_view_work_ns(&s.view, 0), 50 + 50);
    scene_free(&s);
}

TEST_CASE(one_inner_phase_may_begin_when_another_ends) {
    scene s;
    scene_init(&s, 0);
    add(&s, 0, 0, 100);
    put_inside(&s, 0, 0, add_from(&s, 0, SVS__PHASE_STOLEN, 1, 0, 30, 50));
    put_inside(&s, 0, 0, add_from(&s, 0, SVS__PHASE_STOLEN, 1, 0, 50, 80));
    add_from(&s, 1, SVS__PHASE_STOLEN, 0, 0, 20, 85);
    /* The victim is busy to 30, and from 80; the path leads over the thief, to 85, and on. */
    assert_span(&s, 50 + 20 + 30 + 65, 100);
    scene_free(&s);
}

TEST_CASE(idle_time_is_on_no_path) {
    scene s;
    scene_init(&s, 1);
    add(&s, 0, 0, 50);
    add_from(&s, 1, SVS__PHASE_STOLEN, 0, 0, 12, 30)->suspended = true;
    add_from(&s, 2, SVS__PHASE_RESUMED, 1, 0, 60, 80);
    assert_span(&s, 50 + 18 + 20, 70);
    assert_int_equal(s.view.depth, 2);
    assert_int_equal(s.view.active_ns, 70);
    scene_free(&s);
}

TEST_CASE(links_in_a_circle_are_cut) {
    scene s;
    tool_span span;
    scene_init(&s, 1);
    add_from(&s, 0, SVS__PHASE_STOLEN, 1, 0, 0, 10);
    add_from(&s, 1, SVS__PHASE_STOLEN, 2, 0, 0, 10);
    add_from(&s, 2, SVS__PHASE_STOLEN, 0, 0, 0, 10);
    assert_true(tool_view_lay_out(&s.view));
    assert_true(tool_span_of_phases(&s.view, &span));
    assert_int_equal(s.view.depth, 2);
    scene_free(&s);
}

TEST_CASE(utilisation_is_shared_among_columns) {
    double shares[4] = {0};
    scene s;
    scene_init(&s, 0);
    add(&s, 0, 0, 400);
    add_from(&s, 1, SVS__PHASE_STOLEN, 0, 0, 50, 210);
    put_inside(&s, 1, 0, add_from(&s, 1, SVS__PHASE_STOLEN, 0, 0, 60, 80));
    assert_true(tool_view_lay_out(&s.view));
    tool_view_utilisation(&s.view, 1, 4, shares);
    assert_true(shares[0] == 0.5 && shares[1] == 1 && shares[3] == 0);
    assert_true(shares[2] > 0.0999 && shares[2] < 0.1001);
    assert_int_equal(tool_view_work_ns(&s.view, 1), 160);
    assert_int_equal(tool_view_steals(&s.view, 1), 2);
    assert_ptr_equal(tool_view_longest(&s.view)->phase, &s.phases[0][0]);
    scene_free(&s);
}

TEST_CASE(waiting_is_no_work_and_spread_over_its_phase) {
    double shares[4] = {0};
    scene s;
    scene_init(&s, 0);
    add(&s, 0, 0, 400)->waited_ns = 150;
    put_inside(&s, 0, 0, add_from(&s, 0, SVS__PHASE_STOLEN, 1, 0, 200, 300));
    add_from(&s, 1, SVS__PHASE_STOLEN, 0, 0, 50, 350);
    assert_span(&s, 150 + 100 + 300, 400);
    assert_int_equal(tool_view_work_ns(&s.view, 0), 250);
    assert_int_equal(tool_view_waited_ns(&s.view, 0), 150);
    tool_view_utilisation(&s.view, 0, 4, shares);
    assert_true(shares[0] == 0.5 && shares[1] == 0.5 && shares[2] == 1 && shares[3] == 0.5);
    scene_free(&s);
}

TEST_CASE(the_model_is_the_greedy_bound) {
    const tool_span measured = {1024, 16, true}, phases = {1024, 16, false};
    assert_true(tool_span_predict(&measured, 1, 1) == 1024);
    assert_true(tool_span_predict(&measured, 1, 4) == 256 + 12);
    assert_true(tool_span_predict(&measured, 0.5, 4) == 256 + 6);
    assert_true(tool_span_predict(&measured, 0, 1024) == 16);
    assert_true(tool_span_predict(&phases, 0, 1024) == 1);
}

int main(void) { return run_cases(NULL, NULL); }
