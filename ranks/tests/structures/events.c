/* Event graphs: random graphs with cycles and few places. Each node is a thread, with a stack or
 * without, that sends and reads as its plan says (event_plan.h); what it has computed at the end
 * does not depend on ranks, places or schedule. Alongside, a thread on each rank freezes the
 * graph. */
#include "ranks/exhaustive.h"
#include "ranks/program.h"
#include "structures/event_plan.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct own {
    uint64_t seed;
    int wrong;
    svs_event_graph *graph;
    plan plan;
    svs_event_statistics counts;
    uint64_t result[PLAN_NODES];
    int64_t sent, removed; /* events on edges, by nodes of this rank */
    uint32_t ended, threads;
    bool frozen, any; /* nodes may wait for any edge */
} own;

typedef struct item {
    uint64_t value, check;
    uint32_t node, number;
} item;

static own *own_of(svs_ranks *ranks) { return svs_ranks_data(ranks); }

/* ---- nodes ---- */

typedef struct actor { /* a thread without a stack, or the state of one with */
    svs_thread thread;
    uint32_t node, at, reads[PLAN_EDGES];
    uint64_t result;
    svs_counter done;
    int64_t waits;
    svs_event_awaited awaited;
} actor;

static svs_event_awaited awaited_of(const own *mine, uint32_t node) {
    return !mine->any || (mine->seed + node) % 2 == 0 ? SVS_EVENT_EMPTY_EDGE : SVS_EVENT_ANY_EDGE;
}

static uint32_t fan_out(const own *mine, uint32_t node) {
    uint32_t edges = 0;
    for (uint32_t i = 0; i < mine->plan.edges; i++) edges += mine->plan.edge[i].from == node;
    return edges;
}

/* @return SVS_WAIT: nothing was done; then `awaited` is what to wait for. */
static svs_status try_send(own *mine, actor *me) {
    item one = {me->result, ~me->result, me->node, me->at};
    svs_status status = svs_event_send(mine->graph, me->node, &one);
    me->awaited = SVS_EVENT_SPACE;
    if (status != SVS_OK) return status;
    CHECK(mine, !mine->frozen); /* ranks.Z1 */
    mine->sent += fan_out(mine, me->node);
    me->result = plan_mix(me->result, 17);
    return SVS_OK;
}

/* What the events on all edges may take (structures.E9). */
static uint64_t most_bytes(const own *mine) {
    uint64_t places = 0;
    for (uint32_t i = 0; i < mine->plan.edges; i++) places += mine->plan.edge[i].capacity;
    return places * sizeof(item);
}

static svs_status try_read(own *mine, actor *me, uint32_t edge) {
    uint32_t count = svs_event_count(mine->graph, edge);
    uint64_t value;
    const void *event;
    svs_status status;
    me->awaited = awaited_of(mine, me->node);
    if (svs_event_statistics_get(mine->graph, &mine->counts)) return 1;
    CHECK(mine, count <= mine->plan.edge[edge].capacity || mine->counts.growths != 0);
    CHECK(mine, mine->counts.bytes_most <= most_bytes(mine) || mine->counts.growths != 0);
    if (count == 0) return SVS_WAIT;
    if (svs_event_peek(mine->graph, edge, count - 1, &event)) return 1;
    CHECK(mine, ((const item *)event)->value == ~((const item *)event)->check);
    if (svs_event_peek(mine->graph, edge, 0, &event)) return 1;
    CHECK(mine, ((const item *)event)->node == mine->plan.edge[edge].from);
    value = ((const item *)event)->value;
    status = svs_event_remove(mine->graph, edge, 1);
    me->awaited = status == SVS_WAIT ? SVS_EVENT_OPEN : me->awaited;
    if (status != SVS_OK) return status;
    CHECK(mine, !mine->frozen);
    mine->removed++;
    me->result = plan_mix(me->result, value); /* structures.E1 */
    return SVS_OK;
}

static svs_status act(own *mine, actor *me) {
    uint8_t action = mine->plan.node[me->node].action[me->at];
    svs_status status = action == PLAN_SEND ? try_send(mine, me) : try_read(mine, me, action);
    me->at += status == SVS_OK;
    return status;
}

