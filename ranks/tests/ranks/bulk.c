/* Bulk transfers: random reads, writes, additions and stores between all ranks, against a copy of
 * what each rank has written; and transfers beyond a segment. */
#include "base/random.h"
#include "ranks/program.h"
#include <string.h>

enum { CELLS = 300, STEPS = 25, RANKS_MAX = 4 };

typedef struct own {
    uint64_t seed;
    int wrong;
    uint32_t stored, heard;
    svs__random random;
    double cells[RANKS_MAX][CELLS]; /* the segment: of each writer, its own row */
    double model[RANKS_MAX][CELLS]; /* what this rank has written into its row, by target */
    double buffer[CELLS];
    svs_counter ready;
    svs_segment *segment;
} own;

/* Behind a store: what must be there. */
typedef struct stored {
    uint32_t from, at, count, reserved;
    double sum;
} stored;

static void check_stored(svs_ranks *ranks, void *part, const stored *records, uint32_t count) {
    own *mine = part;
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0;
        for (uint32_t c = 0; c < records[i].count; c++)
            sum += mine->cells[records[i].from][records[i].at + c];
        CHECK(mine, sum == records[i].sum);
        mine->heard++;
    }
}

SVS_HANDLER_IN_PLACE(look, stored, check_stored)
static const svs_handler *const handlers[] = {&look};

static size_t offset_of(svs_ranks *ranks, uint32_t at) {
    return (svs_ranks_index(ranks) * (size_t)CELLS + at) * sizeof(double);
}

static svs_status transfer(svs_ranks *ranks, own *mine, uint32_t kind, svs_counter *done) {
    uint32_t to = svs__random_below(&mine->random, svs_ranks_count(ranks));
    uint32_t at = svs__random_below(&mine->random, CELLS);
    uint32_t count = svs__random_below(&mine->random, CELLS - at + 1);
    double *model = mine->model[to] + at;
    size_t offset = offset_of(ranks, at), bytes = count * sizeof(double);
    stored then = {svs_ranks_index(ranks), at, count, 0, 0};
    svs_status status;
    if (kind == 0) {
        status = svs_bulk_read(mine->segment, to, offset, mine->buffer, bytes, done);
        if (status == SVS_WAIT) status = svs_await(ranks, done, done->value + 1);
        CHECK(mine, status || memcmp(mine->buffer, model, bytes) == 0);
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        mine->buffer[i] = svs__random_below(&mine->random, 1000);
        model[i] = kind == 1 ? model[i] + mine->buffer[i] : mine->buffer[i];
        then.sum += model[i];
    }
    if (kind == 1) return svs_bulk_add(mine->segment, to, offset, mine->buffer, count, done);
    if (kind == 2) return svs_bulk_write(mine->segment, to, offset, mine->buffer, bytes, done);
    mine->stored++;
    return svs_bulk_store(mine->segment, to, offset, mine->buffer, bytes, done, &look, &then,
                          sizeof then);
}

static svs_status transfer_all(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_counter done;
    svs_status status = svs_await(ranks, &mine->ready, 1);
    svs_counter_init(&done, 0);
    for (int64_t i = 0; i < STEPS && status == SVS_OK; i++) {
        status = transfer(ranks, mine, svs__random_below(&mine->random, 4), &done);
        if (status == SVS_WAIT || status == SVS_OK) status = svs_await(ranks, &done, i + 1);
        CHECK(mine, status || done.value == i + 1); /* ranks.C2 */
    }
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status;
    svs__random_seed(&mine->random, mine->seed * 7 + svs_ranks_index(ranks));
    svs_counter_init(&mine->ready, 0);
    status = svs_segment_new(ranks, "cells", 0, mine->cells, sizeof mine->cells, &mine->segment,
                             &mine->ready);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    if (status == SVS_WAIT)
        CHECK(mine,
              svs_bulk_read(mine->segment, 0, 0, mine->buffer, 8, &mine->ready) == SVS_E_STATE);
    return svs_thread_spawn(ranks, transfer_all, NULL, 0, NULL);
}

static const char *check(program_run *run) {
    uint32_t count = run->program->ranks, stores = 0, heard = 0;
    const char *wrong;
    for (uint32_t i = 0; i < count; i++) {
        own *mine = program_data(run, i);
        if ((wrong = program_wrong_line(mine->wrong, i))) return wrong;
        stores += mine->stored;
        heard += mine->heard;
        for (uint32_t to = 0; to < count; to++) {
            own *target = program_data(run, to);
            if (memcmp(target->cells[i], mine->model[to], sizeof mine->model[to]) != 0)
                return "a segment is not what was written";
        }
    }
    return stores == heard ? NULL : "a record behind a store was lost";
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    static const size_t bytes[] = {0, 300, 1000, 16384};
    options->aggregate_bytes = bytes[seed % 4];
    options->credits = 1 + (uint32_t)(seed / 4 % 2);
    options->direct_ranks = seed % 3 == 0 ? 1 : 64;
    options->threads = 4;
}

/* Rank 0 writes one cell too much. */
static svs_status overrun(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = svs_await(ranks, &mine->ready, 1);
    svs_counter done;
    svs_counter_init(&done, 0);
    if (status != SVS_OK || svs_ranks_index(ranks) != 0) return status;
    status = svs_bulk_write(mine->segment, 1, sizeof mine->cells - 8, mine->buffer, 16, &done);
    return status == SVS_WAIT ? svs_await(ranks, &done, 1) : status;
}

