/* Task types: the body, the footprint of its instances, and the item that an instance processes
 * (thesis 3.1, 3.2).
 *
 *     typedef struct { lib_body *a, *b; float j; } contact;   // an item: plain bytes, copied
 *     static void contact_touch(svs_footprint *f, const contact *c) {
 *         svs_writes(f, c->a);
 *         svs_writes(f, c->b);
 *     }
 *     static svs_status contact_run(svs_context *x, contact *c) {
 *         (void)x;
 *         push(c->a, c->b, c->j);
 *         return SVS_OK;
 *     }
 *     SVS_TASK(contact, contact_run, contact_touch)   // defines contact_task and contact_send()
 *
 * A task type is described once, at file scope. A graph contains tasks of the type, either as
 * itemizers (one instance per item received) or as transforms (one instance per iteration). Items
 * are copied as bytes. Memory objects are never copied, so SVS_TYPE and SVS_TASK of one struct do
 * not compile.
 *
 * Threads: a body runs on any worker and has exclusive access to its item. It never runs in
 * parallel with an instance of a conflicting footprint. Asyncs of a body (svs_context_async) act
 * for the body on any worker: they access, link, create, free, send and publish as the body does.
 * Errors: a body returns SVS_OK, or the status that the run shall return. Any status but SVS_OK
 * cancels the instances that have not started. In C++, an exception that leaves a body of SVS_TASK
 * ends the process; <svs/svs.hpp> makes it the result of the run. */
#ifndef SVS_TASK_H
#define SVS_TASK_H

#include <svs/detail/async_context.h>
#include <svs/footprint.h>

SVS_BEGIN_DECLARATIONS

/* The handle of a running instance, for calls from its body. Valid until the body returns, in the
 * thread that runs the body and in asyncs of the body. */
typedef struct svs_context svs_context;

/* A task in a graph. */
typedef struct svs_task svs_task;

typedef svs_status svs_run_function(svs_context *context, void *item);
typedef void svs_touch_function(svs_footprint *footprint, const void *item);
/* Gets an item that never runs, and the task's argument (svs_task_set_dropped). */
typedef void svs_dropped_function(void *item, void *argument);

/* Internal: the loops that SVS_TASK makes (svs/detail/loops.h). */
typedef struct svs__task_loops {
    uint32_t version; /* SVS__LOOPS_VERSION */
    /* functions that the loops were made from; a type with others does without the loops */
    svs_run_function *run;
    svs_touch_function *touch;
    /* Touches the `count` items at `at`, and appends their elements at keys->next. ends[i] is the
     * index after the last element of item i.
     * @return the number processed; if less than `count`, the next item was not handled. */
    uint32_t (*keys)(svs__keys *keys, void *const *at, uint32_t *ends, uint32_t count);
    /* Touches the `count` items at `at`, to fetch the objects and addresses that they name.
     * `argument`: of the task. */
    void (*fetch)(void *argument, void *const *at, uint32_t count);
    /* Touches the `count` items at `at`. @return whether each access is exactly one element. */
    int (*look)(svs__keys *keys, void *const *at, uint32_t count);
    /* Touches the `count` items at `at`, and gives each the lowest open colour that none of its
     * elements has. @return the number processed; if less than `count`, the next item was not
     * handled. */
    uint32_t (*colours)(svs__keys *keys, void *const *at, uint32_t count);
    /* Runs at least one of `count` items. @return how many. */
    uint32_t (*runs)(svs_context *context, void *const *at, uint32_t count, const svs__loop *loop);
} svs__task_loops;

/* Internal: the facts that `svs scan` has found about a task type, as lists of names of other task
 * types. A list is in the order of strcmp() and ends with NULL; NULL is an empty list. */
typedef struct svs__task_facts {
    /* instances of this type and of these types share no memory that one of them writes */
    const char *const *independent;
    /* the touch function reads memory that bodies of these types write */
    const char *const *touch_reads;
} svs__task_facts;

