/* A scan of all cells of the shadow (shadow.h, dpst.H4): coarse cells before fine ones. */
#include "base/platform.h"
#include "dpst/shadow/shadow.h"

typedef struct visit {
    svs__cell_visitor *visitor;
    void *argument;
    uint64_t looks;
} visit;

/* Visits one cell. @return its extent, which tells which further cells of the same bytes (dpst.H1)
 * and which finer cells (dpst.H3) are in use. */
static uint8_t look(visit *v, svs__cell *cell) {
    v->looks++;
    for (;;) {
        svs__wide seen;
        /* relaxed is enough: the contents are read again below. */
        if (svs__load_relaxed(&cell->second) == 0) return SVS__CELL_EMPTY;
        seen = svs__wide_read(cell);
        SVS__ASSERT(svs__cell_is_valid(&seen)); /* dpst.H1, dpst.H2, dpst.H3 */
        if (svs__cell_extent(seen.second) != SVS__CELL_LOCKED) {
            if (seen.first != 0 || svs__cell_other_reader(&seen) != 0)
                v->visitor(cell, &seen, v->argument);
            return svs__cell_extent(seen.second);
        }
        svs__yield();
    }
}

static void visit_block(visit *v, svs__cell *cell, uintptr_t address) {
    uint8_t extent = look(v, cell);
    /* If the half is dead by now, it was divided together with the first half: waits for the cells
     * of the bytes. */
    if (extent == SVS__CELL_LOW && look(v, svs__shadow_half(cell)) == SVS__CELL_DEAD)
        extent = look(v, cell);
    if (extent == SVS__CELL_BYTES) {
        svs__cell *bytes = svs__shadow_bytes_of(cell, address);
        for (int i = 0; i < 8; i++) (void)look(v, &bytes[i]);
    }
}

static void visit_line(visit *v, svs__cell *cell, uintptr_t address) {
    if (look(v, svs__shadow_line(cell, address)) != SVS__CELL_DIVIDED) return;
    for (uintptr_t i = 0; i < 8; i++) visit_block(v, cell + i, address + 8 * i);
}

static void visit_strip(visit *v, svs__cell *cell, uintptr_t address) {
    if (look(v, svs__shadow_strip(cell, address)) != SVS__CELL_DIVIDED) return;
    for (uintptr_t i = 0; i < 8; i++) visit_line(v, cell + 8 * i, address + 64 * i);
}

uint64_t svs__shadow_visit(svs__cell_visitor *visitor, void *argument) {
    visit v = {visitor, argument, 0};
    uintptr_t address;
    for (uint32_t i = 0; svs__shadow_leaf(i, &address); i++)
        for (uintptr_t at = 0; at < SVS__LEAF_BYTES; at += 512)
            visit_strip(&v, svs__shadow_find(address + at), address + at);
    return v.looks;
}
