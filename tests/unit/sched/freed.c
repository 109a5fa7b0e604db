/* An item that names an object which an instance before it has freed: the run says so, whatever the
 * algorithm, and however much was known of the item while it waited (sched.Q5). */
#include "sched/domain/instance/context.h"
#include "unit/face/support.h"

#define NAMED_MAX 3u

typedef struct use {
    node *named[NAMED_MAX];
    bool frees; /* the last of them */
} use;

static _Atomic(uint32_t) ran;

static uint32_t named_by(const use *u) {
    uint32_t count = 0;
    while (count < NAMED_MAX && u->named[count]) count++;
    return count;
}

static void use_touch(svs_footprint *f, const use *u) {
    for (uint32_t i = 0; i < named_by(u); i++) svs_writes_object(f, &u->named[i]->svs);
}

static svs_status use_run(svs_context *context, use *u) {
    if (u->frees) return svs_object_free(&u->named[named_by(u) - 1]->svs);
    ran++;
    return SVS_OK;
}
SVS_TASK(use, use_run, use_touch)

static void walk_touch(svs_footprint *f, const use *u) { svs_writes_reach(f, &u->named[0]->svs); }
SVS_TASK(walk, use, use_run, walk_touch)

typedef struct freed {
    support s;
    svs_graph *graph;
    svs_task *task;
    node *nodes[NAMED_MAX];
} freed;

static void open_with(freed *f, svs_algorithm algorithm, const svs_task_type *type) {
    support_open(&f->s, 1);
    f->graph = support_graph_of(&f->s, algorithm);
    f->task = support_itemizer(f->graph, type, NULL);
    for (uint32_t i = 0; i < NAMED_MAX; i++) f->nodes[i] = support_node(f->s.world);
    ran = 0;
}

static void freed_open(freed *f, svs_algorithm algorithm) { open_with(f, algorithm, &use_task); }

static void freed_close(freed *f) {
    support_ok(svs_graph_free(f->graph));
    support_close(&f->s);
}

/* The first item frees the last object, and the second one names `count` objects up to it. */
static void free_before(svs_algorithm algorithm, uint32_t count) {
    freed f;
    use uses[2] = {{.frees = true}};
    svs_report report;
    freed_open(&f, algorithm);
    for (uint32_t i = 0; i < count; i++)
        uses[0].named[i] = uses[1].named[i] = f.nodes[NAMED_MAX - count + i];
    support_ok(svs_graph_send(f.graph, f.task, uses, 2, sizeof *uses));
    assert_int_equal(svs_graph_run(f.graph, 1, &report), SVS_E_FREED);
    assert_int_equal(ran, 0);
    freed_close(&f);
}

TEST_CASE(an_item_that_names_what_was_freed_does_not_run) {
    for (uint32_t count = 1; count <= NAMED_MAX; count++) {
        free_before(SVS_ALGORITHM_STAGED, count);
        free_before(SVS_ALGORITHM_PROGRESSIVE, count);
        free_before(SVS_ALGORITHM_WINDOWED, count);
    }
}

/* Objects are freed, and no link is assigned: so what the others have walked to is as it was. */
TEST_CASE(an_item_that_walks_from_what_was_freed_does_not_run_and_the_others_do) {
    SUPPORT_EACH_ALGORITHM(algorithm) {
        freed f;
        svs_report report;
        open_with(&f, algorithm, &walk_task);
        support_ok(svs_link(f.nodes[1], a, f.nodes[2]));
        const use uses[] = {{{f.nodes[0]}, true}, {{f.nodes[1]}, false}, {{f.nodes[2]}, false}};
        support_ok(svs_graph_send(f.graph, f.task, uses, 3, sizeof *uses));
        support_run(f.graph, 1);
        assert_int_equal(ran, 2);
        support_ok(svs_graph_send(f.graph, f.task, uses + 1, 2, sizeof *uses));
        f.nodes[0] = support_node(f.s.world);
        const use again[] = {{{f.nodes[0]}, true}, {{f.nodes[0]}, false}};
        support_ok(svs_graph_send(f.graph, f.task, again, 2, sizeof *again));
        assert_int_equal(svs_graph_run(f.graph, 1, &report), SVS_E_FREED);
        freed_close(&f);
    }
}

