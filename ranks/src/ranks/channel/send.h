/* Packets to the transport, and the buffers that they are made in.
 *
 * A buffer belongs to the rank, or to the transport (transport.T2): `lent` counts the latter. One
 * that the transport refuses stays in the channel's list of ready buffers, before all later
 * ones. */
#ifndef SVS__RANKS_CHANNEL_SEND_H
#define SVS__RANKS_CHANNEL_SEND_H

#include "ranks/state.h"

/* A buffer for so many bytes, at least the standard. @return NULL: no memory. */
svs__buffer *svs__buffer_take(svs_ranks *ranks, uint32_t capacity);
void svs__buffer_recycle(svs_ranks *ranks, svs__buffer *buffer);

/* Completes the header, with the credits that are to be given back, and sends. */
void svs__packet_send(svs_ranks *ranks, uint32_t to, svs__buffer *buffer, svs__packet_kind kind);
/* Sends a control packet. @param buffer of a reserve, or NULL. @return false: no memory. */
bool svs__control_send(svs_ranks *ranks, uint32_t to, svs__packet_kind kind, const void *data,
                       uint32_t bytes, svs__buffer *buffer);
/* Buffers that the transport has completed or refused. */
void svs__send_serve(svs_ranks *ranks);

#endif
