/* Race checks, one situation each: neighbours, overlaps, the heap's and the stack's lives, roots
 * that follow each other or do not, what is forgotten, and what is refused. */
#include "../worksteal/running.h"
#include "dpst/access.h"
#include <string.h>
#include <svs/check.h>

#define EACH_POLICY(policy_)                                                                       \
    for (uint32_t policy_ = SVS_HELP_FIRST; policy_ <= SVS_WORK_FIRST; policy_++)

static _Alignas(512) unsigned char memory[4096];
static _Atomic(uint64_t) found_bytes; /* of memory, from its beginning: bits */
static _Atomic(uint32_t) found_elsewhere;

static void found(const svs_check_race *race, void *argument) {
    uintptr_t at = (uintptr_t)race->address - (uintptr_t)memory;
    (void)argument;
    if (at >= 64) (void)svs__fetch_add_relaxed(&found_elsewhere, 1);
    for (size_t i = 0; at < 64 && i < race->bytes; i++)
        (void)svs__fetch_or_relaxed(&found_bytes, (uint64_t)1 << (at + i));
}

static svs_check_options options_that_find(void) {
    svs_check_options options;
    svs_check_options_init(&options);
    options.compare = 1;
    options.yield_one_in = 2;
    options.found = found;
    options.max_bytes = (size_t)64 << 20;
    svs__store_relaxed(&found_bytes, 0);
    svs__store_relaxed(&found_elsewhere, 0);
    return options;
}

/* Runs `root` in a check. @return which of memory's first bytes raced. */
static uint64_t check_on(uint32_t policy, svs_async_function *root, void *argument,
                         svs_check_summary *summary) {
    svs_runtime *runtime = started_as(policy, 2, 20);
    svs_check_options options = options_that_find();
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, root, argument), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, summary), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    return svs__load_relaxed(&found_bytes);
}

/* Two asyncs that access memory: from, bytes, write. */
typedef struct part {
    uint32_t from, bytes, times;
    bool write;
} part;
typedef struct pair {
    part parts[2];
} pair;

static void access_part(svs_strand *strand, void *argument) {
    const part *p = argument;
    (void)strand;
    for (uint32_t i = 0; i < p->times; i++) {
        if (p->write) svs_check_write(memory + p->from + i * p->bytes, p->bytes);
        else svs_check_read(memory + p->from + i * p->bytes, p->bytes);
    }
}

static void access_both(svs_strand *strand, void *argument) {
    const pair *p = argument;
    svs_async(strand, access_part, &p->parts[0], sizeof p->parts[0]);
    svs_async(strand, access_part, &p->parts[1], sizeof p->parts[1]);
}

static void exactly_the_bytes_that_both_touch_race(void **state) {
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
    (void)state;
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

static void write_byte(svs_strand *strand, void *argument) {
    (void)strand;
    (void)argument;
    svs_check_write(memory + 45, 1);
}

static void read_on_both_sides(svs_strand *strand, void *argument) {
    const bool *again = argument;
    read_all();
    read_all();
    svs_async(strand, write_byte, NULL, 0);
    if (*again) read_all();
}

static void what_a_step_has_read_the_next_one_reads_anew(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        bool again = true;
        assert_int_equal(check_on(policy, read_on_both_sides, &again, NULL), UINT64_C(1) << 45);
        again = false;
        assert_int_equal(check_on(policy, read_on_both_sides, &again, NULL), 0);
    }
}

/* ---- lives ---- */

static void use_block(svs_strand *strand, void *argument) {
    (void)strand;
    (void)argument;
    for (uint32_t size = 8; size <= 4096; size *= 8) { /* all get the same block */
        svs_check_alloc(memory, size);
        svs_check_write(memory, size);
        svs_check_free(memory, size);
    }
}

static void use_blocks(svs_strand *strand, void *argument) {
    (void)argument;
    for (int i = 0; i < 8; i++) svs_async(strand, use_block, NULL, 0);
}

