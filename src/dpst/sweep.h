/* What of the tree nobody needs any more is found while tasks run, and its numbers are given out
 * again: so a run takes memory for what goes on in it and for what its shadow names, and not for
 * all that it ever spawned.
 *
 * A node is needed while it is open, while a cell of the shadow names it, and while one below it is
 * needed. A sweep has four parts, each done by whichever worker takes numbers next:
 *
 *     begin     epoch e begins                       ... until everybody has seen e
 *     mark      what is needed; the rest is dead;
 *               epoch e + 1 begins                   ... until everybody has seen e + 1
 *     give out  the dead ones' numbers
 *
 * A worker *sees* the epoch whenever it begins a step, and is away, in none, while it runs no task.
 *
 * X3. What a thread has learned from cells (numbers of others' steps, in the memo and C3) it uses
 *     only as long as it sees no other epoch.
 * X4. A cell gets a number from the step that has it, which is open; from the wider cell around it
 *     that is divided; or from itself. Who looks at the wider cells before the narrower ones, and
 *     waits where one is being divided, misses none that was there before and stays.
 * X5. When marking begins, everybody has seen e: what is closed in an earlier epoch is not appended
 *     to any more, and no thread runs it. What is open then, and what was since, is marked, also if
 *     it is closed in e meanwhile; and so is all above it. What is appended later is below that,
 *     and is not looked at: only parts whose numbers had all been used by then are (B1).
 * X6. So a dead node is in no cell when marking ends, and gets into none any more (X4): a change of
 *     a cell that had it fails, as the cell has changed. Who may have it still is a thread that
 *     read it before; it is done when it sees e + 1 (X3). Then nobody has the number.
 * X7. A node is over when it is closed and all below it is: a finish that has been drained, an
 *     async that has ended and has spawned nothing that escapes it. To a step that is not below it,
 *     and so to any that comes later, all below it is alike: where their ways part is above it, and
 *     the child there is it, or above it. So it may stand in cells for any of them; two readers
 *     that it stands for are one. What is over in e is not yet: so all the names in a cell change
 *     together, to nodes of which none is above another. That is done when much is kept for the
 *     shadow's sake alone: before, reports can name each step, and then, of a step within what is
 *     over, what is over.
 *
 * Cells that are cleared while somebody divides them may keep a number against X4; who accesses
 * memory at the end of its life gets an arbitrary answer anyway (shadow.h).
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
 * reset      alone (X2)
 *
 * Threads: as the table says. */
#ifndef SVS_DPST_SWEEP_H
#define SVS_DPST_SWEEP_H

#include "dpst/checker.h"

/* With the first check: begins when `nodes` were made. */
void svs__sweep_init(uint32_t nodes);
/* The tree was cut down. */
void svs__sweep_reset(void);

/* The worker's block is fresh: does the part of a sweep that can be done now. */
SVS__COLD void svs__sweep_go_on(svs__check_worker *worker);

/* X3: the worker uses nothing any more that it has learned from cells. */
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
    /* seq_cst, both: who has begun an epoch and then finds this worker away has begun it for what
     * the worker does now; pairs with all_have_seen(). */
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

/* X7, by who marks: what was over before this epoch began takes the place of what is below it
 * (join.c). */
void svs__sweep_join(const svs__tree *tree, uint32_t epoch);

#endif
