/* The public calls of simulations: making them, and the calls of a body. */
#include "base/sized.h"
#include "structures/event/stepper.h"
#include "structures/refuse.h"

/* ---- making ---- */

static const svs_simulation_options defaults = {.size = sizeof defaults};

void svs_simulation_options_init_sized(svs_simulation_options *options, size_t size) {
    if (options == NULL) return;
    svs__options_init(options, size, &defaults, sizeof defaults);
    if (size >= sizeof *options) svs_event_graph_options_init(&options->graph);
}

static svs_status refuse(const svs_ranks *ranks, svs_status status, const char *why) {
    return svs_ranks_refuse(ranks, status, why);
}

static size_t kept_nodes(const svs_simulation *me) { return (size_t)me->node_count + 1; }

static size_t mark_words(const svs_simulation *me) { return me->inputs_most / 64 + 1; }
static size_t entry_count(const svs_simulation *me) { return (size_t)me->graph->edge_total + 1; }

static void release(void *argument) {
    svs_simulation *me = argument;
    svs_allocator allocator = me->allocator;
    size_t nodes = kept_nodes(me);
    svs__release(&allocator, me->nodes, nodes * sizeof *me->nodes, 16);
    svs__release(&allocator, me->ready.of, nodes * 4, 16);
    svs__release(&allocator, me->promises.of, nodes * 4, 16);
    svs__release(&allocator, me->seen, (me->inputs_most + 1u) * sizeof *me->seen, 16);
    svs__release(&allocator, me->marks, mark_words(me) * sizeof *me->marks, 16);
    svs__release(&allocator, me->found, (me->inputs_most + 1u) * sizeof *me->found, 16);
    svs__release(&allocator, me->places, (me->inputs_most + 1u) * sizeof *me->places, 16);
    if (me->entries != NULL)
        svs__release(&allocator, me->entries, entry_count(me) * sizeof *me->entries, 16);
    if (me->events != NULL) svs__release(&allocator, me->events, nodes * me->graph->kept_bytes, 16);
    svs__release(&allocator, me, sizeof *me, _Alignof(svs_simulation));
}

static void fill_node(svs_simulation *me, uint32_t local) {
    uint32_t number = me->graph->nodes[local].number;
    svs__event_stepper *one = &me->nodes[local];
    svs__event_inputs inputs = svs__event_inputs_of(me, local);
    *one = (svs__event_stepper){.wake = INT64_MAX, .last = -1, .lookahead = 1};
    if (me->options.first != NULL) one->wake = me->options.first(number, me->options.argument);
    if (me->options.lookahead != NULL)
        one->lookahead = me->options.lookahead(number, me->options.argument);
    /* all keys begin at time 0 */
    for (uint32_t i = 0; i < inputs.count; i++) inputs.heap[i].input = i;
}

/* Makes the arrays that a step needs for the inputs of its node. @return false: no memory. */
static bool make_inputs(svs_simulation *me) {
    const svs_allocator *allocator = &me->allocator;
    for (uint32_t i = 0; i < me->node_count; i++) {
        uint32_t inputs = svs__event_inputs_of(me, i).count;
        if (inputs > me->inputs_most) me->inputs_most = inputs;
    }
    me->entries = svs__allocate_zeroed(allocator, entry_count(me) * sizeof *me->entries, 16);
    me->seen = svs__allocate_zeroed(allocator, (me->inputs_most + 1u) * sizeof *me->seen, 16);
    me->marks = svs__allocate_zeroed(allocator, mark_words(me) * sizeof *me->marks, 16);
    me->found = svs__allocate(allocator, (me->inputs_most + 1u) * sizeof *me->found, 16);
    me->places = svs__allocate(allocator, (me->inputs_most + 1u) * sizeof *me->places, 16);
    return me->entries != NULL && me->seen != NULL && me->marks != NULL && me->found != NULL &&
           me->places != NULL;
}

