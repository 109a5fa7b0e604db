/* The runtime as the layers above use it: a team of workers, the jobs that they step, and the
 * seats, the workers of the threads that wait or help.
 *
 *     svs__runtime_attach(runtime, &run->job);       // the workers step it
 *     svs__runtime_notify(runtime, UINT32_MAX);         // there is work in it
 *     svs__runtime_participate(runtime, run_done, run); // the caller works until run_done(run)
 *     svs__runtime_detach(runtime, &run->job);       // no worker is inside any more
 *
 * The thread that makes run_done(run) true calls svs__runtime_complete() afterwards.
 *
 * Threads: everything here may be called from any thread; participate must not be called by a
 * worker of the same runtime.
 *
 * operation    caller        progress
 * attach       any           the lock
 * detach       any           blocks while a worker is inside of the job
 * notify       any           wait-free; a system call for sleepers
 * participate  no worker     blocks until its condition holds; works while it has a seat
 * complete     any           wait-free; a system call for sleepers
 * guide_enter  idle worker   wait-free
 *
 *   worksteal.R1  `state` and `taken` change under `lock`. A stop requires that no job is
 *                 attached and that no thread of the program is in a seat.
 *   worksteal.R2  A participant that leaves a seat wakes the threads that wait for one, so that
 *                 one of them takes it unless its own condition holds: a runtime of one worker also
 *                 makes progress as long as there is a participant. (not asserted: a promise of
 *                 progress; tests/explore/scenarios/participants.c explores it)
 *   worksteal.R3  A participant that leaves a seat passes a wake-up on to the sleeping workers,
 *                 because it may have consumed one that was for work (worksteal.P4). (not asserted:
 *                 as worksteal.R2)
 *   worksteal.R4  While a job with work for particular threads is attached, a notify wakes all
 *                 workers and participants that sleep, as it cannot tell which of them the work is
 *                 for. (not asserted: a promise of progress; tests/explore/scenarios/pinned.c)
 *
 * Cache lines: `spinning` is written by workers that run out of work; `seated` by participants. The
 * rest is written only when runs and runtimes begin and end; the parkings and the jobs describe
 * their lines themselves. */
#ifndef SVS_WORKSTEAL_RUNTIME_H
#define SVS_WORKSTEAL_RUNTIME_H

#include "base/lock.h"
#include "base/log.h"
#include "base/process.h"
#include "hooks/steal_policy.h"
#include "hooks/task_hooks.h"
#include "hooks/trace_hooks.h"
#include "worksteal/job.h"
#include "worksteal/parking.h"
#include <svs/observe.h>

typedef enum svs__runtime_state { SVS__NEW, SVS__STARTED, SVS__STOPPED } svs__runtime_state;

struct svs_runtime {
    svs_runtime_options options; /* the options, with a value for `threads` */
    svs__log log;
    uint32_t process;      /* the process that made it (base/process.h) */
    svs__worker *workers;  /* array of options.threads workers */
    uint32_t spinners_max; /* maximal number of spinning workers */
    svs__lock lock;
    svs__runtime_state state;
    /* bits of the job slots in use, each from its attach until its detach has returned */
    uint64_t taken;
    svs__observer *observer; /* observer of phases; NULL: none. Changes only while nothing runs */
    /* callbacks of the program (svs_observer_set()); change only while nothing runs */
    svs_observer program;
    /* Decides which work is stolen; NULL: workers steal at random. Changes only while nothing runs,
     * although idle workers use it (hooks.G3). */
    _Atomic(svs__guide *) guide;
    /* watcher of asyncs; NULL: asyncs are not watched. Changes only while nothing runs */
    svs__watcher *watcher;
    _Atomic(uint32_t) users;        /* number of holders: worlds, traces, retained trees */
    _Atomic(uint32_t) stopping;     /* 1: the workers are to leave */
    struct svs__watchdog *watchdog; /* NULL: there is none */
    /* Writes the observer's record so far to a file; set by a trace. */
    svs_status (*write_trace)(svs_runtime *runtime, const char *path, char *message, size_t size);
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) spinning; /* number of spinning workers */
    /* number of threads that wait or help in seats */
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) seated;
    /* number of free seats whose worker keeps something of a run (worksteal.K2) */
    _Atomic(uint32_t) kept;
    /* number of threads that were asked for and have not come (worksteal.K3) */
    _Atomic(uint32_t) wanted;
    /* number of participants that need a seat and have none (worksteal.K4) */
    _Atomic(uint32_t) needed;
    /* Number of jobs with work for particular threads, plus 1 if the option help_wanted is set. If
     * it is not 0, a notify must do more than wake some worker. */
    _Atomic(uint32_t) particular;
    uint32_t seats;       /* number of seats; the first workers are the seats */
    svs__parking parking; /* parking of workers */
    svs__parking waiting; /* parking of participants without a seat */
    svs__jobs jobs;
    svs__stacks stacks; /* stacks of tasks; used under work-first */
};

