/* Shared accesses under the explorer, in the place of those of base/atomic.h (SVS_EXPLORE): each is
 * a point where another thread may go on, and goes through the explorer's model of memory
 * (machine.h). The access itself happens after the point, with no other thread in between. */
#ifndef SVS_TESTS_EXPLORE_ACCESS_H
#define SVS_TESTS_EXPLORE_ACCESS_H

#define EXPLORE_SITE(operation) operation, __func__, __LINE__

/* Another thread may go on here. */
void explore_point(const volatile void *at, const char *operation, const char *function, int line);
void explore_loaded(const volatile void *at, memory_order order);
void explore_store(volatile void *at, const void *value, size_t size, memory_order order);
/* A read-modify-write of `*at` follows at once, and then explore_modified() with what was there. */
void explore_modify(volatile void *at, memory_order order);
void explore_modified(volatile void *at, const void *before, size_t size, memory_order order);
/* A compare-exchange follows, if it returns true; otherwise it fails for no reason. */
bool explore_try(volatile void *at, bool weak, memory_order success);
void explore_tried(volatile void *at, const void *before, size_t size, bool done,
                   memory_order success, memory_order failure);
void explore_fence(void);

/* sizeof, also of what is a pointer. */
#define EXPLORE_SIZE(value) ((size_t)((const char *)(&(value) + 1) - (const char *)&(value)))

#define SVS__LOAD(p, order)                                                                        \
    __extension__({                                                                                \
        __auto_type svs_at_ = (p);                                                                 \
        explore_point(svs_at_, EXPLORE_SITE("load " #order));                                      \
        __auto_type svs_value_ = atomic_load_explicit(svs_at_, memory_order_relaxed);              \
        explore_loaded(svs_at_, memory_order_##order);                                             \
        svs_value_;                                                                                \
    })

#define SVS__STORE(p, v, order)                                                                    \
    __extension__({                                                                                \
        __auto_type svs_at_ = (p);                                                                 \
        __auto_type svs_value_ = atomic_load_explicit(svs_at_, memory_order_relaxed);              \
        svs_value_ = (v);                                                                          \
        explore_point(svs_at_, EXPLORE_SITE("store " #order));                                     \
        explore_store(svs_at_, &svs_value_, EXPLORE_SIZE(svs_value_), memory_order_##order);       \
    })

#define SVS__MODIFY(operation, p, v, order)                                                        \
    __extension__({                                                                                \
        __auto_type svs_at_ = (p);                                                                 \
        __auto_type svs_value_ = atomic_load_explicit(svs_at_, memory_order_relaxed);              \
        svs_value_ = (v);                                                                          \
        explore_point(svs_at_, EXPLORE_SITE(#operation " " #order));                               \
        explore_modify(svs_at_, memory_order_##order);                                             \
        svs_value_ = atomic_##operation##_explicit(svs_at_, svs_value_, memory_order_seq_cst);     \
        explore_modified(svs_at_, &svs_value_, EXPLORE_SIZE(svs_value_), memory_order_##order);    \
        svs_value_;                                                                                \
    })

#define SVS__CAS_IS_weak true
#define SVS__CAS_IS_strong false

#define SVS__CAS(kind, p, e, d, success, failure)                                                  \
    __extension__({                                                                                \
        __auto_type svs_at_ = (p);                                                                 \
        __auto_type svs_expected_ = (e);                                                           \
        __auto_type svs_value_ = atomic_load_explicit(svs_at_, memory_order_relaxed);              \
        bool svs_done_;                                                                            \
        svs_value_ = (d);                                                                          \
        explore_point(svs_at_, EXPLORE_SITE("cas " #success));                                     \
        svs_done_ = explore_try(svs_at_, SVS__CAS_IS_##kind, memory_order_##success);              \
        if (svs_done_)                                                                             \
            svs_done_ = atomic_compare_exchange_strong(svs_at_, svs_expected_, svs_value_);        \
        else *svs_expected_ = atomic_load_explicit(svs_at_, memory_order_relaxed);                 \
        explore_tried(svs_at_, svs_expected_, EXPLORE_SIZE(svs_value_), svs_done_,                 \
                      memory_order_##success, memory_order_##failure);                             \
        svs_done_;                                                                                 \
    })

#define svs__fence_seq(p) (explore_point((p), EXPLORE_SITE("fence")), explore_fence())

#endif
