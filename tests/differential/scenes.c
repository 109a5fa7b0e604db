/* Two scenes of their own: a writer that waits behind readers that overlap (sched.S4), and leaves
 * that come and go below one parent. */
#include <sched.h>
#include <string.h>

#include "differential.h"

/* ---- the writer that waits ----
 *
 * Graphs of readers run again and again. A reader does not end before another one has begun, so
 * that there is always one, unless the library keeps readers off. So the writer begins when the
 * library does that, and the number of readers that begin before it is bounded. */

#define READERS 3u
#define HANDSHAKE 200u /* looks of a reader for the next one */
#define WAITING 20000u /* readers that begin while the writer waits: more are a violation */
#define BEFORE_LINK 400u

enum { TRANSFORM, LONE, STAGED, PROGRESSIVE, WINDOWED, GROWING, FORMS };

static struct {
    land *land;
    node *root, *middle, *target;
    uint32_t form;
    _Atomic(uint32_t) begun, since; /* readers in all, and since the writer waits */
    _Atomic(bool) waits, holds, written;
    _Atomic(bool) free; /* nothing but readers keeps the writer waiting */
} scene;

typedef struct nothing {
    int nothing;
} nothing;

static void touch_target(svs_footprint *f, const nothing *n) {
    svs_reads_object(f, &scene.target->svs);
}
static void touch_none(svs_footprint *f, const nothing *n) { (void)f, (void)n; }
static void touch_middle(svs_footprint *f, const nothing *n) {
    svs_writes_object(f, &scene.middle->svs);
}
static void touch_written(svs_footprint *f, const nothing *n) {
    if (scene.form == GROWING) svs_writes_reach(f, &scene.root->svs);
    else svs_writes_object(f, &scene.target->svs);
}

static svs_status run_reader(svs_context *context, nothing *n) {
    entry e = {&scene.target->is.is, &scene.target->is, false};
    uint32_t mine = atomic_fetch_add(&scene.begun, 1) + 1;
    (void)atomic_fetch_add_explicit(&progress, 1, memory_order_relaxed);
    enter(&e);
    if (atomic_load(&scene.waits) && !atomic_load(&scene.written) &&
        atomic_fetch_add(&scene.since, 1) > WAITING && atomic_load(&scene.free))
        violated("S4", "%u readers have begun while a writer waits (form %u)", WAITING, scene.form);
    for (uint32_t i = 0; i < HANDSHAKE && atomic_load(&scene.begun) == mine; i++)
        (void)sched_yield();
    leave(&e);
    return SVS_OK;
}

static svs_status run_waits(svs_context *context, nothing *n) {
    for (uint32_t i = 0; i < HANDSHAKE && scene.form == GROWING && !atomic_load(&scene.holds); i++)
        (void)sched_yield();
    atomic_store(&scene.waits, true);
    return SVS_OK;
}

static svs_status run_writer(svs_context *context, nothing *n) {
    entry e = {&scene.target->is.is, &scene.target->is, true};
    bool reaches = scene.form != GROWING || scene.middle->a;
    if (reaches) enter(&e);
    atomic_store(&scene.written, true);
    if (reaches) leave(&e);
    return SVS_OK;
}

/* Holds the middle until the writer has waited for it, then leads from it to the target. */
static svs_status run_holder(svs_context *context, nothing *n) {
    atomic_store(&scene.holds, true);
    for (uint32_t i = 0; i < 50 * BEFORE_LINK && atomic_load(&scene.since) < BEFORE_LINK; i++)
        (void)sched_yield();
    return svs_link(scene.middle, a, scene.target);
}

SVS_TASK(reads, nothing, run_reader, touch_target)
SVS_TASK(waits, nothing, run_waits, touch_none)
SVS_TASK(writes, nothing, run_writer, touch_written)
SVS_TASK(holds, nothing, run_holder, touch_middle)
SVS_TASK_ALONE(lone, nothing, run_writer)

static svs_graph *graph_of(svs_algorithm algorithm) {
    svs_graph_options options;
    svs_graph *g;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    must(svs_graph_new(scene.land->world, &options, &g), "svs_graph_new");
    return g;
}

static svs_task *transform_of(svs_graph *g, const svs_task_type *type) {
    svs_task *t;
    must(svs_graph_add_transform(g, type, NULL, NULL, &t), "svs_graph_add_transform");
    return t;
}

/* Runs and frees it. */
static void run_graph_of(svs_graph *g, uint32_t iterations) {
    must(svs_graph_run(g, iterations, NULL), "svs_graph_run");
    must(svs_graph_free(g), "svs_graph_free");
}

static void *read_on(void *unused) {
    svs_graph *g = graph_of(SVS_ALGORITHM_STAGED);
    (void)transform_of(g, &reads_task);
    while (!atomic_load(&scene.written)) must(svs_graph_run(g, 8, NULL), "svs_graph_run");
    must(svs_graph_free(g), "svs_graph_free");
    return NULL;
}

