/* base/platform.h for the explorer: threads are the machine's, and time is its steps. */
#include "base/platform.h"
#include "explore/machine.h"
#include "explore/strategy.h"
#include <stdlib.h>

uint32_t svs__thread_index(void) {
    return explore.current == NULL ? UINT32_MAX : explore.current->worker_index;
}
void svs__thread_index_set(uint32_t index) {
    if (explore.current != NULL) explore.current->worker_index = index;
}

uintptr_t svs__thread_id(void) { return (uintptr_t)explore.current; }

void explore_refuse_thread(uint32_t n) { explore.refuse = n; }

void svs__thread_name(const char *name, uint32_t number) {}

svs_status svs__thread_create(svs__thread *thread, void *(*run)(void *), void *argument,
                              size_t stack_bytes) {
    explore_thread *started;
    if (explore.refuse != 0 && --explore.refuse == 0) return SVS_E_THREAD;
    started = explore_start(run, argument);
    if (started == NULL) return SVS_E_THREAD;
    thread->handle = (pthread_t)started->index;
    return SVS_OK;
}

void svs__thread_join(svs__thread *thread) {
    explore_thread *of = &explore.threads[thread->handle], *by = explore.current;
    explore_point(of, "join", __func__, __LINE__);
    explore_flush(by);
    if (of->state != EXPLORE_ENDED) {
        by->state = EXPLORE_JOINS;
        by->joins = of->index;
        explore_block();
    }
    explore_join_times(&by->times, &of->times);
}

void svs__futex_wait(_Atomic(uint32_t) *word, uint32_t expected) {
    explore_thread *t = explore.current;
    explore_point(word, "futex wait", __func__, __LINE__);
    explore_flush(t);
    if (atomic_load_explicit(word, memory_order_relaxed) != expected || strategy_chance(64)) return;
    t->state = EXPLORE_ASLEEP;
    t->sleeps_on = word;
    explore_block();
}

/* A timer ends the sleep after a few turns of the others. */
#define TURNS 16

void svs__futex_wait_for(_Atomic(uint32_t) *word, uint32_t expected, uint64_t ns) {
    for (uint32_t i = 0; i < TURNS && ns != 0; i++) {
        explore_point(word, "futex wait", __func__, __LINE__);
        explore_flush(explore.current);
        if (atomic_load_explicit(word, memory_order_relaxed) != expected || strategy_chance(64))
            return;
        explore_spin(true);
    }
}

void svs__futex_wake(_Atomic(uint32_t) *word, uint32_t count) {
    uint32_t first;
    explore_point(word, "futex wake", __func__, __LINE__);
    explore_flush(explore.current);
    first = strategy_below(explore.count);
    for (uint32_t i = 0; i < explore.count && count != 0; i++) {
        explore_thread *t = &explore.threads[(first + i) % explore.count];
        if (t->state != EXPLORE_ASLEEP || t->sleeps_on != word) continue;
        t->state = EXPLORE_READY;
        count--;
    }
}

void svs__relax(void) { explore_spin(false); }
void svs__yield(void) { explore_spin(true); }

void *svs__stack_map(size_t bytes) { return aligned_alloc(4096, bytes); }
void svs__stack_unmap(void *low, size_t bytes) { free(low); }

uint64_t svs__time_ns(void) { return explore_time(); }
uint64_t svs__thread_cpu_ns(void) { return explore_time(); } /* one thread runs at a time */
uint32_t svs__cpu_count(void) { return 2; }
uint32_t svs__cpus_online(void) { return 2; }
