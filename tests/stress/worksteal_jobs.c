/* Jobs that are attached, drained and detached by several threads, and freed at once: no worker
 * is inside of a freed one (worksteal.Q1), no work is left over or taken twice, and no wake-up is
 * lost (a test that hangs). */
#include "../unit/worksteal/running.h"
#include "base/random.h"

#define PEOPLE 5

typedef struct heap {
    svs__job job;
    svs_runtime *runtime;
    _Atomic(uint64_t) waiting, ended, added;
    uint64_t all;
} heap;

/* Takes one; each of the first half adds another one, for any worker. */
static bool take_one(svs__job *job, svs__worker *worker) {
    heap *h = (heap *)job;
    uint64_t waiting = svs__load_relaxed(&h->waiting);
    do
        if (waiting == 0) return false;
    while (!svs__cas_weak_acquire(&h->waiting, &waiting, waiting - 1));
    if (svs__fetch_add_relaxed(&h->added, 1) < h->all / 2) {
        (void)svs__fetch_add_release(&h->waiting, 1);
        svs__runtime_notify(h->runtime, 1);
    }
    svs__worker_count(&worker->instances, 1);
    if (svs__fetch_add_release(&h->ended, 1) + 1 == h->all) svs__runtime_complete(worker->runtime);
    return true;
}

static bool one_is_there(svs__job *job) { return svs__load_relaxed(&((heap *)job)->waiting) != 0; }

static bool all_gone(void *argument) {
    heap *h = argument;
    return svs__load_acquire(&h->ended) == h->all;
}

typedef struct fair {
    svs_runtime *runtime;
    uint64_t rounds;
    _Atomic(uint64_t) seed, units, wrong;
} fair;

static void one_heap(fair *f, svs__random *random) {
    heap *h = calloc(1, sizeof *h);
    h->job = (svs__job){.step = take_one, .ready = one_is_there};
    h->runtime = f->runtime;
    h->all = 2 * (1 + svs__random_below(random, 60));
    h->waiting = h->all / 2;
    if (svs__runtime_attach(f->runtime, &h->job) != SVS_OK) abort();
    svs__runtime_notify(f->runtime, (uint32_t)h->all);
    svs__runtime_participate(f->runtime, all_gone, h);
    svs__runtime_detach(f->runtime, &h->job);
    if (h->ended != h->all || h->waiting != 0) (void)svs__fetch_add_relaxed(&f->wrong, 1);
    (void)svs__fetch_add_relaxed(&f->units, h->all);
    free(h);
}

static void *trade(void *argument) {
    fair *f = argument;
    svs__random random;
    svs__random_seed(&random, svs__fetch_add_relaxed(&f->seed, 1));
    for (uint64_t i = 0; i < f->rounds; i++) one_heap(f, &random);
    return NULL;
}

static void fair_of(uint32_t threads, uint32_t spin_us) {
    fair f = {started(threads, spin_us), scaled(10000, 100), 1, 0, 0};
    uint64_t instances = 0;
    team_run(PEOPLE, trade, &f);
    for (uint32_t i = 0; i < threads; i++) {
        svs_worker_statistics statistics;
        assert_int_equal(svs_runtime_statistics_get(f.runtime, i, &statistics), SVS_OK);
        instances += statistics.instances;
    }
    assert_int_equal(f.wrong, 0);
    assert_int_equal(instances, f.units);
    assert_int_equal(svs_runtime_free(f.runtime), SVS_OK);
}

TEST_CASE(on_one_worker) { fair_of(1, 20); }
TEST_CASE(on_two_workers) { fair_of(2, 20); }
TEST_CASE(on_eight_workers_that_sleep) { fair_of(8, 0); }

int main(void) { return run_cases(NULL, NULL); }
