/* A split deque of child tasks: the owner works at its private end for the price of plain memory,
 * thieves at the shared end.
 *
 *         0 ............ tail ............ split ............ head ........ capacity
 *            stolen           for thieves        the owner's       free
 *
 *     svs__deque_push(d, run, argument, scope);
 *     if (svs__deque_wanted(d)) svs__deque_share(d);    // thieves found nothing
 *     while ((child = svs__deque_pop(d))) child->run(worker, child->argument);
 *
 * operation  caller  progress   order
 * push       owner   wait-free  none: private memory
 * wanted     owner   wait-free  relaxed load of the flag
 * pop        owner   wait-free  none while the private part has children: no fence
 *            owner   lock-free  relaxed compare-exchange, to take half of the shared part back
 * share      owner   wait-free  release add
 * drop       owner   wait-free  relaxed store
 * look       any     wait-free  acquire load
 * take       thief   wait-free  acquire compare-exchange; may fail when others interfere
 * turn       owner   wait-free  release add
 *
 * D1. tail <= split <= head <= capacity.
 * D2. The owner alone writes head and split. Thieves raise tail, and only below split. The owner
 *     lowers tail only in drop, when tail = split = head, so that no thief can succeed in between.
 * D3. Slots below tail belong to their thieves until those children have ended; from tail to split
 *     to who moves tail or split over them; from split to head to the owner. The owner drops stolen
 *     slots when their children have ended.
 * D4. A thief reads a slot after it has taken it: nothing that it read before matters, so that a
 *     word that came back is no harm. The taking reads a word that stems from a share after the
 *     push, which released the slot.
 * D5. Each child that was pushed is popped or stolen once.
 * D6. A thief that finds nothing shared, or takes the last that is, raises the flag; the owner
 *     looks at each spawn and before each of its children.
 * D7. The word carries a turn, which the owner raises when it ends a child that it stole itself.
 *     Who looks, then makes sure that the owner still runs a certain child, and then takes, has got
 *     a descendant of that child: had the child ended, the turn would have made the taking fail.
 *     (It would not after exactly 2^32 turns in between.)
 *
 * Cache lines: the first is the owner's own. The second is written by thieves: the word at each
 * steal, the flag when they starve; the owner reads the flag there, which stays in its cache until
 * a thief writes. */
#ifndef SVS_WORKSTEAL_DEQUE_H
#define SVS_WORKSTEAL_DEQUE_H

#include "base/check.h"
#include "base/memory.h"
#include "base/platform.h"
#include <stdalign.h>

typedef struct svs__worker svs__worker;
typedef struct svs__finish svs__finish;

typedef void svs__child_function(svs__worker *worker, void *argument);

/* A slot. */
typedef struct svs__child {
    svs__child_function *run;
    void *argument;
    svs__finish *scope;           /* what waits for it when it is stolen */
    _Atomic(svs__worker *) thief; /* while a thief runs it; NULL before it says so, and after */
} svs__child;

/* Children at once in one deque; when there are more, a spawn is a plain call. At most 65,535, for
 * the word. */
#define SVS__DEQUE_CAPACITY 8192u

typedef struct svs__deque {
    alignas(SVS__CACHE_LINE) svs__child *slots;
    uint32_t head;
    uint32_t split; /* the owner's copy of what the word says */
    uint32_t capacity;
    alignas(SVS__CACHE_LINE) _Atomic(uint64_t) word; /* turn << 32 | split << 16 | tail */
    _Atomic(uint32_t) flag;                          /* thieves starve (D6) */
} svs__deque;

/* @return false when there is no memory. A deque without slots has capacity 0. */
bool svs__deque_init(svs__deque *deque, const svs_allocator *allocator, uint32_t capacity);
void svs__deque_clean_up(svs__deque *deque, const svs_allocator *allocator);

/* Owner. Gives the older half of the private part, rounded up but leaving the newest when there are
 * others, to the thieves.
 * @return how many children. */
uint32_t svs__deque_share(svs__deque *deque);

/* Owner, when the private part is empty: takes back the newer half of what is shared.
 * @return the newest of it, or NULL when all up to head are stolen. */
svs__child *svs__deque_reclaim(svs__deque *deque);

/* Owner, when all up to head are stolen and those from `base` on have ended: head is `base`
 * again. */
void svs__deque_drop(svs__deque *deque, uint32_t base);

/* Thief. What there is to steal, for svs__deque_take(); 0 when there is nothing, and then it raises
 * the flag. */
uint64_t svs__deque_look(svs__deque *deque);

/* Thief. @return the oldest child, now the caller's, or NULL when the word is no longer what
 * svs__deque_look() saw. */
svs__child *svs__deque_take(svs__deque *deque, uint64_t seen);

/* Owner: it has ended a child that it stole from another (D7). */
void svs__deque_turn(svs__deque *deque);

/* D1, in a moment when nobody works on it; for the owner at any time. */
bool svs__deque_is_valid(const svs__deque *deque);

/* Owner. @return false when it is full. */
static inline bool svs__deque_push(svs__deque *deque, svs__child_function *run, void *argument,
                                   svs__finish *scope) {
    svs__child *child;
    if (SVS__UNLIKELY(deque->head == deque->capacity)) return false;
    child = &deque->slots[deque->head++];
    child->run = run;
    child->argument = argument;
    child->scope = scope;
    /* relaxed: the share publishes it with the rest of the slot. */
    svs__store_relaxed(&child->thief, NULL);
    return true;
}

/* Owner. Do thieves starve while there is something to give? */
static inline bool svs__deque_wanted(const svs__deque *deque) {
    /* relaxed: a hint (D6); what is given is published by the share. */
    return SVS__UNLIKELY(svs__load_relaxed(&deque->flag)) && deque->head != deque->split;
}

/* Owner. Takes the newest child, or NULL when all are stolen. Not below where the caller began to
 * push. */
static inline svs__child *svs__deque_pop(svs__deque *deque) {
    if (deque->head > deque->split) return &deque->slots[--deque->head];
    return svs__deque_reclaim(deque);
}

#endif
