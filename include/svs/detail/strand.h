/* What the inline functions and the macros of <svs/async.h> need to see of a strand and of the
 * slots of its deque. Not for use by hand: everything here may change with each version, and code
 * that was compiled with one minor version runs with the library of the same one.
 *
 * Spawning writes a child's function and arguments into the slot at head, for the price of plain
 * memory. Whatever is not plain goes the slow way, and one comparison tells: `limit` is the end of
 * the slots, or NULL when a spawn has more to do: thieves starve, a trace is replayed, or the
 * strand runs work-first.
 *
 *     help-first    slots of the strand: its worker's deque; base..head: children that wait
 *     work-first    slots of the strand: base, when head is above it, is the record of the children
 *                   whose continuation was stolen and that have not been waited for */
#ifndef SVS_DETAIL_STRAND_H
#define SVS_DETAIL_STRAND_H

#include <string.h>
#include <svs/detail/each.h>
#include <svs/status.h>

SVS_BEGIN_DECLARATIONS

/* Where a task's code runs: the handle that async and finish need. The same for as long as a body
 * runs, on whatever thread. */
typedef struct svs_strand svs_strand;

typedef void svs_async_function(svs_strand *strand, void *argument);

/* Bytes of arguments that a spawn copies without allocating. */
#define SVS_ASYNC_INLINE_BYTES 96

typedef struct svs__slot svs__slot;

/* Runs the child in `slot`, which its spawns may overwrite: `head` is where these go. */
typedef void svs__slot_function(svs_strand *strand, svs__slot *slot, svs__slot *head);

struct svs__slot {
    svs__slot_function *run;
    void *state; /* the library's: who has it */
    union {
        void *result;                 /* where a typed child's result goes */
        svs_async_function *function; /* what a generic child calls */
    } to;
    uint64_t ordinal; /* which async of its worker it is, counted from the worker's start */
    SVS__ALIGNAS(16) unsigned char arguments[SVS_ASYNC_INLINE_BYTES];
};

struct svs_strand {
    SVS__ALIGNAS(64) svs__slot *limit; /* written by thieves, too */
    SVS__ALIGNAS(64) svs__slot *head;  /* the first free slot */
    svs__slot *base;                   /* head when the innermost finish began */
    svs__slot *own;   /* above it, children may be taken from the top without asking */
    uint64_t ordinal; /* of the next async; counted in the worker's own strand */
    void *worker;     /* the library's: which runs it */
};

#if defined(__GNUC__)
#define SVS__RARELY(condition) __builtin_expect(!!(condition), 0)
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

/* Code under a race check (the target svs::check defines SVS_CHECKED): slots and strands are the
 * library's, so what touches them inline is not instrumented. It says itself what it reads and
 * writes of the program's own; and a body, which is instrumented, cannot stand inside of it. */
#if defined(SVS_CHECKED)
#define SVS__UNCHECKED __attribute__((no_sanitize("thread")))
#undef SVS__INSIDE
#define SVS__INSIDE SVS_MAYBE_UNUSED
SVS_API void svs_check_read(const void *memory, size_t bytes);
SVS_API void svs_check_write(const void *memory, size_t bytes);
#define SVS__TELL_READ(memory, bytes) svs_check_read((memory), (bytes))
/* a call that stays one, as its return address tells where the write is */
#define SVS__TELL_WRITE(memory, bytes)                                                             \
    do {                                                                                           \
        svs_check_write((memory), (bytes));                                                        \
        __asm__ __volatile__("");                                                                  \
    } while (0)
/* clang instruments atomic accesses all the same */
#define SVS__LOAD_HINT(from) (*(svs__slot *const volatile *)(from))
#define SVS__STORE_HINT(to, value) ((void)(*(svs__slot_function *volatile *)(to) = (value)))
#else
#define SVS__UNCHECKED
#define SVS__TELL_READ(memory, bytes) ((void)0)
#define SVS__TELL_WRITE(memory, bytes) ((void)0)
#define SVS__LOAD_HINT(from) __atomic_load_n((from), __ATOMIC_RELAXED)
#define SVS__STORE_HINT(to, value) __atomic_store_n((to), (value), __ATOMIC_RELAXED)
#endif
#define SVS__UNSEEN SVS_MAYBE_UNUSED SVS__UNCHECKED

/* The slow way of a spawn. Begin tells where the child's function and arguments go, or NULL when
 * the child is to be called in place; commit spawns it. @return the strand's head after it. */
SVS_API svs__slot *svs__async_begin(svs_strand *strand);
SVS_API svs__slot *svs__async_commit(svs_strand *strand, svs__slot *slot, svs__slot *base);

/* Returns when the children from `base` on have ended; base is head then. */
SVS_API void svs__drain(svs_strand *strand, svs__slot *base);

/* The slot functions of generic children with arguments up to so many bytes. */
SVS_API void svs__run_16(svs_strand *strand, svs__slot *slot, svs__slot *head);
SVS_API void svs__run_32(svs_strand *strand, svs__slot *slot, svs__slot *head);
SVS_API void svs__run_96(svs_strand *strand, svs__slot *slot, svs__slot *head);

/* The slow way of a generic spawn, whose child is in the slot at head already: there is always one
 * more than can be pushed. */
SVS_API void svs__async_slow(svs_strand *strand);

/* A generic spawn with arguments that do not fit into a slot. */
SVS_API void svs__async_block(svs_strand *strand, svs_async_function *function,
                              const void *argument, size_t size);

/* memcpy by words: arguments have most often just been written field by field, and a wider load
 * would have to wait until all of them have left the store buffer. */
SVS__UNCHECKED static inline void svs__copy(unsigned char *svs_to_, const void *svs_from_,
                                            size_t svs_size_) {
    const unsigned char *svs_bytes_ = (const unsigned char *)svs_from_;
    size_t svs_at_ = 0;
#if defined(SVS_CHECKED) /* where each memcpy is a call that tells what it does */
    volatile unsigned char *svs_here_ = svs_to_;
    for (; svs_at_ < svs_size_; svs_at_++) svs_here_[svs_at_] = svs_bytes_[svs_at_];
#else
    for (; svs_at_ + 8 <= svs_size_; svs_at_ += 8)
        memcpy(svs_to_ + svs_at_, svs_bytes_ + svs_at_, 8);
    if (svs_at_ < svs_size_) memcpy(svs_to_ + svs_at_, svs_bytes_ + svs_at_, svs_size_ - svs_at_);
#endif
}

/* relaxed: a hint; what a thief wants, it gets at a later spawn, too. */
SVS__UNCHECKED static inline int svs__is_slow(const svs_strand *svs_on_,
                                              const svs__slot *svs_head_) {
    return SVS__RARELY(svs_head_ >= SVS__LOAD_HINT(&svs_on_->limit));
}

/* relaxed: the share that gives the slot to thieves publishes it; a thief looks at `run` before it
 * has taken the slot, and believes it after. */
SVS__UNCHECKED static inline void svs__slot_name(svs__slot *svs_slot_,
                                                 svs__slot_function *svs_run_) {
    SVS__STORE_HINT(&svs_slot_->run, svs_run_);
}

SVS_END_DECLARATIONS
#endif