static svs_status end(own *mine, const actor *me) {
    mine->result[me->node] = me->result;
    mine->ended++;
    return SVS_OK;
}

enum { AT_ONCE = 4 };

/* How many of the next actions are the same; 1 if freezes count what is sent and removed. */
static uint32_t alike(const own *mine, const actor *me) {
    const plan_node *node = &mine->plan.node[me->node];
    uint32_t count = 1;
    if (mine->seed % 3 != 0) return 1;
    while (count < AT_ONCE && me->at + count < node->actions &&
           node->action[me->at + count] == node->action[me->at])
        count++;
    return count;
}

static svs_status put(own *mine, actor *me) {
    item all[AT_ONCE];
    uint32_t count = alike(mine, me);
    svs_status status;
    for (uint32_t i = 0; i < count; i++) {
        all[i] = (item){me->result, ~me->result, me->node, me->at + i};
        me->result = plan_mix(me->result, 17);
    }
    status = svs_event_put(mine->graph, me->node, all, count);
    if (status != SVS_OK) return status;
    CHECK(mine, !mine->frozen || count > 1);
    mine->sent += (int64_t)count * fan_out(mine, me->node);
    me->at += count;
    return SVS_OK;
}

static svs_status take(own *mine, actor *me, uint32_t edge) {
    item all[AT_ONCE];
    uint32_t count = alike(mine, me);
    svs_status status = svs_event_take(mine->graph, edge, all, count);
    if (status != SVS_OK) return status;
    CHECK(mine, !mine->frozen || count > 1);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(mine, all[i].value == ~all[i].check && all[i].node == mine->plan.edge[edge].from);
        me->result = plan_mix(me->result, all[i].value); /* structures.E1 */
    }
    mine->removed += count;
    me->at += count;
    return SVS_OK;
}

/* By the calls that wait, or by those that return SVS_WAIT. */
static svs_status with_stack(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    actor *me = state;
    bool waiting = (mine->seed / 8 + me->node) % 2 == 0;
    while (me->at < mine->plan.node[me->node].actions) {
        uint8_t action = mine->plan.node[me->node].action[me->at];
        svs_status status = !waiting              ? act(mine, me)
                            : action == PLAN_SEND ? put(mine, me)
                                                  : take(mine, me, action);
        if (status == SVS_WAIT) svs_poll(ranks); /* what comes now is not missed: structures.E7 */
        if (status == SVS_WAIT) status = svs_event_await(mine->graph, me->node, me->awaited);
        if (status != SVS_OK) return status;
    }
    return end(mine, me);
}

static svs_status without_stack(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    actor *me = state;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    while (me->at < mine->plan.node[me->node].actions) {
        status = act(mine, me);
        if (status == SVS_OK) continue;
        if (status == SVS_WAIT)
            status = svs_event_wait(mine->graph, me->node, me->awaited, &me->done);
        if (status != SVS_OK && status != SVS_WAIT) return status;
        me->waits++;
        SVS_AWAIT(ranks, me, &me->done, me->waits);
        CHECK(mine, me->done.value == me->waits); /* structures.E7 */
    }
    return end(mine, me);
    SVS_THREAD_END;
}

/* ---- freezes ---- */

static void sum_up(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((int64_t *)into)[i] += ((const int64_t *)from)[i];
}

static int64_t held_here(own *mine) {
    int64_t held = 0;
    uint32_t cursor = 0, node;
    while (svs_event_next_node(mine->graph, &cursor, &node))
        for (uint32_t i = 0; i < svs_event_inputs(mine->graph, node); i++)
            held += svs_event_count(mine->graph, svs_event_input(mine->graph, node, i));
    return held;
}

#define AWAIT_CALL(call)                                                                           \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status == SVS_WAIT) status = svs_await(ranks, &done, done.value + 1);                  \
        if (status != SVS_OK) return status;                                                       \
    } while (0)

