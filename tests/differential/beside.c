/* What other threads do beside runs: they make objects, and read statistics. */
#include <sched.h>
#include <stdlib.h>

#include "differential.h"

#define MAKERS 2u
#define MADE_MAX 200u

typedef struct maker {
    pthread_t thread;
    land *land;
    uint64_t random;
    thing *made[MADE_MAX];
    uint32_t count;
} maker;
static maker makers[MAKERS];
static pthread_t reader;

static void make_one(maker *m) {
    svs_status status;
    thing *t = make_thing(m->land, chance(&m->random, 70) ? NODE : WIDE, &status);
    if (status == SVS_E_NO_MEMORY && has(F_OOM)) return;
    must(status, "svs_object_new beside a run");
    m->made[m->count++] = t;
    if (chance(&m->random, 30)) (void)sched_yield();
}

static void free_one(maker *m) {
    must(svs_object_free(header_of(m->made[--m->count])), "svs_object_free outside of runs");
}

/* Beside the runs it makes objects; behind them, it frees and makes, and the others do as well. */
static void *run_maker(void *argument) {
    maker *m = argument;
    while (!atomic_load(&the.over)) {
        if (m->count < MADE_MAX) make_one(m);
        else (void)sched_yield();
    }
    for (uint32_t i = 0; i < MADE_MAX; i++) {
        if (m->count == MADE_MAX || (m->count && chance(&m->random, 60))) free_one(m);
        else make_one(m);
    }
    while (m->count) free_one(m);
    return NULL;
}

static void *run_reader(void *unused) {
    while (!atomic_load(&the.over)) {
        svs_world_statistics world;
        svs_worker_statistics worker;
        for (uint32_t i = 0; i < the.plan.lands; i++)
            must(svs_world_statistics_get(the.lands[i].world, &world), "svs_world_statistics_get");
        must(svs_runtime_statistics_get(the.runtime, 0, &worker), "svs_runtime_statistics_get");
        (void)sched_yield();
    }
    return NULL;
}

void beside_begin(uint64_t *random) {
    atomic_store(&the.over, false);
    for (uint32_t i = 0; i < MAKERS && has(F_OUTSIDE); i++) {
        makers[i].land = &the.lands[below(random, the.plan.lands)];
        makers[i].random = next_random(random);
        makers[i].count = 0;
        if (pthread_create(&makers[i].thread, NULL, run_maker, &makers[i])) abort();
    }
    if (has(F_STATISTICS) && pthread_create(&reader, NULL, run_reader, NULL)) abort();
}

void beside_end(void) {
    atomic_store(&the.over, true);
    for (uint32_t i = 0; i < MAKERS && has(F_OUTSIDE); i++) pthread_join(makers[i].thread, NULL);
    if (has(F_STATISTICS)) pthread_join(reader, NULL);
}
