/* SvS in C++17: lambdas as bodies, owners, and exceptions as results.
 *
 *     svs::world world(2); // a runtime with two workers, and its world
 *     svs::for_each(world, transfers,
 *         [&](svs_footprint *f, const transfer &t) { svs_writes(f, &accounts[t.to]); },
 *         [&](transfer &t) { accounts[t.to] += t.amount; });
 *
 * Names and meanings are those of the C functions, and each class converts to its C pointer. A
 * failed call throws svs::error. Bodies are called as run(context, item &) or run(item &), by
 * several workers at once, asyncs with an async_context or without. The first exception of a body,
 * a touch function or an async, on any worker, is thrown by the wait: finish, async_run, for_each,
 * graph::run. In a graph it fails the run like a status; of an async that no finish of its body
 * waits for, the run throws it at its end. Do not spawn or wait in a handler, or while an exception
 * unwinds: the body may go on in another thread there. */
#ifndef SVS_SVS_HPP
#define SVS_SVS_HPP
#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <svs/svs.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace svs {
/* The status of a run that an exception other than svs::error has failed. */
inline constexpr svs_status thrown = INT32_MAX;

/* A call of the library failed. */
struct error : std::runtime_error {
    svs_status status;
    explicit error(svs_status failed, const char *text = nullptr)
        : std::runtime_error(text ? text : svs_status_text(failed)), status(failed) {}
};
inline void must(svs_status status) {
    if (status != SVS_OK) throw error(status);
}

/* In a handler. @return the status of its exception; the report gets it and its text. */
inline svs_status describe(svs_report &report) noexcept {
    const char *text = "not a std::exception";
    report.status = thrown;
    try {
        throw;
    } catch (const error &e) {
        text = e.what(), report.status = e.status != SVS_OK ? e.status : thrown;
    } catch (const std::exception &e) {
        text = e.what();
    } catch (...) {}
    std::snprintf(report.text, sizeof report.text, "%s", text);
    return report.status;
}

/* The first exception of a run or a finish. */
struct failure {
    std::atomic<bool> taken{false}; // relaxed: the wait orders keep() before take()
    std::exception_ptr first;
    svs_status keep() noexcept { // in a handler
        if (!taken.exchange(true, std::memory_order_relaxed)) first = std::current_exception();
        svs_report status;
        return describe(status);
    }
    std::exception_ptr take() noexcept {
        taken.store(false, std::memory_order_relaxed);
        return std::exchange(first, nullptr);
    }
    void end(svs_status status) {
        if (auto kept = take()) std::rethrow_exception(kept);
        must(status);
    }
};

/* The handle of a running body. */
template <class C> struct handle {
    C *at;
    failure *kept;
    operator C *() const { return at; }
};
using context = handle<svs_context>;

/* The handle that async and finish need; a body's context converts to it. */
struct async_context : handle<svs_async_context> {
    async_context(svs_async_context *x, failure *to) : handle{x, to} {}
    async_context(context x) : handle{svs_context_async(x), x.kept} {
        if (at == nullptr) throw error(SVS_E_OUTSIDE);
    }
};

