/* Tests of the code that engines and benchmarks share. */
#include "case.h"

#include <stdatomic.h>
#include <string.h>

#include "common/clock.h"
#include "common/lock_table.h"
#include "common/numbers.h"
#include "common/parallel.h"
#include "common/random.h"

#define ITEMS 1000u

typedef struct visits {
    atomic_uint items[ITEMS];
    atomic_uint inside[8]; /* counters by worker */
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

TEST_CASE(each_item_is_visited_once) {
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

TEST_CASE(loops_follow_each_other) {
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

TEST_CASE(a_pool_without_threads_is_refused) {
    assert_null(parallel_pool_new(0));
    parallel_pool_free(NULL);
}

/* A native lock: a mutex of the C library. */
static void native_init(void *room) { pthread_mutex_init(room, NULL); }
static void native_clean_up(void *room) { pthread_mutex_destroy(room); }
static void native_acquire(void *room) { pthread_mutex_lock(room); }
static void native_release(void *room) { pthread_mutex_unlock(room); }
static const native_lock native = {"test", native_init, native_clean_up, native_acquire,
                                   native_release};
static_assert(sizeof(pthread_mutex_t) <= NATIVE_LOCK_ROOM, "it fits");

#define DATA 3u

typedef struct guarded {
    lock_table table;
    uint64_t counts[DATA];
    atomic_uint readers;
    atomic_bool wrong;
} guarded;

/* Locks two data at once, in either order; now and then they are only read. */
static void count_guarded(size_t begin, size_t end, unsigned worker, void *argument) {
    guarded *g = argument;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        size_t a = i % DATA, b = (i + i / DATA % 2 + 1) % DATA;
        bool look = i % 4 == 0;
        lock_pair held = lock_table_acquire_pair(&g->table, a, b, look);
        if (look) {
            uint64_t seen = g->counts[a] + g->counts[b];
            if (g->counts[a] + g->counts[b] != seen) atomic_store(&g->wrong, true);
        } else {
            g->counts[a]++;
            g->counts[b]++;
        }
        lock_pair_release(&held);
    }
}

TEST_CASE(locks_exclude) {
    parallel_pool *pool = parallel_pool_new(4);
    assert_non_null(pool);
    for (int form = LOCKS_PTHREAD; form < LOCKS_BEST; form++) {
        guarded g = {.counts = {0}};
        assert_true(lock_table_init(&g.table, DATA, (lock_form)form, &native));
        assert_int_equal((uintptr_t)lock_table_at(&g.table, 1) % 64, 0);
        parallel_for(pool, 100000, 10, count_guarded, &g);
        assert_false(atomic_load(&g.wrong));
        assert_int_equal(g.counts[0] + g.counts[1] + g.counts[2], 2 * 75000);
        lock_table_clean_up(&g.table);
    }
    parallel_pool_free(pool);
}

/* Reader-writer locks let readers in together: the second would wait for ever otherwise. */
TEST_CASE(readers_share) {
    lock_table table;
    assert_true(lock_table_init(&table, 2, LOCKS_RW, NULL));
    lock_pair one = lock_table_acquire_pair(&table, 0, 1, true);
    lock_pair other = lock_table_acquire_pair(&table, 1, 0, true);
    assert_ptr_equal(one.first, other.first);
    assert_false(padded_lock_rw_try(one.first, 1, false)); /* but no writer */
    lock_pair_release(&one);
    assert_false(padded_lock_rw_try(other.first, 1, false));
    lock_pair_release(&other);
    assert_true(padded_lock_rw_try(other.first, 1, false));
    assert_false(padded_lock_rw_try(other.first, LOCK_READER, true));
    padded_lock_release(other.first);
    lock_table_clean_up(&table);
}

/* Two data that share a stripe form a pair with one lock, which must not wait for itself. */
TEST_CASE(stripes_are_taken_once) {
    lock_table table;
    assert_true(lock_table_init(&table, 100000, LOCKS_STRIPED, NULL));
    assert_true(table.count >= 2 && table.count < 100000);
    lock_pair held = lock_table_acquire_pair(&table, 7, 7 + table.count, false);
    assert_null(held.second);
    lock_pair_release(&held);
    held = lock_table_acquire_pair(&table, 8, 7 + table.count, false);
    assert_ptr_equal(held.first, lock_table_at(&table, 7));
    assert_ptr_equal(held.second, lock_table_at(&table, 8));
    lock_pair_release(&held);
    lock_table_clean_up(&table);
    assert_true(lock_table_init(&table, 0, LOCKS_SPIN, NULL));
    lock_table_clean_up(&table);
}

TEST_CASE(whole_numbers_are_strict) {
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

TEST_CASE(doubles_are_strict) {
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
TEST_CASE(the_generator_is_splitmix64) {
    random_source r = {1234567};
    assert_true(random_next(&r) == UINT64_C(6457827717110365317));
    assert_true(random_next(&r) == UINT64_C(3203168211198807973));
    assert_true(random_next(&r) == UINT64_C(9817491932198370423));
}

TEST_CASE(draws_are_even) {
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

TEST_CASE(clocks_go_forward) {
    double wall = clock_wall_seconds(), cpu = clock_cpu_seconds();
    while (clock_cpu_seconds() == cpu) continue;
    assert_true(clock_wall_seconds() > wall);
    assert_true(clock_cpu_seconds() > cpu);
}

int main(void) { return run_cases(NULL, NULL); }
