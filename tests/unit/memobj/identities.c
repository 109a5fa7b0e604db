/* Footprints: what an access names, and footprints of a program's own. */
#include "unit/face/support.h"

#include "memobj/addresses.h"
#include "memobj/set.h"

typedef struct cell {
    int n;
    svs_object svs;
} cell;
SVS_TYPE(cell, svs)

TEST_CASE(a_footprint_over_an_array_refuses_what_is_beyond_it) {
    svs_access room[4];
    svs_footprint f;
    int things[6] = {0};
    svs_footprint_init(&f, room, 4);
    for (int i = 0; i < 4; i++) svs_writes(&f, &things[i]);
    assert_int_equal(f.status, SVS_OK);
    svs_writes(&f, &things[4]);
    svs_writes(&f, &things[5]);
    assert_int_equal(f.status, SVS_E_LIMIT);
    assert_int_equal(f.count, 4);
    assert_ptr_equal(room[3].what, &things[3]);
}

TEST_CASE(a_footprint_filled_by_hand_does_not_grow) {
    svs_access room[1];
    svs_footprint f = {.accesses = room, .capacity = 1};
    int x = 0;
    svs_reads(&f, &x);
    svs_reads(&f, &x);
    assert_int_equal(f.status, SVS_E_LIMIT);
    svs_footprint_add_access(&f, NULL);
    assert_int_equal(f.status, SVS_E_LIMIT); /* the first failure */
    svs_footprint_init(&f, room, 1);
    svs_footprint_add_access(&f, NULL);
    assert_int_equal(f.status, SVS_E_NULL);
}

SUPPORT_CASE(a_footprint_of_a_set_has_each_access_once_after_it_was_enlarged, 1) {
    enum { THINGS = 200 };
    int things[THINGS];
    svs__set set;
    memset(&set, 0, sizeof set);
    support_ok(svs__set_init(&set, s->world));
    svs__set_begin(&set);
    svs_writes(&set.footprint, &things[0]); /* of an instance before */
    do
        for (int i = 1; i < THINGS; i++) svs_writes(&set.footprint, &things[i]);
    while (set.footprint.status && svs__set_make_room(&set, 1));
    assert_int_equal(set.footprint.status, SVS_OK);
    assert_int_equal(set.footprint.count, THINGS);
    for (int i = 0; i < THINGS; i++) assert_ptr_equal(set.footprint.accesses[i].what, &things[i]);
    assert_false(svs__set_make_room(&set, 1)); /* there was room */
    set.footprint.status = SVS_E_LIMIT;        /* of the touch function */
    assert_false(svs__set_make_room(&set, 1));
    svs__set_clean_up(&set);
}

