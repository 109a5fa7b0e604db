/* Verdicts on random graphs, against the order that the graphs promise, event by event: which words
 * are touched undeclared, which race, and which orders are left to the schedule. They are the same
 * for any number of workers, either algorithm, and whatever the signatures.
 *
 * Some instances declare guards, of which no byte is ever touched: an address, an address with
 * bytes that are named, an index with bytes that are named. Two that conflict by anything that both
 * declare never run at once, whatever they touch: that is an order and no race. */
#include "../unit/worksteal/running.h"
#include "base/random.h"
#include "memobj/world.h"
#include <stdio.h>
#include <string.h>
#include <svs/check.h>
#include <svs/svs.h>

#define OBJECTS 4u
#define WORDS 2u /* of each */
#define PLAIN 3u
#define GUARDS 3u
#define THINGS (OBJECTS + GUARDS) /* that are declared */
#define PLACES (OBJECTS * WORDS + PLAIN)
#define TASKS 6u
#define INSTANCES 24u
#define OPS 6u
#define EVENTS (INSTANCES * (OPS + 2) + 2 * TASKS)

typedef struct box {
    uint64_t words[WORDS];
    svs_object svs;
} box;
SVS_TYPE(box, svs)

enum { READ, WRITE, SEND };

typedef struct op {
    uint32_t what, at; /* a place, or an instance */
} op;

typedef struct plan {
    uint32_t task;
    uint32_t declared[THINGS]; /* 0 not at all, 1 to read, 2 to write */
    uint32_t count;
    op ops[OPS];
} plan;

static struct {
    uint32_t tasks, instances;
    bool itemizer[TASKS], sends[TASKS][TASKS], before[TASKS][TASKS], apart[TASKS][TASKS];
    plan plans[INSTANCES + 1]; /* the last one does nothing */
    /* what must be found */
    bool undeclared[PLACES], racy[PLACES];
    uint32_t orders;
} now;

static box *boxes[OBJECTS];
static uint64_t plain[PLAIN], guards[GUARDS];
static svs_space *guard_space;
static svs_task *tasks[TASKS];
static _Atomic(uint32_t) found_undeclared[PLACES], found_racy[PLACES];

/* ---- the promises ---- */

static uint64_t reaches[EVENTS][(EVENTS + 63) / 64];

static uint32_t opening(uint32_t task) { return INSTANCES * (OPS + 2) + 2 * task; }
static uint32_t ending(uint32_t task) { return opening(task) + 1; }
static uint32_t event(uint32_t instance, uint32_t number) { return instance * (OPS + 2) + number; }

static void edge(uint32_t from, uint32_t to) { reaches[from][to / 64] |= UINT64_C(1) << to % 64; }
static bool is_before(uint32_t from, uint32_t to) { return reaches[from][to / 64] >> to % 64 & 1; }

static void draw_instance(uint32_t i) {
    const plan *p = &now.plans[i];
    edge(opening(p->task), event(i, 0));
    for (uint32_t k = 0; k <= OPS; k++) edge(event(i, k), event(i, k + 1));
    edge(event(i, OPS + 1), ending(p->task));
    for (uint32_t k = 0; k < p->count; k++)
        if (p->ops[k].what == SEND) edge(event(i, k + 1), event(p->ops[k].at, 0));
}

static void draw(void) {
    memset(reaches, 0, sizeof reaches);
    for (uint32_t i = 0; i < now.instances; i++) draw_instance(i);
    for (uint32_t a = 0; a < now.tasks; a++) {
        edge(opening(a), ending(a));
        for (uint32_t b = 0; b < now.tasks; b++) {
            if (now.before[a][b]) edge(ending(a), opening(b));
            if (now.sends[a][b]) edge(ending(a), ending(b));
        }
    }
    for (uint32_t k = 0; k < EVENTS; k++) /* Warshall */
        for (uint32_t i = 0; i < EVENTS; i++)
            if (is_before(i, k))
                for (uint32_t w = 0; w < (EVENTS + 63) / 64; w++) reaches[i][w] |= reaches[k][w];
}

