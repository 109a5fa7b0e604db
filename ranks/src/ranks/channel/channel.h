/* Channels: aggregation of records, flow control, and the sending of packets.
 *
 *     put ----> open ----full, flush----> sent, for one credit
 *                 \---full, no credit---> queued (records of handlers alone) ----credit----> sent
 *
 *   ranks.B1  No record stays in a buffer for ever. A buffer is sent when it is full, when the rank
 *             is idle, when the buffer is old, after a number of fibers, or on request. A buffer
 *             without credit is sent as soon as credit comes.
 *   ranks.B3  A rank receives everything for which it has given credit, even if it cannot send.
 *             (not asserted: nothing that receives waits for anything that is sent)
 *   ranks.B4  While the overflow is above its mark, this rank accepts no post of a fiber. While the
 *             overflow and the suspended fibers of handlers are above the mark together, other
 *             ranks are told, and accept no fiber's post for this rank. So the records in flight
 *             bound both. A post of a handler's fiber needs credit alone, so that two ranks whose
 *             handlers wait for each other go on.
 *   ranks.B9  While fibers wait for a rank, its channel accepts no records, or some of the fibers
 *             that it enabled last have not run yet. It enables fibers in their order, as many as
 *             have room for one record each of the size that was refused last. (not asserted: a
 *             scan of all channels; ranks/tests/ranks/posts.c counts refusals)
 *   ranks.B5  A small record causes no allocation after warm-up. (not asserted: tests count)
 *
 * A fiber's record is accepted if the open buffer has room for it, if there is no open buffer, or
 * if there is credit to send the open one. So a channel has at most one buffer more than the
 * window, and the overflow. A rank has a channel to itself, too: its handlers post to that channel,
 * and the loop reads it. */
#ifndef SVS__RANKS_CHANNEL_CHANNEL_H
#define SVS__RANKS_CHANNEL_CHANNEL_H

#include "ranks/channel/lane.h"
#include "ranks/channel/record.h"
#include "ranks/channel/send.h"
#include "ranks/fiber/scheduler.h"

typedef enum svs__put_result {
    SVS__PUT,
    SVS__PUT_LATER,  /* no credit */
    SVS__PUT_FAILED, /* no memory: the run fails */
} svs__put_result;

typedef struct svs__posted {
    const void *record; /* `bytes` of it, but the last `rest_bytes` of them are at `rest` */
    uint32_t bytes, to, from;
    uint16_t handler, category;
    bool variable;
    bool queues; /* a handler's: always accepted */
    bool passes; /* of a handler's fiber (ranks.B4) */
    bool mixes;  /* on the first of two hops: in a mixed run */
    const void *rest;
    uint32_t rest_bytes; /* 0: the record is in one piece */
} svs__posted;

svs_status svs__channels_init(svs_ranks *ranks);
void svs__channels_clean_up(svs_ranks *ranks);

/* Copies a record into the channel of rank `hop`. */
svs__put_result svs__channel_put(svs_ranks *ranks, uint32_t hop, const svs__posted *posted);
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

/* Do fibers wait for the rank to accept records? */
static inline bool svs__has_waiters(const svs__channel *channel) {
    return channel->waiters.first != NULL || channel->handlers.first != NULL;
}

static inline uint64_t svs__now(const svs_ranks *ranks) {
    return ranks->type->now(ranks->endpoint);
}

#endif
