/* Asyncs of a body are the body's, on whatever worker they run: they link, make, free, publish and
 * send as the body does, and what is refused to them fails it. */
#include "support.h"

#define COUNT 200u

static struct {
    svs_world *world, *other_world;
    svs_context *context;
    svs_task *consumer;
    node *nodes[COUNT + 1], *foreign;
    atomic_int begun, early, ended;
    uint32_t linked; /* nodes with a link, after the run */
    atomic_uint_fast64_t keys, sum, orders;
    svs_status answer;
    uint32_t worker;
    bool publish;
} stage;

/* ---- an async on another worker ---- */

typedef struct away {
    svs_async_function *function;
    atomic_int state; /* 1: it has begun, 2: it has ended */
} away;

static void run_away(svs_async_context *async, void *argument) {
    away *a = *(away **)argument;
    atomic_store(&a->state, 1);
    a->function(async, NULL);
    atomic_store(&a->state, 2);
}

static void do_nothing(svs_async_context *async, void *argument) {}

/* Runs the function as an async while this worker does not wait in a finish, and so does not run
 * it. What else is spawned has the deque look whether thieves starve. */
static svs_status run_on_a_thief(svs_async_context *async, svs_async_function *function) {
    away a = {function, 0}, *pointer = &a;
    uint64_t end = support_now_ms() + SUPPORT_HANG_MS;
    svs_async(async, run_away, &pointer, sizeof pointer);
    while (atomic_load(&a.state) < 2) {
        if (support_now_ms() > end) abort(); /* the async has a pointer to this frame */
        svs_async(async, do_nothing, NULL, 0);
        sched_yield();
    }
    return SVS_OK;
}

/* ---- a graph of one body, and a consumer ---- */

typedef struct message {
    node *about;
    uint64_t number;
} message;

static void message_touch(svs_footprint *f, const message *m) {
    if (m->about) svs_writes_object(f, &m->about->svs);
}
static svs_status consume_run(svs_context *context, message *m) {
    if (!atomic_load(&stage.ended)) atomic_fetch_add(&stage.early, 1);
    atomic_fetch_add(&stage.sum, m->number);
    atomic_fetch_add(&stage.orders, svs_instance_id(context));
    if (m->about) m->about->data++;
    atomic_fetch_add(&stage.begun, 1);
    return SVS_OK;
}
SVS_TASK(consumer, message, consume_run, message_touch)

typedef svs_status body_function(svs_context *context, svs_async_context *async);
typedef struct body {
    body_function *run;
} body;

static void body_touch(svs_footprint *f, const body *b) {
    for (uint32_t i = 0; i <= COUNT; i++) svs_writes_object(f, &stage.nodes[i]->svs);
}
static svs_status body_run(svs_context *context, body *b) {
    svs_status status;
    stage.context = context;
    status = b->run(context, svs_context_async(context));
    return status;
}
SVS_TASK(body, body_run, body_touch)

static svs_world *new_world(svs_runtime *runtime) {
    svs_world_options options;
    svs_world *world;
    svs_world_options_init(&options);
    options.cell_bits = 20;
    support_ok(svs_world_new(runtime, &options, &world));
    return world;
}

static void open_stage(support *s, uint32_t threads, uint32_t policy) {
    svs_runtime_options options;
    memset(&stage, 0, sizeof stage);
    support_options(s, threads, &options);
    options.policy = policy;
    support_ok(svs_runtime_new(&options, &s->runtime));
    support_ok(svs_runtime_start(s->runtime));
    s->world = stage.world = new_world(s->runtime);
    stage.other_world = new_world(s->runtime);
    stage.foreign = support_node(stage.other_world);
    for (uint32_t i = 0; i <= COUNT; i++) stage.nodes[i] = support_node(s->world);
}

static void close_stage(support *s) {
    support_ok(svs_world_free(stage.other_world));
    support_close(s);
}

/* @return what the run of the body answers. */
static svs_status run_body(support *s, body_function *run) {
    svs_graph *graph;
    svs_task *task;
    svs_status status;
    body b = {run};
    graph = support_graph_of(s, SVS_ALGORITHM_PROGRESSIVE);
    task = support_transform(graph, &body_task, &b, NULL);
    stage.consumer = support_itemizer(graph, &consumer_task, NULL);
    support_ok(svs_graph_add_flow(graph, task, stage.consumer));
    status = svs_graph_run(graph, 1, NULL);
    stage.linked = 0;
    for (uint32_t i = 0; i <= COUNT; i++)
        if (stage.nodes[i] && stage.nodes[i]->a) stage.linked++;
    support_ok(svs_graph_free(graph));
    return status;
}

static svs_status play(uint32_t threads, uint32_t policy, body_function *run) {
    support s;
    svs_status status;
    open_stage(&s, threads, policy);
    status = run_body(&s, run);
    close_stage(&s);
    return status;
}

static void on_all_teams(body_function *run, void (*look)(void)) {
    static const uint32_t teams[] = {1, 2, 8};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
            support_ok(play(teams[i], policy, run));
            if (look) look();
        }
}

