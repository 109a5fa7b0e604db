/* Strips: what bodies of a serial run send, one item at a time (sched.I13, sched.I14), and what
 * other bodies send (sched.I15). A call of the clock takes a nanosecond here, so that all bodies
 * are light once some were measured, unless a test lets them take longer. */
#include "base/platform.h"
#include "sched/domain/instance/context.h"
#include "unit/face/support.h"

#include <stdlib.h>

uint64_t __wrap_svs__time_ns(void);
static atomic_uint_least64_t time_ns = 1;
uint64_t __wrap_svs__time_ns(void) { return time_ns++; }

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

/* ---- strips of bodies ---- */

enum { FED = 20000, FEEDERS = 4 };

/* An item of a sender; what it sends depends on its kind. */
typedef enum manner { ONE_BY_ONE, MIXED, IN_TURN } manner;
typedef struct feeder {
    uint32_t number;
    manner way;
} feeder;

static struct {
    svs_task *to, *other; /* `other`: the second consumer of what is sent in turn */
    uint64_t ids[FEEDERS * FED];
    uint32_t ran, body_ns, longest, opened, batches;
    const svs__reports *reports; /* of the run */
    uint32_t told; /* number of items for which workers were woken when a strip was closed */
} fed;

typedef struct grain {
    uint32_t feeder, number;
    char rest[4]; /* derived from the number */
} grain;

static grain grain_of(uint32_t from, uint32_t number) {
    grain made = {.feeder = from, .number = number};
    memset(made.rest, (int)(number % 251), sizeof made.rest);
    return made;
}

static void grain_touch(svs_footprint *f, const grain *g) {
    (void)g;
    svs_writes_address(f, &fed.ran);
}
static svs_status grain_run(svs_context *x, grain *g) {
    grain expected = grain_of(g->feeder, g->number);
    assert_memory_equal(g, &expected, sizeof expected);
    fed.ids[g->feeder * FED + g->number] = svs_instance_id(x);
    fed.ran++;
    time_ns += fed.body_ns;
    return SVS_OK;
}
SVS_TASK(grain, grain_run, grain_touch)

static void feeder_touch(svs_footprint *f, const feeder *from) { (void)f, (void)from; }

/* Looks at the strip of the sending body. */
static void look(const svs_context *x) {
    const svs__strip *strip = &x->strip;
    uint32_t items;
    if (!strip->to) return;
    assert_ptr_equal(strip->to, fed.to);
    assert_true(strip->of_body);
    items = (uint32_t)(strip->end - strip->next) / strip->item_bytes;
    if (items > fed.longest) fed.longest = items;
    fed.opened++;
}

static svs_status feeder_run(svs_context *x, feeder *from) {
    static const uint32_t counts[] = {1, 1, 3, 1, 1, 1, 64, 64, 1, 1, 1000, 2, 1, 5, 1, 1, 1, 1};
    grain some[1000];
    svs_status status = SVS_OK;
    for (uint32_t i = 0, at = 0, count; i < FED && !status; i += count, at++) {
        count = from->way == MIXED ? counts[at % (sizeof counts / sizeof *counts)] : 1;
        if (count > FED - i) count = FED - i;
        for (uint32_t n = 0; n < count; n++) some[n] = grain_of(from->number, i + n);
        status = grain_send(x, from->way == IN_TURN && i % 2 ? fed.other : fed.to, some, count);
        look(x);
    }
    return status;
}
SVS_TASK(feeder, feeder_run, feeder_touch)

/* Sends ten items, of which the last ones are in a strip when the body ends, and counts those that
 * the run is told of. */
static void tell(svs_task *to, uint32_t count, bool alone) {
    fed.told += count;
    fed.reports->sent(to, count, alone);
}
static svs_status teller_run(svs_context *x, feeder *from) {
    static svs__reports reports;
    svs_status status = SVS_OK;
    if (x->env->reports != &reports) fed.reports = x->env->reports;
    reports = *fed.reports;
    reports.sent = tell;
    x->env->reports = &reports;
    for (uint32_t i = 0; i < 10 && !status; i++) {
        grain one = grain_of(from->number, i);
        status = grain_send(x, fed.to, &one, 1);
    }
    return status;
}
SVS_TASK(teller, feeder, teller_run, feeder_touch)

