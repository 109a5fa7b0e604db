#include "ranks/channel/channel.h"
#include "ranks/channel/credit.h"
#include "ranks/channel/listed.h"
#include "ranks/channel/mixed.h"
#include "ranks/channel/overflow.h"
#include "ranks/observe.h"
#include <string.h>

#define ADD_CAPACITY ((uint32_t)(sizeof(svs__packet) + sizeof(svs__record_run)))
#define ADD_MIXED (SVS__TARGET_BYTES + 1) /* a target, at an even address */

static void send_records(svs_ranks *ranks, uint32_t to, svs__buffer *buffer, uint64_t *rule) {
    svs__credit_take(ranks, &ranks->channels[to]);
    ranks->statistics.msg_sent++;
    (*rule)++;
    if (svs__is_observed(ranks)) svs__observe_sent(ranks, to, buffer, rule);
    svs__packet_send(ranks, to, buffer, SVS__PACKET_RECORDS);
}

/* Sends the open buffer. Precondition: there is an open buffer and credit, and no buffer is
 * queued. */
static void send_open(svs_ranks *ranks, uint32_t to, uint64_t *rule) {
    svs__channel *channel = &ranks->channels[to];
    svs__buffer *buffer = channel->open;
    svs__lane_close(ranks, to);
    svs__mixed_close(channel);
    channel->open = NULL;
    channel->run = NULL;
    channel->wanted = false;
    send_records(ranks, to, buffer, rule);
}

/* ---- the open buffer ---- */

/* Moves a full buffer of handlers' records to the overflow. */
static void queue_open(svs_ranks *ranks, svs__channel *channel) {
    SVS__ASSERT(ranks->lanes.of[channel - ranks->channels].handler == NULL); /* ranks.B6 */
    svs__mixed_close(channel);
    if (ranks->overflow_bytes + channel->open->bytes > svs__overflow_mark(ranks))
        svs__lanes_close(ranks);
    svs__buffers_put(&channel->queued, channel->open);
    ranks->queued_count++;
    svs__overflow_grows(ranks, channel->open->bytes, 0);
    channel->open = NULL;
    channel->run = NULL;
    if (ranks->overflow_bytes > ranks->options.overflow_bytes_max)
        (void)svs__fail(ranks, SVS_E_LIMIT,
                        "handlers have posted more than overflow_bytes_max (%zu bytes) that cannot "
                        "be sent yet: let them post less than they receive, or raise the limit",
                        ranks->options.overflow_bytes_max);
}

static svs__buffer *take_queued(svs_ranks *ranks, svs__channel *channel) {
    svs__buffer *buffer = svs__buffers_take(&channel->queued);
    if (buffer == NULL) return NULL;
    ranks->queued_count--;
    svs__overflow_falls(ranks, buffer->bytes, 0);
    return buffer;
}

static bool open_buffer(svs_ranks *ranks, uint32_t hop, uint32_t bytes) {
    svs__channel *channel = &ranks->channels[hop];
    SVS__ASSERT(!channel->mixed); /* ranks.G1 */
    channel->open = svs__buffer_take(ranks, bytes + ADD_CAPACITY);
    if (channel->open == NULL) return false;
    channel->open->bytes = (uint32_t)sizeof(svs__packet);
    if (hop == ranks->index || channel->dirty) return true;
    if (ranks->dirty_count == 0) ranks->dirty_since = 0;
    ranks->dirty[ranks->dirty_count++] = hop;
    channel->dirty = true;
    return true;
}

static bool is_alone(const svs_ranks *ranks) { return ranks->options.aggregate_bytes == 0; }

/* Copies both pieces of a record to its place. */
static void write(unsigned char *place, const svs__posted *posted) {
    uint32_t first = posted->bytes - posted->rest_bytes;
    if (first != 0) memcpy(place, posted->record, first);
    if (posted->rest_bytes != 0) memcpy(place + first, posted->rest, posted->rest_bytes);
}

static bool append(svs_ranks *ranks, svs__channel *channel, const svs__posted *posted) {
    bool fits;
    if (posted->mixes) {
        fits = svs__mixed_append(channel, posted->handler, posted->category, posted->to,
                                 posted->from, posted->record, posted->bytes);
    } else {
        unsigned char *place;
        svs__mixed_close(channel);
        place = svs__record_append(channel, posted->handler, posted->category, posted->variable,
                                   posted->to, posted->from, posted->bytes);
        if (place != NULL) write(place, posted);
        fits = place != NULL;
    }
    ranks->records_created += fits && posted->from == ranks->index;
    return fits;
}

/* Sends or queues the full open buffer, so that another one can be opened. @return false: neither
 * is possible. */
static bool make_way(svs_ranks *ranks, uint32_t hop, bool queues) {
    svs__channel *channel = &ranks->channels[hop];
    if (hop != ranks->index && channel->free != 0 && channel->queued.first == NULL)
        send_open(ranks, hop, &ranks->statistics.flushes_full);
    else if (queues) queue_open(ranks, channel);
    else return false;
    return true;
}

