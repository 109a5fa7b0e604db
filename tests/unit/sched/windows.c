/* Windows (sched/domain/window/window.h), and the loops that SVS_TASK makes for them. */
#include "sched/domain/window/parts.h"
#include "sched/domain/window/window.h"
#include "unit/face/support.h"

#define PLACES 24u
#define ALL 3000u

typedef struct taker {
    uint32_t number;
    uint32_t mask; /* of the places that it writes */
    uint32_t read; /* and of those that it reads */
    bool walks;
} taker;

static node *nodes[PLACES];
static taker order[2 * ALL]; /* those that ran, in their order; one worker */
static uint64_t ids[2 * ALL];
static _Atomic(uint32_t) ran;

static void taker_touch(svs_footprint *f, const taker *t) {
    for (uint32_t i = 0; i < PLACES; i++) {
        if (t->mask >> i & 1) {
            if (t->walks) svs_writes_reach(f, &nodes[i]->svs);
            else svs_writes_object(f, &nodes[i]->svs);
        }
        if (t->read >> i & 1) svs_reads_object(f, &nodes[i]->svs);
    }
}

static svs_status taker_run(svs_context *context, taker *t) {
    uint32_t at = ran++;
    order[at] = *t;
    ids[at] = svs_instance_id(context);
    return SVS_OK;
}
SVS_TASK(taker, taker_run, taker_touch)

typedef struct scene {
    support s;
    svs_graph *graph;
    svs_task *task;
} scene;

static void scene_open(scene *c, const svs_task_type *type, uint32_t threads) {
    support_open(&c->s, threads);
    for (uint32_t i = 0; i < PLACES; i++) nodes[i] = support_node(c->s.world);
    c->graph = support_graph_of(&c->s, SVS_ALGORITHM_WINDOWED);
    c->task = support_itemizer(c->graph, type, NULL);
    ran = 0;
}

static void scene_close(scene *c) {
    support_ok(svs_graph_free(c->graph));
    support_close(&c->s);
}

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static void make(taker *takers, uint32_t count, uint32_t walkers) {
    uint32_t seed = 1;
    for (uint32_t i = 0; i < count; i++) {
        takers[i] = (taker){.number = i, .walks = draw(&seed, 100) < walkers};
        takers[i].mask = UINT32_C(1) << draw(&seed, PLACES);
        if (draw(&seed, 2)) takers[i].mask |= UINT32_C(1) << draw(&seed, PLACES);
        if (!takers[i].walks) takers[i].read = UINT32_C(1) << draw(&seed, PLACES) & ~takers[i].mask;
    }
}

static bool conflict(const taker *a, const taker *b) {
    return a->mask & (b->mask | b->read) || b->mask & a->read;
}

/* Each of `count` ran once. */
static void check_ran(uint32_t count) {
    static bool seen[ALL];
    memset(seen, 0, sizeof seen);
    assert_int_equal(ran, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_false(seen[order[i].number]);
        seen[order[i].number] = true;
    }
}

/* So many stages there are at least: each time that one conflicts with one of the stage so far. */
static uint32_t stages_at_least(uint32_t count) {
    uint32_t stages = 1, begin = 0;
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = begin; k < i; k++)
            if (conflict(&order[i], &order[k])) {
                stages++;
                begin = i;
                break;
            }
    return stages;
}

static void run_takers(uint32_t walkers) {
    static taker takers[ALL];
    scene c;
    svs_graph_statistics statistics;
    scene_open(&c, &taker_task, 1);
    make(takers, ALL, walkers);
    support_ok(svs_graph_send(c.graph, c.task, takers, ALL, sizeof *takers));
    support_run(c.graph, 1);
    check_ran(ALL);
    statistics = support_statistics(c.graph);
    assert_int_equal(statistics.instances, ALL);
    assert_int_equal(statistics.staged_instances, ALL);
    assert_true(statistics.stages >= stages_at_least(ALL));
    scene_close(&c);
}

TEST_CASE(instances_of_a_stage_do_not_conflict) { run_takers(0); }

/* ---- a world with so many objects that they are fetched before they are used ---- */

#define MANY 70000u
#define COUPLES 1000u

typedef struct couple {
    node *of[2];
} couple;

static _Atomic(uint32_t) touches;

static void couple_touch(svs_footprint *f, const couple *p) {
    touches++;
    for (int i = 0; i < 2; i++) svs_writes_object(f, &p->of[i]->svs);
}
/* It is long enough for the objects of the next one to be fetched. */
static svs_status couple_run(svs_context *context, couple *p) {
    uint64_t begin = svs__time_ns();
    (void)context;
    while (svs__time_ns() - begin < 1000) {}
    for (int i = 0; i < 2; i++) p->of[i]->data++;
    return SVS_OK;
}
SVS_TASK(couple, couple_run, couple_touch)

