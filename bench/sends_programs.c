#include "sends.h"

#include "common/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- graphs ---- */

static void join(sends_case *c, uint32_t from, uint32_t to, int32_t there, int32_t back) {
    sends_node *a = &c->nodes[from], *b = &c->nodes[to];
    a->edges[a->degree++] = (sends_edge){to, b->degree, 0, there};
    b->edges[b->degree++] = (sends_edge){from, a->degree - 1, 0, back};
}

static void make_nodes(sends_case *c, uint32_t count, size_t first_count) {
    c->count = count;
    c->first_count = first_count;
    c->nodes = bench_allocate(count, sizeof *c->nodes);
    c->first = bench_allocate(first_count, sizeof *c->first);
}

/* ---- a wavefront: a cell of a square is computed after the cells above and to its left ---- */

static void wavefront_make(sends_case *c) {
    uint32_t side = c->size;
    make_nodes(c, side * side, 1); /* edges: right and down, from above and from the left */
    for (uint32_t i = 0; i < c->count; i++) {
        if ((i + 1) % side) join(c, i, i + 1, 1, 0);
        if (i + side < c->count) join(c, i, i + side, 1, 0);
    }
}

static void wavefront_reset(sends_case *c) {
    for (uint32_t i = 0; i < c->count; i++) {
        c->nodes[i].state = 1;
        c->nodes[i].missing = (i % c->size != 0) + (i >= c->size);
    }
}

static void wavefront_step(sends_case *c, sends_item item, sends_function *send, void *to) {
    sends_node *cell = &c->nodes[item.node];
    for (uint32_t e = 0; e < cell->degree; e++)
        if (!cell->edges[e].capacity)
            cell->state = cell->state * 31 + c->nodes[cell->edges[e].to].state;
    for (uint32_t e = 0; e < cell->degree; e++)
        if (cell->edges[e].capacity && !--c->nodes[cell->edges[e].to].missing)
            send(to, (sends_item){cell->edges[e].to, 0});
}

static uint64_t last_state(const sends_case *c) { return c->nodes[c->count - 1].state; }

/* ---- push-relabel: the largest flow from the first node of a grid to the last one ---- */

static void flow_make(sends_case *c) {
    random_source random = {BENCH_SEED};
    uint32_t side = c->size;
    make_nodes(c, side * side, 2);
    for (uint32_t i = 0; i < c->count; i++) {
        int32_t right = (int32_t)random_below(&random, 100),
                down = (int32_t)random_below(&random, 100);
        if ((i + 1) % side) join(c, i, i + 1, right, right);
        if (i + side < c->count) join(c, i, i + side, down, down);
    }
}

/* Pushes as much as fits from the first node into its neighbours: the first items. */
static void flow_reset(sends_case *c) {
    sends_node *source = &c->nodes[0];
    for (uint32_t i = 0; i < c->count; i++) {
        sends_node *n = &c->nodes[i];
        n->state = 0;
        n->excess = 0;
        n->waits = false;
        for (uint32_t e = 0; e < n->degree; e++) n->edges[e].residual = n->edges[e].capacity;
    }
    source->state = c->count;
    for (uint32_t e = 0; e < source->degree; e++) {
        sends_edge *out = &source->edges[e];
        sends_node *next = &c->nodes[out->to];
        next->excess = out->residual;
        next->waits = true;
        next->edges[out->back].residual += out->residual;
        out->residual = 0;
        c->first[e] = (sends_item){out->to, 0};
    }
}

static void push(sends_case *c, sends_node *from, sends_edge *along, sends_function *send,
                 void *to) {
    sends_node *into = &c->nodes[along->to];
    int32_t amount = from->excess < along->residual ? (int32_t)from->excess : along->residual;
    from->excess -= amount;
    along->residual -= amount;
    into->excess += amount;
    into->edges[along->back].residual += amount;
    if (into->waits || along->to == 0 || along->to == c->count - 1) return;
    into->waits = true;
    send(to, (sends_item){along->to, 0});
}

/* One above the lowest neighbour that has room. */
static void relabel(const sends_case *c, sends_node *n) {
    uint32_t lowest = UINT32_MAX - 1;
    for (uint32_t e = 0; e < n->degree; e++)
        if (n->edges[e].residual && c->nodes[n->edges[e].to].state < lowest)
            lowest = c->nodes[n->edges[e].to].state;
    n->state = lowest + 1;
}

