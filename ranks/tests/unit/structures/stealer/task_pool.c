/* The pool of a rank's tasks, under random puts and takes of both orders, compared with a plain
 * list; and the networks between ranks. */
#include "structures/stealer/task_pool.h"
#include "base/random.h"
#include "case.h"
#include "structures/stealer/network.h"
#include <string.h>

/* ---- memory that can fail ---- */

static int live, fail_from = -1;

static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)worker, (void)argument;
    if (fail_from == 0) return NULL;
    if (fail_from > 0) fail_from--;
    live++;
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)size, (void)alignment, (void)worker, (void)argument;
    live--;
    free(memory);
}

static const svs_allocator allocator = {allocate, release, NULL};

/* ---- the pool ---- */

enum { TASKS = 500 };

typedef struct model {
    svs__task_pooled_task *there[TASKS];
    uint32_t count;
} model;

static bool moves_before(const svs__task_pooled_task *one, const svs__task_pooled_task *other) {
    uint64_t one_work = svs__task_pool_work(one), other_work = svs__task_pool_work(other);
    if (one->moved != other->moved) return one->moved > other->moved;
    if (one->moved) return false;
    return ((uint64_t)one->hint.migration << 32) / one_work <
           ((uint64_t)other->hint.migration << 32) / other_work;
}

static bool precedes(const svs__task_pooled_task *one, const svs__task_pooled_task *other,
                     int order) {
    return order == SVS__TASK_FIRST ? one->hint.priority > other->hint.priority
                                    : moves_before(one, other);
}

static void put(svs__task_pool *pool, model *expected, svs__random *random, uint32_t number) {
    svs__task_pooled_task *task = svs__task_pool_new(pool);
    assert_non_null(task);
    task->hint = (svs_stealer_hint){(int64_t)svs__random_below(random, 5) - 2,
                                    svs__random_below(random, 4), svs__random_below(random, 4)};
    if (svs__random_below(random, 20) == 0) task->hint.priority = INT64_MIN;
    if (svs__random_below(random, 20) == 0) task->hint.migration = UINT32_MAX;
    task->moved = svs__random_below(random, 4) == 0;
    task->bytes = sizeof number;
    memcpy(task->data, &number, sizeof number);
    svs__task_pool_put(pool, task);
    expected->there[expected->count++] = task;
}

static void take(svs__task_pool *pool, model *expected, int order) {
    const svs__task_pooled_task *looked = svs__task_pool_look(pool, order);
    svs__task_pooled_task *task = svs__task_pool_take(pool, order);
    uint32_t at = expected->count;
    assert_ptr_equal(looked, task);
    if (expected->count == 0) {
        assert_null(task);
        return;
    }
    for (uint32_t i = 0; i < expected->count; i++) {
        if (expected->there[i] == task) at = i;
        else assert_false(precedes(expected->there[i], task, order));
    }
    assert_true(at < expected->count);
    expected->there[at] = expected->there[--expected->count];
    svs__task_pool_free(pool, task);
}

TEST_CASE(tasks_are_taken_once_and_in_both_orders) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        svs__random random;
        svs__task_pool pool;
        model expected = {.count = 0};
        svs__random_seed(&random, seed);
        svs__task_pool_init(&pool, &allocator, 4 + (uint32_t)seed * 300);
        for (uint32_t i = 0; i < 4000; i++) {
            bool fills = i / 500 % 2 == 0;
            uint64_t work = 0;
            if (svs__random_below(&random, 3) == (fills ? 0 : 1) && expected.count < TASKS)
                take(&pool, &expected, (int)svs__random_below(&random, 2));
            else if (fills && expected.count < TASKS) put(&pool, &expected, &random, i);
            else take(&pool, &expected, (int)svs__random_below(&random, 2));
            for (uint32_t k = 0; k < expected.count; k++)
                work += svs__task_pool_work(expected.there[k]);
            assert_true(pool.work == work && pool.count == expected.count);
        }
        svs__task_pool_clean_up(&pool);
        assert_int_equal(live, 0);
    }
}

