/* The end of a collective call, a run above all: agreement of all ranks on one verdict, although a
 * rank may die meanwhile.
 *
 *   round 1   each rank tells all others the most important verdict that it knows
 *   round 2   when it has heard all others, or they have left: the same again
 *   decided   when it has heard all others' second round, or they have left
 *
 * A death is more important than a failure, and a failure than success; among equals, that of the
 * lowest rank. A rank that is told of a death in round 1 takes it into its verdict, and in round 2
 * no more: so if one rank dies, the survivors decide alike, whatever the rank has still sent. (Each
 * further death would need a further round.) A rank begins when it fails, when it is told of a
 * failure or death, or when quiescence is
 * proven.
 *
 *   ranks.X2  The ending needs no memory: three buffers for each rank are reserved. A rank tells
 *             the others of a round when they have received its rounds before the last two, so that
 *             the buffers of those are completed, or are so without any further act of another
 *             rank. (not asserted: a statement about what other ranks have done; tests/ranks/ends.c
 *             runs it)
 *
 * This is how ranks.X1 (failure.h) is kept. */
#ifndef SVS_RANKS_ENDING_H
#define SVS_RANKS_ENDING_H

#include "ranks/channel.h"

enum { SVS__ROUND_NONE, SVS__ROUND_FIRST, SVS__ROUND_SECOND, SVS__ROUND_DECIDED };

/* A phase begins: a run, or another collective call. */
void svs__ending_reset(svs_ranks *ranks);
/* The phase is to end with this verdict, or a more important one. */
void svs__ending_begin(svs_ranks *ranks, const svs__verdict *verdict);
void svs__ending_heard(svs_ranks *ranks, uint32_t from, const svs__round *round);
void svs__ending_left(svs_ranks *ranks, uint32_t from);
/* It has not begun to end. */
static inline bool svs__goes_on(const svs_ranks *ranks) {
    return ranks->in_phase && ranks->ending.round == SVS__ROUND_NONE &&
           ranks->failed.status == SVS_OK;
}
static inline bool svs__ending_is_decided(const svs_ranks *ranks) {
    return ranks->ending.round == SVS__ROUND_DECIDED;
}

#endif
