/* Windows: what a window places runs once, together with nothing that it conflicts with (sched.W1
 * to
 * sched.W7), beside instances of other domains, which meet the lease of admission (sched.L1). */
#include "explore/scenarios/support.h"
#include <string.h>

#define ITEMS 7u /* more than a window */
#define CELLS 3u
#define OTHERS 2u

typedef struct item {
    uint32_t number, cell;
    bool reads;
} item;

typedef struct thing {
    svs_object svs;
    uint32_t written;
} thing;
SVS_TYPE(thing, svs)

#define WRITER 16u

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *space; /* of the cells */
    uint32_t cells[CELLS], ran[ITEMS + OTHERS];
    _Atomic(uint32_t) inside[CELLS]; /* readers + WRITER * writers */
    svs_task *users;
    thing *made;
} shared;

static void visit(const item *i) {
    uint32_t as = i->reads ? 1 : WRITER;
    uint32_t met = svs__fetch_add_relaxed(&shared.inside[i->cell], as);
    EXPLORE_CHECK(i->reads ? met < WRITER : met == 0);
    if (i->reads) {
        explore_read(&shared.cells[i->cell]);
    } else {
        explore_wrote(&shared.cells[i->cell]);
        shared.cells[i->cell]++;
    }
    explore_wrote(&shared.ran[i->number]);
    EXPLORE_CHECK(shared.ran[i->number]++ == 0);
    (void)svs__fetch_sub_relaxed(&shared.inside[i->cell], as);
}