TEST_CASE(workers_are_woken_for_the_items_of_a_strip_when_the_body_ends) {
    support s;
    feeder item = {0, ONE_BY_ONE};
    svs_graph *graph;
    support_open(&s, 1);
    graph = support_graph_of(&s, SVS_ALGORITHM_WINDOWED);
    fed.to = support_itemizer(graph, &grain_task, NULL);
    support_ok(
        svs_graph_add_flow(graph, support_transform(graph, &teller_task, &item, NULL), fed.to));
    fed.ran = fed.told = 0;
    for (uint32_t i = 0; i < 20; i++) support_run(graph, 1); /* bodies are measured in the first */
    assert_int_equal(fed.ran, 20 * 10);
    assert_int_equal(fed.told % 6, 0); /* four were sent by a lock */
    assert_in_range(fed.told, 6, 19 * 6);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* Runs some feeders, in two iterations: bodies are measured in the first one. */
static void feed(uint32_t algorithm, uint32_t threads, uint32_t feeders, manner way) {
    support s;
    svs_graph *graph;
    support_open(&s, threads);
    graph = support_graph_of(&s, algorithm);
    fed.to = support_itemizer(graph, &grain_task, NULL);
    fed.other = support_itemizer(graph, &grain_task, NULL);
    fed.ran = fed.longest = fed.opened = 0;
    for (uint32_t i = 0; i < feeders; i++) {
        feeder item = {i, way};
        svs_task *sender = support_transform(graph, &feeder_task, &item, NULL);
        support_ok(svs_graph_add_flow(graph, sender, fed.to));
        support_ok(svs_graph_add_flow(graph, sender, fed.other));
    }
    support_run(graph, 2);
    assert_int_equal(fed.ran, 2 * feeders * FED);
    fed.batches = fed.to->inbox.used_max_before;
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(items_of_bodies_have_the_numbers_that_they_have_without_strips) {
    static uint64_t ids[sizeof fed.ids / sizeof *fed.ids];
    for (manner way = ONE_BY_ONE; way <= MIXED; way++) {
        feed(SVS_ALGORITHM_PROGRESSIVE, 1, 2, way);
        assert_int_equal(fed.opened, 0);
        memcpy(ids, fed.ids, sizeof ids);
        for (uint32_t threads = 1; threads <= 2; threads++) {
            memset(fed.ids, 0, sizeof fed.ids);
            feed(SVS_ALGORITHM_WINDOWED, threads, 2, way);
            assert_memory_equal(fed.ids, ids, 2 * FED * sizeof *ids);
            assert_true(fed.opened > 0);
        }
    }
}

/* At most as many items as take SVS__KEPT_NS are kept from other workers (sched.I15). */
TEST_CASE(a_body_keeps_few_items_from_other_workers) {
    static const uint32_t times[] = {100, 1000, 4000, 20000};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t most = SVS__KEPT_NS / times[i];
        fed.body_ns = times[i];
        feed(SVS_ALGORITHM_WINDOWED, 1, 1, ONE_BY_ONE);
        assert_in_range(fed.longest, most ? 1 : 0, most);
    }
    fed.body_ns = 0;
}

TEST_CASE(a_body_that_sends_to_two_tasks_in_turn_opens_no_strip) {
    feed(SVS_ALGORITHM_WINDOWED, 1, 1, IN_TURN);
    assert_int_equal(fed.opened, 0);
}

/* While a strip is open, each other sender needs another batch, and the rest of the strip's batch
 * stays empty. But a strip is the longer the more items wait. */
TEST_CASE(senders_that_share_an_inbox_leave_few_batches_empty) {
    uint32_t of_all = FEEDERS * FED / svs__batch_capacity(sizeof(grain)) + 1;
    for (uint32_t i = 0; i < 20; i++) {
        feed(SVS_ALGORITHM_WINDOWED, FEEDERS, FEEDERS, ONE_BY_ONE);
        assert_in_range(fed.batches, 1, 2 * of_all);
    }
}

int main(void) { return run_cases(NULL, NULL); }
