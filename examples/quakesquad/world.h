/* QuakeSquad's world: a square of cells, each of which keeps a linked list of the citizens, one of
 * the techs and one of the bombs that stand in it.
 *
 * What is an object of its own follows from what is touched apart:
 *
 *   list     one cell's list of one kind, with its nodes
 *   place    where an entity stands: no object, as nobody but who moves it looks at it meanwhile
 *   body     what an entity is: health, fear, fuse
 *   target   a node of the lists that the bombs make of whoever is near; or plain memory, which
 *            only the bomb and its blast know
 *
 *     list [ node --next--> node ]                  target --next--> target
 *             | who          | who                     | who           | who
 *             v              v                         v               v
 *           place          place --who--> body        body            body
 *
 * A list's nodes are part of it: so naming the list names all that an entity changes which comes or
 * goes, however many stand there, and those who stay in the cell need only their own places. A
 * blast writes bodies and reads copied positions; a step writes places and lists and leaves
 * people's bodies alone. Walls never change, and the bombs' places and lists change between frames
 * only: they are no objects.
 *
 * The same structures serve all engines: the headers stay unused unless `linked` is set. Positions
 * are in sixteenths of a unit. */
#ifndef QUAKESQUAD_WORLD_H
#define QUAKESQUAD_WORLD_H

#include "common/lock_table.h"

#include <stdbool.h>
#include <svs/object.h>

#define UNIT 16
#define CELL_SIDE (32 * UNIT)
#define FEAR_RADIUS                                                                                \
    CELL_SIDE /* at most a cell, so that the adjacent cells are all that can matter */
#define BLAST_RADIUS (24 * UNIT)
#define TOUCH_RADIUS (4 * UNIT)
#define FULL_HEALTH 100

typedef enum entity_kind { CITIZEN, TECH, BOMB, KINDS } entity_kind;
typedef enum quest { QUEST_NONE, QUEST_CENTRE, QUEST_QUADRANTS, QUEST_MOVING } quest;
typedef enum shape { SHAPE_LIST, SHAPE_TARGET, SHAPE_BODY } shape;
typedef enum fuse_state { ARMED, EXPLODING, DISARMED } fuse_state;

typedef struct list list;
typedef struct node node;
typedef struct place place;
typedef struct body body;
typedef struct target target;
typedef struct world world;

/* Each object begins alike, so that the width meter can tell what it has in hand. */
typedef struct thing {
    svs_object svs;
    uint32_t shape;
} thing;

struct node {
    node *next;
    place *who;
};

struct list {
    svs_object svs;
    uint32_t shape;
    node *first;
    node *spare; /* the nodes that nobody stands for */
    /* the nodes follow, as many as there may be in a cell */
};

struct place {
    uint32_t id;
    body *who; /* always the same */
    int32_t x, y;
    uint8_t kind;
    bool listed; /* in its cell's list; false for the dead */
};

struct body {
    svs_object svs;
    uint32_t shape;
    uint32_t id;
    int32_t health;
    uint32_t lives;         /* begun, the present one included */
    uint32_t fear_frame;    /* the frame that the three below are of */
    int32_t fear_x, fear_y; /* the closest source of fear in sight */
    int64_t fear_distance;  /* squared */
    uint32_t fear_bomb;     /* decides between sources that are equally far */
    uint32_t fuse;          /* a bomb's: frames until it explodes */
    uint32_t state;         /* a bomb's fuse_state */
    uint32_t disarmed;      /* a bomb's: times */
};

struct target {
    svs_object svs;
    uint32_t shape;
    target *next;
    body *who;
    int32_t x, y;
    target *made_before; /* by the same worker */
};

typedef struct wall {
    int32_t x0, y0, x1, y1;
    int32_t left, top, right, bottom;
} wall;

/* What one worker counts for itself. */
typedef struct tally {
    _Alignas(64) uint64_t dealt; /* damage */
    uint64_t left;               /* dead that left their lists */
    uint64_t disarmed;
    uint64_t sights; /* line-of-sight tests */
    /* where the world does not keep targets as objects */
    target *spare; /* to be used again */
    target *made;  /* all, the last one first */
} tally;

typedef struct world_options {
    uint32_t count[KINDS];
    uint32_t walls;
    uint32_t size; /* units */
    quest quest;
    uint64_t seed;
    uint32_t workers;
} world_options;

/* How an engine differs from the plain, serial one. */
typedef struct world_hooks {
    svs_status (*target_new)(world *w, uint32_t worker, target **made);
    void (*target_free)(world *w, uint32_t worker, target *gone);
} world_hooks;

struct world {
    world_options options;
    uint32_t frame;        /* from 1; no fear is of frame 0 */
    int32_t edge;          /* the positions' exclusive bound */
    uint32_t side;         /* cells in a row */
    uint32_t crowd[KINDS]; /* most of a kind in a cell */
    char *lists[KINDS];    /* world_list() */
    size_t list_bytes[KINDS];
    place *places[KINDS];
    body *bodies[KINDS];
    uint32_t *crowds[KINDS]; /* how many stand in each cell, those on their way to it included */
    wall *walls;
    tally *tallies;     /* one for each worker */
    bool linked;        /* the links of targets go through svs_set */
    svs_world *objects; /* when linked: where the objects live */
    lock_table list_locks[BOMB];
    lock_table body_locks[KINDS]; /* of zeros: the engine needs no lock */
    world_hooks hooks;
};

/* Sets a link of a target, as the engine at hand has to. @return a status. */
#define LINK(w, parent, field, child)                                                              \
    ((w)->linked ? svs_set(parent, field, child) : ((parent)->field = (child), SVS_OK))

/* Allocates everything, places nobody. NULL when memory is short. */
world *world_new(const world_options *options);
void world_free(world *w);

/* Builds the walls and puts everybody into a cell. */
svs_status world_populate(world *w);

/* Makes the lists again from the positions of those who are listed. */
svs_status world_relist(world *w);

/* Between frames: the dead and the spent bombs begin again elsewhere, fuses burn down. */
svs_status world_tick(world *w);

/* From the worker's spares, or new: hooks.target_new where targets are no objects. */
svs_status world_target_new(world *w, uint32_t worker, target **made);

/* What a random number is for. */
typedef enum dice { DICE_X, DICE_Y, DICE_WALL, DICE_FUSE, DICE_GOAL, DICE_STEP, DICE_SPEED } dice;

/* A number that depends on the seed and the arguments only, so that no decision depends on who is
 * asked first. */
uint64_t world_random(const world *w, uint64_t frame, uint64_t who, dice which);

/* Entities of all kinds draw from one row of numbers. */
static inline uint64_t world_entity(entity_kind kind, uint32_t id) {
    return (uint64_t)id * KINDS + kind;
}

/* Sums that do not depend on the order within lists. */
uint64_t world_checksum(const world *w);
tally world_tally(const world *w);

static inline list *world_list(const world *w, entity_kind kind, uint32_t cell) {
    return (list *)(void *)(w->lists[kind] + cell * w->list_bytes[kind]);
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
