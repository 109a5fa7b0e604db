/* Shows:  ranks in a program that uses MPI itself: two halves of its world, each with ranks of its
 *         own.
 * Run:    ./dev ranks 4 build/release/bin/ranks_05_inside_openmpi
 * Expect: what rank 0 of each half has heard, and their sum by MPI. */
#include <mpi.h>
#include <stdio.h>
#include <svs/ranks.h>

static void hear(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count) {
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) *(uint64_t *)part += words[i];
}
SVS_HANDLER_IN_PLACE(tell, uint64_t, hear)

/* Each rank tells rank 0 of its half its place in the world. */
static svs_status start(svs_ranks *ranks, void *state) { return tell_post(ranks, 0, state); }

/* The loop is the program's: between two steps it may do what it likes. */
static svs_status run(svs_ranks *ranks, uint64_t *place) {
    static const svs_handler *const handlers[] = {&tell};
    svs_status status = svs_handlers_add(ranks, handlers, 1);
    if (status == SVS_OK) status = svs_ranks_begin(ranks, start, place);
    if (status != SVS_OK) return status;
    while ((status = svs_ranks_step(ranks, 0)) == SVS_WAIT) continue;
    return status == SVS_OK ? svs_ranks_end(ranks) : status;
}

static svs_status run_half(MPI_Comm half, uint64_t *place, uint64_t *heard) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status, freed;
    svs_ranks_options_init(&options);
    status = svs_transport_mpi_of(&half, &options.transport);
    if (status == SVS_OK) status = svs_ranks_new(&options, &ranks);
    if (status != SVS_OK) return status;
    svs_ranks_set_data(ranks, heard);
    status = run(ranks, place);
    freed = svs_ranks_free(ranks);
    if (freed == SVS_OK) freed = svs_transport_mpi_free(options.transport);
    return status != SVS_OK ? status : freed;
}

int main(int argc, char **argv) {
    int level, rank;
    uint64_t place, heard = 0, all = 0;
    svs_status status;
    MPI_Comm half;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    place = (uint64_t)rank;
    status = run_half(half, &place, &heard);
    MPI_Reduce(&heard, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank < 2) printf("half %d has heard %llu\n", rank, (unsigned long long)heard);
    if (rank == 0) printf("both have heard %llu\n", (unsigned long long)all);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return status != SVS_OK;
}
