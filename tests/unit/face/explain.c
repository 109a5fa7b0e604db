/* svs_explain(): what the declarations of tasks cost. */
#include "support.h"

#include "sched/domain/window/window.h"
#include "sched/graph/graph.h"
#include <stdio.h>
#include <string.h>

#define ALL 200u
#define TEXT 4096u

static svs_space *cells, *grid;
static uint32_t pushed[ALL + 1];
static node *chain; /* of three nodes */

/* Reads one cell of all, writes one of its own and one of four. */
typedef struct push {
    uint32_t number;
} push;

static void push_touch(svs_footprint *f, const push *p) {
    svs_reads_at(f, cells, ALL);
    svs_writes_at(f, cells, p->number);
    svs_writes_at(f, grid, p->number % 4);
}
static svs_status push_run(svs_context *context, push *p) {
    pushed[p->number]++;
    return SVS_OK;
}
SVS_TASK(push, push_run, push_touch)

typedef struct walk {
    uint32_t number;
} walk;

static void walk_touch(svs_footprint *f, const walk *w) {
    if (w->number == 7) svs_writes_everything(f);
    else if (w->number % 2) svs_reads_reach(f, &chain->svs);
    else svs_writes_object(f, &chain->a->svs);
}
static svs_status walk_run(svs_context *context, walk *w) { return SVS_OK; }
SVS_TASK(walk, walk_run, walk_touch)

/* Runs `count` items of a type in a sampled graph. */
static svs_graph *run_sampled(support *s, const svs_task_type *type, svs_algorithm algorithm,
                              uint32_t count, uint32_t most) {
    uint32_t items[ALL];
    svs_graph_options options;
    svs_graph *graph;
    svs_graph_options_init(&options);
    options.name = "sampled";
    options.algorithm = algorithm;
    support_ok(svs_graph_new(s->world, &options, &graph));
    svs_task *task = support_itemizer(graph, type, NULL);
    for (uint32_t i = 0; i < count; i++) items[i] = i;
    support_ok(svs_explain_begin(graph, most));
    support_ok(svs_graph_send(graph, task, items, count, sizeof *items));
    support_run(graph, 1);
    return graph;
}

static void open_spaces(support *s) {
    support_ok(svs_space_new(s->world, "cells", ALL + 1, &cells));
    support_ok(svs_space_new(s->world, "grid", 4, &grid));
}

static void free_spaces(void) {
    support_ok(svs_space_free(cells));
    support_ok(svs_space_free(grid));
}

static const char of_pushes[] =
    "explain sampled:\n"
    "task push: 200 instances, mean width 4.0\n"
    "  reads cells: without it the same\n"
    "  writes cells: without it the same\n"
    "  writes grid: without it the mean width would be 50.0 times larger\n"
    "  50 instances contend for grid[0], as instance 0 (writes) and "
    "instance 4 (writes)\n";

/* A worker gives back what it has of a piece when others have nothing to do. */
#define ROUNDS 20

SUPPORT_CASE(the_declaration_that_costs_is_named_under_each_algorithm, 2) {
    static const svs_algorithm algorithms[] = {SVS_ALGORITHM_WINDOWED, SVS_ALGORITHM_STAGED,
                                               SVS_ALGORITHM_PROGRESSIVE};
    char text[TEXT];
    open_spaces(s);
    for (int i = 0; i < 3 * ROUNDS; i++) {
        svs_graph *graph = run_sampled(s, &push_task, algorithms[i % 3], ALL, 0);
        support_ok(svs_explain(graph, text, sizeof text));
        assert_string_equal(text, of_pushes);
        support_ok(svs_graph_free(graph));
    }
    free_spaces();
}

SUPPORT_CASE(what_is_found_by_links_and_everything_are_declarations, 1) {
    char text[TEXT];
    chain = support_node(s->world);
    support_ok(svs_link(chain, a, support_node(s->world)));
    svs_graph *graph = run_sampled(s, &walk_task, SVS_ALGORITHM_WINDOWED, 9, 0);
    support_ok(svs_explain(graph, text, sizeof text));
    /* Of 9 instances, 5 write the node that 3 reach, one after the other; and one is alone. */
    assert_non_null(strstr(text, "task walk: 9 instances, mean width 1.3\n"));
    assert_non_null(strstr(text, "  writes node: without it the mean width would be 3.5 times "));
    assert_non_null(strstr(text, "  reads what is found from node: without it the mean width would "
                                 "be 1.2 times larger\n"));
    assert_non_null(strstr(text, "  writes everything: without it the mean width would be 1.2 "));
    assert_non_null(strstr(text, "8 instances contend for node "));
    support_ok(svs_graph_free(graph));
}

