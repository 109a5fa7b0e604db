/* Thefts of asyncs, under both policies (worksteal.F1 to worksteal.F3, worksteal.J1 to
 * worksteal.J3), and parallel loops. tests/unit/async has finishes of all shapes. */
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
    svs__store_relaxed(&t->by, svs_worker_index());
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
