/* A split deque of what can be stolen: children (help-first) and continuations (work-first). The
 * owner works at its private end for the price of plain memory, thieves at the shared end.
 *
 *         0 ............ tail ............ split ............ head ........ capacity
 *            stolen           for thieves        the owner's       free
 *
 * The owner's part is an async context (<svs/detail/async_context.h>), whose head and limit the
 * inline functions of async-finish work on: a push is writing the slot at head and head + 1.
 *
 *     slot = svs__deque_push(d, run);                   // and its arguments
 *     if (svs__deque_wanted(d)) svs__deque_share(d);    // thieves found nothing
 *     while ((slot = svs__deque_pop(d))) slot->run(&d->async, slot, slot);
 *
 * operation  caller  progress   order
 * push       owner   wait-free  none: private memory
 * wanted     owner   wait-free  relaxed load of the flag
 * pop        owner   wait-free  none while the private part has children: no fence
 *            owner   lock-free  relaxed compare-exchange, to take half of the shared part back
 * share      owner   wait-free  release add
 * drop       owner   wait-free  relaxed store
 * hand       owner   wait-free  relaxed store
 * look       any     wait-free  acquire load
 * take       thief   wait-free  acquire compare-exchange; may fail when others interfere
 * turn       owner   wait-free  release add
 * calm       owner   wait-free  release add
 *
 * D1. tail <= split <= head <= capacity.
 * D2. The owner alone writes head and split. Thieves raise tail, and only below split. The owner
 *     lowers tail only in drop, when tail = split = head, so that no thief can succeed in between.
 * D3. Slots below tail belong to their thieves until those children have ended; from tail to split
 *     to who moves tail or split over them; from split to head to the owner. The owner drops stolen
 *     slots when their children have ended.
 * D4. A thief reads a child's slot after it has taken it: the taking reads a word that stems from a
 *     share after the push, which released the slot. A continuation's slot may be used again as
 *     soon as it is taken, so a thief reads which continuation it is before: what it read counts
 *     only when the taking succeeds, and that needs the very word that it looked at (D7).
 * D5. Each child or continuation that was pushed is popped or stolen once.
 * D6. A thief that finds nothing shared, or takes the last that is, raises the flag `hungry`, and
 *     makes the limit NULL: the next spawn goes the slow way, and shares. The owner looks before
 *     each of its children, too, and when a spawn pushes nothing. While the flag stays raised, the
 *     limit stays NULL. That needs a read-modify-write where the flag is raised: it reads the zero
 *     that it replaces, and so the limit's opening before that zero comes before the NULL after it.
 *     With a plain store C11 and the models of weaker machines allow that the two words are written
 *     in opposite orders (2+2W): raised after lowered, but closed before opened. No machine with
 *     one order of the stores for all of its threads does that, so tests/explore cannot show it.
 * D7. The word carries a turn, which the owner raises whenever what is below split may become
 *     another: in reclaim, drop and hand, and when it ends a child that it stole itself; calm does
 *     it so that something changes. So a word
 *     never comes back. And who looks, then makes sure that the owner still runs a certain child,
 *     and then takes, has got a descendant of that child: had the child ended, the turn would have
 *     made the taking fail. (It would not after exactly 2^32 turns in between.)
 *
 * Cache lines: the async context's first has the limit, which the owner reads at each spawn and a
 * thief writes when it starves; its second is the owner's own. The word stands in a third, written
 * at each steal. */
#ifndef SVS_WORKSTEAL_DEQUE_H
#define SVS_WORKSTEAL_DEQUE_H

#include "base/check.h"
#include "base/memory.h"
#include "base/platform.h"
#include <stdalign.h>
#include <svs/detail/async_context.h>

typedef struct svs__worker svs__worker;

/* Slots of one deque; when all are taken, a spawn is a plain call. At most 65,535, for the word. */
#define SVS__DEQUE_CAPACITY 8192u

struct svs__holder; /* an instance that has memory objects (memobj/holder.h): opaque here */

typedef struct svs__deque {
    svs_async_context async;
    svs__slot *slots;
    svs__slot *split;
    svs__slot *open; /* the limit while thieves do not starve: the end of the slots, or NULL when
                        each spawn is to go the slow way */
    uint32_t capacity;
    struct svs__holder *context; /* what the owner runs now acts for it (F5); NULL: for none */
    alignas(SVS__CACHE_LINE) _Atomic(uint64_t) word; /* turn << 32 | split << 16 | tail */
    _Atomic(uint32_t)
        hungry; /* thieves starve (D6): what the limit says when it is not NULL anyway */
} svs__deque;

/* The fields of a slot and of an async context that others touch: plain in the public header, which
 * is C++ as well. */
#define SVS__SLOT_RUN(slot) ((_Atomic(svs__slot_function *) *)&(slot)->run)
#define SVS__SLOT_STATE(slot) ((_Atomic(void *) *)&(slot)->state)
#define SVS__ASYNC_LIMIT(async) ((_Atomic(svs__slot *) *)&(async)->limit)

