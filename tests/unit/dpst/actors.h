/* Threads outside of the library, with runs that begin and end when they are told to. */
#ifndef SVS_TESTS_UNIT_RACECHECK_ACTORS_H
#define SVS_TESTS_UNIT_RACECHECK_ACTORS_H

#include "checked.h"
#include <pthread.h>

#define ACTORS 6u

/* One of them, on a runtime of its own: on a common one a
 * thread that waits would run what others wait for. */
typedef struct actor {
    pthread_t thread;
    svs_runtime *runtime;
    part does;
    uint32_t asyncs; /* that do it, too, beside each other; 0: itself alone */
    bool quits;
    _Atomic(uint32_t) told, inside, left, out; /* how many runs */
    _Atomic(uint32_t) asked, answered;         /* for more accesses of a run that goes on */
} actor;

static inline void await(_Atomic(uint32_t) *count, uint32_t least) {
    while (svs__load_acquire(count) < least) svs__yield();
}

static inline void act_beside(svs_async_context *async, void *argument) {
    actor *a = argument;
    for (uint32_t i = 0; i < a->asyncs; i++)
        svs_async(async, access_part, &a->does, sizeof a->does);
}

static inline void access_again(svs_async_context *async, actor *a) {
    access_part(async, &a->does);
    (void)svs__fetch_add_acq_rel(&a->answered, 1);
}

static inline void act(svs_async_context *async, void *argument) {
    actor *a = argument;
    uint32_t number;
    access_part(async, &a->does);
    if (a->asyncs != 0) svs_finish(async, act_beside, a);
    number = svs__fetch_add_acq_rel(&a->inside, 1) + 1;
    while (svs__load_acquire(&a->left) < number) {
        if (svs__load_acquire(&a->asked) == svs__load_relaxed(&a->answered)) svs__yield();
        else access_again(async, a);
    }
}

static inline void *play(void *argument) {
    actor *a = argument;
    for (uint32_t run = 1;; run++) {
        await(&a->told, run);
        if (a->quits) return NULL;
        if (svs_async_run(a->runtime, act, a)) abort();
        (void)svs__fetch_add_acq_rel(&a->out, 1);
    }
}

/* The actor's next run begins, and has made its accesses. */
static inline void begin(actor *a, part does) {
    a->does = does;
    await(&a->inside, svs__fetch_add_acq_rel(&a->told, 1));
    await(&a->inside, svs__load_relaxed(&a->told));
}

/* Its run, which goes on, has made these accesses, too. */
static inline void again(actor *a, part does) {
    a->does = does;
    await(&a->answered, svs__fetch_add_acq_rel(&a->asked, 1) + 1);
}

static inline void end(actor *a) { await(&a->out, svs__fetch_add_acq_rel(&a->left, 1) + 1); }

static inline void run(actor *a, part does) {
    begin(a, does);
    end(a);
}

static actor actors[ACTORS];

static inline void enter(actor *a, svs_runtime *runtime) {
    memset(a, 0, sizeof *a);
    a->runtime = runtime;
    assert_int_equal(pthread_create(&a->thread, NULL, play, a), 0);
}

static inline void leave(actor *a) {
    a->quits = true;
    (void)svs__fetch_add_acq_rel(&a->told, 1);
    assert_int_equal(pthread_join(a->thread, NULL), 0);
}

static inline void enter_all(uint32_t policy) {
    svs_check_options options = options_that_find();
    for (uint32_t i = 0; i < ACTORS; i++) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        enter(&actors[i], runtime);
    }
}

static inline uint64_t leave_all(void) {
    for (uint32_t i = 0; i < ACTORS; i++) leave(&actors[i]);
    for (uint32_t i = 0; i < ACTORS; i++) {
        svs_check_summary summary;
        assert_int_equal(svs_check_stop(actors[i].runtime, &summary), SVS_OK);
        assert_int_equal(summary.lost, 0);
        assert_int_equal(svs_runtime_free(actors[i].runtime), SVS_OK);
    }
    return svs__load_relaxed(&found_bytes);
}

#endif
