/* What is before an instance, in random forests of sends (dpst/graph/graph.h, dpst.G1, dpst.G5,
 * dpst.G6): the answers are those of a walk over all senders, one by one. Records are sent and
 * begin as in a run; iterations follow each other, and nothing is forgotten between them, as while
 * another run is in progress. */
#include "../unit/base/helpers.h"
#include "base/random.h"
#include "dpst/graph/page.h"
#include <string.h>

#define INSTANCES 4000u
#define ITERATIONS 3u
#define TASKS 130u /* three words of a row */
#define ROW ((TASKS + 63) / 64)

static svs__check_worker worker;
static svs__check check = {.workers = &worker};
static svs__check_thread thread;
static uint64_t after[TASKS * ROW];
static svs__graph_run graph_run = {.check = &check, .row = ROW, .after = after};
static uint32_t levels[TASKS], task_count;

static svs__instance instances[ITERATIONS][INSTANCES];
static uint32_t parents[ITERATIONS][INSTANCES]; /* from 1; 0: from outside */
static uint32_t counts[ITERATIONS][INSTANCES];  /* the sender's sends so far */

/* ---- forests ---- */

/* A task sends to those of its own level, which are one cycle, and of further ones; it may end
 * before one of a further level opens. */
static void make_tasks(svs__random *random) {
    task_count = 1 + svs__random_below(random, svs__random_below(random, 2) ? 4 : TASKS);
    memset(after, 0, sizeof after);
    for (uint32_t i = 0; i < task_count; i++)
        levels[i] = svs__random_below(random, task_count > 4 ? 4 : 2);
    for (uint32_t a = 0; a < task_count; a++)
        for (uint32_t b = 0; b < task_count; b++)
            if (levels[a] < levels[b] && svs__random_below(random, 40) == 0)
                after[a * ROW + b / 64] |= UINT64_C(1) << b % 64;
}

static uint64_t order_of(uint64_t of, uint64_t number) { return of + number + 1; }

static uint32_t choose_parent(svs__random *random, uint32_t chains, uint32_t i) {
    switch (svs__random_below(random, 20)) {
    case 0: return svs__random_below(random, i + 1);             /* any, or none */
    case 1: return i - svs__random_below(random, i < 9 ? i : 9); /* a recent one */
    default: return i < chains ? 0 : i + 1 - chains;
    }
}

static uint32_t choose_task(svs__random *random, uint32_t level) {
    uint32_t task = svs__random_below(random, task_count);
    for (uint32_t tries = 0; levels[task] < level && tries < 20; tries++)
        task = svs__random_below(random, task_count);
    return task;
}

static bool begin(svs__random *random, uint32_t iteration, uint32_t i, uint32_t parent) {
    svs__instance *t = &instances[iteration][i], *sender = NULL;
    memset(t, 0, sizeof *t);
    if (parent != 0) sender = &instances[iteration][parent - 1];
    t->run = &graph_run;
    t->id = iteration * INSTANCES + i + 1;
    t->order = i + 1; /* of each iteration the same */
    t->iteration = iteration;
    t->task = choose_task(random, sender != NULL ? levels[sender->task] : 0);
    if (sender != NULL && levels[t->task] < levels[sender->task]) t->task = sender->task;
    if (sender != NULL) {
        counts[iteration][i] = svs__load_relaxed(&sender->sends);
        svs__graph_sends(sender, order_of, i, 0, 1);
    }
    svs__graph_find_sender(t);
    return t->sender == sender;
}

static void make_forest(svs__random *random, uint32_t iteration, uint32_t count) {
    uint32_t chains = 1 + svs__random_below(random, 1 + svs__random_below(random, 16));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = choose_parent(random, chains, i);
        parents[iteration][i] = parent;
        assert_true(begin(random, iteration, i, parent));
    }
}

/* ---- the oracle ---- */

static bool opens_after(uint32_t a, uint32_t b) { return after[a * ROW + b / 64] >> b % 64 & 1; }