typedef struct svs_task_type {
    const char *name;
    size_t item_size;           /* bytes; at most SVS_ITEM_MAX */
    size_t item_alignment;      /* alignment of the item, at most 16 */
    svs_run_function *run;      /* never NULL */
    svs_touch_function *touch;  /* NULL: writes everything reachable from the item's links */
    const svs_link_type *links; /* the item's pointers to memory objects */
    uint32_t link_count;
    uint32_t flags;               /* 0 */
    const svs__task_loops *loops; /* NULL, or the loops that SVS_TASK has made */
    const svs__task_facts *facts; /* NULL, or what svs scan has found */
} svs_task_type;

#define SVS_ITEM_MAX 65536u

/* SVS_TASK(item, run, touch): a task type with the name of its item's type. It defines item_task
 * and item_send(). With a name of its own, for several task types with one item type:
 * SVS_TASK(name, item, run, touch). */
#define SVS_TASK(...)                                                                              \
    SVS__CONCATENATE(SVS__TASK_, SVS__NINTH(__VA_ARGS__, 4, 4, 4, 4, 4, 3, 3, 3, 0))(__VA_ARGS__)

/* A task type that several files use, or with a body that uses it: write SVS_TASK_DECLARE(item) or
 * SVS_TASK_DECLARE(name, item) in a header file or before the body, and SVS_TASK_DEFINE with the
 * arguments of SVS_TASK in one source file. */
#define SVS_TASK_DECLARE(...)                                                                      \
    SVS__CONCATENATE(SVS__TASK_DECLARE_, SVS__NINTH(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 1, 0))       \
    (__VA_ARGS__)
#define SVS_TASK_DEFINE(...)                                                                       \
    SVS__CONCATENATE(SVS__TASK_DEFINE_, SVS__NINTH(__VA_ARGS__, 4, 4, 4, 4, 4, 3, 3, 3, 0))        \
    (__VA_ARGS__)

