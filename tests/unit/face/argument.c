/* Touch functions receive the task's argument, and name spans of a space, under each algorithm. */
#include "support.h"

#define CELLS 64u
#define ITEMS 500u

typedef struct game {
    svs_space *space;
    long cells[CELLS];
    uint32_t calls; /* of the touch function with this argument, by one worker */
} game;

typedef struct stamp {
    uint32_t first, count;
} stamp;
static void stamp_touch(svs_footprint *f, const stamp *s) {
    game *g = svs_footprint_argument(f);
    assert_non_null(g);
    g->calls++;
    svs_writes_span(f, g->space, s->first, s->count);
}
static svs_status stamp_run(svs_context *context, stamp *s) {
    game *g = svs_context_argument(context);
    for (uint32_t i = 0; i < s->count; i++) g->cells[s->first + i]++;
    return SVS_OK;
}
SVS_TASK(stamp, stamp_run, stamp_touch)

static void play(support *s, svs_algorithm algorithm, uint32_t length) {
    game games[2];
    svs_graph *graph = support_graph_of(s, algorithm);
    memset(games, 0, sizeof games);
    for (int i = 0; i < 2; i++) {
        svs_task *task = support_itemizer(graph, &stamp_task, &games[i]);
        support_ok(svs_space_new(s->world, "cells", CELLS, &games[i].space));
        for (uint32_t k = 0; k < ITEMS; k++) {
            stamp one = {k % (CELLS - length), length};
            support_ok(svs_graph_send(graph, task, &one, 1, sizeof one));
        }
    }
    support_run(graph, 1);
    for (int i = 0; i < 2; i++) {
        long sum = 0;
        for (uint32_t k = 0; k < CELLS; k++) sum += games[i].cells[k];
        assert_int_equal(sum, ITEMS * length);
        assert_true(games[i].calls >= ITEMS);
        support_ok(svs_space_free(games[i].space));
    }
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(two_tasks_of_one_type_have_footprints_of_their_own_arrays, 1) {
    SUPPORT_EACH_ALGORITHM(a) {
        play(s, a, 1);
        play(s, a, 2);
        play(s, a, 40);
    }
}

SUPPORT_CASE(a_span_conflicts_with_each_of_its_indices, 1) {
    svs_access accesses[8];
    svs_footprint f;
    svs_space *space;
    support_ok(svs_space_new(s->world, "cells", CELLS, &space));
    svs_footprint_init(&f, accesses, 8);
    assert_null(svs_footprint_argument(&f));
    svs_reads_span(&f, space, 5, 3);
    svs_writes_span(&f, space, 20, 2);
    svs_writes_span(&f, space, 20, 0);
    assert_int_equal(f.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(accesses[i].index, i < 3 ? 5 + i : 17 + i);
        assert_int_equal(accesses[i].mode, i < 3 ? SVS_MODE_READ : SVS_MODE_WRITE);
    }
    svs_writes_span(&f, space, 0, UINT64_MAX); /* ends at the first failure */
    assert_int_equal(f.status, SVS_E_LIMIT);
    support_ok(svs_space_free(space));
}

int main(void) { return run_cases(NULL, NULL); }
