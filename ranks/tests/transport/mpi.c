/* The transport over MPI: what this process is one rank of. Records of all sizes and dispatches, in
 * order; global operations; several runs. Each rank checks itself, and a reduction adds the faults.
 *
 *     ranks/ranks.sh openmpi 4 build/dev/tests/bin/ranks_openmpi */
#include "../ranks/numbers.h"
#include "../ranks/post_again.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/ranks.h>

enum { NUMBERS = 2000, LARGE = 300000, LARGE_POSTS = 6, RANKS_MAX = 16 };

typedef struct own {
    uint32_t sent, to, expected[3][RANKS_MAX], large;
    int64_t faults, all;
    svs_counter done, made;
    svs_segment *blocks;
    uint32_t stored;
    unsigned char segment[2 * LARGE];
} own;

static void take_number(svs_ranks *ranks, uint32_t dispatch, const number *record) {
    own *mine = svs_ranks_data(ranks);
    mine->faults += record->number != mine->expected[dispatch][record->from]++;
}

/* Large records and short ones, in turn. */
static void take_large(svs_ranks *ranks, void *part, const void *bytes, uint32_t count) {
    own *mine = part;
    mine->faults += count != (mine->large++ % 2 == 0 ? LARGE : 8);
    for (uint32_t i = 0; i < count; i += 1000) mine->faults += ((const char *)bytes)[i] != 'x';
}

static const svs_handler large = {"large", SVS_DISPATCH_IN_PLACE, 0, NULL, take_large};
static svs_status post_all(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    for (; mine->to < svs_ranks_count(ranks); mine->to++, mine->sent = 0)
        for (; mine->sent < NUMBERS; mine->sent++) {
            svs_status status = post_number(ranks, mine->to, mine->sent);
            if (status) return post_again(ranks, status, mine->to, post_all);
        }
    return SVS_OK;
}

static void add(void *into, const void *from, size_t count) {
    *(int64_t *)into += *(const int64_t *)from;
}

/* The second run: large records to the next rank, which the short ones do not overtake. */
static svs_status post_large(svs_ranks *ranks, void *state) {
    uint32_t next = (svs_ranks_index(ranks) + 1) % svs_ranks_count(ranks);
    char *bytes = malloc(LARGE);
    svs_status status = SVS_OK;
    if (bytes == NULL) return SVS_E_NO_MEMORY;
    memset(bytes, 'x', LARGE);
    for (int i = 0; i < LARGE_POSTS && status == SVS_OK; i++)
        status = svs_post(ranks, next, &large, bytes, i % 2 == 0 ? LARGE : 8);
    free(bytes);
    return status;
}

/* The third run: blocks of each rank go to the next one from memory to memory, and back. */
static void check_block(own *mine, const unsigned char *bytes, uint32_t byte) {
    uint32_t i = 0;
    while (i < LARGE && bytes[i] == (unsigned char)byte) i++;
    mine->faults += i != LARGE;
}

static void take_block(svs_ranks *ranks, void *part, const uint32_t *from, uint32_t count) {
    own *mine = part;
    for (uint32_t i = 0; i < count; i++) check_block(mine, mine->segment + LARGE, from[i]);
    mine->stored += count;
}

SVS_HANDLER_IN_PLACE(stored, uint32_t, take_block)

static svs_status move_blocks(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t self = svs_ranks_index(ranks), next = (self + 1) % svs_ranks_count(ranks);
    unsigned char *bytes = malloc(LARGE);
    svs_counter done;
    svs_status status = bytes == NULL ? SVS_E_NO_MEMORY : svs_await(ranks, &mine->made, 1);
    svs_counter_init(&done, 0);
    if (status != SVS_OK) goto end;
    memset(bytes, (int)self, LARGE);
    status = svs_bulk_write(mine->blocks, next, 0, bytes, LARGE, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 1);
    if (status != SVS_OK) goto end;
    memset(bytes, 255, LARGE);
    status = svs_bulk_read(mine->blocks, next, 0, bytes, LARGE, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 2);
    if (status != SVS_OK) goto end;
    check_block(mine, bytes, self);
    status =
        svs_bulk_store(mine->blocks, next, LARGE, bytes, LARGE, &done, &stored, &self, sizeof self);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 3);
end:
    free(bytes);
    return status;
}

static svs_status make_segment(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = svs_segment_new(ranks, "blocks", 0, mine->segment, sizeof mine->segment,
                                        &mine->blocks, &mine->made);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    return svs_thread_spawn(ranks, move_blocks, NULL, 0, NULL);
}

/* The last run: the sum of all faults. */
static svs_status finish(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_distributed *object;
    svs_status status = svs_distributed_new(ranks, "faults", 0, mine, &object, &mine->done);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    for (int i = 0; i < 3; i++)
        for (uint32_t r = 0; r < svs_ranks_count(ranks); r++)
            mine->faults += mine->expected[i][r] != (NUMBERS + 2 - (uint32_t)i) / 3;
    mine->faults += mine->large != LARGE_POSTS || mine->stored != 1;
    status = svs_reduce(object, add, &mine->faults, &mine->all, sizeof mine->all, 1, &mine->done);
    return status == SVS_WAIT ? SVS_OK : status;
}

static const svs_handler *const handlers[] = {&numbers_fifo, &numbers_urgent, &numbers_run, &large,
                                              &stored};

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    static own mine;
    svs_status status;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.aggregate_bytes = 1000;
    if (svs_ranks_new(&options, &ranks)) return 1;
    svs_ranks_set_data(ranks, &mine);
    status = svs_handlers_add(ranks, handlers, 5);
    if (status == SVS_OK) status = svs_ranks_run(ranks, post_all, NULL);
    if (status == SVS_OK) status = svs_ranks_run(ranks, post_large, NULL);
    if (status == SVS_OK) status = svs_ranks_run(ranks, make_segment, NULL);
    if (status == SVS_OK) status = svs_ranks_run(ranks, finish, NULL);
    if (svs_ranks_index(ranks) == 0)
        printf("%u ranks: %s, %lld faults\n", svs_ranks_count(ranks), svs_status_name(status),
               (long long)mine.all);
    if (svs_ranks_free(ranks)) return 1;
    return status != SVS_OK || mine.all != 0;
}

int main(int argc, char **argv) { return svs_ranks_main(svs_transport_mpi(), program, argc, argv); }
