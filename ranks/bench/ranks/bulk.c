/* Bulk transfers of rank 0 to and from a segment of rank 1, each with its acknowledgement. Over MPI
 * beside a message of the same size on plain MPI, in turn: with its acknowledgement for a write, or
 * after a request, from the other rank, for a read. */
#include "works.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 4096, LARGEST = 64 << 20, ROUNDS = 9 };

typedef struct transfer {
    svs_segment *segment;
    svs_counter done;
    unsigned char *memory; /* of the segment at rank 1, of the program at rank 0 */
    size_t bytes;
    bool reads;
    int64_t begun; /* transfers, and the segment */
    double ns;
} transfer;

static svs_status make_segment(svs_ranks *ranks, void *state) {
    transfer *mine = state;
    svs_status status =
        svs_segment_new(ranks, "bulk", 0, mine->memory, LARGEST, &mine->segment, &mine->done);
    return status == SVS_WAIT ? SVS_OK : status;
}

/* A thread of rank 0. */
static svs_status move(svs_ranks *ranks, void *state) {
    transfer *mine = *(transfer **)state;
    uint64_t begin = bench_wall_ns();
    svs_status status =
        mine->reads ? svs_bulk_read(mine->segment, 1, 0, mine->memory, mine->bytes, &mine->done)
                    : svs_bulk_write(mine->segment, 1, 0, mine->memory, mine->bytes, &mine->done);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    BENCH_OK(svs_await(ranks, &mine->done, ++mine->begun));
    mine->ns = (double)(bench_wall_ns() - begin);
    return SVS_OK;
}

static svs_status begin_move(svs_ranks *ranks, void *state) {
    if (svs_ranks_index(ranks) != 0) return SVS_OK;
    return svs_thread_spawn(ranks, move, &state, sizeof state, NULL);
}

static void compare(svs_ranks *ranks, transfer *mine, const settings *chosen) {
    double svs[ROUNDS], ratios[ROUNDS];
    char ratio[32] = "";
    for (int i = 0; i < ROUNDS; i++) {
        settings now = *chosen;
        now.bytes = mine->bytes;
        now.reads = mine->reads;
        BENCH_OK(svs_ranks_run(ranks, begin_move, mine));
        svs[i] = mine->ns;
        ratios[i] = chosen->chosen->bare == NULL ? 0 : chosen->chosen->bare(&now, 1) / svs[i];
    }
    if (svs_ranks_index(ranks) != 0) return;
    if (chosen->chosen->bare != NULL)
        (void)snprintf(ratio, sizeof ratio, " ratio_bare=%.3f", bench_median(ratios, ROUNDS));
    bench_row("bench=ranks work=bulk kind=%s transport=%s bytes=%zu gb_s=%.3f%s",
              mine->reads ? "read" : "write", chosen->transport, mine->bytes,
              (double)mine->bytes / bench_median(svs, ROUNDS), ratio);
}

void growth_bulk(svs_ranks_options *options, const settings *chosen) {
    transfer mine = {.memory = bench_allocate(LARGEST, 1), .begun = 1};
    svs_ranks *ranks;
    memset(mine.memory, 1, LARGEST); /* pages of its own */
    BENCH_OK(svs_ranks_new(options, &ranks));
    svs_counter_init(&mine.done, 0);
    BENCH_OK(svs_ranks_run(ranks, make_segment, &mine));
    for (mine.bytes = SMALLEST; mine.bytes <= LARGEST; mine.bytes *= 4)
        for (int reads = 0; reads < 2; reads++) {
            mine.reads = reads != 0;
            compare(ranks, &mine, chosen);
        }
    BENCH_OK(svs_ranks_free(ranks));
    free(mine.memory);
}
