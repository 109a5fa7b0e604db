/* Internals of an async context and of the slots of its deque, for the inline functions and macros
 * of <svs/async.h>. Do not use them directly: everything here may change with each minor version,
 * so compiled code requires a library of the same minor version.
 *
 * A spawn writes the child's function and arguments into the slot at head with plain stores. One
 * comparison with `limit` detects the slow path: `limit` is the end of the slots, or NULL if a
 * thief requests work, a trace is replayed, or the policy is work-first.
 *
 *     help-first    the slots are the worker's deque; base..head: children not yet started
 *     work-first    the slots belong to the async context. If head is above base, the slot at base
 *                   records the children that follow a stolen continuation and have not joined */
#ifndef SVS_DETAIL_ASYNC_CONTEXT_H
#define SVS_DETAIL_ASYNC_CONTEXT_H

#include <string.h>
#include <svs/detail/each.h>
#include <svs/status.h>

SVS_BEGIN_DECLARATIONS

/* An async context: the handle of running code that async and finish need. It stays the same while
 * a body runs, also if the body continues on another thread. */
typedef struct svs_async_context svs_async_context;

typedef void svs_async_function(svs_async_context *async, void *argument);

/* Bytes of arguments that a spawn copies without allocating. */
#define SVS_ASYNC_INLINE_BYTES 96

typedef struct svs__slot svs__slot;

/* Runs the child in `slot`. The child's own spawns are written from `head` on and may overwrite the
 * slot. */
typedef void svs__slot_function(svs_async_context *async, svs__slot *slot, svs__slot *head);

struct svs__slot {
    svs__slot_function *run;
    void *state; /* internal: the slot's owner */
    union {
        void *result;                 /* typed child: the address for its result */
        svs_async_function *function; /* generic child: the function to call */
    } to;
    uint64_t ordinal; /* sequence number of the async on its worker, from the worker's start */
    SVS__ALIGNAS(16) unsigned char arguments[SVS_ASYNC_INLINE_BYTES];
};

struct svs_async_context {
    SVS__ALIGNAS(64) svs__slot *limit; /* written by the owner and by thieves */
    SVS__ALIGNAS(64) svs__slot *head;  /* the first free slot */
    svs__slot *base;                   /* head at the start of the innermost finish */
    svs__slot *own;   /* the owner pops children above it without synchronization */
    uint64_t ordinal; /* ordinal of the next async; only the worker's own context counts it */
    void *worker;     /* internal: the worker that runs it */
};

#if defined(__GNUC__)
#define SVS__RARELY(condition) (__builtin_expect(!!(condition), 0) != 0)
#define SVS__OUTLINE __attribute__((noinline, cold))
#define SVS__NOT_NULL __attribute__((returns_nonnull))
#define SVS__NOINLINE __attribute__((noinline))
#define SVS__INSIDE __attribute__((always_inline)) inline
#else
#define SVS__RARELY(condition) (condition)
#define SVS__OUTLINE
#define SVS__NOT_NULL
#define SVS__NOINLINE
#define SVS__INSIDE inline
#endif

/* For the race check (the target svs::check defines SVS_CHECKED): slots and async contexts belong
 * to the library, so the inline functions that access them are not instrumented. These report their
 * accesses to the program's memory by calls. A body is instrumented and therefore cannot be inlined
 * into them. */
#if defined(SVS_CHECKED)
#define SVS__UNCHECKED __attribute__((no_sanitize("thread")))
#undef SVS__INSIDE
#define SVS__INSIDE SVS_MAYBE_UNUSED
SVS_API void svs_check_read(const void *memory, size_t bytes);
SVS_API void svs_check_write(const void *memory, size_t bytes);
#define SVS__TELL_READ(memory, bytes) svs_check_read((memory), (bytes))
/* The call must not be a tail call, because its return address identifies the location of the
 * write. */
#define SVS__TELL_WRITE(memory, bytes)                                                             \
    do {                                                                                           \
        svs_check_write((memory), (bytes));                                                        \
        __asm__ __volatile__("");                                                                  \
    } while (0)
