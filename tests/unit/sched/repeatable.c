/* Items that are sent before a run come to the same result at any number of workers (sched.W9). In
 * order, it is the result of a loop over the items (sched.W11). */
#include <sched.h>

#include "base/platform.h"
#include "unit/face/support.h"

#define PLACES 150u
#define ITEMS 5000u
#define MANY 25000u /* windows are made at once, and led by what the fourth before has left over */

typedef struct mix {
    node *from, *to;
    uint32_t number;
    bool walks; /* it writes all that is reached from the first, and changes a link of it */
} mix;

static node *places[PLACES];

static bool some_are_odd; /* they write everything, and so have no colour */

static void mix_touch(svs_footprint *f, const mix *m) {
    if (some_are_odd && m->number % 700 == 300) svs_writes_everything(f);
    if (m->walks) svs_writes_reach(f, &m->from->svs);
    else svs_writes_object(f, &m->from->svs);
    svs_writes_object(f, &m->to->svs);
}

/* Does not commute. */
static svs_status mix_run(svs_context *context, mix *m) {
    uint64_t sum = m->number;
    if (m->walks) {
        const node *at = m->from;
        for (uint32_t i = 0; at && i < 4; i++, at = at->a) sum = sum * 31 + at->data;
    }
    m->from->data = m->from->data * 31 + m->to->data + sum;
    m->to->data = m->to->data * 17 + m->from->data;
    if (!m->walks) return SVS_OK;
    return svs_link(m->from, a, m->from->a || m->from == m->to ? NULL : m->to);
}
SVS_TASK(mix, mix_run, mix_touch)

/* Of another domain: declares what a mix writes, and leaves it as it is. */
typedef struct guest {
    node *at;
} guest;
static void guest_touch(svs_footprint *f, const guest *g) { svs_writes_object(f, &g->at->svs); }
static svs_status guest_run(svs_context *context, guest *g) {
    (void)context;
    g->at->data++;
    g->at->data--;
    return SVS_OK;
}
SVS_TASK(guest, guest_run, guest_touch)

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static uint32_t item_count = ITEMS;

static void draw_items(mix *items, uint32_t walkers) {
    uint32_t seed = 7;
    for (uint32_t i = 0; i < item_count; i++)
        items[i] = (mix){places[draw(&seed, PLACES)], places[draw(&seed, PLACES)], i,
                         draw(&seed, 100) < walkers};
}

/* Of all objects, and of their links. */
static uint64_t digest(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PLACES; i++) {
        sum = (sum ^ sum >> 29) * UINT64_C(0x9e3779b97f4a7c15) + places[i]->data;
        for (uint32_t k = 0; k < PLACES; k++)
            if (places[i]->a == places[k]) sum += k;
    }
    return sum;
}

static mix items[MANY];

static void open_places(support *s, uint32_t threads, uint32_t walkers) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.examine_budget = 1000;
    support_open_with(s, threads, &options);
    for (uint32_t i = 0; i < PLACES; i++) places[i] = support_node(s->world);
    for (uint32_t i = 0; i < PLACES; i++) places[i]->data = i;
    draw_items(items, walkers);
}

static uint64_t close_places(support *s) {
    uint64_t result = digest();
    s->log_seen = s->log.count; /* may say what the items contend for */
    support_close(s);
    return result;
}

static void add_guests(svs_graph *graph, svs_task *beside) {
    svs_task *guests = support_itemizer(graph, &guest_task, NULL);
    support_ok(svs_task_set_algorithm(guests, SVS_ALGORITHM_PROGRESSIVE));
    support_ok(svs_graph_set_independent(graph, beside, guests));
    for (uint32_t i = 0; i < ITEMS / 10; i++) {
        guest g = {places[i % PLACES]};
        support_ok(svs_graph_send(graph, guests, &g, 1, sizeof g));
    }
}

/* In turn, 500 items to each of the tasks. */
static void send_all(svs_graph *graph, svs_task *const *tasks, uint32_t count) {
    for (uint32_t i = 0; i < item_count; i += 500)
        support_ok(svs_graph_send(graph, tasks[i / 500 % count], items + i, 500, sizeof *items));
}

static uint64_t play_with(svs_algorithm algorithm, uint32_t threads, uint32_t walkers,
                          bool guests) {
    svs_graph *graph;
    svs_task *task;
    support s;
    open_places(&s, threads, walkers);
    graph = support_graph(&s);
    task = support_itemizer(graph, &mix_task, NULL);
    support_ok(svs_task_set_algorithm(task, algorithm));
    send_all(graph, &task, 1);
    if (guests) add_guests(graph, task);
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
    return close_places(&s);
}

static uint64_t play(svs_algorithm algorithm, uint32_t threads, uint32_t walkers) {
    return play_with(algorithm, threads, walkers, false);
}

