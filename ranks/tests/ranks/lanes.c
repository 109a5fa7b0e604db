/* Records that take a lane: those that handlers post to the own rank run behind them, and before
 * the fiber's next one (ranks.B7), handlers take turns on one lane (ranks.B6), what is posted while
 * a lane is read stands behind it, and all are counted. */
#include "ranks/post_again.h"
#include "ranks/program.h"

enum { TICKS = 400 };

typedef struct chain {
    uint32_t sent, ticks, echoes, seconds, foreign;
    bool inside, wrong;
} chain;

typedef struct tick {
    uint32_t from, number;
} tick;

static void enter(chain *own, bool right) {
    own->wrong = own->wrong || own->inside || !right; /* ranks.F4 */
    own->inside = true;
}

static void take_echoes(svs_ranks *ranks, void *part, const tick *records, uint32_t count) {
    chain *own = part;
    (void)ranks;
    enter(own, true);
    for (uint32_t i = 0; i < count; i++) {
        own->wrong = own->wrong || records[i].number + 1 != own->ticks; /* before the next tick */
        own->echoes++;
    }
    own->inside = false;
}
SVS_HANDLER_IN_PLACE(echo, tick, take_echoes)

static void take_seconds(svs_ranks *ranks, void *part, const tick *records, uint32_t count) {
    chain *own = part;
    enter(own, own->echoes == own->ticks);
    for (uint32_t i = 0; i < count; i++) own->wrong = own->wrong || records[i].number % 3 != 0;
    own->seconds += count;
    own->inside = false;
    (void)ranks;
}
SVS_HANDLER_IN_PLACE(second, tick, take_seconds)

static void take_ticks(svs_ranks *ranks, void *part, const tick *records, uint32_t count) {
    chain *own = part;
    uint32_t index = svs_ranks_index(ranks);
    enter(own, true);
    for (uint32_t i = 0; i < count; i++) {
        if (records[i].from != index) {
            own->foreign++;
            continue;
        }
        own->wrong = own->wrong || own->ticks != own->echoes ||
                     records[i].number != own->ticks++; /* ranks.P1 */
        own->wrong = own->wrong || echo_post(ranks, index, &records[i]) != SVS_OK;
        if (records[i].number % 3 == 0)
            own->wrong = own->wrong || second_post(ranks, index, &records[i]) != SVS_OK;
    }
    own->inside = false;
}
SVS_HANDLER_IN_PLACE(ticked, tick, take_ticks)
static const svs_handler *const chain_handlers[] = {&echo, &second, &ticked};

static svs_status send_ticks(svs_ranks *ranks, void *state) {
    chain *own = svs_ranks_data(ranks);
    uint32_t index = svs_ranks_index(ranks), count = svs_ranks_count(ranks);
    (void)state;
    for (; own->sent < TICKS * count; own->sent++) {
        uint32_t to = (own->sent + index) % count;
        tick record = {index, own->sent / count};
        svs_status status = ticked_post(ranks, to, &record);
        if (status) return post_again(ranks, status, to, send_ticks);
    }
    return SVS_OK;
}

static const char *check_chain(program_run *run) {
    uint32_t others = run->program->ranks - 1, seconds = (TICKS + 2) / 3;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const chain *own = program_data(run, i);
        const svs_ranks_statistics *counted = &run->result[i].statistics;
        if (own->wrong) return "a handler was interrupted, or a record overtook another one";
        if (own->ticks != TICKS || own->echoes != TICKS || own->seconds != seconds ||
            own->foreign != TICKS * others)
            return "a record was lost";
        if (counted->records_run != TICKS * (2 + others) + seconds ||
            counted->byte_copy != (TICKS * 2 + seconds) * sizeof(tick) ||
            counted->remote_op != TICKS * others)
            return "a record was not counted";
    }
    return NULL;
}

static void small_buffers(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    static const size_t sizes[] = {0, 64, 128, 256, 4096};
    options->aggregate_bytes = sizes[seed % 5];
    options->credits = 1 + (uint32_t)(seed / 5 % 4);
    (void)rank;
}

