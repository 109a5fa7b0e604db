/* Jobs: work that workers step when there is nothing to steal. The scheduler above attaches one
 * job for each graph run.
 *
 * Each job occupies a slot. The slot counts the threads inside of the job, so that detach can
 * wait until there is none.
 *
 * operation  caller                         progress                       order
 * attach     any, under the runtime's lock  wait-free                      sequentially consistent
 * detach     any                            blocks while a thread is       sequentially consistent
 *                                           inside
 * enter      worker, watchdog               wait-free                      sequentially consistent
 * leave      worker, watchdog               wait-free                      release
 *
 *   worksteal.Q1  A thread accesses a job only between enter and leave. Detach returns when it
 *                 has read a count of 0 after it removed the pointer. It is impossible that a
 *                 thread's enter reads the pointer, and detach misses the thread's count: of
 *                 (increment count, load pointer) and (exchange pointer, load count), all
 *                 sequentially consistent, one comes first.
 *   worksteal.Q2  `attached` has the bit of each occupied slot. It is a hint: workers that are
 *                 awake read it without order. A worker reads it after its fence and before it
 *                 sleeps (worksteal.P2); a thread notifies the workers after it has attached a
 *                 job. (not asserted: a hint may be outdated)
 *   worksteal.Q3  A slot is reused only after the detach of its last job has returned, so that a
 *                 detach waits only for threads inside of its own job.
 *   worksteal.Q4  While several jobs are attached, workers serve them in turns. A worker's turn in
 *                 a job ends with the first body, step or async that completes after SVS__TURN_NS,
 *                 or with the first one if the job was the only one at the start of the turn. The
 *                 worker continues with the next job that has work. A job that was attached since
 *                 the worker's last search comes first, once, so that a thread that begins a run
 *                 serves that run first. After such a jump the round continues at its old position,
 *                 so the other jobs have every second turn. A root of asyncs is one body to the
 *                 worker that begins it; a stolen child is one body to its thief; a search for work
 *                 to steal counts as a turn. (not asserted: a bound on waiting times;
 *                 tests/unit/sched/turns.c and tests/explore/scenarios/turns.c)
 *
 * So an item that is sent to a new run waits for at most one body of each worker, or for
 * SVS__TURN_NS, and for one turn of each job that was attached before.
 *
 *   worksteal.Q5  An occupied slot names its runtime, and `outer`: the slot of the run with the
 *                 body that attached it and waits, or NULL. A worker's `inside` is the slot of the
 *                 run that it works for. It comes from its step, from the victim of a steal
 *                 (help-first: the victim waits for the child, so its `inside` is still the same),
 *                 or from the stack that it resumes (work-first). So from each body, on any thread,
 *                 the slots lead to all runtimes with a body that waits for it.
 *
 *   worksteal.Q6  While a job has another priority than 0, a worker begins each turn with the
 *                 jobs of the highest priority, in turns; with those of the next one when none
 *                 of them has work, and so on. One turn in SVS__FAIR_TURN goes to the next job
 *                 that has work, whatever the priorities, so that each job has turns: work of a
 *                 high priority may wait for what a run of a low one holds. (not asserted: as
 *                 worksteal.Q4; tests/unit/sched/priorities.c, tests/explore/scenarios/turns.c)
 *
 *   worksteal.C1  A thread that sets `cancelled` of a slot is inside of the job: the detach of
 *                 the run has not returned, so it is never set for the next run of the slot. It
 *                 stays set until the next attach.
 *
 * Cache lines: one for each slot, written by each enter and leave; one for `attached`, which each
 * search reads and only attach and detach write. */
#ifndef SVS_WORKSTEAL_JOB_H
#define SVS_WORKSTEAL_JOB_H

#include "worksteal/worker.h"

typedef struct svs__job svs__job;

/* A worker's activity in a job, for the watchdog. `what` and `at` together identify one
 * instance, or one region of asyncs; the name is valid as long as the job is attached. */
typedef struct svs__activity {
    const void *what; /* NULL: the worker runs nothing */
    uint64_t at;
    const char *kind; /* word for messages: "task", "asyncs of" */
    const char *name; /* NULL: `what` has no name, only an address */
} svs__activity;

struct svs__job {
    /* Takes one step; never blocks. @return whether it ran any work. */
    bool (*step)(svs__job *job, svs__worker *worker);
    /* May the job have work for a step? Called before a worker sleeps, and while it spins. */
    bool (*ready)(svs__job *job);
    /* Describes the present activity of `worker`; called by any thread that has entered. May be
     * NULL. */
    void (*tells)(svs__job *job, svs__worker *worker, svs__activity *activity);
    /* Called by a thread in the seat of `worker` that is about to leave the seat. May be NULL. */
    void (*left)(svs__job *job, svs__worker *worker);
    /* Ends the job before its work is done, with this status; called by any thread that has
     * entered. NULL: the job cannot be cancelled. @return SVS_OK, or SVS_E_STATE when the job has
     * ended. */
    svs_status (*cancel)(svs__job *job, svs_status status);
};

