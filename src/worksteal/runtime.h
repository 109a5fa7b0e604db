/* The runtime as the floors above see it: a team of workers, the sources that they work on, and the
 * seat for those who wait.
 *
 *     svs__runtime_attach(runtime, &run->source);       // the workers step it
 *     svs__runtime_notify(runtime, UINT32_MAX);         // there is work in it
 *     svs__runtime_participate(runtime, run_done, run); // the caller works until run_done(run)
 *     svs__runtime_detach(runtime, &run->source);       // nobody is inside: the run can go
 *
 * Whoever makes run_done(run) true calls svs__runtime_complete() after.
 *
 * Threads: everything here may be called from any thread; participate not from a worker of the same
 * runtime.
 * R1. `state` and `taken` change under `lock`; a stop needs that no source is attached and nobody
 *     sits in the seat.
 * R2. Whoever leaves the seat wakes those who wait for it, so that one of them, if it is not done
 *     itself, works on: also a runtime of one worker goes on while any participant is left.
 * R3. Whoever leaves the seat passes a wake-up on to the sleeping workers, as it may have taken one
 *     that was meant for work (P4).
 *
 * Cache lines: `spinning` is written by workers that run out of work; the seat by
 * participants; the rest is written at the start and the end of things only, but for the parkings
 * and the sources, which say it themselves. */
#ifndef SVS_WORKSTEAL_RUNTIME_H
#define SVS_WORKSTEAL_RUNTIME_H

#include "base/lock.h"
#include "base/log.h"
#include "base/process.h"
#include "hooks/steal_policy.h"
#include "hooks/task_hooks.h"
#include "hooks/trace_hooks.h"
#include "worksteal/parking.h"
#include "worksteal/source.h"

typedef enum svs__runtime_state { SVS__NEW, SVS__STARTED, SVS__STOPPED } svs__runtime_state;

struct svs_runtime {
    svs_runtime_options options; /* with `threads` resolved */
    svs__log log;
    uint32_t process;      /* where it was made (base/process.h) */
    svs__worker *workers;  /* options.threads of them */
    uint32_t spinners_max; /* how many may spin at once */
    svs__lock lock;
    svs__runtime_state state;
    uint64_t taken;          /* source slots that are in use, or whose detach has not returned */
    svs__observer *observer; /* NULL: nobody watches; changed only while nothing runs */
    _Atomic(svs__guide *) guide; /* NULL: chance; as `observer`, but idle workers look at it (G3) */
    svs__watcher *watcher;       /* NULL: nobody watches asyncs; as `observer` */
    _Atomic(uint32_t) users;     /* worlds */
    _Atomic(uint32_t) stopping;  /* the workers shall leave */
    struct svs__watchdog *watchdog; /* NULL: there is none */
    /* Writes what the observer has recorded so far to a file; set by who traces. */
    svs_status (*write_trace)(svs_runtime *runtime, const char *path, char *message, size_t size);
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) spinning; /* workers that look for work */
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) seat;     /* 1: a thread is worker 0 */
    svs__parking parking;                                /* of workers */
    svs__parking waiting;                                /* of participants without a seat */
    svs__sources sources;
    svs__stacks stacks; /* work-first */
};

static inline const svs_allocator *svs__runtime_allocator(const svs_runtime *runtime) {
    return &runtime->options.allocator;
}
static inline const svs__log *svs__runtime_log(const svs_runtime *runtime) { return &runtime->log; }

/* Was it made by the process that this one was forked from? Its workers are not here, and what they
 * held when it was forked nobody gives back: all calls that need either answer SVS_E_FORKED. */
static inline bool svs__runtime_is_forked(const svs_runtime *runtime) {
    return runtime->process != svs__process_forks;
}

/* The exit status of a child that came back from the body that forked it. */
#define SVS__FORKED_EXIT 70

/* In a child of a fork from a body, which has come back from there: nobody will end what the body
 * was a part of, so the child says so and exits. */
SVS__COLD _Noreturn void svs__runtime_end_child(svs_runtime *runtime);

/* A runtime that is held, by a world, cannot be freed. */
void svs__runtime_hold(svs_runtime *runtime);
void svs__runtime_unhold(svs_runtime *runtime);

/* Attaches a watcher, or none. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (something runs). */
svs_status svs__runtime_observe(svs_runtime *runtime, svs__observer *observer);

/* The same for a guide. When it returns, no worker is in the guide that was there before (G3). */
svs_status svs__runtime_guide(svs_runtime *runtime, svs__guide *guide);

/* While nothing runs: makes the workers' deques as whoever watches and guides now wants them. Each
 * spawn goes the slow way for either; a guide says itself who gets what, so nobody starves then. */
void svs__runtime_set_deques(svs_runtime *runtime);

/* The guide, for who runs something: it stays as long as that runs. */
static inline svs__guide *svs__runtime_guided(const svs_runtime *runtime) {
    /* relaxed: it was there before the run was attached. */
    return svs__load_relaxed(&runtime->guide);
}

/* The guide, for an idle worker, until it leaves it (G3); NULL: there is none. */
static inline svs__guide *svs__guide_enter(svs__worker *worker) {
    svs_runtime *runtime = worker->runtime;
    svs__guide *guide = svs__load_relaxed(&runtime->guide); /* relaxed: looked at again below */
    if (SVS__LIKELY(guide == NULL)) return NULL;
    svs__store_seq(&worker->guided, 1);
    /* [G3] forbids: this load finds a guide that was taken away, and who took it away does not find
     * this worker in it. */
    guide = svs__load_seq(&runtime->guide);
    if (guide == NULL) svs__store_release(&worker->guided, 0);
    return guide;
}

static inline void svs__guide_leave(svs__worker *worker) {
    /* release: what the worker did in the guide comes before its end; pairs with
     * svs__runtime_guide(). */
    svs__store_release(&worker->guided, 0);
}

/* From here on workers step `source`. @return SVS_OK, SVS_E_NOT_STARTED, SVS_E_STOPPED, SVS_E_LIMIT
 * (64 of them), SVS_E_FORKED. */
svs_status svs__runtime_attach(svs_runtime *runtime, svs__source *source);

/* Returns when no worker is inside of `source`, and none will be. */
void svs__runtime_detach(svs_runtime *runtime, svs__source *source);

/* Work for up to `count` more workers has appeared, after the caller's writes: wakes sleepers. A
 * fence and a load when nobody sleeps. */
static inline void svs__runtime_notify(svs_runtime *runtime, uint32_t count) {
    svs__parking_wake(&runtime->parking, count);
}

/* The caller works as worker 0 until done(argument); while another thread is worker 0, it sleeps.
 * `done` is called often, from this thread; once true, it stays true. */
void svs__runtime_participate(svs_runtime *runtime, bool (*done)(void *argument), void *argument);

/* Something that a participant waits for is done, after the caller's writes: wakes the
 * participants. */
void svs__runtime_complete(svs_runtime *runtime);

#endif
