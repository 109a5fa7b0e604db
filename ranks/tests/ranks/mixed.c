/* A process with two ranks, of two transports: what belongs to one of them is refused by the other
 * (ranks.R2), and both still end well. */
#include "ranks/program.h"
#include <stdio.h>

/* A rank and what was made of it. */
typedef struct part {
    svs_ranks *ranks;
    svs_fiber created;
    svs_scheduler *scheduler;
    svs_structure *structure;
    svs_counter awaited, done; /* fibers wait for the first one */
    uint32_t ended;            /* fibers */
    uint32_t messages;
} part;

static part outer; /* its run is in progress while the inner one is made */

static void count_message(int level, const char *text, void *argument) {
    if (level <= SVS_LOG_ERROR && strstr(text, ": ") != NULL) ((part *)argument)->messages++;
}

static svs_status end(svs_ranks *ranks, void *state) {
    (void)state;
    ((part *)svs_ranks_data(ranks))->ended++;
    return SVS_OK;
}

static svs_status keep(void *self, svs_fiber fiber, int64_t hint) {
    *(svs_fiber *)self = fiber;
    return hint == 0 ? SVS_OK : SVS_E_INVALID;
}
static bool give(void *self, svs_fiber *fiber) {
    *fiber = *(svs_fiber *)self;
    return fiber->slot != UINT32_MAX;
}
static const svs_scheduler_type custom = {.name = "custom", .deposit = keep, .select = give};

static void ignore(svs_ranks *ranks, void *own, const void *records, uint32_t count) {
    (void)ranks, (void)own, (void)records, (void)count;
}
static const svs_handler of_structure[] = {
    {"mixed.record", SVS_DISPATCH_IN_PLACE, 8, NULL, ignore}};
static svs_status run_record(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}
static const svs_handler scheduled = {"mixed.custom", SVS_DISPATCH_CUSTOM, 8, run_record, NULL};
static const svs_handler *const handlers[] = {&scheduled};

static void options_of(svs_structure_options *options, part *mine) {
    svs_structure_options_init(options);
    options->name = "mixed";
    options->part = mine;
    options->handlers = of_structure;
    options->handler_count = 1;
}

static svs_status make(part *mine, const svs_transport *transport) {
    static svs_fiber held = {UINT32_MAX, 0};
    svs_ranks_options options;
    svs_structure_options structure;
    svs_status status;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.log = count_message;
    options.log_argument = mine;
    options.deadlock_file = NULL;
    status = svs_ranks_new(&options, &mine->ranks);
    if (status != SVS_OK) return status;
    svs_ranks_set_data(mine->ranks, mine);
    svs_counter_init(&mine->awaited, 0);
    svs_counter_init(&mine->done, 0);
    options_of(&structure, mine);
    status = svs_handlers_add(mine->ranks, handlers, 1);
    if (status == SVS_OK)
        status = svs_structure_new(mine->ranks, &structure, &mine->structure, NULL);
    if (status == SVS_OK) status = svs_scheduler_new(mine->ranks, &custom, &held, &mine->scheduler);
    return status;
}

/* One fiber waits for the counter, and one is kept. */
static svs_status start_outer(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, end, NULL, 0, NULL, &fiber);
    (void)state;
    if (status == SVS_OK) status = svs_counter_wait(ranks, &outer.awaited, 1, fiber);
    if (status == SVS_OK) status = svs_fiber_new(ranks, end, NULL, 0, NULL, &outer.created);
    return status;
}

