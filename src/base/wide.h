/* Sixteen bytes that change at once: two 64-bit words, both of which are also read alone.
 *
 *     svs__wide now = {first, second}, then = {3, svs__wide_next(now.second)};
 *     if (svs__wide_change(&pair, &now, &then)) ...
 *
 * The second word changes with every change, so that a reader that finds the same second word
 * before and after the first has seen both as they were together.
 *
 * operation  caller  progress    order
 * change     any     lock-free   sequentially consistent; where the machine has no such
 *                                instruction: blocks others between two stores
 *
 * W1. Elsewhere the lowest byte of the second word is SVS__WIDE_BUSY while the first is being
 *     written: a value that no user gives it. ThreadSanitizer is such a place: to it, an access of
 *     sixteen bytes and one of eight are to different things. */
#ifndef SVS_BASE_WIDE_H
#define SVS_BASE_WIDE_H

#include "base/atomic.h"

typedef struct svs__wide {
    _Alignas(16) uint64_t first;
    uint64_t second;
} svs__wide;

#define SVS__WIDE_BUSY 0x03u /* W1 */

typedef struct svs__wide_shared {
    _Alignas(16) _Atomic(uint64_t) first;
    _Atomic(uint64_t) second;
} svs__wide_shared;

/* Both words as they were together. acquire: what was done before they were written; pairs with the
 * changes below. */
static inline svs__wide svs__wide_read(svs__wide_shared *shared) {
    svs__wide seen;
    do {
        seen.second = svs__load_acquire(&shared->second);
        seen.first = svs__load_acquire(&shared->first);
        /* relaxed: after the acquire of the first. */
    } while (svs__load_relaxed(&shared->second) != seen.second);
    return seen;
}

#if defined(__x86_64__) && defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16) &&                         \
    !defined(SVS__THREAD_SANITIZER)

__extension__ typedef unsigned __int128 svs__wide_bits;

static inline svs__wide_bits svs__wide_of(const svs__wide *wide) {
    return (svs__wide_bits)wide->second << 64 | wide->first;
}

/* @return whether it was `now`, and is `then`. */
static inline bool svs__wide_change(svs__wide_shared *shared, const svs__wide *now,
                                    const svs__wide *then) {
    svs__wide_bits *bits = (svs__wide_bits *)(void *)shared;
    return __sync_bool_compare_and_swap(bits, svs__wide_of(now), svs__wide_of(then));
}

#else

static inline bool svs__wide_change(svs__wide_shared *shared, const svs__wide *now,
                                    const svs__wide *then) {
    uint64_t second = now->second, busy = (second & ~(uint64_t)0xff) | SVS__WIDE_BUSY;
    /* acquire: the first word as it belongs to this second one; it cannot have changed without it
     * (W1). */
    if (!svs__cas_strong_acquire(&shared->second, &second, busy)) return false;
    if (svs__load_relaxed(&shared->first) != now->first) { /* relaxed: nobody writes it now */
        svs__store_release(&shared->second, now->second);
        return false;
    }
    /* release, both: whoever sees the first sees that the second is busy, or later; and what the
     * caller wrote. */
    svs__store_release(&shared->first, then->first);
    svs__store_release(&shared->second, then->second);
    return true;
}

#endif

#endif