static void init_nodes(support *s, node *all, uint32_t from, uint32_t to) {
    for (; from < to; from++) support_ok(svs_object_init(&all[from].svs, s->world, &node_type));
}

/* Each object is in one couple. @return how often the touch function is called. */
static uint32_t touches_of(svs_graph *graph, svs_task *task, node *all) {
    static couple couples[COUPLES];
    for (uint32_t i = 0; i < COUPLES; i++) couples[i] = (couple){{&all[i], &all[COUPLES + i]}};
    touches = 0;
    support_ok(svs_graph_send(graph, task, couples, COUPLES, sizeof *couples));
    support_run(graph, 1);
    return touches;
}

/* The touch function is called once more for each instance before its window is made, and once
 * while the instance before it runs, if that one is in the same piece of a stage. */
SUPPORT_CASE(in_a_large_world_objects_are_fetched, 1) {
    node *all = calloc(MANY, sizeof *all);
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_WINDOWED);
    svs_task *task = support_itemizer(graph, &couple_task, NULL);
    uint32_t fetched = svs__task_loops_of(task) ? COUPLES + COUPLES / 2 : 0, before;
    init_nodes(s, all, 0, 2 * COUPLES);
    before = touches_of(graph, task, all);
    init_nodes(s, all, 2 * COUPLES, MANY);
    assert_true(touches_of(graph, task, all) >= before + fetched);
    for (uint32_t i = 0; i < MANY; i++) assert_int_equal(all[i].data, i < 2 * COUPLES ? 2 : 0);
    support_ok(svs_graph_free(graph));
    for (uint32_t i = 0; i < MANY; i++) support_ok(svs_object_clean_up(&all[i].svs));
    free(all);
}

#if SVS__HAS_LOOPS /* not in race checks */
SUPPORT_CASE(a_loop_that_fetches_touches_each_item, 1) {
    couple couples[PLACES];
    void *at[PLACES];
    for (uint32_t i = 0; i < PLACES; i++) {
        couples[i] = (couple){{support_node(s->world), NULL}};
        couples[i].of[1] = couples[i].of[0];
        at[i] = &couples[i];
    }
    touches = 0;
    couple_loops_.fetch(NULL, at, PLACES);
    assert_int_equal(touches, PLACES);
}
#endif

/* ---- more items of one place than colours, in each window ---- */

#define MANY_VISITS 40000u
#define COLD 4000u

typedef struct visit {
    uint32_t number;
    svs_space *space;
} visit;

static uint32_t every;                /* one of so many items is of the hot place */
static atomic_uint visits, overtaken; /* `overtaken`: the most later items that ran before one */

static void visit_touch(svs_footprint *f, const visit *v) {
    svs_writes_at(f, v->space, v->number % every ? 1 + v->number % COLD : 0);
}
static svs_status visit_run(svs_context *context, visit *v) {
    (void)context;
    if (visits > v->number && visits - v->number > overtaken) overtaken = visits - v->number;
    visits++;
    return SVS_OK;
}
SVS_TASK(visit, visit_run, visit_touch)

/* Of 42 items of the hot place, a window runs 24. What windows leave over is bounded, since windows
 * without arrivals come in between. So few later items overtake each of them. */
static uint32_t overtaken_if(support *s, uint32_t one_of) {
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_WINDOWED);
    svs_task *task = support_itemizer(graph, &visit_task, NULL);
    svs_space *space;
    support_ok(svs_space_new(s->world, "visited", COLD + 1, &space));
    for (uint32_t i = 0; i < MANY_VISITS; i++) {
        const visit v = {i, space};
        support_ok(svs_graph_send(graph, task, &v, 1, sizeof v));
    }
    visits = overtaken = 0;
    every = one_of;
    support_run(graph, 1);
    assert_int_equal(visits, MANY_VISITS);
    support_ok(svs_graph_free(graph));
    support_ok(svs_space_free(space));
    return overtaken;
}

SUPPORT_CASE(items_that_are_left_over_do_not_pile_up, 1) {
    assert_true(overtaken_if(s, 49) < 20000);
    assert_true(overtaken_if(s, 3) < 20000);
}

/* One that reads the first place, others that read these, and one that writes the first. */
static void run_readers(uint32_t count, uint32_t places, uint32_t stages) {
    static taker takers[ALL];
    scene c;
    scene_open(&c, &taker_task, 1);
    for (uint32_t i = 0; i < count; i++) takers[i] = (taker){.number = i, .read = places};
    takers[0].read = 1;
    takers[count - 1] = (taker){.number = count - 1, .mask = 1};
    support_ok(svs_graph_send(c.graph, c.task, takers, count, sizeof *takers));
    support_run(c.graph, 1);
    check_ran(count);
    assert_int_equal(support_statistics(c.graph).stages, stages);
    assert_int_equal(order[count - 1].mask, 1);
    scene_close(&c);
}