static inline const svs_allocator *svs__runtime_allocator(const svs_runtime *runtime) {
    return &runtime->options.allocator;
}
static inline const svs__log *svs__runtime_log(const svs_runtime *runtime) { return &runtime->log; }

/* Was the runtime made by the process that this one was forked from? Its workers do not exist in
 * this process, and what they held at the fork is never released: calls that need the workers, or
 * what they held, return SVS_E_FORKED. */
static inline bool svs__runtime_is_forked(const svs_runtime *runtime) {
    return runtime->process != svs__process_forks;
}

/* Is the calling thread `worker`? In a forked process no thread is a worker, and the answer is
 * always yes. */
static inline bool svs__worker_is_current(const svs__worker *worker) {
    return worker == svs__worker_self() || svs__runtime_is_forked(worker->runtime);
}

/* The exit status of a forked process that has returned from the body that forked it. */
#define SVS__FORKED_EXIT 70

/* In a process that was forked by a body and has returned from that body: no worker can complete
 * the run of the body, so the process writes a message and exits. */
SVS__COLD _Noreturn void svs__runtime_end_child(svs_runtime *runtime);

/* Lets other threads run; called while a worker waits for others. In a forked process it ends the
 * process. */
static inline void svs__runtime_yield(svs_runtime *runtime) {
    if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
    svs__yield();
}

/* Adds a holder of the runtime, for example a world, or removes one. A runtime with a holder cannot
 * be freed. */
void svs__runtime_hold(svs_runtime *runtime);
void svs__runtime_unhold(svs_runtime *runtime);

/* Attaches `observer`; NULL detaches the present one. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY
 * (something runs). */
svs_status svs__runtime_observe(svs_runtime *runtime, svs__observer *observer);

/* Installs a guide. A guide needs all workers: with external threads, the result is SVS_E_INVALID.
 * When the call returns, no worker is inside of the former guide (hooks.G3). */
svs_status svs__runtime_guide(svs_runtime *runtime, svs__guide *guide);

/* Called while nothing runs: prepares the workers' deques for the present watcher and guide. With
 * either of them, each spawn takes the slow path. With a guide there is no steal request, because
 * the guide distributes the work. */
void svs__runtime_set_deques(svs_runtime *runtime);

/* The guide, for a worker inside of a run: it does not change during the run. */
static inline svs__guide *svs__runtime_guided(const svs_runtime *runtime) {
    /* relaxed is enough: the attach of the run has published the guide. */
    return svs__load_relaxed(&runtime->guide);
}

