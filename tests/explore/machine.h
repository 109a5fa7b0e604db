/* The explorer's machine: user-level threads of which one runs at a time, and their memory.
 *
 *     point       chooses the thread that goes on, and may let a stored value become visible
 *     store       goes to memory, or stays in the thread's own buffer until later
 *     block       the thread sleeps, waits for another, or has ended: another thread goes on
 *
 * explore.B1. A thread reads its own last store, visible or not: while it runs, memory has all of
 *     its stores, and while another runs, only the visible ones. A plain store of the thread over a
 *     location with a held-back value is visible at once.
 * explore.B2. Under `tso`, stores become visible in their order. Under `weak`, those of one
 *     location do, and a release store becomes visible after all that its thread stored before.
 * explore.B3. A thread's earlier stores become visible before its fences, sequentially consistent
 *     stores, blocking, spinning and yielding calls, and before its end. Under `tso` they also do
 *     before its read-modify-writes. Under `weak`, a release read-modify-write makes all of them
 *     visible, and any other one only those of its own location.
 * explore.B4. A load never reads a value older than that in memory: reordered loads are not
 *     modelled.
 * explore.B5. Under `weak`, the store of a read-modify-write, unless it is sequentially consistent,
 *     may become visible after its thread's later loads, as with exclusive loads and stores. No
 *     other write comes between its two halves: a writer of the location makes that store visible
 *     first.
 * explore.H1. Each thread has a vector of times, which it hands on through releases, acquires,
 *     fences, starts and joins, as C11 has it; two plain accesses, one of them a write, must be
 *     ordered by it. (A fence is taken to synchronize with each fence before it.)
 * explore.Y1. A thread that spins or yields waits until another has made a store visible, unless no
 *     other thread can run: until then it would only repeat its last steps. */
#ifndef SVS_TESTS_EXPLORE_MACHINE_H
#define SVS_TESTS_EXPLORE_MACHINE_H

#include "explore/explore.h"

typedef struct explore_times {
    uint32_t of[EXPLORE_THREADS];
} explore_times;

#define EXPLORE_BUFFER 12u

typedef struct explore_stored {
    uint64_t number; /* of all that were held back */
    volatile void *at;
    uint64_t value, before; /* before: while the thread runs, what others still see (explore.B1) */
    uint32_t size;
    bool release, modified; /* modified: by a read-modify-write (explore.B5) */
    explore_times times;    /* what it hands on */
} explore_stored;

typedef enum explore_state {
    EXPLORE_READY,
    EXPLORE_ASLEEP,
    EXPLORE_JOINS,
    EXPLORE_ENDED
} explore_state;

typedef struct explore_thread {
    uint32_t index;
    explore_state state;
    bool fresh;   /* it has not begun */
    bool yielded; /* explore.Y1 */
    const volatile void *sleeps_on;
    uint32_t joins; /* the index of the thread that it waits for */
    void *sp;
    void *(*run)(void *argument);
    void *argument;
    void *worker; /* the library's thread-local variables */
    uint32_t worker_index;
    uint32_t held; /* so many stores are in `buffer`, the oldest first */
    explore_stored buffer[EXPLORE_BUFFER];
    explore_times times, released, loaded; /* now; at its last fence; of relaxed loads since */
} explore_thread;

typedef enum explore_memory { EXPLORE_SC, EXPLORE_TSO, EXPLORE_WEAK } explore_memory;

typedef struct explore_machine {
    explore_thread threads[EXPLORE_THREADS];
    explore_thread *current; /* NULL: no run is on */
    uint32_t count, live;    /* threads that were started; that have not ended */
    explore_memory memory;
    uint64_t steps, steps_max;
    uint64_t preemptions;
    uint32_t refuse;        /* so many starts of threads until one is refused; 0: none is */
    uint32_t burning;       /* so many times the current thread may still spin without a point */
    uint64_t burning_until; /* the step after which it may not */
    bool tracing;           /* prints each step */
} explore_machine;

extern explore_machine explore;

/* Runs a scenario under what the strategy chooses. */
void explore_run(const explore_scenario *scenario);

/* machine.c, for platform.c: */
explore_thread *explore_start(void *(*run)(void *), void *argument);
void explore_block(void); /* the current thread is not ready any more: others go on */
void explore_spin(bool yields);
/* A point, and then all that the current thread has stored is visible. */
void explore_before_flush(void);
/* Empties the library's memory; the number of its blocks in use (heap.c). */
void explore_heap_begin(void);
uint64_t explore_heap_live(void);
void *explore_heap_keep(size_t bytes); /* pages of the explorer's own, from run to run */
uint64_t explore_time(void);

/* memory.c: */
void explore_memory_begin(void);
void explore_hide(explore_thread *thread); /* another runs now (explore.B1) */
void explore_show(explore_thread *thread); /* it runs */
void explore_flush(explore_thread *thread);
void explore_flush_one(explore_thread *thread, uint32_t index);
bool explore_may_flush(const explore_thread *thread, uint32_t index);
void explore_made_visible(void);
void explore_join_times(explore_times *into, const explore_times *from);

#endif