static void free_it(svs_strand *strand, void *argument) {
    (void)strand;
    (void)argument;
    svs_check_free(memory, 8);
}

static void free_and_use(svs_strand *strand, void *argument) {
    (void)argument;
    svs_check_write(memory, 8);
    svs_async(strand, free_it, NULL, 0);
    svs_check_read(memory, 8);
}

static void one_block_after_another_does_not_race_but_its_end_may(void **state) {
    (void)state;
    /* On one worker they are one after the other; nothing says so, but the lives. */
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        svs_check_options options = options_that_find();
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, use_blocks, NULL), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(check_on(policy, free_and_use, NULL, NULL), 0xff);
    }
}

static void write_and_renew(svs_strand *strand, void *argument) {
    const part *p = argument;
    (void)strand;
    svs_check_write(memory, sizeof memory);
    svs_check_alloc(memory + p->from, p->bytes);
}

static void renew_then_read(svs_strand *strand, void *argument) {
    const part *p = argument;
    svs_async(strand, write_and_renew, p, sizeof *p);
    svs_check_read(memory, 64);
}

static void a_part_of_what_was_accessed_as_a_whole_has_a_life_of_its_own(void **state) {
    static const struct {
        part renewed;
        uint64_t racy;
    } cases[] = {
        {{16, 20, 1, false}, ~UINT64_C(0xfffff0000)},
        {{3, 1, 1, false}, ~UINT64_C(8)},
        {{0, 64, 1, false}, 0},
        {{0, 512, 1, false}, 0},
        {{32, 1000, 1, false}, UINT64_C(0xffffffff)},
        {{64, 448, 1, false}, UINT64_MAX},
        {{8, 4080, 1, false}, UINT64_C(0xff)},
        {{512, 1024, 1, false}, UINT64_MAX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        part renewed = cases[i].renewed;
        /* Under this policy a lone worker runs the child first. */
        svs_runtime *runtime = started_as(SVS_WORK_FIRST, 1, 20);
        svs_check_options options = options_that_find();
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, renew_then_read, &renewed), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), cases[i].racy);
    }
}

static void use_stack(svs_strand *strand, void *argument) {
    volatile unsigned char local[256];
    (void)strand;
    (void)argument;
    for (uint32_t i = 0; i < sizeof local; i++) {
        svs_check_write((const void *)&local[i], 1);
        local[i] = (unsigned char)i;
    }
}

static void use_stacks(svs_strand *strand, void *argument) {
    for (int i = 0; i < 16; i++) {
        svs_async(strand, use_stack, NULL, 0);
        use_stack(strand, argument);
    }
}

static void a_stack_that_is_used_again_does_not_race(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        assert_int_equal(check_on(policy, use_stacks, NULL, NULL), 0);
        assert_int_equal(svs__load_relaxed(&found_elsewhere), 0);
    }
}

/* As compilers pass arguments: who writes them is not seen. */
static void read_stack(svs_strand *strand, void *argument) {
    volatile unsigned char local[256];
    (void)strand;
    (void)argument;
    for (uint32_t i = 0; i < sizeof local; i++) {
        local[i] = (unsigned char)i;
        svs_check_read((const void *)&local[i], 1);
    }
}

static void read_behind_calls(svs_strand *strand, void *argument) {
    svs_async(strand, read_stack, NULL, 0);
    use_stack(strand, argument);
}

static void what_a_task_called_is_over_when_it_waits(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        assert_int_equal(check_on(policy, read_behind_calls, NULL, NULL), 0);
        assert_int_equal(svs__load_relaxed(&found_elsewhere), 0);
    }
}

static void access_no_bytes(svs_strand *strand, void *argument) {
    (void)strand;
    svs_check_read(argument, 0);
    svs_check_write(argument, 0);
}

static void access_no_bytes_twice(svs_strand *strand, void *argument) {
    svs_async(strand, access_no_bytes, argument, 0);
    access_no_bytes(strand, argument);
}

