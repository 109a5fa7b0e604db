/* The forest of sends of the race check (dpst/graph/graph.h): two threads begin instances in turn,
 * each sent by one of the other thread, and ask what is before them while the other one goes on.
 * The answers are those of a walk over all senders (dpst.G1, dpst.G5, dpst.G6). */
#include "dpst/graph/page.h"
#include "explore/explore.h"
#include <string.h>

#define LENGTH 9u
enum { FIRST, MOST, LATE, LAST, TASKS };

static uint64_t after[TASKS] = {UINT64_C(1) << LATE}; /* FIRST ends before LATE opens */
static svs__check_worker workers[2];
static svs__check check = {.workers = workers};
static svs__graph_run graph_run = {.check = &check, .count = TASKS, .row = 1, .after = after};
static svs__check_thread threads[2];
static svs__instance chain[LENGTH], early; /* `early` is of FIRST, and in no chain */
static _Atomic(uint32_t) sent;             /* instances of the chain */
static svs__thread thread;

static uint64_t order_of(uint64_t of, uint64_t number) { return of + number + 1; }

static void prepare(svs__instance *t, uint32_t task, uint64_t order) {
    memset(t, 0, sizeof *t);
    t->run = &graph_run;
    t->order = t->id = order;
    t->task = task;
}

/* An access before all sends of the instance. */
static bool is_before(const svs__instance *a, const svs__instance *u) {
    svs__access_entry e = {.instance = a};
    return svs__graph_before(&threads[(u - chain) % 2], &e, u, 0);
}

static uint32_t task_of(uint32_t i) {
    if (i + 3 == LENGTH) return LATE;
    return i + 1 == LENGTH ? LAST : MOST;
}

/* FIRST is before the instance of LATE, and before those that it has sent. */
static void judge(uint32_t i) {
    for (uint32_t k = 0; k < i; k++) EXPLORE_CHECK(is_before(&chain[k], &chain[i]));
    EXPLORE_CHECK(i < 2 || !is_before(&chain[i], &chain[i - 2]));
    EXPLORE_CHECK(is_before(&early, &chain[i]) == (i + 3 >= LENGTH));
}

/* Every second instance, from `i` on. */
static void *begin(void *argument) {
    uint32_t i = (uint32_t)(uintptr_t)argument;
    svs__check_thread *self = &threads[i % 2];
    self->worker = &workers[i % 2];
    self->step = 1;
    for (; i < LENGTH; i += 2) {
        while (svs__load_acquire(&sent) < i) svs__yield();
        prepare(&chain[i], task_of(i), i + 1);
        svs__graph_find_sender(&chain[i]);
        svs__check_self = self; /* the explorer's threads share it */
        svs__graph_sends(&chain[i], order_of, i + 1, 0, 1);
        svs__store_release(&sent, i + 1);
        judge(i);
    }
    return argument;
}

static void run_senders(void) {
    svs__store_relaxed(&sent, 0);
    prepare(&early, FIRST, 1000);
    svs__graph_find_sender(&early);
    memset(workers, 0, sizeof workers);
    EXPLORE_CHECK(svs__thread_create(&thread, begin, (void *)(uintptr_t)1, 0) == SVS_OK);
    (void)begin(NULL);
    svs__thread_join(&thread);
    svs__check_thread_reset();
    EXPLORE_CHECK(svs__load_relaxed(&workers[0].lost) == 0);
    svs__graph_forget_sends();
    svs__graph_clean_up_sends();
    svs__graph_memory_clean_up();
}

const explore_scenario explore_senders = {"senders", run_senders, 0, 2000,
                                          "what was before an instance's sender is not before it"};
