/* What the engines and benchmarks are compared by must itself be right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/numbers.h"
#include "common/padded_lock.h"
#include "common/parallel.h"
#include "common/random.h"

#define ITEMS 1000u

typedef struct visits {
    atomic_uint items[ITEMS];
    atomic_uint inside[8]; /* by worker */
    unsigned threads;
    size_t chunk;
    atomic_bool wrong;
} visits;

static void visit(size_t begin, size_t end, unsigned worker, void *argument) {
    visits *v = argument;
    if (worker >= v->threads || begin >= end || (v->chunk && end - begin > v->chunk) ||
        atomic_fetch_add(&v->inside[worker], 1)) {
        atomic_store(&v->wrong, true);
        return;
    }
    for (size_t i = begin; i < end; i++) atomic_fetch_add(&v->items[i], 1);
    atomic_fetch_sub(&v->inside[worker], 1);
}

static void each_item_is_visited_once(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        parallel_pool *pool = parallel_pool_new(threads);
        assert_non_null(pool);
        assert_int_equal(parallel_pool_threads(pool), threads);
        for (size_t count = 0; count <= ITEMS; count = count * 3 + 1) {
            for (size_t chunk = 0; chunk < 50; chunk = chunk * 7 + 1) {
                visits v = {.threads = threads, .chunk = chunk};
                parallel_for(pool, count, chunk, visit, &v);
                assert_false(atomic_load(&v.wrong));
                for (size_t i = 0; i < ITEMS; i++)
                    assert_int_equal(atomic_load(&v.items[i]), i < count);
            }
        }
        parallel_pool_free(pool);
    }
}

typedef struct plain_sum {
    uint64_t by_worker[4]
                      [8]; /* a cache line each; not atomic: the end of the loop must publish it */
} plain_sum;

static void add_up(size_t begin, size_t end, unsigned worker, void *argument) {
    plain_sum *s = argument;
    for (size_t i = begin; i < end; i++) s->by_worker[worker][0] += i;
}

static void loops_follow_each_other(void **state) {
    (void)state;
    parallel_pool *pool = parallel_pool_new(4);
    plain_sum s = {0};
    assert_non_null(pool);
    for (uint64_t round = 1; round <= 2000; round++) {
        parallel_for(pool, 100, 9, add_up, &s);
        uint64_t sum = 0;
        for (int i = 0; i < 4; i++) sum += s.by_worker[i][0];
        assert_int_equal(sum, round * 4950);
    }
    parallel_pool_free(pool);
}

static void a_pool_without_threads_is_refused(void **state) {
    (void)state;
    assert_null(parallel_pool_new(0));
    parallel_pool_free(NULL);
}

typedef struct guarded {
    padded_lock *lock;
    uint64_t count;
} guarded;

static void count_guarded(size_t begin, size_t end, unsigned worker, void *argument) {
    guarded *g = argument;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        padded_lock_acquire(g->lock);
        g->count++;
        padded_lock_release(g->lock);
    }
}

static void locks_exclude(void **state) {
    (void)state;
    parallel_pool *pool = parallel_pool_new(4);
    assert_non_null(pool);
    for (int kind = LOCK_PTHREAD; kind <= LOCK_SPIN; kind++) {
        guarded g = {.lock = padded_locks_new(3, (lock_kind)kind)};
        assert_non_null(g.lock);
        assert_int_equal((uintptr_t)&g.lock[1] % 64, 0);
        parallel_for(pool, 100000, 10, count_guarded, &g);
        assert_int_equal(g.count, 100000);
        padded_locks_free(g.lock, 3);
    }
    parallel_pool_free(pool);
}

static void whole_numbers_are_strict(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "-1",
                                      "0x1",
                                      "1e3",
                                      "1.0",
                                      "x",
                                      "4",
                                      "101",
                                      "18446744073709551616",
                                      "99999999999999999999999"};
    char error[NUMBER_ERROR];
    uint64_t value = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error[0] = 0;
        assert_false(number_unsigned(bad[i], 5, 100, &value, error));
        assert_int_equal(value, 7);
        assert_non_null(strstr(error, "is not a whole number from 5 to 100"));
    }
    assert_true(number_unsigned("5", 5, 100, &value, error) && value == 5);
    assert_true(number_unsigned("100", 5, 100, &value, error) && value == 100);
    assert_true(number_unsigned("18446744073709551615", 0, UINT64_MAX, &value, error) &&
                value == UINT64_MAX);
}

static void doubles_are_strict(void **state) {
    (void)state;
    static const char *const bad[] = {"",    " 1",    "1 ",   "1e", "e1",    "nan",
                                      "inf", "0x1p3", "1..2", "-2", "1e400", "1,5"};
    char error[NUMBER_ERROR];
    double value = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error[0] = 0;
        assert_false(number_double(bad[i], -1, 1e9, &value, error));
        assert_true(value == 7);
        assert_non_null(strstr(error, "is not a number from -1 to 1e+09"));
    }
    assert_true(number_double("2.5e3", -1, 1e9, &value, error) && value == 2500);
    assert_true(number_double("-.5", -1, 1e9, &value, error) && value == -0.5);
}

/* The published first outputs of splitmix64. */
static void the_generator_is_splitmix64(void **state) {
    (void)state;
    random_source r = {1234567};
    assert_true(random_next(&r) == UINT64_C(6457827717110365317));
    assert_true(random_next(&r) == UINT64_C(3203168211198807973));
    assert_true(random_next(&r) == UINT64_C(9817491932198370423));
}

static void draws_are_even(void **state) {
    (void)state;
    unsigned drawn[2][10] = {{0}};
    random_source r = {1};
    for (unsigned i = 0; i < 100000; i++) {
        drawn[0][random_below(&r, 10)]++;
        drawn[1][(unsigned)(random_unit_of(random_hash(1, i / 300, i % 300)) * 10)]++;
    }
    /* A share is 10,000 with a deviation of 95. */
    for (int i = 0; i < 10; i++) {
        assert_in_range(drawn[0][i], 9500, 10500);
        assert_in_range(drawn[1][i], 9500, 10500);
    }
}

static void clocks_go_forward(void **state) {
    (void)state;
    double wall = clock_wall_seconds(), cpu = clock_cpu_seconds();
    while (clock_cpu_seconds() == cpu) continue;
    assert_true(clock_wall_seconds() > wall);
    assert_true(clock_cpu_seconds() > cpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_is_visited_once),
        cmocka_unit_test(loops_follow_each_other),
        cmocka_unit_test(a_pool_without_threads_is_refused),
        cmocka_unit_test(locks_exclude),
        cmocka_unit_test(whole_numbers_are_strict),
        cmocka_unit_test(doubles_are_strict),
        cmocka_unit_test(the_generator_is_splitmix64),
        cmocka_unit_test(draws_are_even),
        cmocka_unit_test(clocks_go_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
