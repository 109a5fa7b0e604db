/* Builds the tree while tasks run (hooks/task_hooks.h). */
#include "dpst/task/gc.h"
#include "dpst/task/task.h"
#include "hooks/graph_hooks.h"
#include <string.h>

static svs__check *check_of(svs__watcher *watcher) { return (svs__check *)(void *)watcher; }

static svs__check_worker *worker_of(svs__watcher *watcher, const svs__worker *worker) {
    return &check_of(watcher)->workers[worker->index];
}

static const svs_allocator *allocator_of(svs__watcher *watcher) {
    return svs__runtime_allocator(check_of(watcher)->runtime);
}

/* Implements the option yield_one_in: lets other threads run now and then. */
static void yield(svs__check_worker *worker) {
    uint32_t one_in = svs__the_checker.options.yield_one_in;
    if (one_in != 0 && svs__random_below(&worker->random, one_in) == 0) svs__yield();
}

/* The scope of the finish at `base`, which is opened if necessary. */
static svs__scope *scope_at(svs__watcher *watcher, svs__check_worker *worker, svs__check_task *task,
                            const svs__slot *base) {
    svs__open *open = task->open;
    uint32_t node;
    if (base == NULL) {
        task->has_spawned = true;
        return &task->self.scope;
    }
    if (open->base == base) return &open->scope;
    node = svs__tree_append(&svs__the_checker.tree, &worker->block, &open->scope, SVS__NODE_FINISH,
                            NULL);
    open = node == 0 ? NULL : svs__task_open(allocator_of(watcher), worker, task, base, node);
    return open == NULL ? NULL : &open->scope;
}

static const void *site_of(const svs__slot *slot) {
    union {
        svs__slot_function *run;
        svs_async_function *function;
        const void *site;
    } of = {slot->run};
    if (slot->run == svs__run_16 || slot->run == svs__run_32 || slot->run == svs__run_96)
        of.function = slot->to.function;
    return of.site;
}

static uint32_t spawns(svs__watcher *watcher, svs__worker *worker, svs__slot *base,
                       const svs__slot *slot) {
    svs__check_thread *self = svs__check_self;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__scope *scope;
    uint32_t child = 0;
    if (self->task == NULL) return 0;
    SVS__ASSERT(self->worker == mine); /* dpst.B2: the thread runs in the scope */
    scope = scope_at(watcher, mine, self->task, base);
    if (scope != NULL)
        child = svs__tree_append(&svs__the_checker.tree, &mine->block, scope, SVS__NODE_ASYNC,
                                 site_of(slot));
    if (SVS__UNLIKELY(mine->block.fresh)) svs__sweep_go_on(mine);
    if (child == 0) svs__worker_count(&mine->lost, 1);
    else if (SVS__UNLIKELY(self->instance != NULL))
        svs__the_graph_hooks->note(child, self->instance);
    svs__check_next_step(self);
    yield(mine);
    return child;
}

static void merged(svs__watcher *watcher, svs__worker *worker) {
    if (svs__check_self->task != NULL) svs__worker_count(&worker_of(watcher, worker)->merged, 1);
}

/* The spawner's frames below `top` are gone: later frames there belong to other calls. */
static void begin_below(svs__check_worker *worker, svs__check_task *outer, char *top) {
    if (outer == NULL || outer->low >= top) return;
    svs__task_clear_stack(worker, outer->low, top);
    outer->low = top;
}

/* Begins the life of a stack that was mapped after the check began: other memory may have ended
 * there. */
static void begin_on(svs__check_worker *worker, svs__stack *stack) {
    if (stack->seen) return;
    stack->seen = true;
    svs__task_clear(worker, (uintptr_t)stack->low, (uintptr_t)(stack + 1) - (uintptr_t)stack->low);
}

static void *begins(svs__watcher *watcher, svs__worker *worker, svs_async_context *async,
                    uint32_t child, bool stolen, void *top) {
    svs__dpst_tree *tree = &svs__the_checker.tree;
    svs__check_thread *self = svs__check_self;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__check_task *outer = self->task, *task = NULL;
    svs__task_put_down();
    begin_below(mine, outer, top);
    if (async != &worker->deque.async) begin_on(mine, (svs__stack *)async);
    if (child != 0) task = svs__task_make(allocator_of(watcher), mine);
    if (task != NULL) {
        const svs__dpst_node *node = svs__tree_node(tree, child);
        uint32_t phase = stolen ? svs__tree_add_phase(tree, child, node->phase) : node->phase;
        memset(task, 0, sizeof *task);
        task->self = (svs__open){{child, 1, phase}, child, NULL, NULL};
        task->open = &task->self;
        task->low = task->top = top;
        task->step = SVS__STEP_NEW;
        task->base = async->base;
        task->is_root = node->kind == SVS__NODE_FINISH;
        if (SVS__UNLIKELY(svs__graph_is_used()))
            task->instance = svs__the_graph_hooks->noted(child);
        if (async == &worker->deque.async) async->base = NULL; /* hooks.V2 */
        else task->stack = (const svs__stack *)async;
    } else if (child != 0) {
        svs__worker_count(&mine->lost, 1);
        svs__sweep_close(mine, child);
    }
    svs__task_take_up(mine, task);
    yield(mine);
    return outer;
}

static void ends(svs__watcher *watcher, svs__worker *worker, svs_async_context *async,
                 void *outer) {
    svs__check_thread *self = svs__check_self;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__check_task *task = self->task;
    if (task != NULL) svs__task_end(self);
    svs__task_put_down();
    if (task != NULL) {
        svs__task_clear_stack(mine, task->low, task->top);
        async->base = task->base;
        svs__task_release(mine, task);
    }
    svs__task_take_up(mine, outer);
}

/* The task's callees have returned, so children that run during its wait may have their frames in
 * the same place. (On a stack of its own the task is alone.) */
static void *leaves(svs__watcher *watcher, svs__worker *worker) {
    svs__check_task *task = svs__check_self->task;
    svs__task_put_down();
    if (task != NULL && task->stack == NULL)
        begin_below(worker_of(watcher, worker), task, __builtin_frame_address(0));
    return task;
}

static void arrives(svs__watcher *watcher, svs__worker *worker, void *argument, bool stolen) {
    svs__check_task *task = argument;
    svs__dpst_tree *tree = &svs__the_checker.tree;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__task_put_down();
    svs__task_take_up(mine, task);
    if (task == NULL) return;
    if (stolen) { /* dpst.B3 */
        svs__open *open = task->open;
        uint32_t node = svs__tree_append(tree, &mine->block, &open->scope, SVS__NODE_FINISH, NULL);
        if (node == 0) return;
        if (open->scope.node != open->node) svs__sweep_close(mine, open->scope.node);
        open->scope = (svs__scope){node, 1, svs__tree_add_phase(tree, node, open->scope.phase)};
    }
}

static void drained(svs__watcher *watcher, svs__worker *worker, svs__slot *base) {
    svs__check_thread *self = svs__check_self;
    svs__check_task *task = self->task;
    if (task == NULL || task->open->base != base) return;
    svs__task_close(worker_of(watcher, worker), task);
    svs__check_next_step(self);
    if (SVS__UNLIKELY(task->is_root) && task->open == &task->self && !task->has_spawned)
        svs__root_drained(task);
}

void svs__watcher_init(svs__watcher *watcher) {
    *watcher = (svs__watcher){spawns,  merged,  begins,           ends,          leaves,
                              arrives, drained, svs__root_begins, svs__root_ends};
}
