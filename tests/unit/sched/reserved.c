/* An instance that was refused too often reserves its set, and gives the reservation up when it has
 * run (sched.A5, sched.A7, sched.A8). One worker: so all is in the order of the items. */
#include "memobj/world.h"
#include "sched/admission/admission.h"
#include "sched/admission/memory.h"
#include "sched/domain/deferred/pending.h"
#include "unit/face/support.h"

#define HELD (SVS__TRIES_BEFORE_RESERVING + 16u)

/* The first item writes all that is held; each of the others lets one of it go. */
typedef struct item {
    bool waits;
} item;

static struct {
    support s;
    svs__admission *gate;
    svs_space *space;
    svs__hold holds[HELD];
    atomic_uint let_go; /* of the items' own, which are not declared */
    uint32_t ran, let_go_before;
    bool was_reserved;
} t;

static void item_touch(svs_footprint *f, const item *i) {
    for (uint32_t k = 0; i->waits && k < HELD; k++) svs_writes_at(f, t.space, k);
}

static svs_status item_run(svs_context *context, item *i) {
    if (i->waits) {
        t.ran++;
        t.let_go_before = t.let_go;
    } else {
        t.was_reserved |= t.gate->reserver != NULL;
        (void)svs__admission_release(t.gate, &t.holds[atomic_fetch_add(&t.let_go, 1)]);
    }
    return SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

static bool try_one(uint32_t k) {
    svs__set set;
    svs__conflict met;
    bool held;
    memset(&set, 0, sizeof set);
    support_ok(svs__set_init(&set, t.s.world));
    svs__set_begin(&set);
    svs_writes_at(&set.footprint, t.space, k);
    support_ok(svs__set_expand(&set));
    support_ok(svs__hold_reserve(&t.holds[k], &set));
    held = svs__admission_try(t.gate, &t.holds[k], &set, &t.holds[k], &met);
    svs__set_clean_up(&set);
    return held;
}

TEST_CASE(an_instance_that_waits_long_reserves_and_gives_it_up) {
    static item items[1 + HELD] = {{true}};
    svs_world_options world;
    svs_graph *graph;
    svs_task *task;
    svs_world_options_init(&world);
    world.cell_bits = 20; /* no two of those that are held have one cell */
    support_open_with(&t.s, 1, &world);
    support_ok(svs_space_new(t.s.world, "held", HELD, &t.space));
    support_ok(svs__admission_of(t.s.world, &t.gate));
    for (uint32_t k = 0; k < HELD; k++) assert_true(try_one(k));
    graph = support_graph_of(&t.s, SVS_ALGORITHM_PROGRESSIVE);
    task = support_itemizer(graph, &item_task, NULL);
    support_ok(svs_graph_send(graph, task, items, 1 + HELD, sizeof *items));
    support_run(graph, 1);
    assert_int_equal(t.ran, 1);
    assert_int_equal(t.let_go_before, HELD);
    assert_true(support_statistics(graph).deferrals > SVS__TRIES_BEFORE_RESERVING);
    assert_true(t.was_reserved);
    assert_true(svs__admission_is_empty(t.gate)); /* nor is anything reserved */
    support_ok(svs_graph_free(graph));
    for (uint32_t k = 0; k < HELD; k++) svs__hold_clean_up(&t.holds[k], t.s.world);
    assert_int_equal(svs_space_free(t.space), SVS_OK);
    support_close(&t.s);
}

/* ---- those that move from bucket to bucket ---- */

#define SWAPS (SVS__TRIES_BEFORE_RESERVING * 5)

/* Of four indices, 2k and 2k+1 are the k-th's that waits, and one of them is always held; each swap
 * changes which. The last one lets go. */
typedef struct swap {
    uint32_t number;
} swap;
enum { WAITS_0, WAITS_1, SWAP, LAST };

static void swap_touch(svs_footprint *f, const swap *s) {
    for (uint32_t k = 0; s->number < SWAP && k < 2; k++)
        svs_writes_at(f, t.space, 2 * s->number + k);
}

static svs_status swap_run(svs_context *context, swap *s) {
    if (s->number < SWAP) {
        t.ran++;
        if (!t.let_go) return 1; /* before the last one */
    } else if (s->number == LAST) {
        for (uint32_t k = 0; k < 4; k++) (void)svs__admission_release(t.gate, &t.holds[k]);
        t.let_go = 1;
    } else {
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t held = 2 * k + (t.holds[2 * k].count == 0);
            if (try_one(held ^ 1)) (void)svs__admission_release(t.gate, &t.holds[held]);
            else t.was_reserved = true;
        }
    }
    return SVS_OK;
}
SVS_TASK(swap, swap_run, swap_touch)

