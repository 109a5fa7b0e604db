/* Child tasks: scopes that wait for all of theirs, whoever ran them (F1 to F3), and parallel
 * loops. */
#include "running.h"

static const uint32_t team_sizes[] = {1, 2, 8};
#define EACH_TEAM(threads)                                                                         \
    for (uint32_t at = 0, threads = team_sizes[0];                                                 \
         at < sizeof team_sizes / sizeof *team_sizes && (threads = team_sizes[at], true); at++)

typedef struct number {
    uint32_t n;
    uint64_t value;
} number;

static void fib(svs__worker *worker, void *argument) {
    number *f = argument, left = {f->n - 1, 0}, right = {f->n - 2, 0};
    svs__finish finish;
    if (f->n < 2) {
        f->value = f->n;
        return;
    }
    svs__finish_init(&finish, worker);
    svs__spawn(worker, &finish, fib, &left);
    fib(worker, &right);
    svs__finish_wait(worker, &finish);
    f->value = left.value + right.value;
}

static void fib_is_the_same_for_each_team(void **state) {
    (void)state;
    EACH_TEAM(threads) {
        svs_runtime *runtime = started(threads, 20);
        number f = {25, 0};
        assert_int_equal(run_on(runtime, fib, &f), SVS_OK);
        assert_int_equal(f.value, 75025);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void children_are_stolen_in_the_end(void **state) {
    svs_runtime *runtime = started(4, 20);
    uint32_t rounds = 0;
    uint64_t turns = 0;
    (void)state;
    while (steals_of(runtime) == 0 && rounds++ < 10000) {
        number f = {22, 0};
        assert_int_equal(run_on(runtime, fib, &f), SVS_OK);
        assert_int_equal(f.value, 17711);
    }
    /* D7: each child that was stolen ended with a turn of its thief's deque. */
    for (uint32_t i = 0; i < 4; i++)
        turns += svs__load_relaxed(&runtime->workers[i].deque.word) >> 32;
    assert_int_equal(turns, steals_of(runtime));
    print_message("first steal in round %u\n", rounds);
    assert_true(steals_of(runtime) > 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

typedef struct many {
    uint32_t count;
    _Atomic(uint32_t) ran;
    uint32_t after_wait;
} many;

static void tick(svs__worker *worker, void *argument) {
    (void)worker;
    (void)svs__fetch_add_relaxed(&((many *)argument)->ran, 1);
}

static void spawn_many(svs__worker *worker, void *argument) {
    many *m = argument;
    svs__finish finish;
    svs__finish_init(&finish, worker);
    for (uint32_t i = 0; i < m->count; i++) svs__spawn(worker, &finish, tick, m);
    svs__finish_wait(worker, &finish);
    m->after_wait = svs__load_relaxed(&m->ran);
}

static void more_children_than_slots_all_run(void **state) {
    (void)state;
    EACH_TEAM(threads) {
        svs_runtime *runtime = started(threads, 20);
        many m = {3 * SVS__DEQUE_CAPACITY + 5, 0, 0};
        assert_int_equal(run_on(runtime, spawn_many, &m), SVS_OK);
        assert_int_equal(m.after_wait, m.count);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void a_scope_without_children_ends_at_once(void **state) {
    svs_runtime *runtime = started(1, 20);
    many m = {0};
    (void)state;
    assert_int_equal(run_on(runtime, spawn_many, &m), SVS_OK);
    assert_int_equal(m.after_wait, 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* Children that spawn into the scope they came from, and end before those: the scope waits for
 * all. */
typedef struct chain {
    svs__finish *finish;
    struct chain_link {
        struct chain *of;
        uint32_t left;
    } links[1000];
    _Atomic(uint32_t) ran;
    uint32_t after_wait;
} chain;

static void follow(svs__worker *worker, void *argument) {
    struct chain_link *link = argument, *next = link + 1;
    (void)svs__fetch_add_relaxed(&link->of->ran, 1);
    if (link->left == 0) return;
    *next = (struct chain_link){link->of, link->left - 1};
    svs__spawn(worker, link->of->finish, follow, next);
}

static void begin_chain(svs__worker *worker, void *argument) {
    chain *c = argument;
    svs__finish finish;
    svs__finish_init(&finish, worker);
    c->finish = &finish;
    c->links[0] = (struct chain_link){c, 999};
    svs__spawn(worker, &finish, follow, &c->links[0]);
    svs__finish_wait(worker, &finish);
    c->after_wait = svs__load_relaxed(&c->ran);
}

static void a_scope_waits_for_children_of_its_children(void **state) {
    (void)state;
    EACH_TEAM(threads) {
        svs_runtime *runtime = started(threads, 20);
        uint64_t rounds = scaled(300, 10);
        for (uint64_t i = 0; i < rounds; i++) {
            chain c = {0};
            assert_int_equal(run_on(runtime, begin_chain, &c), SVS_OK);
            assert_int_equal(c.after_wait, 1000);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

typedef struct range {
    size_t count, grain;
    unsigned char *hits; /* plain: an index belongs to one call */
    _Atomic(uint32_t) too_long;
} range;

static void mark(size_t begin, size_t end, void *argument) {
    range *r = argument;
    size_t most = r->grain == 0 ? 1 : r->grain;
    if (end - begin > most || end <= begin) svs__store_relaxed(&r->too_long, 1);
    for (size_t i = begin; i < end; i++) r->hits[i]++;
}

static void loop(svs__worker *worker, void *argument) {
    range *r = argument;
    svs__parallel_for(worker, r->count, r->grain, mark, r);
}

static void expect_each_index_once(svs_runtime *runtime, size_t count, size_t grain) {
    range r = {count, grain, calloc(count + 1, 1), 0};
    if (runtime == NULL) loop(NULL, &r);
    else assert_int_equal(run_on(runtime, loop, &r), SVS_OK);
    for (size_t i = 0; i < count; i++) assert_int_equal(r.hits[i], 1);
    assert_int_equal(r.hits[count], 0);
    assert_int_equal(r.too_long, 0);
    free(r.hits);
}

static void a_parallel_loop_covers_each_index_once(void **state) {
    static const size_t counts[] = {0, 1, 2, 3, 64, 1000, 65537};
    static const size_t grains[] = {0, 1, 3, 64, 100000, SIZE_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t j = 0; j < sizeof grains / sizeof *grains; j++) {
            expect_each_index_once(NULL, counts[i], grains[j]);
            EACH_TEAM(threads) {
                svs_runtime *runtime = started(threads, 20);
                expect_each_index_once(runtime, counts[i], grains[j]);
                assert_int_equal(svs_runtime_free(runtime), SVS_OK);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fib_is_the_same_for_each_team),
        cmocka_unit_test(children_are_stolen_in_the_end),
        cmocka_unit_test(more_children_than_slots_all_run),
        cmocka_unit_test(a_scope_without_children_ends_at_once),
        cmocka_unit_test(a_scope_waits_for_children_of_its_children),
        cmocka_unit_test(a_parallel_loop_covers_each_index_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
