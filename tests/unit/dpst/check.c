/* Race checks, one situation each: neighbours, overlaps, locals, what is ignored, roots that follow
 * each other or do not. */
#include "checked.h"

TEST_CASE(exactly_the_bytes_that_both_touch_race) {
    static const struct {
        pair p;
        uint64_t bytes;
    } cases[] = {
        {{{{0, 1, 1, true}, {1, 1, 1, true}}}, 0},            /* neighbours */
        {{{{0, 4, 1, true}, {4, 4, 1, true}}}, 0},            /* halves */
        {{{{0, 4, 1, true}, {0, 8, 1, false}}}, 0x0f},        /* a half of it */
        {{{{0, 8, 1, false}, {4, 4, 1, true}}}, 0xf0},        /* the other */
        {{{{0, 8, 1, false}, {0, 8, 1, false}}}, 0},          /* readers */
        {{{{3, 2, 1, true}, {4, 8, 1, false}}}, 0x10},        /* out of line */
        {{{{6, 4, 1, true}, {0, 8, 2, true}}}, 0x3c0},        /* over two blocks */
        {{{{0, 8, 8, true}, {63, 1, 1, false}}}, 1ull << 63}, /* the end of a line */
        {{{{0, 8, 8, true}, {0, 4, 16, true}}}, UINT64_MAX},  /* all of it */
        {{{{0, 8, 4, true}, {32, 8, 4, true}}}, 0},           /* half of it each */
        {{{{0, 1, 64, false}, {16, 16, 1, true}}}, 0xffff0000},
    };
    EACH_POLICY(policy) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            pair p = cases[i].p;
            assert_int_equal(check_on(policy, access_both, &p, NULL), cases[i].bytes);
            p = (pair){{cases[i].p.parts[1], cases[i].p.parts[0]}};
            assert_int_equal(check_on(policy, access_both, &p, NULL), cases[i].bytes);
        }
    }
}

/* Reads all in pieces of eight, one behind the other. */
static void read_all(void) {
    for (uint32_t i = 0; i < sizeof memory; i += 8) svs_check_read(memory + i, 8);
}

static void write_byte(svs_async_context *async, void *argument) {
    svs_check_write(memory + 45, 1);
}

static void read_on_both_sides(svs_async_context *async, void *argument) {
    const bool *again = argument;
    read_all();
    read_all();
    svs_async(async, write_byte, NULL, 0);
    if (*again) read_all();
}

TEST_CASE(what_a_step_has_read_the_next_one_reads_anew) {
    EACH_POLICY(policy) {
        bool again = true;
        assert_int_equal(check_on(policy, read_on_both_sides, &again, NULL), UINT64_C(1) << 45);
        again = false;
        assert_int_equal(check_on(policy, read_on_both_sides, &again, NULL), 0);
    }
}

static void read_two_lives(svs_async_context *async, void *argument) {
    read_all();
    read_all();
    svs_check_alloc(memory, sizeof memory);
    read_all();
}

static void read_two_lives_then_write(svs_async_context *async, void *argument) {
    svs_async(async, read_two_lives, argument, 0);
    write_byte(async, NULL);
}

TEST_CASE(what_a_step_has_read_it_reads_anew_in_a_new_life) {
    svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, 1, 20);
    svs_check_options options = options_that_find();
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, read_two_lives_then_write, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs__load_relaxed(&found_bytes), UINT64_C(1) << 45);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void access_no_bytes(svs_async_context *async, void *argument) {
    svs_check_read(argument, 0);
    svs_check_write(argument, 0);
}

static void access_no_bytes_twice(svs_async_context *async, void *argument) {
    svs_async(async, access_no_bytes, argument, 0);
    access_no_bytes(async, argument);
}

TEST_CASE(no_bytes_are_no_access) {
    EACH_POLICY(policy) assert_int_equal(check_on(policy, access_no_bytes_twice, NULL, NULL), 0);
}

static void write_there(svs_async_context *async, void *argument) {
    int *there = *(int **)argument;
    svs_check_write(there, sizeof *there);
}

static void hand_on(svs_async_context *async, void *argument) {
    svs_check_write(argument, sizeof(int));
    svs_async(async, write_there, &argument, sizeof argument);
    svs_check_write(argument, sizeof(int));
}

/* It lives until the child has ended: one that does not is cleared when its task waits. */
static void finish_with_a_local(svs_async_context *async, void *argument) {
    int local = 0;
    svs_finish(async, hand_on, &local);
}

