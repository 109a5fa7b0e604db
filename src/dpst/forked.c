/* A process forked during a check has the parent's memory, and one thread. The parent's checks do
 * not continue in it: threads that do not exist here may have written a part of their state. That
 * state is left where it is, and the next check begins as the first one of a process does.
 *
 * Bodies around the fork may still end on the parent's runtime, or spawn, until the runtime notices
 * (base/process.h). The watcher that replaces the parent's builds no tree: it keeps
 * the invariant hooks.V2, and nothing else. */
#include "base/process.h"
#include "dpst/calls.h"
#include "dpst/graph/graph.h"
#include "dpst/shadow/spd3.h"
#include "dpst/task/task.h"
#include <string.h>

/* ---- the watcher of the parent's runtimes ---- */

/* The task that the forking thread ran. In the child only this thread runs code of the task. */
static svs__check_task *inherited;

static uint32_t spawns(svs__watcher *watcher, svs__worker *worker, svs__slot *base,
                       const svs__slot *slot) {
    (void)watcher, (void)worker, (void)base, (void)slot;
    return 0;
}

static void merged(svs__watcher *watcher, svs__worker *worker) { (void)watcher, (void)worker; }

static void *leaves(svs__watcher *watcher, svs__worker *worker) {
    svs__check_task *task = inherited;
    (void)watcher, (void)worker;
    inherited = NULL;
    return task;
}

static void arrives(svs__watcher *watcher, svs__worker *worker, void *task, bool stolen) {
    (void)watcher, (void)worker, (void)stolen;
    inherited = task;
}

static void *begins(svs__watcher *watcher, svs__worker *worker, svs_async_context *async,
                    uint32_t child, bool stolen, void *top) {
    (void)async, (void)child, (void)stolen, (void)top;
    return leaves(watcher, worker);
}

static void ends(svs__watcher *watcher, svs__worker *worker, svs_async_context *async,
                 void *outer) {
    (void)watcher, (void)worker;
    if (inherited != NULL) async->base = inherited->base;
    inherited = outer;
}

static void drained(svs__watcher *watcher, svs__worker *worker, svs__slot *base) {
    (void)watcher, (void)worker, (void)base;
}

static void run_changes(svs__watcher *watcher, svs__watched_run *run) { (void)watcher, (void)run; }

static const svs__watcher blind = {spawns,  merged,  begins,      ends,       leaves,
                                   arrives, drained, run_changes, run_changes};

/* ---- the child ---- */

static void forget_thread(svs__check_thread *self) {
    if (self->task != NULL) inherited = self->task;
    if (svs__check_is_absent(self)) return;
    memset(self->streams, 0, sizeof self->streams);
    self->streaming = self->read.made = self->written.made = 0;
    self->step = self->kept_step = self->ignored = 0;
    self->task = NULL;
    self->instance = NULL;
    if (self->worker != NULL) svs__task_home(self);
    self->worker = NULL;
    self->accesses = 0;
    self->stack_low = NULL;
}

static void begin_anew(void) {
    svs__checker *checker = &svs__the_checker;
    /* relaxed is enough: there is one thread. The epoch continues, because threads have notes from
     * before (gc.h, dpst.X3). */
    uint32_t epoch = svs__load_relaxed(&checker->sweep.epoch);
    for (svs__check *check = checker->checks; check != NULL; check = check->next)
        check->watcher = blind;
    forget_thread(svs__check_self);
    svs__graph_abandon();
    svs__shadow_abandon();
    svs__tree_clean_up(&checker->tree);
    memset(checker, 0, sizeof *checker);
    svs__store_relaxed(&checker->sweep.epoch, epoch);
}

void svs__check_survive_forks(void) { svs__process_on_fork(begin_anew); }
