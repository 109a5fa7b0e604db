/* Itemizers that send to themselves and to each other in cycles end together, when nothing of
 * theirs is pending (node.h, sched.T7). Worklists as programs have them: a search in breadth,
 * branch and bound. */
#include "support.h"

/* ---- breadth first: the least distance of each vertex ---- */

#define VERTICES 600u
#define DEGREE 3u

static struct {
    uint32_t distance[VERTICES], next[VERTICES][DEGREE], expected[VERTICES];
    svs_task *visit;
} map;

typedef struct visit {
    uint32_t vertex, distance;
} visit;
static void visit_touch(svs_footprint *f, const visit *v) {
    svs_writes(f, &map.distance[v->vertex]);
}
static svs_status visit_run(svs_context *context, visit *v) {
    visit further[DEGREE];
    if (map.distance[v->vertex] <= v->distance) return SVS_OK;
    map.distance[v->vertex] = v->distance;
    for (uint32_t i = 0; i < DEGREE; i++)
        further[i] = (visit){map.next[v->vertex][i], v->distance + 1};
    return svs_send(context, map.visit, further, DEGREE, sizeof *further);
}
SVS_TASK(visit, visit_run, visit_touch)

static void draw_map(void) {
    uint32_t queue[VERTICES], first = 0, last = 1, random = 7;
    for (uint32_t v = 0; v < VERTICES; v++) {
        map.distance[v] = map.expected[v] = UINT32_MAX;
        for (uint32_t i = 0; i < DEGREE; i++)
            map.next[v][i] = ((random = random * 1664525u + 1013904223u) >> 8) % VERTICES;
    }
    queue[0] = map.expected[0] = 0;
    for (; first < last; first++)
        for (uint32_t i = 0; i < DEGREE; i++) {
            uint32_t to = map.next[queue[first]][i];
            if (map.expected[to] != UINT32_MAX) continue;
            map.expected[to] = map.expected[queue[first]] + 1;
            queue[last++] = to;
        }
}

SUPPORT_CASE(a_search_in_breadth_that_sends_to_itself_finds_all_distances, 2) {
    SUPPORT_EACH_ALGORITHM(a) {
        svs_graph *graph = support_graph_of(s, a);
        visit start = {0, 0};
        draw_map();
        map.visit = support_itemizer(graph, &visit_task, NULL);
        support_ok(svs_graph_add_flow(graph, map.visit, map.visit));
        support_ok(svs_graph_send(graph, map.visit, &start, 1, sizeof start));
        support_run(graph, 1);
        assert_memory_equal(map.distance, map.expected, sizeof map.distance);
        support_ok(svs_graph_free(graph));
    }
}

/* ---- branch and bound: the best value of a knapsack, by two tasks that feed each other ---- */

#define THINGS 14u

static struct {
    uint32_t weight[THINGS], value[THINGS], room;
    uint32_t best;
    svs_task *branch, *bound;
} sack;

typedef struct part {
    uint32_t next, weight, value;
} part;

static uint32_t all_from(uint32_t next) {
    uint32_t value = 0;
    for (; next < THINGS; next++) value += sack.value[next];
    return value;
}

/* Drops what cannot be better than the best. */
static void bound_touch(svs_footprint *f, const part *p) { svs_writes(f, &sack.best); }
static svs_status bound_run(svs_context *context, part *p) {
    if (p->value > sack.best) sack.best = p->value;
    if (p->next == THINGS || p->value + all_from(p->next) <= sack.best) return SVS_OK;
    return svs_send(context, sack.branch, p, 1, sizeof *p);
}
SVS_TASK(bound, part, bound_run, bound_touch)

static void branch_touch(svs_footprint *f, const part *p) { (void)f, (void)p; }
static svs_status branch_run(svs_context *context, part *p) {
    part both[2] = {
        {p->next + 1, p->weight, p->value},
        {p->next + 1, p->weight + sack.weight[p->next], p->value + sack.value[p->next]}};
    return svs_send(context, sack.bound, both, both[1].weight <= sack.room ? 2 : 1, sizeof *both);
}
SVS_TASK(branch, part, branch_run, branch_touch)

