/* Refinement by sets of all forms (Algorithm 2): an implicit dependency of two transforms goes when
 * their sets, as they are then, do not meet. */
#include "unit/face/support.h"

typedef enum form { ELEMENT, DENSE, EVERYTHING } form;

typedef struct access {
    form form;
    svs_access_mode mode;
    int which;
} access;

static node *nodes[2];
static atomic_uint ran;

static void access_touch(svs_footprint *f, const access *a) {
    const svs_object *object = &nodes[a->which]->svs;
    if (a->form == EVERYTHING)
        svs_footprint_add(f, NULL, 0, 0, SVS_KIND_EVERYTHING, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    else
        svs_footprint_add(f, object, 0, 0, SVS_KIND_OBJECT, a->mode,
                          a->form == DENSE ? SVS_EXTENT_REACH : SVS_EXTENT_OWN);
}
static svs_status access_run(svs_context *x, access *a) {
    atomic_fetch_add(&ran, 1);
    return SVS_OK;
}
SVS_TASK(access, access_run, access_touch)

/* @return whether the dependency between the two was taken away. */
static bool is_refined(const access *first, const access *second) {
    svs_world_options options;
    svs_graph_statistics statistics;
    svs_graph *graph;
    support s;
    svs_world_options_init(&options);
    options.examine_budget = 0; /* a reach is its master's signature */
    support_open_with(&s, 2, &options);
    for (int i = 0; i < 2; i++) {
        nodes[i] = support_node(s.world);
        support_ok(svs_link(nodes[i], a, support_node(s.world)));
    }
    graph = support_graph(&s);
    (void)support_transform(graph, &access_task, first, NULL);
    (void)support_transform(graph, &access_task, second, NULL);
    ran = 0;
    support_run(graph, 1);
    assert_int_equal(ran, 2);
    statistics = support_statistics(graph);
    support_ok(svs_graph_free(graph));
    support_close(&s);
    return statistics.refined != 0;
}

static void expect(form a, form b, bool disjoint) {
    for (int write = 0; write < 4; write++) {
        access first = {a, write & 1 ? SVS_MODE_WRITE : SVS_MODE_READ, 0};
        access second = {b, write & 2 ? SVS_MODE_WRITE : SVS_MODE_READ, disjoint};
        bool apart = a != EVERYTHING && b != EVERYTHING && (disjoint || write == 0);
        assert_int_equal(is_refined(&first, &second), apart);
    }
}

TEST_CASE(what_does_not_meet_needs_no_order) {
    for (form a = ELEMENT; a <= EVERYTHING; a++)
        for (form b = ELEMENT; b <= EVERYTHING; b++) {
            expect(a, b, false);
            expect(a, b, true);
        }
}

int main(void) { return run_cases(NULL, NULL); }
