/* Items from a thread outside of the workers: transfers between accounts are sent through a source
 * while the graph runs, a few at a time. They are compared with the same transfers in batches of
 * 4,096, each with a run of its own. A second figure is the time from svs_graph_cancel() to the end
 * of a run with all items pending.
 *
 *     bench_sources [--items 1000000] [--at-once 1,16,64] [--threads 2]
 *
 * CPU time of all threads; a ratio of 1 means that the source costs nothing more. */
#include "shim.h"

#include <pthread.h>
#include <stdlib.h>

#define ACCOUNTS 10000u
#define BATCH 4096u
#define LIMIT 65536u

typedef struct settings {
    bench_list at_once;
    uint64_t items, threads;
} settings;
static settings s = {{{1, 16, 64}, 3}, 1000000, 2};
static bench_graph g;

typedef struct transfer {
    int64_t *from, *to, amount;
} transfer;
static void transfer_touch(svs_footprint *f, const transfer *t) {
    svs_writes(f, t->from);
    svs_writes(f, t->to);
}
static svs_status transfer_run(svs_context *x, transfer *t) {
    (void)x;
    *t->from -= t->amount;
    *t->to += t->amount;
    return SVS_OK;
}
SVS_TASK(transfer, transfer_run, transfer_touch)

static int64_t accounts[ACCOUNTS];

static void draw(uint32_t *random, transfer *some, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint32_t from = (*random = *random * 1664525u + 1013904223u) >> 8;
        uint32_t by = (*random = *random * 1664525u + 1013904223u) >> 8;
        some[i] = (transfer){&accounts[from % ACCOUNTS],
                             &accounts[(from + 1 + by % (ACCOUNTS - 1)) % ACCOUNTS], by % 97};
    }
}

/* ---- through a source ---- */

typedef struct reader {
    svs_source *source;
    uint64_t items, at_once;
} reader;

static void *send_all(void *argument) {
    const reader *r = argument;
    transfer *some = bench_allocate(r->at_once, sizeof *some);
    uint32_t random = BENCH_SEED;
    for (uint64_t sent = 0; sent < r->items; sent += r->at_once) {
        draw(&random, some, r->at_once);
        BENCH_OK(svs_source_send(r->source, some, r->at_once, sizeof *some, UINT64_MAX));
    }
    BENCH_OK(svs_source_free(r->source));
    free(some);
    return NULL;
}

static void by_source(bench_state *state, const void *at_once) {
    while (bench_loop(state)) {
        reader r = {NULL, s.items, *(const uint64_t *)at_once};
        pthread_t thread;
        BENCH_OK(svs_source_new(g.task, LIMIT, &r.source));
        if (pthread_create(&thread, NULL, send_all, &r)) bench_fail("no thread");
        BENCH_OK(svs_graph_run(g.graph, 1, NULL));
        pthread_join(thread, NULL);
    }
}

/* ---- in batches: the reader fills one while the other runs ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    transfer items[2][BATCH];
    uint32_t filled[2], writing;
    int over;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *fill_all(void *argument) {
    uint64_t items = *(const uint64_t *)argument;
    uint32_t random = BENCH_SEED;
    for (uint64_t i = 0; i <= items; i++) {
        pthread_mutex_lock(&queue.lock);
        while (queue.filled[queue.writing] == BATCH) pthread_cond_wait(&queue.changed, &queue.lock);
        if (i == items) queue.over = 1;
        else draw(&random, &queue.items[queue.writing][queue.filled[queue.writing]++], 1);
        if (queue.over || queue.filled[queue.writing] == BATCH)
            pthread_cond_broadcast(&queue.changed);
        pthread_mutex_unlock(&queue.lock);
    }
    return NULL;
}

/* @return the full buffer, or the last one. */
static uint32_t take(int *last) {
    uint32_t mine;
    pthread_mutex_lock(&queue.lock);
    while (queue.filled[queue.writing] < BATCH && !queue.over)
        pthread_cond_wait(&queue.changed, &queue.lock);
    *last = queue.over;
    mine = queue.writing;
    queue.writing = !mine;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
    return mine;
}

