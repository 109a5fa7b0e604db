// oneTBB: parallel_for over ranges of at most a chunk, in an arena of as many threads as were asked
// for, and spin_mutex.
#include "teams.h"

#include <algorithm>
#include <new>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_arena.h>

namespace {

struct team {
    explicit team(int threads)
        : control(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads)),
          arena(threads) {}
    tbb::global_control control;
    tbb::task_arena arena;
};

void *open_team(unsigned threads) {
    try {
        return new team(static_cast<int>(threads));
    } catch (...) {
        return nullptr;
    }
}

void loop(void *opaque, size_t count, size_t chunk, parallel_function *fn, void *argument) {
    team *it = static_cast<team *>(opaque);
    if (!count) return;
    it->arena.execute([&] {
        if (!chunk) {
            size_t threads = static_cast<size_t>(it->arena.max_concurrency());
            chunk = std::max<size_t>(1, count / (8 * threads));
        }
        // Chunks are numbered, so that each is as long as it would be in another team: a range of
        // items would be cut in halves until they fit.
        size_t chunks = (count + chunk - 1) / chunk;
        tbb::parallel_for(
            tbb::blocked_range<size_t>(0, chunks),
            [=](const tbb::blocked_range<size_t> &some) {
                auto worker = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
                for (size_t i = some.begin(); i < some.end(); i++)
                    fn(i * chunk, std::min(count, (i + 1) * chunk), worker, argument);
            },
            tbb::simple_partitioner());
    });
}

void close_team(void *opaque) { delete static_cast<team *>(opaque); }

static_assert(sizeof(tbb::spin_mutex) <= NATIVE_LOCK_ROOM, "a spin_mutex fits");

tbb::spin_mutex *mutex_in(void *room) {
    return std::launder(reinterpret_cast<tbb::spin_mutex *>(room));
}

void lock_init(void *room) { new (room) tbb::spin_mutex; }
void lock_clean_up(void *room) { mutex_in(room)->~spin_mutex(); }
void lock_acquire(void *room) { mutex_in(room)->lock(); }
void lock_release(void *room) { mutex_in(room)->unlock(); }

const native_lock spin_mutex = {"tbb_spin_mutex", lock_init, lock_clean_up, lock_acquire,
                                lock_release};

} // namespace

const team_kind team_tbb = {nullptr, open_team, loop, close_team, &spin_mutex};