/* Without a name and with one. A wrong number of arguments is an error of one of these macros. */
#define SVS__TASK_3(item_, run_, touch_) SVS__TASK_4(item_, item_, run_, touch_)
#define SVS__TASK_4(name_, item_, run_, touch_)                                                    \
    SVS__TASK_FUNCTIONS(name_, item_, run_, touch_)                                                \
    SVS__TASK_DEFINE(name_, item_, run_, name_##_touch_, SVS__TASK_LOOPS_OF(name_))
#define SVS__TASK_DECLARE_1(item_) SVS__TASK_DECLARE_2(item_, item_)
#define SVS__TASK_DECLARE_2(name_, item_)                                                          \
    SVS__SHARED_TASK(name_)                                                                        \
    SVS__TASK_SENDER(name_, item_)
#define SVS__TASK_DEFINE_3(item_, run_, touch_) SVS__TASK_DEFINE_4(item_, item_, run_, touch_)
#define SVS__TASK_DEFINE_4(name_, item_, run_, touch_)                                             \
    SVS__TASK_FUNCTIONS(name_, item_, run_, touch_)                                                \
    SVS__TASK_VALUE(name_, item_, run_, name_##_touch_, SVS__TASK_LOOPS_OF(name_))
#define SVS__TASK_FUNCTIONS(name_, item_, run_, touch_)                                            \
    static void name_##_touch_(svs_footprint *svs_footprint_, const void *svs_item_)               \
        SVS__NOEXCEPT {                                                                            \
        touch_(svs_footprint_, SVS__CAST(const item_ *, svs_item_));                               \
    }                                                                                              \
    SVS__TASK_RUN(name_, item_, run_)                                                              \
    SVS__TASK_LOOPS(name_, item_, run_, touch_)
#if defined(__cplusplus)
#define SVS__SHARED_TASK(name_) extern "C" const svs_task_type name_##_task;
#else
#define SVS__SHARED_TASK(name_) extern const svs_task_type name_##_task;
#endif

/* SVS_TASK_REACH(name, item, run, header, links...): a task type without a touch function. An
 * instance writes everything that is reachable from the named pointers of its item. They point to
 * structs with the header field `header`. */
#define SVS_TASK_REACH(name_, item_, run_, header_, ...)                                           \
    SVS__EACH(SVS__ITEM_PROBE, name_, (item_, header_), __VA_ARGS__)                               \
    static const svs_link_type name_##_item_links_[] = {                                           \
        SVS__EACH(SVS__ITEM_ENTRY, name_, (item_, header_), __VA_ARGS__)};                         \
    SVS__TASK_RUN(name_, item_, run_)                                                              \
    SVS__TASK_DEFINE(name_, item_, run_, NULL, name_##_item_links_,                                \
                     sizeof name_##_item_links_ / sizeof name_##_item_links_[0], 0, NULL)

/* SVS_TASK_ALONE(name, item, run): an instance may access everything, so that it runs alone in its
 * world. */
#define SVS_TASK_ALONE(name_, item_, run_)                                                         \
    static void name_##_touch_(svs_footprint *svs_footprint_, const void *svs_item_)               \
        SVS__NOEXCEPT {                                                                            \
        (void)svs_item_;                                                                           \
        svs_writes_everything(svs_footprint_);                                                     \
    }                                                                                              \
    SVS__TASK_RUN(name_, item_, run_)                                                              \
    SVS__TASK_DEFINE(name_, item_, run_, name_##_touch_, NULL, 0, 0, NULL)

#define SVS__ITEM_PROBE(name_, pair, link)                                                         \
    static size_t name_##_item_##link##_header_(void *to) {                                        \
        SVS__FIRST(pair) from;                                                                     \
        from.link = NULL;                                                                          \
        svs__assign(&from.link, to);                                                               \
        return svs__distance(to, &from.link->SVS__SECOND(pair));                                   \
    }
#define SVS__ITEM_ENTRY(name_, pair, link)                                                         \
    {#link, offsetof(SVS__FIRST(pair), link), name_##_item_##link##_header_},

/* The remaining arguments are the links, their count, the flags and the loops. */
#define SVS__TASK_DEFINE(name_, item_, run_, touch_, ...)                                          \
    SVS_MAYBE_UNUSED static SVS__TASK_VALUE(name_, item_, run_, touch_, __VA_ARGS__)               \
        SVS__TASK_SENDER(name_, item_)

#define SVS__TASK_VALUE(name_, item_, run_, touch_, ...)                                           \
    const svs_task_type name_##_task = {#name_, sizeof(item_), SVS__ALIGNOF(item_), name_##_run_,  \
                                        touch_, __VA_ARGS__,   SVS__FACTS(name_)};

/* In a scanned source, the generated header completes the facts. Without the header there are no
 * facts. */
#if defined(SVS_SCANNED) && !defined(SVS_SCAN) && !defined(__cplusplus)
#define SVS__FACTS_DECLARE(name_) static const svs__task_facts name_##_facts_;
#define SVS__FACTS(name_) &name_##_facts_
#else
#define SVS__FACTS_DECLARE(name_)
#define SVS__FACTS(name_) NULL
#endif

/* Called at the end of an instance that has failed or used its context. @return whether the loop
 * must end. */
SVS_API int svs__instance_end(svs_context *context, void *item, svs_status status);

#if SVS__HAS_LOOPS
#define SVS__TASK_LOOPS_OF(name_) NULL, 0, 0, &name_##_loops_

/* Makes a copy, whose form the compiler knows, so that it keeps the copy in registers. `places` is
 * not initialised. */
static inline void svs__keys_begin(svs__keys *svs_own_, const svs__keys *svs_keys_,
                                   uint32_t svs_form_) {
    const svs__colouring *svs_from_ = &svs_keys_->colouring;
    svs__colouring *svs_to_ = &svs_own_->colouring;
    svs_own_->footprint.accesses = SVS__NULL;
    svs_own_->footprint.count = svs_own_->footprint.capacity = 0;
    svs_own_->footprint.status = SVS_OK;
    svs_own_->footprint.form = svs_form_;
    svs_own_->footprint.argument = svs_keys_->footprint.argument;
    svs_own_->next = svs_keys_->next;
    svs_own_->end = svs_keys_->end;
    svs_own_->reads = svs_keys_->reads;
    svs_own_->plain[0] = svs_keys_->plain[0];
    svs_own_->plain[1] = svs_keys_->plain[1];
    svs_own_->checks = svs_keys_->checks;
    svs_own_->walks = 0;
    svs_own_->links = svs_keys_->links;
    svs_own_->world = svs_keys_->world;
    svs_own_->space = SVS__NULL;
    svs_own_->space_key = svs_own_->space_count = 0;
    svs_to_->table = svs_from_->table;
    svs_to_->number = svs_from_->number;
    svs_to_->open = svs_from_->open;
    svs_to_->ends = svs_from_->ends;
    svs_to_->shift = svs_from_->shift;
}

/* A loop that fetches uses no more of a footprint than these. Without the empty asm, the compiler
 * would see a function without effects, and drop calls of it. */
static inline void svs__fetch_begin(svs__keys *svs_own_, void *svs_argument_) {
    __asm__ volatile("");
    svs_own_->footprint.accesses = SVS__NULL;
    svs_own_->footprint.count = svs_own_->footprint.capacity = 0;
    svs_own_->footprint.status = SVS_OK;
    svs_own_->footprint.argument = svs_argument_;
}

/* Called after each touch function. @return 0: the loop stops, and the instance's elements are
 * dropped. */
static inline int svs__keys_next(svs__keys *svs_keys_, svs__key_element *svs_before_) {
    if (__builtin_expect(!svs_keys_->footprint.status, 1)) return 1;
    svs_keys_->next = svs_before_;
    return 0;
}

/* Called before each touch function of a loop that gives colours. */
static inline void svs__colours_begin(svs__keys *svs_keys_) {
    svs__colouring *svs_c_ = &svs_keys_->colouring;
    svs_keys_->footprint.form = SVS__FOOTPRINT_COLOURS;
    svs_c_->count[SVS_MODE_READ] = svs_c_->count[SVS_MODE_WRITE] = 0;
    svs_c_->used[SVS_MODE_READ] = svs_c_->used[SVS_MODE_WRITE] = 0;
    svs_c_->odd = 0;
}

/* The instance's elements of a mode get the colour, four at a time. The compiler often knows how
 * many there are, and then leaves no test of the count. */
static inline void svs__paint(const svs__colouring *svs_c_, svs_access_mode svs_mode_,
                              uint64_t svs_bit_) {
    uint64_t svs_count_ = svs_c_->count[svs_mode_], svs_i_ = 0;
    svs_bit_ = svs__colour_in(svs_bit_, SVS__CAST(uint32_t, svs_mode_));
    for (; svs_i_ < SVS__COLOURED && svs_i_ + 4 <= svs_count_; svs_i_ += 4) {
        svs_c_->table[svs_c_->places[svs_mode_][svs_i_]] |= svs_bit_;
        svs_c_->table[svs_c_->places[svs_mode_][svs_i_ + 1]] |= svs_bit_;
        svs_c_->table[svs_c_->places[svs_mode_][svs_i_ + 2]] |= svs_bit_;
        svs_c_->table[svs_c_->places[svs_mode_][svs_i_ + 3]] |= svs_bit_;
    }
    for (; svs_i_ < SVS__COLOURED && svs_i_ < svs_count_; svs_i_++)
        svs_c_->table[svs_c_->places[svs_mode_][svs_i_]] |= svs_bit_;
}

/* Called after each touch function of a loop that gives colours. @return 0: the loop stops, and the
 * instance has no colour. */
static inline int svs__colour_next(const svs__keys *svs_keys_, void *svs_item_) {
    const svs__colouring *svs_c_ = &svs_keys_->colouring;
    uint64_t svs_used_ = svs__colours_of(svs_c_->used[SVS_MODE_READ], SVS_MODE_READ) |
                         svs__colours_of(svs_c_->used[SVS_MODE_WRITE], SVS_MODE_WRITE);
    uint64_t svs_free_ = ~svs_used_ & svs_c_->open, svs_bit_ = svs_free_ & -svs_free_;
    void ***svs_end_;
    if (__builtin_expect((svs_keys_->footprint.status != SVS_OK) | !svs_free_ | (svs_c_->odd != 0) |
                             (svs_c_->count[SVS_MODE_READ] > SVS__COLOURED) |
                             (svs_c_->count[SVS_MODE_WRITE] > SVS__COLOURED),
                         0))
        return 0;
    svs__paint(svs_c_, SVS_MODE_READ, svs_bit_);
    svs__paint(svs_c_, SVS_MODE_WRITE, svs_bit_);
    svs_end_ = &svs_c_->ends[__builtin_ctzll(svs_free_)];
    *(*svs_end_)++ = svs_item_;
    return 1;
}

static inline svs__loop_head *svs__loop_head_of(svs_context *svs_context_) {
    return SVS__CAST(svs__loop_head *, SVS__CAST(void *, svs_context_));
}

/* Called before each body. */
static inline void svs__loop_begin(svs_context *svs_context_, const void *svs_item_) {
    /* relaxed is enough: the watchdog also reads it, and may get a stale value. */
    __atomic_store_n(&svs__loop_head_of(svs_context_)->item, svs_item_, __ATOMIC_RELAXED);
}

/* Called after each body. @return whether the library has work to do for the instance. */
static inline int svs__loop_used(svs_context *svs_context_, svs_status svs_status_) {
    /* relaxed is enough: the body's asyncs have ended, or the library waits for them. */
    return __builtin_expect((svs_status_ != SVS_OK) |
                                (SVS__READ_NOW(&svs__loop_head_of(svs_context_)->used) != 0),
                            0) != 0;
}

/* Whether the loop must end before the next instance. relaxed is enough for both: one body more
 * does no harm. */
static inline int svs__loop_is_over(const svs__loop *svs_loop_) {
    uint64_t svs_attached_ = SVS__READ_NOW(svs_loop_->attached);
    return __builtin_expect(((svs_attached_ & (svs_attached_ - 1)) != 0) |
                                (SVS__READ_NOW(svs_loop_->cancelled) != 0),
                            0) != 0;
}

/* Touches the items at `svs_at_` from number `svs_i_` on, with the footprint of `svs_own_`, in the
 * given form. */
#define SVS__TOUCH_EACH(item_, touch_, form_)                                                      \
    for (; svs_i_ < svs_count_; svs_i_++) {                                                        \
        svs_own_.footprint.form = form_;                                                           \
        touch_(&svs_own_.footprint, SVS__CAST(const item_ *, svs_at_[svs_i_]));                    \
    }

#define SVS__TASK_LOOPS(name_, item_, run_, touch_)                                                \
    SVS__WHOLE static uint32_t name_##_keys_(svs__keys *svs_keys_, void *const *svs_at_,           \
                                             uint32_t *svs_ends_, uint32_t svs_count_) {           \
        svs__keys svs_own_;                                                                        \
        svs__key_element *const svs_base_ = svs_keys_->next;                                       \
        uint32_t svs_i_ = 0;                                                                       \
        svs__keys_begin(&svs_own_, svs_keys_, SVS__FOOTPRINT_KEYS);                                \
        for (; svs_i_ < svs_count_; svs_i_++) {                                                    \
            svs__key_element *svs_before_ = svs_own_.next;                                         \
            svs_own_.footprint.form = SVS__FOOTPRINT_KEYS;                                         \
            touch_(&svs_own_.footprint, SVS__CAST(const item_ *, svs_at_[svs_i_]));                \
            if (!svs__keys_next(&svs_own_, svs_before_)) break;                                    \
            svs_ends_[svs_i_] = SVS__CAST(uint32_t, svs_own_.next - svs_base_);                    \
        }                                                                                          \
        svs_keys_->next = svs_own_.next;                                                           \
        svs_keys_->reads = svs_own_.reads;                                                         \
        svs_keys_->walks = svs_own_.walks;                                                         \
        svs_keys_->footprint.status = svs_own_.footprint.status;                                   \
        return svs_i_;                                                                             \
    }                                                                                              \
    SVS__WHOLE static void name_##_fetch_(void *svs_argument_, void *const *svs_at_,               \
                                          uint32_t svs_count_) {                                   \
        svs__keys svs_own_;                                                                        \
        uint32_t svs_i_ = 0;                                                                       \
        svs__fetch_begin(&svs_own_, svs_argument_);                                                \
        SVS__TOUCH_EACH(item_, touch_, SVS__FOOTPRINT_FETCH);                                      \
    }                                                                                              \
    SVS__WHOLE static int name_##_look_(svs__keys *svs_keys_, void *const *svs_at_,                \
                                        uint32_t svs_count_) {                                     \
        svs__keys svs_own_;                                                                        \
        uint32_t svs_i_ = 0;                                                                       \
        svs__keys_begin(&svs_own_, svs_keys_, SVS__FOOTPRINT_LOOK);                                \
        SVS__TOUCH_EACH(item_, touch_, SVS__FOOTPRINT_LOOK);                                       \
        return svs_own_.footprint.status == SVS_OK;                                                \
    }                                                                                              \
    SVS__WHOLE static uint32_t name_##_colours_(svs__keys *svs_keys_, void *const *svs_at_,        \
                                                uint32_t svs_count_) {                             \
        svs__keys svs_own_;                                                                        \
        void *const *svs_to_ = svs_at_, *const *const svs_end_ = svs_at_ + svs_count_;             \
        svs__keys_begin(&svs_own_, svs_keys_, SVS__FOOTPRINT_COLOURS);                             \
        for (; svs_to_ < svs_end_; svs_to_++) {                                                    \
            svs__colours_begin(&svs_own_);                                                         \
            touch_(&svs_own_.footprint, SVS__CAST(const item_ *, *svs_to_));                       \
            if (!svs__colour_next(&svs_own_, *svs_to_)) break;                                     \
        }                                                                                          \
        return SVS__CAST(uint32_t, svs_to_ - svs_at_);                                             \
    }                                                                                              \
    static uint32_t name_##_runs_(svs_context *svs_context_, void *const *svs_at_,                 \
                                  uint32_t svs_count_, const svs__loop *svs_given_) {              \
        svs__loop svs_loop_ = *svs_given_;                                                         \
        uint32_t svs_i_ = 0;                                                                       \
        if (!svs_context_) __builtin_unreachable();                                                \
        for (;;) {                                                                                 \
            svs_status svs_status_;                                                                \
            void *svs_item_ = svs_at_[svs_i_];                                                     \
            SVS__FETCH(svs_at_[svs_i_ + SVS__LOOP_AHEAD < svs_count_ ? svs_i_ + SVS__LOOP_AHEAD    \
                                                                     : svs_i_]);                   \
            svs__loop_begin(svs_context_, svs_item_);                                              \
            svs_status_ = /* NOLINTNEXTLINE(bugprone-macro-parentheses) */                         \
                run_(svs_context_, SVS__CAST(item_ *, svs_item_));                                 \
            if (svs__loop_used(svs_context_, svs_status_)) {                                       \
                svs_loop_.between = 0;                                                             \
                if (svs__instance_end(svs_context_, svs_item_, svs_status_)) return svs_i_ + 1;    \
            }                                                                                      \
            if (++svs_i_ >= svs_count_) return svs_i_;                                             \
            if (svs_i_ & svs_loop_.between) continue;                                              \
            if (svs__loop_is_over(&svs_loop_)) return svs_i_;                                      \
            if (svs_loop_.fetches && svs_i_ + 1 < svs_count_)                                      \
                name_##_fetch_(svs__loop_head_of(svs_context_)->argument, &svs_at_[svs_i_ + 1],    \
                               1);                                                                 \
        }                                                                                          \
    }                                                                                              \
    static const svs__task_loops name_##_loops_ = {                                                \
        SVS__LOOPS_VERSION, name_##_run_,  name_##_touch_,   name_##_keys_,                        \
        name_##_fetch_,     name_##_look_, name_##_colours_, name_##_runs_};