TEST_CASE(a_writer_behind_readers_alone_has_a_later_stage) { run_readers(300, 2, 2); }

TEST_CASE(readers_with_more_elements_than_a_window_remembers_keep_writers_off) {
    run_readers(2000, (1u << PLACES) - 2, 2);
}

TEST_CASE(instances_that_walk_run_beside_windows) {
    run_takers(5);
    run_takers(50);
    run_takers(100);
}

/* Two that conflict with nothing else and come last are in the first window, which is as wide as
 * without those that conflict. */
TEST_CASE(a_conflict_costs_the_width_of_no_other) {
    taker takers[PLACES] = {{0}};
    scene c;
    scene_open(&c, &taker_task, 1);
    for (uint32_t i = 0; i < PLACES; i++)
        takers[i] = (taker){.number = i, .mask = i < PLACES / 2 ? 1 : UINT32_C(1) << i};
    support_ok(svs_graph_send(c.graph, c.task, takers, PLACES, sizeof *takers));
    support_run(c.graph, 1);
    check_ran(PLACES);
    assert_int_equal(support_statistics(c.graph).width_max, PLACES / 2 + 1);
    scene_close(&c);
}

/* The example of sched/domain/window/window.h. Four colours are free there, because each of the
 * items in front writes all accounts and takes one. */
TEST_CASE(eight_transfers_on_four_accounts_have_four_stages_and_one_is_left_over) {
    enum { A = 1, B = 2, C = 4, D = 8, FRONT = SVS__COLOURS - 4, COUNT = 8 };
    static const uint32_t transfers[COUNT] = {A | B, A | C, C | D, B | D,
                                              A | D, A | B, B | C, A | C};
    static const uint32_t stages[COUNT] = {1, 3, 2, 4, 5, 7, 6, 8}; /* in the order of colours */
    taker takers[FRONT + COUNT] = {{0}};
    svs_graph_statistics statistics;
    scene c;
    scene_open(&c, &taker_task, 1);
    for (uint32_t i = 0; i < FRONT; i++) takers[i].mask = A | B | C | D;
    for (uint32_t i = 0; i < COUNT; i++)
        takers[FRONT + i] = (taker){.number = i + 1, .mask = transfers[i]};
    support_ok(svs_graph_send(c.graph, c.task, takers, FRONT + COUNT, sizeof *takers));
    support_run(c.graph, 1);
    assert_int_equal(ran, FRONT + COUNT);
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(order[FRONT + i].number, stages[i]);
    statistics = support_statistics(c.graph);
    assert_int_equal(statistics.stages, SVS__COLOURS + 1); /* the next window has transfer 8 */
    assert_int_equal(statistics.deferrals, 1);
    assert_int_equal(statistics.width_max, 2);
    scene_close(&c);
}

/* ---- the table of words ---- */

#define BROAD 40u

static svs_space *broad_space;

typedef struct broad {
    uint32_t first;
} broad;
static void broad_touch(svs_footprint *f, const broad *w) {
    for (uint32_t i = 0; i < BROAD; i++) svs_writes_at(f, broad_space, w->first + i);
}
static svs_status broad_run(svs_context *context, broad *w) {
    (void)context, (void)w;
    ran++;
    return SVS_OK;
}
SVS_TASK(broad, broad_run, broad_touch)

/* 50 instances write 2,000 indices in 65,536 cells: few of them share one. */
/* Readers of one place: as many stages as windows. */
static uint64_t windows_for(uint32_t count) {
    scene c;
    uint64_t stages;
    scene_open(&c, &taker_task, 1);
    for (uint32_t i = 0; i < count; i++) {
        taker one = {.number = i, .read = 1};
        support_ok(svs_graph_send(c.graph, c.task, &one, 1, sizeof one));
    }
    support_run(c.graph, 1);
    assert_int_equal(ran, count);
    stages = support_statistics(c.graph).stages;
    scene_close(&c);
    return stages;
}

TEST_CASE(a_window_takes_all_that_waits_rather_than_leave_a_few) {
    assert_int_equal(windows_for(SVS__WINDOW_MAX), 1);
    assert_int_equal(windows_for(SVS__WINDOW_MOST), 1);
    assert_int_equal(windows_for(SVS__WINDOW_MOST + 1), 2);
}

/* Each two that follow each other conflict: as many pairs of stages as windows. */
typedef struct twin {
    uint32_t at;
} twin;
static void twin_touch(svs_footprint *f, const twin *t) { svs_writes_at(f, broad_space, t->at); }
static svs_status twin_run(svs_context *context, twin *t) {
    (void)context, (void)t;
    ran++;
    return SVS_OK;
}
SVS_TASK(twin, twin_run, twin_touch)

