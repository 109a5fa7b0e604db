/* What the programs of this folder have in common: how they start, and make a rank. */
#ifndef BENCH_MULTIPOL_PROGRAM_H
#define BENCH_MULTIPOL_PROGRAM_H

#include "common/option_table.h"
#include <svs/ranks.h>

/* Rows for a settings struct with the members `transport` and `name`, both const char *; and
 * --characteristics, which program_rank() obeys. */
#define PROGRAM_OPTIONS(settings)                                                                  \
    {"transport", 't', "T", "local:N, sim:N:SEED or mpi", 1, OPTION_TEXT(settings, transport)},    \
        {"name", 0, "NAME", "The transport's name in the rows", 1, OPTION_TEXT(settings, name)}, { \
        "characteristics", 0, "FILE", "Prints counts of all runs, and writes histograms as CSV",   \
            2, OPTION_OWN(program_take_characteristics)                                            \
    }
option_take program_take_characteristics;
/* A row for a field of bits of svs_event_cures, and their names by these bits. */
#define PROGRAM_CURES(settings, field)                                                             \
    {                                                                                              \
        "cures", 0, "NAME", "Of deadlock: none, nulls, recovery, growth, two with a +, or all", 1, \
            OPTION_CHOICE(settings, field, program_cures)                                          \
    }
extern const char *const program_cures[];
/* The file that --characteristics names, or NULL: for programs that make their rank without
 * program_rank() (characteristics.h). */
const char *program_characteristics(void);

/* What a call with a counter has returned, which may be complete at once or later. */
static inline svs_status program_begun(svs_status status) {
    return status == SVS_WAIT ? SVS_OK : status;
}

/* Runs `program` on all ranks of the transport (NULL: the default one). `name` is the program's.
 * @return its exit status. */
int program_start(const char *name, const char *transport,
                  int (*program)(const svs_transport *transport, int argc, char **argv));

/* Makes this rank, calls `run` outside of a run, prints a failure under the program's name, and
 * frees the rank. @return the program's result: 0, or 1. */
int program_rank(const svs_transport *transport, const char *name, size_t aggregate_bytes,
                 svs_status (*run)(svs_ranks *ranks, void *argument), void *argument);

#endif
