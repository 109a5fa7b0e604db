#include "ranks/channel/lane.h"
#include "ranks/channel/overflow.h"
#include "ranks/channel/send.h"
#include "ranks/observe.h"
#include <string.h>

/* Whether a post that finds room in the open buffer needs only a copy. */
static bool is_simple(const svs_ranks *ranks) {
    return ranks->columns == 0 && ranks->options.aggregate_bytes != 0 &&
           ranks->ending.state == SVS__ENDING_RUNS && ranks->failed.status == SVS_OK;
}

/* Whether records of fibers for the rank are accepted while the open buffer has room. */
static bool accepts(const svs_ranks *ranks, const svs__channel *channel) {
    return !channel->full && channel->queued.first == NULL && !svs__is_above_mark(ranks);
}

/* Makes the lane to a rank an inner one, if a handler is running. @return whether it may be open.
 * A rank's own lane is never an inner one (ranks.B7). */
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

static void *records_of(svs__record_run *run) { return run + 1; }

/* Whether all records that wait for this rank are in its own lane. No buffer is queued while the
 * lane is armed (channel.c). */
static bool can_be_alone(svs_ranks *ranks) {
    svs__own_lane *own = &ranks->own;
    const svs__buffer *open = own->channel->open;
    if (own->channel->queued.first != NULL || open->home != &ranks->pool ||
        (const unsigned char *)own->channel->run != open->data + sizeof(svs__packet))
        return false;
    if (own->spare == NULL) own->spare = svs__buffer_take(ranks, 0);
    return own->spare != NULL;
}

/* Arms the rank's own lane. From then on, all records of the lane's run belong to the lane: each is
 * counted when it runs, or when the lane is closed. */
static void arm_own(svs_ranks *ranks, const svs_handler *handler) {
    svs__own_lane *own = &ranks->own;
    svs__record_run *run = own->channel->run;
    uint32_t bytes = run->count * handler->bytes;
    ranks->records_created -= run->count;
    ranks->statistics.byte_copy -= bytes;
    own->channel->open->bytes -= bytes;
    own->armed = handler;
    own->armed_entry = &ranks->handlers.entries[run->handler];
    own->begin = records_of(run);
    own->alone = can_be_alone(ranks);
    run->count = 0;
}

void svs__lane_open(svs_ranks *ranks, uint32_t to, const svs_handler *handler) {
    const svs__channel *channel = &ranks->channels[to];
    svs__lane *lane = &ranks->lanes.of[to];
    SVS__ASSERT(lane->handler == NULL); /* ranks.B6 */
    if (channel->run == NULL || !is_simple(ranks)) return;
    if (to == ranks->index && svs__is_observed(ranks)) return;                     /* ranks.V3 */
    if (channel->waiters.first != NULL || channel->handlers.first != NULL) return; /* ranks.B9 */
    if (!accepts(ranks, channel) && !enter_inner(ranks, to)) return;
    lane->at = channel->open->data + channel->open->bytes;
    lane->end = channel->open->data + channel->open->capacity;
    lane->handler = handler;
    if (to != ranks->index) return;
    SVS__ASSERT(ranks->fibers.in_place); /* ranks.B7 */
    arm_own(ranks, handler);
}

void svs__lane_open_mixing(svs_ranks *ranks, uint32_t hop, const svs_handler *handler) {
    svs__channel *channel = &ranks->channels[hop];
    if (!channel->mixed || ranks->options.aggregate_bytes == 0 ||
        ranks->ending.state != SVS__ENDING_RUNS || ranks->failed.status != SVS_OK)
        return;
    if (channel->waiters.first != NULL || channel->handlers.first != NULL) return; /* ranks.B9 */
    if (accepts(ranks, channel)) channel->mixing = handler;
}

/* The handler of a lane that is open or armed; NULL: it is closed. */
static const svs_handler *handler_of(const svs_ranks *ranks, uint32_t to) {
    return to == ranks->index ? ranks->own.armed : ranks->lanes.of[to].handler;
}

static uint32_t bytes_of(const svs_ranks *ranks, uint32_t to) {
    const svs__buffer *open = ranks->channels[to].open;
    const unsigned char *begin = to == ranks->index ? ranks->own.begin : open->data + open->bytes;
    return (uint32_t)(ranks->lanes.of[to].at - begin);
}

/* Adds to the statistics the records that this rank has posted to itself and that have run. @return
 * their number. */