/* Two instances with cached sets move between buckets so often that the first of them reserves its
 * set, and the other waits on meanwhile. */
static void swap_under(svs_algorithm algorithm) {
    static swap swaps[2 + SWAPS + 1];
    svs_graph *graph;
    svs_graph_options options;
    svs_task *task;
    memset(&t, 0, sizeof t);
    for (uint32_t i = 0; i < 2 + SWAPS + 1; i++)
        swaps[i].number = i < 2 ? i : i < 2 + SWAPS ? SWAP : LAST;
    support_open(&t.s, 1);
    support_ok(svs_space_new(t.s.world, "swapped", 4, &t.space));
    support_ok(svs__admission_of(t.s.world, &t.gate));
    for (uint32_t k = 0; k < 4; k += 2) assert_true(try_one(k));
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    options.stage_width = 1; /* so that each swap is a stage, before which both are looked at */
    support_ok(svs_graph_new(t.s.world, &options, &graph));
    task = support_itemizer(graph, &swap_task, NULL);
    support_ok(svs_graph_send(graph, task, swaps, 2 + SWAPS + 1, sizeof *swaps));
    support_run(graph, 1);
    assert_int_equal(t.ran, 2);
    assert_true(t.was_reserved);
    assert_true(svs__admission_is_empty(t.gate));
    support_ok(svs_graph_free(graph));
    for (uint32_t k = 0; k < 4; k++) svs__hold_clean_up(&t.holds[k], t.s.world);
    assert_int_equal(svs_space_free(t.space), SVS_OK);
    support_close(&t.s);
}

TEST_CASE(an_instance_that_moves_often_reserves_too) {
    swap_under(SVS_ALGORITHM_PROGRESSIVE);
    swap_under(SVS_ALGORITHM_STAGED);
}

/* ---- those that wait for readers that overlap ---- */

/* Instances that stand for readers of other graphs: each begins to read before the one before it
 * ends, as long as admission lets it. */
#define READERS (SVS__TRIES_BEFORE_RESERVING * 128)

typedef struct reader {
    uint32_t number;
} reader;

static bool try_reading(svs_object *object, uint32_t hold) {
    svs__set set;
    svs__conflict met;
    bool held;
    memset(&set, 0, sizeof set);
    support_ok(svs__set_init(&set, t.s.world));
    svs__set_begin(&set);
    svs_reads_object(&set.footprint, object);
    support_ok(svs__set_expand(&set));
    support_ok(svs__hold_reserve(&t.holds[hold], &set));
    held = svs__admission_try(t.gate, &t.holds[hold], &set, &t.holds[hold], &met);
    svs__set_clean_up(&set);
    return held;
}

/* One of two holds goes on to be held, by turns. */
static void read_on(svs_object *object, uint32_t pair) {
    uint32_t held = 2 * pair + (t.holds[2 * pair].count == 0);
    if (!t.holds[held].count) return;
    (void)try_reading(object, held ^ 1);
    (void)svs__admission_release(t.gate, &t.holds[held]);
}

static node *chain[3]; /* the first leads to the second; a body lets that lead to the third */

static void reader_touch(svs_footprint *f, const reader *r) { (void)f, (void)r; }

static svs_status reader_run(svs_context *context, reader *r) {
    if (t.ran) return SVS_OK;
    t.let_go_before++;
    if (t.gate->reserver && chain[1] && !chain[1]->a) support_ok(svs_link(chain[1], a, chain[2]));
    read_on(&chain[0]->svs, 0);
    if (chain[2]) read_on(&chain[2]->svs, 1);
    if (r->number + 1 < READERS) return SVS_OK;
    for (uint32_t k = 0; k < 4; k++) (void)svs__admission_release(t.gate, &t.holds[k]);
    return SVS_OK;
}
SVS_TASK(reader, reader_run, reader_touch)

static void writer_touch(svs_footprint *f, const reader *r) { svs_writes_reach(f, &chain[0]->svs); }

static svs_status writer_run(svs_context *context, reader *r) {
    t.ran++;
    return SVS_OK;
}
SVS_TASK(writer, reader, writer_run, writer_touch)
SVS_TASK_ALONE(alone, reader, writer_run)

typedef struct waiter {
    bool itemizer, alone;
    svs_algorithm algorithm;
} waiter;

static void add_waiter(svs_graph *graph, waiter w, svs_task *readers) {
    static const reader one = {0};
    const svs_task_type *type = w.alone ? &alone_task : &writer_task;
    svs_task *task;
    if (w.itemizer) {
        support_ok(svs_graph_add_itemizer(graph, type, NULL, &task));
        support_ok(svs_graph_send(graph, task, &one, 1, sizeof one));
    } else {
        support_ok(svs_graph_add_transform(graph, type, &one, NULL, &task));
    }
    support_ok(svs_graph_set_independent(graph, task, readers));
}

