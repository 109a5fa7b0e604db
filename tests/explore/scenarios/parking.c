/* The eventcount: two sleepers and two wakers with a piece of work each; no thread sleeps while
 * there is work (worksteal.P2, worksteal.P3). */
#include "worksteal/parking.h"
#include "explore/explore.h"

#define PIECES 2u

static struct {
    svs__parking parking;
    _Atomic(uint32_t) work[PIECES]; /* 1: there it is */
    _Atomic(uint32_t) done;         /* pieces */
    uint32_t made[PIECES];
} shared;

static void *wake(void *argument) {
    uint32_t which = (uint32_t)(uintptr_t)argument;
    explore_wrote(&shared.made[which]);
    shared.made[which] = which + 1;
    svs__store_release(&shared.work[which], 1);
    svs__parking_wake(&shared.parking, 1);
    return NULL;
}

static bool take(void) {
    for (uint32_t i = 0; i < PIECES; i++) {
        uint32_t there = 1;
        if (svs__load_relaxed(&shared.work[i]) == 0) continue;
        if (!svs__cas_strong_acquire(&shared.work[i], &there, 0)) continue;
        explore_read(&shared.made[i]);
        EXPLORE_CHECK(shared.made[i] == i + 1);
        /* A thread that is done wakes the other. */
        (void)svs__fetch_add_seq(&shared.done, 1);
        svs__parking_wake(&shared.parking, UINT32_MAX);
        return true;
    }
    return false;
}

static bool is_over(void) { return svs__load_relaxed(&shared.done) == PIECES; }

static bool is_any(void) {
    for (uint32_t i = 0; i < PIECES; i++)
        if (svs__load_relaxed(&shared.work[i]) != 0) return true;
    return is_over();
}

static void *sleep_and_work(void *argument) {
    while (!is_over()) {
        uint32_t epoch;
        if (take()) continue;
        epoch = svs__parking_prepare(&shared.parking);
        if (is_any()) svs__parking_cancel(&shared.parking);
        else svs__parking_commit(&shared.parking, epoch);
    }
    return argument;
}

static void run(void) {
    svs__thread threads[2 * PIECES];
    svs__store_relaxed(&shared.parking.sleepers, 0);
    svs__store_relaxed(&shared.parking.epoch, 0);
    svs__store_relaxed(&shared.done, 0);
    for (uint32_t i = 0; i < PIECES; i++) svs__store_relaxed(&shared.work[i], 0);
    for (uint32_t i = 0; i < 2 * PIECES; i++)
        EXPLORE_CHECK(svs__thread_create(&threads[i], i % 2 ? wake : sleep_and_work,
                                         (void *)(uintptr_t)(i / 2), 0) == SVS_OK);
    for (uint32_t i = 0; i < 2 * PIECES; i++) svs__thread_join(&threads[i]);
    EXPLORE_CHECK(svs__load_relaxed(&shared.parking.sleepers) == 0);
}

const explore_scenario explore_parking = {"parking", run, 2, 50000, "a lost wake-up"};
