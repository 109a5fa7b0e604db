/* The rules of the game, as functions that each engine schedules in its own way:
 *
 *   collect   for a bomb: a list of the citizens, or of the techs, that are near
 *   blast     for such a list: fear and damage for those in the bomb's sight
 *   aim       plans the step of a citizen or tech
 *   room      for all of a kind, by number: which of them find room in their new cell
 *   step      one entity's step: tests the way and moves the entity, updates the lists of the cells
 *             that it leaves and enters, and lets a tech disarm bombs
 *
 *   for each frame: world_tick; collect, blast; aim; make room; step
 *
 * The result does not depend on the order of blasts, or of steps of one kind: fear is a minimum
 * over distances, damage is a sum, and a step enters another cell only if room was reserved for it.
 * All engines therefore compute the same world under any schedule.
 *
 * The functions contain no scheduling. Data that two workers may write concurrently is guarded by
 * the engine's guard (guard.h); with w->objects they link memory objects. They return a status; 0
 * is success. */
#ifndef QUAKESQUAD_RULES_H
#define QUAKESQUAD_RULES_H

#include "world.h"

/* The item of blast. */
typedef struct blast {
    world *in;
    target *first;
    int32_t x, y;
    uint32_t bomb;
    uint8_t kind; /* kind of the entities in the list */
    uint8_t explodes;
} blast;

#define STEP_CELLS 18 /* two blocks of three by three */

/* A planned step of an entity, with the cells and lists that it accesses. */
typedef struct step {
    const world *in;
    place *place;             /* NULL: no step */
    uint32_t from, to;        /* cells */
    int32_t x, y;             /* the place that it wants to reach, in `to` */
    int32_t aside_x, aside_y; /* the place that it takes otherwise, in `from` */
    uint8_t kind;
    uint8_t calm;
    uint8_t leaves; /* it is dead */
    uint8_t bomb_cells;
    /* the cells near `from` and `to` that contain bombs, relative to `from` */
    int16_t bombs[STEP_CELLS];
} step;

/* The planned steps of citizens and techs, by id. */
typedef struct plan {
    step *steps[BOMB];
} plan;

/* `p` must be zeroed. @return false: no memory; call plan_clean_up() also then. */
bool plan_init(plan *p, const world *w);
void plan_clean_up(plan *p);

/* `made->first` is NULL if no entity is near. */
svs_status rules_collect(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made);
svs_status rules_blast(world *w, uint32_t worker, const blast *it);

/* Plans the step of one entity. It reads the entity's own place and body. */
void rules_aim(const world *w, entity_kind kind, uint32_t id, plan *into);

/* Called after all entities of the kind have aimed. An entity stays in its cell if the cell that it
 * wants to enter is full. It processes the entities by number, so that the result is the same for
 * all engines. */
void rules_make_room(world *w, entity_kind kind, plan *of);

svs_status rules_step(world *w, uint32_t worker, const step *it);

/* The bombs of the i-th of those cells. */
static inline const list *step_bombs(const step *it, uint32_t i) {
    return world_bombs(it->in, it->from + (uint32_t)it->bombs[i]);
}

/* Whether a tech's step may touch this bomb. */
bool rules_step_touches(const step *it, const place *bomb);

#endif
