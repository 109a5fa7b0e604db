#include "sched/domain/queue/record.h"

#include <string.h>

#include "base/memory.h"

/* ---- places ---- */

static size_t even(size_t bytes) { return (bytes + 7) / 8 * 8; }

size_t svs__batch_bytes(size_t item_bytes, uint32_t capacity) {
    return even(SVS__BATCH_FRONT + capacity * (item_bytes + 1)) +
           capacity * (sizeof(svs__sent) + sizeof(svs__record));
}

/* number of instances that are checked together; larger capacities are multiples of it, so that no
 * batch ends within such a group */
#define TOGETHER 64u

uint32_t svs__batch_capacity(size_t item_bytes) {
    size_t room = SVS__BATCH_BYTES - SVS__BATCH_FRONT - 32, /* 16: of malloc */
        each = item_bytes + 1 + sizeof(svs__sent) + sizeof(svs__record);
    uint32_t capacity = (uint32_t)(room / each);
    if (capacity > TOGETHER) capacity -= capacity % TOGETHER;
    return capacity ? capacity : 1;
}

static uint8_t *has_record(svs__batch *batch) { return (uint8_t *)batch + batch->at_has_record; }

static svs__sent *sent_of(const svs__batch *batch) {
    return (svs__sent *)(void *)((char *)(uintptr_t)batch + batch->at_sent);
}

static svs__record *records_of(svs__batch *batch) {
    return (svs__record *)(void *)((char *)batch + batch->at_records);
}

static uint32_t number_of(const svs__batch *batch, const void *item) {
    size_t at = (size_t)((const char *)item - (const char *)batch) - SVS__BATCH_FRONT;
    SVS__ASSERT(at == 0 || (at % batch->item_bytes == 0 && /* sched.I4 */
                            at / batch->item_bytes < batch->capacity));
    return at ? (uint32_t)at / batch->item_bytes : 0;
}

void svs__batch_init(svs__batch *batch, svs_task *task, size_t item_bytes, uint32_t capacity) {
    memset(batch, 0, sizeof *batch);
    batch->capacity = capacity;
    batch->item_bytes = (uint32_t)item_bytes;
    batch->at_has_record = (uint32_t)(SVS__BATCH_FRONT + capacity * item_bytes);
    batch->at_sent = (uint32_t)even(batch->at_has_record + capacity);
    batch->at_records = batch->at_sent + capacity * (uint32_t)sizeof(svs__sent);
    batch->task = task;
    svs__batch_clear(batch);
}

void svs__batch_clear(svs__batch *batch) {
    batch->next = NULL;
    batch->generated = NULL;
    batch->count = batch->taken = 0;
    /* relaxed is enough for both: the inbox's lock publishes the batch. */
    svs__store_relaxed(&batch->live, batch->capacity + 1);
    svs__store_relaxed(&batch->sent_count, 0);
    memset(has_record(batch), 0, batch->capacity);
}

/* ---- orders ---- */

void svs__batch_note_sent(svs__batch *batch, uint32_t at, uint64_t seed) {
    /* relaxed is enough: only the caller changes it */
    uint32_t count = svs__load_relaxed(&batch->sent_count);
    svs__sent *sent = sent_of(batch);
    if (count) { /* the send may continue the seeds of the last one */
        const svs__sent *last = &sent[count - 1];
        if (svs__load_relaxed(&last->seed) + (at - svs__load_relaxed(&last->first)) == seed) return;
    }
    SVS__ASSERT(count < batch->capacity);
    /* relaxed is enough for both: the count publishes them */
    svs__store_relaxed(&sent[count].seed, seed);
    svs__store_relaxed(&sent[count].first, at);
    /* release: pairs with the acquire in svs__item_seed(). */
    svs__store_release(&batch->sent_count, count + 1);
}

svs__sent *svs__batch_next_sent(svs__batch *batch) {
    /* relaxed is enough: only the caller changes it */
    return sent_of(batch) + svs__load_relaxed(&batch->sent_count);
}

void svs__batch_add_sent(svs__batch *batch, uint32_t count) {
    /* relaxed is enough: only the caller changes it */
    uint32_t before = svs__load_relaxed(&batch->sent_count);
    /* release: as in svs__batch_note_sent(). */
    svs__store_release(&batch->sent_count, before + count);
}

/* The index of the send, among `count`, to which the item with this number belongs: the last send
 * that begins at or before the item. */
