/* Cancellation: what has not begun is dropped, what runs goes on, and each finish ends. */
#include "support.h"
#include "worksteal/worker.h"
#include <svs/trace.h>

#define STATUS 7
#define LARGE (SVS_ASYNC_INLINE_BYTES + 40) /* an argument with a block of its own */

static void nothing(svs_async_context *async, void *argument) {}

/* ---- trees that are cancelled somewhere ---- */

typedef enum manner { BY_ASYNC, BY_ID, NEVER } manner;

typedef struct forest {
    svs_runtime *runtime;
    manner way;
    uint32_t height, width, fatal; /* the async that cancels, by its count */
    _Atomic(uint64_t) run;
    _Atomic(uint32_t) begun, ended, dropped, cancelled, late, unfinished;
} forest;

typedef struct branch {
    forest *of;
    uint32_t height, seed;
    unsigned char padding[LARGE - 2 * sizeof(void *)];
} branch;

static void grow(svs_async_context *async, void *argument);

static void drop_branch(void *argument) {
    branch *b = argument;
    (void)svs__fetch_add_relaxed(&b->of->dropped, 1);
    free(b);
}

static void grow_owned(svs_async_context *async, void *argument) {
    grow(async, argument);
    free(argument);
}

/* By a small argument, by one with a block, and by one that owns something. */
static void spawn(svs_async_context *async, const branch *b, uint32_t i) {
    branch *own;
    if (i % 3 == 0) svs_async(async, grow, b, offsetof(branch, padding));
    else if (i % 3 == 1) svs_async(async, grow, b, sizeof *b);
    else {
        own = malloc(sizeof *own);
        *own = *b;
        svs_async_owned(async, grow_owned, own, drop_branch);
    }
}

static void grow_children(svs_async_context *async, void *argument) {
    branch b = {((branch *)argument)->of, ((branch *)argument)->height - 1, 0, {0}};
    uint32_t seed = ((branch *)argument)->seed;
    for (uint32_t i = 0; i < b.of->width; i++) {
        b.seed = seed * 31 + i;
        spawn(async, &b, seed + i);
    }
}

static void cancel(svs_async_context *async, forest *f) {
    svs_status status = f->way == BY_ASYNC ? svs_async_cancel(async, STATUS)
                                           : svs_async_run_cancel(f->runtime, f->run, STATUS);
    if (status == SVS_OK) svs__store_release(&f->cancelled, 1);
}

/* A finish that has ended has no async that runs: the counts of its own are equal. */
static void grow(svs_async_context *async, void *argument) {
    branch b = {
        ((branch *)argument)->of, ((branch *)argument)->height, ((branch *)argument)->seed, {0}};
    forest *f = b.of;
    if (svs__load_acquire(&f->cancelled)) (void)svs__fetch_add_relaxed(&f->late, 1);
    if (svs__fetch_add_relaxed(&f->begun, 1) == f->fatal && f->way != NEVER) cancel(async, f);
    if (b.height != 0 && b.seed % 2) svs_finish(async, grow_children, &b);
    else if (b.height != 0) grow_children(async, &b);
    if (svs__load_acquire(&f->cancelled) && !svs_async_cancelled(async))
        (void)svs__fetch_add_relaxed(&f->unfinished, 1);
    (void)svs__fetch_add_relaxed(&f->ended, 1);
}

static void plant(svs_async_context *async, void *argument) {
    branch b = {argument, 0, 1, {0}};
    b.height = b.of->height;
    svs__store_relaxed(&b.of->run, svs_async_run_id(async));
    svs_finish(async, grow, &b);
}

static uint32_t nodes_of(const forest *f) {
    uint32_t all = 1, level = 1;
    for (uint32_t i = 0; i < f->height; i++) all += level *= f->width;
    return all;
}

/* How many may begin after the cancel has returned (worksteal.C3): what other workers were about to
 * call. */
static uint32_t late_max(const forest *f, const team *on) {
    return on->threads == 1 ? 0 : on->threads * (f->height + 2);
}

