/* The time until one thread sees a store of another: two threads pass a ball, spinning, and
 * then asleep between their turns. One row: the nanoseconds of a handover and of a wakeup, NaN on
 * one CPU. Whatever else wants a CPU only makes a game longer: the shortest counts. */
#include "common.h"
#include "common/pause.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { GAMES = 9, HANDOVERS = 1000, WAKEUPS = 100, SPINS_BEFORE_YIELD = 4096 };

typedef struct court {
    _Atomic uint32_t ball;
    sem_t turn[2];
} court;

static void play(court *c, uint32_t mine) {
    for (uint32_t i = mine; i < HANDOVERS; i += 2) {
        /* acquire and release: one side's turn happens before the other's. */
        for (uint32_t spins = 1; atomic_load_explicit(&c->ball, memory_order_acquire) != i;
             spins++) {
            if (spins % SPINS_BEFORE_YIELD) cpu_pause();
            else sched_yield();
        }
        atomic_store_explicit(&c->ball, i + 1, memory_order_release);
    }
}

static void *play_odd(void *argument) {
    play(argument, 1);
    return NULL;
}

static void play_asleep(court *c, int mine) {
    for (int i = 0; i < WAKEUPS / 2; i++) {
        while (sem_wait(&c->turn[mine])) continue;
        sem_post(&c->turn[!mine]);
    }
}

static void *play_asleep_odd(void *argument) {
    play_asleep(argument, 1);
    return NULL;
}

/* @return nanoseconds of a whole game; NaN when there is no second thread. */
static double game_ns(bool asleep) {
    court c = {0};
    pthread_t other;
    uint64_t begin = bench_wall_ns();
    sem_init(&c.turn[0], 0, 1);
    sem_init(&c.turn[1], 0, 0);
    if (pthread_create(&other, NULL, asleep ? play_asleep_odd : play_odd, &c)) return NAN;
    if (asleep) play_asleep(&c, 0);
    else play(&c, 0);
    pthread_join(other, NULL);
    sem_destroy(&c.turn[0]);
    sem_destroy(&c.turn[1]);
    return (double)(bench_wall_ns() - begin);
}

static double least_of_games(bool asleep, double turns) {
    double least = INFINITY;
    if (bench_cpus() < 2) return NAN;
    for (int i = 0; i < GAMES; i++) least = fmin(least, game_ns(asleep) / turns);
    return least;
}

int main(void) {
    bench_row("bench=handover handover_ns=%.1f wakeup_ns=%.1f", least_of_games(false, HANDOVERS),
              least_of_games(true, WAKEUPS));
    bench_rows_print();
    return 0;
}
