/* Bipartite graphs: random ones over all ranks, whose states after some steps are those of a serial
 * program bit for bit, and whose ghosts are their sources after each validate. */
#include "base/random.h"
#include "ranks/program.h"

enum { NODES = 6, EDGES = 12, STEPS = 4, RANKS_MOST = 6, COLOURS = 2 };

/* A state; the rest of it is to move with the value. No multiple of a word. */
typedef struct __attribute__((packed)) node {
    double value;
    uint64_t step;
    char name[5];
} node;

typedef struct mesh_link {
    svs_bipartite_node from;
    uint32_t to;
    double weight;
} mesh_link;

/* The part of one rank, which each rank can compute. */
typedef struct subgraph {
    uint32_t counts[COLOURS], edges[COLOURS];
    double values[COLOURS][NODES];
    mesh_link links[COLOURS][EDGES];
} subgraph;

typedef struct own {
    uint64_t seed;
    int wrong;
    svs_bipartite *graph;
    svs_thread thread;
    svs_counter done;
    uint32_t step;
    node last[COLOURS][NODES];
    svs_bipartite_statistics statistics;
} own;

static own *own_of(svs_ranks *ranks) { return svs_ranks_data(ranks); }

/* ---- the graph ---- */

static uint32_t count_of(uint64_t seed, uint32_t rank, int colour) {
    return (uint32_t)((seed * 7 + rank * 5 + (uint32_t)colour * 3) % (NODES + 1));
}

static void describe(subgraph *s, uint64_t seed, uint32_t rank, uint32_t ranks) {
    svs__random random;
    svs__random_seed(&random, seed * 100 + rank);
    memset(s, 0, sizeof *s);
    for (int c = 0; c < COLOURS; c++) {
        s->counts[c] = count_of(seed, rank, c);
        for (uint32_t i = 0; i < s->counts[c]; i++)
            s->values[c][i] = (double)svs__random_below(&random, 1000) / 7;
        if (s->counts[c] == 0) continue;
        for (uint32_t i = svs__random_below(&random, EDGES + 1); i != 0; i--) {
            uint32_t from = seed % 3 == 0 ? rank : svs__random_below(&random, ranks);
            uint32_t there = count_of(seed, from, !c);
            mesh_link one = {{from, svs__random_below(&random, there), (svs_bipartite_colour)!c},
                             svs__random_below(&random, s->counts[c]),
                             (double)svs__random_below(&random, 100) / 300};
            if (there != 0) s->links[c][s->edges[c]++] = one;
        }
    }
}

static svs_status prepare(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    uint32_t rank = svs_ranks_index(ranks);
    subgraph s;
    svs_bipartite_options options;
    svs_status status;
    describe(&s, mine->seed, rank, svs_ranks_count(ranks));
    svs_bipartite_options_init(&options);
    options.name = "mesh";
    options.node_bytes = sizeof(node);
    status = svs_bipartite_new(ranks, &options, &mine->graph);
    for (int c = 0; c < COLOURS; c++)
        for (uint32_t i = 0; i < s.counts[c] && status == SVS_OK; i++) {
            node one = {s.values[c][i], 0, "node"};
            svs_bipartite_node made;
            status = svs_bipartite_add_node(mine->graph, (svs_bipartite_colour)c, &one, &made);
            CHECK(mine, status || (made.rank == rank && made.index == i && (int)made.colour == c));
        }
    for (int c = 0; c < COLOURS; c++)
        for (uint32_t i = 0; i < s.edges[c] && status == SVS_OK; i++)
            status = svs_bipartite_add_edge(
                mine->graph, s.links[c][i].from,
                (svs_bipartite_node){rank, s.links[c][i].to, (svs_bipartite_colour)c},
                s.links[c][i].weight);
    return status;
}

/* ---- steps ---- */

static void compute(own *mine, svs_bipartite_colour colour) {
    svs_bipartite_rows rows = svs_bipartite_rows_get(mine->graph, colour);
    node *nodes = rows.states;
    for (uint32_t i = 0; i < rows.count; i++) {
        for (uint32_t k = rows.first[i]; k < rows.first[i + 1]; k++) {
            const node *source = rows.edges[k].source;
            /* structures.G1: of this step; and red is computed before black */
            CHECK(mine, source->step == mine->step + (colour == SVS_BIPARTITE_BLACK));
            CHECK(mine, memcmp(source->name, "node", 5) == 0);
            nodes[i].value -= rows.edges[k].weight * source->value;
        }
        nodes[i].step++;
    }
}

static svs_status validate(own *mine, svs_bipartite_colour colour) {
    svs_status status = svs_bipartite_validate(mine->graph, colour, &mine->done);
    if (status == SVS_WAIT)
        CHECK(mine, svs_bipartite_validate(mine->graph, colour, &mine->done) == SVS_E_BUSY);
    return status == SVS_WAIT ? SVS_OK : status;
}

