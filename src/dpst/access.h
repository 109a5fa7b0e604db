/* What instrumented code calls for each access: the part of a check that has to be quick.
 *
 *     svs__check_access(address, 8, false, __builtin_return_address(0));
 *
 * Most accesses go on where the one before at the same place in the program was: they are one
 * stream, which is looked at as a whole when it ends. Most others are repetitions: the step has
 * made one of the kind before, or what it would find is what it found a moment ago. All this is
 * seen here, inline; the rest is svs__check_slow().
 *
 * The shadow of eight aligned bytes is a cell: the steps that wrote it last and that read it since
 * (shadow.h). A leaf of the shadow covers SVS__LEAF_BYTES of memory.
 *
 * C1. `step` is 0 when the thread runs nothing that is checked, SVS__STEP_NEW when the step that it
 *     runs has not touched anything and so has no number yet. Neither is ever in a cell beside
 *     the empty reader, so that one comparison is enough.
 * C2. A step that stands in a cell as the writer has made any access to it; one that stands there
 *     as a reader has read it. What stood there once need not be registered again, whatever stands
 *     there now (SPD3: what replaces it is as good a witness).
 * C3. `steady_*` is the contents of a cell for which a read by this step was found to be no race
 *     and to change nothing. It is compared with a cell that did not change meanwhile: its version
 *     is the same before and after.
 * C4. A stream stands for accesses that its step has made and that nobody has compared yet: it is
 *     compared before the step ends, before the thread leaves the task, before any memory
 *     begins or ends its life, and before the thread reports what was found, as the process ends.
 *     No order is lost: what is beside the step may be compared before or after it, and what is
 *     behind it comes after its end.
 * C5. What `read` and `written` say, the step has compared as a whole: C2 says that it need not do
 *     so again. They are forgotten with the end of streams (C4).
 * C6. `svs__check_self` is never NULL. It names the thread's own block (svs::check gives one to
 *     each thread that enters an instrumented function), else the block of the worker that the
 *     thread is while it runs a checked task, else svs__check_absent. That one is read-only: it has
 *     no task, no step, no stream and no stack, so no access stores there, and its `frames_lost`
 *     takes function entries off their fast path.
 * C7. The library's static TLS is a pointer and not the block: a process that loads the library at
 *     run time has little room for static TLS (tests/loading/tls.cmake).
 *
 * Threads: any; each looks at what is its own. */
#ifndef SVS_DPST_ACCESS_H
#define SVS_DPST_ACCESS_H

#include "base/check.h"
#include "base/platform.h"
#include "base/wide.h"
#include <assert.h>
#include <svs/status.h>

/* first: writer << 32 | first reader; second: second reader << 32 | version << 8 | extent. */
typedef svs__wide_shared svs__cell;

/* What a cell stands for. */
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
    SVS__CELL_DIVIDED = 0x05,         /* of a line or a strip, when each eighth has a cell */
    SVS__CELL_DEAD = 0x02,            /* of the second half, when each byte has a cell */
    SVS__CELL_LOCKED = SVS__WIDE_BUSY /* somebody is dividing it */
};

#define SVS__LEAF_SHIFT 22
#define SVS__LEAF_BYTES ((uintptr_t)1 << SVS__LEAF_SHIFT)
#define SVS__LEAF_CELLS (SVS__LEAF_BYTES / 8)
/* The leaf's cells of 64 bytes, and of 512, are behind those of eight, of halves and of bytes. */
#define SVS__LEAF_LINES (10 * SVS__LEAF_CELLS)
#define SVS__LEAF_STRIPS (SVS__LEAF_LINES + SVS__LEAF_CELLS / 8)
#define SVS__ADDRESS_BITS 47
#define SVS__STEP_NEW UINT32_MAX

/* Accesses of one place in the program, each where the one before ended. */
typedef struct svs__stream {
    uint64_t key;         /* svs__stream_key() */
    uintptr_t from, next; /* the bytes; next is 0 when there is no stream */
    uint32_t seen;        /* of `next`, when another stream wanted its place */
    uint16_t pc_high;     /* what the key does not have of the place */
    uint8_t kind;
} svs__stream;
#define SVS__STREAMS 64u

/* Some ranges of bytes (C5). */
typedef struct svs__span {
    uintptr_t from, end;
} svs__span;
#define SVS__COVERED 4u
#define SVS__COVERED_LEAST 128u /* bytes; what is shorter is as quickly looked up in the shadow */
typedef struct svs__cover {
    svs__span ranges[SVS__COVERED];
    uint32_t made; /* so many in all; the last ones are kept */
} svs__cover;

