/* A rank that exits the process with 0 in the middle of a run: the process must fail. With an
 * argument: it exits after the end, which is no fault. */
#include <stdlib.h>
#include <svs/ranks.h>

static svs_status leave(svs_ranks *ranks, void *state) {
    if (svs_ranks_index(ranks) == 1) exit(0); /* NOLINT(concurrency-mt-unsafe) */
    return SVS_OK;
}

static svs_status stay(svs_ranks *ranks, void *state) { return SVS_OK; }

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks)) return 1;
    status = svs_ranks_run(ranks, argc > 1 ? stay : leave, NULL);
    return svs_ranks_free(ranks) || status;
}

int main(int argc, char **argv) {
    int result = svs_ranks_main(NULL, program, argc, argv);
    exit(result); /* NOLINT(concurrency-mt-unsafe) */
}
