/* The generator, and the serial program. */
#include "em3d.h"

#include <stdlib.h>

static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)((next(state) >> 32) * n >> 32);
}

static double unit(uint64_t *state) { return (double)(next(state) >> 11) / 9007199254740992.0; }

/* A rank at most `span` away, and not this one, if there is one. */
static uint32_t neighbour(const em3d_shape *shape, uint64_t *state, uint32_t rank, uint32_t ranks) {
    uint32_t span = (uint32_t)shape->span;
    uint32_t low = rank < span ? 0 : rank - span;
    uint32_t high = ranks - 1 - rank < span ? ranks - 1 : rank + span, at;
    if (low == high) return rank;
    at = low + below(state, high - low);
    return at < rank ? at : at + 1;
}

em3d_part em3d_make(const em3d_shape *shape, uint32_t rank, uint32_t ranks) {
    uint32_t count = em3d_count(shape), degree = (uint32_t)shape->degree;
    uint64_t state = shape->seed * 1000003 + rank;
    em3d_part made;
    for (int c = 0; c < EM3D_COLOURS; c++) {
        made.values[c] = bench_allocate(count, sizeof(double));
        made.edges[c] = bench_allocate((size_t)count * degree, sizeof(em3d_edge));
        for (uint32_t i = 0; i < count; i++) made.values[c][i] = unit(&state);
        for (size_t i = 0; i < (size_t)count * degree; i++) {
            bool remote = below(&state, 100) < shape->remote;
            made.edges[c][i].rank = remote ? neighbour(shape, &state, rank, ranks) : rank;
            made.edges[c][i].index = below(&state, count);
            made.edges[c][i].weight = unit(&state) / degree;
        }
    }
    return made;
}

void em3d_free(em3d_part *part) {
    for (int c = 0; c < EM3D_COLOURS; c++) {
        free(part->values[c]);
        free(part->edges[c]);
    }
}

/* An edge with its source at hand, as the other programs have it, too. */
typedef struct link {
    const double *source;
    double weight;
} link;

static link *find_sources(const em3d_shape *shape, const em3d_part *parts, uint32_t rank,
                          int colour) {
    size_t all = (size_t)em3d_count(shape) * shape->degree;
    const em3d_edge *edges = parts[rank].edges[colour];
    link *links = bench_allocate(all, sizeof *links);
    for (size_t i = 0; i < all; i++)
        links[i] = (link){&parts[edges[i].rank].values[!colour][edges[i].index], edges[i].weight};
    return links;
}

static void step(const em3d_shape *shape, double *values, const link *edge) {
    uint32_t degree = (uint32_t)shape->degree;
    for (uint32_t i = 0; i < em3d_count(shape); i++) {
        double value = values[i];
        for (uint32_t k = 0; k < degree; k++, edge++) value -= edge->weight * *edge->source;
        values[i] = value;
    }
}

em3d_times em3d_serial(const em3d_shape *shape, em3d_part *parts, uint32_t ranks) {
    link **links[EM3D_COLOURS];
    uint64_t begun, cpu_begun;
    em3d_times took;
    for (int c = 0; c < EM3D_COLOURS; c++) {
        links[c] = bench_allocate(ranks, sizeof *links[c]);
        for (uint32_t rank = 0; rank < ranks; rank++)
            links[c][rank] = find_sources(shape, parts, rank, c);
    }
    cpu_begun = bench_thread_cpu_ns();
    begun = bench_wall_ns();
    for (uint64_t s = 0; s < shape->steps; s++)
        for (int c = 0; c < EM3D_COLOURS; c++)
            for (uint32_t rank = 0; rank < ranks; rank++)
                step(shape, parts[rank].values[c], links[c][rank]);
    took.ns = bench_wall_ns() - begun;
    took.cpu_ns = bench_thread_cpu_ns() - cpu_begun;
    for (int c = 0; c < EM3D_COLOURS; c++) {
        for (uint32_t rank = 0; rank < ranks; rank++) free(links[c][rank]);
        free(links[c]);
    }
    return took;
}
