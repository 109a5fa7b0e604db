/* Misuse of event graphs and simulations: each program runs on two ranks over sim. */
#include "misuse.h"
#include <svs/ranks.h>

typedef struct event {
    int64_t time;
} event;

/* Node 0 is on rank 0, node 1 on rank 1. */
static const svs_event_edge edges[] = {{0, 1, 0}, {0, 0, 0}};

static int64_t never(svs_event_graph *graph, uint32_t number, void *argument) {
    (void)graph, (void)number, (void)argument;
    return SVS_EVENT_TIME_MAX;
}

static svs_event_graph_options options_of(void) {
    svs_event_graph_options options;
    svs_event_graph_options_init(&options);
    options.name = "one";
    options.nodes = 2;
    options.edges = edges;
    options.edge_count = 2;
    options.event_bytes = sizeof(event);
    options.timed = true;
    options.next = never;
    options.capacity = 2;
    options.deadlock_file = NULL;
    return options;
}

static svs_status make(svs_ranks *ranks, svs_event_graph_options options) {
    svs_event_graph *graph = NULL;
    svs_status status = svs_event_graph_new(ranks, &options, &graph);
    svs_ranks_set_data(ranks, graph);
    return status;
}

static svs_status make_one(svs_ranks *ranks) { return make(ranks, options_of()); }

static uint32_t nowhere(uint32_t number, uint32_t ranks, void *argument) {
    (void)number, (void)argument;
    return ranks;
}

static uint32_t on_rank_0(uint32_t number, uint32_t ranks, void *argument) {
    (void)number, (void)ranks, (void)argument;
    return 0;
}

