/* The parts that the games share: sight, the invariants (each of which must be able to fail), the
 * width meter, the picture. */
#include "invariants.h"
#include "lists.h"
#include "rules.h"
#include "sight.h"
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#include "case.h"

static const world_options small = {
    .count = {40, 8, 6}, .walls = 5, .size = 128, .seed = 3, .workers = 1};

static int make_world(void **state) {
    world *w = world_new(&small);
    *state = w;
    return w && !world_populate(w) && !world_tick(w) ? 0 : -1;
}

static int drop_world(void **state) {
    world_free(*state);
    return 0;
}

/* ---- sight ---- */

TEST_CASE(a_wall_blocks_what_crosses_it) {
    world *w = *state;
    w->options.walls = 1;
    w->walls[0] = (wall){100, 100, 100, 200, 100, 100, 100, 200};
    assert_false(sight_clear(w, 0, 50, 150, 150, 150));
    assert_false(sight_clear(w, 0, 150, 160, 50, 140));
    assert_false(sight_clear(w, 0, 50, 50, 150, 150)); /* its very end */
    assert_true(sight_clear(w, 0, 50, 150, 99, 150));
    assert_true(sight_clear(w, 0, 50, 201, 150, 201));
    assert_true(sight_clear(w, 0, 101, 100, 101, 200));
    assert_int_equal(w->tallies[0].sights, 6);
}

TEST_CASE(no_wall_hides_nothing) {
    world *w = *state;
    w->options.walls = 0;
    assert_true(sight_clear(w, 0, 0, 0, w->edge - 1, w->edge - 1));
}

/* ---- blasts ---- */

/* One citizen and one bomb, the bomb `away` to its left. */
static blast blast_at(world *w, int32_t away, bool explodes, body **hit) {
    blast it;
    place *bomb = &w->places[BOMB][0];
    for (uint32_t id = 1; id < w->options.count[CITIZEN]; id++)
        w->places[CITIZEN][id].listed = false;
    bomb->x = bomb->y = 40 * UNIT;
    w->places[CITIZEN][0].x = bomb->x + away;
    w->places[CITIZEN][0].y = bomb->y;
    w->bodies[BOMB][0].state = explodes ? EXPLODING : ARMED;
    assert_int_equal(world_relist(w), SVS_OK);
    assert_int_equal(rules_collect(w, 0, 0, CITIZEN, &it), SVS_OK);
    *hit = &w->bodies[CITIZEN][0];
    return it;
}

TEST_CASE(fear_reaches_as_far_as_it_should) {
    world *w = *state;
    body *hit;
    blast it = blast_at(w, FEAR_RADIUS + 1, true, &hit);
    w->options.walls = 0;
    assert_null(it.first);
    it = blast_at(w, FEAR_RADIUS, true, &hit);
    assert_non_null(it.first);
    assert_int_equal(rules_blast(w, 0, &it), SVS_OK);
    assert_int_equal(hit->fear_frame, w->frame);
    assert_int_equal(hit->fear_x, it.x);
    assert_int_equal(hit->health, FULL_HEALTH); /* afraid, and out of the blast */
}

TEST_CASE(an_explosion_hurts_in_sight_only) {
    world *w = *state;
    body *hit;
    blast it = blast_at(w, 10 * UNIT, true, &hit);
    w->options.walls = 1;
    w->walls[0] =
        (wall){it.x + 5, it.y - 50, it.x + 5, it.y + 50, it.x + 5, it.y - 50, it.x + 5, it.y + 50};
    assert_int_equal(rules_blast(w, 0, &it), SVS_OK);
    assert_int_equal(hit->health, FULL_HEALTH);
    assert_int_not_equal(hit->fear_frame, w->frame);
    w->options.walls = 0;
    it = blast_at(w, 10 * UNIT, true, &hit);
    assert_int_equal(rules_blast(w, 0, &it), SVS_OK);
    assert_true(hit->health < FULL_HEALTH);
    assert_int_equal(w->tallies[0].dealt, FULL_HEALTH - hit->health);
}

TEST_CASE(a_bomb_that_does_not_explode_frightens) {
    world *w = *state;
    body *hit;
    blast it = blast_at(w, UNIT, false, &hit);
    w->options.walls = 0;
    assert_int_equal(rules_blast(w, 0, &it), SVS_OK);
    assert_int_equal(hit->health, FULL_HEALTH);
    assert_int_equal(hit->fear_frame, w->frame);
}

