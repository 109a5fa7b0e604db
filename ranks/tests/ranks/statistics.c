/* The statistics of ranks: what they count, their sums, and their names. */
#include "ranks/program.h"
#include <string.h>

enum { RANKS = 3, POSTS = 100 };

typedef struct own {
    uint32_t sent;
    svs_counter done;
    svs_distributed *object;
    svs_ranks_statistics sum;
} own;

typedef struct posting {
    svs_thread thread;
    own *mine;
} posting;

typedef struct word {
    uint64_t value;
} word;

static void take(svs_ranks *ranks, void *part, const word *words, uint32_t count) {}
static svs_status take_one(svs_ranks *ranks, void *state) { return SVS_OK; }
SVS_HANDLER_IN_PLACE(in_place, word, take)
SVS_HANDLER(as_fiber, word, take_one, SVS_DISPATCH_FIFO)
static const svs_handler *const handlers[] = {&in_place, &as_fiber};

/* To each rank, this one included, by both handlers in turn; then all statistics are added. */
static svs_status post_all(svs_ranks *ranks, void *state) {
    posting *me = state;
    own *mine = me->mine;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    status = svs_distributed_new(ranks, "all", 0, mine, &mine->object, &mine->done);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    for (; mine->sent < POSTS * RANKS; mine->sent++) {
        const word record = {mine->sent};
        status = mine->sent / RANKS % 2 ? in_place_post(ranks, mine->sent % RANKS, &record)
                                        : as_fiber_post(ranks, mine->sent % RANKS, &record);
        if (status) return status;
    }
    status = svs_barrier(mine->object, &mine->done);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &mine->done, 2);
    status = svs_ranks_statistics_sum(mine->object, &mine->sum, &mine->done);
    return status == SVS_WAIT ? SVS_OK : status;
    SVS_THREAD_END;
}

static svs_status start(svs_ranks *ranks, void *state) {
    posting me = {{0}, svs_ranks_data(ranks)};
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, post_all, &me, sizeof me, NULL, &fiber);
    return status ? status : svs_fiber_enable(ranks, fiber);
}

static void large_buffers(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = 1 << 16; /* no post waits */
}

static _Atomic(uint64_t) idle_between; /* idle_work_ns of all runs */

/* At the end of the run; the sums of the middle are at most as large. */
static const char *check(program_run *run) {
    svs_ranks_statistics all = {0};
    for (uint32_t i = 0; i < RANKS; i++) {
        const own *mine = program_data(run, i);
        const svs_ranks_statistics *counted = &run->result[i].statistics;
        const uint64_t *here = (const uint64_t *)counted;
        const uint64_t *sum = (const uint64_t *)&mine->sum;
        for (size_t k = 0; svs_ranks_statistics_name(k) != NULL; k++)
            ((uint64_t *)&all)[k] += here[k];
        if (memcmp(sum, &((own *)program_data(run, 0))->sum, sizeof mine->sum) != 0)
            return "the ranks have different sums";
        if (counted->remote_op < POSTS * (RANKS - 1)) return "RemoteOp";
        if (counted->byte_copy != POSTS * sizeof(word)) return "ByteCopy";
        if (counted->thread_disp > counted->thread_enable)
            return "more fibers were executed than enabled";
        if (counted->idle_work_ns > counted->idle_ns) return "idle_work_ns is more than idle_ns";
        idle_between += counted->idle_work_ns;
        if (counted->cpu_ns == 0 || mine->sum.cpu_ns == 0) return "cpu_ns";
        if (counted->partitions != 1 || mine->sum.partitions != RANKS) return "P";
    }
    /* handlers' fibers, the first fiber and post_all() */
    if (all.thread_alloc != RANKS * (POSTS * RANKS / 2 + 2)) return "ThreadAlloc";
    if (all.remote_op + POSTS * RANKS != all.records_run) return "records were not run once";
    if (all.byte_sent < sizeof(word) * POSTS * RANKS * (RANKS - 1)) return "ByteSent";
    if (all.msg_sent != all.flushes_full + all.flushes_idle + all.flushes_fibers + all.flushes_age +
                            all.flushes_asked)
        return "a message was sent by no rule";
    for (size_t k = 0; svs_ranks_statistics_name(k) != NULL; k++)
        if (((uint64_t *)&((own *)program_data(run, 0))->sum)[k] > ((uint64_t *)&all)[k])
            return svs_ranks_statistics_name(k);
    return NULL;
}

PROGRAM(counted, .ranks = RANKS, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),
        .options = large_buffers, .start = start, .check = check);

TEST_CASE(statistics_add_up) {
    program_sim(&counted, 1000);
    assert_true(idle_between != 0);
    program_local(&counted, 10);
}

static svs_status nothing(svs_ranks *ranks, void *state) { return SVS_OK; }

/* Ranks without work wait for the end alone. */
static const char *check_idle(program_run *run) {
    for (uint32_t i = 0; i < RANKS; i++)
        if (run->result[i].statistics.idle_work_ns != 0) return "the end of a run is no idle time";
    return NULL;
}

PROGRAM(empty, .ranks = RANKS, .bytes = sizeof(own), .rounds = 3, .start = nothing,
        .check = check_idle);

TEST_CASE(the_end_of_a_run_is_not_idle_time_of_work) {
    program_sim(&empty, 500);
    program_local(&empty, 10);
}

TEST_CASE(each_number_has_its_name) {
    assert_string_equal(svs_ranks_statistics_name(0), "P");
    assert_string_equal(
        svs_ranks_statistics_name(offsetof(svs_ranks_statistics, byte_copy) / sizeof(uint64_t)),
        "ByteCopy");
    assert_string_equal(
        svs_ranks_statistics_name(sizeof(svs_ranks_statistics) / sizeof(uint64_t) - 1), "cpu_ns");
    assert_null(svs_ranks_statistics_name(sizeof(svs_ranks_statistics) / sizeof(uint64_t)));
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
