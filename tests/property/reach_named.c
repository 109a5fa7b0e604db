/* memobj.R1 in the cases that are known to go wrong, and what the thesis says of masters. */
#include "reach_model.h"

static model m;

static void open(support *s, uint32_t bits, uint32_t neighbourhood, uint32_t objects) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.examine_budget = 0; /* upkeep from the start */
    options.signature_bits = bits;
    options.neighbourhood = neighbourhood;
    options.refresh = SVS_REFRESH_MANUAL;
    support_open_with(s, 1, &options);
    model_init(&m, s->world);
    for (uint32_t i = 0; i < objects; i++) (void)model_node(&m);
}

static void check_exact(support *s) {
    assert_true(model_check(&m, false));
    support_ok(svs_world_refresh(s->world));
    assert_true(model_check(&m, true));
}

TEST_CASE(a_lone_object_answers_with_its_own_bit) {
    support s;
    uint64_t words[SVS__SIGNATURE_WORDS_MAX] = {0};
    open(&s, 512, 8, 1);
    svs__reach_signature(m.at[0].object, words);
    for (uint32_t bit = 0; bit < 512; bit++)
        assert_int_equal(svs__signature_has(words, bit),
                         bit == svs__object_bit(s.world, m.at[0].object));
    assert_false(svs__object_is_master(m.at[0].object));
    support_close(&s);
}

TEST_CASE(a_parent_in_no_neighbourhood_becomes_a_master) {
    support s;
    open(&s, 512, 8, 2);
    model_link(&m, 0, 0, 1);
    assert_true(svs__object_is_master(m.at[0].object));
    assert_false(svs__object_is_master(m.at[1].object));
    check_exact(&s);
    support_close(&s);
}

TEST_CASE(chains_are_known_built_from_either_end) {
    for (uint32_t k = 0; k <= 4; k++) {
        support s;
        open(&s, 4096, k, 50);
        for (uint32_t i = 0; i < 24; i++) model_link(&m, i, 0, (int32_t)i + 1); /* top down */
        for (uint32_t i = 49; i-- > 25;) model_link(&m, i, 0, (int32_t)i + 1);  /* bottom up */
        assert_true(model_check(&m, false));
        model_link(&m, 24, 0, 25);
        check_exact(&s);
        support_close(&s);
    }
}

TEST_CASE(cycles_and_self_links_end) {
    for (uint32_t k = 0; k <= 4; k++) {
        support s;
        open(&s, 512, k, 12);
        for (uint32_t i = 0; i < 10; i++) model_link(&m, i, 0, (int32_t)(i + 1) % 10);
        for (uint32_t i = 0; i < 10; i++) model_link(&m, i, 1, (int32_t)i);
        model_link(&m, 5, 2, 11);
        check_exact(&s);
        support_close(&s);
    }
}

/* A master with more parents than slots for masters to notify: it notifies all of them. A refresh
 * forgets the parents that have removed their links, and keeps the others and new ones. */
TEST_CASE(an_object_with_many_parents_notifies_them_all) {
    enum { PARENTS = 70, CHILD = 0, MORE = PARENTS + 1 };
    for (uint32_t every = 1; every <= PARENTS; every++) {
        support s;
        uint64_t memory;
        open(&s, 4096, every % 3, MORE + 3);
        for (uint32_t i = 1; i <= PARENTS; i++) model_link(&m, i, 0, CHILD);
        memory = support_metadata(&s);
        for (uint32_t i = 1; i <= PARENTS; i++) model_link(&m, i, 1, CHILD);
        assert_int_equal(support_metadata(&s), memory); /* it knew of them */
        model_link(&m, CHILD, 0, MORE);
        assert_true(model_check(&m, false));
        for (uint32_t i = every; i <= PARENTS; i += every)
            for (uint32_t k = 0; k < 2; k++) model_link(&m, i, k, -1);
        check_exact(&s);
        model_link(&m, CHILD, 1, MORE + 1);
        assert_true(model_check(&m, true)); /* removed parents are not notified */
        for (uint32_t i = 1; i <= PARENTS; i++) model_link(&m, i, 0, CHILD);
        model_link(&m, CHILD, 2, MORE + 2);
        check_exact(&s);
        support_close(&s);
    }
}

/* A cycle without a link from outside must not keep its own bits alive. */
TEST_CASE(a_refresh_takes_the_bits_of_a_cut_off_tail_out_of_a_cycle) {
    for (uint32_t k = 0; k <= 4; k++) {
        support s;
        open(&s, 4096, k, 8);
        for (uint32_t i = 0; i < 4; i++) model_link(&m, i, 0, (int32_t)(i + 1) % 4);
        for (uint32_t i = 4; i < 7; i++) model_link(&m, i, 0, (int32_t)i + 1);
        model_link(&m, 2, 1, 4);
        assert_true(model_check(&m, false));
        model_link(&m, 2, 1, -1);
        check_exact(&s);
        support_close(&s);
    }
}

/* 0 is the primary of 1 and stops reaching it; 5 goes on reaching 1 through 4. After the refresh a
 * link below 1 must come to 4 and 5. */
