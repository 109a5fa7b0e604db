/* Runtimes of a policy and a number of threads, for tests on cmocka. */
#ifndef SVS_TESTS_STARTED_H
#define SVS_TESTS_STARTED_H

#include "case.h"
#include <svs/runtime.h>

static inline svs_runtime *started_with(const svs_runtime_options *options) {
    svs_runtime *runtime;
    assert_int_equal(svs_runtime_new(options, &runtime), SVS_OK);
    assert_int_equal(svs_runtime_start(runtime), SVS_OK);
    return runtime;
}

static inline svs_runtime_options options_as(uint32_t policy, uint32_t threads, uint32_t spin_us) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.policy = policy;
    options.threads = threads;
    options.spin_ns = (uint64_t)spin_us * 1000;
    return options;
}

static inline svs_runtime *started_as(uint32_t policy, uint32_t threads, uint32_t spin_us) {
    svs_runtime_options options = options_as(policy, threads, spin_us);
    return started_with(&options);
}

static inline svs_runtime *started(uint32_t threads, uint32_t spin_us) {
    return started_as(SVS_POLICY_HELP_FIRST, threads, spin_us);
}

/* One that has not been started. */
static inline svs_runtime *not_started(uint32_t policy, uint32_t threads) {
    svs_runtime_options options = options_as(policy, threads, 20);
    svs_runtime *runtime;
    assert_int_equal(svs_runtime_new(&options, &runtime), SVS_OK);
    return runtime;
}

#endif