static uint64_t play_as_loop(uint32_t walkers) {
    support s;
    open_places(&s, 1, walkers);
    for (uint32_t i = 0; i < item_count; i++) support_ok(mix_run(NULL, &items[i]));
    return close_places(&s);
}

static void come_to(uint64_t result, svs_algorithm algorithm, uint32_t walkers) {
    static const uint32_t threads[] = {1, 2, 3, 8};
    uint64_t runs = support_scaled(10);
    for (uint64_t run = 0; run < runs; run++)
        for (uint32_t i = 0; i < sizeof threads / sizeof *threads; i++)
            assert_int_equal(play(algorithm, threads[i], walkers), result);
}

static void repeat(uint32_t walkers) {
    come_to(play(SVS_ALGORITHM_WINDOWED, 1, walkers), SVS_ALGORITHM_WINDOWED, walkers);
}

TEST_CASE(bodies_that_do_not_commute_come_to_the_same_result) { repeat(0); }

TEST_CASE(so_do_bodies_that_change_links) {
    repeat(3);
    repeat(30);
    repeat(100);
}

TEST_CASE(so_do_bodies_of_many_windows) {
    item_count = MANY;
    repeat(0);
    repeat(3);
    some_are_odd = true;
    repeat(0);
    some_are_odd = false;
    item_count = ITEMS;
}

/* The items come through a source, which is freed `free_us` after the begin of the run. With a
 * priority other than 0, at most one window is ahead. */
static uint64_t play_varied(uint32_t threads, int32_t priority, uint32_t free_us) {
    svs_graph *graph;
    svs_task *task;
    svs_source *source;
    uint64_t free_at;
    support s;
    open_places(&s, threads, 3);
    graph = support_graph(&s);
    task = support_itemizer(graph, &mix_task, NULL);
    support_ok(svs_task_set_priority(task, priority));
    support_ok(svs_source_new(task, 0, &source));
    for (uint32_t i = 0; i < item_count; i += 250)
        support_ok(svs_source_send(source, items + i, 250, sizeof *items, UINT64_MAX));
    free_at = svs__time_ns() + UINT64_C(1000) * free_us;
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    while (svs__time_ns() < free_at) sched_yield();
    support_ok(svs_source_free(source));
    support_ok(svs_graph_wait(graph, UINT64_MAX, NULL));
    support_ok(svs_graph_free(graph));
    return close_places(&s);
}

TEST_CASE(so_do_those_of_a_source_or_with_a_priority) {
    uint64_t result, runs = support_scaled(10);
    item_count = MANY;
    result = play(SVS_ALGORITHM_WINDOWED, 1, 3);
    for (uint64_t run = 0; run < runs; run++)
        for (uint32_t threads = 1; threads <= 8; threads *= 2)
            assert_int_equal(play_varied(threads, run % 2, (uint32_t)run * 700), result);
    item_count = ITEMS;
}

/* Of two tasks that conflict, and so share a domain. */
static uint64_t play_two(uint32_t threads) {
    svs_graph *graph;
    svs_task *tasks[2];
    support s;
    open_places(&s, threads, 0);
    graph = support_graph(&s);
    for (uint32_t i = 0; i < 2; i++) tasks[i] = support_itemizer(graph, &mix_task, NULL);
    send_all(graph, tasks, 2);
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
    return close_places(&s);
}

TEST_CASE(so_do_those_of_two_tasks) {
    uint64_t result = play_two(1), runs = support_scaled(10);
    for (uint64_t run = 0; run < runs; run++)
        for (uint32_t threads = 2; threads <= 8; threads *= 2)
            assert_int_equal(play_two(threads), result);
}

/* Two of many fields. Most conflict with no other, so that stages after the first are narrow. The
 * bodies are long enough to be shared. When a phase begins, all workers are awake, and two of them
 * make the halves of its only window, except in the first run, where that is window 0. */
#define FIELDS 20000u
#define HALVED 2270u
#define PHASES 4u

typedef struct visit {
    uint32_t from, to;
} visit;
static uint64_t fields[FIELDS];
static svs_space *fields_space;
static void visit_touch(svs_footprint *f, const visit *v) {
    svs_writes_at(f, fields_space, v->from);
    svs_writes_at(f, fields_space, v->to);
}
static svs_status visit_run(svs_context *context, visit *v) {
    uint64_t sum = fields[v->to];
    (void)context;
    for (uint32_t i = 0; i < 500; i++) sum = (sum ^ sum >> 29) * UINT64_C(0x9e3779b97f4a7c15) + i;
    fields[v->from] = fields[v->from] * 31 + sum;
    fields[v->to] = fields[v->to] * 17 + fields[v->from];
    return SVS_OK;
}
SVS_TASK(visit, visit_run, visit_touch)

