/* The messages at the end of a collective call (ending.h, telling.h), and the two kinds of states.
 *
 *   uncertain: runs, failing, stopped, voted  --PREPARE-->  certain: prepared, acknowledged
 *
 *   ranks.X2  The ending needs no memory: a constant number of buffers is reserved, some for each
 *             step. A later call repeats a step only after the receivers have answered the earlier
 *             one. So its buffers have been completed by then, or will be without another rank's
 *             help. (not asserted: a statement about other ranks; ranks/tests/ranks/ends.c runs it)
 *   ranks.X3  While a rank is uncertain, no rank has committed. */
#ifndef SVS__RANKS_COLLECTIVE_STEP_H
#define SVS__RANKS_COLLECTIVE_STEP_H

#include "ranks/channel/channel.h"

typedef enum svs__end_step {
    SVS__END_FAIL,
    SVS__END_STOP,
    SVS__END_VOTE,
    SVS__END_PREPARE,
    SVS__END_PREPARED,
    SVS__END_COMMIT,
    SVS__END_TELL,
    SVS__END_TOLD,
    SVS__END_STEPS
} svs__end_step;

/* Number of messages that a rank sends for all steps of a call: each step goes up, or to each
 * child. */
#define SVS__END_BUFFERS (3u + 3u * SVS__CHILDREN_MAX)
/* Most buffers that are reserved for steps to all ranks (telling.h). */
#define SVS__TELLS_MAX 32u

/* Sends a step with a verdict. @param buffers the reserve that it is taken from. */
void svs__step_send(svs_ranks *ranks, uint32_t to, const svs__end *end, svs__buffers *buffers);
/* Sends a step that has no verdict. */
void svs__step_signal(svs_ranks *ranks, uint32_t to, svs__end_step step);
void svs__step_signal_children(svs_ranks *ranks, svs__end_step step);
/* Reads a step that has arrived. @return false: it is malformed. */
bool svs__step_read(svs__end *end, const void *data, uint32_t bytes);

static inline bool svs__is_uncertain(const svs_ranks *ranks) {
    return ranks->ending.state < SVS__ENDING_PREPARED;
}

#endif
