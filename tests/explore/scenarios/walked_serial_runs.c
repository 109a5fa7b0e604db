/* Serial runs of instances whose elements are found by walks (sched.W10): bodies of a serial run
 * change and free what later ones come to. */
#include "explore/scenarios/support.h"
#include "explore/scenarios/visited.h"
#include <string.h>

#define NODES 5u
#define WALKS 6u
#define SENT 3u /* of them by the feeder; each of these sends another one to its own task */
#define OTHERS 2u

typedef enum { VISITS, LINKS, IS_PLAIN, FREES_NEXT, COMES_FIRST, HAS_PATH } what;

typedef struct walk {
    uint32_t number;
    node *from, *next; /* the node, and its next one afterwards */
    what does;
} walk;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
    node *nodes[NODES];
    walk walks[WALKS];
    uint32_t ran[WALKS + OTHERS];
} shared;

static void walk_touch(svs_footprint *f, const walk *w) {
    /* Along the first link of the node, and the second one of the next: there is none such. */
    uint64_t path = svs_path(svs_path(0, 0, 0), 1, 1);
    if (w->does == IS_PLAIN) svs_writes_object(f, &w->from->svs);
    else if (w->does == HAS_PATH) svs_reads_path(f, &w->from->svs, path, 2);
    else svs_writes_hops(f, &w->from->svs, 1);
}

static svs_status free_next(node *from) {
    node *next = from->next, *none = NULL;
    svs_status status = svs_link(from, next, none);
    return status ? status : svs_object_free(&next->svs);
}

static svs_status send_another(svs_context *x, uint32_t number);

static svs_status walk_run(svs_context *x, walk *w) {
    svs_status status = SVS_OK;
    EXPLORE_CHECK(w->does < COMES_FIRST || shared.ran[0] == 0);
    visit(w->from);
    if (w->does != IS_PLAIN && w->does != HAS_PATH && w->from->next) visit(w->from->next);
    explore_wrote(&shared.ran[w->number]);
    EXPLORE_CHECK(shared.ran[w->number]++ == 0);
    if (w->does == LINKS) status = svs_link(w->from, next, w->next);
    if (w->does == FREES_NEXT) status = free_next(w->from);
    return status ? status : send_another(x, w->number + SENT);
}
SVS_TASK(walk, walk_run, walk_touch)

static svs_status send_another(svs_context *x, uint32_t number) {
    const walk *another = number < WALKS ? &shared.walks[number] : NULL;
    return another && another->from ? walk_send(x, shared.task, another, 1) : SVS_OK;
}

typedef struct feed {
    uint32_t count;
} feed;
static void feed_touch(svs_footprint *f, const feed *i) { (void)f, (void)i; }
static svs_status feed_run(svs_context *x, feed *f) {
    return walk_send(x, shared.task, shared.walks, f->count);
}
SVS_TASK(feed, feed_run, feed_touch)

/* Nodes 0 -> 1, 2 -> 3, 4, and a task to which a body sends the first `count` walks. @return the
 * task of that body. */
static svs_task *open_world(uint32_t count) {
    feed item = {count};
    svs_task *feeder;
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    make_chains(shared.world, shared.nodes, NODES);
    shared.graph = support_graph(shared.world, SVS_ALGORITHM_WINDOWED);
    EXPLORE_CHECK(svs_graph_add_itemizer(shared.graph, &walk_task, NULL, &shared.task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(shared.graph, shared.task, shared.task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_transform(shared.graph, &feed_task, &item, NULL, &feeder) ==
                  SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(shared.graph, feeder, shared.task) == SVS_OK);
    return feeder;
}

static void set_walk(uint32_t number, uint32_t from, uint32_t next, what does) {
    shared.walks[number] = (walk){number, shared.nodes[from], shared.nodes[next], does};
}

static void close_world(void) { support_end(shared.runtime, shared.world, NULL, shared.graph); }

/* ---- beside another domain ---- */

static void add_others(const svs_task *feeder) {
    walk others[OTHERS] = {{WALKS, shared.nodes[1], shared.nodes[2], LINKS},
                           {WALKS + 1, shared.nodes[0], shared.nodes[2], LINKS}};
    svs_graph *graph = shared.graph;
    svs_task *task;
    task =
        support_task(graph, &walk_task, SVS_ALGORITHM_PROGRESSIVE, others, OTHERS, sizeof *others);
    EXPLORE_CHECK(svs_graph_set_independent(graph, shared.task, task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_set_independent(graph, (svs_task *)(uintptr_t)feeder, task) == SVS_OK);
}

static void walked_serial_run(void) {
    const svs_task *feeder = open_world(SENT);
    set_walk(0, 0, 4, LINKS);
    set_walk(1, 2, 4, LINKS);
    set_walk(2, 4, 4, IS_PLAIN);
    set_walk(3, 0, 3, LINKS);
    set_walk(4, 2, 3, LINKS);
    set_walk(5, 3, 0, LINKS);
    add_others(feeder);
    EXPLORE_CHECK(svs_graph_run(shared.graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < WALKS + OTHERS; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    close_world();
}

/* ---- what was freed or linked by an earlier instance ---- */

/* The second walk runs before the first one, or is refused. */
static void run_or_refuse(svs_status refusal) {
    svs_status status = svs_graph_run(shared.graph, 1, NULL);
    EXPLORE_CHECK(status == (shared.ran[1] ? SVS_OK : refusal));
    EXPLORE_CHECK(shared.ran[0] == 1);
    close_world();
}

/* The second one names the object that the first one frees. The third came to it, and may run. */
static void serial_freed_walked(void) {
    (void)open_world(3);
    set_walk(0, 0, 0, FREES_NEXT);
    set_walk(1, 1, 0, COMES_FIRST);
    set_walk(2, 0, 0, VISITS);
    run_or_refuse(SVS_E_FREED);
}

/* The second one's path ends at node 4, until the first one links another node behind that. */
static void serial_linked_walked(void) {
    (void)open_world(2);
    set_walk(0, 4, 3, LINKS);
    set_walk(1, 4, 4, HAS_PATH);
    run_or_refuse(SVS_E_TYPE);
}

const explore_scenario explore_walked_serial_run = {
    "walked_serial_run", walked_serial_run, 1, 4000,
    "a walked instance of a serial run that is lost, run twice, or not alone"};
const explore_scenario explore_serial_freed_walked = {
    "serial_freed_walked", serial_freed_walked, 1, 2000,
    "a walked instance that runs from an object which the serial run freed"};
const explore_scenario explore_serial_linked_walked = {
    "serial_linked_walked", serial_linked_walked, 1, 2000,
    "an instance that runs with a path which the serial run has made a wrong one"};
