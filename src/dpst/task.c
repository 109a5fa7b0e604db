/* Draws the tree while tasks run (worksteal/events.h), and knows the step of each thread.
 *
 * A step has a node from its first access on. A finish has one from its first spawn on: what is
 * before that in it is before and after the same things as the step around it. */
#include "dpst/checker.h"
#include "dpst/graph.h"
#include "dpst/shadow.h"
#include <string.h>

/* A finish of a task, in which it has spawned. */
typedef struct svs__open {
    svs__scope scope;
    const svs__slot *base; /* NULL: the task itself */
    struct svs__open *outer;
} svs__open;

typedef struct svs__check_task {
    svs__open self;
    svs__open *open;           /* the innermost */
    char *top;                 /* of what the task has of a stack */
    const char *low;           /* while it is not on a thread; as the fields below */
    svs__check_worker *worker; /* the last one */
    const svs__stack *stack;   /* that it was begun on; NULL: a worker's own */
    svs__slot *base;           /* of the strand that it was begun on */
    uint32_t step, ignored, frame, frames_lost;
    bool is_root;
    bool has_spawned; /* itself, not in a finish */
    svs__instance *instance;
    struct svs__check_task *next;
} svs__check_task;

/* Below a stack pointer, functions that call nothing may still have locals. */
#define RED_ZONE 128

static svs__check *check_of(svs__watcher *watcher) { return (svs__check *)(void *)watcher; }

static svs__check_worker *worker_of(svs__watcher *watcher, const svs__worker *worker) {
    return &check_of(watcher)->workers[worker->index];
}

static const svs_allocator *allocator_of(svs__watcher *watcher) {
    return svs__runtime_allocator(check_of(watcher)->runtime);
}

/* ---- the calling thread's task ---- */

/* Another step begins, if anything is checked. */
void svs__check_next_step(svs__check_thread *self) {
    svs__streams_end(self);
    self->step = self->task == NULL || self->ignored != 0 ? 0 : SVS__STEP_NEW;
    self->steady_steps = UINT64_MAX;
    self->steady_reader = UINT32_MAX; /* C3: in no cell */
}

static void put_down(svs__check_thread *self) {
    svs__check_task *task = self->task;
    svs__streams_end(self);
    if (task != NULL) {
        svs__worker_count(&self->worker->accesses, self->accesses);
        task->worker = self->worker;
        task->low = self->stack_low;
        task->step = self->step;
        task->ignored = self->ignored;
        task->frame = self->frame;
        task->frames_lost = self->frames_lost;
    }
    if (task == NULL) {
        self->home_frame = self->frame;
        self->home_frames_lost = self->frames_lost;
    }
    self->task = NULL;
    self->instance = NULL;
    self->worker = NULL;
    self->accesses = 0;
    self->step = 0;
    self->stack_low = NULL;
    self->ignored = 0;
    self->frame = self->home_frame;
    self->frames_lost = self->home_frames_lost;
}

static void take_up(svs__check_thread *self, svs__check_worker *worker, svs__check_task *task) {
    self->task = task;
    if (task != NULL) {
        self->worker = worker;
        self->instance = task->instance;
        self->stack_low = task->low;
        self->ignored = task->ignored;
        self->frame = task->frame;
        self->frames_lost = task->frames_lost;
    }
    svs__check_next_step(self);
    if (task != NULL && task->step != 0 && task->ignored == 0) self->step = task->step;
}

void svs__check_stack_touched(svs__check_thread *self, uintptr_t address) {
    if (address < (uintptr_t)self->stack_low && address >= (uintptr_t)__builtin_frame_address(0))
        self->stack_low = (const char *)address;
}

uintptr_t svs__check_stack_top(const svs__check_thread *self) { return (uintptr_t)self->task->top; }

bool svs__check_is_of_strand(const svs__check_thread *self, uintptr_t address) {
    const svs__stack *stack = self->task->stack;
    return stack != NULL && address - (uintptr_t)stack < sizeof *stack;
}

void svs__check_ignore(svs__check_thread *self, bool begins) {
    if (self->task == NULL) return;
    if (begins) self->ignored++;
    else if (self->ignored != 0) self->ignored--;
    svs__check_next_step(self); /* the same one again is as good as another behind it */
}

uint32_t svs__step_make(svs__check_thread *self) {
    svs__check_worker *worker = self->worker;
    uint32_t step = svs__tree_append(&svs__the_checker.tree, &worker->block,
                                     &self->task->open->scope, SVS__NODE_STEP, NULL);
    if (step == 0) return 0;
    if (SVS__UNLIKELY(self->instance != NULL)) svs__graph_note(step, self->instance);
    svs__worker_count(&worker->steps, 1);
    self->step = step;
    return step;
}