#define PREPARE(name_, ...)                                                                        \
    static svs_status name_##_prepare(svs_ranks *ranks) {                                          \
        svs_event_graph_options options = options_of();                                            \
        __VA_ARGS__;                                                                               \
        return make(ranks, options);                                                               \
    }                                                                                              \
    static svs_status name_(setting *s) { return stage_ranks(s, name_##_prepare, NULL); }

/* A fiber of rank 0. */
#define RUN(name_, ...)                                                                            \
    static svs_status name_##_start(svs_ranks *ranks, void *state) {                               \
        static svs_counter counter;                                                                \
        static const event one = {5}, early = {4};                                                 \
        svs_event_graph *graph = (svs_event_graph *)svs_ranks_data(ranks);                         \
        (void)state, (void)one, (void)early;                                                       \
        svs_counter_init(&counter, 0);                                                             \
        if (svs_ranks_index(ranks) != 0) return SVS_OK;                                            \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static svs_status name_(setting *s) { return stage_ranks(s, make_one, name_##_start); }

static const svs_event_edge outside[] = {{0, 2, 0}};

/* clang-format off */
PREPARE(of_no_version, options.size = 1)
PREPARE(without_name, options.name = "")
PREPARE(without_nodes, options.nodes = 0)
PREPARE(without_capacity, options.capacity = 0)
PREPARE(of_large_events, options.event_bytes = SVS_EVENT_BYTES_MAX + 1)
PREPARE(without_time, options.event_bytes = 4)
PREPARE(without_next, options.next = NULL)
PREPARE(with_edge_of_no_node, options.edges = outside; options.edge_count = 1)
PREPARE(placed_nowhere, options.place = nowhere)
PREPARE(placed_differently, if (svs_ranks_index(ranks) == 0) options.place = on_rank_0)
PREPARE(of_other_edges, if (svs_ranks_index(ranks) == 0) options.edge_count = 1)
RUN(made_in_run, (void)graph; return make_one(ranks);)
RUN(send_elsewhere, return svs_event_send(graph, 1, &one);)
RUN(send_from_nowhere, return svs_event_send(graph, 2, &one);)
RUN(send_nothing, return svs_event_send(graph, 0, NULL);)
RUN(send_back_in_time,
    svs_status status = svs_event_send(graph, 0, &one);
    return status ? status : svs_event_send(graph, 0, &early);)
RUN(remove_too_many,
    svs_status status = svs_event_send(graph, 0, &one);
    return status ? status : svs_event_remove(graph, 1, 2);)
RUN(remove_elsewhere, return svs_event_remove(graph, 0, 1);)
RUN(peek_too_far, const void *there; return svs_event_peek(graph, 1, 0, &there);)
RUN(wait_twice,
    svs_status status = svs_event_wait(graph, 0, SVS_EVENT_ANY_EDGE, &counter);
    return status != SVS_WAIT ? status : svs_event_wait(graph, 0, SVS_EVENT_EMPTY_EDGE, &counter);)
RUN(wait_elsewhere, return svs_event_wait(graph, 1, SVS_EVENT_SPACE, &counter);)
RUN(put_elsewhere, return svs_event_put(graph, 1, &one, 1);)
RUN(put_nothing, return svs_event_put(graph, 0, NULL, 1);)
RUN(take_elsewhere, event got; return svs_event_take(graph, 0, &got, 1);)
RUN(unfreeze_what_is_not, return svs_event_unfreeze(graph, &counter);)
RUN(freeze_twice,
    svs_status status = svs_event_freeze(graph, &counter);
    return status != SVS_WAIT ? status : svs_event_freeze(graph, &counter);)
/* clang-format on */

static svs_status send_outside_prepare(svs_ranks *ranks) {
    static const event one = {5};
    svs_status status = make_one(ranks);
    return status ? status : svs_event_send((svs_event_graph *)svs_ranks_data(ranks), 0, &one);
}
static svs_status send_outside(setting *s) { return stage_ranks(s, send_outside_prepare, NULL); }

/* ---- simulations ---- */

/* What the body of node 0 does in its first step. */
static svs_status (*deed)(svs_simulation *simulation);

static svs_status body(svs_simulation *simulation, uint32_t number, int64_t time, void *argument) {
    (void)time, (void)argument;
    return number == 0 && deed != NULL ? deed(simulation) : SVS_OK;
}

static int64_t no_time(uint32_t number, void *argument) {
    (void)number, (void)argument;
    return 0;
}

static svs_status simulate(svs_ranks *ranks, int64_t (*lookahead)(uint32_t, void *)) {
    svs_simulation *simulation = NULL;
    svs_simulation_options options;
    svs_status status;
    svs_simulation_options_init(&options);
    options.graph = options_of();
    options.body = body;
    options.first = no_time;
    options.lookahead = lookahead;
    options.end = 100;
    status = svs_simulation_new(ranks, &options, &simulation);
    svs_ranks_set_data(ranks, simulation);
    return status;
}

static svs_status simulate_without_lookahead(svs_ranks *ranks) { return simulate(ranks, no_time); }
static svs_status without_lookahead(setting *s) {
    return stage_ranks(s, simulate_without_lookahead, NULL);
}

static svs_status simulate_one(svs_ranks *ranks) { return simulate(ranks, NULL); }

static svs_status start(svs_ranks *ranks, void *state) {
    static svs_counter done[2];
    svs_status status;
    (void)state;
    svs_counter_init(&done[svs_ranks_index(ranks)], 0);
    status = svs_simulation_start((svs_simulation *)svs_ranks_data(ranks),
                                  &done[svs_ranks_index(ranks)]);
    return status == SVS_WAIT ? SVS_OK : status;
}

static svs_status send_now(svs_simulation *simulation) {
    static const event now = {0};
    return svs_simulation_send(simulation, &now);
}
static svs_status send_too_early(setting *s) {
    deed = send_now;
    return stage_ranks(s, simulate_one, start);
}

static svs_status send_two(svs_simulation *simulation) {
    static const event one = {1}, two = {2};
    svs_status status = svs_simulation_send(simulation, &one);
    return status ? status : svs_simulation_send(simulation, &two);
}
static svs_status send_twice(setting *s) {
    deed = send_two;
    return stage_ranks(s, simulate_one, start);
}

static svs_status wake_now(svs_simulation *simulation) {
    return svs_simulation_wake(simulation, 0);
}
static svs_status wake_too_early(setting *s) {
    deed = wake_now;
    return stage_ranks(s, simulate_one, start);
}

static svs_status start_twice_start(svs_ranks *ranks, void *state) {
    svs_status status;
    deed = NULL;
    status = start(ranks, state);
    return status ? status : start(ranks, state);
}
static svs_status start_twice(setting *s) {
    return stage_ranks(s, simulate_one, start_twice_start);
}

const misuse misuses_of_events[] = {
    {"svs_event_graph_new: options of another version", SVS_E_VERSION,
     "svs_event_graph_new: options are NULL or of another version: fill them by "
     "svs_event_graph_options_init()",
     of_no_version, false},
    {"svs_event_graph_new: without a name", SVS_E_INVALID,
     "svs_event_graph_new: its name is missing, or longer than 23 bytes: choose another one",
     without_name, false},
    {"svs_event_graph_new: without nodes", SVS_E_INVALID, "nodes is not 1 to 2^31 - 1",
     without_nodes, false},
    {"svs_event_graph_new: capacity 0", SVS_E_INVALID,
     "edge 0 has capacity 0, which is not 1 to 2^28: change it", without_capacity, false},
    {"svs_event_graph_new: an event that is too large", SVS_E_INVALID,
     "event_bytes is not 1 to 65536: set it to the size of an event", of_large_events, false},
    {"svs_event_graph_new: a timed event without room for its time", SVS_E_INVALID,
     "event_bytes is less than 8: an event of a timed graph begins with its time", without_time,
     false},
    {"svs_event_graph_new: recovery without `next`", SVS_E_INVALID,
     "recovery needs options.next: set it, or switch SVS_EVENT_RECOVERY off", without_next, false},
    {"svs_event_graph_new: an edge of no node", SVS_E_INVALID,
     "edge 0 goes from node 0 to node 2, and there are 2 nodes", with_edge_of_no_node, false},
    {"svs_event_graph_new: a partitioner that names no rank", SVS_E_INVALID,
     "the partitioner places node 0 on rank 2, and there are 2 ranks", placed_nowhere, false},
    {"svs_event_graph_new: partitioners that differ", SVS_E_DIFFERS, "is one.null, placed as",
     placed_differently, false},
    {"svs_event_graph_new: edges that differ", SVS_E_DIFFERS, "is one.event, nodes and edges",
     of_other_edges, false},
    {"svs_event_graph_new: from a fiber", SVS_E_STATE,
     "svs_event_graph_new: called in a run: make graphs before it", made_in_run, false},
    {"svs_event_send: outside of a run", SVS_E_OUTSIDE,
     "svs_event_send: there is no run: call it in a fiber", send_outside, false},
    {"svs_event_send: on a node of another rank", SVS_E_INVALID,
     "svs_event_send: node 1 is on rank 1, and this is rank 0: call it there", send_elsewhere,
     false},
    {"svs_event_send: on no node", SVS_E_INVALID,
     "svs_event_send: there is no node 2: the graph has 2 nodes", send_from_nowhere, false},
    {"svs_event_send: of nothing", SVS_E_NULL,
     "svs_event_send: graph, event or counter is NULL: none of them may be NULL", send_nothing,
     false},
    {"svs_event_send: a time that goes backwards", SVS_E_INVALID,
     "node 0 sends an event of time 4, and has promised none before 6: send a later one",
     send_back_in_time, false},
    {"svs_event_remove: more events than there are", SVS_E_INVALID,
     "there is no event 1 on edge 1, which has 1: call svs_event_count() first", remove_too_many,
     false},
    {"svs_event_remove: from an edge of another rank", SVS_E_INVALID,
     "svs_event_remove: edge 0 leads to no node of rank 0: call it on the rank of its target",
     remove_elsewhere, false},
    {"svs_event_peek: an event that is not there", SVS_E_INVALID,
     "there is no event 0 on edge 1, which has 0: call svs_event_count() first", peek_too_far,
     false},
    {"svs_event_wait: a second wait of one node", SVS_E_BUSY,
     "svs_event_wait: the node waits already: let that wait end first", wait_twice, false},
    {"svs_event_wait: of a node of another rank", SVS_E_INVALID,
     "svs_event_wait: node 1 is on rank 1, and this is rank 0: call it there", wait_elsewhere,
     false},
    {"svs_event_put: on a node of another rank", SVS_E_INVALID,
     "svs_event_put: node 1 is on rank 1, and this is rank 0: call it there", put_elsewhere, false},
    {"svs_event_put: of nothing", SVS_E_NULL,
     "svs_event_put: graph, event or counter is NULL: none of them may be NULL", put_nothing,
     false},
    {"svs_event_take: from an edge of another rank", SVS_E_INVALID,
     "svs_event_take: edge 0 leads to no node of rank 0: call it on the rank of its target",
     take_elsewhere, false},
    {"svs_event_unfreeze: not frozen", SVS_E_STATE,
     "svs_event_unfreeze: the graph is not frozen: freeze it, and wait for the counter",
     unfreeze_what_is_not, false},
    {"svs_event_freeze: twice", SVS_E_BUSY,
     "svs_event_freeze: this rank has called freeze already: unfreeze, and wait for the end of "
     "that",
     freeze_twice, false},
    {"svs_simulation_new: without a lookahead", SVS_E_INVALID,
     "a lookahead is not positive: a cycle of such nodes could not advance", without_lookahead,
     false},
    {"svs_simulation_send: before the lookahead", SVS_E_INVALID,
     "svs_simulation_send: the event's time is before the step plus the lookahead", send_too_early,
     false},
    {"svs_simulation_send: twice in a step", SVS_E_STATE,
     "svs_simulation_send: the step has sent an event already: send one in each step", send_twice,
     false},
    {"svs_simulation_wake: not after the step", SVS_E_INVALID,
     "svs_simulation_wake: the time is not after the step: pass a later one", wake_too_early,
     false},
    {"svs_simulation_start: twice", SVS_E_STATE,
     "svs_simulation_start: the simulation was started before: make another one", start_twice,
     false},
    {NULL, 0, NULL, NULL, false}};
