/* The task that a thread runs (task.h).
 *
 * A step gets its node at its first access. A finish gets its node at its first spawn: accesses
 * before that are ordered like those of the step around it. */
#include "dpst/task/task.h"
#include "dpst/shadow/spd3.h"
#include "dpst/task/gc.h"
#include "hooks/graph_hooks.h"

/* Size of the area below the stack pointer in which functions that call nothing may have locals. */
#define RED_ZONE 128

/* ---- the calling thread's task ---- */

/* The step with which the task continues when its accesses are no longer ignored. */
static uint32_t step_of(const svs__check_thread *self) {
    return self->ignored != 0 ? self->kept_step : self->step;
}

/* Begins another step, if the thread runs a checked task. */
void svs__check_next_step(svs__check_thread *self) {
    uint32_t step = step_of(self);
    if (self->task == NULL) return;
    svs__streams_end(self);
    if (step != 0 && step != SVS__STEP_NEW) svs__sweep_close(self->worker, step);
    if (self->worker != NULL) svs__sweep_see(self->worker);
    self->step = self->ignored != 0 ? 0 : SVS__STEP_NEW;
    self->kept_step = SVS__STEP_NEW;
    self->steady_steps = UINT64_MAX;
    self->steady_reader = UINT32_MAX; /* dpst.C3: no cell has these contents */
}

void svs__task_home(const svs__check_thread *self) {
    if (self == &self->worker->thread) svs__check_thread_reset();
}

void svs__task_put_down(void) {
    svs__check_thread *self = svs__check_self;
    svs__check_task *task = self->task;
    if (task == NULL) return;
    svs__streams_end(self);
    svs__worker_count(&self->worker->accesses, self->accesses);
    task->worker = self->worker;
    task->low = self->stack_low;
    task->step = step_of(self);
    task->ignored = self->ignored;
    task->frame = self->frame;
    task->frames_lost = self->frames_lost;
    svs__sweep_away(self->worker);
    svs__task_home(self);
    self->task = NULL;
    self->instance = NULL;
    self->worker = NULL;
    self->accesses = 0;
    self->step = self->kept_step = 0;
    self->stack_low = NULL;
    self->ignored = 0;
    self->frame = self->home_frame;
    self->frames_lost = self->home_frames_lost;
}

void svs__task_take_up(svs__check_worker *worker, svs__check_task *task) {
    svs__check_thread *self = svs__check_self;
    if (task == NULL) return;
    if (svs__check_is_absent(self)) self = svs__check_self = &worker->thread;
    SVS__ASSERT(!svs__check_is_absent(self));                     /* dpst.C6 */
    SVS__ASSERT(self->streaming == 0);                            /* dpst.C4 */
    SVS__ASSERT(self->read.made == 0 && self->written.made == 0); /* dpst.C5 */
    self->home_frame = self->frame;
    self->home_frames_lost = self->frames_lost;
    self->task = task;
    self->worker = worker;
    self->instance = task->instance;
    self->stack_low = task->low;
    self->ignored = task->ignored;
    self->frame = task->frame;
    self->frames_lost = task->frames_lost;
    svs__sweep_back(worker);
    svs__check_next_step(self);
    if (task->step == 0) return;
    *(self->ignored != 0 ? &self->kept_step : &self->step) = task->step;
}

void svs__check_ignore(svs__check_thread *self, bool begins) {
    if (self->task == NULL) return;
    if (begins && self->ignored++ == 0) {
        svs__streams_end(self);
        self->kept_step = self->step;
        self->step = 0;
    } else if (!begins && self->ignored != 0 && --self->ignored == 0) self->step = self->kept_step;
    SVS__ASSERT(self->ignored == 0 || self->step == 0); /* dpst.Y2 */
}

void svs__task_clear(svs__check_worker *worker, uintptr_t address, size_t bytes) {
    svs__shadow_clear(address, bytes);
    svs__atomics_clear(worker, address, bytes);
    if (svs__graph_is_used()) svs__the_graph_hooks->clear(address, bytes);
}

void svs__task_clear_stack(svs__check_worker *worker, const char *low, const char *top) {
    uintptr_t from = ((uintptr_t)low - RED_ZONE) & ~(uintptr_t)7;
    if (low < top) svs__task_clear(worker, from, (uintptr_t)top - from);
}

/* ---- what a worker keeps ---- */

svs__open *svs__task_open(const svs_allocator *allocator, svs__check_worker *worker,
                          svs__check_task *task, const svs__slot *base, uint32_t node) {
    svs__open *open = worker->opens;
    if (open != NULL) worker->opens = open->outer;
    else open = svs__allocate(allocator, sizeof *open, _Alignof(svs__open));
    if (open == NULL) return NULL;
    *open = (svs__open){{node, 1, task->open->scope.phase}, node, base, task->open};
    task->open = open;
    return open;
}

/* Closes the nodes of a finish that has ended, or of a task whose own code has. @param over whether
 * all below it has ended, too. */
static void end_scope(svs__check_worker *worker, const svs__open *open, bool over) {
    if (open->scope.node != open->node) svs__sweep_close(worker, open->scope.node);
    if (over) svs__sweep_end(worker, open->node);
    else svs__sweep_close(worker, open->node);
}

static void close_innermost(svs__check_worker *worker, svs__check_task *task, bool over) {
    svs__open *open = task->open;
    end_scope(worker, open, over);
    task->open = open->outer;
    open->outer = worker->opens;
    worker->opens = open;
}

svs__check_task *svs__task_make(const svs_allocator *allocator, svs__check_worker *worker) {
    svs__check_task *task = worker->tasks;
    if (task != NULL) worker->tasks = task->next;
    else task = svs__allocate(allocator, sizeof *task, _Alignof(svs__check_task));
    return task;
}

void svs__task_close(svs__check_worker *worker, svs__check_task *task) {
    close_innermost(worker, task, true);
}

void svs__task_end(svs__check_thread *self) {
    svs__check_task *task = self->task;
    /* A task on a stack of its own also has a finish for the asyncs that escape it. */
    bool over = !task->has_spawned && task->open == &task->self;
    svs__check_next_step(self); /* the step after the last child */
    while (task->open != &task->self) close_innermost(self->worker, task, false);
    end_scope(self->worker, &task->self, over);
}

void svs__task_release(svs__check_worker *worker, svs__check_task *task) {
    task->next = worker->tasks;
    worker->tasks = task;
}

void svs__check_worker_clean_up(const svs_allocator *allocator, svs__check_worker *worker) {
    while (worker->tasks != NULL) {
        svs__check_task *task = worker->tasks;
        worker->tasks = task->next;
        svs__release(allocator, task, sizeof *task, _Alignof(svs__check_task));
    }
    while (worker->opens != NULL) {
        svs__open *open = worker->opens;
        worker->opens = open->outer;
        svs__release(allocator, open, sizeof *open, _Alignof(svs__open));
    }
}
