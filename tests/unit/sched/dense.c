/* How often instances are looked at that nearly all conflict with each other: a few times, however
 * many wait (sched.M3). */
#include "unit/face/support.h"

#define INSTANCES 3000u
#define PLACES_MAX 256u
#define CHOSEN_MAX 12u

static node *places[PLACES_MAX];
static uint32_t chosen_count, stage_width;
static atomic_uint ran;

typedef struct taker {
    uint16_t chosen[CHOSEN_MAX];
} taker;

static void taker_touch(svs_footprint *f, const taker *t) {
    for (uint32_t i = 0; i < chosen_count; i++) svs_writes_object(f, &places[t->chosen[i]]->svs);
}

static svs_status taker_run(svs_context *context, taker *t) {
    atomic_fetch_add(&ran, 1);
    return SVS_OK;
}
SVS_TASK(taker, taker_run, taker_touch)

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Each takes `count` of `all` places, all different. */
static void make(taker *takers, uint32_t instances, uint32_t count, uint32_t all) {
    uint32_t seed = 1;
    for (uint32_t i = 0; i < instances; i++)
        for (uint32_t k = 0; k < count; k++) {
            uint32_t other = 0;
            takers[i].chosen[k] = (uint16_t)draw(&seed, all);
            while (other < k && takers[i].chosen[other] != takers[i].chosen[k]) other++;
            if (other < k) k--;
        }
}

static svs_graph_statistics run(svs_algorithm algorithm, uint32_t instances, uint32_t count,
                                uint32_t all) {
    static taker takers[INSTANCES];
    support s;
    svs_graph *graph;
    svs_graph_options options;
    svs_graph_statistics statistics;
    svs_task *task;
    support_open(&s, 1); /* what is chosen is then the same in every run */
    for (uint32_t i = 0; i < all; i++) places[i] = support_node(s.world);
    chosen_count = count;
    ran = 0;
    make(takers, instances, count, all);
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    options.stage_width = stage_width;
    support_ok(svs_graph_new(s.world, &options, &graph));
    task = support_itemizer(graph, &taker_task, NULL);
    support_ok(svs_graph_send(graph, task, takers, instances, sizeof *takers));
    support_run(graph, 1);
    assert_int_equal(ran, instances);
    statistics = support_statistics(graph);
    support_ok(svs_graph_free(graph));
    support_close(&s);
    return statistics;
}

/* Deferrals an instance, in hundredths. */
static uint64_t looks(const svs_graph_statistics *s) { return 100 * s->deferrals / s->instances; }

/* In hundredths, too. */
static uint64_t width(const svs_graph_statistics *s) {
    return 100 * s->staged_instances / s->stages;
}

/* Two instances that take 8 of 32 places are disjoint in 7 of 100 cases, so that it takes about 14
 * looks to find an instance for a stage; a stage has room for one or two more at most. */
TEST_CASE(a_dense_stage_costs_few_looks) {
    for (uint32_t instances = INSTANCES / 10; instances <= INSTANCES; instances *= 10) {
        svs_graph_statistics s = run(SVS_ALGORITHM_STAGED, instances, 8, 32);
        assert_in_range(looks(&s), 100, 1600);
        assert_in_range(width(&s), 150, 400);
    }
}

TEST_CASE(where_more_fit_it_costs_no_more) {
    static const struct {
        uint32_t count, all, looks, width;
    } cases[] = {{4, 32, 900, 400}, {2, 32, 500, 1000}, {8, 256, 1600, 900}, {4, 256, 900, 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        svs_graph_statistics s = run(SVS_ALGORITHM_STAGED, INSTANCES, cases[i].count, cases[i].all);
        assert_in_range(looks(&s), 0, cases[i].looks);
        assert_true(width(&s) >= cases[i].width);
    }
}

/* Sets too long for a note are made at each look, but looked at no more often. */
TEST_CASE(long_sets_are_looked_at_as_rarely) {
    svs_graph_statistics s;
    s = run(SVS_ALGORITHM_STAGED, INSTANCES, CHOSEN_MAX, 64);
    assert_in_range(looks(&s), 100, 1600);
}

/* All instances run where a stage has room for a few only. */
TEST_CASE(a_stage_without_room_looks_no_further) {
    static const uint32_t widths[] = {1, 3, 100};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        svs_graph_statistics s;
        stage_width = widths[i];
        s = run(SVS_ALGORITHM_STAGED, INSTANCES / 10, 2, 256);
        assert_in_range(s.width_max, 1, widths[i]);
        s = run(SVS_ALGORITHM_STAGED, INSTANCES / 10, CHOSEN_MAX, 256);
        assert_in_range(s.width_max, 1, widths[i]);
    }
    stage_width = 0;
}

TEST_CASE(progressive_looks_no_more_often) {
    svs_graph_statistics s;
    s = run(SVS_ALGORITHM_PROGRESSIVE, INSTANCES, 8, 32);
    assert_int_equal(s.deferrals, 0); /* one worker: nothing runs while it looks */
}

int main(void) { return run_cases(NULL, NULL); }
