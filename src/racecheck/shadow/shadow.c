#include "racecheck/shadow/shadow.h"
#include "base/check.h"
#include "base/lock.h"
#include "base/pages.h"
#include "base/platform.h"
#include "racecheck/tree/checker.h"
#include <string.h>

/* Atomic accesses have two shadows more (atomics.c), at addresses that no program has. */
#define SHADOW_BITS (SVS__ADDRESS_BITS + 2)
#define LEAVES ((size_t)1 << (SHADOW_BITS - SVS__LEAF_SHIFT))
/* Cells of eight bytes, of halves, of bytes, of lines, of strips. */
#define LEAF_SIZE ((SVS__LEAF_STRIPS + SVS__LEAF_CELLS / 64) * sizeof(svs__cell))

svs__cell **svs__shadow_leaves;

/* Which leaves there are; changed under `lock`. */
static svs__lock lock;
static uint32_t *made;
static uint32_t made_count, made_max;

static _Atomic(svs__cell *) *leaf_at(uintptr_t address) {
    return (_Atomic(svs__cell *) *)&svs__shadow_leaves[address >> SVS__LEAF_SHIFT];
}

bool svs__shadow_init(size_t bytes) {
    size_t max = bytes / (SVS__LEAF_CELLS * sizeof(svs__cell));
    made_max = max == 0 ? 1 : max < LEAVES ? (uint32_t)max : (uint32_t)LEAVES;
    made_count = 0;
    svs__shadow_leaves = svs__pages_map(LEAVES * sizeof(void *));
    made = svs__pages_map(made_max * sizeof *made);
    if (svs__shadow_leaves != NULL && made != NULL) return true;
    svs__shadow_clean_up();
    return false;
}

void svs__shadow_clean_up(void) {
    bool both = made != NULL && svs__shadow_leaves != NULL;
    for (uint32_t i = 0; both && i < made_count; i++)
        svs__pages_unmap(svs__shadow_leaves[made[i]], LEAF_SIZE);
    svs__pages_unmap(made, made_max * sizeof *made);
    svs__pages_unmap(svs__shadow_leaves, LEAVES * sizeof(void *));
    made = NULL;
    svs__shadow_leaves = NULL;
    made_count = 0;
}

void svs__shadow_abandon(void) {
    lock = (svs__lock)SVS__LOCK_INIT;
    svs__shadow_clean_up();
}

/* racecheck.H4: of strips. */
static void ready(svs__cell *leaf) {
    memset(leaf + SVS__LEAF_STRIPS, 0, SVS__LEAF_BYTES / 512 * sizeof(svs__cell));
}

void svs__shadow_reset(void) {
    SVS__ASSERT(svs__lock_is_held(&svs__the_checker.lives)); /* racecheck.X10 */
    for (uint32_t i = 0; i < made_count; i++) {
        svs__pages_forget(svs__shadow_leaves[made[i]], LEAF_SIZE);
        ready(svs__shadow_leaves[made[i]]);
    }
}

bool svs__shadow_leaf(uint32_t i, uintptr_t *address) {
    bool is_there;
    svs__lock_acquire(&lock);
    is_there = i < made_count;
    if (is_there) *address = (uintptr_t)made[i] << SVS__LEAF_SHIFT;
    svs__lock_release(&lock);
    return is_there;
}

size_t svs__shadow_bytes(void) {
    size_t bytes = 0;
    svs__lock_acquire(&lock);
    for (uint32_t i = 0; i < made_count; i++)
        bytes += svs__pages_touched(svs__shadow_leaves[made[i]], LEAF_SIZE);
    svs__lock_release(&lock);
    return bytes;
}

SVS__COLD static svs__cell *make_leaf(uintptr_t address) {
    svs__cell *leaf;
    svs__lock_acquire(&lock);
    leaf = svs__load_relaxed(leaf_at(address)); /* relaxed: under the lock */
    if (leaf == NULL && made_count < made_max) leaf = svs__pages_map(LEAF_SIZE);
    if (leaf != NULL && svs__load_relaxed(leaf_at(address)) == NULL) {
        ready(leaf);
        made[made_count++] = (uint32_t)(address >> SVS__LEAF_SHIFT);
        /* release: these pages may have been others before; pairs with svs__check_access() and
         * svs__shadow_find(). */
        svs__store_release(leaf_at(address), leaf);
    }
    svs__lock_release(&lock);
    return leaf;
}

