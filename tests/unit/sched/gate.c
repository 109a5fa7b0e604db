/* Admission by itself: sets of elements, of signatures and of everything, held and reserved
 * (sched.A1, sched.A2, sched.A5). */
#include "memobj/world.h"
#include "sched/admission/admission.h"
#include "sched/admission/memory.h"
#include "unit/face/support.h"

typedef enum kind { ELEMENT, DENSE, EVERYTHING, KINDS } kind;

static struct {
    support s;
    svs__admission *gate;
    node *nodes[2];
} t;

static void open_gate(void) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.examine_budget = 0; /* a reach is its master's signature */
    support_open_with(&t.s, 1, &options);
    for (int i = 0; i < 2; i++) {
        t.nodes[i] = support_node(t.s.world);
        support_ok(svs_link(t.nodes[i], a, support_node(t.s.world)));
    }
    support_ok(svs__admission_of(t.s.world, &t.gate));
}

static void close_gate(void) {
    assert_true(svs__admission_is_empty(t.gate));
    support_close(&t.s);
}

static void make_set(svs__set *set, kind of, svs_access_mode mode, int which) {
    memset(set, 0, sizeof *set);
    support_ok(svs__set_init(set, t.s.world));
    svs__set_begin(set);
    if (of == EVERYTHING)
        svs_footprint_add(&set->footprint, NULL, 0, 0, SVS_KIND_EVERYTHING, SVS_MODE_WRITE,
                          SVS_EXTENT_OWN);
    else
        svs_footprint_add(&set->footprint, &t.nodes[which]->svs, 0, 0, SVS_KIND_OBJECT, mode,
                          of == DENSE ? SVS_EXTENT_REACH : SVS_EXTENT_OWN);
    support_ok(svs__set_expand(set));
}

static bool try(svs__hold *hold, const svs__set *set, const void *by, svs__conflict *met) {
    support_ok(svs__hold_reserve(hold, set));
    return svs__admission_try(t.gate, hold, set, by, met);
}

static void drop(svs__hold *hold) {
    (void)svs__admission_release(t.gate, hold);
    svs__hold_clean_up(hold, t.s.world);
}

/* Writers of one thing, whatever form their sets have: one at a time, held or reserved; and the
 * admission says when the conflict has ended. */
static void meet(kind first, kind second) {
    svs__hold a = {0}, b = {0};
    svs__set x, y;
    svs__reservation reservations[2] = {{.reserver = &x}, {.reserver = &y}};
    svs__conflict met;
    make_set(&x, first, SVS_MODE_WRITE, 0);
    make_set(&y, second, SVS_MODE_WRITE, 0);
    assert_true(try(&a, &x, &x, &met));
    assert_false(svs__admission_is_empty(t.gate));
    assert_false(try(&b, &y, &y, &met));
    assert_false(svs__admission_is_free(t.gate, &met, &y));
    drop(&a);
    assert_true(svs__admission_is_free(t.gate, &met, &y));

    assert_true(svs__admission_reserve(t.gate, &x, &reservations[0]));
    assert_false(svs__admission_reserve(t.gate, &y, &reservations[1]));
    assert_false(svs__admission_is_empty(t.gate));
    assert_false(try(&b, &y, &y, &met));
    assert_int_equal(met.met, SVS__MET_RESERVED);
    assert_false(svs__admission_is_free(t.gate, &met, &y));
    assert_true(svs__admission_is_free(t.gate, &met, &x));
    assert_true(try(&a, &x, &x, &met)); /* the reserver itself */
    drop(&a);
    assert_false(svs__admission_unreserve(t.gate, &reservations[1])); /* it is not its own */
    assert_false(try(&b, &y, &y, &met));
    (void)svs__admission_unreserve(t.gate, &reservations[0]);
    assert_true(try(&b, &y, &y, &met));
    drop(&b);
    drop(&a);
    svs__set_clean_up(&x);
    svs__set_clean_up(&y);
}

TEST_CASE(sets_of_all_forms_meet) {
    for (kind first = ELEMENT; first < KINDS; first++)
        for (kind second = ELEMENT; second < KINDS; second++) {
            open_gate();
            meet(first, second);
            close_gate();
        }
}

