/* A split deque of stealable work: children (help-first) and continuations (work-first). The owner
 * pushes and pops at the private end by plain accesses; thieves steal at the shared end.
 *
 *         0 ............ tail ............ split ............ head ........ capacity
 *            stolen            shared            private           free
 *
 * The owner's side is an async context (<svs/detail/async_context.h>): the inline functions of
 * async-finish use its head and its limit. A push writes the slot at head and increments head.
 *
 *     slot = svs__deque_push(d, run);                   // and its arguments
 *     if (svs__deque_wanted(d)) svs__deque_share(d);    // thieves found nothing
 *     while ((slot = svs__deque_pop(d))) slot->run(&d->async, slot, slot);
 *
 * A steal has two steps: look reads the word (steal begin), take replaces that word by one with the
 * next tail (steal commit). A thief that finds nothing shared requests work by the flag `hungry`
 * (steal request); the owner grants the request by a share, or acknowledges it by a calm.
 *
 * operation  caller  progress   order
 * push       owner   wait-free  none: private memory
 * wanted     owner   wait-free  relaxed load of the flag
 * pop        owner   wait-free  none while the private part has slots: no fence
 *            owner   lock-free  relaxed compare-exchange, to reclaim half of the shared part
 * share      owner   wait-free  release add
 * drop       owner   wait-free  relaxed store
 * hand       owner   wait-free  relaxed store
 * look       any     wait-free  acquire load
 * take       thief   wait-free  acquire compare-exchange; may fail when others interfere
 * turn       owner   wait-free  release add
 * calm       owner   wait-free  release add
 * ask        any     wait-free  acquire-release exchange of the flag, release store of the limit
 * close      owner   wait-free  release add
 *
 *   worksteal.D1  tail <= split <= head <= capacity.
 *   worksteal.D2  Only the owner writes head and split. Thieves increment tail, and only while it
 *                 is below split. The owner lowers tail only in drop, when tail = split = head: no
 *                 steal can commit between its load of the word and its store.
 *   worksteal.D3  Slots below tail belong to their thieves until the stolen children have
 *                 completed. A slot from tail to split belongs to the thread that moves tail or
 *                 split past it. Slots from split to head belong to the owner. The owner drops only
 *                 stolen slots, when their children have completed.
 *   worksteal.D4  A thief reads a child's slot after it has committed the steal: the commit reads a
 *                 word that a share after the push has released, together with the slot. A
 *                 continuation's slot may be reused as soon as it is stolen, so a thief reads the
 *                 continuation before it commits, and uses it only if the commit succeeds, which
 *                 requires the word of its look (worksteal.D7). (not asserted: a statement about
 *                 the order of two threads' accesses; tests/explore/scenarios/deque.c explores it)
 *   worksteal.D5  Each pushed child or continuation is popped or stolen exactly once. (not
 *                 asserted: needs a record of all pushes, which tests/explore/scenarios/deque.c and
 *                 continuations.c and tests/stress/worksteal_deque.c keep)
 *   worksteal.D6  A thief that finds nothing shared, or steals the last shared slot, raises the
 *                 flag `hungry` and sets the limit to NULL: the next spawn takes the slow path, and
 *                 shares. The owner also tests the flag before it runs each of its children, and
 *                 when a spawn pushes nothing. While the flag stays raised, the limit stays NULL.
 *                 For that, the flag is raised by a read-modify-write: it reads the zero that it
 *                 replaces, so the store that opened the limit before that zero precedes the store
 *                 of NULL after it. With a plain store, C11 and weak memory models permit that the
 *                 two words are written in opposite orders (2+2W): the flag ends raised, and the
 *                 limit open. No multi-copy atomic machine does that, so tests/explore cannot show
 *                 it. (not asserted: the two words change in sequence, not at once;
 *                 tests/explore/scenarios/deque.c explores the outcome)
 *   worksteal.D7  The word carries a turn, which is its ABA tag. The owner increments it whenever
 *                 the shared slots may be replaced by others: in reclaim, drop and hand, and when
 *                 it completes a child that it stole itself. Calm increments it to acknowledge a
 *                 request. So no word recurs. Further, a thief that reads the word, checks that the
 *                 owner still runs child C, and then commits the steal, has stolen a descendant of
 *                 C: if C had completed, the new turn would make the compare-exchange fail. (The
 *                 exception is a thief that pauses for exactly a multiple of 2^32 turns.)
 *
 * Cache lines: the async context's first line has the limit, which the owner reads at each spawn
 * and a thief writes at a steal request; the second line is private to the owner. The word has a
 * third line, which each steal writes. */
