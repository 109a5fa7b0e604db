/* Records between ranks: each runs once, in order (ranks.P1), under many schedules of sim, and over
 * local; direct and over the grid; with replies, mutual floods, and handlers that post on. */
#include "ranks/numbers.h"
#include "ranks/post_again.h"
#include "ranks/program.h"

/* ---- numbered: each rank sends numbered records to all ranks, by three dispatches ---- */

enum { MANY = 150 };

/* Records of one dispatch to each rank. */
static uint32_t numbered_for(uint32_t ranks) { return ranks < 16 ? 40 : 6; }

typedef struct numbered {
    uint32_t sent, to;
    uint32_t next[3][MANY]; /* expected of each sender, by dispatch */
    bool wrong;
} numbered;

static void take_number(svs_ranks *ranks, uint32_t dispatch, const number *record) {
    numbered *own = svs_ranks_data(ranks);
    own->wrong = own->wrong || record->number != own->next[dispatch][record->from]; /* ranks.P1 */
    own->next[dispatch][record->from]++;
}

static const svs_handler *const numbers[] = {&numbers_fifo, &numbers_urgent, &numbers_run};

/* Posts until it must wait, and goes on as its own continuation. The first fiber has no copied
 * state. */
static svs_status send_numbers(svs_ranks *ranks, void *state) {
    numbered *own = svs_ranks_data(ranks);
    for (; own->to < svs_ranks_count(ranks); own->to++, own->sent = 0)
        for (; own->sent < 3 * numbered_for(svs_ranks_count(ranks)); own->sent++) {
            svs_status status = post_number(ranks, own->to, own->sent);
            if (status) return post_again(ranks, status, own->to, send_numbers);
        }
    return SVS_OK;
}

static const char *check_numbers(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const numbered *own = program_data(run, i);
        if (own->wrong) return "a record came out of its order";
        for (uint32_t j = 0; j < 3 * run->program->ranks; j++)
            if (own->next[j % 3][j / 3] != numbered_for(run->program->ranks))
                return "a record was lost or came twice";
    }
    return NULL;
}

/* Buffers of all sizes, numbers of credits and rules, by the seed. */
static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    static const size_t bytes[] = {0, 40, 100, 1000, 16384};
    options->aggregate_bytes = bytes[seed % 5];
    options->credits = 1 + (uint32_t)(seed / 5 % 3);
    options->flush_fibers = seed / 15 % 2 == 0 ? UINT32_MAX : 3;
    options->flush_ns = seed / 30 % 2 == 0 ? UINT64_MAX : 5000;
}

static void vary_grid(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    vary(options, rank, seed);
    options->direct_ranks = 1;
}

PROGRAM(numbered_direct, .ranks = 3, .bytes = sizeof(numbered), PROGRAM_HANDLERS(numbers),
        .options = vary, .start = send_numbers, .check = check_numbers);
PROGRAM(numbered_grid, .ranks = 7, .bytes = sizeof(numbered), PROGRAM_HANDLERS(numbers),
        .options = vary_grid, .start = send_numbers, .check = check_numbers);
PROGRAM(numbered_128, .ranks = 128, .bytes = sizeof(numbered), PROGRAM_HANDLERS(numbers),
        .options = vary, .start = send_numbers, .check = check_numbers);

/* ---- flood: requests from all to all, each of which is replied to from its handler ---- */

enum { REQUESTS = 200 };

typedef struct flood {
    uint32_t sent, requests, replies;
    uint64_t sum;
} flood;

typedef struct request {
    uint32_t from, value;
    char filling[24];
} request;

static void take_replies(svs_ranks *ranks, void *part, const request *records, uint32_t count) {
    flood *own = part;
    for (uint32_t i = 0; i < count; i++) own->sum += records[i].value;
    own->replies += count;
}

SVS_HANDLER_IN_PLACE(reply, request, take_replies)