static inline uint32_t send_of(const svs__sent *sent, uint32_t count, uint32_t number) {
    uint32_t from = 0;
    while (count - from > 1) {
        uint32_t mid = from + (count - from) / 2;
        if (svs__load_relaxed(&sent[mid].first) <= number) from = mid;
        else count = mid;
    }
    return from;
}

static uint32_t sends_of(const svs__batch *batch) {
    /* acquire: pairs with the release in svs__batch_note_sent(). */
    return svs__load_acquire(&((svs__batch *)(uintptr_t)batch)->sent_count);
}

static uint64_t seed_in(const svs__sent *sent, uint32_t number) {
    return svs__load_relaxed(&sent->seed) + (number - svs__load_relaxed(&sent->first));
}

uint64_t svs__item_seed(const void *item) {
    const svs__batch *batch = svs__batch_of(item);
    uint32_t number = number_of(batch, item), count = sends_of(batch);
    const svs__sent *sent = sent_of(batch);
    SVS__ASSERT(count); /* sched.I1: the item was put in */
    return seed_in(sent + send_of(sent, count, number), number);
}

/* Whether the item with this number belongs to the send with index `at`, among `count` sends. */
static inline bool is_of(const svs__sent *sent, uint32_t count, uint32_t at, uint32_t number) {
    return at < count && svs__load_relaxed(&sent[at].first) <= number &&
           (at + 1 == count || number < svs__load_relaxed(&sent[at + 1].first));
}

uint64_t svs__item_seed_near(const void *item, uint32_t *near) {
    const svs__batch *batch = svs__batch_of(item);
    uint32_t number = number_of(batch, item), count = sends_of(batch), at = *near;
    const svs__sent *sent = sent_of(batch);
    /* True if each item before this one was a send of its own, as the items of a strip are. */
    if (number < count && svs__load_relaxed(&sent[number].first) == number) at = number;
    else if (!is_of(sent, count, at, number) && !is_of(sent, count, ++at, number))
        at = send_of(sent, count, number);
    *near = at;
    SVS__ASSERT(is_of(sent, count, at, number)); /* sched.I1: it was put in before it was taken */
    return seed_in(sent + at, number);
}

const svs__sent *svs__item_own_sent(const void *item, const svs__sent **end) {
    const svs__batch *batch = svs__batch_of(item);
    uint32_t number = number_of(batch, item), count = sends_of(batch);
    const svs__sent *sent = sent_of(batch);
    *end = sent + count;
    return number < count && svs__load_relaxed(&sent[number].first) == number ? sent + number
                                                                              : NULL;
}

svs__seeds svs__item_seeds(const void *item) {
    svs__batch *batch = svs__batch_of(item);
    const svs__sent *sent = sent_of(batch);
    uint32_t count = sends_of(batch), at = send_of(sent, count, number_of(batch, item));
    /* relaxed is enough for all: the count publishes them. */
    uint32_t first = svs__load_relaxed(&sent[at].first);
    uint32_t end = at + 1 < count ? svs__load_relaxed(&sent[at + 1].first) : batch->capacity;
    SVS__ASSERT(count && first < end); /* sched.I1: it was put in before it was taken */
    return (svs__seeds){svs__batch_item(batch, first), svs__batch_item(batch, end),
                        svs__load_relaxed(&sent[at].seed), batch->item_bytes};
}

/* ---- records ---- */

static inline void make(svs__record *record, void *item) { *record = (svs__record){.item = item}; }

svs__record *svs__record_of(void *item) {
    svs__batch *batch = svs__batch_of(item);
    uint32_t number = number_of(batch, item);
    svs__record *record = records_of(batch) + number;
    if (!has_record(batch)[number]) make(record, item);
    has_record(batch)[number] = 1;
    SVS__ASSERT(record->item == item); /* sched.I5 */
    return record;
}

svs__record *svs__records_of_taken(void *first, uint32_t count) {
    svs__batch *batch = svs__batch_of(first);
    uint32_t number = batch->taken - count, bytes = batch->item_bytes;
    svs__record *records = records_of(batch) + number;
    uint8_t *has = has_record(batch) + number;
    char *item = first;
    SVS__ASSERT(count && number == number_of(batch, first)); /* sched.I1 */
    for (uint32_t i = 0; i < count; i++, item += bytes) {
        make(&records[i], item);
        has[i] = 1;
    }
    return records;
}