static uint32_t best_of_all(void) {
    uint32_t best = 0;
    for (uint32_t set = 0; set < 1u << THINGS; set++) {
        uint32_t weight = 0, value = 0;
        for (uint32_t i = 0; i < THINGS; i++) {
            weight += (set >> i & 1) * sack.weight[i];
            value += (set >> i & 1) * sack.value[i];
        }
        if (weight <= sack.room && value > best) best = value;
    }
    return best;
}

/* What opens after the cycle sees its result. */
static uint32_t seen;
typedef struct look {
    uint32_t unused;
} look;
static void look_touch(svs_footprint *f, const look *l) { svs_reads(f, &sack.best); }
static svs_status look_run(svs_context *context, look *l) {
    seen = sack.best;
    return SVS_OK;
}
SVS_TASK(look, look_run, look_touch)

SUPPORT_CASE(branch_and_bound_over_a_cycle_of_two_tasks_finds_the_best, 2) {
    for (uint32_t i = 0; i < THINGS; i++) {
        sack.weight[i] = 3 + i * 7 % 11;
        sack.value[i] = 5 + i * 13 % 17;
    }
    sack.room = 40;
    SUPPORT_EACH_ALGORITHM(a) {
        svs_graph *graph = support_graph_of(s, a);
        svs_task *after;
        part start = {0, 0, 0};
        sack.best = seen = 0;
        sack.branch = support_itemizer(graph, &branch_task, NULL);
        after = support_transform(graph, &look_task, NULL, NULL);
        sack.bound = support_itemizer(graph, &bound_task, NULL);
        support_ok(svs_graph_add_flow(graph, sack.branch, sack.bound));
        support_ok(svs_graph_add_flow(graph, sack.bound, sack.branch));
        support_ok(svs_graph_add_order(graph, sack.branch, after));
        support_ok(svs_graph_send(graph, sack.bound, &start, 1, sizeof start));
        support_run(graph, 1);
        assert_int_equal(sack.best, best_of_all());
        assert_int_equal(seen, sack.best);
        support_ok(svs_graph_free(graph));
    }
}

/* ---- the ends of cycles ---- */

typedef struct hop {
    uint32_t left;
} hop;
static svs_task *ring[4];
static atomic_int hops;
static void hop_touch(svs_footprint *f, const hop *h) { (void)f, (void)h; }
static svs_status hop_run(svs_context *context, hop *h) {
    hop next = {h->left - 1};
    uint32_t to = (uint32_t)(uintptr_t)svs_context_argument(context);
    atomic_fetch_add(&hops, 1);
    return h->left ? svs_send(context, ring[to], &next, 1, sizeof next) : SVS_OK;
}
SVS_TASK(hop, hop_run, hop_touch)

static svs_graph *ring_graph(support *s, uint32_t count) {
    svs_graph *graph = support_graph(s);
    for (uint32_t i = 0; i < count; i++)
        ring[i] = support_itemizer(graph, &hop_task, (void *)(uintptr_t)((i + 1) % count));
    for (uint32_t i = 0; i < count; i++)
        support_ok(svs_graph_add_flow(graph, ring[i], ring[(i + 1) % count]));
    atomic_store(&hops, 0);
    return graph;
}

