/* The report of a deadlock: all ranks are idle, and fibers are suspended that nothing can enable.
 *
 *   ranks.Q2  Quiescence with suspended fibers is SVS_E_DEADLOCK, with the list of waits and a DOT
 *             file.
 *
 * Rank 0 asks for the waits of all ranks, down the tree; each rank adds its own to those from
 * below. Rank 0 lists 1,024 at most and says how many it has left out, writes the file, and ends
 * the run with the first waits in its text. */
#ifndef SVS__RANKS_COLLECTIVE_DEADLOCK_H
#define SVS__RANKS_COLLECTIVE_DEADLOCK_H

#include "ranks/channel/channel.h"

/* Begins the report. Called when quiescence with suspended fibers is proven at rank 0, and
 * elsewhere when the parent asks for waits. */
void svs__deadlock_begin(svs_ranks *ranks);
/* A packet of kind SVS__PACKET_REPORT has arrived. */
void svs__deadlock_heard(svs_ranks *ranks, uint32_t from, const unsigned char *data,
                         uint32_t bytes);
void svs__deadlock_clean_up(svs_ranks *ranks);

#endif