static svs_status start_overrun(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status;
    svs_counter_init(&mine->ready, 0);
    status = svs_segment_new(ranks, "cells", 0, mine->cells, sizeof mine->cells, &mine->segment,
                             &mine->ready);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    return svs_thread_spawn(ranks, overrun, NULL, 0, NULL);
}

/* ---- a part of a transfer is copied into its buffer, and nowhere before ---- */
/* Additions are records, whatever their size. */

enum { PARTS = 200, PART = 16384, CELLS_OF_BLOCK = PARTS * PART / 8, ALLOCATIONS_MAX = 100 };

static struct {
    svs_allocator inner; /* of rank 0 */
    uint64_t count;
} counted;

static void *count_allocation(size_t size, size_t alignment, uint32_t worker, void *argument) {
    counted.count++;
    return counted.inner.allocate(size, alignment, worker, argument);
}

static void count_allocations(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    if (rank != 0) return;
    counted.inner = options->allocator;
    counted.count = 0;
    options->allocator.allocate = count_allocation;
}

typedef struct block {
    double cells[CELLS_OF_BLOCK];
    svs_segment *segment;
    svs_counter ready;
    int wrong;
} block;

static svs_status move_block(svs_ranks *ranks, void *state) {
    block *mine = svs_ranks_data(ranks);
    svs_status status = svs_await(ranks, &mine->ready, 1);
    svs_counter done;
    uint64_t before = counted.count;
    svs_counter_init(&done, 0);
    if (status != SVS_OK || svs_ranks_index(ranks) != 0) return status;
    for (size_t i = 0; i < CELLS_OF_BLOCK; i++) mine->cells[i] = (double)(i * 7);
    status = svs_bulk_add(mine->segment, 1, 0, mine->cells, CELLS_OF_BLOCK, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 1);
    CHECK(mine, counted.count - before < ALLOCATIONS_MAX);
    return status;
}

static svs_status start_block(svs_ranks *ranks, void *state) {
    block *mine = svs_ranks_data(ranks);
    svs_status status = svs_segment_new(ranks, "block", 0, mine->cells, sizeof mine->cells,
                                        &mine->segment, &mine->ready);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    return svs_thread_spawn(ranks, move_block, NULL, 0, NULL);
}

static const char *check_block(program_run *run) {
    const block *from = program_data(run, 0), *to = program_data(run, 1);
    if (from->wrong != 0) return "each part has an allocation of its own";
    return memcmp(from->cells, to->cells, sizeof to->cells) == 0 ? NULL : "other bytes arrived";
}

PROGRAM(large_block, .ranks = 2, .bytes = sizeof(block), .options = count_allocations,
        .start = start_block, .check = check_block);

TEST_CASE(parts_of_a_transfer_are_copied_once) { program_sim(&large_block, 20); }

/* ---- what goes from memory to memory is counted, too ---- */

static svs_status count_bytes(svs_ranks *ranks, void *state) {
    block *mine = svs_ranks_data(ranks);
    svs_status status = svs_await(ranks, &mine->ready, 1);
    svs_ranks_statistics before, after;
    svs_counter done;
    svs_counter_init(&done, 0);
    if (status != SVS_OK || svs_ranks_index(ranks) != 0) return status;
    CHECK(mine, svs_ranks_statistics_get(ranks, &before) == SVS_OK);
    status = svs_bulk_write(mine->segment, 1, 0, mine->cells, sizeof mine->cells, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 1);
    CHECK(mine, svs_ranks_statistics_get(ranks, &after) == SVS_OK);
    CHECK(mine, after.byte_sent - before.byte_sent >= sizeof mine->cells);
    CHECK(mine, after.msg_sent > before.msg_sent);
    return status;
}

static svs_status start_counting(svs_ranks *ranks, void *state) {
    block *mine = svs_ranks_data(ranks);
    svs_status status = svs_segment_new(ranks, "block", 0, mine->cells, sizeof mine->cells,
                                        &mine->segment, &mine->ready);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    return svs_thread_spawn(ranks, count_bytes, NULL, 0, NULL);
}

static const char *check_counted(program_run *run) {
    const block *from = program_data(run, 0);
    return program_wrong_line(from->wrong, 0);
}

PROGRAM(counted_block, .ranks = 2, .bytes = sizeof(block), .start = start_counting,
        .check = check_counted);

TEST_CASE(bytes_of_transfers_are_counted) { program_sim(&counted_block, 20); }

#define TRANSFERS_ON(n)                                                                            \
    PROGRAM(transfers_##n, .ranks = n, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),           \
            .seeded = true, .options = vary, .start = start, .check = check)
TRANSFERS_ON(1);
TRANSFERS_ON(2);
TRANSFERS_ON(4);
PROGRAM(overrunning, .ranks = 3, .bytes = sizeof(own), .options = vary, .start = start_overrun,
        .status = SVS_E_INVALID,
        .text = "rank 1: rank 0 writes bytes 9592 to 9608 of segment cells, which has 9600");

TEST_CASE(segments_are_what_was_written) {
    program_sim(&transfers_1, 200);
    program_sim(&transfers_2, 1000);
    program_sim(&transfers_4, 600);
    program_local(&transfers_4, 20);
}

TEST_CASE(transfers_beyond_a_segment_end_the_run) { program_sim(&overrunning, 300); }

TEST_CASE(survivors_agree_and_memory_is_released) {
    program_kill(&transfers_2, 37);
    program_exhaust(&transfers_2, 11);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
