#include "lent.h"

#include "common.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct lent_threads {
    svs_runtime *runtime;
    uint32_t count;
    int stop;
    sem_t wanted;
    pthread_t *threads;
};

static void want_help(uint32_t count, void *argument) {
    lent_threads *lent = argument;
    for (uint32_t i = 0; i < count; i++) (void)sem_post(&lent->wanted);
}

static void *help(void *argument) {
    lent_threads *lent = argument;
    while (!__atomic_load_n(&lent->stop, __ATOMIC_ACQUIRE)) {
        BENCH_OK(svs_help(lent->runtime, UINT64_MAX, NULL));
        (void)sem_wait(&lent->wanted);
    }
    return NULL;
}

lent_threads *lent_new(svs_runtime_options *options) {
    lent_threads *lent = bench_allocate(1, sizeof *lent);
    if (sem_init(&lent->wanted, 0, 0)) bench_fail("no semaphore");
    options->external_threads = true;
    options->help_wanted = want_help;
    options->help_argument = lent;
    return lent;
}

void lent_begin(lent_threads *lent, svs_runtime *runtime) {
    lent->runtime = runtime;
    lent->count = svs_runtime_threads(runtime) - 1;
    lent->threads = bench_allocate(lent->count, sizeof *lent->threads);
    for (uint32_t i = 0; i < lent->count; i++)
        if (pthread_create(&lent->threads[i], NULL, help, lent)) bench_fail("no thread");
}

void lent_end(lent_threads *lent) {
    if (!lent) return;
    __atomic_store_n(&lent->stop, 1, __ATOMIC_RELEASE);
    want_help(lent->count, lent);
    for (uint32_t i = 0; i < lent->count; i++) (void)pthread_join(lent->threads[i], NULL);
    (void)sem_destroy(&lent->wanted);
    free(lent->threads);
    free(lent);
}
