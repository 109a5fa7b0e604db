/* svs__lock: one holder at a time, with spinning and sleeping waiters; each holder sees the writes
 * of the last. */
#include "base/lock.h"
#include "helpers.h"

TEST_CASE(zero_is_free_and_try_fails_while_it_is_held) {
    svs__lock lock = SVS__LOCK_INIT;
    assert_true(svs__lock_try(&lock));
    assert_false(svs__lock_try(&lock));
    svs__lock_release(&lock);
    svs__lock_acquire(&lock);
    assert_false(svs__lock_try(&lock));
    svs__lock_release(&lock);
    assert_true(svs__lock_try(&lock));
}

typedef struct shared {
    svs__lock lock;
    uint64_t a, b; /* plain: only the lock guards them */
    _Atomic(uint32_t) inside, met, held;
    uint64_t rounds;
    bool dawdle; /* hold it longer than others spin, so that they sleep */
} shared;

static void *count_under_lock(void *argument) {
    shared *s = argument;
    for (uint64_t i = 0; i < s->rounds; i++) {
        if (i % 7 != 3) svs__lock_acquire(&s->lock);
        else
            while (!svs__lock_try(&s->lock)) svs__yield();
        if (svs__fetch_add_relaxed(&s->inside, 1) != 0) svs__store_relaxed(&s->met, 1);
        s->a++;
        if (s->dawdle) svs__yield();
        s->b = s->a;
        (void)svs__fetch_sub_relaxed(&s->inside, 1);
        svs__lock_release(&s->lock);
    }
    return NULL;
}

static void count(int threads, uint64_t rounds, bool dawdle) {
    shared s = {0};
    s.rounds = rounds;
    s.dawdle = dawdle;
    team_run(threads, count_under_lock, &s);
    assert_int_equal(s.met, 0);
    assert_int_equal(s.a, rounds * (uint64_t)threads);
    assert_int_equal(s.b, s.a);
    assert_true(svs__lock_try(&s.lock));
}

TEST_CASE(one_holder_at_a_time) { count(4, scaled(200000, 2000), false); }

TEST_CASE(one_holder_at_a_time_when_others_sleep) { count(8, scaled(10000, 500), true); }

static void *sleep_for_lock(void *argument) {
    shared *s = argument;
    (void)svs__fetch_add_release(&s->held, 1);
    svs__lock_acquire(&s->lock);
    s->a++;
    svs__lock_release(&s->lock);
    return NULL;
}

/* All of them have made the word 2 and sleep, or will see it; the release must wake one, and that
 * one's the next. */
TEST_CASE(a_release_wakes_sleepers_one_after_the_other) {
    shared s = {0};
    svs__thread threads[4];
    svs__lock_acquire(&s.lock);
    for (int i = 0; i < 4; i++)
        assert_int_equal(svs__thread_create(&threads[i], sleep_for_lock, &s, 0), SVS_OK);
    while (svs__load_acquire(&s.held) < 4 || svs__load_relaxed(&s.lock.word) != 2) svs__yield();
    assert_int_equal(s.a, 0);
    svs__lock_release(&s.lock);
    for (int i = 0; i < 4; i++) svs__thread_join(&threads[i]);
    assert_int_equal(s.a, 4);
}

int main(void) { return run_cases(NULL, NULL); }
