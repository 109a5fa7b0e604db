// oneTBB's parallel_for with a spin mutex in each object.
#include "dispatch.h"

#include <cstdlib>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_arena.h>

namespace {

struct locked {
    tbb::spin_mutex mutex;
    uint64_t count;
};

struct tbb_state {
    const dispatch_case *c;
    locked **objects, **targets, **locks;
    tbb::task_arena arena;
    tbb_state(const dispatch_case *c_, uint32_t threads) : c(c_), arena(static_cast<int>(threads)) {
        void **made = dispatch_objects_new(c->keys, sizeof(locked), alignof(locked));
        for (size_t i = 0; i < c->keys; i++) new (made[i]) locked{};
        objects = reinterpret_cast<locked **>(made);
        targets = reinterpret_cast<locked **>(dispatch_targets_new(c, made));
        locks =
            reinterpret_cast<locked **>(dispatch_locks_new(c, reinterpret_cast<void **>(targets)));
    }
    ~tbb_state() {
        dispatch_objects_free(reinterpret_cast<void **>(objects), c->keys);
        std::free(targets);
        std::free(locks);
    }
};

void *make(const dispatch_engine *engine, const dispatch_case *c) {
    return new tbb_state(c, engine->threads);
}

void one(const tbb_state &s, size_t begin, size_t end) {
    const uint32_t rounds = s.c->rounds;
    for (size_t i = begin; i < end; i++) {
        locked *a = s.targets[i];
        tbb::spin_mutex::scoped_lock lock(a->mutex);
        dispatch_write_one(&a->count, rounds);
    }
}

void two(const tbb_state &s, size_t begin, size_t end) {
    const uint32_t rounds = s.c->rounds;
    for (size_t i = begin; i < end; i++) {
        locked *a = s.targets[2 * i], *b = s.targets[2 * i + 1];
        locked *first = a < b ? a : b, *second = first == a ? b : a;
        tbb::spin_mutex::scoped_lock lock_first(first->mutex), lock_second(second->mutex);
        dispatch_write_two(&a->count, &b->count, rounds);
    }
}

void many(const tbb_state &s, size_t begin, size_t end) {
    const uint32_t rounds = s.c->rounds, objects = s.c->objects;
    for (size_t i = begin; i < end; i++) {
        locked **targets = s.targets + i * objects, **locks = s.locks + i * objects;
        uint64_t *to[DISPATCH_OBJECTS_MAX];
        for (uint32_t o = 0; o < objects; o++) locks[o]->mutex.lock();
        for (uint32_t o = 0; o < objects; o++) to[o] = &targets[o]->count;
        dispatch_write_many(to, objects, s.c->reads, rounds);
        for (uint32_t o = 0; o < objects; o++) locks[o]->mutex.unlock();
    }
}

void run(void *state) {
    auto &s = *static_cast<tbb_state *>(state);
    s.arena.execute([&s] {
        tbb::parallel_for(tbb::blocked_range<size_t>(0, s.c->count),
                          [&s](const tbb::blocked_range<size_t> &range) {
                              if (s.c->objects == 1) one(s, range.begin(), range.end());
                              else if (s.c->objects == 2 && !s.c->reads)
                                  two(s, range.begin(), range.end());
                              else many(s, range.begin(), range.end());
                          });
    });
}

uint64_t writes(const void *state, size_t key) {
    return static_cast<const tbb_state *>(state)->objects[key]->count;
}

void destroy(void *state) { delete static_cast<tbb_state *>(state); }

} // namespace

extern "C" const dispatch_engine dispatch_tbb = {"tbb", "none", 0,       1,      make,
                                                 run,   writes, nullptr, destroy};
