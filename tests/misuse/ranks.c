/* Misuse of ranks: each program runs on two ranks over sim. */
#include "misuse.h"
#include <svs/ranks.h>

/* The program of a case, of which rank 0 gives the answer. */
static struct {
    setting *setting;
    svs_status (*prepare)(svs_ranks *ranks); /* in place of a run, or before it */
    svs_fiber_function *start;               /* NULL: no run */
    void (*options)(svs_ranks_options *options, uint32_t rank);
    svs_status answer;
} now;

static void hear(int level, const char *text, void *argument) {
    (void)level;
    stage_hear(argument, text);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks = NULL;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.log = hear;
    options.log_argument = now.setting;
    options.deadlock_file = NULL;
    if (now.options != NULL) now.options(&options, 0);
    status = svs_ranks_new(&options, &ranks);
    if (status == SVS_OK && now.prepare != NULL) status = now.prepare(ranks);
    if (status == SVS_OK && now.start != NULL) status = svs_ranks_run(ranks, now.start, NULL);
    if (now.answer == SVS_OK) now.answer = status;
    return svs_ranks_free(ranks) != SVS_OK;
}

static svs_status play(setting *s, svs_status (*prepare)(svs_ranks *), svs_fiber_function *start) {
    char words[2][24] = {"misuse", "--transport=sim:2:1"};
    char *argv[] = {words[0], words[1], NULL};
    now.setting = s;
    now.prepare = prepare;
    now.start = start;
    now.answer = SVS_OK;
    if (svs_ranks_main(NULL, program, 2, argv) != 0) return STAGE_WRONG;
    now.options = NULL;
    return now.answer;
}

svs_status stage_ranks(setting *s, svs_status (*prepare)(svs_ranks *), svs_fiber_function *start) {
    return play(s, prepare, start);
}

static svs_status nothing(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}

static void no_work(svs_async_context *async, void *argument) { (void)async, (void)argument; }

/* ---- handlers that the cases share ---- */

typedef uint64_t word;

static void nothing_in_place(svs_ranks *ranks, void *part, const word *words, uint32_t count) {
    (void)ranks, (void)part, (void)words, (void)count;
}

static void poll_in_place(svs_ranks *ranks, void *part, const word *words, uint32_t count) {
    (void)part, (void)words, (void)count;
    svs_poll(ranks);
}

static void continue_in_place(svs_ranks *ranks, void *part, const word *words, uint32_t count) {
    svs_fiber fiber;
    (void)part, (void)words, (void)count;
    svs_ignore(svs_ranks_stop(ranks, svs_fiber_continue(ranks, nothing, &fiber)));
}

static void post_in_place(svs_ranks *ranks, void *part, const word *words, uint32_t count);

SVS_HANDLER_IN_PLACE(quiet, word, nothing_in_place)
SVS_HANDLER_IN_PLACE(polls, word, poll_in_place)
SVS_HANDLER_IN_PLACE(continues, word, continue_in_place)
SVS_HANDLER_IN_PLACE(multiplies, word, post_in_place)
static const svs_handler custom = {"custom", SVS_DISPATCH_CUSTOM, sizeof(word), nothing, NULL};
static const svs_handler nameless = {"", SVS_DISPATCH_FIFO, 4, nothing, NULL};
static const svs_handler bodiless = {"bodiless", SVS_DISPATCH_FIFO, 4, NULL, NULL};
static const svs_handler homeless = {"homeless", SVS_DISPATCH_FIFO, sizeof(word), nothing, NULL};

static void post_in_place(svs_ranks *ranks, void *part, const word *words, uint32_t count) {
    (void)part;
    for (uint32_t i = 0; i < 2 * count; i++) svs_ignore(multiplies_post(ranks, 1, &words[i / 2]));
}

static svs_status add(svs_ranks *ranks) {
    static const svs_handler *const all[] = {&quiet, &polls, &continues, &multiplies, &custom};
    return svs_handlers_add(ranks, all, 5);
}