static uint64_t windows_of_twins(uint32_t count) {
    scene c;
    uint64_t stages;
    scene_open(&c, &twin_task, 1);
    support_ok(svs_space_new(c.s.world, "twins", count, &broad_space));
    for (uint32_t i = 0; i < count; i++) {
        const twin one = {i / 2};
        support_ok(svs_graph_send(c.graph, c.task, &one, 1, sizeof one));
    }
    support_run(c.graph, 1);
    assert_int_equal(ran, count);
    stages = support_statistics(c.graph).stages;
    support_ok(svs_space_free(broad_space));
    scene_close(&c);
    return stages / 2;
}

/* After the first window, which is short, and a full one. */
TEST_CASE(what_would_be_a_long_last_window_is_halved) {
    const uint32_t before = SVS__WINDOW_FIRST + SVS__WINDOW_MAX;
    assert_int_equal(windows_of_twins(before + SVS__WINDOW_HALVED), 3);
    assert_int_equal(windows_of_twins(before + SVS__WINDOW_HALVED + 4), 4);
    assert_int_equal(windows_of_twins(before + SVS__WINDOW_MOST), 4);
    assert_int_equal(windows_of_twins(before + SVS__WINDOW_MOST + 4), 4);
    assert_int_equal(windows_for(before + SVS__WINDOW_MOST), 3); /* without conflicts */
}

TEST_CASE(a_few_broad_instances_meet_no_more_often_than_their_cells) {
    enum { COUNT = 50 };
    broad items[COUNT];
    scene c;
    scene_open(&c, &broad_task, 1);
    support_ok(svs_space_new(c.s.world, "broad", (uint64_t)COUNT * BROAD, &broad_space));
    for (uint32_t i = 0; i < COUNT; i++) items[i].first = i * BROAD;
    support_ok(svs_graph_send(c.graph, c.task, items, COUNT, sizeof *items));
    support_run(c.graph, 1);
    assert_int_equal(ran, COUNT);
    assert_in_range(support_statistics(c.graph).stages, 1, 5);
    support_ok(svs_space_free(broad_space));
    scene_close(&c);
}

/* ---- what is said of conflicts ---- */

TEST_CASE(all_that_want_one_object_are_explained) {
    static taker takers[ALL];
    scene c;
    svs_graph_statistics statistics;
    char name[32];
    scene_open(&c, &taker_task, 1);
    for (uint32_t i = 0; i < 200; i++) takers[i] = (taker){.number = i, .mask = 1};
    support_ok(svs_graph_send(c.graph, c.task, takers, 200, sizeof *takers));
    support_run(c.graph, 1);
    statistics = support_statistics(c.graph);
    assert_int_equal(statistics.stages, 200);
    assert_true(statistics.deferrals > 0);
    assert_true(statistics.deferrals_true > 0);
    assert_int_equal(statistics.deferrals_hash, 0);
    snprintf(name, sizeof name, "object %p kept", (void *)&nodes[0]->svs);
    assert_non_null(strstr(c.s.log.last, "mean parallel width 1.00"));
    assert_non_null(strstr(c.s.log.last, name));
    assert_non_null(strstr(c.s.log.last, "svs_explain()"));
    c.s.log_seen = c.s.log.count;
    scene_close(&c);
}

/* ---- loops ---- */

/* A type without loops, as older programs have. */
static svs_task_type without_loops(const svs_task_type *type) {
    svs_task_type plain = *type;
    plain.loops = NULL;
    return plain;
}

TEST_CASE(loops_change_no_name_and_no_order) {
    static taker takers[ALL], order_before[ALL];
    static uint64_t ids_before[ALL];
    svs_task_type plain = without_loops(&taker_task);
    make(takers, ALL, 0);
    for (int way = 0; way < 2; way++) {
        scene c;
        scene_open(&c, way ? &plain : &taker_task, 1);
        support_ok(svs_graph_send(c.graph, c.task, takers, ALL, sizeof *takers));
        support_run(c.graph, 1);
        if (way) {
            assert_memory_equal(ids, ids_before, sizeof ids_before);
            for (uint32_t i = 0; i < ALL; i++)
                assert_int_equal(order[i].number, order_before[i].number);
        }
        memcpy(ids_before, ids, sizeof ids_before);
        memcpy(order_before, order, sizeof order_before);
        scene_close(&c);
    }
}

