/* Credits: how many buffers of records may be in flight from one rank to another.
 *
 *   sender    free ----> in flight (sent, arrived, or run and not given back yet) ----> free
 *   receiver  arrived: held ----> run: unreturned ----> given back, in the header of any packet
 *
 *   ranks.B2  For each pair and direction: free + in flight = credits at the sender, and held +
 *             unreturned <= credits at the receiver.
 *
 * Each buffer that arrived has a group, which counts the fibers of the buffer that have not ended,
 * and 1 while the buffer is read. */
#ifndef SVS__RANKS_CHANNEL_CREDIT_H
#define SVS__RANKS_CHANNEL_CREDIT_H

#include "ranks/state.h"

/* Number of unreturned credits from which they are given back by a packet of their own. */
static inline uint32_t svs__credit_half(const svs_ranks *ranks) {
    return ranks->options.credits / 2 == 0 ? 1 : ranks->options.credits / 2;
}

/* How many packets are needed to give back all credits of a rank at the same time. */
static inline uint32_t svs__credit_packets(const svs_ranks *ranks) {
    return ranks->options.credits / svs__credit_half(ranks);
}

/* At the sender: a buffer is sent. */
static inline void svs__credit_take(const svs_ranks *ranks, svs__channel *channel) {
    SVS__ASSERT(channel->free != 0);
    channel->free--;
    channel->in_flight++;
    SVS__ASSERT(channel->free + channel->in_flight == ranks->options.credits); /* ranks.B2 */
}

/* At the sender: credits have come back. @return false: more than are in flight. */
static inline bool svs__credit_came(const svs_ranks *ranks, svs__channel *channel, uint32_t count) {
    if (count > channel->in_flight) return false;
    channel->in_flight -= count;
    channel->free += count;
    SVS__ASSERT(channel->free + channel->in_flight == ranks->options.credits); /* ranks.B2 */
    return true;
}

/* At the receiver: takes all credits that are to be given back, for the header of a packet. */
static inline uint32_t svs__credit_give(svs_ranks *ranks, svs__channel *channel) {
    uint32_t count = channel->unreturned;
    if (count >= svs__credit_half(ranks)) ranks->credits_due--;
    channel->unreturned = 0;
    return count;
}

/* At the receiver: @return the state of what arrives from a rank, which is made if there is none;
 * NULL: no memory. */
svs__arrivals *svs__arrivals_of(svs_ranks *ranks, uint32_t from);
static inline size_t svs__arrivals_bytes(const svs_ranks *ranks) {
    return sizeof(svs__arrivals) + ranks->options.credits * sizeof(svs__arrived);
}
/* At the receiver: begins a buffer that has arrived, for which the sender had credit. */
svs__arrived *svs__arrived_new(svs_ranks *ranks, uint32_t from, svs__buffer *buffer);

/* Called when all records of a buffer have run: the buffer is released, and its credit can be given
 * back. */
void svs__buffer_has_run(svs_ranks *ranks, svs__fiber_group *group);
static inline bool svs__is_of_buffer(const svs__fiber_group *group) {
    return group->done == svs__buffer_has_run;
}

static inline void svs__fiber_group_add(svs__fiber_group *group) { group->left++; }

/* A fiber of the group has run, or the reading of the buffer has ended. */
static inline void svs__fiber_group_end(svs_ranks *ranks, svs__fiber_group *group) {
    SVS__ASSERT(group->left != 0);
    if (--group->left == 0) group->done(ranks, group);
}

#endif