#else
#define SVS__TASK_LOOPS_OF(name_) NULL, 0, 0, NULL
#define SVS__TASK_LOOPS(name_, item_, run_, touch_)
#endif

#define SVS__TASK_RUN(name_, item_, run_)                                                          \
    SVS__UNQUALIFIED(name_, "with a name before it: SVS_TASK(name, item, run, touch)")             \
    SVS__ITEM_KIND(item_)                                                                          \
    SVS__FACTS_DECLARE(name_)                                                                      \
    static svs_status name_##_run_(svs_context *svs_context_, void *svs_item_) SVS__NOEXCEPT {     \
        /* NOLINTNEXTLINE(bugprone-macro-parentheses) */                                           \
        return run_(svs_context_, SVS__CAST(item_ *, svs_item_));                                  \
    }

#define SVS__TASK_SENDER(name_, item_)                                                             \
    SVS_NODISCARD SVS_MAYBE_UNUSED static inline svs_status name_##_send(                          \
        svs_context *svs_context_, svs_task *svs_to_, const item_ *svs_items_,                     \
        size_t svs_count_) {                                                                       \
        return svs_send(svs_context_, svs_to_, svs_items_, svs_count_, sizeof(item_));             \
    }

/* Refuses a memory object as an item at compile time. In C, the typedef clashes with the one of
 * SVS_TYPE. */