/* Loops of another body than the type's are not used. */
static svs_status other_run(svs_context *context, void *t) {
    (void)context, (void)t;
    ran += 2;
    return SVS_OK;
}
TEST_CASE(a_changed_type_runs_its_own_body) {
    taker takers[8];
    svs_task_type changed = taker_task;
    scene c;
    changed.run = other_run;
    make(takers, 8, 0);
    scene_open(&c, &changed, 1);
    support_ok(svs_graph_send(c.graph, c.task, takers, 8, sizeof *takers));
    support_run(c.graph, 1);
    assert_int_equal(ran, 16);
    scene_close(&c);
}

#define FAILING 37u

static svs_status failing_run(svs_context *context, taker *t) {
    void *storage;
    (void)context;
    if (t->number == FAILING) return SVS_E_LIMIT;
    if (t->number == FAILING + 1000) /* is refused, and ignores it */
        if (svs_object_new(NULL, &node_type, &storage) == SVS_OK) return SVS_E_TYPE;
    ran++;
    return SVS_OK;
}
SVS_TASK(failing, taker, failing_run, taker_touch)

static void run_failing(uint32_t offset, svs_status expected) {
    static taker takers[100];
    scene c;
    svs_report report;
    scene_open(&c, &failing_task, 1);
    for (uint32_t i = 0; i < 100; i++) takers[i] = (taker){.number = i + offset}; /* one stage */
    support_ok(svs_graph_send(c.graph, c.task, takers, 100, sizeof *takers));
    assert_int_equal(svs_graph_run(c.graph, 1, &report), expected);
    assert_string_equal(report.task, "failing");
    assert_memory_equal(report.item, &takers[FAILING], sizeof takers[FAILING]);
    assert_true(ran < 100);
    /* Nothing is left of it. */
    ran = 0;
    for (uint32_t i = 0; i < 100; i++) takers[i].number = 100;
    support_ok(svs_graph_send(c.graph, c.task, takers, 100, sizeof *takers));
    support_run(c.graph, 1);
    assert_int_equal(ran, 100);
    c.s.log_seen = c.s.log.count;
    scene_close(&c);
}

TEST_CASE(a_body_that_fails_amid_a_loop_is_named) { run_failing(0, SVS_E_LIMIT); }

TEST_CASE(a_refused_call_amid_a_loop_fails_its_instance) { run_failing(1000, SVS_E_NULL); }

/* ---- footprints ---- */

/* Each kind of access, wide ones, and one that is wider than what is looked at together. */
typedef struct mixed {
    uint32_t kind, at;
} mixed;

static svs_space *space;
static uint64_t cells[1000], indexed[1000];
static node *apart[64];

static void mixed_touch(svs_footprint *f, const mixed *m) {
    uint32_t wide = m->kind == 3 ? 100 : 900;
    switch (m->kind) {
    case 0: svs_writes_address(f, &cells[m->at]); break;
    case 1: svs_writes_at(f, space, m->at); break;
    case 2: svs_writes_object(f, &apart[m->at % 64]->svs); break;
    case 5: svs_writes_object(f, NULL); break;
    default:
        for (uint32_t i = 0; i < wide; i++) svs_writes_at(f, space, i);
    }
}
static svs_status mixed_run(svs_context *context, mixed *m) {
    uint32_t wide = m->kind == 3 ? 100 : 900;
    (void)context;
    switch (m->kind) {
    case 0: cells[m->at]++; break;
    case 1: indexed[m->at]++; break;
    case 2: apart[m->at % 64]->data++; break;
    case 5: break;
    default:
        for (uint32_t i = 0; i < wide; i++) indexed[i]++;
    }
    return SVS_OK;
}
SVS_TASK(mixed, mixed_run, mixed_touch)

TEST_CASE(each_kind_of_access_is_alone_with_what_it_writes) {
    static mixed items[4000];
    uint32_t count = (uint32_t)support_scaled(4000);
    uint64_t sums[4] = {0}, found[4] = {0};
    uint32_t seed = 5;
    scene c;
    scene_open(&c, &mixed_task, 4);
    support_ok(svs_space_new(c.s.world, "indexed", 1000, &space));
    for (uint32_t i = 0; i < 64; i++) apart[i] = support_node(c.s.world);
    memset(cells, 0, sizeof cells);
    memset(indexed, 0, sizeof indexed);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = draw(&seed, 100);
        items[i] = (mixed){kind < 30   ? 0
                           : kind < 60 ? 1
                           : kind < 90 ? 2
                           : kind < 95 ? 5
                           : kind < 98 ? 3
                                       : 4,
                           draw(&seed, 1000)};
        sums[0] += items[i].kind == 0;
        sums[2] += items[i].kind == 2;
        sums[1] += items[i].kind == 1 ? 1 : items[i].kind == 3 ? 100 : items[i].kind == 4 ? 900 : 0;
    }
    support_ok(svs_graph_send(c.graph, c.task, items, count, sizeof *items));
    support_run(c.graph, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        found[0] += cells[i];
        found[1] += indexed[i];
    }
    for (uint32_t i = 0; i < 64; i++) found[2] += apart[i]->data;
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(found[i], sums[i]);
    support_ok(svs_space_free(space));
    scene_close(&c);
}

