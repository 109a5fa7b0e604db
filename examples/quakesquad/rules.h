/* The rules of the game, in the four forms of work that every engine schedules in its own way:
 *
 *   collect   for a bomb: a list of the citizens, or of the techs, that are near
 *   blast     for such a list: fear and damage for those in the bomb's sight
 *   plan      for all citizens, or all techs: where each wants to go
 *   step      for one of them: the looks before it moves, the move, and a tech's hand on a bomb
 *
 *   for each frame: world_tick; collect, blast; plan, step the citizens; plan, step the techs
 *
 * Nothing here depends on the order of the blasts or of the steps of one kind: fear goes by
 * distance, damage adds up, and a step into another cell needs the room that plan set aside for it.
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

/* The item of step: an entity with the cells and the lists that its step involves. */
typedef struct step {
    world *in;
    place *who;
    uint32_t from, to;        /* cells */
    int32_t x, y;             /* where it wants to be, in `to` */
    int32_t aside_x, aside_y; /* or else here, in `from` */
    uint8_t kind;
    uint8_t calm;
    uint8_t leaves; /* it is dead */
    uint8_t bomb_cells;
    /* the cells with bombs that it has to look at, around both, counted from `from`: steps are
     * copied, so they are kept short */
    int16_t bombs[STEP_CELLS];
} step;

/* `made`: NULL when nobody is near. */
svs_status rules_collect(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made);
svs_status rules_blast(world *w, uint32_t worker, const blast *it);

/* Fills steps[0 .. count-1] for the kind; dead entities that left their list get none. @return how
 * many. */
uint32_t rules_plan(world *w, entity_kind kind, step *steps);
svs_status rules_step(world *w, uint32_t worker, const step *it);

/* The bombs of the i-th of those cells. */
static inline const list *step_bombs(const step *it, uint32_t i) {
    return world_list(it->in, BOMB, it->from + (uint32_t)it->bombs[i]);
}

/* Whether a tech's step may touch this bomb. */
bool rules_step_touches(const step *it, const place *bomb);

#endif