SUPPORT_CASE(a_cycle_without_items_ends_at_once, 2) {
    svs_graph *graph = ring_graph(s, 3);
    support_run(graph, 4);
    assert_int_equal(hops, 0);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(a_cycle_ends_in_each_iteration_and_passes_items_on, 2) {
    svs_graph *graph = ring_graph(s, 3);
    hop start = {299};
    ring[3] = support_itemizer(graph, &hop_task, NULL); /* out of the cycle, and refused nothing */
    support_ok(svs_graph_add_flow(graph, ring[1], ring[3]));
    for (int run = 1; run <= 2; run++) {
        support_ok(svs_graph_send(graph, ring[0], &start, 1, sizeof start));
        support_run(graph, 2);
        assert_int_equal(hops, 300 * run);
    }
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(a_source_keeps_a_cycle_open, 2) {
    svs_graph *graph = ring_graph(s, 3);
    svs_source *source;
    hop start = {9};
    support_ok(svs_source_new(ring[2], 16, &source));
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    for (int i = 1; i <= 3; i++) {
        support_ok(svs_source_send(source, &start, 1, sizeof start, UINT64_MAX));
        assert_true(support_comes(&hops, 10 * i));
        assert_int_equal(svs_graph_wait(graph, 0, NULL), SVS_E_BUSY);
    }
    support_ok(svs_source_free(source));
    support_ok(svs_graph_wait(graph, UINT64_MAX, NULL));
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(cancelling_ends_a_cycle_that_never_would, 2) {
    svs_graph *graph = ring_graph(s, 2);
    hop start = {UINT32_MAX};
    support_ok(svs_graph_send(graph, ring[0], &start, 1, sizeof start));
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    assert_true(support_comes(&hops, 1));
    support_ok(svs_graph_cancel(graph, 4));
    assert_int_equal(svs_graph_wait(graph, UINT64_MAX, NULL), 4);
    support_ok(svs_graph_free(graph));
}

/* A task between two of a cycle, by explicit order, waits for itself. */
SUPPORT_CASE(an_order_out_of_a_cycle_and_back_is_refused, 1) {
    svs_graph *graph = ring_graph(s, 2);
    svs_task *between = support_itemizer(graph, &hop_task, NULL);
    svs_report report;
    support_ok(svs_graph_add_order(graph, ring[0], between));
    support_ok(svs_graph_add_flow(graph, between, ring[1]));
    assert_int_equal(svs_graph_run(graph, 1, &report), SVS_E_CYCLE);
    assert_string_equal(report.text, "the dependencies form a cycle (each waits for the next): hop "
                                     "<- hop <- hop");
    support_ok(svs_graph_free(graph));
}
SUPPORT_CASE(an_order_inside_of_a_cycle_is_refused, 1) {
    svs_graph *graph = ring_graph(s, 3);
    support_ok(svs_graph_add_order(graph, ring[0], ring[2]));
    assert_int_equal(svs_graph_run(graph, 1, NULL), SVS_E_CYCLE);
    support_ok(svs_graph_free(graph));
}

/* The tasks of a cycle stand side by side: a task that was added between them precedes or follows
 * all of them, and its dependencies do not stop them. */
SUPPORT_GRAPH_CASE(tasks_beside_a_cycle_do_not_stop_it, 2) {
    hop start = {50};
    ring[0] = support_itemizer(graph, &hop_task, (void *)1);
    ring[2] = support_itemizer(graph, &hop_task, NULL);
    ring[1] = support_itemizer(graph, &hop_task, (void *)0);
    ring[3] = support_itemizer(graph, &hop_task, NULL);
    support_ok(svs_graph_add_flow(graph, ring[0], ring[1]));
    support_ok(svs_graph_add_flow(graph, ring[1], ring[0]));
    support_ok(svs_graph_add_order(graph, ring[3], ring[1]));
    atomic_store(&hops, 0);
    support_ok(svs_graph_send(graph, ring[0], &start, 1, sizeof start));
    support_run(graph, 3);
    assert_int_equal(hops, 51);
}

/* ---- chains ---- */

#define CHAIN 4000u
#define SHORT_STACK ((size_t)128 << 10) /* with a frame per task a chain would not fit */

static void *run_once(void *graph) {
    support_run(graph, 1);
    return NULL;
}

/* Neither the search for cycles nor the end of the first task, with which all end, recurses along
 * the chain. */
SUPPORT_GRAPH_CASE(a_long_chain_of_empty_itemizers_needs_a_short_stack_only, 1) {
    svs_task *first = support_itemizer(graph, &hop_task, NULL), *last = first;
    hop only = {0};
    pthread_attr_t attributes;
    pthread_t thread;
    for (uint32_t i = 1; i < CHAIN; i++) {
        svs_task *next = support_itemizer(graph, &hop_task, NULL);
        support_ok(svs_graph_add_flow(graph, last, next));
        last = next;
    }
    support_ok(svs_graph_send(graph, first, &only, 1, sizeof only));
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SHORT_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_once, graph), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
}

int main(void) { return run_cases(NULL, NULL); }
