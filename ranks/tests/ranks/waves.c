/* How often rank 0 asks whether all has ended, while it is idle between a ping and its pong. */
#include "ranks/program.h"
#include <string.h>

enum { TRIPS = 2000 };

typedef struct word {
    uint64_t value;
} word;

static void take_ping(svs_ranks *ranks, void *part, const word *words, uint32_t count);
static void take_pong(svs_ranks *ranks, void *part, const word *words, uint32_t count);
SVS_HANDLER_IN_PLACE(ping, word, take_ping)
SVS_HANDLER_IN_PLACE(pong, word, take_pong)
static const svs_handler *const trips[] = {&ping, &pong};

static void take_ping(svs_ranks *ranks, void *part, const word *words, uint32_t count) {
    svs_ignore(pong_post(ranks, 0, words));
}

static void take_pong(svs_ranks *ranks, void *part, const word *words, uint32_t count) {
    const word next = {words->value - 1};
    if (next.value != 0) svs_ignore(ping_post(ranks, 1, &next));
}

static svs_status start_trips(svs_ranks *ranks, void *state) {
    const word first = {TRIPS};
    return svs_ranks_index(ranks) == 0 ? ping_post(ranks, 1, &first) : SVS_OK;
}

static const char *check_waves(program_run *run) {
    if (run->result[0].statistics.remote_op != TRIPS) return "trips";
    /* without a pause there are more than three for four trips */
    return run->result[0].statistics.waves > TRIPS * 7 / 10 ? "there were too many waves" : NULL;
}

PROGRAM(idle_between, .ranks = 2, PROGRAM_HANDLERS(trips), .start = start_trips,
        .check = check_waves);

TEST_CASE(a_rank_that_is_often_idle_asks_seldom_for_the_end) { program_sim(&idle_between, 100); }

/* ---- sim with another clock: each of its steps takes so many microseconds ---- */

static struct slow {
    const svs__transport_type *sim;
    svs__transport_type type;
    svs_transport transports[2];
    uint64_t tick_us, now;
} slow;

static uint64_t slow_now(void *self) { return slow.now = slow.tick_us * slow.sim->now(self); }

static uint64_t slow_idle(void *self, uint64_t until, uint64_t spin_ns) {
    uint64_t limit = until == SVS__NEVER ? until : (until + slow.tick_us - 1) / slow.tick_us;
    return slow.now = slow.tick_us * slow.sim->idle(self, limit, spin_ns);
}

/* No order but the usual one: time advances by steps alone while anything is in flight. */
static uint32_t choose_usual(void *argument, svs__sim_choice choice, const uint32_t *options,
                             uint32_t count, uint32_t usual) {
    return usual < count ? usual : 0;
}

static void slow_down(svs_ranks_options *options, uint32_t rank, uint64_t tick_us) {
    slow.sim = options->transport->type;
    slow.type = *slow.sim;
    slow.type.now = slow_now;
    slow.type.idle = slow_idle;
    slow.tick_us = tick_us;
    slow.transports[rank] = *options->transport;
    slow.transports[rank].type = &slow.type;
    options->transport = &slow.transports[rank];
}

/* ---- ranks.Q3 where a wave takes longer than 3 us, and 32 times that is more than 100 us ---- */

static void by_1_us(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    slow_down(options, rank, 1);
}

/* A wave takes more than 10 us here, so that the pauses, once grown, are longer than 320 us. */
static const char *check_slow(program_run *run) {
    return run->result[0].statistics.waves > slow.now / 320000 ? "there were too many waves" : NULL;
}

PROGRAM(slow_messages, .ranks = 2, PROGRAM_HANDLERS(trips), .options = by_1_us,
        .choose = choose_usual, .start = start_trips, .check = check_slow);

TEST_CASE(waves_of_slow_messages_are_as_rare_as_they_are_slow) { program_sim(&slow_messages, 1); }

static void by_20_us(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    slow_down(options, rank, 20);
}

/* A wave takes between 0.2 and 1 ms here: 32 times that is more than the most, 1 ms. */
static const char *check_slower(program_run *run) {
    if (run->result[0].statistics.waves > slow.now / 1000000) return "there were too many waves";
    return run->result[0].statistics.waves < slow.now / 2000000 ? "there were too few waves" : NULL;
}

PROGRAM(slower_messages, .ranks = 2, PROGRAM_HANDLERS(trips), .options = by_20_us,
        .choose = choose_usual, .start = start_trips, .check = check_slower);

TEST_CASE(waves_of_slower_messages_are_at_most_a_millisecond_apart) {
    program_sim(&slower_messages, 1);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
