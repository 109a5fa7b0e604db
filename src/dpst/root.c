/* Roots of the tree: runs, the threads that wait for them, and the periods in which something runs
 * (checker.h). */
#include "dpst/task.h"

/* Where a thread's runs go, under the lock. */
static svs__scope *waiter(const void *thread) {
    svs__checker *checker = &svs__the_checker;
    svs__check_waiter *w;
    uint32_t known =
        checker->waiter_count < SVS__SOURCES_MAX ? checker->waiter_count : SVS__SOURCES_MAX;
    for (uint32_t i = 0; i < known; i++)
        if (checker->waiters[i].thread == thread) return &checker->waiters[i].scope;
    w = &checker->waiters[checker->waiter_count++ % SVS__SOURCES_MAX];
    w->thread = thread;
    w->scope.node =
        svs__tree_append(&checker->tree, &checker->block, &checker->period, SVS__NODE_ASYNC, NULL);
    w->scope.next = 1;
    w->scope.phase = 0;
    return &w->scope;
}

/* Is there so much of the past that it is worth forgetting it? */
static bool is_much(const svs__checker *checker) {
    /* relaxed: a hint. */
    return svs__load_relaxed(&checker->tree.made) >= checker->forget_at;
}

/* Nothing is appended to any more of what stands above the runs of a period. */
static void end_period(svs__checker *checker) {
    /* relaxed: of whatever epoch; nobody runs anything below. */
    uint8_t state = svs__node_over(svs__load_relaxed(&checker->sweep.epoch));
    uint32_t known =
        checker->waiter_count < SVS__SOURCES_MAX ? checker->waiter_count : SVS__SOURCES_MAX;
    for (uint32_t i = 0; i < known; i++)
        if (checker->waiters[i].scope.node != 0)
            svs__tree_close(&checker->tree, checker->waiters[i].scope.node, state);
    if (checker->period.node != 0) svs__tree_close(&checker->tree, checker->period.node, state);
}

static void begin_period(svs__checker *checker) {
    end_period(checker);
    if (is_much(checker)) svs__checker_forget();
    checker->period.node =
        svs__tree_append(&checker->tree, &checker->block, &checker->top, SVS__NODE_FINISH, NULL);
    checker->period.next = 1;
    checker->period.phase = 0;
    checker->waiter_count = 0;
}

/* The root of a run that the thread waits for, under the lock. */
static uint32_t append_root(svs__checker *checker, const void *thread) {
    svs__scope *scope;
    uint32_t root;
    if (checker->runs == 0) begin_period(checker);
    scope = checker->period.node == 0 ? NULL : waiter(thread);
    if (scope == NULL || scope->node == 0) return 0;
    root = svs__tree_append(&checker->tree, &checker->block, scope, SVS__NODE_FINISH, NULL);
    return root;
}

void svs__root_begins(svs__watcher *watcher, svs__watched_run *run) {
    svs__checker *checker = &svs__the_checker;
    svs__check_thread *self = &svs__check_self;
    (void)watcher;
    svs__lock_acquire(&checker->lock);
    if (self->task == NULL) run->root = append_root(checker, self);
    else /* a body waits for a run of another runtime */
        run->root = svs__tree_append(&checker->tree, &self->worker->block, &self->task->open->scope,
                                     SVS__NODE_FINISH, NULL);
    checker->runs++;
    checker->waiting += (uintptr_t)self;
    checker->rootless += run->root == 0;
    svs__lock_release(&checker->lock);
    svs__check_next_step(self);
    run->outer = self->task;
    svs__task_put_down(self);
}

void svs__root_ends(svs__watcher *watcher, svs__watched_run *run) {
    svs__checker *checker = &svs__the_checker;
    svs__check_task *task = run->outer;
    (void)watcher;
    svs__task_put_down(&svs__check_self);
    svs__task_take_up(&svs__check_self, task == NULL ? NULL : task->worker, task);
    svs__lock_acquire(&checker->lock);
    checker->runs--;
    checker->waiting -= (uintptr_t)&svs__check_self;
    svs__lock_release(&checker->lock);
}

/* X2: the only run goes on, with nothing before it. @return its root. */
static uint32_t begin_anew(svs__checker *checker) {
    svs__checker_forget();
    begin_period(checker);
    return append_root(checker, (const void *)checker->waiting);
}

static void become_root(svs__check_task *task, uint32_t root) {
    task->self.scope = (svs__scope){root, 1, 0};
    task->self.node = root;
}

static void forget(svs__check_task *task, uint32_t age) {
    svs__checker *checker = &svs__the_checker;
    svs__lock_acquire(&checker->lock);
    if (checker->runs == 1 && checker->tree.age == age && is_much(checker))
        become_root(task, begin_anew(checker));
    svs__lock_release(&checker->lock);
    svs__check_next_step(&svs__check_self); /* it has learned nothing yet */
}

void svs__root_drained(svs__check_task *task) {
    if (is_much(&svs__the_checker)) forget(task, svs__the_checker.tree.age);
}

bool svs__root_iterated(svs__watched_run *run) {
    if (!is_much(&svs__the_checker)) return false;
    run->root = begin_anew(&svs__the_checker);
    return true;
}
