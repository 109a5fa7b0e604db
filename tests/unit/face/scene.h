/* Transforms made of a footprint and a script, for tests that ask whether two instances may
 * overlap.
 *
 * An actor declares the accesses of its scene and does what its `act` says. Overlap is found by
 * hand-shakes: an instance that may overlap
 * another waits for it (with a bound that only a hang reaches), and one that may not looks whether
 * the other appears all the same. */
#ifndef SVS_TESTS_FACE_SCENE_H
#define SVS_TESTS_FACE_SCENE_H

#include "support.h"

#define SCENE_ACCESSES 4

typedef struct actor {
    svs_access access[SCENE_ACCESSES];
    uint32_t count;
    struct actor *partner; /* or NULL */
    bool expects;          /* the partner is to run at the same time */
    atomic_int begun, ended, met;
    svs_status (*act)(svs_context *context, struct actor *actor); /* in the middle, or NULL */
} actor;

typedef struct scene {
    actor *actor;
} scene;

/* By the function that a program would call. */
static void scene_touch_object(svs_footprint *f, const svs_access *a) {
    const svs_object *what = a->what;
    bool write = a->mode == SVS_MODE_WRITE;
    switch ((svs_access_extent)a->extent) {
    case SVS_EXTENT_OWN: (write ? svs_writes_object : svs_reads_object)(f, what); break;
    case SVS_EXTENT_REACH: (write ? svs_writes_reach : svs_reads_reach)(f, what); break;
    case SVS_EXTENT_HOPS: (write ? svs_writes_hops : svs_reads_hops)(f, what, a->limit); break;
    case SVS_EXTENT_ALONG: (write ? svs_writes_along : svs_reads_along)(f, what, a->limit); break;
    case SVS_EXTENT_PATH:
        (write ? svs_writes_path : svs_reads_path)(f, what, a->index, a->limit);
        break;
    default: svs_footprint_add_access(f, a);
    }
}

static void scene_touch(svs_footprint *f, const scene *s) {
    for (uint32_t i = 0; i < s->actor->count; i++) {
        const svs_access *a = &s->actor->access[i];
        if (a->kind == SVS_KIND_OBJECT) scene_touch_object(f, a);
        else svs_footprint_add_access(f, a);
    }
}

static svs_status scene_run(svs_context *context, scene *s) {
    actor *a = s->actor;
    svs_status status = SVS_OK;
    atomic_fetch_add(&a->begun, 1);
    if (a->act) status = a->act(context, a);
    if (a->partner && !atomic_load(&a->partner->ended)) {
        bool there = a->expects ? support_comes(&a->partner->begun, 1)
                                : support_appears(&a->partner->begun, 1);
        if (there) atomic_fetch_add(&a->met, 1);
    }
    atomic_fetch_add(&a->ended, 1);
    return status;
}
SVS_TASK(scene, scene, scene_run, scene_touch)

SUPPORT_UNUSED static void scene_access(actor *a, const void *what, svs_access_kind kind,
                                        svs_access_mode mode, svs_access_extent extent,
                                        uint64_t index, uint32_t limit) {
    svs_access access = {what, index, limit, (uint8_t)kind, (uint8_t)mode, (uint8_t)extent, 0};
    assert_true(a->count < SCENE_ACCESSES);
    a->access[a->count++] = access;
}

SUPPORT_UNUSED static void scene_object(actor *a, const node *what, svs_access_mode mode,
                                        svs_access_extent extent, uint64_t index, uint32_t limit) {
    scene_access(a, &what->svs, SVS_KIND_OBJECT, mode, extent, index, limit);
}

SUPPORT_UNUSED static svs_task *scene_add(svs_graph *graph, actor *a) {
    scene item = {a};
    return support_transform(graph, &scene_task, &item, NULL);
}

/* Runs a and b as two transforms that need no dependency. @return whether they overlapped; each
 * looks for the other. */
SUPPORT_UNUSED static bool scene_overlap(support *s, actor *a, actor *b, bool expected) {
    svs_graph *graph = support_graph(s);
    svs_task *x = scene_add(graph, a), *y = scene_add(graph, b);
    support_ok(svs_graph_set_independent(graph, x, y));
    a->partner = b;
    b->partner = a;
    a->expects = b->expects = expected;
    a->begun = b->begun = a->ended = b->ended = a->met = b->met = 0;
    support_run(graph, 1);
    assert_int_equal(a->ended, 1);
    assert_int_equal(b->ended, 1);
    support_ok(svs_graph_free(graph));
    return a->met || b->met;
}

#define assert_overlap(s, a, b) assert_true(scene_overlap(s, a, b, true))
#define assert_apart(s, a, b) assert_false(scene_overlap(s, a, b, false))

#endif
