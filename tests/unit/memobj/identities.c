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
    assert_int_equal(f.status, SVS_E_NULL);
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

int main(void) { return run_cases(NULL, NULL); }
