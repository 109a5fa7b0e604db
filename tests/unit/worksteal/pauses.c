/* How long an idle worker spins (worksteal.W3), with a clock of the test's own. Of two workers, one
 * runs the body of the test, and the other one is idle. */
#include "running.h"
#include "worksteal/search.h"

#define SPIN_NS 100000u
#define BRIEF_NS (SVS__BRIEF * SPIN_NS)
#define ROUNDS 16u

static struct {
    _Atomic(uint64_t) now, looks;
    svs_runtime *runtime;
    uint32_t spins, sleeps; /* rounds in which the idle worker did so after spin_ns */
    const char *wrong;      /* the first mistake */
} test;

uint64_t __real_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void) {
    (void)svs__fetch_add_relaxed(&test.looks, 1);
    return svs__load_relaxed(&test.now);
}

static bool one_spins(void) {
    return svs__load_acquire(&test.runtime->spinning) == 1 &&
           !svs__load_acquire(&test.runtime->parking.sleepers);
}

static bool one_sleeps(void) {
    return !svs__load_acquire(&test.runtime->spinning) &&
           svs__load_acquire(&test.runtime->parking.sleepers) == 1;
}

static bool has_paused(void) { return one_spins() || one_sleeps(); }

static void expect(bool is, const char *wrong) {
    if (!is && !test.wrong) test.wrong = wrong;
}

/* Waits for what the idle worker does; not for ever. */
static void await(bool (*does)(void), const char *wrong) {
    uint64_t end = __real_svs__time_ns() + UINT64_C(60000000000);
    bool ever;
    while (!(ever = does()) && __real_svs__time_ns() < end) svs__yield();
    expect(ever, wrong);
}

/* The time passes, and the idle worker has looked at it. */
static void pass(uint64_t ns) {
    uint64_t looks;
    (void)svs__fetch_add_relaxed(&test.now, ns);
    looks = svs__load_relaxed(&test.looks);
    while (one_spins() && svs__load_relaxed(&test.looks) < looks + 2) svs__yield();
}

/* Notifies again as long as the worker sleeps: a worker that prepares to sleep after a wake-up
 * without work sleeps all the same (worksteal.P2). */
static bool spins_when_notified(void) {
    if (one_sleeps()) svs__runtime_notify(test.runtime, 1);
    return one_spins();
}

/* The idle worker begins to spin, also if it was about to sleep. */
static void begin_pause(void) {
    for (uint32_t i = 0; i == 0 || (i < ROUNDS && !one_spins()); i++) {
        await(spins_when_notified, "the idle worker does not spin");
        pass(0);
    }
}

/* While this worker works, the idle one spins through a brief pause, if its last one was brief. */
static void work(svs__worker *worker, void *argument) {
    svs__worker *idle = &test.runtime->workers[1 - worker->index];
    begin_pause();
    pass(SPIN_NS / 2);
    expect(one_spins(), "it sleeps before spin_ns");
    pass(SPIN_NS);
    if (svs__load_relaxed(&idle->pauses_briefly)) {
        pass(BRIEF_NS / 2);
        expect(one_spins(), "it sleeps in a brief pause");
        pass(BRIEF_NS);
        test.spins++;
    } else {
        test.sleeps++;
    }
    await(one_sleeps, "it does not sleep");
}

/* Between two runs the runtime's thread sleeps long before a brief pause is over. Its pause is
 * brief or long. A late wake-up may let it search again. */
static void rest(bool brief) {
    uint32_t passes = 0;
    await(has_paused, "the runtime's thread has no pause");
    for (; !one_sleeps() && passes < SVS__BRIEF - 2; passes++) {
        if (one_spins()) pass(SPIN_NS);
        await(has_paused, "it has no pause any more");
    }
    expect(passes < SVS__BRIEF - 2, "it spins while nothing works");
    pass(brief ? 0 : BRIEF_NS);
}

TEST_CASE(a_worker_spins_through_brief_pauses_while_others_work) {
    test.runtime = started(2, SPIN_NS / 1000);
    for (uint32_t i = 0; i < ROUNDS && !test.wrong; i++) {
        assert_int_equal(run_on(test.runtime, work, NULL), SVS_OK);
        rest(i / 2 % 2);
    }
    if (test.wrong) fail_msg("%s", test.wrong);
    assert_true(test.spins > 0 && test.sleeps > 0);
    assert_int_equal(svs_runtime_free(test.runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
