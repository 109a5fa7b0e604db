#include "sched/domain/queue/strip.h"

void svs__strip_open(svs__strip *strip, svs_task *to) {
    svs__inbox *inbox = &to->inbox;
    svs__batch *batch = inbox->last;
    uint32_t room;
    SVS__ASSERT(!strip->to && svs__lock_is_held(&inbox->lock));
    if (!batch || inbox->lent || batch->generated || batch->count == batch->capacity) return;
    room = batch->capacity - batch->count;
    if (room > strip->most) room = strip->most;
    inbox->lent = batch;
    /* relaxed is enough, here and below: it is a hint */
    svs__store_relaxed(&inbox->is_lent_to_body, strip->of_body);
    strip->to = to;
    strip->batch = batch;
    strip->next = svs__batch_item(batch, batch->count);
    strip->end = svs__batch_item(batch, batch->count + room);
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

bool svs__strip_write_some(svs__strip *strip, const void *items, size_t count) {
    const char *item = items;
    if (count > (size_t)(strip->end - strip->next) / strip->item_bytes) return false;
    /* relaxed is enough for both: as in svs__strip_write() */
    svs__store_relaxed(&strip->sent->seed, strip->seed);
    svs__store_relaxed(&strip->sent->first, strip->number);
    strip->sent++;
    strip->seed += count;
    strip->number += (uint32_t)count;
    if (strip->item_size == strip->item_bytes) {
        memcpy(strip->next, item, count * strip->item_size);
        strip->next += count * strip->item_size;
        return true;
    }
    for (; count; count--, item += strip->item_size, strip->next += strip->item_bytes)
        memcpy(strip->next, item, strip->item_size);
    return true;
}

/* Counts the items of the strip in. The caller holds the inbox's lock. @return whether no other
 * items wait. */
static bool count_in(const svs__strip *strip, uint32_t count) {
    svs__batch *batch = strip->batch;
    /* relaxed is enough: as in svs_send(). */
    uint64_t before = svs__fetch_add_relaxed(&strip->to->lead->outstanding, count);
    SVS__ASSERT(before); /* sched.I13 */
    svs__batch_add_sent(batch, (uint32_t)(strip->sent - svs__batch_next_sent(batch)));
    batch->count += count;
    return svs__inbox_let_take(&strip->to->inbox, count);
}

uint32_t svs__strip_close(svs__strip *strip, bool *alone) {
    svs__inbox *inbox = &strip->to->inbox;
    uint32_t count;
    svs__lock_acquire(&inbox->lock);
    SVS__ASSERT(inbox->lent == strip->batch); /* sched.I13, sched.I14 */
    count = strip->number - strip->batch->count;
    SVS__ASSERT(strip->number <= strip->batch->capacity); /* sched.I13 */
    if (count) *alone = count_in(strip, count);
    inbox->lent = NULL;
    svs__store_relaxed(&inbox->is_lent_to_body, 0);
    svs__lock_release(&inbox->lock);
    strip->to = NULL;
    strip->next = strip->end = NULL;
    return count;
}