svs__cell *svs__shadow_find(uintptr_t address) {
    svs__cell *leaf;
    if (address >> SHADOW_BITS != 0) return NULL;
    leaf = svs__load_acquire(leaf_at(address)); /* acquire: pairs with make_leaf() */
    return leaf == NULL ? NULL : leaf + address % SVS__LEAF_BYTES / 8;
}

svs__cell *svs__shadow_cell(uintptr_t address) {
    svs__cell *cell = svs__shadow_find(address), *leaf;
    if (SVS__LIKELY(cell != NULL) || address >> SHADOW_BITS != 0) return cell;
    leaf = make_leaf(address);
    return leaf == NULL ? NULL : leaf + address % SVS__LEAF_BYTES / 8;
}

svs__cell *svs__shadow_bytes_of(svs__cell *cell, uintptr_t address) {
    svs__cell *leaf = cell - address % SVS__LEAF_BYTES / 8;
    return leaf + 2 * SVS__LEAF_CELLS + address % SVS__LEAF_BYTES / 8 * 8;
}

/* No other thread writes it now. */
static void put(svs__cell *cell, uint64_t first, uint64_t second) {
    svs__store_relaxed(&cell->first, first); /* relaxed: before the release of the second */
    /* release: what the steps stand for; pairs with svs__wide_read(). */
    svs__store_release(&cell->second, second);
}

/* Takes the cell for itself. @return false when it was not `seen`. */
static bool hold(svs__cell *cell, const svs__wide *seen) {
    svs__wide held = {seen->first, svs__cell_next(seen->second, 0, SVS__CELL_LOCKED)};
    return svs__wide_change(cell, seen, &held);
}

bool svs__shadow_halve(svs__cell *cell, const svs__wide *seen) {
    bool whole = svs__cell_extent(seen->second) == SVS__CELL_WHOLE;
    uint32_t reader = svs__cell_other_reader(seen);
    if (!hold(cell, seen)) return false;
    put(svs__shadow_half(cell), whole ? seen->first : 0,
        whole ? svs__cell_next(0, reader, SVS__CELL_HIGH) : 0); /* racecheck.H4 */
    put(cell, seen->first, svs__cell_next(seen->second, reader, SVS__CELL_LOW));
    return true;
}

/* The second half's cell, for the last time. */
static svs__wide kill_half(svs__cell *half) {
    svs__wide seen, dead = {0, 0};
    do {
        seen = svs__wide_read(half);
        dead.second = svs__cell_next(seen.second, 0, SVS__CELL_DEAD);
    } while (svs__cell_extent(seen.second) == SVS__CELL_LOCKED ||
             !svs__wide_change(half, &seen, &dead));
    return seen;
}

void svs__shadow_divide(svs__cell *cell, uintptr_t address) {
    svs__cell *bytes = svs__shadow_bytes_of(cell, address);
    for (;;) {
        svs__wide seen = svs__wide_read(cell), low = seen, high = seen;
        uint8_t extent = svs__cell_extent(seen.second);
        if (extent == SVS__CELL_BYTES) return;
        if (extent == SVS__CELL_LOCKED) {
            svs__yield();
            continue;
        }
        if (!hold(cell, &seen)) continue;
        if (extent != SVS__CELL_WHOLE) high = kill_half(svs__shadow_half(cell));
        for (int i = 0; i < 8; i++) {
            const svs__wide *from = i < 4 ? &low : &high;
            bool empty = svs__cell_extent(from->second) == SVS__CELL_EMPTY;
            put(&bytes[i], empty ? 0 : from->first, /* racecheck.H4 */
                empty ? 0 : svs__cell_next(0, svs__cell_other_reader(from), SVS__CELL_BYTE));
        }
        put(cell, 0, svs__cell_next(seen.second, 0, SVS__CELL_BYTES));
        return;
    }
}

/* Each eighth of a line or a strip that is `seen` has one of `parts`, which stand for `extent`, and
 * what lies below them has its page, if it was `fresh`. */
static bool divide_whole(svs__cell *whole, svs__cell *parts, uint8_t extent, const svs__wide *seen,
                         svs__cell *fresh) {
    bool empty = svs__cell_extent(seen->second) == SVS__CELL_EMPTY;
    svs__wide part = {seen->first,
                      svs__cell_next(0, svs__cell_other_reader(seen), extent)}; /* racecheck.H4 */
    if (!hold(whole, seen)) return false;
    if (empty) part = (svs__wide){0, 0};
    for (int i = 0; i < 8; i++) put(&parts[i], part.first, part.second);
    if (fresh != NULL) put(fresh, 0, 0);
    put(whole, 0, svs__cell_next(seen->second, 0, SVS__CELL_DIVIDED));
    return true;
}

