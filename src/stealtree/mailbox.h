/* The work that was handed to a worker and has not begun: a FIFO queue with a lock, which is taken
 * once for each steal.
 *
 * operation  caller                          progress
 * put        spawner of a child              the lock; may allocate
 * get        its worker, or an idle worker   the lock; wait-free while `waiting` is 0
 * withdraw   spawner that waits for a child  the lock
 *
 *   stealtree.M1  first <= last <= capacity. Each letter that was put is removed exactly once: by
 *                 its worker, by an idle worker, or by the spawner that waits for the child.
 *
 * Threads: any.
 *
 * Cache lines: the lock and the counters have their own line; idle workers read `waiting` only. */
#ifndef SVS_STEALTREE_MAILBOX_H
#define SVS_STEALTREE_MAILBOX_H

#include "base/lock.h"
#include "worksteal/worker.h"

/* Work that was handed to a worker: a child in its slot, or a continuation on its stack. */
typedef struct svs__letter {
    svs__worker *from;
    svs__slot *slot;
    svs__stack *stack;
} svs__letter;

typedef struct svs__mailbox {
    /* number of letters; a hint for readers without the lock */
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) waiting;
    svs__lock lock;
    svs__letter *letters; /* [first, last) are queued, the oldest first */
    uint32_t first, last, capacity;
} svs__mailbox;

void svs__mailbox_clean_up(svs__mailbox *mailbox, const svs_allocator *allocator);

/* @return false when there is no memory: the letter stays with the caller. */
bool svs__mailbox_put(svs__mailbox *mailbox, const svs_allocator *allocator,
                      const svs__letter *letter);

/* Removes the oldest letter. @return false when there is none. */
bool svs__mailbox_get(svs__mailbox *mailbox, svs__letter *letter);

/* Removes the letter of a child. @return false when it is no longer queued. */
bool svs__mailbox_withdraw(svs__mailbox *mailbox, const svs__slot *slot);

#endif
