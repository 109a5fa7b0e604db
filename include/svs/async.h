/* Async-finish parallelism: functions spawn asyncs and wait for them at the end of a finish (Steal
 * Tree section 2).
 *
 *     static void visit(svs_async_context *async, void *argument) {
 *         node *n = *(node **)argument;
 *         n->sum = work(n);
 *         for (int i = 0; i < n->children; i++)
 *             svs_async(async, visit, &n->child[i], sizeof n->child[i]);
 *     }
 *     ...
 *     svs_async_run(runtime, visit, &root);   // returns when the whole tree is visited
 *
 * `svs_async` spawns a function. It runs on any worker, in parallel with its continuation (the code
 * after the spawn), and ends before the innermost enclosing finish ends. An async may outlive the
 * body that spawned it: `svs_finish` waits for all asyncs spawned within it, directly or by other
 * asyncs. A finish is a function call, so that no code can leave it without waiting: a return from
 * it waits as well.
 *
 * Policy, an option of the runtime: under SVS_POLICY_HELP_FIRST the worker that spawns continues,
 * and thieves steal children. Under SVS_POLICY_WORK_FIRST the worker runs the child at once, in the
 * order of the serial program, and thieves steal the continuation: a body may then continue on
 * another thread after each async and each finish. Do not use thread-local variables, locks or the
 * result of svs_worker_index() across them. Under both policies the library may call an async in
 * place. Therefore wait for an async only at the end of a finish.
 *
 * Typed functions are faster: the spawn writes the arguments directly into the deque, and the async
 * context is a hidden parameter.
 *
 *     SVS_ASYNC_FUNCTION(long, fib, (int, n)) {
 *         long a, b;
 *         if (n < 2) return n;
 *         SVS_ASYNC_TO(a, fib, n - 1);    // a is valid after the SVS_SYNC
 *         b = SVS_CALL(fib, n - 2);
 *         SVS_SYNC(fib);
 *         return a + b;
 *     }
 *     ... value = SVS_CALL_ON(async, fib, 30);
 *
 * Each call of a typed function is a finish: SVS_SYNC waits for all asyncs that the call has
 * spawned so far, and a return waits as well. The variables of SVS_ASYNC_TO must live until then,
 * so call SVS_SYNC before the return.
 *
 * If SVS_SERIAL_ELISION is defined before this header is included, the program is plain serial C:
 * an async is a call, and a finish has no effect.
 *
 * A run can be cancelled, or fail: svs_async_cancel(), svs_graph_cancel(), a body of the graph that
 * fails. From then on, asyncs that have not begun are dropped: they do not run, and finishes do not
 * wait for them. Running functions continue; a long one may poll svs_async_cancelled() and return
 * early. Each async runs as a whole or not at all. The variable of a dropped SVS_ASYNC_TO keeps its
 * value: initialise it first. If an argument owns memory, spawn the async with svs_async_owned().
 *
 * Threads: only the function that got an async context may use it, in the thread that runs the
 * function.
 * Errors: if an async cannot be spawned (no slot, no stack, no memory), the library calls it in
 * place. */
#ifndef SVS_ASYNC_H
#define SVS_ASYNC_H

#include <stdlib.h>
#include <svs/detail/async_context.h>
#include <svs/runtime.h>

SVS_BEGIN_DECLARATIONS

/* Runs `root(async, argument)` on a worker, in its own finish. The caller acts as a worker until
 * the finish has ended. `argument` is not copied. Any thread may call it, except workers of this
 * runtime, and bodies of another runtime that a body of this runtime waits for: all workers of this
 * runtime may be waiting. The library knows the chain of waiting bodies on each thread. If bodies
 * of two runtimes start runs on each other's runtime without such a chain, the calls are not
 * refused, and the two may wait for each other for ever.
 * @return SVS_OK; SVS_E_NULL, SVS_E_NOT_STARTED, SVS_E_STOPPED, SVS_E_NESTED (from a body of the
 * runtime, or along such a chain: use svs_async), SVS_E_LIMIT (64 runs at once; or the recursion
 * was too deep for the stacks, and the asyncs beyond that depth did not run), SVS_E_NO_MEMORY
 * (work-first: for the stack of the root, which did not run, or of an async of a spawner with a
 * full stack, which did not run); the status of the cancel that has ended it. */
SVS_NODISCARD SVS_API svs_status svs_async_run(svs_runtime *runtime, svs_async_function *root,
                                               void *argument);

