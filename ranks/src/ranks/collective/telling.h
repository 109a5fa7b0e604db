/* The end of a collective call in which a rank has died: the survivors tell each other what they
 * know, in rounds, until they can decide.
 *
 * A rank begins when it is told of a death that the tree cannot go on without: of any rank while it
 * is uncertain (step.h), and later of its parent, or of a child that has not answered. Others
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
 *             what it hears: it takes part in no step of the tree any more, but in a commit. (not
 *             asserted: a statement about other ranks; tests kill two)
 *
 * A buffer is reserved for some of the ranks only (ranks.X2): the others are told as these come
 * back, in the order of their numbers. */
#ifndef SVS__RANKS_COLLECTIVE_TELLING_H
#define SVS__RANKS_COLLECTIVE_TELLING_H

#include "ranks/collective/step.h"

static inline bool svs__is_telling(const svs_ranks *ranks) { return ranks->ending.round != 0; }

/* A rank has died. */
void svs__telling_begin(svs_ranks *ranks, uint32_t dead);
/* A rank left while this one tells. That changes whom it waits for, and not what it tells. */
void svs__telling_left(svs_ranks *ranks);
/* Another rank tells: in this phase. */
void svs__telling_heard(svs_ranks *ranks, uint32_t from, const svs__end *end);
void svs__telling_decided(svs_ranks *ranks, uint32_t from, const svs__end *end);
/* Another rank tells in a phase that this rank has committed. */
void svs__telling_answer(svs_ranks *ranks, uint32_t from, uint32_t phase);
/* The verdict is decided: this rank tells its children to commit, or all ranks if it tells. */
void svs__decide(svs_ranks *ranks);
/* Goes on with what could not be told yet. */
void svs__telling_serve(svs_ranks *ranks);

#endif
