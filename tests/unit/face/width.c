/* The width of stages: a stage leaves an instance out only for a conflict with its members. */
#include "scene.h"

#define ALL 600u
#define PLACES 24u

/* Writes the places of its mask, some of them by walking to them. */
typedef struct taker {
    uint32_t mask;
    bool walks;
} taker;

static node *nodes[PLACES];
static uint32_t order[ALL]; /* the masks in the order in which they ran; one worker only */
static _Atomic(uint32_t) ran;

static void taker_touch(svs_footprint *f, const taker *t) {
    for (uint32_t i = 0; i < PLACES; i++) {
        if (!(t->mask >> i & 1)) continue;
        if (t->walks) svs_writes_reach(f, &nodes[i]->svs);
        else svs_writes_object(f, &nodes[i]->svs);
    }
}

static svs_status taker_run(svs_context *context, taker *t) {
    order[ran++] = t->mask;
    return SVS_OK;
}
SVS_TASK(taker, taker_run, taker_touch)

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static void make(taker *takers, uint32_t seed) {
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t count = draw(&seed, 2) ? 2 : 7; /* what is plain, and what is not */
        takers[i] = (taker){0, draw(&seed, 2)};
        for (uint32_t k = 0; k < count; k++) takers[i].mask |= 1u << draw(&seed, PLACES);
    }
}

/* Puts those that follow each other and do not conflict together. When a stage left out only what
 * conflicts with it, these are the stages: the first of the next one conflicts with it.
 * @return how many; each is what it takes. */
static uint32_t group(uint32_t *taken, uint32_t *group_of) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        if (!count || taken[count - 1] & order[i]) taken[count++] = 0;
        taken[count - 1] |= order[i];
        group_of[i] = count - 1;
    }
    return count;
}

/* In particular for one that waited so long that it reserves its set: that is no reason for others,
 * which conflict with it, to stay out of a stage that it is not in (sched.A5). */
TEST_CASE(a_stage_leaves_out_only_what_conflicts_with_it) {
    static taker takers[ALL];
    static uint32_t taken[ALL], group_of[ALL];
    for (uint32_t seed = 1; seed <= 3; seed++) {
        support s;
        svs_graph *graph;
        svs_graph_options options;
        svs_graph_statistics statistics;
        svs_task *task;
        uint32_t stages;
        support_open(&s, 1);
        for (uint32_t i = 0; i < PLACES; i++) nodes[i] = support_node(s.world);
        make(takers, seed);
        ran = 0;
        svs_graph_options_init(&options);
        options.algorithm = SVS_ALGORITHM_STAGED;
        options.stage_conflicts = UINT32_MAX; /* looks at all that wait */
        support_ok(svs_graph_new(s.world, &options, &graph));
        task = support_itemizer(graph, &taker_task, NULL);
        support_ok(svs_graph_send(graph, task, takers, ALL, sizeof *takers));
        support_run(graph, 1);
        assert_int_equal(ran, ALL);
        statistics = support_statistics(graph);
        stages = group(taken, group_of);
        assert_int_equal(statistics.stages, stages);
        assert_true(stages > 130); /* so many that some have waited for 64 */
        for (uint32_t i = 0; i < ALL; i++)
            for (uint32_t before = 0; before < group_of[i]; before++)
                assert_true(order[i] & taken[before]);
        support_ok(svs_graph_free(graph));
        support_close(&s);
    }
}

int main(void) { return run_cases(NULL, NULL); }
