/* The state of a snapshot on one rank.
 *
 *     open --freeze--> freezing --two equal sums--> frozen --unfreeze--> closing --barrier--> open
 *     open --sync----> freezing --two equal sums--> open
 *
 *   ranks.Z1  Once `frozen` is reached, no mutation is in progress on any rank, and none starts
 *             before all ranks have called unfreeze.
 *   ranks.Z2  A snapshot contains each mutation begun before it completely, with its nested ones,
 *             and no other. (not asserted: a statement about all ranks;
 *             ranks/tests/ranks/snapshots.c checks sums)
 *   ranks.Z3  A mutation of the next epoch does not reach a rank that is frozen. Different
 *             snapshots do not delay each other. (not asserted: input of the program, refused by
 *             the unit's count())
 *
 * Each rank counts the mutations that it has begun and ended, ever. A mutation may end on another
 * rank than it began on, and nested ones begin during a freeze; so only two consecutive reductions
 * with the same sums, whose begun equals ended, prove the end. The barrier of the unfreeze keeps
 * the epochs apart: a mutation of the next one begins after all ranks have called unfreeze. So it
 * may reach a rank that is closing, and no other that is not open. A sync needs no barrier, as no
 * rank is frozen by it: a mutation of the next epoch begins after all ranks have contributed to the
 * last reduction, and may reach a rank that does not know its result yet. There it counts for the
 * next freeze. So mutations need no epoch, because at any time mutations of one epoch at most may
 * reach a rank. The epoch serves to find faults of the program.
 *
 * The freezes that a rank has called run one after another, in the order of the calls. They are not
 * merged: ranks might merge different ones, and then call different numbers of reductions. */
#ifndef SVS__RANKS_OBJECT_SNAPSHOT_H
#define SVS__RANKS_OBJECT_SNAPSHOT_H

#include "ranks/state.h"

typedef enum svs__snapshot_state {
    SVS__SNAPSHOT_OPEN,
    SVS__SNAPSHOT_FREEZING,
    SVS__SNAPSHOT_FROZEN,
    SVS__SNAPSHOT_CLOSING
} svs__snapshot_state;

struct svs_snapshot {
    svs_ranks *ranks;
    struct svs_snapshot *next;
    svs_distributed *object; /* for the reductions and the barrier */
    svs__snapshot_state state;
    bool may_be_over; /* in a sync: the reduction in progress may be the last one */
    uint32_t epoch;
    int64_t begun, ended; /* number of mutations begun and ended on this rank */
    int64_t tickets;      /* number of freezes that were called */
    svs_counter served;   /* number of freezes that are over */
    svs_counter released; /* number of unfreezes that were called */
    svs_counter opened;   /* number of epochs that have begun */
    svs_counter *closed;  /* counter of the unfreeze in progress */
};

void svs__snapshots_clean_up(svs_ranks *ranks);

/* Makes a snapshot without a collective operation, since the caller knows that all ranks make it.
 * @return NULL: no memory. */
svs_snapshot *svs__snapshot_make(svs_ranks *ranks, const char *name);
void svs__snapshot_free(svs_snapshot *snapshot);
/* Whether a freeze is in progress or was called. */
static inline bool svs__snapshot_is_used(const svs_snapshot *snapshot) {
    return snapshot->state != SVS__SNAPSHOT_OPEN || snapshot->tickets != snapshot->served.value;
}

#endif
