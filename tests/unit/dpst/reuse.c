/* The same memory again, of the heap and of stacks: lives that follow each other do not race. */
#include "checked.h"
#include "dpst/calls.h"
#include <sys/mman.h>
#include <unistd.h>

/* ---- lives ---- */

static void use_block(svs_async_context *async, void *argument) {
    for (uint32_t size = 8; size <= 4096; size *= 8) { /* all get the same block */
        svs_check_alloc(memory, size);
        svs_check_write(memory, size);
        svs_check_free(memory, size);
    }
}

static void use_blocks(svs_async_context *async, void *argument) {
    for (int i = 0; i < 8; i++) svs_async(async, use_block, NULL, 0);
}

static void free_it(svs_async_context *async, void *argument) { svs_check_free(memory, 8); }

static void free_and_use(svs_async_context *async, void *argument) {
    svs_check_write(memory, 8);
    svs_async(async, free_it, NULL, 0);
    svs_check_read(memory, 8);
}

TEST_CASE(one_block_after_another_does_not_race_but_its_end_may) {
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

static void write_and_renew(svs_async_context *async, void *argument) {
    const part *p = argument;
    svs_check_write(memory, sizeof memory);
    svs__check_allocated(memory + p->from, p->bytes); /* by no step */
}

static void renew_then_read(svs_async_context *async, void *argument) {
    const part *p = argument;
    svs_async(async, write_and_renew, p, sizeof *p);
    svs_check_read(memory, 64);
}

TEST_CASE(a_part_of_what_was_accessed_as_a_whole_has_a_life_of_its_own) {
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
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        part renewed = cases[i].renewed;
        /* Under this policy a lone worker runs the child first. */
        svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, 1, 20);
        svs_check_options options = options_that_find();
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, renew_then_read, &renewed), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), cases[i].racy);
    }
}

static void use_stack(svs_async_context *async, void *argument) {
    volatile unsigned char local[256];
    for (uint32_t i = 0; i < sizeof local; i++) {
        svs_check_write((const void *)&local[i], 1);
        local[i] = (unsigned char)i;
    }
}

static void use_stacks(svs_async_context *async, void *argument) {
    for (int i = 0; i < 16; i++) {
        svs_async(async, use_stack, NULL, 0);
        use_stack(async, argument);
    }
}

TEST_CASE(a_stack_that_is_used_again_does_not_race) {
    EACH_POLICY(policy) {
        assert_int_equal(check_on(policy, use_stacks, NULL, NULL), 0);
        assert_int_equal(svs__load_relaxed(&found_elsewhere), 0);
    }
}

/* As compilers pass arguments: the check does not see the writes. */
static void read_stack(svs_async_context *async, void *argument) {
    volatile unsigned char local[256];
    for (uint32_t i = 0; i < sizeof local; i++) {
        local[i] = (unsigned char)i;
        svs_check_read((const void *)&local[i], 1);
    }
}

static void read_behind_calls(svs_async_context *async, void *argument) {
    svs_async(async, read_stack, NULL, 0);
    use_stack(async, argument);
}

TEST_CASE(calls_of_a_task_have_ended_when_it_waits) {
    EACH_POLICY(policy) {
        assert_int_equal(check_on(policy, read_behind_calls, NULL, NULL), 0);
        assert_int_equal(svs__load_relaxed(&found_elsewhere), 0);
    }
}

/* Two lives of some bytes, by two asyncs on one worker: only the bytes of the new life are new. */
typedef struct life {
    uint32_t from, bytes, first_from, first_bytes;
} life;

static void begin_life(svs_async_context *async, void *argument) {
    const life *l = argument;
    svs_check_alloc(memory + l->from, l->bytes);
    svs_check_write(memory + l->from, l->bytes);
}

static void write_first(svs_async_context *async, void *argument) {
    const life *l = argument;
    svs_check_write(memory + l->first_from, l->first_bytes);
}

static void live_twice(svs_async_context *async, void *argument) {
    svs_async(async, write_first, argument, sizeof(life));
    svs_async(async, begin_life, argument, sizeof(life));
}