#if defined(__cplusplus)
#define SVS__ITEM_KIND(item_)                                                                      \
    static_assert(__is_trivially_copyable(item_), "an item is copied as plain bytes");             \
    static_assert(sizeof(svs__kind_of(static_cast<const item_ *>(nullptr))) == 1,                  \
                  "a memory object is not an item: send a pointer to it");
#else
#define SVS__ITEM_KIND(item_) typedef int item_##_svs_kind_;
#endif

/* Sends `count` items to the itemizer `to`. The items are copied before the call returns. To send
 * them one by one costs little more than to send them at once. Until the body sends again or ends,
 * its last items may not start, if they take at most 16 us together, as other bodies of their task
 * have done. So a body must not wait for an item that it has sent.
 * Objects that the sender created stay in its write set until its body ends or publishes them
 * (svs_publish), even if an item refers to them. Only the body that owns the context, and asyncs of
 * that body, may call this. A dataflow dependency from its task to `to` must be declared
 * (svs_graph_add_flow).
 * @param item_size sizeof one item, compared with the consumer's item size.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (a wrong item size, not an itemizer), SVS_E_UNDECLARED,
 * SVS_E_OUTSIDE (called outside of the body that owns the context), SVS_E_LIMIT (more than 2^31
 * items), SVS_E_NO_MEMORY (no item was sent). A failed send fails the body, also if the body
 * ignores the status. */
