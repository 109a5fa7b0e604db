/* Store buffers (machine.h, explore.B1 to explore.B5) and the order of plain accesses
 * (explore.H1). */
#include "explore/machine.h"
#include "explore/strategy.h"
#include <string.h>

/* The times that an atomic location hands on, or the last accesses of a plain one. An entry keeps
 * its address from run to run, and is valid in one run. */
typedef struct location {
    const volatile void *at;
    uint64_t run;
    explore_times times; /* atomic: for its acquirers. Plain: the last reads */
    uint32_t writer, written;
} location;

#define LOCATIONS 4096u
static location atomics[LOCATIONS], plains[LOCATIONS];
static uint64_t run_number;

void explore_memory_begin(void) { run_number++; }

static location *find(location *table, const volatile void *at) {
    uint64_t hash = (uint64_t)(uintptr_t)at * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        location *l = &table[((hash >> 40) + i) % LOCATIONS];
        if (l->run == run_number && l->at == at) return l;
        if (l->run == run_number) continue;
        memset(l, 0, sizeof *l);
        l->run = run_number;
        l->at = at;
        return l;
    }
    explore_fail("the scenario has more than %u locations", LOCATIONS);
}

void explore_join_times(explore_times *into, const explore_times *from) {
    for (uint32_t i = 0; i < EXPLORE_THREADS; i++)
        if (into->of[i] < from->of[i]) into->of[i] = from->of[i];
}