/* volatile accesses, because clang instruments atomic ones even in functions that are not
 * instrumented */
#define SVS__LOAD_HINT(from) (*SVS__CAST(svs__slot *const volatile *, from))
#define SVS__STORE_HINT(to, value)                                                                 \
    ((void)(*SVS__CAST(svs__slot_function *volatile *, to) = (value)))
#else
#define SVS__UNCHECKED
#define SVS__TELL_READ(memory, bytes) ((void)0)
#define SVS__TELL_WRITE(memory, bytes) ((void)0)
#define SVS__LOAD_HINT(from) __atomic_load_n((from), __ATOMIC_RELAXED)
#define SVS__STORE_HINT(to, value) __atomic_store_n((to), (value), __ATOMIC_RELAXED)
#endif
#define SVS__UNSEEN SVS_MAYBE_UNUSED SVS__UNCHECKED

/* The slow path of a spawn. Begin returns the slot for the child's function and arguments, or NULL
 * if the caller must call the child in place. Commit spawns the child and returns the new head. */
SVS_API svs__slot *svs__async_begin(svs_async_context *async);
SVS_API svs__slot *svs__async_commit(svs_async_context *async, svs__slot *slot, svs__slot *base);

/* Waits until the children in the slots from `base` to head have ended; then head equals base. */
SVS_API void svs__drain(svs_async_context *async, svs__slot *base);

/* The slot functions of generic children with arguments of at most 16, 32 or 96 bytes. */
SVS_API void svs__run_16(svs_async_context *async, svs__slot *slot, svs__slot *head);
SVS_API void svs__run_32(svs_async_context *async, svs__slot *slot, svs__slot *head);
SVS_API void svs__run_96(svs_async_context *async, svs__slot *slot, svs__slot *head);

/* The slow path of a generic spawn. The child is already in the slot at head: the deque has one
 * slot more than it can push. */
SVS_API void svs__async_slow(svs_async_context *async);

/* A generic spawn with an argument that does not fit into a slot. */
SVS_API void svs__async_block(svs_async_context *async, svs_async_function *function,
                              const void *argument, size_t size);

/* memcpy by words. The argument's fields have usually just been stored one by one; a wider load
 * could not be forwarded from the store buffer and would wait for all of them. */
SVS__UNCHECKED static inline void svs__copy(unsigned char *svs_to_, const void *svs_from_,
                                            size_t svs_size_) {
    const unsigned char *svs_bytes_ = SVS__CAST(const unsigned char *, svs_from_);
    size_t svs_at_ = 0;
#if defined(SVS_CHECKED) /* memcpy would be a call that the race check intercepts */
    volatile unsigned char *svs_here_ = svs_to_;
    for (; svs_at_ < svs_size_; svs_at_++) svs_here_[svs_at_] = svs_bytes_[svs_at_];
#else
    for (; svs_at_ + 8 <= svs_size_; svs_at_ += 8)
        memcpy(svs_to_ + svs_at_, svs_bytes_ + svs_at_, 8);
    if (svs_at_ < svs_size_) memcpy(svs_to_ + svs_at_, svs_bytes_ + svs_at_, svs_size_ - svs_at_);
#endif
}

/* relaxed is enough: `limit` may be stale, and a later spawn serves the thief's request as well. */
SVS__UNCHECKED static inline int svs__is_slow(const svs_async_context *svs_on_,
                                              const svs__slot *svs_head_) {
    return SVS__RARELY(svs_head_ >= SVS__LOAD_HINT(&svs_on_->limit));
}

/* relaxed is enough: the release that shares the slot publishes `run`. A thief reads `run` before
 * it has stolen the slot and relies on the value only afterwards. */
SVS__UNCHECKED static inline void svs__slot_name(svs__slot *svs_slot_,
                                                 svs__slot_function *svs_run_) {
    SVS__STORE_HINT(&svs_slot_->run, svs_run_);
}

SVS_END_DECLARATIONS
#endif
