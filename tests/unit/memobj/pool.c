/* The slots of small objects (memobj.K2 to memobj.K4). */
#include "memobj/core/pool.h"
#include "memobj/core/storage.h"
#include "unit/face/support.h"

typedef struct small {
    svs_object svs;
    uint64_t data;
} small;
SVS_TYPE(small, svs)

typedef struct aligned {
    _Alignas(16) svs_object svs;
    uint64_t data[3];
} aligned;
SVS_TYPE(aligned, svs)

typedef struct large {
    svs_object svs;
    char data[1000];
} large;
SVS_TYPE(large, svs)

static void *make(svs_world *world, svs_type *type) {
    void *storage;
    support_ok(svs_object_new(world, type, &storage));
    return storage;
}

static void count_room(void *room, const svs_type *type, void *count) {
    (void)room, (void)type;
    ++*(uint32_t *)count;
}

static uint32_t count_of(const support *s) {
    uint32_t count = 0;
    svs__storage_visit(s->world, count_room, &count);
    return count;
}

SUPPORT_CASE(a_visit_finds_each_object_of_any_size, 2) {
    static const char zero[1000];
    for (uint32_t i = 0; i < 1000; i++) {
        small *a = make(s->world, &small_type);
        aligned *b = make(s->world, &aligned_type);
        large *c = make(s->world, &large_type);
        assert_int_equal((uintptr_t)b % 16, 0);
        assert_int_equal(a->data, 0);
        assert_memory_equal(b->data, zero, sizeof b->data);
        assert_memory_equal(c->data, zero, sizeof c->data);
        memset(c->data, 1, sizeof c->data);
        a->data = b->data[0] = b->data[2] = UINT64_MAX;
        if (i % 3 == 0) support_ok(svs_object_free(&a->svs));
        if (i % 3 == 1) support_ok(svs_object_free(&b->svs));
        if (i % 3 == 2) support_ok(svs_object_free(&c->svs));
        assert_int_equal(count_of(s), 2 * (i + 1));
    }
    assert_true(svs__pools_are_valid(s->world));
}

#define MANY 3000
static small *many[MANY];

/* Frees one of `each` of them. */
static void free_some(uint32_t each) {
    for (uint32_t i = 0; i < MANY; i++) {
        if (!many[i] || i % each) continue;
        support_ok(svs_object_free(&many[i]->svs));
        many[i] = NULL;
    }
}

static void fill(svs_world *world) {
    for (uint32_t i = 0; i < MANY; i++) {
        if (many[i]) continue;
        many[i] = make(world, &small_type);
        assert_int_equal(many[i]->data, 0);
        many[i]->data = i + 1;
    }
}

SUPPORT_CASE(slots_are_used_again, 1) {
    uint64_t bytes;
    memset(many, 0, sizeof many);
    fill(s->world);
    bytes = s->memory.bytes;
    for (uint32_t each = 1; each < 20; each++) {
        free_some(each);
        assert_true(svs__pools_are_valid(s->world));
        fill(s->world);
        assert_true(svs__pools_are_valid(s->world));
        for (uint32_t i = 0; i < MANY; i++) assert_true(many[i]->data == i + 1);
        assert_true(s->memory.bytes <= bytes + 65536);
    }
    assert_int_equal(count_of(s), MANY);
}

SUPPORT_CASE(slabs_without_objects_go_back_to_the_allocator, 1) {
    uint64_t bytes = s->memory.bytes;
    memset(many, 0, sizeof many);
    for (int round = 0; round < 5; round++) {
        fill(s->world);
        free_some(1);
        assert_int_equal(count_of(s), 0);
        assert_true(svs__pools_are_valid(s->world));
        assert_true(s->memory.bytes <= bytes + 65536); /* one slab is kept */
    }
}

/* ---- in bodies ---- */

typedef struct turn {
    small *freed;
} turn;

static void turn_touch(svs_footprint *f, const turn *it) {
    if (it->freed) svs_writes_object(f, &it->freed->svs);
}
static svs_status turn_run(svs_context *context, turn *it) {
    void *storage;
    svs_status status = svs_object_new(svs_context_argument(context), &small_type, &storage);
    if (!status && it->freed) status = svs_object_free(&it->freed->svs);
    return status;
}
SVS_TASK(turn, turn_run, turn_touch)

SUPPORT_CASE(bodies_free_what_other_workers_made, 4) {
    svs_graph *graph = support_graph(s);
    svs_task *task = support_itemizer(graph, &turn_task, s->world);
    memset(many, 0, sizeof many);
    for (int round = 0; round < 20; round++) {
        uint32_t before;
        fill(s->world);
        before = count_of(s);
        for (uint32_t i = 0; i < MANY; i++) {
            turn it = {i % 2 ? many[i] : NULL};
            if (i % 2) many[i] = NULL;
            support_ok(svs_graph_send(graph, task, &it, 1, sizeof it));
        }
        support_run(graph, 1);
        assert_true(svs__pools_are_valid(s->world));
        assert_int_equal(count_of(s), before + MANY / 2);
    }
    support_ok(svs_graph_free(graph));
}

/* ---- without memory ---- */

TEST_CASE(a_slab_without_memory_is_a_status) {
    support s;
    void *storage;
    support_open(&s, 1);
    atomic_store(&s.memory.fail_from, atomic_load(&s.memory.calls) + 1);
    assert_int_equal(svs_object_new(s.world, &small_type, &storage), SVS_E_NO_MEMORY);
    assert_null(storage);
    atomic_store(&s.memory.fail_from, 0);
    (void)make(s.world, &small_type);
    assert_int_equal(count_of(&s), 1);
    assert_true(svs__pools_are_valid(s.world));
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
