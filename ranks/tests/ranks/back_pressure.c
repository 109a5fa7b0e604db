/* Fibers of handlers that wait with their posts: what they hold is bounded, each post is refused
 * seldom, and two ranks whose handlers wait for each other go on (ranks.B4, ranks.B9). */
#include "ranks/post_again.h"
#include "ranks/program.h"
#include "ranks/state.h"
#include <stdio.h>

enum {
    RECORDS = 2000,
    CREDITS = 2,
    BUFFER = 300,
    LIMIT = 20000,
    TURNS = 20, /* of a fiber that passes a record on */
    RECORDS_IN_FLIGHT = 4 * CREDITS * 40
};

typedef struct own {
    uint32_t sent, arrived;
    uint32_t live, live_most; /* fibers that pass records on */
    uint64_t sum;
} own;

typedef struct item {
    uint32_t number, turns;
} item;

static void small(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = BUFFER;
    options->credits = CREDITS;
    options->overflow_bytes_max = LIMIT;
}

/* ---- a chain: rank 1 posts to rank 0, whose fibers post on to rank 2 ---- */

static void take(svs_ranks *ranks, void *part, const item *items, uint32_t count) {
    own *mine = part;
    mine->arrived += count;
    for (uint32_t i = 0; i < count; i++) mine->sum += items[i].number;
}
SVS_HANDLER_IN_PLACE(taker, item, take)

/* It is suspended for some turns first, so that there are many of them. */
static svs_status pass_on(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    item *next = state;
    svs_fiber rest;
    svs_status status;
    if (next->turns == 0 && ++mine->live > mine->live_most) mine->live_most = mine->live;
    if (next->turns++ >= TURNS) {
        status = taker_post(ranks, 2, next);
        mine->live -= status == SVS_OK;
        return post_again(ranks, status, 2, pass_on);
    }
    if (svs_fiber_continue(ranks, pass_on, &rest)) return 1;
    return svs_fiber_enable(ranks, rest);
}
SVS_HANDLER(passer, item, pass_on, SVS_DISPATCH_FIFO)

static svs_status post_all(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    if (svs_ranks_index(ranks) != 1) return SVS_OK;
    for (; mine->sent < RECORDS; mine->sent++) {
        item next = {mine->sent, 0};
        svs_status status = passer_post(ranks, 0, &next);
        if (status != SVS_OK) return post_again(ranks, status, 0, post_all);
    }
    return SVS_OK;
}

static const char *check_chain(program_run *run) {
    const own *last = program_data(run, 2);
    const svs_ranks_statistics *between = &run->result[0].statistics;
    if (last->arrived != RECORDS || last->sum != RECORDS * (RECORDS - 1) / 2)
        return "a record was lost or came twice";
    if (between->waits_credit > 2 * RECORDS) return "posts are refused more than twice each";
    if (((own *)program_data(run, 0))->live_most >
        LIMIT / 2 / sizeof(svs__fiber) + RECORDS_IN_FLIGHT)
        return "fibers of handlers hold more than the mark and what is in flight";
    return NULL;
}

static const svs_handler *const chain_handlers[] = {&taker, &passer};
PROGRAM(chain, .ranks = 3, .bytes = sizeof(own), PROGRAM_HANDLERS(chain_handlers),
        .start = post_all, .options = small, .check = check_chain);

TEST_CASE(fibers_of_handlers_hold_their_senders_back) {
    program_sim(&chain, 300);
    program_local(&chain, 20);
}

TEST_CASE(survivors_of_a_chain_agree) { program_kill(&chain, 997); }

/* ---- fibers that are enabled for a record, and do not post it ---- */

enum { SILENT = 20 };

static svs_status say_nothing(svs_ranks *ranks, void *state) {
    ((own *)svs_ranks_data(ranks))->arrived++;
    return SVS_OK;
}

/* Each record fills a buffer, so that there is room for one fiber for each credit. */
typedef struct large {
    char bytes[BUFFER - 40];
} large;

static void take_large(svs_ranks *ranks, void *part, const large *items, uint32_t count) {}
SVS_HANDLER_IN_PLACE(large_taker, large, take_large)

static svs_status fill_and_wait(svs_ranks *ranks, void *state) {
    static const large one;
    svs_status status = SVS_OK;
    svs_fiber fiber;
    if (svs_ranks_index(ranks) != 1) return SVS_OK;
    while (status == SVS_OK) status = large_taker_post(ranks, 0, &one);
    if (status != SVS_WAIT) return status;
    for (uint32_t i = 0; i < SILENT; i++)
        if (svs_fiber_new(ranks, say_nothing, NULL, 0, NULL, &fiber) ||
            svs_post_ready(ranks, 0, fiber))
            return 1;
    return SVS_OK;
}

static const char *check_silent(program_run *run) {
    return ((own *)program_data(run, 1))->arrived == SILENT ? NULL : "a fiber waits for ever";
}

static const svs_handler *const large_handlers[] = {&large_taker};
PROGRAM(silent, .ranks = 2, .bytes = sizeof(own), PROGRAM_HANDLERS(large_handlers),
        .start = fill_and_wait, .options = small, .check = check_silent);

TEST_CASE(fibers_that_do_not_use_their_room_make_way) {
    program_sim(&silent, 2000);
    program_local(&silent, 20);
}

/* ---- a ring: the fibers of each rank's handler wait for the next rank ---- */

enum { HOPS = 5 };

static svs_status go_round(svs_ranks *ranks, void *state);
SVS_HANDLER(rounder, item, go_round, SVS_DISPATCH_FIFO)

static svs_status go_round(svs_ranks *ranks, void *state) {
    item next = *(item *)state;
    own *mine = svs_ranks_data(ranks);
    uint32_t to = (svs_ranks_index(ranks) + 1) % svs_ranks_count(ranks);
    svs_status status;
    if (next.number-- == 0) {
        mine->arrived++;
        return SVS_OK;
    }
    status = rounder_post(ranks, to, &next);
    return post_again(ranks, status, to, go_round);
}

static svs_status post_round(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t to = (svs_ranks_index(ranks) + 1) % svs_ranks_count(ranks);
    for (; mine->sent < RECORDS; mine->sent++) {
        item next = {HOPS, 0};
        svs_status status = rounder_post(ranks, to, &next);
        if (status != SVS_OK) return post_again(ranks, status, to, post_round);
    }
    return SVS_OK;
}

static const char *check_ring(program_run *run) {
    uint32_t arrived = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const svs_ranks_statistics *s = &run->result[i].statistics;
        arrived += ((own *)program_data(run, i))->arrived;
        if (s->waits_credit + s->waits_target > 2 * RECORDS * (HOPS + 1)) /* ranks.B9 */
            return "posts are refused more than twice each";
    }
    return arrived == run->program->ranks * RECORDS ? NULL : "a record was lost or came twice";
}

static const svs_handler *const ring_handlers[] = {&rounder};
PROGRAM(ring_2, .ranks = 2, .bytes = sizeof(own), PROGRAM_HANDLERS(ring_handlers),
        .start = post_round, .options = small, .check = check_ring);
PROGRAM(ring_3, .ranks = 3, .bytes = sizeof(own), PROGRAM_HANDLERS(ring_handlers),
        .start = post_round, .options = small, .check = check_ring);

TEST_CASE(handlers_that_wait_for_each_other_go_on) {
    program_sim(&ring_2, 40);
    program_sim(&ring_3, 40);
    program_local(&ring_2, 10);
    program_local(&ring_3, 10);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