/* The state of a child's slot from the share on until a thief begins with it: the context that the
 * child runs in (finish.h, F3, F5). Contexts are aligned to more than the tag. */
#define SVS__STATE_WAITS ((uintptr_t)4)
static inline void *svs__state_waiting(const struct svs__holder *context) {
    return (void *)((uintptr_t)context | SVS__STATE_WAITS);
}
static inline bool svs__state_waits(const void *state) {
    return ((uintptr_t)state & SVS__STATE_WAITS) != 0;
}
static inline struct svs__holder *svs__state_context(const void *state) {
    return (struct svs__holder *)((uintptr_t)state & ~SVS__STATE_WAITS);
}

/* What `run` is in the slot of a continuation; `state` is its stack then. */
void svs__continuation(svs_async_context *async, svs__slot *slot, svs__slot *head);

/* @return false when there is no memory. A deque without slots has capacity 0. */
bool svs__deque_init(svs__deque *deque, const svs_allocator *allocator, uint32_t capacity);
void svs__deque_clean_up(svs__deque *deque, const svs_allocator *allocator);

/* While nothing runs: from here on each spawn goes the slow way, or no more.
 * @param hungry thieves are taken to starve: whoever sleeps already will not say so. */
void svs__deque_always_slow(svs__deque *deque, bool always, bool hungry);

/* Owner. Gives the older half of the private part, rounded up but leaving the newest when there are
 * others, to the thieves.
 * @return how many slots. */
uint32_t svs__deque_share(svs__deque *deque);

/* Owner, when the private part is empty: takes back the newer half of what is shared.
 * @return the newest of it, or NULL when all up to head are stolen. */
svs__slot *svs__deque_reclaim(svs__deque *deque);

/* Owner. The newest slot is as good as stolen (G1). @return false when something older is not: it
 * stays. */
bool svs__deque_hand(svs__deque *deque);

/* Owner. Is there nothing that has not been stolen? */
bool svs__deque_is_gone(const svs__deque *deque);

/* Owner, when all up to head are stolen and nobody needs those from `base` on any more: head is
 * `base` again. */
void svs__deque_drop(svs__deque *deque, svs__slot *base);

/* Thief. What there is to steal, for svs__deque_take(); 0 when there is nothing, and then it raises
 * the flag. */
uint64_t svs__deque_look(svs__deque *deque);

/* Thief. The slot that svs__deque_look() saw; before it is taken, only `run` and `state` may be
 * read (D4). */
svs__slot *svs__deque_seen(const svs__deque *deque, uint64_t seen);

/* Thief. @return whether the oldest slot is now the caller's; not so when the word is no longer
 * what svs__deque_look() saw. */
bool svs__deque_take(svs__deque *deque, uint64_t seen);

/* The watchdog. Asks the owner to share something at its next spawn, as if thieves starved (D6).
 * @return the word, which that changes. */
uint64_t svs__deque_ask(svs__deque *deque);

/* Owner, when it is asked and all that it has is shared: changes the word, and waits to be asked
 * again. */
void svs__deque_calm(svs__deque *deque);

/* Owner: it has ended a child that it stole from another (D7). */
void svs__deque_turn(svs__deque *deque);

/* D1, in a moment when nobody works on it; for the owner at any time. */
bool svs__deque_is_valid(const svs__deque *deque);

/* How many slots are below that one. */
static inline uint32_t svs__deque_index(const svs__deque *deque, const svs__slot *slot) {
    return (uint32_t)(slot - deque->slots);
}

/* Owner. How many slots have not been stolen. */
static inline uint32_t svs__deque_left(const svs__deque *deque) {
    /* relaxed: thieves take some at any time. */
    uint16_t tail = (uint16_t)svs__load_relaxed(&deque->word);
    return svs__deque_index(deque, deque->async.head) - tail;
}

/* Owner. The slot that is pushed, or NULL when the deque is full. */
static inline svs__slot *svs__deque_push(svs__deque *deque, svs__slot_function *run) {
    svs__slot *slot = deque->async.head;
    /* More slots than a deque has. */
    if (SVS__UNLIKELY(slot == deque->slots + deque->capacity)) return NULL; /* LCOV_EXCL_BR_LINE */
    svs__slot_name(slot, run);
    deque->async.head = slot + 1;
    return slot;
}

/* Owner. Do thieves starve while there is something to give? */
static inline bool svs__deque_wanted(const svs__deque *deque) {
    /* relaxed: a hint (D6); what is given is published by the share. */
    return SVS__UNLIKELY(svs__load_relaxed(&deque->hungry)) && deque->async.head != deque->split;
}

/* Owner. Takes the newest, or NULL when all are stolen. Not below where the caller began to
 * push. */
static inline svs__slot *svs__deque_pop(svs__deque *deque) {
    if (deque->async.head > deque->split) return --deque->async.head;
    return svs__deque_reclaim(deque);
}

#endif