/* A call that is refused with a message. */
#define REFUSED(mine, status, call)                                                                \
    do {                                                                                           \
        uint32_t before_ = (mine)->messages;                                                       \
        if ((call) != (status) || (mine)->messages != before_ + 1) {                               \
            (void)fprintf(stderr, "line %d: %s\n", __LINE__, #call);                               \
            return SVS_E_INVALID;                                                                  \
        }                                                                                          \
    } while (0)

/* Also with the stack of a thread, which has to go on. */
static svs_status await_outer(svs_ranks *ranks, void *state) {
    part *mine = svs_ranks_data(ranks);
    REFUSED(mine, SVS_E_INVALID, svs_await(ranks, &outer.awaited, 1));
    return end(ranks, state);
}

static svs_status mix_fibers(svs_ranks *ranks, part *mine) {
    svs_fiber fiber, own, same; /* the last one has the slot of the outer rank's */
    if (svs_fiber_new(ranks, end, NULL, 0, NULL, &own) != SVS_OK ||
        svs_fiber_new(ranks, end, NULL, 0, NULL, &same) != SVS_OK ||
        same.slot != outer.created.slot)
        return SVS_E_INVALID;
    REFUSED(mine, SVS_E_FIBER, svs_fiber_enable(ranks, outer.created));
    REFUSED(mine, SVS_E_FIBER, svs_fiber_free(ranks, outer.created));
    REFUSED(mine, SVS_E_FIBER, svs_fiber_hint(ranks, outer.created, 1));
    REFUSED(mine, SVS_E_FIBER, svs_post_ready(ranks, 0, outer.created));
    REFUSED(mine, SVS_E_FIBER, svs_counter_wait(ranks, &mine->awaited, 1, outer.created));
    REFUSED(mine, SVS_E_INVALID, svs_fiber_new(ranks, end, NULL, 0, outer.scheduler, &fiber));
    REFUSED(mine, SVS_E_INVALID,
            svs_fiber_new(ranks, end, NULL, 0, svs_scheduler_urgent(outer.ranks), &fiber));
    REFUSED(mine, SVS_E_INVALID, svs_thread_spawn(ranks, end, NULL, 0, outer.scheduler));
    REFUSED(mine, SVS_E_INVALID, svs_handler_schedule(ranks, &scheduled, outer.scheduler, NULL));
    REFUSED(mine, SVS_E_INVALID, svs_counter_wait(ranks, &outer.awaited, 1, own));
    if (svs_fiber_free(ranks, same) != SVS_OK) return SVS_E_INVALID;
    return svs_fiber_enable(ranks, own); /* it was left as it was */
}

static svs_status mix_all(svs_ranks *ranks, void *state) {
    part *mine = svs_ranks_data(ranks);
    const svs_handler *handler = svs_structure_handler(outer.structure, 0);
    uint64_t record = 0;
    svs_structure_options options;
    svs_structure *made;
    svs_status status = mix_fibers(ranks, mine);
    if (status != SVS_OK) return status;
    REFUSED(mine, SVS_E_INVALID, svs_post(ranks, 0, handler, &record, sizeof record));
    options_of(&options, mine);
    options.name = "second";
    options.snapshot_of = outer.structure;
    REFUSED(mine, SVS_E_INVALID, svs_structure_new(ranks, &options, &made, &mine->done));
    return svs_thread_spawn(ranks, await_outer, state, 0, NULL);
}

/* The waiters are of another rank: nothing can be returned, so that the run ends. */
static svs_status add_outer(svs_ranks *ranks, void *state) {
    (void)state;
    svs_counter_add(ranks, &outer.awaited, 0);
    return SVS_OK;
}

static svs_status reuse(part *mine, const svs_transport *transport) {
    svs_ranks_options options;
    svs_ranks *second = NULL;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.log = count_message;
    options.log_argument = mine;
    REFUSED(mine, SVS_E_BUSY, svs_ranks_new(&options, &second));
    return second == NULL ? SVS_OK : SVS_E_INVALID;
}

static int inner_program(const svs_transport *transport, int argc, char **argv) {
    bool adds = argc > 1 && strcmp(argv[1], "add") == 0;
    part mine = {0};
    svs_status status = make(&mine, transport), used;
    if (status != SVS_OK) return 1;
    used = reuse(&mine, transport); /* in use */
    status = svs_ranks_run(mine.ranks, adds ? add_outer : mix_all, NULL);
    if (svs_ranks_free(mine.ranks) != SVS_OK || used != SVS_OK) return 2;
    if (reuse(&mine, transport) != SVS_OK) return 3; /* used before */
    if (adds)
        return status == SVS_E_INVALID && mine.messages == 3 && outer.awaited.value == 0 ? 0 : 4;
    return status == SVS_OK && mine.ended == 2 ? 0 : 5;
}

/* While the outer rank's run goes on, inner ones are made, run and freed. */
static int outer_program(const svs_transport *transport, int argc, char **argv) {
    static const char *const transports[] = {"local:1", "sim:1:7"};
    svs_status status;
    (void)argc, (void)argv;
    outer = (part){0};
    if (make(&outer, transport) != SVS_OK ||
        svs_ranks_begin(outer.ranks, start_outer, NULL) != SVS_OK ||
        svs_ranks_step(outer.ranks, 0) != SVS_WAIT)
        return 10;
    for (size_t i = 0; i < 2; i++) {
        int mixed = program_over(transports[i], "mix", inner_program),
            added = program_over(transports[i], "add", inner_program);
        if (mixed != 0 || added != 0) return 20 + mixed + added;
    }
    svs_counter_add(outer.ranks, &outer.awaited, 1);
    if (svs_fiber_enable(outer.ranks, outer.created) != SVS_OK) return 30;
    while ((status = svs_ranks_step(outer.ranks, 0)) == SVS_WAIT) continue;
    if (status != SVS_OK || svs_ranks_end(outer.ranks) != SVS_OK) return 40;
    return svs_ranks_free(outer.ranks) == SVS_OK && outer.ended == 2 ? 0 : 50;
}

TEST_CASE(what_belongs_to_one_rank_is_refused_by_another) {
    assert_int_equal(program_over("local:1", "", outer_program), 0);
}

TEST_CASE(the_same_under_sim) { assert_int_equal(program_over("sim:1:3", "", outer_program), 0); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
