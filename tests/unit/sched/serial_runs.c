/* Serial runs: light items that bodies send, run by one worker in turn (sched.W10). Time stands
 * still here, so that all bodies are light once some were measured. */
#include "base/platform.h"
#include "sched/domain/window/pace.h"
#include "sched/graph/node.h"
#include "unit/face/support.h"

uint64_t __wrap_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void) { return 1; }

#define ALL 3000u
#define PLACES 8u

typedef struct step {
    uint32_t number;
    node *what, *links; /* links: what `a` of the node becomes; NULL: as it is */
    bool frees, reaches, has_path;
} step;

static step steps[ALL];
static uint32_t order[ALL], ran;
static node *places[PLACES];

static void step_touch(svs_footprint *f, const step *s) {
    uint64_t path = svs_path(svs_path(0, 0, 0), 1, 3); /* `a`, and then a link that nodes lack */
    if (s->has_path) svs_reads_path(f, &s->what->svs, path, 2);
    else if (s->reaches) svs_writes_reach(f, &s->what->svs);
    else svs_writes_object(f, &s->what->svs);
}
static svs_status step_run(svs_context *context, step *s) {
    (void)context;
    order[ran++] = s->number;
    if (s->links) return svs_link(s->what, a, s->links);
    return s->frees ? svs_object_free(&s->what->svs) : SVS_OK;
}
SVS_TASK(step, step_run, step_touch)

typedef struct feed {
    svs_task *to;
} feed;
static void feed_touch(svs_footprint *f, const feed *i) { (void)f, (void)i; }
static svs_status feed_run(svs_context *context, feed *f) {
    return step_send(context, f->to, steps, ALL);
}
SVS_TASK(feed, feed_run, feed_touch)

typedef struct scene {
    support s;
    svs_graph *graph;
    svs_task *to;
} scene;

static void scene_open(scene *c, const svs_task_type *type) {
    support_open(&c->s, 1);
    c->graph = support_graph_of(&c->s, SVS_ALGORITHM_WINDOWED);
    c->to = support_itemizer(c->graph, type, NULL);
    for (uint32_t i = 0; i < PLACES; i++) places[i] = support_node(c->s.world);
    for (uint32_t i = 0; i < ALL; i++) steps[i] = (step){.number = i, .what = places[i % PLACES]};
    ran = 0;
}

static void scene_close(scene *c) {
    c->s.log_seen = c->s.log.count;
    support_ok(svs_graph_free(c->graph));
    support_close(&c->s);
}

static void add_feed(scene *c) {
    feed item = {c->to};
    svs_task *feeder = support_transform(c->graph, &feed_task, &item, NULL);
    support_ok(svs_graph_add_flow(c->graph, feeder, c->to));
}

static svs_task_type without_loops(void) {
    svs_task_type plain = step_task;
    plain.loops = NULL;
    return plain;
}

