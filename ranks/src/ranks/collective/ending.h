/* The end of a collective call, a run above all: agreement of all ranks on one verdict, although
 * ranks may die meanwhile. It goes up and down the tree of ranks (topology.h):
 *
 *            up                down
 *     FAIL   ^  a rank has failed, or hears that one below it has
 *     STOP           v         a run: rank 0 knows of a failure; no fiber begins from here on
 *     VOTE   ^  what this rank and all below it say: all is well, or the most important failure
 *     PREPARE        v         the verdict of rank 0, with its text if it is a failure
 *     PREPARED ^  this rank and all below it know the verdict
 *     COMMIT         v         all ranks know the verdict: the call returns it
 *
 * A run that ends well begins with PREPARE, when rank 0 has proven quiescence. A collective call
 * outside of a run begins with votes: what must be the same on all ranks (agree.h). So a rank sends
 * at most 10 messages in a call that succeeds.
 *
 * A failure is more important than success, and among failures that of the lowest rank.
 *
 * The messages: step.h. Deaths: telling.h. This is how ranks.X1 (failure.h) is kept. */
#ifndef SVS__RANKS_COLLECTIVE_ENDING_H
#define SVS__RANKS_COLLECTIVE_ENDING_H

#include "ranks/collective/step.h"

/* A phase begins: a run, or another collective call. */
void svs__ending_reset(svs_ranks *ranks);
/* This rank has failed in a run. */
void svs__ending_fail(svs_ranks *ranks);
/* Rank 0: the run has ended well. */
void svs__ending_succeed(svs_ranks *ranks);
/* A collective call outside of a run: this rank, and the child of this position, say so. */
void svs__ending_vote(svs_ranks *ranks);
void svs__ending_child_voted(svs_ranks *ranks, uint32_t child, const svs__verdict *verdict);

/* A packet of the ending arrived, of this phase or an earlier one. */
void svs__ending_heard(svs_ranks *ranks, uint32_t from, uint32_t phase, const void *data,
                       uint32_t bytes);
void svs__ending_left(svs_ranks *ranks, uint32_t from);
/* A packet of a later phase arrived: its sender has committed this one. */
void svs__ending_overtaken(svs_ranks *ranks);

/* It has not begun to end. */
static inline bool svs__goes_on(const svs_ranks *ranks) {
    return ranks->in_phase && ranks->ending.state == SVS__ENDING_RUNS &&
           ranks->failed.status == SVS_OK;
}
/* The verdict is known, and all that must be told of it are. */
static inline bool svs__ending_is_decided(const svs_ranks *ranks) {
    return ranks->ending.state == SVS__ENDING_DECIDED && ranks->ending.tell_at == ranks->count;
}
#endif
