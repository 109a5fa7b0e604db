/* The serial loop, the reference of all measurements, and a pthread mutex in each object under a
 * persistent pool. */
#include "common/parallel.h"
#include "dispatch.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct serial_state {
    const dispatch_case *c;
    uint64_t **objects, **targets;
} serial_state;

static void *serial_make(const dispatch_engine *engine, const dispatch_case *c) {
    serial_state *s = bench_allocate(1, sizeof *s);
    (void)engine;
    s->c = c;
    s->objects = (uint64_t **)dispatch_objects_new(c->keys, sizeof(uint64_t), sizeof(uint64_t));
    for (size_t i = 0; i < c->keys; i++) *s->objects[i] = 0;
    s->targets = (uint64_t **)dispatch_targets_new(c, (void **)s->objects);
    return s;
}

static void serial_run_many(const serial_state *s) {
    uint32_t rounds = s->c->rounds, objects = s->c->objects;
    for (size_t i = 0; i < s->c->count; i++)
        dispatch_write_many(s->targets + i * objects, objects, s->c->reads, rounds);
}

static void serial_run(void *state) {
    const serial_state *s = state;
    uint32_t rounds = s->c->rounds;
    if (s->c->objects == 1)
        for (size_t i = 0; i < s->c->count; i++) dispatch_write_one(s->targets[i], rounds);
    else if (s->c->objects == 2 && !s->c->reads)
        for (size_t i = 0; i < s->c->count; i++)
            dispatch_write_two(s->targets[2 * i], s->targets[2 * i + 1], rounds);
    else serial_run_many(s);
}

static uint64_t serial_writes(const void *state, size_t key) {
    return *((const serial_state *)state)->objects[key];
}

static void serial_free(void *state) {
    serial_state *s = state;
    dispatch_objects_free((void **)s->objects, s->c->keys);
    free(s->targets);
    free(s);
}

const dispatch_engine dispatch_serial = {"serial",   "none",        0,    1,          serial_make,
                                         serial_run, serial_writes, NULL, serial_free};

typedef struct locked {
    pthread_mutex_t mutex;
    uint64_t count;
} locked;

typedef struct mutex_state {
    const dispatch_case *c;
    locked **objects, **targets, **locks;
    parallel_pool *pool;
} mutex_state;

static void *mutex_make(const dispatch_engine *engine, const dispatch_case *c) {
    mutex_state *s = bench_allocate(1, sizeof *s);
    s->c = c;
    s->objects = (locked **)dispatch_objects_new(c->keys, sizeof(locked), _Alignof(locked));
    for (size_t i = 0; i < c->keys; i++) {
        if (pthread_mutex_init(&s->objects[i]->mutex, NULL)) bench_fail("no mutex");
        s->objects[i]->count = 0;
    }
    s->targets = (locked **)dispatch_targets_new(c, (void **)s->objects);
    s->locks = (locked **)dispatch_locks_new(c, (void **)s->targets);
    s->pool = parallel_pool_new(engine->threads);
    if (!s->pool) bench_fail("no pool of %u threads", engine->threads);
    return s;
}

static void mutex_one(size_t begin, size_t end, unsigned worker, void *state) {
    const mutex_state *s = state;
    uint32_t rounds = s->c->rounds;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        locked *a = s->targets[i];
        pthread_mutex_lock(&a->mutex);
        dispatch_write_one(&a->count, rounds);
        pthread_mutex_unlock(&a->mutex);
    }
}

/* Locks are taken in the order of their addresses, or two threads could wait for each other. */
static void mutex_two(size_t begin, size_t end, unsigned worker, void *state) {
    const mutex_state *s = state;
    uint32_t rounds = s->c->rounds;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        locked *a = s->targets[2 * i], *b = s->targets[2 * i + 1];
        locked *first = (uintptr_t)a < (uintptr_t)b ? a : b, *second = first == a ? b : a;
        pthread_mutex_lock(&first->mutex);
        pthread_mutex_lock(&second->mutex);
        dispatch_write_two(&a->count, &b->count, rounds);
        pthread_mutex_unlock(&second->mutex);
        pthread_mutex_unlock(&first->mutex);
    }
}

static void mutex_many(size_t begin, size_t end, unsigned worker, void *state) {
    const mutex_state *s = state;
    uint32_t rounds = s->c->rounds, objects = s->c->objects;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        locked **targets = s->targets + i * objects, **locks = s->locks + i * objects;
        uint64_t *to[DISPATCH_OBJECTS_MAX];
        for (uint32_t o = 0; o < objects; o++) pthread_mutex_lock(&locks[o]->mutex);
        for (uint32_t o = 0; o < objects; o++) to[o] = &targets[o]->count;
        dispatch_write_many(to, objects, s->c->reads, rounds);
        for (uint32_t o = 0; o < objects; o++) pthread_mutex_unlock(&locks[o]->mutex);
    }
}

static void mutex_run(void *state) {
    mutex_state *s = state;
    parallel_for(s->pool, s->c->count, 0,
                 s->c->objects == 1                   ? mutex_one
                 : s->c->objects == 2 && !s->c->reads ? mutex_two
                                                      : mutex_many,
                 s);
}

static uint64_t mutex_writes(const void *state, size_t key) {
    return ((const mutex_state *)state)->objects[key]->count;
}

static void mutex_free(void *state) {
    mutex_state *s = state;
    parallel_pool_free(s->pool);
    for (size_t i = 0; i < s->c->keys; i++) pthread_mutex_destroy(&s->objects[i]->mutex);
    dispatch_objects_free((void **)s->objects, s->c->keys);
    free(s->targets);
    free(s->locks);
    free(s);
}

const dispatch_engine dispatch_mutex = {"mutex",   "none",       0,    1,         mutex_make,
                                        mutex_run, mutex_writes, NULL, mutex_free};
