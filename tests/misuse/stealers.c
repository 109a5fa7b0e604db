/* Misuse of task stealers: each program runs on two ranks over sim. */
#include "misuse.h"
#include <svs/ranks.h>

#define PREPARE(name_, ...)                                                                        \
    static svs_status name_##_prepare(svs_ranks *ranks) { __VA_ARGS__ }                            \
    static svs_status name_(setting *s) { return stage_ranks(s, name_##_prepare, NULL); }

static svs_stealer_options options_of(const char *name) {
    svs_stealer_options options;
    svs_stealer_options_init(&options);
    options.name = name;
    options.task_bytes = 16;
    return options;
}

static svs_status make(svs_ranks *ranks, svs_stealer_options options) {
    svs_stealer *stealer = NULL;
    svs_status status = svs_stealer_new(ranks, &options, &stealer);
    svs_ranks_set_data(ranks, stealer);
    return status;
}

static svs_status make_one(svs_ranks *ranks) { return make(ranks, options_of("one")); }

/* A fiber of rank 0, or of both ranks, with a stealer. */
#define RUN(name_, of_rank, ...)                                                                   \
    static svs_status name_##_start(svs_ranks *ranks, void *state) {                               \
        static svs_counter counter;                                                                \
        static char task[32];                                                                      \
        static size_t bytes = sizeof task;                                                         \
        svs_stealer *one = (svs_stealer *)svs_ranks_data(ranks);                                   \
        (void)state, (void)bytes, (void)one;                                                       \
        svs_counter_init(&counter, 0);                                                             \
        if (svs_ranks_index(ranks) > (of_rank)) return SVS_OK;                                     \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static svs_status name_(setting *s) { return stage_ranks(s, make_one, name_##_start); }

static uint32_t one_way(uint32_t rank, uint32_t ranks, uint32_t which, void *argument) {
    (void)ranks, (void)argument;
    return rank == 0 && which == 0 ? 1 : SVS_STEALER_ANY;
}
static uint32_t no_way(uint32_t rank, uint32_t ranks, uint32_t which, void *argument) {
    (void)rank, (void)ranks, (void)which, (void)argument;
    return SVS_STEALER_ANY;
}

/* clang-format off */
PREPARE(of_no_version,
        svs_stealer_options options = options_of("one");
        options.size = 1;
        return make(ranks, options);)
PREPARE(without_name, return make(ranks, options_of(""));)
PREPARE(twice, svs_status status = make_one(ranks); return status ? status : make_one(ranks);)
PREPARE(without_task_bytes,
        svs_stealer_options options = options_of("one");
        options.task_bytes = 0;
        return make(ranks, options);)
PREPARE(of_large_tasks,
        svs_stealer_options options = options_of("one");
        options.task_bytes = 16384;
        return make(ranks, options);)
PREPARE(of_no_network,
        svs_stealer_options options = options_of("one");
        options.network = SVS_STEALER_OWN;
        return make(ranks, options);)
PREPARE(of_one_way,
        svs_stealer_options options = options_of("one");
        options.network = SVS_STEALER_OWN;
        options.neighbour = one_way;
        return make(ranks, options);)
PREPARE(of_two_parts,
        svs_stealer_options options = options_of("one");
        options.network = SVS_STEALER_OWN;
        options.neighbour = no_way;
        return make(ranks, options);)
PREPARE(that_differ,
        svs_stealer_options options = options_of("one");
        options.task_bytes += svs_ranks_index(ranks);
        return make(ranks, options);)
PREPARE(add_outside,
        svs_status status = make_one(ranks);
        return status ? status : svs_stealer_add((svs_stealer *)svs_ranks_data(ranks), 0, "", 0,
                                                 NULL);)
/* clang-format on */
RUN(in_run, 0, return make(ranks, options_of("two"));)
RUN(add_large, 0, return svs_stealer_add(one, 0, task, 17, NULL);)
RUN(add_to_none, 0, return svs_stealer_add(one, 2, task, 1, NULL);)
RUN(remove_to_nothing, 0, return svs_stealer_remove(one, NULL, &bytes, &counter);)
RUN(complete_too_many, 0, return svs_stealer_complete(one);)
RUN(free_with_tasks, 0, svs_status status = svs_stealer_add(one, 1, task, 1, NULL);
    if (status == SVS_OK) status = svs_stealer_add(one, 0, task, 1, NULL);
    return status ? status : svs_stealer_free(one, &counter);)
RUN(wait_twice, 1, svs_status status = svs_stealer_wait(one, &counter);
    return status != SVS_WAIT ? status : svs_stealer_wait(one, &counter);)
RUN(wait_on_one_rank, 0, svs_status status = svs_stealer_wait(one, &counter);
    return status == SVS_WAIT ? SVS_OK : status;)

const misuse misuses_of_stealers[] = {
    {"svs_stealer_new: options of another version", SVS_E_VERSION,
     "svs_stealer_new: options are NULL or of another version: fill them by "
     "svs_stealer_options_init()",
     of_no_version, false},
    {"svs_stealer_new: without a name", SVS_E_INVALID,
     "svs_stealer_new: its name is missing, or longer than 23 bytes: choose another one",
     without_name, false},
    {"svs_stealer_new: a name twice", SVS_E_INVALID,
     "svs_stealer_new: its name is taken by another stealer: choose another one", twice, false},
    {"svs_stealer_new: without the size of tasks", SVS_E_INVALID,
     "task_bytes is not 1 to 2^20: set it to the size of the largest task", without_task_bytes,
     false},
    {"svs_stealer_new: tasks that are larger than a buffer", SVS_E_INVALID,
     "buffer_bytes has no room for a task of task_bytes and 24 bytes, or is more than 2^23: set it "
     "in between",
     of_large_tasks, false},
    {"svs_stealer_new: a network of the program without its function", SVS_E_INVALID,
     "neighbour is set without SVS_STEALER_OWN, or missing with it: set both or neither",
     of_no_network, false},
    {"svs_stealer_new: a network that is not symmetric", SVS_E_INVALID,
     "the network is not symmetric: rank 0 names rank 1, which does not name it: name both ways",
     of_one_way, false},
    {"svs_stealer_new: a network that is not connected", SVS_E_INVALID,
     "the network is not connected: no path leads from rank 0 to rank 1: add neighbours",
     of_two_parts, false},
    {"svs_stealer_new: different tasks on two ranks", SVS_E_DIFFERS, "one.add.1", that_differ,
     false},
    {"svs_stealer_new: from a fiber", SVS_E_STATE,
     "svs_stealer_new: called in a run: make stealers before it", in_run, false},
    {"svs_stealer_add: outside of a run", SVS_E_OUTSIDE,
     "svs_stealer_add: there is no run: call it in a fiber", add_outside, false},
    {"svs_stealer_add: a task that is too large", SVS_E_INVALID,
     "svs_stealer_add: the task has more than task_bytes: raise the option, or add a smaller task",
     add_large, false},
    {"svs_stealer_add: to a rank that is not there", SVS_E_INVALID,
     "svs_stealer_add: there is no rank of this number: pass one that exists, or SVS_STEALER_ANY",
     add_to_none, false},
    {"svs_stealer_remove: to nothing", SVS_E_NULL,
     "svs_stealer_remove: stealer, task, bytes or counter is NULL: none of them may be NULL",
     remove_to_nothing, false},
    {"svs_stealer_complete: more often than tasks were removed", SVS_E_STATE,
     "no task is in progress on this rank: complete each removed task exactly once",
     complete_too_many, false},
    {"svs_stealer_free: with tasks in it", SVS_E_BUSY,
     "svs_stealer_free: it has tasks, or a fiber waits for it: wait for its termination",
     free_with_tasks, false},
    {"svs_stealer_wait: twice", SVS_E_BUSY,
     "this rank waits already: wait once for all stealers of a snapshot", wait_twice, false},
    {"svs_stealer_wait: on some ranks only", SVS_E_DEADLOCK, "of rank 0 waits for counter",
     wait_on_one_rank, false},
    {NULL, 0, NULL, NULL, false}};
