/* The CPU time of the threads that drive a rank. */
#include "ranks/cpu_clock.h"
#include "base/platform.h"
#include "case.h"
#include <pthread.h>

#define WORK_NS 2000000u
#define READING_NS 50000u /* how long a reading is good for */

static void work(uint64_t ns) {
    uint64_t end = svs__thread_cpu_ns() + ns;
    while (svs__thread_cpu_ns() < end) continue;
}

typedef struct turn {
    svs__cpu_clock *clock;
    uint64_t counted;
} turn;

/* As if the last reading, of another thread, had just been made. */
static void *drive(void *argument) {
    turn *mine = argument;
    if (mine->clock->thread != 0) mine->clock->read_at = svs__time_ns();
    svs__cpu_clock_enter(mine->clock);
    work(WORK_NS);
    mine->counted = svs__cpu_clock_count(mine->clock);
    return NULL;
}

/* Threads that end and begin: the system gives the later ones the memory of the earlier ones. */
TEST_CASE(each_thread_counts_its_own_time) {
    svs__cpu_clock clock = {0};
    for (int i = 0; i < 8; i++) {
        pthread_t thread;
        turn mine = {.clock = &clock};
        assert_int_equal(pthread_create(&thread, NULL, drive, &mine), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(mine.counted >= WORK_NS && mine.counted < 100 * (uint64_t)WORK_NS);
    }
}

TEST_CASE(short_stays_are_counted_between_two_readings) {
    svs__cpu_clock clock = {0};
    uint64_t sum = 0, used, begin = svs__thread_cpu_ns();
    for (int i = 0; i < 2000; i++) {
        svs__cpu_clock_enter(&clock);
        for (int k = 0; k < 20; k++) (void)svs__time_ns();
        sum += svs__cpu_clock_count(&clock);
    }
    used = svs__thread_cpu_ns() - begin;
    assert_true(sum >= used / 2); /* of nearly all of it */
    assert_true(sum <= used + 2000 * (uint64_t)READING_NS);
}

int main(void) { return run_cases(NULL, NULL); }
