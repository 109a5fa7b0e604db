/* QuakeSquad's world: a square grid of cells. Each cell has three linked lists: its citizens, its
 * techs and its bombs.
 *
 * Data that is accessed independently is a separate object:
 *
 *   list     one cell's list of one kind, with its nodes
 *   place    the position of an entity: not an object, since only the entity's own step accesses it
 *   body     the state of an entity: health, fear, fuse
 *   target   a node of a bomb's list of nearby entities; plain memory for engines without objects
 *
 *     list [ node --next--> node ]                  target --next--> target
 *             | place        | place                   | body          | body
 *             v              v                         v               v
 *           place          place --body--> body       body            body
 *
 * The nodes belong to their list. An entity that enters or leaves a cell declares one write of the
 * list, regardless of the list's length; an entity that stays in its cell writes only its own
 * place. A blast writes bodies and reads copied positions. A step writes places and lists, but no
 * bodies of people. Walls never change, and the bombs' places and lists change between frames only,
 * so they are not objects.
 *
 * All engines share these structures; engines without objects leave the headers unused. The unit
 * of positions is 1/16. */
#ifndef QUAKESQUAD_WORLD_H
#define QUAKESQUAD_WORLD_H

#include "common/lock_table.h"

#include <stdbool.h>
#include <svs/object.h>
#include <svs/scan.h>

#define UNIT 16
#define CELL_SIDE (32 * UNIT)
#define FEAR_RADIUS CELL_SIDE /* at most one cell, so that only adjacent cells are in range */
#define BLAST_RADIUS (24 * UNIT)
#define TOUCH_RADIUS (4 * UNIT)
#define FULL_HEALTH 100

typedef enum entity_kind { CITIZEN, TECH, BOMB, KINDS } entity_kind;
typedef enum quest { QUEST_NONE, QUEST_CENTRE, QUEST_QUADRANTS, QUEST_MOVING } quest;
typedef enum fuse_state { ARMED, EXPLODING, DISARMED } fuse_state;

typedef struct list list;
typedef struct node node;
typedef struct place place;
typedef struct body body;
typedef struct target target;
typedef struct world world;

struct node {
    node *next;
    place *place;
};

struct list {
    svs_object svs;
    node *first;
    node *spare; /* the unused nodes */
    /* followed by as many nodes as a cell may hold */
};

struct place {
    uint32_t id;
    body *body; /* always the same */
    int32_t x, y;
    uint8_t kind;
    bool listed; /* in its cell's list; false for the dead */
};

struct body {
    svs_object svs;
    uint32_t id;
    int32_t health;
    uint32_t lives;         /* lives so far, the current one included */
    uint32_t fear_frame;    /* the frame of the fields below */
    int32_t fear_x, fear_y; /* the closest source of fear in sight */
    int64_t fear_distance;  /* squared */
    uint32_t fear_bomb;     /* breaks ties between equally distant sources */
    uint32_t fuse;          /* a bomb's: frames until it explodes */
    uint32_t state;         /* a bomb's fuse_state */
    uint32_t disarmed;      /* a bomb's: times */
};

struct target {
    svs_object svs;
    target *next;
    body *body;
    int32_t x, y;
    target *made_before; /* the node made before by the same worker */
};

typedef struct wall {
    int32_t x0, y0, x1, y1;
    int32_t left, top, right, bottom;
} wall;

/* Counters of one worker. */
typedef struct tally {
    _Alignas(64) uint64_t dealt; /* damage */
    uint64_t left;               /* dead that left their lists */
    uint64_t disarmed;
    uint64_t sights; /* line-of-sight tests */
    /* if targets are not objects */
    target *spare; /* free list */
    target *made;  /* all, the newest first */
} tally;

typedef struct world_options {
    uint32_t count[KINDS];
    uint32_t walls;
    uint32_t size; /* units */
    quest quest;
    uint64_t seed;
    uint32_t workers;
} world_options;

struct world {
    world_options options;
    uint32_t frame;        /* number of the frame, from 1; no fear is of frame 0 */
    int32_t edge;          /* the positions' exclusive bound */
    uint32_t side;         /* cells in a row */
    uint32_t crowd[KINDS]; /* most of a kind in a cell */
    char *lists[KINDS];    /* world_list() */
    size_t list_bytes;     /* bytes of each list of any kind */
    place *places[KINDS];
    body *bodies[KINDS];
    uint32_t *crowds[KINDS]; /* entities in each cell, arriving ones included */
    wall *walls;
    tally *tallies;     /* one for each worker */
    svs_world *objects; /* the world of the objects; NULL: they are plain memory */
    lock_table list_locks[BOMB];
    lock_table body_locks[KINDS]; /* all zero: the engine needs no locks */
};

/* Whether targets are memory objects: with engines that run the rules in tasks. */
#define HAS_OBJECTS(w) SVS_ALWAYS((w)->objects)

/* Writes a link of a target in the way that the engine requires. @return a status. */
#define LINK(w, parent, field, child)                                                              \
    (HAS_OBJECTS(w) ? svs_link(parent, field, child) : ((parent)->field = (child), SVS_OK))

/* Allocates an empty world. @return NULL: no memory. */
world *world_new(const world_options *options);
void world_free(world *w);

/* Builds the walls and puts each entity into a cell. */
svs_status world_populate(world *w);

/* Rebuilds the lists from the positions of the listed entities. */
svs_status world_relist(world *w);

/* Between frames: places the dead and the exploded bombs anew, and decrements the fuses. */
svs_status world_tick(world *w);

/* A target: a new object, or without objects one from the worker's free list. */
svs_status world_target_new(world *w, uint32_t worker, target **made);
void world_target_free(world *w, uint32_t worker, target *gone);

/* The purpose of a random number. */
typedef enum dice { DICE_X, DICE_Y, DICE_WALL, DICE_FUSE, DICE_GOAL, DICE_STEP, DICE_SPEED } dice;

/* A number that depends on the seed and the arguments only, so that no decision depends on the
 * schedule. */
uint64_t world_random(const world *w, uint64_t frame, uint64_t entity, dice which);

/* Numbers the entities of all kinds in one sequence. */
static inline uint64_t world_entity(entity_kind kind, uint32_t id) {
    return (uint64_t)id * KINDS + kind;
}

/* Sums that do not depend on the order within lists. */
uint64_t world_checksum(const world *w);
tally world_tally(const world *w);

static inline list *world_list(const world *w, entity_kind kind, uint32_t cell) {
    return (list *)(void *)(w->lists[kind] + cell * w->list_bytes);
}

/* A cell's bombs. No task changes the list. */
static inline const list *world_bombs(const world *w, uint32_t cell) {
    return SVS_STABLE(world_list(w, BOMB, cell));
}

static inline uint32_t world_cells(const world *w) { return w->side * w->side; }

static inline uint32_t world_cell(const world *w, int32_t x, int32_t y) {
    return (uint32_t)(y / CELL_SIDE) * w->side + (uint32_t)(x / CELL_SIDE);
}

static inline int64_t distance_squared(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    int64_t dx = x1 - x0, dy = y1 - y0;
    return dx * dx + dy * dy;
}

/* The cells of a rectangle, bounds included. */
typedef struct cell_range {
    uint32_t left, top, right, bottom;
} cell_range;

/* The cells that a square of twice `radius` around a point meets. */
cell_range world_range_around(const world *w, int32_t x, int32_t y, int32_t radius);

#endif
