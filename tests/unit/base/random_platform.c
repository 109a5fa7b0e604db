/* Random numbers; threads, futexes, the clock. */
#include "base/random.h"
#include "helpers.h"

TEST_CASE(a_seed_repeats_its_sequence) {
    svs__random a, b, c;
    int alike = 0;
    svs__random_seed(&a, 42);
    svs__random_seed(&b, 42);
    svs__random_seed(&c, 43);
    for (int i = 0; i < 1000; i++) {
        uint64_t next = svs__random_next(&a);
        assert_true(next == svs__random_next(&b));
        alike += next == svs__random_next(&c);
    }
    assert_int_equal(alike, 0);
}

/* The published first values for seed 0. */
TEST_CASE(it_is_splitmix64) {
    svs__random random;
    svs__random_seed(&random, 0);
    assert_true(svs__random_next(&random) == 0xe220a8397b1dcdafu);
    assert_true(svs__random_next(&random) == 0x6e789e6aa1b965f4u);
    assert_true(svs__random_next(&random) == 0x06c45d188009454fu);
}

TEST_CASE(below_stays_below_and_is_even) {
    svs__random random;
    uint32_t hits[10] = {0};
    svs__random_seed(&random, 7);
    for (int i = 0; i < 100000; i++) hits[svs__random_below(&random, 10)]++;
    /* 10,000 each; the standard deviation is 95. */
    for (int i = 0; i < 10; i++) assert_in_range(hits[i], 9500, 10500);
    for (int i = 0; i < 100; i++) assert_int_equal(svs__random_below(&random, 1), 0);
    assert_int_equal(svs__random_below(&random, 0), 0);
    for (int i = 0; i < 100; i++) assert_true(svs__random_below(&random, UINT32_MAX) < UINT32_MAX);
}

static void *stack_user(void *argument) {
    volatile char room[100000];
    room[0] = 1;
    room[sizeof room - 1] = 1;
    *(uint32_t *)argument = svs__thread_index();
    svs__thread_index_set(17);
    return NULL;
}

static void *nothing(void *argument) { return argument; }

TEST_CASE(a_thread_runs_with_the_stack_that_it_asks_for) {
    static const size_t stacks[] = {0, 1, 300001, 1 << 20};
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) {
        svs__thread thread;
        uint32_t index = 0;
        /* One byte means the system's least, which holds no 100,000 bytes: that thread shall only
         * start and end. */
        if (stacks[i] == 1) {
            assert_int_equal(svs__thread_create(&thread, nothing, NULL, 1), SVS_OK);
            svs__thread_join(&thread);
            continue;
        }
        assert_int_equal(svs__thread_create(&thread, stack_user, &index, stacks[i]), SVS_OK);
        svs__thread_join(&thread);
        assert_true(index == UINT32_MAX);
    }
    assert_true(svs__thread_index() == UINT32_MAX);
}

TEST_CASE(a_thread_that_cannot_be_is_a_status) {
    svs__thread thread;
    assert_int_equal(svs__thread_create(&thread, stack_user, NULL, SIZE_MAX / 2), SVS_E_THREAD);
    assert_int_equal(svs__thread_create(&thread, stack_user, NULL, SIZE_MAX), SVS_E_THREAD);
}

typedef struct ball {
    _Atomic(uint32_t) word;
    uint32_t rounds;
    uint32_t hits; /* plain: the word hands it over */
} ball;

static void *pong(void *argument) {
    ball *b = argument;
    for (uint32_t i = 0; i < b->rounds; i++) {
        while (svs__load_acquire(&b->word) != 1) svs__futex_wait(&b->word, 0);
        b->hits++;
        svs__store_release(&b->word, 0);
        svs__futex_wake(&b->word, 1);
    }
    return NULL;
}

TEST_CASE(a_futex_hands_over) {
    ball b = {0};
    svs__thread thread;
    b.rounds = (uint32_t)scaled(20000, 500);
    assert_int_equal(svs__thread_create(&thread, pong, &b, 0), SVS_OK);
    for (uint32_t i = 0; i < b.rounds; i++) {
        assert_int_equal(b.hits, i);
        svs__store_release(&b.word, 1);
        svs__futex_wake(&b.word, 1);
        while (svs__load_acquire(&b.word) != 0) svs__futex_wait(&b.word, 1);
    }
    svs__thread_join(&thread);
    assert_int_equal(b.hits, b.rounds);
}

TEST_CASE(a_futex_with_another_value_does_not_sleep) {
    _Atomic(uint32_t) word = 1;
    svs__futex_wait(&word, 2);
}

TEST_CASE(the_clock_never_goes_back) {
    uint64_t last = svs__time_ns(), first = last;
    for (int i = 0; i < 1000; i++) {
        uint64_t now = svs__time_ns();
        assert_true(now >= last);
        last = now;
    }
    assert_true(last > first);
    assert_true(svs__cpu_count() >= 1);
}

int main(void) { return run_cases(NULL, NULL); }