PROGRAM(chained, .ranks = 3, .bytes = sizeof(chain), PROGRAM_HANDLERS(chain_handlers),
        .options = small_buffers, .start = send_ticks, .check = check_chain);

TEST_CASE(records_of_handlers_to_the_own_rank_run_before_the_next_of_the_fiber) {
    program_sim(&chained, 500);
    program_local(&chained, 20);
}

/* ---- records of a handler that cause more of the same, behind those that are read ---- */

enum { SEEDS = 40, NUMBER = 13, QUEUED = 1024 };

typedef struct countdown {
    uint32_t sent, begun, ended, marks, expected_marks;
    uint64_t seed;          /* that the fiber posts */
    uint32_t queue[QUEUED]; /* numbers that handlers have posted, in their order */
    bool wrong;
} countdown;

static void take_marks(svs_ranks *ranks, void *part, const uint64_t *records, uint32_t count) {
    countdown *own = part;
    for (uint32_t i = 0; i < count; i++) own->wrong = own->wrong || records[i] % 3 != 0;
    own->marks += count;
    (void)ranks;
}
SVS_HANDLER_IN_PLACE(mark, uint64_t, take_marks)

static void give_number(countdown *own, uint64_t number) {
    own->queue[own->ended++ % QUEUED] = (uint32_t)number;
}

static void post_number(svs_ranks *ranks, countdown *own, uint64_t number);

static void take_numbers(svs_ranks *ranks, void *part, const uint64_t *records, uint32_t count) {
    countdown *own = part;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = records[i];
        if (own->begun == own->ended) give_number(own, own->seed); /* ranks.B7: of the fiber */
        own->wrong = own->wrong || own->queue[own->begun++ % QUEUED] != number; /* ranks.P1 */
        if (number != 0) post_number(ranks, own, number - 1);
        if (number % 4 == 3) post_number(ranks, own, number / 2);
        if (number % 3 != 0) continue;
        own->wrong = own->wrong || mark_post(ranks, svs_ranks_index(ranks), &number) != SVS_OK;
        own->expected_marks++;
    }
}
SVS_HANDLER_IN_PLACE(numbered, uint64_t, take_numbers)
static const svs_handler *const countdown_handlers[] = {&mark, &numbered};

static void post_number(svs_ranks *ranks, countdown *own, uint64_t number) {
    give_number(own, number);
    own->wrong = own->wrong || numbered_post(ranks, svs_ranks_index(ranks), &number) != SVS_OK;
}

static svs_status send_numbers(svs_ranks *ranks, void *state) {
    countdown *own = svs_ranks_data(ranks);
    (void)state;
    for (; own->sent < SEEDS; own->sent++) {
        svs_status status;
        own->seed = NUMBER - own->sent % 3;
        status = numbered_post(ranks, svs_ranks_index(ranks), &own->seed);
        if (status) return post_again(ranks, status, svs_ranks_index(ranks), send_numbers);
    }
    return SVS_OK;
}

static uint32_t caused_by(uint64_t number) {
    uint32_t caused = 1;
    if (number % 4 == 3) caused += caused_by(number / 2);
    return number == 0 ? caused : caused + caused_by(number - 1);
}

static const char *check_countdown(program_run *run) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < SEEDS; i++) all += caused_by(NUMBER - i % 3);
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const countdown *own = program_data(run, i);
        const svs_ranks_statistics *counted = &run->result[i].statistics;
        if (own->wrong) return "a record ran out of order, or was overwritten";
        if (own->ended != all || own->begun != all || own->marks != own->expected_marks)
            return "a record was lost";
        if (counted->records_run != all + own->marks ||
            counted->byte_copy != (all + own->marks) * sizeof(uint64_t))
            return "a record was not counted";
    }
    return NULL;
}

PROGRAM(counted_down, .ranks = 2, .bytes = sizeof(countdown), PROGRAM_HANDLERS(countdown_handlers),
        .options = small_buffers, .start = send_numbers, .check = check_countdown);

TEST_CASE(records_that_cause_more_of_their_kind_run_in_order) {
    program_sim(&counted_down, 200);
    program_local(&counted_down, 10);
}

TEST_CASE(deaths_find_lanes_open) { program_kill(&chained, 97); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
