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
 * dpst.X3. A thread uses numbers that it has read from cells (in the memo and dpst.C3)
 *     only until it sees another epoch; so it is in an epoch while it uses them.
 * dpst.X4. A cell gets a number from the step that has it, which is open; from the coarser
 *     cell around it, when that is divided; or from itself. A scan that visits coarse cells before
 *     fine ones and waits on locked cells sees every number that is present for the whole scan,
 *     because a division copies numbers only downwards.
 * dpst.X5. When marking begins, every worker has seen e: no thread runs or appends to a node
 *     that was closed in an earlier epoch. A node that is open then, or was since e began, is
 *     marked, also if it is closed in e meanwhile, and so are all its ancestors. Later nodes are
 *     appended below these, and are not looked at: marking covers only parts of which all numbers
 *     were used before (dpst.B1).
 * dpst.X6. So a dead node is in no cell when marking ends, and no cell gets it any more
 *     (dpst.X4): the change of a cell that named it fails, as the cell has changed. A thread
 *     that read it before may use it until that thread sees e + 1 (dpst.X3). So freed numbers
 *     are reused only after every worker has passed a quiescent state.
 * dpst.X7. A node is *completed* when it and all below it is closed: a finish that has been
 *     drained, an async that has ended and from which no spawn has escaped. To a step outside of it
 *     all nodes below it are alike, as the lowest common ancestor is above it. So it may replace
 *     them in cells; two readers that it replaces become one. A node that was completed in e does
 *     not count yet, so all names in a cell change together, to nodes of which none is above
 *     another. This is done only when many nodes are kept for the shadow's sake alone: reports can
 *     name each step until then, and the completed node from then on.
 *
 * A cell that one thread clears while another divides it may keep a number against dpst.X4; an
 * access to memory at the end of its life gets an arbitrary answer anyway (shadow.h).
 *
 * While graphs run, nothing is collected: their entries name steps, too, and they end with each
 * iteration.
 *
 * operation  caller                               progress
 * go_on      a worker that has taken numbers      wait-free, but for the one that marks: as long as
 *                                                 the shadow and the tree are large
 * see        a worker, between two steps          wait-free
 * away       a worker that leaves its task        wait-free
 * back       a worker, before it takes one up     wait-free
 * reset      alone (dpst.X2)
 *
 * Threads: as the table says. */
#ifndef SVS_DPST_TASK_GC_H
#define SVS_DPST_TASK_GC_H

#include "dpst/tree/checker.h"

/* With the first check: begins when `nodes` were made. */
void svs__sweep_init(uint32_t nodes);
/* The tree was cut down. */
void svs__sweep_reset(void);

/* The worker's block is fresh: does the part of a sweep that can be done now. */
SVS__COLD void svs__sweep_go_on(svs__check_worker *worker);

/* By dpst.X3: the worker uses nothing any more that it has learned from cells. */
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

/* By dpst.X7: by the worker that marks: nodes that were completed before this epoch began
 * replace the nodes below them (collapse.c). */
void svs__sweep_join(const svs__dpst_tree *tree, uint32_t epoch);

#endif