/* ---- colours by the loop of a type ---- */

enum { PICKED = 300, PICKS = 20, PICKERS = 4000 }; /* more picks than a loop colours */
_Static_assert(PICKS > SVS__COLOURED, "a loop meets an item with too many elements of a mode");

typedef struct picker {
    uint32_t number, count;
    struct {
        uint16_t at : 13, by : 2, reads : 1;
    } picks[PICKS];
} picker;

enum { BY_INDEX, BY_ADDRESS, BY_OBJECT };
enum { NONE = 39, GONE = 44, BLUE = 45 }; /* objects: NULL, gone in some cases, of a third type */

/* Objects of three types: a loop knows two of them. */
typedef struct red {
    svs_object svs;
} red;
typedef struct green {
    svs_object svs;
} green;
typedef struct blue {
    svs_object svs;
} blue;
SVS_TYPE(red, svs)
SVS_TYPE(green, svs)
SVS_TYPE(blue, svs)

static svs_space *picked;
static svs_object *picked_objects[PICKED]; /* a few are NULL */
static uint32_t colours_picked = 2;        /* number of their types */
static uint32_t pickers_ran[PICKERS];

static void make_picked(svs_world *world) {
    svs_type *const types[] = {&red_type, &green_type, &blue_type};
    support_ok(svs_space_new(world, "picked", PICKED, &picked));
    for (uint32_t i = 0; i < PICKED; i++) {
        void *storage;
        support_ok(svs_object_new(world, types[i % 10 % colours_picked], &storage));
        picked_objects[i] = i % 40 == 39 ? NULL : storage;
    }
}

static void write_object(svs_footprint *f, const picker *p, uint32_t k) {
    svs_writes_object(f, picked_objects[p->picks[k].at]);
}

static void picker_touch(svs_footprint *f, const picker *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t at = p->picks[i].at, by = p->picks[i].by;
        if (by == BY_ADDRESS && p->picks[i].reads) svs_reads_address(f, &cells[at]);
        else if (by == BY_ADDRESS) svs_writes_address(f, &cells[at]);
        else if (by == BY_OBJECT && p->picks[i].reads) svs_reads_object(f, picked_objects[at]);
        else if (by == BY_OBJECT) write_object(f, p, i);
        else if (p->picks[i].reads) svs_reads_at(f, picked, at);
        else svs_writes_at(f, picked, at);
    }
}
static svs_status picker_run(svs_context *context, picker *p) {
    (void)context;
    pickers_ran[ran++] = p->number;
    return SVS_OK;
}
SVS_TASK(picker, picker_run, picker_touch)

/* The compiler knows how many elements it has. */
static void pair_touch(svs_footprint *f, const picker *p) {
    svs_writes_at(f, picked, p->picks[0].at);
    svs_writes_address(f, &cells[p->picks[1].at]);
    svs_reads_at(f, picked, p->picks[2].at);
}
SVS_TASK(pair, picker, picker_run, pair_touch)

static void objects_touch(svs_footprint *f, const picker *p) {
    write_object(f, p, 0);
    svs_reads_object(f, picked_objects[p->picks[1].at]);
    write_object(f, p, 2);
}
SVS_TASK(objects, picker, picker_run, objects_touch)

/* Two spans next to each other; the second one is too long if the item says so. */
static void spans_touch(svs_footprint *f, const picker *p) {
    uint32_t at = p->picks[0].at % (PICKED - PICKS - 3), reads = p->count % PICKS;
    svs_reads_span(f, picked, at, reads);
    svs_writes_span(f, picked, at + reads, p->count > PICKS ? p->count - UINT64_C(100) : 3);
}
SVS_TASK(spans, picker, picker_run, spans_touch)

static void run_pickers(const svs_task_type *type, const picker *items, uint32_t *into) {
    scene c;
    scene_open(&c, type, 1);
    make_picked(c.s.world);
    support_ok(svs_graph_send(c.graph, c.task, items, PICKERS, sizeof *items));
    support_run(c.graph, 1);
    assert_int_equal(ran, PICKERS);
    memcpy(into, pickers_ran, sizeof pickers_ran);
    c.s.log_seen = c.s.log.count; /* may say what the items contend for */
    support_ok(svs_space_free(picked));
    scene_close(&c);
}

