/* Conservative simulation (svs/ranks/simulation.h).
 *
 *     waits --event, raised clock, place--> ready --steps--> promises --> waits
 *
 * A fiber, the runner, steps the nodes that are ready. A node steps until an empty input holds it
 * up, or an output has no place. What it then could promise is told when no node is ready: so it is
 * told once for many steps.
 *
 * The network is served between slices of the runner. While a slice lasts, other ranks lack what
 * this one has sent, and no event of theirs wakes a node. So a slice has a budget of steps, which
 * follows the time that steps take: a few for large subcircuits, hundreds for gates.
 * A node that has used it up goes to the end of the ring.
 *
 *   structures.M1  The steps of a node have rising times.
 *   structures.M2  A step sees all events of its time, and removes them before its own is sent: a
 *                  node that waits for a place holds none of its inputs' (ranks/docs/event-graph.md
 *                  says what this is needed for).
 *   structures.M3  A node sends nothing before what it has promised. */
#include "base/sized.h"
#include "structures/event/inputs.h"
#include "structures/refuse.h"
#include <svs/ranks/observe.h>
#include <svs/ranks/simulation.h>

#define NODES_PER_SLICE 64u
#define SLICE_NS 8000u
#define SLICE_STEPS_MOST 1024u
#define SLICE_STEPS_FIRST 16u

typedef struct stepper { /* a node */
    int64_t wake, last, lookahead;
    uint8_t pending; /* an event that has no place yet */
    uint8_t ready, promises, ended;
} stepper;

typedef struct ring { /* each node at most once */
    uint32_t *of, first, count;
} ring;

struct svs_simulation {
    svs_event_graph *graph;
    svs_allocator allocator;
    uint32_t node_count;
    svs_simulation_options options;
    stepper *nodes;
    unsigned char *events;     /* pending, of each node */
    svs__event_entry *entries; /* heaps of inputs, in the order of graph->inputs */
    uint32_t inputs_most;      /* of a node */
    /* of the step in progress */
    const void **seen; /* by inputs: the event of its time, or NULL; all NULL between steps */
    uint64_t *marks;   /* a bit for each input that has one */
    uint32_t *found;   /* these inputs, in the order of the heap */
    uint32_t *places;  /* of the heap, that were looked at */
    uint32_t found_count;
    svs__event_inputs inputs;
    void *event; /* what it has sent; in `events`, after those of all nodes */
    ring ready, promises;
    uint64_t budget, slice_end; /* steps of a slice; `steps` at the end of the present one */
    svs_counter *done;
    uint32_t left;    /* nodes that have not ended */
    uint32_t current; /* in a step; SVS__EVENT_NONE */
    int64_t now;
    uint64_t steps;
    bool started, running, sent;
};

/* ---- rings ---- */

static void put(const svs_simulation *me, ring *to, uint32_t local) {
    uint32_t size = me->graph->node_count, at = to->first + to->count;
    to->of[at >= size ? at - size : at] = local;
    to->count++;
}

static uint32_t take(const svs_simulation *me, ring *from) {
    uint32_t local = from->of[from->first];
    if (++from->first == me->graph->node_count) from->first = 0;
    from->count--;
    return local;
}

/* ---- what a node may do next ---- */

static void *event_of(const svs_simulation *me, uint32_t local) {
    return me->events + (size_t)local * me->graph->kept_bytes;
}

static svs__event_inputs inputs_of(const svs_simulation *me, uint32_t local) {
    const svs_event_graph *graph = me->graph;
    uint32_t first = graph->nodes[local].first_input;
    return (svs__event_inputs){graph, graph->inputs + first, me->entries + first,
                               graph->nodes[local + 1].first_input - first};
}

static int64_t later(int64_t time, int64_t by) {
    return time > INT64_MAX - by ? INT64_MAX : time + by;
}

/* The time of the node's first event or wake, of those that are here. */
static int64_t next_here(const svs_simulation *me, uint32_t local) {
    svs__event_inputs inputs = inputs_of(me, local);
    int64_t next = me->nodes[local].wake;
    for (uint32_t i = 0; i < inputs.count; i++) {
        const void *event = svs__event_first(&inputs, i);
        if (event != NULL && svs__event_time(event) < next) next = svs__event_time(event);
    }
    return next;
}

