/* Fibers, counters and schedulers of one rank.
 *
 *     static svs_status half(svs_ranks *ranks, void *state) {
 *         job *mine = state;                      // a copy, which belongs to the fiber
 *         svs_fiber rest;
 *         ... split-phase calls that add to mine->done ...
 *         if (svs_fiber_continue(ranks, other_half, &rest)) return SVS_E_STATE;
 *         return svs_counter_wait(ranks, &mine->done, 2, rest);
 *     }
 *
 * A fiber is created, enabled, and executed from its start to its end without interruption. It
 * never waits. Instead it ends, and a continuation, another fiber with its state, is enabled later.
 * Fibers stay on their rank.
 *
 * A counter is storage of the program, and local to its rank. A split-phase call adds 1 to its
 * counter when it is complete, at once or later; so a fiber waits for n calls by waiting for the
 * value n. Lowering the value later does not disable a fiber that the counter has enabled.
 *
 * Urgent fibers run first, but at most 64 in a row while others are enabled. All other schedulers
 * have turns; background schedulers run only if no other has a fiber. An in-place fiber runs at
 * once, in the call that enables it; if that call is in an in-place fiber or handler, it runs soon
 * after as an urgent fiber. It must not continue, wait, poll, or modify its state. It sees the
 * memory of the fiber that it interrupts in an intermediate state.
 *
 * Threads: as <svs/ranks/rank.h> says. Section 3.2 of Wen's thesis. */
#ifndef SVS_RANKS_FIBER_H
#define SVS_RANKS_FIBER_H

#include <svs/ranks/rank.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_fiber {
    uint32_t slot, generation;
} svs_fiber;

typedef struct svs_scheduler svs_scheduler;

typedef struct svs_counter {
    int64_t value;    /* read it at any time; change it by svs_counter_add() */
    uint64_t waiters; /* used only by the library */
} svs_counter;

/* Creates a fiber with a copy of `bytes` of state. @param scheduler NULL: FIFO. @param fiber
 * receives the handle. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (a scheduler of another rank),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_fiber_new(svs_ranks *ranks, svs_fiber_function *function,
                                               const void *state, size_t bytes,
                                               svs_scheduler *scheduler, svs_fiber *fiber);

/* Hands the fiber to its scheduler. @return SVS_OK, SVS_E_NULL, SVS_E_FIBER (it has ended, was
 * enabled before, or waiting for a counter), SVS_E_NO_MEMORY (returned by the scheduler's
 * deposit). */
SVS_NODISCARD SVS_API svs_status svs_fiber_enable(svs_ranks *ranks, svs_fiber fiber);

/* Frees a fiber that was created and not enabled. @return SVS_OK, SVS_E_NULL, SVS_E_FIBER. */
SVS_NODISCARD SVS_API svs_status svs_fiber_free(svs_ranks *ranks, svs_fiber fiber);

/* Sets the hint of a fiber, a number that the deposit of its scheduler receives; 0 at first.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FIBER. */
SVS_NODISCARD SVS_API svs_status svs_fiber_hint(svs_ranks *ranks, svs_fiber fiber, int64_t hint);

/* Creates the continuation of the running fiber: a fiber that takes over its state, which the
 * running fiber still uses until its end. @param fiber receives the handle. @return SVS_OK,
 * SVS_E_NULL, SVS_E_STATE (no fiber runs, it has continued already, it runs in place, or has a
 * stack). */
SVS_NODISCARD SVS_API svs_status svs_fiber_continue(svs_ranks *ranks, svs_fiber_function *next,
                                                    svs_fiber *fiber);

SVS_API void svs_counter_init(svs_counter *counter, int64_t value);
/* Adds `by` to the value, and enables the fibers that wait for the new value or a lower one. If
 * they are fibers of another rank, the run ends with SVS_E_INVALID. */
SVS_API void svs_counter_add(svs_ranks *ranks, svs_counter *counter, int64_t by);

/* Enables the fiber when the value is at least `at_least`, possibly at once. A fiber waits for one
 * counter at a time. The storage of the counter must stay valid until the fiber is enabled.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FIBER, SVS_E_INVALID (fibers of another rank wait for it),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_counter_wait(svs_ranks *ranks, svs_counter *counter,
                                                  int64_t at_least, svs_fiber fiber);

/* The functions of a scheduler that the program defines, for the experiments of Multipol's thesis.
 * The library passes `self` to each of them. */
typedef struct svs_scheduler_type {
    const char *name;
    /* Keeps the handle. @return SVS_OK, or a failure, which ends the run. */
    svs_status (*deposit)(void *self, svs_fiber fiber, int64_t hint);
    /* Gives one handle back. @return false: it has none now. The library calls it again after each
     * fiber, and while the rank is idle. */
    bool (*select)(void *self, svs_fiber *fiber);
    bool background; /* true: its fibers do not delay the end of the run, which drops them */
} svs_scheduler_type;

SVS_API svs_scheduler *svs_scheduler_fifo(svs_ranks *ranks);
SVS_API svs_scheduler *svs_scheduler_urgent(svs_ranks *ranks);
SVS_API svs_scheduler *svs_scheduler_in_place(svs_ranks *ranks);

/* Adds a scheduler. It is freed with the rank, and `type` must live as long as the rank.
 * @return SVS_OK, SVS_E_NULL, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_scheduler_new(svs_ranks *ranks, const svs_scheduler_type *type,
                                                   void *self, svs_scheduler **scheduler);

SVS_END_DECLARATIONS
#endif
