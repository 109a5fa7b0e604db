/* svs_post(), and the other calls of svs/ranks/post.h and svs/ranks/structure.h that post
 * records. */
#include "ranks/channel/deliver.h"
#include "ranks/channel/handler.h"
#include "ranks/channel/mixed.h"
#include "ranks/channel/overflow.h"
#include "ranks/channel/route.h"
#include "ranks/fiber/execute.h"

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

static SVS__COLD svs_status refuse(svs_ranks *ranks, uint32_t to, const svs_handler *handler,
                                   const void *record, size_t bytes) {
    if (ranks == NULL || handler == NULL || (record == NULL && bytes != 0))
        return REFUSE(SVS_E_NULL, "svs_post: ranks, handler or record is NULL: pass all of them");
    if (!ranks->in_run)
        return REFUSE(SVS_E_OUTSIDE, "svs_post: there is no run: post from a fiber or handler");
    if (to >= ranks->count)
        return REFUSE(SVS_E_INVALID, "svs_post: there is no rank %u: there are %u ranks", to,
                      ranks->count);
    if (svs__handler_find(ranks, handler) == ranks->handlers.count)
        return REFUSE(SVS_E_INVALID, "svs_post: handler %s was not added: call svs_handlers_add()",
                      handler->name);
    return REFUSE(SVS_E_INVALID,
                  "svs_post: a record of handler %s has %u bytes (0: up to %u), not %zu",
                  handler->name, handler->bytes, SVS__HANDLER_BYTES_MAX, bytes);
}

/* Queues an in-place record that a handler posts to its own rank, because handlers do not nest. */
static svs_status queue_here(svs_ranks *ranks, const svs__posted *posted) {
    ranks->statistics.byte_copy += posted->bytes;
    if (svs__channel_put(ranks, ranks->index, posted) != SVS__PUT) return SVS_E_NO_MEMORY;
    if (!posted->variable)
        svs__lane_open(ranks, ranks->index, ranks->handlers.entries[posted->handler].handler);
    return ranks->failed.status;
}

/* Delivers a record that this rank has posted to itself. */
static svs_status post_here(svs_ranks *ranks, const svs__posted *posted) {
    const svs__handler_entry *entry = &ranks->handlers.entries[posted->handler];
    svs__run_view view = {
        .entry = entry, .records = posted->record, .count = 1, .bytes = posted->bytes};
    view.from = ranks->index;
    view.category = posted->category;
    ranks->records_created++;
    ranks->statistics.byte_copy += posted->bytes;
    svs__run_records(ranks, &view, NULL);
    return ranks->failed.status;
}

/* Runs the records that handlers have posted to this rank, which must run first. @return whether
 * some are left, because handlers keep posting: then the caller must wait. */
static inline bool waits_here(svs_ranks *ranks) {
    if (svs__own_is_empty(ranks) || svs__deliver_all_own(ranks)) return false;
    ranks->statistics.waits_overflow++;
    return true;
}

/* Separate functions, so that svs_post() does not save the registers that they need. */
static svs_status run_here(svs_ranks *ranks, const svs__handler_entry *entry, const void *record)
    __attribute__((noinline));
static svs_status post_any(svs_ranks *ranks, uint32_t to, const svs_handler *handler,
                           const void *record, size_t bytes) __attribute__((noinline));

/* Runs an in-place record that a fiber posts to its own rank: at once, after the records that
 * handlers have queued. */
static svs_status run_here(svs_ranks *ranks, const svs__handler_entry *entry, const void *record) {
    if (waits_here(ranks)) return SVS_WAIT;
    if (ranks->own.entry != entry) svs__own_remember(ranks, entry);
    ranks->own.ran++;
    ranks->fibers.request_left = 1;
    svs__call_in_place(ranks, entry, record, 1, entry->handler->bytes);
    return ranks->failed.status;
}

/* The same for a record of variable size. */
static svs_status run_here_sized(svs_ranks *ranks, const svs__handler_entry *entry,
                                 const void *record, uint32_t bytes) {
    if (waits_here(ranks)) return SVS_WAIT;
    ranks->records_created++;
    ranks->statistics.byte_copy += bytes;
    svs__run_in_place(ranks, entry, record, 1, bytes);
    return ranks->failed.status;
}

