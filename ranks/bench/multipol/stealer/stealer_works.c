#include "multipol/program.h"
#include "stealer.h"

#include <stdlib.h>
#include <string.h>

/* The state of a rank in a work. */
typedef struct rank_work {
    svs_thread thread;
    const stealer_settings *said;
    stealer_result *result;
    svs_stealer *stealer;
    svs_counter available, terminated, reduced, ticks;
    int64_t removals, yields;
    uint64_t task, begun, cpu_begun, left;
    size_t bytes;
    uint32_t steps; /* of arithmetic, of a task */
    bool over;
    svs_stealer_statistics mine;
    uint64_t cpu_ns;
} rank_work;

static void begin_time(rank_work *me) {
    me->cpu_begun = bench_thread_cpu_ns();
    me->begun = bench_wall_ns();
}

static void end_time(rank_work *me) {
    me->result->ns = bench_wall_ns() - me->begun;
    me->result->cpu_ns = me->cpu_ns = bench_thread_cpu_ns() - me->cpu_begun;
}

static svs_status make_stealer(svs_ranks *ranks, rank_work *me, uint32_t buffer_bytes) {
    svs_stealer_options options;
    svs_stealer_options_init(&options);
    options.name = "bench";
    options.task_bytes = sizeof me->task;
    options.buffer_bytes = buffer_bytes;
    options.network = (svs_stealer_network)me->said->network;
    options.seed = me->said->seed;
    return svs_stealer_new(ranks, &options, &me->stealer);
}

static svs_status remove_one(rank_work *me) {
    me->removals++;
    return program_begun(svs_stealer_remove(me->stealer, &me->task, &me->bytes, &me->available));
}

static void sum(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

static svs_status run(svs_ranks *ranks, rank_work *me, uint32_t buffer_bytes,
                      svs_fiber_function *start) {
    svs_status status = make_stealer(ranks, me, buffer_bytes);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, me);
    if (status == SVS_OK) status = svs_stealer_statistics_get(me->stealer, &me->mine);
    return status == SVS_OK ? svs_stealer_free(me->stealer, NULL) : status;
}

/* ---- empty tasks, and fibers ---- */

static svs_status empty_fiber(svs_ranks *ranks, void *state) {
    rank_work *me = *(rank_work **)state;
    (void)ranks;
    if (--me->left == 0) me->result->other_ns = bench_wall_ns() - me->begun;
    return SVS_OK;
}

static svs_status make_fibers(svs_ranks *ranks, rank_work *me) {
    me->left = me->said->tasks;
    me->begun = bench_wall_ns();
    for (uint64_t i = 0; i < me->said->tasks; i++) {
        svs_fiber fiber;
        svs_status status =
            svs_fiber_new(ranks, empty_fiber, &me, sizeof(rank_work *), NULL, &fiber);
        if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

static svs_status run_empty(svs_ranks *ranks, void *state) {
    rank_work *me = state;
    svs_status status = SVS_OK;
    begin_time(me);
    for (uint64_t i = 0; i < me->said->tasks && status == SVS_OK; i++)
        status = svs_stealer_add(me->stealer, SVS_STEALER_ANY, &i, sizeof i, NULL);
    for (uint64_t i = 0; i < me->said->tasks && status == SVS_OK; i++) {
        status = svs_stealer_remove(me->stealer, &me->task, &me->bytes, &me->available);
        if (status == SVS_OK) status = svs_stealer_complete(me->stealer);
    }
    end_time(me);
    return status == SVS_OK ? make_fibers(ranks, me) : status;
}

svs_status stealer_empty(svs_ranks *ranks, const stealer_settings *said, stealer_result *result) {
    rank_work me = {.said = said, .result = result};
    svs_status status = run(ranks, &me, 16384, run_empty);
    result->of = me.mine;
    return status;
}

/* ---- steals of one task, and round trips ---- */

/* Records of two ranks: rank 1 asks, rank 0 answers; or rank 1 is ready. */
static void take_question(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count);
static void take_answer(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count);
static void take_over(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count);
SVS_HANDLER_IN_PLACE(question, uint64_t, take_question)
SVS_HANDLER_IN_PLACE(answer, uint64_t, take_answer)
SVS_HANDLER_IN_PLACE(is_over, uint64_t, take_over)

static void take_question(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count) {
    (void)part, (void)count;
    svs_ignore(svs_reply(ranks, &answer, words, sizeof *words));
    svs_flush(ranks, 1);
}
static void take_answer(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count) {
    (void)words;
    svs_counter_add(ranks, &((rank_work *)part)->reduced, count);
}
static void take_over(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count) {
    (void)ranks, (void)words, (void)count;
    ((rank_work *)part)->over = true;
}

/* Rank 0: one task that polls until rank 1 has all others, and has had its round trips. */
static svs_status serve_steals(svs_ranks *ranks, rank_work *me) {
    svs_status status = SVS_OK;
    for (uint64_t i = 0; i <= 2 * me->said->tasks && status == SVS_OK; i++)
        status = svs_stealer_add(me->stealer, SVS_STEALER_ANY, &i, sizeof i, NULL);
    if (status == SVS_OK) status = remove_one(me);
    while (!me->over && status == SVS_OK) svs_poll(ranks);
    for (;;) { /* the rest */
        if (status == SVS_OK) status = svs_stealer_complete(me->stealer);
        if (status != SVS_OK) return status;
        if (svs_stealer_remove(me->stealer, &me->task, &me->bytes, &me->available) != SVS_OK ||
            me->bytes == SVS_STEALER_END)
            return SVS_OK;
    }
}

static svs_status run_steps(svs_ranks *ranks, void *state) {
    rank_work *me = state;
    uint64_t one = 1;
    svs_status status = SVS_OK;
    SVS_THREAD_BEGIN(ranks, me);
    if (svs_ranks_index(ranks) == 0) {
        status = program_begun(svs_stealer_wait(me->stealer, &me->terminated));
        return status == SVS_OK ? serve_steals(ranks, me) : status;
    }
    status = program_begun(svs_stealer_wait(me->stealer, &me->terminated));
    if (status == SVS_OK) status = remove_one(me);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->available, 1); /* rank 0 is in its task */
    begin_time(me);
    for (me->left = me->said->tasks; me->left != 0; me->left--) {
        status = svs_stealer_complete(me->stealer);
        if (status == SVS_OK) status = remove_one(me);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->available, me->removals);
    }
    end_time(me);
    me->begun = bench_wall_ns();
    for (me->left = 0; me->left != me->said->tasks; me->left++) {
        status = question_post(ranks, 0, &one);
        if (status != SVS_OK) return status;
        svs_flush(ranks, 0);
        SVS_AWAIT(ranks, me, &me->reduced, me->left + 1);
    }
    me->result->other_ns = bench_wall_ns() - me->begun;
    status = is_over_post(ranks, 0, &one);
    svs_flush(ranks, 0);
    for (; status == SVS_OK && me->bytes != SVS_STEALER_END;) {
        status = svs_stealer_complete(me->stealer);
        if (status == SVS_OK) status = remove_one(me);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->available, me->removals);
    }
    SVS_THREAD_END;
}