/* The order in which one worker runs the items tells their colours. */
static void compare_order(const svs_task_type *type, svs_run_function *run,
                          svs_touch_function *touch, const picker *items) {
    static uint32_t by_loop[PICKERS], by_touch[PICKERS];
    const svs_task_type plain = {.name = "plain",
                                 .item_size = sizeof *items,
                                 .item_alignment = _Alignof(picker),
                                 .run = run,
                                 .touch = touch};
    run_pickers(type, items, by_loop);
    run_pickers(&plain, items, by_touch);
    assert_memory_equal(by_loop, by_touch, sizeof by_loop);
}

static void compare_colours(const svs_task_type *type, svs_run_function *run,
                            svs_touch_function *touch, const picker *items) {
    for (colours_picked = 3; colours_picked >= 2; colours_picked--)
        compare_order(type, run, touch, items);
    colours_picked = 2;
}

/* The first `behind` only read. */
static const picker *draw_pickers(uint32_t behind, uint32_t most, uint32_t readers) {
    static picker items[PICKERS];
    uint32_t seed = 11;
    for (uint32_t i = 0; i < PICKERS; i++) {
        items[i].number = i;
        items[i].count = draw(&seed, most + 1);
        for (uint32_t k = 0; k < PICKS; k++) {
            items[i].picks[k].at = draw(&seed, PICKED) & 0x1fff;
            items[i].picks[k].by = draw(&seed, 3) & 3;
            items[i].picks[k].reads = i < behind || draw(&seed, 100) < readers;
        }
    }
    return items;
}

TEST_CASE(a_loop_gives_the_colours_that_the_touch_function_leads_to) {
    for (uint32_t readers = 0; readers <= 100; readers += 25) {
        const picker *items = draw_pickers(0, 6, readers);
        compare_colours(&picker_task, picker_run_, picker_touch_, items);
        compare_colours(&pair_task, pair_run_, pair_touch_, items);
        compare_colours(&objects_task, objects_run_, objects_touch_, items);
    }
}

TEST_CASE(a_loop_gives_the_colours_of_many_accesses) {
    for (uint32_t readers = 0; readers <= 100; readers += 25)
        compare_colours(&picker_task, picker_run_, picker_touch_, draw_pickers(0, PICKS, readers));
}

TEST_CASE(a_loop_gives_the_colours_of_spans) {
    compare_colours(&spans_task, spans_run_, spans_touch_, draw_pickers(0, 6, 0));
    compare_colours(&spans_task, spans_run_, spans_touch_, draw_pickers(0, PICKS, 0));
}

/* The words of the readers are not written before the first writer comes (sched.W13). */
TEST_CASE(a_loop_gives_colours_behind_readers_too) {
    for (uint32_t behind = 1; behind < 300; behind += 50)
        compare_colours(&picker_task, picker_run_, picker_touch_, draw_pickers(behind, 3, 25));
}

/* Amid a loop that gives colours. */
static void refuse_amid(const svs_task_type *type, const picker *items, uint32_t wrong) {
    scene c;
    svs_report report;
    scene_open(&c, type, 1);
    support_ok(svs_space_new(c.s.world, "picked", PICKED, &picked));
    support_ok(svs_graph_send(c.graph, c.task, items, PICKERS, sizeof *items));
    assert_int_equal(svs_graph_run(c.graph, 1, &report), SVS_E_INVALID);
    assert_memory_equal(report.item, &items[wrong], sizeof *items);
    c.s.log_seen = c.s.log.count;
    support_ok(svs_space_free(picked));
    scene_close(&c);
}

TEST_CASE(an_index_out_of_range_is_refused_wherever_it_comes) {
    static picker items[PICKERS];
    for (uint32_t i = 0; i < PICKERS; i++) {
        items[i].number = i;
        for (uint32_t k = 0; k < 3; k++) items[i].picks[k].at = (i + 7 * k) % PICKED;
    }
    items[PICKERS / 2].picks[2].at = PICKED;
    refuse_amid(&pair_task, items, PICKERS / 2);
}

#if SVS__HAS_LOOPS /* not in race checks */
/* The library with assertions looks at all items before such a loop; others rely on the loop. */
static void stop_at(const svs__task_loops *loops, picker *items, uint32_t wrong) {
    static void *places[SVS__COLOURS][PICKERS], **ends[SVS__COLOURS], *at[PICKERS];
    static uint64_t table[1 << 12];
    static red wreck;
    scene c;
    svs__keys keys;
    memset(&keys, 0, sizeof keys);
    memset(table, 0, sizeof table);
    scene_open(&c, &pair_task, 1);
    make_picked(c.s.world);
    memset(&wreck, 0, sizeof wreck);
    support_ok(svs_object_init(&wreck.svs, c.s.world, &red_type));
    support_ok(svs_object_clean_up(&wreck.svs));
    picked_objects[GONE] = &wreck.svs;
    for (uint32_t i = 0; i < SVS__COLOURS; i++) ends[i] = places[i];
    for (uint32_t i = 0; i <= wrong; i++) at[i] = &items[i];
    keys.world = c.s.world;
    keys.plain[0] = svs__header_type(picked_objects[0]);
    keys.plain[1] = svs__header_type(picked_objects[1]);
    keys.colouring = (svs__colouring){
        .table = table, .number = 1, .open = SVS__ALL_COLOURS, .ends = ends, .shift = 64 - 12};
    assert_int_equal(loops->colours(&keys, at, wrong + 1), wrong);
    support_ok(svs_space_free(picked));
    scene_close(&c);
}

