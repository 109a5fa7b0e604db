/* Random trees of asyncs under both policies, on teams of every size, several roots at once: each
 * node runs once; each finish waits for all that was spawned into it, also from below
 * (worksteal.F1, worksteal.F2, worksteal.J1); an async context with a waiting node runs only that
 * node's descendants (worksteal.D7; under work-first, only calls in place). */
#include "../unit/worksteal/running.h"
#include "base/random.h"
#include <svs/async.h>
#include <svs/check.h>

#define DEPTH 24u
#define ROOTS 4
#define NODES 20000u

typedef struct tree tree;
typedef struct node {
    tree *of;
    struct node *scope_of; /* the node with the finish that it was spawned into */
    uint64_t number;       /* its path from the root: two bits a level, below a leading 1 */
    uint32_t depth, children;
    uint32_t ran;           /* plain: the finish's end orders it */
    _Atomic(uint32_t) open; /* nodes that were spawned into its finish and have not ended */
} node;

/* Which node runs on an async context now. An async context is known by its address; each has one
 * entry for the whole test, as there is a bounded number of them. */
#define CONTEXTS 65536u
typedef struct seat {
    _Atomic(svs_async_context *) async;
    node *top; /* plain: only the node that runs on the async context uses it (worksteal.T2) */
} seat;

typedef struct forest {
    svs_runtime *runtime;
    uint64_t rounds;
    seat *seats;
    _Atomic(uint64_t) seed, nodes, moves, wrong;
} forest;

struct tree {
    forest *of;
    uint64_t seed;
    node *nodes;
    _Atomic(uint32_t) used;
    _Atomic(uint32_t) strangers; /* nodes that ran on top of one that is not above them */
    _Atomic(uint32_t) early;     /* finishes that did not wait */
};

static seat *seat_of(forest *f, svs_async_context *async) {
    uint32_t at = (uint32_t)((uintptr_t)async * 0x9e3779b97f4a7c15u >> 40) % CONTEXTS;
    for (;; at = (at + 1) % CONTEXTS) {
        svs_async_context *there = svs__load_relaxed(&f->seats[at].async);
        if (there == async) return &f->seats[at];
        if (there == NULL && svs__cas_strong_relaxed(&f->seats[at].async, &there, async))
            return &f->seats[at];
        if (there == async) return &f->seats[at];
    }
}

static bool is_above(const node *above, const node *n) {
    return above->of == n->of && above->depth <= n->depth &&
           n->number >> 2 * (n->depth - above->depth) == above->number;
}

static void run_node(svs_async_context *async, void *argument);

/* Spawns the children of `n`, from its own finish or to end before they do. */
static void spawn_children(svs_async_context *async, node *n, node *into) {
    for (uint32_t i = 0; i < n->children; i++) {
        uint32_t at = svs__fetch_add_relaxed(&n->of->used, 1);
        node *child = &n->of->nodes[at];
        uint32_t before = svs_worker_index();
        if (at >= NODES) return;
        *child = (node){n->of, into, n->number << 2 | i, n->depth + 1, 0, 0, 0};
        (void)svs__fetch_add_relaxed(&into->open, 1);
        svs_async(async, run_node, &child, sizeof child);
        if (svs_worker_index() != before) (void)svs__fetch_add_relaxed(&n->of->of->moves, 1);
    }
}

static void spawn_own(svs_async_context *async, void *argument) {
    spawn_children(async, argument, argument);
}

static void grow_below(svs_async_context *async, node *n) {
    svs__random random;
    svs__random_seed(&random, n->of->seed ^ n->number * 0x9e3779b97f4a7c15u);
    n->children = n->depth == DEPTH ? 0 : n->depth < 4 ? 4 : svs__random_below(&random, 5);
    if (svs__random_below(&random, 256) == 0) svs__yield();
    if (n->scope_of != NULL && svs__random_below(&random, 3) == 0) {
        spawn_children(async, n, n->scope_of);
        return;
    }
    svs_finish(async, spawn_own, n);
    /* relaxed: the finish alone shall order it. */
    if (svs__load_relaxed(&n->open) != 0) svs__store_relaxed(&n->of->early, 1);
}

