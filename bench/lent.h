/* Threads of the program as workers: each sleeps at a semaphore until help is wanted, and calls
 * svs_help() then.
 *
 *     lent_threads *lent = lent_new(&options);
 *     ... svs_runtime_new(), svs_runtime_start()
 *     lent_begin(lent, runtime);
 *     ... svs_graph_run()
 *     lent_end(lent); */
#ifndef SVS_BENCH_LENT_H
#define SVS_BENCH_LENT_H

#include <svs/svs.h>

typedef struct lent_threads lent_threads;

/* Sets the options of a runtime without threads of its own. Ends the program after a failure. */
lent_threads *lent_new(svs_runtime_options *options);

/* Lends one thread fewer than the runtime has workers: the caller of a run is the last worker.
 * Ends the program after a failure. */
void lent_begin(lent_threads *lent, svs_runtime *runtime);

/* Joins the threads. To be called before the runtime stops. NULL is allowed. */
void lent_end(lent_threads *lent);

#endif
