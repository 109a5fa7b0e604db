#include "sched/domain/queue/strip.h"

void svs__strip_open(svs__strip *strip, svs_task *to) {
    svs__batch *batch = to->inbox.last;
    SVS__ASSERT(!strip->to && svs__lock_is_held(&to->inbox.lock));
    if (!batch || to->inbox.lent || batch->generated || batch->count == batch->capacity) return;
    to->inbox.lent = batch;
    strip->to = to;
    strip->batch = batch;
    strip->next = svs__batch_item(batch, batch->count);
    strip->end = svs__batch_item(batch, batch->capacity);
    strip->sent = svs__batch_next_sent(batch);
    strip->number = batch->count;
    strip->item_size = (uint32_t)to->type->item_size;
    strip->item_bytes = batch->item_bytes;
    strip->from = NULL;
    strip->from_sent = NULL;
}

void svs__strip_begin(svs__strip *strip, const void *item, uint64_t seed, uint64_t count) {
    const svs__batch *batch = svs__batch_of(item);
    strip->from = item;
    strip->from_bytes = batch->item_bytes;
    strip->from_sent = svs__item_own_sent(item, &strip->from_end);
    svs__strip_count_from(strip, seed, count);
}

/* Counts the items of the strip in. The caller holds the inbox's lock. */
static void count_in(const svs__strip *strip, uint32_t count) {
    svs__batch *batch = strip->batch;
    /* relaxed is enough: as in svs_send(). */
    uint64_t before = svs__fetch_add_relaxed(&strip->to->lead->outstanding, count);
    SVS__ASSERT(before); /* sched.I13 */
    svs__batch_add_sent(batch, count);
    batch->count += count;
    (void)svs__inbox_let_take(&strip->to->inbox, count);
}

void svs__strip_close(svs__strip *strip) {
    svs__inbox *inbox = &strip->to->inbox;
    uint32_t count;
    svs__lock_acquire(&inbox->lock);
    SVS__ASSERT(inbox->lent == strip->batch); /* sched.I13, sched.I14 */
    count = strip->number - strip->batch->count;
    SVS__ASSERT(strip->number <= strip->batch->capacity); /* sched.I13 */
    if (count) count_in(strip, count);
    inbox->lent = NULL;
    svs__lock_release(&inbox->lock);
    strip->to = NULL;
    strip->next = strip->end = NULL;
}