static void flow_step(sends_case *c, sends_item item, sends_function *send, void *to) {
    sends_node *n = &c->nodes[item.node];
    n->waits = false;
    for (uint32_t e = 0; e < n->degree && n->excess; e++)
        if (n->edges[e].residual && n->state == c->nodes[n->edges[e].to].state + 1)
            push(c, n, &n->edges[e], send, to);
    if (!n->excess) return;
    relabel(c, n);
    n->waits = true;
    send(to, item);
}

static uint64_t flow_result(const sends_case *c) { return (uint64_t)c->nodes[c->count - 1].excess; }

/* ---- a breadth-first search of a random graph: an item tells a node a distance ---- */

static void search_make(sends_case *c) {
    random_source random = {BENCH_SEED};
    make_nodes(c, c->size, 1);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t e = 0; e < SENDS_DEGREE; e++)
            c->nodes[i].edges[e].to = (uint32_t)random_below(&random, c->count);
    for (uint32_t i = 0; i < c->count; i++) c->nodes[i].degree = SENDS_DEGREE;
}

static void search_reset(sends_case *c) {
    for (uint32_t i = 0; i < c->count; i++) c->nodes[i].state = UINT32_MAX;
}

static void search_step(sends_case *c, sends_item item, sends_function *send, void *to) {
    sends_node *n = &c->nodes[item.node];
    if (item.value >= n->state) return;
    n->state = item.value;
    for (uint32_t e = 0; e < n->degree; e++) send(to, (sends_item){n->edges[e].to, item.value + 1});
}

static uint64_t sum_of_states(const sends_case *c) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->count; i++) sum += c->nodes[i].state;
    return sum;
}

/* ---- counts: an item that sends itself REPEATS - 1 times, and REPEATS items sent before ---- */

enum { REPEATS = 100 };

static void self_make(sends_case *c) {
    make_nodes(c, c->size, c->size);
    for (uint32_t i = 0; i < c->count; i++) c->first[i] = (sends_item){i, REPEATS - 1};
}

static void before_make(sends_case *c) {
    make_nodes(c, c->size, (size_t)c->size * REPEATS);
    for (uint32_t i = 0; i < c->first_count; i++) c->first[i] = (sends_item){i % c->size, 0};
}

static void counts_reset(sends_case *c) {
    for (uint32_t i = 0; i < c->count; i++) c->nodes[i].state = 0;
}

static void counts_step(sends_case *c, sends_item item, sends_function *send, void *to) {
    c->nodes[item.node].state++;
    if (!item.value) return;
    item.value--;
    send(to, item);
}

const sends_program sends_programs[SENDS_PROGRAMS] = {
    {"wavefront", true, false, wavefront_make, wavefront_reset, wavefront_step, last_state},
    {"flow", true, false, flow_make, flow_reset, flow_step, flow_result},
    {"search", false, true, search_make, search_reset, search_step, sum_of_states},
    {"self", false, false, self_make, counts_reset, counts_step, sum_of_states},
    {"before", false, false, before_make, counts_reset, counts_step, sum_of_states},
};

/* ---- the serial engine: a queue ---- */

typedef struct queue {
    sends_item *items; /* a ring of a power of two */
    size_t mask, begin, end;
} queue;

static void put(void *to, sends_item item) {
    queue *q = to;
    if (q->end - q->begin > q->mask) bench_fail("more than %zu items wait", q->mask);
    q->items[q->end++ & q->mask] = item;
}

uint64_t sends_run_serially(sends_case *c) {
    static queue q = {NULL, (1u << 20) - 1, 0, 0};
    uint64_t ran = 0;
    if (!q.items) q.items = bench_allocate(q.mask + 1, sizeof *q.items);
    for (size_t i = 0; i < c->first_count; i++) put(&q, c->first[i]);
    for (; q.begin != q.end; ran++) {
        sends_item item = q.items[q.begin++ & q.mask];
        c->program->step(c, item, put, &q);
    }
    return ran;
}

/* ---- cases ---- */

sends_case *sends_case_new(const sends_program *program, uint32_t size) {
    sends_case *c = bench_allocate(1, sizeof *c);
    c->program = program;
    c->size = size;
    program->make(c);
    program->reset(c);
    c->items = sends_run_serially(c);
    c->result = program->result(c);
    return c;
}

uint32_t sends_touched(const sends_case *c, sends_item item, uint32_t touched[SENDS_TOUCHED]) {
    const sends_node *n = &c->nodes[item.node];
    uint32_t count = 0;
    touched[count++] = item.node;
    for (uint32_t e = 0; c->program->neighbours && e < n->degree; e++) {
        uint32_t to = n->edges[e].to, at = count++;
        for (; at && touched[at - 1] > to; at--) touched[at] = touched[at - 1];
        touched[at] = to;
    }
    return count;
}
