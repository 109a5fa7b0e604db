/* An object belongs to the body that has made it: only that body hands it off, and a failed
 * creation leaves nothing behind. */
#include "support.h"
#include <svs/members.h>

static struct {
    svs_world *world;
    svs_task *linker, *writer;
    atomic_int linked, writers, inside, too_early;
    uint32_t behind; /* objects that the owner has behind the one that it sends */
} stage;

static void nothing_touch(svs_footprint *f, const int *unused) {}

static svs_status make(node **made) {
    void *storage;
    svs_status status = svs_object_new(stage.world, &node_type, &storage);
    *made = storage;
    return status;
}

/* ---- objects of another body ---- */

typedef struct message {
    node *about;
} message;

static void message_touch(svs_footprint *f, const message *m) {
    svs_writes_object(f, &m->about->svs);
}
static svs_status write_run(svs_context *context, message *m) {
    if (atomic_load(&stage.inside)) atomic_fetch_add(&stage.too_early, 1);
    m->about->data++;
    atomic_fetch_add(&stage.writers, 1);
    return SVS_OK;
}
SVS_TASK(writer, message, write_run, message_touch)

/* Links an object of its own to one that its sender has made, and hands its own off. */
static void no_touch(svs_footprint *f, const message *m) {}
static svs_status link_run(svs_context *context, message *m) {
    node *own;
    svs_status status = make(&own);
    if (!status) status = svs_link(own, a, m->about);
    if (!status) status = svs_publish(context, &own->svs);
    atomic_fetch_add(&stage.linked, 1);
    return status;
}
SVS_TASK(linker, message, link_run, no_touch)

/* A chain of objects, each with two more beside it. */
static svs_status make_behind(node *first, uint32_t count) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        node *next, *leaf;
        status = make(&next);
        if (!status) status = svs_link(first, a, next);
        if (!status) status = make(&leaf);
        if (!status) status = svs_link(first, b, leaf);
        if (!status) status = make(&leaf);
        if (!status) status = svs_link(first, c, leaf);
        first = next;
    }
    return status;
}

static svs_status own_run(svs_context *context, int *unused) {
    message m;
    svs_status status = make(&m.about);
    if (!status) status = make_behind(m.about, stage.behind);
    if (status) return status;
    atomic_store(&stage.inside, 1);
    status = linker_send(context, stage.linker, &m, 1);
    if (!status) status = writer_send(context, stage.writer, &m, 1);
    if (status) return status;
    if (!support_comes(&stage.linked, 1)) return 1;
    (void)support_appears(&stage.writers, 1);
    m.about->data++;
    atomic_store(&stage.inside, 0);
    return SVS_OK;
}
SVS_TASK(owner, int, own_run, nothing_touch)