TEST_CASE(a_header_is_the_object_and_any_other_pointer_an_address) {
    svs_access room[6];
    svs_footprint f;
    cell c = {0};
    const cell *constant = &c;
    svs_footprint_init(&f, room, 6);
    svs_writes(&f, &c.svs);
    svs_reads(&f, &constant->svs);
    svs_writes(&f, &c.n);
    svs_reads(&f, constant);
    svs_writes_address(&f, &c.svs);
    assert_int_equal(f.count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(room[i].kind, i < 2 ? SVS_KIND_OBJECT : SVS_KIND_ADDRESS);
    assert_int_equal(room[0].mode, SVS_MODE_WRITE);
    assert_int_equal(room[1].mode, SVS_MODE_READ);
    assert_ptr_equal(room[0].what, &c.svs);
}

/* The set's status for one written address. */
static svs_status expand_address(svs_world *world, const void *address) {
    svs__set set;
    svs_status status;
    support_ok(svs__set_init(&set, world));
    svs__set_begin(&set);
    svs_writes_address(&set.footprint, address);
    status = svs__set_expand(&set);
    svs__set_clean_up(&set);
    return status;
}

TEST_CASE(the_address_of_a_live_object_is_refused_in_a_build_with_assertions) {
#if defined(SVS__ADDRESSES_KNOWN)
    const svs_status refused = SVS_E_TYPE;
#else
    const svs_status refused = SVS_OK;
#endif
    support s;
    cell own = {0};
    void *made;
    support_open(&s, 1);
    assert_int_equal(expand_address(s.world, &own), SVS_OK);
    support_ok(svs_object_init(&own.svs, s.world, &cell_type));
    assert_int_equal(expand_address(s.world, &own), refused);
    assert_int_equal(expand_address(s.world, &own.svs), refused);
    support_ok(svs_object_clean_up(&own.svs));
    assert_int_equal(expand_address(s.world, &own), SVS_OK);
    support_ok(svs_object_new(s.world, &cell_type, &made));
    assert_int_equal(expand_address(s.world, made), refused);
    assert_int_equal(expand_address(s.world, (char *)made + sizeof(cell)), SVS_OK);
    support_ok(svs_object_free(&((cell *)made)->svs));
    support_close(&s);
}

/* The table against a plain list, over random objects made and gone. */
SUPPORT_CASE(the_table_of_addresses_knows_live_objects_only, 1) {
    enum { CELLS = 300 };
    static cell cells[CELLS];
    bool live[CELLS] = {false};
    uint32_t random = 1;
    for (uint32_t step = 0; step < 20 * CELLS; step++) {
        uint32_t i = (random = random * 1664525u + 1013904223u) >> 8;
        i %= CELLS;
        if (live[i]) support_ok(svs_object_clean_up(&cells[i].svs));
        else support_ok(svs_object_init(&cells[i].svs, s->world, &cell_type));
        live[i] = !live[i];
        if (step % CELLS) continue;
        for (uint32_t k = 0; k < CELLS; k++) {
#if defined(SVS__ADDRESSES_KNOWN)
            assert_int_equal(svs__addresses_have(s->world, &cells[k]), live[k]);
            assert_int_equal(svs__addresses_have(s->world, &cells[k].svs), live[k]);
#endif
        }
    }
}

#define CELL_BITS 16u

/* ---- keys of addresses ---- */

/* Elements of an array, by address: in how many cells they are. */
static uint32_t cells_of(uintptr_t first, uintptr_t size, uint32_t count) {
    static uint32_t taken[1u << CELL_BITS], round;
    uint32_t cells = 0;
    round++;
    for (uint32_t i = 0; i < count; i++) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): a number that nothing follows */
        uint32_t *at = &taken[svs__address_key((const void *)(first + i * size)) >> CELL_BITS];
        cells += *at != round;
        *at = round;
    }
    return cells;
}

TEST_CASE(elements_of_any_size_are_in_as_many_cells_as_chance_puts_them_in) {
    for (uintptr_t size = 4; size <= 8192; size += 4)
        assert_in_range(cells_of((uintptr_t)1 << 40, size, 2048), 1950, 2048);
    for (uint32_t bit = 13; bit < 30; bit++)
        assert_in_range(cells_of(4096, (uintptr_t)3 << bit, 2048), 1950, 2048);
}

/* ---- keys of indices ---- */

static svs_space *make_space(svs_world *world, uint64_t count) {
    svs_space *space;
    support_ok(svs_space_new(world, "space", count, &space));
    return space;
}

/* @param space NULL: the index is an address. */
static uint32_t key_by_footprint(svs_world *world, const svs_space *space, uint64_t index) {
    svs__set set;
    uint32_t key;
    support_ok(svs__set_init(&set, world));
    svs__set_begin(&set);
    if (space) svs_writes_at(&set.footprint, space, index);
    else svs_writes_address(&set.footprint, (const void *)(uintptr_t)index);
    support_ok(svs__set_expand(&set));
    assert_int_equal(set.count, 1);
    key = set.elements[0].key;
    svs__set_clean_up(&set);
    return key;
}

TEST_CASE(neighbouring_indices_share_no_cell) {
    static bool taken[1u << CELL_BITS];
    support s;
    support_open(&s, 1);
    svs_space *space = make_space(s.world, 1u << CELL_BITS);
    for (uint64_t i = 0; i < 4096; i++) {
        uint32_t at = key_by_footprint(s.world, space, 7 + i) >> (32 - CELL_BITS);
        assert_false(taken[at]);
        taken[at] = true;
    }
    support_ok(svs_space_free(space));
    support_close(&s);
}

/* ---- keys of objects ---- */

typedef struct making {
    svs_world *world;
    bool *taken;      /* by cell */
    uint32_t *shared; /* objects that met another one of their maker in their cell */
} making;

static svs_status make_objects(const making *m) {
    for (uint32_t i = 0; i < 4096; i++) {
        cell *made;
        svs_status status = SVS_NEW(m->world, cell, &made);
        if (status) return status;
        *m->shared += m->taken[made->svs.key >> (32 - CELL_BITS)];
        m->taken[made->svs.key >> (32 - CELL_BITS)] = true;
    }
    return SVS_OK;
}

static void making_touch(svs_footprint *f, const making *m) {
    svs_writes(f, m->shared);
    svs_writes_address(f, m->taken);
}
static svs_status making_run(svs_context *x, making *m) {
    (void)x;
    return make_objects(m);
}
SVS_TASK(making, making_run, making_touch)