#ifndef SVS_WORKSTEAL_DEQUE_H
#define SVS_WORKSTEAL_DEQUE_H

#include "base/check.h"
#include "base/memory.h"
#include "base/platform.h"
#include <stdalign.h>
#include <svs/detail/async_context.h>

typedef struct svs__worker svs__worker;

/* Number of slots of one deque; when all are in use, a spawn is a plain call. At most 65,535: the
 * word has 16 bits for each index. */
#define SVS__DEQUE_CAPACITY 8192u

struct svs__holder; /* an instance that has memory objects (memobj/holder.h): opaque here */

typedef struct svs__deque {
    svs_async_context async;
    svs__slot *slots;
    svs__slot *split;
    /* value of the async context's limit while there is no steal request: the end of the slots, or
     * NULL if each spawn is to take the slow path */
    svs__slot *open;
    uint32_t capacity;
    /* instance whose code the owner runs at present, as the scheduler has set it (worksteal.F5);
     * NULL: none */
    struct svs__holder *context;
    alignas(SVS__CACHE_LINE) _Atomic(uint64_t) word; /* turn << 32 | split << 16 | tail */
    /* 1: there is a steal request (worksteal.D6). While `open` is not NULL, a limit of NULL means
     * the same */
    _Atomic(uint32_t) hungry;
} svs__deque;

/* Atomic views of the fields of a slot and of an async context that other threads access. The
 * public header declares plain fields, because it is C++ as well. */
#define SVS__SLOT_RUN(slot) ((_Atomic(svs__slot_function *) *)&(slot)->run)
#define SVS__SLOT_STATE(slot) ((_Atomic(void *) *)&(slot)->state)
#define SVS__ASYNC_LIMIT(async) ((_Atomic(svs__slot *) *)&(async)->limit)

/* A tag in the state of a child's slot. From the child's share until a thief begins the child, the
 * state is the context that the child runs in, with this tag (finish.h, worksteal.F3,
 * worksteal.F5). The alignment of contexts keeps the bit of the tag free. */
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

/* The `run` of a slot that holds a continuation; it does nothing. The slot's `state` is then the
 * stack of the continuation. */
void svs__continuation(svs_async_context *async, svs__slot *slot, svs__slot *head);

/* @return false when there is no memory. A deque without slots has capacity 0. */
bool svs__deque_init(svs__deque *deque, const svs_allocator *allocator, uint32_t capacity);
void svs__deque_clean_up(svs__deque *deque, const svs_allocator *allocator);

/* Sets whether each spawn takes the slow path. Called while nothing runs. @param hungry whether the
 * deque begins with a steal request, on behalf of sleeping workers: these raise none. */
void svs__deque_always_slow(svs__deque *deque, bool always, bool hungry);

/* Owner. Shares the older half of the private slots, rounded up; the newest stays private when
 * there are others.
 * @return number of shared slots. */
uint32_t svs__deque_share(svs__deque *deque);

/* Owner, with an empty private part: reclaims the newer half of the shared slots.
 * @return the newest of them, or NULL when all slots are stolen. */
svs__slot *svs__deque_reclaim(svs__deque *deque);

/* Owner. Marks the newest slot as stolen, for a guide that hands it to another worker (force steal,
 * hooks.G1). @return false, with nothing changed, when an older slot is not stolen. */
