/* Atomic accesses in a check: with each other they do not race, with plain ones they do as those
 * would, among asyncs and among the instances of a graph. */
#include "dpst/shadow/access.h"
#include "graph_scene.h"

/* ---- asyncs ---- */

typedef enum what { READS, WRITES, READS_ATOMICALLY, WRITES_ATOMICALLY, KINDS } what;

static uint64_t word;
static _Atomic(uint32_t) races;
static _Atomic(const void *) racy;

static void found(const svs_check_race *race, void *argument) {
    svs__store_relaxed(&racy, race->address); /* any one of them */
    svs__fetch_add_relaxed(&races, 1);
}

static void touch(const void *at, size_t bytes, what kind) {
    if (kind == READS) svs_check_read(at, bytes);
    else if (kind == WRITES) svs_check_write(at, bytes);
    else svs__check_atomic(at, bytes, kind == WRITES_ATOMICALLY, __builtin_return_address(0));
}

static void touches(svs_async_context *async, void *argument) {
    touch(&word, sizeof word, *(what *)argument);
}

static void two_beside(svs_async_context *async, void *argument) {
    what *kinds = argument;
    svs_async(async, touches, &kinds[0], sizeof kinds[0]);
    svs_async(async, touches, &kinds[1], sizeof kinds[1]);
}

static void two_in_order(svs_async_context *async, void *argument) {
    svs_finish(async, touches, argument);
    touches(async, (what *)argument + 1);
}

static svs_runtime *checked(void) {
    svs_runtime *runtime = started(2, 20);
    svs_check_options options;
    svs_check_options_init(&options);
    options.max_bytes = (size_t)64 << 20;
    options.found = found;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    return runtime;
}

static void end(svs_runtime *runtime) {
    svs_check_summary summary;
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(summary.lost, 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static bool conflicts(what a, what b) {
    bool write = a == WRITES || b == WRITES || a == WRITES_ATOMICALLY || b == WRITES_ATOMICALLY;
    return write && (a < READS_ATOMICALLY || b < READS_ATOMICALLY);
}

static uint32_t races_of(svs_runtime *runtime, svs_async_function *program, void *argument) {
    svs__store_relaxed(&races, 0);
    assert_int_equal(svs_async_run(runtime, program, argument), SVS_OK);
    return svs__load_relaxed(&races);
}

TEST_CASE(pairs_race_if_one_is_plain) {
    svs_runtime *runtime = checked();
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            what kinds[] = {(what)a, (what)b};
            uint32_t n = races_of(runtime, two_beside, kinds);
            if ((n != 0) != conflicts(kinds[0], kinds[1])) fail_msg("%d and %d: %u races", a, b, n);
            assert_int_equal(races_of(runtime, two_in_order, kinds), 0);
        }
    end(runtime);
}

/* An array of counters, and a reader of some bytes of one of them. */
static uint32_t counters[16];

static void counts(svs_async_context *async, void *argument) {
    for (int i = 0; i < 16; i++) touch(&counters[i], sizeof counters[i], WRITES_ATOMICALLY);
}

static void reads_two_bytes(svs_async_context *async, void *argument) {
    touch((char *)&counters[5] + 1, 2, READS);
}

static void counted_and_read(svs_async_context *async, void *argument) {
    for (int i = 0; i < 4; i++) svs_async(async, counts, NULL, 0);
    if (argument != NULL) svs_async(async, reads_two_bytes, NULL, 0);
}

TEST_CASE(bytes_are_exact) {
    svs_runtime *runtime = checked();
    assert_int_equal(races_of(runtime, counted_and_read, NULL), 0);
    assert_true(races_of(runtime, counted_and_read, counters) >= 1);
    assert_in_range((uintptr_t)svs__load_relaxed(&racy), (uintptr_t)&counters[5] + 1,
                    (uintptr_t)&counters[5] + 2);
    end(runtime);
}

/* A block that is freed and allocated again. */
static void counts_in_turn(svs_async_context *async, void *argument) {
    svs_check_alloc(counters, sizeof counters);
    touch(counters, sizeof counters[0], *(what *)argument);
}

static void lives_apart(svs_async_context *async, void *argument) {
    what *kinds = argument;
    svs_async(async, counts_in_turn, &kinds[0], sizeof kinds[0]);
    svs_async(async, counts_in_turn, &kinds[1], sizeof kinds[1]);
}

TEST_CASE(another_life_knows_of_none) {
    svs_runtime *runtime = started(1, 20); /* one life after the other */
    svs_check_options options;
    what kinds[] = {WRITES_ATOMICALLY, WRITES};
    svs_check_options_init(&options);
    options.max_bytes = (size_t)64 << 20;
    options.found = found;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(races_of(runtime, lives_apart, kinds), 0);
    end(runtime);
}

/* ---- graphs ---- */

static void adds_atomically(svs_context *context, script *of) {
    touch(of->with, sizeof(uint64_t), WRITES_ATOMICALLY);
}

static void reads_plainly(svs_context *context, script *of) {
    touch(of->with, sizeof(uint64_t), READS);
}

static uint32_t races_of_instances(deed *one, deed *other) {
    static uint64_t shared;
    script a = {.deed = one, .with = &shared}, b = {.deed = other, .with = &shared};
    scene *s = scene_new(2);
    uint32_t n;
    (void)add_part(s, &ann_task, &a);
    (void)add_part(s, &bob_task, &b);
    scene_run(s);
    n = scene_count(s, SVS_CHECK_VERDICT_RACE);
    assert_int_equal(s->count, n);
    scene_free(s);
    return n;
}

TEST_CASE(instances_may_share_atomics) {
    assert_int_equal(races_of_instances(adds_atomically, adds_atomically), 0);
    assert_int_equal(races_of_instances(adds_atomically, reads_plainly), 1);
    assert_int_equal(races_of_instances(reads_plainly, adds_atomically), 1);
}

/* An atomic write is a write: to say that one reads is not enough. */
SCENE_CASE(atomics_are_to_be_declared, 2) {
    thing *t = thing_new(s);
    script a = {.deed = adds_atomically, .with = &t->value};
    reads_thing(&a, t);
    (void)add_part(s, &ann_task, &a);
    scene_run(s);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED), 1);
    assert_int_equal(s->count, 1);
}

int main(void) { return run_cases(NULL, NULL); }
