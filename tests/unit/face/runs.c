/* One graph, run again and again, with items sent from outside before each run. */
#include "support.h"

#define ITEMS 24u
#define ONWARD 3u

static atomic_uint begun, ended;
static svs_task *second;

typedef struct count {
    uint32_t number;
} count;

static void count_touch(svs_footprint *f, const count *c) { (void)f, (void)c; }

static svs_status second_run(svs_context *context, count *c) {
    atomic_fetch_add(&ended, 1);
    return SVS_OK;
}
SVS_TASK(count_second, count, second_run, count_touch)

static svs_status first_run(svs_context *context, count *c) {
    count onward[ONWARD] = {*c, *c, *c};
    atomic_fetch_add(&begun, 1);
    return count_second_send(context, second, onward, ONWARD);
}
SVS_TASK(count_first, count, first_run, count_touch)

/* Fails unless all instances of the two tasks before it have run. */
typedef struct check {
    uint32_t run;
} check;
static void check_touch(svs_footprint *f, const check *c) { (void)f, (void)c; }
static svs_status check_run(svs_context *context, check *c) {
    return atomic_load(&begun) == ITEMS && atomic_load(&ended) == ITEMS * ONWARD ? SVS_OK : 77;
}
SVS_TASK(check, check_run, check_touch)

/* Workers that are awake look at a run as soon as it is there: what was sent for it must not be
 * taken before its tasks have begun, and count it. */
SUPPORT_CASE(what_was_sent_before_a_run_belongs_to_it, 8) {
    uint64_t runs = support_scaled(40000);
    svs_graph *graph = support_graph(s);
    svs_task *first, *last;
    count items[ITEMS] = {{0}};
    check item = {0};
    first = support_itemizer(graph, &count_first_task, NULL);
    second = support_itemizer(graph, &count_second_task, NULL);
    last = support_transform(graph, &check_task, &item, NULL);
    support_ok(svs_graph_add_flow(graph, first, second));
    support_ok(svs_graph_add_order(graph, second, last));
    for (uint64_t run = 0; run < runs; run++) {
        atomic_store(&begun, 0);
        atomic_store(&ended, 0);
        support_ok(svs_graph_send(graph, first, items, ITEMS, sizeof items[0]));
        support_run(graph, 1);
        assert_int_equal(begun, ITEMS);
        assert_int_equal(ended, ITEMS * ONWARD);
    }
    support_ok(svs_graph_free(graph));
}

int main(void) { return run_cases(NULL, NULL); }
