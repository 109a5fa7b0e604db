/* Shadow memory: for each byte, the steps that accessed it last (access.h defines the cells).
 *
 *     leaves[address >> 22] --> | cells of 8 bytes | second halves | of bytes | of 64 | of 512 |
 *
 * Eight aligned bytes that are always accessed together have one cell. When they are not, the cell
 * is divided: into two of four bytes, or into eight. It stays divided until the memory begins a new
 * life. Untouched parts of a leaf take no memory.
 *
 * operation  caller  progress
 * cell       any     lock-free; maps a leaf
 * clear      any     waits for threads that divide
 * reset      alone
 * visit      any     waits for threads that divide
 *
 * dpst.H1. The extent of the first cell tells which others are in use. SVS__CELL_WHOLE: no
 *     other; SVS__CELL_LOW: the second half's, which is empty at first; SVS__CELL_BYTES: eight,
 *     empty at first, and the first cell names no step.
 * dpst.H2. A cell that is not in use is zero; or dead: the second half's, when there are
 *     bytes. It names no step.
 * dpst.H3. For each aligned 64 bytes (a line) and each aligned 512 (a strip) one cell tells
 *     whether no step has touched them (SVS__CELL_EMPTY), or all have one history (SVS__CELL_LINE,
 *     SVS__CELL_STRIP): then the cells of their eighths are not in use. They are in use when it is
 *     SVS__CELL_DIVIDED; then the cell itself names no step.
 * dpst.H4. Cells are read from the strip down. A division fills the finer cells before the
 *     coarser one becomes divided, so an acquire of the coarser one sees them. (not asserted: an
 *     order of stores; unit_dpst_visit)
 * dpst.H5. A thread that clears holds a coarse cell while it empties the finer ones. A thread that
 *     has noted a step in an empty cell reads the coarser ones again, and starts again if the cell
 *     is not in use any more. So an access that runs alongside a clear is not lost: it is noted
 *     after the clear, or it has met what was there before. 64 KB and more are cleared by pages,
 *     where an access at the same time may be lost. (not asserted: about two threads;
 *     unit_dpst_allocated)
 *
 * Threads: as the table says. */
#ifndef SVS_DPST_SHADOW_SHADOW_H
#define SVS_DPST_SHADOW_SHADOW_H

#include "dpst/shadow/access.h"

/* Maps the cells and the sites, and sets up the state of atomic accesses. @param bytes limit of the
 * memory mapped for first cells. @return false when there is no memory. */
bool svs__shadow_init(size_t bytes);
void svs__shadow_clean_up(void);
/* svs__shadow_clean_up() in the child of a fork(), where the holder of the lock does not exist. */
void svs__shadow_abandon(void);

/* Makes all cells empty. Called while no thread accesses anything. */
void svs__shadow_reset(void);

/* Finds the address at which leaf number `i` begins. @return false: there are fewer leaves. */
bool svs__shadow_leaf(uint32_t i, uintptr_t *address);

/* The first cell of the eight bytes around `address`. @return NULL when there is no room. */
svs__cell *svs__shadow_cell(uintptr_t address);

/* svs__shadow_cell() that maps no leaf. @return NULL when the leaf was never mapped. */
svs__cell *svs__shadow_find(uintptr_t address);

/* Makes the cells of these bytes empty: the bytes begin a new life (clear.c). */
void svs__shadow_clear(uintptr_t address, size_t bytes);

/* Visits each cell in use while threads access the cells: coarse cells before fine ones, and a cell
 * that is being divided only after the division (gc.h, dpst.X4). @return the number of cells read,
 * including empty ones. */
typedef void svs__cell_visitor(svs__cell *cell, const svs__wide *seen, void *argument);
uint64_t svs__shadow_visit(svs__cell_visitor *visit, void *argument);

/* Not 0 after the first atomic access, until the next reset (atomics.c). */
extern _Atomic(uint32_t) svs__atomics_seen;

/* @return the number of bytes of the shadow that have been touched. */
size_t svs__shadow_bytes(void);

/* The further cells of the same eight bytes. */
static inline svs__cell *svs__shadow_half(svs__cell *cell) { return cell + SVS__LEAF_CELLS; }
svs__cell *svs__shadow_bytes_of(svs__cell *cell, uintptr_t address);

static inline uint8_t svs__cell_extent(uint64_t second) { return (uint8_t)second; }

/* Divides the bytes around `cell` until each has a cell of its own. */
void svs__shadow_divide(svs__cell *cell, uintptr_t address);

/* The line's cell of the 64 bytes around `address`; `cell` is of the eight bytes there. */
static inline svs__cell *svs__shadow_line(svs__cell *cell, uintptr_t address) {
    uintptr_t at = address % SVS__LEAF_BYTES;
    return cell - at / 8 + SVS__LEAF_LINES + at / 64;
}
/* The strip's cell of the 512 bytes around it. */
static inline svs__cell *svs__shadow_strip(svs__cell *cell, uintptr_t address) {
    uintptr_t at = address % SVS__LEAF_BYTES;
    return cell - at / 8 + SVS__LEAF_STRIPS + at / 512;
}

