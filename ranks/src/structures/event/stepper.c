/* The steps of a conservative simulation (svs/ranks/simulation.h).
 *
 *     waits --event, raised clock, place--> ready --steps--> promises --> waits
 *
 * A fiber, the runner, steps the nodes that are ready. A node steps until an empty input holds it
 * up, or an output has no place. Its promise is sent only when no node is ready, once for many
 * steps.
 *
 * The network is served between slices of the runner. During a slice, other ranks do not get what
 * this rank has sent, and their events wake no node here. So a slice has a budget of steps, which
 * is adapted to the time that a step takes: a few steps of large subcircuits, or hundreds of gates.
 * A node that has used up the budget goes to the end of the ring.
 *
 *   structures.M1  The steps of a node have rising times.
 *   structures.M2  A step sees all events of its time, and removes them before its own is sent: a
 *                  node that waits for a place does not keep places of its inputs
 *                  (ranks/docs/event-graph.md says why this is needed).
 *   structures.M3  A node sends nothing before what it has promised. */
#include "structures/event/stepper.h"
#include <svs/ranks/observe.h>

#define NODES_PER_SLICE 64u
#define SLICE_NS 8000u
#define SLICE_STEPS_MOST 1024u
#define SLICE_STEPS_FIRST 16u

/* ---- rings ---- */

static void put(const svs_simulation *me, svs__event_ring *to, uint32_t local) {
    uint32_t size = me->graph->node_count, at = to->first + to->count;
    to->of[at >= size ? at - size : at] = local;
    to->count++;
}

static uint32_t take(const svs_simulation *me, svs__event_ring *from) {
    uint32_t local = from->of[from->first];
    if (++from->first == me->graph->node_count) from->first = 0;
    from->count--;
    return local;
}

/* ---- what a node may do next ---- */

static int64_t later(int64_t time, int64_t by) {
    return time > INT64_MAX - by ? INT64_MAX : time + by;
}

/* The time of the node's first event or wake that is known on this rank. */
static int64_t next_here(const svs_simulation *me, uint32_t local) {
    svs__event_inputs inputs = svs__event_inputs_of(me, local);
    int64_t next = me->nodes[local].wake;
    for (uint32_t i = 0; i < inputs.count; i++) {
        const void *event = svs__event_first(&inputs, i);
        if (event != NULL && svs__event_time(event) < next) next = svs__event_time(event);
    }
    return next;
}

/* Used by recovery: the earliest time of an event that the node may send in its present state. */
int64_t svs__event_next_sent(svs_event_graph *graph, uint32_t number, void *argument) {
    const svs_simulation *me = argument;
    uint32_t local = svs__event_index_at(&graph->node_index, number);
    const svs__event_stepper *one = &me->nodes[local];
    if (one->ended || !me->started) return me->started ? INT64_MAX : 0;
    if (one->pending) return svs__event_time(svs__event_pending(me, local));
    return later(next_here(me, local), one->lookahead);
}

/* ---- steps ---- */

void svs__event_skip(const svs__event_inputs *me, uint32_t input) {
    const svs_simulation_options *options = me->options;
    const void *event = svs__event_first(me, input);
    while (event != NULL && !options->takes(me->node, event, options->argument)) {
        svs__event_remove(me->graph, me->edges[input], 1);
        event = svs__event_first(me, input);
    }
}

static void end_node(svs_simulation *me, uint32_t local) {
    svs_counter *done = me->done;
    me->nodes[local].ended = 1;
    if (--me->left != 0) return;
    me->done = NULL;
    svs_counter_add(me->graph->ranks, done, 1);
}

/* Notes that an input has an event of the step's time. */
static void find_event(svs_simulation *me, uint32_t which) {
    me->seen[which] = svs__event_first(&me->inputs, which);
    me->marks[which / 64] |= UINT64_C(1) << which % 64;
    me->found[me->found_count++] = which;
}

/* Finds these inputs in the part of the heap whose entries are not later than the step. */
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

/* Removes the events of the step, whose entries in the heap are out of date afterwards. */
static void remove_events(svs_simulation *me) {
    for (uint32_t i = 0; i < me->found_count; i++) {
        uint32_t which = me->found[i];
        me->seen[which] = NULL;
        me->marks[which / 64] = 0;
        svs__event_remove(me->graph, me->inputs.edges[which], 1);
    }
}

/* ---- sends ---- */

