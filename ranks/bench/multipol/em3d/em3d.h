/* EM3D (section 2.2.1.3 and figure 2.1 of Wen's thesis): electric and magnetic fields on a random
 * bipartite graph; each state changes by the states of its sources, by their weights.
 *
 * The generator is the thesis': on each rank `nodes` nodes, half of each colour, each with `degree`
 * edges. `remote` percent of the edges come from ranks at most `span` away in a line. Each rank's
 * part depends on its number and the seed alone, so that any rank can make it. */
#ifndef BENCH_MULTIPOL_EM3D_H
#define BENCH_MULTIPOL_EM3D_H

#include "common.h"
#include <stdbool.h>
#include <svs/ranks.h>

enum { EM3D_RED, EM3D_BLACK, EM3D_COLOURS };

typedef struct em3d_shape {
    uint64_t nodes, degree, remote, span, steps, seed; /* remote: percent */
} em3d_shape;

typedef struct em3d_edge {
    uint32_t rank, index; /* where the source is; it has the other colour */
    double weight;
} em3d_edge;

/* The part of one rank: nodes / 2 of each colour, and `degree` edges to each of them, in the order
 * of the nodes. */
typedef struct em3d_part {
    double *values[EM3D_COLOURS];
    em3d_edge *edges[EM3D_COLOURS];
} em3d_part;

em3d_part em3d_make(const em3d_shape *shape, uint32_t rank, uint32_t ranks);
void em3d_free(em3d_part *part);
static inline uint32_t em3d_count(const em3d_shape *shape) { return (uint32_t)shape->nodes / 2; }

/* What a run took on this rank; processor and idle time are added up over ranks. */
typedef struct em3d_result {
    uint64_t ns, cpu_ns, idle_ns, messages, bytes, early, ghosts;
} em3d_result;

/* What the steps took one thread. */
typedef struct em3d_times {
    uint64_t ns, cpu_ns;
} em3d_times;

/* The states of this rank's part after all steps, in its own memory: by one thread for all ranks
 * (the serial elision), over ranks, and by a neighbour exchange on plain MPI. */
em3d_times em3d_serial(const em3d_shape *shape, em3d_part *parts, uint32_t ranks);
uint64_t em3d_bare(const em3d_shape *shape, em3d_part *part, uint32_t rank, uint32_t ranks);

/* Adds this rank's nodes and edges to a graph. */
typedef svs_status em3d_fill(svs_ranks *ranks, svs_bipartite *graph, const void *argument);

/* Over ranks: fills a graph, takes the steps, and copies the states of this rank. */
typedef struct em3d_run {
    const char *name; /* of the graph */
    uint64_t steps;
    em3d_fill *fill;
    const void *argument;
    double *values[EM3D_COLOURS];
    em3d_result result;
} em3d_run;
svs_status em3d_ranks(svs_ranks *ranks, em3d_run *run);

/* What fills it with a part. */
typedef struct em3d_filling {
    const em3d_shape *shape;
    const em3d_part *part;
} em3d_filling;
em3d_fill em3d_fill_part;

/* Olden's graph: all of it, on each rank. `draws` and `local` are the counts that Olden prints. */
typedef struct em3d_olden {
    uint32_t n, degree; /* nodes of each colour */
    double *values[EM3D_COLOURS];
    uint32_t *first[EM3D_COLOURS], *sources[EM3D_COLOURS]; /* of edges to the nodes of a colour */
    double *weights[EM3D_COLOURS];
    uint64_t draws, local;
} em3d_olden;
em3d_olden em3d_olden_make(uint32_t n, uint32_t degree, uint32_t percent);
void em3d_olden_free(em3d_olden *graph);
void em3d_olden_serial(em3d_olden *graph, uint64_t steps);
uint32_t em3d_olden_first(const em3d_olden *graph, uint32_t rank, uint32_t ranks); /* its node */
em3d_fill em3d_olden_fill;

#endif
