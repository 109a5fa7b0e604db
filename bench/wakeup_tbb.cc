// oneTBB: an arena, a task group, two tasks for each thread.
#include "wakeup.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace {

struct tbb_state {
    tbb::global_control control;
    tbb::task_arena arena;
    uint32_t threads;
    explicit tbb_state(uint32_t threads_)
        : control(tbb::global_control::max_allowed_parallelism, threads_),
          arena(static_cast<int>(threads_)), threads(threads_) {}
};

void *make(uint32_t threads) { return new tbb_state(threads); }

void attempt(void *state, wakeup_probe *probe, void (*begin)(wakeup_probe *)) {
    auto &s = *static_cast<tbb_state *>(state);
    begin(probe);
    s.arena.execute([&s, probe] {
        tbb::task_group group;
        for (uint32_t i = 0; i < 2 * s.threads; i++) group.run([probe] { wakeup_body(probe); });
        group.wait();
    });
}

void destroy(void *state) { delete static_cast<tbb_state *>(state); }

} // namespace

extern "C" const wakeup_engine wakeup_tbb = {"tbb", make, attempt, destroy};
