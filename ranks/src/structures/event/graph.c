/* The face of event graphs: making them, and the checks of arguments. */
#include "base/sized.h"
#include "structures/event/event.h"
#include "structures/refuse.h"
#include <inttypes.h>
#include <string.h>

/* ---- options ---- */

static const svs_event_graph_options defaults = {.size = sizeof defaults,
                                                 .capacity = 64,
                                                 .cures = SVS_EVENT_NULLS | SVS_EVENT_RECOVERY |
                                                          SVS_EVENT_GROWTH,
                                                 .dispatch = SVS_DISPATCH_IN_PLACE,
                                                 .deadlock_file = "svs-event-deadlock.dot"};

void svs_event_graph_options_init_sized(svs_event_graph_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static const char *fault_of(const svs_event_graph_options *options, uint32_t ranks, char *why) {
    if (options->name == NULL || options->name[0] == '\0' ||
        strlen(options->name) >= SVS_EVENT_GRAPH_NAME)
        return "its name is missing, or longer than 23 bytes";
    if (options->nodes == 0 || options->nodes > INT32_MAX || options->edge_count > INT32_MAX)
        return "the number of nodes is not 1 to 2^31 - 1, or there are more edges";
    if (options->edges == NULL && options->edge_count != 0) return "edges is NULL: pass the list";
    if (options->event_bytes == 0 || options->event_bytes > SVS_EVENT_BYTES_MAX)
        return "event_bytes is not 1 to 65536";
    if (options->timed && options->event_bytes < sizeof(int64_t))
        return "an event of a timed graph begins with its time: event_bytes is at least 8";
    if (options->cures > (SVS_EVENT_NULLS | SVS_EVENT_RECOVERY | SVS_EVENT_GROWTH))
        return "cures is no sum of SVS_EVENT_...";
    if ((unsigned)options->dispatch > SVS_DISPATCH_IN_PLACE)
        return "its dispatch is neither FIFO, urgent nor in place";
    return svs__event_fault_of_lists(options, ranks, why);
}

static svs_status take_options(svs_ranks *ranks, const svs_event_graph_options *given,
                               const svs__event_user *user, svs_event_graph_options *options) {
    char why[160];
    const char *fault;
    svs_status status;
    *options = defaults;
    status = svs__structure_options_take(ranks, "svs_event_graph", options, sizeof *options, given);
    if (status != SVS_OK) return status;
    fault = fault_of(options, svs_ranks_count(ranks), why);
    if (fault == NULL && options->timed && (options->cures & SVS_EVENT_RECOVERY) != 0 &&
        options->next == NULL && user->next == NULL)
        fault = "recovery needs options.next: set it, or switch SVS_EVENT_RECOVERY off";
    return fault == NULL ? SVS_OK
                         : svs__refuse_call(ranks, SVS_E_INVALID, "svs_event_graph_new", fault);
}

/* ---- making ---- */

static uint32_t scratch_bytes(const svs_event_graph *graph) {
    return (uint32_t)sizeof(svs__event_record) + graph->kept_bytes;
}

static void release(svs_ranks *ranks, void *part) {
    svs_event_graph *graph = part;
    svs_allocator allocator = graph->allocator;
    (void)ranks;
    if (graph->user.release != NULL) graph->user.release(graph->user.argument);
    svs__event_layout_release(graph);
    svs__event_outbox_release(graph);
    svs__release(&allocator, graph->boxes, graph->count * sizeof *graph->boxes, 16);
    svs__release(&allocator, graph->scratch, scratch_bytes(graph), 8);
    svs__array_release(&allocator, graph->analysis.of, graph->analysis.capacity,
                       sizeof *graph->analysis.of);
    svs__release(&allocator, graph, sizeof *graph, _Alignof(svs_event_graph));
}

static bool init(svs_event_graph *graph, const svs__event_user *user) {
    if (graph->scratch == NULL || graph->boxes == NULL || !svs__event_layout_make(graph) ||
        svs__event_idle_init(graph) != SVS_OK)
        return false;
    graph->user = *user; /* released with the graph from here on */
    graph->memory += sizeof *graph + graph->count * sizeof *graph->boxes;
    graph->options.edges = NULL;
    return user->fill == NULL || user->fill(user->argument, graph);
}

/* @return NULL: no memory, and the user's argument is released. */
static svs_event_graph *make(svs_ranks *ranks, const svs_event_graph_options *options,
                             const svs__event_user *user) {
    const svs_allocator *allocator = svs_ranks_allocator(ranks);
    svs_event_graph *graph =
        svs__allocate_zeroed(allocator, sizeof *graph, _Alignof(svs_event_graph));
    if (graph == NULL) {
        if (user->release != NULL) user->release(user->argument);
        return NULL;
    }
    graph->ranks = ranks;
    graph->allocator = *allocator;
    graph->options = *options;
    graph->index = svs_ranks_index(ranks);
    graph->count = svs_ranks_count(ranks);
    graph->kept_bytes = (options->event_bytes + 7u) & ~7u;
    graph->scratch = svs__allocate_zeroed(allocator, scratch_bytes(graph), 8);
    graph->boxes = svs__allocate_zeroed(allocator, graph->count * sizeof *graph->boxes, 16);
    if (init(graph, user)) return graph;
    if (graph->user.release == NULL && user->release != NULL) user->release(user->argument);
    release(ranks, graph);
    return NULL;
}

/* The names of handlers, which all ranks compare, carry what must be equal. */
static void name_handlers(svs_event_graph *graph, const svs_event_graph_options *options) {
    (void)snprintf(graph->names[0], sizeof graph->names[0], "%s.event, nodes and edges %016" PRIx64,
                   options->name, svs__event_digest_lists(options));
    (void)snprintf(graph->names[1], sizeof graph->names[1], "%s.null, placed as %016" PRIx64,
                   options->name, svs__event_digest_places(options, graph->count));
    (void)snprintf(graph->names[2], sizeof graph->names[2], "%s.space", options->name);
    (void)snprintf(graph->names[3], sizeof graph->names[3], "%s.message", options->name);
    (void)snprintf(graph->names[4], sizeof graph->names[4], "%s.events", options->name);
    (void)snprintf(graph->name, sizeof graph->name, "%s", options->name);
    graph->options.name = graph->name;
}

static void fill_handlers(const svs_event_graph *graph, svs_handler *handlers) {
    svs_dispatch by = graph->options.dispatch;
    handlers[SVS__EVENT_HANDLE_EVENT] = (svs_handler){graph->names[0], by, scratch_bytes(graph),
                                                      svs__event_run_event, svs__event_take_events};
    handlers[SVS__EVENT_HANDLE_NULL] = (svs_handler){graph->names[1], by, sizeof(svs__event_null),
                                                     svs__event_run_null, svs__event_take_nulls};
    handlers[SVS__EVENT_HANDLE_SPACE] = (svs_handler){graph->names[2], by, sizeof(svs__event_space),
                                                      svs__event_run_space, svs__event_take_spaces};
    handlers[SVS__EVENT_HANDLE_MESSAGE] =
        (svs_handler){graph->names[3], SVS_DISPATCH_IN_PLACE, sizeof(svs__event_message), NULL,
                      svs__event_take_messages};
}

/* The structure of which the graph is the part. */
static svs_status make_structure(svs_event_graph *graph) {
    svs_handler handlers[SVS__EVENT_HANDLERS];
    svs_structure_options options;
    svs_status status;
    fill_handlers(graph, handlers);
    svs_structure_options_init(&options);
    options.name = graph->names[SVS__EVENT_HANDLERS];
    options.part = graph;
    options.release = release;
    options.describe_waits = svs__event_describe_waits;
    options.handlers = handlers;
    options.handler_count = SVS__EVENT_HANDLERS;
    status = svs_structure_new(graph->ranks, &options, &graph->structure, NULL);
    if (status != SVS_OK) return status;
    graph->snapshot = svs_structure_snapshot(graph->structure);
    for (size_t i = 0; i < SVS__EVENT_HANDLERS; i++)
        graph->handlers[i] = svs_structure_handler(graph->structure, i);
    return SVS_OK;
}

svs_status svs__event_graph_make(svs_ranks *ranks, const svs_event_graph_options *given,
                                 const svs__event_user *user, svs_event_graph **made) {
    svs_event_graph_options options;
    svs_event_graph *graph = NULL;
    svs_status status = take_options(ranks, given, user, &options);
    if (status == SVS_OK) graph = make(ranks, &options, user);
    else if (user->release != NULL) user->release(user->argument);
    if (graph == NULL) {
        svs_structure_decline(ranks);
        return status != SVS_OK ? status : SVS_E_NO_MEMORY;
    }
    name_handlers(graph, &options);
    status = make_structure(graph);
    if (status == SVS_OK) *made = graph;
    else release(ranks, graph);
    return status;
}

svs_status svs_event_graph_new(svs_ranks *ranks, const svs_event_graph_options *given,
                               svs_event_graph **made) {
    svs__event_user none = {0};
    if (ranks == NULL || made == NULL)
        return svs__refuse_call(ranks, SVS_E_NULL, "svs_event_graph_new",
                                "ranks or graph is NULL: pass both");
    if (svs_ranks_in_run(ranks))
        return svs__refuse_call(ranks, SVS_E_STATE, "svs_event_graph_new",
                                "called in a run: make graphs before it");
    if (given != NULL && given->size >= sizeof *given) {
        none.next = given->next;
        none.argument = given->argument;
    }
    return svs__event_graph_make(ranks, given, &none, made);
}

/* ---- nodes and edges ---- */

uint32_t svs_event_rank(const svs_event_graph *graph, uint32_t node) {
    if (graph == NULL || node >= graph->options.nodes) return SVS_ALL_RANKS;
    return svs__event_place(&graph->options, node, graph->count);
}

int svs_event_next_node(const svs_event_graph *graph, uint32_t *cursor, uint32_t *node) {
    if (graph == NULL || cursor == NULL || node == NULL || *cursor >= graph->node_count) return 0;
    *node = graph->nodes[(*cursor)++].number;
    return 1;
}

/* NULL: it is no node of this rank. */
static svs__event_node *node_of(const svs_event_graph *graph, uint32_t node) {
    if (node >= graph->options.nodes || !svs__event_index_has(&graph->node_index, node))
        return NULL;
    return &graph->nodes[svs__event_index_at(&graph->node_index, node)];
}

static svs__event_edge *edge_of(const svs_event_graph *graph, uint32_t edge) {
    if (edge >= graph->options.edge_count || !svs__event_index_has(&graph->edge_index, edge))
        return NULL;
    return &graph->edges[svs__event_index_at(&graph->edge_index, edge)];
}

uint32_t svs_event_inputs(const svs_event_graph *graph, uint32_t number) {
    const svs__event_node *node = graph == NULL ? NULL : node_of(graph, number);
    return node == NULL ? 0 : node[1].first_input - node->first_input;
}

uint32_t svs_event_input(const svs_event_graph *graph, uint32_t number, uint32_t which) {
    const svs__event_node *node = graph == NULL ? NULL : node_of(graph, number);
    if (node == NULL || which >= node[1].first_input - node->first_input) return UINT32_MAX;
    return svs__event_index_number(&graph->edge_index, graph->inputs[node->first_input + which]);
}

/* ---- checks of calls ---- */

static svs_status check(const svs_event_graph *graph, const void *other, const char *call) {
    if (graph == NULL || other == NULL)
        return svs__refuse_call(graph == NULL ? NULL : graph->ranks, SVS_E_NULL, call,
                                "graph, event or counter is NULL: pass all of them");
    if (!svs_ranks_in_run(graph->ranks))
        return svs__refuse_call(graph->ranks, SVS_E_OUTSIDE, call,
                                "there is no run: call it in a fiber");
    return SVS_OK;
}

static svs_status refuse_node(const svs_event_graph *graph, const char *call, uint32_t node) {
    char why[160];
    if (node >= graph->options.nodes)
        (void)snprintf(why, sizeof why, "there is no node %u: the graph has %u", node,
                       graph->options.nodes);
    else
        (void)snprintf(why, sizeof why, "node %u is on rank %u, and this is rank %u: call it there",
                       node, svs_event_rank(graph, node), graph->index);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, call, why);
}

