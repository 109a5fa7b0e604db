/* Programs that run again and again, and the expected result of a run. */
#ifndef SVS_TESTS_STEALTREE_AGAIN_H
#define SVS_TESTS_STEALTREE_AGAIN_H

#include "../async/programs.h"
#include "../worksteal/running.h"
#include "stealtree/verify.h"
#include "worksteal/runtime.h"
#include <string.h>
#include <svs/trace.h>

/* Many small programs, which one root spawns: so that much is stolen. */
typedef struct known {
    uint32_t count;
    program *programs;
    uint64_t **values; /* of the nodes of each, by the serial elision */
} known;

static inline known known_make(uint64_t seed, uint32_t count) {
    known k = {count, calloc(count, sizeof *k.programs), calloc(count, sizeof *k.values)};
    assert_true(k.programs != NULL && k.values != NULL);
    for (uint32_t i = 0; i < count; i++) {
        program *p = &k.programs[i];
        program_make(p, seed * count + i, 1u << i % 4);
        k.values[i] = calloc(p->node_count, sizeof *k.values[i]);
        assert_non_null(k.values[i]);
        program_run_serially(p);
        for (uint32_t n = 0; n < p->node_count; n++) k.values[i][n] = p->nodes[n].value;
        program_reset(p);
    }
    return k;
}

static inline void known_free(known *k) {
    for (uint32_t i = 0; i < k->count; i++) {
        program_free(&k->programs[i]);
        free(k->values[i]);
    }
    free(k->programs);
    free(k->values);
}

/* Each node ran once, with the elision's value. Forgets the run. */
static inline void known_check(known *k) {
    for (uint32_t i = 0; i < k->count; i++) {
        program *p = &k->programs[i];
        for (uint32_t n = 0; n < p->node_count; n++)
            if (p->nodes[n].ran != 1 || p->nodes[n].value != k->values[i][n])
                fail_msg("program %llu: node %u ran %u times, or has another value than serially",
                         (unsigned long long)p->seed, n, p->nodes[n].ran);
        program_reset(p);
    }
}

#define WAIT_NS 3000000 /* by work-first, a steal takes a millisecond under ThreadSanitizer */

static _Atomic(uint32_t) begun; /* programs, of all runs */
static bool is_recorded;        /* this run */

/* In a run that is recorded, one program of eight waits, for a limited time, until the next one
 * begins, which is on another worker then: so that there are steals to replay where one worker
 * alone would be done at once. */
static inline void known_run_one(svs_async_context *async, void *argument) {
    program *p = *(program **)argument;
    uint32_t mine = ++begun;
    uint64_t begin = svs__time_ns();
    bool waits = is_recorded && p->seed % 8 == 0;
    while (waits && begun == mine && svs__time_ns() - begin < WAIT_NS) svs__yield();
    program_run(async, p);
}

/* A root: `argument` is a known. */
static inline void known_run(svs_async_context *async, void *argument) {
    known *k = argument;
    for (uint32_t i = 0; i < k->count; i++) {
        program *p = &k->programs[i];
        svs_async(async, known_run_one, &p, sizeof p);
    }
}

static inline svs_trace *record(svs_runtime *runtime, svs_async_function *root, void *argument) {
    svs_trace *trace;
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
    is_recorded = true;
    assert_int_equal(svs_async_run(runtime, root, argument), SVS_OK);
    is_recorded = false;
    assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
    return trace;
}

static inline svs_trace_statistics statistics_of(const svs_trace *trace) {
    svs_trace_statistics statistics;
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    return statistics;
}

#endif
