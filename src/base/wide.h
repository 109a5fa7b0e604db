/* A 128-bit pair that changes atomically: two 64-bit words, each of which is also read alone.
 *
 *     svs__wide now = {first, second}, then = {3, svs__wide_next(now.second)};
 *     if (svs__wide_change(&pair, &now, &then)) ...
 *
 * Every change alters the second word. So a reader that finds the same second word before and after
 * it reads the first has a consistent pair.
 *
 * operation  caller  progress    order
 * read       any     lock-free   acquire
 * change     any     lock-free   sequentially consistent. Without a 128-bit compare-exchange:
 *                                blocks other changes between two stores; acquire and release
 *
 *   base.W1  The lowest byte of a pair's second word is never SVS__WIDE_BUSY outside of a change.
 *            Without a 128-bit compare-exchange, the second word has that byte while the first is
 *            being written. ThreadSanitizer builds work so, because it treats an access of sixteen
 *            bytes and one of eight as accesses to unrelated locations. (not asserted: a cell of
 *            the race check that is being divided has the same byte on purpose) */
#ifndef SVS_BASE_WIDE_H
#define SVS_BASE_WIDE_H

#include "base/atomic.h"
#include "base/check.h"

typedef struct svs__wide {
    _Alignas(16) uint64_t first;
    uint64_t second;
} svs__wide;

#define SVS__WIDE_BUSY 0x03u /* a change is in progress (base.W1) */

typedef struct svs__wide_shared {
    _Alignas(16) _Atomic(uint64_t) first;
    _Atomic(uint64_t) second;
} svs__wide_shared;

/* Reads a consistent pair. acquire: sees the writes before the change that stored it; pairs with
 * the changes below. */
static inline svs__wide svs__wide_read(svs__wide_shared *shared) {
    svs__wide seen;
    do {
        seen.second = svs__load_acquire(&shared->second);
        seen.first = svs__load_acquire(&shared->first);
        /* relaxed is enough: the acquire of the first word orders it. */
    } while (svs__load_relaxed(&shared->second) != seen.second);
    return seen;
}

#if defined(__x86_64__) && defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16) &&                         \
    !defined(SVS__THREAD_SANITIZER)

__extension__ typedef unsigned __int128 svs__wide_bits;

static inline svs__wide_bits svs__wide_of(const svs__wide *wide) {
    return (svs__wide_bits)wide->second << 64 | wide->first;
}

/* Replaces `now` by `then`. @return false, with nothing changed, when the pair was not `now`. */
static inline bool svs__wide_change(svs__wide_shared *shared, const svs__wide *now,
                                    const svs__wide *then) {
    svs__wide_bits *bits = (svs__wide_bits *)(void *)shared;
    return __sync_bool_compare_and_swap(bits, svs__wide_of(now), svs__wide_of(then));
}

#else

static inline bool svs__wide_change(svs__wide_shared *shared, const svs__wide *now,
                                    const svs__wide *then) {
    uint64_t second = now->second, busy = (second & ~(uint64_t)0xff) | SVS__WIDE_BUSY;
    /* acquire: sees the first word that belongs to this second one; no change of the first leaves
     * the second as it was (base.W1). */
    if (!svs__cas_strong_acquire(&shared->second, &second, busy)) return false;
    if (svs__load_relaxed(&shared->first) != now->first) { /* relaxed: no other thread writes it */
        svs__store_release(&shared->second, now->second);
        return false;
    }
    /* release, here and below: a reader that sees the new first word sees the second one busy or
     * newer, and the caller's earlier writes. */
    svs__store_release(&shared->first, then->first);
    svs__store_release(&shared->second, then->second);
    return true;
}

#endif

#endif
