#include "dpst/report/frames.h"

#define BUCKETS (UINT32_C(1) << 17)

svs__frame svs__frames[SVS__FRAMES];

static _Atomic(uint32_t) buckets[BUCKETS]; /* number of the newest frame of each bucket; 0: none */
static _Atomic(uint32_t) made = 1;         /* frame 0 exists from the start */

static _Atomic(uint32_t) *bucket_of(uint32_t parent, uintptr_t pc) {
    uint64_t key = ((uint64_t)pc ^ (uint64_t)parent << 40 ^ parent) * UINT64_C(0x9E3779B97F4A7C15);
    return &buckets[key >> 47];
}

/* Searches the part of a bucket that begins with frame `from` and ends before `end`. */
static uint32_t find(uint32_t from, uint32_t end, uint32_t parent, uintptr_t pc) {
    for (; from != end; from = svs__frames[from].next)
        if (svs__frames[from].pc == pc && svs__frames[from].parent == parent) return from;
    return 0;
}

static uint32_t make(uint32_t parent, uintptr_t pc) {
    uint32_t frame;
    /* relaxed: the number only has to be unique; the insert publishes the frame. The count of a
     * full depot stays as it is, so it cannot overflow. */
    if (svs__load_relaxed(&made) >= SVS__FRAMES) return 0;
    frame = svs__fetch_add_relaxed(&made, 1);
    if (frame >= SVS__FRAMES) return 0;
    svs__frames[frame].pc = pc;
    svs__frames[frame].parent = parent;
    return frame;
}

static void remember(uint32_t parent, uintptr_t pc, uint32_t frame) {
    /* release: a thread that tries this frame first reads its pc; pairs with svs__frame_child(). */
    svs__store_release(&svs__frames[parent].recent[(pc >> 2 ^ pc >> 5) & 1], frame);
}

uint32_t svs__frame_look_up(uint32_t parent, uintptr_t pc) {
    _Atomic(uint32_t) *bucket = bucket_of(parent, pc);
    /* acquire: sees the frames in the bucket; pairs with the insert below. */
    uint32_t first = svs__load_acquire(bucket), looked = 0, frame = find(first, 0, parent, pc);
    if (frame == 0) {
        uint32_t fresh = make(parent, pc);
        if (fresh == 0) return 0;
        do {
            /* dpst.Y1: searches the frames that other threads have inserted since the last search.
             * If one of them is the frame, the fresh one stays unused. */
            frame = find(first, looked, parent, pc);
            if (frame != 0) break;
            looked = first;
            svs__frames[fresh].next = first;
            /* release: publishes the frame; acquire: reads frames that others have inserted before
             * it. */
        } while (!svs__cas_strong_acq_rel(bucket, &first, fresh));
        if (frame == 0) frame = fresh;
    }
    remember(parent, pc, frame);
    return frame;
}

uint32_t svs__frame_list(uint32_t frame, uintptr_t *pcs, uint32_t most) {
    uint32_t count = 0;
    for (; frame != 0 && count < most; frame = svs__frames[frame].parent)
        pcs[count++] = svs__frames[frame].pc;
    return count;
}