static void link_to_a_foreign_object(svs_algorithm algorithm, uint32_t behind) {
    support s;
    svs_graph *graph;
    svs_task *owner;
    support_open(&s, 4);
    memset(&stage, 0, sizeof stage);
    stage.world = s.world;
    stage.behind = behind;
    graph = support_graph_of(&s, algorithm);
    owner = support_transform(graph, &owner_task, NULL, NULL);
    stage.linker = support_itemizer(graph, &linker_task, NULL);
    stage.writer = support_itemizer(graph, &writer_task, NULL);
    support_ok(svs_graph_add_flow(graph, owner, stage.linker));
    support_ok(svs_graph_add_flow(graph, owner, stage.writer));
    support_ok(svs_graph_set_independent(graph, stage.linker, stage.writer));
    for (int run = 1; run <= 3; run++) { /* a cell that was given back twice stops the next run */
        stage.linked = stage.writers = 0;
        support_run(graph, 1);
        assert_int_equal(stage.writers, 1);
        assert_int_equal(stage.too_early, 0);
    }
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(a_publication_leaves_what_another_body_has_made) {
    link_to_a_foreign_object(SVS_ALGORITHM_PROGRESSIVE, 0);
    link_to_a_foreign_object(SVS_ALGORITHM_STAGED, 0);
    link_to_a_foreign_object(SVS_ALGORITHM_WINDOWED, 0);
}

TEST_CASE(a_publication_does_not_follow_what_another_body_has_made) {
    link_to_a_foreign_object(SVS_ALGORITHM_PROGRESSIVE, 2000);
}

/* ---- the order of publication ---- */

#define OBJECTS 300u

enum { NEWEST_FIRST, OLDEST_FIRST, SHUFFLED, ORDERS };

static struct {
    svs_task *writer;
    node *objects[OBJECTS];
    uint32_t order[OBJECTS], count; /* these are published */
} many;

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Every second object. */
static void choose(int order) {
    uint32_t seed = 1;
    many.count = OBJECTS / 2;
    for (uint32_t i = 0; i < many.count; i++)
        many.order[i] = 2 * (order == NEWEST_FIRST ? many.count - 1 - i : i);
    if (order != SHUFFLED) return;
    for (uint32_t i = many.count; i > 1; i--) {
        uint32_t other = draw(&seed, i), was = many.order[i - 1];
        many.order[i - 1] = many.order[other];
        many.order[other] = was;
    }
}

/* Those that were published are written while the body runs, and no others. */
static svs_status send_all_and_see(svs_context *context, int expected) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < OBJECTS && !status; i++) {
        message m = {many.objects[i]};
        if (m.about) status = writer_send(context, many.writer, &m, 1);
    }
    if (status) return status;
    if (!support_comes(&stage.writers, expected)) return 1;
    return support_appears(&stage.writers, expected + 1) ? 2 : SVS_OK;
}

static svs_status many_run(svs_context *context, int *order) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < OBJECTS && !status; i++) status = make(&many.objects[i]);
    choose(*order);
    for (uint32_t i = 0; i < many.count && !status; i++) {
        status = svs_publish(context, &many.objects[many.order[i]]->svs);
        if (!status && i % 3 == 0) { /* made, and gone, between the others */
            node *between;
            status = make(&between);
            if (!status && i % 2) status = svs_publish(context, &between->svs);
        }
    }
    return status ? status : send_all_and_see(context, (int)many.count);
}
SVS_TASK(many, int, many_run, nothing_touch)

/* A random graph of which one object is published, and so what it reaches. */
#define RANDOM 250u

static void mark(node *n, uint32_t *count) {
    if (!n || n->data) return;
    n->data = 1;
    ++*count;
    mark(n->a, count);
    mark(n->b, count);
    mark(n->c, count);
}

static svs_status random_run(svs_context *context, int *seed) {
    uint32_t drawn = (uint32_t)*seed, reached = 0;
    svs_status status = SVS_OK;
    memset(many.objects, 0, sizeof many.objects);
    for (uint32_t i = 0; i < RANDOM && !status; i++) status = make(&many.objects[i]);
    for (uint32_t i = 0; i < RANDOM / 2 && !status; i++) {
        node *from = many.objects[draw(&drawn, RANDOM)], *to = many.objects[draw(&drawn, RANDOM)];
        if (i % 3 == 0) status = svs_link(from, a, to);
        else if (i % 3 == 1) status = svs_link(from, b, to);
        else status = svs_link(from, c, to);
    }
    for (uint32_t i = 0; i < 30 && !status; i++) {
        node *from = many.objects[draw(&drawn, RANDOM)];
        mark(from, &reached);
        status = svs_publish(context, &from->svs);
    }
    return status ? status : send_all_and_see(context, (int)reached);
}
SVS_TASK(random, int, random_run, nothing_touch)

