/* A bucket of deferred instances is searched behind its first record: instances that wait for one
 * cell do not hold up one that waits for another cell of the bucket. */
#include "memobj/core/world_state.h"
#include "unit/face/support.h"

enum { BEHIND = 12, SPACE = 1 << 20 };

/* In the order of sending; three workers. */
typedef enum part { HOLDS_A, WAITS_FOR_A, HOLDS_B, WAITS_FOR_B, LAST } part;
typedef struct item {
    part part;
    uint64_t index;
} item;

static svs_space *space;
static atomic_int last_ran, b_waited, came, ran;

static void item_touch(svs_footprint *f, const item *i) { svs_writes_at(f, space, i->index); }
static svs_status item_run(svs_context *context, item *i) {
    if (i->part == HOLDS_A) atomic_store(&came, support_comes(&b_waited, 1));
    if (i->part == HOLDS_B) (void)support_comes(&last_ran, 1);
    if (i->part == WAITS_FOR_B) atomic_store(&b_waited, 1);
    if (i->part == LAST) atomic_store(&last_ran, 1);
    atomic_fetch_add(&ran, 1);
    return SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

/* Two indices of one bucket and different cells, and one of another bucket. */
static void find_indices(uint64_t *a, uint64_t *b, uint64_t *other) {
    *a = 0;
    for (*b = 1; *b < SPACE; ++*b) {
        uint32_t differ = svs__index_key(space->key, *a) ^ svs__index_key(space->key, *b);
        if (!(differ >> 20) && differ >> 16) break;
    }
    assert_true(*b < SPACE);
    *other = 1;
    while (!((svs__index_key(space->key, *a) ^ svs__index_key(space->key, *other)) >> 24)) ++*other;
}

SUPPORT_CASE(a_waiter_for_a_free_cell_runs_behind_many_waiters_for_a_held_one, 3) {
    svs_graph *graph;
    svs_task *task;
    item items[BEHIND + 4];
    uint64_t a, b, other;
    support_ok(svs_space_new(s->world, "cells", SPACE, &space));
    find_indices(&a, &b, &other);
    items[0] = (item){HOLDS_A, a};
    items[1] = (item){HOLDS_B, b};
    for (int i = 0; i < BEHIND; i++) items[2 + i] = (item){WAITS_FOR_A, a};
    items[BEHIND + 2] = (item){WAITS_FOR_B, b};
    items[BEHIND + 3] = (item){LAST, other};
    graph = support_graph_of(s, SVS_ALGORITHM_PROGRESSIVE);
    support_ok(svs_graph_add_itemizer(graph, &item_task, NULL, &task));
    support_ok(svs_graph_send(graph, task, items, BEHIND + 4, sizeof *items));
    support_run(graph, 1);
    assert_true(atomic_load(&came));
    assert_int_equal(atomic_load(&ran), BEHIND + 4);
    support_ok(svs_graph_free(graph));
    support_ok(svs_space_free(space));
}

int main(void) { return run_cases(NULL, NULL); }
