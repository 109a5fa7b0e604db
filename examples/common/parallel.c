#include "common/parallel.h"
#include "common/team.h"

#include "common/pause.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define CACHE_LINE 64
#define SPIN_ROUNDS 400 /* a few microseconds: shorter than a sleep and a wake-up */

struct parallel_pool {
    /* Written by the caller at the start of a loop, read by all: the loop. */
    /* number of the loop; the fields below belong to the loop */
    _Alignas(CACHE_LINE) atomic_uint generation;
    atomic_bool stop;
    parallel_function *fn;
    void *argument;
    size_t count, chunk;
    /* Each of these is written by every worker in every loop, so they stand alone. */
    _Alignas(CACHE_LINE) atomic_size_t next; /* the first item that no worker has taken */
    _Alignas(CACHE_LINE)
        atomic_uint working; /* threads that have not ended their part of this loop */
    /* Sleeping only. */
    _Alignas(CACHE_LINE) pthread_mutex_t mutex;
    pthread_cond_t started, ended;
    unsigned threads;
    struct seat *seats;
};

typedef struct seat {
    parallel_pool *pool;
    pthread_t thread;
    unsigned worker;
} seat;

static void run_chunks(parallel_pool *pool, unsigned worker) {
    for (;;) {
        /* relaxed: only the number matters; the loop's fields came with the generation. */
        size_t begin = atomic_fetch_add_explicit(&pool->next, pool->chunk, memory_order_relaxed);
        if (begin >= pool->count) return;
        size_t left = pool->count - begin;
        pool->fn(begin, begin + (left < pool->chunk ? left : pool->chunk), worker, pool->argument);
    }
}

/* Waits for a loop other than `seen`. */
static unsigned await_generation(parallel_pool *pool, unsigned seen) {
    unsigned now = seen;
    for (int round = 0; round < SPIN_ROUNDS && now == seen; round++) {
        /* acquire: pairs with the release in begin_loop(), for the loop's fields. */
        now = atomic_load_explicit(&pool->generation, memory_order_acquire);
        if (now == seen) cpu_pause();
    }
    if (now != seen) return now;
    pthread_mutex_lock(&pool->mutex);
    while ((now = atomic_load_explicit(&pool->generation, memory_order_acquire)) == seen)
        pthread_cond_wait(&pool->started, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    return now;
}

/* acq_rel: publishes the writes of each worker to the caller, which reads 0; pairs with
 * await_end(). */
static void end_part(parallel_pool *pool) {
    if (atomic_fetch_sub_explicit(&pool->working, 1, memory_order_acq_rel) != 1) return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->mutex);
}

static void *worker_main(void *argument) {
    seat *self = argument;
    parallel_pool *pool = self->pool;
    unsigned seen = 0;
    for (;;) {
        seen = await_generation(pool, seen);
        if (atomic_load_explicit(&pool->stop, memory_order_relaxed)) return NULL;
        run_chunks(pool, self->worker);
        end_part(pool);
    }
}

/* The mutex prevents a lost wake-up of a worker that is about to sleep. */
static void begin_loop(parallel_pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->generation, 1, memory_order_release);
    pthread_cond_broadcast(&pool->started);
    pthread_mutex_unlock(&pool->mutex);
}

static void await_end(parallel_pool *pool) {
    for (int round = 0; round < SPIN_ROUNDS; round++) {
        if (!atomic_load_explicit(&pool->working, memory_order_acquire)) return;
        cpu_pause();
    }
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load_explicit(&pool->working, memory_order_acquire))
        pthread_cond_wait(&pool->ended, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void parallel_for(parallel_pool *pool, size_t count, size_t chunk, parallel_function *fn,
                  void *argument) {
    if (!count) return;
    if (!chunk) chunk = count / (8 * (size_t)pool->threads);
    if (!chunk) chunk = 1;
    pool->fn = fn;
    pool->argument = argument;
    pool->count = count;
    pool->chunk = chunk;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->working, pool->threads - 1, memory_order_relaxed);
    if (pool->threads > 1) begin_loop(pool);
    run_chunks(pool, 0);
    if (pool->threads > 1) await_end(pool);
}

static void stop_threads(parallel_pool *pool, unsigned running) {
    atomic_store_explicit(&pool->stop, true, memory_order_relaxed);
    begin_loop(pool);
    for (unsigned i = 0; i < running; i++) pthread_join(pool->seats[i].thread, NULL);
}

static void give_back(parallel_pool *pool) {
    pthread_cond_destroy(&pool->ended);
    pthread_cond_destroy(&pool->started);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->seats);
    free(pool);
}

parallel_pool *parallel_pool_new(unsigned threads) {
    if (!threads) return NULL;
    parallel_pool *pool = aligned_alloc(CACHE_LINE, sizeof *pool);
    seat *seats = calloc(threads, sizeof *seats);
    if (!pool || !seats) {
        free(seats);
        free(pool);
        return NULL;
    }
    *pool = (parallel_pool){.threads = threads, .seats = seats};
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->started, NULL);
    pthread_cond_init(&pool->ended, NULL);
    for (unsigned i = 0; i + 1 < threads; i++) {
        seats[i] = (seat){.pool = pool, .worker = i + 1};
        if (pthread_create(&seats[i].thread, NULL, worker_main, &seats[i])) {
            stop_threads(pool, i);
            give_back(pool);
            return NULL;
        }
    }
    return pool;
}

void parallel_pool_free(parallel_pool *pool) {
    if (!pool) return;
    stop_threads(pool, pool->threads - 1);
    give_back(pool);
}

unsigned parallel_pool_threads(const parallel_pool *pool) { return pool->threads; }

/* ---- as a team ---- */

static void *open_pool(unsigned threads) { return parallel_pool_new(threads); }

static void loop_in_pool(void *team, size_t count, size_t chunk, parallel_function *fn,
                         void *argument) {
    parallel_for(team, count, chunk, fn, argument);
}

static void close_pool(void *team) { parallel_pool_free(team); }

const team_kind team_pthreads = {NULL, open_pool, loop_in_pool, close_pool, NULL};