/* svs_async(async, function, argument, size) spawns function(its own async context, copy of the
 * argument). The argument has `size` bytes and is copied before the call returns, aligned to 16. An
 * argument larger than SVS_ASYNC_INLINE_BYTES is copied to allocated memory. If that allocation
 * fails, the function is called in place, with a copy on the stack up to 16 KiB and with the
 * argument itself beyond. */
static inline void svs_async(svs_async_context *svs_on_, svs_async_function *svs_call_,
                             const void *svs_from_, size_t svs_size_);

/* svs_finish(async, body, argument) calls body(async, argument) and returns when all asyncs
 * spawned in it have ended. */
static inline void svs_finish(svs_async_context *svs_on_, svs_async_function *svs_call_,
                              void *svs_argument_);

/* svs_async() and svs_finish() as exported functions, for bindings. */
SVS_API void svs_async_spawn(svs_async_context *async, svs_async_function *function,
                             const void *argument, size_t size);
SVS_API void svs_finish_run(svs_async_context *async, svs_async_function *body, void *argument);

/* Spawns function(its own async context, argument), or calls drop(argument) in its place if the
 * async is dropped: exactly one of both, once, on any worker. The argument is passed as it is, and
 * may own what it points to. `drop` may not use an async context. */
SVS_API void svs_async_owned(svs_async_context *async, svs_async_function *function, void *argument,
                             void (*drop)(void *argument));

/* Whether the run of the calling function was cancelled or has failed; for an async of a graph's
 * body, the run of the graph. Then all further spawns of the function are dropped. Costs a few
 * instructions. */
SVS_API bool svs_async_cancelled(const svs_async_context *async);

/* Cancels the run of the calling function; in an async of a graph's body, as svs_graph_cancel().
 * Further spawns of the function are dropped. Other workers notice it at their next spawn, or at
 * the end of a finish; until then each may still run the newest async of each finish that it is in.
 * A replay may drop other asyncs than the traced run; then the trees differ (SVS_E_PARTED).
 * @param status what svs_async_run() returns; SVS_OK: SVS_E_CANCELLED. The first one counts.
 * @return SVS_OK, SVS_E_NULL, SVS_E_STATE (not from a run, or it has just ended), SVS_E_FORKED. */
SVS_API svs_status svs_async_cancel(svs_async_context *async, svs_status status);

/* Cancels a run from any thread, at any time before the runtime is freed. `run` is the id that
 * svs_async_run_id() returns inside of the run; let its root store the id where the other thread
 * finds it. Ids are unique within a runtime, and never 0.
 * @return as svs_async_cancel(); SVS_E_STATE also if no run has this id, or it has ended. */
SVS_API uint64_t svs_async_run_id(const svs_async_context *async);
SVS_API svs_status svs_async_run_cancel(svs_runtime *runtime, uint64_t run, svs_status status);

#if defined(SVS_SERIAL_ELISION)

static inline void svs_async(svs_async_context *svs_on_, svs_async_function *svs_call_,
                             const void *svs_from_, size_t svs_size_) {
    SVS__ALIGNAS(16) unsigned char svs_copy_[SVS_ASYNC_INLINE_BYTES];
    void *svs_block_ = svs_size_ > sizeof svs_copy_ ? malloc(svs_size_) : NULL;
    void *svs_to_ = svs_block_ != NULL ? svs_block_ : svs_copy_;
    if (svs_block_ == NULL && svs_size_ > sizeof svs_copy_)
        memcpy(&svs_to_, &svs_from_, sizeof svs_to_); /* the argument itself */
    else if (svs_size_ != 0) memcpy(svs_to_, svs_from_, svs_size_);
    svs_call_(svs_on_, svs_to_);
    free(svs_block_);
}

static inline void svs_finish(svs_async_context *svs_on_, svs_async_function *svs_call_,
                              void *svs_argument_) {
    svs_call_(svs_on_, svs_argument_);
}

/* In the serial elision no async is dropped. */
#define svs_async_owned(async_, function_, argument_, drop_)                                       \
    ((void)(drop_), (function_)((async_), (argument_)))
#define svs_async_cancelled(async_) ((void)(async_), 0)

#define SVS_ASYNC_CONTEXT() ((svs_async_context *)0)
#define SVS_ASYNC_TO(variable_, name_, ...) ((variable_) = name_##_body_(__VA_ARGS__))
#define SVS_ASYNC(name_, ...) name_##_body_(__VA_ARGS__)
#define SVS_CALL(name_, ...) name_##_body_(__VA_ARGS__)
#define SVS_CALL_ON(async_, name_, ...) ((void)(async_), name_##_body_(__VA_ARGS__))
#define SVS_SYNC(name_) ((void)0)