static svs_status add_one(svs_ranks *ranks, const svs_handler *handler) {
    return svs_handlers_add(ranks, &handler, 1);
}

static void *allocate_nothing(size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)size, (void)alignment, (void)worker, (void)argument;
    return NULL;
}

/* ---- the cases: a start of a run, a preparation, or a change of the options ---- */

#define RUN(name_, ...)                                                                            \
    static svs_status name_##_start(svs_ranks *ranks, void *state) {                               \
        word one = 1;                                                                              \
        (void)state, (void)one;                                                                    \
        if (svs_ranks_index(ranks) != 0) return SVS_OK;                                            \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static svs_status name_(setting *s) { return play(s, add, name_##_start); }

#define PREPARE(name_, ...)                                                                        \
    static svs_status name_##_prepare(svs_ranks *ranks) { __VA_ARGS__ }                            \
    static svs_status name_(setting *s) { return play(s, name_##_prepare, NULL); }

#define OPTIONS(name_, ...)                                                                        \
    static void name_##_options(svs_ranks_options *options, uint32_t rank) {                       \
        (void)rank;                                                                                \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static svs_status name_(setting *s) {                                                          \
        now.options = name_##_options;                                                             \
        return play(s, NULL, NULL);                                                                \
    }

OPTIONS(no_credits, options->credits = 0)
OPTIONS(large_buffers, options->aggregate_bytes = (size_t)1 << 25)
OPTIONS(small_thread_stacks, options->thread_stack_bytes = 100)
OPTIONS(half_allocator, options->allocator.allocate = allocate_nothing)
OPTIONS(no_transport, options->transport = NULL)

/* ---- hash tables ---- */

static svs_hash_options table_options(const char *name) {
    svs_hash_options options;
    svs_hash_options_init(&options);
    options.name = name;
    options.item_bytes = 16;
    options.key_bytes = 8;
    return options;
}

static svs_status make_table(svs_ranks *ranks, svs_hash_options options, svs_hash **table) {
    return svs_hash_new(ranks, &options, table);
}

static svs_status make_and_keep(svs_ranks *ranks) {
    svs_hash *table = NULL;
    svs_status status = make_table(ranks, table_options("one"), &table);
    svs_ranks_set_data(ranks, table);
    return status;
}

/* clang-format off */
PREPARE(table_of_no_version,
        svs_hash *table;
        svs_hash_options options = table_options("one");
        options.size = 1;
        return make_table(ranks, options, &table);)
PREPARE(table_without_name, svs_hash *table; return make_table(ranks, table_options(NULL), &table);)
PREPARE(table_twice,
        svs_hash *table;
        svs_status status = make_table(ranks, table_options("one"), &table);
        return status ? status : make_table(ranks, table_options("one"), &table);)
PREPARE(table_of_long_keys,
        svs_hash *table;
        svs_hash_options options = table_options("one");
        options.key_bytes = 17;
        return make_table(ranks, options, &table);)
PREPARE(table_that_adds_other_items,
        svs_hash *table;
        svs_hash_options options = table_options("one");
        options.item_bytes = 24;
        options.duplicate = svs_hash_add;
        return make_table(ranks, options, &table);)
PREPARE(tables_that_differ,
        svs_hash *table;
        const char *name = svs_ranks_index(ranks) == 0 ? "one" : "two";
        return make_table(ranks, table_options(name), &table);)
PREPARE(insert_outside,
        const uint64_t item[2] = {1, 1};
        svs_status status = make_and_keep(ranks);
        return status ? status : svs_hash_insert((svs_hash *)svs_ranks_data(ranks), item, NULL);)
RUN(table_in_run, svs_hash *table; return make_table(ranks, table_options("one"), &table);)
static svs_status look_up(svs_ranks *ranks, void *state) {
    static const uint64_t key = 1;
    bool found;
    (void)state;
    return svs_hash_lookup((svs_hash *)svs_ranks_data(ranks), &key, NULL, &found, NULL);
}
static svs_status lookup_without_counter(setting *s) { return play(s, make_and_keep, look_up); }
static svs_status look_up_all(svs_ranks *ranks, svs_counter *done, size_t count) {
    static uint64_t item[2];
    static bool found;
    return svs_hash_lookup_all((svs_hash *)svs_ranks_data(ranks), item, count, &found, done);
}
static svs_status look_up_without_counter(svs_ranks *ranks, void *state) {
    (void)state;
    return look_up_all(ranks, NULL, 1);
}
static svs_status look_up_too_many(svs_ranks *ranks, void *state) {
    static svs_counter done;
    (void)state;
    return look_up_all(ranks, &done, (size_t)1 << 32);
}
static svs_status get_load(svs_ranks *ranks, void *state) {
    static svs_hash_load load;
    (void)state;
    return svs_hash_load_get((svs_hash *)svs_ranks_data(ranks), &load, NULL);
}
static svs_status lookups_without_counter(setting *s) {
    return play(s, make_and_keep, look_up_without_counter);
}
static svs_status too_many_lookups(setting *s) { return play(s, make_and_keep, look_up_too_many); }
static svs_status load_without_counter(setting *s) { return play(s, make_and_keep, get_load); }
PREPARE(lookups_outside,
        static svs_counter done;
        svs_status status = make_and_keep(ranks);
        return status ? status : look_up_all(ranks, &done, 1);)

/* ---- structures ---- */

static svs_structure *structure_of(svs_ranks *ranks) {
    return (svs_structure *)svs_ranks_data(ranks);
}

static void reply_in_place(svs_ranks *ranks, void *part, const void *words, uint32_t count) {
    svs_status status = SVS_OK;
    (void)part;
    for (uint32_t i = 0; i <= count && status == SVS_OK; i++)
        status = svs_reply(ranks, svs_structure_handler(structure_of(ranks), 1), words, 8);
    svs_ignore(svs_ranks_stop(ranks, status));
}

static void make_in_place(svs_ranks *ranks, void *part, const void *words, uint32_t count) {
    svs_structure *made;
    (void)part, (void)words, (void)count;
    svs_ignore(svs_ranks_stop(ranks, svs_structure_new(ranks, NULL, &made, NULL)));
}

static void ignore_in_place(svs_ranks *ranks, void *part, const void *words, uint32_t count) {
    (void)ranks, (void)part, (void)words, (void)count;
}

static const svs_handler structure_handlers[] = {
    {"replies", SVS_DISPATCH_IN_PLACE, sizeof(word), NULL, reply_in_place},
    {"ignores", SVS_DISPATCH_IN_PLACE, sizeof(word), NULL, ignore_in_place},
    {"makes", SVS_DISPATCH_IN_PLACE, sizeof(word), NULL, make_in_place}};

static svs_status make_structure(svs_ranks *ranks, const char *name, void *part,
                                 svs_counter *done) {
    svs_structure_options options;
    svs_structure *made = NULL;
    svs_status status;
    svs_structure_options_init(&options);
    options.name = name;
    options.part = part;
    options.handlers = structure_handlers;
    options.handler_count = 3;
    status = svs_structure_new(ranks, &options, &made, done);
    if (status == SVS_OK) svs_ranks_set_data(ranks, made);
    return status;
}

static svs_status make_one(svs_ranks *ranks) { return make_structure(ranks, "one", &now, NULL); }

#define RUN_STRUCTURE(name_, ...)                                                                  \
    static svs_status name_##_start(svs_ranks *ranks, void *state) {                               \
        word one = 1;                                                                              \
        (void)state, (void)one;                                                                    \
        if (svs_ranks_index(ranks) != 0) return SVS_OK;                                            \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static svs_status name_(setting *s) { return play(s, make_one, name_##_start); }

PREPARE(structure_of_nothing, svs_structure *made;
        return svs_structure_new(ranks, NULL, &made, NULL);)
PREPARE(structure_without_name, return make_structure(ranks, "", &now, NULL);)
PREPARE(structure_without_part, return make_structure(ranks, "one", NULL, NULL);)
PREPARE(structure_twice, svs_status status = make_one(ranks);
        return status ? status : make_one(ranks);)
PREPARE(structures_that_differ,
        return make_structure(ranks, svs_ranks_index(ranks) == 0 ? "one" : "two", &now, NULL);)
PREPARE(structure_freed_twice, svs_status status = make_one(ranks);
        if (status == SVS_OK) status = svs_structure_free(structure_of(ranks), NULL);
        return status ? status : svs_structure_free(structure_of(ranks), NULL);)
PREPARE(structure_freed_while_shared, svs_structure_options options; svs_structure *shares;
        svs_status status = make_one(ranks); svs_structure_options_init(&options);
        options.name = "two"; options.part = &now; options.snapshot_of = structure_of(ranks);
        if (status == SVS_OK) status = svs_structure_new(ranks, &options, &shares, NULL);
        return status ? status : svs_structure_free(structure_of(ranks), NULL);)
PREPARE(no_structure_freed, (void)ranks; return svs_structure_free(NULL, NULL);)
RUN_STRUCTURE(structure_freed_on_one_rank,
    static svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    status = svs_structure_free(structure_of(ranks), &done);
    return status == SVS_WAIT ? SVS_OK : status;)
RUN_STRUCTURE(structure_freed_without_counter,
    return svs_structure_free(structure_of(ranks), NULL);)
RUN_STRUCTURE(structure_made_in_handler,
    return svs_post(ranks, 1, svs_structure_handler(structure_of(ranks), 2), &one, sizeof one);)
RUN_STRUCTURE(reply_to_nothing,
    return svs_reply(ranks, svs_structure_handler(structure_of(ranks), 1), &one, sizeof one);)
RUN_STRUCTURE(reply_twice,
    return svs_post(ranks, 1, svs_structure_handler(structure_of(ranks), 0), &one, sizeof one);)

/* ---- handlers, posts and fibers ---- */

PREPARE(handler_without_name, return add_one(ranks, &nameless);)
PREPARE(handler_without_body, return add_one(ranks, &bodiless);)
PREPARE(handler_twice,
        svs_status status = add_one(ranks, &quiet);
        return status ? status : add_one(ranks, &quiet);)
PREPARE(schedule_wrong,
        svs_status status = add(ranks);
        svs_scheduler *fifo = svs_scheduler_fifo(ranks);
        return status ? status : svs_handler_schedule(ranks, &quiet, fifo, NULL);)
PREPARE(post_outside,
        word one = 1;
        svs_status status = add(ranks);
        return status ? status : quiet_post(ranks, 1, &one);)
PREPARE(stop_outside, return svs_ranks_stop(ranks, 5);)

RUN(run_in_run, return svs_ranks_run(ranks, nothing, NULL);)
RUN(begin_in_run, return svs_ranks_begin(ranks, nothing, NULL);)
RUN(step_in_step, return svs_ranks_step(ranks, 0);)
PREPARE(step_outside, return svs_ranks_step(ranks, 0);)
PREPARE(end_too_early, svs_status status = svs_ranks_begin(ranks, nothing, NULL);
        svs_status answer = status == SVS_OK ? svs_ranks_end(ranks) : status;
        while (status == SVS_OK && svs_ranks_step(ranks, UINT64_MAX) == SVS_WAIT) continue;
        if (status == SVS_OK) status = svs_ranks_end(ranks); return status ? status : answer;)
RUN(free_in_run, return svs_ranks_free(ranks);)
RUN(post_to_nowhere, return quiet_post(ranks, 2, &one);)
RUN(post_unknown, return svs_post(ranks, 1, &homeless, &one, sizeof one);)
RUN(post_short, return svs_post(ranks, 1, &quiet, &one, 3);)
RUN(post_custom, return svs_post(ranks, 1, &custom, &one, sizeof one);)
RUN(poll_in_handler, return polls_post(ranks, 1, &one);)
RUN(continue_in_handler, return continues_post(ranks, 0, &one);)
RUN(post_for_ever, return multiplies_post(ranks, 0, &one);)
RUN(await_without_stack,
    svs_counter counter;
    svs_counter_init(&counter, 0);
    return svs_await(ranks, &counter, 1);)
RUN(in_place_thread,
    return svs_thread_spawn(ranks, nothing, NULL, 0, svs_scheduler_in_place(ranks));)
RUN(enable_twice,
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, nothing, NULL, 0, NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
    return status ? status : svs_fiber_enable(ranks, fiber);)
RUN(enable_stale,
    svs_fiber fiber = {3, 77};
    return svs_fiber_enable(ranks, fiber);)
RUN(continue_twice,
    svs_fiber fiber;
    svs_status status = svs_fiber_continue(ranks, nothing, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
    return status ? status : svs_fiber_continue(ranks, nothing, &fiber);)
static svs_ranks_observer watcher;
PREPARE(observe_nothing, svs_ranks_observer_init(&watcher);
        return svs_ranks_observer_attach(ranks, NULL);)
PREPARE(observe_twice, svs_ranks_observer_init(&watcher);
        svs_status status = svs_ranks_observer_attach(ranks, &watcher);
        return status ? status : svs_ranks_observer_attach(ranks, &watcher);)
PREPARE(observe_by_no_version, svs_ranks_observer none = {0};
        return svs_ranks_observer_attach(ranks, &none);)
PREPARE(observe_no_more, svs_ranks_observer_init(&watcher);
        return svs_ranks_observer_detach(ranks, &watcher);)
RUN(observe_in_run, svs_ranks_observer_init(&watcher);
    return svs_ranks_observer_attach(ranks, &watcher);)
RUN(stop_with_ok, return svs_ranks_stop(ranks, SVS_OK);)
RUN(wait_for_ever,
    svs_fiber fiber;
    return svs_fiber_new(ranks, nothing, NULL, 0, NULL, &fiber);)
RUN(offload_without_workers,
    svs_counter counter;
    svs_counter_init(&counter, 0);
    return svs_offload(ranks, no_work, NULL, &counter);)
RUN(sum_of_no_object,
    svs_ranks_statistics sum;
    svs_counter counter;
    svs_counter_init(&counter, 0);
    return svs_ranks_statistics_sum(NULL, &sum, &counter);)
/* clang-format on */

static svs_status run_nothing(setting *s) {
    (void)s;
    return svs_ranks_run(NULL, nothing, NULL);
}

/* ---- transports by their names ---- */

static int run_no_rank(const svs_transport_entry *entry, const char *option, svs_rank_program *each,
                       void *argument) {
    (void)entry, (void)option, (void)each, (void)argument;
    return 0;
}

#define ENTRY(name_, ...)                                                                          \
    static svs_status name_(setting *s) {                                                          \
        static svs_transport_entry entry = {__VA_ARGS__};                                          \
        (void)s;                                                                                   \
        return svs_transport_add(&entry);                                                          \
    }

ENTRY(transport_without_name, .run = run_no_rank)
ENTRY(transport_twice, .name = "local", .run = run_no_rank)
ENTRY(transport_without_run, .name = "pigeons")

static svs_status no_transport_entry(setting *s) {
    (void)s;
    return svs_transport_add(NULL);
}

const misuse misuses_of_ranks[] = {
    {"svs_ranks_new: without credits", SVS_E_INVALID,
     "svs_ranks_new: credits is not 1 to 4096: choose a number in this range", no_credits, false},
    {"svs_ranks_new: buffers that are too large", SVS_E_INVALID,
     "aggregate_bytes is more than 2^24: lower it", large_buffers, false},
    {"svs_ranks_new: stacks of threads that are too small", SVS_E_INVALID,
     "thread_stack_bytes is less than 65536: raise it", small_thread_stacks, false},
    {"svs_ranks_new: an allocator with one callback", SVS_E_INVALID,
     "the allocator has one callback only: give it both, or none", half_allocator, false},
    {"svs_ranks_new: no transport", SVS_E_NULL,
     "options.transport is NULL: pass the one that svs_ranks_main() gives", no_transport, false},
    {"svs_transport_add: without an entry", SVS_E_NULL,
     "svs_transport_add: entry is NULL: pass one", no_transport_entry, true},
    {"svs_transport_add: without a name", SVS_E_INVALID,
     "svs_transport_add: its name is missing, or has a colon: give it a word",
     transport_without_name, true},
    {"svs_transport_add: two of one name", SVS_E_INVALID,
     "svs_transport_add: there is a transport local already: choose another name", transport_twice,
     true},
    {"svs_transport_add: without a function", SVS_E_INVALID,
     "svs_transport_add: transport pigeons has no run: set it", transport_without_run, true},
    {"svs_ranks_run(NULL)", SVS_E_NULL, "svs_ranks_run: ranks or start is NULL: pass both",
     run_nothing, true},
    {"svs_ranks_run: from a fiber", SVS_E_NESTED,
     "svs_ranks_run: called in a run: create fibers instead", run_in_run, false},
    {"svs_ranks_free: from a fiber", SVS_E_BUSY,
     "svs_ranks_free: called in a run: wait for its end", free_in_run, false},
    {"svs_ranks_stop: outside of a run", SVS_E_OUTSIDE,
     "svs_ranks_stop: there is no run: call it in a fiber or handler", stop_outside, false},
    {"svs_ranks_stop: with SVS_OK", SVS_E_INVALID,
     "svs_ranks_stop: the status is SVS_OK: pass a failure, or let the run end by itself",
     stop_with_ok, false},
    {"svs_handlers_add: a handler without a name", SVS_E_INVALID,
     "svs_handlers_add: handler 0: the handler has no name: set one", handler_without_name, false},
    {"svs_handlers_add: a handler without a function", SVS_E_INVALID,
     "svs_handlers_add: handler 0: the handler has no run: set it", handler_without_body, false},
    {"svs_handlers_add: a handler twice", SVS_E_INVALID,
     "svs_handlers_add: handler 0: it was added before: add it once", handler_twice, false},
    {"svs_handler_schedule: of a handler that is not custom", SVS_E_INVALID,
     "handler quiet is not custom: only those have schedulers of the program", schedule_wrong,
     false},
    {"svs_post: outside of a run", SVS_E_OUTSIDE,
     "svs_post: there is no run: post from a fiber or handler", post_outside, false},
    {"svs_ranks_begin: in a run", SVS_E_NESTED,
     "svs_ranks_begin: called in a run: create fibers instead", begin_in_run, false},
    {"svs_ranks_step: from a fiber, or by two threads at once", SVS_E_NESTED,
     "svs_ranks_step: called in a step, by a fiber or another thread: step a rank by one thread at "
     "a time",
     step_in_step, false},
    {"svs_ranks_step: without a run", SVS_E_OUTSIDE,
     "svs_ranks_step: there is no run: call svs_ranks_begin()", step_outside, false},
    {"svs_ranks_end: before the end", SVS_E_BUSY,
     "svs_ranks_end: the run has not ended: call svs_ranks_step() until it returns SVS_OK",
     end_too_early, false},
    {"svs_post: to a rank that is not there", SVS_E_INVALID,
     "svs_post: there is no rank 2: there are 2 ranks", post_to_nowhere, false},
    {"svs_post: to a handler that was not added", SVS_E_INVALID,
     "svs_post: handler homeless was not added: call svs_handlers_add()", post_unknown, false},
    {"svs_post: a record of another size", SVS_E_INVALID,
     "a record of handler quiet has 8 bytes (0: up to 16777216), not 3", post_short, false},
    {"svs_post: to a custom handler without a scheduler", SVS_E_INVALID,
     "which has no scheduler on this rank: call svs_handler_schedule() before the run", post_custom,
     false},
    {"a handler that posts for ever", SVS_E_LIMIT,
     "bytes) that cannot be sent yet: let them post less than they receive, or raise the limit",
     post_for_ever, false},
    {"svs_poll: in an in-place handler", SVS_E_STATE,
     "svs_poll() in an in-place fiber or handler: poll in fibers only", poll_in_handler, false},
    {"svs_fiber_continue: in an in-place handler", SVS_E_STATE,
     "an in-place fiber or handler cannot continue: use another scheduler or dispatch",
     continue_in_handler, false},
    {"svs_fiber_continue: twice", SVS_E_STATE,
     "svs_fiber_continue: the fiber has continued already: continue once", continue_twice, false},
    {"svs_fiber_enable: twice", SVS_E_FIBER,
     "waits, is enabled or executes already: a handle is for one fiber, which is enabled once",
     enable_twice, false},
    {"svs_fiber_enable: a stale handle", SVS_E_FIBER, "svs_fiber_enable: fiber 3 has ended",
     enable_stale, false},
    {"svs_ranks_observer_attach: without an observer", SVS_E_NULL,
     "svs_ranks_observer_attach: ranks or observer is NULL: pass both", observe_nothing, false},
    {"svs_ranks_observer_attach: twice", SVS_E_INVALID,
     "svs_ranks_observer_attach: the observer is attached already: detach it first", observe_twice,
     false},
    {"svs_ranks_observer_attach: an observer of another version", SVS_E_VERSION,
     "svs_ranks_observer_attach: the observer is of another version: fill it by "
     "svs_ranks_observer_init()",
     observe_by_no_version, false},
    {"svs_ranks_observer_attach: in a run", SVS_E_BUSY,
     "svs_ranks_observer_attach: called in a run: call it before or after the run", observe_in_run,
     false},
    {"svs_ranks_observer_detach: of one that is not attached", SVS_E_INVALID,
     "svs_ranks_observer_detach: the observer is not attached: pass the address that was attached",
     observe_no_more, false},
    {"svs_await: without a stack", SVS_E_STATE,
     "svs_await: the caller is not a thread with a stack: start it by svs_thread_spawn()",
     await_without_stack, false},
    {"svs_thread_spawn: with the in-place scheduler", SVS_E_STATE,
     "svs_thread_spawn: a thread cannot run in place: choose another scheduler", in_place_thread,
     false},
    {"svs_hash_new: options of another version", SVS_E_VERSION,
     "svs_hash_new: options are NULL or of another version: fill them by svs_hash_options_init()",
     table_of_no_version, false},
    {"svs_hash_new: without a name", SVS_E_INVALID,
     "svs_hash_new: its name is missing, or longer than 31 bytes: choose another one",
     table_without_name, false},
    {"svs_hash_new: a name twice", SVS_E_INVALID,
     "svs_hash_new: its name is taken by another table: choose another one", table_twice, false},
    {"svs_hash_new: a key that is longer than the item", SVS_E_INVALID,
     "key_bytes must be from 1 to item_bytes: an item begins with its key", table_of_long_keys,
     false},
    {"svs_hash_new: svs_hash_add() for other items", SVS_E_INVALID,
     "svs_hash_add() needs items of 16 bytes with a key of 8: use another function for these items",
     table_that_adds_other_items, false},
    {"svs_hash_new: from a fiber", SVS_E_STATE,
     "svs_hash_new: called in a run: make tables before it", table_in_run, false},
    {"svs_hash_new: different tables on two ranks", SVS_E_DIFFERS,
     "structure one.hash, which is to be made", tables_that_differ, false},
    {"svs_hash_insert: outside of a run", SVS_E_OUTSIDE,
     "svs_hash_insert: there is no run: call it in a fiber", insert_outside, false},
    {"svs_hash_lookup: without a counter", SVS_E_NULL,
     "svs_hash_lookup: found or done is NULL: pass both", lookup_without_counter, false},
    {"svs_hash_lookup_all: without a counter", SVS_E_NULL,
     "svs_hash_lookup_all: hash, items, found or done is NULL: pass all", lookups_without_counter,
     false},
    {"svs_hash_lookup_all: outside of a run", SVS_E_OUTSIDE,
     "svs_hash_lookup_all: there is no run: look up in a fiber", lookups_outside, false},
    {"svs_hash_lookup_all: more than 2^32 - 1 items", SVS_E_INVALID,
     "there are more than 2^32 - 1 items: look up fewer at a time", too_many_lookups, false},
    {"svs_hash_load_get: without a counter", SVS_E_NULL,
     "svs_hash_load_get: hash, load or done is NULL: pass all of them", load_without_counter,
     false},
    {"svs_structure_new: without options", SVS_E_NULL,
     "svs_structure_new: options are NULL or of another version: fill them by "
     "svs_structure_options_init()",
     structure_of_nothing, false},
    {"svs_structure_new: without a name", SVS_E_INVALID,
     "svs_structure_new: its name is missing, or longer than 39 bytes: choose another one",
     structure_without_name, false},
    {"svs_structure_new: without a part", SVS_E_INVALID,
     "svs_structure_new: its part is NULL: pass the memory of this rank", structure_without_part,
     false},
    {"svs_structure_new: a name twice", SVS_E_INVALID,
     "svs_structure_new: the name is taken: choose another one", structure_twice, false},
    {"svs_structure_new: different structures on two ranks", SVS_E_DIFFERS,
     "structure one, which is to be made", structures_that_differ, false},
    {"svs_structure_new: in an in-place handler", SVS_E_STATE,
     "svs_structure_new: called in an in-place handler: call it in a fiber",
     structure_made_in_handler, false},
    {"svs_structure_free: of nothing", SVS_E_NULL,
     "svs_structure_free: structure is NULL: pass one", no_structure_freed, true},
    {"svs_structure_free: twice", SVS_E_STATE,
     "svs_structure_free: structure one was freed before: free it once", structure_freed_twice,
     false},
    {"svs_structure_free: while another one shares its snapshot", SVS_E_BUSY,
     "svs_structure_free: 1 structures share the snapshot of structure one: free them first",
     structure_freed_while_shared, false},
    {"svs_structure_free: without a counter in a run", SVS_E_NULL,
     "svs_structure_free: done is NULL: pass a counter in a run", structure_freed_without_counter,
     false},
    {"svs_structure_free: on some ranks only", SVS_E_DEADLOCK,
     "structure one is freed on some ranks only: do so on all", structure_freed_on_one_rank, false},
    {"svs_reply: without a record", SVS_E_STATE,
     "svs_reply: no record is being handled: reply in a handler, or in the fiber of one",
     reply_to_nothing, false},
    {"svs_reply: twice", SVS_E_STATE,
     "svs_reply: each record handled has had its reply: post further records by svs_post()",
     reply_twice, false},
    {"a fiber that is never enabled", SVS_E_DEADLOCK, "of rank 0 was created and never enabled",
     wait_for_ever, false},
    {"svs_offload: without workers", SVS_E_STATE,
     "svs_offload: the rank has no workers: set options.workers to a runtime",
     offload_without_workers, false},
    {"svs_ranks_statistics_sum: of no object", SVS_E_NULL,
     "svs_ranks_statistics_sum: object or sum is NULL: pass both", sum_of_no_object, true},
    {NULL, 0, NULL, NULL, false}};