/* Called when the graph is made: makes the nodes of the simulation. */
static bool fill(void *argument, svs_event_graph *graph) {
    svs_simulation *me = argument;
    const svs_allocator *allocator = &me->allocator;
    size_t nodes;
    me->graph = graph;
    me->node_count = me->left = graph->node_count;
    nodes = kept_nodes(me);
    me->nodes = svs__allocate_zeroed(allocator, nodes * sizeof *me->nodes, 16);
    me->events = svs__allocate_zeroed(allocator, nodes * graph->kept_bytes, 16);
    me->ready.of = svs__allocate(allocator, nodes * 4, 16);
    me->promises.of = svs__allocate(allocator, nodes * 4, 16);
    if (me->nodes == NULL || me->events == NULL || me->ready.of == NULL ||
        me->promises.of == NULL || !make_inputs(me))
        return false;
    me->event = svs__event_pending(me, me->node_count);
    for (uint32_t i = 0; i < graph->node_count; i++) fill_node(me, i);
    return true;
}

static const char *fault_of(const svs_simulation_options *options) {
    if (options->body == NULL) return "svs_simulation_new: options.body is NULL: set it";
    if (options->end < 0 || options->end >= SVS_EVENT_TIME_MAX / 2)
        return "svs_simulation_new: options.end is negative, or not below SVS_EVENT_TIME_MAX / 2: "
               "set an end in between";
    for (uint32_t i = 0; options->lookahead != NULL && i < options->graph.nodes; i++)
        if (options->lookahead(i, options->argument) <= 0)
            return "svs_simulation_new: a lookahead is not positive: a cycle of such nodes could "
                   "not advance";
    for (uint32_t i = 0; options->first != NULL && i < options->graph.nodes; i++)
        if (options->first(i, options->argument) < 0)
            return "svs_simulation_new: a first wake is negative: times begin with 0";
    return NULL;
}

static svs_status take_options(svs_ranks *ranks, const svs_simulation_options *given,
                               svs_simulation_options *options) {
    const char *fault;
    svs_status status;
    *options = defaults;
    status = svs__structure_options_take(ranks, "svs_simulation", options, sizeof *options, given);
    if (status != SVS_OK) return status;
    fault = fault_of(options);
    return fault == NULL ? SVS_OK : refuse(ranks, SVS_E_INVALID, fault);
}

svs_status svs_simulation_new(svs_ranks *ranks, const svs_simulation_options *given,
                              svs_simulation **made) {
    svs_simulation_options options;
    svs_simulation *me = NULL;
    svs_event_graph *graph;
    svs_status status;
    if (ranks == NULL || made == NULL)
        return refuse(ranks, SVS_E_NULL,
                      "svs_simulation_new: ranks or simulation is NULL: pass both");
    if (svs_ranks_in_run(ranks))
        return refuse(ranks, SVS_E_STATE,
                      "svs_simulation_new: called in a run: make simulations before it");
    status = take_options(ranks, given, &options);
    if (status == SVS_OK)
        me = svs__allocate_zeroed(svs_ranks_allocator(ranks), sizeof *me, _Alignof(svs_simulation));
    if (me == NULL) {
        svs_structure_decline(ranks);
        return status != SVS_OK ? status : SVS_E_NO_MEMORY;
    }
    me->options = options;
    me->allocator = *svs_ranks_allocator(ranks);
    me->current = SVS__EVENT_NONE;
    me->budget = svs__event_first_budget(svs_ranks_count(ranks));
    options.graph.timed = true;
    status = svs__event_graph_make(ranks, &options.graph,
                                   &(svs__event_user){me, svs__event_next_sent, fill, release,
                                                      svs__event_on_wake, svs__event_on_open},
                                   &graph);
    if (status == SVS_OK) *made = me;
    return status;
}

/* ---- calls in a run ---- */

