/* Graphs of scripted tasks under a check: the declarations and the accesses of each. */
#ifndef SVS_TESTS_DPST_GRAPH_SCENE_H
#define SVS_TESTS_DPST_GRAPH_SCENE_H

#include "../worksteal/running.h"
#include <stdio.h>
#include <string.h>
#include <svs/check.h>
#include <svs/svs.h>

typedef struct thing {
    uint64_t value, other;
    struct thing *next;
    svs_object svs;
} thing;
SVS_TYPE(thing, svs, next)

typedef struct script script;
typedef void deed(svs_context *context, script *of);

#define DECLARED 4

struct script {
    uint32_t count;
    svs_access declared[DECLARED];
    deed *deed;
    void *with; /* what the deed is about */
    svs_task *to;
    const uint64_t *touched; /* what the touch function reads, or NULL */
};

typedef struct part {
    script *script;
} part;

static void part_touch(svs_footprint *f, const part *p) {
    if (p->script->touched) svs_check_read(p->script->touched, sizeof *p->script->touched);
    for (uint32_t i = 0; i < p->script->count; i++)
        svs_footprint_add_access(f, &p->script->declared[i]);
}

static svs_status part_run(svs_context *context, part *p) {
    p->script->deed(context, p->script);
    return SVS_OK;
}

/* Reports know tasks by their names. */
SVS_TASK(ann, part, part_run, part_touch)
SVS_TASK(bob, part, part_run, part_touch)
SVS_TASK(cid, part, part_run, part_touch)
SVS_TASK(dan, part, part_run, part_touch)

#define FOUND_MAX 64u

typedef struct scene {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_check_options options;
    svs_check_summary summary;
    _Atomic(uint32_t) count;
    svs_check_race found[FOUND_MAX];
    char cures[FOUND_MAX][256];
    char declared[FOUND_MAX][512];
} scene;

static void scene_found(const svs_check_race *race, void *argument) {
    scene *s = argument;
    uint32_t at = svs__fetch_add_relaxed(&s->count, 1);
    if (at >= FOUND_MAX) return;
    s->found[at] = *race;
    (void)snprintf(s->cures[at], sizeof s->cures[at], "%s", race->cure ? race->cure : "");
    (void)snprintf(s->declared[at], sizeof s->declared[at], "%s",
                   race->declared ? race->declared : "");
}

static inline scene *scene_new(uint32_t threads) {
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->runtime = started(threads, 20);
    svs_check_options_init(&s->options);
    s->options.max_bytes = (size_t)64 << 20;
    s->options.found = scene_found;
    s->options.found_argument = s;
    s->options.order_is_error = true;
    assert_int_equal(svs_check_start(s->runtime, &s->options), SVS_OK);
    assert_int_equal(svs_world_new(s->runtime, NULL, &s->world), SVS_OK);
    assert_int_equal(svs_graph_new(s->world, NULL, &s->graph), SVS_OK);
    return s;
}

static inline void scene_free(scene *s) {
    assert_int_equal(svs_graph_free(s->graph), SVS_OK);
    assert_int_equal(svs_world_free(s->world), SVS_OK);
    if (s->options.found != NULL) assert_int_equal(svs_check_stop(s->runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(s->runtime), SVS_OK);
    free(s);
}

/* A case with a scene `s` on so many threads, which is freed at its end. */
#define SCENE_CASE(name, threads)                                                                  \
    static void name##_in(scene *s);                                                               \
    TEST_CASE(name) {                                                                              \
        scene *s = scene_new(threads);                                                             \
        name##_in(s);                                                                              \
        scene_free(s);                                                                             \
    }                                                                                              \
    static void name##_in(scene *s)

static inline void scene_run(scene *s) {
    svs_report report;
    svs_status status = svs_graph_run(s->graph, 1, &report);
    if (status) fail_msg("%s", report.text);
    assert_int_equal(svs_check_summary_get(s->runtime, &s->summary), SVS_OK);
    assert_int_equal(s->summary.lost, 0);
}

static inline thing *thing_new(scene *s) {
    void *t;
    assert_int_equal(svs_object_new(s->world, &thing_type, &t), SVS_OK);
    return t;
}

static inline void script_declare(script *of, const void *what, svs_access_kind kind,
                                  svs_access_mode mode, svs_access_extent extent) {
    svs_access access = {what, 0, 0, (uint8_t)kind, (uint8_t)mode, (uint8_t)extent, 0};
    assert_true(of->count < DECLARED);
    of->declared[of->count++] = access;
}

static inline void reads_thing(script *of, const thing *t) {
    script_declare(of, &t->svs, SVS_KIND_OBJECT, SVS_MODE_READ, SVS_EXTENT_OWN);
}
static inline void writes_thing(script *of, const thing *t) {
    script_declare(of, &t->svs, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_OWN);
}

static inline svs_task *add_part(scene *s, const svs_task_type *type, script *of) {
    part p = {of};
    svs_task *task;
    assert_int_equal(svs_graph_add_transform(s->graph, type, &p, NULL, &task), SVS_OK);
    return task;
}

static inline svs_task *add_parts(scene *s, const svs_task_type *type) {
    svs_task *task;
    assert_int_equal(svs_graph_add_itemizer(s->graph, type, NULL, &task), SVS_OK);
    return task;
}

/* One task, two that nothing orders, two in this order. */
static inline void scene_run_one(scene *s, script *ann) {
    add_part(s, &ann_task, ann);
    scene_run(s);
}
static inline void scene_run_two(scene *s, script *ann, script *bob) {
    add_part(s, &ann_task, ann);
    add_part(s, &bob_task, bob);
    scene_run(s);
}
static inline void scene_run_ordered(scene *s, script *ann, script *bob) {
    svs_task *first = add_part(s, &ann_task, ann), *second = add_part(s, &bob_task, bob);
    assert_int_equal(svs_graph_add_order(s->graph, first, second), SVS_OK);
    scene_run(s);
}

static inline uint32_t scene_count(scene *s, int verdict) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->count && i < FOUND_MAX; i++) n += s->found[i].verdict == verdict;
    return n;
}

/* ---- deeds ---- */

static inline void reads_value(svs_context *context, script *of) {
    thing *t = of->with;
    svs_check_read(&t->value, sizeof t->value);
}
static inline void writes_value(svs_context *context, script *of) {
    thing *t = of->with;
    svs_check_write(&t->value, sizeof t->value);
}
static inline void does_nothing(svs_context *context, script *of) { (void)context, (void)of; }

#endif