TEST_CASE(the_closest_source_counts_in_any_order) {
    world *w = *state;
    body *hit;
    blast near = blast_at(w, UNIT, false, &hit), far;
    w->options.walls = 0;
    assert_int_equal(rules_collect(w, 0, 0, CITIZEN, &far), SVS_OK);
    far.x -= 20 * UNIT;
    far.bomb = 1;
    assert_int_equal(rules_blast(w, 0, &near), SVS_OK);
    assert_int_equal(rules_blast(w, 0, &far), SVS_OK);
    assert_int_equal(hit->fear_x, near.x);
    hit->fear_frame = 0;
    assert_int_equal(rules_collect(w, 0, 0, CITIZEN, &near), SVS_OK);
    assert_int_equal(rules_collect(w, 0, 0, CITIZEN, &far), SVS_OK);
    far.x -= 20 * UNIT;
    assert_int_equal(rules_blast(w, 0, &far), SVS_OK);
    assert_int_equal(rules_blast(w, 0, &near), SVS_OK);
    assert_int_equal(hit->fear_x, near.x);
}

/* ---- steps ---- */

/* The plan and the step of citizen or tech 0 of a world that blast_at() made. */
static void move(world *w, entity_kind kind) {
    plan p = {0};
    assert_true(plan_init(&p, w));
    for (uint32_t id = 0; id < w->options.count[kind]; id++) rules_aim(w, kind, id, &p);
    rules_make_room(w, kind, &p);
    assert_ptr_equal(p.steps[kind][0].place, &w->places[kind][0]);
    assert_int_equal(rules_step(w, 0, &p.steps[kind][0]), SVS_OK);
    plan_clean_up(&p);
}

TEST_CASE(the_fearful_flee) {
    world *w = *state;
    body *hit;
    blast it = blast_at(w, 10 * UNIT, false, &hit);
    w->options.walls = 0;
    assert_int_equal(rules_blast(w, 0, &it), SVS_OK);
    move(w, CITIZEN);
    assert_true(w->places[CITIZEN][0].x > it.x + 10 * UNIT);
    assert_int_equal(w->places[CITIZEN][0].y, it.y);
}

TEST_CASE(the_calm_do_not_go_where_they_would_fear) {
    world *w = *state;
    body *hit;
    w->options.walls = 0;
    w->options.count[BOMB] = 1;
    (void)blast_at(w, FEAR_RADIUS + 1, false, &hit);
    for (int frame = 0; frame < 100; frame++) {
        const place *p = &w->places[CITIZEN][0], *bomb = &w->places[BOMB][0];
        w->frame++;
        move(w, CITIZEN);
        assert_true(distance_squared(p->x, p->y, bomb->x, bomb->y) >
                    (int64_t)FEAR_RADIUS * FEAR_RADIUS);
    }
}

TEST_CASE(a_tech_disarms_what_it_touches_once) {
    world *w = *state;
    place *bomb = &w->places[BOMB][0];
    body *hit = &w->bodies[TECH][0];
    w->options.walls = 0;
    w->places[TECH][0].x = bomb->x;
    w->places[TECH][0].y = bomb->y;
    w->bodies[BOMB][0].state = ARMED;
    assert_int_equal(world_relist(w), SVS_OK);
    hit->fear_frame = w->frame;
    hit->fear_x = bomb->x;
    hit->fear_y = bomb->y;
    move(w, TECH);
    assert_int_equal(w->bodies[BOMB][0].state, DISARMED);
    move(w, TECH);
    assert_int_equal(w->bodies[BOMB][0].disarmed, 1);
    assert_int_equal(w->tallies[0].disarmed, 1);
}

TEST_CASE(the_dead_leave_and_come_back) {
    world *w = *state;
    body *hit = &w->bodies[CITIZEN][0];
    w->tallies[0].dealt += (uint64_t)hit->health;
    hit->health = 0;
    move(w, CITIZEN);
    assert_false(w->places[CITIZEN][0].listed);
    assert_true(invariants_hold(w, stderr));
    assert_int_equal(world_tick(w), SVS_OK);
    assert_true(w->places[CITIZEN][0].listed);
    assert_int_equal(hit->health, FULL_HEALTH);
    assert_true(invariants_hold(w, stderr));
}

