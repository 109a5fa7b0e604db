/* A combiner: sets that one rank has found become known to all ranks, in rounds over a tree of any
 * number of ranks.
 *
 *                  0            up: each rank sends its parent what it has found since the last
 *                /   \              round, with what its children have sent
 *               1     2         down: rank 0 sends all of it to all
 *              / \
 *             3   4
 *
 * A rank asks for a round, and rank 0 begins it: a message goes down the tree. All steps are
 * handlers in place, so that a rank in a long task takes part in svs_poll().
 *
 *   combine.C1  What a rank has found before its part of a round is known to all ranks at the end
 *               of the round: it is taken, or `take` has refused it, since it follows from another.
 *   combine.C2  A rank sends its part when those of all its children have come. Rounds do not
 *               overlap: rank 0 begins one when the last one has ended there, and records between
 *               two ranks keep their order.
 *   combine.C3  A request for a round that has begun is forgotten: its rank may ask again.
 *   combine.C4  The last round begins after combiner_finish() on rank 0. */
#ifndef BENCH_MULTIPOL_PHYLOGENY_COMBINE_H
#define BENCH_MULTIPOL_PHYLOGENY_COMBINE_H

#include "phylogeny_set.h"
#include <svs/ranks.h>

typedef struct combiner combiner;

/* Collective, outside of a run. @param take takes a set that another rank has found, in a handler
 * in place, and says whether it was new. The combiner is freed with the rank.
 * @return as svs_structure_new(). */
svs_status combiner_new(svs_ranks *ranks, bool (*take)(void *argument, const set *found),
                        void *argument, combiner **made);

/* Collective, outside of a run: begins anew. */
void combiner_reset(combiner *of);

/* In a run. This rank has found a set. */
void combiner_found(combiner *of, const set *found);
/* Asks for a round, unless this rank has asked since the last one. @return SVS_OK, or as
 * svs_post(), but not SVS_WAIT: then it has not asked. */
svs_status combiner_ask(combiner *of);
/* On each rank, after it has found all, and on rank 0 after all ranks have. `done` goes up by 1
 * when the last round has ended.
 * @return as svs_post(); SVS_WAIT: not yet, continue and call it again (svs_post_ready()). */
svs_status combiner_finish(combiner *of, svs_counter *done);

typedef struct combiner_counts {
    uint64_t rounds, taken; /* sets that were new to this rank */
} combiner_counts;
combiner_counts combiner_counts_get(const combiner *of);

#endif