static void no_bytes_are_no_access(void **state) {
    (void)state;
    EACH_POLICY(policy) assert_int_equal(check_on(policy, access_no_bytes_twice, NULL, NULL), 0);
}

static void write_there(svs_strand *strand, void *argument) {
    int *there = *(int **)argument;
    (void)strand;
    svs_check_write(there, sizeof *there);
}

static void hand_on(svs_strand *strand, void *argument) {
    svs_check_write(argument, sizeof(int));
    svs_async(strand, write_there, &argument, sizeof argument);
    svs_check_write(argument, sizeof(int));
}

/* It lives until the child has ended: one that does not is cleared when its task waits. */
static void finish_with_a_local(svs_strand *strand, void *argument) {
    int local = 0;
    (void)argument;
    svs_finish(strand, hand_on, &local);
}

static void a_parents_local_races_when_both_touch_it(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        (void)check_on(policy, finish_with_a_local, NULL, NULL);
        assert_int_equal(svs__load_relaxed(&found_elsewhere), 1);
    }
}

static void ignore(svs_strand *strand, void *argument) {
    part p = {0, 8, 1, true};
    (void)argument;
    svs_async(strand, access_part, &p, sizeof p);
    svs_check_ignore_begin();
    svs_check_ignore_begin();
    svs_check_write(memory, 8);
    svs_check_ignore_end();
    svs_check_write(memory, 8);
    svs_check_ignore_end();
    svs_check_write(memory + 8, 8);
    p.from = 8;
    svs_async(strand, access_part, &p, sizeof p);
    svs_check_read(memory + 8, 4);
}

static void what_is_ignored_is_not_looked_at(void **state) {
    (void)state;
    EACH_POLICY(policy) assert_int_equal(check_on(policy, ignore, NULL, NULL), 0xf00);
}

static void ignore_often(svs_strand *strand, void *argument) {
    part p = {0, 8, 1, true};
    for (int i = 0; i < 100; i++) {
        svs_check_write(memory, 8);
        svs_check_ignore_begin();
        svs_check_write(memory + 8, 8);
        svs_check_ignore_end();
    }
    if (argument != NULL) return;
    svs_check_ignore_begin();
    svs_async(strand, access_part, &p, sizeof p);
    svs_check_ignore_end();
    svs_check_write(memory, 8); /* beside the child: another step than before it */
}

static void what_is_around_something_ignored_is_one_step(void **state) {
    svs_check_summary summary;
    (void)state;
    EACH_POLICY(policy) {
        int unused;
        assert_int_equal(check_on(policy, ignore_often, &unused, &summary), 0);
        assert_int_equal(summary.steps, 1);
        assert_int_equal(check_on(policy, ignore_often, NULL, &summary), 0xff);
        assert_int_equal(summary.steps, 3);
    }
}

/* Memory that the program has from the allocator right behind what the library has. */
static void write_block(svs_strand *strand, void *argument) {
    const unsigned char *block = *(unsigned char **)argument;
    (void)strand;
    svs_check_write(block, 32);
}

static void write_blocks(svs_strand *strand, void *argument) {
    unsigned char **blocks = argument;
    for (int i = 0; i < 128; i++) {
        svs_async(strand, write_block, &blocks[i], sizeof blocks[i]);
        svs_async(strand, write_block, &blocks[i], sizeof blocks[i]);
    }
}