static bool is_declared(const plan *p, const op *o) {
    return o->at >= OBJECTS * WORDS || p->declared[o->at / WORDS] > (o->what == WRITE ? 1u : 0u);
}

static bool ordered[THINGS + 1][TASKS][TASKS];

/* The identity of a thing in the library. */
static const void *name_of(uint32_t thing) {
    if (thing < OBJECTS) return &boxes[thing]->svs;
    return thing == THINGS - 1 ? (const void *)guard_space : &guards[thing - OBJECTS];
}

/* The thing by which two instances conflict, the one at the lowest address; THINGS: none. */
static uint32_t find_conflict(const plan *p, const plan *q) {
    uint32_t first = THINGS;
    for (uint32_t i = 0; i < THINGS; i++) {
        if (p->declared[i] == 0 || q->declared[i] == 0 || p->declared[i] + q->declared[i] < 3)
            continue;
        if (first == THINGS || (uintptr_t)name_of(i) < (uintptr_t)name_of(first)) first = i;
    }
    return first;
}

static void judge_pair(uint32_t i, uint32_t k, uint32_t j, uint32_t l) {
    const plan *p = &now.plans[i], *q = &now.plans[j];
    const op *a = &p->ops[k], *b = &q->ops[l];
    uint32_t object = a->at / WORDS, thing = find_conflict(p, q);
    if (a->what == SEND || b->what == SEND || a->at != b->at) return;
    if (a->what == READ && b->what == READ) return;
    if (is_before(event(i, k + 1), event(j, l + 1)) || is_before(event(j, l + 1), event(i, k + 1)))
        return;
    if (thing == THINGS) {
        now.racy[a->at] = true;
        return;
    }
    if (object < OBJECTS)
        thing = object; /* an order is told of what is touched, if it has a name */
    if (ordered[thing][p->task][q->task]) return;
    ordered[thing][p->task][q->task] = ordered[thing][q->task][p->task] = true;
    now.orders++;
}

/* With the world as it is for this run: of what keeps two apart the lowest address is told. */
static void judge(void) {
    memset(ordered, 0, sizeof ordered);
    now.orders = 0;
    draw();
    for (uint32_t i = 0; i < now.instances; i++)
        for (uint32_t k = 0; k < now.plans[i].count; k++) {
            const op *o = &now.plans[i].ops[k];
            if (o->what != SEND && !is_declared(&now.plans[i], o)) now.undeclared[o->at] = true;
            for (uint32_t j = 0; j < i; j++)
                for (uint32_t l = 0; l < now.plans[j].count; l++) judge_pair(i, k, j, l);
        }
}

/* ---- random graphs ---- */

static void plan_instance(svs__random *random, uint32_t task, uint32_t care);

static void plan_op(svs__random *random, plan *p, op *o, uint32_t care) {
    o->what = svs__random_below(random, 3) == 0 ? WRITE : READ;
    o->at = svs__random_below(random, PLACES);
    if (o->at >= OBJECTS * WORDS && svs__random_below(random, 4)) o->what = READ;
    if (o->at < OBJECTS * WORDS && svs__random_below(random, care) &&
        p->declared[o->at / WORDS] < o->what + 1)
        p->declared[o->at / WORDS] = o->what + 1;
}

static void plan_instance(svs__random *random, uint32_t task, uint32_t care) {
    plan *p = &now.plans[now.instances++];
    memset(p, 0, sizeof *p);
    p->task = task;
    p->count = 1 + svs__random_below(random, OPS);
    for (uint32_t i = OBJECTS; i < THINGS; i++)
        if (svs__random_below(random, 4) == 0) p->declared[i] = 1 + svs__random_below(random, 2);
    for (uint32_t k = 0; k < p->count; k++) {
        uint32_t to = svs__random_below(random, now.tasks);
        op *o = &p->ops[k];
        if (now.sends[task][to] && now.instances < INSTANCES) {
            *o = (op){SEND, now.instances};
            plan_instance(random, to, care);
        } else plan_op(random, p, o, care);
    }
}