/* Nothing is in flight: what was sent has been removed, or is there (ranks.Z2). */
static svs_status freeze_often(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_distributed *sums;
    svs_counter done;
    svs_status status;
    (void)state;
    svs_counter_init(&done, 0);
    AWAIT_CALL(svs_distributed_new(ranks, "sums", 0, mine, &sums, &done));
    for (uint64_t i = 0; i < mine->seed % 3; i++) {
        int64_t counts[3], all[3];
        AWAIT_CALL(svs_event_freeze(mine->graph, &done));
        mine->frozen = true;
        CHECK(mine, svs_event_freeze(mine->graph, &done) == SVS_E_BUSY);
        counts[0] = mine->sent;
        counts[1] = mine->removed;
        counts[2] = held_here(mine);
        AWAIT_CALL(svs_reduce(sums, sum_up, counts, all, sizeof *all, 3, &done));
        CHECK(mine, all[0] == all[1] + all[2]);
        CHECK(mine, counts[0] == mine->sent && counts[1] == mine->removed);
        mine->frozen = false;
        AWAIT_CALL(svs_event_unfreeze(mine->graph, &done));
    }
    return SVS_OK;
}

/* ---- the program ---- */

/* No wait of the node is left of it. */
static void await_without_stack(own *mine, uint32_t node) {
    svs_status status = svs_event_await(mine->graph, node, SVS_EVENT_EMPTY_EDGE);
    CHECK(mine, status == SVS_OK || status == SVS_E_STATE);
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    uint32_t cursor = 0, node;
    svs_fiber fiber;
    (void)state;
    if (svs_thread_spawn(ranks, freeze_often, NULL, 0, NULL)) return 1;
    while (svs_event_next_node(mine->graph, &cursor, &node)) {
        actor one = {.node = node, .result = plan_mix(mine->seed, node)};
        mine->threads++;
        svs_counter_init(&one.done, 0);
        if (mine->seed % 50 == 0) await_without_stack(mine, node);
        if ((mine->seed + node) % 3 != 0) {
            if (svs_thread_spawn(ranks, with_stack, &one, sizeof one, NULL)) return 1;
        } else if (svs_fiber_new(ranks, without_stack, &one, sizeof one, NULL, &fiber) ||
                   svs_fiber_enable(ranks, fiber))
            return 1;
    }
    return SVS_OK;
}

static uint32_t place(uint32_t node, uint32_t ranks, void *argument) {
    return (uint32_t)(plan_mix(((own *)argument)->seed, node) % ranks);
}

static svs_status prepare_cured(svs_ranks *ranks, uint32_t cures) {
    static const svs_dispatch ways[] = {SVS_DISPATCH_IN_PLACE, SVS_DISPATCH_FIFO,
                                        SVS_DISPATCH_IN_PLACE, SVS_DISPATCH_URGENT};
    own *mine = own_of(ranks);
    svs_event_graph_options options;
    mine->any = true;
    plan_draw(&mine->plan, mine->seed, mine->seed % 4 == 0 ? 4 : 1);
    svs_event_graph_options_init(&options);
    options.name = "plan";
    options.nodes = mine->plan.nodes;
    options.edges = mine->plan.edge;
    options.edge_count = mine->plan.edges;
    options.event_bytes = sizeof(item);
    options.place = place;
    options.argument = mine;
    options.cures = cures;
    options.dispatch = ways[mine->seed / 4 % 4];
    options.deadlock_file = NULL;
    return svs_event_graph_new(ranks, &options, &mine->graph);
}

static svs_status prepare(svs_ranks *ranks) { return prepare_cured(ranks, SVS_EVENT_GROWTH); }

static svs_status between(svs_ranks *ranks) {
    return svs_event_statistics_get(own_of(ranks)->graph, &own_of(ranks)->counts);
}

static const char *check(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        if (wrong) return wrong;
        if (mine->ended != mine->threads) return "a node has not come to its end (structures.E5)";
        for (uint32_t node = 0; node < mine->plan.nodes; node++)
            if (mine->result[node] != 0 && mine->result[node] != mine->plan.node[node].result)
                return "a node has computed something else (structures.E4)";
    }
    return NULL;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank;
    options->aggregate_bytes = seed % 3 * 150;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 5 == 0 ? 2 : 64;
    options->threads = PLAN_NODES + 2;
    options->deadlock_file = NULL;
}

#define PLANS_ON(n)                                                                                \
    PROGRAM(plans_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,          \
            .prepare = prepare, .start = start, .check = check)
