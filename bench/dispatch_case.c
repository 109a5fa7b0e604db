#include "dispatch.h"

#include "common/random.h"

#include <stdlib.h>

dispatch_case *dispatch_case_new(uint32_t objects, size_t keys, uint32_t work_ns) {
    dispatch_case *c = bench_allocate(1, sizeof *c);
    *c = (dispatch_case){objects, work_ns, 0, keys, DISPATCH_INSTANCES, NULL, NULL};
    return c;
}

void dispatch_case_fill(dispatch_case *c) {
    random_source random = {BENCH_SEED};
    if (c->chosen) return;
    c->rounds = bench_rounds(c->work_ns);
    c->chosen = bench_allocate(c->count * c->objects, sizeof *c->chosen);
    c->expected = bench_allocate(c->keys, sizeof *c->expected);
    for (size_t i = 0; i < c->count; i++) {
        uint32_t *chosen = c->chosen + i * c->objects;
        chosen[0] = (uint32_t)random_below(&random, c->keys);
        while (c->objects == 2 &&
               (chosen[1] = (uint32_t)random_below(&random, c->keys)) == chosen[0]) {}
        for (uint32_t o = 0; o < c->objects; o++) c->expected[chosen[o]]++;
    }
}

void **dispatch_objects_new(size_t keys, size_t size, size_t alignment) {
    void **objects = bench_allocate(keys, sizeof *objects);
    random_source random = {BENCH_SEED + 1};
    for (size_t i = 0; i < keys; i++) {
        objects[i] = alignment > sizeof(void *) ? aligned_alloc(alignment, size) : malloc(size);
        if (!objects[i]) bench_fail("no memory for %zu objects", keys);
    }
    for (size_t i = keys; i > 1; i--) {
        size_t j = random_below(&random, i);
        void *other = objects[j];
        objects[j] = objects[i - 1];
        objects[i - 1] = other;
    }
    return objects;
}

void dispatch_objects_free(void **objects, size_t keys) {
    for (size_t i = 0; i < keys; i++) free(objects[i]);
    free(objects);
}

void **dispatch_targets_new(const dispatch_case *c, void *const *objects) {
    void **targets = bench_allocate(c->count * c->objects, sizeof *targets);
    for (size_t i = 0; i < c->count * c->objects; i++) targets[i] = objects[c->chosen[i]];
    return targets;
}