static uint64_t *cause_of_wait(svs_ranks *ranks, const svs__posted *posted) {
    return ranks->channels[svs__hop(ranks, posted->to)].full ? &ranks->statistics.waits_target
                                                             : &ranks->statistics.waits_credit;
}

static svs_status post_there(svs_ranks *ranks, const svs__posted *posted) {
    if (!posted->queues && svs__is_above_mark(ranks)) { /* ranks.B4 */
        ranks->statistics.waits_overflow++;
        return SVS_WAIT;
    }
    switch (svs__channel_put(ranks, svs__hop(ranks, posted->to), posted)) {
    case SVS__PUT: ranks->statistics.remote_op++; return ranks->failed.status;
    case SVS__PUT_LATER:
        (*cause_of_wait(ranks, posted))++;
        ranks->channels[svs__hop(ranks, posted->to)].refused = posted->bytes;
        return SVS_WAIT;
    case SVS__PUT_FAILED: break;
    }
    return SVS_E_NO_MEMORY;
}

/* Whether the open run has more than one record. A lane is not opened for the first record, because
 * a single record may be sent at once. */
static inline bool is_stream(const svs_ranks *ranks, uint32_t to) {
    const svs__record_run *run = ranks->channels[to].run;
    return run != NULL && run->count > 1;
}

/* Whether a record is gathered in a mixed run: it takes two hops, or its target relays records of
 * others. */
static bool mixes(const svs_ranks *ranks, uint32_t to, const svs_handler *handler) {
    if (ranks->columns == 0 || handler->dispatch != SVS_DISPATCH_IN_PLACE || handler->bytes == 0)
        return false;
    return ranks->hops[to] != to || ranks->channels[to].mixes;
}

/* Appends a record to the mixing lane of its hop, if that is open for its handler and has room.
 * @return whether it did. */
static inline bool put_mixing(svs_ranks *ranks, uint32_t to, const svs_handler *handler,
                              const void *record) {
    svs__channel *channel = &ranks->channels[ranks->hops[to]];
    if (channel->mixing != handler ||
        !svs__mixed_fits(channel->open, channel->run->count, handler->bytes))
        return false;
    SVS__ASSERT(channel->mixed);                            /* ranks.G2 */
    SVS__ASSERT(channel->run->category == ranks->category); /* ranks.V3 */
    svs__mixed_put(channel->open, channel->run, to, record, handler->bytes);
    ranks->records_created++;
    ranks->statistics.remote_op++;
    return true;
}

/* Posts a record that no lane takes and that does not run at once. */
static svs_status post(svs_ranks *ranks, uint32_t to, uint32_t number, const void *record,
                       uint32_t bytes) {
    const svs_handler *handler = ranks->handlers.entries[number].handler;
    svs__posted posted = {.record = record,
                          .bytes = bytes,
                          .to = to,
                          .from = ranks->index,
                          .handler = (uint16_t)number,
                          .category = ranks->category,
                          .variable = handler->bytes == 0};
    svs_status status;
    posted.queues = ranks->fibers.in_place;
    posted.passes = ranks->fibers.running != NULL && ranks->fibers.running->of_handler;
    if (to == ranks->index)
        return handler->dispatch == SVS_DISPATCH_IN_PLACE ? queue_here(ranks, &posted)
                                                          : post_here(ranks, &posted);
    posted.mixes = mixes(ranks, to, handler);
    status = post_there(ranks, &posted);
    if (posted.mixes) {
        if (status == SVS_OK) svs__lane_open_mixing(ranks, ranks->hops[to], handler);
        return status;
    }
    if (status == SVS_OK && !posted.variable && is_stream(ranks, to))
        svs__lane_open(ranks, to, handler);
    return status;
}

static svs_status post_any(svs_ranks *ranks, uint32_t to, const svs_handler *handler,
                           const void *record, size_t bytes) {
    const svs__handler_entry *entry;
    uint32_t number;
    if (ranks == NULL || handler == NULL || (record == NULL && bytes != 0) || !ranks->in_run ||
        to >= ranks->count || (handler->bytes != 0 && handler->bytes != bytes) ||
        bytes > SVS__HANDLER_BYTES_MAX)
        return refuse(ranks, to, handler, record, bytes);
    if (svs__lane_put(ranks, to, handler, record, bytes) != 0) return SVS_OK;
    if (ranks->columns != 0 && put_mixing(ranks, to, handler, record)) return SVS_OK;
    number = svs__handler_find(ranks, handler);
    if (number == ranks->handlers.count) return refuse(ranks, to, handler, record, bytes);
    if (ranks->ending.state != SVS__ENDING_RUNS) return SVS_E_STOPPED;
    if (to != ranks->index || handler->dispatch != SVS_DISPATCH_IN_PLACE || ranks->fibers.in_place)
        return post(ranks, to, number, record, (uint32_t)bytes);
    entry = &ranks->handlers.entries[number];
    return handler->bytes == 0 ? run_here_sized(ranks, entry, record, (uint32_t)bytes)
                               : run_here(ranks, entry, record);
}

