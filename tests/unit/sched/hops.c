/* The loop of a task type follows links for one hop (window/keys.h), and finds what the touch
 * function leads to: in random graphs of objects of several types, with and without members, some
 * of which bodies link anew. */
#include "unit/face/support.h"

#include "base/random.h"
#include "memobj/set.h"
#include "sched/domain/window/keys.h"
#include "sched/domain/window/window.h"
#include "sched/graph/node.h"
#include <svs/members.h>

typedef struct knot knot;
typedef struct box box;
typedef struct leaf { /* has no link */
    svs_object svs;
    uint64_t value;
} leaf;
SVS_TYPE(leaf, svs)

struct knot {
    leaf *first;
    svs_object svs;
    knot *second;
    box *third;
};
struct box { /* has a member */
    knot inner;
    svs_object svs;
};
SVS_TYPE(knot, svs, first, second, third)
SVS_MEMBERS(box, {"inner", offsetof(box, inner), &knot_type})
SVS_TYPE_MEMBERS(box, svs)

typedef struct stray { /* a third type: the library remembers two */
    svs_object svs;
    knot *to;
} stray;
SVS_TYPE(stray, svs, to)

enum { EACH = 40, ITEMS = 3000, PICKS = 3 };

static leaf *leaves[EACH];
static knot *knots[EACH];
static stray *strays[EACH];
static box *boxes[EACH];

typedef struct walk {
    uint32_t number;
    svs_object *picks[PICKS]; /* some of them NULL */
    knot *links;              /* NULL, or what the body links anew, to `to` */
    knot *to;
} walk;

static void walk_touch(svs_footprint *f, const walk *w) {
    svs_writes_hops(f, w->picks[0], 1);
    svs_reads_hops(f, w->picks[1], 1);
    svs_writes_object(f, w->picks[2]);
    if (w->links) svs_writes_object(f, &w->links->svs);
}

static uint32_t order[ITEMS];
static _Atomic(uint32_t) ran;

static svs_status walk_run(svs_context *x, walk *w) {
    (void)x;
    order[ran++] = w->number;
    return w->links ? svs_link(w->links, second, w->to) : SVS_OK;
}
SVS_TASK(walk, walk_run, walk_touch)

/* ---- objects and items ---- */

static svs_object *draw_object(svs__random *random, uint32_t odd) {
    uint32_t i = svs__random_below(random, EACH), kind = svs__random_below(random, 100);
    if (kind < odd) return &strays[i]->svs;
    if (kind < 2 * odd) return &boxes[i]->svs;
    if (kind < 3 * odd) return &boxes[i]->inner.svs;
    if (kind < 4 * odd) return NULL;
    return kind % 3 ? &knots[i]->svs : &leaves[i]->svs;
}

static void make_objects(svs_world *world, svs__random *random) {
    for (uint32_t i = 0; i < EACH; i++) {
        support_ok(SVS_NEW(world, leaf, &leaves[i]));
        support_ok(SVS_NEW(world, knot, &knots[i]));
        support_ok(SVS_NEW(world, stray, &strays[i]));
        support_ok(SVS_NEW(world, box, &boxes[i]));
    }
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t k = svs__random_below(random, 2 * EACH), l = svs__random_below(random, 2 * EACH);
        support_ok(svs_link(knots[i], first, k < EACH ? leaves[k] : NULL));
        support_ok(svs_link(knots[i], second, l < EACH ? knots[l] : NULL));
        support_ok(svs_link(knots[i], third, i % 8 ? NULL : boxes[i]));
        support_ok(svs_link(strays[i], to, knots[i]));
        support_ok(svs_link(&boxes[i]->inner, second, knots[i]));
    }
}

static void draw_items(walk *items, svs__random *random, uint32_t odd, uint32_t linkers) {
    for (uint32_t i = 0; i < ITEMS; i++) {
        items[i] = (walk){.number = i};
        for (uint32_t k = 0; k < PICKS; k++) items[i].picks[k] = draw_object(random, odd);
        if (svs__random_below(random, 100) >= linkers) continue;
        items[i].links = knots[svs__random_below(random, EACH)];
        items[i].to = knots[svs__random_below(random, EACH)];
    }
}

/* ---- which instance has which colour ---- */

/* The order in which one worker runs the items tells their colours. */
static void run_items(const svs_task_type *type, uint32_t odd, uint32_t linkers, uint32_t *into) {
    static walk items[ITEMS];
    svs__random random;
    svs_graph *graph;
    svs_task *task;
    support s;
    support_open(&s, 1);
    svs__random_seed(&random, odd * 100 + linkers + 1);
    make_objects(s.world, &random);
    draw_items(items, &random, odd, linkers);
    graph = support_graph_of(&s, SVS_ALGORITHM_WINDOWED);
    task = support_itemizer(graph, type, NULL);
    ran = 0;
    support_ok(svs_graph_send(graph, task, items, ITEMS, sizeof *items));
    support_run(graph, 1);
    assert_int_equal(ran, ITEMS);
    memcpy(into, order, sizeof order);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(a_loop_that_follows_links_gives_the_colours_that_the_touch_function_leads_to) {
    static uint32_t by_loop[ITEMS], by_touch[ITEMS];
    svs_task_type plain = walk_task;
    plain.loops = NULL;
    for (uint32_t odd = 0; odd <= 20; odd += SVS__HAS_LOOPS ? 5 : 20)
        for (uint32_t linkers = 0; linkers <= 60; linkers += SVS__HAS_LOOPS ? 30 : 60) {
            run_items(&walk_task, odd, linkers, by_loop);
            run_items(&plain, odd, linkers, by_touch);
            assert_memory_equal(by_loop, by_touch, sizeof by_loop);
        }
}

/* ---- the first window (sched.W17) ---- */

/* The number of chains that know of walks after one window of items. */
static uint32_t chains_that_know(const support *s, const walk *items, uint32_t count) {
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_WINDOWED);
    svs_task *task = support_itemizer(graph, &walk_task, NULL);
    const svs__windows *ws;
    uint32_t know = 0;
    ran = 0;
    support_ok(svs_graph_send(graph, task, items, count, sizeof *items));
    support_run(graph, 1);
    ws = svs__windows_of(svs__node_of(task)->domain);
    for (uint32_t i = 0; i < SVS__WINDOWS; i++) know += ws->told[i].walks;
    support_ok(svs_graph_free(graph));
    return know;
}

