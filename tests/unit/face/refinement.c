/* Refinement (thesis 5.2, Algorithm 2) and the five properties of strict propagation (6.1), through
 * what the statistics count:
 * `refined`, implicit dependencies taken away, and `domains`, scheduling domains made.
 *
 * In these graphs all tasks are itemizers that get their items from outside: dynamic tasks without
 * a producer, so that the only dependencies are
 * the implicit ones that the test leaves in place. */
#include "support.h"

#define TASKS_MAX 10

static struct {
    atomic_int begun[TASKS_MAX], ended[TASKS_MAX];
    atomic_int early; /* instances that began before the one that they must wait for had ended */
    int waits_for[TASKS_MAX]; /* -1: none */
    int meets[TASKS_MAX];     /* -1: none; else it waits for this one to begin */
    atomic_int met;
} play;

typedef struct part {
    int task;
} part;

static void part_touch(svs_footprint *f, const part *p) { svs_writes(f, &play.begun[p->task]); }

static svs_status part_run(svs_context *context, part *p) {
    int other = play.waits_for[p->task];
    atomic_fetch_add(&play.begun[p->task], 1);
    if (other >= 0 && !atomic_load(&play.ended[other])) atomic_fetch_add(&play.early, 1);
    if (play.meets[p->task] >= 0 && support_comes(&play.begun[play.meets[p->task]], 1))
        atomic_fetch_add(&play.met, 1);
    atomic_fetch_add(&play.ended[p->task], 1);
    return SVS_OK;
}
SVS_TASK(part, part_run, part_touch)

/* A graph of `count` tasks with the implicit dependencies `edges` (pairs, ended by -1), by removing
 * all others. */
static svs_graph *build(support *s, int count, const int (*edges)[2], svs_task **tasks) {
    svs_graph *graph;
    support_open(s, 4);
    memset(&play, 0, sizeof play);
    graph = support_graph(s);
    for (int i = 0; i < count; i++) {
        part item = {i};
        tasks[i] = support_itemizer(graph, &part_task, NULL);
        support_ok(svs_graph_send(graph, tasks[i], &item, 1, sizeof item));
        play.waits_for[i] = play.meets[i] = -1;
    }
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            bool kept = false;
            for (int e = 0; edges[e][0] >= 0; e++) kept |= edges[e][0] == i && edges[e][1] == k;
            if (!kept) support_ok(svs_graph_set_independent(graph, tasks[i], tasks[k]));
        }
    return graph;
}

static void finish(support *s, svs_graph *graph, int count, uint64_t refined, uint64_t domains) {
    svs_graph_statistics statistics;
    support_run(graph, 1);
    for (int i = 0; i < count; i++) assert_int_equal(play.ended[i], 1);
    statistics = support_statistics(graph);
    assert_int_equal(statistics.instances, count);
    assert_int_equal(statistics.refined, refined);
    assert_int_equal(statistics.domains, domains);
    assert_int_equal(play.early, 0);
    support_ok(svs_graph_free(graph));
    support_close(s);
}

enum { A, B, C, D, E, F, G, H };

/* A: D, E, F. B: E, G, H. C: F, H. A shares with D only and leaves two; B with E and G and leaves
 * one; C with all of its children. */
static const int figure[][2] = {{A, D}, {A, E}, {A, F}, {B, E},  {B, G},
                                {B, H}, {C, F}, {C, H}, {-1, -1}};

TEST_CASE(the_graph_of_figure_6_1_makes_three_domains) {
    support s;
    svs_task *tasks[TASKS_MAX];
    svs_graph *graph = build(&s, 8, figure, tasks);
    finish(&s, graph, 8, 5, 3);
}

/* E is freed of B but not of A: it waits for A. */
TEST_CASE(a_dependency_that_is_left_in_figure_6_1_still_orders) {
    support s;
    svs_task *tasks[TASKS_MAX];
    svs_graph *graph = build(&s, 8, figure, tasks);
    play.waits_for[E] = play.waits_for[F] = A;
    play.waits_for[H] = B;
    finish(&s, graph, 8, 5, 3);
}

/* Property 1. D is in A's domain, and open with it. */
TEST_CASE(a_parent_shares_its_domain_with_a_child_and_both_are_open) {
    static const int edges[][2] = {{0, 1}, {-1, -1}};
    support s;
    svs_task *tasks[TASKS_MAX];
    svs_graph *graph = build(&s, 2, edges, tasks);
    play.meets[0] = 1;
    play.meets[1] = 0;
    support_run(graph, 1);
    assert_int_equal(play.met, 2);
    assert_int_equal(support_statistics(graph).domains, 1);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* Property 2. The grandchild waits for the child, and makes a domain of its own. */
TEST_CASE(a_child_that_was_given_a_domain_does_not_give_it_on) {
    static const int edges[][2] = {{0, 1}, {1, 2}, {-1, -1}};
    support s;
    svs_task *tasks[TASKS_MAX];
    svs_graph *graph = build(&s, 3, edges, tasks);
    play.waits_for[2] = 1;
    finish(&s, graph, 3, 1, 2);
}

/* Property 3: one of three parents. */
TEST_CASE(a_child_of_several_parents_shares_with_one_of_them) {
    static const int edges[][2] = {{0, 3}, {1, 3}, {2, 3}, {-1, -1}};
    support s;
    svs_task *tasks[TASKS_MAX];
    svs_graph *graph = build(&s, 4, edges, tasks);
    finish(&s, graph, 4, 1, 3);
}

/* Properties 4 and 5: all children of one parent are in its domain, and in no other. */
TEST_CASE(many_children_share_their_parents_one_domain) {
    static const int edges[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {-1, -1}};
    support s;
    svs_task *tasks[TASKS_MAX];
    svs_graph *graph = build(&s, 6, edges, tasks);
    finish(&s, graph, 6, 5, 1);
}

TEST_CASE(tasks_without_any_dependency_have_a_domain_each) {
    static const int edges[][2] = {{-1, -1}};
    support s;
    svs_task *tasks[TASKS_MAX];
    svs_graph *graph = build(&s, 5, edges, tasks);
    finish(&s, graph, 5, 0, 5);
}

/* ---- single-instance tasks: refined by their sets ---- */

typedef struct place {
    const void *address;
} place;

static void place_touch(svs_footprint *f, const place *p) { svs_writes(f, p->address); }
static svs_status place_run(svs_context *context, place *p) { return SVS_OK; }
SVS_TASK(place, place_run, place_touch)

SUPPORT_GRAPH_CASE(transforms_are_refined_when_their_sets_do_not_conflict, 2) {
    int x, y, z;
    place places[] = {{&x}, {&y}, {&x}, {&z}};
    for (int i = 0; i < 4; i++) (void)support_transform(graph, &place_task, &places[i], NULL);
    support_run(graph, 1);
    /* Six pairs; only the two that write x conflict. */
    assert_int_equal(support_statistics(graph).refined, 5);
    assert_int_equal(svs_graph_statistics_reset(graph), SVS_OK);
    assert_int_equal(support_statistics(graph).refined, 0);
}

int main(void) { return run_cases(NULL, NULL); }