static void item_touch(svs_footprint *f, const item *i) {
    /* Indices: the keys of addresses would depend on where the linker puts them. */
    if (i->reads) svs_reads_at(f, shared.space, i->cell);
    else svs_writes_at(f, shared.space, i->cell);
    if (i->number == ITEMS - 1) svs_writes_everything(f); /* not plain */
}
static svs_status item_run(svs_context *x, item *i) {
    (void)x;
    visit(i);
    return SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

static void open_world(void) {
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    EXPLORE_CHECK(svs_space_new(shared.world, "cells", CELLS, &shared.space) == SVS_OK);
}

static void close_world(svs_graph *graph, uint32_t ran) {
    for (uint32_t i = 0; i < ran; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    support_end(shared.runtime, shared.world, shared.space, graph);
}

static svs_graph *new_graph(void) {
    svs_graph *graph;
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    return graph;
}

static svs_task *add_items(svs_graph *graph, svs_algorithm algorithm, const item *items,
                           uint32_t count) {
    return support_task(graph, &item_task, algorithm, items, count, sizeof *items);
}

static svs_task *add(svs_graph *graph, svs_algorithm algorithm, uint32_t first, uint32_t count) {
    item items[ITEMS];
    for (uint32_t i = 0; i < count; i++) items[i] = (item){first + i, i % CELLS, i % 4 == 0};
    return add_items(graph, algorithm, items, count);
}

/* Readers begin a window, and writers come behind them (sched.W13). */
static void readers(void) {
    static const item items[] = {{0, 0, true}, {1, 1, true}, {2, 1, false}, {3, 0, false}};
    svs_graph *graph;
    open_world();
    graph = new_graph();
    (void)add_items(graph, SVS_ALGORITHM_WINDOWED, items, 4);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    close_world(graph, 4);
}

/* One domain, several windows: one is made while the stages of the one before run. */
static void windows(void) {
    svs_graph *graph;
    open_world();
    graph = new_graph();
    (void)add(graph, SVS_ALGORITHM_WINDOWED, 0, ITEMS);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    close_world(graph, ITEMS);
}

/* Domains one after the other, each with the memory of the one before (sched.C1). */
static void in_turn(void) {
    svs_task *before = NULL, *task;
    svs_graph *graph;
    open_world();
    graph = new_graph();
    for (uint32_t i = 0; i < 3; i++, before = task) {
        task = add(graph, SVS_ALGORITHM_WINDOWED, 2 * i, 2);
        if (i) EXPLORE_CHECK(svs_graph_add_order(graph, before, task) == SVS_OK);
    }
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    close_world(graph, 6);
}

/* Two domains that conflict; the first one leases. */
static void beside(svs_algorithm other) {
    svs_graph *graph;
    svs_task *first, *second;
    open_world();
    graph = new_graph();
    first = add(graph, SVS_ALGORITHM_WINDOWED, 0, ITEMS - 2); /* all of them plain */
    second = add(graph, other, ITEMS, OTHERS);
    EXPLORE_CHECK(svs_graph_set_independent(graph, first, second) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < OTHERS; i++) EXPLORE_CHECK(shared.ran[ITEMS + i] == 1);
    close_world(graph, ITEMS - 2);
}
static void lease(void) { beside(SVS_ALGORITHM_PROGRESSIVE); }
static void lease_two(void) { beside(SVS_ALGORITHM_WINDOWED); }
static void lease_staged(void) { beside(SVS_ALGORITHM_STAGED); }

/* ---- in order (sched.W11) ---- */

typedef struct ordered {
    uint32_t number;
    struct {
        uint32_t cell;
        bool reads;
    } at[2];
    uint32_t count;
} ordered;

/* With two colours, the third and the fourth come after the second window's begin. */
static const ordered in_a_row[ITEMS] = {
    {0, {{0, true}}, 1},  {1, {{0, false}}, 1}, {2, {{0, true}, {1, false}}, 2},
    {3, {{1, false}}, 1}, {4, {{0, false}}, 1}, {5, {{0, false}, {2, false}}, 2},
    {6, {{1, true}}, 1}};

static struct {
    bool beside;                        /* another domain's instances hold cells */
    uint32_t wrote[CELLS], read[CELLS]; /* 1 + the last writer, and the last reader, so far */
} order;

static void ordered_touch(svs_footprint *f, const ordered *o) {
    for (uint32_t i = 0; i < o->count; i++)
        if (o->at[i].reads) svs_reads_at(f, shared.space, o->at[i].cell);
        else svs_writes_at(f, shared.space, o->at[i].cell);
    if (o->number == 4 && !order.beside) svs_writes_everything(f); /* not plain */
}
static svs_status ordered_run(svs_context *x, ordered *o) {
    (void)x;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t cell = o->at[i].cell;
        uint32_t *last = o->at[i].reads ? order.read : order.wrote;
        EXPLORE_CHECK(o->number >= order.wrote[cell]);
        EXPLORE_CHECK(o->at[i].reads || o->number >= order.read[cell]);
        if (last[cell] <= o->number) last[cell] = o->number + 1; /* readers run in any order */
    }
    EXPLORE_CHECK(shared.ran[o->number]++ == 0);
    return SVS_OK;
}
SVS_TASK(ordered, ordered_run, ordered_touch)

/* Each cell has its readers and writers in the order of the items. */
static void run_in_order(bool beside) {
    svs_graph *graph;
    svs_task *task, *others;
    open_world();
    memset(&order, 0, sizeof order);
    order.beside = beside;
    graph = new_graph();
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &ordered_task, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(task, SVS_ALGORITHM_IN_ORDER) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, task, in_a_row, ITEMS, sizeof *in_a_row) == SVS_OK);
    if (beside) {
        others = add(graph, SVS_ALGORITHM_PROGRESSIVE, ITEMS, OTHERS);
        EXPLORE_CHECK(svs_graph_set_independent(graph, task, others) == SVS_OK);
    }
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; beside && i < OTHERS; i++) EXPLORE_CHECK(shared.ran[ITEMS + i] == 1);
    close_world(graph, ITEMS);
}
static void in_order(void) { run_in_order(false); }
static void in_order_beside(void) { run_in_order(true); }

/* ---- items that a body sends, which may run in a serial run (sched.W10) ---- */

typedef struct feed {
    uint32_t count;
} feed;
static void feed_touch(svs_footprint *f, const feed *i) { (void)f, (void)i; }
static svs_status feed_run(svs_context *x, feed *f) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < f->count && !status; i++) {
        item one = {i, i % CELLS, i % 4 == 0};
        status = item_send(x, shared.users, &one, 1);
    }
    return status;
}
SVS_TASK(feed, feed_run, feed_touch)

