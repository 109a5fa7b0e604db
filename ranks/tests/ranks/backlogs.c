/* Records that run as fibers stay in their buffer until their turn: they take few slots, and run in
 * the order in which they would without. */
#include "ranks/fiber/fiber.h"
#include "ranks/program.h"

enum { RANKS = 5, FLOOD = 3000, ORDERED = 300, SIZES = 4 };

/* ---- a flood takes few slots ---- */

typedef struct flooded {
    uint32_t posted, taken, slots;
    int wrong;
} flooded;

typedef struct word {
    uint64_t value;
} word;

static svs_status take_flood(svs_ranks *ranks, void *state) {
    flooded *mine = svs_ranks_data(ranks);
    uint32_t slots = svs__fiber_count(ranks);
    mine->taken++;
    if (slots > mine->slots) mine->slots = slots;
    return SVS_OK;
}
SVS_HANDLER(flood, word, take_flood, SVS_DISPATCH_FIFO)
static const svs_handler *const flood_handlers[] = {&flood};

static svs_status post_flood(svs_ranks *ranks, void *state) {
    flooded *mine = svs_ranks_data(ranks);
    svs_fiber rest;
    if (svs_ranks_index(ranks) == 0) return SVS_OK;
    while (mine->posted < FLOOD) {
        const word one = {mine->posted};
        svs_status status = flood_post(ranks, 0, &one);
        if (status == SVS_OK) mine->posted++;
        else if (status != SVS_WAIT) return status;
        else if (svs_fiber_continue(ranks, post_flood, &rest)) return SVS_E_STATE;
        else return svs_post_ready(ranks, 0, rest);
    }
    return SVS_OK;
}

static const char *check_flood(program_run *run) {
    const flooded *mine = program_data(run, 0);
    if (mine->taken != (RANKS - 1) * FLOOD) return "records were lost, or ran twice";
    /* A slot for each buffer in flight, one for the fiber that runs, and those of this program. */
    return mine->slots <= SVS__SLOTS_IN_CHUNK ? NULL : "records that have not begun take slots";
}

PROGRAM(flooding, .ranks = RANKS, .bytes = sizeof(flooded), PROGRAM_HANDLERS(flood_handlers),
        .start = post_flood, .check = check_flood);

TEST_CASE(a_flood_takes_a_slot_for_each_buffer) {
    program_sim(&flooding, 100);
    program_local(&flooding, 3);
}

/* ---- order: two FIFO handlers, an urgent one, one of records of any size, one in place ---- */

typedef struct numbered {
    uint32_t from, number; /* of those with its dispatch */
} numbered;

typedef struct ordered {
    uint64_t seed;
    uint32_t posted, numbers[3][RANKS]; /* to each rank, by dispatch: fifo, urgent, in place */
    uint32_t next[3][RANKS];            /* from each rank */
    uint32_t again;                     /* fibers that have continued */
    int wrong;
} ordered;

static void expect(ordered *mine, const numbered *one, uint32_t dispatch) {
    CHECK(mine, one->from < RANKS && one->number == mine->next[dispatch][one->from]);
    mine->next[dispatch][one->from]++;
}

static svs_status go_on(svs_ranks *ranks, void *state) {
    ((ordered *)svs_ranks_data(ranks))->again++;
    return SVS_OK;
}

/* Some continue: the next ones of their buffer run before the continuation. */
static svs_status take_fifo(svs_ranks *ranks, void *state) {
    ordered *mine = svs_ranks_data(ranks);
    const numbered *one = state;
    svs_fiber rest;
    expect(mine, one, 0);
    if (one->number % 16 != 3) return SVS_OK;
    if (svs_fiber_continue(ranks, go_on, &rest)) return SVS_E_STATE;
    return svs_fiber_enable(ranks, rest);
}

static svs_status take_urgent(svs_ranks *ranks, void *state) {
    expect(svs_ranks_data(ranks), state, 1);
    return SVS_OK;
}

static void take_in_place(svs_ranks *ranks, void *part, const numbered *all, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) expect(part, &all[i], 2);
}

SVS_HANDLER(fifo, numbered, take_fifo, SVS_DISPATCH_FIFO)
static const svs_handler also_fifo = {"also_fifo", SVS_DISPATCH_FIFO, sizeof(numbered), take_fifo,
                                      NULL};
static const svs_handler any_size = {"any_size", SVS_DISPATCH_FIFO, 0, take_fifo, NULL};
SVS_HANDLER(urgent, numbered, take_urgent, SVS_DISPATCH_URGENT)
SVS_HANDLER_IN_PLACE(in_place, numbered, take_in_place)
static const svs_handler *const order_handlers[] = {&fifo, &also_fifo, &any_size, &urgent,
                                                    &in_place};

static uint32_t draw(ordered *mine) {
    mine->seed = mine->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(mine->seed >> 33);
}

/* Runs of some records of one handler; then another one. */
static svs_status post_ordered(svs_ranks *ranks, void *state) {
    static const uint32_t dispatch[] = {0, 0, 0, 1, 2};
    ordered *mine = svs_ranks_data(ranks);
    svs_fiber rest;
    while (mine->posted < ORDERED) {
        uint64_t before = mine->seed;
        uint32_t which = draw(mine) % 5, to = draw(mine) % RANKS, kind = dispatch[which];
        numbered one[SIZES] = {{svs_ranks_index(ranks), mine->numbers[kind][to]}};
        size_t bytes = which == 2 ? sizeof *one * (1 + mine->posted % SIZES) : sizeof *one;
        svs_status status = svs_post(ranks, to, order_handlers[which], one, bytes);
        if (status == SVS_OK) {
            mine->numbers[kind][to]++;
            mine->posted++;
            continue;
        }
        if (status != SVS_WAIT) return status;
        mine->seed = before;
        if (svs_fiber_continue(ranks, post_ordered, &rest)) return SVS_E_STATE;
        return svs_post_ready(ranks, to, rest);
    }
    return SVS_OK;
}

static void any_options(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    static const size_t bytes[] = {256, 512, 4096};
    options->aggregate_bytes = bytes[seed % 3];
    options->credits = 1 + (uint32_t)(seed / 3 % 3);
    options->direct_ranks = seed % 2 == 0 ? 64 : 1; /* a grid: buffers wait for their next hop */
}

static const char *check_order(program_run *run) {
    uint32_t ran = 0;
    for (uint32_t i = 0; i < RANKS; i++) {
        const ordered *mine = program_data(run, i);
        const char *why = program_wrong_line(mine->wrong, i);
        if (why != NULL) return why;
        for (uint32_t k = 0; k < 3 * RANKS; k++) ran += mine->next[k / RANKS][k % RANKS];
    }
    return ran == RANKS * ORDERED ? NULL : "records were lost, or ran twice";
}

PROGRAM(ordering, .ranks = RANKS, .bytes = sizeof(ordered), PROGRAM_HANDLERS(order_handlers),
        .options = any_options, .start = post_ordered, .seeded = true, .check = check_order);

TEST_CASE(records_of_a_backlog_run_in_order_of_their_posts) {
    program_sim(&ordering, 1500);
    program_local(&ordering, 20);
}

/* In mid-run, with backlogs in the queues: all buffers are released. */
TEST_CASE(a_run_that_fails_releases_what_has_not_begun) {
    program_exhaust(&ordering, 5);
    program_kill(&ordering, 97);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
