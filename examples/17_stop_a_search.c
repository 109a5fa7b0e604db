/* Shows:  asyncs that end early: two functions that call each other, a search that its first result
 *         ends, arguments that own memory, and a time limit by another thread.
 * Run:    build/release/bin/17_stop_a_search
 * Expect: weights that sum to the target; the search in vain is stopped (expected.txt). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <svs/svs.h>
#include <time.h>

enum { WEIGHTS = 30, FIRST = 3, PARTS = 1 << FIRST, TOO_LONG = 1 << WEIGHTS };
static int weights[WEIGHTS]; /* all even */

/* Both choose among the weights from number `i` on until nothing of the target is left. `chosen`
 * has a bit for each weight chosen before. They return how many subsets they have compared. */
SVS_ASYNC_DECLARE(long, choose, (int, i), (int, chosen), (long, left))
SVS_ASYNC_FUNCTION(long, search, (int, i), (int, chosen), (long, left)) {
    long with = 0, without; /* a dropped async does not set its variable */
    if (left == 0) svs_async_cancel(SVS_ASYNC_CONTEXT(), chosen); /* the first status counts */
    if (left <= 0 || i == WEIGHTS) return 1;
    if (svs_async_cancelled(SVS_ASYNC_CONTEXT())) return 0; /* asyncs are dropped, calls are not */
    SVS_ASYNC_TO(with, choose, i, chosen, left);
    without = SVS_CALL(search, i + 1, chosen, left);
    SVS_SYNC(choose);
    return with + without;
}
SVS_ASYNC_DEFINE(long, choose, (int, i), (int, chosen), (long, left)) {
    return SVS_CALL(search, i + 1, chosen | 1 << i, left - weights[i]);
}

typedef struct problem {
    svs_runtime *runtime;
    long target, compared[PARTS];
    _Atomic uint64_t run; /* for the thread with the time limit */
} problem;

/* A part of the problem has its choice of the first weights. */
typedef struct part {
    int chosen;
    long left, *compared;
} part;
static void part_search(svs_async_context *async, void *argument) {
    part *p = argument;
    *p->compared = SVS_CALL_ON(async, search, FIRST, p->chosen, p->left);
    free(p);
}
static void divide(svs_async_context *async, void *argument) {
    problem *whole = argument;
    for (int chosen = 0; chosen < PARTS; chosen++) {
        part *p = malloc(sizeof *p);
        if (!p) svs_async_cancel(async, SVS_E_NO_MEMORY);
        if (!p) return;
        *p = (part){chosen, whole->target, &whole->compared[chosen]};
        for (int i = 0; i < FIRST; i++) p->left -= (chosen >> i & 1) * weights[i];
        svs_async_owned(async, part_search, p, free); /* free(p) if it is dropped */
    }
}
static void root(svs_async_context *async, void *argument) {
    atomic_store(&((problem *)argument)->run, svs_async_run_id(async));
    divide(async, argument); /* the run ends after all that it has spawned */
}

/* The thread with the time limit: a millisecond after the run has begun. */
static void *limit(void *argument) {
    problem *p = argument;
    const struct timespec millisecond = {0, 1000000};
    do nanosleep(&millisecond, NULL);
    while (!atomic_load(&p->run));
    svs_async_run_cancel(p->runtime, atomic_load(&p->run), TOO_LONG);
    return NULL;
}

/* Ends the program with a message if a call failed. */
static void expect(svs_status status, const char *call) {
    if (status == SVS_OK) return;
    fprintf(stderr, "%s: %s\n", call, svs_status_text(status));
    exit(1);
}

int main(void) {
    problem easy = {.target = 400}, vain = {.target = 2001};
    pthread_t thread;
    long sum = 0, compared = 0;
    for (int i = 0; i < WEIGHTS; i++) weights[i] = 2 * (37 * i % 101 + 1);
    expect(svs_runtime_new(NULL, &easy.runtime), "svs_runtime_new");
    expect(svs_runtime_start(easy.runtime), "svs_runtime_start");
    const svs_status found = svs_async_run(easy.runtime, root, &easy);
    expect(found > 0 ? SVS_OK : found, "the search");
    for (int i = 0; i < WEIGHTS; i++) sum += (found >> i & 1) * weights[i];
    vain.runtime = easy.runtime;
    expect(pthread_create(&thread, NULL, limit, &vain) ? SVS_E_THREAD : SVS_OK, "a thread");
    const svs_status ended = svs_async_run(vain.runtime, root, &vain);
    pthread_join(thread, NULL);
    for (int i = 0; i < PARTS; i++) compared += vain.compared[i];
    expect(compared < 1L << WEIGHTS ? SVS_OK : SVS_E_STATE, "all subsets were compared");
    expect(ended == TOO_LONG ? SVS_OK : ended, "the search in vain");
    printf("Found weights of %ld; the other search was stopped\n", sum);
    expect(svs_runtime_free(easy.runtime), "svs_runtime_free");
    return 0;
}
