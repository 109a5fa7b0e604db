/* The tree of the thesis' link experiments (7.2.2): a binary space partition with one entity at
 * each leaf.
 *
 * Depth d has 2^(d+1) - 1 nodes; a node links both of its children before it goes down, so that
 * with K = 2 the children of every other level are masters (all leaves are when the number of
 * levels is odd). An entity has a list of 17 items. A global list has a node of its own for each
 * entity, so that an entity does not reach the next. Depth 10 with 1000 entities makes about 20,000
 * objects, depth 11 with 2000 about 40,000. */
#ifndef BENCH_BSP_H
#define BENCH_BSP_H

#include "common.h"

#define BSP_ITEMS 17u

typedef struct bsp_item bsp_item;
struct bsp_item {
    svs_object svs;
    bsp_item *next;
};

typedef struct bsp_entity {
    svs_object svs;
    bsp_item *items;
} bsp_entity;

typedef struct bsp_node bsp_node;
struct bsp_node {
    svs_object svs;
    bsp_node *left, *right;
    bsp_entity *entity;
};

typedef struct bsp_global bsp_global;
struct bsp_global {
    svs_object svs;
    bsp_global *next;
    bsp_entity *entity;
};

/* An item of the consumer: an entity, and the leaf that it goes to. */
typedef struct bsp_pair {
    bsp_node *leaf;
    bsp_entity *entity;
} bsp_pair;

typedef struct bsp_shape {
    const char *name; /* "20k" */
    uint32_t depth, entities;
} bsp_shape;

typedef struct bsp {
    bsp_node *root;
    bsp_global *entities;
    bsp_pair *pairs; /* shape->entities: unique leaves in random order */
    bsp_node **leaves;
    size_t leaf_count;
} bsp;

/* Builds a tree in `world`, which owns its objects; no entity is in a leaf yet. */
void bsp_init(bsp *tree, svs_world *world, const bsp_shape *shape);

/* Frees the lists of pairs and leaves. The objects go with their world. */
void bsp_clean_up(bsp *tree);

/* One assignment: the experiments measure this. */
svs_status bsp_assign(const bsp_pair *pair);

#endif