PLANS_ON(1);
PLANS_ON(2);
PLANS_ON(3);
PLANS_ON(4);

TEST_CASE(random_graphs_come_to_their_end_with_one_place) {
    program_sim(&plans_1, 2000);
    program_sim(&plans_2, 8000);
    program_sim(&plans_3, 8000);
    program_sim(&plans_4, 2000);
    program_local(&plans_3, 20);
}

TEST_CASE(survivors_agree_and_memory_of_graphs_is_released) {
    program_kill(&plans_2, 13);
    program_exhaust(&plans_2, 7);
}

/* ---- places of taken events are posted before the thread goes on ---- */

static svs_status take_and_look(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    uint64_t before;
    item one = {0};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        if (svs_ranks_index(ranks) == 0) {
            if (svs_event_put(mine->graph, 0, &one, 1)) return 1;
            continue;
        }
        if (svs_event_statistics_get(mine->graph, &mine->counts)) return 1;
        before = mine->counts.spaces;
        if (svs_event_take(mine->graph, 0, &one, 1)) return 1;
        if (svs_event_statistics_get(mine->graph, &mine->counts)) return 1;
        CHECK(mine, mine->counts.spaces == before + 1);
    }
    mine->ended++;
    return SVS_OK;
}

static svs_status start_taking(svs_ranks *ranks, void *state) {
    own_of(ranks)->threads = 1;
    return svs_thread_spawn(ranks, take_and_look, state, 0, NULL);
}

static svs_status prepare_taking(svs_ranks *ranks) {
    static const svs_event_edge edge = {0, 1, 1};
    svs_event_graph_options options;
    svs_event_graph_options_init(&options);
    options.name = "taking";
    options.nodes = 2;
    options.edges = &edge;
    options.edge_count = 1;
    options.event_bytes = sizeof(item);
    options.deadlock_file = NULL;
    return svs_event_graph_new(ranks, &options, &own_of(ranks)->graph);
}

static const char *check_taking(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        if (wrong) return wrong;
        if (mine->ended != 1) return "a thread has not come to its end";
    }
    return NULL;
}

PROGRAM(taking, .ranks = 2, .bytes = sizeof(own), .seeded = true, .prepare = prepare_taking,
        .start = start_taking, .check = check_taking);

TEST_CASE(places_of_taken_events_are_posted_at_once) {
    program_sim(&taking, 200);
    program_local(&taking, 5);
}

/* ---- the triangle: u -> v, u -> w, w -> v; w sends after three events. And y -> v, which is full,
 * too, but which nobody waits for ---- */

enum { U, V, W, Y, ROUNDS = 3 };
static const svs_event_edge triangle[] = {{U, V, 2}, {U, W, 1}, {W, V, 1}, {Y, V, 1}};

/* v reads from w, then from u, then from y. */
static void draw_triangle(plan *made) {
    static const plan empty;
    plan_node *u = &made->node[U], *v = &made->node[V], *w = &made->node[W], *y = &made->node[Y];
    *made = empty;
    made->nodes = 4;
    made->edges = 4;
    memcpy(made->edge, triangle, sizeof triangle);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        u->action[u->actions++] = PLAN_SEND;
        w->action[w->actions++] = 1;
        y->action[y->actions++] = PLAN_SEND;
    }
    w->action[w->actions++] = PLAN_SEND;
    v->action[v->actions++] = 2;
    for (uint32_t i = 0; i < 2 * ROUNDS; i++) v->action[v->actions++] = i < ROUNDS ? 0 : 3;
}

static uint32_t place_around(uint32_t node, uint32_t ranks, void *argument) {
    (void)argument;
    return node % ranks;
}

static void describe(uint32_t node, char *to, size_t bytes, void *argument) {
    (void)argument;
    (void)snprintf(to, bytes, "%c", "uvwy"[node]);
}

