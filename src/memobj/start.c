/* svs_start() and svs_stop(): make or free a runtime and a world in one call. */
#include "memobj/world.h"

static svs_status start_in(svs_runtime *runtime, svs_world **world) {
    svs_status status = svs_runtime_start(runtime);
    return status ? status : svs_world_new(runtime, NULL, world);
}

/* Logs the statuses that the called functions do not log themselves. */
static svs_status explain(svs_status status) {
    if (status != SVS_E_NO_MEMORY && status != SVS_E_THREAD) return status;
    return svs__refuse(NULL, status, "svs_start: %s", svs_status_text(status));
}

svs_status svs_start(uint32_t threads, svs_world **world) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_status status;
    if (!world)
        return svs__refuse(NULL, SVS_E_NULL,
                           "svs_start: no place for the world: pass a pointer's address");
    *world = NULL;
    svs_runtime_options_init(&options);
    options.threads = threads;
    status = svs_runtime_new(&options, &runtime);
    if (status) return explain(status);
    status = start_in(runtime, world);
    /* only after a fork: see svs_runtime_free() */
    if (status && svs_runtime_free(runtime)) return SVS_E_BUSY;
    return explain(status);
}

svs_status svs_stop(svs_world *world) {
    svs_runtime *runtime;
    svs_status status;
    if (!world) return SVS_OK;
    runtime = world->runtime;
    status = svs_world_free(world);
    return status ? status : svs_runtime_free(runtime);
}

svs_runtime *svs_world_runtime(const svs_world *world) { return world ? world->runtime : NULL; }
