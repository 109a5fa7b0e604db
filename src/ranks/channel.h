/* Channels: aggregation of records, flow control, and the sending of packets.
 *
 *     put ----> open ----full, flush----> sent, for one credit
 *                 \---full, no credit---> queued (records of handlers alone) ----credit----> sent
 *
 *   ranks.B1  No record stays in a buffer for ever: a buffer is sent when it is full, when the rank
 *             is idle, when it is old, after a number of fibers, or on request; without credit, as
 *             soon as there is some.
 *   ranks.B3  A rank receives everything for which it has given credit, even if it cannot send.
 *             (not asserted: nothing that receives waits for anything that is sent)
 *   ranks.B4  While overflow is above its mark, no fiber's post is accepted: on this rank, nor, for
 *             this rank, on another one that it was told. So overflow is bounded by what handlers
 *             post for the records that are under way.
 *   ranks.B5  A small record causes no allocation after warm-up. (not asserted: tests count)
 *
 * A record that a fiber posts is accepted if it fits into the open buffer, or if there is none, or
 * credit to send it. So at most one buffer more than the window belongs to a channel, beside the
 * overflow. The own rank's channel holds what handlers post to it, and is read by the loop. */
#ifndef SVS_RANKS_CHANNEL_H
#define SVS_RANKS_CHANNEL_H

#include "ranks/lane.h"
#include "ranks/record.h"
#include "ranks/scheduler.h"
#include "ranks/send.h"

typedef enum svs__put_result {
    SVS__PUT,
    SVS__PUT_LATER,  /* no credit */
    SVS__PUT_FAILED, /* no memory: the run fails */
} svs__put_result;

typedef struct svs__posted {
    const void *record;
    uint32_t bytes, to, from;
    uint16_t handler;
    bool variable;
    bool queues; /* a handler's: always accepted */
} svs__posted;

svs_status svs__channels_init(svs_ranks *ranks);
void svs__channels_clean_up(svs_ranks *ranks);
/* Puts new buffers into a list, which is their home. @return false: no memory. */
bool svs__buffers_fill(svs_ranks *ranks, svs__buffers *list, uint32_t count, uint32_t bytes);

/* Copies a record into the channel of rank `hop`. */
svs__put_result svs__channel_put(svs_ranks *ranks, uint32_t hop, const svs__posted *posted);
/* Would a record of a fiber be accepted now, whatever its size? */
bool svs__channel_accepts(const svs_ranks *ranks, const svs__channel *channel);
/* The fiber is enabled when the channel accepts records again. */
svs_status svs__channel_wait(svs_ranks *ranks, uint32_t hop, svs__fiber *fiber);

/* Sends the open buffers; `rule` counts those that are sent. */
void svs__flush(svs_ranks *ranks, uint32_t hop, uint64_t *rule);
void svs__flush_all(svs_ranks *ranks, uint64_t *rule);

/* A packet came from a rank, with credits. @param full the rank's overflow is above its mark.
 * @return false: more credits than there can be. */
bool svs__channel_credit(svs_ranks *ranks, uint32_t from, uint32_t count, bool full);
/* The next buffer for the own rank, or NULL; recycle it afterwards. */
svs__buffer *svs__channel_take_own(svs_ranks *ranks);

/* Buffers that the transport has completed or refused; credits that are to be given back alone. */
void svs__channels_serve(svs_ranks *ranks);

static inline uint64_t svs__now(const svs_ranks *ranks) {
    return ranks->type->now(ranks->endpoint);
}

#endif