static void publish_with(const svs_task_type *type, int argument) {
    support s;
    svs_graph *graph;
    svs_task *maker;
    svs_world_options world_options;
    svs_world_options_init(&world_options);
    world_options.cell_bits = 20; /* so that few objects meet in a cell */
    support_open_with(&s, 3, &world_options);
    memset(&stage, 0, sizeof stage);
    memset(&many, 0, sizeof many);
    stage.world = s.world;
    graph = support_graph_of(&s, SVS_ALGORITHM_PROGRESSIVE);
    maker = support_transform(graph, type, &argument, NULL);
    many.writer = support_itemizer(graph, &writer_task, NULL);
    support_ok(svs_graph_add_flow(graph, maker, many.writer));
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(objects_are_published_in_any_order) {
    for (int order = 0; order < ORDERS; order++) publish_with(&many_task, order);
}

TEST_CASE(what_is_published_is_what_it_reaches) {
    for (int seed = 1; seed <= 5; seed++) publish_with(&random_task, seed);
}

/* ---- what could not be made ---- */

typedef struct inner {
    uint64_t data;
    struct inner *next;
    svs_object svs;
} inner;
SVS_TYPE(inner, svs, next)

typedef struct outer {
    svs_object svs;
    inner a, b;
} outer;
SVS_MEMBERS(outer, {"a", offsetof(outer, a), &inner_type}, {"b", offsetof(outer, b), &inner_type})
SVS_TYPE_MEMBERS(outer, svs)

static struct {
    support *support;
    uint64_t fail_at; /* this allocation, from here on; 0: none */
    bool in_own_storage, failed;
    outer *kept; /* the world's until its end */
} want;

static bool is_clear(const svs_object *object) {
    static const svs_object clear;
    return memcmp(object, &clear, sizeof clear) == 0;
}

static svs_status init_or_new(outer *storage) {
    support_memory *memory = &want.support->memory;
    svs_status status;
    void *made;
    if (want.fail_at) atomic_store(&memory->fail_at, atomic_load(&memory->calls) + want.fail_at);
    status = want.in_own_storage ? svs_object_init(&storage->svs, stage.world, &outer_type)
                                 : svs_object_new(stage.world, &outer_type, &made);
    atomic_store(&memory->fail_at, 0);
    return status;
}

/* The caller's storage may go at once. */
static svs_status try_to_make(void) {
    outer *storage = calloc(1, sizeof *storage);
    svs_status status;
    if (!storage) return 1;
    status = init_or_new(storage);
    want.failed = status == SVS_E_NO_MEMORY;
    if (status && want.in_own_storage &&
        !(is_clear(&storage->svs) && is_clear(&storage->a.svs) && is_clear(&storage->b.svs)))
        status = 2;
    if (!status && want.in_own_storage) {
        want.kept = storage;
        return SVS_OK;
    }
    memset(storage, 0x77, sizeof *storage);
    free(storage);
    return status;
}

static svs_status try_run(svs_context *context, int *unused) { return try_to_make(); }
SVS_TASK(try, int, try_run, nothing_touch)

static svs_status try_in_a_body(svs_world *world) {
    svs_graph *graph;
    svs_status status;
    support_ok(svs_graph_new(world, NULL, &graph));
    (void)support_transform(graph, &try_task, NULL, NULL);
    status = svs_graph_run(graph, 1, NULL);
    support_ok(svs_graph_free(graph));
    return status;
}

static void expect_nothing_left(svs_world *world) {
    svs_world_statistics statistics;
    support_ok(svs_world_refresh(world));
    statistics = support_world_statistics(world);
    assert_int_equal(statistics.masters, 0);
    assert_int_equal(statistics.quarantined, 0);
}

/* Each allocation fails in turn, until none is left to fail. */
static void fail_each(bool in_own_storage, bool in_a_body) {
    want.in_own_storage = in_own_storage;
    for (uint64_t at = 1; at < 20; at++) {
        support s;
        svs_status status;
        support_open(&s, 1);
        stage.world = s.world;
        want.support = &s;
        want.fail_at = at;
        want.failed = false;
        status = in_a_body ? try_in_a_body(s.world) : try_to_make();
        assert_int_equal(status, want.failed ? SVS_E_NO_MEMORY : SVS_OK);
        if (want.failed) expect_nothing_left(s.world);
        support_close(&s);
        free(want.kept);
        want.kept = NULL;
        if (!want.failed) {
            assert_true(at > 2); /* the masters' at least */
            return;
        }
    }
    fail_msg("there is always one more allocation");
}

TEST_CASE(what_cannot_be_made_in_a_body_leaves_nothing) {
    fail_each(true, true);
    fail_each(false, true);
}

TEST_CASE(what_cannot_be_made_outside_leaves_nothing) {
    fail_each(true, false);
    fail_each(false, false);
}

int main(void) { return run_cases(NULL, NULL); }