static uint64_t play_halves(uint32_t threads) {
    uint32_t seed = 1;
    uint64_t result = 0;
    svs_graph *graph;
    svs_task *tasks[PHASES];
    support s;
    support_open(&s, threads);
    support_ok(svs_space_new(s.world, "fields", FIELDS, &fields_space));
    for (uint32_t i = 0; i < FIELDS; i++) fields[i] = i;
    graph = support_graph(&s);
    for (uint32_t i = 0; i < PHASES; i++) {
        tasks[i] = support_itemizer(graph, &visit_task, NULL);
        if (i) support_ok(svs_graph_add_order(graph, tasks[i - 1], tasks[i]));
    }
    for (uint32_t run = 0; run < 4; run++) {
        for (uint32_t i = 0; i < PHASES * HALVED; i++) {
            const visit v = {draw(&seed, FIELDS), draw(&seed, FIELDS)};
            support_ok(svs_graph_send(graph, tasks[i % PHASES], &v, 1, sizeof v));
        }
        support_run(graph, 1);
    }
    support_ok(svs_graph_free(graph));
    support_ok(svs_space_free(fields_space));
    support_close(&s);
    for (uint32_t i = 0; i < FIELDS; i++) result = result * 31 + fields[i];
    return result;
}

TEST_CASE(so_do_those_of_windows_that_are_halved) {
    uint64_t result = play_halves(1), runs = support_scaled(20);
    for (uint64_t run = 0; run < runs; run++)
        for (uint32_t threads = 2; threads <= 8; threads *= 2)
            assert_int_equal(play_halves(threads), result);
}

/* Two of many cells, whose keys are as good as random: some of them share words of a table. */
typedef struct pair {
    uint32_t from, to;
} pair;
static uint64_t cells[1 << 17];
static void pair_touch(svs_footprint *f, const pair *p) {
    svs_writes(f, &cells[p->from]);
    svs_writes(f, &cells[p->to]);
}
static svs_status pair_run(svs_context *context, pair *p) {
    (void)context;
    cells[p->from] = cells[p->from] * 31 + cells[p->to] + 1;
    cells[p->to] = cells[p->to] * 17 + cells[p->from];
    return SVS_OK;
}
SVS_TASK(pair, pair_run, pair_touch)

static void run_pairs(support *s, uint32_t count) {
    svs_graph *graph = support_graph(s);
    svs_task *task = support_itemizer(graph, &pair_task, NULL);
    uint32_t seed = count, some[100];
    for (uint32_t i = 0; i < 100; i++) some[i] = draw(&seed, sizeof cells / sizeof *cells);
    memset(cells, 0, sizeof cells);
    support_ok(svs_task_set_algorithm(task, SVS_ALGORITHM_WINDOWED));
    for (uint32_t i = 0; i < count; i++) {
        const pair p = {some[draw(&seed, 100)], some[draw(&seed, 100)]};
        support_ok(svs_graph_send(graph, task, &p, 1, sizeof p));
    }
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
}

/* The result of a run of `count` pairs, after one whose windows leave their memory. */
static uint64_t play_after(uint32_t before, uint32_t count) {
    uint64_t sum = 0;
    support s;
    support_open(&s, 1);
    run_pairs(&s, before);
    run_pairs(&s, count);
    support_close(&s);
    for (uint32_t i = 0; i < sizeof cells / sizeof *cells; i++) sum = sum * 31 + cells[i];
    return sum;
}

TEST_CASE(so_do_those_of_a_graph_that_runs_after_another) {
    for (uint32_t count = 60; count <= 120; count++)
        assert_int_equal(play_after(ITEMS, count), play_after(1, count));
}

TEST_CASE(so_do_those_of_which_some_write_everything) {
    some_are_odd = true;
    repeat(0);
    some_are_odd = false;
}

TEST_CASE(in_order_they_come_to_the_result_of_a_loop) {
    const uint32_t walkers[] = {0, 3, 30, 100};
    for (uint32_t i = 0; i < 4; i++)
        come_to(play_as_loop(walkers[i]), SVS_ALGORITHM_IN_ORDER, walkers[i]);
}

TEST_CASE(so_they_do_beside_instances_of_another_domain) {
    const uint32_t walkers[] = {0, 3, 30};
    uint64_t runs = support_scaled(10);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t result = play_as_loop(walkers[i]);
        for (uint64_t run = 0; run < runs; run++)
            for (uint32_t threads = 1; threads <= 4; threads++)
                assert_int_equal(play_with(SVS_ALGORITHM_IN_ORDER, threads, walkers[i], true),
                                 result);
    }
}

int main(void) { return run_cases(NULL, NULL); }
