/* Stages that are dealt by worker index: each instance is claimed once, by the worker whose
 * piece it is in or by one that finds its own piece claimed (sched.P7), and each group ends once
 * (sched.P8). */
#include "base/memory.h"
#include "sched/domain/stage/deal.h"
#include "unit/face/support.h"
#include "worksteal/worker.h"

static uint8_t claims[SVS__DEAL_MOST]; /* of each instance */

typedef struct dealt {
    svs__deal *deal;
    uint32_t count, groups, ended; /* `ended`: number of groups that have ended */
} dealt;

static void end_of(dealt *d, const svs__claimed *piece) {
    for (uint32_t i = 0; i < piece->count; i++) claims[piece->begin + i]++;
    d->ended += svs__deal_leave(d->deal, piece->group, piece->count);
}

static const svs__worker *worker_of(uint32_t index) {
    static svs__worker worker;
    worker.index = index;
    return &worker;
}

/* Worker `keeper` keeps its piece, if `keeps`. */
static void begin(dealt *d, uint32_t parts, uint32_t count, bool keeps, uint32_t keeper) {
    svs__claimed own;
    memset(claims, 0, count);
    d->count = count;
    d->ended = 0;
    d->groups = svs__deal_prepare(d->deal, parts, count);
    svs__deal_begin(d->deal, keeps ? worker_of(keeper) : NULL, &own);
    if (own.count) end_of(d, &own);
}

/* @return how many instances there were to claim. */
static uint32_t claim(dealt *d, uint32_t worker) {
    svs__claimed piece = {0};
    svs__deal_claim(d->deal, worker_of(worker), &piece);
    if (piece.count) end_of(d, &piece);
    return piece.count;
}

static void check_end(const dealt *d) {
    for (uint32_t i = 0; i < d->count; i++) assert_int_equal(claims[i], 1);
    assert_int_equal(d->ended, d->groups);
    assert_false(svs__deal_has(d->deal, NULL));
}

/* Deals of all widths, one after another, of which only the first few workers claim. */
static void deal_all(uint32_t workers, uint32_t parts) {
    dealt d = {svs__deal_new(&svs__allocator_libc, workers), 0, 0, 0};
    assert_non_null(d.deal);
    for (uint32_t count = 1; count <= SVS__DEAL_MOST; count += 1 + count / 8) {
        uint32_t awake = 1 + count % workers, in_vain = 0;
        begin(&d, parts, count, count % 3 != 0, count % workers);
        for (uint32_t i = 0; in_vain < awake; i++) in_vain = claim(&d, i % awake) ? 0 : in_vain + 1;
        check_end(&d);
    }
    svs__deal_free(&svs__allocator_libc, d.deal);
}

TEST_CASE(each_instance_is_claimed_once) {
    static const uint32_t workers[] = {8, 9, 16, 31, 64, 128, 500};
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        deal_all(workers[i], 1);
        deal_all(workers[i], SVS__DEAL_PARTS);
    }
}

/* The deal of the example in deal.h. */
TEST_CASE(a_worker_gets_its_own_piece_first) {
    svs__deal *deal = svs__deal_new(&svs__allocator_libc, 16);
    svs__claimed own, first = {0}, second = {0};
    assert_int_equal(svs__deal_prepare(deal, 1, 100), 2);
    svs__deal_begin(deal, worker_of(4), &own);
    svs__deal_claim(deal, worker_of(3), &first);
    svs__deal_claim(deal, worker_of(3), &second);
    assert_int_equal(own.begin, 28);
    assert_int_equal(first.begin, 21);
    assert_int_equal(first.count, 7);
    assert_int_equal(second.begin, 35); /* worker 4 has claimed its piece */
    assert_true(svs__deal_has(deal, NULL));
    assert_false(svs__deal_has(deal, worker_of(3)));
    svs__deal_free(&svs__allocator_libc, deal);
}

/* ---- in a run ---- */

enum { PLACES = 500, VISITS = 30000 };

typedef struct visit {
    uint32_t number, place;
} visit;

static svs_space *space;
static uint32_t last[PLACES], visited[PLACES];

static void visit_touch(svs_footprint *f, const visit *v) { svs_writes_at(f, space, v->place); }
static svs_status visit_run(svs_context *context, visit *v) {
    (void)context;
    visited[v->place]++;
    last[v->place] = last[v->place] * 31 + v->number;
    return SVS_OK;
}
SVS_TASK(visit, visit_run, visit_touch)

/* @return the order of the visits to all places, in one number. */
static uint64_t visit_all(uint32_t threads) {
    support s;
    svs_graph *graph;
    svs_task *task;
    uint64_t sum = 0;
    support_open(&s, threads);
    graph = support_graph(&s);
    task = support_itemizer(graph, &visit_task, NULL);
    support_ok(svs_space_new(s.world, "places", PLACES, &space));
    memset(last, 0, sizeof last);
    memset(visited, 0, sizeof visited);
    for (uint32_t i = 0; i < VISITS; i++) {
        const visit v = {i, i * 7 % PLACES};
        support_ok(svs_graph_send(graph, task, &v, 1, sizeof v));
    }
    support_run(graph, 1);
    for (uint32_t i = 0; i < PLACES; i++) {
        assert_int_equal(visited[i], VISITS / PLACES);
        sum = sum * 1000003 + last[i];
    }
    support_ok(svs_graph_free(graph));
    support_ok(svs_space_free(space));
    support_close(&s);
    return sum;
}

TEST_CASE(stages_that_are_dealt_come_to_the_result_of_one_worker) {
    uint64_t result = visit_all(1);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(visit_all(8), result);
        assert_int_equal(visit_all(17), result); /* three groups */
    }
}

int main(void) { return run_cases(NULL, NULL); }
