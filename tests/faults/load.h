/* A load to run while something happens to the process: a graph of transfers between accounts, with
 * a constant sum, and a tree of asyncs, with a count of its leaves. */
#ifndef SVS_TESTS_FAULTS_LOAD_H
#define SVS_TESTS_FAULTS_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"
#include "leaves.h"
#include "scale.h"
#include <svs/svs.h>

#define LOAD_UNUSED __attribute__((unused))
#define LOAD_ACCOUNTS 16
#define LOAD_TRANSFERS 400
#define LOAD_DEPTH 9
#define LOAD_HANG_SECONDS 60u /* only a hang takes so long */

typedef struct load {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *transfers;
    long accounts[LOAD_ACCOUNTS];
} load;

typedef struct transfer {
    long *from, *to;
} transfer;

static void transfer_touch(svs_footprint *f, const transfer *t) {
    svs_writes(f, t->from);
    svs_writes(f, t->to);
}
static svs_status transfer_run(svs_context *context, transfer *t) {
    --*t->from;
    ++*t->to;
    return SVS_OK;
}
SVS_TASK(transfer, transfer_run, transfer_touch)

#define load_ok(call) assert_int_equal((call), SVS_OK)

LOAD_UNUSED static int load_percent(void) { return (int)scaled(100, 1); }

LOAD_UNUSED static void load_open_with(load *l, const svs_runtime_options *options) {
    memset(l, 0, sizeof *l);
    load_ok(svs_runtime_new(options, &l->runtime));
    load_ok(svs_runtime_start(l->runtime));
    load_ok(svs_world_new(l->runtime, NULL, &l->world));
    load_ok(svs_graph_new(l->world, NULL, &l->graph));
    load_ok(svs_graph_add_itemizer(l->graph, &transfer_task, NULL, &l->transfers));
}

LOAD_UNUSED static void load_open(load *l, uint32_t threads, uint32_t policy) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = threads;
    options.policy = policy;
    load_open_with(l, &options);
}

LOAD_UNUSED static void load_close(load *l) {
    load_ok(svs_graph_free(l->graph));
    load_ok(svs_world_free(l->world));
    load_ok(svs_runtime_free(l->runtime));
}

LOAD_UNUSED static bool load_run_graph(load *l) {
    long sum = 0;
    for (int i = 0; i < LOAD_TRANSFERS; i++) {
        transfer t = {&l->accounts[i % LOAD_ACCOUNTS], &l->accounts[(i * 7 + 1) % LOAD_ACCOUNTS]};
        if (t.from == t.to || svs_graph_send(l->graph, l->transfers, &t, 1, sizeof t)) continue;
    }
    if (svs_graph_run(l->graph, 1, NULL)) return false;
    for (int i = 0; i < LOAD_ACCOUNTS; i++) sum += l->accounts[i];
    return sum == 0;
}

static void load_root(svs_async_context *async, void *argument) {
    *(long *)argument = SVS_CALL_ON(async, leaves, LOAD_DEPTH);
}
LOAD_UNUSED static bool load_run_asyncs(load *l) {
    long leaves = 0;
    return svs_async_run(l->runtime, load_root, &leaves) == SVS_OK && leaves == 1L << LOAD_DEPTH;
}

LOAD_UNUSED static bool load_run(load *l) { return load_run_graph(l) && load_run_asyncs(l); }

/* Waits for a child. @return its exit status, or 1000 and the number of its signal. */
LOAD_UNUSED static int load_wait(pid_t child) {
    int status;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

#endif
