/* Packets to the transport, and the buffers that they are made in.
 *
 * A buffer belongs to the rank or to the transport (transport.T2); `lent` counts the buffers of the
 * transport. A buffer that the transport refuses stays in the channel's list of ready buffers,
 * before all later ones. */
#ifndef SVS__RANKS_CHANNEL_SEND_H
#define SVS__RANKS_CHANNEL_SEND_H

#include "ranks/state.h"

/* @return a buffer of the standard capacity, or of `capacity` bytes if that is larger; NULL: no
 * memory. */
svs__buffer *svs__buffer_take(svs_ranks *ranks, uint32_t capacity);
void svs__buffer_recycle(svs_ranks *ranks, svs__buffer *buffer);

/* Completes the header, which takes the credits that are to be given back, and sends the buffer. */
void svs__packet_send(svs_ranks *ranks, uint32_t to, svs__buffer *buffer, svs__packet_kind kind);
/* Sends a control packet. @param buffer a buffer of a reserve; NULL: one is taken from the pool.
 * @return false: no memory. */
bool svs__control_send(svs_ranks *ranks, uint32_t to, svs__packet_kind kind, const void *data,
                       uint32_t bytes, svs__buffer *buffer);
/* Takes back buffers that the transport has completed, and sends those that it has refused. */
void svs__send_serve(svs_ranks *ranks);

#endif
