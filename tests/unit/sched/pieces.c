/* Progressive workers take several items at once, and no idle worker lacks them. Instances that
 * wait for a long holder cost no look while it holds. */
#include "memobj/core/world_state.h"
#include "unit/face/support.h"

enum { ITEMS = 1000, WAIT = 100, MOST = 800, CELLS = 1 << 16 };

typedef struct item {
    uint32_t number;
    uint64_t index;
} item;

static svs_space *space;
static atomic_int ran, most_ran, last_ran, second_began, came;

static void item_touch(svs_footprint *f, const item *i) { svs_writes_at(f, space, i->index); }

static void count(void) {
    if (atomic_fetch_add(&ran, 1) + 1 == MOST) atomic_store(&most_ran, 1);
}

/* The first one holds its cell until most of the others have run. */
static svs_status hold_run(svs_context *context, item *i) {
    if (i->number == 0) atomic_store(&came, support_comes(&most_ran, 1));
    count();
    return SVS_OK;
}
SVS_TASK(hold, item, hold_run, item_touch)

/* The first one runs until no items are left but those that its worker has taken with it. The
 * second one then needs another worker for the third. */
static svs_status meet_run(svs_context *context, item *i) {
    if (i->number == 0) atomic_store(&came, support_comes(&last_ran, 1));
    if (i->number == 1 && atomic_load(&last_ran))
        atomic_store(&came, support_comes(&second_began, 1));
    if (i->number == 2) atomic_store(&second_began, 1);
    if (i->number == ITEMS - 1) atomic_store(&last_ran, 1);
    count();
    return SVS_OK;
}
SVS_TASK(meet, item, meet_run, item_touch)

/* Indices of different cells; each second one of some waits for the first item. */
static void choose(item *items, uint32_t wait) {
    static bool used[CELLS];
    uint64_t index = 0;
    memset(used, 0, sizeof used);
    for (uint32_t i = 0; i < ITEMS; i++) {
        while (used[svs__index_key(space->key, index) >> 16]) index++;
        used[svs__index_key(space->key, index) >> 16] = true;
        items[i] = (item){i, index};
    }
    for (uint32_t i = 0; i < wait; i++) items[WAIT + 2 * i].index = items[0].index;
}

static svs_graph_statistics run(support *s, const svs_task_type *type, uint32_t wait) {
    static item items[ITEMS];
    svs_graph_statistics statistics;
    svs_graph *graph;
    svs_task *task;
    ran = most_ran = last_ran = second_began = came = 0;
    support_ok(svs_space_new(s->world, "cells", 8 * CELLS, &space));
    choose(items, wait);
    graph = support_graph_of(s, SVS_ALGORITHM_PROGRESSIVE);
    support_ok(svs_graph_add_itemizer(graph, type, NULL, &task));
    support_ok(svs_graph_send(graph, task, items, ITEMS, sizeof *items));
    support_run(graph, 1);
    statistics = support_statistics(graph);
    assert_int_equal(ran, ITEMS);
    assert_true(came);
    support_ok(svs_graph_free(graph));
    support_ok(svs_space_free(space));
    return statistics;
}

/* Each is refused when it comes, and perhaps once by another one of them. Before, each instance
 * that ended was followed by another try of one that had reserved its set. */
SUPPORT_CASE(instances_behind_one_long_holder_are_refused_about_once, 2) {
    assert_true(run(s, &hold_task, WAIT).deferrals <= 3 * WAIT);
}

SUPPORT_CASE(items_that_a_worker_has_taken_wait_for_no_idle_worker, 2) {
    assert_int_equal(run(s, &meet_task, 0).deferrals, 0);
}

int main(void) { return run_cases(NULL, NULL); }
