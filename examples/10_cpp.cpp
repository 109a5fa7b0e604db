/* Shows:  SvS in C++17: lambdas with captures, a graph, a source, asyncs, an exception.
 * Run:    build/release/bin/10_cpp
 * Expect: no money is lost; the wait for the run throws the exception (expected.txt). */
#include <array>
#include <cstdio>
#include <svs/svs.hpp>
#include <thread>

struct account {
    long balance = 0;
};
struct transfer { // an item: plain bytes
    int from, to;
    long amount;
};

static long sum(svs::async_context x, const account *first, const account *last) {
    if (last - first == 1) return first->balance;
    const account *middle = first + (last - first) / 2;
    long left = 0, right = 0;
    svs::finish(x, [&](svs::async_context y) {
        svs::async(y, [&](svs::async_context z) { left = sum(z, first, middle); });
        right = sum(y, middle, last);
    }); // waits
    return left + right;
}

int main() try {
    svs::world world; // a worker for each CPU; all is freed at the end of the block
    std::array<account, 16> accounts;
    svs::graph graph(world);

    auto transfers = graph.add_itemizer<transfer>(
        "transfer",
        [&](svs_footprint *f, const transfer &t) { // what an instance may touch
            svs_writes(f, &accounts[t.from]);
            svs_writes(f, &accounts[t.to]);
        },
        [&](transfer &t) { // what it does
            if (t.amount < 0) throw std::invalid_argument("a negative amount");
            accounts[t.from].balance -= t.amount;
            accounts[t.to].balance += t.amount;
        });
    for (int i = 0; i < 10000; i++) graph.send(transfers, transfer{i % 16, i % 15, i});
    graph.run();

    svs::source more(transfers, 64); // at most 64 of its items wait; the run lasts until it closes
    std::thread sender([&] {
        for (int i = 0; i < 1000 && more.send({i % 16, i % 13, i}) == SVS_OK; i++) {}
        more.close();
    });
    graph.run();
    sender.join();

    svs::for_each(
        world, accounts, [](svs_footprint *f, const account &a) { svs_writes(f, &a); },
        [](account &a) { a.balance += 100; }, {"interest"}); // its name in reports and traces

    long total = 0;
    svs::async_run(world.runtime(), [&](svs::async_context x) {
        total = sum(x, accounts.data(), accounts.data() + accounts.size());
    });
    std::printf("16 accounts hold %ld\n", total);

    graph.send(transfers, transfer{1, 2, -5});
    try {
        graph.run();
    } catch (const std::invalid_argument &e) {
        std::printf("Refused: %s\n", e.what());
    }
    return 0;
} catch (const svs::error &e) {
    std::fprintf(stderr, "%s: %s\n", svs_status_name(e.status), e.what());
    return 1;
}