static svs_status refuse_edge(const svs_event_graph *graph, const char *call, uint32_t edge) {
    char why[160];
    (void)snprintf(why, sizeof why,
                   "edge %u enters no node of rank %u: call it on that node's rank", edge,
                   graph->index);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, call, why);
}

static svs_status refuse_count(const svs_event_graph *graph, const char *call, uint32_t edge,
                               uint32_t wanted, uint32_t there) {
    char why[160];
    (void)snprintf(why, sizeof why,
                   "event %u of edge %u is asked for, and there are %u: ask "
                   "svs_event_count()",
                   wanted, edge, there);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, call, why);
}

static svs_status refuse_time(const svs_event_graph *graph, uint32_t node, int64_t time,
                              int64_t promised) {
    char why[160];
    (void)snprintf(why, sizeof why,
                   "node %u sends an event of time %" PRId64 ", and has promised none before "
                   "%" PRId64 ": times rise",
                   node, time, promised);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, "svs_event_send", why);
}

/* ---- events ---- */

svs_status svs_event_send(svs_event_graph *graph, uint32_t number, const void *event) {
    svs_status status = check(graph, event, "svs_event_send");
    svs__event_node *node;
    if (status != SVS_OK) return status;
    node = node_of(graph, number);
    if (node == NULL) return refuse_node(graph, "svs_event_send", number);
    if (graph->options.timed && svs__event_time(event) < node->promised)
        return refuse_time(graph, number, svs__event_time(event), node->promised);
    if (!svs__event_is_open(graph) || !svs__event_has_space(graph, node)) return SVS_WAIT;
    return svs__event_send(graph, (uint32_t)(node - graph->nodes), event);
}