#define SVS__JOBS_MAX 64u

typedef struct svs__job_slot {
    alignas(SVS__CACHE_LINE) _Atomic(svs__job *) job;
    _Atomic(uint32_t) users;
    _Atomic(int32_t) priority; /* priority of the job (worksteal.Q6) */
    /* `runtime` and `outer` (worksteal.Q5) change only while the slot is free */
    svs_runtime *runtime;
    const struct svs__job_slot *outer;
    /* identifies the run: the number of its attach * SVS__JOBS_MAX + the index of this slot */
    uint64_t id;
    _Atomic(uint32_t) cancelled; /* 1: the run was cancelled, or has failed (worksteal.C1) */
} svs__job_slot;

typedef struct svs__jobs {
    alignas(SVS__CACHE_LINE) _Atomic(uint64_t) attached;
    _Atomic(uint32_t) attaches; /* number of attaches so far */
    _Atomic(uint32_t) newest;   /* the slot of the latest attach */
    /* bits of the slots with another priority than 0; written under the runtime's lock */
    _Atomic(uint64_t) unequal;
    /* number of the latest attach, counted from 1; guarded by the runtime's lock */
    uint64_t number;
    svs__job_slot slots[SVS__JOBS_MAX];
} svs__jobs;

/* Attaches a job in a free slot. */
void svs__jobs_attach(svs__jobs *jobs, uint32_t slot, svs__job *job);

/* Sets `cancelled` in the slot of the job (worksteal.C1). @return false when the job is not
 * attached. */
bool svs__jobs_mark(svs__jobs *jobs, const svs__job *job);

/* Cancels the run with this id. @return SVS_OK, or SVS_E_STATE when the run has ended. */
svs_status svs__jobs_cancel(svs__jobs *jobs, uint64_t id, svs_status status);

/* Sets the priority of the job in a slot. The caller holds the runtime's lock. */
void svs__jobs_prioritize(svs__jobs *jobs, uint32_t slot, int32_t priority);

/* The slot of a job, SVS__JOBS_MAX when it is not attached. */
uint32_t svs__jobs_find(svs__jobs *jobs, const svs__job *job);

/* Detaches the job, and returns when no thread is inside of it any more. @return the slot of the
 * job, SVS__JOBS_MAX when it was not attached. */
uint32_t svs__jobs_detach(svs__jobs *jobs, svs__job *job);

/* Steps the jobs in their order (worksteal.Q4) until one has work. Then steps that job again while
 * it has work, its turn lasts, a bound on the steps is not reached, and `until` does not hold.
 * @return whether any work was run. */
bool svs__jobs_step(svs__jobs *jobs, svs__worker *worker, const svs__until *until);

/* Does the calling thread run a body of the runtime, or a body of a run that such a body waits for,
 * directly or through further runtimes? (job.h, worksteal.Q5) */
bool svs__worker_is_within(const svs_runtime *runtime);

/* Enters each attached job, so that no detach returns until the caller leaves them all. Called by
 * the watchdog; any thread may. `inside` has SVS__JOBS_MAX elements, NULL for a free slot. */
void svs__jobs_enter_all(svs__jobs *jobs, svs__job **inside);
void svs__jobs_leave_all(svs__jobs *jobs, svs__job *const *inside);

/* Has the run that the worker works for been cancelled, or has it failed? */
static inline bool svs__worker_is_cancelled(const svs__worker *worker) {
    const svs__job_slot *run = worker->inside;
    /* [worksteal.C2] relaxed is enough: a worker that reads the flag before it is set gets the
     * canceller's request afterwards. */
    return run != NULL && svs__load_relaxed(&((svs__job_slot *)(uintptr_t)run)->cancelled) != 0;
}

#define SVS__TURN_NS 10000u
#define SVS__FAIR_TURN 16u

/* Are several jobs attached? */
static inline bool svs__jobs_crowded(const svs__jobs *jobs) {
    /* [worksteal.Q2] relaxed is enough: `attached` is a hint, which may be stale. */
    uint64_t mask = svs__load_relaxed(&((svs__jobs *)(uintptr_t)jobs)->attached);
    return SVS__UNLIKELY((mask & (mask - 1)) != 0);
}

/* Called after each body by a step that runs several: has the worker's turn ended, so that it
 * should serve other jobs (worksteal.Q4)? */
SVS__COLD bool svs__worker_turn_is_long(const svs__worker *worker);
static inline bool svs__jobs_turn_is_over(const svs__jobs *jobs, const svs__worker *worker) {
    return svs__jobs_crowded(jobs) && svs__worker_turn_is_long(worker);
}

/* Is any job ready for the calling thread? Asks the jobs cyclically, beginning with slot
 * `first`. */
bool svs__jobs_ready(svs__jobs *jobs, uint32_t first);

/* Tells each attached job that the calling thread leaves the seat. */
SVS__COLD void svs__jobs_left(svs__jobs *jobs, svs__worker *seat);

#endif
