/* Shadow memory: for each byte, which steps touched it last (access.h has the cells).
 *
 *     leaves[address >> 22] --> | cells of 8 bytes | second halves | of bytes | of 64 | of 512 |
 *
 * Eight aligned bytes that are always accessed together have one cell. When they are not, the cell
 * is divided: into two of four bytes, or into eight. A divided one stays so until the memory's next
 * life. What is never touched of a leaf takes no memory.
 *
 * operation  caller  progress
 * cell       any     lock-free; maps a leaf
 * clear      any     wait-free; an access to what is being cleared gets an arbitrary answer
 * reset      alone
 * visit      any     waits for those that divide
 *
 * racecheck.H1. The first cell's extent says what there is: SVS__CELL_WHOLE: no other;
 *     SVS__CELL_LOW: the second half has its own, which is empty at first; SVS__CELL_BYTES: eight,
 *     empty at first. (not asserted: other threads divide the cell at any time)
 * racecheck.H2. A cell that is not in use is zero, or dead: the second half's, when there are
 *     bytes. (not asserted: as racecheck.H1; unit_dpst_visit counts what is in use)
 * racecheck.H3. Of each aligned 64 bytes (a line) and of each aligned 512 (a strip) one cell says
 *     whether nothing has touched them (SVS__CELL_EMPTY), or all of them have one history
 *     (SVS__CELL_LINE, SVS__CELL_STRIP): then the cells of their eighths are not in use. They are
 *     when it is SVS__CELL_DIVIDED. (not asserted: as racecheck.H1)
 * racecheck.H4. Cells are read from the strip down: a division fills the finer cells before the
 *     coarser one says that it is divided, so an acquire of that sees them. (not asserted: an order
 *     of stores; unit_dpst_visit)
 *
 * Threads: as the table says. */
#ifndef SVS_RACECHECK_SHADOW_SHADOW_H
#define SVS_RACECHECK_SHADOW_SHADOW_H

#include "racecheck/shadow/access.h"

/* @param bytes at most so many are mapped for first cells. @return false when there is no
 * memory. */
bool svs__shadow_init(size_t bytes);
void svs__shadow_clean_up(void);
/* The same in the child of a fork, where the holder of the lock is not there. */
void svs__shadow_abandon(void);

/* All cells are empty again, while no thread accesses anything. */
void svs__shadow_reset(void);

/* Which leaves there are: where number `i` begins. @return false: there are fewer. */
bool svs__shadow_leaf(uint32_t i, uintptr_t *address);

/* The first cell of the eight bytes around `address`. @return NULL when there is no room. */
svs__cell *svs__shadow_cell(uintptr_t address);

/* The same. @return NULL when it has never been asked for. */
svs__cell *svs__shadow_find(uintptr_t address);

/* These bytes begin a new life. */
void svs__shadow_clear(uintptr_t address, size_t bytes);

/* What each cell in use holds, while others access them; the wider ones of a place first, and none
 * that is being divided (gc.h, racecheck.X4). @return how many were looked at, also in vain. */
typedef void svs__cell_visitor(svs__cell *cell, const svs__wide *seen, void *argument);
uint64_t svs__shadow_visit(svs__cell_visitor *visit, void *argument);

/* How many bytes have been touched. */
size_t svs__shadow_bytes(void);

/* The cells beside the first one. */
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

/* Each eighth of the strip, or the line, that is `seen` has a cell of its own from here on. `cell`
 * is that of the eight bytes around `address`. @return false when it was not `seen`. */
bool svs__shadow_divide_strip(svs__cell *cell, uintptr_t address, const svs__wide *seen);
bool svs__shadow_divide_line(svs__cell *cell, uintptr_t address, const svs__wide *seen);

/* The cell, which is `seen`, stands for the lower half from here on. @return false when it was not
 * `seen`. */
bool svs__shadow_halve(svs__cell *cell, const svs__wide *seen);

/* The second word of a cell that changes from `second`. */
static inline uint64_t svs__cell_next(uint64_t second, uint32_t reader, uint8_t extent) {
    uint32_t version = ((uint32_t)second & ~(uint32_t)0xff) + 0x100;
    return (uint64_t)reader << 32 | version | extent;
}

static inline uint32_t svs__cell_writer(const svs__wide *cell) {
    return (uint32_t)(cell->first >> 32);
}
static inline uint32_t svs__cell_reader(const svs__wide *cell) { return (uint32_t)cell->first; }
static inline uint32_t svs__cell_other_reader(const svs__wide *cell) {
    return (uint32_t)(cell->second >> 32);
}

#endif
