/* Misuse of bipartite graphs: each program runs on two ranks over sim. */
#include "misuse.h"
#include <svs/ranks.h>

static svs_bipartite_options options_of(const char *name) {
    svs_bipartite_options options;
    svs_bipartite_options_init(&options);
    options.name = name;
    options.node_bytes = 8;
    return options;
}

/* The thread of a rank. */
typedef struct me {
    svs_thread thread;
    svs_counter done;
} me;
static me all[2];

/* A graph with a red and a black node on each rank. */
static svs_status make(svs_ranks *ranks, svs_bipartite_options options) {
    svs_bipartite *graph = NULL;
    svs_status status = svs_bipartite_new(ranks, &options, &graph);
    svs_ranks_set_data(ranks, graph);
    all[svs_ranks_index(ranks)] = (me){.done = {0, 0}};
    if (status == SVS_OK) status = svs_bipartite_add_node(graph, SVS_BIPARTITE_RED, NULL, NULL);
    return status ? status : svs_bipartite_add_node(graph, SVS_BIPARTITE_BLACK, NULL, NULL);
}

static svs_status make_one(svs_ranks *ranks) { return make(ranks, options_of("one")); }

static svs_status add_edge(svs_ranks *ranks, uint32_t from, svs_bipartite_colour colour,
                           uint32_t to) {
    uint32_t rank = svs_ranks_index(ranks);
    svs_status status = make_one(ranks);
    svs_bipartite_node source = {1 - rank, from, colour};
    svs_bipartite_node target = {rank, to, SVS_BIPARTITE_RED};
    if (status != SVS_OK) return status;
    return svs_bipartite_add_edge((svs_bipartite *)svs_ranks_data(ranks), source, target, 1);
}

static svs_status add_good_edge(svs_ranks *ranks) {
    return add_edge(ranks, 0, SVS_BIPARTITE_BLACK, 0);
}
static svs_status add_bad_edge(svs_ranks *ranks) {
    return add_edge(ranks, 1, SVS_BIPARTITE_BLACK, 0);
}

#define PREPARE(name_, ...)                                                                        \
    static svs_status name_##_prepare(svs_ranks *ranks) { __VA_ARGS__ }                            \
    static svs_status name_(setting *s) { return stage_ranks(s, name_##_prepare, NULL); }

/* clang-format off */
PREPARE(of_no_version,
        svs_bipartite_options options = options_of("one");
        options.size = 1;
        return make(ranks, options);)
PREPARE(without_name, return make(ranks, options_of(""));)
PREPARE(twice, svs_status status = make_one(ranks); return status ? status : make_one(ranks);)
PREPARE(without_node_bytes,
        svs_bipartite_options options = options_of("one");
        options.node_bytes = 0;
        return make(ranks, options);)
PREPARE(edge_within_colour, return add_edge(ranks, 0, SVS_BIPARTITE_RED, 0);)
PREPARE(edge_to_missing, return add_edge(ranks, 0, SVS_BIPARTITE_BLACK, 1);)
/* clang-format on */

static svs_status run(svs_ranks *ranks, void *state) {
    uint32_t rank = svs_ranks_index(ranks);
    me *mine = &all[rank];
    svs_bipartite *graph = (svs_bipartite *)svs_ranks_data(ranks);
    svs_status status;
    (void)state;
    SVS_THREAD_BEGIN(ranks, mine);
    status = svs_bipartite_connect(graph, &mine->done);
    if (status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, mine, &mine->done, 1);
    if (rank != 0) return SVS_OK;
    status = svs_bipartite_validate(graph, SVS_BIPARTITE_BLACK, &mine->done);
    if (status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, mine, &mine->done, 2);
    SVS_THREAD_END;
}

static svs_status validate_first(svs_ranks *ranks, void *state) {
    (void)state;
    return svs_bipartite_validate((svs_bipartite *)svs_ranks_data(ranks), SVS_BIPARTITE_RED,
                                  &all[svs_ranks_index(ranks)].done);
}

static svs_status edge_from_missing(setting *s) { return stage_ranks(s, add_bad_edge, run); }
static svs_status validate_on_one_rank(setting *s) { return stage_ranks(s, add_good_edge, run); }
static svs_status validate_unconnected(setting *s) {
    return stage_ranks(s, add_good_edge, validate_first);
}

const misuse misuses_of_bipartite[] = {
    {"svs_bipartite_new: options of another version", SVS_E_VERSION,
     "svs_bipartite_new: options are NULL or of another version: fill them by "
     "svs_bipartite_options_init()",
     of_no_version, false},
    {"svs_bipartite_new: without a name", SVS_E_INVALID,
     "svs_bipartite_new: its name is missing, or longer than 23 bytes: choose another one",
     without_name, false},
    {"svs_bipartite_new: a name twice", SVS_E_INVALID,
     "svs_bipartite_new: its name is taken by another graph: choose another one", twice, false},
    {"svs_bipartite_new: without the size of a state", SVS_E_INVALID,
     "node_bytes is not 1 to 2^16: set it to the size of a node's state", without_node_bytes,
     false},
    {"svs_bipartite_add_edge: within one colour", SVS_E_INVALID,
     "both nodes have one colour: an edge leads from red to black, or back", edge_within_colour,
     false},
    {"svs_bipartite_add_edge: to a node that is not there", SVS_E_INVALID,
     "svs_bipartite_add_edge: it leads to no node of this rank, or its source names no rank",
     edge_to_missing, false},
    {"svs_bipartite_connect: an edge from a node that is not there", SVS_E_INVALID,
     "an edge comes from a node of this rank that is not there: add all nodes before",
     edge_from_missing, false},
    {"svs_bipartite_validate: before it is connected", SVS_E_STATE,
     "svs_bipartite_validate: the graph is not connected: wait for svs_bipartite_connect()",
     validate_unconnected, false},
    {"svs_bipartite_validate: on some ranks only", SVS_E_DEADLOCK, "which is 1, to be 2",
     validate_on_one_rank, false},
    {NULL, 0, NULL, NULL, false}};