#define SVS_ASYNC_DECLARE(result_, name_, ...)                                                     \
    static result_ name_##_body_(SVS__TYPED_LIST(__VA_ARGS__));
#define SVS_ASYNC_DECLARE_VOID(name_, ...) SVS_ASYNC_DECLARE(void, name_, __VA_ARGS__)
#define SVS_ASYNC_DEFINE(result_, name_, ...)                                                      \
    static result_ name_##_body_(SVS__TYPED_LIST(__VA_ARGS__))

#else

SVS__UNCHECKED static inline void svs_async(svs_async_context *svs_on_,
                                            svs_async_function *svs_call_, const void *svs_from_,
                                            size_t svs_size_) {
    svs__slot *svs_head_ = svs_on_->head;
    SVS__TELL_READ(svs_from_, svs_size_);
    if (svs_size_ > SVS_ASYNC_INLINE_BYTES) {
        svs__async_block(svs_on_, svs_call_, svs_from_, svs_size_);
        return;
    }
    svs__slot_name(svs_head_, svs_size_ <= 16   ? svs__run_16
                              : svs_size_ <= 32 ? svs__run_32
                                                : svs__run_96);
    svs_head_->to.function = svs_call_;
    svs__copy(svs_head_->arguments, svs_from_, svs_size_);
    if (svs__is_slow(svs_on_, svs_head_)) {
        svs__async_slow(svs_on_);
        return;
    }
    svs_head_->ordinal = svs_on_->ordinal++;
    svs_on_->head = svs_head_ + 1;
}

SVS__UNCHECKED static inline void svs_finish(svs_async_context *svs_on_,
                                             svs_async_function *svs_call_, void *svs_argument_) {
    svs__slot *svs_outer_ = svs_on_->base;
    svs__slot *svs_base_ = svs_on_->head;
    svs_on_->base = svs_base_;
    svs_call_(svs_on_, svs_argument_);
    if (svs_on_->head == svs_base_ + 1 && svs_base_ >= svs_on_->own) {
        svs_on_->head = svs_base_; /* the only child was not stolen */
        svs_base_->run(svs_on_, svs_base_, svs_base_);
    }
    if (svs_on_->head != svs_base_) svs__drain(svs_on_, svs_base_);
    svs_on_->base = svs_outer_;
}

/* In a typed function: its async context, for svs_async, svs_finish, or functions that call them.
 * Get it again after each SVS_ASYNC, SVS_ASYNC_TO, SVS_CALL and SVS_SYNC. */
#define SVS_ASYNC_CONTEXT() SVS__ASYNC_OF(svs_async_, svs_top_, svs_base_)

