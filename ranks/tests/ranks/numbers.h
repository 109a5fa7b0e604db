/* Numbered records by three dispatches, for tests of their order: record n of a sender to a rank
 * carries n / 3 and goes by dispatch n % 3. The test says what becomes of them: it defines
 * take_number(). */
#ifndef SVS_TESTS_RANKS_NUMBERS_H
#define SVS_TESTS_RANKS_NUMBERS_H

#include <svs/ranks.h>

typedef struct number {
    uint32_t from, number;
} number;

static void take_number(svs_ranks *ranks, uint32_t dispatch, const number *record);

static svs_status take_fifo(svs_ranks *ranks, void *state) {
    take_number(ranks, 0, (const number *)state);
    return SVS_OK;
}

static svs_status take_urgent(svs_ranks *ranks, void *state) {
    take_number(ranks, 1, (const number *)state);
    return SVS_OK;
}

static void take_run(svs_ranks *ranks, void *part, const number *records, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) take_number(ranks, 2, &records[i]);
}

SVS_HANDLER(numbers_fifo, number, take_fifo, SVS_DISPATCH_FIFO)
SVS_HANDLER(numbers_urgent, number, take_urgent, SVS_DISPATCH_URGENT)
SVS_HANDLER_IN_PLACE(numbers_run, number, take_run)

static svs_status post_number(svs_ranks *ranks, uint32_t to, uint32_t n) {
    number record = {svs_ranks_index(ranks), n / 3};
    switch (n % 3) {
    case 0: return numbers_fifo_post(ranks, to, &record);
    case 1: return numbers_urgent_post(ranks, to, &record);
    default: return numbers_run_post(ranks, to, &record);
    }
}

#endif
