/* The loop of collective calls outside of a run. */
#ifndef SVS__RANKS_COLLECTIVE_COLLECTIVE_H
#define SVS__RANKS_COLLECTIVE_COLLECTIVE_H

#include "ranks/collective/agree.h"

/* All ranks call it; rank 0 compares (agree.h). @return the same on all ranks; a failure is logged,
 * and the rank is over. */
svs_status svs__agree(svs_ranks *ranks, const void *mine, uint32_t bytes, svs__compare *compare);

#endif