uint32_t svs_event_count(svs_event_graph *graph, uint32_t number) {
    svs__event_edge *edge = graph == NULL ? NULL : edge_of(graph, number);
    if (edge == NULL) return 0;
    svs__event_forget_news(graph, edge, true);
    return svs__event_held(graph, edge);
}

svs_status svs_event_peek(svs_event_graph *graph, uint32_t number, uint32_t nth,
                          const void **event) {
    svs_status status = check(graph, event, "svs_event_peek");
    svs__event_edge *edge;
    uint32_t held;
    if (status != SVS_OK) return status;
    edge = edge_of(graph, number);
    if (edge == NULL) return refuse_edge(graph, "svs_event_peek", number);
    held = svs__event_held(graph, edge);
    if (nth >= held) return refuse_count(graph, "svs_event_peek", number, nth, held);
    svs__event_forget_news(graph, edge, nth + 1 == held);
    *event = svs__event_queue_at(graph, &graph->ins[edge->stream], edge->removed + nth);
    return SVS_OK;
}

svs_status svs_event_remove(svs_event_graph *graph, uint32_t number, uint32_t count) {
    svs_status status = check(graph, graph, "svs_event_remove");
    svs__event_edge *edge;
    uint32_t held;
    if (status != SVS_OK) return status;
    edge = edge_of(graph, number);
    if (edge == NULL) return refuse_edge(graph, "svs_event_remove", number);
    held = svs__event_held(graph, edge);
    if (count > held) return refuse_count(graph, "svs_event_remove", number, count - 1, held);
    if (!svs__event_is_open(graph)) return SVS_WAIT;
    svs__event_remove(graph, (uint32_t)(edge - graph->edges), count);
    return SVS_OK;
}

