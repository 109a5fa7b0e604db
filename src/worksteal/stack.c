#include "worksteal/stack.h"
#include "base/check.h"
#include "base/platform.h"
#include "base/process.h"
#include "base/program.h"
#include <string.h>
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) ((void)(low), (void)(high))
#endif

/* A stack's size is rounded down to a multiple of this unit, so that the svs__stack at its end is
 * aligned. */
#define SVS__STACK_UNIT 4096u

void svs__stacks_init(svs__stacks *stacks, size_t bytes, uint32_t max, uint32_t workers) {
    uint32_t share = max / (2 * workers);
    memset(stacks, 0, sizeof *stacks);
    stacks->process = svs__process_forks;
    stacks->bytes = bytes / SVS__STACK_UNIT * SVS__STACK_UNIT;
    stacks->max = max;
    stacks->reserve = max / 4;
    stacks->cached = share == 0 ? 1 : share < SVS__STACK_CACHE ? share : SVS__STACK_CACHE;
}

void svs__stacks_clean_up(svs__stacks *stacks) {
    svs__stack *stack = stacks->free;
    uint32_t count = 0;
    while (stack != NULL) {
        svs__stack *next = stack->next;
        svs__place_clean_up(&stack->place);
        svs__stack_unmap(stack->low, stacks->bytes);
        stack = next;
        count++;
    }
    SVS__CHECK(count == stacks->made); /* worksteal.T1 */
    stacks->free = NULL;
    stacks->made = stacks->pooled = 0;
}

static svs__stack *make(svs__stacks *stacks) {
    char *low = svs__stack_map(stacks->bytes);
    svs__stack *stack;
    if (low == NULL) return NULL;
    stack = (svs__stack *)(low + stacks->bytes - sizeof *stack);
    memset(stack, 0, sizeof *stack);
    stack->low = low;
    stack->async.own = stack->slots + SVS__RECORDS; /* nothing is popped inline */
    svs__place_init(&stack->place, low, stacks->bytes);
    (void)VALGRIND_STACK_REGISTER(low, stack);
    return stack;
}

/* Is this a process forked from the one that made the pool (worksteal.T4)? */
static bool is_forked(const svs__stacks *stacks) { return stacks->process != svs__process_forks; }

/* Takes a stack of the pool, or maps a new one. The caller holds the pool's lock. @return as
 * svs__stack_refill(). */
static svs_status take(svs__stacks *stacks, bool urgent, svs__stack **taken) {
    svs__stack *stack = stacks->free;
    if (stacks->made - stacks->pooled + (urgent ? 0 : stacks->reserve) >= stacks->max)
        return SVS_E_LIMIT;
    if (stack != NULL) {
        stacks->free = stack->next;
        stacks->pooled--;
    } else {
        stack = make(stacks);
        if (stack == NULL) return SVS_E_NO_MEMORY;
        stacks->made++;
    }
    *taken = stack;
    return SVS_OK;
}

svs_status svs__stack_refill(svs__stacks *stacks, svs__stack_cache *cache, bool urgent) {
    uint32_t count = urgent ? 1 : (stacks->cached + 3) / 4;
    svs_status status = SVS_OK;
    SVS__ASSERT(cache->count == 0);
    if (is_forked(stacks)) return SVS_E_LIMIT;
    svs__lock_acquire(&stacks->lock);
    while (cache->count < count && status == SVS_OK) {
        status = take(stacks, urgent, &cache->free[cache->count]);
        cache->count += status == SVS_OK;
    }
    /* [worksteal.T3] relaxed is enough: idle workers read it as a hint. */
    if (urgent) svs__store_relaxed(&stacks->wanted, status == SVS_E_LIMIT);
    svs__lock_release(&stacks->lock);
    svs__program_receive(); /* base.E2: comes after what last ran on a stack of the pool */
    return cache->count != 0 ? SVS_OK : status;
}

static void give_back(svs__stacks *stacks, svs__stack_cache *cache, uint32_t count) {
    if (is_forked(stacks)) {
        cache->count -= count;
        return;
    }
    svs__program_publish();
    svs__lock_acquire(&stacks->lock);
    while (count-- != 0) {
        svs__stack *stack = cache->free[--cache->count];
        stack->next = stacks->free;
        stacks->free = stack;
        stacks->pooled++;
    }
    svs__lock_release(&stacks->lock);
}

void svs__stack_spill(svs__stacks *stacks, svs__stack_cache *cache) {
    give_back(stacks, cache, (stacks->cached + 1) / 2);
}

void svs__stack_return_all(svs__stacks *stacks, svs__stack_cache *cache) {
    if (cache->count != 0) give_back(stacks, cache, cache->count);
}

bool svs__stack_is_full(const svs__stack *stack) {
    return (size_t)((char *)__builtin_frame_address(0) - stack->low) < SVS__STACK_FULL;
}
