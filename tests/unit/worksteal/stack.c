/* The pool of stacks in a forked process (worksteal.T4): a worker of the parent held its lock at
 * the fork. */
#include "worksteal/stack.h"
#include "../base/helpers.h"
#include "base/process.h"

#include <unistd.h>

#define STACKS 8u
#define WORKERS 2u
#define HANG_SECONDS 20u

/* A pool with two of its stacks in `cache`, as the child of a fork sees it while its lock is
 * held. */
static void open_forked(svs__stacks *stacks, svs__stack_cache *cache) {
    svs__stacks_init(stacks, 64 * 1024, STACKS, WORKERS);
    memset(cache, 0, sizeof *cache);
    assert_int_equal(svs__stack_refill(stacks, cache, false), SVS_OK);
    svs__lock_acquire(&stacks->lock);
    stacks->process = svs__process_forks + 1;
    (void)alarm(HANG_SECONDS);
}

static void close_forked(svs__stacks *stacks, svs__stack *const *used, uint32_t count) {
    (void)alarm(0);
    stacks->process = svs__process_forks;
    svs__lock_release(&stacks->lock);
    for (uint32_t i = 0; i < count; i++) {
        svs__stack_cache one = {{used[i]}, 1};
        svs__stack_return_all(stacks, &one);
    }
    svs__stacks_clean_up(stacks);
}

TEST_CASE(a_forked_process_returns_stacks_without_the_lock) {
    svs__stacks stacks;
    svs__stack_cache cache;
    svs__stack *used[SVS__STACK_CACHE];
    uint32_t count;
    open_forked(&stacks, &cache);
    count = cache.count;
    memcpy(used, cache.free, sizeof used);
    svs__stack_return_all(&stacks, &cache);
    assert_int_equal(cache.count, 0);
    close_forked(&stacks, used, count);
}

TEST_CASE(a_forked_process_finds_no_stack) {
    svs__stacks stacks;
    svs__stack_cache cache, empty = {{NULL}, 0};
    open_forked(&stacks, &cache);
    assert_int_equal(svs__stack_refill(&stacks, &empty, true), SVS_E_LIMIT);
    assert_int_equal(empty.count, 0);
    close_forked(&stacks, cache.free, cache.count);
}

int main(void) { return run_cases(NULL, NULL); }