TEST_CASE(without_memory_no_task_is_made_and_none_is_lost) {
    for (int from = 0; from < 4; from++) {
        svs__random random;
        svs__task_pool pool;
        model expected = {.count = 0};
        svs__random_seed(&random, 1);
        svs__task_pool_init(&pool, &allocator, 30000);
        fail_from = -1;
        for (uint32_t i = 0; i < 4; i++) put(&pool, &expected, &random, i); /* of one slab */
        fail_from = from;
        if (svs__task_pool_new(&pool) == NULL) assert_true(from < 3);
        fail_from = -1;
        while (expected.count != 0) take(&pool, &expected, SVS__TASK_FIRST);
        assert_non_null(svs__task_pool_new(&pool));
        svs__task_pool_clean_up(&pool);
        assert_int_equal(live, 0);
    }
}

/* ---- networks ---- */

static bool are_neighbours(svs_stealer_network kind, uint32_t one, uint32_t other, uint32_t ranks) {
    uint32_t bits = one ^ other;
    switch (kind) {
    case SVS_STEALER_RING: return (one + 1) % ranks == other || (other + 1) % ranks == one;
    case SVS_STEALER_CROSSBAR: return true;
    default: return (bits & (bits - 1)) == 0;
    }
}

TEST_CASE(networks_have_the_neighbours_of_their_name) {
    static const svs_stealer_network kinds[] = {SVS_STEALER_RING, SVS_STEALER_HYPERCUBE,
                                                SVS_STEALER_CROSSBAR};
    for (uint32_t ranks = 1; ranks < 40; ranks++)
        for (uint32_t rank = 0; rank < ranks; rank++)
            for (int k = 0; k < 3; k++) {
                svs__network network;
                char fault[160];
                assert_int_equal(svs__network_init(&network, &allocator, rank, ranks,
                                                   svs__network_function(kinds[k]), NULL, fault,
                                                   sizeof fault),
                                 SVS_OK);
                for (uint32_t to = 0; to < ranks; to++) {
                    bool found = svs__network_find(&network, to) != network.count;
                    assert_int_equal(found,
                                     to != rank && are_neighbours(kinds[k], rank, to, ranks));
                }
                svs__network_clean_up(&network, &allocator);
                assert_int_equal(live, 0);
            }
}

/* The links of a graph, one bit for each. */
static uint32_t of_bits(uint32_t rank, uint32_t ranks, uint32_t which, void *argument) {
    const uint32_t *rows = argument;
    for (uint32_t to = 0; to < 32; to++)
        if ((rows[rank] >> to & 1) != 0 && which-- == 0) return to;
    (void)ranks;
    return SVS_STEALER_ANY;
}

static void expect_fault(uint32_t *rows, uint32_t ranks, const char *text) {
    svs__network network;
    char fault[160] = "";
    svs_status status =
        svs__network_init(&network, &allocator, 0, ranks, of_bits, rows, fault, sizeof fault);
    svs__network_clean_up(&network, &allocator);
    assert_int_equal(status, text == NULL ? SVS_OK : SVS_E_INVALID);
    if (text != NULL) assert_non_null(strstr(fault, text));
    assert_int_equal(live, 0);
}

TEST_CASE(a_network_that_is_not_symmetric_or_connected_is_refused) {
    expect_fault((uint32_t[]){2, 5, 2}, 3, NULL);
    expect_fault((uint32_t[]){2, 5, 0}, 3, "not symmetric: rank 1 names rank 2");
    expect_fault((uint32_t[]){2, 1, 8, 4}, 4, "not connected: no path leads from rank 0 to rank 2");
    expect_fault((uint32_t[]){2, 1, 0}, 3, "no path leads from rank 0 to rank 2");
    expect_fault((uint32_t[]){3, 1}, 2, "neighbour 0 of rank 0 is rank 0");
    expect_fault((uint32_t[]){2, 1 | 8}, 2, "neighbour 1 of rank 1 is rank 3");
}

TEST_CASE(a_network_without_memory_is_reported) {
    for (fail_from = 0; fail_from < 4; fail_from++) {
        uint32_t rows[] = {2, 5, 2};
        svs__network network = {0};
        char fault[160];
        int from = fail_from;
        svs_status status =
            svs__network_init(&network, &allocator, 1, 3, of_bits, rows, fault, sizeof fault);
        assert_int_equal(status, from < 3 ? SVS_E_NO_MEMORY : SVS_OK);
        fail_from = from;
        svs__network_clean_up(&network, &allocator);
        assert_int_equal(live, 0);
    }
    fail_from = -1;
}

int main(void) { return run_cases(NULL, NULL); }
