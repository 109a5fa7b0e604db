/* Shared accesses: C11 <stdatomic.h> with the memory order in the name, so that a grep finds each
 * order.
 *
 *     _Atomic(uint32_t) ready;
 *     svs__store_release(&ready, 1);              // pairs with the acquire in ...
 *     while (!svs__load_acquire(&ready)) svs__relax();
 *
 * Fields are `_Atomic(T)`; the macros are generic in T. Each access passes SVS__SHARED_ACCESS(p)
 * first: empty here, and the one place where a scheduler that runs one thread at a time can stop a
 * thread before a shared access. (The explorer in tests/ models store buffers as well, and defines
 * accesses of its own.)
 *
 * A failing compare-exchange has the order relaxed for relaxed and release, and acquire for acquire
 * and acq_rel, and stores the value that it read into `*expected`.
 *
 * svs__fence_seq(p) is a sequentially consistent fence; `p`, an `_Atomic` integer, is the location
 * that it orders against others. ThreadSanitizer does not model fences that stand alone:
 * there, it is a read-modify-write of `*p`. */
#ifndef SVS_BASE_ATOMIC_H
#define SVS_BASE_ATOMIC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_THREAD__)
#define SVS__THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SVS__THREAD_SANITIZER 1
#endif
#endif

#ifndef SVS__SHARED_ACCESS
#define SVS__SHARED_ACCESS(p) ((void)0)
#endif

#if defined(SVS_EXPLORE)
#include "explore/access.h" /* the same five macros */
#else

#define SVS__LOAD(p, order) (SVS__SHARED_ACCESS(p), atomic_load_explicit((p), memory_order_##order))

#define SVS__STORE(p, v, order)                                                                    \
    (SVS__SHARED_ACCESS(p), atomic_store_explicit((p), (v), memory_order_##order))

#define SVS__MODIFY(operation, p, v, order)                                                        \
    (SVS__SHARED_ACCESS(p), atomic_##operation##_explicit((p), (v), memory_order_##order))

#define SVS__CAS(kind, p, expected, desired, success, failure)                                     \
    (SVS__SHARED_ACCESS(p),                                                                        \
     atomic_compare_exchange_##kind##_explicit((p), (expected), (desired), memory_order_##success, \
                                               memory_order_##failure))

#if defined(SVS__THREAD_SANITIZER)
#define svs__fence_seq(p) ((void)svs__fetch_add_seq(p, 0))
#else
#define svs__fence_seq(p)                                                                          \
    (SVS__SHARED_ACCESS(p), (void)(p), atomic_thread_fence(memory_order_seq_cst))
#endif

#endif

#define svs__load_relaxed(p) SVS__LOAD(p, relaxed)
#define svs__load_acquire(p) SVS__LOAD(p, acquire)
#define svs__load_seq(p) SVS__LOAD(p, seq_cst)

#define svs__store_relaxed(p, v) SVS__STORE(p, v, relaxed)
#define svs__store_release(p, v) SVS__STORE(p, v, release)
#define svs__store_seq(p, v) SVS__STORE(p, v, seq_cst)

#define svs__exchange_relaxed(p, v) SVS__MODIFY(exchange, p, v, relaxed)
#define svs__exchange_acquire(p, v) SVS__MODIFY(exchange, p, v, acquire)
#define svs__exchange_release(p, v) SVS__MODIFY(exchange, p, v, release)
#define svs__exchange_acq_rel(p, v) SVS__MODIFY(exchange, p, v, acq_rel)
#define svs__exchange_seq(p, v) SVS__MODIFY(exchange, p, v, seq_cst)

#define svs__fetch_add_relaxed(p, v) SVS__MODIFY(fetch_add, p, v, relaxed)
#define svs__fetch_add_release(p, v) SVS__MODIFY(fetch_add, p, v, release)
#define svs__fetch_add_acq_rel(p, v) SVS__MODIFY(fetch_add, p, v, acq_rel)
#define svs__fetch_add_seq(p, v) SVS__MODIFY(fetch_add, p, v, seq_cst)

#define svs__fetch_sub_relaxed(p, v) SVS__MODIFY(fetch_sub, p, v, relaxed)
#define svs__fetch_sub_release(p, v) SVS__MODIFY(fetch_sub, p, v, release)
#define svs__fetch_sub_acq_rel(p, v) SVS__MODIFY(fetch_sub, p, v, acq_rel)
#define svs__fetch_sub_seq(p, v) SVS__MODIFY(fetch_sub, p, v, seq_cst)

#define svs__fetch_or_relaxed(p, v) SVS__MODIFY(fetch_or, p, v, relaxed)
#define svs__fetch_or_release(p, v) SVS__MODIFY(fetch_or, p, v, release)

#define svs__fetch_and_relaxed(p, v) SVS__MODIFY(fetch_and, p, v, relaxed)
#define svs__fetch_and_seq(p, v) SVS__MODIFY(fetch_and, p, v, seq_cst)

#define svs__cas_weak_relaxed(p, e, d) SVS__CAS(weak, p, e, d, relaxed, relaxed)
#define svs__cas_weak_acquire(p, e, d) SVS__CAS(weak, p, e, d, acquire, acquire)
#define svs__cas_weak_release(p, e, d) SVS__CAS(weak, p, e, d, release, relaxed)
#define svs__cas_weak_acq_rel(p, e, d) SVS__CAS(weak, p, e, d, acq_rel, acquire)
#define svs__cas_strong_relaxed(p, e, d) SVS__CAS(strong, p, e, d, relaxed, relaxed)
#define svs__cas_strong_acquire(p, e, d) SVS__CAS(strong, p, e, d, acquire, acquire)
#define svs__cas_strong_acq_rel(p, e, d) SVS__CAS(strong, p, e, d, acq_rel, acquire)

#endif