/* For recovery: what the node may send in its present state. */
static int64_t next_sent(svs_event_graph *graph, uint32_t number, void *argument) {
    const svs_simulation *me = argument;
    uint32_t local = svs__event_index_at(&graph->node_index, number);
    const stepper *one = &me->nodes[local];
    if (one->ended || !me->started) return me->started ? INT64_MAX : 0;
    if (one->pending) return svs__event_time(event_of(me, local));
    return later(next_here(me, local), one->lookahead);
}

/* ---- steps ---- */

static void end_node(svs_simulation *me, uint32_t local) {
    svs_counter *done = me->done;
    me->nodes[local].ended = 1;
    if (--me->left != 0) return;
    me->done = NULL;
    svs_counter_add(me->graph->ranks, done, 1);
}

/* An input has an event of the step. */
static void find_event(svs_simulation *me, uint32_t which) {
    me->seen[which] = svs__event_first(&me->inputs, which);
    me->marks[which / 64] |= UINT64_C(1) << which % 64;
    me->found[me->found_count++] = which;
}

/* Finds them in the part of the heap whose entries are not after the step. */
static void find_in_heap(svs_simulation *me, int64_t time) {
    const svs__event_inputs *inputs = &me->inputs;
    uint32_t count = 0;
    if (inputs->heap[0].time <= time) me->places[count++] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = me->places[i];
        svs__event_entry now = svs__event_look(inputs, inputs->heap[at].input);
        for (uint32_t child = 2 * at + 1; child < 2 * at + 3 && child < inputs->count; child++)
            if (inputs->heap[child].time <= time) me->places[count++] = child;
        if (now.full && now.time == time) find_event(me, now.input);
    }
}

static void find_events(svs_simulation *me, int64_t time) {
    const svs__event_inputs *inputs = &me->inputs;
    me->found_count = 0;
    if (!svs__event_are_few(inputs)) {
        find_in_heap(me, time);
        return;
    }
    for (uint32_t i = 0; i < inputs->count; i++)
        if (inputs->heap[i].full && inputs->heap[i].time == time) find_event(me, i);
}

/* The entries of what is removed are old from now on. */
static void remove_events(svs_simulation *me) {
    for (uint32_t i = 0; i < me->found_count; i++) {
        uint32_t which = me->found[i];
        me->seen[which] = NULL;
        me->marks[which / 64] = 0;
        svs__event_remove(me->graph, me->inputs.edges[which], 1);
    }
}

/* ---- sends ---- */

/* Has the node removed what its last step has seen? */
static bool has_removed(const svs_simulation *me, uint32_t local) {
    return next_here(me, local) > me->nodes[local].last;
}

static svs_status send(svs_simulation *me, uint32_t local, const void *event) {
    SVS__ASSERT(has_removed(me, local));                                     /* structures.M2 */
    SVS__ASSERT(svs__event_time(event) >= me->graph->nodes[local].promised); /* structures.M3 */
    return svs__event_send(me->graph, local, event);
}

/* Sends what the step has left, or keeps it until there is a place. */
static svs_status send_or_keep(svs_simulation *me, uint32_t local) {
    if (svs__event_has_space(me->graph, &me->graph->nodes[local]))
        return send(me, local, me->event);
    memcpy(event_of(me, local), me->event, me->graph->kept_bytes);
    me->nodes[local].pending = 1;
    return SVS_OK;
}

/* @return SVS_WAIT: there is no place. */
static svs_status send_pending(svs_simulation *me, uint32_t local) {
    if (!svs__event_has_space(me->graph, &me->graph->nodes[local])) return SVS_WAIT;
    me->nodes[local].pending = 0;
    return send(me, local, event_of(me, local));
}

static svs_status step(svs_simulation *me, uint32_t local, int64_t time) {
    stepper *one = &me->nodes[local];
    const svs__event_node *node = &me->graph->nodes[local];
    svs_status status;
    SVS__ASSERT(time > one->last); /* structures.M1 */
    one->last = time;
    if (one->wake <= time) one->wake = INT64_MAX;
    me->current = local;
    me->now = time;
    me->sent = false;
    me->steps++;
    me->inputs = inputs_of(me, local);
    find_events(me, time);
    status = me->options.body(me, node->number, time, me->options.argument);
    me->current = SVS__EVENT_NONE;
    if (status != SVS_OK) return status;
    remove_events(me); /* structures.M2 */
    return me->sent ? send_or_keep(me, local) : SVS_OK;
}

