/* The end of a collective call, a run above all: all ranks agree on one verdict, even if ranks die
 * meanwhile. It goes up and down the tree of ranks (topology.h):
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

/* Begins a phase: a run, or another collective call. */
void svs__ending_reset(svs_ranks *ranks);
/* Called when this rank has failed in a run. */
void svs__ending_fail(svs_ranks *ranks);
/* Called on rank 0: the run has ended well. */
void svs__ending_succeed(svs_ranks *ranks);
/* The votes of this rank, and of the child at position `child`, in a collective call outside of a
 * run. */
void svs__ending_vote(svs_ranks *ranks);
void svs__ending_child_voted(svs_ranks *ranks, uint32_t child, const svs__verdict *verdict);

/* A packet of the ending has arrived, of this phase or an earlier one. */
void svs__ending_heard(svs_ranks *ranks, uint32_t from, uint32_t phase, const void *data,
                       uint32_t bytes);
void svs__ending_left(svs_ranks *ranks, uint32_t from);
/* Called when a packet of a later phase has arrived: its sender has committed this phase. */
void svs__ending_overtaken(svs_ranks *ranks);

/* Whether the call in progress has not begun to end. */
static inline bool svs__goes_on(const svs_ranks *ranks) {
    return ranks->in_phase && ranks->ending.state == SVS__ENDING_RUNS &&
           ranks->failed.status == SVS_OK;
}
/* Whether the verdict is decided and all ranks that must be told of it were told. */
static inline bool svs__ending_is_decided(const svs_ranks *ranks) {
    return ranks->ending.state == SVS__ENDING_DECIDED && ranks->ending.tell_at == ranks->count;
}
#endif
