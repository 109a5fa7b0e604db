/* The begin of upkeep: signatures are made when a set needs one for the first time (memobj.R5). */
#include "memobj/set.h"
#include "unit/face/support.h"

enum { LENGTH = 40 };

static void open_with_budget(support *s, uint32_t threads, uint32_t budget) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.examine_budget = budget;
    options.refresh = SVS_REFRESH_MANUAL;
    options.neighbourhood = 2;
    support_open_with(s, threads, &options);
}

static void open_small(support *s, uint32_t threads) { open_with_budget(s, threads, 4); }

static node *chain_of(svs_world *world, node **at) {
    for (int i = 0; i < LENGTH; i++) at[i] = support_node(world);
    for (int i = LENGTH - 1; i-- > 0;) support_ok(svs_link(at[i], a, at[i + 1]));
    return at[0];
}

static bool covers_all(const support *s, const node *from, node *const *at) {
    uint64_t words[SVS__SIGNATURE_WORDS_MAX];
    svs__reach_signature(&from->svs, words);
    for (int i = 0; i < LENGTH; i++)
        if (!svs__signature_has(words, svs__object_bit(s->world, &at[i]->svs))) return false;
    return true;
}

/* ---- instances ---- */

typedef struct walk {
    node *from;
} walk;
static atomic_int inside, most, ran;
static void walk_touch(svs_footprint *f, const walk *w) { svs_writes_reach(f, &w->from->svs); }
static svs_status walk_run(svs_context *context, walk *w) {
    int now = atomic_fetch_add(&inside, 1) + 1;
    if (now > atomic_load(&most)) atomic_store(&most, now);
    atomic_fetch_add(&ran, 1);
    w->from->data++;
    atomic_fetch_sub(&inside, 1);
    return SVS_OK;
}
SVS_TASK(walk, walk_run, walk_touch)

static void send_walks(svs_graph *graph, node *from, int count) {
    svs_task *task;
    support_ok(svs_graph_add_itemizer(graph, &walk_task, NULL, &task));
    for (int i = 0; i < count; i++)
        support_ok(svs_graph_send(graph, task, &(walk){from}, 1, sizeof(walk)));
}

