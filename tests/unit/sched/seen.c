/* What observes a run decides nothing (hooks.O5), and the program's callbacks are told of each
 * instance where it runs. */
#include "unit/face/support.h"

#include <svs/observe.h>

#define PLACES 40u
#define ITEMS 3000u
#define WORKERS 4u

typedef struct mix {
    node *from, *to;
    uint32_t number;
} mix;

static node *places[PLACES];
static uint64_t ids[ITEMS];

static void mix_touch(svs_footprint *f, const mix *m) {
    svs_writes_object(f, &m->from->svs);
    svs_writes_object(f, &m->to->svs);
}

/* Does not commute. */
static svs_status mix_run(svs_context *context, mix *m) {
    ids[m->number] = svs_instance_id(context);
    m->from->data = m->from->data * 31 + m->to->data + m->number;
    m->to->data = m->to->data * 17 + m->from->data;
    return SVS_OK;
}
SVS_TASK(mix, mix_run, mix_touch)

typedef struct told {
    _Alignas(64) uint64_t begins, ends; /* of one worker */
    uint64_t open, sum, staged, windows;
} told;
static told workers[WORKERS];

static void begins(const svs_observed *instance, void *argument) {
    told *t = &workers[instance->worker];
    assert_ptr_equal(argument, workers);
    assert_string_equal(instance->task, "mix");
    assert_non_null(instance->graph);
    assert_int_equal(t->open, 0);
    t->open = instance->instance;
    t->begins++;
}

static void ends(const svs_observed *instance, void *argument) {
    told *t = &workers[instance->worker];
    (void)argument;
    assert_int_equal(t->open, instance->instance);
    t->open = 0;
    t->sum += instance->instance;
    t->ends++;
}

static void stage(const svs_observed_stage *s, void *argument) {
    told *t = &workers[s->worker];
    (void)argument;
    if (s->window) t->windows++;
    else t->staged += s->instances;
}

static uint64_t digest(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PLACES; i++) sum = sum * 1099511628211u + places[i]->data;
    return sum;
}

typedef enum way { UNSEEN, TRACED, OBSERVED } way;

static void watch(svs_runtime *runtime, way how) {
    svs_observer observer;
    svs_observer_init(&observer);
    observer.instance_begins = begins;
    observer.instance_ends = ends;
    observer.stage = stage;
    observer.argument = workers;
    memset(workers, 0, sizeof workers);
    if (how == TRACED) support_ok(svs_trace_start(runtime, NULL));
    if (how == OBSERVED) support_ok(svs_observer_set(runtime, &observer));
}

/* @return what the places have come to. */
static uint64_t run(way how, uint32_t threads) {
    svs_graph *graph;
    svs_task *task;
    uint64_t sum;
    support s;
    support_open(&s, threads);
    for (uint32_t i = 0; i < PLACES; i++) places[i] = support_node(s.world);
    for (uint32_t i = 0; i < PLACES; i++) places[i]->data = i;
    graph = support_graph(&s);
    task = support_itemizer(graph, &mix_task, NULL);
    for (uint32_t i = 0; i < ITEMS; i++) {
        mix item = {places[i * 7919 % PLACES], places[(i * 7919 + 1 + i % 7) % PLACES], i};
        support_ok(svs_graph_send(graph, task, &item, 1, sizeof item));
    }
    watch(s.runtime, how);
    support_run(graph, 1);
    if (how == TRACED) support_ok(svs_trace_stop(s.runtime, NULL));
    sum = digest();
    s.log_seen = s.log.count; /* may say what the items contend for */
    support_ok(svs_graph_free(graph));
    support_close(&s);
    return sum;
}

TEST_CASE(a_run_that_is_observed_comes_to_the_same) {
    uint64_t sum = run(UNSEEN, 1);
    for (uint32_t threads = 1; threads <= WORKERS; threads *= 2) {
        assert_int_equal(run(TRACED, threads), sum);
        assert_int_equal(run(OBSERVED, threads), sum);
    }
}

TEST_CASE(the_callbacks_are_told_of_each_instance_and_stage) {
    for (uint32_t threads = 1; threads <= WORKERS; threads *= 2) {
        uint64_t sum = 0;
        told all = {0};
        (void)run(OBSERVED, threads);
        for (uint32_t i = 0; i < ITEMS; i++) sum += ids[i];
        for (uint32_t w = 0; w < WORKERS; w++) {
            all.begins += workers[w].begins;
            all.ends += workers[w].ends;
            all.sum += workers[w].sum;
            all.staged += workers[w].staged;
            all.windows += workers[w].windows;
        }
        assert_int_equal(all.begins, ITEMS);
        assert_int_equal(all.ends, ITEMS);
        assert_int_equal(all.sum, sum);
        assert_int_equal(all.staged, ITEMS);
        assert_true(all.windows > 0);
    }
}

TEST_CASE(an_observer_is_set_between_runs_and_of_this_version) {
    svs_observer observer;
    support s;
    support_open(&s, 1);
    svs_observer_init(&observer);
    assert_int_equal(svs_observer_set(NULL, &observer), SVS_E_NULL);
    support_ok(svs_observer_set(s.runtime, &observer));
    support_ok(svs_observer_set(s.runtime, NULL));
    observer.size = 3;
    assert_int_equal(svs_observer_set(s.runtime, &observer), SVS_E_VERSION);
    s.log_seen = s.log.count;
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
