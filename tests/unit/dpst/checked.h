/* A check of a small program with asyncs that access `memory`, and which of its bytes raced. */
#ifndef SVS_TESTS_UNIT_RACECHECK_CHECKED_H
#define SVS_TESTS_UNIT_RACECHECK_CHECKED_H

#include "../worksteal/running.h"
#include "dpst/shadow/access.h"
#include <string.h>
#include <svs/check.h>

#define EACH_POLICY(policy_)                                                                       \
    for (uint32_t policy_ = SVS_POLICY_HELP_FIRST; policy_ <= SVS_POLICY_WORK_FIRST; policy_++)

static _Alignas(512) unsigned char memory[4096];
static _Atomic(uint64_t) found_bytes; /* of memory, from its beginning: bits */
static _Atomic(uint32_t) found_elsewhere;

static inline void found(const svs_check_race *race, void *argument) {
    uintptr_t at = (uintptr_t)race->address - (uintptr_t)memory;
    if (at >= 64) (void)svs__fetch_add_relaxed(&found_elsewhere, 1);
    for (size_t i = 0; at < 64 && i < race->bytes; i++)
        (void)svs__fetch_or_relaxed(&found_bytes, (uint64_t)1 << (at + i));
}

/* Instead of `found`, where more races than those. */
static _Atomic(uint64_t) racy_bytes;

static inline void count_bytes(const svs_check_race *race, void *argument) {
    (void)svs__fetch_add_relaxed(&racy_bytes, race->bytes);
}

static inline svs_check_options options_that_find(void) {
    svs_check_options options;
    svs_check_options_init(&options);
    options.compare = true;
    options.yield_one_in = 2;
    options.found = found;
    options.max_bytes = (size_t)64 << 20;
    svs__store_relaxed(&found_bytes, 0);
    svs__store_relaxed(&found_elsewhere, 0);
    return options;
}

/* Runs `root` in a check. @return which of memory's first bytes raced. */
static inline uint64_t check_on(uint32_t policy, svs_async_function *root, void *argument,
                                svs_check_summary *summary) {
    svs_runtime *runtime = started_as(policy, 2, 20);
    svs_check_options options = options_that_find();
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, root, argument), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, summary), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    return svs__load_relaxed(&found_bytes);
}

/* Two asyncs that access memory: from, bytes, write. */
typedef struct part {
    uint32_t from, bytes, times;
    bool write;
} part;
typedef struct pair {
    part parts[2];
} pair;

static inline void access_part(svs_async_context *async, void *argument) {
    const part *p = argument;
    for (uint32_t i = 0; i < p->times; i++) {
        if (p->write) svs_check_write(memory + p->from + i * p->bytes, p->bytes);
        else svs_check_read(memory + p->from + i * p->bytes, p->bytes);
    }
}

static inline void access_both(svs_async_context *async, void *argument) {
    const pair *p = argument;
    svs_async(async, access_part, &p->parts[0], sizeof p->parts[0]);
    svs_async(async, access_part, &p->parts[1], sizeof p->parts[1]);
}

#endif
