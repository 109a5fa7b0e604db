/* Random trees of children on teams of every size, several roots at once: each node runs once; each
 * scope waits for all that was spawned into it, also from below (F1, F2); and who waits runs
 * nothing but what is below it (D7). */
#include "../unit/worksteal/running.h"
#include "base/random.h"

#define DEPTH 24u
#define ROOTS 4
#define NODES 20000u

typedef struct tree tree;
typedef struct node {
    tree *of;
    struct node *scope_of; /* whose scope it was spawned into */
    svs__finish *scope;    /* its own, while it waits */
    uint64_t number;       /* its path from the root: two bits a level, below a leading 1 */
    uint32_t depth;
    uint32_t ran;           /* plain: the scope's end orders it */
    _Atomic(uint32_t) open; /* nodes that were spawned into its scope and have not ended */
} node;

struct tree {
    uint64_t seed;
    node *nodes;
    _Atomic(uint32_t) used;
    _Atomic(uint32_t) strangers; /* nodes that ran on top of one that is not above them */
    _Atomic(uint32_t) early;     /* scopes that did not wait */
};

static bool is_above(const node *above, const node *n) {
    return above->of == n->of && above->depth <= n->depth &&
           n->number >> 2 * (n->depth - above->depth) == above->number;
}

static void run_node(svs__worker *worker, void *argument);

/* Spawns children of `n` into the scope of `into`. */
static void spawn_children(svs__worker *worker, node *n, node *into, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = svs__fetch_add_relaxed(&n->of->used, 1);
        if (at >= NODES) return;
        n->of->nodes[at] = (node){n->of, into, NULL, n->number << 2 | i, n->depth + 1, 0, 0};
        (void)svs__fetch_add_relaxed(&into->open, 1);
        svs__spawn(worker, into->scope, run_node, &n->of->nodes[at]);
    }
}

static void wait_for_children(svs__worker *worker, node *n, uint32_t count) {
    svs__finish finish;
    svs__finish_init(&finish, worker);
    n->scope = &finish;
    spawn_children(worker, n, n, count);
    svs__finish_wait(worker, &finish);
    /* relaxed: the wait alone shall order it. */
    if (svs__load_relaxed(&n->open) != 0) svs__store_relaxed(&n->of->early, 1);
}

static void run_node(svs__worker *worker, void *argument) {
    node *n = argument, *below_me = worker->context;
    svs__random random;
    uint32_t count;
    if (below_me != NULL && !is_above(below_me, n)) svs__store_relaxed(&n->of->strangers, 1);
    worker->context = n;
    n->ran++;
    svs__random_seed(&random, n->of->seed ^ n->number * 0x9e3779b97f4a7c15u);
    count = n->depth == DEPTH ? 0 : n->depth < 4 ? 4 : svs__random_below(&random, 5);
    if (svs__random_below(&random, 256) == 0) svs__yield();
    if (n->scope_of != NULL && svs__random_below(&random, 3) == 0)
        spawn_children(worker, n, n->scope_of, count); /* and end before they do */
    else wait_for_children(worker, n, count);
    worker->context = below_me;
    if (n->scope_of != NULL) (void)svs__fetch_sub_relaxed(&n->scope_of->open, 1);
}

typedef struct forest {
    svs_runtime *runtime;
    uint64_t rounds;
    _Atomic(uint64_t) seed, nodes, wrong;
} forest;

static bool grow_one(forest *f) {
    tree t = {0};
    bool good;
    uint32_t used;
    t.seed = svs__fetch_add_relaxed(&f->seed, 1);
    t.nodes = calloc(NODES, sizeof(node));
    if (t.nodes == NULL) return false;
    t.nodes[0] = (node){&t, NULL, NULL, 1, 0, 0, 0};
    t.used = 1;
    good = run_on(f->runtime, run_node, &t.nodes[0]) == SVS_OK;
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

static void forest_of(uint32_t threads, uint32_t spin_us) {
    forest f = {started(threads, spin_us), scaled(50, 2), 1, 0, 0};
    team_run(ROOTS, grow, &f);
    print_message("%u workers: %llu nodes, %llu stolen\n", threads, (unsigned long long)f.nodes,
                  (unsigned long long)steals_of(f.runtime));
    assert_int_equal(f.wrong, 0);
    assert_int_equal(svs_runtime_free(f.runtime), SVS_OK);
}

static void trees_on_one_worker(void **state) {
    (void)state;
    forest_of(1, 20);
}
static void trees_on_two_workers(void **state) {
    (void)state;
    forest_of(2, 20);
}
static void trees_on_eight_workers_that_spin(void **state) {
    (void)state;
    forest_of(8, 200);
}
static void trees_on_eight_workers_that_sleep(void **state) {
    (void)state;
    forest_of(8, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_on_one_worker),
        cmocka_unit_test(trees_on_two_workers),
        cmocka_unit_test(trees_on_eight_workers_that_spin),
        cmocka_unit_test(trees_on_eight_workers_that_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
