/* A strip: the places after the last item of an inbox, lent to a worker in a serial run. A body
 * that sends to its own domain then stores its item there, without a lock or an atomic operation.
 *
 *     svs__strip_open(strip, task);              under the inbox's lock, after a send: once a piece
 *     svs__strip_begin(strip, sender, seed, 0);  before the first send of each body
 *     svs__strip_write(strip, item);             a send
 *     svs__strip_close(strip);                   at the end of the piece: the items wait
 *
 *   sched.I13 one strip at most is open in an inbox, on its last batch, `lent`. This batch has no
 *       room for others, and does not leave the inbox, until the strip is closed. Its items are not
 *       counted before, in the batch, in `waiting` or in `outstanding`; the senders' own instances
 *       keep the task from ending meanwhile (sched.T2), because a serial run retires them after
 *       the strip is closed. No other worker could run the items earlier: the serial run has the
 *       stage;
 *   sched.I14 an inbox that is emptied while a strip is open keeps its batch, of which all counted
 *       items are taken. The items of the strip are dropped with later ones, after it is closed.
 *
 * Threads: the worker's, in a body of its own whose asyncs have ended. */
#ifndef SVS_SCHED_DOMAIN_QUEUE_STRIP_H
#define SVS_SCHED_DOMAIN_QUEUE_STRIP_H

#include <string.h>

#include "sched/domain/task.h"

typedef struct svs__strip {
    svs_task *to; /* the task whose inbox it is open in; NULL: it is closed */
    svs__batch *batch;
    char *next, *end; /* the places that are left; a closed one has none */
    svs__sent *sent;  /* what is noted of the next item */
    uint32_t number;  /* of the next item in its batch */
    uint32_t item_size, item_bytes;
    uint32_t from_bytes; /* the distance of two items in the batch of the senders */
    const char *from;    /* the item of the last sender, or NULL */
    /* what is noted of it, if it was a send of its own, or NULL; and the end of what its batch had
     * noted */
    const svs__sent *from_sent, *from_end;
    uint64_t seed; /* the seed of the next item that it sends, */
    uint64_t base; /* less the count of all that it has sent */
} svs__strip;

/* Opens it, if the last batch has room. Called under the inbox's lock. */
void svs__strip_open(svs__strip *strip, svs_task *to);

/* Makes its items available. */
void svs__strip_close(svs__strip *strip);

/* Whether an item of this task can be written. */
static inline bool svs__strip_takes(const svs__strip *strip, const svs_task *to, size_t item_size) {
    return strip->to == to && strip->item_size == item_size && strip->next != strip->end;
}

/* An instance with this seed sends, which has sent `count` items before. */
static inline void svs__strip_count_from(svs__strip *strip, uint64_t seed, uint64_t count) {
    strip->base = svs__order_seed(svs__order_of(seed), 0);
    strip->seed = strip->base + count;
}
/* The same, for any item. */
void svs__strip_begin(svs__strip *strip, const void *item, uint64_t seed, uint64_t count);

/* The same for an item that follows the last sender in its batch, if each of them was a send of its
 * own: as a rule. @return whether it does. */
static inline bool svs__strip_goes_on(svs__strip *strip, const char *item, uint64_t count) {
    const svs__sent *sent = strip->from_sent;
    if (!sent || item != strip->from + strip->from_bytes || sent + 1 == strip->from_end ||
        svs__load_relaxed(&sent[1].first) != svs__load_relaxed(&sent->first) + 1)
        return false;
    strip->from = item;
    strip->from_sent = sent + 1;
    svs__strip_count_from(strip, svs__load_relaxed(&sent[1].seed), count);
    return true;
}

/* No call of a function: a sender has no registers to save then. */
static inline void svs__strip_copy(char *to, const char *item, uint32_t size) {
    uint32_t at = 0;
    if (SVS__LIKELY(size == 8)) {
        memcpy(to, item, 8);
        return;
    }
    for (; at + 8 <= size; at += 8) memcpy(to + at, item + at, 8);
    for (; at < size; at++) to[at] = item[at];
}

/* The next item of the sender. */
static inline void svs__strip_write(svs__strip *strip, const void *item) {
    svs__sent *sent = strip->sent;
    char *to = strip->next;
    /* relaxed, both: published by the count of sends, as the strip is closed. */
    svs__store_relaxed(&sent->seed, strip->seed++);
    svs__store_relaxed(&sent->first, strip->number++);
    strip->sent = sent + 1;
    strip->next = to + strip->item_bytes;
    svs__strip_copy(to, item, strip->item_size);
}

#endif