/* Some tasks, one after the other, send to each other and to themselves: they end together, so that
 * none of them is before another one (sched.T7). */
static void add_cycles(svs__random *random) {
    uint32_t first = svs__random_below(random, now.tasks);
    uint32_t end = first + 1 + svs__random_below(random, now.tasks - first);
    for (uint32_t a = first; a < end; a++)
        for (uint32_t b = first; b < end; b++) {
            now.before[a][b] = false;
            if (b <= a && now.itemizer[b] && svs__random_below(random, 3) != 0)
                now.sends[a][b] = true;
        }
}

static void make_graph(uint64_t seed) {
    svs__random random;
    uint32_t care;
    svs__random_seed(&random, seed);
    memset(&now, 0, sizeof now);
    now.tasks = 2 + svs__random_below(&random, TASKS - 1);
    care = 2 + svs__random_below(&random, 30); /* one declaration in so many is forgotten */
    for (uint32_t b = 1; b < now.tasks; b++) {
        now.itemizer[b] = svs__random_below(&random, 2) == 0;
        for (uint32_t a = 0; a < b; a++) {
            now.sends[a][b] = now.itemizer[b] && svs__random_below(&random, 2) == 0;
            now.before[a][b] = svs__random_below(&random, 4) == 0;
            now.apart[a][b] = svs__random_below(&random, 3) == 0;
        }
    }
    if (svs__random_below(&random, 2)) add_cycles(&random);
    for (uint32_t a = 0; a < now.tasks && now.instances < INSTANCES; a++)
        if (!now.itemizer[a]) plan_instance(&random, a, care);
}

/* ---- runs ---- */

typedef struct part {
    uint32_t plan;
} part;

static void part_touch(svs_footprint *f, const part *p) {
    for (uint32_t i = 0; i < OBJECTS; i++) {
        if (now.plans[p->plan].declared[i] == 1) svs_reads_object(f, &boxes[i]->svs);
        if (now.plans[p->plan].declared[i] == 2) svs_writes_object(f, &boxes[i]->svs);
    }
    for (uint32_t i = 0; i < GUARDS; i++) {
        uint32_t mode = now.plans[p->plan].declared[OBJECTS + i];
        if (mode == 0) continue;
        if (i == GUARDS - 1) {
            if (mode == 1) svs_reads_at(f, guard_space, 3);
            else svs_writes_at(f, guard_space, 3);
        } else if (mode == 1) svs_reads(f, &guards[i]);
        else svs_writes(f, &guards[i]);
    }
}

static const void *place(uint32_t at) {
    return at < OBJECTS * WORDS ? &boxes[at / WORDS]->words[at % WORDS]
                                : &plain[at - OBJECTS * WORDS];
}

static svs_status part_run(svs_context *context, part *p) {
    const plan *of = &now.plans[p->plan];
    for (uint32_t k = 0; k < of->count; k++) {
        const op *o = &of->ops[k];
        if (o->what == READ) svs_check_read(place(o->at), 8);
        else if (o->what == WRITE) svs_check_write(place(o->at), 8);
        else {
            part next = {o->at};
            svs_status status =
                svs_send(context, tasks[now.plans[o->at].task], &next, 1, sizeof next);
            if (status) return status;
        }
    }
    return SVS_OK;
}

SVS_TASK(task_a, part, part_run, part_touch)
SVS_TASK(task_b, part, part_run, part_touch)
SVS_TASK(task_c, part, part_run, part_touch)
SVS_TASK(task_d, part, part_run, part_touch)
SVS_TASK(task_e, part, part_run, part_touch)
SVS_TASK(task_f, part, part_run, part_touch)
static const svs_task_type *const types[TASKS] = {&task_a_task, &task_b_task, &task_c_task,
                                                  &task_d_task, &task_e_task, &task_f_task};

