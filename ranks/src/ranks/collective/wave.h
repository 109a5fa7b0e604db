/* Quiescence: the proof that nothing is left to run on any rank (Mattern's four counters).
 *
 *   ranks.Q1  Quiescence is reported only when as many records were run as were created, on all
 *             ranks together, and nothing is enabled, buffered or in progress; at most two waves
 *             after that holds.
 *   ranks.Q3  Waves of a run that goes on are rare: after one that proves nothing, rank 0 waits
 *             before the next one for 1 us, 2 us and so on, up to 100 us, or to 32 times what the
 *             wave has taken if that is longer, and to 1 ms at most. (not asserted: tests count)
 *
 * Rank 0 asks, down the tree (topology.h); a rank answers when it is idle, with the sums of its
 * subtree. Two consecutive waves with the same sums, in which both are equal, prove it: a record
 * that was in flight in the first would have been run before the second, or not be counted. */
#ifndef SVS__RANKS_COLLECTIVE_WAVE_H
#define SVS__RANKS_COLLECTIVE_WAVE_H

#include "ranks/channel/channel.h"

/* Nothing is enabled, buffered or in progress on this rank. */
bool svs__is_idle(const svs_ranks *ranks);

/* The rank is idle at this time: begins a wave, or answers one. */
void svs__wave_turn(svs_ranks *ranks, uint64_t now);
/* @return for how many nanoseconds from now an idle rank may sleep before it begins the next wave;
 * 0: it begins it now; SVS__NEVER: another event comes first. */
uint64_t svs__wave_pause(const svs_ranks *ranks, uint64_t now);
void svs__wave_asked(svs_ranks *ranks, const svs__sums *wave);
void svs__wave_answered(svs_ranks *ranks, const svs__sums *sums);

#endif
