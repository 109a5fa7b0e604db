/* Service of the network: receives packets, and passes each to the unit for its kind. */
#ifndef SVS__RANKS_NETWORK_H
#define SVS__RANKS_NETWORK_H

#include "ranks/channel/channel.h"

/* Sends buffers that the transport has refused, and receives packets. In-place handlers run.
 * @return whether a packet has arrived. */
bool svs__serve(svs_ranks *ranks);
/* Called when a phase begins: delivers the packets that were held for it, and reports the ranks
 * that have left before. */
void svs__serve_held(svs_ranks *ranks);
/* Releases the packets that are held for later phases. */
void svs__serve_forget(svs_ranks *ranks);
/* Sends open buffers that are old. */
void svs__flush_old(svs_ranks *ranks);

#endif
