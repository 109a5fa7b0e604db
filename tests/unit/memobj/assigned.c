/* The counts of assignments, and the sets that they keep from being walked again (memobj.W5,
 * memobj.E1). */
#include "memobj/set.h"
#include "unit/face/support.h"

static void walk(svs__set *set, svs_world *world, const node *from) {
    memset(set, 0, sizeof *set);
    support_ok(svs__set_init(set, world));
    svs__set_begin(set);
    svs_writes_reach(&set->footprint, &from->svs);
    support_ok(svs__set_expand(set));
}

SUPPORT_CASE(a_walked_set_is_current_until_a_link_is_assigned, 1) {
    node *from = support_node(s->world), *to = support_node(s->world);
    svs__set set;
    support_ok(svs_link(from, a, to));
    walk(&set, s->world, from);
    assert_int_equal(set.count, 2);
    assert_true(svs__set_is_current(&set));
    support_ok(svs_link(from, a, to)); /* changes nothing */
    assert_true(svs__set_is_current(&set));
    support_ok(svs_link(to, b, from));
    assert_false(svs__set_is_current(&set));
    support_ok(svs__set_expand(&set));
    assert_true(svs__set_is_current(&set));
    svs__set_clean_up(&set);
}

SUPPORT_CASE(a_set_that_was_not_walked_is_current_after_an_assignment, 1) {
    node *from = support_node(s->world), *to = support_node(s->world);
    svs__set set;
    memset(&set, 0, sizeof set);
    support_ok(svs__set_init(&set, s->world));
    svs__set_begin(&set);
    svs_writes(&set.footprint, &from->svs);
    support_ok(svs__set_expand(&set));
    support_ok(svs_link(from, a, to));
    assert_true(svs__set_is_current(&set));
    svs__set_clean_up(&set);
}

/* ---- each worker counts for itself ---- */

typedef struct pair {
    node *from, *to;
} pair;
static void pair_touch(svs_footprint *f, const pair *p) { svs_writes(f, &p->from->svs); }
static svs_status pair_run(svs_context *context, pair *p) { return svs_link(p->from, a, p->to); }
SVS_TASK(pair, pair_run, pair_touch)

SUPPORT_CASE(the_assignments_of_all_workers_and_of_outside_are_counted, 2) {
    enum { PAIRS = 1000 };
    svs_graph *graph = support_graph(s);
    svs_task *task;
    node *to = support_node(s->world);
    support_ok(svs_graph_add_itemizer(graph, &pair_task, NULL, &task));
    for (int i = 0; i < PAIRS; i++) {
        pair p = {support_node(s->world), to};
        support_ok(svs_graph_send(graph, task, &p, 1, sizeof p));
    }
    support_run(graph, 1);
    support_ok(svs_link(to, a, to));
    assert_int_equal(svs__world_assigned(s->world), PAIRS + 1);
    assert_int_equal(support_world_statistics(s->world).link_assignments, PAIRS + 1);
    support_ok(svs_graph_free(graph));
}

int main(void) { return run_cases(NULL, NULL); }
