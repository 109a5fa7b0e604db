/* Ranks of communicators, in a program that uses MPI itself: its world and a half of it at once,
 * one after the other, and used by MPI meanwhile; and the misuse of svs_transport_mpi_of(). With
 * the word `funneled`: MPI serves the main thread alone, and a step of another one is refused.
 *
 *     ranks/ranks.sh openmpi 4 build/dev/tests/bin/ranks_inside_openmpi */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <svs/ranks.h>

static int faults;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "wrong: line %d: %s\n", __LINE__, #condition);                         \
            faults++;                                                                              \
        }                                                                                          \
    } while (0)

typedef struct group {
    const svs_transport *transport;
    svs_ranks *ranks;
    uint64_t heard, place;
} group;

static void hear(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count) {
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) ((group *)part)->heard += words[i];
}
SVS_HANDLER_IN_PLACE(tell, uint64_t, hear)

static svs_status tell_all(svs_ranks *ranks, void *state) {
    svs_status status = SVS_OK;
    for (uint32_t to = 0; to < svs_ranks_count(ranks) && status == SVS_OK; to++)
        status = tell_post(ranks, to, state);
    return status;
}

static void begin(MPI_Comm communicator, uint64_t place, group *made) {
    static const svs_handler *const handlers[] = {&tell};
    MPI_Comm copy;
    svs_ranks_options options;
    *made = (group){.place = place};
    MPI_Comm_dup(communicator, &copy);
    EXPECT(svs_transport_mpi_of(&copy, &made->transport) == SVS_OK);
    MPI_Comm_free(&copy); /* the transport has its own */
    svs_ranks_options_init(&options);
    options.transport = made->transport;
    EXPECT(svs_ranks_new(&options, &made->ranks) == SVS_OK);
    svs_ranks_set_data(made->ranks, made);
    EXPECT(svs_handlers_add(made->ranks, handlers, 1) == SVS_OK);
    EXPECT(svs_ranks_begin(made->ranks, tell_all, &made->place) == SVS_OK);
}

static void end(group *one, uint64_t heard) {
    EXPECT(svs_transport_mpi_free(one->transport) == SVS_E_BUSY);
    EXPECT(svs_ranks_end(one->ranks) == SVS_OK);
    EXPECT(one->heard == heard);
    EXPECT(svs_ranks_free(one->ranks) == SVS_OK);
    EXPECT(svs_transport_mpi_free(one->transport) == SVS_OK);
}

/* Steps both in turn, and uses MPI in between. */
static void step_both(group *one, group *other) {
    svs_status first = SVS_WAIT, second = SVS_WAIT;
    MPI_Request request;
    int mine = 1, all = 0, done = 0, size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    while (first == SVS_WAIT || second == SVS_WAIT || done == 0) {
        if (first == SVS_WAIT) first = svs_ranks_step(one->ranks, 0);
        if (second == SVS_WAIT) second = svs_ranks_step(other->ranks, 0);
        if (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    EXPECT(first == SVS_OK && second == SVS_OK && all == size);
}

static void use(int rank, int size) {
    uint64_t of_all = 0, of_half = 0;
    MPI_Comm half;
    group world, part;
    for (int i = 0; i < size; i++) {
        of_all += (uint64_t)i;
        if (i % 2 == rank % 2) of_half += (uint64_t)i;
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    begin(MPI_COMM_WORLD, (uint64_t)rank, &world);
    begin(half, (uint64_t)rank, &part);
    step_both(&world, &part);
    end(&part, of_half);
    end(&world, of_all);
    MPI_Comm_free(&half);
}

/* ---- an MPI that serves its main thread alone ---- */

static void *step_elsewhere(void *argument) {
    group *one = argument;
    EXPECT(svs_ranks_step(one->ranks, 0) == SVS_E_THREAD);
    EXPECT(svs_ranks_end(one->ranks) == SVS_E_THREAD);
    return NULL;
}

static void use_main_thread(int rank, int size) {
    pthread_t other;
    svs_status status;
    uint64_t all = 0;
    group one;
    for (int i = 0; i < size; i++) all += (uint64_t)i;
    begin(MPI_COMM_WORLD, (uint64_t)rank, &one);
    EXPECT(pthread_create(&other, NULL, step_elsewhere, &one) == 0);
    EXPECT(pthread_join(other, NULL) == 0);
    while ((status = svs_ranks_step(one.ranks, 1000000)) == SVS_WAIT) continue;
    EXPECT(status == SVS_OK);
    end(&one, all);
}

/* ---- misuse ---- */

static int refuse_other_kind(const svs_transport *transport, int argc, char **argv) {
    (void)argc, (void)argv;
    EXPECT(svs_transport_mpi_free(transport) == SVS_E_INVALID);
    return 0;
}

static void free_other_kind(void) {
    char name[] = "inside", where[] = "--transport=local:1";
    char *argv[] = {name, where, NULL};
    EXPECT(svs_ranks_main(NULL, refuse_other_kind, 2, argv) == 0);
}

static void misuse(void) {
    const svs_transport *transport = NULL;
    MPI_Comm none = MPI_COMM_NULL, world = MPI_COMM_WORLD;
    EXPECT(svs_transport_mpi_of(NULL, &transport) == SVS_E_NULL);
    EXPECT(svs_transport_mpi_of(&none, &transport) == SVS_E_INVALID && transport == NULL);
    EXPECT(svs_transport_mpi_free(NULL) == SVS_OK);
    EXPECT(svs_transport_mpi_of(&world, &transport) == SVS_OK); /* never used */
    EXPECT(svs_transport_mpi_free(transport) == SVS_OK);
    free_other_kind();
}

int main(int argc, char **argv) {
    const svs_transport *transport = NULL;
    MPI_Comm world = MPI_COMM_WORLD;
    bool funneled = argc > 1 && strcmp(argv[1], "funneled") == 0;
    int level, rank, size, all = 0;
    EXPECT(svs_transport_mpi_of(&world, &transport) == SVS_E_STATE);
    MPI_Init_thread(&argc, &argv, funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED, &level);
    EXPECT(level == MPI_THREAD_FUNNELED || !funneled);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (funneled) use_main_thread(rank, size);
    else misuse();
    for (int i = 0; i < 3; i++) use(rank, size);
    MPI_Reduce(&faults, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks inside: %d faults\n", size, all);
    MPI_Finalize();
    return faults != 0;
}
