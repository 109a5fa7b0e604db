/* Making event graphs: their options, handlers and structure. */
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
        return "its name is missing, or longer than 23 bytes: choose another one";
    if (options->nodes == 0 || options->nodes > INT32_MAX || options->edge_count > INT32_MAX)
        return "nodes is not 1 to 2^31 - 1, or edge_count is more than 2^31 - 1: make a smaller "
               "graph";
    if (options->edges == NULL && options->edge_count != 0) return "edges is NULL: pass the list";
    if (options->event_bytes == 0 || options->event_bytes > SVS_EVENT_BYTES_MAX)
        return "event_bytes is not 1 to 65536: set it to the size of an event";
    if (options->timed && options->event_bytes < sizeof(int64_t))
        return "event_bytes is less than 8: an event of a timed graph begins with its time";
    if (options->cures > (SVS_EVENT_NULLS | SVS_EVENT_RECOVERY | SVS_EVENT_GROWTH))
        return "cures is not a sum of SVS_EVENT_NULLS, SVS_EVENT_RECOVERY and SVS_EVENT_GROWTH";
    if ((unsigned)options->dispatch > SVS_DISPATCH_IN_PLACE)
        return "its dispatch is neither FIFO, urgent nor in place: choose one of them";
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
    graph->user = *user; /* after this line it is released with the graph */
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

/* Makes the names of handlers. All ranks compare them, so they contain digests of what must be
 * equal. */
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

/* The structure that the graph is the part of. */
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
