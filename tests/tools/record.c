/* Writes the traces that the tests of the command look at, to the folder that it is given: some
 * told event by event, so that every count is known, and some of real runs.
 *
 *     nested.svstrace     help-first, 3 workers: w0:0 > w1:0 > w2:0 > w1:1, the last inside of w1:0
 *                         while that waits
 *     suspended.svstrace  work-first, 2 workers: w0:0 > w1:0, suspended, and resumed by w0:1
 *     large.svstrace      help-first, 64 workers, 10,000 phases
 *     lost.svstrace       the beginning of a run that did not fit: inconsistent
 *     none.svstrace       no phase: inconsistent
 *     run-0.svstrace      a run of 2 workers, help-first; run-1.svstrace: work-first
 *     graph.svstrace      a run of a graph: 400 instances of `transfer` that write two of eight
 *                         accounts each, and one of `produce`; 2 workers
 *     failed.svstrace     the same, in which the instance number 100 fails
 *
 * nested is there a second time, under a name that would end strings and elements. */
#include "stealtree/record.h"
#include "base/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/async.h>
#include <svs/graph.h>

static const char *folder;

static void check(bool well, const char *what) {
    if (well) return;
    fprintf(stderr, "record: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static void keep(svs_trace *trace, const char *name) {
    char path[4096], message[SVS_TRACE_MESSAGE];
    check(trace != NULL, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (svs_trace_write(trace, path, message, sizeof message)) check(false, message);
    svs_trace_free(trace);
}

static svs__recorder *recorder_of(uint32_t policy, uint32_t workers, size_t max_bytes) {
    svs__recorder *r = svs__recorder_new(&svs__allocator_libc, policy, workers, max_bytes);
    check(r != NULL, "a recorder");
    r->trace->cpus = workers; /* on any machine */
    return r;
}

static void begin(svs__recorder *r, uint32_t worker, svs__phase_kind kind, uint32_t victim,
                  uint64_t at, uint64_t ordinal) {
    svs__phase_start start = {kind, victim, at, ordinal};
    r->observer.phase_begins(&r->observer, worker, &start);
}

static void end(svs__recorder *r, uint32_t worker, uint64_t ordinal, bool suspended) {
    r->observer.phase_ends(&r->observer, worker, ordinal, suspended);
}

static svs_trace *nested(void) {
    svs__recorder *r = recorder_of(SVS_POLICY_HELP_FIRST, 3, 1 << 20);
    begin(r, 0, SVS__PHASE_ROOT, 0, 0, 0);
    begin(r, 1, SVS__PHASE_STOLEN, 0, 3, 0);
    begin(r, 2, SVS__PHASE_STOLEN, 1, 2, 0);
    r->observer.waits(&r->observer, 1, true);
    begin(r, 1, SVS__PHASE_STOLEN, 2, 1, 5);
    end(r, 1, 9, false);
    r->observer.waits(&r->observer, 1, false);
    end(r, 2, 30, false);
    end(r, 1, 20, false);
    end(r, 0, 100, false);
    return svs__recorder_finish(r);
}

/* The same on two CPUs, with a measurement. */
static svs_trace *measured(void) {
    static const svs_measure measure = {1024000, 16000, 150, 25};
    svs_trace *trace = nested();
    trace->cpus = 2;
    check(svs_trace_measure_set(trace, &measure) == SVS_OK, "a measure");
    return trace;
}

static svs_trace *suspended(void) {
    svs__recorder *r = recorder_of(SVS_POLICY_WORK_FIRST, 2, 1 << 20);
    begin(r, 0, SVS__PHASE_ROOT, 0, 0, 0);
    begin(r, 1, SVS__PHASE_STOLEN, 0, 0, 0);
    end(r, 1, 4, true);
    end(r, 0, 7, false);
    begin(r, 0, SVS__PHASE_RESUMED, 1, 0, 7);
    end(r, 0, 8, false);
    return svs__recorder_finish(r);
}

enum { LARGE_WORKERS = 64, LARGE_PHASES = 10000 };

/* Workers steal from random others, and end what they have stolen, until there were enough. */
static svs_trace *large(size_t max_bytes) {
    svs__recorder *r = recorder_of(SVS_POLICY_HELP_FIRST, LARGE_WORKERS, max_bytes);
    uint64_t ordinals[LARGE_WORKERS] = {0};
    uint32_t depths[LARGE_WORKERS] = {1}, phases = 1;
    svs__random random = {7};
    begin(r, 0, SVS__PHASE_ROOT, 0, 0, 0);
    while (phases < LARGE_PHASES) {
        uint32_t w = svs__random_below(&random, LARGE_WORKERS);
        uint32_t v = svs__random_below(&random, LARGE_WORKERS);
        ordinals[w] += depths[w] > 0 ? svs__random_below(&random, 50) : 0;
        if (depths[w] > 0 && w != 0 && svs__random_below(&random, 3) > 0) {
            end(r, w, ordinals[w], false);
            depths[w]--;
        } else if (w != v && w != 0 && depths[v] > 0 && depths[w] < 3) {
            begin(r, w, SVS__PHASE_STOLEN, v, ordinals[v]++, ordinals[w]);
            depths[w]++;
            phases++;
        }
    }
    for (uint32_t w = LARGE_WORKERS; w-- > 0;)
        while (depths[w]-- > 0) end(r, w, ordinals[w], false);
    return svs__recorder_finish(r);
}

static void split(svs_async_context *async, void *argument) {
    uint32_t count = *(uint32_t *)argument;
    volatile uint32_t sum = 0;
    if (count < 2) {
        for (uint32_t i = 0; i < 2000; i++) sum = sum + i;
        return;
    }
    count /= 2;
    svs_async(async, split, &count, sizeof count);
    svs_async(async, split, &count, sizeof count);
}

static svs_trace *run(uint32_t policy) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_trace *trace;
    uint32_t count = 2048;
    svs_runtime_options_init(&options);
    options.threads = 2;
    options.policy = policy;
    check(!svs_runtime_new(&options, &runtime) && !svs_runtime_start(runtime), "a runtime");
    check(!svs_trace_start(runtime, NULL), "tracing");
    check(!svs_async_run(runtime, split, &count), "a run");
    check(!svs_trace_stop(runtime, &trace), "the end of tracing");
    check(!svs_runtime_free(runtime), "the end of the runtime");
    return trace;
}

/* ---- a graph ---- */

enum { ACCOUNTS = 8, TRANSFERS = 400, FAILS_AT = 100 };

typedef struct transfer {
    uint32_t from, to, number;
} transfer;
static svs_space *accounts;
static uint64_t balances[ACCOUNTS];
static bool fails;

static void transfer_touch(svs_footprint *f, const transfer *t) {
    svs_writes_at(f, accounts, t->from);
    svs_writes_at(f, accounts, t->to);
}
static svs_status transfer_body(svs_context *context, transfer *t) {
    volatile uint32_t sum = 0;
    (void)context;
    for (uint32_t i = 0; i < 2000; i++) sum = sum + i;
    balances[t->from]--;
    balances[t->to]++;
    return fails && t->number == FAILS_AT ? 7 : SVS_OK;
}
SVS_TASK(transfer, transfer_body, transfer_touch)

typedef struct produce {
    svs_task *to;
} produce;
static svs_status produce_body(svs_context *context, produce *item) {
    svs__random random = {3};
    transfer items[TRANSFERS];
    for (uint32_t i = 0; i < TRANSFERS; i++) {
        uint32_t from = svs__random_below(&random, ACCOUNTS);
        uint32_t to = (from + 1 + svs__random_below(&random, ACCOUNTS - 1)) % ACCOUNTS;
        items[i] = (transfer){from, to, i};
    }
    return transfer_send(context, item->to, items, TRANSFERS);
}
static void produce_touch(svs_footprint *f, const produce *item) { (void)f, (void)item; }
SVS_TASK(produce, produce_body, produce_touch)

static svs_trace *run_graph(bool failing) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *from, *to;
    svs_trace *trace;
    produce item;
    fails = failing;
    svs_runtime_options_init(&options);
    options.threads = 2;
    check(!svs_runtime_new(&options, &runtime) && !svs_runtime_start(runtime), "a runtime");
    check(!svs_world_new(runtime, NULL, &world) && !svs_graph_new(world, NULL, &graph), "a graph");
    check(!svs_space_new(world, "accounts", ACCOUNTS, &accounts), "a space");
    check(!svs_graph_add_itemizer(graph, &transfer_task, NULL, &to), "a task");
    item.to = to;
    check(!svs_graph_add_transform(graph, &produce_task, &item, NULL, &from), "a task");
    check(!svs_graph_add_flow(graph, from, to), "a flow");
    check(!svs_trace_start(runtime, NULL), "tracing");
    check(svs_graph_run(graph, 1, NULL) == (failing ? 7 : SVS_OK), "a run");
    check(!svs_trace_stop(runtime, &trace), "the end of tracing");
    check(!svs_graph_free(graph) && !svs_space_free(accounts) && !svs_world_free(world), "an end");
    check(!svs_runtime_free(runtime), "the end of the runtime");
    return trace;
}

int main(int argc, char **argv) {
    check(argc == 2, "reading the arguments: record FOLDER");
    folder = argv[1];
    keep(nested(), "nested.svstrace");
    keep(nested(), "a\"b\\<c> '&.svstrace");
    keep(measured(), "measured.svstrace");
    keep(suspended(), "suspended.svstrace");
    keep(large(64 << 20), "large.svstrace");
    keep(large(64 << 10), "lost.svstrace");
    keep(svs__recorder_finish(recorder_of(SVS_POLICY_HELP_FIRST, 1, 1 << 20)), "none.svstrace");
    keep(run(SVS_POLICY_HELP_FIRST), "run-0.svstrace");
    keep(run(SVS_POLICY_WORK_FIRST), "run-1.svstrace");
    keep(run_graph(false), "graph.svstrace");
    keep(run_graph(true), "failed.svstrace");
    return EXIT_SUCCESS;
}