TEST_CASE(a_re_elected_primary_and_a_later_link_below_it) {
    for (uint32_t k = 1; k <= 4; k++) {
        support s;
        open(&s, 4096, k, 10);
        model_link(&m, 0, 0, 1); /* 1 is internal to 0 */
        assert_false(svs__object_is_master(m.at[1].object));
        model_link(&m, 4, 0, 1);
        model_link(&m, 5, 0, 4);
        model_link(&m, 0, 0, -1);
        check_exact(&s);
        model_link(&m, 1, 0, 7);
        assert_true(model_check(&m, false));
        model_link(&m, 7, 0, 8);
        assert_true(model_check(&m, false));
        model_link(&m, 0, 0, 9); /* the old primary goes its own way */
        check_exact(&s);
        support_close(&s);
    }
}

/* The same when the old primary is freed. */
TEST_CASE(a_freed_primary_and_a_later_link_below_it) {
    for (uint32_t k = 1; k <= 4; k++) {
        support s;
        open(&s, 4096, k, 10);
        model_link(&m, 0, 0, 1);
        model_link(&m, 1, 0, 2);
        model_link(&m, 4, 0, 1);
        model_link(&m, 5, 0, 4);
        model_link(&m, 0, 0, -1);
        model_free(&m, 0);
        assert_true(model_check(&m, false));
        model_link(&m, 2, 0, 7); /* before the refresh */
        assert_true(model_check(&m, false));
        support_ok(svs_world_refresh(s.world));
        assert_true(model_check(&m, true));
        model_link(&m, 1, 1, 8); /* and after */
        check_exact(&s);
        support_close(&s);
    }
}

TEST_CASE(an_internal_node_that_nothing_reaches_keeps_answering_for_itself) {
    support s;
    open(&s, 4096, 4, 6);
    model_link(&m, 0, 0, 1);
    model_link(&m, 1, 0, 2);
    model_link(&m, 0, 0, -1);
    check_exact(&s);
    model_link(&m, 2, 0, 3);
    assert_true(model_check(&m, false));
    model_link(&m, 1, 0, -1);
    model_link(&m, 2, 1, 4);
    check_exact(&s);
    support_close(&s);
}

TEST_CASE(members_are_reached_and_reach_for_themselves) {
    for (uint32_t k = 0; k <= 4; k++) {
        support s;
        uint32_t outer;
        open(&s, 4096, k, 4);
        outer = model_box(&m);
        assert_true(model_check(&m, false));
        model_link(&m, outer + 1, 0, 0); /* the first member leads to 0: so does the box */
        model_link(&m, 0, 0, 1);
        model_link(&m, 3, 0, (int32_t)outer + 2); /* 3 leads to the second member, not to the box */
        model_link(&m, outer, 0, 2);
        check_exact(&s);
        support_close(&s);
    }
}

TEST_CASE(storage_of_the_callers_own_is_the_same) {
    support s;
    node here[3];
    open(&s, 512, 2, 0);
    memset(here, 0, sizeof here);
    for (int i = 0; i < 3; i++) {
        support_ok(svs_object_init(&here[i].svs, s.world, &node_type));
        (void)model_place(&m, &here[i].svs, &here[i], NULL);
    }
    model_link(&m, 0, 0, 1);
    model_link(&m, 1, 0, 2);
    assert_true(model_check(&m, false));
    model_link(&m, 1, 0, -1);
    support_ok(svs_object_clean_up(&here[2].svs));
    m.at[2].dead = true;
    memset(&here[2], 0xee, sizeof here[2]); /* the caller's again, at once */
    check_exact(&s);
    for (int i = 0; i < 2; i++) {
        model_link(&m, (uint32_t)i, 0, -1);
        support_ok(svs_object_clean_up(&here[i].svs));
    }
    support_close(&s);
}

/* Links both children before it goes down, as 7.2.2 builds its tree. */
static void grow(uint32_t parent, uint32_t levels) {
    if (!levels) return;
    for (uint32_t k = 0; k < 2; k++) model_link(&m, parent, k, (int32_t)model_node(&m));
    grow((uint32_t)m.at[parent].link[0], levels - 1);
    grow((uint32_t)m.at[parent].link[1], levels - 1);
}

TEST_CASE(with_two_internal_nodes_all_leaves_of_a_tree_of_depth_10_are_masters) {
    support s;
    uint32_t leaves = 0;
    open(&s, 512, 2, 1);
    grow(0, 10);
    assert_int_equal(m.count, 2047);
    for (uint32_t i = 0; i < m.count; i++)
        if (m.at[i].link[0] < 0) {
            leaves++;
            assert_true(svs__object_is_master(m.at[i].object));
        }
    assert_int_equal(leaves, 1024);
    check_exact(&s);
    for (uint32_t i = 0; i < m.count; i++)
        if (m.at[i].link[0] < 0) assert_true(svs__object_is_master(m.at[i].object));
    support_close(&s);
}

TEST_CASE(with_an_even_number_of_levels_siblings_share_their_parents_signature) {
    support s;
    open(&s, 512, 2, 1);
    grow(0, 9);
    for (uint32_t i = 0; i < m.count; i++)
        if (m.at[i].link[0] < 0) assert_false(svs__object_is_master(m.at[i].object));
    check_exact(&s);
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
