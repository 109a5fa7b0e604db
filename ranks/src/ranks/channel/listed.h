/* Lists of the channels that need some service, so that no service has to look at all channels.
 *
 *     svs__listed_put(ranks, SVS__LISTED_READY, to);               once, however often it is put
 *     for (uint32_t n = svs__listed_count(ranks, list); n != 0; n--)
 *         ... svs__listed_take(ranks, list) ...                   puts it again if it still does
 *
 *   ranks.L1  A channel is in a list while it needs the service of the list. It may stay in the
 *             list longer, so a reader checks. (not asserted: readers check) */
#ifndef SVS__RANKS_CHANNEL_LISTED_H
#define SVS__RANKS_CHANNEL_LISTED_H

#include "ranks/state.h"

static inline void svs__listed_put(svs_ranks *ranks, svs__list_kind list, uint32_t index) {
    svs__channel *channel = &ranks->channels[index];
    svs__channel_list *all = &ranks->listed[list];
    if ((channel->listed >> list & 1) != 0) return;
    channel->listed |= (uint8_t)(1u << list);
    channel->next[list] = UINT32_MAX;
    if (all->count++ == 0) all->first = index;
    else ranks->channels[all->last].next[list] = index;
    all->last = index;
}

static inline uint32_t svs__listed_count(const svs_ranks *ranks, svs__list_kind list) {
    return ranks->listed[list].count;
}

/* Takes the first channel from a list. Precondition: the list is not empty. */
static inline uint32_t svs__listed_take(svs_ranks *ranks, svs__list_kind list) {
    svs__channel_list *all = &ranks->listed[list];
    uint32_t index = all->first;
    SVS__ASSERT(all->count != 0);
    ranks->channels[index].listed &= (uint8_t) ~(1u << list);
    all->first = ranks->channels[index].next[list];
    all->count--;
    return index;
}

#endif