svs_status stealer_steps(svs_ranks *ranks, const stealer_settings *said, stealer_result *result) {
    static const svs_handler *const handlers[] = {&question, &answer, &is_over};
    rank_work me = {.said = said, .result = result};
    svs_status status = SVS_OK;
    if (svs_ranks_count(ranks) != 2) bench_fail("steps are between 2 ranks");
    if (svs_ranks_data(ranks) == NULL) status = svs_handlers_add(ranks, handlers, 3);
    svs_ranks_set_data(ranks, &me);
    if (status == SVS_OK) status = run(ranks, &me, 32, run_steps); /* one task in a buffer */
    result->of = me.mine;
    return status;
}

/* ---- tasks of some length ---- */

static svs_status tick(svs_ranks *ranks, void *state) {
    svs_counter_add(ranks, &(*(rank_work **)state)->ticks, 1);
    return SVS_OK;
}

/* Lets the other ranks run, under sim, after a task without length. */
static svs_status yield(svs_ranks *ranks, rank_work *me) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, tick, &me, sizeof(rank_work *), NULL, &fiber);
    me->yields++;
    return status == SVS_OK ? svs_fiber_enable(ranks, fiber) : status;
}

static svs_status begin_spin(svs_ranks *ranks, rank_work *me) {
    svs_status status = SVS_OK;
    begin_time(me);
    me->left = svs_ranks_index(ranks) == 0 ? me->said->tasks : 0;
    for (; me->left != 0 && status == SVS_OK; me->left--)
        status = svs_stealer_add(me->stealer, SVS_STEALER_ANY, &me->left, sizeof me->left, NULL);
    return status == SVS_OK ? program_begun(svs_stealer_wait(me->stealer, &me->terminated))
                            : status;
}

/* The counts and the processor time of all ranks. */
static svs_status add_up(svs_ranks *ranks, rank_work *me) {
    svs_distributed *sums = svs_distributed_find(ranks, "sums", 0);
    svs_status status = svs_stealer_statistics_get(me->stealer, &me->mine);
    if (status == SVS_OK)
        status = program_begun(svs_reduce(sums, sum, &me->cpu_ns, &me->result->cpu_ns,
                                          sizeof(uint64_t), 1, &me->reduced));
    if (status != SVS_OK) return status;
    return program_begun(svs_reduce(sums, sum, &me->mine, &me->result->of, sizeof(uint64_t),
                                    sizeof me->mine / sizeof(uint64_t), &me->reduced));
}

static svs_status run_spin(svs_ranks *ranks, void *state) {
    rank_work *me = state;
    svs_distributed *object;
    svs_status status = SVS_OK;
    SVS_THREAD_BEGIN(ranks, me);
    if (svs_distributed_find(ranks, "sums", 0) == NULL) {
        status =
            program_begun(svs_distributed_new(ranks, "sums", 0, me->result, &object, &me->ticks));
        me->yields++;
    }
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->ticks, me->yields);
    status = begin_spin(ranks, me);
    for (;;) {
        if (status == SVS_OK) status = remove_one(me);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->available, me->removals);
        if (me->bytes == SVS_STEALER_END) break;
        bench_spin(me->steps);
        svs_poll(ranks);
        status = svs_stealer_complete(me->stealer);
        if (me->steps != 0) continue;
        if (status == SVS_OK) status = yield(ranks, me);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->ticks, me->yields);
        status = SVS_OK;
    }
    end_time(me);
    status = add_up(ranks, me);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->reduced, 2);
    SVS_AWAIT(ranks, me, &me->terminated, 1);
    SVS_THREAD_END;
}

svs_status stealer_spin(svs_ranks *ranks, const stealer_settings *said, stealer_result *result) {
    rank_work me = {.said = said, .result = result};
    if (said->ns != 0) me.steps = bench_rounds((uint32_t)said->ns);
    return run(ranks, &me, 16384, run_spin);
}