/* The state of a thread that runs a checked task. */
typedef struct svs__check_thread {
    _Alignas(SVS__CACHE_LINE) union {
        struct {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            uint32_t nothing, frame;
#else
            uint32_t frame, nothing;
#endif
        }; /* frame: the calls that led here, a number of the instrumentation's own: what is here
              is the task's, on whatever thread it goes on; 0 when it begins */
        uint64_t frame_high; /* as keys have it */
    };
    uint32_t step;      /* C1 */
    uint32_t ignored;   /* not 0: `step` is 0 on purpose */
    uint32_t kept_step; /* then it goes on as this one */
    uint64_t accesses;
    uint64_t steady_steps; /* C3 */
    uint32_t steady_reader;
    _Alignas(SVS__CACHE_LINE) svs__stream streams[SVS__STREAMS]; /* two a line */
    uint32_t frames_lost;                  /* also the task's; SVS__FRAMES_ABSENT: C6 */
    uint32_t home_frame, home_frames_lost; /* the thread's own, while it runs a task */
    const char *stack_low; /* the lowest address of the machine's stack that the task has used */
    struct svs__check_task *task;   /* NULL: none that is checked */
    struct svs__instance *instance; /* of a graph, that the task belongs to; or NULL */
    bool linking;                   /* the access is svs_link()'s */
    struct svs__check_worker *worker;
    uint64_t streaming;       /* which streams there are */
    svs__cover read, written; /* C5 */
} svs__check_thread;

#if defined(__GNUC__)
#define SVS__TLS_NEAR __attribute__((tls_model("initial-exec")))
/* Compilers would work a thread's pointer out again for each member. */
#define SVS__ONE_REGISTER(pointer) __asm__("" : "+r"(pointer))
#else
#define SVS__TLS_NEAR
#define SVS__ONE_REGISTER(pointer) ((void)0)
#endif

#define SVS__FRAMES_ABSENT UINT32_MAX

SVS_API extern _Thread_local svs__check_thread *svs__check_self SVS__TLS_NEAR; /* C6 */

/* Has the thread no block? (C6) */
static inline bool svs__check_is_absent(const svs__check_thread *self) {
    return self->frames_lost == SVS__FRAMES_ABSENT;
}

/* Of a thread, also of one without a block (access.h, C6). */
typedef struct svs__check_marks_of {
    bool aside;      /* it allocates for the check, which is not told of its own memory */
    bool library;    /* it allocates for the library: by no step (svs__check_taken()) */
    uint64_t number; /* no other thread has ever had it; 0: none yet (root.c) */
} svs__check_marks_of;
extern _Thread_local svs__check_marks_of svs__check_marks;

/* The leaves' first cells, by address >> SVS__LEAF_SHIFT. Never NULL while anything is checked. */
SVS_API extern svs__cell **svs__shadow_leaves;

/* Everything that is neither: a stream may begin with it. */
SVS_API void svs__check_slow(const void *address, size_t bytes, bool write, const void *pc);

/* An atomic access: `write` unless it only reads, or might only read (atomics.h). */
SVS_API void svs__check_atomic(const volatile void *address, size_t bytes, bool write,
                               const void *pc);

/* These bytes begin a new life, before the caller hands them on: of what was accessed there nothing
 * is known any more. Also by a thread that runs no task, as long as any run is going on. */
SVS_API void svs__check_allocated(const void *block, size_t bytes);
/* The same of a block of the heap. All that uses it is behind its allocation, which counts as a
 * write by the running step, unless the block is the library's own: its records and arguments hand
 * memory from one task on to another. */
SVS_API void svs__check_taken(const void *block, size_t bytes, const void *pc);
/* A block of the heap ends, before any other thread can get it: as if it were written. */
SVS_API void svs__check_freed(const void *block, size_t bytes, const void *pc);

/* What the calling thread's streams stand for is compared now (C4): before a report. */
SVS_API void svs__check_settle(void);
/* Nothing is put off as part of a stream from here on: for programs that crash. While nothing
 * runs. */
SVS_API void svs__check_put_nothing_off(void);

/* At each entry of a function: how far the stack goes down. */
static inline void svs__check_stack_low(const void *sp) {
    svs__check_thread *self = svs__check_self;
    if ((const char *)sp < self->stack_low) self->stack_low = sp;
}

