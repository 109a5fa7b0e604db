/* A pool of persistent threads with a parallel loop: the usual base of a program with locks.
 *
 *     static void add(size_t begin, size_t end, unsigned worker, void *sums) { ... }
 *
 *     parallel_pool *pool = parallel_pool_new(8);
 *     parallel_for(pool, count, 64, add, &sums);
 *     parallel_pool_free(pool);
 *
 * Threads take chunks dynamically. All writes of fn are visible to the caller when parallel_for()
 * returns.
 * Threads: one thread at a time calls parallel_for(), and never from fn. Waiting threads spin for
 * some microseconds, then sleep. */
#ifndef EXAMPLES_COMMON_PARALLEL_H
#define EXAMPLES_COMMON_PARALLEL_H

#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct parallel_pool parallel_pool;

/* Items begin .. end-1; worker is 0 .. threads-1, and no two calls with the same worker overlap. */
typedef void parallel_function(size_t begin, size_t end, unsigned worker, void *argument);

/* Starts `threads` - 1 threads: the caller of parallel_for() is worker 0.
 * @return NULL when threads is 0, or there is no memory or no thread to be had. */
parallel_pool *parallel_pool_new(unsigned threads);

/* Ends and joins the threads. NULL is allowed. */
void parallel_pool_free(parallel_pool *pool);

unsigned parallel_pool_threads(const parallel_pool *pool);

/* Calls fn for ranges of at most `chunk` items that cover 0 .. count-1, each once, and returns when
 * all are done. chunk 0: about eight chunks a thread. */
void parallel_for(parallel_pool *pool, size_t count, size_t chunk, parallel_function *fn,
                  void *argument);

#if defined(__cplusplus)
}
#endif
#endif
