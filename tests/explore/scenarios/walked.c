/* Windows of instances whose elements are found by walks, while bodies change the links that are
 * walked (sched.W14): none runs beside another that has what it comes to when it runs. */
#include "explore/scenarios/support.h"
#include "explore/scenarios/visited.h"
#include <string.h>

#define NODES 5u
#define WALKS 6u /* more than a window */
#define OTHERS 2u

typedef struct walk {
    uint32_t number;
    node *from, *next; /* the node, and its next one afterwards */
    bool plain;        /* it writes the first node alone, and leaves the link as it is */
} walk;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    node *nodes[NODES];
    uint32_t ran[WALKS + OTHERS];
} shared;

static void walk_touch(svs_footprint *f, const walk *w) {
    if (w->plain) svs_writes_object(f, &w->from->svs);
    else svs_writes_hops(f, &w->from->svs, 1);
}

static svs_status walk_run(svs_context *x, walk *w) {
    (void)x;
    visit(w->from);
    if (!w->plain && w->from->next) visit(w->from->next);
    explore_wrote(&shared.ran[w->number]);
    EXPLORE_CHECK(shared.ran[w->number]++ == 0);
    return w->plain ? SVS_OK : svs_link(w->from, next, w->next);
}
SVS_TASK(walk, walk_run, walk_touch)

typedef struct draft {
    uint32_t from, next;
    bool plain;
} draft;

/* Nodes 0 -> 1, 2 -> 3, 4. The first two walks run at once, and so might the next two, by what they
 * come to before; but then both of these come to node 4. */
static const draft two_chains[WALKS] = {{0, 4, false}, {2, 4, false}, {0, 3, false},
                                        {2, 3, false}, {4, 4, true},  {3, 0, false}};
/* The third finds no colour, and ends its window while the fourth may be walked. */
static const draft one_chain[WALKS] = {{0, 4, false}, {0, 3, false}, {0, 1, false},
                                       {2, 3, false}, {0, 4, false}, {3, 0, false}};

static void open_world(const draft *draft, walk *walks) {
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    make_chains(shared.world, shared.nodes, NODES);
    for (uint32_t i = 0; i < WALKS; i++)
        walks[i] =
            (walk){i, shared.nodes[draft[i].from], shared.nodes[draft[i].next], draft[i].plain};
}

static svs_task *add(svs_graph *graph, svs_algorithm algorithm, const walk *walks, uint32_t count) {
    return support_task(graph, &walk_task, algorithm, walks, count, sizeof *walks);
}

static void run_walks(const draft *draft, bool beside) {
    walk walks[WALKS];
    svs_graph *graph;
    svs_task *first, *second;
    open_world(draft, walks);
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    first = add(graph, SVS_ALGORITHM_WINDOWED, walks, WALKS);
    if (beside) {
        walk others[OTHERS] = {{WALKS, shared.nodes[1], shared.nodes[2], false},
                               {WALKS + 1, shared.nodes[0], shared.nodes[2], false}};
        second = add(graph, SVS_ALGORITHM_PROGRESSIVE, others, OTHERS);
        EXPLORE_CHECK(svs_graph_set_independent(graph, first, second) == SVS_OK);
    }
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < WALKS + (beside ? OTHERS : 0); i++) EXPLORE_CHECK(shared.ran[i] == 1);
    support_end(shared.runtime, shared.world, NULL, graph);
}
static void walked(void) { run_walks(two_chains, false); }
static void walked_beside(void) { run_walks(two_chains, true); }
static void walked_narrow(void) { run_walks(one_chain, false); }

const explore_scenario explore_walked = {"walked", walked, 1, 4000,
                                         "an instance that runs with elements of earlier links"};
const explore_scenario explore_walked_beside = {"walked_beside", walked_beside, 1, 4000,
                                                "the same beside another domain's instances"};
const explore_scenario explore_walked_narrow = {
    "walked_narrow", walked_narrow, 1, 4000,
    "a body alongside a walk for a window that is complete already"};
