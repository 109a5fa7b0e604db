#include "sched/domain/queue/slabs.h"

#include <string.h>

#include "base/memory.h"

#define SLAB_BYTES 4096u /* of one for small items */
#define SLAB_FRONT ((sizeof(svs__slab) + 15) / 16 * 16)

static svs__slab *slab_new(const svs_allocator *allocator, size_t room) {
    size_t bytes = SLAB_FRONT + room > SLAB_BYTES ? SLAB_FRONT + room : SLAB_BYTES;
    svs__slab *slab = svs__allocate(allocator, bytes, SVS__BATCH_BYTES);
    if (!slab) return NULL;
    memset(slab, 0, sizeof *slab);
    slab->bytes = bytes;
    slab->used = SLAB_FRONT;
    return slab;
}

void *svs__slabs_item(svs__slab **slabs, const svs_allocator *allocator, svs_task *task,
                      size_t item_bytes) {
    size_t stride = item_bytes ? item_bytes : 1;
    size_t bytes = (svs__batch_bytes(stride, 1) + 15) / 16 * 16;
    svs__slab *slab = *slabs;
    svs__batch *batch;
    if (!slab || slab->bytes - slab->used < bytes) {
        slab = slab_new(allocator, bytes);
        if (!slab) return NULL;
        slab->next = *slabs;
        *slabs = slab;
    }
    batch = (svs__batch *)(void *)((char *)slab + slab->used);
    slab->used += bytes;
    svs__batch_init(batch, task, stride, 1);
    return svs__batch_item(batch, 0);
}

void svs__slabs_free(svs__slab *slabs, const svs_allocator *allocator) {
    while (slabs) {
        svs__slab *next = slabs->next;
        svs__release(allocator, slabs, slabs->bytes, SVS__BATCH_BYTES);
        slabs = next;
    }
}