/* dpst.G1, sender by sender. */
static bool is_before(const svs__access_entry *e, uint32_t iteration, uint32_t u) {
    const svs__instance *a = e->instance;
    if (a->iteration != iteration) return true;
    for (;;) {
        uint32_t parent = parents[iteration][u];
        if (opens_after(a->task, instances[iteration][u].task)) return true;
        if (parent == 0) return false;
        if (&instances[iteration][parent - 1] == a) return e->sends <= counts[iteration][u];
        u = parent - 1;
    }
}

static void compare(svs__random *random, uint32_t iteration, uint32_t count, uint32_t seen[2]) {
    uint32_t u = svs__random_below(random, count), a = u;
    svs__access_entry e = {.instance = NULL};
    uint32_t earlier =
        svs__random_below(random, 10) == 0 ? svs__random_below(random, iteration + 1) : iteration;
    bool expected;
    if (svs__random_below(random, 2)) a = svs__random_below(random, count);
    else /* one of its senders */
        for (uint32_t up = svs__random_below(random, 400); up != 0 && parents[iteration][a]; up--)
            a = parents[iteration][a] - 1;
    if (earlier == iteration && a == u) return;
    e.instance = &instances[earlier][a];
    e.sends = svs__random_below(random, svs__load_relaxed(&instances[earlier][a].sends) + 1);
    expected = is_before(&e, iteration, u);
    seen[expected]++;
    if (svs__graph_before(&thread, &e, &instances[iteration][u], 0) != expected)
        fail_msg("instance %u of iteration %u is %sbefore %u of %u", a, earlier,
                 expected ? "" : "not ", u, iteration);
}

/* dpst.G5: how many steps lead from an instance to its sender at this depth: three for each binary
 * digit of its own, at most (Myers). */
static uint32_t count_steps(const svs__instance *u, uint32_t depth) {
    uint32_t steps = 0;
    for (; u->depth > depth; steps++) u = u->jump->depth >= depth ? u->jump : u->sender;
    return steps;
}

/* Rounded down. */
static uint32_t log_of(uint32_t number) { return 31 - (uint32_t)__builtin_clz(number); }

static void judge_steps(svs__random *random, const svs__instance *u) {
    uint32_t depth = svs__random_below(random, u->depth + 1);
    assert_true(count_steps(u, depth) <= 3 * log_of(u->depth + 2));
}

/* dpst.G6: of a sender's tasks there is one set for all to which it sends within these. */
static void judge_lineage(const svs__instance *u) {
    uint32_t own = 0;
    if (u->sender == NULL) assert_null(u->lineage);
    else if (u->task == u->sender->task) assert_ptr_equal(u->lineage, u->sender->lineage);
    for (const svs__instance *t = u; t != NULL && t->sender != NULL; t = t->sender)
        own += t->lineage != t->sender->lineage;
    assert_true(own <= task_count); /* a chain has no more sets than tasks, however long it is */
}

static void test_forest(uint64_t seed, uint32_t count, uint32_t seen[2]) {
    svs__random random;
    svs__random_seed(&random, seed);
    make_tasks(&random);
    for (uint32_t iteration = 0; iteration < ITERATIONS; iteration++) {
        make_forest(&random, iteration, count);
        for (uint32_t i = 0; i < count; i++) compare(&random, iteration, count, seen);
        for (uint32_t i = 0; i < count; i += 1 + count / 100) {
            judge_steps(&random, &instances[iteration][i]);
            judge_lineage(&instances[iteration][i]);
        }
    }
    svs__graph_forget_sends();
    svs__graph_memory_forget();
    memset(&worker.memo, 0, sizeof worker.memo); /* the next forest has the same ids */
}

TEST_CASE(what_is_before_an_instance_is_what_its_senders_say) {
    uint32_t seen[2] = {0, 0};
    svs__check_self = &thread;
    thread.worker = &worker;
    thread.step = 1; /* sends begin no other one without a task */
    for (uint64_t seed = 0; seed < scaled(60, 12); seed++)
        test_forest(seed, seed % 4 ? 100 : INSTANCES, seen);
    svs__check_thread_reset();
    assert_true(seen[false] > 1000 && seen[true] > 1000);
    assert_int_equal(svs__load_relaxed(&worker.lost), 0);
    svs__graph_clean_up_sends();
    svs__graph_memory_clean_up();
}

int main(void) { return run_cases(NULL, NULL); }
