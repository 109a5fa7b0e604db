// The C++ face: the wait throws what a body, a touch function or an async throws on any worker, and
// later runs are whole. Each row is a way to run something; each row runs under both policies with
// 1, 2 and 8 workers.
#include <array>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <pthread.h>
#include <string>
#include <svs/svs.hpp>
#include <thread>
extern "C" {
#include <cmocka.h>
}

namespace {

constexpr int COUNT = 40, BAD = 23;
enum kind { NOTHING, EXCEPTION, NUMBER, STATUS };
enum where { BODY, TOUCH, MAKER, MAKER_TOUCH };

struct item {
    int number;
};
std::array<long, 8> cells;
void touch(svs_footprint *f, const item &i) {
    svs_writes(f, &cells[static_cast<size_t>(i.number) % 8]);
}

struct place { // what the runs of one combination share
    svs::world &world;
    svs_runtime *runtime;
    std::atomic<int> done{0};
    kind bad = NOTHING;
    where at = BODY;
    svs::graph graph{world};
    svs::task<item> steps, maker;

    place(svs::world &w) : world(w), runtime(w.runtime()) {
        steps = graph.add_itemizer<item>(
            "step",
            [this](svs_footprint *f, const item &i) {
                touch(f, i);
                raise(TOUCH, i.number);
            },
            [this](item &i) { step(i.number); });
        maker = graph.add_transform(
            "maker", item{COUNT},
            [this](svs_footprint *, const item &) { raise(MAKER_TOUCH, BAD); },
            [this](svs::context x, item &i) {
                for (int n = 0; n < i.number; n++) svs::send(x, steps, item{n});
                raise(MAKER, BAD);
            });
        graph.add_flow(maker, steps);
    }
    void raise(where here, int number) {
        if (here != at || number != BAD) return;
        if (bad == EXCEPTION) throw std::runtime_error("boom");
        if (bad == NUMBER) throw 5;
        if (bad == STATUS) throw svs::error(7);
    }
    void step(int number) { // what each body does
        done++;
        if (number % 8 == 0) std::this_thread::yield(); // for the thieves
        raise(BODY, number);
    }
};

std::vector<item> items() {
    std::vector<item> all;
    for (int i = 0; i < COUNT; i++) all.push_back({i});
    return all;
}

void spawn(svs::async_context x, place &p, int from, int to) { // a tree of asyncs
    if (to - from == 1) return p.step(from);
    int middle = (from + to) / 2;
    svs::async(x, [&p, from, middle](svs::async_context y) { spawn(y, p, from, middle); });
    svs::async(x, [&p, middle, to](svs::async_context y) { spawn(y, p, middle, to); });
}

// ---- the rows: each does COUNT steps ----

void as_root(place &p) {
    svs::async_run(p.runtime, [&p] {
        for (int i = 0; i < COUNT; i++) p.step(i);
    });
}
void in_asyncs_of_root(place &p) {
    svs::async_run(p.runtime, [&p](svs::async_context x) { spawn(x, p, 0, COUNT); });
}
void in_finish(place &p) {
    svs::async_run(p.runtime, [&p](svs::async_context x) {
        svs::finish(x, [&p](svs::async_context y) { spawn(y, p, 0, COUNT); });
        p.done += 1000; // not after an exception
    });
    p.done -= 1000;
}
void in_large_asyncs(place &p) { // allocated; each capture is destroyed
    auto shared = std::make_shared<int>(0);
    struct count {
        std::shared_ptr<int> &of;
        ~count() { assert_int_equal(of.use_count(), 1); }
    } one{shared};
    svs::async_run(p.runtime, [&](svs::async_context x) {
        for (int i = 0; i < COUNT; i++)
            svs::async(x, [&p, i, shared, filled = std::array<char, 200>()]() mutable {
                filled[3] = static_cast<char>(*shared);
                p.step(i + filled[3]);
            });
    });
}
void returned_by_an_async(place &p) {
    svs::async_run(p.runtime, [&p](svs::async_context x) {
        for (int i = 0; i < COUNT; i++)
            svs::async(x, [&p, i]() -> svs_status {
                if (i == BAD && p.bad == STATUS) return 7;
                return p.step(i), SVS_OK;
            });
    });
}
void in_for_each(place &p) {
    auto all = items();
    svs::for_each(p.world, all, touch, [&p](item &i) { p.step(i.number); });
}
void in_touch_of_for_each(place &p) {
    auto all = items();
    svs::for_each(
        p.world, all,
        [&p](svs_footprint *f, const item &i) {
            touch(f, i);
            p.raise(TOUCH, i.number);
        },
        [&p](item &i) { p.step(i.number); });
}
void in_finish_of_a_body(place &p) {
    std::array<item, 1> one{};
    svs::for_each(p.world, one, touch, [&p](svs::context x, item &) {
        svs::finish(x, [&p](svs::async_context y) { spawn(y, p, 0, COUNT); });
    });
}
void in_asyncs_of_a_body(place &p) {
    std::array<item, 1> one{};
    svs::for_each(p.world, one, touch, [&p](svs::context x, item &) { spawn(x, p, 0, COUNT); });
}
void in_graph(place &p) {
    if (p.bad != EXCEPTION) return p.graph.run();
    svs_report report; // the same as a status
    assert_int_equal(p.graph.try_run(1, report), svs::thrown);
    assert_string_equal(report.task, p.at == BODY || p.at == TOUCH ? "step" : "maker");
    throw std::runtime_error(report.text);
}

struct row {
    void (*run)(place &);
    where at;
};
const row rows[] = {{as_root, BODY},
                    {in_asyncs_of_root, BODY},
                    {in_finish, BODY},
                    {in_large_asyncs, BODY},
                    {returned_by_an_async, BODY},
                    {in_for_each, BODY},
                    {in_touch_of_for_each, TOUCH},
                    {in_finish_of_a_body, BODY},
                    {in_asyncs_of_a_body, BODY},
                    {in_graph, BODY},
                    {in_graph, TOUCH},
                    {in_graph, MAKER},
                    {in_graph, MAKER_TOUCH}};

// What it throws, as text.
std::string run(const row &now, place &p, kind bad) {
    p.bad = bad, p.at = now.at, p.done = 0;
    try {
        now.run(p);
    } catch (const svs::error &e) {
        return "status " + std::to_string(e.status);
    } catch (const std::exception &e) {
        return e.what();
    } catch (int number) {
        return std::to_string(number);
    }
    return "";
}

void a_wait_throws_what_was_thrown_and_later_runs_are_whole(void **) {
    const char *const expected[] = {"", "boom", "5", "status 7"};
    for (uint32_t policy : {SVS_POLICY_HELP_FIRST, SVS_POLICY_WORK_FIRST})
        for (uint32_t threads : {1u, 2u, 8u}) {
            svs::runtime_options options(threads);
            options.policy = policy;
            options.log = nullptr;
            svs::runtime runtime(options);
            svs::world world(runtime);
            place p(world);
            for (const row &now : rows)
                for (int bad = EXCEPTION; bad <= STATUS; bad++) {
                    assert_string_equal(run(now, p, static_cast<kind>(bad)).c_str(), expected[bad]);
                    for (int again = 0; again < 20; again++) {
                        assert_string_equal(run(now, p, NOTHING).c_str(), "");
                        assert_int_equal(p.done, COUNT);
                    }
                }
        }
}

void a_body_may_catch_what_a_finish_throws_and_go_on(void **) {
    svs::runtime_options options(2);
    options.policy = SVS_POLICY_WORK_FIRST;
    svs::runtime runtime(options);
    svs::world world(runtime);
    place p(world);
    p.bad = NUMBER;
    svs::async_run(runtime, [&p](svs::async_context x) {
        int caught = 0;
        for (int i = 0; i < 100; i++) try {
                svs::finish(x, [&p](svs::async_context y) { spawn(y, p, 0, COUNT); });
            } catch (int number) {
                caught += number;
            }
        p.done += 1000 * caught;
    });
    assert_int_equal(p.done, 100 * COUNT + 1000 * 500);
}

void a_failed_call_throws_its_status(void **) {
    svs::world world(1);
    svs::graph graph(world);
    auto idle = [](item &) {};
    auto a = graph.add_itemizer<item>("a", touch, idle),
         b = graph.add_itemizer<item>("b", touch, idle);
    graph.add_flow(a, b);
    graph.add_order(b, a);
    svs_report report;
    assert_int_equal(graph.try_run(1, report), SVS_E_CYCLE);
    assert_non_null(std::strstr(report.text, "a"));
    svs::graph second = svs::graph(world);
    std::array<item, 1> one{};
    int status = 0;
    svs::for_each(world, one, touch, [&](item &) {
        try {
            second.run();
        } catch (const svs::error &e) {
            status = e.status;
        }
    });
    assert_int_equal(status, SVS_E_NESTED);
}

void a_graph_that_runs_refuses_another_run_and_keeps_its_exception(void **) {
    svs::world world(2);
    svs::graph graph(world);
    svs_report report{};
    auto again = graph.add_itemizer<item>("again", touch, [&](item &) {
        report.task = "a former run's";
        report.instance = 5;
        (void)graph.try_run(1, report);
        throw 5;
    });
    graph.send(again, item{0});
    int caught = 0;
    try {
        graph.run();
    } catch (int number) {
        caught = number;
    }
    assert_int_equal(caught, 5);
    assert_int_equal(report.status, SVS_E_BUSY);
    assert_null(report.task);
    assert_int_equal(report.instance, 0);
}

// ---- what takes an item: each by which the C face gives items to a task ----

template <class F> svs_status status_of(const F &f) { // that f throws
    try {
        f();
    } catch (const svs::error &e) {
        return e.status;
    }
    return SVS_OK;
}

struct counted { // a graph with one task, which adds the numbers of its items
    svs::world world;
    svs::graph graph{world};
    long sum = 0;
    std::atomic<int> dropped{0};
    svs::task<item> adds;
    explicit counted(uint32_t threads) : world(threads) {
        adds = graph.add_itemizer<item>(
            "add", [this](svs_footprint *f, const item &) { svs_writes(f, &sum); },
            [this](item &i) {
                if (i.number < 0) throw i.number;
                sum += i.number;
            });
    }
};

void threads_send_items_through_a_source(void **) {
    for (uint32_t threads : {1u, 2u, 8u}) {
        counted c(threads);
        svs::source first(c.adds, 4), second(c.adds, 100);
        std::thread one([&] {
            for (int i = 1; i <= 1000; i++) assert_int_equal(first.send(item{i}), SVS_OK);
            first.close();
        });
        std::thread many([&] {
            for (int i = 0; i < 10; i++) assert_int_equal(second.send_all(items()), SVS_OK);
            second.close();
        });
        c.graph.run();
        one.join(), many.join();
        assert_int_equal(c.sum, 500500 + 10 * COUNT * (COUNT - 1) / 2);
    }
}

void a_source_says_that_it_is_full_or_shut_and_throws_what_else_is_wrong(void **) {
    counted c(2);
    svs::source full(c.adds, 2);
    c.adds.set_dropped([&c](item &i) { c.dropped += i.number; });
    assert_int_equal(full.send_all(std::array{item{1}, item{2}}, 0), SVS_OK);
    assert_int_equal(full.send(item{3}, 0), SVS_E_FULL);
    assert_int_equal(status_of([&] { (void)full.send_all(items(), 0); }), SVS_E_LIMIT);
    c.graph.begin();
    while (c.graph.progress().ended < 2) (void)c.graph.wait(1000000);
    c.graph.cancel(9);
    int more = 0;
    svs_status sent;
    while ((sent = full.send(item{3}, 1000)) != SVS_E_CANCELLED) more += sent == SVS_OK;
    full.close();
    assert_int_equal(status_of([&] { (void)c.graph.wait(); }), 9);
    assert_int_equal(c.sum + c.dropped, 3 + 3 * more);
}

void items_that_never_run_are_dropped_as_items(void **) {
    counted c(1);
    c.adds.set_dropped([&c](item &i) { c.dropped += i.number; });
    c.graph.send_all(c.adds, std::array{item{-1}, item{20}, item{22}});
    svs_report report;
    c.adds.set_algorithm(SVS_ALGORITHM_IN_ORDER);
    assert_int_equal(c.graph.try_run(1, report), svs::thrown);
    assert_int_equal(c.dropped, 42);
    c.adds.set_dropped(nullptr);
    c.graph.send(c.adds, item{1});
    c.graph.run();
    assert_int_equal(c.dropped, 42);
}

void items_are_made_when_they_are_needed(void **) {
    for (uint32_t threads : {1u, 2u, 8u}) {
        counted c(threads);
        for (int again = 1; again <= 3; again++) {
            c.graph.generate(c.adds, 10000,
                             [again](uint32_t i) { return item{static_cast<int>(i) * again}; });
            c.graph.run();
        }
        assert_int_equal(c.sum, 6 * 49995000l);
    }
}

void an_exception_of_what_makes_items_fails_the_run(void **) {
    for (uint32_t threads : {1u, 2u, 8u}) {
        counted c(threads);
        int caught = 0;
        c.adds.set_dropped([&c](item &i) { c.dropped += i.number == BAD; });
        c.graph.generate(c.adds, 100, [](uint32_t i) {
            if (i == BAD) throw 7;
            return item{1};
        });
        try {
            c.graph.run();
        } catch (int number) {
            caught = number;
        }
        assert_int_equal(caught, 7);
        assert_int_equal(c.dropped, 0); // there is no such item
        c.sum = 0;
        c.graph.generate(c.adds, 100, [](uint32_t) { return item{1}; });
        c.graph.run();
        assert_int_equal(c.sum, 100);
    }
}

void a_transform_gets_another_item(void **) {
    svs::world world(2);
    svs::graph graph(world, svs::graph_options("numbers"));
    int seen = 0;
    auto sees = graph.add_transform(
        "see", item{1}, [&](svs_footprint *f, const item &) { svs_writes(f, &seen); },
        [&](item &i) { seen = seen * 10 + i.number; });
    graph.run();
    sees.set_item(item{2});
    graph.run();
    assert_int_equal(seen, 12);
}

void a_pinned_task_runs_in_the_thread_that_waits(void **) {
    svs::world world(4);
    svs::graph graph(world);
    pthread_t runner = pthread_self();
    std::atomic<int> others{0}, drawn{0};
    auto draws = graph.add_itemizer<item>(
        "draw", touch, [&](item &) { others += !pthread_equal(pthread_self(), runner), drawn++; });
    auto makes = graph.add_itemizer<item>("make", touch, [&](svs::context x, item &i) {
        svs::send_all(x, draws, std::array{i, i});
    });
    graph.add_flow(makes, draws);
    draws.pin(SVS_THE_RUNNER);
    draws.set_priority(1);
    graph.send_all(makes, items());
    std::atomic<int> ended{-1};
    graph.begin(1, [&](svs_status status) { ended = status; });
    while (!graph.wait(100000)) {}
    assert_int_equal(ended, SVS_OK);
    assert_int_equal(others, 0);
    assert_int_equal(drawn, 2 * COUNT);
    assert_int_equal(graph.progress().ended, 3 * COUNT);
    assert_int_equal(graph.statistics().instances, 3 * COUNT);
}

void a_run_that_was_begun_ends_with_its_exception(void **) {
    counted c(2);
    for (int again = 0; again < 20; again++) {
        int caught = 0;
        svs_report report;
        c.graph.send(c.adds, item{-5});
        c.graph.begin();
        assert_int_equal(status_of([&] { c.graph.run(); }), SVS_E_BUSY);
        try {
            while (!c.graph.wait(0, &report)) {}
        } catch (int number) {
            caught = number;
        }
        assert_int_equal(caught, -5);
        assert_string_equal(report.task, "add");
        assert_int_equal(status_of([&] { (void)c.graph.wait(); }), SVS_E_STATE);
    }
}

void a_body_that_fails_by_the_status_of_a_refused_wait_ends_the_run(void **) {
    for (svs_status status : {SVS_E_BUSY, SVS_E_NESTED, SVS_E_STATE}) {
        svs::world world(2);
        svs::graph graph(world);
        auto fails =
            graph.add_itemizer<item>("fail", touch, [status](item &) { svs::must(status); });
        for (int again = 0; again < 2; again++) {
            svs_status caught = 0;
            graph.send(fails, item{0});
            graph.begin();
            try {
                while (!graph.wait(1000)) {}
            } catch (const svs::error &e) {
                caught = e.status;
            }
            assert_int_equal(caught, status);
        }
    }
}

void a_sentence_of_a_body_reaches_the_error(void **) {
    svs::world world(1);
    svs::graph graph(world);
    auto pays = graph.add_itemizer<item>("pay", touch, [](svs::context x, item &) {
        return svs_context_fail(x, 7, "the account is closed");
    });
    graph.send(pays, item{0});
    std::string text;
    try {
        graph.run();
    } catch (const svs::error &e) {
        assert_int_equal(e.status, 7);
        text = e.what();
    }
    assert_non_null(std::strstr(text.c_str(), "the account is closed"));
}

void a_body_of_a_lambda_finishes_later(void **) {
    svs::world world(2);
    svs::graph graph(world);
    std::thread device;
    std::atomic<int> loaded{0}; // the check knows nothing of the other thread
    int used = 0;
    auto loads = graph.add_transform(
        "load", item{42}, [&](svs_footprint *f, const item &) { svs_writes(f, &loaded); },
        [&](svs::context x, item &i) {
            svs_later *later;
            svs::must(svs_complete_later(x, &i, &later));
            device = std::thread([&loaded, later, number = i.number] {
                loaded = number;
                (void)svs_completed(later, SVS_OK);
            });
        });
    auto uses = graph.add_transform(
        "use", item{1},
        [&](svs_footprint *f, const item &) {
            svs_reads(f, &loaded);
            svs_writes(f, &used);
        },
        [&](item &i) { used = loaded + i.number; });
    graph.add_order(loads, uses);
    graph.run();
    device.join();
    assert_int_equal(used, 43);
}

std::string last_name; // of the task that an observer sees
void see(const svs_observed *seen, void *) { last_name = seen->task; }

void a_loop_has_the_name_and_the_algorithm_that_it_is_given(void **) {
    svs::world world(2);
    svs_observer observer;
    svs_observer_init(&observer);
    observer.instance_begins = see;
    auto all = items();
    uint64_t order = 0, expected = 0; // each number changes what those before it have left
    auto one = [&](svs_footprint *f, const item &) { svs_writes(f, &order); };
    auto add = [&](item &i) { order = order * 31 + static_cast<uint64_t>(i.number); };
    std::vector<item> single = {{1}};
    svs::must(svs_observer_set(world.runtime(), &observer));
    svs::for_each(world, single, one, add);
    assert_string_equal(last_name.c_str(), "for_each");
    svs::for_each(world, single, one, add, {"move"});
    assert_string_equal(last_name.c_str(), "move");
    svs::for_each(world, single, one, add, {"draw", SVS_ALGORITHM_IN_ORDER});
    assert_string_equal(last_name.c_str(), "draw");
    svs::must(svs_observer_set(world.runtime(), nullptr));
    order = 0;
    svs::for_each(world, all, one, add, {"draw", SVS_ALGORITHM_IN_ORDER});
    for (const item &i : all) expected = expected * 31 + static_cast<uint64_t>(i.number);
    assert_int_equal(order, expected);
    int caught = 0;
    try {
        svs::for_each(world, all, one, [](item &i) { throw i.number; },
                      {"draw", SVS_ALGORITHM_IN_ORDER});
    } catch (int number) {
        caught = 100 + number;
    }
    assert_int_equal(caught, 100);
}

void a_lambda_is_measured_and_its_steals_are_retained(void **) {
    svs::world world(2);
    place p(world);
    auto tree = [&p](svs::async_context x) { spawn(x, p, 0, COUNT); };
    svs_measure measure = svs::measure_run(p.runtime, tree);
    assert_int_equal(measure.asyncs >= 2 * (COUNT - 1), 1);
    svs::retained retained(p.runtime);
    for (int again = 0; again < 5; again++) retained.run(tree);
    assert_int_equal(p.done, 6 * COUNT);
    p.bad = NUMBER;
    for (int way = 0; way < 2; way++) {
        int caught = 0;
        try {
            if (way == 0) (void)svs::measure_run(p.runtime, tree);
            else retained.run(tree);
        } catch (int number) {
            caught = number;
        }
        assert_int_equal(caught, 5);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_throws_what_was_thrown_and_later_runs_are_whole),
        cmocka_unit_test(a_body_may_catch_what_a_finish_throws_and_go_on),
        cmocka_unit_test(a_failed_call_throws_its_status),
        cmocka_unit_test(a_graph_that_runs_refuses_another_run_and_keeps_its_exception),
        cmocka_unit_test(threads_send_items_through_a_source),
        cmocka_unit_test(a_source_says_that_it_is_full_or_shut_and_throws_what_else_is_wrong),
        cmocka_unit_test(items_that_never_run_are_dropped_as_items),
        cmocka_unit_test(items_are_made_when_they_are_needed),
        cmocka_unit_test(an_exception_of_what_makes_items_fails_the_run),
        cmocka_unit_test(a_transform_gets_another_item),
        cmocka_unit_test(a_pinned_task_runs_in_the_thread_that_waits),
        cmocka_unit_test(a_run_that_was_begun_ends_with_its_exception),
        cmocka_unit_test(a_body_that_fails_by_the_status_of_a_refused_wait_ends_the_run),
        cmocka_unit_test(a_sentence_of_a_body_reaches_the_error),
        cmocka_unit_test(a_body_of_a_lambda_finishes_later),
        cmocka_unit_test(a_loop_has_the_name_and_the_algorithm_that_it_is_given),
        cmocka_unit_test(a_lambda_is_measured_and_its_steals_are_retained),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
