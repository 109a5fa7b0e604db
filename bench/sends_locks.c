/* The programs with a spin lock a node, taken in ascending order, and one queue with a lock. */
#include "common/padded_lock.h"
#include "common/parallel.h"
#include "sends.h"

#include <stdlib.h>

enum { QUEUE_ITEMS = 1 << 20 };

typedef struct locks_state {
    sends_case *c;
    parallel_pool *pool;
    padded_lock *nodes;
    padded_lock *queue;
    sends_item *items; /* a ring */
    size_t begin, end; /* under `queue` */
    atomic_size_t unended;
} locks_state;

static void put(void *to, sends_item item) {
    locks_state *s = to;
    /* relaxed: the sender's own item is counted until its step has returned. */
    atomic_fetch_add_explicit(&s->unended, 1, memory_order_relaxed);
    padded_lock_acquire(s->queue);
    if (s->end - s->begin == QUEUE_ITEMS) bench_fail("more than %d items wait", QUEUE_ITEMS);
    s->items[s->end++ % QUEUE_ITEMS] = item;
    padded_lock_release(s->queue);
}

static bool take(locks_state *s, sends_item *item) {
    bool some;
    padded_lock_acquire(s->queue);
    some = s->begin != s->end;
    if (some) *item = s->items[s->begin++ % QUEUE_ITEMS];
    padded_lock_release(s->queue);
    return some;
}

static void run_one(locks_state *s, sends_item item) {
    uint32_t touched[SENDS_TOUCHED], count = sends_touched(s->c, item, touched);
    for (uint32_t i = 0; i < count; i++) padded_lock_acquire(&s->nodes[touched[i]]);
    s->c->program->step(s->c, item, put, s);
    for (uint32_t i = 0; i < count; i++) padded_lock_release(&s->nodes[touched[i]]);
    /* release: whoever reads 0 sees what the step did. */
    atomic_fetch_sub_explicit(&s->unended, 1, memory_order_release);
}

static void work(size_t begin, size_t end, unsigned worker, void *argument) {
    locks_state *s = argument;
    sends_item item;
    unsigned spins = 0;
    (void)begin, (void)end, (void)worker;
    while (atomic_load_explicit(&s->unended, memory_order_acquire))
        if (take(s, &item)) run_one(s, item);
        else padded_lock_wait(&spins);
}

static void *make(sends_case *c, uint32_t threads) {
    locks_state *s = bench_allocate(1, sizeof *s);
    s->c = c;
    s->pool = parallel_pool_new(threads);
    s->nodes = padded_locks_new(c->count, LOCK_SPIN, NULL);
    s->queue = padded_locks_new(1, LOCK_SPIN, NULL);
    s->items = bench_allocate(QUEUE_ITEMS, sizeof *s->items);
    if (!s->pool || !s->nodes || !s->queue) bench_fail("no memory for locks");
    return s;
}

static void run(void *state) {
    locks_state *s = state;
    for (size_t i = 0; i < s->c->first_count; i++) put(s, s->c->first[i]);
    parallel_for(s->pool, parallel_pool_threads(s->pool), 1, work, s);
}

static void destroy(void *state) {
    locks_state *s = state;
    parallel_pool_free(s->pool);
    padded_locks_free(s->nodes, s->c->count);
    padded_locks_free(s->queue, 1);
    free(s->items);
    free(s);
}

const sends_engine sends_locks = {"locks", make, run, destroy};