static svs_status work(svs_ranks *ranks, void *state) {
    own *mine = state;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, mine);
    CHECK(mine, svs_bipartite_validate(mine->graph, 0, &mine->done) == SVS_E_STATE);
    CHECK(mine, svs_bipartite_rows_get(mine->graph, SVS_BIPARTITE_RED).count == 0);
    CHECK(mine, svs_bipartite_rows_get(NULL, SVS_BIPARTITE_RED).count == 0);
    status = svs_bipartite_connect(mine->graph, &mine->done);
    if (status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, mine, &mine->done, 1);
    CHECK(mine, svs_bipartite_connect(mine->graph, &mine->done) == SVS_E_STATE);
    CHECK(mine, svs_bipartite_add_node(mine->graph, 0, NULL, NULL) == SVS_E_STATE);
    status = validate(mine, SVS_BIPARTITE_BLACK);
    for (; status == SVS_OK; mine->step++) {
        SVS_AWAIT(ranks, mine, &mine->done, 2 + 2 * mine->step);
        if (mine->step == STEPS) break;
        compute(mine, SVS_BIPARTITE_RED);
        status = validate(mine, SVS_BIPARTITE_RED);
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, mine, &mine->done, 3 + 2 * mine->step);
        compute(mine, SVS_BIPARTITE_BLACK);
        status = validate(mine, SVS_BIPARTITE_BLACK);
    }
    if (status != SVS_OK) return status;
    for (int c = 0; c < COLOURS; c++) {
        svs_bipartite_rows rows = svs_bipartite_rows_get(mine->graph, (svs_bipartite_colour)c);
        for (uint32_t i = 0; i < rows.count; i++) mine->last[c][i] = ((const node *)rows.states)[i];
    }
    status = svs_bipartite_statistics_get(mine->graph, &mine->statistics);
    if (status != SVS_OK) return status;
    SVS_THREAD_END;
}

/* ---- the serial program ---- */

static void step(const subgraph *all, double values[][COLOURS][NODES], uint32_t ranks, int colour) {
    for (uint32_t rank = 0; rank < ranks; rank++)
        for (uint32_t i = 0; i < all[rank].edges[colour]; i++) {
            const mesh_link *one = &all[rank].links[colour][i];
            values[rank][colour][one->to] -=
                one->weight * values[one->from.rank][!colour][one->from.index];
        }
}

static const char *check(program_run *run) {
    static subgraph all[RANKS_MOST];
    static double values[RANKS_MOST][COLOURS][NODES];
    uint32_t ranks = run->program->ranks;
    uint64_t messages = 0, peers = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        describe(&all[r], run->seed, r, ranks);
        memcpy(values[r], all[r].values, sizeof values[r]);
    }
    for (int s = 0; s < STEPS; s++) {
        step(all, values, ranks, SVS_BIPARTITE_RED);
        step(all, values, ranks, SVS_BIPARTITE_BLACK);
    }
    for (uint32_t r = 0; r < ranks; r++) {
        const own *mine = program_data(run, r);
        const char *wrong = program_wrong_line(mine->wrong, r);
        if (wrong) return wrong;
        for (int c = 0; c < COLOURS; c++)
            for (uint32_t i = 0; i < all[r].counts[c]; i++)
                if (memcmp(&mine->last[c][i].value, &values[r][c][i], sizeof(double)) != 0)
                    return "a state differs from that of the serial program";
        messages += mine->statistics.messages;
        peers += mine->statistics.peers;
        if (mine->statistics.validates != 1 + 2 * STEPS) return "wrong number of validates";
    }
    /* structures.G2: red is validated STEPS times, and black once more */
    if (messages > peers * (STEPS + 1) || messages < peers * STEPS) return "too many messages";
    return NULL;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank;
    options->aggregate_bytes = seed % 3 * 200;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 4 == 0 ? 2 : 64;
}

#define MESHES_ON(n)                                                                               \
    PROGRAM(meshes_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,         \
            .prepare = prepare, .start = work, .check = check)
MESHES_ON(1);
MESHES_ON(2);
MESHES_ON(3);
MESHES_ON(6);

TEST_CASE(states_are_those_of_the_serial_program) {
    program_sim(&meshes_1, 50);
    program_sim(&meshes_2, 2000);
    program_sim(&meshes_3, 3000);
    program_sim(&meshes_6, 300);
    program_local(&meshes_3, 20);
}

TEST_CASE(a_killed_rank_ends_the_run) { program_kill(&meshes_3, 31); }

TEST_CASE(a_lack_of_memory_ends_the_run_or_is_reported) { program_exhaust(&meshes_2, 1); }

TEST_CASE(a_wrong_bit_ends_the_run) { program_flip(&meshes_3, 3000); }

/* ---- an edge from a node that is not there ---- */

static svs_status prepare_missing(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_status status = prepare(ranks);
    svs_bipartite_node from = {0, NODES + 1, SVS_BIPARTITE_BLACK};
    svs_bipartite_node to = {1, 0, SVS_BIPARTITE_RED};
    if (status != SVS_OK || svs_ranks_index(ranks) != 1) return status;
    status = svs_bipartite_add_node(mine->graph, SVS_BIPARTITE_RED, NULL, NULL);
    return status == SVS_OK ? svs_bipartite_add_edge(mine->graph, from, to, 1) : status;
}

PROGRAM(mesh_with_missing_node, .ranks = 3, .bytes = sizeof(own), .seeded = true, .options = vary,
        .prepare = prepare_missing, .start = work, .status = SVS_E_INVALID,
        .text = "an edge comes from a node of this rank that is not there");

TEST_CASE(an_edge_from_a_missing_node_ends_the_run) { program_sim(&mesh_with_missing_node, 100); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
