/* Simulations: random graphs with cycles, random lookaheads and few places. What each node has
 * seen at the end equals what a serial simulator computes, for each number of ranks and each cure
 * of deadlock. */
#include "base/random.h"
#include "ranks/program.h"
#include <svs/ranks/simulation.h>

enum { NODES = 6, EDGES = 12, END = 60, KEPT = 8 };

typedef struct event {
    int64_t time;
    uint64_t value;
} event;

typedef struct net {
    svs_event_edge edge[EDGES];
    uint32_t nodes, edges;
    int64_t lookahead[NODES], first[NODES];
    uint32_t spread; /* events are sent up to so much later than the lookahead, plus 1 */
    uint32_t choosy; /* nodes take three of four events, in a quarter of the nets */
} net;

typedef struct seen {
    uint64_t result;
    uint32_t steps;
} seen;

typedef struct own {
    uint64_t seed;
    int wrong;
    uint32_t cures;
    net net;
    svs_simulation *simulation;
    svs_counter done;
    seen seen[NODES];
    int64_t last[NODES];
} own;

static own *own_of(svs_ranks *ranks) { return svs_ranks_data(ranks); }

static uint64_t mix(uint64_t one, uint64_t other) {
    uint64_t mixed = (one ^ other) * 0x9e3779b97f4a7c15u + 1;
    return mixed ^ mixed >> 31;
}

static void draw(net *made, uint64_t seed, bool equal) {
    svs__random random;
    svs__random_seed(&random, seed);
    made->nodes = 2 + svs__random_below(&random, NODES - 1);
    made->edges = 1 + svs__random_below(&random, EDGES);
    made->spread = equal ? 1 : 5;
    made->choosy = seed % 4 == 1;
    for (uint32_t i = 0; i < made->edges; i++)
        made->edge[i] = (svs_event_edge){svs__random_below(&random, made->nodes),
                                         svs__random_below(&random, made->nodes),
                                         1 + (seed % 3 == 0) * svs__random_below(&random, 4)};
    for (uint32_t i = 0; i < made->nodes; i++) {
        made->lookahead[i] = equal ? 1 : 1 + svs__random_below(&random, 9);
        made->first[i] = svs__random_below(&random, 3) == 0 ? SVS_EVENT_TIME_MAX
                                                            : svs__random_below(&random, 20);
    }
}

/* What a node does at a time, given a digest of its inputs. @return the time of what it sends; 0:
 * nothing. */
static int64_t decide(const net *of, uint32_t node, int64_t time, seen *me, uint64_t inputs,
                      int64_t last_sent, int64_t *wake) {
    int64_t sent = 0;
    me->result = mix(mix(me->result, inputs), (uint64_t)time);
    me->steps++;
    *wake = me->result % 4 == 0 ? time + 1 + (int64_t)(me->result / 4 % 20) : SVS_EVENT_TIME_MAX;
    if (me->result / 128 % 8 < 3)
        sent = time + of->lookahead[node] + (int64_t)(me->result / 1024 % of->spread);
    return sent > last_sent ? sent : 0;
}

static bool does_take(const net *of, uint32_t node, const event *one) {
    return !of->choosy || (one->value >> 20 ^ node) % 4 != 0;
}

/* ---- on ranks ---- */

static svs_status body(svs_simulation *simulation, uint32_t node, int64_t time, void *argument) {
    own *mine = argument;
    uint64_t inputs = 0;
    uint32_t next = 0;
    int64_t wake, sent;
    svs_status status;
    for (uint32_t i = 0; i < svs_simulation_inputs(simulation); i++) {
        const event *in = svs_simulation_input(simulation, i);
        const event *found = svs_simulation_next_input(simulation, &next);
        CHECK(mine, in == (next == i ? found : NULL));
        if (in == NULL) continue;
        next++;
        CHECK(mine, in->time == time); /* structures.M2 */
        CHECK(mine, does_take(&mine->net, node, in));
        inputs = mix(inputs + i, in->value);
    }
    sent = decide(&mine->net, node, time, &mine->seen[node], inputs, mine->last[node], &wake);
    status = svs_simulation_wake(simulation, wake);
    if (sent != 0 && status == SVS_OK) {
        event one = {sent, mine->seen[node].result};
        status = svs_simulation_send(simulation, &one);
        mine->last[node] = sent;
    }
    return status;
}

