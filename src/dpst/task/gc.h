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
 * dpst.X3. A thread uses numbers that it has read from cells (in the memo and dpst.C3) only until
 *     it sees another epoch. So each use is in a single epoch.
 * dpst.X4. A cell gets a number from the step that has it, which is open; from the coarser
 *     cell around it, when that is divided; or from itself. A scan that visits coarse cells before
 *     fine ones and waits on locked cells sees every number that is present for the whole scan,
 *     because a division copies numbers only downwards.
 * dpst.X5. When marking begins, every worker has seen e: no thread runs or appends to a node
 *     that was closed in an earlier epoch. A node that is open then, or was since e began, is
 *     marked even if it is closed later in e, and so are all its ancestors. Later nodes are
 *     appended below these and left out: marking covers only parts whose numbers had all been used
 *     before (dpst.B1).
 * dpst.X6. So a dead node is in no cell when marking ends, and no cell receives it later (dpst.X4):
 *     the change of a cell that named it fails, as the cell has changed. A thread that read it
 *     before may use it until that thread sees e + 1 (dpst.X3). So freed numbers are reused only
 *     after every worker has passed a quiescent state.
 * dpst.X7. A node is *completed* when it and all below it is closed: a finish that has been
 *     drained, an async that has ended and from which no spawn has escaped. A step outside of the
 *     completed subtree has the same relation to each node below it, because the lowest common
 *     ancestor is above it. So the completed node may replace those nodes in cells; two readers
 *     that it replaces become one. A node that was completed in e does not count yet, so all names
 *     in a cell change together, and none of the new nodes is an ancestor of another. Nodes are
 *     replaced only when many are kept for the shadow alone: until then reports can name each step,
 *     afterwards only the completed node.
 *
 * A cell that one thread clears while another divides it may keep a number in violation of dpst.X4.
 * An access to memory at the end of its life gets an arbitrary answer anyway (shadow.h).
 *
 * While graphs run, there is no collection: entries of graphs also name steps, and are dropped at
 * the end of each iteration.
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

/* Called with the first check: the first sweep begins when `nodes` nodes were made. */
void svs__sweep_init(uint32_t nodes);
/* Called after the tree was cut down. */
void svs__sweep_reset(void);

/* Called when the worker has a fresh block: does the part of a sweep that can be done now. */
SVS__COLD void svs__sweep_go_on(svs__check_worker *worker);

/* Called when the worker sees the epoch: it no longer uses numbers that it has read from cells
 * (dpst.X3). */
static inline void svs__sweep_see(svs__check_worker *worker) {
    /* acquire: sees the cells as they were when they were visited before this epoch. */
    uint32_t epoch = svs__load_acquire(&svs__the_checker.sweep.epoch);
    /* relaxed is enough: only the worker writes it. release: the worker's reads of nodes come
     * before it. */
    if (SVS__UNLIKELY(svs__load_relaxed(&worker->epoch) != epoch))
        svs__store_release(&worker->epoch, epoch);
}

static inline void svs__sweep_away(svs__check_worker *worker) {
    svs__store_release(&worker->epoch, SVS__EPOCH_AWAY); /* release: as above */
}

static inline void svs__sweep_back(svs__check_worker *worker) {
    /* relaxed: only the worker writes it */
    if (svs__load_relaxed(&worker->epoch) != SVS__EPOCH_AWAY) return;
    /* seq_cst, here and below: when a collector begins an epoch and then finds this worker offline,
     * the worker is in that epoch now; pairs with all_have_seen(). */
    svs__store_seq(&worker->epoch, SVS__EPOCH_COMING);
    svs__store_release(&worker->epoch, svs__load_seq(&svs__the_checker.sweep.epoch));
}

/* Called by the worker, in the epoch that it has seen: closes this node, or the node with all nodes
 * below it. */
static inline void svs__sweep_close(svs__check_worker *worker, uint32_t node) {
    /* relaxed: only the worker writes it, also below */
    uint32_t epoch = svs__load_relaxed(&worker->epoch);
    svs__tree_close(&svs__the_checker.tree, node, svs__node_closed(epoch));
}
static inline void svs__sweep_end(svs__check_worker *worker, uint32_t node) {
    uint32_t epoch = svs__load_relaxed(&worker->epoch);
    svs__tree_close(&svs__the_checker.tree, node, svs__node_over(epoch));
}

/* Called by the worker that marks: nodes that were completed before this epoch began replace the
 * nodes below them (dpst.X7, collapse.c). */
void svs__sweep_join(const svs__dpst_tree *tree, uint32_t epoch);

#endif
