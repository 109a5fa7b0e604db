/* FIFO fibers that do nothing, a thousand at a time. */
#include "phold.h"
#include "program.h"
#include <stdio.h>

enum { BATCH = 1000 };

static svs_status nothing(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}

static svs_status create(svs_ranks *ranks, void *state) {
    uint32_t *left = state;
    svs_fiber fiber;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < BATCH && *left != 0 && status == SVS_OK; i++, --*left) {
        status = svs_fiber_new(ranks, nothing, &i, sizeof i, NULL, &fiber);
        if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
    }
    if (*left == 0 || status != SVS_OK) return status;
    status = svs_fiber_continue(ranks, create, &fiber);
    return status == SVS_OK ? svs_fiber_enable(ranks, fiber) : status;
}

static svs_status run(svs_ranks *ranks, void *argument) {
    const phold_options *of = argument;
    uint32_t left = of->fibers;
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, create, &left, sizeof left, NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
    if (status == SVS_OK) status = svs_ranks_run(ranks, nothing, NULL);
    if (status == SVS_OK && svs_ranks_index(ranks) == 0)
        printf("bench=multipol program=phold way=fibers ranks=%u fibers=%u\n",
               svs_ranks_count(ranks), of->fibers);
    return status;
}

int phold_fibers(const svs_transport *transport, const phold_options *options) {
    phold_options asked = *options;
    return program_rank(transport, "phold", options->aggregate_bytes, run, &asked);
}
