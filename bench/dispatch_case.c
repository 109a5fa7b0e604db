#include "dispatch.h"

#include "common/random.h"

#include <stdlib.h>
#include <string.h>

dispatch_case *dispatch_case_new(uint32_t objects, size_t keys, uint32_t work_ns, dispatch_by by,
                                 bool reads) {
    dispatch_case *c = bench_allocate(1, sizeof *c);
    *c = (dispatch_case){.objects = objects,
                         .reads = reads,
                         .by = by,
                         .work_ns = work_ns,
                         .keys = keys,
                         .count = DISPATCH_INSTANCES};
    return c;
}

static bool has(const uint32_t *chosen, uint32_t count, uint32_t key) {
    for (uint32_t o = 0; o < count; o++)
        if (chosen[o] == key) return true;
    return false;
}

static void choose(const dispatch_case *c, random_source *random, uint32_t *chosen) {
    if (c->by == BY_SPAN) {
        chosen[0] = (uint32_t)random_below(random, c->keys - c->objects + 1);
        for (uint32_t o = 1; o < c->objects; o++) chosen[o] = chosen[0] + o;
        return;
    }
    for (uint32_t o = 0; o < c->objects; o++) do
            chosen[o] = (uint32_t)random_below(random, c->keys);
        while (has(chosen, o, chosen[o]));
}

void dispatch_case_fill(dispatch_case *c) {
    random_source random = {BENCH_SEED};
    if (c->chosen) return;
    c->rounds = bench_rounds(c->work_ns);
    c->chosen = bench_allocate(c->count * c->objects, sizeof *c->chosen);
    c->expected = bench_allocate(c->keys, sizeof *c->expected);
    for (size_t i = 0; i < c->count; i++) {
        uint32_t *chosen = c->chosen + i * c->objects;
        choose(c, &random, chosen);
        for (uint32_t o = 0; o < (c->reads ? 1 : c->objects); o++) c->expected[chosen[o]]++;
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

static void sort(void **targets, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t o = i; o && (uintptr_t)targets[o] < (uintptr_t)targets[o - 1]; o--) {
            void *other = targets[o];
            targets[o] = targets[o - 1];
            targets[o - 1] = other;
        }
}

void **dispatch_locks_new(const dispatch_case *c, void *const *targets) {
    size_t count = c->count * c->objects;
    void **locks = bench_allocate(count, sizeof *locks);
    memcpy((void *)locks, (const void *)targets, count * sizeof *locks);
    for (size_t i = 0; i < count; i += c->objects) sort(locks + i, c->objects);
    return locks;
}