static void what_stands_beside_the_librarys_memory_races(void **state) {
    unsigned char *blocks[128];
    (void)state;
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

static void runs_that_follow_each_other_are_ordered(void **state) {
    (void)state;
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
static void meet(svs_strand *strand, void *argument) {
    meeting *m = argument;
    part p = {0, 8, 1, true};
    (void)svs__fetch_add_relaxed(&m->there, 1);
    while (svs__load_relaxed(&m->there) < 2) svs__yield();
    access_part(strand, &p);
}

static void *run_meeting(void *argument) {
    meeting *m = argument;
    (void)svs_async_run(m->runtime, meet, m);
    return NULL;
}

static void runs_at_once_are_not(void **state) {
    (void)state;
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

/* ---- bounds ---- */

static void touch_two(svs_strand *strand, void *argument) {
    part p = {0, 8, 1, false};
    (void)argument;
    for (int i = 0; i < 100; i++) svs_async(strand, access_part, &p, sizeof p);
}

static void iterate(svs_strand *strand, void *argument) {
    for (int i = 0; i < *(int *)argument; i++) {
        svs_finish(strand, touch_two, NULL);
        svs_check_write(memory, 8);
    }
}

static void what_has_ended_is_forgotten(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        int rounds = (int)scaled(1000, 100);
        options.max_bytes = (size_t)64 << 10; /* some 800 nodes */
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, iterate, &rounds), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        assert_int_equal(summary.lost, 0);
        assert_true(summary.collapses >= (uint64_t)rounds / 10);
        assert_true(summary.steps > (uint64_t)rounds * 100 && summary.nodes > summary.steps);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void what_does_not_fit_is_counted(void **state) {
    svs_runtime *runtime = started_as(SVS_HELP_FIRST, 2, 20);
    svs_check_options options = options_that_find();
    svs_check_summary summary;
    (void)state;
    options.max_bytes = 1;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    for (int i = 0; i < 4; i++) assert_int_equal(svs_async_run(runtime, touch_two, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_true(summary.lost != 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void misuse_is_refused(void **state) {
    svs_runtime *runtime = started_as(SVS_HELP_FIRST, 1, 20);
    svs_check_options options = options_that_find();
    svs_check_summary summary;
    (void)state;
    assert_int_equal(svs_check_start(NULL, NULL), SVS_E_INVALID);
    assert_int_equal(svs_check_stop(NULL, NULL), SVS_E_INVALID);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_E_INVALID);
    options.lca = SVS_CHECK_WALK + 1;
    assert_int_equal(svs_check_start(runtime, &options), SVS_E_INVALID);
    options = options_that_find();
    options.size--;
    assert_int_equal(svs_check_start(runtime, &options), SVS_E_INVALID);
    assert_int_equal(svs_check_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_check_start(runtime, NULL), SVS_E_BUSY);
    assert_int_equal(svs_runtime_free(runtime), SVS_E_BUSY);
    svs_check_write(memory, 8); /* not in a run: nothing happens */
    svs_check_summarize(runtime, &summary);
    assert_int_equal(summary.accesses, 0);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- odd addresses ---- */

/* Of two leaves of the shadow at least: of 4 MiB each. */
static _Alignas(64) unsigned char large[(size_t)5 << 20];

static void touch_large(svs_strand *strand, void *argument) {
    const bool write = *(bool *)argument;
    (void)strand;
    if (write) svs_check_write(large + 3, sizeof large - 8);
    else svs_check_read(large + 3, sizeof large - 8);
}

static void touch_large_twice(svs_strand *strand, void *argument) {
    bool write = true;
    (void)argument;
    svs_async(strand, touch_large, &write, sizeof write);
    write = false;
    svs_async(strand, touch_large, &write, sizeof write);
}

static _Atomic(uint64_t) racy_bytes;

static void count_bytes(const svs_check_race *race, void *argument) {
    (void)argument;
    (void)svs__fetch_add_relaxed(&racy_bytes, race->bytes);
}

static void what_spans_leaves_races_byte_for_byte(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_check_options options = options_that_find();
        options.found = count_bytes;
        options.compare = 0;
        svs__store_relaxed(&racy_bytes, 0);
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, touch_large_twice, NULL), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&racy_bytes), sizeof large - 8);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void touch_nowhere(svs_strand *strand, void *argument) {
    const uintptr_t beyond = (uintptr_t)1 << SVS__ADDRESS_BITS;
    (void)strand;
    (void)argument;
    svs_check_write((void *)beyond, 8);
    svs_check_write((void *)(beyond - 8), 16);
    svs_check_write((void *)UINTPTR_MAX, 2); /* around the end: nothing */
    svs_check_read(memory, 0);
    svs_check_alloc((void *)beyond, 8);
    svs_check_alloc((void *)UINTPTR_MAX, 2);
    svs_check_alloc(memory, 0);
}

static void addresses_that_no_program_has_are_passed_over(void **state) {
    svs_check_summary summary;
    (void)state;
    assert_int_equal(check_on(SVS_HELP_FIRST, touch_nowhere, NULL, &summary), 0);
    assert_int_equal(summary.lost, 0);
    assert_int_equal(svs__load_relaxed(&found_elsewhere), 0);
}

/* Two lives of some bytes, by two asyncs on one worker: only the bytes of the new life are new. */
typedef struct life {
    uint32_t from, bytes, first_from, first_bytes;
} life;

static void begin_life(svs_strand *strand, void *argument) {
    const life *l = argument;
    (void)strand;
    svs_check_alloc(memory + l->from, l->bytes);
    svs_check_write(memory + l->from, l->bytes);
}

static void write_first(svs_strand *strand, void *argument) {
    const life *l = argument;
    (void)strand;
    svs_check_write(memory + l->first_from, l->first_bytes);
}

static void live_twice(svs_strand *strand, void *argument) {
    svs_async(strand, write_first, argument, sizeof(life));
    svs_async(strand, begin_life, argument, sizeof(life));
}

static void exactly_the_bytes_of_a_new_life_are_new(void **state) {
    static const life lives[] = {
        {0, 64, 0, 64},   {0, 8, 0, 64},   {8, 16, 0, 64},  {3, 2, 0, 8},     {1, 3, 4, 4},
        {5, 3, 0, 4},     {4, 4, 0, 4},    {3, 20, 0, 64},  {60, 3, 0, 64},   {7, 1, 6, 1},
        {0, 4096, 0, 64}, {1, 14, 0, 128}, {64, 64, 0, 64}, {63, 66, 60, 10}, {16, 1, 24, 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) {
        life l = lives[i];
        svs_runtime *runtime = started_as(SVS_WORK_FIRST, 1, 20);
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        options.found = count_bytes;
        svs__store_relaxed(&racy_bytes, 0);
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, live_twice, &l), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(svs__load_relaxed(&racy_bytes), 0);
        assert_int_equal(summary.lost, 0);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void write_again(svs_strand *strand, void *argument) {
    const life *l = argument;
    svs_async(strand, write_first, argument, sizeof(life));
    svs_finish(strand, begin_life, argument);
    svs_check_write(memory + l->first_from, l->first_bytes);
}

static void the_bytes_beside_a_new_life_are_old(void **state) {
    static const life lives[] = {{0, 8, 0, 64}, {3, 2, 0, 8}, {1, 3, 4, 4}, {16, 32, 8, 48}};
    static const uint64_t old[] = {~UINT64_C(0xff), 0xe7, 0xf0,
                                   UINT64_C(0xff000000000000) | 0xff00};
    (void)state;
    for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) {
        life l = lives[i];
        svs_runtime *runtime = started_as(SVS_WORK_FIRST, 1, 20);
        svs_check_options options = options_that_find();
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, write_again, &l), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), old[i]);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void read_two_lives(svs_strand *strand, void *argument) {
    (void)strand;
    (void)argument;
    read_all();
    read_all();
    svs_check_alloc(memory, sizeof memory);
    read_all();
}

static void read_two_lives_then_write(svs_strand *strand, void *argument) {
    svs_async(strand, read_two_lives, argument, 0);
    write_byte(strand, NULL);
}

static void what_a_step_has_read_it_reads_anew_in_a_new_life(void **state) {
    svs_runtime *runtime = started_as(SVS_WORK_FIRST, 1, 20);
    svs_check_options options = options_that_find();
    (void)state;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, read_two_lives_then_write, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs__load_relaxed(&found_bytes), UINT64_C(1) << 45);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- the log ---- */

typedef struct heard {
    uint32_t lines, races;
} heard;

static void hear(int level, const char *text, void *argument) {
    heard *h = argument;
    h->lines++;
    if (level == SVS_LOG_ERROR && strstr(text, "svs: race: ") != NULL) h->races++;
    else if (level == SVS_LOG_ERROR && strncmp(text, "race: ", 6) == 0) h->races++;
}

static void race_often(svs_strand *strand, void *argument) {
    (void)argument;
    for (uint32_t i = 0; i < 40; i++) {
        pair p = {{{8 * i, 8, 1, true}, {8 * i, 8, 1, i % 2 == 0}}};
        svs_async(strand, access_part, &p.parts[0], sizeof p.parts[0]);
        svs_async(strand, access_part, &p.parts[1], sizeof p.parts[1]);
    }
}

static void what_nobody_asks_for_is_logged_sixteen_times(void **state) {
    svs_runtime_options logged;
    svs_check_summary summary;
    svs_runtime *runtime;
    heard h = {0, 0};
    (void)state;
    svs_runtime_options_init(&logged);
    logged.threads = 1;
    logged.log = hear;
    logged.log_argument = &h;
    runtime = started_with(&logged);
    assert_int_equal(svs_check_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_async_run(runtime, race_often, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(summary.races, 40);
    assert_int_equal(h.races, 16);
    assert_int_equal(h.lines, 16);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- from inside ---- */

static void stop_the_check(svs_strand *strand, void *argument) {
    svs_check_summary summary;
    svs_runtime *runtime = argument;
    (void)strand;
    svs_check_write(memory, 8);
    svs_check_ignore_end(); /* which nothing has begun */
    svs_check_write(memory + 8, 8);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_E_BUSY);
    svs_check_summarize(runtime, &summary);
    assert_true(summary.steps >= 1);
}

static void a_run_is_checked_to_its_end(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, stop_the_check, runtime), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(summary.accesses, 2);
        svs_check_summarize(runtime, NULL);
        svs_check_summarize(runtime, &summary); /* not checked any more */
        assert_int_equal(summary.accesses, 0);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
    svs_check_options_init(NULL);
    svs_check_ignore_begin(); /* outside of a run: nothing happens */
    svs_check_ignore_end();
}

/* Recursion that has more children than a deque, or the stacks, have room for. */
static void go_down(svs_strand *strand, void *argument) {
    uint32_t left = *(uint32_t *)argument;
    if (left-- == 0) svs_check_write(memory, 8);
    else svs_async(strand, go_down, &left, sizeof left);
}

static void spawn_many(svs_strand *strand, void *argument) {
    uint32_t none = 1;
    (void)argument;
    for (uint32_t i = 0; i < 9000; i++) svs_async(strand, go_down, &none, sizeof none);
}

static void go_deep(svs_strand *strand, void *argument) {
    svs_async(strand, go_down, argument, sizeof(uint32_t));
    svs_async(strand, go_down, argument, sizeof(uint32_t));
}

static void what_has_no_slot_is_called_and_still_checked(void **state) {
    svs_check_summary summary;
    (void)state;
    assert_int_equal(check_on(SVS_HELP_FIRST, spawn_many, NULL, &summary), 0xff);
    assert_int_equal(summary.lost + summary.merged, 0);
}

static void what_has_no_stack_is_called_and_still_checked(void **state) {
    svs_runtime_options few;
    svs_check_options options = options_that_find();
    svs_check_summary summary;
    svs_runtime *runtime;
    uint32_t depth = 30; /* of finishes, a stack bears as many again */
    (void)state;
    svs_runtime_options_init(&few);
    few.policy = SVS_WORK_FIRST;
    few.threads = 1;
    few.task_stacks = 16;
    runtime = started_with(&few);
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, go_deep, &depth), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(svs__load_relaxed(&found_bytes), 0xff);
    assert_int_equal(summary.lost, 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* A recursion that is not too deep without a check is not with one: whole, as far as each stack has
 * room for its finishes, and run all the same where it has not. */
static void a_deep_recursion_runs_to_its_end(void **state) {
    static const struct {
        uint32_t depth, stacks;
        bool whole;
    } cases[] = {{200, 16, true}, {2000, 16, false}, {4000, 4096, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        svs_runtime_options deep;
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        svs_runtime *runtime;
        uint32_t depth = cases[i].depth;
        svs_runtime_options_init(&deep);
        deep.policy = SVS_WORK_FIRST;
        deep.threads = 1;
        deep.task_stacks = cases[i].stacks;
        options.max_bytes = (size_t)1 << 30;
        runtime = started_with(&deep);
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, go_deep, &depth), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0xff);
        assert_int_equal(summary.lost, 0);
        assert_int_equal(summary.merged == 0, cases[i].whole);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* More at once than the tree has room for, in one finish, each to be remembered. */
static unsigned char wide_memory[4000 * 8];

static void write_eight(svs_strand *strand, void *argument) {
    (void)strand;
    svs_check_write(*(unsigned char **)argument, 8);
}

static void spawn_more_than_fit(svs_strand *strand, void *argument) {
    (void)argument;
    for (unsigned char *at = wide_memory; at != wide_memory + sizeof wide_memory; at += 8)
        svs_async(strand, write_eight, &at, sizeof at);
}

static void a_run_that_does_not_fit_runs_all_the_same(void **state) {
    (void)state;
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        options.max_bytes = (size_t)64 << 10;
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, spawn_more_than_fit, NULL), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        assert_true(summary.lost >= 1000 && summary.most_nodes <= 1000);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_bytes_that_both_touch_race),
        cmocka_unit_test(what_a_step_has_read_the_next_one_reads_anew),
        cmocka_unit_test(one_block_after_another_does_not_race_but_its_end_may),
        cmocka_unit_test(a_part_of_what_was_accessed_as_a_whole_has_a_life_of_its_own),
        cmocka_unit_test(a_stack_that_is_used_again_does_not_race),
        cmocka_unit_test(what_a_task_called_is_over_when_it_waits),
        cmocka_unit_test(no_bytes_are_no_access),
        cmocka_unit_test(a_parents_local_races_when_both_touch_it),
        cmocka_unit_test(what_is_ignored_is_not_looked_at),
        cmocka_unit_test(what_is_around_something_ignored_is_one_step),
        cmocka_unit_test(what_stands_beside_the_librarys_memory_races),
        cmocka_unit_test(runs_that_follow_each_other_are_ordered),
        cmocka_unit_test(runs_at_once_are_not),
        cmocka_unit_test(what_has_ended_is_forgotten),
        cmocka_unit_test(what_does_not_fit_is_counted),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(what_spans_leaves_races_byte_for_byte),
        cmocka_unit_test(addresses_that_no_program_has_are_passed_over),
        cmocka_unit_test(exactly_the_bytes_of_a_new_life_are_new),
        cmocka_unit_test(the_bytes_beside_a_new_life_are_old),
        cmocka_unit_test(what_a_step_has_read_it_reads_anew_in_a_new_life),
        cmocka_unit_test(what_nobody_asks_for_is_logged_sixteen_times),
        cmocka_unit_test(a_run_is_checked_to_its_end),
        cmocka_unit_test(what_has_no_slot_is_called_and_still_checked),
        cmocka_unit_test(what_has_no_stack_is_called_and_still_checked),
        cmocka_unit_test(a_deep_recursion_runs_to_its_end),
        cmocka_unit_test(a_run_that_does_not_fit_runs_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
