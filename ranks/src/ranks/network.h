/* Service of the network: what arrives, by the kinds of packets. */
#ifndef SVS__RANKS_NETWORK_H
#define SVS__RANKS_NETWORK_H

#include "ranks/channel/channel.h"

/* Sends what the transport has refused, and receives. In-place handlers run.
 * @return whether anything arrived. */
bool svs__serve(svs_ranks *ranks);
/* A phase has begun: what was held for it arrives, and ranks that left before are told of. */
void svs__serve_held(svs_ranks *ranks);
/* Releases what is held for later phases. */
void svs__serve_forget(svs_ranks *ranks);
/* Sends open buffers that are old. */
void svs__flush_old(svs_ranks *ranks);

#endif