static void check_each_ran_once(void) {
    static bool seen[ALL];
    memset(seen, 0, sizeof seen);
    assert_int_equal(ran, ALL);
    for (uint32_t i = 0; i < ALL; i++) {
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
}

TEST_CASE(light_items_that_a_body_sends_run_in_turn) {
    scene c;
    svs_graph_statistics statistics;
    scene_open(&c, &step_task);
    add_feed(&c);
    support_run(c.graph, 1);
    check_each_ran_once();
    statistics = support_statistics(c.graph);
    /* They are in no stage, but for those that were measured first. */
    assert_true(statistics.staged_instances < ALL / 2);
    for (uint32_t i = ALL - 100; i < ALL; i++) assert_int_equal(order[i], i);
    scene_close(&c);
}

TEST_CASE(items_that_are_sent_before_a_run_keep_their_stages) {
    scene c;
    scene_open(&c, &step_task);
    support_ok(svs_graph_send(c.graph, c.to, steps, ALL, sizeof *steps));
    support_run(c.graph, 1);
    check_each_ran_once();
    assert_int_equal(support_statistics(c.graph).staged_instances, ALL);
    scene_close(&c);
}

/* `each`: so many are there for one that is walked. */
static void walk_in_serial_runs(uint32_t each, const svs_task_type *type) {
    scene c;
    scene_open(&c, type);
    add_feed(&c);
    for (uint32_t i = 0; i < ALL; i += each) steps[i].reaches = true;
    for (uint32_t i = 1; i < ALL; i += 50) { /* the next place, and then none behind that */
        steps[i].links = places[(i + 1) % PLACES];
        steps[i].reaches = true;
    }
    support_run(c.graph, 1);
    check_each_ran_once();
    assert_true(support_statistics(c.graph).staged_instances < ALL / 2);
    scene_close(&c);
}

TEST_CASE(items_that_walk_run_in_serial_runs) {
    svs_task_type plain = without_loops();
    for (uint32_t each = 1; each < 200; each += 99) {
        walk_in_serial_runs(each, &step_task);
        walk_in_serial_runs(each, &plain);
    }
}

/* The last but one does something, after which the last is refused. */
static void refuse_in_serial_run(const svs_task_type *type, const step *last_but_one,
                                 const step *last, svs_status refusal) {
    scene c;
    svs_report report;
    scene_open(&c, type);
    add_feed(&c);
    steps[ALL - 2] = *last_but_one;
    steps[ALL - 1] = *last;
    steps[ALL - 2].number = ALL - 2;
    steps[ALL - 1].number = ALL - 1;
    steps[ALL - 2].what = steps[ALL - 1].what = support_node(c.s.world);
    if (last_but_one->links) steps[ALL - 2].links = places[0];
    assert_int_equal(svs_graph_run(c.graph, 1, &report), refusal);
    assert_int_equal(ran, ALL - 1);
    scene_close(&c);
}

TEST_CASE(an_item_of_a_serial_that_names_what_was_freed_in_it_fails) {
    svs_task_type plain = without_loops();
    static const step frees = {.frees = true}, names = {0}, reaches = {.reaches = true};
    refuse_in_serial_run(&step_task, &frees, &names, SVS_E_FREED);
    refuse_in_serial_run(&step_task, &frees, &reaches, SVS_E_FREED);
    refuse_in_serial_run(&plain, &frees, &names, SVS_E_FREED);
    refuse_in_serial_run(&plain, &frees, &reaches, SVS_E_FREED);
}

TEST_CASE(a_path_is_followed_after_the_items_before_it_have_run) {
    svs_task_type plain = without_loops();
    static node any;
    static const step links = {.links = &any}, follows = {.has_path = true};
    refuse_in_serial_run(&step_task, &links, &follows, SVS_E_TYPE);
    refuse_in_serial_run(&plain, &links, &follows, SVS_E_TYPE);
}

TEST_CASE(paths_run_in_serial_runs) {
    scene c;
    scene_open(&c, &step_task);
    add_feed(&c);
    for (uint32_t i = 0; i < ALL; i += 3) steps[i].has_path = true;
    support_run(c.graph, 1);
    check_each_ran_once();
    assert_true(support_statistics(c.graph).staged_instances < ALL / 2);
    scene_close(&c);
}

/* ---- which pace is measured ---- */

#define FEW 100u /* of two tasks, fewer than a window */

typedef struct feed_two {
    svs_task *to[2];
} feed_two;
static uint32_t counts[2]; /* of items for each task */

static svs_status feed_two_run(svs_context *context, feed_two *f) {
    svs_status status = step_send(context, f->to[0], steps, counts[0]);
    return status ? status : step_send(context, f->to[1], steps + FEW, counts[1]);
}
static void feed_two_touch(svs_footprint *f, const feed_two *i) { (void)f, (void)i; }
SVS_TASK(feed_two, feed_two_run, feed_two_touch)

/* @return the pace that the run was measured at. */
static const svs__pace *pace_of_run(const scene *c, uint32_t first, uint32_t second) {
    counts[0] = first;
    counts[1] = second;
    support_run(c->graph, 1);
    return svs__pace_of(svs__node_of(c->to)->domain);
}

/* The second task shares the domain of the first (sched.G1). After two runs that measure the bodies
 * of each, one serial run takes the items of both. */
TEST_CASE(a_serial_run_with_items_of_two_tasks_is_measured_as_a_mixed_one) {
    scene c;
    feed_two item;
    svs_task *feeder, *second;
    scene_open(&c, &step_task);
    second = support_itemizer(c.graph, &step_task, NULL);
    item = (feed_two){{c.to, second}};
    feeder = support_transform(c.graph, &feed_two_task, &item, NULL);
    for (int i = 0; i < 2; i++) support_ok(svs_graph_add_flow(c.graph, feeder, item.to[i]));
    assert_true(pace_of_run(&c, FEW, 0) == &c.to->pace);
    assert_true(pace_of_run(&c, 0, FEW) == &second->pace);
    assert_true(pace_of_run(&c, FEW, 0) == &c.to->pace);
    assert_true(pace_of_run(&c, FEW, FEW) == &svs__windows_of(svs__node_of(c.to)->domain)->mixed);
    assert_true(svs__node_of(second)->domain == svs__node_of(c.to)->domain);
    assert_int_equal(ran, 5 * FEW);
    assert_true(support_statistics(c.graph).staged_instances <= 2 * FEW);
    scene_close(&c);
}

int main(void) { return run_cases(NULL, NULL); }
