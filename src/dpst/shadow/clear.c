/* Memory begins a new life: its cells are empty again. An access to the bytes at the same time
 * comes before the clear, or after it (dpst.H5); only in 64 KB and more may it be lost. */
#include "base/pages.h"
#include "base/platform.h"
#include "dpst/shadow/shadow.h"
#include <string.h>

/* The function that divides the cell of a line or a strip. */
typedef bool divider(svs__cell *cell, uintptr_t address, const svs__wide *seen);

/* Divides a line or a strip, unless it is empty. @return false when all of it is empty. */
static bool open_whole(svs__cell *whole, svs__cell *cell, uintptr_t address, divider *divide) {
    for (;;) {
        svs__wide seen = svs__wide_read(whole);
        uint8_t extent = svs__cell_extent(seen.second);
        if (extent == SVS__CELL_EMPTY) return false;
        if (extent == SVS__CELL_DIVIDED) return true;
        if (extent == SVS__CELL_LOCKED) svs__yield();
        else if (divide(cell, address, &seen)) return true;
    }
}
static bool open_strip(svs__cell *cell, uintptr_t address) {
    return open_whole(svs__shadow_strip(cell, address), cell, address, svs__shadow_divide_strip);
}
static bool open_line(svs__cell *cell, uintptr_t address) {
    return open_whole(svs__shadow_line(cell, address), cell, address, svs__shadow_divide_line);
}

/* Empties one cell, unless it is divided. Another thread may note a step in it at the same time.
 * @return whether it is empty. */
static bool empty(svs__cell *cell) {
    for (;;) {
        svs__wide seen = svs__wide_read(cell);
        switch (svs__cell_extent(seen.second)) {
        case SVS__CELL_EMPTY: return true;
        case SVS__CELL_LOCKED: svs__yield(); break;
        case SVS__CELL_DIVIDED: return false;
        default:
            if (svs__wide_change(cell, &seen, &svs__cell_empty)) return true;
        }
    }
}

/* Empties the cells of a block. The block's first cell is held while the finer ones are emptied
 * (dpst.H5). */
static void clear_block(svs__cell *cell, uintptr_t address) {
    for (;;) {
        svs__wide seen = svs__wide_read(cell);
        uint8_t extent = svs__cell_extent(seen.second);
        if (extent == SVS__CELL_EMPTY) return;
        if (extent == SVS__CELL_WHOLE && svs__wide_change(cell, &seen, &svs__cell_empty)) return;
        if (extent == SVS__CELL_LOCKED) svs__yield();
        else if (extent != SVS__CELL_WHOLE && svs__shadow_hold(cell, &seen)) {
            svs__cell *bytes = svs__shadow_bytes_of(cell, address);
            (void)empty(svs__shadow_half(cell));
            for (int i = 0; i < 8 && extent == SVS__CELL_BYTES; i++) (void)empty(&bytes[i]);
            svs__cell_put(cell, 0, 0);
            return;
        }
    }
}

/* Empties the cell of a line or a strip, or holds it if it is divided: then the caller clears its
 * eighths, and puts the cell (dpst.H5). @return whether it is held. */
static bool empty_or_hold(svs__cell *whole) {
    while (!empty(whole)) {
        svs__wide seen = svs__wide_read(whole);
        if (svs__cell_extent(seen.second) == SVS__CELL_DIVIDED && svs__shadow_hold(whole, &seen))
            return true;
    }
    return false;
}

/* Clears the blocks from `address` to `end`, which are in one line. The strip is divided. */
static void clear_line(svs__cell *cell, uintptr_t address, uintptr_t end) {
    svs__cell *line = svs__shadow_line(cell, address);
    bool whole = end - address == 64;
    if (whole ? !empty_or_hold(line) : !open_line(cell, address)) return;
    for (uintptr_t at = address; at != end; at += 8) clear_block(cell + (at - address) / 8, at);
    if (whole) svs__cell_put(line, 0, 0);
}

/* Clears the blocks from `address` to `end`, which are in one strip. */
static void clear_strip(uintptr_t address, uintptr_t end) {
    svs__cell *cell = svs__shadow_find(address), *strip = svs__shadow_strip(cell, address);
    bool whole = end - address == 512;
    if (whole ? !empty_or_hold(strip) : !open_strip(cell, address)) return;
    for (uintptr_t at = address; at != end;) {
        uintptr_t next = at / 64 * 64 + 64 < end ? at / 64 * 64 + 64 : end;
        clear_line(cell + (at - address) / 8, at, next);
        at = next;
    }
    if (whole) svs__cell_put(strip, 0, 0);
}

/* Clears some bytes of a block. The other bytes continue their lives. */
static void clear_part(uintptr_t address, uintptr_t end) {
    svs__cell *cell = svs__shadow_find(address), *bytes;
    if (cell == NULL || !open_strip(cell, address) || !open_line(cell, address)) return;
    if (svs__cell_extent(svs__load_relaxed(&cell->second)) == SVS__CELL_EMPTY) return;
    svs__shadow_divide(cell, address);
    bytes = svs__shadow_bytes_of(cell, address);
    for (; address != end; address++) (void)empty(&bytes[address % 8]);
}

/* Least number of bytes whose cells are given back to the system as whole pages, which costs least
 * for many cells. */
#define GIVE_BACK ((uintptr_t)1 << 16)

static void give_back(svs__cell *cell, size_t count) {
    uintptr_t page = svs__pages_bytes(), from = (uintptr_t)cell, to = (uintptr_t)(cell + count);
    uintptr_t first = (from + page - 1) / page * page, last = to / page * page;
    if (last <= first) { /* no whole page */
        memset(cell, 0, to - from);
        return;
    }
    memset(cell, 0, first - from);
    svs__pages_forget((void *)first, last - first);
    memset((void *)last, 0, to - last);
}

/* Clears whole strips of one leaf. */
static void clear_strips(uintptr_t address, uintptr_t end) {
    svs__cell *cell = svs__shadow_find(address);
    size_t count = (end - address) / 8;
    give_back(cell, count);
    give_back(svs__shadow_half(cell), count);
    give_back(svs__shadow_bytes_of(cell, address), 8 * count);
    give_back(svs__shadow_line(cell, address), count / 8);
    give_back(svs__shadow_strip(cell, address), count / 64);
}

/* Clears whole blocks. */
static void clear_blocks(uintptr_t address, uintptr_t end) {
    while (address < end) {
        uintptr_t leaf_end = (address / SVS__LEAF_BYTES + 1) * SVS__LEAF_BYTES;
        uintptr_t strip_end = (address / 512 + 1) * 512, most = end < leaf_end ? end : leaf_end;
        uintptr_t until = most < strip_end ? most : strip_end;
        if (svs__shadow_find(address) == NULL) until = most;
        else if (address % 512 != 0 || most - address < GIVE_BACK) clear_strip(address, until);
        else {
            until = most / 512 * 512;
            clear_strips(address, until);
        }
        address = until;
    }
}

void svs__shadow_clear(uintptr_t address, size_t bytes) {
    uintptr_t end = address + bytes;
    if (svs__shadow_leaves == NULL || bytes == 0 || end < address) return;
    if (address % 8 != 0) {
        uintptr_t up = (address + 7) / 8 * 8;
        clear_part(address, up < end ? up : end);
        address = up;
    }
    if (address >= end) return;
    clear_blocks(address, end / 8 * 8);
    if (end % 8 != 0) clear_part(end / 8 * 8, end);
}
