/* Threads: sequences of fibers, written as one function.
 *
 * Without a stack, all variables that live across an SVS_AWAIT are in the state, whose first member
 * is an svs_thread:
 *
 *     typedef struct consumer { svs_thread thread; svs_counter arrived; int got, items; } consumer;
 *
 *     static svs_status consume(svs_ranks *ranks, void *state) {
 *         consumer *me = (consumer *)state;
 *         SVS_THREAD_BEGIN(ranks, me);
 *         while (me->got < me->items) {
 *             SVS_AWAIT(ranks, me, &me->arrived, me->got + 1);
 *             me->got++;
 *         }
 *         SVS_THREAD_END;
 *     }
 *
 * The fiber of such a function is created by svs_fiber_new(), with `thread` zeroed. A return from
 * the function ends the thread.
 *
 * With a stack, svs_await(ranks, &counter, n) takes the place of the macro, in any depth of calls:
 *
 *     svs_thread_spawn(ranks, consume, &mine, sizeof mine, NULL);
 *
 * Between two waits a thread has exclusive access to its rank, as a fiber has. Section 3.2.1. */
#ifndef SVS_RANKS_THREAD_H
#define SVS_RANKS_THREAD_H

#include <svs/ranks/fiber.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_thread {
    uint32_t line; /* the line where the thread continues; 0: its beginning */
} svs_thread;

/* Called by SVS_AWAIT alone: the running fiber continues with its own function when `counter` is at
 * least `at_least`. */
SVS_NODISCARD SVS_API svs_status svs__thread_wait(svs_ranks *ranks, svs_counter *counter,
                                                  int64_t at_least);

#define SVS_THREAD_BEGIN(ranks, state)                                                             \
    svs_thread *const svs_thread_ = &(state)->thread;                                              \
    (void)(ranks);                                                                                 \
    switch (svs_thread_->line) {                                                                   \
    case 0:

/* Waits until the value of `counter` is at least `at_least`. A source line may contain one
 * SVS_AWAIT. Local variables of the function do not keep their values. */
#define SVS_AWAIT(ranks, state, counter, at_least)                                                 \
    do {                                                                                           \
        if ((counter)->value < (int64_t)(at_least)) {                                              \
            svs_thread_->line = __LINE__;                                                          \
            return svs__thread_wait((ranks), (counter), (int64_t)(at_least));                      \
        }                                                                                          \
        SVS_FALLTHROUGH_;                                                                          \
    case __LINE__:;                                                                                \
    } while (0)

#define SVS_THREAD_END                                                                             \
    }                                                                                              \
    return SVS_OK

#if defined(__cplusplus) && __cplusplus >= 201703L
#define SVS_FALLTHROUGH_ [[fallthrough]]
#elif defined(__GNUC__)
#define SVS_FALLTHROUGH_ __attribute__((fallthrough))
#else
#define SVS_FALLTHROUGH_ ((void)0)
#endif

/* Creates and enables a thread with a stack, and a copy of its state. The thread gets its stack
 * when it first runs. @return as svs_fiber_new(); SVS_E_STATE (the in-place scheduler). */
SVS_NODISCARD SVS_API svs_status svs_thread_spawn(svs_ranks *ranks, svs_fiber_function *function,
                                                  const void *state, size_t bytes,
                                                  svs_scheduler *scheduler);

/* Blocks the calling thread until the value of `counter` is at least `at_least`. @return SVS_OK,
 * SVS_E_NULL, SVS_E_STATE (the caller is no thread with a stack, or it is in an in-place fiber or
 * handler), SVS_E_INVALID (fibers of another rank wait for the counter), SVS_E_STOPPED (the run has
 * ended by a failure: return). */
SVS_NODISCARD SVS_API svs_status svs_await(svs_ranks *ranks, svs_counter *counter,
                                           int64_t at_least);

SVS_END_DECLARATIONS
#endif