/* ---- invariants ---- */

static void assert_violated(const world *w, const char *number) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_false(invariants_hold(w, out));
    fclose(out);
    if (!strstr(text, number)) fail_msg("%s expected: %s", number, text);
    free(text);
}

static list *list_of(world *w, const place *p) {
    return world_list(w, p->kind, world_cell(w, p->x, p->y));
}

TEST_CASE(a_sound_world_holds) { assert_true(invariants_hold(*state, stderr)); }

TEST_CASE(a_lost_entity_is_found) {
    world *w = *state;
    place *p = &w->places[TECH][3];
    world_unlist(list_of(w, p), p);
    assert_violated(w, "I1: tech 3 is in no list");
}

TEST_CASE(a_ring_is_found) {
    world *w = *state;
    const list *l = list_of(w, &w->places[CITIZEN][5]);
    node *last = l->first;
    while (last->next) last = last->next;
    last->next = l->first;
    assert_violated(w, "I1");
}

TEST_CASE(a_wrong_cell_is_found) {
    world *w = *state;
    place *p = &w->places[CITIZEN][5];
    p->x = p->x < CELL_SIDE ? p->x + CELL_SIDE : p->x - CELL_SIDE;
    assert_violated(w, "I1: citizen 5 stands in cell");
}

TEST_CASE(a_foreign_list_is_found) {
    world *w = *state;
    place *p = &w->places[TECH][3];
    world_unlist(list_of(w, p), p);
    assert_int_equal(world_enlist(world_list(w, CITIZEN, world_cell(w, p->x, p->y)), p), SVS_OK);
    assert_violated(w, "I1: tech 3 is in a list of citizens");
}

TEST_CASE(a_listed_dead_is_found) {
    world *w = *state;
    w->bodies[CITIZEN][7].health = 0;
    assert_violated(w, "I2: citizen 7");
}

TEST_CASE(lost_damage_is_found) {
    world *w = *state;
    w->bodies[CITIZEN][7].health--;
    assert_violated(w, "I4: damage dealt 0, health lost 1");
}

TEST_CASE(a_death_or_disarming_counted_twice_is_found) {
    world *w = *state;
    w->tallies[0].left++;
    assert_violated(w, "I5");
    w->tallies[0].left--;
    w->tallies[0].disarmed++;
    assert_violated(w, "I5");
}

TEST_CASE(a_crowd_is_found) {
    world *w = *state;
    w->crowd[CITIZEN] = 1;
    assert_violated(w, "I6");
}

/* ---- lists ---- */

TEST_CASE(a_list_takes_as_many_as_may_be_in_its_cell) {
    world *w = *state;
    list *l = world_list(w, TECH, 0);
    place *p = &w->places[TECH][0];
    uint32_t count = 0;
    while (l->first) world_unlist(l, l->first->place);
    while (!world_enlist(l, p)) count++;
    assert_int_equal(count, w->crowd[TECH]);
    world_unlist(l, p);
    assert_int_equal(world_enlist(l, p), SVS_OK);
    assert_int_equal(world_enlist(l, p), SVS_E_LIMIT);
    assert_int_equal(world_relist(w), SVS_OK);
    assert_true(invariants_hold(w, stderr));
}

/* ---- the picture ---- */

TEST_CASE(the_picture_shows_everybody) {
    world *w = *state;
    char name[] = "/tmp/quakesquad-XXXXXX", *text = NULL;
    int file = mkstemp(name);
    size_t room = 0, circles = 0;
    FILE *in;
    assert_true(file >= 0);
    assert_true(svg_write(w, name));
    assert_non_null(in = fopen(name, "r"));
    assert_true(getdelim(&text, &room, '\0', in) > 0);
    for (const char *at = text; (at = strstr(at, "r=\"2.6\"")); at++) circles++;
    assert_int_equal(circles, w->options.count[CITIZEN] + 3); /* and three in the legend */
    assert_non_null(strstr(text, "</svg>\n"));
    assert_false(svg_write(w, "/nowhere/at/all.svg"));
    fclose(in);
    free(text);
    remove(name);
}

int main(void) { return run_cases_each(make_world, drop_world); }
