/* In the place of svs_world_new(), svs_runtime_new() and svs_start(), for programs as they are. How
 * sets are compared is chosen by SVS_TEST_SETS. `exact`: as the program has it; `wide`: by
 * signatures of 4096 bits; `narrow`: by one bit, which all share. With SVS_TEST_ALONE there is one
 * worker. */
#include <stdlib.h>
#include <string.h>

#include "memobj/world.h"

svs_status svs__real_runtime_new(const svs_runtime_options *options,
                                 svs_runtime **runtime) __asm__("__real_svs_runtime_new");
svs_status svs__test_runtime_new(const svs_runtime_options *options,
                                 svs_runtime **runtime) __asm__("__wrap_svs_runtime_new");

svs_status svs__test_runtime_new(const svs_runtime_options *options, svs_runtime **runtime) {
    svs_runtime_options mine;
    svs_runtime_options_init(&mine);
    if (options != NULL) mine = *options;
    if (getenv("SVS_TEST_ALONE") != NULL) mine.threads = 1;
    return svs__real_runtime_new(&mine, runtime);
}

svs_status svs__real_world_new(svs_runtime *runtime, const svs_world_options *options,
                               svs_world **world) __asm__("__real_svs_world_new");
svs_status svs__test_world_new(svs_runtime *runtime, const svs_world_options *options,
                               svs_world **world) __asm__("__wrap_svs_world_new");

svs_status svs__test_world_new(svs_runtime *runtime, const svs_world_options *options,
                               svs_world **world) {
    const char *sets = getenv("SVS_TEST_SETS");
    svs_world_options mine;
    svs_status status;
    if (sets == NULL || strcmp(sets, "exact") == 0)
        return svs__real_world_new(runtime, options, world);
    svs_world_options_init(&mine);
    if (options != NULL) mine = *options;
    mine.cell_bits = 0;
    mine.examine_budget = 0;
    mine.signature_bits = strcmp(sets, "wide") == 0 ? 4096 : 64;
    status = svs__real_world_new(runtime, &mine, world);
    if (!status && strcmp(sets, "narrow") == 0) {
        (*world)->bit_shift = 32;
        (*world)->cell_shift = 31;
    }
    return status;
}

svs_status svs__test_start(uint32_t threads, svs_world **world) __asm__("__wrap_svs_start");

/* The library's own calls are not replaced, so this makes both. */
svs_status svs__test_start(uint32_t threads, svs_world **world) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_status status;
    svs_runtime_options_init(&options);
    options.threads = threads;
    status = svs__test_runtime_new(&options, &runtime);
    if (status) return status;
    status = svs_runtime_start(runtime);
    if (!status) status = svs__test_world_new(runtime, NULL, world);
    if (status) (void)svs_runtime_free(runtime);
    return status;
}