/* The cells of the lines of the strip, of the blocks of the line. */
static svs__cell *lines_of(svs__cell *cell, uintptr_t address) {
    return svs__shadow_line(cell, address) - address % 512 / 64;
}
static svs__cell *blocks_of(svs__cell *cell, uintptr_t address) { return cell - address % 64 / 8; }

bool svs__shadow_divide_strip(svs__cell *cell, uintptr_t address, const svs__wide *seen) {
    return divide_whole(svs__shadow_strip(cell, address), lines_of(cell, address), SVS__CELL_LINE,
                        seen, cell);
}

bool svs__shadow_divide_line(svs__cell *cell, uintptr_t address, const svs__wide *seen) {
    return divide_whole(svs__shadow_line(cell, address), blocks_of(cell, address), SVS__CELL_WHOLE,
                        seen, NULL);
}

/* The one that divides it: of a line or a strip. */
typedef bool divider(svs__cell *cell, uintptr_t address, const svs__wide *seen);

/* @return false when all of the line or strip is empty; else it is divided. */
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

/* The bytes have no other user now, here and below. */
static void clear_block(svs__cell *cell, uintptr_t address) {
    /* relaxed: what was written before is gone anyway. */
    uint64_t second = svs__load_relaxed(&cell->second);
    if (second == 0) return;
    if (svs__cell_extent(second) != SVS__CELL_WHOLE) put(svs__shadow_half(cell), 0, 0);
    if (svs__cell_extent(second) == SVS__CELL_BYTES) {
        svs__cell *bytes = svs__shadow_bytes_of(cell, address);
        for (int i = 0; i < 8; i++) put(&bytes[i], 0, 0);
    }
    put(cell, 0, 0);
}

/* Blocks from `address` to `end`, within one line; the strip is divided. */
static void clear_line(svs__cell *cell, uintptr_t address, uintptr_t end) {
    svs__cell *line = svs__shadow_line(cell, address);
    /* relaxed: as above. */
    uint8_t extent = svs__cell_extent(svs__load_relaxed(&line->second));
    if (extent == SVS__CELL_EMPTY) return;
    if (end - address != 64 && !open_line(cell, address)) return;
    if (end - address != 64 || extent != SVS__CELL_LINE)
        for (uintptr_t at = address; at != end; at += 8) clear_block(cell + (at - address) / 8, at);
    if (end - address == 64) put(line, 0, 0);
}

/* Blocks from `address` to `end`, within one strip. */
static void clear_strip(uintptr_t address, uintptr_t end) {
    svs__cell *cell = svs__shadow_find(address), *strip = svs__shadow_strip(cell, address);
    /* relaxed: as above. */
    uint8_t extent = svs__cell_extent(svs__load_relaxed(&strip->second));
    bool whole = end - address == 512;
    if (extent == SVS__CELL_EMPTY) return;
    if (!whole && !open_strip(cell, address)) return;
    for (uintptr_t at = address; at != end && (!whole || extent != SVS__CELL_STRIP);) {
        uintptr_t next = at / 64 * 64 + 64 < end ? at / 64 * 64 + 64 : end;
        clear_line(cell + (at - address) / 8, at, next);
        at = next;
    }
    if (whole) put(strip, 0, 0);
}

/* Some bytes of a block; the others live on. */
static void clear_part(uintptr_t address, uintptr_t end) {
    svs__cell *cell = svs__shadow_find(address), *bytes;
    if (cell == NULL || !open_strip(cell, address) || !open_line(cell, address)) return;
    if (svs__cell_extent(svs__load_relaxed(&cell->second)) == SVS__CELL_EMPTY) return;
    svs__shadow_divide(cell, address);
    bytes = svs__shadow_bytes_of(cell, address);
    for (; address != end; address++) put(&bytes[address % 8], 0, 0);
}

/* Whole pages of cells that are not needed any more cost least when they are given back. */
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

/* Whole strips of one leaf. */
static void clear_strips(uintptr_t address, uintptr_t end) {
    svs__cell *cell = svs__shadow_find(address);
    size_t count = (end - address) / 8;
    give_back(cell, count);
    give_back(svs__shadow_half(cell), count);
    give_back(svs__shadow_bytes_of(cell, address), 8 * count);
    give_back(svs__shadow_line(cell, address), count / 8);
    give_back(svs__shadow_strip(cell, address), count / 64);
}

/* Whole blocks. */
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