static void run_forest(svs_runtime *runtime, const team *on, manner way, uint32_t fatal) {
    forest f = {.runtime = runtime, .way = way, .height = 6, .width = 4, .fatal = fatal};
    svs_status status = svs_async_run(runtime, plant, &f);
    assert_int_equal(status, way == NEVER ? SVS_OK : STATUS);
    assert_int_equal(f.begun, f.ended);
    assert_int_equal(f.unfinished, 0);
    assert_true(f.late <= late_max(&f, on));
    if (way == NEVER) assert_int_equal(f.begun, nodes_of(&f));
    else assert_true(f.begun < nodes_of(&f) || on->threads != 1);
    if (way == NEVER) assert_int_equal(f.dropped, 0);
}

TEST_CASE(an_async_runs_as_a_whole_or_not_at_all) {
    EACH_TEAM(on) {
        counting memory = {0};
        svs_runtime_options options = options_as(on->policy, on->threads, 20);
        svs_runtime *runtime;
        uint64_t live;
        options.allocator = counting_allocator(&memory);
        assert_int_equal(svs_runtime_new(&options, &runtime), SVS_OK);
        assert_int_equal(svs_runtime_start(runtime), SVS_OK);
        live = memory.live;
        for (uint64_t i = scaled(60, 6); i-- != 0;)
            run_forest(runtime, on, (manner)(i % 3), (uint32_t)(i * 37 % 900));
        if (!is_checked(runtime)) assert_int_equal(memory.live, live);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(memory.live, 0);
    }
}

/* ---- what is dropped, exactly: one worker ---- */

typedef struct counts {
    _Atomic(uint32_t) ran;
    svs_status first, second;
    int before, after;
} counts;

static void count(svs_async_context *async, void *argument) { ++(*(counts **)argument)->ran; }

static void spawn_count(svs_async_context *async, counts *c) {
    svs_async(async, count, &c, sizeof c);
}

static void spawn_one_and_cancel(svs_async_context *async, void *argument) {
    spawn_count(async, argument);
    ((counts *)argument)->first = svs_async_cancel(async, STATUS);
}

static void cancel_inside(svs_async_context *async, void *argument) {
    counts *c = argument;
    c->before = svs_async_cancelled(async);
    svs_finish(async, spawn_one_and_cancel, c);
    c->after = svs_async_cancelled(async);
    c->second = svs_async_cancel(async, STATUS + 1);
    spawn_count(async, c);
}

TEST_CASE(nothing_begins_after_the_cancel_on_its_own_worker) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        counts c = {0};
        assert_int_equal(svs_async_run(runtime, cancel_inside, &c), STATUS);
        assert_int_equal(c.ran, policy == SVS_POLICY_WORK_FIRST); /* that runs at its spawn */
        assert_int_equal(c.first, SVS_OK);
        assert_int_equal(c.second, SVS_OK); /* the first status counts */
        assert_false(c.before);
        assert_true(c.after);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

SVS_ASYNC_VOID(tree, (counts *, c), (uint32_t, height), (uint32_t, fatal)) {
    if (c->ran++ == fatal) c->first = svs_async_cancel(SVS_ASYNC_CONTEXT(), SVS_OK);
    if (height == 0) return;
    SVS_ASYNC(tree, c, height - 1, fatal);
    SVS_ASYNC(tree, c, height - 1, fatal);
    SVS_SYNC(tree);
}

typedef struct typed_run {
    counts c;
    uint32_t fatal;
} typed_run;

static void run_typed(svs_async_context *async, void *argument) {
    typed_run *r = argument;
    SVS_CALL_ON(async, tree, &r->c, 10, r->fatal);
}

