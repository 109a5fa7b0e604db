#include "guard.h"
#include "lists.h"
#include "rules.h"
#include "sight.h"

#include <stdlib.h>

#define SHOULDER (2 * UNIT)

static bool in_touch(const place *bomb, int32_t x, int32_t y) {
    return distance_squared(bomb->x, bomb->y, x, y) <= (int64_t)TOUCH_RADIUS * TOUCH_RADIUS;
}

bool rules_step_touches(const step *it, const place *bomb) {
    return in_touch(bomb, it->x, it->y) || in_touch(bomb, it->aside_x, it->aside_y);
}

static bool is_feared(const world *w, uint32_t worker, const list *bombs, int32_t x, int32_t y) {
    for (const node *n = bombs->first; n; n = n->next) {
        const place *p = n->place;
        if (distance_squared(p->x, p->y, x, y) <= (int64_t)FEAR_RADIUS * FEAR_RADIUS &&
            sight_clear(w, worker, p->x, p->y, x, y))
            return true;
    }
    return false;
}

/* The middle and both shoulders must pass. */
static bool is_passable(const world *w, uint32_t worker, const place *self, int32_t x, int32_t y) {
    int32_t dx = x - self->x, dy = y - self->y, longer = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    int32_t right_x = longer ? -dy * SHOULDER / longer : 0,
            right_y = longer ? dx * SHOULDER / longer : 0;
    for (int32_t side = -1; side <= 1; side++)
        if (!sight_clear(w, worker, self->x + side * right_x, self->y + side * right_y,
                         x + side * right_x, y + side * right_y))
            return false;
    return true;
}

/* No entity walks through a wall, and no calm citizen walks to where it would be afraid. */
static bool may_go(const world *w, uint32_t worker, const step *it, int32_t x, int32_t y) {
    if (!is_passable(w, worker, it->place, x, y)) return false;
    if (it->kind != CITIZEN || !it->calm) return true;
    for (uint32_t i = 0; i < it->bomb_cells; i++)
        if (is_feared(w, worker, step_bombs(it, i), x, y)) return false;
    return true;
}

static svs_status move_between_lists(world *w, const step *it) {
    world_unlist(world_list(w, it->kind, it->from), it->place);
    return it->leaves ? SVS_OK : world_enlist(world_list(w, it->kind, it->to), it->place);
}

static svs_status change_lists(world *w, const step *it) {
    svs_status status;
    GUARD_LISTS(w, it->kind, it->from, it->to, status = move_between_lists(w, it));
    return status;
}

static svs_status leave(world *w, uint32_t worker, const step *it) {
    svs_status status = change_lists(w, it);
    it->place->listed = false;
    w->tallies[worker].left++;
    return status;
}

/* @return whether it was armed. */
static bool disarm_body(body *bomb) {
    if (bomb->state != ARMED) return false;
    bomb->state = DISARMED;
    bomb->disarmed++;
    return true;
}

static void disarm(world *w, uint32_t worker, body *bomb) {
    bool first;
    GUARD_BODY(w, BOMB, bomb->id, first = disarm_body(bomb));
    w->tallies[worker].disarmed += first;
}

static void disarm_near(world *w, uint32_t worker, const step *it) {
    const place *self = it->place;
    for (uint32_t i = 0; i < it->bomb_cells; i++)
        for (const node *n = step_bombs(it, i)->first; n; n = n->next) {
            const place *p = SVS_STABLE(n->place); /* a bomb does not move */
            if (!rules_step_touches(it, p)) continue;
            if (in_touch(p, self->x, self->y) &&
                sight_clear(w, worker, self->x, self->y, p->x, p->y))
                disarm(w, worker, p->body);
        }
}

/* Tests the way and moves the entity. @return whether others are in the way. */
static bool walk(world *w, uint32_t worker, const step *it) {
    bool goes = false;
    if (it->leaves) return true;
    if (may_go(w, worker, it, it->x, it->y)) {
        it->place->x = it->x;
        it->place->y = it->y;
        goes = it->to != it->from;
    } else if (may_go(w, worker, it, it->aside_x, it->aside_y)) {
        it->place->x = it->aside_x;
        it->place->y = it->aside_y;
    } else {
        return false;
    }
    return goes || (it->kind == TECH && it->bomb_cells);
}

/* Updates the lists of cells, and lets a tech disarm bombs. */
static svs_status meet(world *w, uint32_t worker, const step *it) {
    svs_status status = SVS_OK;
    if (it->leaves) return leave(w, worker, it);
    if (it->to != it->from && world_cell(w, it->place->x, it->place->y) == it->to)
        status = change_lists(w, it);
    if (it->kind == TECH) disarm_near(w, worker, it);
    return status;
}

svs_status rules_step(world *w, uint32_t worker, const step *it) {
    return walk(w, worker, it) ? meet(w, worker, it) : SVS_OK;
}
