/* The macros of base/atomic.h: each does what its name says, on types of each width, and to all
 * threads. */
#include "helpers.h"

TEST_CASE(loads_and_stores) {
    _Atomic(uint64_t) word = 1;
    _Atomic(void *) pointer = NULL;
    svs__store_relaxed(&word, 2);
    assert_int_equal(svs__load_relaxed(&word), 2);
    svs__store_release(&word, 3);
    assert_int_equal(svs__load_acquire(&word), 3);
    svs__store_seq(&word, UINT64_MAX);
    assert_true(svs__load_seq(&word) == UINT64_MAX);
    svs__store_release(&pointer, &word);
    assert_ptr_equal(svs__load_acquire(&pointer), &word);
}

TEST_CASE(exchanges_return_the_old_value) {
    _Atomic(uint16_t) word = 7;
    uint16_t expected = 7, next = 8;
#define CASE(order)                                                                                \
    assert_int_equal(svs__exchange_##order(&word, next), expected);                                \
    expected = next++;
    CASE(relaxed);
    CASE(acquire);
    CASE(release);
    CASE(seq);
#undef CASE
    assert_int_equal(svs__load_relaxed(&word), 11);
}

TEST_CASE(fetches_return_the_old_value) {
    _Atomic(uint32_t) word = 0;
#define CASE(operation, order, by, after)                                                          \
    svs__store_relaxed(&word, 0x0f);                                                               \
    assert_int_equal(svs__fetch_##operation##_##order(&word, by), 0x0f);                           \
    assert_int_equal(svs__load_relaxed(&word), after);
    CASE(add, relaxed, 2, 0x11);
    CASE(add, release, 2, 0x11);
    CASE(add, acq_rel, 2, 0x11);
    CASE(add, seq, 2, 0x11);
    CASE(sub, relaxed, 1, 0x0e);
    CASE(sub, release, 1, 0x0e);
    CASE(sub, acq_rel, 1, 0x0e);
    CASE(sub, seq, 1, 0x0e);
    CASE(or, relaxed, 0x101, 0x10f);
    CASE(or, release, 0x101, 0x10f);
    CASE(and, relaxed, 0x103, 0x03);
#undef CASE
}

TEST_CASE(compare_exchange_changes_only_what_it_expects) {
    _Atomic(uint64_t) word = 5;
    uint64_t expected;
#define CASE(weak_order, strong_order)                                                             \
    svs__store_relaxed(&word, 5);                                                                  \
    expected = 4;                                                                                  \
    assert_false(svs__cas_strong_##strong_order(&word, &expected, 9));                             \
    assert_int_equal(expected, 5);                                                                 \
    assert_true(svs__cas_strong_##strong_order(&word, &expected, 6));                              \
    expected = 5;                                                                                  \
    assert_false(svs__cas_weak_##weak_order(&word, &expected, 9));                                 \
    while (!svs__cas_weak_##weak_order(&word, &expected, 7)) assert_int_equal(expected, 6);        \
    assert_int_equal(svs__load_relaxed(&word), 7);
    CASE(relaxed, relaxed);
    CASE(acquire, acquire);
    CASE(release, relaxed);
    CASE(acq_rel, acq_rel);
#undef CASE
}

TEST_CASE(a_fence_changes_nothing) {
    _Atomic(uint32_t) word = 3;
    svs__fence_seq(&word);
    assert_int_equal(svs__load_relaxed(&word), 3);
}

/* Two threads, each: write its own, fence, read the other's. Both reading the old values is what
 * the fence forbids. */
typedef struct dekker {
    _Atomic(uint32_t) flag[2];
    _Atomic(uint32_t) seen[2];
    _Atomic(uint32_t) seats, arrived, both_missed;
    uint32_t rounds;
} dekker;

static void meet(dekker *d, uint32_t count) {
    (void)svs__fetch_add_acq_rel(&d->arrived, 1);
    for (uint32_t tries = 0; svs__load_acquire(&d->arrived) < count; tries++) {
        if (tries > 1000) svs__yield();
        else svs__relax();
    }
}

static void *dekker_run(void *argument) {
    dekker *d = argument;
    uint32_t me = svs__fetch_add_relaxed(&d->seats, 1);
    for (uint32_t round = 1; round <= d->rounds; round++) {
        meet(d, 4 * round - 2);
        svs__store_relaxed(&d->flag[me], round);
        svs__fence_seq(&d->flag[me]);
        svs__store_relaxed(&d->seen[me], svs__load_relaxed(&d->flag[1 - me]));
        meet(d, 4 * round);
        if (svs__load_relaxed(&d->seen[0]) != round && svs__load_relaxed(&d->seen[1]) != round)
            svs__store_relaxed(&d->both_missed, round);
    }
    return NULL;
}

TEST_CASE(a_fence_lets_one_of_two_see_the_other) {
    dekker d = {0};
    d.rounds = (uint32_t)scaled(100000, 1000);
    team_run(2, dekker_run, &d);
    assert_int_equal(d.both_missed, 0);
}

int main(void) { return run_cases(NULL, NULL); }