svs_status svs_simulation_start(svs_simulation *me, svs_counter *done) {
    const svs_ranks *ranks = me == NULL ? NULL : me->graph->ranks;
    if (me == NULL || done == NULL)
        return refuse(ranks, SVS_E_NULL,
                      "svs_simulation_start: simulation or done is NULL: pass both");
    if (!svs_ranks_in_run(ranks))
        return refuse(ranks, SVS_E_OUTSIDE,
                      "svs_simulation_start: there is no run: call it in a fiber");
    if (me->started)
        return refuse(ranks, SVS_E_STATE,
                      "svs_simulation_start: the simulation was started before: make another one");
    me->started = true;
    me->done = done;
    if (me->node_count == 0) svs_counter_add(me->graph->ranks, done, 1);
    if (me->node_count == 0) return SVS_OK;
    return svs__event_start_steps(me) == SVS_OK ? SVS_WAIT : SVS_E_NO_MEMORY;
}

uint32_t svs_simulation_inputs(const svs_simulation *me) {
    return me == NULL || me->current == SVS__EVENT_NONE ? 0 : me->inputs.count;
}

const void *svs_simulation_input(const svs_simulation *me, uint32_t which) {
    return which < svs_simulation_inputs(me) ? me->seen[which] : NULL;
}

const void *svs_simulation_next_input(const svs_simulation *me, uint32_t *which) {
    uint32_t count = svs_simulation_inputs(me), word;
    uint64_t marks;
    if (which == NULL || *which >= count) return NULL;
    word = *which / 64;
    marks = me->marks[word] >> *which % 64 << *which % 64;
    while (marks == 0) {
        if (++word * 64 >= count) return NULL;
        marks = me->marks[word];
    }
    *which = word * 64 + (uint32_t)__builtin_ctzll(marks);
    return me->seen[*which];
}

/* Checks a call in a step. */
static svs_status check(const svs_simulation *me, const void *other, const char *why) {
    if (me == NULL || other == NULL)
        return refuse(
            me == NULL ? NULL : me->graph->ranks, SVS_E_NULL,
            "svs_simulation_send or svs_simulation_wake: simulation or event is NULL: pass both");
    return me->current != SVS__EVENT_NONE ? SVS_OK : refuse(me->graph->ranks, SVS_E_STATE, why);
}

svs_status svs_simulation_send(svs_simulation *me, const void *event) {
    svs_status status =
        check(me, event, "svs_simulation_send: no step is in progress: send in the body of a node");
    int64_t time;
    if (status != SVS_OK) return status;
    if (me->sent)
        return refuse(
            me->graph->ranks, SVS_E_STATE,
            "svs_simulation_send: the step has sent an event already: send one in each step");
    time = svs__event_time(event);
    if (time < me->now + me->nodes[me->current].lookahead ||
        time < me->graph->nodes[me->current].promised)
        return refuse(me->graph->ranks, SVS_E_INVALID,
                      "svs_simulation_send: the event's time is before the step plus the "
                      "lookahead, or not after the node's last event: send a later one");
    if (time > me->options.end) return SVS_OK;
    svs__event_copy(me->event, event, me->graph->options.event_bytes);
    me->sent = true;
    return SVS_OK;
}

svs_status svs_simulation_wake(svs_simulation *me, int64_t time) {
    svs_status status =
        check(me, me, "svs_simulation_wake: no step is in progress: call it in the body of a node");
    if (status != SVS_OK) return status;
    if (time <= me->now)
        return refuse(me->graph->ranks, SVS_E_INVALID,
                      "svs_simulation_wake: the time is not after the step: pass a later one");
    me->nodes[me->current].wake = time;
    return SVS_OK;
}

svs_event_graph *svs_simulation_graph(const svs_simulation *me) {
    return me == NULL ? NULL : me->graph;
}

uint64_t svs_simulation_steps(const svs_simulation *me) { return me == NULL ? 0 : me->steps; }