/* In a typed function: spawns name(arguments...). `variable` holds the result after SVS_SYNC. */
#define SVS_ASYNC_TO(variable_, name_, ...)                                                        \
    (*svs_top_ = name_##_async_(svs_async_, SVS__TYPED_HEAD, svs_base_, &(variable_), __VA_ARGS__))

/* Used in a typed function: spawns name(arguments...), a function that returns void. */
#define SVS_ASYNC(name_, ...)                                                                      \
    (*svs_top_ = name_##_async_(svs_async_, SVS__TYPED_HEAD, svs_base_, NULL, __VA_ARGS__))

/* In a typed function: calls name(arguments...). */
#define SVS_CALL(name_, ...) name_##_call_(svs_async_, SVS__TYPED_HEAD, __VA_ARGS__)

/* In any function with an async context: calls name(arguments...). */
#define SVS_CALL_ON(async_, name_, ...) name_##_on_(async_, __VA_ARGS__)

/* In a typed function: waits for all asyncs that this call has spawned. Fastest if `name` is the
 * function that it spawned last. */
#define SVS_SYNC(name_) (*svs_top_ = name_##_sync_(svs_async_, SVS__TYPED_HEAD, svs_base_))

/* The head of the deque as cached by the function; SVS_ASYNC_CONTEXT() invalidates it. */
#define SVS__TYPED_HEAD SVS__HEAD_OF(svs_async_, *svs_top_)

#define SVS__HEAD_OF(async_, top_) (SVS__RARELY((top_) == NULL) ? (async_)->head : (top_))
#define SVS__ASYNC_OF(async_, top_, base_) (*(top_) = NULL, (async_)->base = (base_), (async_))

#if defined(SVS_CHECKED) /* outside of the body, because the body is instrumented */
SVS__UNSEEN static inline svs__slot *svs__head_of(const svs_async_context *svs_s_,
                                                  svs__slot *svs_top_) {
    return SVS__HEAD_OF(svs_s_, svs_top_);
}
SVS__UNSEEN static inline svs_async_context *svs__async_of(svs_async_context *svs_s_,
                                                           svs__slot **svs_top_,
                                                           svs__slot *svs_base_) {
    return SVS__ASYNC_OF(svs_s_, svs_top_, svs_base_);
}
#undef SVS__HEAD_OF
#undef SVS__ASYNC_OF
#define SVS__HEAD_OF(async_, top_) svs__head_of((async_), (top_))
#define SVS__ASYNC_OF(async_, top_, base_) svs__async_of((async_), (top_), (base_))
#endif

/* SVS_ASYNC_DECLARE(result, name, (type, parameter)...): declares a typed function, for mutual
 * recursion; SVS_ASYNC_DECLARE_VOID: one that returns void. */
#define SVS_ASYNC_DECLARE(result_, name_, ...)                                                     \
    SVS__TYPED_COMMON(result_, name_, __VA_ARGS__)                                                 \
    SVS__UNSEEN static inline result_ name_##_call_(                                               \
        svs_async_context *svs_s_, svs__slot *svs_h_ SVS__TYPED_MORE(__VA_ARGS__)) {               \
        svs__slot *svs_t_ = svs_h_;                                                                \
        result_ svs_r_ = name_##_body_(svs_s_, &svs_t_, svs_h_ SVS__TYPED_NAMES(__VA_ARGS__));     \
        if (SVS__LEFT_EARLY(svs_s_, svs_t_, svs_h_)) svs__drain(svs_s_, svs_h_);                   \
        return svs_r_;                                                                             \
    }                                                                                              \
    SVS__UNCHECKED static void name_##_run_(svs_async_context *svs_s_, svs__slot *svs_slot_,       \
                                            svs__slot *svs_h_) {                                   \
        const struct name_##_arguments_ *svs_a_ = name_##_in_(svs_slot_);                          \
        result_ *svs_to_ = SVS__CAST(result_ *, svs_slot_->to.result);                             \
        *svs_to_ = name_##_call_(svs_s_, svs_h_ SVS__TYPED_FIELDS(__VA_ARGS__));                   \
        SVS__TELL_WRITE(svs_to_, sizeof *svs_to_);                                                 \
    }                                                                                              \
    SVS__TYPED_ASYNC(name_, result_ *svs_to_,                                                      \
                     *svs_to_ = name_##_call_(svs_s_, svs_h_ SVS__TYPED_NAMES(__VA_ARGS__));       \
                     SVS__TELL_WRITE(svs_to_, sizeof *svs_to_), __VA_ARGS__)                       \
    SVS__UNSEEN static inline result_ name_##_on_(                                                 \
        svs_async_context *svs_s_ SVS__TYPED_MORE(__VA_ARGS__)) {                                  \
        svs__slot *svs_b_ = svs_s_->base;                                                          \
        result_ svs_r_ = name_##_call_(svs_s_, svs_s_->head SVS__TYPED_NAMES(__VA_ARGS__));        \
        svs_s_->base = svs_b_;                                                                     \
        return svs_r_;                                                                             \
    }
#define SVS_ASYNC_DECLARE_VOID(name_, ...)                                                         \
    SVS__TYPED_COMMON(void, name_, __VA_ARGS__)                                                    \
    SVS__UNSEEN static inline void name_##_call_(svs_async_context *svs_s_,                        \
                                                 svs__slot *svs_h_ SVS__TYPED_MORE(__VA_ARGS__)) { \
        svs__slot *svs_t_ = svs_h_;                                                                \
        name_##_body_(svs_s_, &svs_t_, svs_h_ SVS__TYPED_NAMES(__VA_ARGS__));                      \
        if (SVS__LEFT_EARLY(svs_s_, svs_t_, svs_h_)) svs__drain(svs_s_, svs_h_);                   \
    }                                                                                              \
    SVS__UNCHECKED static void name_##_run_(svs_async_context *svs_s_, svs__slot *svs_slot_,       \
                                            svs__slot *svs_h_) {                                   \
        const struct name_##_arguments_ *svs_a_ = name_##_in_(svs_slot_);                          \
        name_##_call_(svs_s_, svs_h_ SVS__TYPED_FIELDS(__VA_ARGS__));                              \
    }                                                                                              \
    SVS__TYPED_ASYNC(name_, void *svs_to_,                                                         \
                     name_##_call_(svs_s_, svs_h_ SVS__TYPED_NAMES(__VA_ARGS__)), __VA_ARGS__)     \
    SVS__UNSEEN static inline void name_##_on_(                                                    \
        svs_async_context *svs_s_ SVS__TYPED_MORE(__VA_ARGS__)) {                                  \
        svs__slot *svs_b_ = svs_s_->base;                                                          \
        name_##_call_(svs_s_, svs_s_->head SVS__TYPED_NAMES(__VA_ARGS__));                         \
        svs_s_->base = svs_b_;                                                                     \
    }