/* It waits for something else than what is freed: the third item waits for the first object, while
 * the second item frees the last one. */
static void wait_for_another(svs_algorithm algorithm) {
    freed f;
    svs_report report;
    freed_open(&f, algorithm);
    const use uses[] = {
        {{f.nodes[0]}, false}, {{f.nodes[1]}, true}, {{f.nodes[0], f.nodes[1]}, false}};
    support_ok(svs_graph_send(f.graph, f.task, uses, 3, sizeof *uses));
    assert_int_equal(svs_graph_run(f.graph, 1, &report), SVS_E_FREED);
    assert_int_equal(ran, 1);
    freed_close(&f);
}

TEST_CASE(an_item_that_waits_for_another_object_does_not_run_either) {
    wait_for_another(SVS_ALGORITHM_STAGED);
    wait_for_another(SVS_ALGORITHM_PROGRESSIVE);
    wait_for_another(SVS_ALGORITHM_WINDOWED);
}

/* Many wait, for many objects, some of which are freed; those that do not name these run. And the
 * next iteration has nothing to do with what was freed before. */
TEST_CASE(the_others_run_as_ever) {
    enum { MANY = 200, EACH = 3 };
    SUPPORT_EACH_ALGORITHM(algorithm) {
        freed f;
        freed_open(&f, algorithm);
        for (int round = 0; round < 2; round++) {
            use all[MANY * EACH] = {{{NULL}, false}};
            for (uint32_t i = 0; i < MANY; i++) {
                node *kept = support_node(f.s.world), *gone = support_node(f.s.world);
                all[i] = (use){{gone}, true};
                for (uint32_t k = 1; k < EACH; k++) all[k * MANY + i] = (use){{kept}, false};
            }
            ran = 0;
            support_ok(svs_graph_send(f.graph, f.task, all, MANY * EACH, sizeof *all));
            support_run(f.graph, 1);
            assert_int_equal(ran, MANY * (EACH - 1));
        }
        freed_close(&f);
    }
}

/* ---- when it is known ---- */

static atomic_uint times_known;

/* The footprint of an instance that completes later may be released before its body ends: so other
 * instances know at once what the body has freed. Otherwise they know when it ends. */
static svs_status gives_up_run(svs_context *context, use *u) {
    const svs_world *world = context->holder.world;
    uintptr_t last;
    svs_later *later = NULL;
    if (u->frees) support_ok(svs_complete_later(context, u, &later));
    last = svs__freed_last(world);
    support_ok(svs_object_free(&u->named[0]->svs));
    times_known += svs__freed_last(world) != last;
    if (u->frees) support_ok(svs_completed(later, SVS_OK));
    ran++;
    return SVS_OK;
}
SVS_TASK(gives_up, use, gives_up_run, use_touch)

static uint32_t known_at_once(svs_algorithm algorithm, bool later) {
    freed f;
    use uses[2] = {{.frees = later}, {.frees = later}};
    support_open(&f.s, 1);
    f.graph = support_graph_of(&f.s, algorithm);
    f.task = support_itemizer(f.graph, &gives_up_task, NULL);
    for (uint32_t i = 0; i < 2; i++) uses[i].named[0] = support_node(f.s.world);
    ran = times_known = 0;
    support_ok(svs_graph_send(f.graph, f.task, uses, 2, sizeof *uses));
    support_run(f.graph, 1);
    assert_int_equal(ran, 2);
    freed_close(&f);
    return times_known;
}

TEST_CASE(what_a_body_frees_is_known_when_it_ends_or_at_once) {
    SUPPORT_EACH_ALGORITHM(algorithm) {
        assert_int_equal(known_at_once(algorithm, false), 0);
        assert_int_equal(known_at_once(algorithm, true), 2);
    }
}

int main(void) { return run_cases(NULL, NULL); }
