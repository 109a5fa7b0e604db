/* Work of a rank alongside its fibers: asyncs and task graphs on the workers of a runtime.
 *
 *     options.workers = runtime;                            // of this rank, started
 *     ...
 *     svs_offload(ranks, multiply, &product, &mine->done);  // in a fiber
 *     ... fibers and handlers go on; when `done` is 1, the product is there ...
 *
 * Both calls are split-phase (fiber.h): they return SVS_WAIT, and the counter goes up by 1 when the
 * work is complete. Offloaded work runs on other threads than fibers: until it is complete it must
 * not access memory that a fiber or handler may access, and must not call the rank. The offloads of
 * one rank run one after another, in the order of the calls, each on all workers. A failing offload
 * ends the run on all ranks. A run that ends with a failure waits for the running offload and drops
 * the rest. */
#ifndef SVS_RANKS_OFFLOAD_H
#define SVS_RANKS_OFFLOAD_H

#include <svs/graph.h>
#include <svs/ranks/fiber.h>

SVS_BEGIN_DECLARATIONS

/* Runs `root` on the rank's workers, as svs_async_run() does. `argument` is not copied.
 * @return SVS_WAIT, SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_STATE (the rank has no workers),
 * SVS_E_NO_MEMORY, SVS_E_THREAD. */
SVS_NODISCARD SVS_API svs_status svs_offload(svs_ranks *ranks, svs_async_function *root,
                                             void *argument, svs_counter *done);

/* Runs a graph, whose world belongs to the runtime of the rank's workers, as svs_graph_run() does.
 * @return as svs_offload(). */
SVS_NODISCARD SVS_API svs_status svs_offload_graph(svs_ranks *ranks, svs_graph *graph,
                                                   uint32_t iterations, svs_counter *done);

SVS_END_DECLARATIONS
#endif
