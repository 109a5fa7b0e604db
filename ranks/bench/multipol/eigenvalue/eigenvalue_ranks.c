#include "eigenvalue_ranks.h"
#include "common.h"
#include "multipol/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An interval of another rank. */
typedef struct reference {
    uint32_t rank, place;
} reference;

typedef eigenvalue_part part;

/* Takes tasks until there are none. */
typedef struct worker {
    svs_thread thread;
    part *mine;
    svs_counter available, fetched;
    int64_t removals, reads;
    size_t bytes;
    union {
        interval sent;
        reference named;
    } task;
    interval parts[2];
} worker;

struct eigenvalue_part {
    svs_thread thread;
    svs_ranks *ranks;
    const matrix *m;
    const way *by;
    svs_stealer *stealer;
    svs_distributed *object;
    svs_segment *segment;
    svs_counter steps, terminated, ended;
    interval *made; /* by this rank, that tasks name */
    uint32_t made_count;
    uint64_t *values; /* as bits; 0: of another rank */
    uint64_t begun, cpu_begun;
    svs_ranks_statistics before;
    run_counts counts;
    uint64_t numbers[10];
};

/* ---- tasks ---- */

static svs_status add(part *mine, const interval *next) {
    svs_stealer_hint hint = {.work = next->upto - next->below};
    reference named = {svs_ranks_index(mine->ranks), mine->made_count};
    if (!mine->by->fetches)
        return svs_stealer_add(mine->stealer, SVS_STEALER_ANY, next, sizeof *next, &hint);
    mine->made[mine->made_count++] = *next;
    return svs_stealer_add(mine->stealer, SVS_STEALER_ANY, &named, sizeof named, &hint);
}

/* Between two counts: the rank serves the others. */
static void serve(void *ranks) { svs_poll(ranks); }

static svs_status run_task(worker *me) {
    part *mine = me->mine;
    uint32_t left = interval_divide(mine->m, me->parts, &mine->counts.counts, serve, mine->ranks);
    svs_status status = SVS_OK;
    for (uint32_t i = left; i-- != 0 && status == SVS_OK;) status = add(mine, &me->parts[i]);
    if (left == 0)
        for (uint32_t i = me->parts[0].below; i < me->parts[0].upto; i++)
            memcpy(&mine->values[i], &me->parts[0].low, sizeof *mine->values);
    return status == SVS_OK ? svs_stealer_complete(mine->stealer) : status;
}

static svs_status fetch(worker *me) {
    part *mine = me->mine;
    me->reads++;
    return program_begun(svs_bulk_read(mine->segment, me->task.named.rank,
                                       me->task.named.place * sizeof(interval), &me->parts[0],
                                       sizeof(interval), &me->fetched));
}

static svs_status work(svs_ranks *ranks, void *state) {
    worker *me = state;
    part *mine = me->mine;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    for (;;) {
        me->removals++;
        status =
            program_begun(svs_stealer_remove(mine->stealer, &me->task, &me->bytes, &me->available));
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->available, me->removals);
        if (me->bytes == SVS_STEALER_END) break;
        if (mine->by->fetches) {
            status = fetch(me);
            if (status != SVS_OK) return status;
            SVS_AWAIT(ranks, me, &me->fetched, me->reads);
        } else {
            me->parts[0] = me->task.sent;
        }
        status = run_task(me);
        if (status != SVS_OK) return status;
    }
    svs_counter_add(ranks, &mine->ended, 1);
    SVS_THREAD_END;
}

static svs_status start_worker(part *mine) {
    worker first = {.mine = mine};
    svs_fiber fiber;
    svs_status status = svs_fiber_new(mine->ranks, work, &first, sizeof first, NULL, &fiber);
    return status == SVS_OK ? svs_fiber_enable(mine->ranks, fiber) : status;
}

/* ---- the run of a rank ---- */

static void unite(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] |= ((const uint64_t *)from)[i];
}