/* Readers hold together, and each of them keeps a writer off. */
static void readers_share(kind of) {
    svs__hold holds[3] = {{0}};
    svs__set reads, writes;
    svs__reservation reservation = {.reserver = &reads};
    svs__conflict met;
    open_gate();
    make_set(&reads, of, SVS_MODE_READ, 0);
    make_set(&writes, of, SVS_MODE_WRITE, 0);
    assert_true(try(&holds[0], &reads, &reads, &met));
    assert_true(try(&holds[1], &reads, &reads, &met));
    assert_false(try(&holds[2], &writes, &writes, &met));
    drop(&holds[0]);
    assert_false(try(&holds[2], &writes, &writes, &met));
    assert_true(svs__admission_reserve(t.gate, &reads, &reservation));
    drop(&holds[1]);
    assert_false(try(&holds[2], &writes, &writes, &met)); /* a reserved reader */
    assert_true(try(&holds[0], &reads, &writes, &met));   /* which readers pass */
    drop(&holds[0]);
    (void)svs__admission_unreserve(t.gate, &reservation);
    assert_true(try(&holds[2], &writes, &writes, &met));
    drop(&holds[2]);
    svs__set_clean_up(&reads);
    svs__set_clean_up(&writes);
    close_gate();
}

TEST_CASE(readers_of_all_forms_share) {
    readers_share(ELEMENT);
    readers_share(DENSE);
}

/* @return whether a writer of one node is admitted for the reserver `by`. */
static bool gets_in(int which, const void *by) {
    svs__hold hold = {0};
    svs__conflict met;
    svs__set set;
    bool did;
    make_set(&set, ELEMENT, SVS_MODE_WRITE, which);
    did = try(&hold, &set, by, &met);
    drop(&hold);
    svs__set_clean_up(&set);
    return did;
}

/* The first reservation reserves; when it is given up, the next one in the line does, however many
 * have asked in between (sched.A7). */
