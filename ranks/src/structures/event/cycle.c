/* Freezes, of the program and of the detection of deadlock. Rank 0 begins them one after the other,
 * so that all ranks run the same freezes in the same order.
 *
 *     open --begin--> freezing --snapshot--> frozen --program's unfreeze, or cure--> open
 *
 * The program's freeze begins when all ranks have called it. After `begin`, nodes of this rank
 * neither send nor remove, and records in flight still arrive. */
#include "structures/event/event.h"

typedef struct survey { /* facts about a rank; a reduction takes the least of each over all ranks */
    int64_t next;       /* time of the earliest next event of a node; INT64_MAX without recovery */
    int64_t clock;      /* the earliest clock of an empty edge whose node waits for events */
    int64_t due;        /* number of waits that will be over when the graph is open, negated */
} survey;

typedef struct cycle { /* state of a thread without a stack, one on each rank */
    svs_thread thread;
    svs_event_graph *graph;
    int64_t steps; /* value of freezer.steps that it waits for */
    survey mine, all;
} cycle;

svs_status svs__event_say(svs_event_graph *graph, uint32_t to, svs__event_message message) {
    message.from = graph->index;
    if (to != graph->index)
        return svs__event_post(graph, to, SVS__EVENT_HANDLE_MESSAGE, &message, sizeof message);
    svs__event_take_messages(graph->ranks, graph, &message, 1);
    return SVS_OK;
}

/* ---- rank 0 ---- */

void svs__event_begin_freeze(svs_event_graph *graph, bool background) {
    svs__event_message begin = {.word = SVS__EVENT_BEGIN, .a = background};
    svs_status status = SVS_OK;
    if (graph->freezer.running) return;
    if (graph->freezer.votes == graph->count) { /* a freeze of the program comes first */
        graph->freezer.votes = 0;
        begin.a = 0;
    } else if (!background) return;
    graph->freezer.running = true;
    graph->freezer.overs = 0;
    for (uint32_t i = graph->count; i-- != 0 && status == SVS_OK;)
        status = svs__event_say(graph, i, begin);
    if (status == SVS_E_NO_MEMORY) svs__event_no_memory(graph);
}

static void hear_over(svs_event_graph *graph) {
    if (++graph->freezer.overs != graph->count) return;
    graph->freezer.running = false;
    svs__event_begin_freeze(graph, false);
}

/* ---- the cure of a timed graph: clocks are raised to the earliest time of a next event ---- */

static void least_of(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (((const int64_t *)from)[i] < ((int64_t *)into)[i])
            ((int64_t *)into)[i] = ((const int64_t *)from)[i];
}

static int64_t least_next(svs_event_graph *graph) {
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        int64_t next = graph->user.next(graph, graph->nodes[i].number, graph->user.argument);
        if (next < least) least = next;
    }
    return least;
}

/* The earliest clock whose rise can end a wait: of an empty edge whose node waits. */
static int64_t least_clock(const svs_event_graph *graph) {
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < graph->edge_total; i++) {
        const svs__event_edge *edge = &graph->edges[i];
        const svs__event_node *node = &graph->nodes[edge->node];
        bool waits = node->hooked || node->reader != NULL;
        if (!waits || svs__event_held(graph, edge) != 0) continue;
        if (graph->ins[edge->stream].clock < least) least = graph->ins[edge->stream].clock;
    }
    return least;
}

static void raise_clocks(svs_event_graph *graph, int64_t time) {
    for (uint32_t i = 0; i < graph->in_count; i++)
        if (graph->ins[i].clock < time) svs__event_raise(graph, i, time);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].promised < time) graph->nodes[i].promised = time;
    /* the targets have raised their clocks as well, and need no null message */
    for (uint32_t i = 0; i < graph->out_count; i++)
        if (graph->nodes[graph->outs[i].node].promised <= time) graph->outs[i].behind = 0;
}

/* The number of waits that will be over when the graph is open. */
static int64_t count_due(const svs_event_graph *graph) {
    int64_t due = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const svs__event_node *node = &graph->nodes[i];
        due += node->due || (node->reader != NULL && node->awaited == SVS_EVENT_OPEN);
        due += (node->writer != NULL || node->hooked_space) && svs__event_has_space(graph, node);
    }
    return due;
}

/* ---- for the cure of a graph without time: all waits, for rank 0 ---- */

static svs_status tell_state(svs_event_graph *graph, const svs__event_node *node,
                             svs__event_state state, int64_t next) {
    return svs__event_say(
        graph, 0,
        (svs__event_message){
            .word = SVS__EVENT_WAITER, .a = node->number, .b = (int64_t)state, .c = next});
}

