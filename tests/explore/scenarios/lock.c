/* svs__lock: one holder at a time, each holder sees the writes of those before, and no thread
 * sleeps for ever (base.L1, base.L2). */
#include "base/lock.h"
#include "base/platform.h"
#include "explore/explore.h"

#define THREADS 3
#define TURNS 2

static struct {
    svs__lock lock;
    uint32_t inside, sum;
} shared;

static void *work(void *argument) {
    for (int i = 0; i < TURNS; i++) {
        svs__lock_acquire(&shared.lock);
        EXPLORE_CHECK(shared.inside++ == 0);
        explore_wrote(&shared.sum);
        shared.sum++;
        EXPLORE_CHECK(svs__lock_is_held(&shared.lock));
        shared.inside--;
        svs__lock_release(&shared.lock);
    }
    return argument;
}

static void run(void) {
    svs__thread threads[THREADS];
    shared.inside = shared.sum = 0;
    svs__store_relaxed(&shared.lock.word, 0);
    for (int i = 0; i < THREADS; i++)
        EXPLORE_CHECK(svs__thread_create(&threads[i], work, NULL, 0) == SVS_OK);
    for (int i = 0; i < THREADS; i++) svs__thread_join(&threads[i]);
    EXPLORE_CHECK(shared.sum == THREADS * TURNS);
}

const explore_scenario explore_lock = {"lock", run, 2, 50000, "two holders, or a lost wake-up"};