/* The function head that defines a declared typed function. */
#define SVS_ASYNC_DEFINE(result_, name_, ...)                                                      \
    SVS__INSIDE static result_ name_##_body_(                                                      \
        SVS_MAYBE_UNUSED svs_async_context *svs_async_, SVS_MAYBE_UNUSED svs__slot **svs_top_,     \
        SVS_MAYBE_UNUSED svs__slot *svs_base_ SVS__TYPED_MORE(__VA_ARGS__))

/* The body of a typed function is inlined into its call_(). Both share the cached head in a local
 * variable, so that the compiler removes the check for a return without SVS_SYNC wherever it sees
 * the SVS_SYNC. */
#define SVS__LEFT_EARLY(async_, top_, base_)                                                       \
    SVS__RARELY((top_) != (base_) && (async_)->head != (base_))

#define SVS__TYPED_COMMON(result_, name_, ...)                                                     \
    struct name_##_arguments_ {                                                                    \
        SVS__EACH(SVS__TYPED_FIELD, , , __VA_ARGS__)                                               \
    };                                                                                             \
    SVS__INSIDE static result_ name_##_body_(svs_async_context *svs_async_, svs__slot **svs_top_,  \
                                             svs__slot *svs_base_ SVS__TYPED_MORE(__VA_ARGS__));   \
    SVS__UNSEEN static inline struct name_##_arguments_ *name_##_in_(svs__slot *svs_slot_) {       \
        return SVS__CAST(struct name_##_arguments_ *, SVS__CAST(void *, svs_slot_->arguments));    \
    }                                                                                              \
    static void name_##_run_(svs_async_context *svs_s_, svs__slot *svs_slot_, svs__slot *svs_h_);