/* ranks.B9: whether fibers that wait must post first. Fibers of handlers come before others,
 * because the others may have to wait until handlers of the target have made progress. */
static bool must_queue(const svs__channel *channel, bool passes) {
    return passes ? channel->handlers.first != NULL : svs__has_waiters(channel);
}

svs__put_result svs__channel_put(svs_ranks *ranks, uint32_t hop, const svs__posted *posted) {
    svs__channel *channel = &ranks->channels[hop];
    svs__lane_close(ranks, hop);
    channel->mixing = NULL; /* ranks.G2 */
    /* ranks.B4 */
    SVS__ASSERT(posted->queues || posted->from != ranks->index || !svs__is_above_mark(ranks));
    if (!posted->queues && channel->queued.first != NULL) return SVS__PUT_LATER;
    if (!posted->queues && posted->from == ranks->index && must_queue(channel, posted->passes) &&
        ranks->fibers.group != &channel->woken)
        return SVS__PUT_LATER; /* ranks.B9: waiting fibers come first */
    if (!posted->queues && !posted->passes && channel->full && posted->from == ranks->index &&
        posted->to == hop)
        return SVS__PUT_LATER;
    if (channel->open != NULL) {
        if (!is_alone(ranks) && append(ranks, channel, posted)) return SVS__PUT;
        if (!make_way(ranks, hop, posted->queues)) return SVS__PUT_LATER;
    }
    if (!open_buffer(ranks, hop, posted->bytes + (posted->mixes ? ADD_MIXED : 0))) {
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a buffer of records");
        return SVS__PUT_FAILED;
    }
    (void)append(ranks, channel, posted);
    if (is_alone(ranks)) svs__flush(ranks, hop, &ranks->statistics.flushes_full);
    return SVS__PUT;
}

/* ---- flushes ---- */

/* If no other channel has an open buffer, empties the list of them, so that the clock is not read
 * for their age. */
static void forget_sent(svs_ranks *ranks, svs__channel *channel) {
    if (ranks->dirty_count != 1 || !channel->dirty || channel->open != NULL) return;
    channel->dirty = false;
    ranks->dirty_count = 0;
}

void svs__flush(svs_ranks *ranks, uint32_t hop, uint64_t *rule) {
    svs__channel *channel = &ranks->channels[hop];
    if (hop == ranks->index || channel->open == NULL) return;
    channel->wanted = true;
    if (channel->free != 0 && channel->queued.first == NULL) {
        send_open(ranks, hop, rule);
        forget_sent(ranks, channel);
    }
    SVS__ASSERT(channel->open == NULL || channel->free == 0); /* ranks.B1 */
}

/* Sends all open buffers. It begins with another rank each time, so that not all ranks send to the
 * same one first. */
void svs__flush_all(svs_ranks *ranks, uint64_t *rule) {
    uint32_t count = ranks->dirty_count, left = 0;
    ranks->since_flush = 0;
    if (count == 0) return;
    ranks->rotation++;
    for (uint32_t i = 0; i < count; i++)
        svs__flush(ranks, ranks->dirty[(ranks->index + ranks->rotation + i) % count], rule);
    for (uint32_t i = 0; i < count; i++) {
        svs__channel *channel = &ranks->channels[ranks->dirty[i]];
        channel->dirty = channel->open != NULL;
        if (channel->dirty) ranks->dirty[left++] = ranks->dirty[i];
    }
    ranks->dirty_count = left;
    ranks->dirty_since = 0;
}

/* ---- credits ---- */

/* Whether a record of a fiber would be accepted now, of any size. */
static bool accepts(const svs_ranks *ranks, const svs__channel *channel, bool passes) {
    return (!channel->full || passes) && channel->queued.first == NULL &&
           (channel->open == NULL || channel->free != 0) && !svs__is_above_mark(ranks);
}

/* Takes the next waiting fiber that may post now. Fibers of handlers come first. */
static svs__fiber *take_waiter(svs_ranks *ranks, svs__channel *channel) {
    svs__fiber *fiber = accepts(ranks, channel, true) ? svs__queue_take(&channel->handlers) : NULL;
    if (fiber != NULL || !accepts(ranks, channel, false)) return fiber;
    return svs__queue_take(&channel->waiters);
}

/* The number of fibers for which there is room, if each posts one record of the size that was
 * refused last. A buffer is sent when it is full, or after `flush_fibers` fibers. */
static uint64_t room_of(const svs_ranks *ranks, const svs__channel *channel) {
    uint64_t buffers = channel->free == 0 ? 1 : channel->free;
    uint64_t each = channel->refused == 0 ? 1 : channel->refused;
    uint64_t records = is_alone(ranks) ? 1 : (ranks->capacity - ADD_CAPACITY) / each;
    if (records > ranks->options.flush_fibers) records = ranks->options.flush_fibers;
    return buffers * (records == 0 ? 1 : records);
}