SUPPORT_CASE(the_first_window_tells_all_chains_of_walks, 2) {
    walk plain = {0}, walked = {0};
    svs__random random;
    svs__random_seed(&random, 7);
    make_objects(s->world, &random);
    plain.picks[2] = walked.picks[0] = &knots[0]->svs;
    assert_int_equal(chains_that_know(s, &plain, 1), 0);
    assert_int_equal(chains_that_know(s, &walked, 1), SVS__WINDOWS);
}

/* Items that access nothing. The first SVS__WINDOW_FIRST run before the others. */
enum { MANY = 3 * SVS__WINDOW_MAX };
static _Atomic(uint32_t) first_ended, begun_early;

static void alone_touch(svs_footprint *f, const uint32_t *number) { (void)f, (void)number; }
static svs_status alone_run(svs_context *x, uint32_t *number) {
    (void)x;
    /* time for the other worker to begin what is not in the first window */
    for (uint64_t begin = svs__time_ns(); !*number && svs__time_ns() - begin < 10000000;)
        svs__yield();
    if (*number < SVS__WINDOW_FIRST) first_ended++;
    else if (first_ended < SVS__WINDOW_FIRST) begun_early++;
    return SVS_OK;
}
SVS_TASK(alone, uint32_t, alone_run, alone_touch)

SUPPORT_CASE(the_first_window_is_short_if_many_items_wait, 2) {
    static uint32_t items[MANY];
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_WINDOWED);
    svs_task *task = support_itemizer(graph, &alone_task, NULL);
    for (uint32_t i = 0; i < MANY; i++) items[i] = i;
    first_ended = begun_early = 0;
    support_ok(svs_graph_send(graph, task, items, MANY, sizeof *items));
    support_run(graph, 1);
    assert_int_equal(first_ended, SVS__WINDOW_FIRST);
    assert_int_equal(begun_early, 0);
    support_ok(svs_graph_free(graph));
}

/* ---- which elements an instance has ---- */

#if SVS__HAS_LOOPS /* not in race checks */
typedef struct seen {
    uint32_t found, stopped, targets;
} seen;

static uint32_t sort_of(const svs__element *elements, uint32_t count, uint64_t *into) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t one = (uint64_t)elements[i].key << 1 | elements[i].mode;
        uint32_t at = 0;
        while (at < n && into[at] < one) at++;
        if (at < n && into[at] == one) continue; /* two accesses may have one element */
        memmove(into + at + 1, into + at, (n - at) * sizeof *into);
        into[at] = one;
        n++;
    }
    return n;
}

static void compare(svs__set *set, const walk *w, const svs__key_links *links, seen *c) {
    enum { MOST = 64 };
    svs__key_element by_loop[MOST];
    uint64_t loop[MOST], touch[MOST];
    void *at[] = {(void *)(uintptr_t)w};
    uint32_t world = (uint32_t)set->world->index << 16, end = 0, count, n;
    svs__keys keys = {.footprint = {.form = SVS__FOOTPRINT_KEYS},
                      .next = by_loop,
                      .end = by_loop + MOST,
                      .plain = {knot_type.index | world, leaf_type.index | world},
                      .links = links,
                      .world = set->world};
    count = walk_loops_.keys(&keys, at, &end, 1);
    c->stopped += !count;
    if (!count) return;
    svs__set_begin(set);
    walk_touch_(&set->footprint, w);
    support_ok(svs__set_expand(set));
    n = sort_of((const svs__element *)(const void *)by_loop, end, loop);
    assert_int_equal(sort_of(set->elements, set->count, touch), n);
    assert_memory_equal(loop, touch, n * sizeof *loop);
    assert_int_equal(keys.walks, w->picks[0] || w->picks[1]);
    c->found++;
    c->targets += end > PICKS;
}

/* As window/keys.c makes them. */
static svs__key_links links_of(const svs_type *type) {
    const svs__type *record = svs__type_get((uint16_t)type->index);
    return (svs__key_links){record->link_field, record->link_header, record->link_count};
}

SUPPORT_CASE(a_loop_finds_the_elements_of_a_footprint_with_hops, 1) {
    static walk items[ITEMS];
    svs__random random;
    svs__set set;
    seen c = {0};
    memset(&set, 0, sizeof set);
    svs__random_seed(&random, 5);
    make_objects(s->world, &random);
    support_ok(svs__set_init(&set, s->world));
    const svs__key_links links[] = {links_of(&knot_type), links_of(&leaf_type)};
    draw_items(items, &random, 3, 20);
    for (uint32_t i = 0; i < ITEMS; i++) compare(&set, &items[i], links, &c);
    assert_true(c.found > ITEMS / 4 && c.stopped > ITEMS / 20 && c.targets);
    memset(&c, 0, sizeof c);
    for (uint32_t i = 0; i < ITEMS; i++)
        if (items[i].picks[0]) compare(&set, &items[i], NULL, &c);
    assert_int_equal(c.found, 0); /* without links, a loop stops at each walk */
    svs__set_clean_up(&set);
}
#endif

int main(void) { return run_cases(NULL, NULL); }