SVS_NODISCARD SVS_API svs_status svs_send(svs_context *context, svs_task *to, const void *items,
                                          size_t count, size_t item_size);

/* Publishes `object`, which this body or an async of it created, and the objects of this body that
 * are reachable from it through objects of this body: from now on, other instances may access these
 * objects while this body still runs; this body and its asyncs must not. Objects that another body
 * created are not published, even if a link leads to them.
 * @return SVS_OK, SVS_E_NULL, SVS_E_WORLD, SVS_E_FREED, SVS_E_OUTSIDE (not the caller's
 * context). */
SVS_NODISCARD SVS_API svs_status svs_publish(svs_context *context, svs_object *object);

/* The `argument` that was passed when the task was added to the graph. Inline for speed, since most
 * bodies call it; the function is for bindings. */
SVS_API void *svs_context_argument(const svs_context *context);
#if SVS__HAS_LOOPS
static inline void *svs__context_argument(const svs_context *svs_context_) {
    const svs__loop_head *svs_head_ =
        SVS__CAST(const svs__loop_head *, SVS__CAST(const void *, svs_context_));
    return svs_head_ ? svs_head_->argument : SVS__NULL;
}
#define svs_context_argument(context) svs__context_argument(context)
#endif

/* Fails the body, with a sentence for the report and the log: `return svs_context_fail(context, 7,
 * "the account is closed");`. Asyncs of the body may call it as well; the first call counts. At
 * most 127 bytes of `text` are copied.
 * @param status not SVS_OK. @return `status`, SVS_E_OUTSIDE, SVS_E_INVALID. */
