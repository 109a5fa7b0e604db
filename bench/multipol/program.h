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
/* The file that --characteristics names, or NULL: for programs that make their rank without
 * program_rank() (characteristics.h). */
const char *program_characteristics(void);

/* Runs `program` on all ranks of the transport (NULL: the default one). `name` is the program's.
 * @return its exit status. */
int program_start(const char *name, const char *transport,
                  int (*program)(const svs_transport *transport, int argc, char **argv));

/* Makes this rank, calls `run` outside of a run, prints a failure under the program's name, and
 * frees the rank. @return the program's result: 0, or 1. */
int program_rank(const svs_transport *transport, const char *name, size_t aggregate_bytes,
                 svs_status (*run)(svs_ranks *ranks, void *argument), void *argument);

#endif