/* The guide, for an idle worker, until svs__guide_leave() (hooks.G3); NULL: there is none. */
static inline svs__guide *svs__guide_enter(svs__worker *worker) {
    svs_runtime *runtime = worker->runtime;
    svs__guide *guide = svs__load_relaxed(&runtime->guide); /* relaxed: loaded again below */
    if (SVS__LIKELY(guide == NULL)) return NULL;
    svs__store_seq(&worker->guided, 1);
    /* [hooks.G3] forbids: this load finds a guide that was removed, and the thread that removed it
     * does not find this worker inside. */
    guide = svs__load_seq(&runtime->guide);
    if (guide == NULL) svs__store_release(&worker->guided, 0);
    return guide;
}

static inline void svs__guide_leave(svs__worker *worker) {
    /* release: the worker's accesses to the guide come before its removal returns; pairs with
     * svs__runtime_guide(). */
    svs__store_release(&worker->guided, 0);
}

/* Workers step `job` from now on. @return SVS_OK, SVS_E_NOT_STARTED, SVS_E_STOPPED, SVS_E_LIMIT (64
 * jobs are attached), SVS_E_FORKED. */
svs_status svs__runtime_attach(svs_runtime *runtime, svs__job *job);

/* Returns when no worker is inside of `job`, and none can enter it. */
void svs__runtime_detach(svs_runtime *runtime, svs__job *job);

/* Announces the priority of an attached job (worksteal.Q6). Called after the attach, and after each
 * change of `*priority`. */
void svs__runtime_prioritize(svs_runtime *runtime, const svs__job *job, _Atomic(int32_t) *priority);

/* Asks the program for `count` threads, but for no more than the free seats that no thread is on
 * its way to (worksteal.K3). The caller has executed a fence. */
SVS__COLD void svs__runtime_want_help(svs_runtime *runtime, uint32_t count);

/* The second part of a notify: the work may be for a particular thread (worksteal.R4). */
SVS__COLD void svs__runtime_notify_particular(svs_runtime *runtime, uint32_t count);

/* Whether a worker spins for work or sleeps. An estimate. */
static inline bool svs__runtime_has_idle(const svs_runtime *runtime) {
    /* relaxed is enough for both: the answer may be stale */
    return svs__load_relaxed(&runtime->spinning) || svs__load_relaxed(&runtime->parking.sleepers);
}

/* Wakes sleepers: the caller's earlier writes have made work for up to `count` more workers. Costs
 * a fence and two loads when no worker sleeps. */
static inline void svs__runtime_notify(svs_runtime *runtime, uint32_t count) {
    svs__parking_wake(&runtime->parking, count);
    /* relaxed is enough: a job with work for particular threads is counted before it is
     * attached. */
    if (SVS__UNLIKELY(svs__load_relaxed(&runtime->particular) != 0))
        svs__runtime_notify_particular(runtime, count);
}

/* Called before the attach, and after the detach, of a job with work for particular threads. */
void svs__runtime_particular_begin(svs_runtime *runtime);
void svs__runtime_particular_end(svs_runtime *runtime);

/* Shares a part of the private slots, and wakes sleepers for them. */
SVS__COLD void svs__worker_share(svs__worker *worker);

/* Called for a spawn that pushes nothing: grants a steal request, or acknowledges it
 * (worksteal.D6). */
SVS__COLD void svs__worker_show(svs__worker *worker);
static inline void svs__worker_answer(svs__worker *worker) {
    /* relaxed is enough: a stale value only delays the answer. */
    if (SVS__UNLIKELY(svs__load_relaxed(&worker->deque.hungry))) svs__worker_show(worker);
}

/* The caller works in a seat until done(argument), and sleeps while all seats are taken.
 * `done` is called often, from this thread; once true, it stays true. */
void svs__runtime_participate(svs_runtime *runtime, bool (*done)(void *argument), void *argument);

/* svs__runtime_participate() with a deadline: `done` may become true by the time alone, when
 * svs__time_ns() reaches `deadline_ns`. */
void svs__runtime_participate_until(svs_runtime *runtime, const svs__until *until);

/* Wakes the participants: the caller's earlier writes have made a participant's condition true. */
void svs__runtime_complete(svs_runtime *runtime);

#endif