static svs_status prepare_triangle(svs_ranks *ranks, uint32_t cures, const char *file) {
    own *mine = own_of(ranks);
    svs_event_graph_options options;
    draw_triangle(&mine->plan);
    svs_event_graph_options_init(&options);
    options.name = "triangle";
    options.nodes = 4;
    options.edges = triangle;
    options.edge_count = 4;
    options.event_bytes = sizeof(item);
    options.place = place_around;
    options.describe = describe;
    options.argument = mine;
    options.cures = cures;
    options.deadlock_file = file;
    return svs_event_graph_new(ranks, &options, &mine->graph);
}

static svs_status prepare_growing(svs_ranks *ranks) {
    return prepare_triangle(ranks, SVS_EVENT_GROWTH, NULL);
}

#define DOT "ranks_events.dot"
static svs_status prepare_stuck(svs_ranks *ranks) {
    return prepare_triangle(ranks, SVS_EVENT_NULLS | SVS_EVENT_RECOVERY, DOT);
}

/* Only u -> v grows, from 2 to 4: no other full edge is on the cycle. */
static const char *check_triangle(program_run *run) {
    uint64_t growths = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        svs_event_statistics counts = mine->counts;
        if (wrong) return wrong;
        if (mine->ended != mine->threads) return "a node has not come to its end (structures.E5)";
        growths += counts.growths;
    }
    return growths == 1 ? NULL : "another edge has grown than that of the cycle, from 2 to 4";
}

/* In a second run, which does nothing. */
static svs_status start_once(svs_ranks *ranks, void *state) {
    exhaustive_begin();
    return own_of(ranks)->threads == 0 ? start(ranks, state) : SVS_OK;
}

#define TRIANGLE(name_, n, ...)                                                                    \
    PROGRAM(name_, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary, __VA_ARGS__)
TRIANGLE(growing_2, 2, .prepare = prepare_growing, .start = start_once, .between = between,
         .rounds = 2, .check = check_triangle);
TRIANGLE(growing_3, 3, .prepare = prepare_growing, .start = start_once, .between = between,
         .rounds = 2, .check = check_triangle);
TRIANGLE(stuck_2, 2, .prepare = prepare_stuck, .start = start, .status = SVS_E_DEADLOCK,
         .text = "u waits for a place on edge 0 (u -> v, capacity 2)");
TRIANGLE(stuck_3, 3, .prepare = prepare_stuck, .start = start, .status = SVS_E_DEADLOCK,
         .text = "u waits for a place on edge 0 (u -> v, capacity 2)");

TEST_CASE(the_full_edge_of_a_cycle_grows) {
    program_sim(&growing_2, 3000);
    program_sim(&growing_3, 3000);
    program_local(&growing_3, 10);
}

TEST_CASE(the_full_edge_of_a_cycle_grows_wherever_a_schedule_deviates) { /* structures.E5 */
    exhaustive_run(&growing_2, 1);
    exhaustive_run(&growing_3, 1);
}

TEST_CASE(a_cycle_that_is_not_cured_is_named) {
    char text[2000] = "";
    FILE *file;
    (void)remove(DOT);
    program_sim(&stuck_2, 300);
    program_sim(&stuck_3, 300);
    file = fopen(DOT, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    (void)fclose(file);
    assert_non_null(strstr(text, "[label=\"edge 0, full: 2\", color=red]"));
    assert_non_null(strstr(text, "[label=\"edge 2, empty\", style=dashed, color=red]"));
    assert_non_null(strstr(text, "[label=\"edge 1, empty\", style=dashed, color=red]"));
}

/* ---- a large graph, on one rank and on two: all bytes of its ends ---- */

enum {
    LARGE_NODES = 25000,
    LARGE_EDGES = 4 * LARGE_NODES,
    LARGE_CAPACITY = 64,
    BYTES_PER_EDGE = 64,
    LARGE_RANKS = 2
};

typedef struct large {
    uint64_t seed;
    int wrong;
    svs_event_graph *graph;
    svs_event_statistics counts;
    uint32_t round;
    int64_t before, made, idle; /* bytes that the rank has */
} large;

/* The allocator of a rank, which counts bytes. */
static struct meter {
    svs_allocator given;
    int64_t bytes;
} meters[LARGE_RANKS];

static void *allocate_counted(size_t size, size_t alignment, uint32_t worker, void *argument) {
    struct meter *meter = argument;
    void *memory = meter->given.allocate(size, alignment, worker, meter->given.argument);
    if (memory != NULL) meter->bytes += (int64_t)size;
    return memory;
}

static void release_counted(void *memory, size_t size, size_t alignment, uint32_t worker,
                            void *argument) {
    struct meter *meter = argument;
    meter->bytes -= (int64_t)size;
    meter->given.release(memory, size, alignment, worker, meter->given.argument);
}

static void count_bytes(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)seed;
    meters[rank] = (struct meter){.given = options->allocator};
    options->allocator = (svs_allocator){allocate_counted, release_counted, &meters[rank]};
    options->aggregate_bytes = 1000;
    options->credits = 1;
}

