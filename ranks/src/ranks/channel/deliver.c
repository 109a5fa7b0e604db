#include "ranks/channel/deliver.h"
#include "ranks/channel/backlog.h"
#include "ranks/channel/credit.h"
#include "ranks/channel/listed.h"
#include "ranks/channel/mixed.h"
#include "ranks/channel/route.h"
#include "ranks/collective/ending.h"
#include "ranks/fiber/execute.h"
#include <string.h>

void svs__run_records(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group) {
    const svs_handler *handler = view->entry->handler;
    if (handler->dispatch == SVS_DISPATCH_IN_PLACE) {
        ranks->fibers.request_from = view->from;
        ranks->arrived = view->category; /* ranks.V2 */
        svs__run_in_place(ranks, view->entry, view->records, view->count, view->bytes);
        ranks->fibers.request_from = ranks->index;
        return;
    }
    ranks->records_run += view->count;
    ranks->statistics.records_run += view->count;
    if (view->entry->scheduler == NULL) {
        (void)svs__fail(
            ranks, SVS_E_INVALID,
            "a record for the custom handler %s arrived, which has no scheduler on this "
            "rank: call svs_handler_schedule() before the run",
            handler->name);
        return;
    }
    svs__records_enable(ranks, view, group);
}

/* Appends a relayed record to the last run of its channel, if that has the same handler, category,
 * sender and target. @return whether it did. */
static inline bool relay_on(svs__channel *channel, const svs__run_view *view,
                            const unsigned char *record, uint32_t to) {
    svs__record_run *run = channel->run;
    svs__buffer *open = channel->open;
    if (run == NULL || run->to != to || run->from != view->from || run->handler != view->handler ||
        run->category != view->category || channel->queued.first != NULL ||
        (uint64_t)open->bytes + view->bytes > open->capacity)
        return false;
    svs__record_copy(open->data + open->bytes, record, view->bytes);
    open->bytes += view->bytes;
    run->count++;
    return true;
}

/* Relays one record. @return false: stalled, because the next hop has no credit. */
static bool relay_one(svs_ranks *ranks, const svs__run_view *view, const unsigned char *record,
                      uint32_t to) {
    uint32_t hop = ranks->hops != NULL ? ranks->hops[to] : to;
    svs__posted posted = {.record = record,
                          .bytes = view->bytes,
                          .to = to,
                          .from = view->from,
                          .handler = view->handler,
                          .category = view->category,
                          .variable = view->entry->handler->bytes == 0};
    if ((!posted.variable && relay_on(&ranks->channels[hop], view, record, to)) ||
        svs__channel_put(ranks, hop, &posted) == SVS__PUT) {
        ranks->statistics.relayed++;
        return true;
    }
    ranks->channels[hop].wanted = ranks->channels[hop].open != NULL;
    return ranks->failed.status != SVS_OK;
}

/* Relays the rest of a run. @return false: stalled. */
static bool relay(svs_ranks *ranks, svs__arrivals *source, const svs__run_view *view) {
    for (; source->done < view->count; source->done++)
        if (!relay_one(ranks, view, view->records + (size_t)source->done * view->bytes, view->to))
            return false;
    source->done = 0;
    return true;
}

/* Runs the records of a mixed run that are for this rank, together. @param own has copies of them,
 * which were gathered while the run was read. */
static void run_own_part(svs_ranks *ranks, const svs__run_view *view, svs__buffer *own) {
    svs__run_view part = *view;
    part.to = ranks->index;
    part.records = own->data;
    part.count = own->bytes / view->bytes;
    if (part.count != 0) svs__run_records(ranks, &part, NULL);
    own->bytes = 0;
}

/* Relays the rest of a mixed run. The records for this rank run at the end of the run, or before it
 * stalls.
 * @return false: stalled. */
static bool read_mixed(svs_ranks *ranks, svs__arrivals *source, const svs__run_view *view) {
    svs__buffer *own = svs__buffer_take(ranks, view->count * view->bytes);
    bool stalls = false;
    if (own == NULL) {
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for relayed records");
        return true;
    }
    own->bytes = 0;
    for (; source->done < view->count; source->done++) {
        const unsigned char *record = view->records + (size_t)source->done * view->bytes;
        uint32_t to = svs__mixed_target(view, source->done);
        if (to == ranks->index) {
            svs__record_copy(own->data + own->bytes, record, view->bytes);
            own->bytes += view->bytes;
        } else if (to >= ranks->count || ranks->columns == 0) {
            (void)svs__fail(ranks, SVS_E_RECORD,
                            "a record from rank %u is malformed: its target is %u", view->from, to);
            break;
        } else if (!relay_one(ranks, view, record, to)) {
            stalls = true;
            break;
        }
    }
    if (ranks->failed.status == SVS_OK) run_own_part(ranks, view, own);
    svs__buffer_recycle(ranks, own);
    if (!stalls) source->done = 0;
    return !stalls;
}