static uint64_t add_run(const svs_ranks *ranks, svs_ranks_statistics *statistics) {
    const svs__own_lane *own = &ranks->own;
    uint64_t read = own->read_runs + own->read_more;
    SVS__ASSERT(read == 0 || own->armed != NULL); /* ranks.B8 */
    statistics->records_run += own->ran + read;
    statistics->runs_in_place += own->ran + own->read_runs;
    if (own->ran != 0) statistics->byte_copy += own->ran * own->entry->handler->bytes;
    if (read != 0) statistics->byte_copy += read * own->armed->bytes;
    return own->ran + read;
}

void svs__own_count(svs_ranks *ranks) {
    svs__own_lane *own = &ranks->own;
    uint64_t count = add_run(ranks, &ranks->statistics);
    ranks->records_created += count;
    ranks->records_run += count;
    own->ran = own->read_runs = own->read_more = 0;
}

/* Moves the records of the rank's own lane that have not run yet to the spare buffer (ranks.B8). */
static void move_own(svs_ranks *ranks, uint32_t bytes) {
    svs__own_lane *own = &ranks->own;
    svs__buffer *open = own->spare;
    svs__record_run *run = (svs__record_run *)(void *)(open->data + sizeof(svs__packet));
    SVS__ASSERT(own->alone); /* ranks.B8 */
    *run = *own->channel->run;
    if (bytes != 0) memcpy(records_of(run), own->begin, bytes);
    open->bytes = (uint32_t)(sizeof(svs__packet) + sizeof *run);
    own->spare = NULL;
    if (own->channel->open != own->read) svs__buffer_recycle(ranks, own->channel->open);
    own->channel->open = open;
    own->channel->run = run;
}

static void count_own(svs_ranks *ranks, uint32_t bytes) {
    svs__own_lane *own = &ranks->own;
    svs__own_count(ranks);
    if (own->begin != records_of(own->channel->run)) move_own(ranks, bytes);
    ranks->statistics.byte_copy += bytes;
    own->armed = NULL;
    own->alone = false;
    own->lane->at = own->begin = NULL;
}

void svs__lane_count(svs_ranks *ranks, uint32_t to) {
    const svs_handler *handler = handler_of(ranks, to);
    svs__channel *channel = &ranks->channels[to];
    uint32_t bytes = bytes_of(ranks, to), records = bytes / handler->bytes;
    SVS__ASSERT(ranks->lanes.of[to].at <= ranks->lanes.of[to].end); /* ranks.B6 */
    if (to == ranks->index) count_own(ranks, bytes);
    else ranks->statistics.remote_op += records;
    SVS__ASSERT(is_simple(ranks) && (channel->inner || accepts(ranks, channel)));   /* ranks.B6 */
    SVS__ASSERT(channel->run != NULL && channel->run->to == to);                    /* ranks.B6 */
    SVS__ASSERT(ranks->handlers.entries[channel->run->handler].handler == handler); /* ranks.B6 */
    SVS__ASSERT(channel->run->category == ranks->category);                         /* ranks.V3 */
    channel->run->count += records;
    channel->open->bytes += bytes;
    ranks->records_created += records;
    ranks->lanes.of[to].handler = NULL;
    if (channel->run->count != 0) return;
    svs__buffer_recycle(ranks, channel->open); /* the lane was armed and got no record */
    channel->open = NULL;
    channel->run = NULL;
}

void svs__own_remember(svs_ranks *ranks, const svs__handler_entry *entry) {
    svs__own_lane *own = &ranks->own;
    svs__own_count(ranks);
    own->entry = entry;
    own->handler = entry == NULL ? NULL : entry->handler;
    own->lane->now = NULL; /* set again after a record of this handler has run */
}

void svs__lanes_close(svs_ranks *ranks) {
    for (uint32_t i = 0; i < ranks->lanes.count; i++) svs__lane_close(ranks, i);
    svs__own_remember(ranks, NULL);
}

void svs__lanes_add(const svs_ranks *ranks, svs_ranks_statistics *statistics) {
    (void)add_run(ranks, statistics);
    for (uint32_t i = 0; i < ranks->count; i++) {
        const svs_handler *handler = handler_of(ranks, i);
        if (handler == NULL) continue;
        if (i == ranks->index) statistics->byte_copy += bytes_of(ranks, i);
        else statistics->remote_op += bytes_of(ranks, i) / handler->bytes;
    }
}
