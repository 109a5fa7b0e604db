/* Records over the grid of ranks: those of one handler share a header on their first hop, arrive in
 * order, and come to their handler in runs. */
#include "base/random.h"
#include "ranks/program.h"

enum { RANKS = 9, NUMBERED = 400, STREAM = 3000, SIZES = 3, RUN_MIN = 8 };

/* ---- order: handlers in place of three sizes, one of them odd ---- */

typedef struct numbered {
    uint64_t seed;
    uint32_t posted, numbers[RANKS]; /* to each rank */
    uint32_t next[RANKS];            /* from each rank */
    int wrong;
} numbered;

typedef struct __attribute__((packed)) small {
    uint32_t number;
    uint8_t from;
} small;

typedef struct large {
    small head;
    char filling[35];
} large;

static void expect(numbered *mine, const small *one) {
    CHECK(mine, one->from < RANKS && one->number == mine->next[one->from]);
    mine->next[one->from]++;
}

static void take_small(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) expect(part, (const small *)records + i);
}

static void take_large(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) expect(part, &((const large *)records + i)->head);
}

static void take_any(svs_ranks *ranks, void *part, const void *record, uint32_t bytes) {
    CHECK((numbered *)part, bytes >= sizeof(small));
    expect(part, record);
}

static const svs_handler handlers[] = {
    {"small", SVS_DISPATCH_IN_PLACE, sizeof(small), NULL, take_small},
    {"large", SVS_DISPATCH_IN_PLACE, sizeof(large), NULL, take_large},
    {"any", SVS_DISPATCH_IN_PLACE, 0, NULL, take_any}};
static const svs_handler *const all_handlers[] = {&handlers[0], &handlers[1], &handlers[2]};

/* Some records of one handler after each other, to any ranks. */
static svs_status post_numbered(svs_ranks *ranks, void *state) {
    numbered *mine = svs_ranks_data(ranks);
    svs_fiber rest;
    while (mine->posted < NUMBERED) {
        svs__random random;
        uint32_t to, which = mine->posted / 7 % SIZES;
        large one = {0};
        svs_status status;
        svs__random_seed(&random, mine->seed + 1000003u * svs_ranks_index(ranks) + mine->posted);
        to = svs__random_below(&random, RANKS);
        one.head = (small){mine->numbers[to], (uint8_t)svs_ranks_index(ranks)};
        status =
            svs_post(ranks, to, &handlers[which], &one, which == 1 ? sizeof one : sizeof one.head);
        if (status == SVS_OK) {
            mine->numbers[to]++;
            mine->posted++;
            continue;
        }
        if (status != SVS_WAIT) return status;
        if (svs_fiber_continue(ranks, post_numbered, &rest)) return SVS_E_STATE;
        return svs_post_ready(ranks, to, rest);
    }
    return SVS_OK;
}

static void any_grid(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    static const size_t bytes[] = {0, 257, 300, 1001, 16384};
    options->aggregate_bytes = bytes[seed % 5];
    options->credits = 1 + (uint32_t)(seed / 5 % 3);
    options->flush_ns = seed / 15 % 2 == 0 ? UINT64_MAX : 5000;
    options->direct_ranks = 1;
}

static const char *check_numbered(program_run *run) {
    uint32_t ran = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const numbered *mine = program_data(run, i);
        const char *why = program_wrong_line(mine->wrong, i);
        if (why != NULL) return why;
        for (uint32_t from = 0; from < RANKS; from++) ran += mine->next[from];
    }
    return ran == run->program->ranks * NUMBERED ? NULL : "records were lost, or ran twice";
}

PROGRAM(over_grid, .ranks = RANKS, .bytes = sizeof(numbered), PROGRAM_HANDLERS(all_handlers),
        .options = any_grid, .start = post_numbered, .seeded = true, .check = check_numbered);

TEST_CASE(records_over_the_grid_arrive_in_order) { /* ranks.P1 */
    program_sim(&over_grid, 1000);
    program_local(&over_grid, 10);
}

TEST_CASE(a_run_over_the_grid_that_fails_releases_its_memory) {
    program_kill(&over_grid, 311);
    program_exhaust(&over_grid, 11);
    program_flip(&over_grid, 2000); /* ranks.P3 */
}

/* ---- headers are shared, and handlers behind a relay have runs ---- */

typedef struct stream {
    uint32_t posted;
} stream;

static void take_stream(svs_ranks *ranks, void *part, const uint64_t *all, uint32_t count) {}
SVS_HANDLER_IN_PLACE(streamed, uint64_t, take_stream)
static const svs_handler *const stream_handlers[] = {&streamed};

/* To the other ranks in any order, at once: the buffers of the credits hold them. */
static svs_status post_stream(svs_ranks *ranks, void *state) {
    stream *mine = svs_ranks_data(ranks);
    uint32_t count = svs_ranks_count(ranks), index = svs_ranks_index(ranks);
    svs__random random;
    svs__random_seed(&random, index + 1);
    for (; mine->posted < STREAM; mine->posted++) {
        const uint64_t value = mine->posted;
        uint32_t to = (index + 1 + svs__random_below(&random, count - 1)) % count;
        svs_status status = streamed_post(ranks, to, &value);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

static void wide_grid(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->direct_ranks = 1;
    options->flush_fibers = UINT32_MAX;
    options->flush_ns = UINT64_MAX;
}

static const char *check_stream(program_run *run) {
    uint64_t bytes = 0, records = 0, runs = 0, relayed = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const svs_ranks_statistics *counted = &run->result[i].statistics;
        bytes += counted->byte_sent;
        records += counted->records_run;
        runs += counted->runs_in_place;
        relayed += counted->relayed;
    }
    if (records != (uint64_t)run->program->ranks * STREAM) return "records were lost";
    if (relayed == 0) return "no record took two hops";
    /* 8 bytes on each hop, and 2 more on the first: less than 2.3 times 8. */
    if (bytes * 10 > records * sizeof(uint64_t) * 23) return "records have headers of their own";
    return records >= RUN_MIN * runs ? NULL : "records came to their handler one by one";
}

PROGRAM(streaming, .ranks = RANKS, .bytes = sizeof(stream), PROGRAM_HANDLERS(stream_handlers),
        .options = wide_grid, .start = post_stream, .check = check_stream);

TEST_CASE(records_over_the_grid_share_headers_and_come_in_runs) { program_sim(&streaming, 30); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