/* On two workers and more, as there must be a thief. */
static void with_thieves(body_function *run, svs_status expected) {
    assert_int_equal(play(2, SVS_POLICY_HELP_FIRST, run), expected);
    assert_int_equal(play(2, SVS_POLICY_WORK_FIRST, run), expected);
    assert_int_equal(play(8, SVS_POLICY_HELP_FIRST, run), expected);
}

static svs_status make(node **made) {
    void *storage;
    svs_status status = svs_object_new(stage.world, &node_type, &storage);
    *made = storage;
    return status;
}

/* ---- links ---- */

typedef struct part {
    uint32_t at;
} part;

static void link_one(svs_async_context *async, void *argument) {
    const part *p = argument;
    (void)svs_ignore(svs_link(stage.nodes[p->at], a, stage.nodes[p->at + 1]));
}
static svs_status link_all(svs_context *context, svs_async_context *async) {
    for (uint32_t i = 0; i < COUNT; i++) svs_async(async, link_one, &(part){i}, sizeof(part));
    return SVS_OK;
}
static void see_all_links(void) { assert_int_equal(stage.linked, COUNT); }
TEST_CASE(each_async_of_a_body_links) { on_all_teams(link_all, see_all_links); }

static void link_here(svs_async_context *async, void *argument) {
    stage.answer = svs_link(stage.nodes[0], a, stage.nodes[1]);
}
static svs_status link_away(svs_context *context, svs_async_context *async) {
    svs_status status = run_on_a_thief(async, link_here);
    if (status || stage.answer) return status ? status : stage.answer;
    return stage.nodes[0]->a == stage.nodes[1] ? SVS_OK : 1;
}
TEST_CASE(an_async_links_on_a_thief) { with_thieves(link_away, SVS_OK); }

/* The child of a child, which another thief may have. */
static void link_below(svs_async_context *async, void *argument) {
    (void)run_on_a_thief(async, link_here);
}
static svs_status link_twice_away(svs_context *context, svs_async_context *async) {
    svs_status status = run_on_a_thief(async, link_below);
    return status ? status : stage.answer;
}
TEST_CASE(an_async_links_on_a_thief_of_a_thief) {
    assert_int_equal(play(3, SVS_POLICY_HELP_FIRST, link_twice_away), SVS_OK);
    assert_int_equal(play(8, SVS_POLICY_WORK_FIRST, link_twice_away), SVS_OK);
}

static void link_foreign_here(svs_async_context *async, void *argument) {
    stage.answer = svs_link(stage.nodes[0], a, stage.foreign);
}
static svs_status link_foreign_away(svs_context *context, svs_async_context *async) {
    return run_on_a_thief(async, link_foreign_here); /* it ignores the answer */
}
TEST_CASE(what_is_refused_to_an_async_on_a_thief_fails_the_run) {
    with_thieves(link_foreign_away, SVS_E_WORLD);
    assert_int_equal(stage.answer, SVS_E_WORLD);
}

static void free_here(svs_async_context *async, void *argument) {
    stage.answer = svs_object_free(&stage.nodes[COUNT]->svs);
    stage.nodes[COUNT] = NULL;
}
static svs_status free_away(svs_context *context, svs_async_context *async) {
    svs_status status = run_on_a_thief(async, free_here);
    return status ? status : stage.answer;
}
TEST_CASE(an_async_frees_on_a_thief) { with_thieves(free_away, SVS_OK); }

/* ---- objects ---- */

static node *made;

static void make_here(svs_async_context *async, void *argument) { stage.answer = make(&made); }
/* The body goes on writing what its async has made. */
static svs_status make_away(svs_context *context, svs_async_context *async) {
    svs_status status = run_on_a_thief(async, make_here);
    message m;
    if (!status) status = stage.answer;
    if (status) return status;
    if (stage.publish) status = svs_publish(context, &made->svs);
    m = (message){made, 1};
    if (!status) status = consumer_send(context, stage.consumer, &m, 1);
    if (status) return status;
    if (stage.publish) return support_comes(&stage.begun, 1) ? SVS_OK : 1;
    (void)support_appears(&stage.begun, 1);
    made->data++;
    atomic_store(&stage.ended, 1);
    return SVS_OK;
}
static svs_status make_away_and_publish(svs_context *context, svs_async_context *async) {
    stage.publish = true;
    return make_away(context, async);
}
TEST_CASE(what_an_async_makes_on_a_thief_is_its_bodys) {
    with_thieves(make_away, SVS_OK);
    assert_int_equal(stage.early, 0);
    assert_int_equal(stage.begun, 1);
}
TEST_CASE(what_an_async_makes_on_a_thief_may_be_published) {
    with_thieves(make_away_and_publish, SVS_OK);
}

