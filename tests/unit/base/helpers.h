/* Helpers for the tests of the two lowest floors: loads that follow SVS_TEST_SCALE, threads that
 * run together, an allocator that fails on demand and counts live blocks.
 *
 * Assertions belong to the main thread: other threads record their results, and the test checks
 * them after these threads have ended. */
#ifndef SVS_TESTS_BASE_HELPERS_H
#define SVS_TESTS_BASE_HELPERS_H

#include "base/atomic.h"
#include "base/platform.h"
#include <svs/allocator.h>

#include "case.h"
#include "scale.h"

#define TEAM_MAX 16

/* Runs function(argument) in `count` threads and waits for them. */
static inline void team_run(int count, void *(*function)(void *), void *argument) {
    svs__thread threads[TEAM_MAX];
    assert_in_range(count, 1, TEAM_MAX);
    for (int i = 0; i < count; i++)
        assert_int_equal(svs__thread_create(&threads[i], function, argument, 0), SVS_OK);
    for (int i = 0; i < count; i++) svs__thread_join(&threads[i]);
}

/* An allocator over malloc. `argument` of its svs_allocator is one of these. */
typedef struct counting {
    _Atomic(uint64_t) calls;
    _Atomic(uint64_t) live;       /* blocks that were not freed */
    _Atomic(uint64_t) live_bytes; /* and their size */
    uint64_t fail_at;             /* the call that fails, from 1; 0: none */
    _Atomic(uint32_t) last_worker;
} counting;

static inline void *counting_allocate(size_t size, size_t alignment, uint32_t worker,
                                      void *argument) {
    counting *c = argument;
    svs__store_relaxed(&c->last_worker, worker);
    if (svs__fetch_add_relaxed(&c->calls, 1) + 1 == c->fail_at) return NULL;
    (void)svs__fetch_add_relaxed(&c->live, 1);
    (void)svs__fetch_add_relaxed(&c->live_bytes, size);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static inline void counting_release(void *memory, size_t size, size_t alignment, uint32_t worker,
                                    void *argument) {
    counting *c = argument;
    (void)svs__fetch_sub_relaxed(&c->live, 1);
    (void)svs__fetch_sub_relaxed(&c->live_bytes, size);
    free(memory);
}

static inline svs_allocator counting_allocator(counting *c) {
    return (svs_allocator){counting_allocate, counting_release, c};
}

#endif
