/* Roots of the tree: runs, the threads that wait for them, and the periods in which at least one
 * run is in progress (checker.h, dpst.X0). */
#include "dpst/shadow/spd3.h"
#include "dpst/task/gc.h"
#include "dpst/task/task.h"
#include "hooks/graph_hooks.h"

/* The number of the calling thread, which no other thread has ever had. */
static uint64_t own_number(void) {
    static _Atomic(uint64_t) numbers;
    svs__check_marks_of *marks = &svs__check_marks;
    /* relaxed is enough: the number only has to be unique. */
    if (marks->number == 0) marks->number = svs__fetch_add_relaxed(&numbers, 1) + 1;
    return marks->number;
}

/* The number of runs in progress. relaxed is enough: it changes under the lock, which the caller
 * holds. */
static uint32_t runs_of(const svs__checker *checker) { return svs__load_relaxed(&checker->runs); }

static void count_runs(svs__checker *checker, int more) {
    /* relaxed is enough: a run that begins later does not access what a thread without a task
     * clears now. */
    svs__store_relaxed(&checker->runs, runs_of(checker) + (uint32_t)more);
}

static void set_level_count(svs__checker *checker, uint32_t count) {
    checker->level_count = count;
    /* relaxed is enough, as svs__is_above_runs() explains; when it becomes 0, no run is in
     * progress. */
    if (count == 0 || count > svs__load_relaxed(&checker->most_levels))
        svs__store_relaxed(&checker->most_levels, count);
}

/* ---- the past (dpst.X2) ---- */

/* Forgets the past (dpst.X2). The caller holds the lock. */
static void forget_past(void) {
    svs__checker *checker = &svs__the_checker;
    SVS__ASSERT(svs__lock_is_held(&checker->lock) && runs_of(checker) <= 1); /* dpst.X2 */
    /* relaxed is enough, here and below: no thread appends (dpst.X2). */
    if (svs__load_relaxed(&checker->tree.used) > checker->most_nodes)
        checker->most_nodes = svs__load_relaxed(&checker->tree.used);
    checker->nodes_before += svs__load_relaxed(&checker->tree.made);
    checker->phases_before +=
        svs__load_relaxed(&checker->tree.phased) + svs__load_relaxed(&checker->tree.reused);
    checker->collapses++;
    svs__lock_acquire(&checker->lives); /* dpst.X10 */
    svs__tree_cut(&checker->tree);
    svs__sweep_reset();
    svs__shadow_reset();
    svs__the_graph_hooks->forgotten();
    checker->top = svs__tree_top();
    svs__lock_release(&checker->lives);
    set_level_count(checker, 0);
}

/* ---- levels (dpst.X0), under the lock ---- */

static svs__check_level *level_of(svs__checker *checker, uint64_t thread) {
    for (uint32_t i = 0; i < checker->level_count; i++)
        if (checker->levels[i].thread == thread) return &checker->levels[i];
    return NULL;
}

static void close_level(svs__checker *checker, const svs__check_level *level, uint8_t state) {
    if (level->runs.node != 0) svs__tree_close(&checker->tree, level->runs.node, state);
    if (level->finish.node != 0) svs__tree_close(&checker->tree, level->finish.node, state);
}

/* Ends the last level, in which no run is in progress. Other runs may be in progress, so the level
 * ends within one epoch, in which no sweep merges nodes (gc.h, dpst.X7). */
static void end_level(svs__checker *checker) {
    svs__lock_acquire(&checker->sweep.busy);
    /* relaxed is enough: it changes under `busy`. */
    close_level(checker, &checker->levels[--checker->level_count],
                svs__node_over(svs__load_relaxed(&checker->sweep.epoch)));
    svs__lock_release(&checker->sweep.busy);
}

static void end_levels(svs__checker *checker) {
    while (checker->level_count > 1 && checker->strays == 0 &&
           !checker->levels[checker->level_count - 1].going_on)
        end_level(checker);
}

static uint32_t append(svs__checker *checker, svs__scope *scope, svs__node_kind kind) {
    SVS__ASSERT(svs__lock_is_held(&checker->lock)); /* dpst.X1 */
    return scope->node == 0 ? 0
                            : svs__tree_append(&checker->tree, &checker->block, scope, kind, NULL);
}

/* Begins a level. @param finish the node of the level's finish. @return NULL when there is no
 * room. */
static svs__check_level *begin_level(svs__checker *checker, uint64_t thread, uint32_t finish) {
    svs__check_level *level = &checker->levels[checker->level_count];
    *level = (svs__check_level){.thread = thread, .finish = {finish, 1, 0}, .runs = {0, 1, 0}};
    level->runs.node = append(checker, &level->finish, SVS__NODE_ASYNC);
    if (level->runs.node == 0) return NULL;
    set_level_count(checker, checker->level_count + 1);
    return level;
}

/* Adds a level for a thread that has none. @return NULL when there is no room. */
static svs__check_level *add_level(svs__checker *checker, uint64_t thread) {
    svs__scope *around = &checker->levels[checker->level_count - 1].finish;
    if (checker->level_count == SVS__JOBS_MAX) return NULL;
    return begin_level(checker, thread, append(checker, around, SVS__NODE_FINISH));
}

/* Appends a run of a thread for which there is no level. The run counts as parallel to all
 * others. */
static uint32_t append_stray(svs__checker *checker) {
    svs__scope stray = {0, 1, 0};
    if (checker->level_count != 0)
        stray.node =
            append(checker, &checker->levels[checker->level_count - 1].finish, SVS__NODE_ASYNC);
    checker->strays++;
    return append(checker, &stray, SVS__NODE_FINISH);
}

