/* The time that a frame waits for another run: a thread runs a graph of long bodies, and the main
 * thread runs a graph of one tiny item every few milliseconds. A frame should take no longer than
 * the longest body, whatever else is queued.
 *
 *     bench_stall [--body 50] [--bodies 40] [--threads 2]
 *
 * Bodies sleep, and are timed: on a shared machine they take longer than they sleep. */
#include "shim.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BETWEEN_NS 5000000u /* frames */
#define SLOTS 1024u

typedef struct settings {
    uint64_t body_ms, bodies, threads;
} settings;
static settings s = {50, 40, 2};
static svs_world *world;
static bench_case *measured;

typedef struct job {
    uint64_t slot, ns;
} job;

static svs_space *slots;
static _Atomic(uint64_t) longest_ns;

static void job_touch(svs_footprint *f, const job *j) { svs_writes_at(f, slots, j->slot); }
static svs_status job_run(svs_context *x, job *j) {
    uint64_t begin = bench_wall_ns(), longest = atomic_load(&longest_ns), ns;
    (void)x;
    if (!j->ns) return SVS_OK;
    bench_sleep_ns(j->ns);
    ns = bench_wall_ns() - begin;
    while (ns > longest && !atomic_compare_exchange_weak(&longest_ns, &longest, ns)) {}
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

typedef struct background {
    svs_graph *graph;
    atomic_int over;
} background;

static void *run_background(void *argument) {
    background *b = argument;
    BENCH_OK(svs_graph_run(b->graph, 1, NULL));
    atomic_store(&b->over, 1);
    return NULL;
}

static svs_graph *graph_of(svs_task **task) {
    svs_graph *graph;
    BENCH_OK(svs_graph_new(world, NULL, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, &job_task, NULL, task));
    return graph;
}

/* Runs the background once, and frames alongside. @return the time of the longest frame. */
static uint64_t worst_frame(uint64_t *frames) {
    svs_task *task, *long_task;
    background b = {graph_of(&long_task), 0};
    svs_graph *graph = graph_of(&task);
    pthread_t thread;
    uint64_t worst = 0;
    for (uint64_t i = 0; i < s.bodies; i++) {
        job j = {i, s.body_ms * 1000000};
        BENCH_OK(svs_graph_send(b.graph, long_task, &j, 1, sizeof j));
    }
    if (pthread_create(&thread, NULL, run_background, &b)) bench_fail("no thread");
    for (bench_sleep_ns(BETWEEN_NS); !atomic_load(&b.over); bench_sleep_ns(BETWEEN_NS)) {
        job j = {s.bodies, 0};
        uint64_t begin = bench_wall_ns(), ns;
        BENCH_OK(svs_graph_send(graph, task, &j, 1, sizeof j));
        BENCH_OK(svs_graph_run(graph, 1, NULL));
        ns = bench_wall_ns() - begin;
        if (ns > worst) worst = ns;
        ++*frames;
    }
    pthread_join(thread, NULL);
    BENCH_OK(svs_graph_free(graph));
    BENCH_OK(svs_graph_free(b.graph));
    return worst;
}

static void measure(bench_state *state, const void *argument) {
    (void)argument;
    while (bench_loop(state)) {
        uint64_t frames = 0;
        atomic_store(&longest_ns, 0);
        bench_counter(state, "worst_ms", (double)worst_frame(&frames) * 1e-6);
        bench_counter(state, "longest_body_ms", (double)atomic_load(&longest_ns) * 1e-6);
        bench_counter(state, "frames", (double)frames);
    }
}

static double figure(const char *key) { return bench_figure_of(measured, key).median; }

static void report(void) {
    bench_case_row(measured, "frames=%.0f worst_ms=%.2f longest_body_ms=%.2f", figure("frames"),
                   figure("worst_ms"), figure("longest_body_ms"));
}

static const option_row rows[] = {
    {"body", 'b', "MS", "How long a body of the background takes (50)", 0,
     OPTION_NUMBER(settings, body_ms, 1, 10000)},
    {"bodies", 'n', "N", "Bodies of the background (40)", 0,
     OPTION_NUMBER(settings, bodies, 1, SLOTS - 1)},
    {"threads", 't', "N", "Threads (2)", 0, OPTION_NUMBER(settings, threads, 1, SVS_THREADS_MAX)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "A short run beside a run of long bodies."};
    svs_runtime *runtime;
    int status;
    bench_default("--benchmark_repetitions=3");
    bench_options(&program, argc, argv, &s);
    runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, (uint32_t)s.threads);
    BENCH_OK(svs_world_new(runtime, NULL, &world));
    BENCH_OK(svs_space_new(world, "slots", SLOTS, &slots));
    measured = bench_case_new(measure, NULL, 1, "stall threads=%llu bodies=%llu",
                              (unsigned long long)s.threads, (unsigned long long)s.bodies);
    measured->iterations = 1;
    status = bench_run(report);
    BENCH_OK(svs_space_free(slots));
    BENCH_OK(svs_world_free(world));
    BENCH_OK(svs_runtime_free(runtime));
    return status;
}
