/* Lanes: the fast way of a post. The public header appends a record to the open lane without a call
 * (svs/ranks/post.h).
 *
 *     open buffer:  | header | run | records ... | lane: at ---> end |
 *
 * A lane is the room after the last run of a channel's open buffer. It is open for one handler: a
 * post of that handler copies its record to `at`, advances `at`, and changes nothing else.
 *
 *   ranks.B6  While a lane is open, the last run of the open buffer has records of the lane's
 *             handler, from this rank to the lane's rank. That rank accepts records of fibers, or a
 *             handler is running. The records between the buffer's end and `at` are not counted
 *             yet. To close the lane counts them; it is closed before anything else reads or
 *             changes the buffer, before the run ends, and before the overflow passes its mark. An
 *             *inner* lane leads to a rank for which records of fibers are not accepted. It is
 *             closed after the handler that has opened it.
 *   ranks.B7  A rank's *own lane* is for in-place records that the rank posts to itself. A fiber's
 *             record runs at once. A handler's record runs after that handler, and before the next
 *             record of a fiber. So the lane is open only while a handler runs. Between handlers it
 *             is armed: it keeps the name of its handler. All records of its run belong to it.
 *   ranks.B8  Records of a rank's own lane run in the buffer that they were posted to. `begin` is
 *             the first one that has not run. Records that their handler posts are appended. A
 *             record that runs is neither moved nor overwritten: a lane that is closed meanwhile
 *             moves the appended records alone.
 *
 * `now` is the handler of the last record that a fiber posted to its own rank. It is set while no
 * handler runs, no record of a handler waits, and the run has neither failed nor ended. A record
 * for `now` runs without further checks, and such records are counted together (ranks.B7). */
#ifndef SVS__RANKS_CHANNEL_LANE_H
#define SVS__RANKS_CHANNEL_LANE_H

#include "ranks/state.h"

/* Called after a record was put into a channel: opens the channel's lane, if ranks.B6 allows it. */
void svs__lane_open(svs_ranks *ranks, uint32_t to, const svs_handler *handler);
/* The same for the mixed run of a hop (ranks.G2). */
void svs__lane_open_mixing(svs_ranks *ranks, uint32_t hop, const svs_handler *handler);
/* Precondition: the lane is open or armed. Counts its records, and closes it. */
void svs__lane_count(svs_ranks *ranks, uint32_t to);
/* Closes the inner lanes. */
void svs__lanes_close_inner(svs_ranks *ranks);
/* Closes all lanes, and forgets the handler of records that the rank posts to itself. */
void svs__lanes_close(svs_ranks *ranks);
/* Counts the records that the rank has posted to itself and that have run. */
void svs__own_count(svs_ranks *ranks);
/* Remembers the handler of the records that fibers post to their own rank; NULL: the next post
 * searches for it. */
void svs__own_remember(svs_ranks *ranks, const svs__handler_entry *entry);
/* Adds to the statistics the records of open lanes, which are not counted yet. */
void svs__lanes_add(const svs_ranks *ranks, svs_ranks_statistics *statistics);

static inline void svs__lane_close(svs_ranks *ranks, uint32_t to) {
    ranks->channels[to].mixing = NULL; /* ranks.G2 */
    if (ranks->lanes.of[to].handler != NULL || (to == ranks->index && ranks->own.armed != NULL))
        svs__lane_count(ranks, to);
}

/* Whether all records that handlers have posted to their own rank have run. */
static inline bool svs__own_is_empty(const svs_ranks *ranks) {
    const svs__own_lane *own = &ranks->own;
    if (own->alone) return own->lane->at == own->begin;
    return own->channel->queued.first == NULL &&
           (own->channel->open == NULL || (own->armed != NULL && own->lane->at == own->begin));
}

#endif