bool svs__deque_hand(svs__deque *deque);

/* Owner. @return whether all slots are stolen. */
bool svs__deque_is_gone(const svs__deque *deque);

/* Caller: the thief of the slot's child, before the child has completed. @return whether the slot
 * is below tail (worksteal.D3). */
bool svs__deque_is_stolen(const svs__deque *deque, const svs__slot *slot);

/* Owner, when all slots are stolen and no thief uses the slots at or above `base` any more: sets
 * head back to `base`. */
void svs__deque_drop(svs__deque *deque, svs__slot *base);

/* Thief. Steal begin. @return the word, for svs__deque_take(); 0 when nothing is shared: then it
 * has raised the flag. */
uint64_t svs__deque_look(svs__deque *deque);

/* Thief. The oldest slot in the word of svs__deque_look(). Until the steal has been committed, only
 * `run` and `state` may be read (worksteal.D4). */
svs__slot *svs__deque_seen(const svs__deque *deque, uint64_t seen);

/* Thief. Steal commit. @return whether the caller owns the oldest slot now; false when the word is
 * no longer that of svs__deque_look(). */
bool svs__deque_take(svs__deque *deque, uint64_t seen);

/* Owner, in a cancelled run: prevents inline pops until the next share. Changes the word, as an
 * answer to a steal request does. */
void svs__deque_close(svs__deque *deque);

/* Caller: the watchdog, or a cancel. Raises a steal request (worksteal.D6). The owner changes the
 * word at its next spawn: it shares, or acknowledges. @return the word. */
uint64_t svs__deque_ask(svs__deque *deque);

/* Owner, at a steal request with nothing private to share: acknowledges the request by a changed
 * word, and opens the limit. */
void svs__deque_calm(svs__deque *deque);

/* Increments the turn in the word (worksteal.D7). Caller: the owner, after it has completed a child
 * that it stole from another worker. */
void svs__deque_turn(svs__deque *deque);

/* Checks worksteal.D1. Caller: the owner at any time; any thread while no other accesses the
 * deque. */
bool svs__deque_is_valid(const svs__deque *deque);

/* Number of slots below `slot`. */
static inline uint32_t svs__deque_index(const svs__deque *deque, const svs__slot *slot) {
    return (uint32_t)(slot - deque->slots);
}

/* Owner. Number of slots that have not been stolen. */
static inline uint32_t svs__deque_left(const svs__deque *deque) {
    /* relaxed is enough: thieves may steal slots at any time, so the number is an upper bound. */
    uint16_t tail = (uint16_t)svs__load_relaxed(&deque->word);
    return svs__deque_index(deque, deque->async.head) - tail;
}

/* Owner. @return the pushed slot, or NULL when the deque is full. */
static inline svs__slot *svs__deque_push(svs__deque *deque, svs__slot_function *run) {
    svs__slot *slot = deque->async.head;
    /* Not reached: the callers use fewer slots than a deque has. */
    if (SVS__UNLIKELY(slot == deque->slots + deque->capacity)) return NULL; /* LCOV_EXCL_BR_LINE */
    svs__slot_name(slot, run);
    deque->async.head = slot + 1;
    return slot;
}

/* Owner. Is there a steal request, and a private slot to grant it? */
static inline bool svs__deque_wanted(const svs__deque *deque) {
    /* relaxed is enough: a stale value only delays the share (worksteal.D6), and the share
     * publishes the slots. */
    return SVS__UNLIKELY(svs__load_relaxed(&deque->hungry)) && deque->async.head != deque->split;
}

/* Owner. Pops the newest slot. The caller pops no more than it has pushed.
 * @return NULL when all slots are stolen. */
static inline svs__slot *svs__deque_pop(svs__deque *deque) {
    if (deque->async.head > deque->split) return --deque->async.head;
    return svs__deque_reclaim(deque);
}

#endif