static void wake_next(svs_ranks *ranks, svs__fiber_group *woken);

/* ranks.B9 */
static void wake(svs_ranks *ranks, svs__channel *channel) {
    svs__fiber *fiber;
    uint64_t room = room_of(ranks, channel);
    svs__fiber_group *woken = &channel->woken;
    if (woken->left != 0 || ranks->ending.state != SVS__ENDING_RUNS) return;
    *woken = (svs__fiber_group){.done = wake_next, .from = (uint32_t)(channel - ranks->channels)};
    /* counts this function until all are enabled, because an in-place fiber runs at once */
    svs__fiber_group_add(woken);
    while (room-- != 0 && (fiber = take_waiter(ranks, channel)) != NULL) {
        SVS__ASSERT(fiber->group == NULL);
        fiber->group = woken;
        svs__fiber_group_add(woken);
        svs_ignore(svs__enable(ranks, fiber)); /* a failure ends the run */
    }
    woken->left--;
}

/* Called when the last fiber that was enabled has run: enables the next ones. */
static void wake_next(svs_ranks *ranks, svs__fiber_group *woken) {
    svs__channel *channel = &ranks->channels[woken->from];
    if (svs__has_waiters(channel)) wake(ranks, channel);
}

svs_status svs__channel_wait(svs_ranks *ranks, uint32_t hop, svs__fiber *fiber) {
    svs__channel *channel = &ranks->channels[hop];
    bool passes = fiber->of_handler;
    svs__queue *queue = passes ? &channel->handlers : &channel->waiters;
    if (hop == ranks->index || (!must_queue(channel, passes) && accepts(ranks, channel, passes)))
        return svs__enable(ranks, fiber);
    svs__fiber_move(ranks, fiber, SVS__FIBER_POSTS);
    if (svs__is_observed(ranks)) svs__observe_wait(ranks, fiber, SVS_WAIT_CREDIT);
    svs__queue_put(queue, fiber);
    svs__listed_put(ranks, SVS__LISTED_HELD, hop);
    channel->wanted = channel->open != NULL;
    return SVS_OK;
}

static void send_credit(svs_ranks *ranks, uint32_t to) {
    if (!svs__control_send(ranks, to, SVS__PACKET_CREDIT, NULL, 0,
                           svs__buffers_take(&ranks->credits)))
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a packet of credits");
}

/* After the overflow has fallen below its mark: enables fibers of all channels that accept records
 * again, and tells the ranks that were told that it was above. */
static void wake_all(svs_ranks *ranks) {
    if (!ranks->overflow_fell) return;
    ranks->overflow_fell = false;
    for (uint32_t n = svs__listed_count(ranks, SVS__LISTED_HELD); n != 0; n--) {
        uint32_t index = svs__listed_take(ranks, SVS__LISTED_HELD);
        svs__channel *channel = &ranks->channels[index];
        if (svs__has_waiters(channel)) wake(ranks, channel);
        if (channel->told) send_credit(ranks, index);
        if (svs__has_waiters(channel)) svs__listed_put(ranks, SVS__LISTED_HELD, index);
    }
}

bool svs__channel_credit(svs_ranks *ranks, uint32_t from, uint32_t count, bool full) {
    svs__channel *channel = &ranks->channels[from];
    if (full) svs__lane_close(ranks, from);
    channel->full = full;
    if (!svs__credit_came(ranks, channel, count)) return false;
    while (channel->free != 0 && channel->queued.first != NULL) {
        send_records(ranks, from, take_queued(ranks, channel), &ranks->statistics.flushes_full);
    }
    if (channel->open != NULL && channel->wanted && channel->free != 0 &&
        channel->queued.first == NULL)
        send_open(ranks, from, &ranks->statistics.flushes_asked);
    if (svs__has_waiters(channel)) wake(ranks, channel);
    wake_all(ranks);
    return true;
}

svs__buffer *svs__channel_take_own(svs_ranks *ranks) {
    svs__channel *channel = &ranks->channels[ranks->index];
    svs__buffer *buffer = take_queued(ranks, channel);
    if (buffer == NULL) svs__lane_close(ranks, ranks->index);
    if (buffer == NULL) {
        buffer = channel->open;
        channel->open = NULL;
        channel->run = NULL;
    }
    wake_all(ranks);
    return buffer;
}

/* ---- service ---- */

static void give_credit(svs_ranks *ranks, uint32_t to) {
    if (ranks->channels[to].unreturned >= svs__credit_half(ranks)) send_credit(ranks, to);
}

void svs__channels_serve(svs_ranks *ranks) {
    svs__send_serve(ranks);
    wake_all(ranks);
    for (uint32_t n = svs__listed_count(ranks, SVS__LISTED_DUE);
         n != 0 && ranks->failed.status == SVS_OK; n--)
        give_credit(ranks, svs__listed_take(ranks, SVS__LISTED_DUE));
}
