/* How long the main thread of a loop with frames is away inside of the library: it sends the items
 * of a frame, begins their run, does work of its own until the frame ends, and takes the run's
 * status then. Other workers run the bodies.
 *
 *     bench_frame [--rate 60] [--items 1000] [--body 1000] [--threads 2] [--frames 300]
 *
 * `away` is the time of svs_graph_send(), svs_graph_begin() and svs_graph_wait() together. A frame
 * is late if its run has not ended with the frame: then the wait is not counted as away. */
#include "shim.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct settings {
    uint64_t rate, items, body_ns, threads, frames;
} settings;

typedef struct job {
    uint64_t index;
    uint32_t rounds;
} job;

static svs_space *things;

static void job_touch(svs_footprint *f, const job *j) { svs_writes_at(f, things, j->index); }
static svs_status job_run(svs_context *x, job *j) {
    (void)x;
    bench_spin(j->rounds);
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

static void tell(svs_graph *graph, svs_status status, void *argument) {
    (void)graph, (void)status;
    atomic_store((atomic_int *)argument, 1);
}

typedef struct loop {
    const settings *s;
    bench_graph g;
    job *jobs;
    uint64_t late;
} loop;

static uint64_t begin_frame(const loop *l, atomic_int *over) {
    uint64_t begin = bench_wall_ns();
    BENCH_OK(svs_graph_send(l->g.graph, l->g.task, l->jobs, l->s->items, sizeof *l->jobs));
    BENCH_OK(svs_graph_begin(l->g.graph, 1, tell, over));
    return bench_wall_ns() - begin;
}

/* @return for how many ns the main thread was away. */
static uint64_t run_frame(loop *l, uint64_t end_ns) {
    atomic_int over = 0;
    uint64_t away = begin_frame(l, &over), now = bench_wall_ns(), begin;
    if (now < end_ns) bench_sleep_ns(end_ns - now); /* the loop's own work */
    if (!atomic_load(&over)) {
        l->late++;
        BENCH_OK(svs_graph_wait(l->g.graph, UINT64_MAX, NULL));
        return away;
    }
    begin = bench_wall_ns();
    BENCH_OK(svs_graph_wait(l->g.graph, UINT64_MAX, NULL));
    return away + bench_wall_ns() - begin;
}

/* An iteration has all frames, as each begins a fixed time after the one before. */
static void run_frames(loop *l, double *away_us) {
    uint64_t next = bench_wall_ns(), now;
    for (uint64_t i = 0; i < l->s->frames; i++) {
        next += 1000000000 / l->s->rate;
        away_us[i] = (double)run_frame(l, next) * 1e-3;
        now = bench_wall_ns();
        if (now > next) next = now;
    }
}

static void measure(bench_state *state, const void *argument) {
    loop l = *(const loop *)argument;
    uint64_t frames = l.s->frames;
    double *away = bench_allocate(frames, sizeof *away);
    (void)run_frame(&l, 0); /* makes the memory that the frames use again */
    l.late = 0;
    while (bench_loop(state)) run_frames(&l, away);
    bench_counter(state, "late", (double)l.late);
    bench_counter(state, "away_median_us", bench_median(away, frames));
    bench_counter(state, "away_p99_us", bench_percentile(away, frames, 99));
    bench_counter(state, "away_worst_us", bench_percentile(away, frames, 100));
    free(away);
}

static bench_case *measured;

static double figure(const char *key) { return bench_figure_of(measured, key).median; }

static void report(void) {
    bench_case_row(measured, "late=%.0f away_median_us=%.1f away_p99_us=%.1f away_worst_us=%.1f",
                   figure("late"), figure("away_median_us"), figure("away_p99_us"),
                   figure("away_worst_us"));
}

static const option_row rows[] = {
    {"rate", 'r', "HZ", "Frames a second (60)", 0, OPTION_NUMBER(settings, rate, 1, 1000)},
    {"items", 'n', "N", "Items of a frame (1000)", 0, OPTION_NUMBER(settings, items, 1, 1000000)},
    {"body", 'b', "NS", "How long a body takes (1000)", 0,
     OPTION_NUMBER(settings, body_ns, 0, 1000000)},
    {"threads", 't', "N", "Threads (2)", 0, OPTION_NUMBER(settings, threads, 2, SVS_THREADS_MAX)},
    {"frames", 'f', "N", "Frames (300)", 0, OPTION_NUMBER(settings, frames, 1, 1000000)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "The main thread of a loop with frames."};
    settings s = {60, 1000, 1000, 2, 300};
    loop l = {.s = &s};
    uint32_t rounds;
    int status;
    bench_default("--benchmark_repetitions=1");
    bench_options(&program, argc, argv, &s);
    rounds = bench_rounds((uint32_t)s.body_ns);
    l.jobs = bench_allocate(s.items, sizeof *l.jobs);
    for (uint64_t i = 0; i < s.items; i++) l.jobs[i] = (job){i, rounds};
    l.g = bench_graph_new((uint32_t)s.threads, &job_task);
    BENCH_OK(svs_space_new(l.g.world, "things", s.items, &things));
    measured = bench_case_new(measure, &l, (double)s.frames,
                              "frame rate=%llu items=%llu threads=%llu frames=%llu",
                              (unsigned long long)s.rate, (unsigned long long)s.items,
                              (unsigned long long)s.threads, (unsigned long long)s.frames);
    measured->iterations = 1;
    status = bench_run(report);
    BENCH_OK(svs_graph_free(l.g.graph));
    BENCH_OK(svs_space_free(things));
    BENCH_OK(svs_world_free(l.g.world));
    BENCH_OK(svs_runtime_free(l.g.runtime));
    free(l.jobs);
    return status;
}
