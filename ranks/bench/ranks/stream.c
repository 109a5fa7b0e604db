/* Streams of records by SvS: each rank posts to random ranks, until all have been received. */
#include "works.h"

#include <stdlib.h>

#define AHEAD 16u /* records that are prefetched */
#define SLOW_NS 100u

void part_new(part *mine, uint64_t records, uint32_t rank) {
    *mine = (part){.left = records, .state = BENCH_SEED + 77 * (rank + 1), .rank = rank};
    mine->counts = bench_allocate(COUNTS, sizeof *mine->counts);
    mine->slots = bench_allocate(SLOTS, sizeof *mine->slots);
}

void part_free(part *mine) {
    free(mine->counts);
    free(mine->slots);
}

/* ---- handlers ---- */

static void count(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    part *mine = data;
    (void)ranks;
    mine->received += many;
    for (; many > AHEAD; many--, records++) {
        __builtin_prefetch(&mine->counts[records[AHEAD].key & (COUNTS - 1)], 1);
        mine->counts[records->key & (COUNTS - 1)]++;
    }
    for (; many != 0; many--, records++) mine->counts[records->key & (COUNTS - 1)]++;
}

static void insert(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    part *mine = data;
    (void)ranks;
    mine->received += many;
    for (; many > AHEAD; many--, records++) {
        __builtin_prefetch(&mine->slots[slot_of(records[AHEAD].key + 1)], 1);
        insert_one(mine, records);
    }
    for (; many != 0; many--, records++) insert_one(mine, records);
}

static void add(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    part *mine = data;
    uint64_t sum = 0;
    (void)ranks;
    for (uint32_t i = 0; i < many; i++) sum += records[i].value;
    mine->sum += sum;
    mine->received += many;
}

static void insert_slowly(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    part *mine = data;
    for (uint32_t i = 0; i < many; i++) bench_spin(mine->spin);
    insert(ranks, data, records, many);
}

/* The key of a request is the place of the value here, and `value` the rank that asks. */
static void answer(svs_ranks *ranks, void *data, const record *records, uint32_t many);

SVS_HANDLER_IN_PLACE(histogram, record, count)
SVS_HANDLER_IN_PLACE(inserted, record, insert)
SVS_HANDLER_IN_PLACE(added, record, add)
SVS_HANDLER_IN_PLACE(slowly, record, insert_slowly)
SVS_HANDLER_IN_PLACE(asked, record, answer)
const svs_handler *const stream_handlers[] = {&histogram, &inserted, &added, &slowly, &asked};
const size_t stream_handler_count = sizeof stream_handlers / sizeof *stream_handlers;

static inline void answer_one(svs_ranks *ranks, const part *mine, const record *one) {
    record reply = {one->key, mine->counts[one->key & (COUNTS - 1)]};
    svs_status status = added_post(ranks, (uint32_t)one->value, &reply);
    if (status != SVS_OK) BENCH_OK(status);
}

static void answer(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    const part *mine = data;
    for (; many > AHEAD; many--, records++) {
        __builtin_prefetch(&mine->counts[records[AHEAD].key & (COUNTS - 1)]);
        answer_one(ranks, mine, records);
    }
    for (; many != 0; many--, records++) answer_one(ranks, mine, records);
}

/* ---- senders ---- */

static svs_status wait_for(svs_ranks *ranks, part *mine, svs_status status,
                           svs_fiber_function *sender) {
    svs_fiber rest;
    if (status != SVS_WAIT) return status;
    mine->waits = true;
    status = svs_fiber_continue(ranks, sender, &rest);
    return status != SVS_OK ? status : svs_post_ready(ranks, mine->to, rest);
}

/* Posts until it must wait, and goes on as its own continuation; receives meanwhile, as often as
 * the bare stream does. */
#define SENDER(name, post, prepare)                                                                \
    static svs_status name(svs_ranks *ranks, void *state) {                                        \
        part *mine = svs_ranks_data(ranks);                                                        \
        const uint32_t ranks_count = svs_ranks_count(ranks);                                       \
        (void)state;                                                                               \
        for (; mine->left != 0; mine->left--) {                                                    \
            svs_status status;                                                                     \
            if (!mine->waits) {                                                                    \
                mine->waiting = part_next(mine, ranks_count, &mine->to);                           \
                prepare;                                                                           \
            }                                                                                      \
            mine->waits = false;                                                                   \
            status = post(ranks, mine->to, &mine->waiting);                                        \
            if (status != SVS_OK) return wait_for(ranks, mine, status, name);                      \
            if (mine->left % 256 == 0) svs_poll(ranks);                                            \
        }                                                                                          \
        return SVS_OK;                                                                             \
    }

SENDER(send_counts, histogram_post, )
SENDER(send_inserts, inserted_post, )
SENDER(send_sums, added_post, mine->to = other_than(mine->rank, mine->to, ranks_count))
SENDER(send_requests, asked_post, mine->waiting.value = mine->rank)
/* All ranks post to rank 0, which only receives. */
SENDER(send_slowly, slowly_post, mine->to = 0)

static double stream(svs_ranks *ranks, svs_fiber_function *sender, uint64_t records,
                     uint32_t spin) {
    part mine;
    uint64_t begin;
    part_new(&mine, records, svs_ranks_index(ranks));
    mine.spin = spin;
    svs_ranks_set_data(ranks, &mine);
    begin = begin_together(ranks);
    BENCH_OK(svs_ranks_run(ranks, sender, NULL));
    begin = bench_wall_ns() - begin;
    part_free(&mine);
    return (double)begin;
}

double svs_histogram(svs_ranks *ranks, const settings *chosen, uint64_t records) {
    (void)chosen;
    return stream(ranks, send_counts, records, 0);
}
double svs_insert(svs_ranks *ranks, const settings *chosen, uint64_t records) {
    (void)chosen;
    return stream(ranks, send_inserts, records, 0);
}
double svs_gather(svs_ranks *ranks, const settings *chosen, uint64_t records) {
    (void)chosen;
    return stream(ranks, send_requests, records, 0);
}
double svs_aggregate(svs_ranks *ranks, const settings *chosen, uint64_t records) {
    (void)chosen;
    return stream(ranks, send_sums, records, 0);
}
double svs_slow(svs_ranks *ranks, const settings *chosen, uint64_t records) {
    (void)chosen;
    return stream(ranks, send_slowly, svs_ranks_index(ranks) == 0 ? 0 : records,
                  bench_rounds(SLOW_NS));
}
