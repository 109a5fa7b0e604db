/* Long runs of graphs in a check: the past is forgotten between iterations, so that memory does not
 * grow with them, and no race is lost by it. */
#include "graph_scene.h"
#include <pthread.h>

#define ITEMS 100u
#define BUDGET ((size_t)512 << 10) /* some 6,000 nodes; forgotten from 3,000 on */
#define NODES_LEAST 3500u          /* of 40 iterations; of 45, at most */
#define NODES_MOST 5500u

static struct {
    uint32_t iterations, done;
    svs_task *to;
    uint64_t word, kept;
} now;

/* One instance for each item. */
static void sends_many(svs_context *context, script *of) {
    static script idle = {.deed = does_nothing};
    part parts[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) parts[i].script = &idle;
    assert_int_equal(svs_send(context, now.to, parts, ITEMS, sizeof parts[0]), SVS_OK);
    now.done++;
}

static void writes_at_last(svs_context *context, script *of) {
    if (now.done + 1 == now.iterations) svs_check_write(of->with, 8);
}

static void writes_always(svs_context *context, script *of) { svs_check_write(of->with, 8); }

static scene *small_scene(void) {
    scene *s = scene_new(3);
    assert_int_equal(svs_check_stop(s->runtime, NULL), SVS_OK);
    s->options.max_bytes = BUDGET;
    assert_int_equal(svs_check_start(s->runtime, &s->options), SVS_OK);
    return s;
}

/* In each iteration `one` and `other` run beside each other, then many instances. */
static void iterate(scene *s, script *one, script *other, uint32_t iterations) {
    static script sender = {.deed = sends_many};
    svs_task *a = add_part(s, &ann_task, one), *b = add_part(s, &bob_task, other);
    svs_task *c = add_part(s, &cid_task, &sender);
    now.to = add_parts(s, &dan_task);
    now.iterations = iterations;
    now.done = 0;
    assert_int_equal(svs_graph_add_flow(s->graph, c, now.to), SVS_OK);
    assert_int_equal(svs_graph_add_order(s->graph, a, c), SVS_OK);
    assert_int_equal(svs_graph_add_order(s->graph, b, c), SVS_OK);
    assert_int_equal(svs_graph_run(s->graph, iterations, NULL), SVS_OK);
    assert_int_equal(svs_check_summary_get(s->runtime, &s->summary), SVS_OK);
    assert_int_equal(s->summary.lost, 0);
}

static uint64_t bytes_of(uint32_t iterations) {
    script one = {.deed = writes_at_last, .with = &now.word}, other = one;
    scene *s = small_scene();
    uint64_t bytes;
    iterate(s, &one, &other, iterations);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 1);
    assert_true(s->summary.nodes > (uint64_t)iterations * ITEMS);
    assert_true(s->summary.collapses >= iterations * ITEMS / 6000);
    bytes = s->summary.bytes;
    scene_free(s);
    return bytes;
}

TEST_CASE(memory_does_not_grow_with_iterations) {
    uint64_t few, many;
    few = bytes_of(120);
    many = bytes_of((uint32_t)scaled(1500, 400));
    assert_true(few >= BUDGET / 4);
    assert_in_range(many, 1, few + BUDGET / 2);
}

/* The writes of an iteration's instance do not race with those of the next iteration. */
TEST_CASE(iterations_are_in_order) {
    script one = {.deed = writes_always, .with = &now.word}, other = {.deed = does_nothing};
    scene *s = small_scene();
    iterate(s, &one, &other, 120);
    assert_int_equal(s->count, 0);
    assert_true(s->summary.collapses != 0);
    scene_free(s);
}

/* ---- a run that goes on meanwhile ---- */

static _Atomic(uint32_t) stage; /* 1: it has read; 2: it may end */

static void reads_and_waits(svs_async_context *async, void *argument) {
    svs_check_read(&now.kept, sizeof now.kept);
    svs__store_release(&stage, 1);
    while (svs__load_acquire(&stage) != 2) svs__yield();
}

static void *run_meanwhile(void *argument) {
    scene *s = argument;
    assert_int_equal(svs_async_run(s->runtime, reads_and_waits, NULL), SVS_OK);
    return NULL;
}

TEST_CASE(what_a_run_beside_has_done_is_kept) {
    script one = {.deed = writes_at_last, .with = &now.kept}, other = {.deed = does_nothing};
    scene *s = small_scene();
    pthread_t thread;
    svs__store_release(&stage, 0);
    assert_int_equal(pthread_create(&thread, NULL, run_meanwhile, s), 0);
    while (svs__load_acquire(&stage) != 1) svs__yield();
    iterate(s, &one, &other, 40);
    svs__store_release(&stage, 2);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(s->summary.collapses, 0);
    assert_in_range(s->summary.nodes, NODES_LEAST, NODES_MOST); /* it could have been */
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 1);
    scene_free(s);
}

/* Runs that one thread waits for, one after the other, are in order, also if the first one was
 * forgotten in while it went on, and another thread's run is beside both. */
static _Atomic(uint32_t) turn;

static void waits_for_turn(svs_async_context *async, void *argument) {
    svs__store_release(&turn, 2);
    while (svs__load_acquire(&turn) != 3) svs__yield();
}

/* On workers of its own: the others go on meanwhile. */
static void *run_in_between(void *argument) {
    scene *s = argument;
    svs_runtime *runtime = started(1, 20);
    assert_int_equal(svs_check_start(runtime, &s->options), SVS_OK);
    while (svs__load_acquire(&turn) != 1) svs__yield();
    assert_int_equal(svs_async_run(runtime, waits_for_turn, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    return NULL;
}

static void writes_and_waits(svs_context *context, script *of) {
    if (now.done + 1 != now.iterations) return;
    svs_check_write(of->with, 8);
    svs__store_release(&turn, 1);
    while (svs__load_acquire(&turn) != 2) svs__yield();
}

static void writes_again(svs_async_context *async, void *argument) {
    svs_check_write(&now.kept, sizeof now.kept);
}

static void run_one_after_the_other(void) {
    script one = {.deed = writes_and_waits, .with = &now.kept}, other = {.deed = does_nothing};
    scene *s = small_scene();
    pthread_t thread;
    svs__store_release(&turn, 0);
    assert_int_equal(pthread_create(&thread, NULL, run_in_between, s), 0);
    iterate(s, &one, &other, 80);
    assert_true(s->summary.collapses != 0);
    assert_int_equal(svs_async_run(s->runtime, writes_again, NULL), SVS_OK);
    svs__store_release(&turn, 3);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(s->count, 0);
    scene_free(s);
}

TEST_CASE(runs_of_one_thread_are_in_order) {
    for (int i = 0; i < 5; i++) run_one_after_the_other(); /* any run may collapse the tree */
}

int main(void) { return run_cases(NULL, NULL); }
