/* Called by instrumented code for each access: the part of a check that has to be quick.
 *
 *     svs__check_access(address, 8, false, __builtin_return_address(0));
 *
 * Most accesses begin where the last access from the same place in the program ended. They form one
 * stream, which is compared as a whole when it ends. Most others are repetitions: the step has made
 * such an access before, or the answer is still the last one. All this is decided here, inline; the
 * rest is in svs__check_slow().
 *
 * The shadow of eight aligned bytes is a cell: the step that wrote them last and two that have read
 * them since (shadow.h). A leaf of the shadow covers SVS__LEAF_BYTES of memory.
 *
 * dpst.C2. A step that a cell names as the writer has made an access of any kind to it; one
 *     that it names as a reader has read it. An access that was registered once need not be
 *     registered again, whatever the cell names now (SPD3: a step that replaced it is an equally
 *     good witness). (not asserted: an argument over histories; tested against an oracle in
 *     property_racecheck)
 * dpst.C3. `steady_*` are the contents of a cell for which a read by this step was no race and
 *     changed nothing. They are compared with a cell that did not change meanwhile: its version is
 *     the same before and after.
 * dpst.C4. A stream stands for accesses of its step that are not compared yet. It is compared
 *     before the step ends, before the thread leaves the task, before any memory begins or ends its
 *     life, and before the thread reports as the process ends. No order is lost: a parallel step
 *     may be compared before or after it, and a later step comes after its end.
 * dpst.C5. The step has compared the ranges in `read` and `written` as a whole, so it need not
 *     do so again (dpst.C2). They are forgotten with the end of streams (dpst.C4).
 *
 * Threads: any; each uses its own state. */
#ifndef SVS_DPST_SHADOW_ACCESS_H
#define SVS_DPST_SHADOW_ACCESS_H

#include "base/wide.h"
#include "dpst/tree/thread.h"
#include <assert.h>
#include <svs/status.h>

/* first: writer << 32 | first reader; second: second reader << 32 | version << 9 | is it crowded
 * (checker.h, dpst.X12) << 8 | extent. */
typedef svs__wide_shared svs__cell;

/* The extent of a cell: the bytes that it covers. */
enum {
    SVS__CELL_EMPTY = 0, /* nothing has been accessed */
    SVS__CELL_WHOLE = 0xff,
    SVS__CELL_LOW = 0x0f, /* the first four bytes; the others have SVS__CELL_HIGH in a cell of
                              their own */
    SVS__CELL_HIGH = 0xf0,
    SVS__CELL_BYTES = 0x01, /* each byte has a cell of its own */
    SVS__CELL_BYTE = 0x10,
    SVS__CELL_LINE = 0x04,            /* 64 bytes */
    SVS__CELL_STRIP = 0x06,           /* 512 bytes */
    SVS__CELL_DIVIDED = 0x05,         /* a line or a strip whose eighths have cells */
    SVS__CELL_DEAD = 0x02,            /* a second half whose bytes have cells */
    SVS__CELL_LOCKED = SVS__WIDE_BUSY /* a thread divides or clears it */
};

#define SVS__LEAF_SHIFT 22
#define SVS__LEAF_BYTES ((uintptr_t)1 << SVS__LEAF_SHIFT)
#define SVS__LEAF_CELLS (SVS__LEAF_BYTES / 8)
/* The cells of 64 and of 512 bytes come after those of eight bytes, of halves and of single
 * bytes. */
#define SVS__LEAF_LINES (10 * SVS__LEAF_CELLS)
#define SVS__LEAF_STRIPS (SVS__LEAF_LINES + SVS__LEAF_CELLS / 8)
#define SVS__ADDRESS_BITS 47

/* The leaves' first cells, by address >> SVS__LEAF_SHIFT. Never NULL while anything is checked. */
SVS_API extern svs__cell **svs__shadow_leaves;

/* Handles all accesses that neither continue a stream nor repeat one; such an access may begin a
 * stream. */
SVS_API void svs__check_slow(const void *address, size_t bytes, bool write, const void *pc);

/* Handles an atomic access. @param write false only if the access reads, or might only read
 * (atomics.c). */
SVS_API void svs__check_atomic(const volatile void *address, size_t bytes, bool write,
                               const void *pc);

/* Makes each later access be compared at once, never as a part of a stream: for programs that
 * crash. Called while nothing runs. */
SVS_API void svs__check_put_nothing_off(void);

/* Called at each entry of a function: records how far down the stack is used. */
static inline void svs__check_stack_low(const void *sp) {
    svs__check_thread *self = svs__check_self;
    if ((const char *)sp < self->stack_low) self->stack_low = sp;
}

/* Has the step just made this read, of a cell with the same contents? (dpst.C3) */
static inline bool svs__check_is_steady(const svs__check_thread *self, svs__cell *cell,
                                        uint64_t steps, uint64_t rest) {
    return steps == self->steady_steps && (uint32_t)(rest >> 32) == self->steady_reader &&
           /* relaxed is enough: `steps` was loaded with acquire before. */
           svs__load_relaxed(&cell->second) == rest;
}

/* Has the running step made this access before? The cell covers all bytes of the access. */
static inline bool svs__check_is_known(const svs__check_thread *self, svs__cell *cell,
                                       uint64_t steps, uint64_t rest, bool write) {
    if ((uint32_t)(steps >> 32) == self->step) return true; /* dpst.C2 */
    if (write) return false;
    if ((uint32_t)steps == self->step || (uint32_t)(rest >> 32) == self->step) return true;
    return svs__check_is_steady(self, cell, steps, rest);
}