/* Divides the strip, or line: from now on each eighth has a cell of its own. `cell` is the cell of
 * the eight bytes around `address`. @return false when the strip's, or line's, cell is no longer
 * `seen`. */
bool svs__shadow_divide_strip(svs__cell *cell, uintptr_t address, const svs__wide *seen);
bool svs__shadow_divide_line(svs__cell *cell, uintptr_t address, const svs__wide *seen);

/* Locks the cell for the calling thread. @return false when its contents are no longer `seen`. */
bool svs__shadow_hold(svs__cell *cell, const svs__wide *seen);

/* Halves the cell: from now on it covers the lower half of its bytes. @return false when the cell
 * is no longer `seen`. */
bool svs__shadow_halve(svs__cell *cell, const svs__wide *seen);

#define SVS__CELL_CROWDED 0x100u /* bit of a crowded cell (dpst.X12) */

/* The new second word of a cell whose second word was `second`. The cell stays crowded if it
 * was. */
static inline uint64_t svs__cell_kept(uint64_t second, uint32_t reader, uint8_t extent) {
    uint32_t version = ((uint32_t)second & ~(uint32_t)0xff) + 0x200;
    return (uint64_t)reader << 32 | version | extent;
}
/* svs__cell_kept() for a cell that is no longer crowded. */
static inline uint64_t svs__cell_next(uint64_t second, uint32_t reader, uint8_t extent) {
    uint32_t version = ((uint32_t)second & ~(uint32_t)0x1ff) + 0x200;
    return (uint64_t)reader << 32 | version | extent;
}

/* @return SVS__CELL_CROWDED if the cell is crowded, otherwise 0. */
static inline uint64_t svs__cell_crowd(const svs__wide *cell) {
    return cell->second & SVS__CELL_CROWDED;
}

static const svs__wide svs__cell_empty = {0, 0};

/* Writes a cell that no other thread writes now. */
static inline void svs__cell_put(svs__cell *cell, uint64_t first, uint64_t second) {
    svs__store_relaxed(&cell->first, first); /* relaxed: the release below publishes it */
    /* release: publishes what the steps stand for; pairs with svs__wide_read(). */
    svs__store_release(&cell->second, second);
}

static inline uint32_t svs__cell_writer(const svs__wide *cell) {
    return (uint32_t)(cell->first >> 32);
}
static inline uint32_t svs__cell_reader(const svs__wide *cell) { return (uint32_t)cell->first; }
static inline uint32_t svs__cell_other_reader(const svs__wide *cell) {
    return (uint32_t)(cell->second >> 32);
}

static inline bool svs__cell_is_valid(const svs__wide *cell) {
    uint8_t extent = svs__cell_extent(cell->second);
    /* dpst.H1, dpst.H2, dpst.H3: if the cell is divided, other cells name the steps. */
    bool divided =
        extent == SVS__CELL_BYTES || extent == SVS__CELL_DEAD || extent == SVS__CELL_DIVIDED;
    if (svs__cell_crowd(cell) != 0 && svs__cell_reader(cell) == 0) return false; /* dpst.X12 */
    return !divided || (cell->first == 0 && svs__cell_other_reader(cell) == 0);
}

/* ---- sites (site.c): where in the program an access was ----
 *
 * Sites are in a table of their own, with a fixed number of entries. Of three sites that share an
 * entry pair the oldest is lost. Any thread may note and find a site, wait-free. Two concurrent
 * notes may spoil each other; find() detects that. */

/* Called by svs__shadow_init(). @return false when there is no memory. */
bool svs__sites_init(void);
void svs__sites_clean_up(void);
void svs__sites_reset(void);
size_t svs__sites_bytes(void);

/* A note that was replaced. */
typedef struct svs__site_note {
    uint64_t where, whence; /* the place, and the step with its calling context */
} svs__site_note;

/* Notes that `step` accesses the cell of the `bytes` bytes that begin at `address`, for the first
 * time as far as the cell knows. @return the note that was there. */
svs__site_note svs__site_take(uintptr_t address, size_t bytes, uint32_t step, bool write,
                              const void *pc, uint32_t frame);
/* Prefetches the cache line of a note that is going to be made. */
void svs__site_fetch(uintptr_t address, size_t bytes, bool write);
/* Replaces each step in the notes by `name(step)`, while threads note and find. */
typedef uint32_t svs__site_name(uint32_t step, void *argument);
void svs__sites_rename(svs__site_name *name, void *argument);

/* Finds the place of the step's access. A note of the node that the step was joined to is also
 * accepted (collapse.c). @param replaced the note that the caller's note of an access of this kind
 * has replaced, when another thread changed the cell first: it may be the note of that thread's
 * step. */
bool svs__site_find(uintptr_t address, uint32_t step, bool write, const svs__site_note *replaced,
                    const void **pc, uint32_t *frame);

#endif
