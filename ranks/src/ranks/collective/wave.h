/* Quiescence: the proof that nothing is left to run on any rank (Mattern's four counters).
 *
 *   ranks.Q1  Quiescence is reported only when, over all ranks, as many records were run as were
 *             created, and nothing is enabled, buffered or in progress. It is reported at most two
 *             waves after this holds.
 *   ranks.Q3  Waves of a run that goes on are rare: after a wave that proves nothing, rank 0 pauses
 *             before the next one: first for 1 us, then for twice the last pause, up to 100 us, or
 *             to 32 times the duration of the wave if that is longer, but never more than 1 ms.
 *             (not asserted: tests count)
 *
 * Rank 0 asks, down the tree (topology.h); a rank answers when it is idle, with the sums of its
 * subtree. Two consecutive waves with the same sums, in which records created equal records run,
 * prove it: a record that was in flight in the first wave would have been run before the second,
 * and the sums would differ. */
#ifndef SVS__RANKS_COLLECTIVE_WAVE_H
#define SVS__RANKS_COLLECTIVE_WAVE_H

#include "ranks/channel/channel.h"

/* Whether nothing is enabled, buffered or in progress on this rank. */
bool svs__is_idle(const svs_ranks *ranks);

/* Called while the rank is idle: begins a wave, or answers one, if it is time for it. */
void svs__wave_turn(svs_ranks *ranks, uint64_t now);
/* @return for how many nanoseconds from `now` an idle rank may sleep until it begins the next wave;
 * 0: it begins the wave at once; SVS__NEVER: it begins none before another event. */
uint64_t svs__wave_pause(const svs_ranks *ranks, uint64_t now);
void svs__wave_asked(svs_ranks *ranks, const svs__sums *wave);
void svs__wave_answered(svs_ranks *ranks, const svs__sums *sums);

#endif