/* svs__check_is_known() for bytes of one block: its lower half, its upper half, or both as a
 * whole. */
static inline bool svs__check_knows_block(const svs__check_thread *self, svs__cell *cell, bool low,
                                          bool high, bool write) {
    /* acquire, here and below, in this order: an unchanged `rest` shows that `steps` belongs to it
     * (dpst.C3). Pairs with svs__wide_change(). */
    uint64_t rest = svs__load_acquire(&cell->second);
    uint64_t steps = svs__load_acquire(&cell->first);
    if ((uint8_t)rest != SVS__CELL_WHOLE) {
        if ((uint8_t)rest != SVS__CELL_LOW || (low && high)) return false;
        if (high) {
            cell += SVS__LEAF_CELLS;
            rest = svs__load_acquire(&cell->second);
            steps = svs__load_acquire(&cell->first);
            if ((uint8_t)rest != SVS__CELL_HIGH) return false;
        }
    }
    return svs__check_is_known(self, cell, steps, rest, write);
}

/* The kind of an access of 1, 2, 4, 8 or 16 bytes. */
static inline uint32_t svs__kind(size_t bytes, bool write) {
    return (uint32_t)__builtin_ctzll(bytes) << 1 | write;
}
static inline bool svs__has_kind(size_t bytes) {
    return bytes - 1 < 16 && (bytes & (bytes - 1)) == 0;
}

/* The key of an access: its frame, its place and its kind, which are added. Two places that share a
 * stream are further apart than any kind; two places in one frame are less than 4 GiB apart. */
static inline uint64_t svs__stream_key(const svs__check_thread *self, const void *pc,
                                       uint32_t kind) {
    return self->frame_high | (uint32_t)((uint32_t)(uintptr_t)pc + kind);
}

/* The stream of a place in the program. Two call sites within 512 bytes of code get different
 * streams: a call and the set-up of its argument take at least eight bytes. */
static inline svs__access_stream *svs__stream_of(svs__check_thread *self, const void *pc) {
    uintptr_t index = (uintptr_t)pc & ((uintptr_t)SVS__STREAMS - 1) * 8;
    SVS__ONE_REGISTER(index);
    SVS__ONE_REGISTER(self);
    return (svs__access_stream *)(void *)((char *)self->streams +
                                          index * (sizeof(svs__access_stream) / 8));
}
static_assert(sizeof(svs__access_stream) == 32, "a stream's place is found by masks");

/* @return the cell of the block that contains the address; NULL: the block has none. Cells are read
 * from the strip down (shadow.h, dpst.H4). */
static inline svs__cell *svs__check_block_of(uintptr_t at) {
    uintptr_t in = at % SVS__LEAF_BYTES;
    svs__cell *leaf;
    if (at >> SVS__ADDRESS_BITS != 0) return NULL;
    /* acquire: sees the mapped leaf; pairs with make_leaf(). */
    leaf = svs__load_acquire((_Atomic(svs__cell *) *)&svs__shadow_leaves[at >> SVS__LEAF_SHIFT]);
    if (leaf == NULL) return NULL;
    /* acquire: sees the cells below the strip as they were when it was divided. */
    if ((uint8_t)svs__load_acquire(&leaf[SVS__LEAF_STRIPS + in / 512].second) != SVS__CELL_DIVIDED)
        return NULL;
    return leaf + in / 8;
}

/* Has the step made this access before, as far as the cell of its block tells, or the cells of two
 * that it covers? */
static inline bool svs__check_is_repeated(const svs__check_thread *self, uintptr_t at, size_t bytes,
                                          bool write) {
    bool two = bytes == 16 && at % 8 == 0 && at % 512 <= 512 - 16;
    svs__cell *cell;
    if (!two && (bytes > 8 || at % 8 + bytes > 8)) return false;
    cell = svs__check_block_of(at);
    if (cell == NULL) return false;
    if (two && !svs__check_knows_block(self, cell++, true, true, write)) return false;
    return svs__check_knows_block(self, cell, at % 8 < 4, two || at % 8 + bytes > 4, write);
}

/* Handles an access that does not continue a stream. */
static inline void svs__check_alone(svs__check_thread *self, const void *address, size_t bytes,
                                    bool write, const void *pc) {
    if (self->step == 0) return;
    self->accesses++;
    if (!svs__check_is_repeated(self, (uintptr_t)address, bytes, write))
        svs__check_slow(address, bytes, write, pc);
}

/* Adds the access to its stream, if it begins where the stream has ended. @return whether it
 * does. */
static inline bool svs__check_streams(svs__check_thread *self, const void *address, size_t bytes,
                                      bool write, const void *pc) {
    uintptr_t at = (uintptr_t)address;
    svs__access_stream *stream = svs__stream_of(self, pc);
    uint64_t key = svs__stream_key(self, pc, svs__kind(bytes, write));
    if (!SVS__LIKELY(stream->key == key && stream->next == at)) return false;
    stream->next = at + bytes; /* the accesses of a stream are counted when it ends */
    return true;
}

/* Checks an access of the calling thread to the `bytes` bytes that begin at `address`. */
static inline void svs__check_access(const void *address, size_t bytes, bool write,
                                     const void *pc) {
    svs__check_thread *self = svs__check_self;
    if (!svs__has_kind(bytes) || !svs__check_streams(self, address, bytes, write, pc))
        svs__check_alone(self, address, bytes, write, pc);
}

#endif
