#include "rules.h"

#include <stdlib.h>

typedef struct point {
    int32_t x, y;
} point;

static int32_t clamp_to(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

/* A point that goes round a square, a lap in 800 frames. */
static point moving_spot(const world *w) {
    int32_t quarter = w->edge / 4, lap = (int32_t)(w->frame % 800),
            along = lap % 200 * (2 * quarter) / 200;
    const point corner[4] = {{quarter, quarter},
                             {3 * quarter, quarter},
                             {3 * quarter, 3 * quarter},
                             {quarter, 3 * quarter}};
    const point way[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    point spot = corner[lap / 200];
    spot.x += way[lap / 200].x * along;
    spot.y += way[lap / 200].y * along;
    return spot;
}

static point hot_spot(const world *w, uint32_t id) {
    int32_t quarter = w->edge / 4;
    point spot = {2 * quarter, 2 * quarter};
    if (w->options.quest == QUEST_MOVING) return moving_spot(w);
    if (w->options.quest == QUEST_QUADRANTS) {
        spot.x = id / 2 % 2 ? 3 * quarter : quarter;
        spot.y = id / 4 % 2 ? 3 * quarter : quarter;
    }
    return spot;
}

/* The goal of a calm entity: a point near the quest's hot spot, or anywhere. It changes every 64
 * frames. */
static point goal_of(const world *w, entity_kind kind, uint32_t id) {
    uint64_t drawn = world_random(w, (w->frame + id) / 64, world_entity(kind, id), DICE_GOAL);
    uint32_t x = (uint32_t)drawn, y = (uint32_t)(drawn >> 32);
    point goal;
    if (w->options.quest == QUEST_NONE) {
        goal.x = (int32_t)(x % (uint32_t)w->edge);
        goal.y = (int32_t)(y % (uint32_t)w->edge);
        return goal;
    }
    goal = hot_spot(w, id);
    goal.x += (int32_t)(x % (2 * CELL_SIDE)) - CELL_SIDE;
    goal.y += (int32_t)(y % (2 * CELL_SIDE)) - CELL_SIDE;
    return goal;
}

/* In a quest the even ones dawdle. */
static int32_t speed_of(const world *w, entity_kind kind, uint32_t id) {
    int32_t speed =
        (3 + (int32_t)(world_random(w, 0, world_entity(kind, id), DICE_SPEED) % 6)) * UNIT;
    if (w->options.quest != QUEST_NONE && id % 2 == 0) speed /= 4;
    return speed;
}

/* `length` long by the longer side, towards (dx, dy); no further when `stop`. */
static point stride(int32_t dx, int32_t dy, int32_t length, bool stop) {
    int32_t longer = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    point way = {0, 0};
    if (longer == 0) return way;
    if (stop && longer < length) length = longer;
    way.x = (int32_t)((int64_t)dx * length / longer);
    way.y = (int32_t)((int64_t)dy * length / longer);
    return way;
}

static point direction(const world *w, entity_kind kind, const place *p, const body *b, bool calm) {
    int32_t speed = speed_of(w, kind, p->id);
    uint64_t shake;
    point goal, way;
    if (!calm && kind == CITIZEN)
        return stride(p->x - b->fear_x, p->y - b->fear_y, 2 * speed, false);
    if (!calm) return stride(b->fear_x - p->x, b->fear_y - p->y, speed, true);
    goal = goal_of(w, kind, p->id);
    way = stride(goal.x - p->x, goal.y - p->y, speed, true);
    shake = world_random(w, w->frame, world_entity(kind, p->id), DICE_STEP);
    way.x += (int32_t)(shake % (4 * UNIT)) - 2 * UNIT;
    way.y += (int32_t)((shake >> 32) % (4 * UNIT)) - 2 * UNIT;
    return way;
}

static point inside_world(const world *w, int32_t x, int32_t y) {
    point p = {clamp_to(x, 0, w->edge - 1), clamp_to(y, 0, w->edge - 1)};
    return p;
}

/* Clipped to one cell. */
static point inside_cell(const world *w, uint32_t cell, int32_t x, int32_t y) {
    int32_t left = (int32_t)(cell % w->side) * CELL_SIDE,
            top = (int32_t)(cell / w->side) * CELL_SIDE;
    point p = inside_world(w, x, y);
    p.x = clamp_to(p.x, left, left + CELL_SIDE - 1);
    p.y = clamp_to(p.y, top, top + CELL_SIDE - 1);
    return p;
}

static bool contains(cell_range range, uint32_t column, uint32_t row) {
    return column >= range.left && column <= range.right && row >= range.top && row <= range.bottom;
}

static void add_bombs(const world *w, step *it, cell_range range, const cell_range *but) {
    for (uint32_t row = range.top; row <= range.bottom; row++)
        for (uint32_t column = range.left; column <= range.right; column++) {
            uint32_t cell = row * w->side + column;
            if (world_bombs(w, cell)->first && !(but && contains(*but, column, row)))
                it->bombs[it->bomb_cells++] = (int16_t)(cell - it->from);
        }
}

/* Finds the lists of bombs that a step reads: bombs that a calm citizen might fear, bombs that a
 * tech may disarm. */
static void find_bombs(const world *w, step *it) {
    int32_t radius = it->kind == TECH ? TOUCH_RADIUS : FEAR_RADIUS;
    cell_range there, aside;
    if (it->kind == CITIZEN && !it->calm) return;
    there = world_range_around(w, it->x, it->y, radius);
    aside = world_range_around(w, it->aside_x, it->aside_y, radius);
    add_bombs(w, it, there, NULL);
    add_bombs(w, it, aside, &there);
}

/* Applies a refusal: changes the target cell and the lists of bombs to read. */
static void aim_at(const world *w, step *it, point to) {
    it->to = world_cell(w, to.x, to.y);
    it->x = to.x;
    it->y = to.y;
    it->bomb_cells = 0;
    find_bombs(w, it);
}

static void aim(const world *w, entity_kind kind, place *p, step *it) {
    const body *b = &w->bodies[kind][p->id];
    point way, aside;
    it->in = w;
    it->place = p;
    it->kind = (uint8_t)kind;
    it->calm = b->fear_frame != w->frame;
    it->leaves = b->health == 0;
    it->bomb_cells = 0;
    it->from = it->to = world_cell(w, p->x, p->y);
    it->x = it->aside_x = p->x;
    it->y = it->aside_y = p->y;
    if (it->leaves) return;
    way = direction(w, kind, p, b, it->calm);
    /* Aside: half as far, a quarter turn to the left or to the right. */
    aside = p->id % 4 < 2 ? inside_cell(w, it->from, p->x + way.y / 2, p->y - way.x / 2)
                          : inside_cell(w, it->from, p->x - way.y / 2, p->y + way.x / 2);
    it->aside_x = aside.x;
    it->aside_y = aside.y;
    aim_at(w, it, inside_world(w, p->x + way.x, p->y + way.y));
}

void rules_aim(const world *w, entity_kind kind, uint32_t id, plan *into) {
    place *p = &w->places[kind][id];
    step *it = &into->steps[kind][id];
    it->place = NULL;
    if (p->listed) aim(w, kind, p, it);
}

/* Lets an entity enter another cell only if that cell has room, and reserves the room at once. */
static void take_room(world *w, entity_kind kind, step *it) {
    if (w->crowds[kind][it->to] < w->crowd[kind]) w->crowds[kind][it->to]++;
    else aim_at(w, it, inside_cell(w, it->from, it->x, it->y));
}

void rules_make_room(world *w, entity_kind kind, plan *of) {
    step *end = of->steps[kind] + w->options.count[kind];
    for (step *it = of->steps[kind]; it < end; it++)
        if (it->place && it->to != it->from) take_room(w, kind, it);
}

bool plan_init(plan *p, const world *w) {
    for (int kind = CITIZEN; kind <= TECH; kind++)
        p->steps[kind] = calloc(w->options.count[kind] + 1u, sizeof(step));
    return p->steps[CITIZEN] && p->steps[TECH];
}

void plan_clean_up(plan *p) {
    for (int kind = CITIZEN; kind <= TECH; kind++) free(p->steps[kind]);
}
