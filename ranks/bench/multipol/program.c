#include "multipol/program.h"
#include "multipol/characteristics.h"

#include <stdio.h>

const char *const program_cures[] = {"none",   "nulls",        "recovery",        "nulls+recovery",
                                     "growth", "nulls+growth", "recovery+growth", "all",
                                     NULL};

static const char *characteristics_path;

void program_take_characteristics(const struct argp_state *state, const option_row *row,
                                  const char *text, void *settings) {
    (void)state, (void)row, (void)settings;
    characteristics_path = text;
}

const char *program_characteristics(void) { return characteristics_path; }

int program_start(const char *name, const char *transport,
                  int (*program)(const svs_transport *transport, int argc, char **argv)) {
    char words[2][64] = {"", ""};
    char *rest[] = {words[0], words[1], NULL};
    (void)snprintf(words[0], sizeof words[0], "%s", name);
    if (transport != NULL) (void)snprintf(words[1], sizeof words[1], "--transport=%s", transport);
    return svs_ranks_main(MULTIPOL_TRANSPORT, program, transport == NULL ? 1 : 2, rest);
}

int program_rank(const svs_transport *transport, const char *name, size_t aggregate_bytes,
                 svs_status (*run)(svs_ranks *ranks, void *argument), void *argument) {
    svs_ranks_options options;
    characteristics observed;
    svs_ranks *ranks;
    svs_status status;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.aggregate_bytes = aggregate_bytes;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    status = characteristics_begin(&observed, ranks, characteristics_path);
    if (status == SVS_OK) status = run(ranks, argument);
    if (status == SVS_OK) status = characteristics_end(&observed, name);
    if (status != SVS_OK)
        fprintf(stderr, "%s: %s: %s\n", name, svs_status_name(status), svs_ranks_failure(ranks));
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}
