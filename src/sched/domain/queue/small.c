#include "sched/domain/queue/small.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "sched/domain/instance/common.h"

#define SMALL_BYTES 512u /* of a batch with its item */
_Static_assert(sizeof(svs__slab) <= SMALL_BYTES, "the head has the first place");

/* Carves a slab. Its head names no task (sched.I4). @return false: no memory. */
static bool add_slab(svs__common *common) {
    const svs_allocator *allocator = common->world->allocator;
    svs__slab *slab = svs__allocate(allocator, SVS__BATCH_BYTES, SVS__BATCH_BYTES);
    if (!slab) return false;
    memset(slab, 0, sizeof *slab);
    slab->bytes = SVS__BATCH_BYTES;
    for (uint32_t at = SMALL_BYTES; at < SVS__BATCH_BYTES; at += SMALL_BYTES)
        svs__common_give(common, &common->small, (svs__block *)(void *)((char *)slab + at));
    svs__common_give_slab(common, slab);
    return true;
}

svs__batch *svs__small_new(svs_task *task) {
    size_t stride = svs__task_stride(task->type);
    svs__common *common;
    svs__block *block;
    if (svs__batch_bytes(stride, 1) > SMALL_BYTES) return NULL;
    common = svs__common_of(task->world);
    if (!common) return NULL;
    while ((block = svs__common_take(common, &common->small)) == NULL)
        if (!add_slab(common)) return NULL;
    svs__batch_init((svs__batch *)(void *)block, task, stride, 1);
    return (svs__batch *)(void *)block;
}

void svs__small_free(svs__batch *batch) {
    svs__common *common = svs__common_of(batch->task->world);
    SVS__ASSERT(common && svs__batch_is_small(batch));
    svs__common_give(common, &common->small, (svs__block *)(void *)batch);
}

static void put_in_place(svs__inbox *inbox, const svs__batch *batch, svs__batch *by) {
    svs__batch **at = &inbox->first;
    while (*at != batch) at = &(*at)->next;
    *at = by;
    inbox->last = by;
}

void svs__small_replace(svs__inbox *inbox, svs__batch *by) {
    svs__batch *small = svs__small_waiting(inbox);
    SVS__ASSERT(small && !small->next && small->count == 1); /* sched.I12 */
    memcpy(svs__batch_item(by, 0), svs__batch_item(small, 0), small->item_bytes);
    svs__batch_note_sent(by, 0, svs__item_seed(svs__batch_item(small, 0)));
    by->count = 1;
    put_in_place(inbox, small, by);
    svs__small_free(small);
}