TEST_CASE(no_signature_is_kept_while_each_reach_is_within_the_budget) {
    support s;
    node *at[LENGTH], *lone;
    svs_graph *graph;
    open_small(&s, 2);
    (void)chain_of(s.world, at);
    lone = support_node(s.world);
    support_ok(svs_link(lone, a, at[LENGTH - 2]));
    graph = support_graph(&s);
    send_walks(graph, lone, 100);
    support_run(graph, 1);
    assert_false(svs__reach_is_kept(s.world));
    assert_false(covers_all(&s, at[0], at));
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

static void upkeep_begins_under(svs_algorithm algorithm) {
    support s;
    node *at[LENGTH], *first;
    svs_graph *graph;
    open_small(&s, 2);
    first = chain_of(s.world, at);
    graph = support_graph_of(&s, algorithm);
    atomic_store(&ran, 0);
    send_walks(graph, first, 100);
    support_run(graph, 1);
    assert_int_equal(atomic_load(&ran), 100);
    assert_int_equal(atomic_load(&most), 1);
    assert_int_equal(first->data, 100);
    assert_true(svs__reach_is_kept(s.world));
    for (int i = 0; i < LENGTH; i++) assert_true(!i || !at[i]->data);
    assert_true(covers_all(&s, first, at));
    assert_true(svs__reach_is_valid(s.world));
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(upkeep_begins_with_the_first_set_that_needs_a_signature) {
    upkeep_begins_under(SVS_ALGORITHM_DEFAULT);
    upkeep_begins_under(SVS_ALGORITHM_STAGED);
    upkeep_begins_under(SVS_ALGORITHM_PROGRESSIVE);
}

/* How many objects the set of one reach names; 0: all. */
static uint32_t named_by(svs_world *world, const node *from) {
    svs__set set;
    uint32_t count;
    support_ok(svs__set_init(&set, world));
    svs__set_begin(&set);
    svs_writes_reach(&set.footprint, &from->svs);
    support_ok(svs__set_expand(&set));
    count = set.everything ? 0 : set.count;
    svs__set_clean_up(&set);
    return count;
}

TEST_CASE(reaches_beyond_the_budget_are_walked_while_that_costs_less_than_upkeep) {
    support s;
    node *at[LENGTH], *first;
    int exact = 0;
    open_small(&s, 1);
    first = chain_of(s.world, at);
    while (named_by(s.world, first) == LENGTH) exact++;
    assert_in_range(exact, 1, LENGTH); /* there are fewer links than one for each object */
    assert_int_equal(named_by(s.world, first), 0);
    for (int i = 0; i < LENGTH; i++) { /* links change, and each change would have its upkeep */
        support_ok(svs_link(first, b, at[2]));
        support_ok(svs_link(first, b, NULL));
    }
    assert_int_equal(named_by(s.world, first), LENGTH);
    assert_false(svs__reach_is_kept(s.world));
    support_close(&s);
}

TEST_CASE(a_reach_of_many_budgets_needs_a_signature_at_once) {
    support s;
    node *at[LENGTH];
    open_with_budget(&s, 1, 2);
    assert_int_equal(named_by(s.world, chain_of(s.world, at)), 0);
    support_close(&s);
}

TEST_CASE(links_that_were_removed_before_upkeep_are_gone_after_a_refresh) {
    support s;
    node *at[LENGTH];
    uint64_t words[SVS__SIGNATURE_WORDS_MAX];
    open_small(&s, 1);
    (void)chain_of(s.world, at);
    support_ok(svs_link(at[0], a, NULL));
    support_ok(svs__reach_begin_upkeep(s.world));
    support_ok(svs_world_refresh(s.world));
    svs__reach_signature(&at[0]->svs, words);
    for (int i = 1; i < LENGTH; i++) {
        uint32_t bit = svs__object_bit(s.world, &at[i]->svs);
        assert_true(bit == svs__object_bit(s.world, &at[0]->svs) ||
                    !svs__signature_has(words, bit));
    }
    support_close(&s);
}

TEST_CASE(upkeep_without_memory_begins_later) {
    support s;
    node *at[LENGTH], *first, *more[20];
    open_small(&s, 1);
    first = chain_of(s.world, at);
    for (int i = 0; i < 20; i++) { /* more listeners than a master has slots */
        more[i] = support_node(s.world);
        support_ok(svs_link(more[i], a, first));
    }
    atomic_store(&s.memory.fail_from, atomic_load(&s.memory.calls) + 1);
    assert_int_equal(svs__reach_begin_upkeep(s.world), SVS_E_NO_MEMORY);
    assert_false(svs__reach_is_kept(s.world));
    atomic_store(&s.memory.fail_from, 0);
    support_ok(svs__reach_begin_upkeep(s.world));
    assert_true(covers_all(&s, more[19], at));
    assert_true(svs__reach_is_valid(s.world));
    support_close(&s);
}

/* ---- objects of a body that still makes them (memobj.R6) ---- */

/* Makes a chain, and begins upkeep as if an instance that holds everything ran beside. */
static node *made[LENGTH];
static bool kept_inside;
static svs_status chain_run(svs_context *context, int *unused) {
    svs_world *world = svs_context_argument(context);
    for (int i = 0; i < LENGTH; i++) {
        void *storage;
        svs_status status = svs_object_new(world, &node_type, &storage);
        if (status) return status;
        made[i] = storage;
        if (i) status = svs_link(made[i - 1], a, made[i]);
        if (status) return status;
    }
    support_ok(svs__reach_begin_upkeep(world));
    kept_inside = svs__reach_is_kept(world);
    return svs_publish(context, &made[0]->svs);
}
static void chain_touch(svs_footprint *f, const int *unused) {}
SVS_TASK(chain, int, chain_run, chain_touch)

TEST_CASE(links_of_objects_in_the_making_get_their_upkeep_as_they_are_handed_off) {
    support s;
    svs_graph *graph;
    open_small(&s, 1);
    graph = support_graph(&s);
    (void)support_transform(graph, &chain_task, NULL, s.world);
    support_run(graph, 1);
    assert_true(kept_inside);
    assert_true(covers_all(&s, made[0], made));
    assert_true(svs__reach_is_valid(s.world));
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* As above, but there is no memory for what the publication adds. */
static support *starved;
static svs_status starve_run(svs_context *context, int *unused) {
    svs_world *world = svs_context_argument(context);
    svs_status status;
    void *storage;
    for (int i = 0; i < 2 && !svs_object_new(world, &node_type, &storage); i++) made[i] = storage;
    support_ok(svs_link(made[0], a, made[1]));
    support_ok(svs__reach_begin_upkeep(world));
    atomic_store(&starved->memory.fail_from, atomic_load(&starved->memory.calls) + 1);
    status = svs_publish(context, &made[0]->svs);
    kept_inside = svs__reach_is_kept(world);
    atomic_store(&starved->memory.fail_from, 0);
    return status;
}
SVS_TASK(starve, int, starve_run, chain_touch)

TEST_CASE(a_publication_without_memory_leaves_signatures_to_the_next_quiescence) {
    support s;
    svs_graph *graph;
    open_small(&s, 1);
    starved = &s;
    graph = support_graph(&s);
    (void)support_transform(graph, &starve_task, NULL, s.world);
    support_run(graph, 1);
    assert_false(kept_inside);
    assert_true(svs__reach_is_kept(s.world));
    assert_true(svs__reach_is_valid(s.world));
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