SUPPORT_CASE(objects_of_one_maker_share_no_cell, 1) {
    static bool taken[2][1u << CELL_BITS];
    static uint32_t shared[2];
    const making outside = {s->world, taken[0], &shared[0]};
    const making body = {s->world, taken[1], &shared[1]};
    support_ok(make_objects(&outside));
    support_ok(svs_for_each(s->world, &making_task, &body, 1));
    assert_int_equal(shared[0], 0);
    assert_int_equal(shared[1], 0);
}

#if SVS__HAS_LOOPS
/* As the loop of a task type does it; without spaces, indices are addresses. @return what has
 * stopped it. */
static svs_status key_by_loop(svs_world *world, svs_space *const *spaces, const uint64_t *indices,
                              uint32_t count, svs__key_element *elements) {
    svs__keys keys = {{NULL, 0, 0, SVS_OK, SVS__FOOTPRINT_KEYS, NULL},
                      elements,
                      elements + count,
                      0,
                      {0, 0},
                      SVS__ADDRESSES_ARE_KNOWN,
                      0,
                      NULL,
                      world,
                      NULL,
                      0,
                      0,
                      {0}};
    for (uint32_t i = 0; i < count; i++) {
        keys.footprint.form = SVS__FOOTPRINT_KEYS;
        if (spaces) svs_writes_at(&keys.footprint, spaces[i], indices[i]);
        else svs_writes_address(&keys.footprint, (const void *)(uintptr_t)indices[i]);
    }
    return keys.footprint.status;
}

TEST_CASE(a_loop_finds_the_keys_of_a_footprint) {
    const uint64_t indices[] = {0, 99, 5, 5, (UINT64_C(1) << 40) - 1, 1};
    svs__key_element elements[6];
    support s;
    support_open(&s, 1);
    svs_space *one = make_space(s.world, 100), *two = make_space(s.world, UINT64_C(1) << 40);
    svs_space *const spaces[] = {one, one, two, one, two, two};
    assert_int_equal(key_by_loop(s.world, spaces, indices, 6, elements), SVS_OK);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(elements[i].key, key_by_footprint(s.world, spaces[i], indices[i]));
    assert_int_not_equal(elements[2].key, elements[3].key);
    support_ok(svs_space_free(one));
    support_ok(svs_space_free(two));
    support_close(&s);
}

TEST_CASE(a_loop_finds_the_keys_of_addresses) {
    static cell cells[3];
    const uint64_t addresses[] = {(uintptr_t)&cells[0], (uintptr_t)&cells[1], (uintptr_t)&cells[2]};
    svs__key_element elements[3];
    support s;
    support_open(&s, 1);
    assert_int_equal(key_by_loop(s.world, NULL, addresses, 3, elements), SVS_OK);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(elements[i].key, key_by_footprint(s.world, NULL, addresses[i]));
    support_close(&s);
}

#if defined(SVS__ADDRESSES_KNOWN)
TEST_CASE(a_loop_stops_at_the_address_of_an_object) {
    svs__key_element element;
    support s;
    cell own = {0};
    const uint64_t address = (uintptr_t)&own;
    support_open(&s, 1);
    support_ok(svs_object_init(&own.svs, s.world, &cell_type));
    assert_int_equal(key_by_loop(s.world, NULL, &address, 1, &element), SVS__KEYS_ODD);
    support_ok(svs_object_clean_up(&own.svs));
    support_close(&s);
}
#endif

TEST_CASE(a_loop_stops_at_an_index_that_is_wrong) {
    const uint64_t good = 1, beyond = 100;
    svs__key_element element;
    support s, other;
    support_open(&s, 1);
    support_open(&other, 1);
    svs_space *own = make_space(s.world, 100), *foreign = make_space(other.world, 100),
              *none = NULL;
    assert_int_equal(key_by_loop(s.world, &own, &beyond, 1, &element), SVS__KEYS_ODD);
    assert_int_equal(key_by_loop(s.world, &foreign, &good, 1, &element), SVS__KEYS_ODD);
    assert_int_equal(key_by_loop(s.world, &none, &good, 1, &element), SVS__KEYS_ODD);
    assert_int_equal(key_by_loop(s.world, &own, &good, 1, &element), SVS_OK);
    support_ok(svs_space_free(own));
    support_ok(svs_space_free(foreign));
    support_close(&other);
    support_close(&s);
}
#endif

int main(void) { return run_cases(NULL, NULL); }
