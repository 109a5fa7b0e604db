#include "ranks/channel/send.h"
#include "ranks/channel/credit.h"
#include "ranks/channel/listed.h"
#include "ranks/channel/overflow.h"
#include "ranks/observe.h"
#include <string.h>

void svs__buffer_recycle(svs_ranks *ranks, svs__buffer *buffer) {
    if (buffer->home != NULL) svs__buffers_put_back(buffer->home, buffer);
    else svs__buffer_free(&ranks->options.allocator, buffer);
}

/* Takes back the buffers that the transport has completed. */
static void reclaim(svs_ranks *ranks) {
    svs__buffer *buffer;
    while (ranks->lent != ranks->ready_count &&
           (buffer = ranks->type->completed(ranks->endpoint)) != NULL) {
        ranks->lent--;
        svs__buffer_recycle(ranks, buffer);
    }
}

svs__buffer *svs__buffer_take(svs_ranks *ranks, uint32_t capacity) {
    svs__buffer *buffer;
    if (capacity > ranks->capacity) return svs__buffer_new(&ranks->options.allocator, capacity);
    if (ranks->pool.first == NULL) reclaim(ranks); /* ranks.B5 */
    buffer = svs__buffers_take(&ranks->pool);
    if (buffer != NULL) return buffer;
    buffer = svs__buffer_new(&ranks->options.allocator, ranks->capacity);
    if (buffer != NULL) buffer->home = &ranks->pool;
    return buffer;
}

static void transmit(svs_ranks *ranks, uint32_t to, svs__buffer *buffer) {
    svs__channel *channel = &ranks->channels[to];
    ranks->lent++;
    if (channel->ready.first == NULL && ranks->type->send(ranks->endpoint, to, buffer) == SVS__SENT)
        return;
    svs__buffers_put(&channel->ready, buffer);
    ranks->ready_count++;
    svs__listed_put(ranks, SVS__LISTED_READY, to);
}

static void finish_packet(svs_ranks *ranks, uint32_t to, svs__buffer *buffer,
                          svs__packet_kind kind) {
    svs__packet *packet = (svs__packet *)(void *)buffer->data;
    packet->bytes = buffer->bytes;
    packet->kind = (uint16_t)kind;
    packet->credits = (uint16_t)svs__credit_give(ranks, &ranks->channels[to]);
    packet->phase = ranks->phase;
    packet->full = svs__is_full(ranks);
    ranks->channels[to].told = packet->full != 0;
    if (packet->full != 0) svs__listed_put(ranks, SVS__LISTED_HELD, to);
}

void svs__packet_send(svs_ranks *ranks, uint32_t to, svs__buffer *buffer, svs__packet_kind kind) {
    finish_packet(ranks, to, buffer, kind);
    ranks->statistics.byte_sent += buffer->bytes;
    if (kind == SVS__PACKET_CREDIT) ranks->statistics.flow_msg_sent++;
    else if (kind != SVS__PACKET_RECORDS) ranks->statistics.fast_msg_sent++;
    transmit(ranks, to, buffer);
}

bool svs__control_send(svs_ranks *ranks, uint32_t to, svs__packet_kind kind, const void *data,
                       uint32_t bytes, svs__buffer *buffer) {
    if (buffer == NULL) buffer = svs__buffer_take(ranks, (uint32_t)sizeof(svs__packet) + bytes);
    if (buffer == NULL) return false;
    buffer->bytes = (uint32_t)sizeof(svs__packet) + bytes;
    SVS__ASSERT(buffer->bytes <= buffer->capacity);
    if (bytes != 0) memcpy(buffer->data + sizeof(svs__packet), data, bytes);
    if (svs__is_observed(ranks)) svs__observe_sent(ranks, to, buffer, NULL);
    svs__packet_send(ranks, to, buffer, kind);
    return true;
}

static void send_ready(svs_ranks *ranks, uint32_t to) {
    svs__channel *channel = &ranks->channels[to];
    while (channel->ready.first != NULL) {
        svs__buffer *buffer = channel->ready.first, *next = buffer->next;
        if (ranks->type->send(ranks->endpoint, to, buffer) == SVS__SEND_LATER) return;
        channel->ready.first = next;
        ranks->ready_count--;
    }
}

void svs__send_serve(svs_ranks *ranks) {
    reclaim(ranks);
    for (uint32_t n = svs__listed_count(ranks, SVS__LISTED_READY); n != 0; n--) {
        uint32_t to = svs__listed_take(ranks, SVS__LISTED_READY);
        send_ready(ranks, to);
        if (ranks->channels[to].ready.first != NULL) svs__listed_put(ranks, SVS__LISTED_READY, to);
    }
}
