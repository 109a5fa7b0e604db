/* The rules of the game, as functions that each engine schedules in its own way:
 *
 *   collect   for a bomb: a list of the citizens, or of the techs, that are near
 *   blast     for such a list: fear and damage for those in the bomb's sight
 *   aim       plans the steps of some citizens, or techs
 *   room      for all of a kind, by number: which of them find room in their new cell
 *   step      one entity's step, in two halves. `walk` tests the way and moves the entity; it
 *             accesses only the entity's own place. `meet` updates the lists of the cells that it
 *             leaves and enters, and lets a tech disarm bombs
 *
 *   for each frame: world_tick; collect, blast; aim; make room; step
 *
 * The result does not depend on the order of blasts, or of steps of one kind: fear is a minimum
 * over distances, damage is a sum, and a step enters another cell only if room was reserved for it.
 * All engines therefore compute the same world under any schedule.
 *
 * The functions contain no scheduling. Data that two workers may write concurrently is guarded by
 * the engine's guard (guard.h); with w->linked they link memory objects. They return a status; 0 is
 * success. */
#ifndef QUAKESQUAD_RULES_H
#define QUAKESQUAD_RULES_H

#include "world.h"

/* The item of blast. */
typedef struct blast {
    world *in;
    target *first;
    int32_t x, y;
    uint32_t bomb;
    uint8_t kind; /* of those in the list */
    uint8_t explodes;
} blast;

#define STEP_CELLS 18 /* two blocks of three by three */

/* A planned step of an entity, with the cells and lists that it accesses. */
typedef struct step {
    const world *in;
    place *place;             /* NULL: no step */
    uint32_t from, to;        /* cells */
    int32_t x, y;             /* where it wants to be, in `to` */
    int32_t aside_x, aside_y; /* or else here, in `from` */
    uint8_t kind;
    uint8_t calm;
    uint8_t leaves; /* it is dead */
    uint8_t bomb_cells;
    /* the cells near `from` and `to` that contain bombs, relative to `from` */
    int16_t bombs[STEP_CELLS];
} step;

#define PLAN_BLOCK 64u

/* A step that accesses more than the entity's own place: into another cell, out of the world, or of
 * a tech near bombs. */
typedef struct other_step {
    uint32_t from, to; /* cells */
    uint32_t id;
} other_step;

typedef struct plan_block {
    uint64_t stayers; /* bit set of entities with steps that access only their own place */
    uint32_t others;  /* number of the others, from others[][block * PLAN_BLOCK] on */
} plan_block;

/* The planned steps of citizens and techs, by id, in blocks of PLAN_BLOCK. */
typedef struct plan {
    step *steps[BOMB];
    other_step *others[BOMB];
    plan_block *blocks[BOMB];
} plan;

/* `p` must be zeroed. @return false: no memory; call plan_clean_up() also then. */
bool plan_init(plan *p, const world *w);
void plan_clean_up(plan *p);

static inline uint32_t plan_blocks(const world *w, entity_kind kind) {
    return (w->options.count[kind] + PLAN_BLOCK - 1) / PLAN_BLOCK;
}

/* `made->first` is NULL if no entity is near. */
svs_status rules_collect(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made);
svs_status rules_blast(world *w, uint32_t worker, const blast *it);

/* Computes one block of the plan. Blocks are independent. */
void rules_aim(const world *w, entity_kind kind, uint32_t block, plan *into);

/* Called after all entities of the kind have aimed. An entity stays in its cell if the cell that it
 * wants to enter is full. It processes the entities by number, so that the result is the same for
 * all engines. */
void rules_make_room(world *w, entity_kind kind, plan *of);

svs_status rules_step(world *w, uint32_t worker, const step *it);

/* The two halves of a step. @return of the first: whether the second is needed. */
bool rules_walk(world *w, uint32_t worker, const step *it);
svs_status rules_meet(world *w, uint32_t worker, const step *it);

/* The bombs of the i-th of those cells. */
static inline const list *step_bombs(const step *it, uint32_t i) {
    return world_list(it->in, BOMB, it->from + (uint32_t)it->bombs[i]);
}

/* Whether a tech's step may touch this bomb. */
bool rules_step_touches(const step *it, const place *bomb);

#endif
