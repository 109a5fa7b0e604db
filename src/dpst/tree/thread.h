/* The state of a thread that runs a checked task, which each access reads.
 *
 * dpst.C1. `step` is 0 while the thread runs no checked task, and SVS__STEP_NEW until its step
 *     makes an access and gets a number. No cell names SVS__STEP_NEW, and 0 in a cell means no
 *     step, so comparing `step` with a cell's numbers tells whether it names the running step.
 * dpst.C6. `svs__check_self` is never NULL. It points to the thread's own block (svs::check
 *     gives one to each thread that enters an instrumented function); else, while the thread runs a
 *     checked task, to the block of its worker; else to the absent block. That one is read-only: it
 *     has no task, no step, no stream and no stack, so no access stores there, and its
 *     `frames_lost` takes function entries off their fast path.
 * dpst.C7. The library's static TLS has a pointer to the block, because a process that loads the
 *     library at run time has little room for static TLS (tests/embed/tls.cmake).
 *
 * Threads: each uses its own. */
#ifndef SVS_DPST_TREE_THREAD_H
#define SVS_DPST_TREE_THREAD_H

#include "base/check.h"
#include "base/platform.h"
#include <svs/status.h>

#define SVS__STEP_NEW UINT32_MAX

/* Accesses of one place in the program, each where the one before ended. */
typedef struct svs__access_stream {
    uint64_t key;         /* svs__stream_key() */
    uintptr_t from, next; /* the bytes; next is 0 when there is no stream */
    uint32_t seen;        /* the value of `next` when another stream needed this entry */
    uint16_t pc_high;     /* the bits of the place that the key lacks */
    uint8_t kind;
} svs__access_stream;
#define SVS__STREAMS 64u

/* Some ranges of bytes (dpst.C5). */
typedef struct svs__span {
    uintptr_t from, end;
} svs__span;
#define SVS__COVERED 4u
/* in bytes; a shorter range is looked up in the shadow as quickly */
#define SVS__COVERED_LEAST 128u
typedef struct svs__cover {
    svs__span ranges[SVS__COVERED];
    uint32_t made; /* number of ranges ever added; the array keeps the last ones */
} svs__cover;

/* The state of a thread that runs a checked task. */
typedef struct svs__check_thread {
    _Alignas(SVS__CACHE_LINE) union {
        /* frame: the call stack that led here, as a number of the instrumentation. It belongs to
         * the task, on whatever thread the task continues; 0 when the task begins */
        struct {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            uint32_t nothing, frame;
#else
            uint32_t frame, nothing;
#endif
        };
        uint64_t frame_high; /* `frame` in the upper half, as in keys */
    };
    uint32_t step;      /* number of the running step (dpst.C1) */
    uint32_t ignored;   /* not 0: accesses are ignored, and `step` is 0 meanwhile */
    uint32_t kept_step; /* the step to continue with after that */
    uint64_t accesses;
    uint64_t steady_steps; /* contents of the cell of a recent read (dpst.C3) */
    uint32_t steady_reader;
    _Alignas(SVS__CACHE_LINE) svs__access_stream streams[SVS__STREAMS]; /* two in a cache line */
    /* number of calls for which the depot had no room; SVS__FRAMES_ABSENT: the thread has no block
     * (dpst.C6) */
    uint32_t frames_lost;
    /* `frame` and `frames_lost` of the thread itself, kept while it runs a task */
    uint32_t home_frame, home_frames_lost;
    const char *stack_low; /* the lowest address of the machine's stack that the task has used */
    struct svs__check_task *task;   /* NULL: the thread runs no checked task */
    struct svs__instance *instance; /* the instance of a graph that the task belongs to, or NULL */
    bool linking;                   /* the access is made by svs_link() */
    struct svs__check_worker *worker;
    uint64_t streaming;       /* set of the streams in use */
    svs__cover read, written; /* ranges that were compared as a whole (dpst.C5) */
} svs__check_thread;

#if defined(__GNUC__)
/* Keeps a pointer in one register: compilers would compute a thread's pointer again for each
 * member. */
#define SVS__ONE_REGISTER(pointer) __asm__("" : "+r"(pointer))
#else
#define SVS__ONE_REGISTER(pointer) ((void)0)
#endif

#define SVS__FRAMES_ABSENT UINT32_MAX

SVS_API extern _Thread_local svs__check_thread *svs__check_self SVS__TLS_NEAR; /* dpst.C6 */

/* Has the thread no block? (dpst.C6) */
static inline bool svs__check_is_absent(const svs__check_thread *self) {
    return self->frames_lost == SVS__FRAMES_ABSENT;
}

/* State of a thread, including threads without a block (dpst.C6). */
typedef struct svs__check_marks_of {
    bool aside; /* it allocates for the check itself, so the allocation is not checked */
    /* it allocates for the library: no step writes the block (svs__check_taken()) */
    bool library;
    uint64_t number; /* the thread's number, never reused; 0: none yet (root.c) */
} svs__check_marks_of;
extern _Thread_local svs__check_marks_of svs__check_marks;

/* Takes the block away from the calling thread (dpst.C6). */
void svs__check_thread_reset(void);

#endif
