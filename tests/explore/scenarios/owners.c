/* Objects that bodies and their asyncs make and link. A body does not release an object that
 * another body has made, also when it has linked to it (memobj.O4). An async of a body acts for
 * that body on any worker (memobj.O3): its links take effect, and its objects are held until the
 * body ends. */
#include "explore/scenarios/support.h"
#include <string.h>

typedef struct node {
    struct node *next;
    svs_object svs;
} node;
SVS_TYPE(node, svs, next)

static struct {
    svs_world *world;
    svs_task *linker, *writer;
    uint32_t data; /* plain: of the object that is sent */
    _Atomic(uint32_t) inside, writers;
} shared;

/* The body that makes an object holds it until its end. */
static void enter(void) {
    EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.inside, 1) == 0);
    explore_wrote(&shared.data);
    shared.data++;
}
static void leave(void) {
    explore_wrote(&shared.data);
    shared.data++;
    EXPLORE_CHECK(svs__fetch_sub_relaxed(&shared.inside, 1) == 1);
}

static node *make(void) {
    void *made = NULL;
    EXPLORE_CHECK(svs_object_new(shared.world, &node_type, &made) == SVS_OK);
    return made;
}

typedef struct message {
    node *about;
} message;

static void nothing_touch(svs_footprint *f, const message *m) { (void)f, (void)m; }
static void message_touch(svs_footprint *f, const message *m) {
    svs_writes_object(f, &m->about->svs);
}
static svs_status write_run(svs_context *x, message *m) {
    enter();
    leave();
    (void)svs__fetch_add_relaxed(&shared.writers, 1);
    return SVS_OK;
}
SVS_TASK(writer, message, write_run, message_touch)

static svs_status link_run(svs_context *x, message *m) {
    node *own = make();
    EXPLORE_CHECK(svs_link(own, next, m->about) == SVS_OK);
    return svs_publish(x, &own->svs);
}
SVS_TASK(linker, message, link_run, nothing_touch)

static svs_status own_run(svs_context *x, message *unused) {
    message m = {make()};
    enter();
    EXPLORE_CHECK(linker_send(x, shared.linker, &m, 1) == SVS_OK);
    EXPLORE_CHECK(writer_send(x, shared.writer, &m, 1) == SVS_OK);
    leave();
    return SVS_OK;
}
SVS_TASK(owner, message, own_run, nothing_touch)

/* ---- asyncs ---- */

#define PARTS 2u

static node *parents[PARTS], *made[PARTS];

typedef struct part {
    uint32_t at;
    svs_context *context;
} part;

static void make_part(svs_async_context *async, void *argument) {
    const part *p = argument;
    message m;
    m.about = made[p->at] = make();
    explore_wrote(&made[p->at]);
    EXPLORE_CHECK(svs_link(parents[p->at], next, m.about) == SVS_OK);
    if (p->at == 0) {
        enter(); /* it is the body's until the body ends */
        EXPLORE_CHECK(writer_send(p->context, shared.writer, &m, 1) == SVS_OK);
    } else {
        EXPLORE_CHECK(svs_publish(p->context, &m.about->svs) == SVS_OK);
    }
}

static void make_parts(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < PARTS; i++) {
        part p = {i, argument};
        svs_async(async, make_part, &p, sizeof p);
    }
}

static void parents_touch(svs_footprint *f, const message *m) {
    for (uint32_t i = 0; i < PARTS; i++) svs_writes_object(f, &parents[i]->svs);
}
static svs_status spawn_run(svs_context *x, message *m) {
    svs_finish(svs_context_async(x), make_parts, x);
    for (uint32_t i = 0; i < PARTS; i++) {
        explore_read(&made[i]);
        EXPLORE_CHECK(parents[i]->next == made[i]);
    }
    EXPLORE_CHECK(made[0]->svs.key != made[1]->svs.key);
    leave();
    return SVS_OK;
}
SVS_TASK(spawner, message, spawn_run, parents_touch)

/* ---- both ---- */

static void run_with(const svs_task_type *type, uint32_t threads) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, threads);
    svs_graph *graph;
    svs_task *task;
    message none = {NULL};
    memset(&shared, 0, sizeof shared);
    shared.world = support_world(runtime, SVS_REFRESH_MANUAL);
    for (uint32_t i = 0; i < PARTS; i++) parents[i] = make();
    graph = support_graph(shared.world, SVS_ALGORITHM_PROGRESSIVE);
    EXPLORE_CHECK(svs_graph_add_transform(graph, type, &none, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &linker_task, NULL, &shared.linker) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &writer_task, NULL, &shared.writer) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, task, shared.linker) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, task, shared.writer) == SVS_OK);
    EXPLORE_CHECK(svs_graph_set_independent(graph, shared.linker, shared.writer) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(svs__load_relaxed(&shared.writers) == 1);
    support_end(runtime, shared.world, NULL, graph);
}

static void owners(void) { run_with(&owner_task, 2); }
static void body_asyncs(void) { run_with(&spawner_task, 2); }

const explore_scenario explore_owners = {"owners", owners, 1, 5000,
                                         "an object that another body than its maker releases"};
const explore_scenario explore_body_asyncs = {
    "body_asyncs", body_asyncs, 1, 5000,
    "an async that does not act for its body on a thief, or asyncs that meet in the body's lists"};
