/* Collective calls outside of a run: each rank compares what its children say with what it says
 * itself, and votes (ending.h), so that all ranks return the same. */
#ifndef SVS__RANKS_COLLECTIVE_AGREE_H
#define SVS__RANKS_COLLECTIVE_AGREE_H

#include "ranks/collective/ending.h"

/* Begins a phase. @param mine the contribution of this rank, valid until the end of the phase.
 * @param compare returns NULL, or how the child differs in a text that is valid until the next
 * call. */
void svs__agree_begin(svs_ranks *ranks, const void *mine, uint32_t bytes, svs__compare *compare);
void svs__agree_heard(svs_ranks *ranks, uint32_t from, const void *other, uint32_t bytes);

#endif
