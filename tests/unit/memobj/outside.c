/* Objects that threads outside of any body make, beside runs and beside each other (memobj.W4). The
 * test walks the objects that are left, and all memory is freed. */
#include "memobj/core/storage.h"
#include "memobj/reach/reach.h"
#include "unit/face/support.h"
#include <svs/members.h>

typedef struct pair {
    node first;
    svs_object svs;
    node second;
    struct node *a;
} pair;
SVS_MEMBERS(pair, {"first", offsetof(pair, first), &node_type},
            {"second", offsetof(pair, second), &node_type})
SVS_TYPE_MEMBERS(pair, svs, a)

static support s;
static atomic_int over, failed;
static atomic_uint made;

static void expect(bool holds) {
    if (!holds) atomic_store(&failed, 1);
}

/* ---- the run: it makes, links, frees and refreshes ---- */

static node *top;

typedef struct turn {
    uint32_t unused;
} turn;
static void turn_touch(svs_footprint *f, const turn *t) { svs_writes_reach(f, &top->svs); }
static svs_status turn_run(svs_context *context, turn *t) {
    node *old = top->a;
    void *storage;
    svs_status status;
    status = svs_object_new(s.world, &pair_type, &storage);
    if (!status) status = svs_link(top, a, &((pair *)storage)->first);
    if (!status && top->b) status = svs_object_free(&((pair *)(void *)old)->svs);
    if (!status) status = svs_link(top, b, top->a);
    return status;
}
SVS_TASK(turn, turn_run, turn_touch)

/* ---- threads beside it ---- */

static void *make_plain(void *argument) {
    while (!atomic_load(&over)) {
        void *storage = NULL;
        expect(svs_object_new(s.world, &node_type, &storage) == SVS_OK);
        if (storage) ((node *)storage)->data = 1;
        atomic_fetch_add(&made, 1);
        if (atomic_load(&made) % 64 == 0) sched_yield();
    }
    return argument;
}

static void *make_pairs(void *argument) {
    while (!atomic_load(&over)) {
        void *storage = NULL;
        expect(svs_object_new(s.world, &pair_type, &storage) == SVS_OK);
        if (storage) expect(svs__object_is_master(&((pair *)storage)->svs));
        atomic_fetch_add(&made, 1);
        if (atomic_load(&made) % 64 == 0) sched_yield();
    }
    return argument;
}

/* The caller's own storage; what it frees beside a run is refused and may be freed after it. */
static void *make_own(void *argument) {
    pair *own = argument;
    while (!atomic_load(&over)) {
        svs_status status;
        expect(svs_object_init(&own->svs, s.world, &pair_type) == SVS_OK);
        do status = svs_object_clean_up(&own->svs);
        while (status == SVS_E_BUSY && !atomic_load(&over));
        expect(status == SVS_OK || status == SVS_E_BUSY);
        if (status) break;
        atomic_fetch_add(&made, 1);
    }
    return NULL;
}

static void begin(svs_refresh_mode refresh) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.refresh = refresh;
    options.neighbourhood = 2;
    support_open_with(&s, 2, &options);
    atomic_store(&over, 0);
    atomic_store(&failed, 0);
    atomic_store(&made, 0);
}

static void count_room(void *room, const svs_type *type, void *count) {
    (void)room, (void)type;
    ++*(uint32_t *)count;
}

static uint32_t objects_in_lists(void) {
    uint32_t count = 0;
    svs__storage_visit(s.world, count_room, &count);
    return count;
}

static uint32_t masters_in_list(void) {
    uint32_t count = 0;
    for (svs__master *m = svs__load_acquire(&s.world->masters); m; m = svs__load_relaxed(&m->next))
        count++;
    return count;
}

static void end(void) {
    assert_int_equal(atomic_load(&failed), 0);
    support_ok(svs_world_refresh(s.world));
    assert_int_equal(masters_in_list(), support_world_statistics(s.world).masters);
    assert_true(svs__reach_is_valid(s.world));
    support_close(&s);
}

static void run_beside(void *(*thread_main)(void *), void *argument) {
    pthread_t thread;
    svs_graph *graph;
    top = support_node(s.world);
    graph = support_graph(&s);
    (void)support_transform(graph, &turn_task, NULL, NULL);
    assert_int_equal(pthread_create(&thread, NULL, thread_main, argument), 0);
    for (uint64_t i = 0; i < support_scaled(100) + 1 || !atomic_load(&made); i++)
        support_run(graph, 50);
    atomic_store(&over, 1);
    pthread_join(thread, NULL);
    support_ok(svs_graph_free(graph));
}

TEST_CASE(a_thread_makes_objects_while_a_graph_makes_and_frees_others) {
    begin(SVS_REFRESH_ALWAYS);
    run_beside(make_plain, NULL);
    assert_int_equal(objects_in_lists(), made + 2); /* the top, and the last of the run */
    end();
}

TEST_CASE(a_thread_makes_objects_with_members_while_refreshes_release_masters) {
    begin(SVS_REFRESH_ALWAYS);
    run_beside(make_pairs, NULL);
    assert_int_equal(objects_in_lists(), made + 2);
    end();
}

TEST_CASE(a_thread_initialises_and_cleans_up_between_runs) {
    static pair own;
    begin(SVS_REFRESH_ALWAYS);
    memset(&own, 0, sizeof own);
    run_beside(make_own, &own);
    end();
}

/* ---- two threads, and no run ---- */

static void *make_and_free(void *argument) {
    for (uint64_t i = 0; i < support_scaled(20000) + 1; i++) {
        bool plain = i % 2;
        void *storage = NULL;
        expect(svs_object_new(s.world, plain ? &node_type : &pair_type, &storage) == SVS_OK);
        if (!storage) break;
        if (plain) expect(svs_object_free(&((node *)storage)->svs) == SVS_OK);
        else expect(svs_object_free(&((pair *)storage)->svs) == SVS_OK);
    }
    return argument;
}

TEST_CASE(two_threads_make_and_free_objects_of_one_world) {
    static const svs_refresh_mode modes[] = {SVS_REFRESH_MANUAL, SVS_REFRESH_AUTO};
    for (int i = 0; i < 2; i++) {
        pthread_t threads[2];
        begin(modes[i]);
        for (int t = 0; t < 2; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, make_and_free, NULL), 0);
        for (int t = 0; t < 2; t++) pthread_join(threads[t], NULL);
        assert_int_equal(objects_in_lists(), 0);
        end();
    }
}

/* ---- members ---- */

TEST_CASE(members_of_an_object_that_was_freed_are_freed) {
    static pair own;
    void *storage;
    node *n;
    begin(SVS_REFRESH_MANUAL);
    memset(&own, 0, sizeof own);
    n = support_node(s.world);
    support_ok(svs_object_init(&own.svs, s.world, &pair_type));
    support_ok(svs_link(&own.second, a, n));
    support_ok(svs_object_clean_up(&own.svs));
    support_ok(svs_world_refresh(s.world));
    assert_int_equal(svs_link(&own.first, a, n), SVS_E_FREED);
    assert_int_equal(svs_link(n, a, &own.second), SVS_E_FREED);
    assert_int_equal(svs_object_clean_up(&own.first.svs), SVS_E_FREED);
    memset(&own, 0, sizeof own); /* the storage is the caller's again */
    support_ok(svs_object_init(&own.svs, s.world, &pair_type));
    support_ok(svs_link(&own.first, a, n));
    support_ok(svs_link(n, a, &own.second));
    support_ok(svs_object_new(s.world, &pair_type, &storage));
    end();
}

int main(void) { return run_cases(NULL, NULL); }
