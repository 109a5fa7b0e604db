/* Set-up and tear-down that several scenarios share. */
#ifndef SVS_TESTS_EXPLORE_SUPPORT_H
#define SVS_TESTS_EXPLORE_SUPPORT_H

#include "explore/explore.h"
#include <svs/svs.h>

/* Options for a silent runtime with workers that sleep without spinning. */
svs_runtime_options support_runtime_options(uint32_t policy, uint32_t threads);

uint32_t support_any_policy(void);
svs_algorithm support_any_algorithm(void);

/* A runtime that has been started, and its end. */
svs_runtime *support_runtime(uint32_t policy, uint32_t threads);
void support_runtime_end(svs_runtime *runtime);

/* A tree of asyncs: each child writes its first result. With grandchildren, the child of a child
 * writes the child's second result. */
void support_spawn_children(svs_async_context *async, void *unused);
void support_spawn_grandchildren(svs_async_context *async, void *unused);
void support_clear_results(void);
void support_check_results(uint32_t of_each); /* the first `of_each` of each child are written */

/* A small world: signatures of 64 bits, and as many cells. */
svs_world *support_world(svs_runtime *runtime, svs_refresh_mode refresh);

/* Another one: options for it, itself, and an object of it. */
svs_world_options support_world_options(uint32_t signature_bits, uint32_t cell_bits);
svs_world *support_world_with(svs_runtime *runtime, const svs_world_options *options);
void *support_object(svs_world *world, svs_type *type);

/* A graph with one algorithm in all of its domains. */
svs_graph *support_graph(svs_world *world, svs_algorithm algorithm);

/* A task of the graph with an algorithm of its own, to which the items are sent. */
svs_task *support_task(svs_graph *graph, const svs_task_type *type, svs_algorithm algorithm,
                       const void *items, size_t count, size_t item_size);

/* The end of a scenario: nothing is held in the world any more (sched.A2). Frees it, with a space
 * and a graph (NULL: there is none, or it has been freed), and ends the runtime. */
void support_end(svs_runtime *runtime, svs_world *world, svs_space *space, svs_graph *graph);

#endif
