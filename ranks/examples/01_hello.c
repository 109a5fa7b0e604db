/* Shows:  ranks, records and their handler: each rank posts to rank 0.
 * Run:    build/release/bin/ranks_01_hello --transport local:4
 * Expect: one line of rank 0 (expected.txt). */
#include <stdio.h>
#include <svs/ranks.h>

/* A record, and the handler that receives runs of them on rank 0. */
typedef struct found {
    uint64_t number;
} found;

static void count_found(svs_ranks *ranks, void *data, const found *records, uint32_t count) {
    uint64_t *heard = (uint64_t *)data; /* this rank's own */
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) *heard += records[i].number % 3 == 0;
}

SVS_HANDLER_IN_PLACE(tell, found, count_found)

/* The first fiber of each rank. It is its own continuation when a post must wait. */
static svs_status search(svs_ranks *ranks, void *state) {
    found *next = (found *)state;
    for (; next->number < 1000; next->number += svs_ranks_count(ranks)) {
        svs_status status = next->number % 3 == 0 ? tell_post(ranks, 0, next) : SVS_OK;
        svs_fiber rest;
        if (status == SVS_OK) continue;
        if (status != SVS_WAIT) return status;
        status = svs_fiber_continue(ranks, search, &rest);
        return status != SVS_OK ? status : svs_post_ready(ranks, 0, rest);
    }
    return SVS_OK;
}

static svs_status run(svs_ranks *ranks, uint64_t *heard) {
    static const svs_handler *const handlers[] = {&tell};
    found first = {svs_ranks_index(ranks) + 1};
    svs_status status;
    svs_ranks_set_data(ranks, heard);
    status = svs_handlers_add(ranks, handlers, 1);
    return status != SVS_OK ? status : svs_ranks_run(ranks, search, &first);
}

/* Called once for each rank. */
static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    uint64_t heard = 0;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    status = run(ranks, &heard);
    if (status != SVS_OK) fprintf(stderr, "%s\n", svs_ranks_failure(ranks));
    else if (svs_ranks_index(ranks) == 0)
        printf("rank 0 of %u has heard %llu multiples of 3\n", svs_ranks_count(ranks),
               (unsigned long long)heard);
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
