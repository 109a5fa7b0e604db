/* Strips: what bodies of a serial run send, one item at a time (sched.I13, sched.I14). Time stands
 * still here, so that all bodies are light once some were measured. */
#include "base/platform.h"
#include "unit/face/support.h"

#include <stdlib.h>

uint64_t __wrap_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void) { return 1; }

enum { DEPTH = 9, ALL_MAX = 200000, ROOTS = 3 };

/* A tree of items of 12 bytes: each sends up to three children, mostly one at a time. */
typedef struct branch {
    uint32_t number;
    uint8_t depth;
    char rest[7]; /* derived from the number: each byte is copied */
} branch;

static struct {
    svs_task *to;
    svs_world *world;
    uint64_t ids[ALL_MAX];
    uint32_t ran, dropped, sent, fail_at;
} now;

static branch branch_of(uint32_t number, uint8_t depth) {
    branch made = {.number = number, .depth = depth};
    for (uint32_t i = 0; i < sizeof made.rest; i++) made.rest[i] = (char)(number >> i);
    return made;
}

static void branch_touch(svs_footprint *f, const branch *b) {
    (void)b;
    svs_writes_address(f, &now.ran);
}

static svs_status branch_run(svs_context *x, branch *b);
SVS_TASK(branch, branch_run, branch_touch)

static svs_status send_children(svs_context *x, const branch *b) {
    branch children[3];
    uint32_t count = b->number % 4;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < 3; i++)
        children[i] = branch_of(b->number * 3 + i, (uint8_t)(b->depth - 1));
    now.sent += count < 3 ? count : 3;
    if (count == 3 && b->depth % 2) return branch_send(x, now.to, children, 3);
    for (uint32_t i = 0; i < count && i < 3 && !status; i++) {
        node *made;
        if (i == 1 && b->depth % 3 == 0) status = SVS_NEW(now.world, node, &made);
        if (!status) status = branch_send(x, now.to, &children[i], 1);
    }
    return status;
}

static svs_status branch_run(svs_context *x, branch *b) {
    branch expected = branch_of(b->number, b->depth);
    if (memcmp(b, &expected, sizeof expected) != 0) return SVS_E_INVALID;
    if (now.ran < ALL_MAX) now.ids[now.ran] = svs_instance_id(x);
    if (++now.ran == now.fail_at) {
        svs_status status = send_children(x, b);
        return status ? status : 1;
    }
    return b->depth ? send_children(x, b) : SVS_OK;
}

static void count_dropped(void *item, void *argument) {
    (void)item, (void)argument;
    now.dropped++;
}

static int by_id(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Runs the tree by an algorithm; the numbers of its instances are sorted. @return the status. */
static svs_status run_tree(uint32_t algorithm, uint32_t threads, uint32_t fail_at,
                           svs_graph_statistics *statistics) {
    support s;
    svs_graph *graph;
    svs_status status;
    branch roots[ROOTS];
    support_open(&s, threads);
    graph = support_graph_of(&s, algorithm);
    now.to = support_itemizer(graph, &branch_task, NULL);
    now.world = s.world;
    now.ran = now.dropped = 0;
    now.sent = ROOTS;
    now.fail_at = fail_at;
    support_ok(svs_task_set_dropped(now.to, count_dropped));
    support_ok(svs_graph_add_flow(graph, now.to, now.to));
    for (uint32_t i = 0; i < ROOTS; i++) roots[i] = branch_of(3 + 4 * i, DEPTH + 3);
    support_ok(svs_graph_send(graph, now.to, roots, ROOTS, sizeof *roots));
    status = svs_graph_run(graph, 1, NULL);
    *statistics = support_statistics(graph);
    s.log_seen = s.log.count;
    support_ok(svs_graph_free(graph));
    support_close(&s);
    qsort(now.ids, now.ran < ALL_MAX ? now.ran : ALL_MAX, sizeof *now.ids, by_id);
    return status;
}

TEST_CASE(items_sent_one_by_one_have_the_numbers_that_they_have_without_strips) {
    static uint64_t ids[ALL_MAX];
    svs_graph_statistics statistics;
    uint32_t ran;
    support_ok(run_tree(SVS_ALGORITHM_PROGRESSIVE, 1, 0, &statistics));
    ran = now.ran;
    assert_int_equal(ran, now.sent);
    assert_in_range(ran, 1000, ALL_MAX);
    memcpy(ids, now.ids, sizeof ids);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        support_ok(run_tree(SVS_ALGORITHM_WINDOWED, threads, 0, &statistics));
        assert_int_equal(now.ran, ran);
        assert_memory_equal(now.ids, ids, ran * sizeof *ids);
        assert_true(statistics.staged_instances < ran / 2); /* most ran in serial runs */
    }
    for (uint32_t i = 1; i < ran; i++) assert_true(ids[i] != ids[i - 1]);
}

TEST_CASE(items_on_a_strip_are_dropped_when_the_run_fails) {
    for (uint32_t threads = 1; threads <= 2; threads++)
        for (uint32_t fail_at = 1; fail_at < 1000; fail_at += 83) {
            svs_graph_statistics statistics;
            assert_int_equal(run_tree(SVS_ALGORITHM_WINDOWED, threads, fail_at, &statistics), 1);
            assert_int_equal(now.ran + now.dropped, now.sent);
        }
}

int main(void) { return run_cases(NULL, NULL); }
