/* sched.T10: the topological order of random graphs, and the report of a cycle, compared with those
 * that trial finds on a matrix of edges. */
#include "base/random.h"
#include "sched/graph/prepare.h"
#include "unit/face/support.h"

enum { MOST = 40 };

typedef struct nothing {
    int none;
} nothing;
static void nothing_touch(svs_footprint *f, const nothing *n) { (void)f, (void)n; }
static svs_status nothing_run(svs_context *context, nothing *n) {
    (void)context, (void)n;
    return SVS_OK;
}
SVS_TASK(nothing, nothing_run, nothing_touch)

/* ---- a random graph ---- */

static struct {
    uint32_t count;
    char names[MOST][12];
    svs_task_type types[MOST];
    svs_task *tasks[MOST];
    bool order[MOST][MOST], flow[MOST][MOST];
    bool reach[MOST][MOST]; /* over flows; each task reaches itself */
} drawn;

/* Most edges lead forward in an order of their own, so that many graphs have no cycle. */
static void add_edge(svs_graph *graph, svs__random *random, const uint32_t *rank, uint32_t back) {
    uint32_t a = svs__random_below(random, drawn.count), b = svs__random_below(random, drawn.count);
    if ((rank[a] > rank[b]) != (svs__random_below(random, 100) < back)) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    if (svs__random_below(random, 2)) {
        support_ok(svs_graph_add_flow(graph, drawn.tasks[a], drawn.tasks[b]));
        drawn.flow[a][b] = true;
    } else if (a != b) {
        support_ok(svs_graph_add_order(graph, drawn.tasks[a], drawn.tasks[b]));
        drawn.order[a][b] = true;
    }
}

static void shuffle(svs__random *random, uint32_t *rank) {
    for (uint32_t i = 0; i < drawn.count; i++) {
        uint32_t at = svs__random_below(random, i + 1);
        rank[i] = rank[at];
        rank[at] = i;
    }
}

static void draw(svs_graph *graph, svs__random *random) {
    uint32_t rank[MOST] = {0}, edges, back = 4 * svs__random_below(random, 4);
    memset(&drawn, 0, sizeof drawn);
    drawn.count = 1 + svs__random_below(random, MOST);
    edges = svs__random_below(random, 3 * drawn.count);
    shuffle(random, rank);
    for (uint32_t i = 0; i < drawn.count; i++) {
        (void)snprintf(drawn.names[i], sizeof drawn.names[i], "t%u", i);
        drawn.types[i] = nothing_task;
        drawn.types[i].name = drawn.names[i];
        drawn.tasks[i] = support_itemizer(graph, &drawn.types[i], NULL);
    }
    for (uint32_t i = 0; i < edges; i++) add_edge(graph, random, rank, back);
}

/* ---- trial ---- */

static void find_reach(void) {
    for (uint32_t i = 0; i < drawn.count; i++)
        for (uint32_t k = 0; k < drawn.count; k++) drawn.reach[i][k] = drawn.flow[i][k] || i == k;
    for (uint32_t over = 0; over < drawn.count; over++)
        for (uint32_t i = 0; i < drawn.count; i++)
            for (uint32_t k = 0; k < drawn.count && drawn.reach[i][over]; k++)
                drawn.reach[i][k] |= drawn.reach[over][k];
}

static bool in_one_cycle(uint32_t a, uint32_t b) { return drawn.reach[a][b] && drawn.reach[b][a]; }

/* The first task without a place that keeps back `of`, or a task of its cycle; or `count`. */
static uint32_t parent_of(const bool *placed, uint32_t of) {
    for (uint32_t i = 0; i < drawn.count; i++)
        for (uint32_t k = 0; k < drawn.count && !placed[i]; k++)
            if (in_one_cycle(of, k) &&
                (drawn.order[i][k] || (drawn.flow[i][k] && !in_one_cycle(i, k))))
                return i;
    return drawn.count;
}

/* The first task without a place that nothing keeps back; or `count`. */
static uint32_t next_of(const bool *placed) {
    for (uint32_t i = 0; i < drawn.count; i++)
        if (!placed[i] && parent_of(placed, i) == drawn.count) return i;
    return drawn.count;
}

/* The tasks of the cycle stand behind its first one, in any order. @return where they end. */
static uint32_t expect_cycle(const svs_graph *graph, bool *placed, uint32_t first, uint32_t at) {
    uint32_t members = 0;
    assert_int_equal(graph->ordered.items[at]->index, first);
    for (uint32_t i = 0; i < drawn.count; i++) members += in_one_cycle(first, i);
    for (uint32_t end = at + members; at < end; at++) {
        uint32_t one = graph->ordered.items[at]->index;
        assert_true(in_one_cycle(first, one) && !placed[one]);
        assert_int_equal(svs__node_of(graph->ordered.items[at])->position, at);
        placed[one] = true;
    }
    return at;
}

static void expect_report(const svs_report *report, const bool *placed) {
    char text[sizeof report->text];
    uint32_t at = 0, first;
    size_t used;
    while (placed[at]) at++;
    for (uint32_t i = 0; i < drawn.count; i++) at = parent_of(placed, at);
    first = at;
    used = (size_t)snprintf(text, sizeof text,
                            "the dependencies form a cycle (each waits for the next): %s",
                            drawn.names[at]);
    do {
        at = parent_of(placed, at);
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, " <- %s", drawn.names[at]);
    } while (!in_one_cycle(at, first));
    assert_string_equal(report->text, text);
    assert_string_equal(report->task, drawn.names[first]);
}

/* @return whether the graph has an order. */
static bool compare(const svs_graph *graph, svs_status status, const svs_report *report) {
    bool placed[MOST] = {false};
    uint32_t next, at = 0;
    find_reach();
    while ((next = next_of(placed)) < drawn.count) {
        assert_true(at < graph->ordered.count);
        at = expect_cycle(graph, placed, next, at);
    }
    assert_int_equal(graph->ordered.count, at);
    assert_int_equal(status, at == drawn.count ? SVS_OK : SVS_E_CYCLE);
    if (status) expect_report(report, placed);
    return !status;
}

TEST_CASE(the_order_is_that_of_addition_among_the_tasks_that_nothing_keeps_back) {
    uint64_t graphs = support_scaled(1000), sorted = 0;
    svs__random random;
    support s;
    support_open(&s, 1);
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        svs_graph *graph = support_graph(&s);
        svs_report report = {0};
        svs_status status;
        svs__random_seed(&random, seed);
        draw(graph, &random);
        status = svs__graph_prepare(graph, &report);
        sorted += compare(graph, status, &report);
        support_ok(svs_graph_free(graph));
    }
    if (graphs >= 100) assert_true(sorted > graphs / 10 && sorted < graphs - graphs / 10);
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
