/* The overflow of a rank: memory for posts that it must keep (ranks.B4), which are buffers of
 * handlers' posts without credit and fibers of handlers that have continued. This file compares it
 * with its mark. */
#ifndef SVS__RANKS_CHANNEL_OVERFLOW_H
#define SVS__RANKS_CHANNEL_OVERFLOW_H

#include "ranks/state.h"

static inline uint64_t svs__overflow_mark(const svs_ranks *ranks) {
    return ranks->options.overflow_bytes_max / 2;
}

/* Whether fibers of this rank must wait with their posts. */
static inline bool svs__is_above_mark(const svs_ranks *ranks) {
    return ranks->overflow_bytes > svs__overflow_mark(ranks);
}

/* Whether fibers of other ranks must wait with posts to this rank. */
static inline bool svs__is_full(const svs_ranks *ranks) {
    return ranks->overflow_bytes + ranks->suspended_bytes > svs__overflow_mark(ranks);
}

static inline void svs__overflow_grows(svs_ranks *ranks, uint64_t buffers, uint64_t fibers) {
    uint64_t *most = &ranks->statistics.overflow_bytes_most;
    ranks->overflow_bytes += buffers;
    ranks->suspended_bytes += fibers;
    if (ranks->overflow_bytes + ranks->suspended_bytes > *most)
        *most = ranks->overflow_bytes + ranks->suspended_bytes;
}

/* Subtracts buffers and fibers that are no longer kept. */
static inline void svs__overflow_falls(svs_ranks *ranks, uint64_t buffers, uint64_t fibers) {
    bool above = svs__is_above_mark(ranks), full = svs__is_full(ranks);
    ranks->overflow_bytes -= buffers;
    ranks->suspended_bytes -= fibers;
    if ((above && !svs__is_above_mark(ranks)) || (full && !svs__is_full(ranks)))
        ranks->overflow_fell = true;
}

#endif
