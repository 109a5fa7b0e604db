/* Records for other ranks, and the handlers that receive them: remote fibers (section 3.3.1).
 *
 *     typedef struct word { uint64_t key, count; } word;
 *     static void add_words(svs_ranks *ranks, void *part, const word *words, uint32_t count);
 *     SVS_HANDLER_IN_PLACE(add, word, add_words)
 *
 *     static const svs_handler *const handlers[] = {&add};
 *     svs_handlers_add(ranks, handlers, 1);         // the same on all ranks
 *     status = add_post(ranks, to, &one_word);      // in a fiber
 *
 * A post copies the record; its handler runs on rank `to`, in the future. There is no
 * acknowledgement. Records are gathered, and sent together (rank.h, aggregate_bytes). Two records
 * from one rank to another start in the order of their posts, if their handlers have the same
 * dispatch.
 *
 * SVS_WAIT: a post of a fiber is not accepted while `credits` buffers for `to` are in flight
 * (rank.h), or while this rank or `to` is above the mark of its overflow, half of
 * overflow_bytes_max. The fiber continues, and names its continuation to svs_post_ready(). Posts
 * of in-place handlers are always accepted: what cannot be sent is queued as overflow, up to
 * overflow_bytes_max. A handler's fiber that has continued counts as overflow of its rank until it
 * ends. Its own posts do not wait for the mark of another rank, so that two handlers waiting for
 * each other make progress.
 *
 *   dispatch               a record runs
 *   SVS_DISPATCH_FIFO      as a fiber of the FIFO scheduler
 *   SVS_DISPATCH_URGENT    as an urgent fiber
 *   SVS_DISPATCH_IN_PLACE  in place, in the buffer that it arrived in: all consecutive records of
 *                          one handler in one call. Between fibers, and in svs_poll(); a record for
 *                          the own rank at once, in the post. It must not wait, continue, poll or
 *                          modify.
 *   SVS_DISPATCH_CUSTOM    as a fiber of the scheduler of svs_handler_schedule()
 *
 * A buffer counts as run when the fibers of its records have ended, except those of custom
 * schedulers, which may keep them. */
#ifndef SVS_RANKS_POST_H
#define SVS_RANKS_POST_H

#include <string.h>
#include <svs/detail/each.h>
#include <svs/ranks/fiber.h>

SVS_BEGIN_DECLARATIONS

typedef enum svs_dispatch {
    SVS_DISPATCH_FIFO,
    SVS_DISPATCH_URGENT,
    SVS_DISPATCH_IN_PLACE,
    SVS_DISPATCH_CUSTOM
} svs_dispatch;

typedef struct svs_handler {
    const char *name;
    svs_dispatch dispatch;
    /* bytes of a record, at most 2^24; 0: the size varies, and each post gives it. Records of
     * variable size are not gathered into runs */
    uint32_t bytes;
    /* Not in place: runs one record, as a fiber whose state is a copy of the record. */
    svs_fiber_function *run;
    /* SVS_DISPATCH_IN_PLACE: runs `count` records, an array with elements of `bytes`, aligned to 8.
     * If the size varies, it gets one record, and `count` is the record's bytes. `part` is
     * svs_ranks_data(). */
    void (*run_in_place)(svs_ranks *ranks, void *part, const void *records, uint32_t count);
} svs_handler;

/* Defines the handler `name`, and name_post(ranks, to, &record) for records of a type. `body` is an
 * svs_fiber_function. */