static bool acquires(memory_order order) {
    return order == memory_order_acquire || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static bool releases(memory_order order) {
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static void tick(explore_thread *t) { t->times.of[t->index]++; }

static void hears(explore_thread *t, const location *l, memory_order order) {
    explore_join_times(acquires(order) ? &t->times : &t->loaded, &l->times);
}

static uint64_t get(const volatile void *at, uint32_t size) {
    switch (size) {
    case 1: return *(const volatile uint8_t *)at;
    case 2: return *(const volatile uint16_t *)at;
    case 4: return *(const volatile uint32_t *)at;
    case 8: return *(const volatile uint64_t *)at;
    default: explore_fail("an access of %u bytes", size);
    }
}

static void put(volatile void *at, uint32_t size, uint64_t value) {
    switch (size) {
    case 1: *(volatile uint8_t *)at = (uint8_t)value; break;
    case 2: *(volatile uint16_t *)at = (uint16_t)value; break;
    case 4: *(volatile uint32_t *)at = (uint32_t)value; break;
    case 8: *(volatile uint64_t *)at = value; break;
    default: explore_fail("an access of %u bytes", size);
    }
}

static void hand_on(const volatile void *at, const explore_times *times) {
    find(atomics, at)->times = *times;
    explore_made_visible();
}

static void forget(explore_thread *t, uint32_t index) {
    t->held--;
    memmove(&t->buffer[index], &t->buffer[index + 1], (t->held - index) * sizeof t->buffer[0]);
}

void explore_hide(explore_thread *t) {
    for (uint32_t i = t->held; i-- != 0;) {
        explore_stored *s = &t->buffer[i];
        if (get(s->at, s->size) == s->value) put(s->at, s->size, s->before);
        else forget(t, i);
    }
}

void explore_show(explore_thread *t) {
    for (uint32_t i = 0; i < t->held; i++) {
        explore_stored *s = &t->buffer[i];
        s->before = get(s->at, s->size);
        put(s->at, s->size, s->value);
    }
}

bool explore_may_flush(const explore_thread *t, uint32_t index) {
    /* All stores that it must follow were visible before it was held back. */
    if (t->buffer[index].modified) return true;
    if (explore.memory != EXPLORE_WEAK || t->buffer[index].release) return index == 0;
    for (uint32_t i = 0; i < index; i++)
        if (t->buffer[i].at == t->buffer[index].at) return false;
    return true;
}

/* Before a write of the location: a read-modify-write of another thread becomes visible
 * (explore.B5). */
static void settle(const explore_thread *by, const volatile void *at) {
    for (uint32_t i = 0; i < explore.count; i++) {
        explore_thread *t = &explore.threads[i];
        if (t == by) continue;
        for (uint32_t k = 0; k < t->held; k++)
            if (t->buffer[k].modified && t->buffer[k].at == at) explore_flush_one(t, k);
    }
}

void explore_flush_one(explore_thread *t, uint32_t index) {
    explore_stored s = t->buffer[index];
    explore_thread *runs = explore.current;
    settle(t, s.at);
    if (runs != NULL) explore_hide(runs); /* what it holds there itself comes later, in its order */
    for (uint32_t i = 0; i < t->held; i++) { /* hiding may have forgotten some */
        if (t->buffer[i].number != s.number) continue;
        put(s.at, s.size, s.value);
        hand_on(s.at, &s.times);
        forget(t, i);
    }
    if (runs != NULL) explore_show(runs);
}

void explore_flush(explore_thread *t) {
    while (t->held != 0) explore_flush_one(t, 0);
}

/* All of that location, and what must be visible before. */
static void flush_location(explore_thread *t, const volatile void *at) {
    for (uint32_t i = 0; i < t->held;) {
        if (t->buffer[i].at != at) i++;
        else {
            explore_flush_one(t, explore_may_flush(t, i) ? i : 0);
            i = 0;
        }
    }
}

static bool holds(const explore_thread *t, const volatile void *at) {
    for (uint32_t i = 0; i < t->held; i++)
        if (t->buffer[i].at == at) return true;
    return false;
}

void explore_loaded(const volatile void *at, memory_order order) {
    explore_thread *t = explore.current;
    if (t != NULL && !holds(t, at)) hears(t, find(atomics, at), order);
}

static void hold(explore_thread *t, explore_stored stored) {
    static uint64_t numbers;
    if (t->held == EXPLORE_BUFFER) explore_flush_one(t, 0);
    stored.number = numbers++;
    t->buffer[t->held++] = stored;
    put(stored.at, stored.size, stored.value);
}

static bool may_hold(void) {
    return explore.memory != EXPLORE_SC && explore.live != 1 && strategy_holds();
}

void explore_store(volatile void *at, const void *from, size_t bytes, memory_order order) {
    explore_thread *t = explore.current;
    uint32_t size = (uint32_t)bytes;
    uint64_t value = get(from, size);
    explore_times times;
    if (t == NULL) {
        put(at, size, value);
        return;
    }
    times = releases(order) ? t->times : t->released;
    if (releases(order)) tick(t);
    if (order == memory_order_seq_cst) explore_flush(t);
    else if (may_hold()) {
        hold(t, (explore_stored){.at = at,
                                 .value = value,
                                 .before = get(at, size),
                                 .size = size,
                                 .release = releases(order),
                                 .times = times});
        return;
    }
    if (explore.memory == EXPLORE_TSO || releases(order)) explore_flush(t);
    else flush_location(t, at);
    settle(t, at);
    put(at, size, value);
    hand_on(at, &times);
}

static void modified(explore_thread *t, volatile void *at, const void *before, uint32_t size,
                     memory_order order) {
    location *l = find(atomics, at);
    explore_times times = l->times;
    explore_join_times(&times, releases(order) ? &t->times : &t->released);
    if (releases(order)) tick(t);
    if (explore.memory == EXPLORE_WEAK && order != memory_order_seq_cst && may_hold()) {
        hold(t, (explore_stored){.at = at,
                                 .value = get(at, size),
                                 .before = get(before, size),
                                 .size = size,
                                 .release = releases(order),
                                 .modified = true,
                                 .times = times});
        return;
    }
    l->times = times;
    explore_made_visible();
}

static void flush_for(explore_thread *t, const volatile void *at, bool release) {
    if (explore.memory == EXPLORE_TSO || release) explore_flush(t);
    else flush_location(t, at);
    settle(t, at);
}

void explore_modify(volatile void *at, memory_order order) {
    explore_thread *t = explore.current;
    if (t == NULL) return;
    flush_for(t, at, releases(order));
    hears(t, find(atomics, at), order);
}

void explore_modified(volatile void *at, const void *before, size_t size, memory_order order) {
    if (explore.current != NULL) modified(explore.current, at, before, (uint32_t)size, order);
}

bool explore_try(volatile void *at, bool weak, memory_order success) {
    explore_thread *t = explore.current;
    if (t == NULL) return true;
    flush_for(t, at, releases(success));
    return !(weak && strategy_chance(16));
}

void explore_tried(volatile void *at, const void *before, size_t size, bool done,
                   memory_order success, memory_order failure) {
    explore_thread *t = explore.current;
    if (t == NULL) return;
    hears(t, find(atomics, at), done ? success : failure);
    if (done) modified(t, at, before, (uint32_t)size, success);
}

void explore_fence(void) {
    static const char fences = 0; /* its address */
    explore_thread *t = explore.current;
    location *l;
    if (t == NULL) return;
    explore_flush(t);
    l = find(atomics, &fences);
    explore_join_times(&t->times, &t->loaded);
    explore_join_times(&t->times, &l->times);
    l->times = t->released = t->times;
    tick(t);
}

void explore_read(const void *at) {
    explore_thread *t = explore.current;
    location *l = find(plains, at);
    if (l->written > t->times.of[l->writer])
        explore_fail("race: thread %u reads what thread %u has written", t->index, l->writer);
    l->times.of[t->index] = t->times.of[t->index];
}

void explore_wrote(const void *at) {
    explore_thread *t = explore.current;
    location *l = find(plains, at);
    if (l->written > t->times.of[l->writer])
        explore_fail("race: thread %u writes over what thread %u has written", t->index, l->writer);
    for (uint32_t i = 0; i < EXPLORE_THREADS; i++)
        if (l->times.of[i] > t->times.of[i])
            explore_fail("race: thread %u writes what thread %u reads", t->index, i);
    l->writer = t->index;
    l->written = t->times.of[t->index];
}