/* Reads a packet, beginning where the reading has stalled last. @return false: it stalls again. */
static bool read_runs(svs_ranks *ranks, uint32_t from, const svs__buffer *buffer) {
    svs__arrivals *source = ranks->channels[from].arrivals;
    svs__run_view view;
    while (source->at < buffer->bytes && ranks->failed.status == SVS_OK) {
        const char *why = svs__run_read(&ranks->handlers, ranks->count, buffer->data, buffer->bytes,
                                        source->at, &view);
        if (why != NULL) {
            (void)svs__fail(ranks, SVS_E_RECORD,
                            "a record from rank %u is malformed at byte %u of its packet: %s", from,
                            source->at, why);
            return true;
        }
        if (view.to == ranks->index) svs__run_records(ranks, &view, &source->reads->group);
        else if (!(view.to == SVS__MIXED ? read_mixed(ranks, source, &view)
                                         : relay(ranks, source, &view)))
            return false;
        source->at = view.next;
    }
    return true;
}

/* @return NULL: the sender had no credit for the packet, and the run has failed. */
static svs__arrived *begin_reading(svs_ranks *ranks, uint32_t from, svs__buffer *buffer) {
    const svs__channel *source = &ranks->channels[from];
    if (source->held + source->unreturned >= ranks->options.credits) {
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "a packet from rank %u is malformed at byte 4: records without credit",
                        from);
        return NULL;
    }
    return svs__arrived_new(ranks, from, buffer);
}

static void end_reading(svs_ranks *ranks, svs__arrived *arrived, svs__buffer *buffer) {
    if (arrived == NULL) {
        ranks->type->release(ranks->endpoint, buffer);
        return;
    }
    svs__backlog_keep(ranks, arrived);
    svs__fiber_group_end(ranks, &arrived->group);
}

/* Reads the packets of a source until one stalls. */
static void read_packets(svs_ranks *ranks, uint32_t from) {
    svs__arrivals *source = ranks->channels[from].arrivals;
    while (source->stalled.first != NULL) {
        svs__buffer *buffer = source->stalled.first, *next = buffer->next;
        if (source->at == 0) {
            source->at = sizeof(svs__packet);
            source->reads = begin_reading(ranks, from, buffer);
        }
        if (!read_runs(ranks, from, buffer)) return;
        source->stalled.first = next;
        source->at = source->done = 0;
        end_reading(ranks, source->reads, buffer);
    }
}

void svs__deliver(svs_ranks *ranks, uint32_t from, svs__buffer *buffer) {
    svs__arrivals *source = svs__arrivals_of(ranks, from);
    bool stalled;
    if (source == NULL) {
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a received packet");
        ranks->type->release(ranks->endpoint, buffer);
        return;
    }
    stalled = source->stalled.first != NULL;
    svs__buffers_put(&source->stalled, buffer);
    if (stalled) return;
    read_packets(ranks, from);
    if (source->stalled.first != NULL) svs__listed_put(ranks, SVS__LISTED_STALLED, from);
}

void svs__deliver_stalled(svs_ranks *ranks) {
    for (uint32_t n = svs__listed_count(ranks, SVS__LISTED_STALLED); n != 0; n--) {
        uint32_t from = svs__listed_take(ranks, SVS__LISTED_STALLED);
        read_packets(ranks, from);
        if (ranks->channels[from].arrivals->stalled.first != NULL)
            svs__listed_put(ranks, SVS__LISTED_STALLED, from);
    }
}

/* Runs the records of the rank's own lane without copying them. The lane must have records, and
 * must be alone. Records that their handler posts to this rank in the meantime are appended to the
 * lane, if it is open and has room, or else put elsewhere. @return true: no record for this rank is
 * left. */