static svs_task *add_feed(svs_graph *graph, svs_task *users, uint32_t count) {
    feed item = {count};
    svs_task *task;
    shared.users = users;
    EXPLORE_CHECK(svs_graph_add_transform(graph, &feed_task, &item, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, task, users) == SVS_OK);
    return task;
}

static svs_task *add_windowed(svs_graph *graph, const svs_task_type *type) {
    svs_task *task;
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, type, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(task, SVS_ALGORITHM_WINDOWED) == SVS_OK);
    return task;
}

/* A serial run beside a staged domain that conflicts with it; the last item is not plain. */
static void serial_run(void) {
    svs_graph *graph;
    svs_task *first, *second, *feeder;
    open_world();
    graph = new_graph();
    first = add_windowed(graph, &item_task);
    feeder = add_feed(graph, first, ITEMS);
    second = add(graph, SVS_ALGORITHM_STAGED, ITEMS, OTHERS);
    EXPLORE_CHECK(svs_graph_set_independent(graph, first, second) == SVS_OK);
    EXPLORE_CHECK(svs_graph_set_independent(graph, feeder, second) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < OTHERS; i++) EXPLORE_CHECK(shared.ran[ITEMS + i] == 1);
    close_world(graph, ITEMS);
}

/* ---- an item of a serial run that names what the item before has freed ---- */

typedef struct drop {
    thing *what;
    bool frees;
} drop;
static void drop_touch(svs_footprint *f, const drop *d) { svs_writes_object(f, &d->what->svs); }
static svs_status drop_run(svs_context *x, drop *d) {
    (void)x;
    if (d->frees) return svs_object_free(&d->what->svs);
    EXPLORE_CHECK(!"an instance has run with an object that was freed");
    return SVS_OK;
}
SVS_TASK(drop, drop_run, drop_touch)

typedef struct drops {
    drop items[2];
} drops;
static void drops_touch(svs_footprint *f, const drops *d) { (void)f, (void)d; }
static svs_status drops_run(svs_context *x, drops *d) {
    return drop_send(x, shared.users, d->items, 2);
}
SVS_TASK(drops, drops_run, drops_touch)

static void serial_freed(void) {
    svs_graph *graph;
    svs_task *task;
    drops items = {{{NULL, true}, {NULL, false}}};
    void *storage;
    open_world();
    graph = new_graph();
    EXPLORE_CHECK(svs_object_new(shared.world, &thing_type, &storage) == SVS_OK);
    items.items[0].what = items.items[1].what = storage;
    shared.users = add_windowed(graph, &drop_task);
    EXPLORE_CHECK(svs_graph_add_transform(graph, &drops_task, &items, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, task, shared.users) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_E_FREED);
    close_world(graph, 0);
}

/* ---- two tasks in one domain, of which one sends to the other ---- */

#define SENDERS 3u
#define SENT 2u /* by the first one */

typedef struct message {
    uint32_t number;
    bool is_sent;
} message;

static void message_touch(svs_footprint *f, const message *m) {
    (void)m;
    svs_reads_at(f, shared.space, 0);
}

static svs_status sender_run(svs_context *x, message *m) {
    static const message sent[SENT] = {{SENDERS, true}, {SENDERS + 1, true}};
    EXPLORE_CHECK(!m->is_sent);
    EXPLORE_CHECK(shared.ran[m->number]++ == 0);
    return m->number ? SVS_OK : svs_send(x, shared.users, sent, SENT, sizeof *sent);
}
SVS_TASK(sender, message, sender_run, message_touch)

static svs_status sent_run(svs_context *x, message *m) {
    (void)x;
    EXPLORE_CHECK(m->is_sent);
    EXPLORE_CHECK(shared.ran[m->number]++ == 0);
    return SVS_OK;
}
SVS_TASK(sent, message, sent_run, message_touch)

