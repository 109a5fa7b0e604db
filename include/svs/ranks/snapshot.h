/* Snapshots: a time in which no mutation of an object is in progress on any rank (section 3.4.2).
 *
 *     // a mutation, which ends on another rank
 *     status = svs_mutation_begin(snapshot, retry, &record.epoch);
 *     if (status == SVS_WAIT) return SVS_OK;          // `retry` is enabled after the unfreeze
 *     ... change this part, post the record ...
 *     // its handler there
 *     ... change that part ...
 *     svs_mutation_end(snapshot, record->epoch);
 *
 *     // each rank, to look at all parts
 *     svs_snapshot_freeze(snapshot, &frozen);
 *     ... wait for `frozen`, read ...
 *     svs_snapshot_unfreeze(snapshot, &done);
 *
 * Freeze, unfreeze and sync are split-phase, and collective: each rank makes the same calls in the
 * same order. When `frozen` is reached, each mutation that was begun before is complete, with those
 * that are nested in it, and none starts before all ranks have called unfreeze. A second freeze of
 * the same snapshot waits for the end of the first. Several objects may share a snapshot; different
 * snapshots do not delay each other.
 *
 * A mutation ends in finite time, and waits for no other one. One that is part of a mutation in
 * progress is nested: it is always admitted, as its parent waits for it. */
#ifndef SVS_RANKS_SNAPSHOT_H
#define SVS_RANKS_SNAPSHOT_H

#include <svs/ranks/distributed.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_snapshot svs_snapshot;

/* Named, and complete, as svs_distributed_new(); the names are those of objects, too. Freed with
 * the rank.
 * @return as svs_distributed_new(). */
SVS_NODISCARD svs_status svs_snapshot_new(svs_ranks *ranks, const char *name, uint64_t reserved,
                                          svs_snapshot **snapshot, svs_counter *done);

/* A mutation begins on this rank. @param retry a created fiber; it is enabled after the unfreeze if
 * the result is SVS_WAIT, and untouched otherwise. @param epoch goes with the mutation.
 * @return SVS_OK, SVS_WAIT, SVS_E_NULL, SVS_E_FIBER. */
SVS_NODISCARD svs_status svs_mutation_begin(svs_snapshot *snapshot, svs_fiber retry,
                                            uint32_t *epoch);
/* A mutation begins that is part of one in progress, with its epoch. */
void svs_mutation_nested(svs_snapshot *snapshot, uint32_t epoch);
/* A mutation is complete; on any rank. */
void svs_mutation_end(svs_snapshot *snapshot, uint32_t epoch);

/* @return SVS_WAIT, SVS_E_NULL, SVS_E_OUTSIDE, SVS_E_NO_MEMORY. */
SVS_NODISCARD svs_status svs_snapshot_freeze(svs_snapshot *snapshot, svs_counter *frozen);
/* @return SVS_WAIT, SVS_E_NULL, SVS_E_STATE (not frozen). */
SVS_NODISCARD svs_status svs_snapshot_unfreeze(svs_snapshot *snapshot, svs_counter *done);
/* Waits for all mutations that were begun before: freeze and unfreeze. @return as freeze. */
SVS_NODISCARD svs_status svs_snapshot_sync(svs_snapshot *snapshot, svs_counter *done);

SVS_END_DECLARATIONS
#endif
