/* Cells that are looked at while they are divided: each name that was there before is seen,
 * whatever is divided right behind the look at it (dpst/task/gc.h, dpst.X4). */
#include "../base/helpers.h"
#include "dpst/shadow/shadow.h"
#include <string.h>

#define AT ((uintptr_t)1 << 30) /* the first byte of a strip */

static uint32_t seen[16];
static svs__cell *cell; /* of the first eight bytes */

/* No other thread runs. */
static void put(svs__cell *at, uint32_t writer, uint32_t one, uint32_t two, uint8_t extent) {
    svs__store_relaxed(&at->first, (uint64_t)writer << 32 | one);
    svs__store_relaxed(&at->second, (uint64_t)two << 32 | extent);
}

static void begin(void) {
    memset(seen, 0, sizeof seen);
    assert_true(svs__shadow_init((size_t)64 << 20));
    cell = svs__shadow_cell(AT);
    assert_non_null(cell);
}

static void see(const svs__wide *names) {
    uint32_t all[] = {svs__cell_writer(names), svs__cell_reader(names),
                      svs__cell_other_reader(names)};
    for (int i = 0; i < 3; i++) {
        assert_in_range(all[i], 0, 15);
        seen[all[i]]++;
    }
}

/* ---- what there is ---- */

static void look(svs__cell *at, const svs__wide *names, void *argument) {
    assert_ptr_equal(argument, &cell);
    see(names);
}

TEST_CASE(each_cell_in_use_is_looked_at_once) {
    svs__cell *bytes;
    begin();
    bytes = svs__shadow_bytes_of(cell, AT);
    put(svs__shadow_strip(cell, AT), 0, 0, 0, SVS__CELL_DIVIDED);
    put(svs__shadow_line(cell, AT), 0, 0, 0, SVS__CELL_DIVIDED);
    put(svs__shadow_line(cell, AT) + 1, 1, 0, 0, SVS__CELL_LINE);
    put(svs__shadow_strip(cell, AT) + 1, 2, 3, 4, SVS__CELL_STRIP);
    put(cell, 5, 6, 0, SVS__CELL_WHOLE);
    put(cell + 1, 7, 0, 0, SVS__CELL_LOW);
    put(svs__shadow_half(cell + 1), 8, 0, 9, SVS__CELL_HIGH);
    put(cell + 2, 0, 0, 0, SVS__CELL_BYTES);
    for (uint32_t i = 0; i < 4; i++) put(&bytes[16 + 2 * i], 10 + i, 0, 0, SVS__CELL_BYTE);
    put(&bytes[0], 14, 0, 0, SVS__CELL_BYTE); /* of a block that is whole: not in use */
    put(svs__shadow_half(cell), 14, 0, 0, SVS__CELL_HIGH);
    assert_true(svs__shadow_visit(look, &cell) >= SVS__LEAF_BYTES / 512);
    for (uint32_t i = 1; i < 14; i++) assert_int_equal(seen[i], 1);
    assert_int_equal(seen[14], 0);
    svs__shadow_clean_up();
}

/* ---- cells that are divided meanwhile ---- */

static uint32_t first; /* its cell is divided as soon as the visitor sees it */

static void divide(svs__cell *at, const svs__wide *names, void *argument) {
    svs__wide now = *names;
    uint8_t extent = svs__cell_extent(now.second);
    see(names);
    if (svs__cell_writer(names) != first) return;
    if (extent == SVS__CELL_STRIP) assert_true(svs__shadow_divide_strip(cell, AT, &now));
    else if (extent == SVS__CELL_LINE) assert_true(svs__shadow_divide_line(cell, AT, &now));
    else svs__shadow_divide(at, AT);
}

/* Names of one cell of that extent, and of the other half of a low one. */
static void put_names(uint8_t extent) {
    svs__cell *strip = svs__shadow_strip(cell, AT), *line = svs__shadow_line(cell, AT);
    svs__cell *at = extent == SVS__CELL_STRIP ? strip : extent == SVS__CELL_LINE ? line : cell;
    put(strip, 0, 0, 0, SVS__CELL_DIVIDED);
    put(line, 0, 0, 0, at == strip ? SVS__CELL_EMPTY : SVS__CELL_DIVIDED);
    put(at, first, 0, extent == SVS__CELL_LOW ? 0 : 2, extent);
    if (extent == SVS__CELL_LOW) put(svs__shadow_half(cell), 0, 0, 2, SVS__CELL_HIGH);
}

TEST_CASE(what_is_divided_behind_a_look_is_seen) {
    static const uint8_t extents[] = {SVS__CELL_STRIP, SVS__CELL_LINE, SVS__CELL_WHOLE,
                                      SVS__CELL_LOW};
    first = 1;
    for (size_t i = 0; i < sizeof extents; i++) {
        begin();
        put_names(extents[i]);
        (void)svs__shadow_visit(divide, NULL);
        assert_true(seen[1] >= 1 && seen[2] >= 1);
        svs__shadow_clean_up();
    }
}

int main(void) { return run_cases(NULL, NULL); }