namespace detail {
/* Calls f(x, more...), or f(more...) if it takes no handle. It may return a status. */
template <class F, class X, class... More> svs_status call(F &f, X x, More &...more) noexcept {
    constexpr bool with_handle = std::is_invocable_v<F &, X, More &...>;
    static_assert(with_handle || std::is_invocable_v<F &, More &...>,
                  "a body is const, and takes a handle and its item, or its item alone");
    auto go = [&] {
        if constexpr (with_handle) return f(x, more...);
        else return f(more...);
    };
    try {
        if constexpr (std::is_same_v<decltype(go()), svs_status>) must(go());
        else go();
        return SVS_OK;
    } catch (...) {
        return x.kept->keep();
    }
}
template <class F> struct frame { // of a finish or a root
    const F &f;
    failure kept = {};
    static void run(svs_async_context *x, void *at) {
        call(static_cast<frame *>(at)->f, async_context(x, &static_cast<frame *>(at)->kept));
    }
};
template <class F> struct spawned { // an async, copied into its slot or allocated
    failure *kept;
    F f;
    static constexpr bool fits = std::is_trivially_copyable_v<F> && alignof(F) <= 8 &&
                                 sizeof(F) <= SVS_ASYNC_INLINE_BYTES - 8;
    static void run(svs_async_context *x, void *at) {
        auto *self = static_cast<spawned *>(at);
        call(self->f, async_context(x, self->kept));
        if constexpr (!fits) delete self;
    }
    static void drop(void *at) { delete static_cast<spawned *>(at); }
};
/* What the library copies as an item: the program's item, and its body. */
struct any_body {
    svs_task_type type = {};
    virtual ~any_body() = default;
};
template <class Item> struct parcel {
    static_assert(std::is_trivially_copyable_v<Item>, "an item is copied as plain bytes");
    static_assert(sizeof(svs__kind_of(static_cast<const Item *>(nullptr))) == 1,
                  "a memory object is not an item: send a pointer to it");
    Item item;
    any_body *of;
};
template <class Item, class Touch, class Run> struct body final : any_body {
    failure &kept;
    const Touch touch;
    const Run run;
    body(const char *name, failure &to, const Touch &t, const Run &r) : kept(to), touch(t), run(r) {
        type.name = name;
        type.item_size = sizeof(parcel<Item>);
        type.item_alignment = alignof(parcel<Item>);
        type.run = [](svs_context *x, void *at) {
            auto &[item, of] = *static_cast<parcel<Item> *>(at);
            auto &self = *static_cast<body *>(of);
            return call(self.run, context{x, &self.kept}, item);
        };
        type.touch = [](svs_footprint *f, const void *at) {
            auto &[item, of] = *static_cast<const parcel<Item> *>(at);
            auto &self = *static_cast<body *>(of);
            svs_status failed = call(self.touch, handle<svs_footprint>{f, &self.kept}, item);
            if (failed != SVS_OK) f->status = failed;
        };
    }
};
template <class T> struct owner {
    std::unique_ptr<T, svs_status (*)(T *)> owned;
    template <class Make, class... Arguments>
    owner(svs_status (*free)(T *), Make make, Arguments... arguments) : owned(nullptr, free) {
        T *made;
        must(make(arguments..., &made));
        owned.reset(made);
    }
    operator T *() const { return owned.get(); }
};
struct bodies { // of a graph
    failure kept;
    std::atomic<bool> runs{false};
    std::vector<std::unique_ptr<any_body>> all;
    template <class Item, class Touch, class Run>
    any_body *keep(const char *name, const Touch &touch, const Run &run) {
        using made = body<Item, std::decay_t<Touch>, std::decay_t<Run>>;
        return all.emplace_back(std::make_unique<made>(name, kept, touch, run)).get();
    }
};
} // namespace detail

struct runtime_options : svs_runtime_options {
    explicit runtime_options(uint32_t workers = 0) {
        svs_runtime_options_init(this);
        threads = workers;
    }
};

/* Owns a runtime, which it starts. */
struct runtime : detail::owner<svs_runtime> {
    explicit runtime(const svs_runtime_options &options = runtime_options())
        : owner(svs_runtime_free, svs_runtime_new, &options) {
        must(svs_runtime_start(*this));
    }
};

/* Owns a world, and by the first constructor its runtime, too. Free its graphs before it. */
struct world : detail::owner<svs_world> {
    explicit world(uint32_t threads = 0) : owner(svs_stop, svs_start, threads) {}
    explicit world(svs_runtime *of, const svs_world_options *options = nullptr)
        : owner(svs_world_free, svs_world_new, of, options) {}
    svs_runtime *runtime() const { return svs_world_runtime(*this); }
};

/* A task of a graph, which owns it. */
template <class Item> struct task {
    svs_task *at;
    detail::any_body *of;
    operator svs_task *() const { return at; }
};

