/* The loop of collective calls outside of a run. */
#ifndef SVS__RANKS_COLLECTIVE_COLLECTIVE_H
#define SVS__RANKS_COLLECTIVE_COLLECTIVE_H

#include "ranks/collective/agree.h"

/* A collective call outside of a run, by which contributions of all ranks are compared (agree.h).
 * @return the same on all ranks. A failure is logged, and the rank can only be freed. */
svs_status svs__agree(svs_ranks *ranks, const void *mine, uint32_t bytes, svs__compare *compare);

#endif
