/* Worlds that come and go: an object of a freed world is recognised as such (memobj.W3). */
#include "memobj/world.h"
#include "unit/face/support.h"

#define INDICES 65535u

static void another_world(support *s) {
    support_ok(svs_world_free(s->world));
    support_ok(svs_world_new(s->runtime, NULL, &s->world));
}

SUPPORT_CASE(an_object_of_a_world_that_is_gone_is_refused_when_others_have_come, 1) {
    node of_gone = {0}, child = {0};
    support_ok(svs_object_init(&of_gone.svs, s->world, &node_type));
    support_ok(svs_object_init(&child.svs, s->world, &node_type));
    support_ok(svs_link(&of_gone, a, &child));
    for (int i = 0; i < 20; i++) {
        node *now;
        another_world(s);
        assert_int_equal(svs_link(&of_gone, a, NULL), SVS_E_INVALID);
        assert_int_equal(svs_object_clean_up(&child.svs), SVS_E_INVALID);
        assert_int_equal(svs_object_free(&child.svs), SVS_E_INVALID);
        now = support_node(s->world);
        assert_int_equal(svs_link(now, a, &child), SVS_E_WORLD);
        support_ok(svs_link(now, a, NULL));
    }
}

/* It holds for 65,534 worlds after it, not further, and worlds that stay are passed over. */
SUPPORT_CASE(an_index_comes_again_when_all_others_have_been_given_out, 1) {
    svs_world *stays;
    uint32_t first, stays_at;
    support_ok(svs_world_new(s->runtime, NULL, &stays));
    another_world(s);
    first = s->world->index;
    stays_at = stays->index;
    for (uint32_t i = 1; i < INDICES - 1; i++) { /* all but 0 and that of `stays` */
        another_world(s);
        assert_int_not_equal(s->world->index, first);
        assert_int_not_equal(s->world->index, stays_at);
        assert_int_not_equal(s->world->index, 0);
    }
    another_world(s);
    assert_int_equal(s->world->index, first);
    support_ok(svs_world_free(stays));
}

int main(void) { return run_cases(NULL, NULL); }
