/* A strip: the places after the last item of an inbox, lent to a worker. A body then stores the
 * items that it sends there, without a lock or an atomic operation.
 *
 *     svs__strip_open(strip, task);                  under the inbox's lock, after a send
 *     svs__strip_begin(strip, sender, seed, count);  before the first send of each body
 *     svs__strip_write(strip, item);                 a send of one item
 *     svs__strip_write_some(strip, items, count);    a send of several
 *     svs__strip_close(strip, &alone);               makes the items available
 *
 * A strip belongs either to one body, or to the bodies of a serial run that send to their own
 * domain. The former has a limited length, and is closed when the body ends at the latest; the
 * latter is closed at the end of the piece.
 *
 *   sched.I13 at most one strip is open in an inbox, on its last batch, `lent`. Until the strip is
 *       closed, this batch has no room for other items, and does not leave the inbox, and the items
 *       of the strip are counted neither in the batch nor in `waiting` nor in `outstanding`. The
 *       senders' own instances keep the task from ending until then (sched.T2), because they are
 *       retired after the strip is closed;
 *   sched.I14 an inbox that is emptied while a strip is open keeps its batch, of which all counted
 *       items are taken. The items of the strip are dropped with later ones, after it is closed;
 *   sched.I15 a strip keeps no item from other workers for long. They could run none of a serial
 *       run's earlier, because that has the stage. Those of a body's strip take at most
 *       SVS__KEPT_NS together, as far as their bodies were measured, and the strip is closed before
 *       the worker runs another body.
 *
 * Threads: only the worker to which the places are lent, in a body that it runs and whose asyncs
 * have ended. */
#ifndef SVS_SCHED_DOMAIN_QUEUE_STRIP_H
#define SVS_SCHED_DOMAIN_QUEUE_STRIP_H

#include <string.h>

#include "sched/domain/task.h"

#define SVS__KEPT_NS 16000u

typedef struct svs__strip {
    svs_task *to; /* the task in whose inbox the strip is open; NULL: it is closed */
    /* set before it is opened: the maximum number of its items; and whether it is of one body */
    uint32_t most;
    bool of_body;
    svs__batch *batch;
    /* the remaining places: they begin at `next` and end before `end`; a closed strip has none */
    char *next, *end;
    svs__sent *sent; /* the entry for the next item in `sent` of the batch */
    uint32_t number; /* number of the next item in its batch */
    uint32_t item_size, item_bytes;
    uint32_t from_bytes; /* the distance between two items in the batch of the senders */
    const char *from;    /* the item of the last sender, or NULL */
    /* the entry of that item in `sent` of its batch, if it was a send of its own, otherwise NULL;
     * and the end of the entries */
    const svs__sent *from_sent, *from_end;
    uint64_t seed; /* the seed of the next item that the sender sends */
    uint64_t base; /* `seed` minus the number of items that the sender has sent */
} svs__strip;

/* Opens the strip, if the last batch has room. The caller holds the inbox's lock. */
void svs__strip_open(svs__strip *strip, svs_task *to);

/* Closes the strip, and makes its items available. @return their number; if it is not 0, *alone
 * becomes whether no other items wait (sched.I10). */
uint32_t svs__strip_close(svs__strip *strip, bool *alone);

/* Whether an item for this task can be written into the strip. */
static inline bool svs__strip_takes(const svs__strip *strip, const svs_task *to, size_t item_size) {
    return strip->to == to && strip->item_size == item_size && strip->next != strip->end;
}

/* Sets the seed for the items of an instance that has this seed and has sent `count` items
 * before. */
static inline void svs__strip_count_from(svs__strip *strip, uint64_t seed, uint64_t count) {
    strip->base = svs__order_seed(svs__order_of(seed), 0);
    strip->seed = strip->base + count;
}
/* Begins the sends of the body to which the strip belongs. */
static inline void svs__strip_begin_of_body(svs__strip *strip, const void *item, uint64_t seed,
                                            uint64_t count) {
    strip->from = item;
    svs__strip_count_from(strip, seed, count);
}

/* Begins the sends of an instance, whose item may be any one. */
void svs__strip_begin(svs__strip *strip, const void *item, uint64_t seed, uint64_t count);

/* Begins the sends of an instance whose item follows that of the last sender in its batch, where
 * each of the two was a send of its own. This is the usual case. @return whether it is the case; if
 * not, nothing was done. */
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

/* Copies an item without a function call, so that the sender need not save registers. */
static inline void svs__strip_copy(char *to, const char *item, uint32_t size) {
    uint32_t at = 0;
    if (SVS__LIKELY(size == 8)) {
        memcpy(to, item, 8);
        return;
    }
    if (SVS__LIKELY(size == 16)) {
        memcpy(to, item, 16);
        return;
    }
    for (; at + 8 <= size; at += 8) memcpy(to + at, item + at, 8);
    for (; at < size; at++) to[at] = item[at];
}

/* Writes the next item of the sender into the strip. */
static inline void svs__strip_write(svs__strip *strip, const void *item) {
    svs__sent *sent = strip->sent;
    char *to = strip->next;
    /* relaxed is enough for both: the count of sends publishes them, when the strip is closed. */
    svs__store_relaxed(&sent->seed, strip->seed++);
    svs__store_relaxed(&sent->first, strip->number++);
    strip->sent = sent + 1;
    strip->next = to + strip->item_bytes;
    svs__strip_copy(to, item, strip->item_size);
}

/* Writes the next items of the sender into the strip. @return false: they have no room there. */
bool svs__strip_write_some(svs__strip *strip, const void *items, size_t count);

#endif
