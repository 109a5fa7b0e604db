/* Nodes of the race check's tree are reused while workers go on (dpst/task/gc.h): no node
 * above an open one is dead (dpst.X5), and no worker still has the number of a reused node
 * (dpst.X6). There is no shadow: one word stands for the names in a cell. */
#include "dpst/task/gc.h"
#include "explore/explore.h"

#define WORKERS 2
#define PARTS 6u

static svs_runtime runtime;
static svs__check check;
static svs__check_worker workers[WORKERS];
static _Atomic(uint32_t) cell, begun;
static uint32_t upper, lower, old; /* asyncs, one in the other; a step that has ended */
static svs__thread thread;

static svs__dpst_tree *tree(void) { return &svs__the_checker.tree; }

static uint32_t append(uint32_t worker, uint32_t scope, uint32_t at, svs__node_kind kind) {
    svs__scope in = {scope, at, 0};
    uint32_t node = svs__tree_append(tree(), &workers[worker].block, &in, kind, NULL);
    EXPLORE_CHECK(node != 0);
    return node;
}

/* Worker 0 has used a part of the tree up: in it are two asyncs, and steps that have ended. Worker
 * 1 has numbers before that. */
static void begin(void) {
    uint32_t last;
    EXPLORE_CHECK(svs__tree_init(tree(), PARTS * SVS__NODE_BLOCK * (sizeof(svs__dpst_node) + 18)));
    runtime.options.threads = WORKERS;
    check.runtime = &runtime;
    check.workers = workers;
    svs__the_checker.checks = &check;
    for (int i = 0; i < WORKERS; i++) {
        workers[i].block = (svs__node_block){0, 0, 0, false};
        svs__store_relaxed(&workers[i].epoch, SVS__EPOCH_AWAY);
    }
    svs__sweep_init(1);
    svs__sweep_back(&workers[0]);
    (void)append(1, 1, 1, SVS__NODE_STEP);
    upper = append(0, 1, 2, SVS__NODE_ASYNC);
    lower = append(0, upper, 1, SVS__NODE_ASYNC);
    old = last = append(0, upper, 2, SVS__NODE_STEP);
    for (; last / SVS__NODE_BLOCK == old / SVS__NODE_BLOCK;
         last = append(0, upper, 2, SVS__NODE_STEP))
        svs__sweep_close(&workers[0], last);
    svs__store_relaxed(&cell, old);
    svs__store_relaxed(&begun, 0);
}

static void end(void) {
    svs__the_checker.checks = NULL;
    svs__tree_clean_up(tree());
}

/* Worker 0 takes steps, and sweeps, until it is in that part. */
static void sweep(int part) {
    do {
        svs__sweep_see(&workers[0]);
        svs__sweep_go_on(&workers[0]);
        if (svs__the_checker.sweep.part != part) svs__yield();
    } while (svs__the_checker.sweep.part != part);
}

/* ---- what closes while it is marked ---- */

static uint32_t child;

/* An async that escapes the two is spawned, and they end. */
static void *spawn_and_end(void *argument) {
    svs__sweep_back(&workers[1]);
    svs__store_release(&begun, 1);
    /* Sometimes the sweep has begun by then, sometimes it goes on. */
    for (uint32_t i = explore_below(3); i != 0; i--) {
        svs__sweep_see(&workers[1]);
        svs__yield();
    }
    child = append(1, lower, 1, SVS__NODE_ASYNC);
    svs__sweep_close(&workers[1], lower);
    svs__sweep_close(&workers[1], upper);
    svs__sweep_away(&workers[1]);
    return argument;
}

static void run_closing(void) {
    begin();
    EXPLORE_CHECK(svs__thread_create(&thread, spawn_and_end, NULL, 0) == SVS_OK);
    while (!svs__load_acquire(&begun)) svs__yield();
    sweep(SVS__SWEEP_BEGINS);
    sweep(SVS__SWEEP_RESTS);
    svs__thread_join(&thread);
    for (uint32_t node = child; node != 0; node = svs__tree_node(tree(), node)->parent)
        EXPLORE_CHECK(svs__load_relaxed(&tree()->states[node]) != SVS__NODE_FREE);
    end();
}

const explore_scenario explore_sweep_closing = {"sweep_closing", run_closing, 0, 5000,
                                                "a node that is used again below a living one"};

/* ---- workers that know a number ---- */

/* Looks at a cell and at the node that it names. */
static void *look(void *argument) {
    for (int i = 0; i < 2; i++) {
        uint32_t named;
        svs__sweep_back(&workers[1]);
        named = svs__load_acquire(&cell);
        if (named != 0) explore_read(svs__tree_node(tree(), named));
        svs__sweep_see(&workers[1]);
        named = svs__load_acquire(&cell);
        if (named != 0) explore_read(svs__tree_node(tree(), named));
        svs__sweep_away(&workers[1]);
    }
    return argument;
}

static void run_learning(void) {
    uint32_t node;
    begin();
    EXPLORE_CHECK(svs__thread_create(&thread, look, NULL, 0) == SVS_OK);
    sweep(SVS__SWEEP_BEGINS);
    svs__store_release(&cell, 0); /* another step has written there */
    sweep(SVS__SWEEP_RESTS);
    do node = append(0, upper, 3, SVS__NODE_STEP);
    while (node != old);
    explore_wrote(svs__tree_node(tree(), node));
    svs__thread_join(&thread);
    end();
}

const explore_scenario explore_sweep_learning = {"sweep_learning", run_learning, 0, 5000,
                                                 "a number that a worker knows is another node's"};
