/* A neighbour exchange on plain MPI, with ghosts and nothing else of SvS: each rank knows what its
 * neighbours want, as it can make their parts, too. */
#include "em3d.h"

#include <stdlib.h>
#include <string.h>

#if defined(BENCH_MPI)
#include <mpi.h>

/* What is exchanged with one rank, of one colour. */
typedef struct exchange {
    int rank, sent_count, ghost_count;
    uint32_t *sent; /* nodes of this rank */
    double *packed, *ghosts;
} exchange;

typedef struct side {
    double *states;    /* and ghosts after them */
    uint32_t *sources; /* of each edge to the other colour's nodes: places in `states` */
    exchange *with;
    int count;
} side;

/* Which nodes of rank `of` and a colour does rank `by` read? @return marks, and how many. */
static unsigned char *wanted(const em3d_shape *shape, const em3d_part *by, uint32_t of, int colour,
                             int *count) {
    unsigned char *marks = bench_allocate(em3d_count(shape) + 1, 1);
    const em3d_edge *edges = by->edges[!colour];
    *count = 0;
    for (size_t i = 0; i < em3d_count(shape) * shape->degree; i++)
        if (edges[i].rank == of && !marks[edges[i].index]) {
            marks[edges[i].index] = 1;
            ++*count;
        }
    return marks;
}

static void add_exchange(const em3d_shape *shape, side *s, const em3d_part *mine, int colour,
                         uint32_t rank, uint32_t ranks, uint32_t other, int *ghosts) {
    em3d_part theirs = em3d_make(shape, other, ranks);
    exchange *e = &s->with[s->count];
    unsigned char *sent = wanted(shape, &theirs, rank, colour, &e->sent_count);
    unsigned char *read = wanted(shape, mine, other, colour, &e->ghost_count);
    uint32_t *place = bench_allocate(em3d_count(shape), sizeof *place);
    const em3d_edge *edges = mine->edges[!colour];
    int at = 0;
    e->rank = (int)other;
    e->sent = bench_allocate((size_t)e->sent_count + 1, sizeof *e->sent);
    e->packed = bench_allocate((size_t)e->sent_count + 1, sizeof *e->packed);
    for (uint32_t i = 0; i < em3d_count(shape); i++)
        if (sent[i]) e->sent[at++] = i;
    e->ghosts = s->states + em3d_count(shape) + *ghosts;
    for (uint32_t i = 0; i < em3d_count(shape); i++)
        if (read[i]) place[i] = em3d_count(shape) + (uint32_t)(*ghosts)++;
    for (size_t i = 0; i < em3d_count(shape) * shape->degree; i++)
        if (edges[i].rank == other) s->sources[i] = place[edges[i].index];
    if (e->sent_count != 0 || e->ghost_count != 0) s->count++;
    free(sent);
    free(read);
    free(place);
    em3d_free(&theirs);
}

static void make_side(const em3d_shape *shape, side *s, const em3d_part *mine, int colour,
                      uint32_t rank, uint32_t ranks) {
    const em3d_edge *edges = mine->edges[!colour];
    size_t all = em3d_count(shape) * shape->degree;
    int ghosts = 0;
    *s = (side){0};
    s->states = bench_allocate(em3d_count(shape) + all, sizeof *s->states);
    s->sources = bench_allocate(all, sizeof *s->sources);
    s->with = bench_allocate(ranks, sizeof *s->with);
    memcpy(s->states, mine->values[colour], em3d_count(shape) * sizeof *s->states);
    for (size_t i = 0; i < all; i++)
        if (edges[i].rank == rank) s->sources[i] = edges[i].index;
    for (uint32_t other = 0; other < ranks; other++)
        if (other != rank) add_exchange(shape, s, mine, colour, rank, ranks, other, &ghosts);
}

static void free_side(side *s) {
    for (int i = 0; i < s->count; i++) {
        free(s->with[i].sent);
        free(s->with[i].packed);
    }
    free(s->states);
    free(s->sources);
    free(s->with);
}

static void validate(side *s, int colour, MPI_Request *requests, MPI_Status *ends) {
    for (int i = 0; i < s->count; i++)
        MPI_Irecv(s->with[i].ghosts, s->with[i].ghost_count, MPI_DOUBLE, s->with[i].rank, colour,
                  MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < s->count; i++) {
        exchange *e = &s->with[i];
        for (int k = 0; k < e->sent_count; k++) e->packed[k] = s->states[e->sent[k]];
        MPI_Isend(e->packed, e->sent_count, MPI_DOUBLE, e->rank, colour, MPI_COMM_WORLD,
                  &requests[s->count + i]);
    }
    MPI_Waitall(2 * s->count, requests, ends);
}

static void compute(const em3d_shape *shape, const em3d_edge *edges, side *to, const side *from) {
    uint32_t degree = (uint32_t)shape->degree;
    const uint32_t *source = from->sources;
    for (uint32_t i = 0; i < em3d_count(shape); i++) {
        double value = to->states[i];
        for (uint32_t k = 0; k < degree; k++, edges++, source++)
            value -= edges->weight * from->states[*source];
        to->states[i] = value;
    }
}

uint64_t em3d_bare(const em3d_shape *shape, em3d_part *part, uint32_t rank, uint32_t ranks) {
    side sides[EM3D_COLOURS];
    MPI_Request *requests = bench_allocate(2 * (size_t)ranks, sizeof *requests);
    MPI_Status *ends = bench_allocate(2 * (size_t)ranks, sizeof *ends);
    uint64_t begun;
    for (int c = 0; c < EM3D_COLOURS; c++) make_side(shape, &sides[c], part, c, rank, ranks);
    validate(&sides[EM3D_BLACK], EM3D_BLACK, requests, ends);
    MPI_Barrier(MPI_COMM_WORLD);
    begun = bench_wall_ns();
    for (uint64_t s = 0; s < shape->steps; s++)
        for (int c = 0; c < EM3D_COLOURS; c++) {
            compute(shape, part->edges[c], &sides[c], &sides[!c]);
            validate(&sides[c], c, requests, ends);
        }
    MPI_Barrier(MPI_COMM_WORLD);
    begun = bench_wall_ns() - begun;
    for (int c = 0; c < EM3D_COLOURS; c++) {
        memcpy(part->values[c], sides[c].states, em3d_count(shape) * sizeof(double));
        free_side(&sides[c]);
    }
    free(requests);
    free(ends);
    return begun;
}
#else
uint64_t em3d_bare(const em3d_shape *shape, em3d_part *part, uint32_t rank, uint32_t ranks) {
    (void)shape, (void)part, (void)rank, (void)ranks;
    return 0;
}
#endif
