/* Shows:  an observer of each rank, and categories that follow records to other ranks.
 * Run:    build/release/bin/ranks_06_observe --transport local:4
 * Expect: where the records of the searching fibers ran (ranks_06_observe in expected.txt). */
#include <inttypes.h>
#include <stdio.h>
#include <svs/ranks.h>

enum { SEARCH = 1, PER_RANK = 25 }; /* a category of this program */

typedef struct part {
    svs_ranks_observer observer;
    uint64_t fibers, records[2]; /* by the category of the code that has posted them */
} part;

typedef struct found {
    uint64_t number;
} found;

static void fiber_begins(const svs_observed_fiber *fiber, void *argument) {
    (void)fiber;
    ((part *)argument)->fibers++;
}

static void handler_begins(const svs_observed_records *records, void *argument) {
    part *mine = (part *)argument;
    if (records->category <= SEARCH) mine->records[records->category] += records->count;
}

static void take(svs_ranks *ranks, void *data, const found *records, uint32_t count) {
    (void)ranks, (void)data, (void)records, (void)count;
}

SVS_HANDLER_IN_PLACE(tell, found, take)

static svs_status search(svs_ranks *ranks, void *state) {
    (void)state;
    svs_category_set(ranks, SEARCH);
    for (uint64_t i = 0; i < PER_RANK; i++) {
        const found one = {i};
        svs_status status = tell_post(ranks, 0, &one); /* one buffer holds them: no wait */
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

static svs_status run(svs_ranks *ranks, part *mine) {
    static const svs_handler *const handlers[] = {&tell};
    svs_status status;
    svs_ranks_observer_init(&mine->observer);
    mine->observer.fiber_begins = fiber_begins;
    mine->observer.handler_begins = handler_begins;
    mine->observer.argument = mine;
    status = svs_ranks_observer_attach(ranks, &mine->observer);
    if (status == SVS_OK) status = svs_handlers_add(ranks, handlers, 1);
    return status != SVS_OK ? status : svs_ranks_run(ranks, search, NULL);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    part mine = {0};
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    status = run(ranks, &mine);
    if (status == SVS_OK && svs_ranks_index(ranks) == 0)
        printf("rank 0 ran %" PRIu64 " fiber, and %" PRIu64 " records of category %d\n",
               mine.fibers, mine.records[SEARCH], SEARCH);
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
