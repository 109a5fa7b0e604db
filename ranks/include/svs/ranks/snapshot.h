/* Snapshots: periods in which no mutation of an object is in progress on any rank (section 3.4.2).
 *
 *     // a mutation, which ends on another rank
 *     status = svs_mutation_begin(snapshot, 1, &record.epoch);
 *     if (status == SVS_WAIT) ... continue, and pass the continuation to svs_mutation_ready() ...
 *     ... change this part, post the record ...
 *     // its handler there
 *     ... change that part ...
 *     svs_mutation_end(snapshot, 1, record->epoch);
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
 * A mutation ends in finite time, and waits for no other mutation. A mutation that is part of one
 * in progress is nested: it is always admitted, because its parent waits for it. */
#ifndef SVS_RANKS_SNAPSHOT_H
#define SVS_RANKS_SNAPSHOT_H

#include <svs/ranks/distributed.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_snapshot svs_snapshot;

/* Makes this rank's part of a snapshot. Name and completion are as for svs_distributed_new();
 * snapshots and objects share one set of names. The snapshot is freed with the rank.
 * @return as svs_distributed_new(). */
SVS_NODISCARD SVS_API svs_status svs_snapshot_new(svs_ranks *ranks, const char *name,
                                                  uint64_t reserved, svs_snapshot **snapshot,
                                                  svs_counter *done);

/* Begins `count` mutations on this rank. @param epoch receives their epoch, which their end is
 * given; or NULL.
 * @return SVS_OK, SVS_WAIT (none begins now), SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_mutation_begin(svs_snapshot *snapshot, uint64_t count,
                                                    uint32_t *epoch);
/* Enables the fiber when mutations may begin: at once if the snapshot is not frozen, else after the
 * unfreeze. @return as svs_fiber_enable(). */
SVS_NODISCARD SVS_API svs_status svs_mutation_ready(svs_snapshot *snapshot, svs_fiber fiber);
/* Begins `count` nested mutations: parts of a mutation in progress, whose epoch they have. A wrong
 * epoch ends the run with SVS_E_STATE. A program whose records do not carry the epoch passes
 * SVS_NO_EPOCH, and the library checks less. */
#define SVS_NO_EPOCH UINT32_MAX
SVS_API void svs_mutation_nested(svs_snapshot *snapshot, uint64_t count, uint32_t epoch);
/* Ends `count` mutations, on any rank. Mutations that were begun and not carried out are ended as
 * well. */
SVS_API void svs_mutation_end(svs_snapshot *snapshot, uint64_t count, uint32_t epoch);

/* Freezes: adds 1 to `frozen` when no mutation is in progress on any rank. @return SVS_WAIT,
 * SVS_E_NULL, SVS_E_OUTSIDE, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_snapshot_freeze(svs_snapshot *snapshot, svs_counter *frozen);
/* Lets mutations begin again when all ranks have called it, and then adds 1 to `done`. @return
 * SVS_WAIT, SVS_E_NULL, SVS_E_STATE (not frozen). */
SVS_NODISCARD SVS_API svs_status svs_snapshot_unfreeze(svs_snapshot *snapshot, svs_counter *done);
/* A freeze with an unfreeze: adds 1 to `done` when all mutations that were begun before are
 * complete. @return as svs_snapshot_freeze(). */
SVS_NODISCARD SVS_API svs_status svs_snapshot_sync(svs_snapshot *snapshot, svs_counter *done);

SVS_END_DECLARATIONS
#endif
