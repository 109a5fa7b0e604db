#include "ranks/lane.h"
#include "ranks/send.h"

/* Does a post that finds room in the open buffer do nothing but a copy? */
static bool is_simple(const svs_ranks *ranks) {
    return ranks->columns == 0 && ranks->options.aggregate_bytes != 0 && ranks->ending.round == 0 &&
           ranks->failed.status == SVS_OK;
}

/* Are records of fibers for the rank accepted while the open buffer has room? */
static bool accepts(const svs_ranks *ranks, const svs__channel *channel) {
    return !channel->full && channel->queued.first == NULL &&
           ranks->overflow_bytes <= svs__overflow_mark(ranks);
}

/* @return whether the lane may be open: also an inner one, but not of the own rank (ranks.B7). */
static bool enter_inner(svs_ranks *ranks, uint32_t to) {
    svs__channel *channel = &ranks->channels[to];
    if (!ranks->fibers.in_place || to == ranks->index) return false;
    if (!channel->inner) ranks->inner[ranks->inner_count++] = to;
    channel->inner = true;
    return true;
}

void svs__lanes_close_inner(svs_ranks *ranks) {
    while (ranks->inner_count != 0) {
        uint32_t to = ranks->inner[--ranks->inner_count];
        svs__lane_close(ranks, to);
        ranks->channels[to].inner = false;
    }
}

void svs__lane_open(svs_ranks *ranks, uint32_t to, const svs_handler *handler) {
    const svs__channel *channel = &ranks->channels[to];
    svs__lane *lane = &ranks->lanes.of[to];
    SVS__ASSERT(lane->handler == NULL); /* ranks.B6 */
    if (channel->run == NULL || !is_simple(ranks)) return;
    if (!accepts(ranks, channel) && !enter_inner(ranks, to)) return;
    lane->at = channel->open->data + channel->open->bytes;
    lane->end = channel->open->data + channel->open->capacity;
    lane->handler = handler;
    if (to != ranks->index) return;
    SVS__ASSERT(ranks->fibers.in_place); /* ranks.B7 */
    ranks->own.armed = handler;
    ranks->own.begin = (unsigned char *)(channel->run + 1);
}

/* The handler of an open or armed lane; NULL: closed. */
static const svs_handler *handler_of(const svs_ranks *ranks, uint32_t to) {
    return to == ranks->index ? ranks->own.armed : ranks->lanes.of[to].handler;
}

static uint32_t bytes_of(const svs_ranks *ranks, uint32_t to) {
    const svs__buffer *open = ranks->channels[to].open;
    return (uint32_t)(ranks->lanes.of[to].at - (open->data + open->bytes));
}

static void count_own(svs_ranks *ranks, uint32_t bytes) {
    svs__own_lane *own = &ranks->own;
    ranks->statistics.byte_copy += bytes;
    own->armed = NULL;
    own->lane->at = own->begin = NULL;
}

void svs__lane_count(svs_ranks *ranks, uint32_t to) {
    const svs_handler *handler = handler_of(ranks, to);
    svs__channel *channel = &ranks->channels[to];
    uint32_t bytes = bytes_of(ranks, to), records = bytes / handler->bytes;
    SVS__ASSERT(is_simple(ranks) && (channel->inner || accepts(ranks, channel)));   /* ranks.B6 */
    SVS__ASSERT(channel->run != NULL && channel->run->to == to);                    /* ranks.B6 */
    SVS__ASSERT(ranks->lanes.of[to].at <= ranks->lanes.of[to].end);                 /* ranks.B6 */
    SVS__ASSERT(ranks->handlers.entries[channel->run->handler].handler == handler); /* ranks.B6 */
    channel->run->count += records;
    channel->open->bytes += bytes;
    ranks->records_created += records;
    ranks->lanes.of[to].handler = NULL;
    if (to == ranks->index) count_own(ranks, bytes);
    else ranks->statistics.remote_op += records;
    if (channel->run->count != 0) return;
    svs__buffer_recycle(ranks, channel->open); /* it was armed, and not used */
    channel->open = NULL;
    channel->run = NULL;
}

/* Counts the records of the own rank that have run. */
static void add_ran(const svs_ranks *ranks, svs_ranks_statistics *statistics) {
    const svs__own_lane *own = &ranks->own;
    if (own->ran == 0) return;
    statistics->records_run += own->ran;
    statistics->runs_in_place += own->ran;
    statistics->byte_copy += own->ran * own->entry->handler->bytes;
}

void svs__own_remember(svs_ranks *ranks, const svs__handler_entry *entry) {
    svs__own_lane *own = &ranks->own;
    add_ran(ranks, &ranks->statistics);
    ranks->records_created += own->ran;
    ranks->records_run += own->ran;
    own->ran = 0;
    own->entry = entry;
    own->handler = entry == NULL ? NULL : entry->handler;
    own->lane->now = NULL; /* until one of them has run */
}

void svs__lanes_close(svs_ranks *ranks) {
    for (uint32_t i = 0; i < ranks->lanes.count; i++) svs__lane_close(ranks, i);
    svs__own_remember(ranks, NULL);
}

void svs__lanes_add(const svs_ranks *ranks, svs_ranks_statistics *statistics) {
    add_ran(ranks, statistics);
    for (uint32_t i = 0; i < ranks->count; i++) {
        const svs_handler *handler = handler_of(ranks, i);
        if (handler == NULL) continue;
        if (i == ranks->index) statistics->byte_copy += bytes_of(ranks, i);
        else statistics->remote_op += bytes_of(ranks, i) / handler->bytes;
    }
}
