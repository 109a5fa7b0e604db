/* A leased domain beside a body without a footprint, which holds nothing but the objects that it
 * makes, and sends items that name them (sched.L1, sched.W10). */
#include "explore/scenarios/support.h"
#include <string.h>

#define MADE 2u
#define OLD 4u

typedef struct thing {
    svs_object svs;
    uint32_t written;
} thing;
SVS_TYPE(thing, svs)

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *users;
    thing *old[OLD];
    uint32_t used;
} shared;

typedef struct use {
    thing *made;
} use;
static void use_touch(svs_footprint *f, const use *u) {
    svs_writes_object(f, &u->made->svs);
    svs_writes(f, &shared.used);
}
static svs_status use_run(svs_context *x, use *u) {
    (void)x;
    explore_wrote(&u->made->written);
    u->made->written++;
    explore_wrote(&shared.used);
    shared.used++;
    return SVS_OK;
}
SVS_TASK(use, use_run, use_touch)

typedef struct maker {
    uint32_t unused;
} maker;
static void maker_touch(svs_footprint *f, const maker *m) { (void)f, (void)m; }
static svs_status maker_run(svs_context *x, maker *m) {
    use items[MADE];
    svs_status status = SVS_OK;
    void *storage;
    (void)m;
    for (uint32_t i = 0; i < MADE && !status; i++) {
        status = svs_object_new(shared.world, &thing_type, &storage);
        items[i].made = storage;
        if (!status) status = use_send(x, shared.users, &items[i], 1);
    }
    for (uint32_t i = 0; i < MADE && !status; i++) {
        explore_wrote(&items[i].made->written);
        items[i].made->written++;
    }
    return status;
}
SVS_TASK(maker, maker_run, maker_touch)

typedef struct feed {
    uint32_t unused;
} feed;
static void feed_touch(svs_footprint *f, const feed *i) { (void)f, (void)i; }
static svs_status feed_run(svs_context *x, feed *f) {
    svs_status status = SVS_OK;
    (void)f;
    for (uint32_t i = 0; i < OLD && !status; i++)
        status = use_send(x, shared.users, &(use){shared.old[i]}, 1);
    return status;
}
SVS_TASK(feed, feed_run, feed_touch)

/* A task of `users`, and one that sends to it. */
static void open_world(void) {
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    shared.graph = support_graph(shared.world, SVS_ALGORITHM_WINDOWED);
    EXPLORE_CHECK(svs_graph_add_itemizer(shared.graph, &use_task, NULL, &shared.users) == SVS_OK);
}

static void add_sender(const svs_task_type *type) {
    svs_task *sender;
    EXPLORE_CHECK(svs_graph_add_transform(shared.graph, type, NULL, NULL, &sender) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(shared.graph, sender, shared.users) == SVS_OK);
}

static void run_and_close(uint32_t uses) {
    EXPLORE_CHECK(svs_graph_run(shared.graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(shared.used == uses);
    support_end(shared.runtime, shared.world, NULL, shared.graph);
}

/* The users' domain leases while the maker runs. */
static void lease_fresh(void) {
    open_world();
    add_sender(&maker_task);
    run_and_close(MADE);
}

/* The same while other items come, so that the users' domain may be in a serial run. */
static void serial_fresh(void) {
    open_world();
    for (uint32_t i = 0; i < OLD; i++)
        EXPLORE_CHECK(SVS_NEW(shared.world, thing, &shared.old[i]) == SVS_OK);
    add_sender(&maker_task);
    add_sender(&feed_task);
    run_and_close(MADE + OLD);
}

const explore_scenario explore_lease_fresh = {
    "lease_fresh", lease_fresh, 1, 4000, "an object in use by its maker that a leased window runs"};
const explore_scenario explore_serial_fresh = {
    "serial_fresh", serial_fresh, 1, 4000, "an object in use by its maker that a serial run runs"};
