// oneTBB's parallel_for_each, with a spin mutex in each node. Steps feed it with their items, and
// it runs the last one first; a search runs in rounds instead.
#include "sends.h"

#include <memory>
#include <tbb/concurrent_vector.h>
#include <tbb/parallel_for_each.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_arena.h>

namespace {

using feeder = tbb::feeder<sends_item>;
using round_items = tbb::concurrent_vector<sends_item>;

struct tbb_state {
    sends_case *c;
    std::unique_ptr<tbb::spin_mutex[]> nodes;
    tbb::task_arena arena;
    tbb_state(sends_case *c_, uint32_t threads)
        : c(c_), nodes(new tbb::spin_mutex[c_->count]), arena(static_cast<int>(threads)) {}
};

void feed(void *to, sends_item item) { static_cast<feeder *>(to)->add(item); }
void add_to_round(void *to, sends_item item) { static_cast<round_items *>(to)->push_back(item); }

void run_one(const tbb_state &s, sends_item item, sends_function *send, void *to) {
    uint32_t touched[SENDS_TOUCHED];
    const uint32_t count = sends_touched(s.c, item, touched);
    for (uint32_t i = 0; i < count; i++) s.nodes[touched[i]].lock();
    s.c->program->step(s.c, item, send, to);
    for (uint32_t i = 0; i < count; i++) s.nodes[touched[i]].unlock();
}

void *make(sends_case *c, uint32_t threads) { return new tbb_state(c, threads); }

void run_fed(const tbb_state &s) {
    tbb::parallel_for_each(s.c->first, s.c->first + s.c->first_count,
                           [&s](sends_item item, feeder &to) { run_one(s, item, feed, &to); });
}

void run_in_rounds(const tbb_state &s) {
    round_items now(s.c->first, s.c->first + s.c->first_count);
    while (!now.empty()) {
        round_items next;
        tbb::parallel_for_each(now.begin(), now.end(),
                               [&](sends_item item) { run_one(s, item, add_to_round, &next); });
        now.swap(next);
    }
}

void run(void *state) {
    auto &s = *static_cast<tbb_state *>(state);
    s.arena.execute([&s] {
        if (s.c->program->in_rounds) run_in_rounds(s);
        else run_fed(s);
    });
}

void destroy(void *state) { delete static_cast<tbb_state *>(state); }

} // namespace

extern "C" const sends_engine sends_tbb = {"tbb", make, run, destroy};