/* The stack between these is nobody's any more. */
static void clear_stack(const char *low, const char *top) {
    if (low < top)
        svs__shadow_clear(((uintptr_t)low - RED_ZONE) & ~(uintptr_t)7,
                          (size_t)(top - low) + RED_ZONE);
    if (low < top && svs__graph_is_used())
        svs__graph_clear((uintptr_t)low - RED_ZONE, (size_t)(top - low) + RED_ZONE);
}

/* ---- what a worker keeps ---- */

static svs__open *make_open(svs__watcher *watcher, svs__check_worker *worker) {
    svs__open *open = worker->opens;
    if (open != NULL) worker->opens = open->outer;
    else open = svs__allocate(allocator_of(watcher), sizeof *open, _Alignof(svs__open));
    return open;
}

static void release_open(svs__check_worker *worker, svs__open *open) {
    open->outer = worker->opens;
    worker->opens = open;
}

static svs__check_task *make_task(svs__watcher *watcher, svs__check_worker *worker) {
    svs__check_task *task = worker->tasks;
    if (task != NULL) worker->tasks = task->next;
    else task = svs__allocate(allocator_of(watcher), sizeof *task, _Alignof(svs__check_task));
    return task;
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

/* ---- events ---- */

/* The knob: others get the CPU now. */
static void yield(svs__check_worker *worker) {
    uint32_t one_in = svs__the_checker.options.yield_one_in;
    if (one_in != 0 && svs__random_below(&worker->random, one_in) == 0) svs__yield();
}

/* The scope of the finish at `base`. */
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
    open = node == 0 ? NULL : make_open(watcher, worker);
    if (open == NULL) return NULL;
    *open = (svs__open){{node, 1, task->open->scope.phase}, base, task->open};
    task->open = open;
    return &open->scope;
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
    svs__check_thread *self = &svs__check_self;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__scope *scope;
    uint32_t child = 0;
    if (self->task == NULL) return 0;
    scope = scope_at(watcher, mine, self->task, base);
    if (scope != NULL)
        child = svs__tree_append(&svs__the_checker.tree, &mine->block, scope, SVS__NODE_ASYNC,
                                 site_of(slot));
    if (child == 0) svs__worker_count(&mine->lost, 1);
    else if (SVS__UNLIKELY(self->instance != NULL)) svs__graph_note(child, self->instance);
    svs__check_next_step(self);
    yield(mine);
    return child;
}

static void merged(svs__watcher *watcher, svs__worker *worker) {
    if (svs__check_self.task != NULL) svs__worker_count(&worker_of(watcher, worker)->merged, 1);
}

/* The spawner's frames below `top` are gone: what it calls in there next is another's. */
static void begin_below(svs__check_task *outer, char *top) {
    if (outer == NULL || outer->low >= top) return;
    clear_stack(outer->low, top);
    outer->low = top;
}

static void *begins(svs__watcher *watcher, svs__worker *worker, svs_strand *strand, uint32_t child,
                    bool stolen, void *top) {
    svs__tree *tree = &svs__the_checker.tree;
    svs__check_thread *self = &svs__check_self;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__check_task *outer = self->task, *task = NULL;
    put_down(self);
    begin_below(outer, top);
    if (child != 0) task = make_task(watcher, mine);
    if (task != NULL) {
        const svs__node *node = svs__tree_node(tree, child);
        uint32_t phase = stolen ? svs__tree_phase(tree, child, node->phase) : node->phase;
        memset(task, 0, sizeof *task);
        task->self = (svs__open){{child, 1, phase}, NULL, NULL};
        task->open = &task->self;
        task->low = task->top = top;
        task->step = SVS__STEP_NEW;
        task->base = strand->base;
        task->is_root = node->kind == SVS__NODE_FINISH;
        if (SVS__UNLIKELY(svs__graph_is_used())) task->instance = svs__graph_noted(child);
        if (strand == &worker->deque.strand) strand->base = NULL; /* V2 */
        else task->stack = (const svs__stack *)strand;
    } else if (child != 0) svs__worker_count(&mine->lost, 1);
    take_up(self, mine, task);
    yield(mine);
    return outer;
}

