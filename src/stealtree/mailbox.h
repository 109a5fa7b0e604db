/* What a worker has been handed and has not begun: a queue with a lock, as it is used once a steal
 * and not once a spawn.
 *
 * M1. What was put is got once: by its worker, by one that has nothing to do, or by who handed it
 *     over and waits for it.
 *
 * Threads: any. */
#ifndef SVS_STEALTREE_MAILBOX_H
#define SVS_STEALTREE_MAILBOX_H

#include "base/lock.h"
#include "worksteal/worker.h"

/* A child in its slot, or a continuation on its stack. */
typedef struct svs__letter {
    svs__worker *from;
    svs__slot *slot;
    svs__stack *stack;
} svs__letter;

typedef struct svs__mailbox {
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) waiting; /* letters: a hint without the lock */
    svs__lock lock;
    svs__letter *letters; /* first .. last, in the order in which they came */
    uint32_t first, last, capacity;
} svs__mailbox;

void svs__mailbox_clean_up(svs__mailbox *mailbox, const svs_allocator *allocator);

/* @return false when there is no memory: the letter is the caller's still. */
bool svs__mailbox_put(svs__mailbox *mailbox, const svs_allocator *allocator,
                      const svs__letter *letter);

/* The oldest. @return false when there is none. */
bool svs__mailbox_get(svs__mailbox *mailbox, svs__letter *letter);

/* Takes a child back. @return false when it is not there any more. */
bool svs__mailbox_withdraw(svs__mailbox *mailbox, const svs__slot *slot);

#endif