static void found(const svs_check_race *race, void *argument) {
    for (uint32_t i = 0; i < PLACES; i++)
        if (race->address == place(i) && race->verdict != SVS_CHECK_VERDICT_ORDER)
            svs__store_relaxed(
                race->verdict == SVS_CHECK_VERDICT_RACE ? &found_racy[i] : &found_undeclared[i], 1);
}

static void build(svs_graph *graph) {
    uint32_t next = 0;
    for (uint32_t a = 0; a < now.tasks; a++) {
        part p;
        if (now.itemizer[a]) {
            assert_int_equal(svs_graph_add_itemizer(graph, types[a], NULL, &tasks[a]), SVS_OK);
            continue;
        }
        while (next < now.instances && now.plans[next].task != a) next++;
        p.plan = next;
        if (next == now.instances) p.plan = INSTANCES; /* there was no room for it */
        assert_int_equal(svs_graph_add_transform(graph, types[a], &p, NULL, &tasks[a]), SVS_OK);
    }
    for (uint32_t a = 0; a < now.tasks; a++)
        for (uint32_t b = 0; b < now.tasks; b++) {
            if (now.sends[a][b])
                assert_int_equal(svs_graph_add_flow(graph, tasks[a], tasks[b]), SVS_OK);
            if (now.before[a][b])
                assert_int_equal(svs_graph_add_order(graph, tasks[a], tasks[b]), SVS_OK);
            if (now.apart[a][b])
                assert_int_equal(svs_graph_set_independent(graph, tasks[a], tasks[b]), SVS_OK);
        }
}

/* How sets are compared: exactly, by signatures of 4096 bits, or of a single one. */
enum { EXACT, WIDE, NARROW, WAYS };

/* A world that tells two bits apart, and objects of the first one alone: that is one bit, in which
 * all meet. */
static void narrow(svs_world *world) { world->cell_shift = world->bit_shift = 31; }

static box *make_box(svs_world *world, uint32_t way) {
    for (;;) {
        void *made;
        assert_int_equal(svs_object_new(world, &box_type, &made), SVS_OK);
        if (way != NARROW || svs__object_bit(world, &((box *)made)->svs) == 0) return made;
    }
}

static svs_world *make_world(svs_runtime *runtime, uint32_t way) {
    svs_world_options options;
    svs_world *world;
    svs_world_options_init(&options);
    if (way != EXACT) {
        options.cell_bits = 0;
        options.examine_budget = 0;
        options.signature_bits = way == WIDE ? 4096 : 64;
    }
    assert_int_equal(svs_world_new(runtime, &options, &world), SVS_OK);
    if (way == NARROW) narrow(world);
    for (uint32_t i = 0; i < OBJECTS; i++) boxes[i] = make_box(world, way);
    assert_int_equal(svs_space_new(world, "guards", 4, &guard_space), SVS_OK);
    assert_int_equal(svs_check_object_range(&guards[1], sizeof guards[1], "guard"), SVS_OK);
    assert_int_equal(
        svs_check_index_range(guard_space, 3, &guards[2], sizeof guards[2], 1, "guards"), SVS_OK);
    return world;
}

static void compare(uint64_t seed, uint32_t way, const svs_check_summary *summary) {
    for (uint32_t i = 0; i < PLACES; i++) {
        if (svs__load_relaxed(&found_undeclared[i]) != now.undeclared[i])
            fail_msg("graph %llu, way %u: place %u: undeclared: %s", (unsigned long long)seed, way,
                     i, now.undeclared[i] ? "missed" : "false");
        if (svs__load_relaxed(&found_racy[i]) != now.racy[i])
            fail_msg("graph %llu, way %u: place %u: race: %s", (unsigned long long)seed, way, i,
                     now.racy[i] ? "missed" : "false");
    }
    if (summary->orders != now.orders)
        fail_msg("graph %llu, way %u: %llu orders instead of %u", (unsigned long long)seed, way,
                 (unsigned long long)summary->orders, now.orders);
    assert_int_equal(summary->lost, 0);
}