#define SVS_HANDLER(name, type, body, dispatch)                                                    \
    static const svs_handler name = {#name, dispatch, sizeof(type), body, NULL};                   \
    SVS__HANDLER_POST(name, type)

/* The same in place: void body(svs_ranks *, void *part, const type *records, uint32_t count). */
#define SVS_HANDLER_IN_PLACE(name, type, body)                                                     \
    static void name##_records_(svs_ranks *svs_ranks_, void *svs_part_, const void *svs_records_,  \
                                uint32_t svs_count_) {                                             \
        body(svs_ranks_, svs_part_, (const type *)svs_records_, svs_count_);                       \
    }                                                                                              \
    static const svs_handler name = {#name, SVS_DISPATCH_IN_PLACE, sizeof(type), NULL,             \
                                     name##_records_};                                             \
    SVS__HANDLER_POST(name, type)

/* Private. A lane is the free space at the end of the open buffer for a rank; posts of one handler
 * append to it without a call. An svs_ranks begins with its lanes. */
typedef struct svs__lane {
    /* the handler whose records are appended; NULL: the lane is closed */
    const svs_handler *handler;
    unsigned char *at, *end;
    /* used in the lane to the rank itself: records of this handler run at once; NULL: svs_post()
     * decides */
    const svs_handler *now;
} svs__lane;

typedef struct svs__lanes {
    svs__lane *of; /* one lane for each rank */
    uint32_t count;
} svs__lanes;

/* Copies one word. A compiler does not merge the copies of adjacent words. */
static inline void svs__word_copy(void *svs_to_, const void *svs_from_, size_t svs_at_) {
    uint64_t svs_word_;
    memcpy(&svs_word_, SVS__CAST(const char *, svs_from_) + svs_at_, sizeof svs_word_);
#if defined(__GNUC__)
    __asm__("" : "+r"(svs_word_));
#endif
    memcpy(SVS__CAST(char *, svs_to_) + svs_at_, &svs_word_, sizeof svs_word_);
}

/* Copies a record. The program has usually just written a short one word by word, so it is read
 * word by word: a processor does not forward two stores to one load, and a vector load would wait
 * until both stores and all earlier cache misses have completed. */
static inline void svs__record_copy(void *svs_to_, const void *svs_from_, size_t svs_bytes_) {
    if (svs_bytes_ % 8 != 0 || svs_bytes_ == 0 || svs_bytes_ > 32) {
        memcpy(svs_to_, svs_from_, svs_bytes_);
        return;
    }
    svs__word_copy(svs_to_, svs_from_, 0);
    if (svs_bytes_ > 8) svs__word_copy(svs_to_, svs_from_, 8);
    if (svs_bytes_ > 16) svs__word_copy(svs_to_, svs_from_, 16);
    if (svs_bytes_ > 24) svs__word_copy(svs_to_, svs_from_, 24);
}

/* Appends a record to the lane of its handler. @return 1; 0: it did nothing, and the caller calls
 * svs_post(), which posts the record or reports why it cannot. */
static inline int svs__lane_put(svs_ranks *svs_ranks_, uint32_t svs_to_,
                                const svs_handler *svs_handler_, const void *svs_record_,
                                size_t svs_bytes_) {
    const svs__lanes *svs_lanes_ =
        SVS__CAST(const svs__lanes *, SVS__CAST(const void *, svs_ranks_));
    svs__lane *svs_lane_;
    if (!svs_lanes_ || svs_to_ >= svs_lanes_->count || !svs_record_) return 0;
    svs_lane_ = &svs_lanes_->of[svs_to_];
    if (svs_lane_->handler != svs_handler_ ||
        SVS__CAST(size_t, svs_lane_->end - svs_lane_->at) < svs_bytes_)
        return 0;
    svs__record_copy(svs_lane_->at, svs_record_, svs_bytes_);
    svs_lane_->at += svs_bytes_;
    return 1;
}

/* Whether a record of the handler runs at once. If so, the caller runs it by svs__run_now(). */
static inline int svs__runs_now(const svs_ranks *svs_ranks_, uint32_t svs_to_,
                                const svs_handler *svs_handler_, const void *svs_record_) {
    const svs__lanes *svs_lanes_ =
        SVS__CAST(const svs__lanes *, SVS__CAST(const void *, svs_ranks_));
    return svs_lanes_ && svs_to_ < svs_lanes_->count && svs_record_ && svs_handler_ &&
           svs_lanes_->of[svs_to_].now == svs_handler_;
}
SVS_NODISCARD SVS_API svs_status svs__run_now(svs_ranks *ranks, const void *record);

/* NOLINTBEGIN(bugprone-macro-parentheses): the type in a declaration has no parentheses. */
#define SVS__HANDLER_POST(name, type)                                                              \
    SVS_MAYBE_UNUSED SVS_NODISCARD static inline svs_status name##_post(                           \
        svs_ranks *svs_ranks_, uint32_t svs_to_, const type *svs_record_) {                        \
        if (svs__lane_put(svs_ranks_, svs_to_, &name, svs_record_, sizeof *svs_record_) != 0)      \
            return SVS_OK;                                                                         \
        if (svs__runs_now(svs_ranks_, svs_to_, &name, svs_record_) != 0)                           \
            return svs__run_now(svs_ranks_, svs_record_);                                          \
        return svs_post(svs_ranks_, svs_to_, &name, svs_record_, sizeof *svs_record_);             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Collective, outside of a run: adds handlers, which are the same, in the same order, on all ranks.
 * They must live as long as the rank. @return SVS_OK or SVS_E_DIFFERS, SVS_E_RANK on all ranks;
 * SVS_E_NULL, SVS_E_INVALID, SVS_E_STATE, SVS_E_NO_MEMORY, upon which the others return
 * SVS_E_DIFFERS. */
SVS_NODISCARD SVS_API svs_status svs_handlers_add(svs_ranks *ranks,
                                                  const svs_handler *const *handlers, size_t count);

/* Sets the scheduler for the fibers of a custom handler on this rank, before the run. @param hint
 * computes from a record the hint that the deposit receives; NULL: the hint is 0. @return SVS_OK,
 * SVS_E_NULL, SVS_E_INVALID (not added, not custom, or a scheduler of another rank). */
SVS_NODISCARD SVS_API svs_status svs_handler_schedule(svs_ranks *ranks, const svs_handler *handler,
                                                      svs_scheduler *scheduler,
                                                      int64_t (*hint)(const void *record));

/* Posts a record to rank `to`. Only in a run. @return SVS_OK; SVS_WAIT (not accepted yet: post it
 * again later); SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_INVALID (no such rank or handler, a wrong
 * size, or a custom handler of a run without a scheduler), SVS_E_NO_MEMORY, SVS_E_LIMIT (the
 * overflow is full; the run fails). */
SVS_NODISCARD SVS_API svs_status svs_post(svs_ranks *ranks, uint32_t to, const svs_handler *handler,
                                          const void *record, size_t bytes);

/* Enables the fiber when a post to `to` may be accepted. @return as svs_fiber_enable();
 * SVS_E_INVALID (no such rank). */
SVS_NODISCARD SVS_API svs_status svs_post_ready(svs_ranks *ranks, uint32_t to, svs_fiber fiber);

/* Sends the gathered records for rank `to`, or for all ranks (SVS_ALL_RANKS). Call it before a long
 * computation. */
#define SVS_ALL_RANKS UINT32_MAX
SVS_API void svs_flush(svs_ranks *ranks, uint32_t to);

/* For a long fiber: sends old buffers and receives records. In-place handlers run; other fibers do
 * not. This call is the only one in which a fiber can be interrupted. */
SVS_API void svs_poll(svs_ranks *ranks);

SVS_END_DECLARATIONS
#endif