static void sum(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

/* In the first run. */
static svs_status make(part *mine) {
    size_t bytes = 2 * mine->m->n * sizeof(interval);
    svs_status status = SVS_OK;
    if (mine->object == NULL)
        status = program_begun(
            svs_distributed_new(mine->ranks, "eigenvalues", 0, mine, &mine->object, &mine->steps));
    else svs_counter_add(mine->ranks, &mine->steps, 1);
    if (status == SVS_OK && mine->segment == NULL)
        status = program_begun(svs_segment_new(mine->ranks, "intervals", 0, mine->made, bytes,
                                               &mine->segment, &mine->steps));
    else svs_counter_add(mine->ranks, &mine->steps, 1);
    return status == SVS_OK ? program_begun(svs_barrier(mine->object, &mine->steps)) : status;
}

static svs_status begin(part *mine) {
    interval all = interval_all(mine->m);
    svs_status status = svs_ranks_statistics_get(mine->ranks, &mine->before);
    mine->begun = bench_wall_ns();
    mine->cpu_begun = bench_thread_cpu_ns();
    if (status == SVS_OK && svs_ranks_index(mine->ranks) == 0) status = add(mine, &all);
    if (status == SVS_OK)
        status = program_begun(svs_stealer_wait(mine->stealer, &mine->terminated));
    return status == SVS_OK ? start_worker(mine) : status;
}

static svs_status gather(part *mine) {
    svs_ranks_statistics now;
    svs_stealer_statistics of;
    svs_status status = svs_ranks_statistics_get(mine->ranks, &now);
    if (status == SVS_OK) status = svs_stealer_statistics_get(mine->stealer, &of);
    if (status != SVS_OK) return status;
    mine->counts.ns = bench_wall_ns() - mine->begun;
    mine->counts.cpu_ns = bench_thread_cpu_ns() - mine->cpu_begun;
    mine->counts.idle_ns = now.idle_ns - mine->before.idle_ns;
    mine->counts.messages = now.msg_sent - mine->before.msg_sent;
    mine->counts.bytes = now.byte_sent - mine->before.byte_sent;
    mine->counts.tasks = of.completed;
    mine->counts.local = of.local;
    mine->counts.migrated = of.migrated + of.received;
    mine->counts.requests = of.requests;
    memcpy(mine->numbers, &mine->counts, sizeof mine->numbers);
    status =
        program_begun(svs_reduce(mine->object, sum, mine->numbers, mine->numbers, sizeof(uint64_t),
                                 sizeof mine->numbers / sizeof(uint64_t), &mine->steps));
    if (status != SVS_OK) return status;
    return program_begun(svs_reduce(mine->object, unite, mine->values, mine->values,
                                    sizeof(uint64_t), mine->m->n, &mine->steps));
}

static svs_status start(svs_ranks *ranks, void *state) {
    part *mine = state;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, mine);
    status = make(mine);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, mine, &mine->steps, 3);
    status = begin(mine);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, mine, &mine->terminated, 1);
    status = gather(mine);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, mine, &mine->steps, 5);
    SVS_AWAIT(ranks, mine, &mine->ended, 1);
    SVS_THREAD_END;
}

static svs_status make_stealer(part *mine) {
    svs_stealer_options options;
    svs_stealer_options_init(&options);
    options.name = "bisection";
    options.task_bytes = sizeof(interval);
    options.network = mine->by->pushes ? SVS_STEALER_PUSH : mine->by->network;
    options.seed = mine->by->seed;
    return svs_stealer_new(mine->ranks, &options, &mine->stealer);
}

eigenvalue_part *eigenvalue_part_new(svs_ranks *ranks, const matrix *m) {
    part *mine = bench_allocate(1, sizeof *mine);
    mine->ranks = ranks;
    mine->m = m;
    mine->made = bench_allocate(2 * m->n, sizeof *mine->made);
    mine->values = bench_allocate(m->n, sizeof *mine->values);
    return mine;
}

void eigenvalue_part_free(eigenvalue_part *mine) {
    free(mine->made);
    free(mine->values);
    free(mine);
}

svs_status eigenvalues_run(eigenvalue_part *mine, const way *by, double *values,
                           run_counts *counts) {
    svs_status status;
    mine->by = by;
    mine->thread.line = 0;
    mine->made_count = 0;
    mine->counts = (run_counts){0};
    memset(mine->values, 0, mine->m->n * sizeof *mine->values);
    svs_counter_init(&mine->steps, 0);
    svs_counter_init(&mine->terminated, 0);
    svs_counter_init(&mine->ended, 0);
    status = make_stealer(mine);
    if (status == SVS_OK) status = svs_ranks_run(mine->ranks, start, mine);
    if (status == SVS_OK) status = svs_stealer_free(mine->stealer, NULL);
    memcpy(values, mine->values, mine->m->n * sizeof *values);
    memcpy(counts, mine->numbers, sizeof *counts);
    counts->ns = mine->counts.ns;
    return status;
}
