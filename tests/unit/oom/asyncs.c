/* Out of memory under asyncs: from some allocation on all fail, the system's stacks included, for
 * the first, the second, the third ... allocation of a run.
 *
 * A run then answers SVS_OK or SVS_E_NO_MEMORY, and always comes back. What it has begun is
 * complete, but for asyncs that found no stack; with memory the next run is whole; and nothing is
 * lost: the allocator counts. */
#include "../async/support.h"
#include <errno.h>
#include <stdlib.h>
#include <svs/retain.h>
#include <sys/mman.h>

/* ---- memory that ends ---- */

static _Atomic(uint32_t) ends; /* 1: after `left` more allocations there is none */
static _Atomic(uint64_t) left;
static _Atomic(uint64_t) refused;
static _Atomic(uint64_t) blocks; /* allocated now */

static bool is_refused(void) {
    uint64_t were;
    if (!svs__load_relaxed(&ends)) return false;
    were = svs__load_relaxed(&left);
    while (were != 0)
        if (svs__cas_weak_relaxed(&left, &were, were - 1)) return false;
    (void)svs__fetch_add_relaxed(&refused, 1);
    return true;
}

static void end_after(uint64_t allocations) {
    svs__store_relaxed(&refused, 0);
    svs__store_relaxed(&left, allocations);
    svs__store_relaxed(&ends, 1);
}

static void end_no_more(void) { svs__store_relaxed(&ends, 0); }

static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    void *block =
        is_refused() ? NULL : svs__allocator_libc.allocate(size, alignment, worker, argument);
    if (block != NULL) (void)svs__fetch_add_relaxed(&blocks, 1);
    return block;
}

static void release(void *block, size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)svs__fetch_sub_relaxed(&blocks, 1);
    svs__allocator_libc.release(block, size, alignment, worker, argument);
}

