/* The rules of the game, in the forms of work that every engine schedules in its own way:
 *
 *   collect   for a bomb: a list of the citizens, or of the techs, that are near
 *   blast     for such a list: fear and damage for those in the bomb's sight
 *   aim       for some citizens, or techs: where each wants to go
 *   room      for all of a kind, in their order: who finds room there
 *   step      for one of them, in two halves: its walk, the looks before it moves, and the move,
 *             which concern nobody else; then what it meets, the lists of the cells that it leaves
 *             and enters, and a tech's hand on a bomb
 *
 *   for each frame: world_tick; collect, blast; aim; make room; step
 *
 * Nothing here depends on the order of the blasts or of the steps of one kind: fear goes by
 * distance, damage adds up, and a step into another cell needs the room that was set aside for it.
 * So all engines must reach the same world, whatever the schedule.
 *
 * The functions are pure simulation. What two workers may change at once is guarded as the engine
 * has it (guard.h); where it links memory objects (w->linked), they link. They return a status; 0
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
    uint8_t kind; /* of those in the list */
    uint8_t explodes;
} blast;

#define STEP_CELLS 18 /* two blocks of three by three */

/* An entity with the cells and the lists that its step involves. */
typedef struct step {
    const world *in;
    place *who;               /* NULL: nobody */
    uint32_t from, to;        /* cells */
    int32_t x, y;             /* where it wants to be, in `to` */
    int32_t aside_x, aside_y; /* or else here, in `from` */
    uint8_t kind;
    uint8_t calm;
    uint8_t leaves; /* it is dead */
    uint8_t bomb_cells;
    /* the cells with bombs that it has to look at, around both, counted from `from` */
    int16_t bombs[STEP_CELLS];
} step;

#define PLAN_BLOCK 64u

/* A step that concerns more than the place of who takes it: into another cell or out of the world,
 * or a tech's, with bombs around. */
typedef struct other_step {
    uint32_t from, to; /* cells */
    uint32_t id;
} other_step;

typedef struct plan_block {
    uint64_t stayers; /* bits of those whose steps concern their own places only */
    uint32_t others;  /* how many of the rest there are, from others[][block * PLAN_BLOCK] on */
} plan_block;

/* Where citizens and techs want to go, by id, in blocks of PLAN_BLOCK. */
typedef struct plan {
    step *steps[BOMB];
    other_step *others[BOMB];
    plan_block *blocks[BOMB];
} plan;

/* @return false: no memory; clean up all the same. `p` is of zeros before. */
bool plan_init(plan *p, const world *w);
void plan_clean_up(plan *p);

static inline uint32_t plan_blocks(const world *w, entity_kind kind) {
    return (w->options.count[kind] + PLAN_BLOCK - 1) / PLAN_BLOCK;
}

/* `made`: NULL when nobody is near. */
svs_status rules_collect(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made);
svs_status rules_blast(world *w, uint32_t worker, const blast *it);

/* Fills in a block of the plan. Blocks are independent of each other. */
void rules_aim(const world *w, entity_kind kind, uint32_t block, plan *into);

/* After all of the kind have aimed: who finds the cell full that it wants to enter stays in its
 * own. In the order of their numbers, so that it is the same for all engines. */
void rules_make_room(world *w, entity_kind kind, plan *of);

svs_status rules_step(world *w, uint32_t worker, const step *it);

/* Its halves. @return of the first: whether there is another. */
bool rules_walk(world *w, uint32_t worker, const step *it);
svs_status rules_meet(world *w, uint32_t worker, const step *it);

/* The bombs of the i-th of those cells. */
static inline const list *step_bombs(const step *it, uint32_t i) {
    return world_list(it->in, BOMB, it->from + (uint32_t)it->bombs[i]);
}

/* Whether a tech's step may touch this bomb. */
bool rules_step_touches(const step *it, const place *bomb);

#endif
