/* Tasks of one domain are measured each by itself, by figures that are given here. */
#include "sched/domain/window/pace.h"
#include "sched/graph/node.h"
#include "unit/face/support.h"

typedef struct thing {
    uint64_t *written;
} thing;
static void thing_touch(svs_footprint *f, const thing *t) { svs_writes(f, t->written); }
static svs_status thing_run(svs_context *x, thing *t) {
    (void)x;
    ++*t->written;
    return SVS_OK;
}
SVS_TASK(thing, thing_run, thing_touch)

typedef struct scene {
    svs_graph *graph;
    svs_task *first, *second; /* of one domain, because no order is between them */
    svs__domain *domain;
    svs_context context;
} scene;

static void open_scene(scene *c, support *s) {
    static uint64_t written;
    thing item = {&written};
    memset(c, 0, sizeof *c);
    support_ok(svs_graph_new(s->world, NULL, &c->graph));
    support_ok(svs_graph_add_itemizer(c->graph, &thing_task, NULL, &c->first));
    support_ok(svs_graph_add_itemizer(c->graph, &thing_task, NULL, &c->second));
    support_ok(svs_graph_send(c->graph, c->first, &item, 1, sizeof item));
    support_ok(svs_graph_run(c->graph, 1, NULL));
    c->domain = svs__node_of(c->first)->domain;
    assert_ptr_equal(svs__node_of(c->second)->domain, c->domain);
    svs__pace_set(c->domain, NULL);
}

static void measure(scene *c, uint32_t bodies, uint64_t each) {
    svs__pace_measure(c->domain, &c->context, bodies * each, bodies);
}

static uint64_t body_of(svs__pace *pace) { return svs__load_relaxed(&pace->body_ns); }

SUPPORT_CASE(each_task_has_a_pace_of_its_own, 2) {
    scene c;
    open_scene(&c, s);
    assert_int_equal(body_of(&c.second->pace), UINT32_MAX);
    svs__pace_set(c.domain, c.first);
    measure(&c, 16, 30);
    svs__pace_set(c.domain, c.second);
    measure(&c, 16, 600);
    assert_int_equal(body_of(&c.second->pace), 600);
    assert_int_equal(svs__pace_body_ns(c.domain), 600);
    svs__pace_set(c.domain, NULL);
    measure(&c, 16, 200);
    assert_int_equal(svs__pace_body_ns(c.domain), 200);
    assert_int_equal(body_of(&c.second->pace), 600);
    assert_true(body_of(&c.first->pace) <=
                30); /* its own instance may have been measured as well */
    support_ok(svs_graph_free(c.graph));
}

SUPPORT_CASE(bodies_of_two_tasks_are_not_added_up, 2) {
    scene c;
    open_scene(&c, s);
    svs__pace_set(c.domain, c.second);
    measure(&c, 15, 600); /* too few for an estimate */
    svs__pace_set(c.domain, NULL);
    measure(&c, 15, 10);
    svs__pace_set(c.domain, c.second);
    measure(&c, 1, 10);
    assert_int_equal(body_of(&c.second->pace), UINT32_MAX);
    measure(&c, 15, 600);
    assert_int_equal(body_of(&c.second->pace), (15 * 600 + 10) / 16);
    support_ok(svs_graph_free(c.graph));
}

/* In a race check, nothing is light. */
static bool may_be_light(const support *s) { return !support_is_checked(s); }

SUPPORT_CASE(a_light_task_does_not_make_another_one_light, 2) {
    scene c;
    open_scene(&c, s);
    svs__light_begin(&c.first->pace.light[0], SVS__ALONE);
    svs__pace_guess(&c.first->pace, 30);
    assert_int_equal(svs__pace_is_light(c.domain, &c.first->pace, 0), may_be_light(s));
    assert_false(svs__pace_is_light(c.domain, &c.second->pace, 0));
    svs__pace_set(c.domain, c.first);
    assert_int_equal(svs__window_is_light(c.domain), may_be_light(s));
    svs__pace_set(c.domain, c.second);
    assert_false(svs__window_is_light(c.domain));
    support_ok(svs_graph_free(c.graph));
}

SUPPORT_CASE(many_unknown_bodies_are_not_light, 2) {
    scene c;
    open_scene(&c, s);
    svs__light_begin(&c.second->pace.light[0], SVS__ALONE);
    assert_int_equal(svs__pace_is_light(c.domain, &c.second->pace, 1), may_be_light(s));
    assert_false(svs__pace_is_light(c.domain, &c.second->pace, 1000));
    svs__pace_guess(&c.second->pace, 30);
    assert_int_equal(svs__pace_is_light(c.domain, &c.second->pace, 1000), may_be_light(s));
    support_ok(svs_graph_free(c.graph));
}

/* Another worker than the maker may open a window. */
SUPPORT_CASE(a_run_alone_counts_in_its_trial, 2) {
    enum { ITEMS = 48, RUNS = 20000 };
    static thing items[ITEMS];
    static uint64_t written[ITEMS];
    scene c;
    svs__light *l;
    open_scene(&c, s);
    l = &c.first->pace.light[0];
    for (uint32_t i = 0; i < ITEMS; i++) items[i].written = &written[i];
    for (uint32_t run = 0; run < RUNS; run++) {
        support_ok(svs_graph_send(c.graph, c.first, items, ITEMS, sizeof *items));
        svs__pace_guess(&c.first->pace, 30);
        l->preferred = SVS__SHARED;
        l->cost[SVS__SHARED] = UINT32_MAX / 2; /* so the trial does not end early */
        l->trial_ns = l->rest_ns = 0;
        svs__store_relaxed(&l->way, SVS__ALONE);
        svs__store_relaxed(&l->tries, 1);
        support_ok(svs_graph_run(c.graph, 1, NULL));
        assert_int_equal(l->trial_ns != 0, may_be_light(s));
        assert_int_equal(l->rest_ns, 0);
    }
    support_ok(svs_graph_free(c.graph));
}

TEST_CASE(a_guess_counts_until_a_way_was_measured) {
    svs__light l;
    memset(&l, 0, sizeof l);
    svs__light_guess(&l, 39);
    assert_true(svs__light_is_alone(&l));
    svs__light_guess(&l, 40);
    svs__light_guess(&l, 399);
    assert_true(svs__light_is_alone(&l));
    svs__light_guess(&l, 400);
    assert_false(svs__light_is_alone(&l));
    svs__light_add(&l, SVS__SHARED, 64000, 64, 400);
    svs__light_guess(&l, 39);
    assert_false(svs__light_is_alone(&l));
}

int main(void) { return run_cases(NULL, NULL); }