/* ---- another run, which goes on meanwhile: then nothing is forgotten between iterations ---- */

typedef struct other {
    svs_runtime *runtime; /* NULL: there is none */
    svs__thread thread;
    _Atomic(bool) begun, ended;
} other;

static void go_on(svs_async_context *async, void *argument) {
    other *o = argument;
    svs__store_release(&o->begun, true);
    while (!svs__load_acquire(&o->ended)) svs__yield();
}

static void *run_other(void *argument) {
    other *o = argument;
    return svs_async_run(o->runtime, go_on, o) == SVS_OK ? o : NULL;
}

static void begin_other(other *o, const svs_check_options *options) {
    o->runtime = started(1, 20);
    assert_int_equal(svs_check_start(o->runtime, options), SVS_OK);
    assert_int_equal(svs__thread_create(&o->thread, run_other, o, 0), SVS_OK);
    while (!svs__load_acquire(&o->begun)) svs__yield();
}

static void end_other(other *o) {
    svs__store_release(&o->ended, true);
    svs__thread_join(&o->thread);
    assert_int_equal(svs_check_stop(o->runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(o->runtime), SVS_OK);
}

static void run(svs_runtime *runtime, uint64_t seed, uint32_t way) {
    other another = {.runtime = NULL};
    svs_check_options options;
    svs_graph_options graph_options;
    svs_check_summary summary;
    svs_world *world;
    svs_graph *graph;
    memset(found_undeclared, 0, sizeof found_undeclared);
    memset(found_racy, 0, sizeof found_racy);
    svs_check_options_init(&options);
    options.max_bytes = (size_t)256 << 20;
    options.found = found;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    world = make_world(runtime, way);
    judge();
    svs_graph_options_init(&graph_options);
    graph_options.algorithm = seed & 1 ? SVS_ALGORITHM_STAGED : SVS_ALGORITHM_PROGRESSIVE;
    assert_int_equal(svs_graph_new(world, &graph_options, &graph), SVS_OK);
    build(graph);
    if (seed % 3 == 0) begin_other(&another, &options);
    assert_int_equal(svs_graph_run(graph, 2, NULL), SVS_OK);
    if (another.runtime != NULL) end_other(&another);
    assert_int_equal(svs_check_summary_get(runtime, &summary), SVS_OK);
    assert_int_equal(svs_graph_free(graph), SVS_OK);
    svs_check_forget_range(&guards[1]);
    svs_check_forget_range(&guards[2]);
    assert_int_equal(svs_space_free(guard_space), SVS_OK);
    assert_int_equal(svs_world_free(world), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    compare(seed, way, &summary);
}

TEST_CASE(verdicts_are_those_of_the_promised_order) {
    uint64_t graphs = scaled(200, 20);
    uint32_t seen[3] = {0, 0, 0}, threads[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (uint32_t t = 0; t < 8; t++) {
        svs_runtime *runtime = started(threads[t], 20);
        for (uint64_t seed = t; seed < graphs; seed += t < 4 ? 1 : 4) {
            make_graph(seed);
            run(runtime, seed, (uint32_t)((seed + t) % WAYS));
            for (uint32_t i = 0; i < PLACES; i++) {
                seen[0] += now.undeclared[i];
                seen[1] += now.racy[i];
            }
            seen[2] += now.orders;
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
    for (uint32_t i = 0; i < 3; i++) assert_true(seen[i] != 0);
}

TEST_CASE(verdicts_do_not_depend_on_signatures) {
    svs_runtime *runtime = started(2, 20);
    for (uint64_t seed = 1000; seed < 1000 + scaled(60, 10); seed++) {
        make_graph(seed);
        for (uint32_t way = 0; way < WAYS; way++) run(runtime, seed, way);
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
