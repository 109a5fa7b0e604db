#include "dpst/tree/checker.h"
#include "hooks/graph_hooks.h"
#include <assert.h>
#include <string.h>

svs__checker svs__the_checker;

/* The node that represents a step in the memo of distant steps: all steps below that node have the
 * same relation to distant steps. */
static uint32_t far_of(const svs__dpst_tree *tree, uint32_t way, uint32_t step) {
    const svs__dpst_node *node = svs__tree_node(tree, step);
    return way == SVS_CHECK_LCA_LABELS ? node->anchor : tree->phases[node->phase].root;
}

static uint32_t far_index(uint32_t a, uint32_t b) {
    return (a * 0x9E3779B1u ^ b * 0x85EBCA6Bu) >> 24; /* index of one of SVS__MEMO_FAR entries */
}

/* The age of memo entries: the worker's epoch (dpst.X3). */
static uint32_t age_of(const svs__check_worker *worker) {
    return svs__load_relaxed(&worker->epoch); /* relaxed: only the worker writes it */
}

static bool recall(const svs__check_worker *worker, uint32_t way, uint32_t a, uint32_t b,
                   svs__lca *answer) {
    const svs__memo *memo = &worker->memo;
    uint32_t at = far_index(a, b), known = memo->far[way][at].answer;
    *answer = (svs__lca){known >> 1, known & 1};
    return memo->far[way][at].a == a && memo->far[way][at].b == b &&
           memo->far[way][at].age == age_of(worker);
}

static void remember(svs__check_worker *worker, uint32_t way, uint32_t a, uint32_t b,
                     svs__lca answer) {
    svs__memo *memo = &worker->memo;
    uint32_t at = far_index(a, b);
    memo->far[way][at].a = a;
    memo->far[way][at].b = b;
    memo->far[way][at].age = age_of(worker);
    memo->far[way][at].answer = answer.depth << 1 | answer.parallel;
}

/* Finds the relation by labels or by the steal tree. All steps below a node have the same lowest
 * common ancestor with another step if that ancestor is above the node: so it is computed once. */
static svs__lca by_far(svs__check_worker *worker, uint32_t way, uint32_t a, uint32_t b,
                       uint64_t *edges) {
    const svs__dpst_tree *tree = &svs__the_checker.tree;
    uint32_t x = far_of(tree, way, a), y = far_of(tree, way, b);
    bool above_x, above_y;
    svs__lca answer;
    if (recall(worker, way, x, y, &answer) || recall(worker, way, a, y, &answer) ||
        recall(worker, way, x, b, &answer))
        return answer;
    answer = way == SVS_CHECK_LCA_LABELS ? svs__lca_labels(tree, a, b, edges)
                                         : svs__lca_steal_tree(tree, a, b, edges);
    above_x = answer.depth < svs__tree_node(tree, x)->depth;
    above_y = answer.depth < svs__tree_node(tree, y)->depth;
    if (above_x || above_y) remember(worker, way, above_x ? x : a, above_y ? y : b, answer);
    return answer;
}

static svs__lca by(svs__check_worker *worker, uint32_t way, uint32_t a, uint32_t b,
                   uint64_t *edges) {
    return way == SVS_CHECK_LCA_WALK ? svs__lca_walk(&svs__the_checker.tree, a, b, edges)
                                     : by_far(worker, way, a, b, edges);
}

static svs__lca query(svs__check_worker *worker, uint32_t a, uint32_t b) {
    const svs__checker *checker = &svs__the_checker;
    uint32_t way = checker->options.lca;
    uint64_t edges = 0;
    svs__lca answer = by(worker, way, a, b, &edges);
    svs__worker_count(&worker->queries, 1);
    svs__worker_count(&worker->edges[way], edges);
    for (uint32_t i = 0; checker->options.compare && i < 3; i++) {
        svs__lca other;
        if (i == way) continue;
        edges = 0;
        other = by(worker, i, a, b, &edges);
        SVS__CHECK(other.depth == answer.depth && other.parallel == answer.parallel);
        svs__worker_count(&worker->edges[i], edges);
    }
    return answer;
}

static uint32_t memo_index(uint32_t node) { return (node * 0x9E3779B1u) >> 26; }