/* By figures that are given here: the saving of a shared body is 10 ns / 2. */
SUPPORT_CASE(bodies_too_short_to_share_are_counted_for_an_item, 2) {
    char text[TEXT];
    open_spaces(s);
    svs_graph *graph = run_sampled(s, &push_task, SVS_ALGORITHM_WINDOWED, ALL, 0);
    svs__pace *pace = &graph->tasks.items[0]->pace;
    svs__store_relaxed(&pace->body_ns, 10);
    pace->light[0].preferred = SVS__ALONE;
    pace->light[0].cost[SVS__ALONE] = 16 * 30;
    pace->light[0].cost[SVS__SHARED] = 0;
    support_ok(svs_explain(graph, text, sizeof text));
    assert_null(strstr(text, "one worker"));
    pace->light[0].cost[SVS__SHARED] = 16 * 90;
    support_ok(svs_explain(graph, text, sizeof text));
    assert_non_null(strstr(text, "  one worker runs them: an instance takes 30 ns, and 90 ns if "
                                 "all workers share them. Its body takes 10 ns: with the work of "
                                 "14 in one item, sharing is worth it\n"));
    pace->light[0].preferred = SVS__SHARED;
    support_ok(svs_explain(graph, text, sizeof text));
    assert_null(strstr(text, "one worker"));
    support_ok(svs_graph_free(graph));
    free_spaces();
}

/* In the second run the first task fails, so that the second one does not open. */
static atomic_bool fails;
typedef struct step {
    uint32_t number;
} step;
static void step_touch(svs_footprint *f, const step *s) { svs_writes_at(f, cells, s->number); }
static svs_status step_run(svs_context *x, step *s) {
    (void)x, (void)s;
    return fails ? SVS_E_CANCELLED : SVS_OK;
}
SVS_TASK(step, step_run, step_touch)

SUPPORT_CASE(a_task_is_explained_that_did_not_open_in_the_last_run, 2) {
    const step item = {0};
    char text[TEXT];
    svs_graph *graph;
    svs_task *first, *second;
    open_spaces(s);
    support_ok(svs_graph_new(s->world, NULL, &graph));
    support_ok(svs_graph_add_itemizer(graph, &step_task, NULL, &first));
    support_ok(svs_graph_add_itemizer(graph, &step_task, NULL, &second));
    support_ok(svs_graph_add_order(graph, first, second));
    support_ok(svs_explain_begin(graph, ALL));
    for (int run = 0; run < 2; run++) {
        fails = run == 1;
        support_ok(svs_graph_send(graph, first, &item, 1, sizeof item));
        support_ok(svs_graph_send(graph, second, &item, 1, sizeof item));
        assert_int_equal(svs_graph_run(graph, 1, NULL), fails ? SVS_E_CANCELLED : SVS_OK);
    }
    support_ok(svs_explain(graph, text, sizeof text));
    assert_non_null(strstr(text, "task step: 1 instances"));
    assert_non_null(strstr(text, "task step: 2 instances"));
    support_ok(svs_graph_free(graph));
    free_spaces();
}

SUPPORT_CASE(a_run_is_explained_after_a_task_was_added, 2) {
    char text[TEXT];
    svs_graph *graph;
    open_spaces(s);
    graph = run_sampled(s, &push_task, SVS_ALGORITHM_WINDOWED, ALL, 0);
    (void)support_itemizer(graph, &walk_task, NULL);
    support_ok(svs_explain(graph, text, sizeof text));
    assert_string_equal(text, of_pushes);
    support_ok(svs_graph_free(graph));
    free_spaces();
}

SUPPORT_CASE(a_sample_has_so_many_instances_of_a_task_and_ends, 1) {
    char text[TEXT];
    open_spaces(s);
    svs_graph *graph = run_sampled(s, &push_task, SVS_ALGORITHM_DEFAULT, ALL, 10);
    support_ok(svs_explain(graph, text, sizeof text));
    assert_non_null(strstr(text, "task push: 10 instances, mean width 3.3\n"));
    support_ok(svs_explain_begin(graph, 10));
    support_ok(svs_explain(graph, text, sizeof text));
    assert_string_equal(text, "explain sampled:\n");
    support_ok(svs_explain_end(graph));
    assert_int_equal(svs_explain(graph, text, sizeof text), SVS_E_STATE);
    assert_true(support_logged(s));
    support_ok(svs_graph_free(graph));
    free_spaces();
}

SUPPORT_CASE(a_text_without_room_is_cut, 1) {
    char text[TEXT];
    open_spaces(s);
    svs_graph *graph = run_sampled(s, &push_task, SVS_ALGORITHM_DEFAULT, ALL, 0);
    for (size_t size = 1; size <= sizeof of_pushes; size++) {
        memset(text, 'x', sizeof text);
        svs_status status = svs_explain(graph, text, size);
        assert_int_equal(status, size < sizeof of_pushes ? SVS_E_LIMIT : SVS_OK);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, of_pushes, size - 1);
        assert_int_equal(text[size], 'x');
    }
    support_ok(svs_graph_free(graph));
    free_spaces();
}

int main(void) { return run_cases(NULL, NULL); }
