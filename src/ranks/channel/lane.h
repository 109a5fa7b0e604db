/* Lanes: the usual cases of posts, of which the public header carries out the first by itself
 * (svs/ranks/post.h).
 *
 *     open buffer:  | header | run | records ... | lane: at ---> end |
 *
 * A lane is open for one handler. It is the room behind the last run of a channel's open buffer,
 * and a post of that handler advances `at`, and nothing else.
 *
 *   ranks.B6  While a lane is open, the last run of the open buffer is one of its handler, from
 *             this rank to that one, and records of fibers are accepted for it, or a handler runs.
 *             The records between the buffer's end and `at` are counted nowhere; the lane is
 *             closed, which counts them, before anything else reads or changes the buffer, and
 *             before the end of a run or an overflow above its mark. An *inner* lane is one of a
 *             rank for which records of fibers are not accepted: it is closed behind the handler
 *             that has opened it.
 *   ranks.B7  A record for the own rank that is to run in place runs at once if a fiber posts it.
 *             One that a handler posts runs behind that handler, and before the next one of a
 *             fiber. So the own lane is open only while a handler runs; it is armed in between:
 *             its handler is kept aside. All records of its run belong to it.
 *   ranks.B8  Records of the own lane run where they stand, in front of `begin`; what their handler
 *             posts stands behind. They are neither moved nor overwritten until they have run: if
 *             the lane is closed meanwhile, those behind them are moved.
 *
 * Of records that fibers post to the own rank, the handler of the last one is remembered while
 * there is no failure and no end; they are counted together. The own lane names it as `now` while
 * no handler runs, and none has posted a record to the own rank that has not run: so its records
 * run at once (ranks.B7). */
#ifndef SVS__RANKS_CHANNEL_LANE_H
#define SVS__RANKS_CHANNEL_LANE_H

#include "ranks/state.h"

/* After a record was put into a channel: opens its lane, if ranks.B6 allows it. */
void svs__lane_open(svs_ranks *ranks, uint32_t to, const svs_handler *handler);
/* The same of the mixed run of a hop (ranks.G2). */
void svs__lane_open_mixing(svs_ranks *ranks, uint32_t hop, const svs_handler *handler);
/* It is open or armed: counts its records, and closes it. */
void svs__lane_count(svs_ranks *ranks, uint32_t to);
/* Closes the inner lanes. */
void svs__lanes_close_inner(svs_ranks *ranks);
/* Closes all, and forgets the handler of the own rank's records. */
void svs__lanes_close(svs_ranks *ranks);
/* Counts the records of the own rank that have run. */
void svs__own_count(svs_ranks *ranks);
/* The handler of the records for the own rank that fibers post next; NULL: it is searched for. */
void svs__own_remember(svs_ranks *ranks, const svs__handler_entry *entry);
/* Adds what is not counted yet. */
void svs__lanes_add(const svs_ranks *ranks, svs_ranks_statistics *statistics);

static inline void svs__lane_close(svs_ranks *ranks, uint32_t to) {
    ranks->channels[to].mixing = NULL; /* ranks.G2 */
    if (ranks->lanes.of[to].handler != NULL || (to == ranks->index && ranks->own.armed != NULL))
        svs__lane_count(ranks, to);
}

/* Has no handler posted a record to the own rank that has not run? */
static inline bool svs__own_is_empty(const svs_ranks *ranks) {
    const svs__own_lane *own = &ranks->own;
    if (own->alone) return own->lane->at == own->begin;
    return own->channel->queued.first == NULL &&
           (own->channel->open == NULL || (own->armed != NULL && own->lane->at == own->begin));
}

#endif
