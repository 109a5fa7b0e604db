#include "explore/machine.h"
#include "base/platform.h"
#include "explore/strategy.h"
#include "worksteal/switch.h"
#include "worksteal/worker.h"
#include <stdio.h>
#include <string.h>

explore_machine explore;

#define STACK_BYTES ((size_t)256 * 1024)
static char *stacks[EXPLORE_THREADS];
static void *driver; /* where explore_run() waits */

static uint32_t ready_threads(void) {
    uint32_t ready = 0, eager = 0;
    for (uint32_t i = 0; i < explore.count; i++) {
        const explore_thread *t = &explore.threads[i];
        if (t->state != EXPLORE_READY) continue;
        ready |= 1u << i;
        if (!t->yielded) eager |= 1u << i;
    }
    return eager != 0 ? eager : ready;
}

static void report_deadlock(void) {
    fprintf(stderr, "\n");
    for (uint32_t i = 0; i < explore.count; i++) {
        const explore_thread *t = &explore.threads[i];
        if (t->state == EXPLORE_ASLEEP)
            fprintf(stderr, "  thread %u sleeps on %p\n", i, (const void *)t->sleeps_on);
        else if (t->state == EXPLORE_JOINS)
            fprintf(stderr, "  thread %u waits for the end of thread %u\n", i, t->joins);
        else fprintf(stderr, "  thread %u has ended\n", i);
    }
    explore_fail("deadlock: no thread can go on");
}

static void run_thread(void *argument) {
    explore_thread *t = argument;
    (void)t->run(t->argument);
    explore_before_flush();
    t->state = EXPLORE_ENDED;
    explore.live--;
    for (uint32_t i = 0; i < explore.count; i++) {
        explore_thread *other = &explore.threads[i];
        if (other->state == EXPLORE_JOINS && other->joins == t->index) other->state = EXPLORE_READY;
    }
    explore_block();
}

static void switch_to(explore_thread *t) {
    explore_thread *from = explore.current;
    void **place = from == NULL ? &driver : &from->sp;
    uint32_t index = t->worker_index;
    if (from != NULL) {
        from->worker = svs__worker_self();
        explore_hide(from);
    }
    explore.current = t;
    explore_show(t);
    explore.burning = 0;
    svs__worker_become(t->worker);
    t->worker_index = index;
    if (t->fresh) {
        t->fresh = false;
        (void)svs__switch_call(place, stacks[t->index] + STACK_BYTES, run_thread, t);
    } else svs__switch_to(place, t->sp);
}

/* Now and then, a store that was held back becomes visible. */
static void flush_by_chance(void) {
    explore_thread *t;
    uint32_t index;
    if (explore.memory == EXPLORE_SC || explore.live == 1 || !strategy_chance(4)) return;
    t = &explore.threads[strategy_below(explore.count)];
    if (t->held == 0) return;
    index = strategy_below(t->held);
    if (explore_may_flush(t, index)) explore_flush_one(t, index);
}

static void reschedule(void) {
    uint32_t candidates = ready_threads(), current = explore.current->index, chosen;
    bool could =
        explore.threads[current].state == EXPLORE_READY && !explore.threads[current].yielded;
    if (candidates == 0) report_deadlock();
    chosen = strategy_next(candidates, current);
    explore.threads[chosen].yielded = false;
    if (chosen == current) return;
    explore.preemptions += could;
    switch_to(&explore.threads[chosen]);
}

static void step(void) {
    if (++explore.steps > explore.burning_until) explore.burning = 0;
    if (explore.steps > explore.steps_max)
        explore_fail("livelock: %llu steps", (unsigned long long)explore.steps_max);
}

void explore_point(const volatile void *at, const char *operation, const char *function, int line) {
    uint32_t index;
    if (explore.current == NULL) return;
    index = explore.current->index;
    step();
    if (explore.burning == 0) {
        flush_by_chance();
        reschedule();
    }
    if (explore.tracing)
        fprintf(stderr, "%6llu  thread %u  %-22s %p  %s:%d\n", (unsigned long long)explore.steps,
                index, operation, (const void *)at, function, line);
}

void explore_before_flush(void) {
    if (explore.current->held == 0) return;
    explore_point(NULL, "flush", "", 0);
    explore_flush(explore.current);
}

/* The number of spins in a row that a thread may do, so that it can reach its spin limit while the
 * others stand still; and a bound on its steps meanwhile, for threads with many steps per spin. */
#define STRETCH 300u
#define STRETCH_STEPS 5000u

void explore_spin(bool yields) {
    explore_thread *t = explore.current;
    if (t == NULL) return;
    step();
    if (explore.burning != 0 && --explore.burning != 0) return;
    explore_before_flush();
    if (!yields && strategy_chance(16)) {
        explore.burning = STRETCH;
        explore.burning_until = explore.steps + STRETCH_STEPS;
        return;
    }
    t->yielded = true;
    strategy_yielded(t->index);
    flush_by_chance();
    reschedule();
}

void explore_made_visible(void) {
    for (uint32_t i = 0; i < explore.count; i++) explore.threads[i].yielded = false;
}

void explore_block(void) {
    explore_flush(explore.current);
    explore.burning = 0;
    if (explore.live == 0) {
        void *left;
        explore.current = NULL;
        svs__switch_to(&left, driver);
    }
    reschedule();
}

explore_thread *explore_start(void *(*run)(void *), void *argument) {
    explore_thread *t = &explore.threads[explore.count], *by = explore.current;
    if (explore.count == EXPLORE_THREADS) return NULL;
    memset(t, 0, sizeof *t);
    t->index = explore.count++;
    explore.live++;
    t->fresh = true;
    t->run = run;
    t->argument = argument;
    t->worker_index = UINT32_MAX;
    if (by != NULL) {
        explore_flush(by);
        t->times = by->times;
        by->times.of[by->index]++;
    }
    t->times.of[t->index] = 1;
    if (stacks[t->index] == NULL) stacks[t->index] = explore_heap_keep(STACK_BYTES);
    strategy_started(t->index);
    return t;
}

uint64_t explore_time(void) { return explore.steps * 1000; }

static void *run_scenario(void *argument) {
    ((const explore_scenario *)argument)->run();
    for (uint32_t i = 1; i < explore.count; i++)
        if (explore.threads[i].state != EXPLORE_ENDED)
            explore_fail("the scenario has not joined thread %u", i);
    if (explore_heap_live() != 0)
        explore_fail("%llu blocks of memory are left", (unsigned long long)explore_heap_live());
    return NULL;
}

void explore_run(const explore_scenario *scenario) {
    explore.count = explore.live = 0;
    explore.steps = explore.preemptions = 0;
    explore.refuse = explore.burning = 0;
    explore.burning_until = 0;
    explore_heap_begin();
    explore_memory_begin();
    switch_to(explore_start(run_scenario, (void *)scenario));
}
