/* Finishes that wait for all of their asyncs, on any worker (worksteal.F1 to worksteal.F3,
 * worksteal.J1 to worksteal.J3), under both policies; parallel loops. */
#include "worksteal/finish.h"
#include "running.h"
#include <svs/async.h>

static const struct team {
    uint32_t policy, threads;
} teams[] = {{SVS_POLICY_HELP_FIRST, 1}, {SVS_POLICY_HELP_FIRST, 2}, {SVS_POLICY_HELP_FIRST, 8},
             {SVS_POLICY_WORK_FIRST, 1}, {SVS_POLICY_WORK_FIRST, 2}, {SVS_POLICY_WORK_FIRST, 8}};
#define EACH_TEAM(team_)                                                                           \
    for (const struct team *team_ = teams; team_ != teams + sizeof teams / sizeof *teams; team_++)

static svs_runtime *team_of(const struct team *team) {
    return started_as(team->policy, team->threads, 20);
}

typedef struct number {
    uint32_t n;
    uint64_t *value;
} number;

static void fib(svs_async_context *async, void *argument);

static void fib_of_both(svs_async_context *async, void *argument) {
    number *both = argument;
    svs_async(async, fib, &both[0], sizeof both[0]);
    fib(async, &both[1]);
}

static void fib(svs_async_context *async, void *argument) {
    const number *f = argument;
    uint64_t values[2];
    number both[2] = {{f->n - 1, &values[0]}, {f->n - 2, &values[1]}};
    if (f->n < 2) {
        *f->value = f->n;
        return;
    }
    svs_finish(async, fib_of_both, both);
    *f->value = values[0] + values[1];
}

static uint64_t fib_on(svs_runtime *runtime, uint32_t n) {
    uint64_t value = 0;
    number f = {n, &value};
    assert_int_equal(svs_async_run(runtime, fib, &f), SVS_OK);
    return value;
}

TEST_CASE(fib_is_the_same_for_each_team) {
    EACH_TEAM(team) {
        svs_runtime *runtime = team_of(team);
        assert_int_equal(fib_on(runtime, 25), 75025);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

TEST_CASE(something_is_stolen_in_the_end) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        svs_runtime *runtime = started_as(policy, 4, 20);
        uint32_t rounds = 0;
        while (steals_of(runtime) == 0 && rounds++ < 10000)
            assert_int_equal(fib_on(runtime, 22), 17711);
        print_message("%s: first steal in round %u\n", policy_name(policy), rounds);
        assert_true(steals_of(runtime) > 0);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* worksteal.D7. One child at a time and nothing else, so that nothing is taken back or dropped but
 * by the spawner, in its worker's deque. */
typedef struct theft {
    _Atomic(uint32_t) begun, by;
    svs__worker *spawner;
} theft;

static void note_thief(svs_async_context *async, void *argument) {
    theft *t = *(theft **)argument;
    svs__store_relaxed(&t->by, svs_async_worker(async));
    svs__store_release(&t->begun, 1);
}

static void wait_to_be_robbed(svs_async_context *async, void *argument) {
    theft *t = argument;
    t->spawner = async->worker;
    svs_async(async, note_thief, &t, sizeof t);
    while (!svs__load_acquire(&t->begun)) svs__yield();
}

TEST_CASE(a_stolen_child_ends_with_a_turn_of_its_thief) {
    svs_runtime *runtime = started(3, 20);
    for (uint64_t i = scaled(300, 20); i-- != 0;) {
        uint64_t before[3];
        theft t = {0};
        for (int w = 0; w < 3; w++) before[w] = svs__load_relaxed(&runtime->workers[w].deque.word);
        assert_int_equal(svs_async_run(runtime, wait_to_be_robbed, &t), SVS_OK);
        for (uint32_t w = 0; w < 3; w++) {
            uint64_t turns = (svs__load_relaxed(&runtime->workers[w].deque.word) - before[w]) >> 32;
            /* The spawner's own turn is that of its drop. */
            assert_int_equal(turns, w == t.by || &runtime->workers[w] == t.spawner);
        }
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

typedef struct many {
    uint32_t count;
    _Atomic(uint32_t) ran;
    uint32_t after_wait;
} many;

static void tick(svs_async_context *async, void *argument) {
    (void)svs__fetch_add_relaxed(&(*(many **)argument)->ran, 1);
}

static void spawn_all(svs_async_context *async, void *argument) {
    many *m = argument;
    for (uint32_t i = 0; i < m->count; i++) svs_async(async, tick, &m, sizeof m);
}

static void spawn_many(svs_async_context *async, void *argument) {
    many *m = argument;
    svs_finish(async, spawn_all, m);
    m->after_wait = svs__load_relaxed(&m->ran);
}

static void expect_all_to_run(const struct team *team, uint32_t count) {
    svs_runtime *runtime = team_of(team);
    many m = {count, 0, UINT32_MAX};
    assert_int_equal(svs_async_run(runtime, spawn_many, &m), SVS_OK);
    assert_int_equal(m.after_wait, m.count);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

TEST_CASE(more_children_than_slots_all_run) {
    EACH_TEAM(team) expect_all_to_run(team, 3 * SVS__DEQUE_CAPACITY + 5);
}

TEST_CASE(a_finish_without_children_ends_at_once) { EACH_TEAM(team) expect_all_to_run(team, 0); }

/* Children that spawn into the finish they came from, and end before those: the finish waits for
 * all. */
typedef struct chain {
    uint32_t length;
    _Atomic(uint32_t) ran;
    uint32_t after_wait;
} chain;

typedef struct chain_link {
    chain *of;
    uint32_t left;
} chain_link;

static void follow(svs_async_context *async, void *argument) {
    const chain_link *link = argument;
    chain_link next = {link->of, link->left - 1};
    (void)svs__fetch_add_relaxed(&link->of->ran, 1);
    if (link->left != 0) svs_async(async, follow, &next, sizeof next);
}

static void begin_chain(svs_async_context *async, void *argument) {
    chain_link first = {argument, ((chain *)argument)->length - 1};
    svs_async(async, follow, &first, sizeof first);
}

static void run_chain(svs_async_context *async, void *argument) {
    chain *c = argument;
    svs_finish(async, begin_chain, c);
    c->after_wait = svs__load_relaxed(&c->ran);
}

TEST_CASE(a_finish_waits_for_children_of_its_children) {
    EACH_TEAM(team) {
        svs_runtime *runtime = team_of(team);
        uint64_t rounds = scaled(300, 10);
        for (uint64_t i = 0; i < rounds; i++) {
            chain c = {.length = (uint32_t)scaled(1000, 100)};
            assert_int_equal(svs_async_run(runtime, run_chain, &c), SVS_OK);
            assert_int_equal(c.after_wait, c.length);
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

static void expect_loops_on(svs_runtime *runtime) {
    static const size_t counts[] = {0, 1, 2, 3, 64, 1000, 65537};
    static const size_t grains[] = {0, 1, 3, 64, 100000, SIZE_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t j = 0; j < sizeof grains / sizeof *grains; j++)
            expect_each_index_once(runtime, counts[i], grains[j]);
}

TEST_CASE(a_parallel_loop_covers_each_index_once) {
    expect_loops_on(NULL);
    EACH_TEAM(on) {
        svs_runtime *runtime = team_of(on);
        expect_loops_on(runtime);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
