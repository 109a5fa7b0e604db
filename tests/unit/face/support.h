/* Helpers for the tests of the public face: a runtime with an allocator that counts and a log that
 * is kept, and bounded waits.
 *
 * A wait never decides a test by the clock: a test waits for a required event with a bound that
 * only a hang reaches, and watches for a forbidden event for a short while, which can miss a fault
 * but never invent one. */
#ifndef SVS_TESTS_FACE_SUPPORT_H
#define SVS_TESTS_FACE_SUPPORT_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "case.h"
#include "scale.h"
#include <svs/check.h>
#include <svs/svs.h>

#define SUPPORT_UNUSED __attribute__((unused))

/* ---- scale and time ---- */

SUPPORT_UNUSED static uint64_t support_scaled(uint64_t full) { return scaled(full, 1); }

SUPPORT_UNUSED static uint64_t support_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#define SUPPORT_HANG_MS 20000u /* only a hang waits so long */
#define SUPPORT_LOOK_MS 30u    /* how long to watch for a forbidden event */

/* Waits until `*flag` is at least `wanted`. @return whether that came before the bound. */
SUPPORT_UNUSED static bool support_wait(atomic_int *flag, int wanted, uint64_t bound_ms) {
    uint64_t end = support_now_ms() + bound_ms;
    while (atomic_load(flag) < wanted) {
        if (support_now_ms() > end) return false;
        sched_yield();
    }
    return true;
}

/* Waits for a required event, and watches for a forbidden one. */
SUPPORT_UNUSED static bool support_comes(atomic_int *flag, int wanted) {
    return support_wait(flag, wanted, SUPPORT_HANG_MS);
}
SUPPORT_UNUSED static bool support_appears(atomic_int *flag, int wanted) {
    return support_wait(flag, wanted, SUPPORT_LOOK_MS);
}

/* ---- the allocator ---- */

#define SUPPORT_LARGE 300000u

typedef struct support_memory {
    _Atomic(uint64_t) bytes;     /* now */
    _Atomic(uint64_t) blocks;    /* now */
    _Atomic(uint64_t) peak;      /* of bytes */
    _Atomic(uint64_t) calls;     /* of allocate */
    _Atomic(uint64_t) large;     /* those for at least SUPPORT_LARGE bytes, as for a window */
    _Atomic(uint64_t) fail_at;   /* this call of allocate fails, 0: none */
    _Atomic(uint64_t) fail_from; /* this one and all that follow fail, 0: none */
    _Atomic(uint64_t) failed;    /* calls that failed */
} support_memory;

SUPPORT_UNUSED static void *support_allocate(size_t size, size_t alignment, uint32_t worker,
                                             void *argument) {
    support_memory *memory = argument;
    uint64_t call = atomic_fetch_add(&memory->calls, 1) + 1;
    uint64_t from = atomic_load(&memory->fail_from);
    uint64_t bytes, peak;
    void *block;
    if (size == 0 || alignment < sizeof(void *) || (alignment & (alignment - 1))) abort();
    if (call == atomic_load(&memory->fail_at) || (from && call >= from)) {
        atomic_fetch_add(&memory->failed, 1);
        return NULL;
    }
    block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (!block) return NULL;
    svs_check_ignore_begin();  /* the library's memory, also when a task's call needs more */
    memset(block, 0xa5, size); /* not zeroed: code that relies on zeros fails */
    svs_check_ignore_end();
    atomic_fetch_add(&memory->blocks, 1);
    if (size >= SUPPORT_LARGE) atomic_fetch_add(&memory->large, 1);
    bytes = atomic_fetch_add(&memory->bytes, size) + size;
    peak = atomic_load(&memory->peak);
    while (peak < bytes && !atomic_compare_exchange_weak(&memory->peak, &peak, bytes)) continue;
    return block;
}

SUPPORT_UNUSED static void support_release(void *block, size_t size, size_t alignment,
                                           uint32_t worker, void *argument) {
    support_memory *memory = argument;
    if (!block || atomic_fetch_sub(&memory->bytes, size) < size) abort();
    atomic_fetch_sub(&memory->blocks, 1);
    memset(block, 0x5a, size); /* code that reads on fails */
    free(block);
}

/* ---- the log ---- */

typedef struct support_log {
    pthread_mutex_t mutex;
    int count;
    char last[512];
} support_log;

SUPPORT_UNUSED static void support_log_write(int level, const char *text, void *argument) {
    support_log *log = argument;
    if (level == SVS_LOG_INFO) return;
    pthread_mutex_lock(&log->mutex);
    log->count++;
    snprintf(log->last, sizeof log->last, "%s", text);
    pthread_mutex_unlock(&log->mutex);
}

/* ---- a runtime and a world ---- */

typedef struct support {
    support_memory memory;
    support_log log;
    svs_runtime *runtime;
    svs_world *world;
    int log_seen;
} support;

#define support_ok(call) assert_int_equal((call), SVS_OK)

/* Whether a race check watches the runs. */
SUPPORT_UNUSED static bool support_is_checked(const support *s) {
    svs_check_summary summary;
    return svs_check_summary_get(s->runtime, &summary) == SVS_OK;
}

