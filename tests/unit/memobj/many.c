/* Neighbourhoods beyond what fits into a fixed place: many parents, many types, deep paths. */
#include "memobj/reach/reach.h"
#include "memobj/reach/signature.h"
#include "unit/face/support.h"

#define PARENTS 1400u

/* A child notifies more masters at once than the propagation's list holds: it sweeps over all. */
TEST_CASE(a_bit_reaches_more_masters_than_the_list_holds) {
    static node *parents[PARENTS], *above[PARENTS];
    svs_world_options options;
    node *child, *below;
    uint32_t bit;
    support s;
    svs_world_options_init(&options);
    options.examine_budget = 0; /* upkeep from the start */
    options.neighbourhood = 0;
    support_open_with(&s, 1, &options);
    child = support_node(s.world);
    below = support_node(s.world);
    for (uint32_t i = 0; i < PARENTS; i++) {
        parents[i] = support_node(s.world);
        above[i] = support_node(s.world);
        support_ok(svs_link(parents[i], a, child));
        support_ok(svs_link(above[i], a, parents[i]));
    }
    support_ok(svs_link(child, a, below));
    bit = svs__object_bit(s.world, &below->svs);
    for (uint32_t i = 0; i < PARENTS; i++) {
        uint64_t found[2][SVS__SIGNATURE_WORDS_MAX] = {{0}};
        svs__reach_signature(&parents[i]->svs, found[0]);
        svs__reach_signature(&above[i]->svs, found[1]);
        assert_true(svs__signature_has(found[0], bit));
        assert_true(svs__signature_has(found[1], bit));
    }
    assert_true(svs__reach_is_valid(s.world));
    support_close(&s);
}

static bool reaches(const node *from, const node *to, svs_world *world) {
    uint64_t found[SVS__SIGNATURE_WORDS_MAX] = {0};
    svs__reach_signature(&from->svs, found);
    return svs__signature_has(found, svs__object_bit(world, &to->svs));
}

/* Some of many that a master notifies go with each refresh, and the others still hear of what is
 * new: until they fit into the master itself. */
TEST_CASE(many_that_hear_become_few) {
    enum { MANY = 60, GO = 9 };
    node *parents[MANY], *child, *below;
    svs_world_options options;
    support s;
    svs_world_options_init(&options);
    options.examine_budget = 0; /* upkeep from the start */
    options.neighbourhood = 0;
    options.signature_bits = 4096;
    options.refresh = SVS_REFRESH_MANUAL;
    support_open_with(&s, 1, &options);
    child = support_node(s.world);
    for (int i = 0; i < MANY; i++) {
        parents[i] = support_node(s.world);
        support_ok(svs_link(parents[i], a, child));
    }
    for (int gone = GO; gone < MANY; gone += GO) {
        for (int i = gone - GO; i < gone; i++) support_ok(svs_link(parents[i], a, NULL));
        support_ok(svs_world_refresh(s.world));
        assert_true(svs__reach_is_valid(s.world));
        below = support_node(s.world);
        support_ok(svs_link(child, a, below));
        for (int i = 0; i < MANY; i++)
            assert_int_equal(reaches(parents[i], below, s.world), i >= gone);
    }
    support_close(&s);
}

/* ---- signatures ---- */

TEST_CASE(signatures_overlap_by_any_word) {
    for (uint32_t words = 1; words <= SVS__SIGNATURE_WORDS_MAX; words *= 2)
        for (uint32_t bit = 0; bit < words * 64; bit += 61) {
            uint64_t a[SVS__SIGNATURE_WORDS_MAX] = {0}, b[SVS__SIGNATURE_WORDS_MAX] = {0};
            assert_false(svs__signature_overlap(a, b, words));
            svs__signature_set(a, bit);
            assert_false(svs__signature_overlap(a, b, words));
            svs__signature_set(b, (bit + 1) % (words * 64));
            assert_false(svs__signature_overlap(a, b, words));
            svs__signature_set(b, bit);
            assert_true(svs__signature_overlap(a, b, words));
        }
}

/* ---- types that are wrong ---- */

static const svs_member_type one_member = {"self", 0, &node_type};

SUPPORT_CASE(a_type_that_cannot_be_is_refused, 1) {
    svs_type wrong[4] = {node_type, node_type, node_type, node_type};
    svs_member_type outside = one_member, without = one_member;
    wrong[0].members = NULL;
    wrong[0].member_count = 1;
    wrong[1].members = &one_member;
    wrong[1].member_count = SVS_MEMBERS_MAX + 1;
    outside.offset = sizeof(node);
    wrong[2].members = &outside;
    wrong[2].member_count = 1;
    without.type = NULL;
    wrong[3].members = &without;
    wrong[3].member_count = 1;
    for (int i = 0; i < 4; i++) {
        void *storage = NULL;
        wrong[i].index = 0;
        assert_int_equal(svs_object_new(s->world, &wrong[i], &storage), SVS_E_TYPE);
        assert_null(storage);
        assert_true(support_logged(s));
    }
}

int main(void) { return run_cases(NULL, NULL); }
