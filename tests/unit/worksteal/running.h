/* Running a task on a runtime in tests: a job with one task in it, and a thread that
 * participates until the task has ended. */
#ifndef SVS_TESTS_WORKSTEAL_RUNNING_H
#define SVS_TESTS_WORKSTEAL_RUNNING_H

#include "../base/helpers.h"
#include "started.h"
#include "worksteal/runtime.h"

typedef void task_function(svs__worker *worker, void *argument);

typedef struct one_task {
    svs__job job; /* first: the callbacks get its address */
    svs_runtime *runtime;
    task_function *run;
    void *argument;
    _Atomic(uint32_t) waiting, ended;
} one_task;

static inline bool one_task_step(svs__job *job, svs__worker *worker) {
    one_task *task = (one_task *)job;
    svs_runtime *runtime = task->runtime;
    if (svs__load_relaxed(&task->waiting) == 0 || svs__exchange_acquire(&task->waiting, 0) == 0)
        return false;
    task->run(worker, task->argument);
    svs__store_release(&task->ended, 1);
    svs__runtime_complete(runtime);
    return true;
}

static inline bool one_task_ready(svs__job *job) {
    return svs__load_relaxed(&((one_task *)job)->waiting) != 0;
}

static inline bool one_task_done(void *argument) {
    return svs__load_acquire(&((one_task *)argument)->ended) != 0;
}

/* Runs `run` as a task on some worker. @return the status of the attach. */
static inline svs_status run_on(svs_runtime *runtime, task_function *run, void *argument) {
    /* On the heap, and freed at once: the sanitizers catch a worker that is still inside after the
     * detach. */
    one_task *task = calloc(1, sizeof *task);
    svs_status status;
    *task =
        (one_task){{.step = one_task_step, .ready = one_task_ready}, runtime, run, argument, 1, 0};
    status = svs__runtime_attach(runtime, &task->job);
    if (status == SVS_OK) {
        svs__runtime_notify(runtime, 1);
        svs__runtime_participate(runtime, one_task_done, task);
        svs__runtime_detach(runtime, &task->job);
    }
    free(task);
    return status;
}

static inline bool idle_step(svs__job *job, svs__worker *worker) { return false; }
static inline bool idle_ready(svs__job *job) { return false; }

/* A job that never has work. */
static inline svs__job idle_job(void) { return (svs__job){.step = idle_step, .ready = idle_ready}; }

/* Is it checked for races? Then the check keeps some memory of each run. */
static inline bool is_checked(const svs_runtime *runtime) { return runtime->watcher != NULL; }

static inline const char *policy_name(uint32_t policy) {
    return policy == SVS_POLICY_HELP_FIRST ? "help-first" : "work-first";
}

static inline uint64_t steals_of(const svs_runtime *runtime) {
    uint64_t steals = 0;
    for (uint32_t i = 0; i < svs_runtime_threads(runtime); i++) {
        svs_worker_statistics statistics;
        assert_int_equal(svs_runtime_statistics_get(runtime, i, &statistics), SVS_OK);
        steals += statistics.steals;
    }
    return steals;
}

#endif
