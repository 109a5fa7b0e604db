/* The interface for scenarios of the explorer. A scenario is a function that the explorer runs over
 * and over, under another schedule each time; it starts threads by base/platform.h, and checks.
 *
 *     static void run(void) {
 *         svs__thread thread;
 *         (void)svs__thread_create(&thread, other, &shared, 0);
 *         svs__store_release(&shared.ready, 1);      // each shared access is a point of choice
 *         svs__thread_join(&thread);
 *         EXPLORE_CHECK(shared.sum == 3);
 *     }
 *     const explore_scenario explore_sum = {"sum", run, ...};
 *
 * A scenario has at most EXPLORE_THREADS threads; the first is its own. It joins all threads before
 * it returns. Its behaviour may depend on nothing but the schedule. */
#ifndef SVS_TESTS_EXPLORE_H
#define SVS_TESTS_EXPLORE_H

#include "base/atomic.h"

#define EXPLORE_THREADS 8

typedef struct explore_scenario {
    const char *name;
    void (*run)(void);
    uint32_t bound;    /* of exhaustive runs (strategy.h); 0: there are too many of them */
    uint32_t runs;     /* under each other strategy, at full scale */
    const char *about; /* the fault that it would find */
} explore_scenario;

/* Ends everything, with the command that repeats the run. */
_Noreturn void explore_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define EXPLORE_CHECK(condition)                                                                   \
    ((condition) ? (void)0 : explore_fail("%s:%d: %s", __FILE__, __LINE__, #condition))

/* A number below n that the run draws; exhaustive runs take each in turn. */
uint32_t explore_below(uint32_t n);

/* The n-th thread that is started from here on is refused, from 1; 0: none is. */
void explore_refuse_thread(uint32_t n);

/* The thread reads or writes plain memory that others also use: fails when that is not ordered
 * with their accesses (machine.h, explore.H1). `at` stands for all that is read or written. */
void explore_read(const void *at);
void explore_wrote(const void *at);

#endif