/* Whether the node has removed the events of its last step. */
static bool has_removed(const svs_simulation *me, uint32_t local) {
    return next_here(me, local) > me->nodes[local].last;
}

static svs_status send(svs_simulation *me, uint32_t local, const void *event) {
    SVS__ASSERT(has_removed(me, local));                                     /* structures.M2 */
    SVS__ASSERT(svs__event_time(event) >= me->graph->nodes[local].promised); /* structures.M3 */
    return svs__event_send(me->graph, local, event);
}

/* Sends the event of the step, or keeps it until there is a place. */
static svs_status send_or_keep(svs_simulation *me, uint32_t local) {
    if (svs__event_has_space(me->graph, &me->graph->nodes[local]))
        return send(me, local, me->event);
    memcpy(svs__event_pending(me, local), me->event, me->graph->kept_bytes);
    me->nodes[local].pending = 1;
    return SVS_OK;
}

/* @return SVS_WAIT: there is no place. */
static svs_status send_pending(svs_simulation *me, uint32_t local) {
    if (!svs__event_has_space(me->graph, &me->graph->nodes[local])) return SVS_WAIT;
    me->nodes[local].pending = 0;
    return send(me, local, svs__event_pending(me, local));
}

static svs_status step(svs_simulation *me, uint32_t local, int64_t time) {
    svs__event_stepper *one = &me->nodes[local];
    const svs__event_node *node = &me->graph->nodes[local];
    svs_status status;
    SVS__ASSERT(time > one->last); /* structures.M1 */
    one->last = time;
    if (one->wake <= time) one->wake = INT64_MAX;
    me->current = local;
    me->now = time;
    me->sent = false;
    me->steps++;
    find_events(me, time);
    status = me->options.body(me, node->number, time, me->options.argument);
    me->current = SVS__EVENT_NONE;
    if (status != SVS_OK) return status;
    remove_events(me); /* structures.M2 */
    return me->sent ? send_or_keep(me, local) : SVS_OK;
}

/* Lets a node wait, and lists it for a promise. */
static void stop(svs_simulation *me, uint32_t local, bool space) {
    svs__event_stepper *one = &me->nodes[local];
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
    svs__event_stepper *one = &me->nodes[local];
    me->inputs = svs__event_inputs_of(me, local);
    while (!one->ended) {
        svs__event_entry first;
        svs_status status = one->pending ? send_pending(me, local) : SVS_OK;
        if (status == SVS_WAIT) {
            stop(me, local, true);
            return SVS_OK;
        }
        if (status != SVS_OK) return status;
        first = svs__event_earliest(&me->inputs);
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
    const svs__event_stepper *one = &me->nodes[local];
    svs__event_inputs inputs = svs__event_inputs_of(me, local);
    int64_t next;
    if (one->ended) return SVS_OK;
    if (one->pending)
        return svs__event_promise(me->graph, local, svs__event_time(svs__event_pending(me, local)));
    next = svs__event_earliest(&inputs).time;
    if (one->wake < next) next = one->wake;
    return svs__event_promise(me->graph, local, later(next, one->lookahead));
}

/* ---- the runner ---- */

static bool is_busy(const svs_simulation *me) {
    return me->ready.count != 0 || me->promises.count != 0;
}

/* Lets a node that is ready make steps; if there is none, lets a node promise. */
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

/* Sets the budget of the next slice by the duration of this one. */
static void adapt_budget(svs_simulation *me, uint64_t ns) {
    uint64_t by = me->budget / 8 + 1;
    if (me->graph->count == 1) return; /* no other rank waits for the end of a slice */
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
    /* if it is frozen, svs__event_on_open() continues */
    me->running = is_busy(me) && svs__event_is_open(me->graph);
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

void svs__event_on_wake(void *argument, uint32_t local) {
    svs_simulation *me = argument;
    if (me->nodes[local].ready) return;
    make_ready(me, local);
    if (run(me) != SVS_OK) svs__event_no_memory(me->graph);
}

void svs__event_on_open(void *argument) {
    svs_simulation *me = argument;
    if (is_busy(me) && run(me) != SVS_OK) svs__event_no_memory(me->graph);
}

svs_status svs__event_start_steps(svs_simulation *me) {
    for (uint32_t i = 0; i < me->node_count; i++) make_ready(me, i);
    return run(me);
}

uint64_t svs__event_first_budget(uint32_t ranks) {
    return ranks == 1 ? SLICE_STEPS_MOST : SLICE_STEPS_FIRST;
}