svs_status svs_event_wait(svs_event_graph *graph, uint32_t number, svs_event_awaited what,
                          svs_counter *done) {
    svs_status status = check(graph, done, "svs_event_wait");
    svs__event_node *node;
    if (status != SVS_OK) return status;
    node = node_of(graph, number);
    if (node == NULL) return refuse_node(graph, "svs_event_wait", number);
    if ((unsigned)what > SVS_EVENT_SPACE)
        return svs__refuse_call(graph->ranks, SVS_E_INVALID, "svs_event_wait",
                                "`what` is none of svs_event_awaited");
    if (node->hooked || node->hooked_space ||
        (what == SVS_EVENT_SPACE ? node->writer : node->reader) != NULL)
        return svs__refuse_call(graph->ranks, SVS_E_BUSY, "svs_event_wait",
                                "the node waits already: wait for that first");
    return svs__event_wait(graph, node, what, done);
}

svs_status svs_event_await(svs_event_graph *graph, uint32_t node, svs_event_awaited what) {
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    status = svs_event_wait(graph, node, what, &done);
    return status == SVS_WAIT ? svs_await(graph->ranks, &done, 1) : status;
}

/* ---- time ---- */

int64_t svs_event_clock(const svs_event_graph *graph, uint32_t number) {
    const svs__event_edge *edge = graph == NULL ? NULL : edge_of(graph, number);
    if (edge == NULL || !graph->options.timed) return SVS_EVENT_TIME_MAX;
    return svs__event_edge_clock(graph, edge);
}

