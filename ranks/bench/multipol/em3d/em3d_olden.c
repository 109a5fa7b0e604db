/* The graph of Olden's em3d on one processor: each node leads to `degree` different nodes of the
 * other colour, drawn with the C library's 48-bit generator, and a percentage of draws is counted
 * as local. Here its nodes are divided into blocks, one for each rank. */
#include "em3d.h"

#include <stdlib.h>
#include <string.h>

typedef struct draws {
    struct drand48_data state;
} draws;

static void begin(draws *from) { (void)srand48_r(0, &from->state); }

static uint32_t draw(draws *from, uint32_t n) {
    long number;
    (void)lrand48_r(&from->state, &number);
    return (uint32_t)(number % (long)n);
}

static double draw_unit(draws *from) {
    double number;
    (void)drand48_r(&from->state, &number);
    return number;
}

/* Draws until a node is new: `marks` has the number of the node that it was drawn for. */
static uint32_t draw_target(em3d_olden *graph, draws *from, uint32_t percent, uint32_t *marks,
                            uint32_t mark) {
    for (;;) {
        uint32_t target = draw(from, graph->n);
        graph->draws++;
        if (draw_unit(from) < percent / 100.0) graph->local++;
        else (void)draw(from, 2); /* Olden draws a processor; here there is one */
        if (marks[target] == mark) continue;
        marks[target] = mark;
        return target;
    }
}

/* The edges from the nodes of a colour to those of the other one. */
static void draw_targets(em3d_olden *graph, draws *from, uint32_t percent, uint32_t *targets) {
    uint32_t *marks = bench_allocate(graph->n, sizeof *marks);
    for (uint32_t i = 0; i < graph->n; i++)
        for (uint32_t k = 0; k < graph->degree; k++)
            *targets++ = draw_target(graph, from, percent, marks, i + 1);
    free(marks);
}

/* Sorts edges by their target, in the order of their sources. */
static void sort(em3d_olden *graph, draws *from, const uint32_t *targets, int to) {
    size_t all = (size_t)graph->n * graph->degree;
    uint32_t *first = graph->first[to] = bench_allocate(graph->n + 2, sizeof *first);
    graph->sources[to] = bench_allocate(all, sizeof *graph->sources[to]);
    graph->weights[to] = bench_allocate(all, sizeof *graph->weights[to]);
    for (size_t i = 0; i < all; i++) first[targets[i] + 2]++;
    for (uint32_t i = 2; i < graph->n + 2; i++) first[i] += first[i - 1];
    for (size_t i = 0; i < all; i++) {
        uint32_t at = first[targets[i] + 1]++;
        graph->sources[to][at] = (uint32_t)(i / graph->degree);
        graph->weights[to][at] = draw_unit(from);
    }
}

em3d_olden em3d_olden_make(uint32_t n, uint32_t degree, uint32_t percent) {
    em3d_olden graph = {.n = n, .degree = degree};
    size_t all = (size_t)n * degree;
    uint32_t *targets[EM3D_COLOURS];
    draws from;
    memset(&from, 0, sizeof from);
    if (degree > n) bench_fail("a degree of %u is more than %u nodes", degree, n);
    begin(&from);
    for (int c = EM3D_COLOURS; c-- != 0;) { /* magnetic ones first: black */
        graph.values[c] = bench_allocate(n, sizeof(double));
        for (uint32_t i = 0; i < n; i++) graph.values[c][i] = draw_unit(&from);
    }
    begin(&from);
    for (int c = EM3D_COLOURS; c-- != 0;) {
        targets[c] = bench_allocate(all, sizeof *targets[c]);
        draw_targets(&graph, &from, percent, targets[c]);
    }
    begin(&from);
    for (int c = EM3D_COLOURS; c-- != 0;) {
        sort(&graph, &from, targets[c], !c);
        free(targets[c]);
    }
    return graph;
}

void em3d_olden_free(em3d_olden *graph) {
    for (int c = 0; c < EM3D_COLOURS; c++) {
        free(graph->values[c]);
        free(graph->first[c]);
        free(graph->sources[c]);
        free(graph->weights[c]);
    }
}

void em3d_olden_serial(em3d_olden *graph, uint64_t steps) {
    for (uint64_t s = 0; s < steps; s++)
        for (int c = 0; c < EM3D_COLOURS; c++)
            for (uint32_t i = 0; i < graph->n; i++)
                for (uint32_t k = graph->first[c][i]; k < graph->first[c][i + 1]; k++)
                    graph->values[c][i] -=
                        graph->weights[c][k] * graph->values[!c][graph->sources[c][k]];
}

/* ---- blocks of ranks ---- */

uint32_t em3d_olden_first(const em3d_olden *graph, uint32_t rank, uint32_t ranks) {
    return (uint32_t)((uint64_t)graph->n * rank / ranks);
}

static svs_bipartite_node name(const em3d_olden *graph, uint32_t node, int colour, uint32_t ranks) {
    uint32_t rank = (uint32_t)(((uint64_t)node * ranks) / graph->n);
    while (em3d_olden_first(graph, rank + 1, ranks) <= node) rank++;
    return (svs_bipartite_node){rank, node - em3d_olden_first(graph, rank, ranks),
                                (svs_bipartite_colour)colour};
}

svs_status em3d_olden_fill(svs_ranks *ranks, svs_bipartite *to, const void *argument) {
    const em3d_olden *graph = argument;
    uint32_t rank = svs_ranks_index(ranks), count = svs_ranks_count(ranks);
    uint32_t low = em3d_olden_first(graph, rank, count);
    uint32_t high = em3d_olden_first(graph, rank + 1, count);
    svs_status status = SVS_OK;
    for (int c = 0; c < EM3D_COLOURS; c++)
        for (uint32_t i = low; i < high && status == SVS_OK; i++)
            status =
                svs_bipartite_add_node(to, (svs_bipartite_colour)c, &graph->values[c][i], NULL);
    for (int c = 0; c < EM3D_COLOURS; c++)
        for (uint32_t i = low; i < high; i++)
            for (uint32_t k = graph->first[c][i]; k < graph->first[c][i + 1]; k++)
                if (status == SVS_OK)
                    status = svs_bipartite_add_edge(
                        to, name(graph, graph->sources[c][k], !c, count),
                        (svs_bipartite_node){rank, i - low, (svs_bipartite_colour)c},
                        graph->weights[c][k]);
    return status;
}
