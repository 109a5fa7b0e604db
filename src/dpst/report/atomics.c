/* Code compiled with -fsanitize=thread calls these functions for atomic accesses. Each performs the
 * access and notes it. A compare-exchange that fails counts as a write, because it may succeed
 * under another schedule.
 *
 * An access has the requested memory order or a stronger one. An order known only at run time
 * becomes sequentially consistent, except for stores, where that costs most. */
#include "dpst/report/self.h"
#include "dpst/report/start.h"

/* The compilers number the orders from 0 (relaxed) to 5 (sequentially consistent). */
static inline int is_seq(int order) { return (order & 7) == __ATOMIC_SEQ_CST; }

static inline void tell(const volatile void *at, size_t bytes, bool write, const void *pc) {
    if (svs__check_self->step == 0) return;
    svs__check_saw(SVS__ATOMICS);
    svs__check_atomic(at, bytes, write, pc);
}

#define TELL_READ(at) tell((at), sizeof *(at), false, SVS__CALLER())
#define TELL_WRITE(at) tell((at), sizeof *(at), true, SVS__CALLER())

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define LOAD(bits)                                                                                 \
    HOOK(u##bits, atomic##bits##_load, (const volatile u##bits *at, int order)) {                  \
        (void)order;                                                                               \
        TELL_READ(at);                                                                             \
        return LOAD_OF(at);                                                                        \
    }

#define STORE(bits)                                                                                \
    HOOK(void, atomic##bits##_store, (volatile u##bits * at, u##bits value, int order)) {          \
        TELL_WRITE(at);                                                                            \
        STORE_OF(at, value, order);                                                                \
    }

#define MODIFY(bits, name)                                                                         \
    HOOK(u##bits, atomic##bits##_##name, (volatile u##bits * at, u##bits value, int order)) {      \
        (void)order;                                                                               \
        TELL_WRITE(at);                                                                            \
        return MODIFY_OF(name, at, value);                                                         \
    }

/* @return whether it was exchanged; `*expected` is the value that was found. */
#define CAS(bits, name)                                                                            \
    HOOK(int, atomic##bits##_##name,                                                               \
         (volatile u##bits * at, u##bits * expected, u##bits value, int order, int failure)) {     \
        u##bits found = *expected, wanted = found;                                                 \
        (void)order, (void)failure;                                                                \
        TELL_WRITE(at);                                                                            \
        found = CAS_OF(at, wanted, value);                                                         \
        if (found != wanted) *expected = found;                                                    \
        return found == wanted;                                                                    \
    }

#define CAS_VALUE(bits)                                                                            \
    HOOK(u##bits, atomic##bits##_compare_exchange_val,                                             \
         (volatile u##bits * at, u##bits expected, u##bits value, int order, int failure)) {       \
        (void)order, (void)failure;                                                                \
        TELL_WRITE(at);                                                                            \
        return CAS_OF(at, expected, value);                                                        \
    }

#define ALL(bits)                                                                                  \
    LOAD(bits)                                                                                     \
    STORE(bits)                                                                                    \
    MODIFY(bits, exchange)                                                                         \
    MODIFY(bits, fetch_add)                                                                        \
    MODIFY(bits, fetch_sub)                                                                        \
    MODIFY(bits, fetch_and)                                                                        \
    MODIFY(bits, fetch_or)                                                                         \
    MODIFY(bits, fetch_xor)                                                                        \
    MODIFY(bits, fetch_nand)                                                                       \
    CAS(bits, compare_exchange_strong)                                                             \
    CAS(bits, compare_exchange_weak)                                                               \
    CAS_VALUE(bits)

#define SEQ __ATOMIC_SEQ_CST
#define LOAD_OF(at) __atomic_load_n(at, SEQ)
#define STORE_OF(at, value, order)                                                                 \
    (is_seq(order) ? __atomic_store_n(at, value, SEQ)                                              \
                   : __atomic_store_n(at, value, __ATOMIC_RELEASE))
#define MODIFY_OF(name, at, value) MODIFY_##name(at, value)
#define MODIFY_exchange(at, value) __atomic_exchange_n(at, value, SEQ)
#define MODIFY_fetch_add(at, value) __atomic_fetch_add(at, value, SEQ)
#define MODIFY_fetch_sub(at, value) __atomic_fetch_sub(at, value, SEQ)
#define MODIFY_fetch_and(at, value) __atomic_fetch_and(at, value, SEQ)
#define MODIFY_fetch_or(at, value) __atomic_fetch_or(at, value, SEQ)
#define MODIFY_fetch_xor(at, value) __atomic_fetch_xor(at, value, SEQ)
#define MODIFY_fetch_nand(at, value) __atomic_fetch_nand(at, value, SEQ)
#define CAS_OF(at, expected, value) __sync_val_compare_and_swap(at, expected, value)

ALL(8)
ALL(16)
ALL(32)
ALL(64)

/* For 16 bytes, the CPU has only the compare-exchange. */
#if defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16)
__extension__ typedef unsigned __int128 u128;

#define UPDATE_128(name, becomes)                                                                  \
    static u128 name##_128(volatile u128 *at, u128 value) {                                        \
        u128 old = *at, found;                                                                     \
        for (;; old = found) {                                                                     \
            found = __sync_val_compare_and_swap(at, old, (becomes));                               \
            if (found == old) return old;                                                          \
        }                                                                                          \
    }
UPDATE_128(exchange, value)
UPDATE_128(fetch_add, old + value)
UPDATE_128(fetch_sub, old - value)
UPDATE_128(fetch_and, old &value)
UPDATE_128(fetch_or, old | value)
UPDATE_128(fetch_xor, old ^ value)
UPDATE_128(fetch_nand, ~(old &value))

#undef LOAD_OF
#undef STORE_OF
#undef MODIFY_OF
#define LOAD_OF(at) __sync_val_compare_and_swap((volatile u128 *)(at), 0, 0)
#define STORE_OF(at, value, order) ((void)(order), (void)exchange_128(at, value))
#define MODIFY_OF(name, at, value) name##_128(at, value)
ALL(128)
#endif

#define FENCE(name)                                                                                \
    HOOK(void, atomic_##name, (int order)) {                                                       \
        (void)order;                                                                               \
        __atomic_##name(SEQ);                                                                      \
    }
FENCE(thread_fence)
FENCE(signal_fence)