/* @return the node below it on the async context. The test's records of async contexts are no part
 * of the tasks, and a race check ignores them. */
static node *sit_down(seat *here, node *n) {
    node *below_me;
    svs_check_ignore_begin();
    below_me = here->top;
    if (below_me != NULL && !is_above(below_me, n)) svs__store_relaxed(&n->of->strangers, 1);
    here->top = n;
    svs_check_ignore_end();
    return below_me;
}
static void get_up(seat *here, const node *n, node *below_me) {
    svs_check_ignore_begin();
    if (here->top != n) svs__store_relaxed(&n->of->strangers, 1);
    here->top = below_me;
    svs_check_ignore_end();
}

static void run_node(svs_async_context *async, void *argument) {
    node *n = *(node **)argument;
    seat *here = seat_of(n->of->of, async);
    node *below_me = sit_down(here, n);
    n->ran++;
    grow_below(async, n);
    get_up(here, n, below_me);
    if (n->scope_of != NULL) (void)svs__fetch_sub_relaxed(&n->scope_of->open, 1);
}

static bool grow_one(forest *f) {
    tree t = {.of = f};
    node *root;
    bool good;
    uint32_t used;
    t.seed = svs__fetch_add_relaxed(&f->seed, 1);
    t.nodes = calloc(NODES, sizeof(node));
    if (t.nodes == NULL) return false;
    root = &t.nodes[0];
    *root = (node){&t, NULL, 1, 0, 0, 0, 0};
    t.used = 1;
    good = svs_async_run(f->runtime, run_node, &root) == SVS_OK;
    used = t.used < NODES ? t.used : NODES;
    for (uint32_t i = 0; i < used; i++) good = good && t.nodes[i].ran == 1;
    (void)svs__fetch_add_relaxed(&f->nodes, used);
    free(t.nodes);
    return good && t.strangers == 0 && t.early == 0;
}

static void *grow(void *argument) {
    forest *f = argument;
    for (uint64_t i = 0; i < f->rounds; i++)
        if (!grow_one(f)) (void)svs__fetch_add_relaxed(&f->wrong, 1);
    return NULL;
}

static void forest_of(uint32_t policy, uint32_t threads, uint32_t spin_us) {
    forest f = {.runtime = started_as(policy, threads, spin_us), .rounds = scaled(30, 2)};
    f.seats = calloc(CONTEXTS, sizeof *f.seats);
    assert_non_null(f.seats);
    do team_run(ROOTS, grow, &f);
    while (threads > 1 && steals_of(f.runtime) == 0);
    print_message("%s, %u workers: %llu nodes, %llu steals, %llu moved bodies\n",
                  policy_name(policy), threads, (unsigned long long)f.nodes,
                  (unsigned long long)steals_of(f.runtime), (unsigned long long)f.moves);
    assert_int_equal(f.wrong, 0);
    if (policy == SVS_POLICY_HELP_FIRST) assert_int_equal(f.moves, 0);
    if (threads > 1 && policy == SVS_POLICY_WORK_FIRST) assert_true(f.moves > 0);
    assert_int_equal(svs_runtime_free(f.runtime), SVS_OK);
    free(f.seats);
}

TEST_CASE(trees_on_one_worker) {
    forest_of(SVS_POLICY_HELP_FIRST, 1, 20);
    forest_of(SVS_POLICY_WORK_FIRST, 1, 20);
}
TEST_CASE(trees_on_two_workers) {
    forest_of(SVS_POLICY_HELP_FIRST, 2, 20);
    forest_of(SVS_POLICY_WORK_FIRST, 2, 20);
}
TEST_CASE(trees_on_eight_workers_that_spin) {
    forest_of(SVS_POLICY_HELP_FIRST, 8, 200);
    forest_of(SVS_POLICY_WORK_FIRST, 8, 200);
}
TEST_CASE(trees_on_eight_workers_that_sleep) {
    forest_of(SVS_POLICY_HELP_FIRST, 8, 0);
    forest_of(SVS_POLICY_WORK_FIRST, 8, 0);
}

int main(void) { return run_cases(NULL, NULL); }
