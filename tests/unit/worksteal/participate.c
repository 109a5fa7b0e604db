/* Jobs and the seat: working, waiting and waking threads (worksteal.R1 to worksteal.R3,
 * worksteal.Q1 to worksteal.Q3, worksteal.W2). A lost wake-up shows as a test that hangs. */
#include "running.h"
#include <svs/async.h>
#include <sys/resource.h>
#include <time.h>

typedef struct seen {
    uint32_t index;
    svs__worker *self;
    svs__worker *worker;
} seen;

static void look(svs__worker *worker, void *argument) {
    seen *s = argument;
    *s = (seen){svs_worker_index(), svs__worker_self(), worker};
}

TEST_CASE(a_participant_is_worker_0_and_then_none) {
    svs_runtime *runtime = started(1, 20);
    seen s = {0};
    assert_null(svs__worker_self());
    assert_int_equal(run_on(runtime, look, &s), SVS_OK);
    assert_int_equal(s.index, 0);
    assert_ptr_equal(s.self, s.worker);
    assert_null(svs__worker_self());
    assert_true(svs_worker_index() == SVS_NO_WORKER);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* A body that runs something on another runtime is that runtime's worker for a while. */
typedef struct nested {
    svs_runtime *other;
    uint32_t before, after;
    seen inside;
} nested;

static void run_elsewhere(svs__worker *worker, void *argument) {
    nested *n = argument;
    n->before = svs_worker_index();
    if (run_on(n->other, look, &n->inside) != SVS_OK) return;
    n->after = svs_worker_index();
    n->after += svs__worker_self() != worker;
}

TEST_CASE(a_worker_of_one_runtime_may_participate_in_another) {
    svs_runtime *runtime = started(3, 20), *other = started(1, 20);
    nested n = {other, 99, 98, {0}};
    assert_int_equal(run_on(runtime, run_elsewhere, &n), SVS_OK);
    assert_int_equal(n.before, n.after);
    assert_int_equal(n.inside.index, 0);
    assert_ptr_equal(n.inside.self, &other->workers[0]);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_int_equal(svs_runtime_free(other), SVS_OK);
}

/* A job of which each of `width` workers must take a step at the same time. */
typedef struct meeting {
    svs__job job;
    uint32_t width;
    svs_runtime *runtime;
    _Atomic(uint32_t) invited, inside, left;
} meeting;

static bool meet(svs__job *job, svs__worker *worker) {
    meeting *m = (meeting *)job;
    if (svs__fetch_add_relaxed(&m->invited, 1) >= m->width) return false;
    (void)svs__fetch_add_relaxed(&m->inside, 1);
    while (svs__load_relaxed(&m->inside) < m->width) svs__yield();
    if (svs__fetch_add_acq_rel(&m->left, 1) + 1 == m->width) svs__runtime_complete(m->runtime);
    return true;
}

static bool meeting_ready(svs__job *job) {
    meeting *m = (meeting *)job;
    return svs__load_relaxed(&m->invited) < m->width;
}

static bool meeting_over(void *argument) {
    meeting *m = argument;
    return svs__load_acquire(&m->left) == m->width;
}

/* `call` wakes them: all at once, or one after the other. */
static void hold_meetings(uint32_t threads, uint32_t spin_us, bool at_once) {
    svs_runtime *runtime = started(threads, spin_us);
    uint64_t rounds = scaled(1000, 20);
    for (uint64_t i = 0; i < rounds; i++) {
        meeting m = {{.step = meet, .ready = meeting_ready}, threads, runtime, 0, 0, 0};
        assert_int_equal(svs__runtime_attach(runtime, &m.job), SVS_OK);
        if (at_once) svs__runtime_notify(runtime, threads);
        else
            for (uint32_t k = 0; k < threads; k++) svs__runtime_notify(runtime, 1);
        svs__runtime_participate(runtime, meeting_over, &m);
        svs__runtime_detach(runtime, &m.job);
        assert_int_equal(m.left, threads);
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

TEST_CASE(a_notify_wakes_as_many_as_it_wants) {
    hold_meetings(4, 0, true);
    hold_meetings(8, 20, true);
    hold_meetings(2, 1000, true);
}

TEST_CASE(single_notifies_wake_one_each) { hold_meetings(5, 0, false); }

/* Several threads with work of their own on one runtime: one has the seat, the others sleep until
 * theirs is done. */
typedef struct crowd {
    svs_runtime *runtime;
    uint64_t rounds;
    _Atomic(uint64_t) ran, failed;
} crowd;

static void work_a_little(svs__worker *worker, void *argument) {
    uint64_t *sum = argument;
    for (int i = 0; i < 100; i++) *sum += (uint64_t)i;
    if (*sum % 3 == 0) svs__yield();
}

static void *come_and_go(void *argument) {
    crowd *c = argument;
    for (uint64_t i = 0; i < c->rounds; i++) {
        uint64_t sum = i;
        if (run_on(c->runtime, work_a_little, &sum) != SVS_OK || sum != i + 4950)
            (void)svs__fetch_add_relaxed(&c->failed, 1);
        else (void)svs__fetch_add_relaxed(&c->ran, 1);
    }
    return NULL;
}

static void crowd_of(int people, uint32_t threads, uint32_t spin_us) {
    crowd c = {started(threads, spin_us), scaled(3000, 50), 0, 0};
    team_run(people, come_and_go, &c);
    assert_int_equal(c.failed, 0);
    assert_int_equal(c.ran, c.rounds * (uint64_t)people);
    assert_int_equal(svs_runtime_free(c.runtime), SVS_OK);
}

TEST_CASE(many_participants_share_one_worker) {
    crowd_of(2, 1, 20);
    crowd_of(6, 1, 0);
}

TEST_CASE(many_participants_share_a_team) {
    crowd_of(4, 2, 20);
    crowd_of(6, 8, 0);
}

/* The holder of the seat last checks `done` when the other participant sleeps already: only leaving
 * the seat can wake that one (worksteal.R2). */
typedef struct leaver {
    svs_runtime *runtime;
    _Atomic(uint32_t) seated;
} leaver;

static bool done_when_another_sleeps(void *argument) {
    leaver *l = argument;
    if (svs__load_relaxed(&l->runtime->seated) == 0) return false;
    svs__store_release(&l->seated, 1);
    while (svs__load_relaxed(&l->runtime->waiting.sleepers) == 0) svs__yield();
    for (int i = 0; i < 100; i++) svs__yield();
    return true;
}

static void *leave_in_the_end(void *argument) {
    leaver *l = argument;
    svs__runtime_participate(l->runtime, done_when_another_sleeps, l);
    return NULL;
}

TEST_CASE(leaving_the_seat_wakes_its_waiters) {
    uint64_t rounds = scaled(100, 5);
    for (uint64_t i = 0; i < rounds; i++) {
        leaver l = {started(1, 0), 0};
        svs__thread thread;
        seen s = {0};
        assert_int_equal(svs__thread_create(&thread, leave_in_the_end, &l, 0), SVS_OK);
        while (!svs__load_acquire(&l.seated)) svs__yield();
        assert_int_equal(run_on(l.runtime, look, &s), SVS_OK);
        assert_ptr_equal(s.worker, &l.runtime->workers[0]);
        svs__thread_join(&thread);
        assert_int_equal(svs_runtime_free(l.runtime), SVS_OK);
    }
}

/* A participant that takes a wake-up which was meant for work, and leaves, passes it on
 * (worksteal.R3). It falls asleep before the other worker, which is kept in a step until then, so
 * that a wake-up for one is the participant's. */
typedef struct relay {
    svs__job job; /* holds worker 1 */
    svs_runtime *runtime;
    _Atomic(uint32_t) held, let_go, done;
} relay;

static bool hold_worker(svs__job *job, svs__worker *worker) {
    relay *r = (relay *)job;
    if (worker->index != 1 || svs__load_relaxed(&r->held)) return false;
    svs__store_release(&r->held, 1);
    while (!svs__load_acquire(&r->let_go)) svs__yield();
    return true;
}
static bool holds(svs__job *job) { return svs__load_relaxed(&((relay *)job)->held) == 0; }
static bool relay_done(void *argument) {
    return svs__load_acquire(&((relay *)argument)->done) != 0;
}

static void *sleep_in_the_seat(void *argument) {
    relay *r = argument;
    svs__runtime_participate(r->runtime, relay_done, r);
    return NULL;
}

static void until_asleep(svs_runtime *runtime, uint32_t workers) {
    while (svs__load_relaxed(&runtime->parking.sleepers) != workers) svs__yield();
    for (int i = 0; i < 100; i++) svs__yield();
}

static void relay_once(void) {
    relay r = {{.step = hold_worker, .ready = holds}, started(2, 0), 0, 0, 0};
    one_task task = {{.step = one_task_step, .ready = one_task_ready}, r.runtime, look, NULL, 0, 0};
    svs__thread participant;
    seen s = {0};
    task.argument = &s;
    assert_int_equal(svs__runtime_attach(r.runtime, &r.job), SVS_OK);
    assert_int_equal(svs__runtime_attach(r.runtime, &task.job), SVS_OK);
    svs__runtime_notify(r.runtime, 1);
    while (!svs__load_acquire(&r.held)) svs__yield();
    assert_int_equal(svs__thread_create(&participant, sleep_in_the_seat, &r, 0), SVS_OK);
    until_asleep(r.runtime, 1);
    svs__store_release(&r.let_go, 1);
    until_asleep(r.runtime, 2);
    svs__store_release(&r.done, 1);
    svs__store_release(&task.waiting, 1);
    svs__runtime_notify(r.runtime, 1);
    while (!one_task_done(&task)) svs__yield();
    svs__runtime_complete(r.runtime);
    svs__thread_join(&participant);
    svs__runtime_detach(r.runtime, &r.job);
    svs__runtime_detach(r.runtime, &task.job);
    assert_int_equal(svs_runtime_free(r.runtime), SVS_OK);
}

TEST_CASE(leaving_the_seat_passes_a_wake_up_on) {
    uint64_t rounds = scaled(100, 5);
    for (uint64_t i = 0; i < rounds; i++) relay_once();
}

/* A long run beside a short one, on one worker: the short one's steps come in between. */
typedef struct steps {
    svs__job job;
    svs_runtime *runtime;
    _Atomic(uint64_t) left;
    _Atomic(uint32_t) *other_ended;
} steps;

static bool step_down(svs__job *job, svs__worker *worker) {
    steps *s = (steps *)job;
    if (svs__load_relaxed(&s->left) == 0) return false;
    if (s->other_ended != NULL && svs__load_acquire(s->other_ended) == 0) return true;
    if (svs__fetch_sub_release(&s->left, 1) == 1) svs__runtime_complete(s->runtime);
    return true;
}

static bool steps_left(svs__job *job) { return svs__load_relaxed(&((steps *)job)->left) != 0; }
static bool steps_over(void *argument) {
    return svs__load_acquire(&((steps *)argument)->left) == 0;
}

TEST_CASE(a_busy_source_does_not_starve_another) {
    svs_runtime *runtime = started(1, 20);
    one_task task = {{.step = one_task_step, .ready = one_task_ready}, runtime, look, NULL, 1, 0};
    steps endless = {{.step = step_down, .ready = steps_left}, runtime, 1, &task.ended};
    seen s = {0};
    task.argument = &s;
    assert_int_equal(svs__runtime_attach(runtime, &endless.job), SVS_OK);
    assert_int_equal(svs__runtime_attach(runtime, &task.job), SVS_OK);
    svs__runtime_participate(runtime, steps_over, &endless);
    assert_int_equal(task.ended, 1);
    svs__runtime_detach(runtime, &endless.job);
    svs__runtime_detach(runtime, &task.job);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* Asyncs without an end, which the other worker steals one by one, beside a task that comes later:
 * the task's turn is before the next but one (worksteal.Q4). */
#define SPAWNS_MAX 1000000u
#define BEFORE 3u /* stolen asyncs before the task comes */

typedef struct flood {
    svs_runtime *runtime;
    one_task task;
    uint32_t owner;           /* the worker that the root runs on */
    _Atomic(uint32_t) stolen; /* by the other one */
    uint32_t stolen_before_task;
} flood;

static void flood_ends(svs__worker *worker, void *argument) {
    flood *f = argument;
    f->stolen_before_task = f->stolen;
}

static void flood_child(svs_async_context *async, void *argument) {
    flood *f = *(flood **)argument;
    if (svs_worker_index() == f->owner || ++f->stolen != BEFORE) return;
    (void)svs__runtime_attach(f->runtime, &f->task.job);
}

static void flood_root(svs_async_context *async, void *argument) {
    flood *f = argument;
    f->owner = svs_worker_index();
    for (uint32_t i = 0; i < SPAWNS_MAX && !one_task_done(&f->task); i++)
        svs_async(async, flood_child, &f, sizeof f);
}

TEST_CASE(asyncs_do_not_starve_a_source) {
    svs_runtime *runtime = started(2, 20);
    flood f = {.runtime = runtime};
    f.task =
        (one_task){{.step = one_task_step, .ready = one_task_ready}, runtime, flood_ends, &f, 1, 0};
    assert_int_equal(svs_async_run(runtime, flood_root, &f), SVS_OK);
    if (f.stolen >= BEFORE) { /* as good as ever */
        while (!one_task_done(&f.task)) svs__yield();
        assert_true(f.stolen_before_task <= BEFORE + 1);
        svs__runtime_detach(runtime, &f.task.job);
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* The only worker of this runtime's own is its participant: it must not sleep through what another
 * thread completes. */
typedef struct outside {
    svs_runtime *runtime;
    _Atomic(uint32_t) ended;
    uint64_t rounds;
    _Atomic(uint64_t) round;
} outside;

static bool outside_done(void *argument) {
    outside *o = argument;
    return svs__load_acquire(&o->ended) != 0;
}

static void *complete_from_outside(void *argument) {
    outside *o = argument;
    for (uint64_t i = 1; i <= o->rounds; i++) {
        while (svs__load_acquire(&o->round) != i) svs__yield();
        svs__store_release(&o->ended, 1);
        svs__runtime_complete(o->runtime);
    }
    return NULL;
}

TEST_CASE(a_completion_reaches_a_participant_that_sleeps) {
    outside o = {started(1, 0), 0, scaled(20000, 500), 0};
    svs__thread thread;
    assert_int_equal(svs__thread_create(&thread, complete_from_outside, &o, 0), SVS_OK);
    for (uint64_t i = 1; i <= o.rounds; i++) {
        svs__store_relaxed(&o.ended, 0);
        svs__store_release(&o.round, i);
        svs__runtime_participate(o.runtime, outside_done, &o);
        assert_int_equal(o.ended, 1);
    }
    svs__thread_join(&thread);
    assert_int_equal(svs_runtime_free(o.runtime), SVS_OK);
}

static double cpu_seconds(void) {
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
           ((double)used.ru_utime.tv_usec + (double)used.ru_stime.tv_usec) / 1e6;
}

TEST_CASE(an_idle_team_sleeps) {
    svs_runtime *runtime = started(8, 20);
    struct timespec two_seconds = {2, 0};
    double before, after;
    uint32_t asleep = 0;
    seen s;
    assert_int_equal(run_on(runtime, look, &s), SVS_OK);
    before = cpu_seconds();
    (void)nanosleep(&two_seconds, NULL);
    after = cpu_seconds();
    print_message("8 workers, idle for 2 s: %.6f s of CPU\n", after - before);
    for (uint32_t i = 0; i < 8; i++) {
        svs_worker_statistics statistics;
        assert_int_equal(svs_runtime_statistics_get(runtime, i, &statistics), SVS_OK);
        asleep += statistics.sleeps > 0;
    }
    assert_true(asleep >= 3);
    assert_in_range(svs__load_relaxed(&runtime->parking.sleepers), 3, 7);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