/* Owns a graph and its bodies, with what they have captured by value. */
struct graph : private detail::bodies, detail::owner<svs_graph> {
    explicit graph(svs_world *of, const svs_graph_options *options = nullptr)
        : owner(svs_graph_free, svs_graph_new, of, options) {}
    template <class Item, class Touch, class Run>
    task<Item> add_itemizer(const char *name, const Touch &touch, const Run &run) {
        task<Item> added{nullptr, keep<Item>(name, touch, run)};
        must(svs_graph_add_itemizer(*this, &added.of->type, nullptr, &added.at));
        return added;
    }
    template <class Item, class Touch, class Run>
    task<Item> add_transform(const char *name, const Item &item, const Touch &t, const Run &r) {
        task<Item> added{nullptr, keep<Item>(name, t, r)};
        detail::parcel<Item> first{item, added.of};
        must(svs_graph_add_transform(*this, &added.of->type, &first, nullptr, &added.at));
        return added;
    }
    void add_flow(svs_task *from, svs_task *to) { must(svs_graph_add_flow(*this, from, to)); }
    void add_order(svs_task *a, svs_task *b) { must(svs_graph_add_order(*this, a, b)); }
    void set_independent(svs_task *a, svs_task *b) { must(svs_graph_set_independent(*this, a, b)); }
    template <class Item> void send(const task<Item> &to, const Item &item) {
        detail::parcel<Item> sent{item, to.of};
        must(svs_graph_send(*this, to, &sent, 1, sizeof sent));
    }
    /* Throws what a body has thrown, or svs::error; the report is filled in. */
    void run(uint32_t iterations = 1, svs_report *report = nullptr) {
        svs_report own, *to = report ? report : &own;
        if (runs.exchange(true)) throw error(SVS_E_BUSY);
        svs_status status = svs_graph_run(*this, iterations, to);
        std::exception_ptr first = kept.take();
        runs.store(false);
        if (first) std::rethrow_exception(first);
        if (status != SVS_OK) throw error(status, to->text);
    }
    /* The same, as a status and a report. */
    svs_status try_run(uint32_t iterations, svs_report &report) noexcept {
        try {
            report = {};
            return run(iterations, &report), SVS_OK;
        } catch (...) {
            return describe(report);
        }
    }
};

/* Sends an item from a body. */
template <class Item> void send(context x, const task<Item> &to, const Item &item) {
    detail::parcel<Item> sent{item, to.of};
    must(svs_send(x, to, &sent, 1, sizeof sent));
}

/* Runs a body for each element of a container, in place: they may have any type. */
template <class Items, class Touch, class Run>
void for_each(svs_world *in, Items &&items, const Touch &touch, const Run &run) {
    using item = std::remove_reference_t<decltype(*std::begin(items))> *;
    auto look = [&touch](svs_footprint *f, item at) { touch(f, std::as_const(*at)); };
    auto act = [&run](context x, item at) { return detail::call(run, x, *at); };
    failure kept;
    detail::body<item, decltype(look), decltype(act)> each("for_each", kept, look, act);
    std::vector<detail::parcel<item>> all;
    for (auto &one : items) all.push_back({std::addressof(one), &each});
    kept.end(all.empty() ? SVS_OK : svs_for_each(in, &each.type, all.data(), all.size()));
}

/* Spawns f; allocated if beyond 88 bytes or not trivially copyable; dropped, it is destroyed. */
template <class F> void async(async_context x, F &&f) {
    using made = detail::spawned<std::decay_t<F>>;
    alignas(made) unsigned char copy[made::fits ? sizeof(made) : 1] = {}; // also what f leaves out
    if constexpr (made::fits) {
        new (copy) made{x.kept, std::forward<F>(f)};
        svs_async(x, made::run, copy, sizeof copy);
    } else svs_async_owned(x, made::run, new made{x.kept, std::forward<F>(f)}, made::drop);
}

/* Calls f, and returns when all asyncs spawned in it have ended. */
template <class F> void finish(async_context x, const F &f) {
    detail::frame<F> own{f};
    svs_finish(x, own.run, &own);
    own.kept.end(SVS_OK);
}

/* Runs f as a root of asyncs on the workers of a runtime. */
template <class F> void async_run(svs_runtime *on, const F &f) {
    detail::frame<F> own{f};
    own.kept.end(svs_async_run(on, own.run, &own));
}
} // namespace svs
#endif