SVS_API svs_status svs_context_fail(svs_context *context, svs_status status, const char *text);

/* The iteration, from 0. */
SVS_API uint32_t svs_context_iteration(const svs_context *context);

/* The async context of the body, which may spawn and wait with it (<svs/async.h>). The body is a
 * finish: its footprint is held until all that it spawned has ended. An async of the body may
 * access what the body may access. Objects that it creates belong to the body until the body ends
 * or publishes them, and a refused call of the async fails the body. Several asyncs may run at
 * once, if no two of them write one object. The asyncs of bodies are scheduled help-first, whatever
 * the runtime's policy. Returns NULL, with a line in the log, outside of the body itself. An async
 * uses the async context that it received; if a worker other than the body's runs it, this call
 * fails the body with SVS_E_OUTSIDE. */
SVS_API svs_async_context *svs_context_async(svs_context *context);

/* An instance that completes after its body has returned: the body starts an I/O transfer or a GPU
 * kernel and returns, so that the worker is free for other instances. The footprint is held until
 * svs_completed(), and until then neither the task nor the run ends.
 *
 *     static void on_read(svs_later *later, svs_status status) { svs_completed(later, status); }
 *     static svs_status load_run(svs_context *x, load *l) {
 *         svs_later *later;
 *         svs_status status = svs_complete_later(x, l, &later);
 *         if (!status) start_reading(l->buffer, on_read, later); // calls on_read(later, status)
 *         return status;
 *     }
 *
 * The footprint is held as of this call: make the call before the body changes links. After the
 * body has returned, its item is invalid, and objects that it made are published. A run that is
 * cancelled waits until its instances are completed. */
typedef struct svs_later svs_later;

/* @param item the item that the body received. @return SVS_OK; SVS_E_NULL; SVS_E_INVALID (another
 * item); SVS_E_OUTSIDE (not from the body); SVS_E_NO_MEMORY. A failure fails the body. */
SVS_NODISCARD SVS_API svs_status svs_complete_later(svs_context *context, const void *item,
                                                    svs_later **later);

/* Completes the instance. Call it once for each svs_complete_later(), from any thread, possibly
 * before the body returns; it frees `later`. @param status SVS_OK, or the failure of the run.
 * @return SVS_OK, SVS_E_NULL, SVS_E_FORKED. */
SVS_API svs_status svs_completed(svs_later *later, svs_status status);

/* A number of this instance, the same in each run of the same program. It is made of the sender's
 * number and the count of items that the sender has sent. If several asyncs of one body send at
 * once, the schedule decides which item gets which number. The same applies to objects that they
 * make, whose cells and signature bits come from such counts. */
SVS_API uint64_t svs_instance_id(const svs_context *context);

/* Whether the run has failed or was cancelled. A long body may poll it and return early. */
SVS_API bool svs_context_cancelled(const svs_context *context);

SVS_END_DECLARATIONS
#endif