/* Has enough been recorded to make it worth forgetting the past? */
static bool is_much(const svs__checker *checker) {
    /* relaxed is enough: an estimate. */
    return svs__load_relaxed(&checker->tree.made) >= checker->forget_at;
}

/* Closes the nodes above the runs of a period: no child is appended to them any more. */
static void end_period(svs__checker *checker) {
    /* relaxed is enough: any epoch will do, as no thread runs anything below these nodes. */
    uint8_t state = svs__node_over(svs__load_relaxed(&checker->sweep.epoch));
    while (checker->level_count != 0)
        close_level(checker, &checker->levels[--checker->level_count], state);
    set_level_count(checker, 0);
}

/* Begins a period. @return its level 0; NULL: there is no room. */
static svs__check_level *begin_period(svs__checker *checker, uint64_t thread) {
    end_period(checker);
    if (is_much(checker)) forget_past();
    checker->strays = 0; /* the only stray run continues as a run of the level */
    return begin_level(checker, thread, append(checker, &checker->top, SVS__NODE_FINISH));
}

static bool levels_are_valid(const svs__checker *checker) {
    uint32_t count = checker->level_count;
    for (uint32_t i = 1; i < count; i++) /* a thread has one level */
        for (uint32_t k = 0; k < i; k++)
            if (checker->levels[i].thread == checker->levels[k].thread) return false;
    /* no run begins below a level that should have ended */
    return count <= 1 || checker->strays != 0 || checker->levels[count - 1].going_on;
}

/* The sequence number of the level among the children of the finish that contains it. */
static uint32_t number_of(const svs__checker *checker, const svs__check_level *level) {
    return svs__node_label(svs__tree_node(&checker->tree, level->finish.node)) >> 1;
}

/* dpst.X11: records what has ended when a run of the level begins. */
static void note_ended(const svs__checker *checker, svs__check_level *mine) {
    uint32_t count = checker->level_count;
    for (uint32_t i = 0; i < count; i++) {
        const svs__check_level *level = &checker->levels[i];
        mine->ended[i].runs = level->runs.next - 1 - level->going_on;
        mine->ended[i].levels = i + 1 < count ? number_of(checker, level + 1) : level->finish.next;
    }
    mine->level_count = count;
}

/* Appends the root of a run that the thread waits for. @return its node; 0: there is no room. */
static uint32_t append_root(svs__checker *checker, uint64_t thread, bool first) {
    svs__check_level *level;
    if (!first) end_levels(checker);
    SVS__ASSERT(first || levels_are_valid(checker)); /* dpst.X0 */
    level = first ? begin_period(checker, thread) : level_of(checker, thread);
    if (level == NULL && checker->level_count != 0) level = add_level(checker, thread);
    if (level == NULL) return append_stray(checker);
    note_ended(checker, level);
    level->going_on = true;
    return append(checker, &level->runs, SVS__NODE_FINISH);
}

static void end_root(svs__checker *checker, uint64_t thread) {
    svs__check_level *level = level_of(checker, thread);
    if (level != NULL && level->going_on) level->going_on = false;
    else checker->strays--;
}

/* ---- runs ---- */

void svs__root_begins(svs__watcher *watcher, svs__watched_run *run) {
    svs__checker *checker = &svs__the_checker;
    svs__check_thread *self = svs__check_self;
    (void)watcher;
    svs__lock_acquire(&checker->lock);
    if (self->task == NULL) run->root = append_root(checker, own_number(), runs_of(checker) == 0);
    else /* a body waits for a run of another runtime */
        run->root = svs__tree_append(&checker->tree, &self->worker->block, &self->task->open->scope,
                                     SVS__NODE_FINISH, NULL);
    count_runs(checker, 1);
    checker->waiting += own_number();
    checker->rootless += run->root == 0;
    svs__lock_release(&checker->lock);
    svs__check_next_step(self);
    run->outer = self->task;
    svs__task_put_down();
}

void svs__root_ends(svs__watcher *watcher, svs__watched_run *run) {
    svs__checker *checker = &svs__the_checker;
    svs__check_task *task = run->outer;
    (void)watcher;
    svs__task_put_down();
    svs__task_take_up(task == NULL ? NULL : task->worker, task);
    svs__lock_acquire(&checker->lock);
    if (task == NULL) end_root(checker, own_number());
    count_runs(checker, -1);
    checker->waiting -= own_number();
    svs__lock_release(&checker->lock);
}

/* dpst.X2: forgets the past; the only run continues with nothing before it. @return its new
 * root. */
static uint32_t begin_anew(svs__checker *checker) {
    forget_past();
    return append_root(checker, checker->waiting, true);
}

static void become_root(svs__check_task *task, uint32_t root) {
    task->self.scope = (svs__scope){root, 1, 0};
    task->self.node = root;
}

static void forget(svs__check_task *task, uint32_t age) {
    svs__checker *checker = &svs__the_checker;
    svs__lock_acquire(&checker->lock);
    if (runs_of(checker) == 1 && checker->tree.age == age && is_much(checker))
        become_root(task, begin_anew(checker));
    svs__lock_release(&checker->lock);
    svs__check_next_step(svs__check_self); /* the new step has noted nothing yet */
}

void svs__root_drained(svs__check_task *task) {
    if (is_much(&svs__the_checker)) forget(task, svs__the_checker.tree.age);
}

bool svs__root_iterated(svs__watched_run *run) {
    if (!is_much(&svs__the_checker)) return false;
    run->root = begin_anew(&svs__the_checker);
    return true;
}
