/* Concurrent garbage collection of DPST nodes. Memory is proportional to live nodes plus nodes
 * named in the shadow, not to tasks spawned.
 *
 * A node is live while it is open, while a cell of the shadow names it, and while a node below it
 * is live. A collection has these parts, each done by the worker that takes numbers next:
 *
 *     begin     epoch e begins                       ... until every worker has seen e
 *     mark      live nodes; the rest is dead;
 *               epoch e + 1 begins                   ... until every worker has seen e + 1
 *     free      the numbers of dead nodes
 *
 * A worker passes a quiescent state (*sees* the epoch) whenever it begins a step, and is offline
 * (*away*, in no epoch) while it runs no task.
 *
 * racecheck.X3. What a thread has learned from cells (numbers of others' steps, in the memo and
 *     racecheck.C3) it uses only as long as it sees no other epoch. (not asserted: a number does
 *     not record when it was learned; scenario sweep_learning)
 * racecheck.X4. A cell gets a number from the step that has it, which is open; from the wider cell
 *     around it that is divided; or from itself. A scan that visits coarse cells before fine ones
 *     and waits on locked cells sees every number present for the whole scan, because a split
 *     copies numbers only downwards. (not asserted: an argument over a scan with changes at once;
 *     unit_dpst_visit)
 * racecheck.X5. When marking begins, every worker has seen e: what is closed in an earlier epoch is
 *     not appended to any more, and no thread runs it. What is open then, and what was since, is
 *     marked, also if it is closed in e meanwhile; and so is all above it. What is appended later
 *     is below that, and is not looked at: only parts with all numbers used by then are
 *     (racecheck.B1). (not asserted: an argument over all workers; scenario sweep_closing)
 * racecheck.X6. So a dead node is in no cell when marking ends, and gets into none any more
 *     (racecheck.X4): a change of a cell that had it fails, as the cell has changed. A thread that
 *     read it before may still have it, until that thread sees e + 1 (racecheck.X3). So freed
 *     numbers are reused only after every worker has passed a quiescent state. (not asserted:
 *     follows from racecheck.X3 to racecheck.X5; scenario sweep_learning)
 * racecheck.X7. A node is over when it is closed and all below it is: a finish that has been
 *     drained, an async that has ended and has spawned nothing that escapes it. To a step that is
 *     not below it, and so to any that comes later, all below it is alike: where their ways part is
 *     above it, and the child there is it, or above it. So it may stand in cells for any of them;
 *     two readers that it stands for are one. What is over in e is not yet: so all the names in a
 *     cell change together, to nodes of which none is above another. That is done when much is kept
 *     for the shadow's sake alone: before, reports can name each step, and then, of a step within
 *     what is over, what is over. (not asserted: a property of whole subtrees; unit_dpst_sweep)
 *
 * Cells that are cleared while a thread divides them may keep a number against racecheck.X4; an
 * access to memory at the end of its life gets an arbitrary answer anyway (shadow.h).
 *
 * While graphs run nothing is swept: their entries name steps, too, and they end iteration by
 * iteration.
 *
 * operation  caller                               progress
 * go on      a worker that has taken numbers      wait-free, but for the one that marks: as long as
 *                                                 the shadow and the tree are large
 * see        a worker, between two steps          wait-free
 * away       a worker that leaves its task        wait-free
 * back       a worker, before it takes one up     wait-free
 * reset      alone (racecheck.X2)
 *
 * Threads: as the table says. */
#ifndef SVS_RACECHECK_TASK_GC_H
#define SVS_RACECHECK_TASK_GC_H

#include "racecheck/tree/checker.h"

/* With the first check: begins when `nodes` were made. */
void svs__sweep_init(uint32_t nodes);
/* The tree was cut down. */
void svs__sweep_reset(void);

/* The worker's block is fresh: does the part of a sweep that can be done now. */
SVS__COLD void svs__sweep_go_on(svs__check_worker *worker);

/* By racecheck.X3: the worker uses nothing any more that it has learned from cells. */
static inline void svs__sweep_see(svs__check_worker *worker) {
    /* acquire: cells as they were looked at before this epoch. */
    uint32_t epoch = svs__load_acquire(&svs__the_checker.sweep.epoch);
    /* relaxed: the worker's own. release: what it has read of nodes is read. */
    if (SVS__UNLIKELY(svs__load_relaxed(&worker->epoch) != epoch))
        svs__store_release(&worker->epoch, epoch);
}

static inline void svs__sweep_away(svs__check_worker *worker) {
    svs__store_release(&worker->epoch, SVS__EPOCH_AWAY); /* release: as above */
}

static inline void svs__sweep_back(svs__check_worker *worker) {
    if (svs__load_relaxed(&worker->epoch) != SVS__EPOCH_AWAY) return; /* relaxed: its own */
    /* seq_cst, both: when a collector begins an epoch and then finds this worker offline, the
     * worker is in that epoch now; pairs with all_have_seen(). */
    svs__store_seq(&worker->epoch, SVS__EPOCH_COMING);
    svs__store_release(&worker->epoch, svs__load_seq(&svs__the_checker.sweep.epoch));
}

/* By the worker, in the epoch that it has seen: this node, or with it all that is below. */
static inline void svs__sweep_close(svs__check_worker *worker, uint32_t node) {
    uint32_t epoch = svs__load_relaxed(&worker->epoch); /* relaxed: its own, as below */
    svs__tree_close(&svs__the_checker.tree, node, svs__node_closed(epoch));
}
static inline void svs__sweep_end(svs__check_worker *worker, uint32_t node) {
    uint32_t epoch = svs__load_relaxed(&worker->epoch);
    svs__tree_close(&svs__the_checker.tree, node, svs__node_over(epoch));
}

/* By racecheck.X7: by the worker that marks: nodes that were completed before this epoch began
 * replace the nodes below them (collapse.c). */
void svs__sweep_join(const svs__tree *tree, uint32_t epoch);

#endif
