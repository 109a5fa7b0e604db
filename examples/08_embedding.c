/* Shows:  SvS inside of a program with a main loop and threads of its own: items that a thread
 *         reads, a run in each turn of the loop, a long run alongside that is cancelled, a log.
 * Run:    build/release/bin/08_embedding
 * Expect: no sample is lost; the long run ends with the program's status (expected.txt). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <svs/svs.h>

enum {
    SENSORS = 16,
    SAMPLES = 20000,
    ROOM = 512,
    STOPPED = 7 /* statuses > 0 are the program's */
};

typedef struct sample {
    long *sum, value;
} sample;
static void sample_touch(svs_footprint *f, const sample *s) { svs_writes(f, s->sum); }
static svs_status sample_run(svs_context *x, sample *s) {
    (void)x;
    *s->sum += s->value;
    return SVS_OK;
}
SVS_TASK(sample, sample_run, sample_touch)

/* ---- a thread of the program, without any call of SvS, and its queue ---- */

static long sums[SENSORS];
static sample queue[ROOM];
static int queued, ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *reader(void *unused) {
    (void)unused;
    for (int i = 0; i <= SAMPLES; i++) {
        pthread_mutex_lock(&lock);
        while (queued == ROOM) pthread_cond_wait(&changed, &lock);
        if (i < SAMPLES) queue[queued++] = (sample){&sums[i % SENSORS], i};
        else ended = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

/* All samples that are there, at least one unless the reader has ended. */
static int take(sample *taken) {
    int count;
    pthread_mutex_lock(&lock);
    while (!queued && !ended) pthread_cond_wait(&changed, &lock);
    count = queued;
    for (int i = 0; i < count; i++) taken[i] = queue[i];
    queued = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return count;
}

/* ---- a long run on the same workers, alongside the loop ---- */

typedef struct simulation {
    long *steps;
} simulation;
static void simulation_touch(svs_footprint *f, const simulation *s) { svs_writes(f, s->steps); }
static svs_status simulation_run(svs_context *x, simulation *s) {
    (void)x;
    ++*s->steps;
    return SVS_OK;
}
SVS_TASK(simulation, simulation_run, simulation_touch)

static void log_line(int level, const char *text, void *argument) {
    (void)text; /* into the program's own log */
    if (level == SVS_LOG_ERROR) atomic_fetch_add((atomic_int *)argument, 1);
}

int main(void) {
    static sample turn[ROOM];
    static atomic_int errors;
    static long steps;
    simulation item = {&steps};
    svs_runtime_options options;
    svs_runtime *runtime = NULL;
    svs_world *world = NULL;
    svs_graph *longer = NULL;
    svs_task *task;
    pthread_t thread;
    long all = 0;
    int count;
    svs_runtime_options_init(&options);
    options.threads = 2; /* one thread, and whichever calls */
    options.log = log_line;
    options.log_argument = &errors;
    svs_status status = svs_runtime_new(&options, &runtime);
    if (!status) status = svs_runtime_start(runtime);
    if (!status) status = svs_world_new(runtime, NULL, &world);
    if (!status) status = svs_graph_new(world, NULL, &longer);
    if (!status) status = svs_graph_add_transform(longer, &simulation_task, &item, NULL, &task);
    if (!status) status = svs_graph_begin(longer, UINT32_MAX, NULL, NULL); /* returns at once */
    if (status || pthread_create(&thread, NULL, reader, NULL)) return 1;
    while (!status && (count = take(turn)) != 0) { /* events and drawing would be handled here */
        status = svs_for_each(world, &sample_task, turn, (size_t)count);
    }
    pthread_join(thread, NULL);
    if (svs_graph_cancel(longer, STOPPED)) return 1;
    svs_status ended_with = svs_graph_wait(longer, UINT64_MAX, NULL);
    for (int i = 0; i < SENSORS; i++) all += sums[i];
    printf("%d samples, sum %ld; the long run ended with %d; %d errors in the log\n", SAMPLES, all,
           ended_with, atomic_load(&errors));
    if (!status) status = svs_graph_free(longer);
    if (!status) status = svs_world_free(world);
    return svs_runtime_free(runtime) || status;
}