static inline bool deliver_lane(svs_ranks *ranks) {
    svs__own_lane *own = &ranks->own;
    svs__buffer *buffer = own->channel->open;
    const svs__handler_entry *entry = own->armed_entry;
    const unsigned char *records = own->begin;
    uint32_t bytes = (uint32_t)(own->lane->at - records), one = entry->handler->bytes;
    SVS__ASSERT(entry->handler == own->armed && bytes != 0); /* ranks.B7 */
    own->begin = own->lane->at;
    own->read_runs++;
    if (SVS__UNLIKELY(bytes != one)) own->read_more += bytes / one - 1;
    own->read = buffer;
    ranks->fibers.request_left = SVS__LIKELY(bytes == one) ? 1 : bytes / one;
    svs__call_handler(ranks, entry, records, SVS__LIKELY(bytes == one) ? 1 : bytes / one, bytes);
    own->read = NULL;
    if (SVS__UNLIKELY(own->channel->open != buffer)) {
        svs__buffer_recycle(ranks, buffer); /* ranks.B8 */
        return svs__own_is_empty(ranks);
    }
    if (SVS__UNLIKELY(own->lane->at != own->begin)) return false;
    own->lane->at = own->begin = buffer->data + sizeof(svs__packet) + sizeof(svs__record_run);
    return true;
}

/* Runs the records of a buffer for this rank that is queued, or that has more than one run. @return
 * false: there was none. */
static __attribute__((noinline)) bool deliver_buffer(svs_ranks *ranks) {
    svs__buffer *buffer = svs__channel_take_own(ranks);
    svs__run_view view;
    uint32_t at = sizeof(svs__packet);
    if (buffer == NULL) return false;
    while (at < buffer->bytes && ranks->failed.status == SVS_OK) {
        const char *why =
            svs__run_read(&ranks->handlers, ranks->count, buffer->data, buffer->bytes, at, &view);
        if (why != NULL) { /* ranks.P3: the structure of the handler was freed meanwhile */
            (void)svs__fail(ranks, SVS_E_RECORD,
                            "a record that this rank posted to itself cannot run: %s", why);
            break;
        }
        svs__run_records(ranks, &view, NULL);
        at = view.next;
    }
    svs__buffer_recycle(ranks, buffer);
    return true;
}

bool svs__deliver_own(svs_ranks *ranks) {
    if (svs__own_is_empty(ranks)) return false;
    if (!ranks->own.alone) return deliver_buffer(ranks);
    svs__in_place_begin(ranks);
    (void)deliver_lane(ranks);
    svs__in_place_end(ranks);
    return true;
}

bool svs__deliver_all_own(svs_ranks *ranks) {
    for (uint32_t i = 0; i < ranks->options.credits; i++) {
        (void)svs__deliver_own(ranks);
        if (svs__own_is_empty(ranks)) return true;
    }
    return false;
}

/* ---- svs/ranks/post.h ---- */

static svs_status run_rest(svs_ranks *ranks) __attribute__((noinline));

static svs_status run_rest(svs_ranks *ranks) {
    svs__in_place_end(ranks);
    (void)svs__deliver_all_own(ranks);
    return ranks->failed.status;
}

/* Runs a record for this rank at once; deliver_lane() is inlined here. */
svs_status svs__run_now(svs_ranks *ranks, const void *record) {
    svs__own_lane *own = &ranks->own;
    const svs__handler_entry *entry = own->entry;
    bool none;
    SVS__ASSERT(entry->handler == own->lane->now && !ranks->fibers.in_place);
    SVS__ASSERT(ranks->failed.status == SVS_OK && svs__own_is_empty(ranks)); /* ranks.B7 */
    own->ran++;
    svs__in_place_begin(ranks);
    ranks->fibers.request_left = 1;
    svs__call_handler(ranks, entry, record, 1, entry->handler->bytes);
    none = svs__own_is_empty(ranks);
    /* records that the handler has posted to this rank, such as a reply */
    if (!none && own->alone) none = deliver_lane(ranks);
    if (SVS__UNLIKELY(!none || own->handler == NULL)) return run_rest(ranks);
    svs__in_place_end_alone(ranks);
    return SVS_OK;
}

void svs__deliver_forget(svs_ranks *ranks) {
    for (uint32_t i = 0; i < ranks->count; i++) {
        svs__arrivals *source = ranks->channels[i].arrivals;
        svs__buffer *buffer;
        if (source == NULL) continue;
        if (source->stalled.first != NULL && source->at != 0 && source->reads != NULL) {
            source->reads->kept = NULL; /* the loop below releases the buffer with the others */
            svs__fiber_group_end(ranks, &source->reads->group);
        }
        while ((buffer = svs__buffers_take(&source->stalled)) != NULL)
            ranks->type->release(ranks->endpoint, buffer);
        source->at = source->done = 0;
    }
    while (svs__listed_count(ranks, SVS__LISTED_STALLED) != 0)
        (void)svs__listed_take(ranks, SVS__LISTED_STALLED);
}
