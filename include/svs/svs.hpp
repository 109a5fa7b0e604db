/* SvS in C++17: lambdas as bodies, owners, and exceptions as results.
 *
 *     svs::world world(2); // a runtime with two workers, and its world
 *     svs::for_each(world, transfers,
 *         [&](svs_footprint *f, const transfer &t) { svs_writes(f, &accounts[t.to]); },
 *         [&](transfer &t) { accounts[t.to] += t.amount; });
 *
 * Names and meanings are those of the C functions, and each class converts to its C pointer. C
 * functions that take no item and no function, and run no body, are called with that pointer
 * (svs_graph_dot(graph, path)). All others have a C++ form here: a task stores its body with each
 * item, so that svs_graph_send() and similar functions refuse the plain item. A failed call throws
 * svs::error. Bodies are called as run(context, item &) or run(item &), by several workers at once,
 * asyncs with an async_context or without. The first exception of a body, a touch function or an
 * async, on any worker, is thrown by the wait: finish, async_run, for_each, graph::run. In a graph
 * it fails the run like a status. If no finish of its body waits for an async that throws, the run
 * throws the exception at its end. Do not spawn or wait in an exception handler or during stack
 * unwinding, because the body may then continue in another thread. */
#ifndef SVS_SVS_HPP
#define SVS_SVS_HPP
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <svs/svs.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace svs {
/* The status of a run that has failed by an exception other than svs::error. */
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

/* Called in an exception handler. @return the status of the exception; the report gets the status
 * and the text. */
inline svs_status describe(svs_report &report) noexcept {
    const char *text = "not a std::exception";
    report.status = thrown;
    try {
        throw;
    } catch (const error &e) {
        text = e.what();
        report.status = e.status != SVS_OK ? e.status : thrown;
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
    svs_status keep() noexcept { // in an exception handler
        if (!taken.exchange(true, std::memory_order_relaxed)) first = std::current_exception();
        svs_report status;
        return describe(status);
    }
    void keep(svs_status status) noexcept { // one that an async returns, or has thrown
        if (status != SVS_OK && !taken.exchange(true, std::memory_order_relaxed))
            first = std::make_exception_ptr(error(status));
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
        if constexpr (std::is_same_v<decltype(go()), svs_status>) return go();
        else go();
        return SVS_OK;
    } catch (...) {
        return x.kept->keep();
    }
}
template <class F> struct frame { // the function of a finish or a root
    const F &f;
    failure kept = {};
    static void run(svs_async_context *x, void *at) {
        auto *self = static_cast<frame *>(at);
        self->kept.keep(call(self->f, async_context(x, &self->kept)));
    }
};
template <class F> struct spawned { // an async, copied into its slot or allocated
    failure *kept;
    F f;
    static constexpr bool fits = std::is_trivially_copyable_v<F> && alignof(F) <= 8 &&
                                 sizeof(F) <= SVS_ASYNC_INLINE_BYTES - 8;
    static void run(svs_async_context *x, void *at) {
        auto *self = static_cast<spawned *>(at);
        self->kept->keep(call(self->f, async_context(x, self->kept)));
        if constexpr (!fits) delete self;
    }
    static void drop(void *at) { delete static_cast<spawned *>(at); }
};
/* What the library copies as an item: the program's item, and a pointer to its body. */
struct any_body {
    svs_task_type type = {};
    virtual ~any_body() = default;
};
template <class Item> struct item_body;
template <class Item> struct parcel {
    static_assert(std::is_trivially_copyable_v<Item>, "an item is copied as plain bytes");
    static_assert(sizeof(svs__kind_of(static_cast<const Item *>(nullptr))) == 1,
                  "a memory object is not an item: send a pointer to it");
    Item item;
    item_body<Item> *of; // nullptr: making the item has thrown
};
template <class Item> struct item_body : any_body {
    failure &kept;
    std::function<void(Item &)> dropped = {};
    item_body(const char *name, failure &to) : kept(to) {
        type.name = name;
        type.item_size = sizeof(parcel<Item>);
        type.item_alignment = alignof(parcel<Item>);
    }
    static void drop(void *at, void *) noexcept {
        auto &[item, of] = *static_cast<parcel<Item> *>(at);
        if (of != nullptr) of->dropped(item);
    }
};
template <class Item, class Touch, class Run> struct body final : item_body<Item> {
    const Touch touch;
    const Run run;
    body(const char *name, failure &to, const Touch &t, const Run &r)
        : item_body<Item>(name, to), touch(t), run(r) {
        this->type.run = [](svs_context *x, void *at) {
            auto &[item, of] = *static_cast<parcel<Item> *>(at);
            auto &self = *static_cast<body *>(of);
            return call(self.run, context{x, &self.kept}, item);
        };
        this->type.touch = [](svs_footprint *f, const void *at) {
            auto &[item, of] = *static_cast<const parcel<Item> *>(at);
            if (of == nullptr) {
                f->status = thrown;
                return;
            }
            auto &self = *static_cast<body *>(of);
            svs_status failed = call(self.touch, handle<svs_footprint>{f, &self.kept}, item);
            if (failed != SVS_OK) f->status = failed;
        };
    }
};
/* The function that makes the items of svs_graph_generate(). */
struct any_generator {
    virtual ~any_generator() = default;
};
template <class Item, class Make> struct generator final : any_generator {
    item_body<Item> *of;
    const Make make;
    generator(item_body<Item> *to, const Make &m) : of(to), make(m) {}
    static void run(void *items, uint32_t first, uint32_t count, void *at) noexcept {
        auto *self = static_cast<generator *>(at);
        auto *made = static_cast<parcel<Item> *>(items);
        for (uint32_t i = 0; i < count; i++) try {
                new (made + i) parcel<Item>{self->make(first + i), self->of};
            } catch (...) {
                self->of->kept.keep();
                std::memset(static_cast<void *>(made + i), 0, sizeof made[i]);
            }
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
struct bodies { // the bodies of a graph
    failure kept;
    std::atomic<bool> runs{false};
    std::vector<std::unique_ptr<any_body>> all;
    std::vector<std::unique_ptr<any_generator>> generators; // of items that may not be made yet
    std::function<void(svs_status)> ended;
    template <class Item, class Touch, class Run>
    item_body<Item> *keep(const char *name, const Touch &touch, const Run &run) {
        using made = body<Item, std::decay_t<Touch>, std::decay_t<Run>>;
        auto own = std::make_unique<made>(name, kept, touch, run);
        item_body<Item> *at = own.get();
        all.push_back(std::move(own));
        return at;
    }
};
} // namespace detail

struct runtime_options : svs_runtime_options {
    explicit runtime_options(uint32_t workers = 0) {
        svs_runtime_options_init(this);
        threads = workers;
    }
};

/* Owns a runtime. The constructor also starts it. */
struct runtime : detail::owner<svs_runtime> {
    explicit runtime(const svs_runtime_options &options = runtime_options())
        : owner(svs_runtime_free, svs_runtime_new, &options) {
        must(svs_runtime_start(*this));
    }
};

/* Owns a world, and by the first constructor also the world's runtime. Free its graphs before
 * it. */
struct world : detail::owner<svs_world> {
    explicit world(uint32_t threads = 0) : owner(svs_stop, svs_start, threads) {}
    explicit world(svs_runtime *of, const svs_world_options *options = nullptr)
        : owner(svs_world_free, svs_world_new, of, options) {}
    svs_runtime *runtime() const { return svs_world_runtime(*this); }
};

/* A task of a graph; the graph owns the task. */
template <class Item> struct task {
    svs_task *at;
    detail::item_body<Item> *of;
    operator svs_task *() const { return at; }
    /* Sets a transform's item. Called between runs. */
    void set_item(const Item &item) const {
        detail::parcel<Item> next{item, of};
        must(svs_task_set_item(at, &next));
    }
    /* Sets a function that gets each item of an itemizer that never runs; it must not throw. Called
     * between runs. */
    void set_dropped(std::function<void(Item &)> dropped) const {
        must(svs_task_set_dropped(at, dropped ? of->drop : nullptr));
        of->dropped = std::move(dropped);
    }
    void pin(uint32_t worker) const { must(svs_task_pin(at, worker)); } // or SVS_THE_RUNNER
    void set_algorithm(svs_algorithm algorithm) const {
        must(svs_task_set_algorithm(at, algorithm));
    }
    void set_priority(int32_t priority) const { must(svs_task_set_priority(at, priority)); }
};

namespace detail {
template <class Item, class Items>
std::vector<parcel<Item>> pack(const task<Item> &to, const Items &items) {
    std::vector<parcel<Item>> packed;
    for (const Item &item : items) packed.push_back({item, to.of});
    return packed;
}
} // namespace detail

struct graph_options : svs_graph_options {
    explicit graph_options(const char *called = "graph",
                           svs_algorithm selected = SVS_ALGORITHM_DEFAULT) {
        svs_graph_options_init(this);
        name = called;
        algorithm = selected;
    }
};

/* Owns a graph and its bodies, with what they have captured by value. */
struct graph : private detail::bodies, detail::owner<svs_graph> {
    explicit graph(svs_world *of, const svs_graph_options *options = nullptr)
        : owner(svs_graph_free, svs_graph_new, of, options) {}
    graph(svs_world *of, const svs_graph_options &options) : graph(of, &options) {}
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
    template <class Item, class Items> void send_all(const task<Item> &to, const Items &items) {
        auto sent = detail::pack(to, items);
        if (!sent.empty())
            must(svs_graph_send(*this, to, sent.data(), sent.size(), sizeof sent[0]));
    }
    /* Adds the items make(0) to make(count - 1) to the next run. Several workers at once make them
     * when they are needed. `make` is copied, and its call operator is const. */
    template <class Item, class Make>
    void generate(const task<Item> &to, size_t count, const Make &make) {
        using made = detail::generator<Item, Make>;
        auto own = std::make_unique<made>(to.of, make);
        generators.reserve(generators.size() + 1);
        must(svs_graph_generate(*this, to, made::run, own.get(), count,
                                sizeof(detail::parcel<Item>)));
        generators.push_back(std::move(own));
    }
    /* Throws what a body has thrown, or svs::error; the report is filled in. */
    void run(uint32_t iterations = 1, svs_report *report = nullptr) {
        svs_report own, *to = report ? report : &own;
        if (runs.exchange(true)) throw error(SVS_E_BUSY);
        svs_status status = svs_graph_run(*this, iterations, to);
        end(status, *to);
    }
    /* Runs the graph and returns a status and a report in place of an exception. */
    svs_status try_run(uint32_t iterations, svs_report &report) noexcept {
        try {
            report = {};
            run(iterations, &report);
            return SVS_OK;
        } catch (...) {
            return describe(report);
        }
    }
    /* Begins a run. `then` gets its status when all has run, on any thread; it must not throw. */
    void begin(uint32_t iterations = 1, std::function<void(svs_status)> then = {}) {
        if (runs.exchange(true)) throw error(SVS_E_BUSY);
        ended = std::move(then);
        auto tell = [](svs_graph *, svs_status status, void *at) {
            static_cast<detail::bodies *>(at)->ended(status);
        };
        svs_status status = svs_graph_begin(*this, iterations, ended ? +tell : nullptr,
                                            static_cast<detail::bodies *>(this));
        if (status == SVS_OK) return;
        runs.store(false);
        throw error(status);
    }
    /* @return whether the run has ended in about `ns_max` nanoseconds. If so, throws as run(). */
    bool wait(uint64_t ns_max = UINT64_MAX, svs_report *report = nullptr) {
        svs_report own, *to = report ? report : &own;
        to->status = SVS_OK;
        to->task = nullptr;
        svs_status status = svs_graph_wait(*this, ns_max, to);
        if (status == SVS_E_BUSY && to->status == SVS_OK) return false;
        bool refused = status == SVS_E_STATE || status == SVS_E_NESTED || status == SVS_E_FORKED;
        if (refused && to->task == nullptr) throw error(status, to->text); // the run goes on
        end(status, *to);
        return true;
    }
    void cancel(svs_status status = SVS_OK) { must(svs_graph_cancel(*this, status)); }
    void set_priority(int32_t priority) { must(svs_graph_set_priority(*this, priority)); }
    svs_progress progress() const {
        svs_progress now;
        must(svs_graph_progress(*this, &now));
        return now;
    }
    svs_graph_statistics statistics() const {
        svs_graph_statistics now;
        must(svs_graph_statistics_get(*this, &now));
        return now;
    }

  private:
    void end(svs_status status, const svs_report &report) {
        std::exception_ptr first = kept.take();
        if (status == SVS_OK) generators.clear(); // else items may be left for the next run
        runs.store(false);
        if (first) std::rethrow_exception(first);
        if (status != SVS_OK) throw error(status, report.text);
    }
};

/* Sends an item from a body, or several. */
template <class Item> void send(context x, const task<Item> &to, const Item &item) {
    detail::parcel<Item> sent{item, to.of};
    must(svs_send(x, to, &sent, 1, sizeof sent));
}
template <class Item, class Items>
void send_all(context x, const task<Item> &to, const Items &items) {
    auto sent = detail::pack(to, items);
    if (!sent.empty()) must(svs_send(x, to, sent.data(), sent.size(), sizeof sent[0]));
}

/* Owns a source: any thread sends items through it, before and while the graph runs. The run does
 * not end before the source is closed. Destroy it before its graph. */
template <class Item> struct source : detail::owner<svs_source> {
    /* @param limit the number of items of the task that may be unprocessed after a send. */
    source(const task<Item> &to, uint32_t limit)
        : owner(svs_source_free, svs_source_new, to.at, limit), task_of(to) {}
    /* Waits for room, for about `ns_max` nanoseconds at most. @return SVS_OK, SVS_E_FULL,
     * SVS_E_CANCELLED (no item will run: close it); throws svs::error for any other status. */
    [[nodiscard]] svs_status send(const Item &item, uint64_t ns_max = UINT64_MAX) const {
        detail::parcel<Item> sent{item, task_of.of};
        return usual(svs_source_send(*this, &sent, 1, sizeof sent, ns_max));
    }
    /* Sends all of several items, or none. */
    template <class Items>
    [[nodiscard]] svs_status send_all(const Items &items, uint64_t ns_max = UINT64_MAX) const {
        auto sent = detail::pack(task_of, items);
        if (sent.empty()) return SVS_OK;
        return usual(svs_source_send(*this, sent.data(), sent.size(), sizeof sent[0], ns_max));
    }
    void close() { owned.reset(); }

  private:
    task<Item> task_of;
    static svs_status usual(svs_status status) {
        if (status != SVS_E_FULL && status != SVS_E_CANCELLED) must(status);
        return status;
    }
};
template <class Item> source(const task<Item> &, uint32_t) -> source<Item>;

/* `name` is the name of the loop in reports and traces. */
struct for_each_options {
    const char *name = "for_each";
    svs_algorithm algorithm = SVS_ALGORITHM_DEFAULT;
};

/* Runs a body for each element of a container, in place: they may have any type. Two loops with
 * names, the second in the order of the elements:
 *
 *     svs::for_each(world, bodies, touch, move, {"move"});
 *     svs::for_each(world, bodies, touch, draw, {"draw", SVS_ALGORITHM_IN_ORDER}); */
template <class Items, class Touch, class Run>
void for_each(svs_world *in, Items &&items, const Touch &touch, const Run &run,
              const for_each_options &options = {}) {
    using item = std::remove_reference_t<decltype(*std::begin(items))> *;
    auto look = [&touch](svs_footprint *f, item at) { touch(f, std::as_const(*at)); };
    auto act = [&run](context x, item at) { return detail::call(run, x, *at); };
    failure kept;
    detail::body<item, decltype(look), decltype(act)> each(options.name, kept, look, act);
    std::vector<detail::parcel<item>> all;
    for (auto &one : items) all.push_back({std::addressof(one), &each});
    if (all.empty()) return;
    svs_for_each_options chosen;
    svs_for_each_options_init(&chosen);
    chosen.name = options.name;
    chosen.algorithm = options.algorithm;
    kept.end(svs_for_each_with(in, &each.type, all.data(), all.size(), &chosen, nullptr));
}

/* Spawns f. It is allocated if it has more than 88 bytes or is not trivially copyable. If the async
 * is dropped, f is destroyed. */
template <class F> void async(async_context x, F &&f) {
    using made = detail::spawned<std::decay_t<F>>;
    alignas(made) unsigned char copy[made::fits ? sizeof(made) : 1] = {}; // also the padding of f
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

/* Runs `f` on one worker, and measures its work and span. */
template <class F> svs_measure measure_run(svs_runtime *on, const F &f) {
    detail::frame<F> own{f};
    svs_measure measure;
    own.kept.end(svs_measure_run(on, own.run, &own, &measure));
    return measure;
}

/* Owns the steals that one iteration of a program retains for the next. Free it before the
 * runtime. */
struct retained : detail::owner<svs_retained> {
    explicit retained(svs_runtime *on) : owner(svs_retained_free, svs_retained_new, on) {}
    template <class F> void run(const F &f) {
        detail::frame<F> own{f};
        own.kept.end(svs_retained_run(*this, own.run, &own));
    }
};
} // namespace svs
#endif