static void take_requests(svs_ranks *ranks, void *part, const request *records, uint32_t count) {
    flood *own = part;
    for (uint32_t i = 0; i < count; i++) {
        request answer = {svs_ranks_index(ranks), 2 * records[i].value, {0}};
        own->requests++;
        svs_ignore(reply_post(ranks, records[i].from, &answer));
    }
}

SVS_HANDLER_IN_PLACE(ask, request, take_requests)
static const svs_handler *const flood_handlers[] = {&ask, &reply};

typedef svs_status post_function(svs_ranks *ranks, uint32_t to, const request *record);

/* A fiber that sends requests to all ranks. */
static svs_status send_by(post_function *post, svs_ranks *ranks, svs_fiber_function *fiber) {
    flood *own = svs_ranks_data(ranks);
    uint32_t count = svs_ranks_count(ranks);
    for (; own->sent < REQUESTS * count; own->sent++) {
        request record = {svs_ranks_index(ranks), own->sent, {0}};
        svs_status status = post(ranks, own->sent % count, &record);
        if (status) return post_again(ranks, status, own->sent % count, fiber);
    }
    return SVS_OK;
}
static svs_status send_requests(svs_ranks *ranks, void *state) {
    return send_by(ask_post, ranks, send_requests);
}

static const char *check_flood(program_run *run) {
    uint64_t n = REQUESTS * run->program->ranks;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const flood *own = program_data(run, i);
        if (own->requests != n || own->replies != n)
            return "a request or reply was lost or came twice";
        if (own->sum != n * (n - 1)) return "the sum of the replies is wrong";
        /* ranks.B4: replies to what was in flight, of some buffers for each rank */
        if (run->result[i].statistics.overflow_bytes_most > 100000) return "the overflow has grown";
    }
    return NULL;
}

static void one_credit(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    vary(options, rank, seed);
    options->credits = 1; /* ranks.B3 */
    options->overflow_bytes_max = 200000;
}

PROGRAM(flooded, .ranks = 3, .bytes = sizeof(flood), PROGRAM_HANDLERS(flood_handlers),
        .options = one_credit, .start = send_requests, .check = check_flood);

/* ---- amplified: each request causes four replies, more than can be sent at once (ranks.B4)
 * ---- */

static void take_requests_amply(svs_ranks *ranks, void *part, const request *records,
                                uint32_t count) {
    for (uint32_t i = 0; i < 4; i++) take_requests(ranks, part, records, count);
}

SVS_HANDLER_IN_PLACE(ask_amply, request, take_requests_amply)
static const svs_handler *const ample_handlers[] = {&ask_amply, &reply};

static svs_status send_amply(svs_ranks *ranks, void *state) {
    return send_by(ask_amply_post, ranks, send_amply);
}

static const char *check_amply(program_run *run) {
    uint64_t n = REQUESTS * run->program->ranks;
    for (uint32_t i = 0; i < run->program->ranks; i++)
        if (((const flood *)program_data(run, i))->replies != 4 * n) return "a reply was lost";
    return NULL;
}

static void low_mark(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    vary(options, rank, seed);
    options->overflow_bytes_max = 80 * (options->aggregate_bytes + 256);
}

PROGRAM(amplified, .ranks = 3, .bytes = sizeof(flood), PROGRAM_HANDLERS(ample_handlers),
        .options = low_mark, .start = send_amply, .check = check_amply);

/* ---- cases ---- */

TEST_CASE(records_run_once_in_order) {
    program_sim(&numbered_direct, 6000);
    program_local(&numbered_direct, 20);
}

TEST_CASE(records_run_once_in_order_over_the_grid) {
    program_sim(&numbered_grid, 600);
    program_local(&numbered_grid, 5);
}

TEST_CASE(records_run_once_in_order_among_128_ranks) { program_sim(&numbered_128, 1); }

TEST_CASE(mutual_floods_with_replies_end) {
    program_sim(&flooded, 4000);
    program_local(&flooded, 20);
}

TEST_CASE(handlers_that_cause_more_end) {
    program_sim(&amplified, 1000);
    program_local(&amplified, 20);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