static svs_status tell_inputs(svs_event_graph *graph, const svs__event_node *node) {
    bool any = !node->hooked && node->awaited == SVS_EVENT_ANY_EDGE;
    svs_status status = tell_state(graph, node, SVS__EVENT_WAITS_FOR_EVENTS, 0);
    for (uint32_t i = node->first_input; i < node[1].first_input && status == SVS_OK; i++) {
        const svs__event_edge *edge = &graph->edges[graph->inputs[i]];
        if (!any && svs__event_held(graph, edge) != 0) continue;
        status = svs__event_say(
            graph, 0,
            (svs__event_message){.word = SVS__EVENT_EMPTY,
                                 .a = node->number,
                                 .b = graph->ins[edge->stream].source,
                                 .c = svs__event_index_number(&graph->edge_index, graph->inputs[i]),
                                 .d = svs__event_held(graph, edge)});
    }
    return status;
}

static svs_status tell_full(svs_event_graph *graph) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < graph->edge_total && status == SVS_OK; i++) {
        const svs__event_edge *edge = &graph->edges[i];
        if (svs__event_held(graph, edge) != svs__event_capacity(graph, i)) continue;
        status =
            svs__event_say(graph, 0,
                           (svs__event_message){.word = SVS__EVENT_FULL,
                                                .a = graph->ins[edge->stream].source,
                                                .b = graph->nodes[edge->node].number,
                                                .c = svs__event_index_number(&graph->edge_index, i),
                                                .d = svs__event_capacity(graph, i)});
    }
    return status;
}

static svs_status tell_writer(svs_event_graph *graph, const svs__event_node *node) {
    int64_t next = 0;
    if (svs__event_recovers(graph))
        next = graph->user.next(graph, node->number, graph->user.argument);
    return tell_state(graph, node, SVS__EVENT_WAITS_FOR_PLACES, next);
}

/* Whether a node of a simulation makes no more steps, if no cure is on that tells its targets
 * so. */
static bool has_ended(svs_event_graph *graph, const svs__event_node *node) {
    if (graph->user.wake == NULL || svs__event_is_waiting(node)) return false;
    if ((graph->options.cures & (SVS_EVENT_NULLS | SVS_EVENT_RECOVERY)) != 0) return false;
    return graph->user.next(graph, node->number, graph->user.argument) == INT64_MAX;
}

static svs_status tell_waits(svs_event_graph *graph) {
    svs_status status = tell_full(graph);
    for (uint32_t i = 0; i < graph->node_count && status == SVS_OK; i++) {
        const svs__event_node *node = &graph->nodes[i];
        if (node->reader != NULL || node->hooked) status = tell_inputs(graph, node);
        if (status == SVS_OK && (node->writer != NULL || node->hooked_space))
            status = tell_writer(graph, node);
        if (status == SVS_OK && has_ended(graph, node))
            status = tell_state(graph, node, SVS__EVENT_HAS_ENDED, 0);
    }
    if (status != SVS_OK) return status;
    return svs__event_say(graph, 0, (svs__event_message){.word = SVS__EVENT_LISTED});
}

static void hear_verdict(svs_event_graph *graph, const svs__event_message *message) {
    graph->freezer.grows = (uint32_t)message->a;
    graph->freezer.enters = (uint32_t)message->b;
    svs_counter_add(graph->ranks, &graph->freezer.verdicts, 1);
}

/* Called when rank 0 has all waits: chooses a cure, and tells all ranks. */
static void judge(svs_event_graph *graph) {
    uint32_t enters = SVS__EVENT_NONE, edge = svs__event_judge_waits(graph, &enters);
    svs_status status = SVS_OK;
    if (edge == SVS__EVENT_NONE) graph->counts.alarms++;
    for (uint32_t i = 0; i < graph->count && status == SVS_OK; i++)
        status = svs__event_say(
            graph, i, (svs__event_message){.word = SVS__EVENT_VERDICT, .a = edge, .b = enters});
    if (status == SVS_E_NO_MEMORY) svs__event_no_memory(graph);
}

/* ---- the thread ---- */

/* Makes the survey of all ranks: whether waits will be over anyway, or when clocks are raised. */
static svs_status look_at_all(cycle *me) {
    svs_event_graph *graph = me->graph;
    svs_status status;
    me->mine = (survey){.next = INT64_MAX, .clock = INT64_MAX, .due = -count_due(graph)};
    if (svs__event_recovers(graph)) {
        me->mine.next = least_next(graph);
        me->mine.clock = least_clock(graph);
    }
    me->steps++;
    status = svs_reduce(svs_structure_object(graph->structure), least_of, &me->mine, &me->all,
                        sizeof(int64_t), sizeof(survey) / sizeof(int64_t), &graph->freezer.steps);
    return status == SVS_WAIT ? SVS_OK : status;
}

static bool is_fruitful(const survey *all) { return all->due != 0 || all->clock < all->next; }

/* Raises the clocks of this rank, as the survey has shown. */
static void recover(cycle *me) {
    svs_event_graph *graph = me->graph;
    if (!svs__event_recovers(graph)) return;
    raise_clocks(graph, me->all.next);
    SVS__ASSERT(me->mine.clock >= me->all.next || count_due(graph) != 0); /* structures.E5 */
    graph->counts.recoveries += graph->index == 0 && is_fruitful(&me->all);
}