TEST_CASE(a_loop_that_gives_colours_stops_at_what_is_wrong) {
    enum { WRONG = 20 };
    static picker items[WRONG + 1];
    for (uint32_t i = 0; i <= WRONG; i++)
        for (uint32_t k = 0; k < 3; k++) items[i].picks[k].at = (10 * i + k + k / 2) & 0x1fff;
    items[WRONG].picks[2].at = PICKED;
    items[WRONG].count = 100 + PICKED;
    stop_at(&pair_loops_, items, WRONG);
    stop_at(&spans_loops_, items, WRONG);
    colours_picked = 3;
    for (uint32_t wrong = 0; wrong < 3; wrong++) {
        static const uint16_t at[] = {NONE, GONE, BLUE};
        items[WRONG].picks[2].at = at[wrong] & 0x1fff;
        stop_at(&objects_loops_, items, WRONG);
    }
    colours_picked = 2;
}
#endif

/* By one element, by all of the space, and by more elements than a loop ends with. */
TEST_CASE(a_span_out_of_range_is_refused_wherever_it_comes) {
    static const uint32_t counts[] = {100 + PICKED, 99, PICKS + 1};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        picker items[PICKERS];
        memcpy(items, draw_pickers(0, 6, 0), sizeof items);
        items[PICKERS / 3].count = counts[i];
        refuse_amid(&spans_task, items, PICKERS / 3);
    }
}

/* ---- walked candidates (sched.W14, sched.W15) ---- */

enum { WALKERS = 600 };

static void link_places(void) {
    for (uint32_t i = 0; i + 1 < PLACES; i++) support_ok(svs_link(nodes[i], a, nodes[i + 1]));
}

static void run_walkers(uint32_t threads, uint32_t mask) {
    static taker takers[WALKERS];
    scene c;
    scene_open(&c, &taker_task, threads);
    link_places();
    for (uint32_t i = 0; i < WALKERS; i++)
        takers[i] = (taker){.number = i, .mask = mask, .walks = true};
    support_ok(svs_graph_send(c.graph, c.task, takers, WALKERS, sizeof *takers));
    support_run(c.graph, 1);
    check_ran(WALKERS);
    scene_close(&c);
}

/* Each set has 300 elements, so that a chunk has room for one of them. They all conflict. */
TEST_CASE(sets_that_fill_a_chunk_run_in_one_order_with_any_workers) {
    static taker alone[WALKERS];
    run_walkers(1, (UINT32_C(1) << PLACES) - 1);
    memcpy(alone, order, sizeof alone);
    run_walkers(2, (UINT32_C(1) << PLACES) - 1);
    for (uint32_t i = 0; i < WALKERS; i++) assert_int_equal(order[i].number, alone[i].number);
}

/* ---- claims from both ends (sched.P6) ---- */

enum { SIDES = 1000 };
static atomic_int last_began, last_came, middle_came_behind;

static void side_touch(svs_footprint *f, const uint32_t *number) { (void)f, (void)number; }

static svs_status side_run(svs_context *context, uint32_t *number) {
    (void)context;
    if (*number == 0) atomic_store(&last_came, support_comes(&last_began, 1));
    if (*number == SIDES / 2) atomic_store(&middle_came_behind, atomic_load(&last_began));
    if (*number == SIDES - 1) atomic_store(&last_began, 1);
    return SVS_OK;
}
SVS_TASK(side, uint32_t, side_run, side_touch)

/* The first instance holds its worker until the last has begun. Another worker that claimed from
 * the front, too, would run the one in the middle before. */
TEST_CASE(a_second_worker_claims_a_wide_stage_from_the_back) {
    uint32_t items[SIDES];
    scene c;
    scene_open(&c, &side_task, 2);
    last_began = last_came = middle_came_behind = 0;
    for (uint32_t i = 0; i < SIDES; i++) items[i] = i;
    support_ok(svs_graph_send(c.graph, c.task, items, SIDES, sizeof *items));
    support_run(c.graph, 1);
    assert_true(last_came);
    assert_true(middle_came_behind);
    scene_close(&c);
}

int main(void) { return run_cases(NULL, NULL); }