static void publish_here(svs_async_context *async, void *argument) {
    stage.answer = svs_publish(stage.context, &made->svs);
}
static svs_status publish_away(svs_context *context, svs_async_context *async) {
    svs_status status = make(&made);
    message m = {made, 1};
    if (!status) status = run_on_a_thief(async, publish_here);
    if (!status) status = stage.answer;
    m.about = made;
    if (!status) status = consumer_send(context, stage.consumer, &m, 1);
    if (status) return status;
    return support_comes(&stage.begun, 1) ? SVS_OK : 1;
}
TEST_CASE(an_async_publishes_on_a_thief) { with_thieves(publish_away, SVS_OK); }

/* Each makes two, links them below a node of its own, and sends and publishes one. */
static void make_two(svs_async_context *async, void *argument) {
    const part *p = argument;
    node *two[2] = {NULL, NULL};
    message m;
    for (int i = 0; i < 5; i++) sched_yield(); /* so that thieves come */
    for (int i = 0; i < 2; i++) {
        if (make(&two[i])) return;
        atomic_fetch_add(&stage.keys, (uint64_t)two[i]->svs.key);
    }
    (void)svs_ignore(svs_link(stage.nodes[p->at], a, two[0]));
    (void)svs_ignore(svs_link(two[0], b, two[1]));
    m = (message){two[1], p->at};
    svs_ignore(consumer_send(stage.context, stage.consumer, &m, 1));
    if (p->at % 2) svs_ignore(svs_publish(stage.context, &two[1]->svs));
}
static svs_status make_all(svs_context *context, svs_async_context *async) {
    for (uint32_t i = 0; i < COUNT; i++) svs_async(async, make_two, &(part){i}, sizeof(part));
    return SVS_OK;
}
static uint64_t keys_of_all, orders_of_all;
static void see_all_made(void) {
    assert_int_equal(stage.linked, COUNT);
    assert_int_equal(stage.begun, COUNT);
    assert_int_equal(stage.sum, COUNT * (COUNT - 1) / 2);
    if (!keys_of_all) {
        keys_of_all = stage.keys;
        orders_of_all = stage.orders;
    }
    /* Which async has which number depends on the schedule; all of them together do not. */
    assert_int_equal(stage.keys, keys_of_all);
    assert_int_equal(stage.orders, orders_of_all);
}
TEST_CASE(asyncs_of_one_body_make_send_and_publish_at_once) {
    on_all_teams(make_all, see_all_made);
}

/* ---- what an async asks of the context ---- */

static void send_here(svs_async_context *async, void *argument) {
    message m = {NULL, 7};
    stage.answer = consumer_send(stage.context, stage.consumer, &m, 1);
}
static svs_status send_away(svs_context *context, svs_async_context *async) {
    svs_status status = run_on_a_thief(async, send_here);
    return status ? status : stage.answer;
}
TEST_CASE(an_async_sends_on_a_thief) {
    with_thieves(send_away, SVS_OK);
    assert_int_equal(stage.sum, 7);
}

static void ask_here(svs_async_context *async, void *argument) {
    stage.worker = svs_worker_index();
}
static svs_status ask_away(svs_context *context, svs_async_context *async) {
    svs_status status = run_on_a_thief(async, ask_here);
    if (status) return status;
    return stage.worker != svs_worker_index() ? SVS_OK : 1;
}
TEST_CASE(an_async_is_told_its_own_worker) { with_thieves(ask_away, SVS_OK); }

static void async_here(svs_async_context *async, void *argument) {
    stage.answer = svs_context_async(stage.context) ? SVS_OK : SVS_E_OUTSIDE;
}
static svs_status async_away(svs_context *context, svs_async_context *async) {
    return run_on_a_thief(async, async_here);
}
TEST_CASE(the_async_context_of_a_body_is_not_for_its_asyncs_on_thieves) {
    with_thieves(async_away, SVS_E_OUTSIDE);
    assert_int_equal(stage.answer, SVS_E_OUTSIDE);
}

/* ---- handed over, not stolen ---- */

static void expect_replayed(support *s, const svs_trace *trace, body_function *run) {
    char text[SVS_TRACE_MESSAGE];
    svs_status status;
    support_ok(svs_replay_start(s->runtime, trace, NULL, text, sizeof text));
    support_ok(run_body(s, run));
    assert_int_equal(stage.linked, COUNT);
    status = svs_replay_stop(s->runtime, NULL, text, sizeof text);
    assert_true(status == SVS_OK || status == SVS_E_PARTED);
}

/* Also by a replay that the program has parted from. */
TEST_CASE(asyncs_that_a_replay_hands_over_are_their_bodys) {
    support s;
    svs_trace *trace;
    open_stage(&s, 2, SVS_POLICY_HELP_FIRST);
    support_ok(svs_trace_start(s.runtime, NULL));
    support_ok(run_body(&s, link_all));
    support_ok(svs_trace_stop(s.runtime, &trace));
    expect_replayed(&s, trace, link_all);
    expect_replayed(&s, trace, make_all);
    svs_trace_free(trace);
    close_stage(&s);
}

int main(void) { return run_cases(NULL, NULL); }
