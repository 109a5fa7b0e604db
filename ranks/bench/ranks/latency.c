/* Round trips by SvS: a post with its reply, barriers, syncs of a snapshot; and idle ranks. */
#include "works.h"

#include <sys/resource.h>

typedef struct trips {
    svs_thread thread;
    uint64_t left;
    int64_t waited;
} trips;

typedef struct place {
    svs_counter done;
    svs_distributed *object;
    svs_snapshot *snapshot;
} place;

static void reply(svs_ranks *ranks, void *data, const record *records, uint32_t many);
static void take_reply(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    place *mine = data;
    (void)records;
    svs_counter_add(ranks, &mine->done, many);
}

SVS_HANDLER_IN_PLACE(ping, record, reply)
SVS_HANDLER_IN_PLACE(pong, record, take_reply)
const svs_handler *const latency_handlers[] = {&ping, &pong};
const size_t latency_handler_count = sizeof latency_handlers / sizeof *latency_handlers;

static void reply(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    (void)data;
    for (uint32_t i = 0; i < many; i++) BENCH_OK(pong_post(ranks, 0, &records[i]));
    svs_flush(ranks, 0);
}

static svs_status ping_all(svs_ranks *ranks, void *state) {
    trips *me = state;
    place *mine = svs_ranks_data(ranks);
    const record one = {1, 2};
    SVS_THREAD_BEGIN(ranks, me);
    while (me->left-- != 0) {
        BENCH_OK(ping_post(ranks, 1, &one));
        svs_flush(ranks, 1);
        me->waited++;
        SVS_AWAIT(ranks, me, &mine->done, me->waited);
    }
    SVS_THREAD_END;
}

static void accept(svs_status status) {
    if (status != SVS_WAIT) BENCH_OK(status);
}

static svs_status cross_barriers(svs_ranks *ranks, void *state) {
    trips *me = state;
    place *mine = svs_ranks_data(ranks);
    SVS_THREAD_BEGIN(ranks, me);
    while (me->left-- != 0) {
        accept(svs_barrier(mine->object, &mine->done));
        me->waited++;
        SVS_AWAIT(ranks, me, &mine->done, me->waited);
    }
    SVS_THREAD_END;
}

static svs_status sync_all(svs_ranks *ranks, void *state) {
    trips *me = state;
    place *mine = svs_ranks_data(ranks);
    SVS_THREAD_BEGIN(ranks, me);
    while (me->left-- != 0) {
        accept(svs_snapshot_sync(mine->snapshot, &mine->done));
        me->waited++;
        SVS_AWAIT(ranks, me, &mine->done, me->waited);
    }
    SVS_THREAD_END;
}

static svs_status make_objects(svs_ranks *ranks, void *state) {
    place *mine = state;
    static _Thread_local uint64_t number;
    accept(svs_distributed_new(ranks, NULL, number + 1, mine, &mine->object, &mine->done));
    accept(svs_snapshot_new(ranks, NULL, number + 2, &mine->snapshot, &mine->done));
    number += 2;
    return SVS_OK;
}

static svs_status nothing(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}

static double time_of(svs_ranks *ranks, svs_fiber_function *thread, uint64_t count, bool all) {
    place mine = {.object = NULL};
    trips me = {.left = count};
    svs_fiber fiber;
    uint64_t begin;
    svs_counter_init(&mine.done, 0);
    svs_ranks_set_data(ranks, &mine);
    if (all) BENCH_OK(svs_ranks_run(ranks, make_objects, &mine));
    me.waited = mine.done.value;
    begin = begin_together(ranks);
    if (all || svs_ranks_index(ranks) == 0) {
        BENCH_OK(svs_fiber_new(ranks, thread, &me, sizeof me, NULL, &fiber));
        BENCH_OK(svs_fiber_enable(ranks, fiber));
    }
    BENCH_OK(svs_ranks_run(ranks, nothing, NULL));
    return (double)(bench_wall_ns() - begin);
}

double svs_pingpong(svs_ranks *ranks, const settings *chosen, uint64_t count) {
    (void)chosen;
    return time_of(ranks, ping_all, count, false);
}
double svs_barriers(svs_ranks *ranks, const settings *chosen, uint64_t count) {
    (void)chosen;
    return time_of(ranks, cross_barriers, count, true);
}
double svs_syncs(svs_ranks *ranks, const settings *chosen, uint64_t count) {
    (void)chosen;
    return time_of(ranks, sync_all, count, true);
}

/* ---- idle ranks, while rank 0 sleeps in a fiber ---- */

static svs_status sleep_in_rank_0(svs_ranks *ranks, void *state) {
    const uint64_t *seconds = state;
    if (svs_ranks_index(ranks) == 0) bench_sleep_ns(*seconds * 1000000000);
    return SVS_OK;
}

/* @return the CPU nanoseconds of this process; over `local` the process has all ranks. */
double svs_idle(svs_ranks *ranks, const settings *chosen, uint64_t count) {
    uint64_t seconds = chosen->seconds, begin = bench_cpu_ns();
    (void)count;
    BENCH_OK(svs_ranks_run(ranks, sleep_in_rank_0, &seconds));
    return (double)(bench_cpu_ns() - begin);
}
