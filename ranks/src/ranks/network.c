#include "ranks/network.h"
#include "ranks/channel/deliver.h"
#include "ranks/channel/listed.h"
#include "ranks/collective/agree.h"
#include "ranks/collective/deadlock.h"
#include "ranks/collective/ending.h"
#include "ranks/collective/telling.h"
#include "ranks/collective/wave.h"
#include "ranks/object/bulk.h"
#include "ranks/observe.h"
#include "ranks/offload.h"
#include <string.h>

/* Number of packets that are received in a row at most, before fibers run again. */
#define PACKETS_MAX 64u
/* Number of lent buffers from which a rank takes completed ones back before it does other work. */
#define LENT_MAX 4u

/* Whether a packet without records has the length of its kind. */
static bool is_sized(svs__packet_kind kind, uint32_t bytes) {
    switch (kind) {
    case SVS__PACKET_WAVE:
    case SVS__PACKET_ANSWER: return bytes == sizeof(svs__sums);
    case SVS__PACKET_CREDIT: return bytes == 0;
    case SVS__PACKET_REPORT:
    case SVS__PACKET_END:
    case SVS__PACKET_AGREE:
    case SVS__PACKET_RECORDS:
    case SVS__PACKET_KINDS: break;
    }
    return true; /* the reader of this kind checks the length */
}

static void run_packet(svs_ranks *ranks, uint32_t from, svs__packet_kind kind,
                       const unsigned char *data, uint32_t bytes) {
    const void *control = data;
    bool goes = ranks->in_run && svs__goes_on(ranks);
    if (!is_sized(kind, bytes)) {
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "a packet from rank %u is malformed at byte 0: kind %u of %u bytes", from,
                        (unsigned)kind, bytes);
        return;
    }
    switch (kind) {
    case SVS__PACKET_WAVE:
        if (goes) svs__wave_asked(ranks, control);
        return;
    case SVS__PACKET_ANSWER:
        if (goes) svs__wave_answered(ranks, control);
        return;
    case SVS__PACKET_REPORT:
        if (ranks->in_run && ranks->ending.state == SVS__ENDING_RUNS)
            svs__deadlock_heard(ranks, from, data, bytes);
        return;
    case SVS__PACKET_AGREE:
        if (!ranks->in_run) svs__agree_heard(ranks, from, data, bytes);
        return;
    case SVS__PACKET_END: /* read_packet() has passed it to svs__ending_heard() */
    case SVS__PACKET_RECORDS:
    case SVS__PACKET_CREDIT:
    case SVS__PACKET_KINDS: return;
    }
}

/* Reads a packet that has arrived. @return whether its buffer is kept. */
static bool read_packet(svs_ranks *ranks, uint32_t from, svs__buffer *buffer) {
    const char *why = svs__packet_fault(buffer);
    svs__packet packet;
    if (why != NULL) {
        (void)svs__fail(ranks, SVS_E_RECORD, "a packet from rank %u is malformed at byte 0: %s",
                        from, why);
        return false;
    }
    memcpy(&packet, buffer->data, sizeof packet);
    if (packet.phase > ranks->phase) {
        svs__ending_overtaken(ranks);
        svs__buffers_put(&ranks->held, buffer);
        return true;
    }
    if (svs__is_observed(ranks)) svs__observe_received(ranks, from, buffer);
    if (!svs__channel_credit(ranks, from, packet.credits, packet.full != 0))
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "a packet from rank %u is malformed at byte 6: more credits than were used",
                        from);
    if (packet.kind == SVS__PACKET_END)
        svs__ending_heard(ranks, from, packet.phase, buffer->data + sizeof packet,
                          packet.bytes - (uint32_t)sizeof packet);
    if (packet.phase != ranks->phase || !ranks->in_phase) return false;
    if (packet.kind == SVS__PACKET_RECORDS && ranks->in_run && svs__goes_on(ranks)) {
        svs__deliver(ranks, from, buffer);
        return true;
    }
    run_packet(ranks, from, (svs__packet_kind)packet.kind, buffer->data + sizeof packet,
               packet.bytes - (uint32_t)sizeof packet);
    return false;
}

static void arrive(svs_ranks *ranks, uint32_t from, svs__buffer *buffer) {
    if (!read_packet(ranks, from, buffer)) ranks->type->release(ranks->endpoint, buffer);
}

static void hear_of_departure(svs_ranks *ranks, uint32_t from) {
    ranks->channels[from].gone = true;
    if (ranks->in_phase) svs__ending_left(ranks, from);
}

static bool receive(svs_ranks *ranks) {
    svs__buffer *buffer;
    uint32_t from;
    switch (ranks->type->receive(ranks->endpoint, &buffer, &from)) {
    case SVS__ARRIVED: arrive(ranks, from, buffer); return true;
    case SVS__LEFT: hear_of_departure(ranks, from); return true;
    case SVS__DEAD: ranks->dead = true; return false;
    case SVS__NOTHING: break;
    }
    return false;
}

/* Whether the service of channels can wait: while packets arrive, work that they have caused comes
 * first, unless many buffers or credits are to be given back. */
static bool can_wait(const svs_ranks *ranks, uint32_t packets) {
    return packets != 0 && ranks->lent < LENT_MAX && ranks->credits_due == 0 &&
           ranks->ready_count == 0;
}

bool svs__serve(svs_ranks *ranks) {
    uint32_t count = 0;
    while (count < PACKETS_MAX && receive(ranks)) {
        count++;
        /* the packet has enabled a fiber, which runs first */
        if (ranks->schedulers.enabled != 0) break;
    }
    if (!can_wait(ranks, count)) svs__channels_serve(ranks);
    if (ranks->ending.tell_at < ranks->count) svs__telling_serve(ranks);
    if (!ranks->in_run || !svs__goes_on(ranks)) return count != 0;
    if (svs__listed_count(ranks, SVS__LISTED_STALLED) != 0) svs__deliver_stalled(ranks);
    if (svs__offload_serve(ranks)) count++;
    if (ranks->moves != NULL && svs__moves_serve(ranks)) count++;
    return svs__deliver_own(ranks) || count != 0;
}

void svs__serve_held(svs_ranks *ranks) {
    svs__buffers held = ranks->held;
    svs__buffer *buffer;
    ranks->held.first = NULL;
    while ((buffer = svs__buffers_take(&held)) != NULL) arrive(ranks, buffer->from, buffer);
    for (uint32_t i = 0; i < ranks->count; i++)
        if (ranks->channels[i].gone) hear_of_departure(ranks, i);
}

void svs__serve_forget(svs_ranks *ranks) {
    svs__buffer *buffer;
    while ((buffer = svs__buffers_take(&ranks->held)) != NULL)
        ranks->type->release(ranks->endpoint, buffer);
}

void svs__flush_old(svs_ranks *ranks) {
    uint64_t now;
    if (ranks->dirty_count == 0 || ranks->options.flush_ns == UINT64_MAX) return;
    now = svs__now(ranks);
    if (ranks->dirty_since == 0) ranks->dirty_since = now;
    else if (now - ranks->dirty_since >= ranks->options.flush_ns)
        svs__flush_all(ranks, &ranks->statistics.flushes_age);
}

void svs_poll(svs_ranks *ranks) {
    if (ranks == NULL) return;
    if (ranks->fibers.in_place) {
        (void)svs__fail(ranks, SVS_E_STATE,
                        "svs_poll() in an in-place fiber or handler: poll in "
                        "fibers only");
        return;
    }
    if (!ranks->in_run || ranks->fibers.running == NULL) return;
    (void)svs__serve(ranks);
    svs__flush_old(ranks);
}