svs__lca svs__relation(svs__check_worker *worker, uint32_t step, uint32_t other) {
    svs__memo *memo = &worker->memo;
    uint32_t at = memo_index(other), age = age_of(worker);
    svs__lca answer;
    SVS__ASSERT(age != SVS__EPOCH_AWAY && age != SVS__EPOCH_COMING); /* dpst.X3 */
    if (SVS__UNLIKELY(memo->step != step || memo->age != age)) {
        memset(memo->steps, 0, sizeof memo->steps);
        memo->step = step;
        memo->age = age;
    }
    if (SVS__LIKELY(memo->steps[at].other == other)) {
        uint32_t known = memo->steps[at].answer;
        return (svs__lca){known >> 1, known & 1};
    }
    answer = query(worker, step, other);
    if (SVS__UNLIKELY(svs__is_above_runs(answer.depth)) && answer.parallel)
        answer.parallel = !svs__run_had_ended(memo->step, other, answer.depth);
    memo->steps[at].other = other;
    memo->steps[at].answer = answer.depth << 1 | answer.parallel;
    return answer;
}

svs__lca svs__tree_relation(svs__check_worker *worker, uint32_t step, uint32_t other) {
    return query(worker, step, other);
}

uint32_t svs__pair_depth(svs__check_worker *worker, uint32_t a, uint32_t b) {
    uint32_t at = memo_index(a ^ b << 5), age = age_of(worker);
    svs__memo *memo = &worker->memo;
    if (memo->pairs[at].a == a && memo->pairs[at].b == b && memo->pairs[at].age == age)
        return memo->pairs[at].depth;
    memo->pairs[at].a = a;
    memo->pairs[at].b = b;
    memo->pairs[at].age = age;
    memo->pairs[at].depth = query(worker, a, b).depth;
    return memo->pairs[at].depth;
}

/* Is the address in the structs of this runtime to which inline functions write? */
static bool is_of_runtime(const svs_runtime *runtime, uintptr_t address) {
    uintptr_t workers = (uintptr_t)runtime->workers;
    if (address - workers < runtime->options.threads * sizeof *runtime->workers) return true;
    for (uint32_t i = 0; i < runtime->options.threads; i++) {
        const svs__deque *deque = &runtime->workers[i].deque;
        uintptr_t bytes = (deque->capacity + 1) * sizeof *deque->slots;
        if (address - (uintptr_t)deque->slots < bytes) return true;
    }
    return false;
}

bool svs__check_is_own(uintptr_t address) {
    svs__checker *checker = &svs__the_checker;
    bool own = false;
    svs__lock_acquire(&checker->lock);
    for (const svs__check *check = checker->checks; check != NULL && !own; check = check->next)
        own = is_of_runtime(check->runtime, address);
    svs__lock_release(&checker->lock);
    return own;
}

/* ---- the step that a thread runs ---- */

void svs__check_stack_touched(svs__check_thread *self, uintptr_t address) {
    if (address < (uintptr_t)self->stack_low && address >= (uintptr_t)__builtin_frame_address(0))
        self->stack_low = (const char *)address;
}

uintptr_t svs__check_stack_top(const svs__check_thread *self) { return (uintptr_t)self->task->top; }

bool svs__check_is_of_async(const svs__check_thread *self, uintptr_t address) {
    const svs__stack *stack = self->task->stack;
    return stack != NULL && address - (uintptr_t)stack < sizeof *stack;
}

uint32_t svs__step_make(svs__check_thread *self) {
    svs__check_worker *worker = self->worker;
    uint32_t step = svs__tree_append(&svs__the_checker.tree, &worker->block,
                                     &self->task->open->scope, SVS__NODE_STEP, NULL);
    if (SVS__UNLIKELY(worker->block.fresh)) svs__the_checker.collect(worker);
    if (step == 0) return 0;
    if (SVS__UNLIKELY(self->instance != NULL)) svs__the_graph_hooks->note(step, self->instance);
    svs__worker_count(&worker->steps, 1);
    self->step = step;
    return step;
}

/* ---- threads (dpst.C6) ---- */

static const svs__check_thread absent = {.frames_lost = SVS__FRAMES_ABSENT};
/* dpst.C7 */
static_assert(_Generic(&svs__check_self, svs__check_thread ** : 1, default : 0),
              "a pointer in static TLS, not a block");
_Thread_local svs__check_thread *svs__check_self = (svs__check_thread *)&absent;

_Thread_local svs__check_marks_of svs__check_marks;

void svs__check_thread_reset(void) { svs__check_self = (svs__check_thread *)&absent; }
