/* Bodies that spawn: each is a finish, holds its footprint until all that it has spawned has ended,
 * and is the root of a working phase. */
#include "scene.h"
#include "started.h"

#define JOBS 200u
#define ASYNCS 20u

/* Plain numbers: a job that began too early loses some, or is seen by ThreadSanitizer. */
typedef struct ledger {
    uint64_t sums[ASYNCS];
    uint64_t balance;
} ledger;

typedef struct entry {
    ledger *of;
    uint32_t at;
} entry;

typedef struct job {
    ledger *of;
} job;

SVS_ASYNC_FUNCTION(long, fib, (int, n)) {
    long a, b;
    if (n < 2) return n;
    SVS_ASYNC_TO(a, fib, n - 1);
    b = SVS_CALL(fib, n - 2);
    SVS_SYNC(fib);
    return a + b;
}

static void add_one(svs_async_context *async, void *argument) {
    entry *e = argument;
    e->of->sums[e->at] += (uint64_t)SVS_CALL_ON(async, fib, 8);
}

static void job_touch(svs_footprint *f, const job *j) { svs_writes(f, j->of); }

/* Leaves its asyncs behind: they escape to the body's own finish. */
static svs_status job_run(svs_context *context, job *j) {
    svs_async_context *async = svs_context_async(context);
    j->of->balance++;
    for (uint32_t i = 0; i < ASYNCS; i++) {
        entry e = {j->of, i};
        svs_async(async, add_one, &e, sizeof e);
    }
    return svs_context_async(context) == async ? SVS_OK : 1;
}
SVS_TASK(job, job_run, job_touch)

static void send_jobs(svs_world *world, ledger *ledgers, uint32_t count) {
    svs_graph *graph;
    svs_task *task;
    support_ok(svs_graph_new(world, NULL, &graph));
    task = support_itemizer(graph, &job_task, NULL);
    for (uint32_t i = 0; i < JOBS; i++) {
        job j = {&ledgers[i % count]};
        support_ok(svs_graph_send(graph, task, &j, 1, sizeof j));
    }
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
}

static void expect_sums(const ledger *ledgers, uint32_t count) {
    for (uint32_t l = 0; l < count; l++) {
        assert_int_equal(ledgers[l].balance, JOBS / count);
        for (uint32_t i = 0; i < ASYNCS; i++)
            assert_int_equal(ledgers[l].sums[i], 21 * (JOBS / count));
    }
}

static void bodies_on(uint32_t threads, uint32_t policy) {
    svs_runtime *runtime = started_as(policy, threads, 20);
    ledger ledgers[4] = {{{0}, 0}};
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace;
    svs_world *world;
    support_ok(svs_world_new(runtime, NULL, &world));
    support_ok(svs_trace_start(runtime, NULL));
    send_jobs(world, ledgers, 4);
    support_ok(svs_trace_stop(runtime, &trace));
    expect_sums(ledgers, 4);
    if (svs_trace_verify(trace, message, sizeof message) != SVS_OK) fail_msg("%s", message);
    svs_trace_free(trace);
    support_ok(svs_world_free(world));
    support_ok(svs_runtime_free(runtime));
}

TEST_CASE(a_body_ends_when_its_asyncs_have) {
    static const uint32_t teams[] = {1, 2, 8};
    for (uint32_t i = 0; i < 3; i++) {
        bodies_on(teams[i], SVS_POLICY_HELP_FIRST);
        bodies_on(teams[i], SVS_POLICY_WORK_FIRST);
    }
}

int main(void) { return run_cases(NULL, NULL); }