TEST_CASE(a_parents_local_races_when_both_touch_it) {
    EACH_POLICY(policy) {
        (void)check_on(policy, finish_with_a_local, NULL, NULL);
        assert_int_equal(svs__load_relaxed(&found_elsewhere), 1);
    }
}

static void ignore(svs_async_context *async, void *argument) {
    part p = {0, 8, 1, true};
    svs_async(async, access_part, &p, sizeof p);
    svs_check_ignore_begin();
    svs_check_ignore_begin();
    svs_check_write(memory, 8);
    svs_check_ignore_end();
    svs_check_write(memory, 8);
    svs_check_ignore_end();
    svs_check_write(memory + 8, 8);
    p.from = 8;
    svs_async(async, access_part, &p, sizeof p);
    svs_check_read(memory + 8, 4);
}

TEST_CASE(what_is_ignored_is_not_looked_at) {
    EACH_POLICY(policy) assert_int_equal(check_on(policy, ignore, NULL, NULL), 0xf00);
}

static void ignore_often(svs_async_context *async, void *argument) {
    part p = {0, 8, 1, true};
    for (int i = 0; i < 100; i++) {
        svs_check_write(memory, 8);
        svs_check_ignore_begin();
        svs_check_write(memory + 8, 8);
        svs_check_ignore_end();
    }
    if (argument != NULL) return;
    svs_check_ignore_begin();
    svs_async(async, access_part, &p, sizeof p);
    svs_check_ignore_end();
    svs_check_write(memory, 8); /* beside the child: another step than before it */
}

TEST_CASE(what_is_around_something_ignored_is_one_step) {
    svs_check_summary summary;
    EACH_POLICY(policy) {
        int unused;
        assert_int_equal(check_on(policy, ignore_often, &unused, &summary), 0);
        assert_int_equal(summary.steps, 1);
        assert_int_equal(check_on(policy, ignore_often, NULL, &summary), 0xff);
        assert_int_equal(summary.steps, 3);
    }
}

/* Memory that the program has from the allocator right behind what the library has. */
static void write_block(svs_async_context *async, void *argument) {
    const unsigned char *block = *(unsigned char **)argument;
    svs_check_write(block, 32);
}

static void write_blocks(svs_async_context *async, void *argument) {
    unsigned char **blocks = argument;
    for (int i = 0; i < 128; i++) {
        svs_async(async, write_block, &blocks[i], sizeof blocks[i]);
        svs_async(async, write_block, &blocks[i], sizeof blocks[i]);
    }
}

TEST_CASE(what_stands_beside_the_librarys_memory_races) {
    unsigned char *blocks[128];
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        svs_check_options options = options_that_find();
        for (int i = 0; i < 128; i++) blocks[i] = malloc(32);
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, write_blocks, blocks), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_true(svs__load_relaxed(&found_elsewhere) >= 128);
        for (int i = 0; i < 128; i++) free(blocks[i]);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- roots ---- */

TEST_CASE(runs_that_follow_each_other_are_ordered) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20), *other = started_as(policy, 2, 20);
        svs_check_options options = options_that_find();
        part p = {0, 8, 1, true};
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_check_start(other, &options), SVS_OK);
        for (int i = 0; i < 4; i++)
            assert_int_equal(svs_async_run(i % 2 ? other : runtime, access_part, &p), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs_async_run(other, access_part, &p), SVS_OK);
        assert_int_equal(svs_check_stop(other, NULL), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(svs_runtime_free(other), SVS_OK);
    }
}

typedef struct meeting {
    svs_runtime *runtime;
    _Atomic(uint32_t) there;
} meeting;

/* Ends when both are there. */
static void meet(svs_async_context *async, void *argument) {
    meeting *m = argument;
    part p = {0, 8, 1, true};
    (void)svs__fetch_add_relaxed(&m->there, 1);
    while (svs__load_relaxed(&m->there) < 2) svs__yield();
    access_part(async, &p);
}

static void *run_meeting(void *argument) {
    meeting *m = argument;
    assert_int_equal(svs_async_run(m->runtime, meet, m), SVS_OK);
    return NULL;
}

TEST_CASE(runs_at_once_are_not) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 3, 20);
        svs_check_options options = options_that_find();
        meeting m = {runtime, 0};
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        team_run(2, run_meeting, &m);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0xff);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
