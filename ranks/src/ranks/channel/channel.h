/* Channels: aggregation of records, flow control, and the sending of packets.
 *
 *     put ----> open ----full, flush----> sent, for one credit
 *                 \---full, no credit---> queued (records of handlers alone) ----credit----> sent
 *
 *   ranks.B1  No record stays in a buffer for ever. A buffer is sent when it is full, when the rank
 *             is idle, when the buffer is old, after a number of fibers, or on request. A buffer
 *             without credit is sent as soon as credit comes.
 *   ranks.B3  A rank receives each buffer for which it has given credit, even if it cannot send.
 *             (not asserted: no code that receives waits for a send)
 *   ranks.B4  While the overflow is above its mark, this rank accepts no post of a fiber. While the
 *             overflow and the suspended fibers of handlers are above the mark together, other
 *             ranks are told, and accept no fiber's post for this rank. So the number of records in
 *             flight bounds both. A post of a handler's fiber only needs credit, so that two ranks
 *             whose handlers wait for each other make progress.
 *   ranks.B9  While fibers wait to post to a rank, either its channel accepts no records, or some
 *             of the fibers that the channel enabled last have not run yet. It enables waiting
 *             fibers in their order, as many as there is room for if each posts one record of the
 *             size that was refused last. (not asserted: a scan of all channels;
 *             ranks/tests/ranks/posts.c counts refusals)
 *   ranks.B5  A small record causes no allocation after warm-up. (not asserted: tests count)
 *
 * A fiber's record is accepted if the open buffer has room for it, if there is no open buffer, or
 * if there is credit to send the open one. So a channel has at most one buffer more than
 * credits, and the overflow. A rank has a channel to itself, too: its handlers post to that
 * channel, and the loop reads it. */
#ifndef SVS__RANKS_CHANNEL_CHANNEL_H
#define SVS__RANKS_CHANNEL_CHANNEL_H

#include "ranks/channel/lane.h"
#include "ranks/channel/record.h"
#include "ranks/channel/send.h"
#include "ranks/fiber/scheduler.h"

typedef enum svs__put_result {
    SVS__PUT,
    SVS__PUT_LATER,  /* not accepted now, such as for lack of credit */
    SVS__PUT_FAILED, /* no memory: the run fails */
} svs__put_result;

typedef struct svs__posted {
    const void *record; /* a record of `bytes`; its last `rest_bytes` are at `rest` instead */
    uint32_t bytes, to, from;
    uint16_t handler, category;
    bool variable;
    bool queues; /* it is posted by an in-place handler, and always accepted */
    bool passes; /* it is posted by a handler's fiber, which needs only credit (ranks.B4) */
    bool mixes;  /* it is on the first of two hops, and gathered in a mixed run */
    const void *rest;
    uint32_t rest_bytes; /* 0: the record is in one piece */
} svs__posted;

svs_status svs__channels_init(svs_ranks *ranks);
void svs__channels_clean_up(svs_ranks *ranks);

/* Copies a record into the channel of rank `hop`. */
svs__put_result svs__channel_put(svs_ranks *ranks, uint32_t hop, const svs__posted *posted);
/* Lets the fiber wait; it is enabled when the channel accepts records again. */
svs_status svs__channel_wait(svs_ranks *ranks, uint32_t hop, svs__fiber *fiber);

/* Sends the open buffer of one channel, or of all. @param rule the count of the rule that sends
 * them; it is increased by the number of buffers that are sent. */
void svs__flush(svs_ranks *ranks, uint32_t hop, uint64_t *rule);
void svs__flush_all(svs_ranks *ranks, uint64_t *rule);

/* A packet has come from a rank, with credits. @param full whether the rank's overflow is above its
 * mark. @return false: these are more credits than the rank has used. */
bool svs__channel_credit(svs_ranks *ranks, uint32_t from, uint32_t count, bool full);
/* @return the next buffer with records for this rank itself, or NULL. The caller recycles it. */
svs__buffer *svs__channel_take_own(svs_ranks *ranks);

/* Takes back buffers that the transport has completed, sends those that it has refused, and sends
 * credits that are to be given back by packets of their own. */
void svs__channels_serve(svs_ranks *ranks);

/* Whether fibers wait until the rank accepts records. */
static inline bool svs__has_waiters(const svs__channel *channel) {
    return channel->waiters.first != NULL || channel->handlers.first != NULL;
}

static inline uint64_t svs__now(const svs_ranks *ranks) {
    return ranks->type->now(ranks->endpoint);
}

#endif