static void by_batches(bench_state *state, const void *argument) {
    (void)argument;
    while (bench_loop(state)) {
        pthread_t thread;
        int last = 0;
        queue.over = 0;
        queue.filled[0] = queue.filled[1] = queue.writing = 0;
        if (pthread_create(&thread, NULL, fill_all, &s.items)) bench_fail("no thread");
        while (!last) {
            uint32_t mine = take(&last);
            BENCH_OK(svs_graph_send(g.graph, g.task, queue.items[mine], queue.filled[mine],
                                    sizeof(transfer)));
            BENCH_OK(svs_graph_run(g.graph, 1, NULL));
            queue.filled[mine] = 0;
        }
        pthread_join(thread, NULL);
    }
}

/* ---- measuring ---- */

static void begin_with_all(void) {
    transfer some[1000];
    uint32_t random = BENCH_SEED;
    for (uint64_t sent = 0; sent < s.items; sent += 1000) {
        draw(&random, some, 1000);
        BENCH_OK(svs_graph_send(g.graph, g.task, some, 1000, sizeof *some));
    }
    BENCH_OK(svs_graph_begin(g.graph, 1, NULL, NULL));
}

/* By CPU time: on a shared machine, the wall's time is that of the others. If this thread lost its
 * processor in between, the run may be over: then another one is cancelled. */
static void cancel(bench_state *state, const void *argument) {
    enum { TRIES = 100 };
    (void)argument;
    while (bench_loop(state)) {
        svs_status status = SVS_E_STATE;
        for (int try = 0; try < TRIES && status; try++) {
            bench_pause(state);
            begin_with_all();
            bench_resume(state);
            status = svs_graph_cancel(g.graph, 1);
            if (status == SVS_E_STATE) BENCH_OK(svs_graph_wait(g.graph, UINT64_MAX, NULL));
        }
        bench_check(status, "svs_graph_cancel");
        if (svs_graph_wait(g.graph, UINT64_MAX, NULL) != 1) bench_fail("the run was not cancelled");
    }
}

static bench_case *batches, *cancelled, *sources[BENCH_LIST_MAX];

static void report(void) {
    bench_figure others = bench_figure_of(batches, BENCH_CPU);
    bench_figure end = bench_figure_of(cancelled, BENCH_CPU);
    for (size_t i = 0; i < s.at_once.count; i++)
        bench_case_row(sources[i], "cpu_ratio=%.3f cancel_cpu_us=%.0f",
                       bench_figure_of(sources[i], BENCH_CPU).median / others.median,
                       1e-3 * end.median);
}

static void add_cases(void) {
    unsigned long long threads = s.threads, items = s.items;
    batches = bench_case_new(by_batches, NULL, 1, "sources/batches threads=%llu items=%llu",
                             threads, items);
    cancelled =
        bench_case_new(cancel, NULL, 1, "sources/cancel threads=%llu items=%llu", threads, items);
    for (size_t i = 0; i < s.at_once.count; i++)
        sources[i] = bench_case_new(by_source, &s.at_once.values[i], 1,
                                    "sources/source at_once=%llu threads=%llu items=%llu",
                                    (unsigned long long)s.at_once.values[i], threads, items);
}

static const option_row rows[] = {
    {"items", 'i', "N", "Transfers (1000000)", 0, OPTION_NUMBER(settings, items, 1000, 100000000)},
    {"at-once", 'a', "LIST", "Transfers that a send has (1, 16 and 64)", 0,
     BENCH_OPTION_LIST(settings, at_once, 1, LIMIT)},
    {"threads", 't', "N", "Threads (2)", 0, OPTION_NUMBER(settings, threads, 1, SVS_THREADS_MAX)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Items from other threads, and cancelling."};
    int status;
    bench_options(&program, argc, argv, &s);
    g = bench_graph_new((uint32_t)s.threads, &transfer_task);
    add_cases();
    status = bench_run(report);
    bench_graph_free(&g);
    return status;
}