static void *hold(void *unused) {
    svs_graph *g = graph_of(SVS_ALGORITHM_STAGED);
    (void)transform_of(g, &holds_task);
    run_graph_of(g, 1);
    atomic_store(&scene.since, 0);
    atomic_store(&scene.free, true);
    return NULL;
}

static void write_once(void) {
    svs_graph *g = graph_of(scene.form == PROGRESSIVE ? SVS_ALGORITHM_PROGRESSIVE
                            : scene.form == WINDOWED  ? SVS_ALGORITHM_WINDOWED
                                                      : SVS_ALGORITHM_STAGED);
    svs_task *first = transform_of(g, &waits_task), *writer;
    const nothing one = {0};
    if (scene.form == TRANSFORM) {
        writer = transform_of(g, &writes_task);
    } else if (scene.form == LONE) {
        writer = transform_of(g, &lone_task);
    } else {
        must(svs_graph_add_itemizer(g, &writes_task, NULL, &writer), "svs_graph_add_itemizer");
        must(svs_graph_send(g, writer, &one, 1, sizeof one), "svs_graph_send");
    }
    must(svs_graph_add_order(g, first, writer), "svs_graph_add_order");
    run_graph_of(g, 1);
}

void starve(land *l, uint64_t *random) {
    pthread_t readers[READERS], holder;
    svs_status status[3];
    memset(&scene, 0, sizeof scene);
    scene.land = l;
    scene.form = below(random, FORMS);
    scene.free = scene.form != GROWING;
    scene.root = (node *)(void *)make_thing(l, NODE, &status[0]);
    scene.middle = (node *)(void *)make_thing(l, NODE, &status[1]);
    scene.target = (node *)(void *)make_thing(l, NODE, &status[2]);
    for (uint32_t i = 0; i < 3; i++) must(status[i], "svs_object_new");
    must(svs_link(scene.root, a, scene.middle), "svs_link");
    if (scene.form == GROWING && pthread_create(&holder, NULL, hold, NULL))
        violated("tester", "a thread");
    for (uint32_t i = 0; i < READERS; i++)
        if (pthread_create(&readers[i], NULL, read_on, NULL)) violated("tester", "a thread");
    write_once();
    for (uint32_t i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
    if (scene.form == GROWING) pthread_join(holder, NULL);
}

/* ---- leaves ---- */

#define LEAVES_AT_ONCE 100u
#define LEAVES_RUNS 20u
#define LEAVES_GROWTH 1024u /* bytes of metadata for nineteen twentieths of them */

static struct {
    land *land;
    node *parent;
} tree;

static void touch_tree(svs_footprint *f, const nothing *n) {
    svs_writes_reach(f, &tree.parent->svs);
}

static svs_status replace_leaves(void) {
    for (uint32_t i = 0; i < LEAVES_AT_ONCE; i++) {
        svs_status status;
        thing *old = link_of(&tree.parent->is, NODE_LOW), *t = make_thing(tree.land, LEAF, &status);
        if (!status) status = set_link(&tree.parent->is, NODE_LOW, t);
        if (!status && old) status = svs_object_free(header_of(old));
        if (status) return status;
    }
    return SVS_OK;
}

static svs_status run_leaves(svs_context *context, nothing *n) {
    (void)atomic_fetch_add_explicit(&progress, 1, memory_order_relaxed);
    return replace_leaves();
}
SVS_TASK(leaving, nothing, run_leaves, touch_tree)

static uint64_t metadata(void) {
    svs_world_statistics s;
    must(svs_world_refresh(tree.land->world), "svs_world_refresh");
    must(svs_world_statistics_get(tree.land->world, &s), "svs_world_statistics_get");
    return s.metadata_bytes;
}

void leaves(land *l, uint64_t *random) {
    svs_graph *g;
    uint64_t before = 0, after;
    scene.land = l;
    tree.land = l;
    tree.parent = (node *)(void *)any_thing(l, random, NODE);
    g = graph_of(SVS_ALGORITHM_DEFAULT);
    (void)transform_of(g, &leaving_task);
    (void)metadata(); /* so that upkeep begins before the first of them, and not after it */
    for (uint32_t i = 0; i < LEAVES_RUNS; i++) {
        if (chance(random, 50)) must(svs_graph_run(g, 1, NULL), "svs_graph_run");
        else must(replace_leaves(), "leaves outside of runs");
        if (i == 0) before = metadata();
    }
    after = metadata();
    if (after > before + LEAVES_GROWTH)
        violated("memory",
                 "%u leaves have come and gone below one parent: metadata from %llu to "
                 "%llu bytes",
                 LEAVES_RUNS * LEAVES_AT_ONCE, (unsigned long long)before,
                 (unsigned long long)after);
    must(svs_graph_free(g), "svs_graph_free");
}
