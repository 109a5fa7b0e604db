/* Call stacks as one number: the depot of the instrumentation (docs/race-check.md).
 *
 * A frame is a node of the tree of all call stacks seen so far. Its parent is the frame of the
 * caller; its `pc` is the caller's return address. A thread's call stack is the number of its
 * innermost frame, so a body that moves to another thread takes its stack along as one number, and
 * an access record stores it in 4 bytes.
 *
 *     frame = svs__frame_child(frame, pc);     // a function begins
 *     frame = svs__frame_parent(frame);        // it returns
 *
 * Frame 0 is the empty stack. There are at most SVS__FRAMES frames. When the depot is full,
 * svs__frame_child() returns 0 and callers count the levels that were lost; a report shows the
 * stack up to there.
 *
 * dpst.Y1. A frame never changes once its number is published, except `recent`, which is a hint.
 *     Two frames with one parent and one pc are the same frame. (not asserted: svs::check does not
 *     link the library's assertions; unit_dpst_report_reports)
 *
 * operation  by   progress                                       order
 * child      any  wait-free when recent; else lock-free          acquire; its insert release
 * parent     any  wait-free                                      none needed (dpst.Y1) */
#ifndef SVS_DPST_REPORT_FRAMES_H
#define SVS_DPST_REPORT_FRAMES_H

#include "base/atomic.h"

#define SVS__FRAMES (UINT32_C(1) << 20)

typedef struct svs__frame {
    uintptr_t pc;
    uint32_t parent;
    uint32_t next;               /* next frame in the same bucket */
    _Atomic(uint32_t) recent[2]; /* numbers of two of its children; 0: none */
} svs__frame;

/* The table of all frames. Pages that no frame has used take no memory. */
extern svs__frame svs__frames[SVS__FRAMES];

/* The slow path, for a frame that is not in `recent`. @return 0 when the depot is full. */
uint32_t svs__frame_look_up(uint32_t parent, uintptr_t pc);

static inline uint32_t svs__frame_child(uint32_t parent, uintptr_t pc) {
    _Atomic(uint32_t) *recent = &svs__frames[parent].recent[(pc >> 2 ^ pc >> 5) & 1];
    /* acquire: sees the frame's pc; pairs with the release in svs__frame_look_up(). */
    uint32_t child = svs__load_acquire(recent);
    if (child != 0 && svs__frames[child].pc == pc) return child;
    return svs__frame_look_up(parent, pc);
}

static inline uint32_t svs__frame_parent(uint32_t frame) { return svs__frames[frame].parent; }

/* Writes the return addresses of a call stack, innermost first. @return the number of addresses, at
 * most `most`. */
uint32_t svs__frame_list(uint32_t frame, uintptr_t *pcs, uint32_t most);

#endif
