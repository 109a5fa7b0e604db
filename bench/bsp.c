#include "bsp.h"

#include "common/random.h"

#include <stdlib.h>

SVS_TYPE(bsp_item, svs, next)
SVS_TYPE(bsp_entity, svs, items)
SVS_TYPE(bsp_node, svs, left, right, entity)
SVS_TYPE(bsp_global, svs, next, entity)

static void *make(svs_world *world, svs_type *type) {
    void *storage;
    BENCH_OK(svs_object_new(world, type, &storage));
    return storage;
}

static void grow(bsp *tree, svs_world *world, bsp_node *node, uint32_t depth) {
    bsp_node *left, *right;
    if (!depth) {
        tree->leaves[tree->leaf_count++] = node;
        return;
    }
    left = make(world, &bsp_node_type);
    right = make(world, &bsp_node_type);
    bench_check(svs_link(node, left, left), "svs_link(left)");
    bench_check(svs_link(node, right, right), "svs_link(right)");
    grow(tree, world, left, depth - 1);
    grow(tree, world, right, depth - 1);
}

static bsp_entity *make_entity(svs_world *world) {
    bsp_entity *entity = make(world, &bsp_entity_type);
    bsp_item *last = make(world, &bsp_item_type);
    bench_check(svs_link(entity, items, last), "svs_link(items)");
    for (uint32_t i = 1; i < BSP_ITEMS; i++) {
        bsp_item *item = make(world, &bsp_item_type);
        bench_check(svs_link(last, next, item), "svs_link(next)");
        last = item;
    }
    return entity;
}

static void make_entities(bsp *tree, svs_world *world, const bsp_shape *shape) {
    for (uint32_t i = 0; i < shape->entities; i++) {
        bsp_global *node = make(world, &bsp_global_type);
        tree->pairs[i] = (bsp_pair){tree->leaves[i], make_entity(world)};
        bench_check(svs_link(node, entity, tree->pairs[i].entity), "svs_link(entity)");
        bench_check(svs_link(node, next, tree->entities), "svs_link(next)");
        tree->entities = node;
    }
}

void bsp_init(bsp *tree, svs_world *world, const bsp_shape *shape) {
    random_source random = {BENCH_SEED};
    *tree = (bsp){NULL, NULL, NULL, NULL, 0};
    tree->leaves = bench_allocate((size_t)1 << shape->depth, sizeof(bsp_node *));
    tree->pairs = bench_allocate(shape->entities, sizeof *tree->pairs);
    tree->root = make(world, &bsp_node_type);
    grow(tree, world, tree->root, shape->depth);
    for (size_t i = tree->leaf_count; i > 1; i--) {
        size_t j = random_below(&random, i);
        bsp_node *other = tree->leaves[j];
        tree->leaves[j] = tree->leaves[i - 1];
        tree->leaves[i - 1] = other;
    }
    make_entities(tree, world, shape);
}

void bsp_clean_up(bsp *tree) {
    free(tree->leaves);
    free(tree->pairs);
}

svs_status bsp_assign(const bsp_pair *pair) { return svs_link(pair->leaf, entity, pair->entity); }
