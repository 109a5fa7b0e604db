/* The options of a rank, and the comparison of those that must be the same on all ranks. */
#ifndef SVS__RANKS_OPTIONS_H
#define SVS__RANKS_OPTIONS_H

#include "ranks/state.h"

/* Copies the program's options over the defaults. @return as svs_ranks_new(), after a message. */
svs_status svs__ranks_options_take(const svs_ranks_options *given, svs_ranks_options *options);

/* The options that must be the same on all ranks, as each rank sends them. */
typedef struct svs__hello {
    uint32_t order, version, count, credits, flush_fibers, direct_ranks;
    uint64_t flush_ns, aggregate_bytes, overflow_bytes_max;
} svs__hello;

svs__hello svs__hello_of(const svs_ranks *ranks);
/* Compares the options of another rank with those of this one, as an svs__compare. */
const char *svs__hello_compare(svs_ranks *ranks, const void *other, uint32_t bytes);

#endif