svs_status svs_post(svs_ranks *ranks, uint32_t to, const svs_handler *handler, const void *record,
                    size_t bytes) {
    return svs__runs_now(ranks, to, handler, record) != 0 && bytes == handler->bytes
               ? svs__run_now(ranks, record)
               : post_any(ranks, to, handler, record, bytes);
}

svs_status svs_post_ready(svs_ranks *ranks, uint32_t to, svs_fiber fiber) {
    svs__fiber *waiter;
    if (ranks == NULL) return REFUSE(SVS_E_NULL, "svs_post_ready: ranks is NULL: pass the rank");
    if (to >= ranks->count)
        return REFUSE(SVS_E_INVALID, "svs_post_ready: there is no rank %u: there are %u ranks", to,
                      ranks->count);
    waiter = svs__fiber_of(ranks, fiber);
    if (waiter == NULL || waiter->status != SVS__FIBER_CREATED)
        return REFUSE(SVS_E_FIBER,
                      "svs_post_ready: fiber %u has ended, or waits or is enabled "
                      "already: pass one that was only created",
                      fiber.slot);
    return svs__channel_wait(ranks, to == ranks->index ? to : svs__hop(ranks, to), waiter);
}

/* ---- svs/ranks/structure.h ---- */

/* About the record that is being handled: @param to receives the rank that has posted it. @param
 * due receives whether it may still have a reply (ranks.D4). @return false: no record is being
 * handled. */
static bool is_handled(svs_ranks *ranks, uint32_t *to, bool *due) {
    const svs__fiber *running = ranks->fibers.running;
    if (ranks->fibers.in_place) {
        *to = ranks->fibers.request_from;
        *due = ranks->fibers.request_left != 0;
        return true;
    }
    if (running == NULL || !running->of_handler) return false;
    *to = running->from;
    *due = running->replies;
    return true;
}

/* Posts a reply as an in-place handler would, so that it is always accepted. If replies waited for
 * credit, the credit could be held by buffers of requests that wait to run. */
static svs_status post_reply(svs_ranks *ranks, uint32_t to, const svs_handler *handler,
                             const void *record, size_t bytes) {
    svs_status status;
    svs__in_place_begin(ranks);
    status = svs_post(ranks, to, handler, record, bytes);
    svs__in_place_end(ranks);
    return status;
}

svs_status svs_reply(svs_ranks *ranks, const svs_handler *handler, const void *record,
                     size_t bytes) {
    uint32_t to = 0;
    bool due = false;
    svs_status status;
    if (ranks == NULL || handler == NULL)
        return REFUSE(SVS_E_NULL, "svs_reply: ranks or handler is NULL: pass both");
    if (!is_handled(ranks, &to, &due))
        return REFUSE(
            SVS_E_STATE,
            "svs_reply: no record is being handled: reply in a handler, or in the fiber of one");
    if (!due)
        return REFUSE(SVS_E_STATE, "svs_reply: each record handled has had its reply: post further "
                                   "records by svs_post()");
    if (ranks->fibers.in_place) {
        status = svs_post(ranks, to, handler, record, bytes);
        if (status == SVS_OK) ranks->fibers.request_left--;
        return status;
    }
    status = post_reply(ranks, to, handler, record, bytes);
    if (status == SVS_OK) ranks->fibers.running->replies = false;
    return status;
}

void svs_flush(svs_ranks *ranks, uint32_t to) {
    if (to == SVS_ALL_RANKS) svs__flush_all(ranks, &ranks->statistics.flushes_asked);
    else if (to < ranks->count && to != ranks->index)
        svs__flush(ranks, svs__hop(ranks, to), &ranks->statistics.flushes_asked);
}