/* The stacks of tasks are the system's. */
void *__real_mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset) {
    if (is_refused()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return __real_mmap(at, bytes, access, flags, file, offset);
}

static heard told;

static svs_runtime *start(uint32_t policy, uint32_t threads) {
    svs_runtime_options options = options_that_tell(policy, threads, &told);
    svs_runtime *runtime;
    told.errors = 0;
    options.allocator = (svs_allocator){allocate, release, NULL};
    options.task_stack_bytes = 65536;
    assert_int_equal(svs_runtime_new(&options, &runtime), SVS_OK);
    assert_int_equal(svs_runtime_start(runtime), SVS_OK);
    return runtime;
}

static void end(svs_runtime *runtime) {
    end_no_more();
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_int_equal(svs__load_relaxed(&blocks), 0);
}

/* ---- a tree, with arguments of every length ---- */

#define DEPTH 6
#define NODES ((1u << (DEPTH + 1)) - 1)

typedef struct call {
    _Atomic(uint64_t) *count;
    uint32_t depth;
    char more[300]; /* of which an async copies some: in its slot, or in a block of its own */
} call;

static void visit(svs_async_context *async, void *argument) {
    const call *c = argument;
    (void)svs__fetch_add_relaxed(c->count, 1);
    svs__yield(); /* others get something to steal */
    for (int i = 0; i < 2 && c->depth != 0; i++) {
        call below = {c->count, c->depth - 1, {0}};
        svs_async(async, visit, &below, i == 0 ? offsetof(call, more) : sizeof below);
    }
}

static void root(svs_async_context *async, void *argument) {
    call c = {argument, DEPTH, {0}};
    visit(async, &c);
}

typedef svs_status run_function(svs_runtime *runtime, svs_retained *retained,
                                svs_async_function *function, void *argument);

static svs_status run_plain(svs_runtime *runtime, svs_retained *retained,
                            svs_async_function *function, void *argument) {
    return svs_async_run(runtime, function, argument);
}

static svs_status run_retained(svs_runtime *runtime, svs_retained *retained,
                               svs_async_function *function, void *argument) {
    return svs_retained_run(retained, function, argument);
}

/* ---- lives ---- */

/* So many times in a row that nothing failed end it: what is allocated differs with the timing. */
#define QUIET 4

/* Something is kept of an iteration, if chance will have it. */
static void keep_something(svs_retained *retained) {
    svs_retained_statistics kept = {0};
    for (int i = 0; i < 50 && kept.fragments == 0; i++) {
        _Atomic(uint64_t) count = 0;
        assert_int_equal(svs_retained_run(retained, root, &count), SVS_OK);
        assert_int_equal(svs_retained_statistics_get(retained, &kept), SVS_OK);
    }
}

/* The memory ends at the n-th allocation of a run. @return whether any was refused. */
static bool live(uint32_t policy, run_function *run, uint64_t n) {
    svs_runtime *runtime = start(policy, 4);
    svs_retained *retained;
    _Atomic(uint64_t) count = 0;
    svs_status status;
    bool failed;
    assert_int_equal(svs_retained_new(runtime, &retained), SVS_OK);
    if (run == run_retained) keep_something(retained);
    end_after(n);
    status = run(runtime, retained, root, &count);
    end_no_more();
    failed = svs__load_relaxed(&refused) != 0;
    if (status != SVS_OK) {
        assert_int_equal(status, SVS_E_NO_MEMORY);
        assert_true(failed);
    }
    /* No stack here is ever full: all has run, or not even the root, which is told. */
    if (count != NODES) {
        assert_int_equal(count, 0);
        assert_int_equal(status, SVS_E_NO_MEMORY);
        assert_int_equal(told.errors, 1);
        assert_non_null(strstr(told.last, "no memory for a stack of a task"));
    }
    count = 0;
    assert_int_equal(run(runtime, retained, root, &count), SVS_OK);
    assert_int_equal(count, NODES);
    svs_ignore(svs_retained_free(retained));
    end(runtime);
    return failed;
}

static void each_in_turn(uint32_t policy, run_function *run) {
    uint64_t n = 0;
    uint32_t quiet = 0;
    for (; quiet < QUIET && n < scaled(200, 20); n++) quiet = live(policy, run, n) ? 0 : quiet + 1;
    assert_true(n > QUIET); /* it did fail some */
}

TEST_CASE(help_first_runs_come_back) { each_in_turn(SVS_POLICY_HELP_FIRST, run_plain); }
TEST_CASE(work_first_runs_come_back) { each_in_turn(SVS_POLICY_WORK_FIRST, run_plain); }
TEST_CASE(retained_help_first_runs_come_back) { each_in_turn(SVS_POLICY_HELP_FIRST, run_retained); }
TEST_CASE(retained_work_first_runs_come_back) { each_in_turn(SVS_POLICY_WORK_FIRST, run_retained); }

/* ---- a recursion that needs a stack ---- */

typedef struct descent {
    uint32_t depth;
    uint32_t *reached;
} descent;

static void descend(svs_async_context *async, void *argument);
static void go_down(svs_async_context *async, void *argument) {
    svs_async(async, descend, argument, sizeof(descent));
}
static void descend(svs_async_context *async, void *argument) {
    descent *d = argument, below = {d->depth - 1, d->reached};
    ++*d->reached;
    if (d->depth != 0) svs_finish(async, go_down, &below);
}

TEST_CASE(a_deep_recursion_without_memory_is_told_so) {
    svs_runtime *runtime = start(SVS_POLICY_WORK_FIRST, 1);
    uint32_t reached = 0;
    descent d = {20000, &reached};
    end_after(8); /* stacks */
    assert_int_equal(svs_async_run(runtime, descend, &d), SVS_E_NO_MEMORY);
    end_no_more();
    assert_in_range(reached, 8, d.depth - 1);
    assert_int_equal(told.errors, 1);
    assert_non_null(strstr(told.last, "no memory for another stack of 65536 bytes"));
    reached = 0;
    assert_int_equal(svs_async_run(runtime, descend, &d), SVS_OK);
    assert_int_equal(reached, d.depth + 1);
    end(runtime);
}

int main(void) { return run_cases(NULL, NULL); }
