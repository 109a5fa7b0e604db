#include "dpst/shadow/shadow.h"
#include "base/check.h"
#include "base/lock.h"
#include "base/pages.h"
#include "base/platform.h"
#include "dpst/tree/checker.h"
#include <string.h>

/* Atomic accesses have two further shadows (atomics.c), at addresses that no program has. */
#define SHADOW_BITS (SVS__ADDRESS_BITS + 2)
#define LEAVES ((size_t)1 << (SHADOW_BITS - SVS__LEAF_SHIFT))
/* Size of a leaf: the cells of eight bytes, of halves, of single bytes, of lines and of strips. */
#define LEAF_SIZE ((SVS__LEAF_STRIPS + SVS__LEAF_CELLS / 64) * sizeof(svs__cell))

svs__cell **svs__shadow_leaves;

/* The leaves that exist; changed under `lock`. */
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
    if (svs__shadow_leaves != NULL && made != NULL && svs__sites_init()) return true;
    svs__shadow_clean_up();
    return false;
}

void svs__shadow_clean_up(void) {
    bool both = made != NULL && svs__shadow_leaves != NULL;
    for (uint32_t i = 0; both && i < made_count; i++)
        svs__pages_unmap(svs__shadow_leaves[made[i]], LEAF_SIZE);
    svs__pages_unmap(made, made_max * sizeof *made);
    svs__pages_unmap(svs__shadow_leaves, LEAVES * sizeof(void *));
    svs__sites_clean_up();
    made = NULL;
    svs__shadow_leaves = NULL;
    made_count = 0;
    svs__store_relaxed(&svs__atomics_seen, 0); /* relaxed: no other thread is there */
}

void svs__shadow_abandon(void) {
    lock = (svs__lock)SVS__LOCK_INIT;
    svs__shadow_clean_up();
}

/* Writes the cells of a new leaf's strips, from which reads begin (dpst.H4). */
static void ready(svs__cell *leaf) {
    memset(leaf + SVS__LEAF_STRIPS, 0, SVS__LEAF_BYTES / 512 * sizeof(svs__cell));
}

void svs__shadow_reset(void) {
    SVS__ASSERT(svs__lock_is_held(&svs__the_checker.lives)); /* dpst.X10 */
    for (uint32_t i = 0; i < made_count; i++) {
        svs__pages_forget(svs__shadow_leaves[made[i]], LEAF_SIZE);
        ready(svs__shadow_leaves[made[i]]);
    }
    svs__sites_reset();
    svs__store_relaxed(&svs__atomics_seen, 0); /* relaxed: no other thread is there */
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
    size_t bytes = svs__sites_bytes();
    svs__lock_acquire(&lock);
    for (uint32_t i = 0; i < made_count; i++)
        bytes += svs__pages_touched(svs__shadow_leaves[made[i]], LEAF_SIZE);
    svs__lock_release(&lock);
    return bytes;
}

SVS__COLD static svs__cell *make_leaf(uintptr_t address) {
    svs__cell *leaf;
    svs__lock_acquire(&lock);
    leaf = svs__load_relaxed(leaf_at(address)); /* relaxed: the lock is held */
    if (leaf == NULL && made_count < made_max) leaf = svs__pages_map(LEAF_SIZE);
    if (leaf != NULL && svs__load_relaxed(leaf_at(address)) == NULL) {
        ready(leaf);
        made[made_count++] = (uint32_t)(address >> SVS__LEAF_SHIFT);
        /* release: the zeros of the pages, which may have been used before; pairs with
         * svs__check_access() and svs__shadow_find(). */
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

bool svs__shadow_hold(svs__cell *cell, const svs__wide *seen) {
    svs__wide held = {seen->first, svs__cell_next(seen->second, 0, SVS__CELL_LOCKED)};
    return svs__wide_change(cell, seen, &held);
}

bool svs__shadow_halve(svs__cell *cell, const svs__wide *seen) {
    bool whole = svs__cell_extent(seen->second) == SVS__CELL_WHOLE;
    uint32_t reader = svs__cell_other_reader(seen);
    uint64_t crowd = svs__cell_crowd(seen);
    if (!svs__shadow_hold(cell, seen)) return false;
    svs__cell_put(svs__shadow_half(cell), whole ? seen->first : 0,
                  whole ? svs__cell_next(0, reader, SVS__CELL_HIGH) | crowd : 0); /* dpst.H4 */
    svs__cell_put(cell, seen->first, svs__cell_next(seen->second, reader, SVS__CELL_LOW) | crowd);
    return true;
}

/* Makes the cell of the second half dead. @return its last contents. */
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
        if (!svs__shadow_hold(cell, &seen)) continue;
        if (extent != SVS__CELL_WHOLE) high = kill_half(svs__shadow_half(cell));
        for (int i = 0; i < 8; i++) {
            const svs__wide *from = i < 4 ? &low : &high;
            bool empty = svs__cell_extent(from->second) == SVS__CELL_EMPTY;
            svs__cell_put(&bytes[i], empty ? 0 : from->first, /* dpst.H4 */
                          empty ? 0
                                : svs__cell_next(0, svs__cell_other_reader(from), SVS__CELL_BYTE) |
                                      svs__cell_crowd(from));
        }
        svs__cell_put(cell, 0, svs__cell_next(seen.second, 0, SVS__CELL_BYTES));
        return;
    }
}

/* Divides a line or a strip, whose cell is `seen`: each eighth gets one of the cells `parts`, which
 * cover `extent`. `fresh`, if not NULL, is a finer cell, which is written so that its page
 * exists. */
static bool divide_whole(svs__cell *whole, svs__cell *parts, uint8_t extent, const svs__wide *seen,
                         svs__cell *fresh) {
    bool empty = svs__cell_extent(seen->second) == SVS__CELL_EMPTY;
    svs__wide part = {seen->first, svs__cell_next(0, svs__cell_other_reader(seen), extent) |
                                       svs__cell_crowd(seen)}; /* dpst.H4 */
    if (!svs__shadow_hold(whole, seen)) return false;
    if (empty) part = (svs__wide){0, 0};
    for (int i = 0; i < 8; i++) svs__cell_put(&parts[i], part.first, part.second);
    if (fresh != NULL) svs__cell_put(fresh, 0, 0);
    svs__cell_put(whole, 0, svs__cell_next(seen->second, 0, SVS__CELL_DIVIDED));
    return true;
}

/* The first cell of the strip's lines, and of the line's blocks. */
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
