// The C++ face: the wait throws what a body, a touch function or an async throws on any worker, and
// later runs are whole. Each row is a way to run something; each row runs under both policies with
// 1, 2 and 8 workers.
#include <array>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_throws_what_was_thrown_and_later_runs_are_whole),
        cmocka_unit_test(a_body_may_catch_what_a_finish_throws_and_go_on),
        cmocka_unit_test(a_failed_call_throws_its_status),
        cmocka_unit_test(a_graph_that_runs_refuses_another_run_and_keeps_its_exception),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
