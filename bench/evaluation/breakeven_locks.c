/* A lock in each object, next to the guarded data: a pthread mutex, a pthread spin lock, or a spin
 * lock that yields, in cache lines of its own. An instance takes its locks in one order, so that no
 * two wait for each other. */
#include "breakeven.h"
#include "common/padded_lock.h"
#include "common/parallel.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct locking {
    const breakeven_case *c;
    char *cells;
    parallel_pool *pool;
    parallel_function *work;
} locking;

/* All parts are the same except the lock: a cell, the functions on cells, and an engine. */
#define LOCKED_CELLS(name, lock_type, init, acquire, release, clean_up)                            \
    typedef struct name##_cell {                                                                   \
        lock_type lock;                                                                            \
        uint64_t count;                                                                            \
    } name##_cell;                                                                                 \
    static void name##_work(size_t begin, size_t end, unsigned worker, void *argument) {           \
        const locking *s = argument;                                                               \
        uint32_t objects = s->c->objects;                                                          \
        name##_cell *cells = (name##_cell *)(void *)s->cells;                                      \
        (void)worker;                                                                              \
        for (size_t i = begin; i < end; i++) {                                                     \
            const uint32_t *chosen = s->c->chosen + i * objects;                                   \
            uint64_t was[8];                                                                       \
            for (uint32_t o = 0; o < objects; o++) acquire(&cells[chosen[o]].lock);                \
            for (uint32_t o = 0; o < objects; o++) was[o] = cells[chosen[o]].count;                \
            if (s->c->rounds) bench_spin(s->c->rounds);                                            \
            for (uint32_t o = 0; o < objects; o++) cells[chosen[o]].count = was[o] + 1;            \
            for (uint32_t o = 0; o < objects; o++) release(&cells[chosen[o]].lock);                \
        }                                                                                          \
    }                                                                                              \
    static void *name##_make(const breakeven_case *c) {                                            \
        locking *s = make(c, sizeof(name##_cell), name##_work);                                    \
        for (uint32_t key = 0; key < c->keys; key++)                                               \
            init(&((name##_cell *)(void *)s->cells)[key].lock);                                    \
        return s;                                                                                  \
    }                                                                                              \
    static uint64_t name##_writes(const void *state, uint32_t key) {                               \
        const locking *s = state;                                                                  \
        return ((const name##_cell *)(const void *)s->cells)[key].count;                           \
    }                                                                                              \
    static void name##_free(void *state) {                                                         \
        locking *s = state;                                                                        \
        for (uint32_t key = 0; key < s->c->keys; key++)                                            \
            clean_up(&((name##_cell *)(void *)s->cells)[key].lock);                                \
        destroy(s);                                                                                \
    }                                                                                              \
    const breakeven_engine breakeven_##name = {#name, name##_make,   run,                          \
                                               NULL,  name##_writes, name##_free};

static locking *make(const breakeven_case *c, size_t cell_bytes, parallel_function *work) {
    locking *s = bench_allocate(1, sizeof *s);
    size_t bytes = (c->keys * cell_bytes + 63) / 64 * 64;
    s->c = c;
    s->work = work;
    s->cells = aligned_alloc(64, bytes);
    s->pool = parallel_pool_new(c->threads);
    if (!s->cells || !s->pool) bench_fail("no memory for locks and threads");
    for (size_t i = 0; i < bytes; i++) s->cells[i] = 0;
    return s;
}

static void run(void *state) {
    locking *s = state;
    parallel_for(s->pool, s->c->count, 0, s->work, s);
}

static void destroy(locking *s) {
    parallel_pool_free(s->pool);
    free(s->cells);
    free(s);
}

#define MUTEX_INIT(lock) pthread_mutex_init((lock), NULL)
#define SPIN_INIT(lock) pthread_spin_init((lock), PTHREAD_PROCESS_PRIVATE)
#define PADDED_INIT(lock) padded_lock_init((lock), LOCK_SPIN, NULL)

LOCKED_CELLS(mutex, pthread_mutex_t, MUTEX_INIT, pthread_mutex_lock, pthread_mutex_unlock,
             pthread_mutex_destroy)
LOCKED_CELLS(spin, pthread_spinlock_t, SPIN_INIT, pthread_spin_lock, pthread_spin_unlock,
             pthread_spin_destroy)
LOCKED_CELLS(padded, padded_lock, PADDED_INIT, padded_lock_acquire, padded_lock_release,
             padded_lock_clean_up)
