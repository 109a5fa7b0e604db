/* Shows:  a runtime without threads of its own: those of the program are its workers while they
 *         have nothing else to do, as in an engine with a thread pool or a loop of frames.
 * Run:    build/release/bin/14_threads_of_the_program
 * Expect: the sum that a loop makes, and no thread of the library (expected.txt). */
#include "session.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { THREADS = 2, ITEMS = 10000, CELLS = 100 };
static long cells[CELLS];
static atomic_int library_threads;

typedef struct addition {
    int cell, value;
} addition;
static void addition_touch(svs_footprint *f, const addition *a) { svs_writes(f, &cells[a->cell]); }
static svs_status addition_run(svs_context *x, addition *a) {
    (void)x;
    cells[a->cell] += a->value;
    return SVS_OK;
}
SVS_TASK(addition, addition_run, addition_touch)

/* The thread pool. A job is one call of svs_help(). */
typedef struct pool {
    svs_runtime *runtime;
    sem_t jobs;
    atomic_int closed;
} pool;
static void help_wanted(uint32_t count, void *argument) { /* returns soon, and calls no library */
    pool *p = argument;
    while (count-- > 0) sem_post(&p->jobs);
}
static void *work(void *argument) {
    pool *p = argument;
    svs_status status = SVS_OK;
    while (!status && !sem_wait(&p->jobs) && !atomic_load(&p->closed))
        status = svs_help(p->runtime, 1000000, NULL); /* until there is no work, or for 1 ms */
    return NULL;
}
static void worker_begins(uint32_t worker, void *argument) {
    (void)worker, (void)argument;
    atomic_fetch_add(&library_threads, 1);
}

/* A run on the pool. The thread that waits for the run also works. */
static svs_status add_all(pool *p, svs_world *world) {
    static addition items[ITEMS];
    pthread_t threads[THREADS];
    svs_status status;
    for (int i = 0; i < ITEMS; i++) items[i] = (addition){i % CELLS, i};
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, p)) abort();
    status = svs_for_each(world, &addition_task, items, ITEMS);
    atomic_store(&p->closed, 1);
    for (int i = 0; i < THREADS; i++) sem_post(&p->jobs);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return status;
}

int main(void) {
    session s = {NULL, NULL, NULL};
    svs_runtime_options options;
    svs_status status;
    pool p = {.runtime = NULL};
    long sum = 0;
    if (sem_init(&p.jobs, 0, 0)) return 1;
    svs_runtime_options_init(&options);
    options.threads = THREADS + 1; /* seats: of the pool, and of the thread that waits */
    options.external_threads = true;
    options.help_wanted = help_wanted;
    options.help_argument = &p;
    options.worker_begins = worker_begins;
    status = svs_runtime_new(&options, &s.runtime);
    p.runtime = s.runtime;
    if (!status) status = svs_runtime_start(s.runtime);
    if (!status) status = svs_world_new(s.runtime, NULL, &s.world);
    if (!status) status = add_all(&p, s.world);
    for (int i = 0; i < CELLS; i++) sum += cells[i];
    if (!status) printf("sum %ld, %d threads of the library\n", sum, library_threads);
    status = session_close(&s, status);
    sem_destroy(&p.jobs);
    return status;
}
