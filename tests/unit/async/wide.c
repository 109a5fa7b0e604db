/* Loops of asyncs and rows of finishes without end, and bodies that go on on other workers, with
 * more finishes to wait for than a stack has room for; and workers that are asked meanwhile. */
#include "support.h"
#include "worksteal/workfirst.h"
#include <sched.h>

/* A loop of a million asyncs in one finish, and as many finishes in a row. */
typedef struct loop {
    uint32_t count;
    _Atomic(uint32_t) ran;
    uint32_t early;
} loop;

static void tick(svs_async_context *async, void *argument) {
    (void)svs__fetch_add_relaxed(&(*(loop **)argument)->ran, 1);
}

static void spawn_all(svs_async_context *async, void *argument) {
    loop *l = argument;
    for (uint32_t i = 0; i < l->count; i++) svs_async(async, tick, &l, sizeof l);
}

static void spawn_one(svs_async_context *async, void *argument) {
    svs_async(async, tick, &argument, sizeof argument);
}

static void loop_both_ways(svs_async_context *async, void *argument) {
    loop *l = argument;
    svs_finish(async, spawn_all, l);
    if (svs__load_relaxed(&l->ran) != l->count) l->early++;
    for (uint32_t i = 1; i <= l->count; i++) {
        svs_finish(async, spawn_one, l);
        if (svs__load_relaxed(&l->ran) != l->count + i) l->early++;
    }
}

TEST_CASE(loops_have_no_end) {
    EACH_TEAM(on) {
        svs_runtime *runtime = team_of(on);
        loop l = {.count = (uint32_t)scaled(1000000, 10000)};
        assert_int_equal(svs_async_run(runtime, loop_both_ways, &l), SVS_OK);
        assert_int_equal(l.ran, 2 * l.count);
        assert_int_equal(l.early, 0);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* A child that goes on when its spawner has, on another worker; unless it was called in place. It
 * spawns over and over while it waits, as a worker looks for steal requests when it spawns. */
typedef struct parting {
    svs_async_context *spawner;
    _Atomic(uint32_t) went_on;
} parting;

static void nothing(svs_async_context *async, void *argument) {}

static void spawn_nothing(svs_async_context *async, void *argument) {
    svs_async(async, nothing, &argument, sizeof argument);
}

static void stay_behind(svs_async_context *async, parting *p) {
    while (async != p->spawner && !svs__load_acquire(&p->went_on)) {
        (void)sched_yield();
        svs_finish(async, spawn_nothing, NULL);
    }
}

SVS_ASYNC_VOID(stay_typed, (parting *, p)) { stay_behind(SVS_ASYNC_CONTEXT(), p); }
static void stay_generic(svs_async_context *async, void *argument) {
    stay_behind(async, *(parting **)argument);
}

/* A thief has stolen the continuation of a child of each frame on the stack, until there are more
 * than the records have room for. */
SVS_ASYNC_FUNCTION(uint32_t, part_in_each, (uint32_t, left)) {
    parting p = {SVS_ASYNC_CONTEXT(), 0};
    uint32_t before = svs_worker_index(), parted = 0;
    SVS_ASYNC(stay_typed, &p);
    svs__store_release(&p.went_on, 1);
    if (svs_worker_index() != before) parted = 1;
    if (left != 0) parted += SVS_CALL(part_in_each, left - 1);
    SVS_SYNC(stay_typed);
    return parted;
}

typedef struct partings {
    uint32_t left, parted;
} partings;

static void part_typed(svs_async_context *async, void *argument) {
    partings *all = argument;
    all->parted = SVS_CALL_ON(async, part_in_each, all->left);
}

typedef struct part_frame {
    partings *all;
    parting p;
    uint32_t left;
} part_frame;

static void part_generic(svs_async_context *async, void *argument);

static void part_inside(svs_async_context *async, void *argument) {
    part_frame *f = argument;
    parting *p = &f->p;
    partings below = {f->left - 1, 0};
    uint32_t before = svs_worker_index();
    svs_async(async, stay_generic, &p, sizeof p);
    svs__store_release(&p->went_on, 1);
    if (svs_worker_index() != before) f->all->parted++;
    if (f->left == 0) return;
    part_generic(async, &below);
    f->all->parted += below.parted;
}

static void part_generic(svs_async_context *async, void *argument) {
    partings *all = argument;
    part_frame f = {all, {async, 0}, all->left};
    svs_finish(async, part_inside, &f);
}

TEST_CASE(a_stack_bears_more_finishes_than_records) {
    static svs_async_function *const ways[] = {part_typed, part_generic};
    for (uint32_t threads = 2; threads <= 8; threads *= 2) {
        svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, threads, 20);
        for (int way = 0; way < 2; way++)
            for (uint64_t i = scaled(20, 5); i-- != 0;) {
                partings all = {3 * SVS__RECORDS, 0};
                assert_int_equal(svs_async_run(runtime, ways[way], &all), SVS_OK);
                /* Each body that had room went on on another worker. */
                assert_in_range(all.parted, SVS__RECORDS - 1, 3 * SVS__RECORDS);
            }
        assert_true(steals_of(runtime) >= SVS__RECORDS);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- steal requests ---- */

/* Spawns a child that does nothing after the worker was asked. @return whether it has answered. */
static bool answers(svs_async_context *async) {
    const svs__worker *worker = svs__worker_self();
    svs__deque *deque = (svs__deque *)&worker->deque;
    uint64_t asked = svs__deque_ask(deque);
    svs_async(async, nothing, NULL, 0);
    return svs__load_relaxed(&deque->word) != asked;
}

typedef struct question {
    uint32_t depth, answered, in_place;
} question;

#define TIMES 40u

/* Below `depth` children with a continuation each. */
static void ask_below(svs_async_context *async, void *argument) {
    question *q = *(question **)argument;
    if (q->depth != 0) {
        q->depth--;
        svs_async(async, ask_below, &q, sizeof q);
        return;
    }
    for (uint32_t i = 0; i < TIMES; i++) {
        uint32_t left = svs__deque_left(&svs__worker_self()->deque);
        q->answered += answers(async);
        q->in_place += svs__deque_left(&svs__worker_self()->deque) == left;
    }
}

static void ask_work_first(svs_async_context *async, void *argument) {
    ask_below(async, &argument);
}

/* Behind so many children that there is no slot for a further one. */
static void ask_help_first(svs_async_context *async, void *argument) {
    question *q = argument;
    for (uint32_t i = 0; i < SVS__DEQUE_CAPACITY; i++) svs_async(async, nothing, NULL, 0);
    ask_below(async, &q);
}

/* Otherwise a watchdog would report it as hanging, and thieves would wait beside plenty of
 * children. */
TEST_CASE(a_worker_answers_a_request_at_a_spawn_that_is_a_call) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        bool help_first = policy == SVS_POLICY_HELP_FIRST;
        question q = {help_first ? 0 : SVS__CONTINUATIONS + 1, 0, 0};
        assert_int_equal(svs_async_run(runtime, help_first ? ask_help_first : ask_work_first, &q),
                         SVS_OK);
        assert_int_equal(q.in_place, TIMES);
        assert_int_equal(q.answered, TIMES);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