static void ends(svs__watcher *watcher, svs__worker *worker, svs_strand *strand, void *outer) {
    svs__check_thread *self = &svs__check_self;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__check_task *task = self->task;
    put_down(self);
    if (task != NULL) {
        clear_stack(task->low, task->top);
        while (task->open != &task->self) {
            svs__open *open = task->open;
            task->open = open->outer;
            release_open(mine, open);
        }
        strand->base = task->base;
        task->next = mine->tasks;
        mine->tasks = task;
    }
    take_up(self, mine, outer);
}

static void *leaves(svs__watcher *watcher, svs__worker *worker) {
    svs__check_task *task = svs__check_self.task;
    (void)watcher, (void)worker;
    put_down(&svs__check_self);
    return task;
}

static void arrives(svs__watcher *watcher, svs__worker *worker, void *task, bool stolen) {
    svs__tree *tree = &svs__the_checker.tree;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__check_thread *self = &svs__check_self;
    put_down(self);
    take_up(self, mine, task);
    if (task == NULL) return;
    if (stolen) { /* B3 */
        svs__scope *scope = &self->task->open->scope;
        uint32_t node = svs__tree_append(tree, &mine->block, scope, SVS__NODE_FINISH, NULL);
        if (node != 0) *scope = (svs__scope){node, 1, svs__tree_phase(tree, node, scope->phase)};
    }
}

/* ---- roots ---- */

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
    return svs__load_relaxed(&checker->tree.used) >= checker->forget_at;
}

static void begin_period(svs__checker *checker) {
    if (is_much(checker)) svs__checker_forget();
    checker->period.node =
        svs__tree_append(&checker->tree, &checker->block, &checker->top, SVS__NODE_FINISH, NULL);
    checker->period.next = 1;
    checker->period.phase = 0;
    checker->waiter_count = 0;
}

/* The root of a run that the calling thread waits for, under the lock. */
static uint32_t append_root(svs__checker *checker) {
    svs__scope *scope;
    uint32_t root;
    if (checker->runs == 0) begin_period(checker);
    scope = checker->period.node == 0 ? NULL : waiter(&svs__check_self);
    if (scope == NULL || scope->node == 0) return 0;
    root = svs__tree_append(&checker->tree, &checker->block, scope, SVS__NODE_FINISH, NULL);
    return root;
}

static void run_begins(svs__watcher *watcher, svs__watched_run *run) {
    svs__checker *checker = &svs__the_checker;
    svs__check_thread *self = &svs__check_self;
    (void)watcher;
    svs__lock_acquire(&checker->lock);
    if (self->task == NULL) run->root = append_root(checker);
    else /* a body waits for a run of another runtime */
        run->root = svs__tree_append(&checker->tree, &self->worker->block, &self->task->open->scope,
                                     SVS__NODE_FINISH, NULL);
    checker->runs++;
    checker->rootless += run->root == 0;
    svs__lock_release(&checker->lock);
    svs__check_next_step(self);
    run->outer = self->task;
    put_down(self);
}

static void run_ends(svs__watcher *watcher, svs__watched_run *run) {
    svs__checker *checker = &svs__the_checker;
    svs__check_task *task = run->outer;
    (void)watcher;
    put_down(&svs__check_self);
    take_up(&svs__check_self, task == NULL ? NULL : task->worker, task);
    svs__lock_acquire(&checker->lock);
    checker->runs--;
    svs__lock_release(&checker->lock);
}

/* X2: the root task goes on, with nothing before it. */
static void forget(svs__check_task *task, uint32_t age) {
    svs__checker *checker = &svs__the_checker;
    svs__lock_acquire(&checker->lock);
    if (checker->runs == 1 && checker->tree.age == age && is_much(checker)) {
        svs__checker_forget();
        begin_period(checker);
        task->self.scope = (svs__scope){append_root(checker), 1, 0};
    }
    svs__lock_release(&checker->lock);
}

static void drained(svs__watcher *watcher, svs__worker *worker, svs__slot *base) {
    svs__check_thread *self = &svs__check_self;
    svs__check_worker *mine = worker_of(watcher, worker);
    svs__check_task *task = self->task;
    svs__open *open;
    if (task == NULL || task->open->base != base) return;
    open = task->open;
    task->open = open->outer;
    release_open(mine, open);
    if (SVS__UNLIKELY(task->is_root) && task->open == &task->self && !task->has_spawned &&
        is_much(&svs__the_checker))
        forget(task, svs__the_checker.tree.age);
    svs__check_next_step(self);
}

void svs__watcher_init(svs__watcher *watcher) {
    *watcher = (svs__watcher){spawns,  merged,  begins,     ends,    leaves,
                              arrives, drained, run_begins, run_ends};
}