TEST_CASE(typed_asyncs_are_dropped_as_well) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        for (uint32_t fatal = 0; fatal < 100; fatal += 9) {
            typed_run r = {.fatal = fatal};
            assert_int_equal(svs_async_run(runtime, run_typed, &r), SVS_E_CANCELLED);
            assert_int_equal(r.c.first, SVS_OK);
            assert_int_equal(r.c.ran, fatal + 1);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- from another thread ---- */

typedef struct endless {
    svs_runtime *runtime;
    _Atomic(uint64_t) run;
    svs_status status;
} endless;

static void spawn_for_ever(svs_async_context *async, void *argument) {
    endless *e = argument;
    svs__store_release(&e->run, svs_async_run_id(async));
    while (!svs_async_cancelled(async)) {
        svs_async(async, nothing, NULL, 0);
        svs__yield();
    }
}

static void *cancel_from_outside(void *argument) {
    endless *e = argument;
    uint64_t run;
    while ((run = svs__load_acquire(&e->run)) == 0) svs__yield();
    e->status = svs_async_run_cancel(e->runtime, run, STATUS);
    return NULL;
}

TEST_CASE(a_thread_of_the_program_cancels_a_run) {
    EACH_TEAM(on) {
        endless e = {.runtime = team_of(on)};
        svs__thread thread;
        assert_int_equal(svs__thread_create(&thread, cancel_from_outside, &e, 0), SVS_OK);
        assert_int_equal(svs_async_run(e.runtime, spawn_for_ever, &e), STATUS);
        svs__thread_join(&thread);
        assert_int_equal(e.status, SVS_OK);
        assert_int_equal(svs_async_run_cancel(e.runtime, e.run, STATUS), SVS_E_STATE);
        assert_int_equal(svs_async_run_cancel(e.runtime, 0, STATUS), SVS_E_STATE);
        assert_int_equal(svs_async_run(e.runtime, nothing, NULL), SVS_OK);
        assert_int_equal(svs_runtime_free(e.runtime), SVS_OK);
    }
}

typedef struct two_runs {
    svs_runtime *runtime;
    _Atomic(uint64_t) id;
    _Atomic(uint32_t) over;
    uint32_t marks[100];
    svs_status status;
} two_runs;

static void outlive(svs_async_context *async, void *argument) {
    two_runs *t = argument;
    svs__store_release(&t->id, svs_async_run_id(async));
    while (svs__load_acquire(&t->over) == 0) svs__yield();
    for (uint32_t i = 0; i < 100; i++) {
        runaway r = {&t->marks[i], 3};
        svs_async(async, run_away, &r, sizeof r);
    }
}

static void *run_outliving(void *argument) {
    two_runs *t = argument;
    t->status = svs_async_run(t->runtime, outlive, t);
    return NULL;
}

TEST_CASE(a_cancel_leaves_other_runs_alone) {
    EACH_POLICY(policy) {
        two_runs t = {.runtime = started_as(policy, 3, 20)};
        forest f = {.runtime = t.runtime, .way = BY_ASYNC, .height = 5, .width = 3, .fatal = 20};
        svs__thread thread;
        assert_int_equal(svs__thread_create(&thread, run_outliving, &t, 0), SVS_OK);
        while (svs__load_acquire(&t.id) == 0) svs__yield();
        assert_int_equal(svs_async_run(t.runtime, plant, &f), STATUS);
        assert_int_not_equal(f.run, t.id);
        svs__store_release(&t.over, 1);
        svs__thread_join(&thread);
        assert_int_equal(t.status, SVS_OK);
        for (int i = 0; i < 100; i++) assert_int_equal(t.marks[i], 1);
        assert_int_equal(svs_runtime_free(t.runtime), SVS_OK);
    }
}

/* ---- traces ---- */

/* Its steals are those of a possible run; a replay of it ends, whatever it drops. */
TEST_CASE(the_trace_of_a_cancelled_run_is_whole) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 3, 20);
        for (uint64_t i = scaled(20, 4); i-- != 0;) {
            forest f = {.runtime = runtime, .way = BY_ASYNC, .height = 5, .width = 4, .fatal = 200};
            char message[SVS_TRACE_MESSAGE] = "";
            svs_trace *trace;
            assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
            assert_int_equal(svs_async_run(runtime, plant, &f), STATUS);
            assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
            if (svs_trace_verify(trace, message, sizeof message)) fail_msg("%s", message);
            svs_trace_free(trace);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
