/* Parallel loops by asyncs. Each worker owns a share of the indices, the same in each loop and
 * frame, so that their data stays in its cache. A worker that has finished its share takes indices
 * from other shares. */
#include "engine_svs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <svs/async.h>

/* One cache line per share: only its owner accesses it until another worker runs out of work. */
struct share {
    _Alignas(64) atomic_uint next;
    uint32_t end;
};

static void run_share(const loop *it, uint32_t worker, uint32_t owner) {
    share *of = &it->shares[owner];
    for (;;) {
        /* relaxed: the index carries no other data. */
        uint32_t index = atomic_fetch_add_explicit(&of->next, 1, memory_order_relaxed);
        if (index >= of->end) return;
        it->run(it->engine, worker, index);
    }
}

void loops_help(const loops *all, uint32_t worker) {
    uint32_t workers = all->of[0].workers;
    for (uint32_t k = 0; k < all->count; k++) run_share(&all->of[k], worker, worker);
    for (uint32_t k = 0; k < all->count && !all->own; k++)
        for (uint32_t i = 1; i < workers; i++)
            run_share(&all->of[k], worker, (worker + i) % workers);
}

static void help(svs_async_context *async, void *argument) {
    loops_help(argument, svs_async_worker(async));
}

void loops_call(const loops *all, svs_async_context *async) {
    for (uint32_t i = 1; i < all->of[0].workers; i++) svs_async(async, help, all, sizeof *all);
}

void loop_deal(loop *it, uint32_t end) {
    uint32_t begin = 0;
    for (uint32_t i = 0; i < it->workers; i++) {
        atomic_store_explicit(&it->shares[i].next, begin, memory_order_relaxed);
        it->shares[i].end = begin = (uint32_t)((uint64_t)end * (i + 1) / it->workers);
    }
}

static void run_all(svs_async_context *async, void *argument) {
    loops_call(argument, async);
    help(async, argument);
}

void loop_run(svs_async_context *async, loop *it, uint32_t end) {
    loops all = {it, 1, false};
    loop_deal(it, end);
    svs_finish(async, run_all, &all);
}

bool loop_init(loop *it, svs_engine *e, loop_body *run) {
    uint32_t workers = e->in->options.workers;
    *it = (loop){e, run, workers, aligned_alloc(64, workers * sizeof(share))};
    return it->shares != NULL;
}

void loop_clean_up(loop *it) { free(it->shares); }