static int64_t bytes_here(svs_ranks *ranks) { return meters[svs_ranks_index(ranks)].bytes; }

static svs_status prepare_large(svs_ranks *ranks) {
    large *mine = svs_ranks_data(ranks);
    svs_event_graph_options options;
    svs_event_edge *edges = malloc(LARGE_EDGES * sizeof *edges);
    svs_status status;
    if (edges == NULL) return SVS_E_NO_MEMORY;
    for (uint32_t i = 0; i < LARGE_EDGES; i++)
        edges[i] = (svs_event_edge){i / 4, (uint32_t)(plan_mix(1, i) % LARGE_NODES), 0};
    svs_event_graph_options_init(&options);
    options.name = "large";
    options.nodes = LARGE_NODES;
    options.edges = edges;
    options.edge_count = LARGE_EDGES;
    options.event_bytes = sizeof(uint64_t);
    options.capacity = LARGE_CAPACITY;
    mine->before = bytes_here(ranks);
    status = svs_event_graph_new(ranks, &options, &mine->graph);
    mine->made = bytes_here(ranks) - mine->before;
    free(edges);
    return status;
}

/* Fills all edges in the first run, and empties them in the second one. */
static svs_status use_all(svs_ranks *ranks, void *state) {
    large *mine = svs_ranks_data(ranks);
    uint64_t event = 1;
    uint32_t cursor = 0, node;
    (void)state;
    mine->round++;
    while (svs_event_next_node(mine->graph, &cursor, &node)) {
        for (uint32_t k = 0; mine->round == 1 && k < LARGE_CAPACITY; k++)
            CHECK(mine, svs_event_send(mine->graph, node, &event) == SVS_OK);
        for (uint32_t i = 0; mine->round == 2 && i < svs_event_inputs(mine->graph, node); i++)
            CHECK(mine, svs_event_remove(mine->graph, svs_event_input(mine->graph, node, i),
                                         LARGE_CAPACITY) == SVS_OK);
    }
    return SVS_OK;
}

static svs_status count_large(svs_ranks *ranks) {
    large *mine = svs_ranks_data(ranks);
    mine->idle = bytes_here(ranks) - mine->before;
    return svs_event_statistics_get(mine->graph, &mine->counts);
}

static const char *check_large(program_run *run) {
    uint64_t events = (uint64_t)LARGE_EDGES * LARGE_CAPACITY * sizeof(uint64_t);
    uint64_t most = (uint64_t)LARGE_EDGES * BYTES_PER_EDGE, told = 0, in_events = 0;
    int64_t made = 0, idle = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const large *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        if (wrong) return wrong;
        in_events += mine->counts.bytes_most;
        told += mine->counts.memory + mine->counts.bytes;
        made += mine->made;
        idle += mine->idle;
    }
    if (in_events > events) return "events take more than the edges' capacity";
    if ((uint64_t)made > most || told > most)
        return "an idle graph takes more than 64 bytes for each edge";
    return (uint64_t)idle <= most ? NULL : "a graph that was used keeps more than 64 bytes an edge";
}

#define LARGE_ON(n)                                                                                \
    PROGRAM(large_##n, .ranks = n, .bytes = sizeof(large), .seeded = true, .rounds = 3,            \
            .options = count_bytes, .prepare = prepare_large, .start = use_all,                    \
            .between = count_large, .check = check_large)
LARGE_ON(1);
LARGE_ON(2);

TEST_CASE(an_idle_graph_takes_at_most_64_bytes_an_edge) {
    program_local(&large_1, 1);
    program_sim(&large_2, 1);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