SUPPORT_UNUSED static void support_options(support *s, uint32_t threads,
                                           svs_runtime_options *options) {
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->log.mutex, NULL);
    svs_runtime_options_init(options);
    options->threads = threads;
    options->allocator.allocate = support_allocate;
    options->allocator.release = support_release;
    options->allocator.argument = &s->memory;
    options->log = support_log_write;
    options->log_argument = &s->log;
}

SUPPORT_UNUSED static void support_open_with(support *s, uint32_t threads,
                                             const svs_world_options *world_options) {
    svs_runtime_options options;
    support_options(s, threads, &options);
    support_ok(svs_runtime_new(&options, &s->runtime));
    support_ok(svs_runtime_start(s->runtime));
    support_ok(svs_world_new(s->runtime, world_options, &s->world));
}

SUPPORT_UNUSED static void support_open(support *s, uint32_t threads) {
    support_open_with(s, threads, NULL);
}

/* Frees both; fails the case when memory was lost. */
SUPPORT_UNUSED static void support_close(support *s) {
    support_ok(svs_world_free(s->world));
    support_ok(svs_runtime_free(s->runtime));
    assert_int_equal(s->memory.blocks, 0);
    assert_int_equal(s->memory.bytes, 0);
    pthread_mutex_destroy(&s->log.mutex);
}

/* A case with a support `s` on so many threads, which is closed at its end. */
#define SUPPORT_CASE(name, threads)                                                                \
    static void name##_supported(support *s);                                                      \
    TEST_CASE(name) {                                                                              \
        support s;                                                                                 \
        support_open(&s, threads);                                                                 \
        name##_supported(&s);                                                                      \
        support_close(&s);                                                                         \
    }                                                                                              \
    static void name##_supported(support *s)

/* Whether a warning or an error was logged since the last look. */
SUPPORT_UNUSED static bool support_logged(support *s) {
    bool logged;
    pthread_mutex_lock(&s->log.mutex);
    logged = s->log.count != s->log_seen;
    s->log_seen = s->log.count;
    pthread_mutex_unlock(&s->log.mutex);
    return logged;
}

/* ---- objects and graphs ---- */

typedef struct node {
    uint64_t data;
    struct node *a, *b, *c;
    svs_object svs;
} node;
SVS_TYPE(node, svs, a, b, c)

SUPPORT_UNUSED static node *support_node(svs_world *world) {
    void *storage = NULL;
    support_ok(svs_object_new(world, &node_type, &storage));
    assert_non_null(storage);
    return storage;
}

SUPPORT_UNUSED static svs_graph *support_graph(support *s) {
    svs_graph *graph = NULL;
    support_ok(svs_graph_new(s->world, NULL, &graph));
    return graph;
}

/* A graph with one algorithm in all of its domains, and a loop over the algorithms. */
SUPPORT_UNUSED static svs_graph *support_graph_of(const support *s, svs_algorithm algorithm) {
    svs_graph *graph = NULL;
    svs_graph_options options;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    support_ok(svs_graph_new(s->world, &options, &graph));
    return graph;
}
#define SUPPORT_EACH_ALGORITHM(a)                                                                  \
    for (svs_algorithm a = SVS_ALGORITHM_STAGED; a <= SVS_ALGORITHM_IN_ORDER; a++)

/* A case with a graph as well, which is freed at its end. */
#define SUPPORT_GRAPH_CASE(name, threads)                                                          \
    static void name##_in(support *s, svs_graph *graph);                                           \
    SUPPORT_CASE(name, threads) {                                                                  \
        svs_graph *graph = support_graph(s);                                                       \
        name##_in(s, graph);                                                                       \
        support_ok(svs_graph_free(graph));                                                         \
    }                                                                                              \
    static void name##_in(support *s, svs_graph *graph)

SUPPORT_UNUSED static svs_task *support_transform(svs_graph *graph, const svs_task_type *type,
                                                  const void *item, void *argument) {
    svs_task *task = NULL;
    support_ok(svs_graph_add_transform(graph, type, item, argument, &task));
    return task;
}

SUPPORT_UNUSED static svs_task *support_itemizer(svs_graph *graph, const svs_task_type *type,
                                                 void *argument) {
    svs_task *task = NULL;
    support_ok(svs_graph_add_itemizer(graph, type, argument, &task));
    return task;
}

SUPPORT_UNUSED static svs_world_statistics support_world_statistics(const svs_world *world) {
    svs_world_statistics statistics;
    support_ok(svs_world_statistics_get(world, &statistics));
    return statistics;
}

SUPPORT_UNUSED static uint64_t support_metadata(const support *s) {
    return support_world_statistics(s->world).metadata_bytes;
}

SUPPORT_UNUSED static svs_graph_statistics support_statistics(const svs_graph *graph) {
    svs_graph_statistics statistics;
    memset(&statistics, 0, sizeof statistics);
    support_ok(svs_graph_statistics_get(graph, &statistics));
    return statistics;
}

/* Runs and frees a graph that must succeed. */
SUPPORT_UNUSED static void support_run(svs_graph *graph, uint32_t iterations) {
    svs_report report;
    svs_status status;
    memset(&report, 0, sizeof report);
    status = svs_graph_run(graph, iterations, &report);
    if (status) print_error("%s: %s\n", svs_status_name(status), report.text);
    assert_int_equal(status, SVS_OK);
}

#endif
