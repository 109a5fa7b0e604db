/* The masters' lists of members and tables of masters to notify stay as long as the number of live
 * objects, however many were made and freed. */
#include "memobj/reach/reach.h"
#include "unit/face/support.h"

/* Slots of the longest list of members: what an object that joins or leaves one has to look at. */
static uint32_t longest(const support *s) {
    uint32_t most = 0;
    for (svs__master *m = svs__load_acquire(&s->world->masters); m; m = svs__load_relaxed(&m->next))
        if (svs__list_slots(&m->members) > most) most = svs__list_slots(&m->members);
    return most;
}

static void open_with(support *s, svs_refresh_mode refresh, uint32_t neighbourhood) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.refresh = refresh;
    options.neighbourhood = neighbourhood;
    support_open_with(s, 1, &options);
}

typedef struct peaks {
    uint64_t metadata[2]; /* of the first half of the steps, and of the second */
    uint32_t slots[2];
} peaks;

typedef void one_step(support *s, uint32_t i);

/* Takes the steps, and finds no more in the second half of them than in the first. */
static void stays_flat(support *s, uint32_t steps, one_step *take) {
    peaks p = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t half = i >= steps / 2;
        take(s, i);
        if (support_metadata(s) > p.metadata[half]) p.metadata[half] = support_metadata(s);
        if (longest(s) > p.slots[half]) p.slots[half] = longest(s);
    }
    assert_true(p.metadata[1] <= p.metadata[0]);
    assert_true(p.slots[1] <= p.slots[0]);
    assert_true(p.slots[1] <= s->world->options.neighbourhood);
    support_ok(svs_world_refresh(s->world));
    assert_true(svs__reach_is_valid(s->world));
}

/* ---- members ---- */

static node *head;

static void replace_leaf(support *s, uint32_t i) {
    node *old = head->a, *fresh = support_node(s->world);
    support_ok(svs_link(head, a, fresh));
    if (old) support_ok(svs_object_free(&old->svs));
}

TEST_CASE(a_leaf_that_is_replaced_leaves_its_slot_to_the_next) {
    static const svs_refresh_mode modes[] = {SVS_REFRESH_AUTO, SVS_REFRESH_ALWAYS,
                                             SVS_REFRESH_MANUAL};
    for (int i = 0; i < 3; i++) {
        support s;
        open_with(&s, modes[i], 8);
        head = support_node(s.world);
        stays_flat(&s, 2000, replace_leaf);
        assert_true(longest(&s) <= 2);
        support_close(&s);
    }
}

/* Ten are pushed, then ten are popped; each is the parent of the one below it. */
static void push_or_pop(support *s, uint32_t i) {
    node *top = head->a, *fresh;
    if (i / 10 % 2 == 0) {
        fresh = support_node(s->world);
        support_ok(svs_link(fresh, a, top));
        support_ok(svs_link(head, a, fresh));
    } else {
        support_ok(svs_link(head, a, top->a));
        support_ok(svs_object_free(&top->svs));
    }
}

TEST_CASE(a_stack_that_fills_and_empties_keeps_its_room) {
    support s;
    open_with(&s, SVS_REFRESH_AUTO, 8);
    head = support_node(s.world);
    stays_flat(&s, 8000, push_or_pop);
    support_close(&s);
}

#define TAIL 12u

/* A queue: the new one is linked below the last, the first is freed. */
static node *last;

static void append_and_drop(support *s, uint32_t i) {
    node *fresh = support_node(s->world), *first = head->a;
    support_ok(first ? svs_link(last, a, fresh) : svs_link(head, a, fresh));
    last = fresh;
    if (i < TAIL) return;
    support_ok(svs_link(head, a, first->a));
    support_ok(svs_object_free(&first->svs));
}

TEST_CASE(a_queue_keeps_its_room) {
    support s;
    open_with(&s, SVS_REFRESH_AUTO, 8);
    head = support_node(s.world);
    stays_flat(&s, 8000, append_and_drop);
    support_close(&s);
}

/* In a neighbourhood of many chunks any of its members is replaced, and those of the others stay
 * where they are: slots are free here and there. */
#define FAN 300u
static node *fan[FAN];

static void replace_any(support *s, uint32_t i) {
    uint32_t at = (uint32_t)(i * UINT64_C(7919) % FAN);
    node *old = fan[at];
    fan[at] = support_node(s->world);
    if (at) support_ok(svs_link(fan[at - 1], a, NULL));
    if (old && at + 1 < FAN) support_ok(svs_link(old, a, NULL));
    support_ok(at ? svs_link(fan[at - 1], a, fan[at]) : svs_link(head, a, fan[at]));
    if (at + 1 < FAN && fan[at + 1]) support_ok(svs_link(fan[at], a, fan[at + 1]));
    if (old) support_ok(svs_object_free(&old->svs));
}

TEST_CASE(members_anywhere_in_a_long_list_are_replaced_in_their_place) {
    support s;
    open_with(&s, SVS_REFRESH_MANUAL, FAN);
    support_ok(svs_world_refresh(s.world)); /* signatures are kept from here on */
    head = support_node(s.world);
    last = head;
    for (uint32_t i = 0; i < FAN; i++) { /* from above: all join the neighbourhood of the head */
        fan[i] = support_node(s.world);
        support_ok(svs_link(last, a, fan[i]));
        last = fan[i];
    }
    assert_int_equal(longest(&s), FAN);
    for (uint32_t i = 0; i < 4 * FAN; i++) {
        replace_any(&s, i);
        assert_true(longest(&s) <= FAN);
        if (i % FAN == 0) support_ok(svs_world_refresh(s.world));
    }
    support_ok(svs_world_refresh(s.world));
    assert_true(svs__reach_is_valid(s.world));
    support_close(&s);
}

/* The leaf below the head is linked from another parent, too: a refresh gives it a master of its
 * own, so that it leaves the list of the head's. */
static node *other;

static void share_and_elect(support *s, uint32_t i) {
    node *old = head->a, *fresh = support_node(s->world);
    support_ok(svs_link(head, a, fresh));
    if (old) {
        support_ok(svs_link(other, a, NULL));
        support_ok(svs_object_free(&old->svs));
    }
    support_ok(svs_link(other, a, fresh));
    support_ok(svs_world_refresh(s->world));
    assert_true(svs__object_is_master(&fresh->svs));
}

TEST_CASE(a_member_that_a_refresh_elects_leaves_its_slot_to_the_next) {
    support s;
    open_with(&s, SVS_REFRESH_MANUAL, 8);
    head = support_node(s.world);
    other = support_node(s.world);
    stays_flat(&s, 1000, share_and_elect);
    support_close(&s);
}

/* ---- tables of those to notify ---- */

#define PARENTS 20u
static node *parents[PARENTS];

/* One of the parents of one child goes, the oldest, and another one comes. */
static void replace_parent(support *s, uint32_t i) {
    node **parent = &parents[i % PARENTS];
    if (*parent) {
        support_ok(svs_link(*parent, a, NULL));
        support_ok(svs_object_free(&(*parent)->svs));
    }
    *parent = support_node(s->world);
    support_ok(svs_link(*parent, a, head));
    if (i % 5 == 0) support_ok(svs_world_refresh(s->world));
}

TEST_CASE(parents_that_come_and_go_leave_no_room_used_up) {
    support s;
    memset(parents, 0, sizeof parents);
    open_with(&s, SVS_REFRESH_MANUAL, 0);
    head = support_node(s.world);
    support_ok(svs_link(head, a, support_node(s.world)));
    stays_flat(&s, 4000, replace_parent);
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
