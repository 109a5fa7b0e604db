/* The end of a collective call in which a rank has died: the survivors tell each other what they
 * know, in rounds, until they can decide.
 *
 * A rank begins when it learns of a death that stops the exchange over the tree: of any rank while
 * it is uncertain (step.h), and later of its parent, or of a child that has not answered. Others
 * join when they hear of it. In each round a rank tells all others whether it, or a rank that it
 * has heard, was uncertain, and the lowest rank that has died; the round ends when it has heard all
 * others, or they have left. It decides after a round in which it has heard as many ranks as in the
 * one before, and tells its decision:
 *
 *   a rank was uncertain   no rank has committed (ranks.X3): the verdict is the death
 *   none was               all know the verdict of rank 0. The death ends the next call
 *
 * So one death takes two rounds, and each further one at most one more. A rank that has committed
 * and returned answers when its program next calls the library, or leaves.
 *
 *   ranks.X4  What a rank tells does not change between its first round and its decision, except by
 *             what it hears: it takes part in no further step of the tree except a commit. (not
 *             asserted: a statement about other ranks; tests kill two)
 *
 * There are fewer reserved buffers than ranks (ranks.X2): ranks are told in the order of their
 * numbers, as buffers come back. */
#ifndef SVS__RANKS_COLLECTIVE_TELLING_H
#define SVS__RANKS_COLLECTIVE_TELLING_H

#include "ranks/collective/step.h"

static inline bool svs__is_telling(const svs_ranks *ranks) { return ranks->ending.round != 0; }

/* Begins to tell, after the death of rank `dead`. */
void svs__telling_begin(svs_ranks *ranks, uint32_t dead);
/* A rank has left while this one tells. This changes the ranks that it waits for, and not what it
 * tells. */
void svs__telling_left(svs_ranks *ranks);
/* A message of another rank that tells has arrived, for this phase: of its round, or of its
 * decision. */
void svs__telling_heard(svs_ranks *ranks, uint32_t from, const svs__end *end);
void svs__telling_decided(svs_ranks *ranks, uint32_t from, const svs__end *end);
/* Answers a rank that tells in a phase that this rank has committed. */
void svs__telling_answer(svs_ranks *ranks, uint32_t from, uint32_t phase);
/* Decides on the verdict of this rank: it tells its children to commit, or all ranks if it is
 * telling. */
void svs__decide(svs_ranks *ranks);
/* Tells the ranks that could not be told yet for lack of buffers. */
void svs__telling_serve(svs_ranks *ranks);

#endif