#define SVS__TYPED_ASYNC(name_, to_, call_, ...)                                                   \
    SVS__UNSEEN static inline void name_##_fill_(svs__slot *svs_slot_,                             \
                                                 void *svs_result_ SVS__TYPED_MORE(__VA_ARGS__)) { \
        struct name_##_arguments_ *svs_a_ = name_##_in_(svs_slot_);                                \
        typedef int name_##_arguments_fit_[sizeof *svs_a_ <= SVS_ASYNC_INLINE_BYTES ? 1 : -1];     \
        SVS_MAYBE_UNUSED name_##_arguments_fit_ svs_fit_;                                          \
        svs__slot_name(svs_slot_, name_##_run_);                                                   \
        svs_slot_->to.result = svs_result_;                                                        \
        SVS__EACH(SVS__TYPED_STORE, , , __VA_ARGS__)                                               \
    }                                                                                              \
    SVS__UNSEEN SVS__OUTLINE SVS__NOT_NULL static svs__slot *name_##_async_slow_(                  \
        svs_async_context *svs_s_, svs__slot *svs_base_, to_ SVS__TYPED_MORE(__VA_ARGS__)) {       \
        svs__slot *svs_slot_ = svs__async_begin(svs_s_);                                           \
        if (svs_slot_ == NULL) {                                                                   \
            svs__slot *svs_h_ = svs_s_->head;                                                      \
            call_;                                                                                 \
            return svs_h_;                                                                         \
        }                                                                                          \
        name_##_fill_(svs_slot_, svs_to_ SVS__TYPED_NAMES(__VA_ARGS__));                           \
        return svs__async_commit(svs_s_, svs_slot_, svs_base_);                                    \
    }                                                                                              \
    SVS__UNSEEN static inline svs__slot *name_##_async_(svs_async_context *svs_s_,                 \
                                                        svs__slot *svs_h_, svs__slot *svs_base_,   \
                                                        to_ SVS__TYPED_MORE(__VA_ARGS__)) {        \
        if (svs__is_slow(svs_s_, svs_h_))                                                          \
            return name_##_async_slow_(svs_s_, svs_base_, svs_to_ SVS__TYPED_NAMES(__VA_ARGS__));  \
        name_##_fill_(svs_h_, svs_to_ SVS__TYPED_NAMES(__VA_ARGS__));                              \
        svs_h_->ordinal = svs_s_->ordinal++;                                                       \
        svs_s_->head = svs_h_ + 1;                                                                 \
        return svs_h_ + 1;                                                                         \
    }                                                                                              \
    SVS__UNSEEN SVS__NOINLINE static void name_##_sync_rest_(                                      \
        svs_async_context *svs_s_, svs__slot *svs_h_, svs__slot *svs_base_) {                      \
        while (svs_h_ > svs_s_->own && svs_h_[-1].run == name_##_run_ &&                           \
               !svs__is_slow(svs_s_, svs_h_)) {                                                    \
            svs_h_--;                                                                              \
            svs_s_->head = svs_h_;                                                                 \
            name_##_run_(svs_s_, svs_h_, svs_h_);                                                  \
            if (svs_h_ == svs_base_) return;                                                       \
        }                                                                                          \
        svs__drain(svs_s_, svs_base_);                                                             \
    }                                                                                              \
    SVS__UNSEEN static inline svs__slot *name_##_sync_(svs_async_context *svs_s_,                  \
                                                       svs__slot *svs_h_, svs__slot *svs_base_) {  \
        if (svs_h_ == svs_base_) return svs_base_;                                                 \
        if (svs_h_ > svs_s_->own && svs_h_[-1].run == name_##_run_) {                              \
            svs_h_--;                                                                              \
            svs_s_->head = svs_h_;                                                                 \
            name_##_run_(svs_s_, svs_h_, svs_h_);                                                  \
        }                                                                                          \
        if (SVS__RARELY(svs_h_ != svs_base_)) name_##_sync_rest_(svs_s_, svs_h_, svs_base_);       \
        return svs_base_;                                                                          \
    }

#define SVS__TYPED_FIELDS(...) SVS__EACH(SVS__TYPED_OF_FIELD, , , __VA_ARGS__)
#define SVS__TYPED_OF_FIELD(a_, b_, pair_) , svs_a_->SVS__SECOND(pair_)

#endif

/* SVS_ASYNC_FUNCTION(result, name, (type, parameter)...) { body }: defines a typed function with 1
 * to 15 parameters of at most SVS_ASYNC_INLINE_BYTES in total; SVS_ASYNC_VOID: one that returns
 * void. */
#define SVS_ASYNC_FUNCTION(result_, name_, ...)                                                    \
    SVS_ASYNC_DECLARE(result_, name_, __VA_ARGS__)                                                 \
    SVS_ASYNC_DEFINE(result_, name_, __VA_ARGS__)
#define SVS_ASYNC_VOID(name_, ...)                                                                 \
    SVS_ASYNC_DECLARE_VOID(name_, __VA_ARGS__)                                                     \
    SVS_ASYNC_DEFINE(void, name_, __VA_ARGS__)

/* "(int, n), (long, m)" as "int n; long m;", as ", int n, long m", as ", n, m", as
 * stores into a slot, and the first without its comma. */
#define SVS__TYPED_FIELD(a_, b_, pair_) SVS__FIRST(pair_) SVS__SECOND(pair_);
#define SVS__TYPED_MORE(...) SVS__EACH(SVS__TYPED_PARAMETER, , , __VA_ARGS__)
#define SVS__TYPED_PARAMETER(a_, b_, pair_) , SVS__FIRST(pair_) SVS__SECOND(pair_)
#define SVS__TYPED_NAMES(...) SVS__EACH(SVS__TYPED_NAME, , , __VA_ARGS__)
#define SVS__TYPED_NAME(a_, b_, pair_) , SVS__SECOND(pair_)
#define SVS__TYPED_STORE(a_, b_, pair_) svs_a_->SVS__SECOND(pair_) = SVS__SECOND(pair_);
#define SVS__TYPED_LIST(...) SVS__TYPED_TAIL(SVS__EACH(SVS__TYPED_PARAMETER, , , __VA_ARGS__))
#define SVS__TYPED_TAIL(...) SVS__TYPED_TAIL_(__VA_ARGS__)
#define SVS__TYPED_TAIL_(none_, ...) __VA_ARGS__

SVS_END_DECLARATIONS
#endif