static svs_status freeze(cycle *me) {
    svs_status status = svs_snapshot_freeze(me->graph->snapshot, &me->graph->freezer.steps);
    me->steps++;
    return status == SVS_WAIT ? SVS_OK : status;
}

static svs_status unfreeze(cycle *me) {
    svs_status status = svs_snapshot_unfreeze(me->graph->snapshot, &me->graph->freezer.steps);
    me->steps++;
    return status == SVS_WAIT ? SVS_OK : status;
}

static void grow_edge(svs_event_graph *graph) {
    uint32_t edge = graph->freezer.grows;
    if (edge == SVS__EVENT_NONE || !svs__event_index_has(&graph->edge_index, edge)) return;
    svs__event_grow(graph, svs__event_index_at(&graph->edge_index, edge));
}

/* Opens the graph on this rank. */
static svs_status open_again(cycle *me) {
    svs_event_graph *graph = me->graph;
    svs__event_freezer *freezer = &graph->freezer;
    bool own = freezer->own;
    freezer->phase = SVS__EVENT_IS_OPEN;
    if (own) {
        grow_edge(graph);
        svs__event_judged(graph, is_fruitful(&me->all) || freezer->grows != SVS__EVENT_NONE);
    } else {
        svs_counter *done = freezer->done;
        freezer->voted = false;
        freezer->done = NULL;
        svs_counter_add(graph->ranks, done, 1);
        svs__event_stir(graph);
    }
    svs__event_tell_all(graph);
    if (graph->user.open != NULL) graph->user.open(graph->user.argument);
    return svs__event_say(graph, 0, (svs__event_message){.word = SVS__EVENT_OVER});
}

static svs_status run_cycle(svs_ranks *ranks, void *state) {
    cycle *me = state;
    svs_event_graph *graph = me->graph;
    svs__event_freezer *freezer = &graph->freezer;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    if ((status = freeze(me)) != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &freezer->steps, me->steps);
    freezer->phase = SVS__EVENT_FROZEN;
    if (!freezer->own) {
        graph->counts.freezes++;
        svs_counter_add(ranks, freezer->frozen, 1);
        SVS_AWAIT(ranks, me, &freezer->released, 1);
        freezer->released.value = 0;
    } else {
        if ((status = look_at_all(me)) != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &freezer->steps, me->steps);
        recover(me);
        if (!is_fruitful(&me->all)) {
            if ((status = tell_waits(graph)) != SVS_OK) return status;
            SVS_AWAIT(ranks, me, &freezer->verdicts, 1);
            freezer->verdicts.value = 0;
        }
    }
    if ((status = unfreeze(me)) != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &freezer->steps, me->steps);
    return open_again(me);
    SVS_THREAD_END;
}

static void hear_begin(svs_event_graph *graph, bool own) {
    cycle state = {.graph = graph};
    svs_fiber fiber;
    svs_status status;
    if (!svs__event_is_open(graph) || (!own && !graph->freezer.voted)) {
        svs__event_malformed(graph, "a freeze begins in another one");
        return;
    }
    graph->freezer.phase = SVS__EVENT_FREEZING;
    graph->freezer.own = own;
    graph->freezer.grows = SVS__EVENT_NONE;
    svs_counter_init(&graph->freezer.steps, 0);
    status = svs_fiber_new(graph->ranks, run_cycle, &state, sizeof state, NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(graph->ranks, fiber);
    if (status == SVS_E_NO_MEMORY) svs__event_no_memory(graph);
}

void svs__event_hear_cycle(svs_event_graph *graph, const svs__event_message *message) {
    switch (message->word) {
    case SVS__EVENT_VOTE:
        graph->freezer.votes++;
        svs__event_begin_freeze(graph, false);
        break;
    case SVS__EVENT_BEGIN: hear_begin(graph, message->a != 0); break;
    case SVS__EVENT_VERDICT: hear_verdict(graph, message); break;
    case SVS__EVENT_OVER: hear_over(graph); break;
    case SVS__EVENT_LISTED:
        if (++graph->analysis.lists == graph->count) judge(graph);
        break;
    default: svs__event_malformed(graph, "a message of an unknown kind"); break;
    }
}

void svs__event_take_messages(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_event_graph *graph = part;
    const svs__event_message *all = records;
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) {
        svs__event_word word = all[i].word;
        if (word <= SVS__EVENT_ANSWER) svs__event_hear_idle(graph, &all[i]);
        else if (word == SVS__EVENT_WAITER || word == SVS__EVENT_EMPTY || word == SVS__EVENT_FULL)
            svs__event_hear_wait(graph, &all[i]);
        else svs__event_hear_cycle(graph, &all[i]);
    }
}