svs_status svs_event_promise(svs_event_graph *graph, uint32_t number, int64_t time) {
    svs_status status = check(graph, graph, "svs_event_promise");
    const svs__event_node *node;
    if (status != SVS_OK) return status;
    node = node_of(graph, number);
    if (node == NULL) return refuse_node(graph, "svs_event_promise", number);
    if (!graph->options.timed)
        return svs__refuse_call(graph->ranks, SVS_E_INVALID, "svs_event_promise",
                                "the graph has no time: set options.timed");
    if (!svs__event_is_open(graph)) return SVS_WAIT;
    return svs__event_promise(graph, (uint32_t)(node - graph->nodes), time);
}

/* ---- snapshots ---- */

svs_status svs_event_freeze(svs_event_graph *graph, svs_counter *frozen) {
    svs_status status = check(graph, frozen, "svs_event_freeze");
    if (status != SVS_OK) return status;
    if (graph->freezer.voted)
        return svs__refuse_call(graph->ranks, SVS_E_BUSY, "svs_event_freeze",
                                "this rank freezes already: unfreeze, and wait for that");
    graph->freezer.voted = true;
    graph->freezer.frozen = frozen;
    status = svs__event_say(graph, 0, (svs__event_message){.word = SVS__EVENT_VOTE});
    return status == SVS_OK ? SVS_WAIT : status;
}

svs_status svs_event_unfreeze(svs_event_graph *graph, svs_counter *done) {
    svs_status status = check(graph, done, "svs_event_unfreeze");
    if (status != SVS_OK) return status;
    if (graph->freezer.phase != SVS__EVENT_FROZEN || graph->freezer.own ||
        graph->freezer.done != NULL)
        return svs__refuse_call(graph->ranks, SVS_E_STATE, "svs_event_unfreeze",
                                "it is not frozen: freeze it, and wait for the counter");
    graph->freezer.done = done;
    svs_counter_add(graph->ranks, &graph->freezer.released, 1);
    return SVS_WAIT;
}

svs_status svs_event_statistics_get_sized(const svs_event_graph *graph,
                                          svs_event_statistics *statistics, size_t size) {
    svs_event_statistics counts;
    if (graph == NULL || statistics == NULL)
        return svs__refuse_call(NULL, SVS_E_NULL, "svs_event_statistics_get",
                                "graph or statistics is NULL: pass both");
    counts = graph->counts;
    counts.memory = graph->memory;
    svs__output_put(statistics, size, &counts, sizeof counts);
    return SVS_OK;
}