static int64_t first(uint32_t node, void *argument) { return ((own *)argument)->net.first[node]; }
static int64_t lookahead(uint32_t node, void *argument) {
    return ((own *)argument)->net.lookahead[node];
}
static int takes(uint32_t node, const void *one, void *argument) {
    return does_take(&((own *)argument)->net, node, one);
}
static uint32_t place(uint32_t node, uint32_t ranks, void *argument) {
    return (uint32_t)(mix(((own *)argument)->seed, node) % ranks);
}

static svs_status make(svs_ranks *ranks, uint32_t cures) {
    own *mine = own_of(ranks);
    svs_simulation_options options;
    svs_simulation_options_init(&options);
    options.graph.name = "net";
    options.graph.nodes = mine->net.nodes;
    options.graph.edges = mine->net.edge;
    options.graph.edge_count = mine->net.edges;
    options.graph.event_bytes = sizeof(event);
    options.graph.place = place;
    options.graph.argument = mine;
    options.graph.cures = cures;
    options.graph.deadlock_file = NULL;
    options.graph.dispatch = mine->seed % 2 ? SVS_DISPATCH_FIFO : SVS_DISPATCH_IN_PLACE;
    options.body = body;
    options.argument = mine;
    options.first = first;
    options.lookahead = lookahead;
    if (mine->net.choosy) options.takes = takes;
    options.end = END;
    return svs_simulation_new(ranks, &options, &mine->simulation);
}

static svs_status prepare_cured(svs_ranks *ranks, uint32_t cures, bool equal) {
    own *mine = own_of(ranks);
    draw(&mine->net, mine->seed, equal);
    return make(ranks, cures);
}

/* Two nodes that wait for each other, and for one that has nothing to do. */
static svs_status prepare_uncured(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    mine->net = (net){.edge = {{0, 1, 0}, {1, 2, 0}, {2, 1, 0}},
                      .nodes = 3,
                      .edges = 3,
                      .lookahead = {1, 1, 1},
                      .first = {SVS_EVENT_TIME_MAX, SVS_EVENT_TIME_MAX, 5},
                      .spread = 1};
    return make(ranks, 0);
}

static svs_status prepare_all(svs_ranks *ranks) { return prepare_cured(ranks, 7, false); }
static svs_status prepare_nulls(svs_ranks *ranks) {
    return prepare_cured(ranks, SVS_EVENT_NULLS | SVS_EVENT_GROWTH, false);
}
static svs_status prepare_recovery(svs_ranks *ranks) {
    return prepare_cured(ranks, SVS_EVENT_RECOVERY | SVS_EVENT_GROWTH, false);
}
static svs_status prepare_unit_nulls(svs_ranks *ranks) {
    return prepare_cured(ranks, SVS_EVENT_NULLS, true);
}
static svs_status prepare_unit_recovery(svs_ranks *ranks) {
    return prepare_cured(ranks, SVS_EVENT_RECOVERY, true);
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_status status = svs_simulation_start(mine->simulation, &mine->done);
    (void)state;
    return status == SVS_WAIT ? SVS_OK : status;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank;
    options->aggregate_bytes = seed % 3 * 150;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->deadlock_file = NULL;
}

/* ---- serial ---- */

typedef struct queue {
    event of[256];
    uint32_t begin, end;
} queue;

static int64_t next_time(const net *of, uint32_t node, const queue *queues, const int64_t *wake) {
    int64_t next = wake[node];
    for (uint32_t i = 0; i < of->edges; i++)
        if (of->edge[i].to == node && queues[i].begin != queues[i].end &&
            queues[i].of[queues[i].begin].time < next)
            next = queues[i].of[queues[i].begin].time;
    return next;
}

static void step_serial(const net *of, uint32_t node, int64_t time, queue *queues, int64_t *wake,
                        int64_t *last, seen *all) {
    uint64_t inputs = 0;
    uint32_t which = 0;
    event one;
    int64_t sent;
    for (uint32_t i = 0; i < of->edges; i++) {
        queue *in = &queues[i];
        if (of->edge[i].to != node) continue;
        if (in->begin != in->end && in->of[in->begin].time == time)
            inputs = mix(inputs + which, in->of[in->begin++].value);
        which++;
    }
    sent = decide(of, node, time, &all[node], inputs, last[node], &wake[node]);
    if (sent == 0) return;
    last[node] = sent;
    one = (event){sent, all[node].result};
    for (uint32_t i = 0; i < of->edges && sent <= END; i++)
        if (of->edge[i].from == node && does_take(of, of->edge[i].to, &one))
            queues[i].of[queues[i].end++ % 256] = one;
}

