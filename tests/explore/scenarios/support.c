#include "explore/scenarios/support.h"

svs_runtime_options support_runtime_options(uint32_t policy, uint32_t threads) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = threads;
    options.policy = policy;
    options.spin_us = 0;
    options.log = NULL;
    return options;
}

svs_runtime *support_runtime(uint32_t policy, uint32_t threads) {
    svs_runtime *runtime;
    svs_runtime_options options = support_runtime_options(policy, threads);
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    return runtime;
}

void support_runtime_end(svs_runtime *runtime) {
    EXPLORE_CHECK(svs_runtime_stop(runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_free(runtime) == SVS_OK);
}

svs_world_options support_world_options(uint32_t signature_bits, uint32_t cell_bits) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.signature_bits = signature_bits;
    options.cell_bits = cell_bits;
    return options;
}

svs_world *support_world_with(svs_runtime *runtime, const svs_world_options *options) {
    svs_world *world;
    EXPLORE_CHECK(svs_world_new(runtime, options, &world) == SVS_OK);
    return world;
}

svs_world *support_world(svs_runtime *runtime, svs_refresh_mode refresh) {
    svs_world_options options = support_world_options(64, 6);
    options.refresh = refresh;
    return support_world_with(runtime, &options);
}

void *support_object(svs_world *world, svs_type *type) {
    void *storage = NULL;
    EXPLORE_CHECK(svs_object_new(world, type, &storage) == SVS_OK);
    return storage;
}