/* Is this read one that has just been made, to a cell with the same contents? (C3) */
static inline bool svs__check_is_steady(const svs__check_thread *self, svs__cell *cell,
                                        uint64_t steps, uint64_t rest) {
    return steps == self->steady_steps && (uint32_t)(rest >> 32) == self->steady_reader &&
           /* relaxed: after the acquire of `steps`. */
           svs__load_relaxed(&cell->second) == rest;
}

/* Has the step that runs made this access before, if all of it is the cell's? */
static inline bool svs__check_is_known(const svs__check_thread *self, svs__cell *cell,
                                       uint64_t steps, uint64_t rest, bool write) {
    if ((uint32_t)(steps >> 32) == self->step) return true; /* C2 */
    if (write) return false;
    if ((uint32_t)steps == self->step || (uint32_t)(rest >> 32) == self->step) return true;
    return svs__check_is_steady(self, cell, steps, rest);
}

/* The same of bytes of one block: of its lower half, of its upper half, or of both as a whole. */
static inline bool svs__check_knows_block(const svs__check_thread *self, svs__cell *cell, bool low,
                                          bool high, bool write) {
    /* acquire, all: in this order, so that a `rest` that is still the same says that `steps`
     * belongs to it (C3); pairs with svs__wide_change(). */
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

/* What an access does, of 1, 2, 4, 8 or 16 bytes. */
static inline uint32_t svs__kind(size_t bytes, bool write) {
    return (uint32_t)__builtin_ctzll(bytes) << 1 | write;
}
static inline bool svs__has_kind(size_t bytes) {
    return bytes - 1 < 16 && (bytes & (bytes - 1)) == 0;
}

/* An access by its frame, place and kind: the kind is less than two places are apart that share a
 * stream. In one frame no two places are 4 GiB apart. */
static inline uint64_t svs__stream_key(const svs__check_thread *self, const void *pc,
                                       uint32_t kind) {
    return self->frame_high | (uint32_t)((uint32_t)(uintptr_t)pc + kind);
}

/* No two places within 512 bytes of a program have the same: between two of them are a call and
 * what gets its argument ready, eight bytes at least. */
static inline svs__stream *svs__stream_of(svs__check_thread *self, const void *pc) {
    uintptr_t index = (uintptr_t)pc & ((uintptr_t)SVS__STREAMS - 1) * 8;
    SVS__ONE_REGISTER(index);
    SVS__ONE_REGISTER(self);
    return (svs__stream *)(void *)((char *)self->streams + index * (sizeof(svs__stream) / 8));
}
static_assert(sizeof(svs__stream) == 32, "a stream's place is found by masks");

/* The cell of the block that the address is in, if there is one. From the strip down: shadow.h,
 * H4. */
static inline svs__cell *svs__check_block_of(uintptr_t at) {
    uintptr_t in = at % SVS__LEAF_BYTES;
    svs__cell *leaf;
    if (at >> SVS__ADDRESS_BITS != 0) return NULL;
    /* acquire: of the mapped leaf; pairs with make_leaf(). */
    leaf = svs__load_acquire((_Atomic(svs__cell *) *)&svs__shadow_leaves[at >> SVS__LEAF_SHIFT]);
    if (leaf == NULL) return NULL;
    /* acquire: the cells below, as they were when it was divided. */
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

/* An access that does not go on where its stream ended. */
static inline void svs__check_alone(svs__check_thread *self, const void *address, size_t bytes,
                                    bool write, const void *pc) {
    if (self->step == 0) return;
    self->accesses++;
    if (!svs__check_is_repeated(self, (uintptr_t)address, bytes, write))
        svs__check_slow(address, bytes, write, pc);
}

/* Does the access go on where its stream ended? Then that is all. */
static inline bool svs__check_streams(svs__check_thread *self, const void *address, size_t bytes,
                                      bool write, const void *pc) {
    uintptr_t at = (uintptr_t)address;
    svs__stream *stream = svs__stream_of(self, pc);
    uint64_t key = svs__stream_key(self, pc, svs__kind(bytes, write));
    if (!SVS__LIKELY(stream->key == key && stream->next == at)) return false;
    stream->next = at + bytes; /* counted when it ends */
    return true;
}

/* The calling thread accesses `bytes` from `address` on. */
static inline void svs__check_access(const void *address, size_t bytes, bool write,
                                     const void *pc) {
    svs__check_thread *self = svs__check_self;
    if (!svs__has_kind(bytes) || !svs__check_streams(self, address, bytes, write, pc))
        svs__check_alone(self, address, bytes, write, pc);
}

#endif
