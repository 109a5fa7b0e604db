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

static void step(const em3d_shape *shape, em3d_part *parts, uint32_t rank, int colour) {
    uint32_t degree = (uint32_t)shape->degree;
    const em3d_edge *edge = parts[rank].edges[colour];
    for (uint32_t i = 0; i < em3d_count(shape); i++)
        for (uint32_t k = 0; k < degree; k++, edge++)
            parts[rank].values[colour][i] -=
                edge->weight * parts[edge->rank].values[!colour][edge->index];
}

void em3d_serial(const em3d_shape *shape, em3d_part *parts, uint32_t ranks) {
    for (uint64_t s = 0; s < shape->steps; s++)
        for (int c = 0; c < EM3D_COLOURS; c++)
            for (uint32_t rank = 0; rank < ranks; rank++) step(shape, parts, rank, c);
}