/* The node waits. What it can promise, it will. */
static void stop(svs_simulation *me, uint32_t local, bool space) {
    stepper *one = &me->nodes[local];
    svs__event_hook(me->graph, local, space);
    if (one->promises || (me->graph->options.cures & SVS_EVENT_NULLS) == 0) return;
    one->promises = 1;
    put(me, &me->promises, local);
}

static void make_ready(svs_simulation *me, uint32_t local) {
    me->nodes[local].ready = 1;
    put(me, &me->ready, local);
}

static svs_status run_node(svs_simulation *me, uint32_t local) {
    stepper *one = &me->nodes[local];
    while (!one->ended) {
        svs__event_inputs inputs = inputs_of(me, local);
        svs__event_entry first;
        svs_status status = one->pending ? send_pending(me, local) : SVS_OK;
        if (status == SVS_WAIT) {
            stop(me, local, true);
            return SVS_OK;
        }
        if (status != SVS_OK) return status;
        first = svs__event_earliest(&inputs);
        if (one->wake > me->options.end && first.time > me->options.end) {
            end_node(me, local);
            return svs__event_promise(me->graph, local, INT64_MAX);
        }
        if (!first.full && first.time <= one->wake) {
            stop(me, local, false);
            return SVS_OK;
        }
        if (me->steps == me->slice_end) {
            make_ready(me, local);
            return SVS_OK;
        }
        status = step(me, local, first.time < one->wake ? first.time : one->wake);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

static svs_status promise(svs_simulation *me, uint32_t local) {
    const stepper *one = &me->nodes[local];
    svs__event_inputs inputs = inputs_of(me, local);
    int64_t next;
    if (one->ended) return SVS_OK;
    if (one->pending)
        return svs__event_promise(me->graph, local, svs__event_time(event_of(me, local)));
    next = svs__event_earliest(&inputs).time;
    if (one->wake < next) next = one->wake;
    return svs__event_promise(me->graph, local, later(next, one->lookahead));
}

/* ---- the runner ---- */

static bool is_busy(const svs_simulation *me) {
    return me->ready.count != 0 || me->promises.count != 0;
}

/* Steps a node that is ready, or else lets one promise. */
static svs_status advance(svs_simulation *me) {
    uint32_t local;
    if (me->ready.count != 0) {
        local = take(me, &me->ready);
        me->nodes[local].ready = 0;
        return run_node(me, local);
    }
    local = take(me, &me->promises);
    me->nodes[local].promises = 0;
    return promise(me, local);
}

/* The budget of the next slice, by the time that this one has taken. */
static void adapt_budget(svs_simulation *me, uint64_t ns) {
    uint64_t by = me->budget / 8 + 1;
    if (me->graph->count == 1) return; /* no other rank lacks anything */
    if (ns > 2 * (uint64_t)SLICE_NS) me->budget -= me->budget > by ? by : 0;
    else if (ns < SLICE_NS && me->steps == me->slice_end && me->budget < SLICE_STEPS_MOST)
        me->budget += by;
}

static svs_status run_slice(svs_simulation *me) {
    uint64_t begin = svs_ranks_now(me->graph->ranks);
    svs_status status = SVS_OK;
    me->slice_end = me->steps + me->budget;
    for (uint32_t i = 0; i < NODES_PER_SLICE && is_busy(me) && me->steps != me->slice_end &&
                         status == SVS_OK && svs__event_is_open(me->graph);
         i++)
        status = advance(me);
    adapt_budget(me, svs_ranks_now(me->graph->ranks) - begin);
    return status;
}

static svs_status run_some(svs_ranks *ranks, void *state) {
    svs_simulation *me = *(svs_simulation **)state;
    svs_fiber rest;
    svs_status status = run_slice(me);
    me->running = is_busy(me) && svs__event_is_open(me->graph); /* or else on_open() goes on */
    if (status != SVS_OK || !me->running) return status;
    status = svs_fiber_continue(ranks, run_some, &rest);
    return status == SVS_OK ? svs_fiber_enable(ranks, rest) : status;
}

static svs_status run(svs_simulation *me) {
    svs_fiber fiber;
    svs_status status;
    if (me->running) return SVS_OK;
    status = svs_fiber_new(me->graph->ranks, run_some, &me, sizeof(svs_simulation *), NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(me->graph->ranks, fiber);
    me->running = status == SVS_OK;
    return status;
}

static void on_wake(void *argument, uint32_t local) {
    svs_simulation *me = argument;
    if (me->nodes[local].ready) return;
    make_ready(me, local);
    if (run(me) != SVS_OK) svs__event_no_memory(me->graph);
}

static void on_open(void *argument) {
    svs_simulation *me = argument;
    if (is_busy(me) && run(me) != SVS_OK) svs__event_no_memory(me->graph);
}

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
    stepper *one = &me->nodes[local];
    svs__event_inputs inputs = inputs_of(me, local);
    *one = (stepper){.wake = INT64_MAX, .last = -1, .lookahead = 1};
    if (me->options.first != NULL) one->wake = me->options.first(number, me->options.argument);
    if (me->options.lookahead != NULL)
        one->lookahead = me->options.lookahead(number, me->options.argument);
    for (uint32_t i = 0; i < inputs.count; i++) inputs.heap[i].input = i; /* all at time 0 */
}

/* What a step needs of the inputs of its node. @return false: no memory. */
static bool make_inputs(svs_simulation *me) {
    const svs_allocator *allocator = &me->allocator;
    for (uint32_t i = 0; i < me->node_count; i++) {
        uint32_t inputs = inputs_of(me, i).count;
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

/* The graph is made. */
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
    me->event = event_of(me, me->node_count);
    for (uint32_t i = 0; i < graph->node_count; i++) fill_node(me, i);
    return true;
}

static const char *fault_of(const svs_simulation_options *options) {
    if (options->body == NULL) return "svs_simulation_new: options.body is NULL: set it";
    if (options->end < 0 || options->end >= SVS_EVENT_TIME_MAX / 2)
        return "svs_simulation_new: options.end is negative, or not below SVS_EVENT_TIME_MAX / 2";
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
    me->budget = svs_ranks_count(ranks) == 1 ? SLICE_STEPS_MOST : SLICE_STEPS_FIRST;
    options.graph.timed = 1;
    status = svs__event_graph_make(
        ranks, &options.graph, &(svs__event_user){me, next_sent, fill, release, on_wake, on_open},
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
                      "svs_simulation_start: it was started before: make another");
    me->started = true;
    me->done = done;
    if (me->node_count == 0) svs_counter_add(me->graph->ranks, done, 1);
    for (uint32_t i = 0; i < me->node_count; i++) make_ready(me, i);
    return me->node_count == 0 ? SVS_OK : run(me) == SVS_OK ? SVS_WAIT : SVS_E_NO_MEMORY;
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

/* Of a call in a step. */
static svs_status check(const svs_simulation *me, const void *other, const char *why) {
    if (me == NULL || other == NULL)
        return refuse(me == NULL ? NULL : me->graph->ranks, SVS_E_NULL,
                      "a step of a simulation: simulation or event is NULL: pass both");
    return me->current != SVS__EVENT_NONE ? SVS_OK : refuse(me->graph->ranks, SVS_E_STATE, why);
}

svs_status svs_simulation_send(svs_simulation *me, const void *event) {
    svs_status status =
        check(me, event, "svs_simulation_send: not in a step: send in the body of a node");
    int64_t time;
    if (status != SVS_OK) return status;
    if (me->sent)
        return refuse(me->graph->ranks, SVS_E_STATE,
                      "svs_simulation_send: a second event of a step: send one, or wake later");
    time = svs__event_time(event);
    if (time < me->now + me->nodes[me->current].lookahead ||
        time < me->graph->nodes[me->current].promised)
        return refuse(me->graph->ranks, SVS_E_INVALID,
                      "svs_simulation_send: its time is before the step and the lookahead, or not "
                      "after the node's last event: times rise");
    if (time > me->options.end) return SVS_OK;
    svs__event_copy(me->event, event, me->graph->options.event_bytes);
    me->sent = true;
    return SVS_OK;
}

svs_status svs_simulation_wake(svs_simulation *me, int64_t time) {
    svs_status status =
        check(me, me, "svs_simulation_wake: not in a step: wake in the body of a node");
    if (status != SVS_OK) return status;
    if (time <= me->now)
        return refuse(me->graph->ranks, SVS_E_INVALID,
                      "svs_simulation_wake: its time is not after the step: times rise");
    me->nodes[me->current].wake = time;
    return SVS_OK;
}

svs_event_graph *svs_simulation_graph(const svs_simulation *me) {
    return me == NULL ? NULL : me->graph;
}

uint64_t svs_simulation_steps(const svs_simulation *me) { return me == NULL ? 0 : me->steps; }
