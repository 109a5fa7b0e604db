/* What several scenarios begin and end with. */
#ifndef SVS_TESTS_EXPLORE_SUPPORT_H
#define SVS_TESTS_EXPLORE_SUPPORT_H

#include "explore/explore.h"
#include <svs/svs.h>

/* Options for a runtime whose workers sleep at once and that is silent. */
svs_runtime_options support_runtime_options(uint32_t policy, uint32_t threads);

/* A runtime that has been started, and its end. */
svs_runtime *support_runtime(uint32_t policy, uint32_t threads);
void support_runtime_end(svs_runtime *runtime);

/* A small world: signatures of 64 bits, and as many cells. */
svs_world *support_world(svs_runtime *runtime, svs_refresh_mode refresh);

/* Another one: options for it, itself, and an object of it. */
svs_world_options support_world_options(uint32_t signature_bits, uint32_t cell_bits);
svs_world *support_world_with(svs_runtime *runtime, const svs_world_options *options);
void *support_object(svs_world *world, svs_type *type);

#endif