static void run_beside_readers(waiter w) {
    static reader items[READERS];
    svs_graph *graph;
    svs_graph_options options;
    svs_task *readers;
    for (uint32_t i = 0; i < READERS; i++) items[i].number = i;
    svs_graph_options_init(&options);
    options.algorithm = w.algorithm;
    options.stage_width = 1;
    support_ok(svs_graph_new(t.s.world, &options, &graph));
    readers = support_itemizer(graph, &reader_task, NULL);
    support_ok(svs_graph_send(graph, readers, items, READERS, sizeof *items));
    add_waiter(graph, w, readers);
    support_run(graph, 1);
    assert_int_equal(t.ran, 1);
    assert_true(t.let_go_before < READERS);
    assert_true(svs__admission_is_empty(t.gate));
    support_ok(svs_graph_free(graph));
}

/* `linked`: what the waiter writes grows after it has reserved, by what is read without a gap. */
static void wait_for_readers(waiter w, bool linked) {
    memset(&t, 0, sizeof t);
    memset(chain, 0, sizeof chain);
    support_open(&t.s, 1);
    support_ok(svs__admission_of(t.s.world, &t.gate));
    for (int i = 0; i < (linked ? 3 : 1); i++) chain[i] = support_node(t.s.world);
    if (linked) support_ok(svs_link(chain[0], a, chain[1]));
    assert_true(try_reading(&chain[0]->svs, 0));
    if (linked) assert_true(try_reading(&chain[2]->svs, 2));
    run_beside_readers(w);
    for (uint32_t k = 0; k < 4; k++) svs__hold_clean_up(&t.holds[k], t.s.world);
    support_close(&t.s);
}

TEST_CASE(a_writer_gets_in_between_readers_that_overlap) {
    static const waiter waiters[] = {
        {false, false, SVS_ALGORITHM_STAGED},   {false, false, SVS_ALGORITHM_PROGRESSIVE},
        {false, true, SVS_ALGORITHM_STAGED},    {true, false, SVS_ALGORITHM_STAGED},
        {true, true, SVS_ALGORITHM_STAGED},     {true, false, SVS_ALGORITHM_PROGRESSIVE},
        {true, true, SVS_ALGORITHM_PROGRESSIVE}};
    for (size_t i = 0; i < sizeof waiters / sizeof *waiters; i++)
        wait_for_readers(waiters[i], false);
}

TEST_CASE(what_a_waiter_comes_to_reach_is_kept_free_too) {
    wait_for_readers((waiter){false, false, SVS_ALGORITHM_STAGED}, true);
    wait_for_readers((waiter){true, false, SVS_ALGORITHM_STAGED}, true);
    wait_for_readers((waiter){true, false, SVS_ALGORITHM_PROGRESSIVE}, true);
}

/* ---- those that wait when a run is cancelled ---- */

static void end_touch(svs_footprint *f, const item *i) {
    if (i->waits) svs_writes_at(f, t.space, 0);
}

/* Lets go of what the other one waits for, and fails. */
static svs_status end_run(svs_context *context, item *i) {
    if (i->waits) t.ran++;
    else (void)svs__admission_release(t.gate, &t.holds[0]);
    return 1;
}
SVS_TASK(end, item, end_run, end_touch)

TEST_CASE(an_instance_that_might_run_is_dropped_when_the_run_ends_early) {
    static const item items[2] = {{true}, {false}};
    svs_graph *graph;
    svs_report report;
    for (int way = 0; way < 2; way++) {
        memset(&t, 0, sizeof t);
        support_open(&t.s, 1);
        support_ok(svs_space_new(t.s.world, "held", 1, &t.space));
        support_ok(svs__admission_of(t.s.world, &t.gate));
        assert_true(try_one(0));
        graph = support_graph_of(&t.s, way ? SVS_ALGORITHM_STAGED : SVS_ALGORITHM_PROGRESSIVE);
        support_ok(svs_graph_send(graph, support_itemizer(graph, &end_task, NULL), items, 2,
                                  sizeof *items));
        assert_int_equal(svs_graph_run(graph, 1, &report), 1);
        assert_int_equal(t.ran, 0);
        assert_true(svs__admission_is_empty(t.gate));
        support_ok(svs_graph_free(graph));
        svs__hold_clean_up(&t.holds[0], t.s.world);
        assert_int_equal(svs_space_free(t.space), SVS_OK);
        support_close(&t.s);
    }
}

int main(void) { return run_cases(NULL, NULL); }