static void run_serial(const net *of, seen *all) {
    queue *queues = calloc(EDGES, sizeof *queues);
    int64_t wake[NODES], last[NODES] = {0};
    assert_non_null(queues);
    memcpy(wake, of->first, sizeof wake);
    for (;;) {
        uint32_t least = 0;
        int64_t time = INT64_MAX;
        for (uint32_t i = 0; i < of->nodes; i++) {
            int64_t next = next_time(of, i, queues, wake);
            if (next < time) {
                time = next;
                least = i;
            }
        }
        if (time > END) break;
        step_serial(of, least, time, queues, wake, last, all);
    }
    free(queues);
}

static const char *check(program_run *run) {
    seen serial[NODES];
    const own *one = program_data(run, 0);
    memset(serial, 0, sizeof serial);
    run_serial(&one->net, serial);
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        if (wrong) return wrong;
        if (mine->done.value != 1) return "a simulation has not come to its end (structures.E5)";
        for (uint32_t node = 0; node < one->net.nodes; node++)
            if (mix(one->seed, node) % run->program->ranks == i &&
                memcmp(&mine->seen[node], &serial[node], sizeof(seen)) != 0)
                return "a node has seen something else than in the serial run (structures.E4)";
    }
    return NULL;
}

#define NET(name_, n, prepare_)                                                                    \
    PROGRAM(name_, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,              \
            .prepare = prepare_, .start = start, .check = check)
NET(all_1, 1, prepare_all);
NET(all_3, 3, prepare_all);
NET(nulls_3, 3, prepare_nulls);
NET(recovery_2, 2, prepare_recovery);
NET(unit_nulls_3, 3, prepare_unit_nulls);
NET(unit_recovery_2, 2, prepare_unit_recovery);

TEST_CASE(simulations_equal_the_serial_one) {
    program_sim(&all_1, 2000);
    program_sim(&all_3, 4000);
    program_local(&all_3, 20);
}

TEST_CASE(null_messages_or_recovery_and_growth_suffice) {
    program_sim(&nulls_3, 3000);
    program_sim(&recovery_2, 1000);
}

/* As in a circuit: all events are sent one unit after their step (ranks/docs/event-graph.md). */
TEST_CASE(with_equal_delays_no_edge_has_to_grow) {
    program_sim(&unit_nulls_3, 3000);
    program_sim(&unit_recovery_2, 1000);
}

PROGRAM(uncured_1, .ranks = 1, .bytes = sizeof(own), .seeded = true, .prepare = prepare_uncured,
        .start = start, .status = SVS_E_DEADLOCK,
        .text = "node 1 waits for an event on edge 2 (node 2 -> node 1)");
PROGRAM(uncured_3, .ranks = 3, .bytes = sizeof(own), .seeded = true, .options = vary,
        .prepare = prepare_uncured, .start = start, .status = SVS_E_DEADLOCK,
        .text = "node 1 waits for an event on edge 2 (node 2 -> node 1)");

TEST_CASE(without_a_cure_a_cycle_is_named_also_where_nodes_have_ended) {
    program_sim(&uncured_1, 100);
    program_sim(&uncured_3, 300);
}

/* What survivors have said that they waited for. */
enum { EVENTS, PLACES, A_CURE, SAID };
static bool said[SAID];

static void look(program_run *run) {
    static const char *const texts[SAID] = {"waits in structure net.events: node ",
                                            "for a place on an edge to rank ", "; in a recovery"};
    for (uint32_t i = 0; i < run->program->ranks; i++)
        for (uint32_t k = 0; k < SAID; k++)
            if (i != run->killed && run->result[i].status == SVS_E_RANK)
                said[k] = said[k] || strstr(run->result[i].text, texts[k]) != NULL;
}

PROGRAM(dying_2, .ranks = 2, .bytes = sizeof(own), .seeded = true, .options = vary,
        .prepare = prepare_recovery, .start = start, .look = look);

TEST_CASE(survivors_of_a_simulation_agree_and_say_what_they_waited_for) {
    memset(said, 0, sizeof said);
    program_kill(&dying_2, 37);     /* also in a freeze of the background */
    if (program_scaled(100) == 100) /* few deaths do not meet all waits */
        assert_true(said[EVENTS] && said[PLACES] && said[A_CURE]);
    program_kill(&all_3, 37);
    program_exhaust(&all_3, 11);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