static void sent_behind(void) {
    static const message items[SENDERS] = {{0, false}, {1, false}, {2, false}};
    static const message before = {SENDERS + SENT, true}; /* shares a window with senders */
    svs_graph *graph;
    svs_task *task;
    open_world();
    graph = new_graph();
    /* It has no items. Refinement gives its domain to the two others, which a flow connects. */
    (void)add_windowed(graph, &sent_task);
    task = add_windowed(graph, &sender_task);
    shared.users = add_windowed(graph, &sent_task);
    EXPLORE_CHECK(svs_graph_add_flow(graph, task, shared.users) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, task, items, SENDERS, sizeof *items) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, shared.users, &before, 1, sizeof before) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    close_world(graph, SENDERS + SENT + 1);
}

/* ---- a task that sends itself instances with objects that it has not published ---- */

typedef struct growth {
    thing *what;
    bool grows;
} growth;
static void growth_touch(svs_footprint *f, const growth *g) { svs_writes_object(f, &g->what->svs); }

/* The first one makes another object, sends it, and goes on writing it (sched.A3). */
static svs_status growth_run(svs_context *x, growth *g) {
    growth next = {NULL, false};
    svs_status status;
    explore_wrote(&g->what->written);
    g->what->written++;
    if (!g->grows) return SVS_OK;
    status = SVS_NEW(shared.world, thing, &next.what);
    if (!status) status = svs_send(x, shared.users, &next, 1, sizeof next);
    if (status) return status;
    explore_wrote(&next.what->written);
    next.what->written++;
    shared.made = next.what;
    return SVS_OK;
}
SVS_TASK(growth, growth_run, growth_touch)

static void sent_fresh(void) {
    growth items[3] = {{NULL, true}, {NULL, false}, {NULL, false}};
    svs_graph *graph;
    open_world();
    graph = new_graph();
    for (uint32_t i = 0; i < 3; i++)
        EXPLORE_CHECK(SVS_NEW(shared.world, thing, &items[i].what) == SVS_OK);
    shared.users = add_windowed(graph, &growth_task);
    EXPLORE_CHECK(svs_graph_add_flow(graph, shared.users, shared.users) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, shared.users, items, 3, sizeof *items) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < 3; i++) EXPLORE_CHECK(items[i].what->written == 1);
    EXPLORE_CHECK(shared.made->written == 2);
    close_world(graph, 0);
}

const explore_scenario explore_windows = {
    "windows", windows, 1, 4000, "an instance of a window that is lost, run twice, or not alone"};
const explore_scenario explore_windows_in_turn = {
    "windows_in_turn", in_turn, 1, 4000,
    "an item that is lost as its windows' memory changes hands"};
const explore_scenario explore_readers = {
    "readers", readers, 1, 4000, "a writer beside readers that came before it in its window"};
const explore_scenario explore_lease = {
    "lease", lease, 1, 4000, "a foreign instance beside a lease, or one that waits for ever"};
const explore_scenario explore_lease_two = {"lease_two", lease_two, 1, 4000,
                                            "the same with two domains that lease"};
const explore_scenario explore_lease_staged = {"lease_staged", lease_staged, 1, 4000,
                                               "the same with windows beside stages"};
const explore_scenario explore_in_order = {
    "in_order", in_order, 1, 4000, "an instance that overtakes one with which it conflicts"};
const explore_scenario explore_in_order_beside = {"in_order_beside", in_order_beside, 1, 4000,
                                                  "the same beside another domain's instances"};
const explore_scenario explore_serial_run = {
    "serial_run", serial_run, 1, 4000,
    "an instance of a serial run that is lost, run twice, or not alone"};
const explore_scenario explore_serial_freed = {
    "serial_freed", serial_freed, 1, 2000,
    "an instance that runs with an object which the serial run freed"};
const explore_scenario explore_sent_behind = {
    "sent_behind", sent_behind, 1, 4000, "an instance that runs with the body of another task"};
const explore_scenario explore_sent_fresh = {
    "sent_fresh", sent_fresh, 1, 4000, "an instance with an object that its maker still writes"};