TEST_CASE(claims_reserve_in_the_order_of_their_line) {
    svs__reservation reservations[3] = {{.reserver = &reservations[0]},
                                        {.reserver = &reservations[1]},
                                        {.reserver = &reservations[2]}};
    svs__set set;
    open_gate();
    make_set(&set, ELEMENT, SVS_MODE_WRITE, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(svs__admission_reserve(t.gate, &set, &reservations[i]), i == 0);
    assert_false(gets_in(0, reservations[1].reserver));
    (void)svs__admission_unreserve(t.gate, &reservations[0]);
    assert_false(svs__admission_reserve(t.gate, &set, &reservations[2]));
    assert_false(
        svs__admission_reserve(t.gate, &set, &reservations[0])); /* once more, behind them */
    assert_true(svs__admission_reserve(t.gate, &set, &reservations[1]));
    assert_false(gets_in(0, reservations[2].reserver));
    assert_true(gets_in(0, reservations[1].reserver));
    assert_false(svs__admission_unreserve(t.gate, &reservations[2])); /* from the middle */
    (void)svs__admission_unreserve(t.gate, &reservations[1]);
    assert_true(gets_in(0, NULL)); /* nothing is reserved until the first asks again */
    assert_true(svs__admission_reserve(t.gate, &set, &reservations[0]));
    assert_false(gets_in(0, NULL));
    (void)svs__admission_unreserve(t.gate, &reservations[0]);
    svs__set_clean_up(&set);
    close_gate();
}

/* A reservation also keeps the elements free that its set gains, and those that it loses
 * (sched.A8). */
TEST_CASE(a_reservation_grows_with_the_set) {
    svs__set first, second;
    svs__reservation reservation = {.reserver = &reservation};
    open_gate();
    make_set(&first, ELEMENT, SVS_MODE_WRITE, 0);
    make_set(&second, ELEMENT, SVS_MODE_WRITE, 1);
    assert_true(svs__admission_reserve(t.gate, &first, &reservation));
    assert_true(gets_in(1, NULL));
    assert_true(svs__admission_reserve(t.gate, &second, &reservation));
    assert_false(gets_in(0, NULL));
    assert_false(gets_in(1, NULL));
    (void)svs__admission_unreserve(t.gate, &reservation);
    assert_true(gets_in(0, NULL));
    assert_true(gets_in(1, NULL));
    svs__set_clean_up(&first);
    svs__set_clean_up(&second);
    close_gate();
}

/* The count does not wrap round: what would not fit is refused, and nothing is changed. */
TEST_CASE(a_hold_of_too_many_elements_is_refused) {
    svs__element one;
    svs__hold hold = {.elements = &one, .count = UINT32_MAX - 7, .capacity = UINT32_MAX - 7};
    open_gate();
    assert_int_equal(svs__hold_make_room(&hold, t.s.world, 8), SVS_E_LIMIT);
    assert_int_equal(svs__hold_make_room(&hold, t.s.world, UINT32_MAX), SVS_E_LIMIT);
    assert_int_equal(svs__hold_make_room(&hold, t.s.world, 0), SVS_OK);
    assert_ptr_equal(hold.elements, &one);
    assert_int_equal(hold.count, UINT32_MAX - 7);
    close_gate();
}

/* Writes `count` indices of a space from `first` on. */
static void make_indices(svs__set *set, const svs_space *space, uint64_t first, uint64_t count) {
    memset(set, 0, sizeof *set);
    support_ok(svs__set_init(set, t.s.world));
    svs__set_begin(set);
    do { /* as of a touch function */
        for (uint64_t i = 0; i < count; i++) svs_writes_at(&set->footprint, space, first + i);
    } while (svs__set_make_room(set, 0));
    support_ok(svs__set_expand(set));
    assert_int_equal(set->count, count);
}

/* Of a set that is refused for its last element nothing is held. */
TEST_CASE(many_elements_are_taken_whole_or_not_at_all) {
    enum { MANY = 300 }; /* more than a set has room for at first */
    svs__hold a = {0}, b = {0};
    svs__set last, all, rest;
    svs__conflict met;
    svs_space *space;
    open_gate();
    support_ok(svs_space_new(t.s.world, "many", MANY, &space));
    make_indices(&last, space, MANY - 1, 1);
    make_indices(&all, space, 0, MANY);
    make_indices(&rest, space, 0, MANY - 1);
    assert_memory_equal(all.elements, rest.elements, rest.count * sizeof *rest.elements);
    assert_true(try(&a, &last, &last, &met));
    assert_false(try(&b, &all, &all, &met));
    assert_int_equal(met.met, SVS__MET_CELL);
    assert_true(try(&b, &rest, &rest, &met));
    drop(&a);
    assert_false(try(&a, &all, &all, &met));
    drop(&b);
    assert_true(try(&a, &all, &all, &met));
    drop(&a);
    svs__set_clean_up(&last);
    svs__set_clean_up(&all);
    svs__set_clean_up(&rest);
    assert_int_equal(svs_space_free(space), SVS_OK);
    close_gate();
}

static void add_mixed(svs_footprint *f, const svs_space *one, const svs_space *other) {
    svs_reads_at(f, one, 1);
    svs_reads_at(f, other, 1);
    svs_writes_at(f, other, 2);
    svs_writes(f, &t);
    svs_writes_at(f, other, 3);
}

/* Indices are looked up together, and come to what they come to one by one. */
TEST_CASE(indices_of_several_spaces_keep_apart) {
    svs__set mixed, one;
    svs_space *spaces[2];
    open_gate();
    for (int i = 0; i < 2; i++) support_ok(svs_space_new(t.s.world, "mixed", 4, &spaces[i]));
    make_indices(&one, spaces[1], 1, 3);
    make_indices(&mixed, spaces[0], 0, 1);
    add_mixed(&mixed.footprint, spaces[0], spaces[1]);
    support_ok(svs__set_expand(&mixed));
    assert_int_equal(mixed.count, 6);
    assert_int_equal(mixed.elements[2].key, one.elements[0].key);
    assert_int_equal(mixed.elements[2].mode, SVS_MODE_READ);
    assert_memory_equal(&mixed.elements[3], &one.elements[1], sizeof one.elements[1]);
    assert_ptr_equal(mixed.identities[4].what, &t);
    assert_memory_equal(&mixed.elements[5], &one.elements[2], sizeof one.elements[2]);
    assert_memory_equal(&mixed.identities[5], &one.identities[2], sizeof one.identities[2]);
    svs__set_clean_up(&one);
    svs__set_clean_up(&mixed);
    for (int i = 0; i < 2; i++) assert_int_equal(svs_space_free(spaces[i]), SVS_OK);
    close_gate();
}

TEST_CASE(an_index_of_no_mode_is_refused) {
    svs__set set;
    svs_space *space;
    open_gate();
    support_ok(svs_space_new(t.s.world, "modes", 4, &space));
    make_indices(&set, space, 0, 2);
    svs_footprint_add(&set.footprint, space, 2, 0, SVS_KIND_INDEX, (svs_access_mode)9,
                      SVS_EXTENT_OWN);
    assert_int_equal(svs__set_expand(&set), SVS_E_INVALID);
    svs__set_clean_up(&set);
    assert_int_equal(svs_space_free(space), SVS_OK);
    close_gate();
}

/* A set does not conflict with itself, however often it names an index, and in whatever mode. */
TEST_CASE(a_set_may_name_an_index_twice) {
    svs__hold a = {0}, b = {0};
    svs__set twice, reader;
    svs__conflict met;
    svs_space *space;
    open_gate();
    support_ok(svs_space_new(t.s.world, "twice", 4, &space));
    make_indices(&twice, space, 0, 3);
    svs_writes_at(&twice.footprint, space, 1);
    svs_reads_at(&twice.footprint, space, 2);
    support_ok(svs__set_expand(&twice));
    assert_int_equal(twice.count, 5);
    make_indices(&reader, space, 2, 1);
    assert_true(try(&a, &twice, &twice, &met));
    assert_false(try(&b, &twice, &b, &met));
    assert_false(try(&b, &reader, &reader, &met));
    drop(&a);
    assert_true(svs__admission_is_empty(t.gate));
    assert_true(try(&b, &reader, &reader, &met));
    assert_false(try(&a, &twice, &twice, &met));
    drop(&a);
    drop(&b);
    svs__set_clean_up(&twice);
    svs__set_clean_up(&reader);
    assert_int_equal(svs_space_free(space), SVS_OK);
    close_gate();
}

/* A release reports that an instance waits from svs__admission_await() on, and not before. */
TEST_CASE(a_release_reports_waiting_instances) {
    svs__hold hold = {0};
    svs__conflict met;
    svs__set set;
    open_gate();
    make_set(&set, ELEMENT, SVS_MODE_WRITE, 0);
    assert_true(try(&hold, &set, &set, &met));
    assert_false(svs__admission_release(t.gate, &hold));
    svs__admission_await(t.gate, true);
    assert_true(try(&hold, &set, &set, &met));
    assert_true(svs__admission_release(t.gate, &hold));
    svs__admission_await(t.gate, false);
    assert_true(try(&hold, &set, &set, &met));
    assert_false(svs__admission_release(t.gate, &hold));
    drop(&hold);
    svs__set_clean_up(&set);
    close_gate();
}

static void add_object(svs__set *set, node *n, svs_access_extent extent) {
    svs_footprint_add(&set->footprint, &n->svs, 0, 0, SVS_KIND_OBJECT, SVS_MODE_WRITE, extent);
}

/* One element, without a walk: only of what is described so and is there. */
TEST_CASE(only_what_is_there_is_a_single_element) {
    svs_access access = {.kind = SVS_KIND_INDEX, .mode = SVS_MODE_WRITE};
    svs_world *other_world;
    svs_space *space, *foreign;
    svs__element element;
    svs__set set;
    node gone = {0};
    open_gate();
    support_ok(svs_object_init(&gone.svs, t.s.world, &node_type));
    support_ok(svs_world_new(t.s.runtime, NULL, &other_world));
    support_ok(svs_space_new(t.s.world, "four", 4, &space));
    support_ok(svs_space_new(other_world, "four too", 4, &foreign));
    make_set(&set, ELEMENT, SVS_MODE_WRITE, 0);
    assert_false(svs__set_single(&set, &access, &element)); /* of no space */
    access.what = foreign;
    assert_false(svs__set_single(&set, &access, &element));
    access.what = space;
    access.index = 4;
    assert_false(svs__set_single(&set, &access, &element));
    access.index = 3;
    assert_true(svs__set_single(&set, &access, &element));

    /* The third object has a type that is known from the first two. */
    for (int i = 0; i < 2; i++) add_object(&set, t.nodes[i], SVS_EXTENT_OWN);
    support_ok(svs__set_expand(&set));
    add_object(&set, support_node(other_world), SVS_EXTENT_OWN);
    assert_int_equal(svs__set_expand(&set), SVS_E_WORLD);
    svs__set_begin(&set);
    for (int i = 0; i < 2; i++) add_object(&set, t.nodes[i], SVS_EXTENT_OWN);
    add_object(&set, &gone, SVS_EXTENT_OWN);
    support_ok(svs__set_expand(&set));
    support_ok(svs_object_clean_up(&gone.svs));
    assert_int_equal(svs__set_expand(&set), SVS_E_FREED);
    svs__set_clean_up(&set);
    assert_int_equal(svs_space_free(space), SVS_OK);
    assert_int_equal(svs_space_free(foreign), SVS_OK);
    support_ok(svs_world_free(other_world));
    close_gate();
}

/* A neighbourhood that has another master, or is larger, is none that was compared. */
TEST_CASE(a_reach_that_has_changed_is_not_confirmed) {
    svs__set set;
    node *parent, *child;
    open_gate();
    parent = support_node(t.s.world);
    child = support_node(t.s.world);
    make_set(&set, DENSE, SVS_MODE_WRITE, 0);
    assert_true(svs__set_confirm(&set));
    support_ok(svs_link(t.nodes[0]->a, a, child)); /* what it reaches */
    assert_false(svs__set_confirm(&set));
    support_ok(svs__set_expand(&set));
    assert_true(svs__set_confirm(&set));
    svs__set_begin(&set);
    add_object(&set, t.nodes[0]->a, SVS_EXTENT_REACH); /* in the neighbourhood of its parent */
    support_ok(svs__set_expand(&set));
    assert_true(svs__set_confirm(&set));
    support_ok(svs_link(parent, a, t.nodes[0]->a));
    support_ok(svs_link(t.nodes[0], b, parent));
    support_ok(svs_link(t.nodes[0], b, NULL));
    support_ok(svs_world_refresh(t.s.world)); /* two lead to it: it is a master itself */
    assert_false(svs__set_confirm(&set));
    svs__set_clean_up(&set);
    close_gate();
}

/* The confirmation repeats the walk and compares. */
TEST_CASE(a_walk_that_has_changed_is_not_confirmed) {
    svs__set set;
    open_gate();
    make_set(&set, ELEMENT, SVS_MODE_WRITE, 0);
    svs__set_begin(&set);
    svs_writes_hops(&set.footprint, &t.nodes[0]->svs, 1);
    support_ok(svs__set_expand(&set));
    assert_int_equal(set.count, 2);
    assert_true(svs__set_confirm(&set));
    support_ok(svs_link(t.nodes[0], a, t.nodes[1])); /* as many, of which one is another */
    assert_false(svs__set_confirm(&set));
    assert_true(svs__set_confirm(&set));
    support_ok(svs_link(t.nodes[0], b, t.nodes[1]->a)); /* more */
    assert_false(svs__set_confirm(&set));
    support_ok(svs_link(t.nodes[0], b, NULL)); /* fewer */
    assert_false(svs__set_confirm(&set));
    svs__set_clean_up(&set);
    close_gate();
}

/* The caller adds to the set then: an offset to an array that is not there is undefined. */
TEST_CASE(a_set_has_its_arrays_after_a_walk_that_has_found_nothing) {
    static node gone;
    svs__set set;
    open_gate();
    support_ok(svs_object_init(&gone.svs, t.s.world, &node_type));
    make_set(&set, ELEMENT, SVS_MODE_WRITE, 0);
    svs__set_begin(&set);
    svs_writes_hops(&set.footprint, &gone.svs, 1);
    support_ok(svs__set_expand(&set));
    assert_int_equal(set.count, 1);
    support_ok(svs_object_clean_up(&gone.svs));
    assert_false(svs__set_confirm(&set));
    assert_int_equal(set.count, 0);
    assert_non_null(set.elements);
    assert_non_null(set.identities);
    svs__set_clean_up(&set);
    close_gate();
}

int main(void) { return run_cases(NULL, NULL); }