TEST_CASE(exactly_the_bytes_of_a_new_life_are_new) {
    static const life lives[] = {
        {0, 64, 0, 64},   {0, 8, 0, 64},   {8, 16, 0, 64},  {3, 2, 0, 8},     {1, 3, 4, 4},
        {5, 3, 0, 4},     {4, 4, 0, 4},    {3, 20, 0, 64},  {60, 3, 0, 64},   {7, 1, 6, 1},
        {0, 4096, 0, 64}, {1, 14, 0, 128}, {64, 64, 0, 64}, {63, 66, 60, 10}, {16, 1, 24, 8},
    };
    for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) {
        life l = lives[i];
        svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, 1, 20);
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

static void write_again(svs_async_context *async, void *argument) {
    const life *l = argument;
    svs_async(async, write_first, argument, sizeof(life));
    svs_finish(async, begin_life, argument);
    svs_check_write(memory + l->first_from, l->first_bytes);
}

TEST_CASE(the_bytes_beside_a_new_life_are_old) {
    static const life lives[] = {{0, 8, 0, 64}, {3, 2, 0, 8}, {1, 3, 4, 4}, {16, 32, 8, 48}};
    static const uint64_t old[] = {~UINT64_C(0xff), 0xe7, 0xf0,
                                   UINT64_C(0xff000000000000) | 0xff00};
    for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) {
        life l = lives[i];
        svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, 1, 20);
        svs_check_options options = options_that_find();
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, write_again, &l), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), old[i]);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- a stack of the runtime in the place of memory that the program has given back ---- */

#define STACK ((size_t)64 << 10) /* bytes of a task's stack, which has a guard page below */

/* The program gives it back, and the system maps the next stack there. */
static struct {
    char *memory;
    size_t bytes;
    bool given_back, met; /* a task's stack has lain there */
} hole;

void *__real_svs__stack_map(size_t bytes);
void *__wrap_svs__stack_map(size_t bytes);

void *__wrap_svs__stack_map(size_t bytes) {
    size_t guard = hole.bytes - STACK;
    if (!hole.given_back || bytes != STACK) return __real_svs__stack_map(bytes);
    hole.given_back = false;
    return hole.memory + guard;
}

static void write_hole(svs_async_context *async, void *argument) {
    svs_check_write(hole.memory, hole.bytes);
}

/* Each on a stack of its own, while those that have spawned it are suspended. */
static void read_own_stack(svs_async_context *async, void *argument) {
    char own[64] = {0};
    int deeper = *(const int *)argument - 1;
    hole.met |= own >= hole.memory && own < hole.memory + hole.bytes;
    svs_check_read(own, sizeof own);
    svs_check_read(argument, sizeof(int));
    if (deeper) svs_async(async, read_own_stack, &deeper, sizeof deeper);
}

static void use_hole(svs_async_context *async, void *argument) {
    int depth = 8; /* more stacks than are mapped at first */
    svs_async(async, write_hole, NULL, 0);
    hole.given_back = true;
    svs_async(async, read_own_stack, &depth, sizeof depth);
}

TEST_CASE(a_new_stack_does_not_race_with_what_was_in_its_place) {
    svs_runtime *runtime;
    svs_runtime_options options;
    svs_check_options check = options_that_find();
    svs_runtime_options_init(&options);
    options.threads = 1;
    options.policy = SVS_POLICY_WORK_FIRST;
    options.task_stacks = 16; /* so that few are mapped at a time */
    options.task_stack_bytes = STACK;
    assert_int_equal(svs_runtime_new(&options, &runtime), SVS_OK);
    assert_int_equal(svs_runtime_start(runtime), SVS_OK);
    assert_int_equal(svs_check_start(runtime, &check), SVS_OK);
    hole.bytes = STACK + (size_t)sysconf(_SC_PAGESIZE);
    hole.memory =
        mmap(NULL, hole.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(hole.memory != MAP_FAILED);
    assert_int_equal(svs_async_run(runtime, use_hole, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_true(hole.met);
    assert_int_equal(svs__load_relaxed(&found_elsewhere), 0);
}

int main(void) { return run_cases(NULL, NULL); }
